"""Makes the page: a listing of the sources with what each line has cost and what became of its directives."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from .. import __version__
from ..base.elf import ElfError, read_section
from ..base.records import dataclass
from ..plan.listing import LEFT_OUT
from ..profile.card import occupancy
from ..profile.measured import (
    ALLOCATE,
    FROM_DEVICE,
    LAUNCH,
    OPERATIONS,
    RELEASE,
    TO_DEVICE,
    Line,
    Place,
    Profile,
    Total,
)
from ..profile.table import between, can_do, share, size, time
from ..request import TRANSFORMATIONS
from .advice import MOST_NAMED, Advice, Enclosed, advise
from .records import Explained
from .sources import Source

# The timeline of a page, with as many events as a browser draws at once.

_MOST = 40_000


def timeline(profile: Profile) -> dict[str, Any]:
    """Tracks with their events ``[begin, time, kind, place, bytes]``, in nanoseconds.

    ``kind`` is an index of ``kinds`` and ``place`` one of ``places``. If there are too many events, the shortest are
    left out, and ``left_out`` has their number. ``idle`` is the time before the first event in words, if
    the picture shows it.
    """
    kinds = ["directive", *OPERATIONS]
    events = sorted(
        heapq.nlargest(_MOST, profile.events, key=lambda event: event.time),
        key=lambda event: (event.process, event.begin, -event.time),
    )
    places = {place: number for number, place in enumerate(dict.fromkeys(event.line for event in events))}
    tracks: dict[tuple[int, bool, int, bool], list[list[int]]] = {}
    for event in events:
        kind = kinds.index(event.what) if event.what in kinds else 0
        track = tracks.setdefault((event.process, event.on_gpu, event.track, not event.on_gpu and kind > 0), [])
        track.append([event.begin, event.time, kind, places[event.line], event.bytes])
    several = len({process for process, _, _, _ in tracks}) > 1
    named = []
    for (process, on_gpu, number, operations), of in sorted(tracks.items()):
        name = f"GPU stream {number}" if on_gpu else "operations" if operations else f"thread {number}"
        named.append({"name": f"{process}: {name}" if several else name, "events": of})
    first = min((event.begin for event in events), default=0)
    end = max((event.begin + event.time for event in events), default=0)
    return {
        "end": end,
        "idle": time(first) if first > end / 100 else "",
        "kinds": kinds,
        "places": [[str(place), place.function] for place in places],
        "tracks": named,
        "left_out": profile.event_count - len(events) + profile.dropped,
    }


_TEMPLATES = Path(__file__).with_name("templates")
_SHOWN_AROUND = 5  # lines before and after a directive; others are folded
_ENOUGH = 1 << 16  # bytes of a copy that takes as long as the link needs, and not as long as it takes to begin
_DETAILS_OPEN = 3  # the most expensive directives show their details at once
_REGISTRATION = "register_cubin.cpp"
_REST, _KERNEL = "rest", "kernel"
_PART_NAMES = {
    _KERNEL: "kernels of the program",
    TO_DEVICE: "copies to the device",
    FROM_DEVICE: "copies from the device",
    _REST: "launches, allocations, waiting",
    "start": "start of the runtime and the device, with its kernels",
    "host": "the rest of the program",
}


@dataclass(frozen=True)
class Part:
    """A part of a bar: its kind, its width in percent, and what it is in words."""

    kind: str
    width: float
    words: str


@dataclass(frozen=True)
class Shown:
    """A line of the table, and the panel below a line of a source: what a directive has cost and what became of it."""

    at: Place
    what: str
    line: Line | None
    cells: tuple[tuple[str, int], ...]  # text, and the number by which it is sorted
    variables: tuple[tuple[str, str, str], ...]
    remark: Explained | None
    advice: tuple[int, ...]  # the numbers of those that are about it
    is_open: bool
    facts: tuple[tuple[str, str], ...] = ()  # what the panel says beside the table's cells

    @property
    def bar(self) -> tuple[Part, ...]:
        """What its time was spent on."""
        return _parts(_split(self.line), self.line.time, time) if self.line is not None else ()

    @property
    def anchor(self) -> str:
        """The identity of its line in the listing, or nothing for what is no line of a source."""
        return _anchor(self.at.file, self.at.line) if self.at.line and self.at.file != _REGISTRATION else ""


@dataclass(frozen=True)
class Row:
    """A line of a source, or a directive with the lines that continue it. ``bars`` are those of time and of bytes."""

    numbers: tuple[int, ...]
    text: str
    anchor: str
    bars: tuple[tuple[str, tuple[Part, ...]], ...]
    shown: tuple[Shown, ...]


@dataclass(frozen=True)
class Listing:
    """A source file, in stretches of lines. Every second stretch is folded. ``missing`` says why there are no lines."""

    name: str
    stretches: tuple[tuple[bool, tuple[Row, ...]], ...]
    missing: str
    without_line: tuple[Shown, ...]


def profile_page(profile: Profile, explained: Sequence[Explained], sources: Mapping[str, Source]) -> str:
    """The page of a run."""
    known = {(one.file, one.line): one for one in explained}
    advice = advise(profile, known, sources)
    enclosed = [one.enclosed for one in advice if one.enclosed is not None]
    shown = _measured(profile, known, advice)
    seen = {(line.place.file, line.place.line) for line in profile.lines}
    idle = [_idle(one) for one in explained if (one.file, one.line) not in seen]
    return _render(
        title=Path(profile.program).name,
        profile=profile,
        summary=_summary(profile),
        parts=_parts_of_run(profile),
        advice=[(one, _at(one, sources)) for one in advice],
        rows=shown,
        files=_listings([*shown, *idle], sources, profile, enclosed),
        timeline=timeline(profile),
        part_names=_PART_NAMES,
        notes=_notes(profile, explained),
        compilers=_compilers(Path(profile.program)),
        can_do=can_do(profile.card) if profile.card is not None else "",
    )


def _compilers(program: Path) -> list[str]:
    """What has compiled parts of a program, such as ``GCC: (Debian 12.2.0-14) 12.2.0``."""
    try:
        text = read_section(program, ".comment").decode("utf-8", "replace")
    except (OSError, ElfError):
        return []
    return sorted({part for part in text.split("\0") if part})


def explain_page(name: str, explained: Sequence[Explained], sources: Mapping[str, Source]) -> str:
    """The page without measurements: what became of the directives of a source."""
    return _render(
        title=name,
        profile=None,
        summary="What becomes of its directives for devices",
        parts=(),
        advice=[],
        rows=[],
        files=_listings([_idle(one, is_open=True) for one in explained], sources, None, ()),
        timeline=None,
        part_names=_PART_NAMES,
        notes=[],
    )


def _render(**context: Any) -> str:
    template = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES), undefined=jinja2.StrictUndefined, autoescape=True,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    ).get_template("page.html.j2")  # fmt: skip
    return template.render(
        version=__version__, share=share, time=time, file=_file, said=_said, meanings=TRANSFORMATIONS, **context
    )


def _said(line: str) -> Markup:
    """A line of a remark, in which names of transformations lead to what they mean."""
    label, _, rest = line.partition(": ")
    names, _, why = rest.partition(": ") if label in ("applied", LEFT_OUT) else ("", "", rest)
    if not names:
        return Markup("{}").format(line)
    links = Markup(", ").join(Markup('<a href="#means-{0}">{0}</a>').format(name) for name in names.split(", "))
    return Markup("{}: {}: {}").format(label, links, why)


def _file(name: str) -> Markup:
    return Markup((_TEMPLATES / name).read_text("utf-8"))  # noqa: S704 our own text


# -- numbers -----------------------------------------------------------------------------------------------------


def _summary(profile: Profile) -> str:
    text = f"{time(profile.time)}, of which {time(profile.offload_time)} in offloading"
    text += f" ({share(profile.offload_time, profile.time)})"
    return text + (f"; {profile.processes} processes" if profile.processes > 1 else "")


def _notes(profile: Profile, explained: Sequence[Explained]) -> list[str]:
    notes = []
    if profile.on_cpu:
        notes.append("This ran on the cpu device: its times are not a GPU's.")
    if not profile.has_operations:
        notes.append("The runtime reports no copies and no kernels (it has no OMPT): only whole directives have times.")
    elif any(line.teams and line.kernel is None and not line.on_host for line in profile.lines):
        why = "CUPTI gave none" if profile.has_gpu_times else "CUPTI could not be loaded"
        notes.append(f"Times in kernels are not known: {why}.")
    elsewhere = profile.time - profile.offload_time
    if elsewhere > 0.9 * profile.time:
        outside = f"{share(elsewhere, profile.time)} of the run is code of the host outside of directives"
        notes.append(f"{outside}: this page does not look into it.")
    if not explained:
        notes.append(
            "The program says nothing about its directives: rex-build has not made it, or this is an old build."
        )
    return notes


def _split(line: Line) -> dict[str, int]:
    """A line's time by what it was spent on, in nanoseconds."""
    moved = {name: line.transfer(name).time for name in (TO_DEVICE, FROM_DEVICE)}
    kernel = line.kernel
    ran = min(kernel.time if kernel is not None else 0, max(0, line.time - sum(moved.values())))
    return {_KERNEL: ran, **moved, _REST: max(0, line.time - ran - sum(moved.values()))}


