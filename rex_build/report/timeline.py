"""The timeline of a page, with as many events as a browser draws at once."""

from __future__ import annotations

import heapq
from typing import Any

from ..profile.measured import OPERATIONS, Profile
from ..profile.table import time

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
