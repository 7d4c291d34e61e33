"""The data-sharing attributes that clauses of constructs give to variables (OpenMP 5.2, section 5.4), and what
reduction clauses combine: which operators for which types, and which part of an array."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from ..base.diagnostics import InputError, error_at
from ..base.records import dataclass, replace
from ..directives.arguments import DirectiveText, Stretch, check_alignment
from ..directives.model import (
    Clause,
    DefaultmapClause,
    Directive,
    Expr,
    Index,
    KeywordClause,
    ListClause,
    Locator,
    ReductionClause,
    Section,
    Step,
    TextClause,
)
from ..plan.constructs import Code, Entity, Reduction, Sharing, Type, reads_original_problem
from ..plan.host_expression import ZERO, Binary, HostExpression, Number, SizeOf
from ..plan.host_expression import Index as HostIndex
from ..tree import types
from .list_items import LENGTH_OF_TEMPLATE, ListItems
from .program import D, Lists

RULE = "OpenMP 5.2, section 5.5.8: reduction clause"
OPERATORS = {
    "+": "rex_add", "-": "rex_add", "*": "rex_mul", "&": "rex_band", "|": "rex_bor", "^": "rex_bxor",
    "&&": "rex_land", "||": "rex_lor", "min": "rex_min", "max": "rex_max",
}  # fmt: skip
_OF_BITS, _OF_COMPLEX = ("&", "|", "^"), ("+", "-", "*", "&&", "||")
_DOUBLE = 53  # bits of the widest significand that devices have
SECTION = "OpenMP 5.2, section 5.5.11: declare reduction directive"


def listed(lists: Lists[D], construct: D, name: str) -> tuple[Entity, ...]:
    """The variables in a construct's clauses of one name."""
    clauses = (c for c in construct.directive.all(name) if isinstance(c, ListClause | ReductionClause))
    return tuple(lists.variable(construct, item) for clause in clauses for item in clause.items)


def sharing_of(lists: Lists[D], construct: D, *, typed: bool = True) -> Sharing:
    """The private copies that a construct's clauses ask for.

    If it is not ``typed``, of reductions only the variables are known, and those that devices do not have are not
    refused.
    """
    found: dict[str, dict[Entity, None]] = {"private": {}, "firstprivate": {}, "lastprivate": {}}
    reductions: dict[Entity, Reduction] = {}
    linear: dict[Entity, Code | None] = {}
    alignments: dict[Entity, str] = {}
    for clause in construct.directive.clauses:
        if isinstance(clause, ListClause) and clause.name == "linear":
            step = lists.code(construct, clause.step) if clause.step is not None else None
            linear.update(dict.fromkeys(_whole_variables(lists, construct, clause), step))
        elif isinstance(clause, ListClause) and clause.name in found:
            found[clause.name].update(dict.fromkeys(_whole_variables(lists, construct, clause)))
            _check_not_both(construct.directive, found, clause)
        elif isinstance(clause, ListClause) and clause.name == "allocate":
            aligned = [m.removeprefix("align(")[:-1] for m in clause.modifiers if m.startswith("align(")]
            for text in aligned:
                check_alignment(text, clause.span)
            alignments.update({lists.variable(construct, i): a for a in aligned for i in clause.items})
        elif isinstance(clause, ReductionClause) and clause.name in ("reduction", "in_reduction"):
            for item in clause.items:
                reduction = _reduction(lists, construct, clause, item, typed)
                if typed and reduction.symbol in reductions:
                    raise _second_part(item)
                reductions[reduction.symbol] = reduction
    named = {*found["private"], *found["firstprivate"], *found["lastprivate"], *linear, *reductions}
    attribute, implicit = _by_default(lists, construct, named)
    found["private" if attribute == "private" else "firstprivate"].update(dict.fromkeys(implicit))
    for variable in {**found["private"], **found["firstprivate"], **found["lastprivate"], **linear}:
        if asked := lists.alignment(variable):  # copies have what gcc and clang give them
            given = alignments.get(variable, asked)
            alignments[variable] = asked if given == asked else f"({asked}) > ({given}) ? ({asked}) : ({given})"
    return Sharing(
        tuple(s for s in found["private"] if s not in found["lastprivate"] and s not in reductions),
        tuple(found["firstprivate"]),
        tuple(found["lastprivate"]),
        tuple(reductions.values()),
        tuple(linear.items()),
        tuple(alignments.items()),
    )


