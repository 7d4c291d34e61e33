"""Keeps the store within its size limit by removing the entries that were used longest ago.

The store's size is noted in a file, so that storing one entry does not read others. Folders are read only when the size
passes the limit: all folders of a small store, and a random part of a large one.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from ..base.records import dataclass
from .locks import TAKEN, held
from .store import HEADER_BYTES, KINDS, Settings, Store, read_note, warn, write_new

# About how many entries one eviction reads. 50,000 take a third of a second.
_ENTRIES_PER_SCAN = 50_000
# The part of the limit that is still used after an eviction that reads the whole store.
_FILL = 0.9
# How old a file without a lock must be before it counts as abandoned. A younger one may be about to get its lock.
_ABANDONED_S = 5
# The same for file systems that cannot lock files.
_ABANDONED_UNLOCKABLE_S = 3600


@dataclass(frozen=True)
class Entry:
    """One file of the store: ``size`` in bytes, ``used_ns`` its last use."""

    path: str
    size: int
    used_ns: int


def publish(store: Store, settings: Settings, kind: str, key: str, payload: bytes) -> bool:
    """Store an entry within the limit. Returns whether it is stored.

    The entry is noted and published under one lock, so that an eviction which counts the store anew sees both or
    neither. The size is noted first. If the process ends in between, the store is smaller than noted, not larger.
    """
    written = store.write(kind, key, payload)
    if written is None:
        return False
    with alone(store) as noting:
        if noting:
            try:
                _grow(store, settings.limit, len(payload) + HEADER_BYTES)
            except OSError as error:
                _warn_of_limit(store, error)
        return store.place(written, kind, key)


def trim(store: Store, limit: int) -> tuple[int, int]:
    """Bring the whole store to ``limit`` bytes or less, oldest use first. Returns (entries removed, bytes removed)."""
    removed = freed = 0
    with alone(store) as noting:
        if noting:
            try:
                entries = scan(store)
                total = sum(entry.size for entry in entries) + sweep(store)
                removed, freed = _evict(entries, total - limit)
                _write_size(store, total - freed, len(entries) - removed)
            except OSError as error:
                _warn_of_limit(store, error)
    return removed, freed


def all_shards() -> list[str]:
    """The folders of a store's entries."""
    return [f"{kind}/{number:02x}" for kind in KINDS for number in range(256)]


def scan(store: Store, shards: Sequence[str] | None = None) -> list[Entry]:
    """The entries in these folders of the store. Symbolic links are skipped."""
    found = []
    for shard in all_shards() if shards is None else shards:
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
    shards = every = all_shards()
    share = max(1, min(len(every), len(every) * _ENTRIES_PER_SCAN // max(1, count)))
    if share < len(every):
        import random  # most processes find enough space

        shards = random.sample(every, share)
    entries = scan(store, shards)
    if shards is every:
        size, count = sum(entry.size for entry in entries) + max(added, sweep(store)), len(entries) + 1
    part = share / len(every)
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


def sweep(store: Store) -> int:
    """Remove unfinished files whose writer is gone. Returns the bytes of the remaining unfinished files."""
    folder = store.root + "/new"
    total = 0
    try:
        if os.path.islink(folder):
            return 0
        with os.scandir(folder) as entries:
            for entry in entries:
                if not entry.is_file(follow_symlinks=False) or not entry.name.endswith(".part"):
                    continue
                with suppress(OSError):  # it may have been published meanwhile
                    if not _remove_abandoned(entry.path):
                        total += entry.stat(follow_symlinks=False).st_size
    except OSError:
        pass
    return total


def _remove_abandoned(path: str) -> bool:
    """Remove an unfinished file if its writer is gone. Returns whether it was removed. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        patience_s = _ABANDONED_S
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in TAKEN:
                return False
            patience_s = _ABANDONED_UNLOCKABLE_S
        if abs(time.time() - os.fstat(handle).st_mtime) < patience_s:
            return False
        os.unlink(path)
        return True
    finally:
        os.close(handle)


def read_size(store: Store) -> tuple[int, int]:
    """The store's size as (bytes, entries), from the note. It is counted anew when the note is missing or malformed."""
    try:
        size, count = map(int, read_note(store.root + "/state/size").split())
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


@contextmanager
def alone(store: Store) -> Iterator[bool]:
    """Keep other processes from publishing and evicting. Yields whether the noted size may be changed.

    It may not when another process has been evicting for too long. The note then misses one entry.
    """
    with held(store, store.root + "/state/size.lock", 30, 0.01) as (locked, waited):
        yield locked or not waited


def _warn_of_limit(store: Store, error: OSError) -> None:
    warn(f"cannot keep {store.root} within its limit: {error}")
