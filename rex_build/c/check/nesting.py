"""Teams that are not alone in their region, which OpenMP forbids (5.2, section 10.2): they begin as one team."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from ...base.findings import Finding, Note
from ..analysis.nesting import constructs_in
from ..sema import Sema
from ..syntax.nodes import OmpConstruct


def teams_beside_others(sema: Sema, target: OmpConstruct) -> Iterator[Finding]:
    """The ``teams`` construct in a region that has something else in it as well."""
    if "teams" in target.directive.constructs or target.body is None:
        return
    inner = next((c for c in constructs_in(sema, target.body) if "teams" in c.directive.constructs), None)
    only: c_ast.Node = target.body
    while isinstance(only, c_ast.Compound) and len(only.block_items or ()) == 1:
        only = only.block_items[0]
    if inner is None or only is inner:
        return
    message = f"the region has more in it than '{inner.directive.name}': one team with one thread runs what is around"
    advice = "put 'target' and 'teams' into one directive, and what is around outside of it or into a region of its own"
    note = Note("the region is here", target.directive.span)
    yield Finding("nesting", True, message, inner.directive.span, "", advice, (note,))
