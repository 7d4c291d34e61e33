"""What a run of a program has cost, by the lines of its directives."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..base.records import dataclass, replace
from .card import Card, Shape, card, occupancy

TO_DEVICE, FROM_DEVICE, ALLOCATE, RELEASE, LAUNCH, WAIT = OPERATIONS = (
    "to_device",
    "from_device",
    "allocate",
    "release",
    "launch",
    "wait",
)
_START_UP = "rex_offload_init"
STARTS = ("start of the runtime", "start of the device")
_CPU = "generic"  # LLVM's name for the kind of its cpu devices


@dataclass(frozen=True)
class Total:
    """How often something was done, with how many bytes, and how long it took, in nanoseconds."""

    count: int = 0
    bytes: int = 0
    time: int = 0

    def __add__(self, other: Total) -> Total:
        return Total(self.count + other.count, self.bytes + other.bytes, self.time + other.time)


@dataclass(frozen=True)
class Place:
    """A directive of the program, or another place that calls the runtime (``line`` 0)."""

    file: str
    line: int
    column: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True)
class Line:
    """What one line has cost.

    ``calls`` are the times that the directive was met, and ``time`` is how long the program was in the runtime for it,
    in nanoseconds. ``operations`` have the times of the host, and ``gpu`` those that the GPU itself has measured, if
    it could be asked. ``teams`` and ``threads`` are the least and the most of one launch. ``on_host`` counts regions
    for which there was no device. ``mapped`` are the launches of which it is known how many bytes of the device their
    variables hold, with these bytes, and ``shape`` is that of the longest launch on a GPU.
    """

    place: Place
    what: str
    calls: int
    time: int
    operations: dict[str, Total]
    gpu: dict[str, Total]
    variables: dict[str, dict[str, Total]]
    teams: tuple[int, int] | None = None
    threads: tuple[int, int] | None = None
    on_host: int = 0
    on_cpu: bool = False
    mapped: Total = Total()
    shape: Shape | None = None

    @property
    def is_start(self) -> bool:
        """Whether this is the start of the runtime or of the device, and no line of the user's."""
        return self.what in STARTS

    @property
    def kernel(self) -> Total | None:
        """The kernels' own time, if it is known: of a GPU only with CUPTI."""
        return self.gpu.get(LAUNCH) or (self.operations.get(LAUNCH) if self.on_cpu else None)

    @property
    def touched(self) -> int:
        """Bytes a second of its kernels, if each touches all bytes of its mapped variables once. 0 if not known."""
        kernel = self.kernel
        if kernel is None or not kernel.time or self.on_host or self.mapped.count < self.calls:
            return 0
        return self.mapped.bytes * 10**9 // kernel.time

    def transfer(self, direction: str) -> Total:
        """The copies in one direction, with the GPU's own times if these are known."""
        return self.gpu.get(direction) or self.operations.get(direction, Total())


class Event(NamedTuple):
    """One thing on the timeline. Times are in nanoseconds since the start of the process.

    ``track`` is a thread of the program, or a stream of the GPU if ``on_gpu``.
    """

    process: int
    track: int
    on_gpu: bool
    line: Place
    what: str
    begin: int
    time: int
    bytes: int


@dataclass(frozen=True)
class Recorded:
    """The events of a process as the recorder has written them, because a million objects would fill a gigabyte."""

    process: int
    places: tuple[Place, ...]
    kinds: tuple[str, ...]
    data: bytes

    _FORMAT = struct.Struct("=qQQIHh")  # as recorder.c has it

    def __len__(self) -> int:
        return len(self.data) // self._FORMAT.size

    def __iter__(self) -> Iterator[Event]:
        whole = memoryview(self.data)[: len(self) * self._FORMAT.size]
        for begin, time, size, track, site, what in self._FORMAT.iter_unpack(whole):
            name = self.kinds[site] if what < 0 else OPERATIONS[what % 16]
            yield Event(self.process, track, what >= 16, self.places[site], name, begin, time, size)


@dataclass(frozen=True)
class Profile:
    """A run of a program, with all its processes. ``time`` is that of the longest process, in nanoseconds."""

    program: str
    time: int
    processes: int
    has_operations: bool  # the runtime reported data operations and launches (OMPT)
    has_gpu_times: bool  # CUPTI was there
    lines: tuple[Line, ...]  # the most expensive first
    recorded: tuple[Recorded, ...]
    dropped: int  # events for which there was no room
    card: Card | None
    objects: tuple[str, ...]  # the files of the program and of its libraries that use the runtime
    command: str = ""  # with its arguments, as a shell takes it
    began: str = ""  # the day and the time

    @property
    def offload_time(self) -> int:
        return sum(line.time for line in self.lines)

    @property
    def on_cpu(self) -> bool:
        return any(line.on_cpu for line in self.lines)

    @property
    def events(self) -> Iterator[Event]:
        """What happened, in no order."""
        return (event for part in self.recorded for event in part)

    @property
    def event_count(self) -> int:
        return sum(map(len, self.recorded))


