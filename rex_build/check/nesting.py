"""Teams that are not alone in their region, which OpenMP forbids (5.2, section 10.2): they begin as one team."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.findings import Finding, Note
from ..tree.nodes import Block, Construct, Statement, parts


def teams_beside_others(target: Construct) -> Iterator[Finding]:
    """The ``teams`` construct in a region that has something else in it as well."""
    if "teams" in target.directive.constructs or target.body is None:
        return
    inner = next((one for one in parts(target.body, Construct) if "teams" in one.directive.constructs), None)
    only: Statement = target.body
    while isinstance(only, Block) and len(only.statements) == 1:
        (only,) = only.statements
    if inner is None or only is inner:
        return
    message = f"the region has more in it than '{inner.directive.name}': one team with one thread runs what is around"
    advice = "put 'target' and 'teams' into one directive, and what is around outside of it or into a region of its own"
    note = Note("the region is here", target.directive.span)
    yield Finding("nesting", True, message, inner.directive.span, "", advice, (note,))
