"""How many teams and threads a region is launched with."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..base.records import replace
from ..plan import launch_policy
from ..plan.captures import Capture, Transport
from ..plan.host_expression import Call, HostExpression, Number, Written
from ..plan.host_expression import Variable as HostVariable
from ..plan.launch import MAX_THREADS, LaunchShape, SerialLaunch, TripCounts
from ..plan.loops import LoopNest
from ..plan.region import KernelKind
from .clauses import condition_of
from .code import CxxType, Passed, Text, Variable
from .facts import CALL, RegionFacts
from .launch_hints import HostReads, steps_behind
from .loops import on_host, step_of, trip_count
from .mapping import written
from .nested import expression
from .text_constructs import identifiers_in


def launch_of(
    facts: RegionFacts, kind: KernelKind, nest: LoopNest | None, captures: Sequence[Capture], *, by_place: bool,
    reduces: bool,
) -> tuple[LaunchShape, bool]:  # fmt: skip
    """(the shape, whether the host tells the kernel). ``by_place`` is true if code asks which thread runs it."""
    teams = expression(facts.clauses, "num_teams")
    given: HostExpression | None = None
    for name in ("num_threads", "thread_limit"):
        text = expression(facts.clauses, name)
        if text is not None:
            bound = written(text)
            if given is None:
                given = bound
            elif given.value is not None and bound.value is not None:
                given = Number(min(given.value, bound.value))
            else:
                given = Call("rex_smaller", (given, bound))
    value = given.value if given is not None else None
    if value is not None:
        value = min(value, MAX_THREADS)
    serial = SerialLaunch.NEVER
    asked = written(teams) if teams is not None else None
    if kind is KernelKind.WORKSHARING and "parallel" not in facts.leaves and "teams" in facts.leaves:
        if teams is None:
            serial = SerialLaunch.LIMITED_TEAMS if by_place else SerialLaunch.ONE_TEAM
        elif by_place or (asked is not None and asked.value == 1):
            given, value = Number(1), 1
        elif asked is not None and asked.value is None:
            serial = SerialLaunch.ONE_TEAM
    league = "teams" in facts.leaves or facts.leaves == ("target", "loop")
    threads_given = expression(facts.clauses, "num_threads") is not None
    spans = kind is KernelKind.WORKSHARING and not by_place and not threads_given
    parallel_if = condition_of(facts.clauses, "parallel")
    teams_if = condition_of(facts.clauses, "teams")
    if teams_if is not None and asked is not None:
        asked, teams_if = Written((f"({teams_if}) ? ({asked}) : 1",), frozenset(), 3), None
    counts = TripCounts()
    if nest is not None and kind is not KernelKind.SERIAL:
        counts = _trip_counts(facts, nest, captures)
    shape = launch_policy.shape(
        kind, teams=asked, threads=given, threads_value=value, single_team=not league and not spans, counts=counts,
        depth=0, parallel_if=parallel_if, reduces=reduces,
    )  # fmt: skip
    limit = expression(facts.clauses, "thread_limit")
    if "teams" in facts.leaves:
        shape = replace(
            shape, icv_teams=teams is None, icv_threads=limit is None, serial_launch=serial, teams_if=teams_if
        )
    elif spans and (parallel_if is not None or (limit is not None and value in (None, 1))):
        shape = replace(shape, serial_launch=SerialLaunch.ONE_THREAD)
    exact = kind is not KernelKind.WORKSHARING or by_place or parallel_if is not None
    exact = exact or any(e is not None for e in (teams, limit, teams_if)) or threads_given
    return shape, (exact and kind is not KernelKind.SERIAL) or (kind is KernelKind.SERIAL and league)


def _trip_counts(facts: RegionFacts, nest: LoopNest, captures: Sequence[Capture]) -> TripCounts:
    """The iterations that the host computes: from constants and scalars that the kernel gets by value, and as a hint
    from members and elements that the device has, too."""
    of_name = {c.symbol.name: c for c in captures if isinstance(c.symbol, Variable)}
    loop = {lv.symbol.name for lv in nest.levels}
    counts: list[HostExpression] = []
    hints: list[str] = []
    pointers: list[str] = []
    reads = HostReads(facts, of_name)
    for level in nest.levels:
        if isinstance(level.bound, Passed):
            counts.append(HostVariable(level.bound.variable.host))
            continue
        step = step_of(level)
        for text in (level.lower, level.bound, Text(step, 0)):
            assert isinstance(text, Text)
            if CALL.search(re.sub(r"\bsizeof\s*\(", "", text.text)) or "++" in text.text or "--" in text.text:
                return TripCounts()
            for at, name in identifiers_in(text.text):
                variable = facts.unit.lookup(facts.function, name, facts.construct.start)
                steps = steps_behind(text.text, at + len(name))
                capture = of_name.get(variable.name) if variable is not None else None
                if name in loop:
                    return TripCounts()
                literal = capture is not None and capture.transport is Transport.LITERAL
                known = variable is None or variable.constant or literal
                if steps or not known or (variable is None and name in reads.fields):
                    read = reads.read(name, variable, steps)
                    if read is None:
                        return TripCounts()
                    hints.append(read.hint)
                    pointers += read.pointers
        lower, bound = level.lower, level.bound
        assert isinstance(lower, Text)
        assert isinstance(bound, Text)
        assert isinstance(level.type, CxxType)
        if hints and any(mark in f"{lower.text} {bound.text} {step}" for mark in "/%"):  # which could stop the host
            return TripCounts()
        of = on_host(level.type, lower.text)
        names = frozenset(name for _, name in identifiers_in(lower.text + " " + bound.text))
        counts.append(Written((trip_count(level, lower.text, bound.text, step, of),), names, 15, level.trips))
    followed = tuple(Written((name,), frozenset((name,)), 15) for name in dict.fromkeys(pointers))
    return TripCounts(tuple(counts), hints[0] if hints else "", followed)
