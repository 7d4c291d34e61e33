"""Directly nested constructs that together mean what one combined construct says."""

from __future__ import annotations

from pycparser import c_ast

from ..sema import Sema
from ..syntax.nodes import OmpConstruct, single_statement
from .sharing import sharing_of

_FOLLOWS = {
    "target": {"teams", "parallel", "simd", "loop"},
    "teams": {"distribute", "loop"},
    "parallel": {"for", "loop"},
    "distribute": {"parallel", "simd"},
    "for": {"simd"},
}


def combine(
    sema: Sema, construct: OmpConstruct, *, with_reductions: bool = True
) -> tuple[list[OmpConstruct], list[str], c_ast.Node]:
    """Directly nested constructs that mean the same as one combined construct: (constructs, leaves, body)."""
    chain = [construct]
    leaves = list(construct.directive.constructs)
    assert construct.body is not None
    body = construct.body
    while True:
        inner = single_statement(body)
        if not isinstance(inner, OmpConstruct) or inner.body is None:
            return chain, leaves, body
        first = inner.directive.constructs[0]
        if first not in _FOLLOWS.get(leaves[-1], ()):
            return chain, leaves, body
        # A variable private to an outer level and shared by the inner one needs storage per team; what `target` itself
        # has copies of is one variable for all teams, which the host can make.
        outer = sharing_of(sema, chain, with_reductions=with_reductions)
        inside = sharing_of(sema, [inner], with_reductions=with_reductions)
        kept = {*outer.private, *outer.firstprivate, *(r.symbol for r in outer.reductions)}
        if leaves[-1] != "target" or (outer.private and first != "teams"):
            used = {r.symbol for r in sema.free_variables(inner)}
            if (kept & used) - inside.named:
                return chain, leaves, body
        chain.append(inner)
        leaves += inner.directive.constructs
        body = inner.body
