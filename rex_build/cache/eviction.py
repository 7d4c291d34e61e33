"""Keeping the store within its limit: what was not used for longest goes first.

The size is kept in a file, so that storing an entry looks at no other. Only when it passes the limit are folders read,
all of them in a small store, a random part of a large one.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from .locks import held
from .settings import Settings, warn
from .store import HEADER_BYTES, KINDS, Store, write_new

SHARDS = tuple(f"{kind}/{number:02x}" for kind in KINDS for number in range(256))
# Entries that one eviction looks at, about: 50,000 take a third of a second.
_ENTRIES_PER_SCAN = 50_000
# What an eviction of everything leaves.
_FILL = 0.9
# Files being written are left alone for this long; what is older has lost its writer.
_ABANDONED_S = 3600


@dataclass(frozen=True)
class Entry:
    """One file of the store: ``size`` in bytes, ``used_ns`` its last use."""

    path: str
    size: int
    used_ns: int


def make_room(store: Store, settings: Settings, added: int) -> None:
    """Note that the store is about to grow by ``added`` bytes, and evict when it becomes too large."""
    if added and store.writable:
        _with_state(store, lambda: _grow(store, settings.limit, added))


def publish(store: Store, settings: Settings, kind: str, key: str, payload: bytes) -> bool:
    """Store an entry within the limit. Returns whether it is there.

    Its size is noted first: a process that ends in between leaves the store smaller than its note, not larger, and the
    next eviction counts anew.
    """
    make_room(store, settings, len(payload) + HEADER_BYTES)
    return store.put(kind, key, payload)


def trim(store: Store, limit: int) -> tuple[int, int]:
    """Bring the whole store to ``limit`` bytes or less, oldest use first. Returns (entries removed, bytes removed)."""
    removed = [0, 0]

    def work() -> None:
        entries = list(scan(store, SHARDS))
        remove_abandoned(store)
        total = sum(entry.size for entry in entries)
        removed[:] = _evict(entries, total - limit)
        _write_size(store, total - removed[1], len(entries) - removed[0])

    _with_state(store, work)
    return removed[0], removed[1]


def scan(store: Store, shards: tuple[str, ...] = SHARDS) -> list[Entry]:
    """The entries in some folders of the store. Symbolic links are neither entries nor folders."""
    found = []
    for shard in shards:
        folder = f"{store.root}/{shard}"
        try:
            if os.path.islink(folder) or os.path.islink(os.path.dirname(folder)):
                continue
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_file(follow_symlinks=False):
                        state = entry.stat(follow_symlinks=False)
                        found.append(Entry(entry.path, state.st_size, state.st_mtime_ns))
        except OSError:
            continue
    return found


def _grow(store: Store, limit: int, added: int) -> None:
    size, count = read_size(store)
    size += added
    count += 1
    if size <= limit:
        _write_size(store, size, count)
        return
    share = max(1, min(len(SHARDS), len(SHARDS) * _ENTRIES_PER_SCAN // max(1, count)))
    shards = SHARDS if share == len(SHARDS) else tuple(random.sample(SHARDS, share))
    entries = scan(store, shards)
    if shards is SHARDS:
        size, count = sum(entry.size for entry in entries) + added, len(entries) + 1
        remove_abandoned(store)
    part = share / len(SHARDS)
    goal = limit * (1 - (1 - _FILL) * part)
    removed, freed = _evict(entries, size - goal)
    _write_size(store, size - freed, count - removed)


def _evict(entries: list[Entry], excess: float) -> tuple[int, int]:
    """Remove the entries used longest ago until ``excess`` bytes are gone."""
    removed = freed = 0
    for entry in sorted(entries, key=lambda entry: entry.used_ns):
        if freed >= excess:
            break
        try:
            os.unlink(entry.path)
        except OSError:
            continue
        removed += 1
        freed += entry.size
    return removed, freed


def remove_abandoned(store: Store) -> None:
    """Remove half-written files that nobody is writing any more."""
    folder = store.root + "/new"
    limit = time.time() - _ABANDONED_S
    try:
        if os.path.islink(folder):
            return
        with os.scandir(folder) as entries:
            for entry in entries:
                state = entry.stat(follow_symlinks=False)
                if not entry.is_file(follow_symlinks=False) or not entry.name.endswith(".part"):
                    continue
                if not limit < state.st_mtime < time.time() + _ABANDONED_S:
                    os.unlink(entry.path)
    except OSError:
        pass


def read_size(store: Store) -> tuple[int, int]:
    """(bytes, entries) as last noted; counted anew when the note is missing or makes no sense."""
    try:
        with open(store.root + "/state/size", encoding="ascii") as file:
            size, count = map(int, file.read().split())
        if size >= 0 and count >= 0:
            return size, count
    except (OSError, ValueError):
        pass
    entries = scan(store)
    return sum(entry.size for entry in entries), len(entries)


def _write_size(store: Store, size: int, count: int) -> None:
    store.make_folder(store.root + "/state")
    temporary = store.temporary()
    write_new(temporary, [f"{max(0, size)} {max(0, count)}\n".encode()], store.file_mode())
    os.replace(temporary, store.root + "/state/size")


def _with_state(store: Store, work: Callable[[], object]) -> None:
    """Run ``work`` while no other process changes the note of the size, where that can be had.

    When somebody else evicts for that long, the note lags behind by one entry.
    """
    with held(store, store.root + "/state/size.lock", 30, 0.01) as (alone, waited):
        if alone or not waited:
            try:
                work()
            except OSError as error:
                warn(f"cannot keep {store.root} within its limit: {error}")
