"""Private copies and reductions that the clauses of constructs ask for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..base.records import replace
from ..directives.model import Clause, Directive, Index, KeywordClause, ListClause, Locator, ReductionClause, Section
from ..openmp.chains import combined
from ..plan.host_expression import ZERO, Binary, HostExpression, Number, SizeOf
from ..plan.host_expression import Index as HostIndex
from ..plan.host_expression import Variable as HostVariable
from ..plan.sharing import Reduction, Sharing, reads_original_problem
from .code import Construct, CxxType, Text, Variable
from .functions import Function
from .mapping import ListReader
from .unit import Unit
from .user_reductions import reduction_for, reduction_in_instances

_VOLATILE = regex(r"\bvolatile\s+")
OPERATORS = {
    "+": "rex_add", "-": "rex_add", "*": "rex_mul", "&": "rex_band", "|": "rex_bor", "^": "rex_bxor",
    "&&": "rex_land", "||": "rex_lor", "min": "rex_min", "max": "rex_max",
}  # fmt: skip


def listed(reader: ListReader, clauses: Iterable[Clause], name: str) -> list[Variable]:
    """The variables that clauses of a kind list."""
    found: list[Variable] = []
    for clause in clauses:
        if isinstance(clause, ListClause) and clause.name == name:
            for item in clause.items:
                if item.steps:
                    raise error_at(item.span, f"'{item.text}' in '{name}' is not a variable")
                found.append(reader.named(item))
    return list(dict.fromkeys(found))


def sharing_of(unit: Unit, function: Function, construct: Construct) -> Sharing:
    """The private copies that a construct's own clauses ask for."""
    reader = ListReader(unit, function, construct.start)
    clauses = construct.directive.clauses
    for clause in clauses:
        if isinstance(clause, ListClause) and clause.name == "allocate" and clause.modifiers:
            raise error_at(clause.span, "'allocate' with a modifier is not supported in C++")
    reductions = [reduction(reader, clause, item) for clause, item in _reduced(construct.directive)]
    named = named_copies(unit, function, construct)
    for variable in (*named.private, *named.firstprivate, *named.returned):
        assert isinstance(variable, Variable)
        if variable.type.kind == "array" and not variable.type.has_lengths:
            span = construct.directive.span
            raise error_at(span, f"the length of '{variable.name}' is not constant: no private copy")
    return replace(named, reductions=tuple({r.symbol: r for r in reductions}.values()))


def sharing_of_chain(unit: Unit, function: Function, chain: Sequence[Construct]) -> Sharing:
    """The private copies of constructs that are directly nested, taken together."""
    return combined([sharing_of(unit, function, part) for part in chain])


def named_copies(unit: Unit, function: Function, construct: Construct) -> Sharing:
    """The variables that get private copies. Nothing is known of the reductions but the variables."""
    reader = ListReader(unit, function, construct.start)
    clauses = construct.directive.clauses
    private, first, last = (listed(reader, clauses, n) for n in ("private", "firstprivate", "lastprivate"))
    linear: dict[Variable, Text | None] = {}
    for clause in clauses:
        if isinstance(clause, ListClause) and clause.name == "linear":
            step = Text(clause.step.text, reader.place) if clause.step is not None else None
            linear.update(dict.fromkeys(listed(reader, [clause], "linear"), step))
    reduced = dict.fromkeys(reader.named(item) for _, item in _reduced(construct.directive))
    attribute, implicit = _by_default(unit, function, construct, {*private, *first, *last, *linear, *reduced})
    (private if attribute == "private" else first).extend(implicit)
    return Sharing(
        private=tuple(v for v in private if v not in last and v not in reduced),
        firstprivate=tuple(first),
        lastprivate=tuple(last),
        reductions=tuple(Reduction(v, "", v.type, v.type) for v in reduced),
        linear=tuple(linear.items()),
    )


def _reduced(directive: Directive) -> Iterator[tuple[ReductionClause, Locator]]:
    """The reductions of a construct. A target construct maps what the task around it reduces."""
    names = ("reduction",) if directive.is_target else ("reduction", "in_reduction")
    for clause in directive.clauses:
        if isinstance(clause, ReductionClause) and clause.name in names:
            yield from ((clause, item) for item in clause.items)


