"""How many iterations a region's loops have, as far as the host knows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..base.patterns import regex
from ..plan.captures import Capture, Transport
from ..plan.host_expression import HostExpression, Written
from ..plan.host_expression import Variable as HostVariable
from ..plan.launch import TripCounts
from ..plan.loops import LoopNest
from .code import CxxType, Passed, Text, Variable
from .facts import RegionFacts
from .launch_hints import HostReads, steps_behind
from .loops import on_host, step_of, trip_count
from .queries import CALL
from .text_constructs import identifiers_in

_MEMBERS = regex(r"(?:\s*\.\s*\w+)+")


def trip_counts(facts: RegionFacts, nest: LoopNest, captures: Sequence[Capture]) -> TripCounts:
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
                    if capture is not None and capture.transport is Transport.WORDS and _MEMBERS.fullmatch(steps):
                        continue  # the kernel has the host's values
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