def _parts_of_run(profile: Profile) -> tuple[Part, ...]:
    sums: dict[str, int] = defaultdict(int)
    for line in profile.lines:
        for kind, part in ({"start": line.time} if line.is_start else _split(line)).items():
            sums[kind] += part
    sums["host"] = max(0, profile.time - sum(sums.values()))
    return _parts({kind: sums[kind] for kind in _PART_NAMES}, sum(sums.values()), time)


def _parts(values: Mapping[str, int], whole: int, words: Any) -> tuple[Part, ...]:
    return tuple(
        Part(kind, 100 * value / whole, f"{_PART_NAMES[kind]}: {words(value)}")
        for kind, value in values.items()
        if value and whole
    )


# -- directives --------------------------------------------------------------------------------------------------


def _anchor(file: str, line: int) -> str:
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in file)
    return f"{plain}-{line}"


def _at(advice: Advice, sources: Mapping[str, Source]) -> tuple[tuple[str, str], ...]:
    """The lines that an advice is about: names with anchors in the listing. The first are the directives."""
    places = [(str(place), _anchor(place.file, place.line)) for place in advice.places[:MOST_NAMED]]
    one = advice.enclosed
    if one is not None and one.file in sources:
        places.append((f"lines {one.first} to {one.last}", _anchor(one.file, one.first)))
    return tuple(places)


