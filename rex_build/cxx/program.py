"""What C++ programs say, for the decisions of both languages."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from ..base.diagnostics import error_at
from ..c.source.tokens import closing, next_token, statement_end
from ..directives.model import Expr, Locator, ReductionClause, Step
from ..directives.parser import refuse_unsupported
from ..openmp.atomics import Written, atomic_of
from ..openmp.chains import chain_of, combined
from ..openmp.launch import LOOP_LEAVES
from ..openmp.list_items import LENGTH_OF_TEMPLATE
from ..openmp.reductions import OPERATORS, Declared, reduction_of
from ..openmp.sharing import is_copied, sharing_of
from ..optimise.changes import Changed, changed_by
from ..plan.code import Code, Entity
from ..plan.constructs import Atomic
from ..plan.loops import LoopNest
from ..plan.sharing import Reduction, Sharing
from ..tree import nodes as tree
from ..tree import types
from .call_graph import calls_of
from .code import Construct, CxxType, Range, Text, Variable
from .functions import Function
from .list_items import ListReader, check_named
from .loops import canonical_nest, collapse_of
from .reading.reader import reader_of
from .text_constructs import identifiers_in
from .unit import Unit
from .user_reductions import reduction_for, reduction_in_instances


def atomic_operation(unit: Unit, construct: Construct) -> Atomic:
    """The operation of an ``atomic`` construct. Raises InputError for one that devices do not have."""
    reader = reader_of(unit)
    found = reader.region(construct) or reader.pattern(construct)
    bodies = [one.body or tree.Block(()) for one in found]
    return atomic_of(construct.directive, bodies, unit.span(construct.body_start), unit.requirements, written(unit))


def written(unit: Unit) -> Written:
    """How C++'s code is written: as in the user's text."""
    return Written(
        lambda cursor: Range(*unit.extent(cursor)),
        partial(_joined, unit),
        lambda cursor: unit.span(unit.extent(cursor)[0]),
        lambda cursor: max(cursor.type.get_align(), 0),
    )


def _joined(unit: Unit, operator: str, left: Code, right: Code) -> Text:
    assert isinstance(right, Range)
    texts = (unit.text[c.start : c.end] if isinstance(c, Range) else c.text for c in (left, right))  # type: ignore[attr-defined]
    return Text(f" {operator} ".join(f"({text})" for text in texts), right.start)


def category_of(kind: CxxType) -> str:
    """The category of variables of a type for ``defaultmap``."""
    return kind.kind if kind.kind in ("scalar", "pointer") else "aggregate"


class Program:
    """The constructs in a function (see :class:`~rex_build.openmp.program.Program`)."""

    def __init__(self, unit: Unit, function: Function) -> None:
        self._unit, self._function = unit, function

    # -- constructs -------------------------------------------------------------------------------------------------

    def inner(self, construct: Construct) -> Construct | None:
        """The construct that is the whole statement of another one, perhaps in braces."""
        text, at = self._unit.text, construct.body_start
        end = construct.end
        while text[at] == "{":
            end = closing(text, at) - 1
            at += 1
            while text[at].isspace():
                at += 1
        inner = next((c for c in self._unit.constructs if c.start == at), None)
        if inner is None or inner.directive.association not in ("block", "loop"):
            return None
        after = inner.end
        while text[after : after + 1].isspace():
            after += 1
        return inner if after >= end else None

    def chain(self, construct: Construct) -> tuple[Sequence[Construct], Sharing]:
        chain, _ = chain_of(self, construct)
        return chain, self.sharing_of_chain(chain)

    def sharing_of_chain(self, chain: Sequence[Construct]) -> Sharing:
        """The private copies of constructs that are directly nested, taken together."""
        sharing = combined([sharing_of(self, part) for part in chain])
        reduced = (r.symbol for r in sharing.reductions if not r.is_section)
        for variable in (*sharing.private, *sharing.firstprivate, *sharing.lastprivate, *reduced):
            if variable.type.kind == "array" and not variable.type.has_lengths:
                span = chain[0].directive.span
                raise error_at(span, f"the length of '{variable.name}' is not constant: no private copy")
        return sharing

    def sharing(self, construct: Construct) -> Sharing:
        """Which variables get copies. Of reductions, only the variable is known."""
        check_named(self._unit, self._function, construct)
        return sharing_of(self, construct, typed=False)

    def body(self, construct: Construct) -> Range | None:
        return construct.body if construct.body_start < construct.end else None

    def sections(self, construct: Construct) -> tuple[Code, ...]:
        text, all_inside = self._unit.text, self._unit.constructs_in(construct.body_start + 1, construct.end)
        inside = [c for c in all_inside if c.directive.name == "section"]
        parts: list[Range] = []
        at = next_token(text, construct.body_start + 1)
        first = inside[0].start if inside else construct.end
        if at < first and text[at] != "}":
            parts.append(Range(at, statement_end(text, at)))
        return (*parts, *(c.body for c in inside))

    def nest(self, chain: Sequence[Construct], sharing: Sharing) -> LoopNest:
        depth = collapse_of(self._unit, *chain)
        return canonical_nest(self._unit, self._function, chain[-1], depth, sharing.private)

    def atomic(self, construct: Construct) -> Atomic:
        return atomic_operation(self._unit, construct)

    def named(self, code: Code) -> Entity | None:
        assert isinstance(code, Range)
        function = self._unit.function_at(code.start)
        found = function.mentions.references if function is not None else ()
        return next((r.variable for r in found if (r.start, r.end) == (code.start, code.end)), None)

    def check_allowed(self, construct: Construct) -> None:
        refuse_unsupported(construct.directive, cxx=True)

    def observes_place(self, code: Code) -> bool:
        assert isinstance(code, Range)
        return calls_of(self._unit).asked((self._function, code.start, code.end)).observes_place

    # -- variables --------------------------------------------------------------------------------------------------

    def used(self, construct: Construct, *, clauses: bool = True) -> Collection[Variable]:
        start = construct.start if clauses else construct.body_start
        mentioned = self._function.references(start, construct.end)
        found = [r.variable for r in sorted(mentioned, key=lambda r: (r.start, r.variable.name))]
        inside = self._unit.constructs_in(start, construct.end)
        names = sorted({name for c in inside for _, name in identifiers_in(c.directive.text)})
        found += [v for name in names if (v := self._named(name, construct)) is not None]
        return [v for v in dict.fromkeys(found) if not construct.start <= v.start < construct.end]

    def _named(self, name: str, construct: Construct) -> Variable | None:
        return self._unit.lookup(self._function, name, construct.start)

    def variable(self, construct: Construct, item: Locator) -> Variable:
        return ListReader(self._unit, self._function, construct.start).named(item)

    def found(self, construct: Construct, name: str) -> Variable | None:
        return self._named(name, construct)

    def changed(self, construct: Construct) -> Collection[Entity]:
        return frozenset(v for v in self.changes(construct).variables if not v.type.const)

    def changes(self, construct: Construct) -> Changed:
        """What a construct's statement changes, in any instantiation."""
        return changed_by(one.body for one in reader_of(self._unit).region(construct) if one.body is not None)

    def is_const(self, variable: Entity) -> bool:
        kind = variable.type.innermost
        return bool(kind.const) and kind.kind != "record"  # of which members may be mutable

    def is_lasting(self, variable: Entity) -> bool:
        assert isinstance(variable, Variable)
        cursor = variable.cursor
        is_static = cursor is not None and cursor.storage_class.name in ("STATIC", "EXTERN")
        return not variable.is_local or variable.constant or is_static

    def is_pointer(self, variable: Entity) -> bool:
        return bool(variable.type.kind == "pointer")

    def is_variable_length(self, variable: Entity) -> bool:
        return isinstance(variable, Variable) and variable.is_variable_length

    def counted(self, construct: Construct) -> Collection[Entity]:
        inside = self._unit.constructs_in(construct.start, construct.end)
        loops = [c for c in inside if not LOOP_LEAVES.isdisjoint(c.directive.constructs)]
        nests = (canonical_nest(self._unit, self._function, c, collapse_of(self._unit, c)) for c in loops)
        return {level.symbol for nest in nests for level in nest.levels if not level.declared}

    def declares(self, construct: Construct, variable: Entity) -> bool:
        return isinstance(variable, Variable) and construct.body_start <= variable.start < construct.end

    def is_passed_by_value(self, construct: Construct, variable: Entity) -> bool:
        clauses, category = construct.directive.clauses, category_of(variable.type)
        return variable not in self._unit.on_device and is_copied(clauses, category)

    def is_on_device(self, variable: Entity, around: Sequence[Construct]) -> bool:
        if not around or not around[0].directive.is_target:
            return not self.is_lasting(variable) or variable in self._unit.on_device
        return any(r.variable is variable for r in self._function.references(around[0].body_start, around[0].end))

    # -- code -------------------------------------------------------------------------------------------------------

    def code(self, construct: Construct, expr: Expr) -> Text:
        return Text(expr.text, construct.start)

    def reduction(self, construct: Construct, clause: ReductionClause, item: Locator) -> Reduction:
        return reduction_of(Reduced(self._unit, self._function, construct.start), clause, item)