def read_profile(files: Iterable[Path]) -> Profile | None:
    """The profile that the recorder has written, a file for each process, or None if it has written nothing."""
    records, recorded = [], []
    lines: dict[Place, list[Line]] = defaultdict(list)
    for file in sorted(files):
        record = json.loads(file.read_text("utf-8", "surrogateescape"))
        records.append(record)
        _divide_waits(record["sites"])
        places = _places(record["sites"])
        for site, place in zip(record["sites"], places, strict=True):
            lines[place].append(_line(site, place, record["devices"]))
        if (events := file.with_suffix(".events")).exists():
            kinds = tuple(site["kind"] for site in record["sites"])
            recorded.append(Recorded(record["process"], tuple(places), kinds, events.read_bytes()))
    if not records:
        return None
    merged = sorted((_merged(parts) for parts in lines.values()), key=lambda line: (-line.time, str(line.place)))
    longest = max(records, key=lambda record: record["time"])
    return Profile(
        program=longest["program"],
        time=longest["time"],
        processes=len(records),
        has_operations=any(record["ompt"] for record in records),
        has_gpu_times=any(record["cupti"] for record in records),
        lines=tuple(merged),
        recorded=tuple(recorded),
        dropped=sum(record["dropped"] for record in records),
        card=card(max((record["card"] for record in records), key=lambda one: int(one["multiprocessors"]))),
        objects=tuple(dict.fromkeys(name for record in records for name in _objects(record))),
    )


def _objects(record: dict[str, Any]) -> list[str]:
    return [record["program"], *(site["object"] for site in record["sites"] if "object" in site)]


def as_json(profile: Profile) -> dict[str, Any]:
    """The profile for programs. All times are in nanoseconds."""

    def totals(of: dict[str, Total]) -> dict[str, Any]:
        return {name: {"count": t.count, "bytes": t.bytes, "time_ns": t.time} for name, t in of.items()}

    def line(one: Line) -> dict[str, Any]:
        kernel = one.kernel
        resident = occupancy(profile.card, one.shape) if profile.card is not None and one.shape is not None else None
        return {
            "file": one.place.file,
            "line": one.place.line,
            "column": one.place.column,
            "function": one.place.function,
            "what": one.what,
            "calls": one.calls,
            "time_ns": one.time,
            "kernel_time_ns": kernel.time if kernel is not None else None,
            "operations": totals(one.operations),
            "gpu": totals(one.gpu),
            "variables": {name: totals(of) for name, of in one.variables.items()},
            "teams": one.teams,
            "threads": one.threads,
            "on_host": one.on_host,
            "mapped_bytes": one.mapped.bytes if one.mapped.count == one.calls else None,
            "occupancy": resident.part if resident is not None else None,
        }

    return {
        "version": 1,
        "program": profile.program,
        "command": profile.command,
        "began": profile.began,
        "time_ns": profile.time,
        "processes": profile.processes,
        "has_operations": profile.has_operations,
        "has_gpu_times": profile.has_gpu_times,
        "dropped_events": profile.dropped,
        "card": None if profile.card is None else {
            "name": profile.card.name, "multiprocessors": profile.card.multiprocessors,
            "memory_bytes_per_s": profile.card.memory_rate, "link_bytes_per_s": profile.card.link,
        },
        "lines": [line(one) for one in profile.lines],
    }


# -- places ------------------------------------------------------------------------------------------------------


def _places(sites: Sequence[dict[str, Any]]) -> list[Place]:
    """The places of all sites. Debug information gives those that pass no location, if there is any."""
    unknown: dict[str, list[int]] = defaultdict(list)
    for site in sites:
        if "source" not in site and "object" in site:
            unknown[site["object"]].append(site["offset"])
    looked_up = {name: _from_debug_information(name, sorted(set(offsets))) for name, offsets in unknown.items()}
    return [_place(site, looked_up) for site in sites]


def _place(site: dict[str, Any], looked_up: dict[str, dict[int, Place]]) -> Place:
    if "source" in site:
        _, file, function, line, column, *_ = f"{site['source']};;;;".split(";")
        return Place(file, _number(line), _number(column), function)
    if site["kind"] == "start":
        return Place(STARTS[0], 0, 0, "")
    found = looked_up.get(site.get("object", ""), {}).get(site.get("offset", 0))
    if found is not None:
        return found
    return Place(f"{Path(site.get('object', '')).name}+{site.get('offset', 0):#x}", 0, 0, site.get("symbol", ""))


def _number(text: str) -> int:
    return int(text) if text.isdigit() else 0