def _measured(profile: Profile, known: Mapping[tuple[str, int], Explained], advice: Sequence[Advice]) -> list[Shown]:
    each: dict[Place, list[int]] = defaultdict(list)
    for event in profile.events:
        if not event.on_gpu and event.what not in OPERATIONS:
            each[event.line].append(event.time)
    return [
        Shown(
            at=line.place,
            what=line.what,
            line=line,
            cells=_cells(profile, line, each[line.place]),
            variables=tuple(_variable(name, of) for name, of in line.variables.items()),
            remark=known.get((line.place.file, line.place.line)),
            advice=tuple(n for n, one in enumerate(advice, 1) if line.place in one.places),
            is_open=number < _DETAILS_OPEN,
            facts=tuple(_of_the_card(profile, line)),
        )
        for number, line in enumerate(profile.lines)
    ]


def _idle(one: Explained, is_open: bool = False) -> Shown:
    """A directive that was not measured."""
    return Shown(Place(one.file, one.line, one.column, one.function), one.directive, None, (), (), one, (), is_open)


def _cells(profile: Profile, line: Line, each: Sequence[int]) -> tuple[tuple[str, int], ...]:
    kernel, to, back = line.kernel, line.transfer(TO_DEVICE), line.transfer(FROM_DEVICE)
    memory = sum((line.operations.get(name, Total()) for name in (ALLOCATE, RELEASE)), Total())
    threads = f"{between(line.teams)} × {between(line.threads)}" if line.teams and line.threads else ""
    return (
        (time(line.time), line.time),
        (share(line.time, profile.time), line.time),
        (f"{line.calls}", line.calls),
        _per_call(each),
        (time(kernel.time) if kernel else "?" if LAUNCH in line.operations else "", kernel.time if kernel else 0),
        (f"{size(to.bytes)} in {time(to.time)}" if to.count else "", to.time),
        (f"{size(back.bytes)} in {time(back.time)}" if back.count else "", back.time),
        (time(memory.time) if memory.count else "", memory.time),
        (threads, line.teams[1] * line.threads[1] if line.teams and line.threads else 0),
    )


def _of_the_card(profile: Profile, line: Line) -> Iterator[tuple[str, str]]:
    """How much of what the card can do a line uses: (of what, in words)."""
    if (card := profile.card) is None or line.on_cpu:
        return
    if line.touched and card.memory_rate:
        if_once = "if its kernels touch each byte of their mapped variables once"
        of = f"{size(line.touched)}/s of {size(card.memory_rate)}/s ({share(line.touched, card.memory_rate)})"
        yield "the GPU's memory", f"{of}, {if_once}"
    if line.shape is not None and (resident := occupancy(card, line.shape)) is not None:
        why = f": {resident.why}" if resident.why else ""
        part = f"at most {100 * resident.part:.0f}" if resident.part >= 0.01 else "less than 1"
        yield "occupancy", f"{part} % of the GPU's warps{why}"
    for name, where in ((TO_DEVICE, "to"), (FROM_DEVICE, "from")):
        moved = line.transfer(name)
        if moved.time and card.link and moved.bytes >= _ENOUGH * moved.count:
            rate = moved.bytes * 10**9 // moved.time
            yield f"PCIe {where} the device", f"{size(rate)}/s of {size(card.link)}/s ({share(rate, card.link)})"