class Reduced(ListReader):
    """The items of the reduction clauses at a place (see :class:`~rex_build.openmp.reductions.Reduced`)."""

    has_arrays_of_run = False

    def begin(self, locator: Locator) -> tuple[Variable, types.Type, tuple[Step, ...]]:
        self.named(locator)  # not a member
        variable, kind, steps = super().begin(locator)
        is_array = isinstance(kind, types.Unknown) and variable.type.kind == "array"
        return variable, _array(variable.type) if is_array else kind, steps  # as all instantiations have it

    def declared(self, clause: ReductionClause, variable: Entity, *, of_elements: bool) -> Declared | None:
        assert isinstance(variable, Variable)
        unit, function, kind = self.unit, self.function, variable.type
        combined = kind.element.innermost if of_elements and kind.element is not None else kind.innermost
        found = reduction_for(unit, function, clause.operator, combined, self.place)
        if found is None and function.is_template and unit.user_reductions:
            builtin = OPERATORS.get(clause.operator, "")
            found = reduction_in_instances(
                unit, function, clause.operator, variable, of_elements, self.place, builtin
            )  # fmt: skip
        return Declared(*found.functions, found.reads_original) if found is not None else None

    def combined(self, variable: Entity, *, of_elements: bool) -> tuple[CxxType, CxxType, str]:
        """Of a template that nothing instantiates, the type of an element is not known."""
        kind: CxxType = variable.type
        row = kind.element if kind.element is not None and (of_elements or kind.kind == "array") else kind
        return row.innermost.value, row.value, kind.text

    def code(self, expr: Expr) -> Code:
        return Text(expr.text, self.place)

    def length(self, variable: Entity) -> Code:
        value = variable.type.innermost.value.text
        return Text(f"(sizeof({variable.name}) / sizeof({value}))", self.place)


def _array(kind: CxxType) -> types.Type:
    """The array of a template whose elements are not known, but whose lengths may be."""
    if kind.kind != "array" or kind.element is None:
        return types.Unknown(kind.text)
    return types.Array(_array(kind.element), kind.length or (LENGTH_OF_TEMPLATE if kind.extent else None))
