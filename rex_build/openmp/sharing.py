"""The data-sharing attributes that clauses of constructs give to variables (OpenMP 5.2, section 5.4)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping

from ..base.diagnostics import error_at
from ..base.records import replace
from ..directives.arguments import check_alignment
from ..directives.model import Clause, DefaultmapClause, Directive, KeywordClause, ListClause, Locator, ReductionClause
from ..plan.constructs import Code, Entity, Reduction, Sharing
from .program import D, Lists


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
                reductions[reduction.symbol] = reduction
    named = {*found["private"], *found["firstprivate"], *found["lastprivate"], *linear, *reductions}
    attribute, implicit = _by_default(lists, construct, named)
    found["private" if attribute == "private" else "firstprivate"].update(dict.fromkeys(implicit))
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