def _by_default(
    unit: Unit, function: Function, part: Construct, listed_ones: Collection[Variable]
) -> tuple[str, list[Variable]]:
    """What ``default`` says of variables that are in no clause, and these variables (OpenMP 5.2, section 5.4.1)."""
    default = part.directive.clause("default")
    if not isinstance(default, KeywordClause) or default.value not in ("private", "firstprivate"):
        return "", []
    if {"parallel", "teams"}.isdisjoint(part.directive.constructs):
        return "", []
    shared = listed(ListReader(unit, function, part.start), part.directive.clauses, "shared")
    used = [r.variable for r in function.mentions.references if part.body_start <= r.start < part.end]
    found = [
        v
        for v in dict.fromkeys(used)
        if v.is_local and not v.constant and v not in listed_ones and v not in shared
        and not part.start <= v.start < part.end
    ]  # fmt: skip
    return default.value, found


def reduction(reader: ListReader, clause: ReductionClause, item: Locator) -> Reduction:
    """A reduction's item. Raises InputError for what is not supported."""
    variable = reader.named(item)
    kind = variable.type
    combined = kind.element if item.steps and kind.element is not None else kind.innermost
    declared = reduction_for(reader.unit, reader.function, clause.operator, combined, reader.place)
    operator, functions = OPERATORS.get(clause.operator), None
    if declared is None and reader.function.is_template and reader.unit.user_reductions:
        declared = reduction_in_instances(
            reader.unit, reader.function, clause.operator, variable, bool(item.steps), reader.place, operator or ""
        )
    if declared is not None:
        operator, functions = "", declared.functions
    reads_original = declared is not None and declared.reads_original
    if operator is None:
        what = f"there is no reduction '{clause.operator}' for '{combined.text}'"
        raise error_at(clause.span, what)
    if not item.steps:
        inner = kind.innermost
        count = kind.elements if kind.kind == "array" else 0
        reducible = inner.kind in ("scalar", "dependent") or functions is not None
        depends = kind.kind == "array" and not count  # on a template's parameters
        is_row = kind.element is not None and kind.element.kind != "array"
        if not reducible or (depends and not (kind.has_lengths and is_row)):
            raise error_at(item.span, f"a reduction over '{item.text}', a '{kind.text}', is not supported in C++")
        value, whole = _value(inner), SizeOf(HostVariable(variable.host)) if reads_original else None
        whole_length = Text(f"(sizeof({variable.name}) / sizeof({value.text}))", reader.place) if depends else None
        return Reduction(
            variable, operator, value, value, functions=functions, count=1 if depends else count, length=whole_length,
            own_size=whole,
        )  # fmt: skip
    step = item.steps[0]
    if isinstance(step, Index):  # one element
        step = Section(step.expr, replace(step.expr, text="1"), None)
    element = kind if kind.kind == "dependent" else kind.element  # of a template that nothing instantiates
    if len(item.steps) > 1 or not isinstance(step, Section) or element is None:
        raise error_at(item.span, f"a reduction over '{item.text}' is not supported in C++")
    length = step.length.text if step.length is not None else str(kind.length) if kind.kind == "array" else ""
    if not length:
        raise error_at(item.span, f"'{item.text}': the length of the section is missing")
    value, row = _value(element.innermost), element.elements
    first = step.lower.text if step.lower is not None else "0"
    constant = re.fullmatch(r"\d+", length)
    problem = reads_original_problem(clause, not constant) if reads_original else ""
    if problem:
        raise error_at(item.span, f"{problem}, over '{item.text}', is not supported in C++")
    own_size: HostExpression | None = None
    if reads_original:
        own_size = Binary("*", Number(int(length)), SizeOf(HostIndex(HostVariable(variable.host), ZERO)))
    return Reduction(
        variable,
        operator,
        value,
        _value(element),
        row_length=row,
        functions=functions,
        count=int(length) * row if constant else row,
        section=Text(first, reader.place) if first != "0" else None,
        is_section=True,
        length=None if constant else Text(length, reader.place),
        is_shifted=first != "0",
        own_size=own_size,
    )


def _value(kind: CxxType) -> CxxType:
    return CxxType(_VOLATILE.sub("", kind.text), kind.kind, kind.size, False, kind.element, kind.length)
