"""What C++ programs, and their regions, say for the decisions of both languages."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, partial
from itertools import accumulate
from operator import attrgetter

from ..base.diagnostics import InputError, error_at
from ..base.records import replace
from ..c.source.tokens import closing, is_decimal, next_part, next_token, statement_end
from ..directives.contents import directive_locators
from ..directives.model import GONE, Directive, Expr, HostForm, Locator, MapClause, ReductionClause, Step
from ..directives.parser import refuse_unsupported
from ..openmp.atomics import Written, atomic_of
from ..openmp.host_version import HostRegion
from ..openmp.list_items import LENGTH_OF_TEMPLATE
from ..openmp.older_spellings import bound_loop, spread_loop
from ..openmp.program import chain_of, combined
from ..openmp.queries import Asked
from ..openmp.reductions import OPERATORS, Declared, is_copied, reduction_of, sharing_of
from ..optimise.changes import Changed, changed_by
from ..plan.constructs import Atomic, Code, Entity, LoopNest, Reduction, Sharing
from ..plan.host_expression import HostExpression
from ..plan.unit import HostCopy, PlacedForm
from ..tree import nodes as tree
from ..tree import types
from . import libclang
from .call_graph import calls_of
from .functions import Function, Reference
from .host_directives import around, form_of, placed
from .list_items import ListReader, check_named
from .loops import canonical_nest, collapse_of
from .reached import Part
from .reading.reader import reader_of
from .templates import Instance, Surroundings
from .text_constructs import Construct, CxxType, Range, Text, Variable, names_in
from .unit import Unit
from .user_reductions import reduction_for, reduction_in_instances

_START = attrgetter("start")


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
            at = next_part(text, at + 1)
        inner = next((c for c in self._unit.constructs if c.start == at), None)
        if inner is None or inner.directive.association not in ("block", "loop"):
            return None
        return inner if next_part(text, inner.end) >= end else None

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
        names = sorted({name for c in inside for name in names_in(c.directive)})
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
        return changed_by(one.body for one in self.trees(construct) if one.body is not None)

    def is_const(self, variable: Entity) -> bool:
        kind = variable.type.innermost
        return bool(kind.const) and kind.kind != "record"  # of which members may be mutable

    def is_lasting(self, variable: Entity) -> bool:
        assert isinstance(variable, Variable)
        cursor = variable.cursor
        is_static = cursor is not None and cursor.storage_class.name in ("STATIC", "EXTERN")
        return not variable.is_local or variable.constant or is_static

    def alignment(self, variable: Entity) -> str:
        assert isinstance(variable, Variable)
        text, asked = self._unit.text, ["0"]
        for child in libclang.children(variable.cursor) if variable.cursor is not None else ():
            if child.kind == self._unit.kinds.ALIGNED_ATTR:
                start = self._unit.extent(child)[0]
                opening = text.find("(", start)
                asked.append(text[opening + 1 : closing(text, opening) - 1].strip())
        values = [int(value) for value in asked if is_decimal(value)]  # others are not known here
        return str(max(values) or "")

    def is_pointer(self, variable: Entity) -> bool:
        return bool(variable.type.kind == "pointer")

    def is_variable_length(self, variable: Entity) -> bool:
        return isinstance(variable, Variable) and variable.is_variable_length

    def trees(self, construct: Construct) -> Sequence[tree.Construct]:
        return reader_of(self._unit).region(construct)

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
        return Text(expr.text, construct.start, tuple(reader_of(self._unit).values(expr)))

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


def bind_loops(unit: Unit) -> None:
    """Make ``loop`` constructs of a unit the worksharing that their binding regions give them."""
    for number, construct in enumerate(unit.constructs):
        directive, outer = construct.directive, around(unit, construct)
        if "loop" not in directive.constructs:
            continue
        function = unit.function_at(construct.start)
        if outer and function is not None and outer[-1].directive.constructs == ("target",):
            is_all = Program(unit, function).inner(outer[-1]) is construct
            directive = spread_loop(directive) if is_all else directive
        if "loop" in directive.constructs:
            directive = bound_loop(directive, tuple(leaf for c in outer for leaf in c.directive.constructs))
        unit.constructs[number] = replace(construct, directive=directive, written=construct.directive)
        unit.answers.clear()  # such as trees with the former directive


class RegionFacts(HostRegion[Construct]):
    """A region of C++, and what stands around it.

    ``around`` is there if the function is a member or a template, and ``instances`` are the template's.
    """

    def __init__(self, unit: Unit, construct: Construct, function: Function) -> None:
        self.unit = unit
        self.function = function
        program = Program(unit, function)
        chain, _ = chain_of(program, construct)
        body = chain[-1].body
        inside = [c for c in unit.constructs_in(body.start, body.end) if c.end <= body.end]
        super().__init__(program, chain, body, inside)
        self._all = [*chain, *inside]
        self.text = unit.text[self.body.start : self.body.end]
        # It may ask for the type of an expression, which other names would change.
        self.asks_type = any(word in self.text for word in ("decltype", "typeof", "typeid"))
        self.reader = ListReader(unit, function, construct.start)
        self.span = construct.directive.span
        self.around: Surroundings | None = None
        self.instances: list[Instance] = []
        if function.is_member or function.is_template or function.cursor.canonical.hash in unit.friends:
            self.around = Surroundings(unit, function)
            if self.around.is_template:
                self.instances = self.around.instances(construct.body_start, construct.end)
                listed = {name for part in (*self.chain, *self.inside) for name in names_in(part.directive)}
                found = [unit.lookup(function, name, construct.start) for name in sorted(listed)]
                mentioned = [*(r.variable for r in function.mentions.references), *(v for v in found if v is not None)]
                start, end = construct.body_start, construct.end
                outer = {r.variable for r in function.references(start, end)}
                outer = {variable for variable in outer if not start <= variable.start < end}
                whole = {i.name for c in self.clauses if isinstance(c, MapClause) for i in c.items if not i.steps}
                needed = {*outer, *found}
                for variable in dict.fromkeys(mentioned):
                    mixed = "record" if variable.name in whole or variable in outer else "other"
                    try:
                        variable.type = self.around.resolved(variable, self.instances, mixed=mixed)
                    except InputError:
                        if variable in needed:
                            raise  # of the other variables, only the C++ compiler has to know the type

    @cached_property
    def changed(self) -> frozenset[Entity]:
        """The variables that the region may change."""
        return frozenset(self.program.changed(self.chain[-1]))

    @cached_property
    def addressed(self) -> frozenset[Entity]:
        """Those whose addresses it takes, also by references."""
        return Program(self.unit, self.function).changes(self.chain[-1]).addressed & self.changed

    @cached_property
    def trees(self) -> tuple[tree.Construct, ...]:
        """The region as trees, one for each instantiation."""
        return reader_of(self.unit).region(self.construct)

    @cached_property
    def bodies(self) -> Sequence[tree.Body]:
        """The function around it, one for each instantiation."""
        reader = reader_of(self.unit)
        found = (reader.body(reader.function(cursor)) for cursor in reader.definitions(self.function))
        return [body for body in found if body is not None]

    def constant(self, expr: Expr) -> int | None:
        """The value of a clause's expression, if it is a constant integer."""
        return reader_of(self.unit).constant(expr)

    def most_of(self, expr: Expr) -> int | None:
        """The largest value of a clause's expression in the instantiations, if it is a constant in each."""
        return max(reader_of(self.unit).constants(expr), default=None)

    def value_of(self, expr: Expr) -> HostExpression:
        """The host's value of a clause's expression."""
        return self.reader.value(expr)

    # -- its host version -------------------------------------------------------------------------------------------

    @cached_property
    def outer(self) -> Mapping[Construct, Sequence[Construct]]:
        return {c: [o for o in self._all if o.start < c.start and c.end <= o.end] for c in self._all}

    @cached_property
    def forms(self) -> Mapping[int, HostForm]:
        unit = self.unit
        forms = ((c.start, GONE if c.directive.name == "allocate" else form_of(unit, c)) for c in self._all)
        return {start: form for start, form in forms if form is not None}

    @cached_property
    def asks(self) -> Asked:
        return calls_of(self.unit).asked(self.part)

    @property
    def part(self) -> Part:
        return self.function, self.body.start, self.body.end

    @property
    def shares(self) -> bool:
        reached = calls_of(self.unit).constructs_reached(self.part)
        shared = (c for c in reached if "distribute" in c.directive.constructs)
        return self.asks.elsewhere or any(shared)

    def written(self, construct: Construct) -> HostForm:
        return HostForm(construct.directive)

    def placed(self, start: int, form: HostForm) -> PlacedForm:
        return placed(next(c for c in self._all if c.start == start), form)

    def value(self, expr: Expr) -> HostExpression:
        return self.value_of(expr)

    def fresh(self, name: str) -> str:
        return self.unit.generated.fresh(name)

    def on_host(self, construct: Construct) -> Directive:
        form = self.forms.get(construct.start)
        return form.directive if form is not None and form.directive is not None else construct.directive

    def outside_teams(self, makes_team: Callable[[Construct], bool]) -> tuple[Sequence[Construct], Collection[str]]:
        teams, calls = [c for c in self._all if makes_team(c)], calls_of(self.unit)
        outside: list[Part] = []
        at = self.chain[0].body_start
        for team in teams:
            outside.append((self.function, at, max(at, team.start)))
            at = max(at, team.end)
        outside.append((self.function, at, self.chain[0].end))
        others = calls.constructs_reached(*outside)
        inner = sorted((*teams, *filter(makes_team, others)), key=_START)
        ends = [0, *accumulate((team.end for team in inner), max)]  # by how many teams begin in front of a place
        constructs = [c for c in (*self._all, *others) if ends[bisect_left(inner, c.start, key=_START)] <= c.start]
        return constructs, calls.asked(*outside).functions

    def check_copied(self, variables: Collection[Entity]) -> None:
        """Raise InputError if a construct in the region lists a variable by another name than that of its copy."""
        for construct in self.inside:
            for item in directive_locators(construct.directive):
                if "::" in item.name and self.unit.lookup(self.function, item.name, construct.start) in variables:
                    what = f"the region has its own copy of '{item.name}': name it in a clause of the target construct"
                    raise error_at(item.span, what)

    def copy(self, variable: Entity, initialised: bool) -> HostCopy:
        assert isinstance(variable, Variable)
        is_qualified = any(r.variable is variable and r.qualifier for r in self.references)
        original = variable.host if is_qualified else ""
        return HostCopy(variable.name, initialised, variable.type.kind == "array", original=original)

    @property
    def references(self) -> list[Reference]:
        """The mentions of variables in the region."""
        return self.function.references(self.body.start, self.body.end)
