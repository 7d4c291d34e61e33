"""The data-sharing attributes that clauses of constructs give to variables."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...base.records import replace
from ...directives.arguments import check_alignment
from ...directives.model import Clause, KeywordClause, ListClause, Locator, ReductionClause
from ...plan.code import Entity
from ...plan.sharing import Reduction, Sharing
from ..sema import Sema, Symbol, free_variables
from ..sema.ctype import Array
from ..syntax.nodes import OmpConstruct
from .listed import COPYING, named_symbol
from .reductions import reduction_of


def sharing_of(sema: Sema, construct: OmpConstruct, *, with_reductions: bool = True) -> Sharing:
    """The private copies that a construct's clauses ask for.

    Without ``with_reductions``, reductions are left out, and those that devices do not have are not refused.
    """
    found: dict[str, dict[Symbol, None]] = {"private": {}, "firstprivate": {}, "lastprivate": {}}
    reductions: dict[Entity, Reduction] = {}
    linear: dict[Symbol, c_ast.Node | None] = {}
    alignments: dict[Symbol, str] = {}
    for clause in construct.directive.clauses:
        if isinstance(clause, ListClause) and clause.name == "linear":
            step = clause.step.node if clause.step is not None else None
            linear.update(dict.fromkeys(_whole_variables(sema, construct, clause), step))
        elif isinstance(clause, ListClause) and clause.name in found:
            found[clause.name].update(dict.fromkeys(_whole_variables(sema, construct, clause)))
        elif isinstance(clause, ListClause) and clause.name == "allocate":
            aligned = [m.removeprefix("align(")[:-1] for m in clause.modifiers if m.startswith("align(")]
            for text in aligned:
                check_alignment(text, clause.span)
            alignments.update({named_symbol(sema, construct, i): a for a in aligned for i in clause.items})
        elif isinstance(clause, ReductionClause) and clause.name in ("reduction", "in_reduction"):
            for item in clause.items if with_reductions else ():
                reduction = reduction_of(sema, construct, clause, item)
                if not item.steps:
                    _check_not_const(named_symbol(sema, construct, item), item, clause)
                reductions[reduction.symbol] = reduction
    attribute, implicit = _by_default(sema, construct)
    found["private" if attribute == "private" else "firstprivate"].update(dict.fromkeys(implicit))
    return Sharing(
        tuple(s for s in found["private"] if s not in found["lastprivate"] and s not in reductions),
        tuple(found["firstprivate"]),
        tuple(found["lastprivate"]),
        tuple(reductions.values()),
        tuple(linear.items()),
        tuple(alignments.items()),
    )


def _whole_variables(sema: Sema, construct: OmpConstruct, clause: ListClause) -> Iterator[Symbol]:
    for item in clause.items:
        if item.steps:
            raise error_at(item.span, f"'{clause.name}' takes variables, not parts of them")
        symbol = named_symbol(sema, construct, item)
        if clause.name != "firstprivate":
            _check_not_const(symbol, item, clause)
        yield symbol


def _check_not_const(symbol: Symbol, item: Locator, clause: Clause) -> None:
    """Refuse copies that nothing can be written to (OpenMP 5.2, section 5.4.3)."""
    t = symbol.type
    while isinstance(t, Array):
        t = t.of
    if "const" in t.quals:
        raise error_at(item.span, f"'{item.name}' is const, and cannot be in a '{clause.name}' clause")


def _by_default(sema: Sema, construct: OmpConstruct) -> tuple[str, list[Symbol]]:
    """The attribute of variables that are in no clause, and the variables that get copies because of it.

    This is for ``default`` on a parallel or teams construct (OpenMP 5.2, section 5.4.1). A map clause does not count,
    as it says nothing about the threads inside.
    """
    directive = construct.directive
    default = directive.clause("default")
    attribute = default.value if isinstance(default, KeywordClause) else ""
    copies = attribute in ("private", "firstprivate") and {"parallel", "teams"}.intersection(directive.constructs)
    if not copies or construct.body is None:
        return attribute, []
    clauses = directive.all(*COPYING, "shared")
    listed = {i.name for c in clauses if isinstance(c, ListClause | ReductionClause) for i in c.items}
    used = [r.symbol for r in free_variables(sema, construct.body)]
    return attribute, [s for s in used if s.name not in listed and not s.is_global and not s.is_static]


def only_used(sema: Sema, sharing: Sharing, body: c_ast.Node) -> Sharing:
    """``sharing`` without copies of variables that ``body`` does not mention, which the kernel does not have."""
    used = {r.symbol for r in free_variables(sema, body)} | set(sharing.lastprivate)
    return replace(
        sharing,
        private=tuple(s for s in sharing.private if s in used),
        firstprivate=tuple(s for s in sharing.firstprivate if s in used),
    )

