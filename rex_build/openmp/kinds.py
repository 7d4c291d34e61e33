"""What kind of kernel a region becomes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ..base.diagnostics import error_at
from ..directives.model import Directive
from ..plan.region import KernelKind
from ..plan.sharing import IN_ORDER, Sharing, runs_in_order

LOOP_LEAVES = frozenset(("for", "distribute", "simd", "taskloop", "loop"))
TRANSFORMATIONS = ("tile", "unroll", "reverse", "interchange")


def kind_of(
    directives: Sequence[Directive], sharing: Sharing, called: Iterable[Directive], *, nested: bool
) -> tuple[KernelKind, str]:
    """(the kind, why). ``called`` are the directives in functions that the region calls, and ``nested`` is true if
    parallel regions are inside the region, or in functions whose regions all threads of a team run.

    Raises InputError.
    """
    leaves = tuple(leaf for directive in directives for leaf in directive.constructs)
    clauses = [clause for directive in directives for clause in directive.clauses]
    is_loop = not LOOP_LEAVES.isdisjoint(leaves)
    nested = nested and not (is_loop and "parallel" in leaves)  # its threads have parallel regions of one thread each
    in_order = is_loop and leaves != ("target", "simd") and runs_in_order(clauses, sharing)
    if in_order and "distribute" in leaves:
        name = directives[0].name
        raise error_at(directives[0].span, f"a loop that runs in order cannot be '{name}'", IN_ORDER)
    if is_loop and not nested:
        if leaves == ("target", "simd"):
            return KernelKind.SERIAL, "iterations of simd may depend on earlier ones"
        if in_order:
            return KernelKind.SERIAL, "ordered, linear, scan or conditional puts the iterations in order"
        if sharing.handed_on:
            return KernelKind.PARALLEL, "one team: its threads wait until all have read what the last iteration changes"
        return KernelKind.WORKSHARING, "the loop's iterations are spread over the grid"
    if is_the_team(leaves):
        return KernelKind.PARALLEL, "one parallel region: all threads of the team run the body"
    if is_loop and runs_in_order(clauses, sharing):
        what = "a parallel region inside a loop that runs in order is not supported"
        raise error_at(directives[0].span, what)
    if nested:
        return KernelKind.TEAMS, "sequential parts run on the team's initial thread, parallel regions on all"
    if any("parallel" in directive.constructs for directive in called):
        return KernelKind.SERIAL, "its parallel regions are in functions that others call, too, or that call themselves"
    return KernelKind.SERIAL, "nothing in it is parallel"


def is_the_team(leaves: Collection[str]) -> bool:
    """Whether the region is nothing but one parallel region of each team."""
    return leaves in (("target", "parallel"), ("target", "teams", "parallel"))