def _reduction(lists: Lists[D], construct: D, clause: ReductionClause, item: Locator, typed: bool) -> Reduction:
    if not typed:
        variable = lists.variable(construct, item)
        return Reduction(variable, "", variable.type, variable.type)
    found = lists.reduction(construct, clause, item)
    if not item.steps:
        _check_not_const(lists, found.symbol, item, clause)
    return found


def _second_part(item: Locator) -> InputError:
    what = f"a second reduction of one directive over parts of '{item.name}', '{item.text}', is not supported"
    return error_at(item.span, what, f"reduce one section of '{item.name}', or a variable of its own for each part")


def _whole_variables(lists: Lists[D], construct: D, clause: ListClause) -> Iterator[Entity]:
    for item in clause.items:
        if item.steps:
            raise error_at(item.span, f"'{clause.name}' takes variables, not parts of them")
        variable = lists.variable(construct, item)
        if clause.name != "firstprivate":
            _check_not_const(lists, variable, item, clause)
        yield variable


def _check_not_const(lists: Lists[D], variable: Entity, item: Locator, clause: Clause) -> None:
    """Refuse copies that nothing can be written to (OpenMP 5.2, section 5.4.3)."""
    if lists.is_const(variable):
        raise error_at(item.span, f"'{item.name}' is const, and cannot be in a '{clause.name}' clause")


def _check_not_both(directive: Directive, found: Mapping[str, dict[Entity, None]], clause: ListClause) -> None:
    """Refuse a variable of which teams make copies, and which the last iteration of all of them changes."""
    both = found["firstprivate"].keys() & found["lastprivate"].keys() if "distribute" in directive.constructs else ()
    if both:
        name = next(iter(both)).name
        span = next((item.span for item in clause.items if item.name == name), clause.span)
        what = f"'{name}' cannot be in 'firstprivate' and 'lastprivate' of a construct with 'distribute'"
        raise error_at(span, what, "OpenMP 5.2, section 11.6: distribute construct, restrictions")


def _by_default(lists: Lists[D], construct: D, named: Container[Entity]) -> tuple[str, list[Entity]]:
    """The attribute of variables that are in no clause, and the variables that get copies because of it.

    This is for ``default`` on a parallel or teams construct (OpenMP 5.2, section 5.4.1). A map clause does not count,
    as it says nothing about the threads inside.
    """
    directive = construct.directive
    default = directive.clause("default")
    attribute = default.value if isinstance(default, KeywordClause) else ""
    if attribute not in ("private", "firstprivate") or {"parallel", "teams"}.isdisjoint(directive.constructs):
        return "", []
    shared = listed(lists, construct, "shared")
    used = lists.used(construct, clauses=False)
    return attribute, [s for s in used if s not in named and s not in shared and not lists.is_lasting(s)]


def only_used(lists: Lists[D], sharing: Sharing, construct: D) -> Sharing:
    """``sharing`` without copies of variables that a construct's statement does not mention, which the kernel does not
    have."""
    used = {*lists.used(construct, clauses=False), *sharing.lastprivate}
    return replace(
        sharing,
        private=tuple(s for s in sharing.private if s in used),
        firstprivate=tuple(s for s in sharing.firstprivate if s in used),
    )


def defaultmap_of(clauses: Iterable[Clause], category: str) -> str | None:
    """How variables of a category (``scalar``, ``pointer`` or ``aggregate``) are mapped, or None for the default."""
    for clause in clauses:
        if isinstance(clause, DefaultmapClause) and clause.category in (None, category, "all"):
            return None if clause.behavior == "default" else clause.behavior
    return None


def is_copied(clauses: Iterable[Clause], category: str) -> bool:
    """Whether a ``target`` construct has copies of variables of a category that no clause names."""
    behavior = defaultmap_of(clauses, category)
    return behavior == "firstprivate" or (behavior is None and category != "aggregate")


@dataclass(frozen=True)
class Part:
    """Neighbouring rows of an array, or of what a pointer leads to.

    They are ``count`` from ``first`` on, or as many as ``length`` says, if only the run knows. They may begin behind
    the first row of all if the part ``is_shifted``.
    """

    count: int
    first: Expr | None
    length: Expr | None
    is_shifted: bool


@dataclass(frozen=True)
class Declared:
    """The functions that a ``declare reduction`` gives for a type. The initialiser may read ``omp_orig``."""

    combine: Entity
    initialise: Entity
    reads_original: bool


