"""Sums up the logs of events (``Store.count``) when the user asks for them."""

from __future__ import annotations

import os

from .store import Store, read_note

HITS = ("direct hit", "preprocessed hit", "image hit", "object hit")


def totals(store: Store) -> dict[str, tuple[int, int]]:
    """For every event, (how often it happened, milliseconds saved)."""
    sums: dict[str, tuple[int, int]] = {}
    folder = store.root + "/stats"
    try:
        names = os.listdir(folder)
    except OSError:
        return sums
    for name in names:
        try:
            for line in read_note(f"{folder}/{name}").split("\n"):
                _add(sums, line.split("\t"))
        except OSError:
            continue
    return sums


def _add(sums: dict[str, tuple[int, int]], words: list[str]) -> None:
    """Add one line. ``event milliseconds`` counts once, and ``event milliseconds times`` counts so many times."""
    try:
        saved, times = int(words[1]), int(words[2]) if len(words) > 2 else 1
    except (IndexError, ValueError):
        return
    before = sums.get(words[0], (0, 0))
    sums[words[0]] = (before[0] + times, before[1] + saved)


def compact(store: Store) -> None:
    """Replace the logs that were renamed by one log with a line per event."""
    folder = store.root + "/stats"
    if store.log_leads_elsewhere():
        return
    try:
        aside = [name for name in os.listdir(folder) if name.startswith("log.")]
        if len(aside) < 2:
            return
        sums: dict[str, tuple[int, int]] = {}
        for name in aside:
            for line in read_note(f"{folder}/{name}").split("\n"):
                _add(sums, line.split("\t"))
        text = "".join(f"{event}\t{saved}\t{times}\n" for event, (times, saved) in sums.items())
        store.make_folder(folder)
        temporary = store.temporary()
        with open(temporary, "x", encoding="utf-8") as out:
            out.write(text)
        os.replace(temporary, f"{folder}/{aside[0]}")
        for name in aside[1:]:
            os.unlink(f"{folder}/{name}")
    except OSError:
        pass


def zero(store: Store) -> None:
    """Forget all counts."""
    folder = store.root + "/stats"
    if store.log_leads_elsewhere():
        return
    try:
        for name in os.listdir(folder):
            if is_log(name):
                os.unlink(f"{folder}/{name}")
    except OSError:
        pass


def is_log(name: str) -> bool:
    return name == "log" or name.startswith("log.")
