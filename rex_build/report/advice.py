"""What a profile and the compiler's decisions together say about how a program could be faster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ..base.records import dataclass
from ..profile.measured import ALLOCATE, FROM_DEVICE, RELEASE, TO_DEVICE, Line, Place, Profile, Total
from ..profile.table import size, time
from .records import Explained
from .sources import Source

_WORTH = 0.03  # the least part of the run that is worth a word
_AGAIN = 2
_MANY = 100


@dataclass(frozen=True)
class Advice:
    """What costs time in a line, and what would help. ``stake`` is the time in question, in nanoseconds.

    ``rule`` names the question that has found it, below.
    """

    rule: str
    place: Place
    stake: int
    problem: str
    remedy: str


def advise(
    profile: Profile, explained: Mapping[tuple[str, int], Explained], sources: Mapping[str, Source]
) -> list[Advice]:
    """Advice about the lines of a program, of which the most expensive comes first."""
    found: list[Advice] = []
    for line in profile.lines:
        if line.place.line and not line.is_start:
            known = explained.get((line.place.file, line.place.line))
            found += [*_copied_again(line, sources), *_few_teams(profile, line, known), *_small(line), *_on_host(line)]
    found.sort(key=lambda one: (-one.stake, one.place.file, one.place.line))
    least = _WORTH * profile.time
    rest = [one for one in found if one.stake < least]
    together = [
        _together([one for one in rest if one.rule == rule]) for rule in dict.fromkeys(one.rule for one in rest)
    ]
    return [one for one in [*found, *together] if one.stake >= least]


def _together(small: list[Advice]) -> Advice:
    """One advice for lines that cost much only together."""
    first, stake = small[0], sum(one.stake for one in small)
    if len(small) == 1:
        return first
    problem = f"{first.problem} So it is in {len(small)} lines, which take {time(stake)} together."
    return replace(first, stake=stake, problem=problem)


def _copied_again(line: Line, sources: Mapping[str, Source]) -> Iterator[Advice]:
    """Regions, and data regions, that map the same variables again and again."""
    if line.what not in ("target", "target data", "target enter data"):
        return
    again = {name: of for name, of in line.variables.items() if any(total.count >= _AGAIN for total in of.values())}
    whole = [name for name, of in again.items() if sum(total.bytes for total in of.values()) >= 1024 * line.calls]
    if not whole:
        return
    to, back = line.transfer(TO_DEVICE), line.transfer(FROM_DEVICE)
    stake = sum((line.operations.get(name, Total()).time for name in (TO_DEVICE, FROM_DEVICE, ALLOCATE, RELEASE)), 0)
    moved = " and ".join(
        f"{size(total.bytes)} {where}" for total, where in ((to, "to the device"), (back, "back")) if total.bytes
    )
    what = "copied" if moved else "allocated"
    problem = f"{_list(whole)} {'is' if len(whole) == 1 else 'are'} {what} in each of the {line.calls} calls"
    problem += f": {moved}, in {time(to.time + back.time)}." if moved else "."
    lines, same = _around(line.place, sources)
    maps = " ".join(f"map({_map_type(again[name])}: {name})" for name in whole)
    remedy = f"Enclose {lines} in target data"
    remedy += f" {maps}" if same else f" that maps what {line.place.function} gets as {_list(whole)}"
    remedy += ". Where the host uses the data in between, target update copies what is needed."
    yield Advice("copies", line.place, stake, problem, remedy)


def _around(place: Place, sources: Mapping[str, Source]) -> tuple[str, bool]:
    """(the lines that a ``target data`` could enclose, in words; whether the directive's names mean the same there)"""
    own = sources.get(place.file)
    if own is not None and (loop := own.loop_around(place.line)) is not None:
        return f"the loop in lines {loop[0]} to {loop[1]}", True
    for name, source in [(place.file, own), *sources.items()]:
        if source is not None and place.function and (loop := source.loop_that_calls(place.function)) is not None:
            lines = f"line {loop[0]}" if loop[0] == loop[1] else f"lines {loop[0]} to {loop[1]}"
            return f"{lines} of {name}, the loop that calls {place.function},", False
    return f"the calls of {place.function}" if place.function else "what repeats it", False


def _map_type(of: Mapping[str, Total]) -> str:
    to, back = TO_DEVICE in of, FROM_DEVICE in of
    return "tofrom" if to and back else "to" if to else "from" if back else "alloc"


def _few_teams(profile: Profile, line: Line, known: Explained | None) -> Iterator[Advice]:
    """Kernels that leave most of a GPU without work."""
    kernel, there = line.kernel, profile.multiprocessors
    if line.teams is None or kernel is None or not there or line.on_cpu or not 0 < line.teams[1] < there:
        return
    teams = line.teams[1]
    problem = f"{teams} team{'s' * (teams != 1)} on {there} multiprocessors: {there - teams} of them do nothing."
    why = known.why_not("collapse") if known is not None else None
    if why is None or why.startswith(("clauses say", "the number of teams")):
        remedy = "Leave out num_teams and thread_limit, or give it more iterations: collapse(2), where loops nest."
    elif why == "no loop ends an iteration":
        remedy = "The loop has too few iterations, and there is no inner loop that could share them."
    else:
        remedy = "collapse(2) would spread the inner loop, too, if its iterations do not depend on each other."
        remedy += f" rex-build has not done so: {why}."
    yield Advice("teams", line.place, kernel.time * (there - teams) // there, problem, remedy)


def _small(line: Line) -> Iterator[Advice]:
    """Regions whose launches take longer than what they do."""
    kernel = line.kernel
    if kernel is None or line.on_cpu or line.calls < _MANY:
        return
    moving = sum(line.operations.get(name, Total()).time for name in (TO_DEVICE, FROM_DEVICE, ALLOCATE, RELEASE))
    rest = line.time - kernel.time - moving
    if rest > line.time // 2:
        problem = f"{line.calls} launches take {time(line.time)}, and their kernels only {time(kernel.time)} of that."
        yield Advice(
            "launches", line.place, rest, problem,
            "Do more in one region: join loops that follow each other, or move the loop around the region into it.",
        )  # fmt: skip


def _on_host(line: Line) -> Iterator[Advice]:
    if line.on_host:
        problem = f"The region ran on the host in {line.on_host} of {line.calls} calls."
        yield Advice(
            "host", line.place, line.time, problem,
            "OMP_TARGET_OFFLOAD=MANDATORY makes that an error, and LIBOMPTARGET_INFO=-1 says why there was no device.",
        )  # fmt: skip


def _list(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
