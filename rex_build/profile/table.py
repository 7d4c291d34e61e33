"""A profile for the terminal: the most expensive lines, and where the rest of the time went. Or as a
timeline in Chrome's trace format, which Perfetto and chrome://tracing show."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from .card import Card
from .measured import ALLOCATE, FROM_DEVICE, LAUNCH, RELEASE, TO_DEVICE, WAIT, Line, Profile, Total

MOST_LINES = 10
_HEAD = ("time", "share", "calls", "in kernels", "to device", "from device", "teams x threads", "line")
_WORDS = {
    TO_DEVICE: "copy to the device",
    FROM_DEVICE: "copy from the device",
    ALLOCATE: "allocate",
    RELEASE: "release",
    LAUNCH: "kernel",
    WAIT: "wait for kernels",
}
_GPU_TRACKS = 1 << 32  # streams of a GPU are tracks beside the threads, whose numbers are smaller


def as_table(profile: Profile) -> str:
    """The ten most expensive lines. ``share`` is the part of the whole run."""
    lines = profile.lines[:MOST_LINES]
    rows = [_HEAD, *(_row(profile, line) for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    table = [
        "  ".join([*(cell.rjust(width) for cell, width in zip(row[:-1], widths[:-1], strict=True)), row[-1]])
        for row in rows
    ]
    return "\n".join([_summary(profile), "", *table, *_notes(profile)])


def _summary(profile: Profile) -> str:
    start = sum(line.time for line in profile.lines if line.is_start)
    text = f"{profile.program}: {time(profile.time)}, of which {time(profile.offload_time)} in offloading"
    text += f" ({share(profile.offload_time, profile.time)}; start-up {time(start)})" if start else ""
    return text + (f"; sums of {profile.processes} processes" if profile.processes > 1 else "")


def _row(profile: Profile, line: Line) -> tuple[str, ...]:
    kernel = line.kernel
    where = f"({line.what})" if line.is_start else f"{line.place}: {line.what}"
    if line.place.function and not line.is_start:
        where += f", in {line.place.function}"
    if line.on_host:
        where += f" (on the host {line.on_host} times)"
    return (
        time(line.time),
        share(line.time, profile.time),
        str(line.calls),
        time(kernel.time) if kernel is not None else "?" if line.teams and not line.on_host else "",
        _moved(line.transfer(TO_DEVICE)),
        _moved(line.transfer(FROM_DEVICE)),
        _shape(line),
        where,
    )


def _moved(total: Total) -> str:
    return f"{size(total.bytes)} in {time(total.time)}" if total.count else ""


def _shape(line: Line) -> str:
    if line.teams is None or line.threads is None:
        return ""
    return f"{between(line.teams)} x {between(line.threads)}"


def between(numbers: Sequence[int]) -> str:
    low, high = numbers
    if not high:
        return "?"  # left to the runtime
    return str(low) if low == high else f"{low}..{high}"


def _notes(profile: Profile) -> list[str]:
    notes = []
    left = profile.lines[MOST_LINES:]
    if left:
        notes.append(f"{len(left)} more lines take {time(sum(line.time for line in left))}")
    allocated = sum((line.operations.get(ALLOCATE, Total()) for line in profile.lines), Total())
    if allocated.count:
        notes.append(f"{allocated.count} allocations on devices, {size(allocated.bytes)} in all")
    if profile.card is not None and (rates := can_do(profile.card)):
        notes.append(f"{profile.card.name}: {rates}")
    if not profile.has_operations:
        notes.append(
            "this runtime reports no copies and no kernels (it has no OMPT), so only whole directives have times"
        )
    elif any(line.teams and line.kernel is None and not line.on_host for line in profile.lines):
        why = "CUPTI gave none" if profile.has_gpu_times else "CUPTI could not be loaded"
        notes.append(f"times in kernels are unknown, because {why}")
    return ["", *notes] if notes else []


def time(nanoseconds: int) -> str:
    for unit, name in ((10**9, "s"), (10**6, "ms"), (10**3, "µs")):
        if nanoseconds >= unit:
            return (
                f"{nanoseconds / unit:.3g} {name}" if nanoseconds < 1000 * unit else f"{nanoseconds / unit:.0f} {name}"
            )
    return f"{nanoseconds} ns"


def size(count: int) -> str:
    for unit, name in ((10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count} B"


def can_do(card: Card) -> str:
    """How many bytes a GPU moves in a second, in words, as far as that is known."""
    memory = f"its memory moves up to {size(card.memory_rate)}/s" if card.memory_rate else ""
    link = f"PCIe up to {size(card.link)}/s each way" if card.link else ""
    return ", ".join(filter(None, (memory, link)))


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""


def as_trace(profile: Profile) -> Iterator[str]:
    """The text of the file in parts: complete events, in microseconds since the start of their process."""
    names: dict[tuple[int, int], str] = {}
    yield '{"displayTimeUnit": "ns", "traceEvents": ['
    for event in profile.events:
        track = event.track + (_GPU_TRACKS if event.on_gpu else 0)
        names[event.process, track] = f"GPU stream {event.track}" if event.on_gpu else f"thread {event.track}"
        whole = {
            "name": _WORDS.get(event.what, f"{event.line} {event.what}" if event.line.line else str(event.line)),
            "cat": "gpu" if event.on_gpu else "operation" if event.what in _WORDS else "directive",
            "ph": "X",
            "ts": event.begin / 1000,
            "dur": event.time / 1000,
            "pid": event.process,
            "tid": track,
            "args": {"line": str(event.line), "function": event.line.function, "bytes": event.bytes},
        }  # fmt: skip
        yield json.dumps(whole) + ",\n"
    tracks = [
        {"name": "thread_name", "ph": "M", "pid": process, "tid": track, "args": {"name": name}}
        for (process, track), name in sorted(names.items())
    ]
    yield ",\n".join(map(json.dumps, tracks)) + "]}"