def _per_call(each: Sequence[int]) -> tuple[str, int]:
    """The median of the times that a directive took, and their extremes."""
    if not each:
        return "", 0
    middle = sorted(each)[len(each) // 2]
    spread = f" ({time(min(each))} to {time(max(each))})" if len(each) > 1 else ""
    return f"{time(middle)}{spread}", middle


def _variable(name: str, of: Mapping[str, Total]) -> tuple[str, str, str]:
    def moved(total: Total) -> str:
        copies = "1 copy" if total.count == 1 else f"{total.count} copies"
        return f"{size(total.bytes)} in {copies}, {time(total.time)}" if total.count else "–"

    return name, moved(of.get(TO_DEVICE, Total())), moved(of.get(FROM_DEVICE, Total()))


# -- sources -----------------------------------------------------------------------------------------------------


def _listings(
    shown: Sequence[Shown], sources: Mapping[str, Source], profile: Profile | None, advised: Sequence[Enclosed]
) -> list[Listing]:
    """The files with directives, the most expensive first, and with lines that an advice names."""
    by_file: dict[str, dict[int, list[Shown]]] = {}
    for one in shown:
        if one.anchor:
            by_file.setdefault(one.at.file, {}).setdefault(one.at.line, []).append(one)
    for enclosed in advised:
        by_file.setdefault(enclosed.file, {})
    most_time = max((one.line.time for one in shown if one.line and one.anchor), default=0)
    most_bytes = max((_bytes(one.line) for one in shown if one.line and one.anchor), default=0)
    found = []
    for file, lines in by_file.items():
        source = sources.get(file)
        if source is None:
            where = "the current folder, and beside the program (--source names others)"
            missing = f"{file} was not found below {where}" if profile is not None else f"{file} cannot be read"
            found.append(Listing(file, (), missing, tuple(one for number in sorted(lines) for one in lines[number])))
            continue
        ranges = [(one.first, one.last) for one in advised if one.file == file]
        named = {first for first, _ in ranges}
        rows = [
            Row(
                tuple(range(first + 1, end + 1)),
                "\n".join(source.lines[first:end]),
                _anchor(file, first + 1) if first + 1 in lines or first + 1 in named else "",
                _bars(lines.get(first + 1, []), most_time, most_bytes),
                tuple(lines.get(first + 1, ())),
            )
            for first, end in _joined(source.lines, lines)
        ]
        beyond = tuple(one for number in sorted(lines) if number > len(source.lines) for one in lines[number])
        changed = profile is not None and not all(map(source.has_directive, lines))
        missing = f"{file} has changed since the program was built: lines may not match." if changed else ""
        found.append(Listing(file, _stretches(rows, ranges), missing, beyond))
    return found


def _joined(text: Sequence[str], directives: Collection[int]) -> Iterator[tuple[int, int]]:
    """[first, end) of each row of a listing: a line, or a directive that goes on in further lines."""
    first = 0
    while first < len(text):
        end = first + 1
        while (
            first + 1 in directives and end < len(text) and text[end - 1].endswith("\\") and end + 1 not in directives
        ):
            end += 1
        yield first, end
        first = end


def _bytes(line: Line) -> int:
    return sum(line.operations.get(name, Total()).bytes for name in (TO_DEVICE, FROM_DEVICE))


def _bars(shown: Sequence[Shown], most_time: int, most_bytes: int) -> tuple[tuple[str, tuple[Part, ...]], ...]:
    """The bars of time and of bytes in the margin, with their sums."""
    lines = [one.line for one in shown if one.line is not None]
    if not lines:
        return (("", ()), ("", ()))
    times: dict[str, int] = defaultdict(int)
    for line in lines:
        for kind, part in _split(line).items():
            times[kind] += part
    moved = {name: sum(line.operations.get(name, Total()).bytes for line in lines) for name in (TO_DEVICE, FROM_DEVICE)}
    total, copied = sum(times.values()), sum(moved.values())
    return (
        (time(total), _parts(times, most_time, time)),
        (size(copied) if copied else "", _parts(moved, most_bytes, size)),
    )


def _stretches(rows: Sequence[Row], advised: Sequence[tuple[int, int]]) -> tuple[tuple[bool, tuple[Row, ...]], ...]:
    """(whether it is folded, lines) of each stretch of a file. Lines that an advice names are not folded."""
    near = {number for first, last in advised for number in range(first - 1, last + 2)}
    near |= {
        number
        for row in rows
        if row.shown
        for number in range(row.numbers[0] - _SHOWN_AROUND, row.numbers[-1] + _SHOWN_AROUND + 1)
    }
    found: list[tuple[bool, list[Row]]] = []
    for row in rows:
        folded = row.numbers[0] not in near
        if not found or found[-1][0] != folded:
            found.append((folded, []))
        found[-1][1].append(row)
    return tuple((folded and len(part) > 2, tuple(part)) for folded, part in found)
