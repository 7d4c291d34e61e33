"""What a profile and the compiler's decisions together say about how a program could be faster."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ..base.records import dataclass, replace
from ..profile.measured import ALLOCATE, FROM_DEVICE, RELEASE, TO_DEVICE, Line, Place, Profile, Total
from ..profile.table import size, time
from .records import Explained
from .sources import Source

_WORTH = 0.03  # the least part of the run that is worth a word
_AGAIN = 2
_MANY = 100
MOST_NAMED = 3  # directives that one advice names


@dataclass(frozen=True)
class Enclosed:
    """Lines of a file that a ``target data`` could enclose, with its maps: pairs of a type and a list item.

    ``unnamed`` says in words whose memory else it would have to map, where the names at these lines are not known.
    """

    file: str
    first: int
    last: int
    maps: tuple[tuple[str, str], ...]
    unnamed: tuple[str, ...]

    def covers(self, other: Enclosed) -> bool:
        return self.file == other.file and self.first <= other.first and other.last <= self.last


@dataclass(frozen=True)
class Advice:
    """What costs time, and what would help. ``stake`` is the time in question, in nanoseconds.

    ``rule`` names the question that has found it, below. ``places`` are the directives, the most expensive first.
    """

    rule: str
    places: tuple[Place, ...]
    stake: int
    problem: str
    remedy: str
    enclosed: Enclosed | None = None

    @property
    def directive(self) -> str:
        """The directive to copy into the program, if all that it maps has a name there."""
        if self.enclosed is None or self.enclosed.unnamed:
            return ""
        return f"#pragma omp target data {' '.join(f'map({kind}: {item})' for kind, item in self.enclosed.maps)}"

    @property
    def action(self) -> str:
        """The first sentence of the remedy: what to do. The directive to copy stands below it."""
        first = self.remedy.partition(". ")[0].removesuffix(".")
        return f"{first.partition(' in target data ')[0]} in this target data:" if self.directive else f"{first}."

    @property
    def explanation(self) -> str:
        """What else there is to say: the rest of the remedy, and the problem."""
        return f"{self.remedy.partition('. ')[2]} {self.problem}".strip()

    @property
    def place(self) -> Place:
        return self.places[0]


def advise(
    profile: Profile, explained: Mapping[tuple[str, int], Explained], sources: Mapping[str, Source]
) -> list[Advice]:
    """Advice about the lines of a program, of which the most expensive comes first."""
    found: list[Advice] = []
    for line in profile.lines:
        if line.place.line and not line.is_start:
            known = explained.get((line.place.file, line.place.line))
            found += [*_copied_again(line, sources), *_one_thread(line, known), *_few_teams(profile, line, known)]
            found += [*_small(line), *_on_host(line)]
    found = sorted(_with_one_remedy(found, sources), key=lambda one: (-one.stake, one.place.file, one.place.line))
    least = _WORTH * profile.time
    rest = [one for one in found if one.stake < least]
    together = [
        _together([one for one in rest if one.rule == rule]) for rule in dict.fromkeys(one.rule for one in rest)
    ]
    return [one for one in [*found, *together] if one.stake >= least]


def _with_one_remedy(found: list[Advice], sources: Mapping[str, Source]) -> Iterator[Advice]:
    """The same advice, with one for all directives that the same ``target data``, or words, would help."""
    enclosed = [one.enclosed for one in found if one.enclosed is not None]
    outermost = [one for one in enclosed if not any(other.covers(one) and not one.covers(other) for other in enclosed)]
    ranges = {(one.file, one.first, one.last): one for one in outermost}
    others = [one for one in found if one.enclosed is None]
    for rule, remedy in dict.fromkeys((one.rule, one.remedy) for one in others):
        same = sorted((one for one in others if (one.rule, one.remedy) == (rule, remedy)), key=lambda one: -one.stake)
        if rule == "copies" and len({one.place.file for one in same}) == 1:
            yield _joined(same, remedy)
        else:
            yield from same
    for outer in ranges.values():
        inside = [one for one in found if one.enclosed is not None and outer.covers(one.enclosed)]
        inside.sort(key=lambda one: -one.stake)
        yield inside[0] if len(inside) == 1 else _enclosed(outer, inside, sources)


def _enclosed(outer: Enclosed, parts: list[Advice], sources: Mapping[str, Source]) -> Advice:
    """One advice for directives that all stand in what a ``target data`` would enclose."""
    all_maps: dict[str, set[str]] = {}
    for part in parts:
        for kind, item in part.enclosed.maps if part.enclosed is not None else ():
            all_maps.setdefault(item, set()).add(kind)
    maps: Sequence[tuple[str, str]] = [(_map_type_of(kinds), item) for item, kinds in all_maps.items()]
    if (source := sources.get(outer.file)) is not None:
        maps = _in_all_roles(source, (outer.first, outer.last), maps)
    unnamed = dict.fromkeys(text for part in parts if part.enclosed is not None for text in part.enclosed.unnamed)
    whole = replace(outer, maps=tuple(maps), unnamed=tuple(unnamed))
    return _joined(parts, _remedy(whole), whole)


def _joined(parts: list[Advice], remedy: str, enclosed: Enclosed | None = None) -> Advice:
    if len(parts) == 1:
        return parts[0]
    return Advice(
        parts[0].rule,
        tuple(place for part in parts for place in part.places),
        sum(part.stake for part in parts),
        " ".join([*(f"{part.place}: {part.problem}" for part in parts[:MOST_NAMED]), *_more(len(parts))]),
        remedy,
        enclosed,
    )


def _more(count: int) -> Iterator[str]:
    if (left := count - MOST_NAMED) > 0:
        yield f"{left} more directives copy again, too." if left > 1 else "One more directive copies again, too."


def _map_type_of(kinds: set[str]) -> str:
    moved = kinds - {"alloc"}
    return "tofrom" if len(moved) > 1 else next(iter(moved), "alloc")


def _together(small: list[Advice]) -> Advice:
    """One advice for lines that cost much only together."""
    first, stake = small[0], sum(one.stake for one in small)
    if len(small) == 1:
        return first
    count = sum(len(one.places) for one in small)
    problem = f"{first.problem} So it is in {count} lines, which take {time(stake)} together."
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
    problem += f": {moved}." if moved else "."
    enclosed = _around(line.place, {name: _map_type(again[name]) for name in whole}, sources)
    if enclosed is None:
        calls = f"the calls of {line.place.function}" if line.place.function else "what repeats it"
        remedy = f"Enclose {calls} in target data that maps {_list(whole)}. {_IN_BETWEEN}"
    else:
        remedy = _remedy(enclosed)
    yield Advice("copies", (line.place,), stake, problem, remedy, enclosed)


_WITHOUT_NAME = (
    "If there is no name for it there, as for a member of an object, put target enter data where it is allocated and "
    "target exit data where it is given back."
)
_IN_BETWEEN = "Where the host uses the data in between, target update copies what is needed."


def _remedy(enclosed: Enclosed) -> str:
    first, last = enclosed.first, enclosed.last
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    maps = " ".join(f"map({kind}: {item})" for kind, item in enclosed.maps)
    unnamed = f"that maps the memory of {_list(list(enclosed.unnamed))}" if enclosed.unnamed else ""
    what = " and ".join(filter(None, (maps, unnamed)))
    elsewhere = f" {_WITHOUT_NAME}" if enclosed.unnamed else ""
    return f"Enclose the loop in {lines} of {enclosed.file} in target data {what}.{elsewhere} {_IN_BETWEEN}"


def _around(place: Place, types: Mapping[str, str], sources: Mapping[str, Source]) -> Enclosed | None:
    """What a ``target data`` could enclose so that it maps variables once, if a loop around it can be found."""
    own = sources.get(place.file)
    if own is not None and (loop := own.loop_around(place.line)) is not None:
        return Enclosed(place.file, *loop, _in_all_roles(own, loop, [(k, item) for item, k in types.items()]), ())
    for name, source in [(place.file, own), *sources.items()]:
        if source is None or not place.function or not _can_call(source, own, place.function):
            continue
        if (loop := source.loop_that_calls(place.function)) is None:
            continue
        kinds: dict[str, set[str]] = {}
        unnamed: dict[str, None] = {}
        for given in (own.arguments_in_calls(place.function, source, loop) if own is not None else []) or [{}]:
            for item, kind in types.items():
                text, argument = _said_with(item, given), given.get(_NAME.findall(item)[0])
                if text is not None:
                    kinds.setdefault(text, set()).add(kind)
                else:
                    unnamed[argument or f"{item} in {place.function}"] = None
        maps = [(_map_type_of(of), text) for text, of in kinds.items()]
        return Enclosed(name, *loop, _in_all_roles(source, loop, maps), tuple(unnamed))
    return None


def _in_all_roles(
    source: Source, loop: tuple[int, int], maps: Sequence[tuple[str, str]]
) -> tuple[tuple[str, str], ...]:
    """Maps for a ``target data`` around a loop. Pointers that the loop sets may lead to each other's memory in other
    passes, so they have one type, which is right for each of them."""
    exchanged = source.exchanged_in(loop)
    moving = {item for _, item in maps if (name := _NAME.match(item)) is not None and name[0] in exchanged}
    together = _map_type_of({kind for kind, item in maps if item in moving})
    return tuple((together if item in moving else kind, item) for kind, item in maps)


def _can_call(source: Source, own: Source | None, function: str) -> bool:
    """Whether a function of that name in a source is the one that the file ``own`` has."""
    return source is own or not (source.defines(function) or (own is not None and own.is_static(function)))


def _said_with(item: str, given: Mapping[str, str]) -> str | None:
    """A list item with the arguments of a call in place of the parameters, or None if they have no names there."""
    names = _NAME.findall(item)
    if not all(name in given and _SIMPLE.fullmatch(given[name]) for name in names):
        return None
    return _NAME.sub(lambda match: given[match[0]], item)


_NAME = re.compile(r"(?<![\w.>])[A-Za-z_]\w*")
_SIMPLE = re.compile(r"\w+(?:(?:\.|->)\w+)*")  # a name, a member or a number


def _map_type(of: Mapping[str, Total]) -> str:
    to, back = TO_DEVICE in of, FROM_DEVICE in of
    return "tofrom" if to and back else "to" if to else "from" if back else "alloc"


def _one_thread(line: Line, known: Explained | None) -> Iterator[Advice]:
    """Kernels of one thread, on any device."""
    if line.kernel is None or line.teams != (1, 1) or line.threads != (1, 1):
        return
    remedy = "Put its loops under target teams distribute parallel for."
    if known is not None and (why := known.why_not("block")) is not None:
        remedy += f" rex-build has not shared them out by itself: {why}."
    yield Advice("thread", (line.place,), line.kernel.time, "One thread runs all of it.", remedy)


def _few_teams(profile: Profile, line: Line, known: Explained | None) -> Iterator[Advice]:
    """Kernels that leave most of a GPU without work."""
    kernel, there = line.kernel, profile.card.multiprocessors if profile.card is not None else 0
    if line.teams is None or kernel is None or not there or line.on_cpu or not 0 < line.teams[1] < there:
        return
    if line.teams == line.threads == (1, 1):
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
    yield Advice("teams", (line.place,), kernel.time * (there - teams) // there, problem, remedy)


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
            "launches", (line.place,), rest, problem,
            "Do more in one region: join loops that follow each other, or move the loop around the region into it.",
        )  # fmt: skip


def _on_host(line: Line) -> Iterator[Advice]:
    if line.on_host:
        problem = f"The region ran on the host in {line.on_host} of {line.calls} calls."
        yield Advice(
            "host", (line.place,), line.time, problem,
            "OMP_TARGET_OFFLOAD=MANDATORY makes that an error, and LIBOMPTARGET_INFO=-1 says why there was no device.",
        )  # fmt: skip


def _list(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
