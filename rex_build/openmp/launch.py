"""What kind of kernel a region becomes, which ``if`` applies to which construct (OpenMP 5.2, section 3.4), and how many
teams and threads a region is launched with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import reduce

from ..base.diagnostics import error_at
from ..base.records import replace
from ..directives.model import Clause, Directive, Expr, ExprClause
from ..directives.parser import POSITIVE
from ..plan import launch_policy
from ..plan.constructs import IN_ORDER, Sharing, runs_in_order
from ..plan.host_expression import ONE, Call, Conditional, HostExpression, Number
from ..plan.launch import MAX_THREADS, LaunchShape, SerialLaunch, TripCounts
from ..plan.unit import KernelKind

LOOP_LEAVES = frozenset(("for", "distribute", "simd", "taskloop", "loop"))
TRANSFORMATIONS = ("tile", "unroll", "reverse", "interchange")


def condition(clauses: Iterable[Clause], *leaves: str) -> Expr | None:
    """The condition of a construct: the first one that names it, or that names no construct."""
    ifs = (c for c in clauses if isinstance(c, ExprClause) and c.name == "if" and c.expr is not None)
    return next((c.expr for c in ifs if c.modifier is None or c.modifier in leaves), None)


def condition_in_region(directives: Sequence[Directive], leaf: str) -> Expr | None:
    """The condition that, if it is false, makes ``teams`` one team or ``parallel`` one thread.

    ``directives`` are the region's, outermost first. An ``if`` clause of its ``target`` directive that names no
    construct is not meant: if it is false, the host runs the region.
    """
    found = None
    for directive in directives:
        if leaf in directive.constructs:
            modified = [c for c in directive.clauses if getattr(c, "modifier", None) == leaf]
            found = condition(modified if directive is directives[0] else directive.clauses, leaf)
    return found


def expression(clauses: Iterable[Clause], name: str) -> Expr | None:
    """The expression of the first clause of a name."""
    return next((c.expr for c in clauses if isinstance(c, ExprClause) and c.name == name and c.expr is not None), None)


def collapse_depth(clauses: Iterable[Clause], value_of: Callable[[Expr], int | None]) -> int:
    """The number of loops that belong to a construct. Raises InputError if it is no positive constant."""
    depth = 1
    for clause in clauses:
        if isinstance(clause, ExprClause) and clause.name == "collapse" and clause.expr is not None:
            value = value_of(clause.expr)
            if value is None or value < 1:
                raise error_at(clause.span, POSITIVE.format(clause.name))
            depth = value
    return depth


def device_of(clauses: Iterable[Clause], value_of: Callable[[Expr], HostExpression]) -> HostExpression:
    """The device number to pass to libomptarget, where -1 is the default device.

    In the clause, -1 is the initial device (``omp_initial_device``; OpenMP 5.2, section 1.2.1), which has another
    number in libomptarget.
    """
    found = expression(clauses, "device")
    if found is None:
        return Number(-1)
    number = value_of(found)
    return number if number.value is not None and number.value >= 0 else Call("rex_device_number", (number,))


def launch_of(
    directives: Sequence[Directive],
    kind: KernelKind,
    counts: TripCounts,
    value_of: Callable[[Expr], HostExpression],
    most_of: Callable[[Expr], int | None],
    inside: Sequence[Directive] | None,
    known: Callable[[Collection[Expr]], bool],
    *,
    by_place: bool,
    reduces: bool,
    depth: int,
) -> tuple[LaunchShape, bool]:
    """(the shape, whether the kernel has to know it).

    ``directives`` are those of the constructs that make the region, outermost first. ``value_of`` gives the host's
    value of a clause's expression, and ``most_of`` the most that it is, if that is known. ``inside`` are the directives
    in the region, or None if functions that it calls have parallel regions, too, and ``known`` says whether the host
    knows what expressions of their clauses are. ``by_place`` is true if the program can tell which thread runs an
    iteration, and ``depth`` counts the loops inside the region's own.
    """
    leaves = tuple(leaf for directive in directives for leaf in directive.constructs)
    clauses = [clause for directive in directives for clause in directive.clauses]
    teams, limit, threads = (expression(clauses, n) for n in ("num_teams", "thread_limit", "num_threads"))
    given, most = _most_threads([value_of(e) for e in (threads, limit) if e is not None])
    upper = [bound for e in (threads, limit) if e is not None and (bound := most_of(e)) is not None]
    if kind is KernelKind.TEAMS and threads is None and limit is None:
        given, upper = _inner_threads(inside or (), value_of, most_of, known)
    if kind is KernelKind.WORKSHARING and threads is None:
        upper = [min(bound, MAX_THREADS) for bound in upper]
    conditions = (condition_in_region(directives, leaf) for leaf in ("teams", "parallel"))
    teams_if, parallel_if, asked = (value_of(c) if c is not None else None for c in (*conditions, teams))
    count = asked.value if asked is not None and teams_if is None else None
    if asked is not None and teams_if is not None:
        asked, teams_if = Conditional(teams_if, asked, ONE), None
    serial, league = SerialLaunch.NEVER, "teams" in leaves
    if kind is KernelKind.WORKSHARING and "parallel" not in leaves and league:
        serial, alone = _of_teams_alone(teams is not None, count, by_place)
        given, most, upper = (ONE, 1, [1]) if alone else (given, most, upper)
    spans_grid = kind is KernelKind.WORKSHARING and not by_place and threads is None
    shape = launch_policy.shape(
        kind,
        teams=asked,
        threads=given,
        most_threads=min(upper, default=None),
        single_team=not league and not spans_grid,
        counts=counts,
        depth=depth,
        parallel_if=parallel_if,
        reduces=reduces,
        fewer=spans_grid and limit is not None and given is not ONE,
    )
    if league:  # the runtime does not apply its own limits to kernels with a launch shape
        shape = replace(
            shape, icv_teams=teams is None, icv_threads=limit is None, serial_launch=serial, teams_if=teams_if
        )  # fmt: skip
    elif spans_grid and (parallel_if is not None or (limit is not None and most in (None, 1))):
        shape = replace(shape, serial_launch=SerialLaunch.ONE_THREAD)
    exact = kind is not KernelKind.WORKSHARING or by_place or parallel_if is not None
    exact = exact or any(e is not None for e in (teams, limit, threads, teams_if))
    return shape, (exact and kind is not KernelKind.SERIAL) or (kind is KernelKind.SERIAL and league)


def _of_teams_alone(is_given: bool, count: int | None, by_place: bool) -> tuple[SerialLaunch, bool]:
    """(when one thread runs the loop of ``teams distribute``, whether each team has one thread).

    Each thread is a team there, unless the program can count the teams, or the only team runs the loop in order.
    """
    if not is_given:
        return (SerialLaunch.LIMITED_TEAMS if by_place else SerialLaunch.ONE_TEAM), False
    if by_place or count == 1:
        return SerialLaunch.NEVER, True
    return (SerialLaunch.ONE_TEAM if count is None else SerialLaunch.NEVER), False


def is_limited(directives: Iterable[Directive]) -> bool:
    """Whether ``thread_limit`` is all that says how many threads a parallel region of the teams has. ``directives`` are
    those that make the region, and those in it and in the functions that it calls."""
    parts = list(directives)
    asked = [part.has("num_threads") for part in parts if "parallel" in part.constructs]
    return any(part.has("thread_limit") for part in parts) and not all(asked)


def _most_threads(bounds: Sequence[HostExpression]) -> tuple[HostExpression | None, int | None]:
    """(the smallest of what clauses say about a team's threads, its value if that is known)"""
    if not bounds:
        return None, None
    values = [bound.value for bound in bounds if bound.value is not None]
    if len(values) < len(bounds):
        return reduce(lambda one, other: Call("rex_smaller", (one, other)), bounds), None
    return (bounds[0] if len(bounds) == 1 else Number(min(values))), min(values)


def _inner_threads(
    inside: Sequence[Directive],
    value_of: Callable[[Expr], HostExpression],
    most_of: Callable[[Expr], int | None],
    known: Callable[[Collection[Expr]], bool],
) -> tuple[HostExpression | None, list[int]]:
    """(the threads of a team as its parallel regions ask for them, a list with the most that these are)

    There are none if a region may ask for any number that the host does not know.
    """
    asked = [expression(d.clauses, "num_threads") for d in inside if "parallel" in d.constructs]
    given = {e.text: e for e in asked if e is not None}
    most = [bound for e in given.values() if (bound := most_of(e)) is not None and bound > 0]
    if not given or (len(most) < len(given) and not known(given.values())):
        return None, []
    default = [launch_policy.TEAM_THREADS] if None in asked else []
    if len(most) < len(given):
        values = [*map(value_of, given.values()), *map(Number, default)]
        return reduce(lambda one, other: Call("rex_larger", (one, other)), values), []
    most += default
    return (value_of(next(iter(given.values()))) if len(most) == 1 else Number(max(most))), [max(most)]


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
