"""A profile as a timeline in Chrome's trace format, which Perfetto and chrome://tracing show."""

from __future__ import annotations

import json
from collections.abc import Iterator

from .measured import ALLOCATE, FROM_DEVICE, LAUNCH, RELEASE, TO_DEVICE, WAIT, Profile

_WORDS = {
    TO_DEVICE: "copy to the device",
    FROM_DEVICE: "copy from the device",
    ALLOCATE: "allocate",
    RELEASE: "release",
    LAUNCH: "kernel",
    WAIT: "wait for kernels",
}
_GPU_TRACKS = 1 << 32  # streams of a GPU are tracks beside the threads, whose numbers are smaller


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