def _from_debug_information(name: str, offsets: Sequence[int]) -> dict[int, Place]:
    """The places of calls that return to ``offsets``, as far as addr2line knows them."""
    program = shutil.which("addr2line")
    if program is None:
        return {}
    addresses = [hex(offset - 1) for offset in offsets]  # of the call, not of what follows it
    done = subprocess.run([program, "-f", "-e", name, *addresses], capture_output=True, text=True, errors="replace")
    rows = done.stdout.splitlines()
    found = {}
    for offset, function, where in zip(offsets, rows[::2], rows[1::2], strict=False):
        file, _, line = where.split(" (")[0].rpartition(":")
        if line.isdigit() and line != "0":
            found[offset] = Place(Path(file).name, int(line), 0, function)
    return found


# -- runs --------------------------------------------------------------------------------------------------------


def _divide_waits(sites: Sequence[dict[str, Any]]) -> None:
    """Gives each region of a run its part of the waits for the run, by the GPU's time for its kernels.

    Regions of a run are launched one after the other and waited for once (rex_in_order.h). The recorder counts these
    waits for the run's first region, ``run``.
    """
    runs: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for site in sites:
        if "run" in site:
            runs[site["run"]].append(site)
    waits = {first: sites[first]["operations"].pop(WAIT, None) for first in runs}
    for first, regions in runs.items():
        if (wait := waits[first]) is None:
            continue
        count, _, time = wait
        of_gpu = [site["gpu"].get(LAUNCH, (0, 0, 0))[2] for site in regions]
        for site, part in zip(regions, of_gpu, strict=True):
            share = time * part // sum(of_gpu) if sum(of_gpu) else time // len(regions)
            site["operations"][WAIT] = [count, 0, share]
            site["time"] += share


# -- lines -------------------------------------------------------------------------------------------------------


def _totals(values: dict[str, list[int]]) -> dict[str, Total]:
    return {name: Total(*value) for name, value in values.items()}


def _line(site: dict[str, Any], place: Place, devices: Sequence[str]) -> Line:
    teams, threads = site.get("teams"), site.get("threads")
    device = site.get("device", -1)
    return Line(
        place=place,
        what=site["kind"],
        calls=site["count"],
        time=site["time"],
        operations=_totals(site["operations"]),
        gpu=_totals(site["gpu"]),
        variables={
            f"{variable['name']};".lstrip(";").split(";")[0]: _totals(variable["operations"])
            for variable in site["variables"]
        },
        teams=(teams[0], teams[1]) if teams else None,
        threads=(threads[0], threads[1]) if threads else None,
        on_host=site.get("on_host", 0),
        on_cpu=0 <= device < len(devices) and devices[device].startswith(_CPU),
        mapped=Total(*site.get("mapped", ())),
        shape=Shape(*site["kernel"]) if "kernel" in site else None,
    )


_WORDS = {"target": "target", "update": "target update", "start": STARTS[0], "other": "API call"}


def _merged(parts: Sequence[Line]) -> Line:
    """The line of all sites at one place: both ends of ``target data``, or the same line in several processes."""
    kinds = {part.what for part in parts}
    what = " and ".join(sorted(_WORDS[kind] for kind in kinds if kind in _WORDS))
    if "data begin" in kinds or "data end" in kinds:
        what = "target data" if {"data begin", "data end"} <= kinds else ""
        what = what or ("target enter data" if "data begin" in kinds else "target exit data")
    if parts[0].place.function == _START_UP:
        what = STARTS[1]
    of_most = max(parts, key=lambda part: part.calls)
    twice = {"data begin", "data end"} <= kinds  # each execution has a beginning and an end
    calls = sum(part.calls for part in parts if not twice or part.what == "data begin")
    whole = replace(of_most, what=what, calls=calls, time=sum(part.time for part in parts))
    return replace(
        whole,
        operations=_sum(part.operations for part in parts),
        gpu=_sum(part.gpu for part in parts),
        variables={
            name: _sum(part.variables.get(name, {}) for part in parts)
            for name in dict.fromkeys(name for part in parts for name in part.variables)
        },
        teams=_range([part.teams for part in parts]),
        threads=_range([part.threads for part in parts]),
        on_host=sum(part.on_host for part in parts),
        mapped=sum((part.mapped for part in parts), Total()),
    )


def _sum(all_totals: Iterable[dict[str, Total]]) -> dict[str, Total]:
    found: dict[str, Total] = {}
    for totals in all_totals:
        for name, total in totals.items():
            found[name] = found.get(name, Total()) + total
    return found


def _range(ranges: Sequence[tuple[int, int] | None]) -> tuple[int, int] | None:
    known = [one for one in ranges if one is not None]
    return (min(low for low, _ in known), max(high for _, high in known)) if known else None