class Reduced(ListItems, Protocol):
    """What a front end says of the items of reduction clauses."""

    has_arrays_of_run: bool  # whether arrays of variable length can be reduced

    def declared(self, clause: ReductionClause, variable: Entity, *, of_elements: bool) -> Declared | None:
        """The reduction that the program declares for a variable's type, or for that of its elements."""
        ...

    def combined(self, variable: Entity, *, of_elements: bool) -> tuple[Type, Type, str]:
        """(the type of what is combined, the type of a row of the variable's elements, the text of its type)"""
        ...

    def code(self, expr: Expr) -> Code: ...

    def length(self, variable: Entity) -> Code:
        """How many elements an array has, of which only the compiler knows it."""
        ...


def reduction_of(items: Reduced, clause: ReductionClause, item: Locator) -> Reduction:
    """What an item of a reduction clause combines, and how. Raises InputError for what is not supported."""
    variable, kind, _ = items.begin(item)
    part, row = part_of(items, item) if item.steps else None, _row(kind)
    declared = items.declared(clause, variable, of_elements=part is not None)
    combined, row_type, text = items.combined(variable, of_elements=part is not None)
    if declared is None:
        check_operator(clause, item, kind if part is None else row, text)
    length = items.code(part.length) if part is not None and part.length is not None else None
    whole, row_length = False, 1
    if part is not None:
        row_length = _elements(row, item)
        count = part.count * row_length
    elif not isinstance(kind, types.Array):
        count = 0
    elif kind.length is LENGTH_OF_TEMPLATE and not isinstance(kind.of, types.Array):
        count, length = 1, items.length(variable)
    elif types.is_of_run(kind):
        if not items.has_arrays_of_run:
            raise unsupported(item, ", an array of variable length,")
        count, whole = 1, True
    else:
        row_length, count = _elements(row, item), _elements(kind, item)
    own_size: HostExpression | None = None
    if declared is not None and declared.reads_original:
        problem = reads_original_problem(clause, whole or (part is not None and length is not None))
        if problem:
            raise error_at(item.span, f"{problem}, over '{item.text}', is not supported", RULE)
        named = items.variable(variable)
        own_size = SizeOf(named) if part is None else Binary("*", Number(part.count), SizeOf(HostIndex(named, ZERO)))
    return Reduction(
        variable,
        OPERATORS[clause.operator] if declared is None else "",
        combined,
        row_type,
        row_length,
        (declared.combine, declared.initialise) if declared is not None else None,
        count,
        items.code(part.first) if part is not None and part.first is not None and part.is_shifted else None,
        is_section=part is not None,
        length=length,
        whole=whole,
        own_size=own_size,
    )


def _row(kind: types.Type) -> types.Type:
    """The type of what an array has, or a pointer leads to."""
    return kind.of if isinstance(kind, types.Array) else kind.to if isinstance(kind, types.Pointer) else kind


def _elements(kind: types.Type, item: Locator) -> int:
    """How many innermost elements an array of arrays has; 1 for anything else."""
    count = 1
    while isinstance(kind, types.Array):
        if not isinstance(kind.length, int):
            raise unsupported(item, ", whose rows have no constant length,")
        count, kind = count * kind.length, kind.of
    return count


def part_of(items: ListItems, item: Locator) -> Part:
    """The rows that the item of a reduction clause takes. Raises InputError."""
    _, kind, (step, *inner) = items.begin(item)
    row = _row(kind)
    is_row = row is not kind or isinstance(kind, types.Unknown)
    if not is_row or not _are_whole_rows(items, inner, row):
        raise unsupported(item)
    if isinstance(step, Index):
        return Part(1, step.expr, None, _constant(items, step.expr) != 0)
    if not isinstance(step, Section) or step.stride is not None:
        raise unsupported(item)
    first = _constant(items, step.lower)
    if step.length is not None:
        count = _constant(items, step.length)
        if count is None:
            return Part(1, step.lower, step.length, first != 0)
    else:
        whole = kind.length if isinstance(kind, types.Array) else None
        count = whole - first if isinstance(whole, int) and first is not None else None
    if count is None or count < 1:
        raise unsupported(item, ", whose length is not known,")
    return Part(count, step.lower, None, first != 0)


def unsupported(item: Locator, what: str = "") -> InputError:
    return error_at(item.span, f"a reduction over '{item.text}'{what} is not supported", RULE)


def _constant(items: ListItems, expr: Expr | None) -> int | None:
    return items.value(expr).value if expr is not None else 0


def _are_whole_rows(items: ListItems, steps: Sequence[Step], row: types.Type) -> bool:
    """Whether the inner steps of a section take whole rows, so that the section is one contiguous piece."""
    for step in steps:
        if not isinstance(step, Section) or step.stride is not None or not isinstance(row, types.Array):
            return False
        ends = step.length is None or (isinstance(row.length, int) and _constant(items, step.length) == row.length)
        if _constant(items, step.lower) != 0 or not ends:
            return False
        row = row.of
    return True


def check_operator(clause: ReductionClause, item: Locator, kind: types.Type, text: str) -> None:
    """Raise InputError where an operator of the language combines no objects of a type, which ``text`` names.

    What the arguments of a template decide is not known.
    """
    if clause.operator not in OPERATORS:
        raise error_at(clause.span, *no_operator(clause.operator, text), RULE)
    match types.element_of(kind):
        case types.Floating(digits=digits) if digits > _DOUBLE:
            raise error_at(item.span, "a reduction over a long double is not supported: the device has none", RULE)
        case types.Floating() | types.Complex(of=types.Floating()) if clause.operator in _OF_BITS:
            raise error_at(item.span, f"'{clause.operator}' has no meaning for '{item.text}' of type '{text}'", RULE)
        case types.Integer() | types.Floating() | types.Unknown():
            return
        case types.Complex() if clause.operator in _OF_COMPLEX:
            return
    raise unsupported(item, f" of type '{text}'")


def no_operator(name: str, kind: str) -> tuple[str, str]:
    """What is wrong with a reduction clause that names no operator for a type, and what can stand there."""
    known = f"the operators are {', '.join(OPERATORS)}; 'declare reduction' declares others"
    return f"no reduction '{name}' is declared for '{kind}'", known


@dataclass(frozen=True)
class DeclaredReduction:
    identifier: str
    types: tuple[str, ...]
    combiner: str
    initialiser: str  # what is in the parentheses of the clause, or nothing

    @property
    def reads_original(self) -> bool:
        return re.search(r"\bomp_orig\b", self.initialiser) is not None

    def statements(self, kind: str, prefix: str, zero: str) -> tuple[str, str]:
        """(what combines two objects of a type, what initialises one). The pointers to them have the names of OpenMP's
        variables, with ``prefix`` in place of ``omp_``. An object that nothing initialises begins with ``zero``."""
        begin = self.begin(kind, f"{prefix}value", zero)
        begin += f" *{prefix}priv = {prefix}value;" if begin != f"{self.initialiser};" else ""
        names = r"\bomp_(out|in|priv|orig)\b"
        return re.sub(names, rf"(*{prefix}\1)", f"{self.combiner};"), re.sub(names, rf"(*{prefix}\1)", begin)

    def begin(self, kind: str, name: str, zero: str) -> str:
        """What declares an object and gives it its first value, or a call that gives ``omp_priv`` its own."""
        made = re.match(r"omp_priv\s*(=(?!=).*|[({].*)", self.initialiser, re.DOTALL)
        is_call = self.initialiser and made is None
        return f"{self.initialiser};" if is_call else f"{kind} {name} {made[1] if made else zero};"

    def types_of_cxx(self) -> Iterator[str]:
        """The types without the words of C that C++ leaves out."""
        for written in self.types:
            word, *more = written.split(None, 1)
            yield more[0] if more and word in ("struct", "class") else written


def declared_reduction(directive: Directive) -> DeclaredReduction:
    """What a directive declares. Raises InputError if it is malformed."""
    text, span = directive.argument_text or "", directive.span
    read = DirectiveText.read(text, lambda _low, _high: span, lambda written, _span: written, qualified=True)

    def written(part: Stretch) -> str:
        return text[part.tokens[0].start : part.tokens[-1].end]

    parts = read.stretch(0).split(":", 2)
    if len(parts) != 3 or not all(parts):
        raise error_at(span, "expected 'identifier : types : combiner' in 'declare reduction'", SECTION)
    types: list[str] = []
    for part in parts[1].split(","):
        is_inside = bool(types) and types[-1].count("<") > types[-1].count(">")  # an argument of a template
        types[-1:] = [f"{types[-1]}, {written(part)}"] if is_inside else [*types[-1:], written(part)]
    clause = directive.clause("initializer")
    said = clause.text if isinstance(clause, TextClause) else "()"
    initialiser = said[said.index("(") + 1 : said.rindex(")")].strip()
    return DeclaredReduction(written(parts[0]), tuple(types), written(parts[2]), initialiser)
