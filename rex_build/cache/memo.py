"""Remembers digests of files under the values that ``stat`` gives, so that a thousand units hash stdio.h only once.

    slot = name value check, 32 bytes each: a BLAKE2b of the file's name, machine and state; the content's digest;
           a BLAKE2b of both, so that a slot which two processes wrote at once never matches

Each user has one file of 65,536 such slots. A name may be in any of four slots, and its first bytes give the first one.
"""

from __future__ import annotations

import marshal
import os
import time

from .store import Store, digest, raw_digest, read_data, read_settings, warn, write_new

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .store import Settings

_SLOT = 96
_SLOTS = 1 << 16
_WAYS = 4
# A file that was changed this recently may change again without getting a new time stamp.
_SETTLED_NS = 2 * 10**9


class Memo:
    """Remembered digests of files, and of other data computed from files. Without its file, everything is hashed."""

    __slots__ = ("_handle", "_node", "_now", "_store", "seen")

    def __init__(self, store: Store | None) -> None:
        self._node = os.uname().nodename
        self._now = time.time_ns()
        self._handle = _open(store) if store is not None else None
        self._store = store
        if self._handle is not None and store is not None and store.writable and (others := store.other_writers()):
            self._say_once(store.root, others)
        # Digests by path, for questions that are repeated.
        self.seen: dict[str, str] = {}

    def forget(self) -> None:
        """Ask files again from now on: there was work, or another process's, while they may have changed."""
        self.seen.clear()

    def __del__(self) -> None:
        if self._handle is not None:
            os.close(self._handle)

    def file(self, path: str) -> str:
        """The digest of a file's content. Raises OSError when it cannot be read."""
        known = self.seen.get(path)
        if known is None:
            state = os.stat(path)
            if state.st_mode & 0o170000 != 0o100000:
                raise OSError(22, "not a regular file", path)
            name = self.name(path, state)
            known = self.get(name)
            if known is None:
                known = digest(read_file(path))
                self.put(name, known, state)
            self.seen[path] = known
        return known

    def name(self, path: str, state: os.stat_result) -> bytes:
        """The memo's name for a file in this state."""
        return self.name_of_all([path, *file_state(state)])

    def name_of_all(self, facts: Sequence[object]) -> bytes:
        """The memo's name for these facts, which are strings, numbers, bytes and lists of such, on this machine."""
        # marshal is faster than any text format. From version 3 on its bytes would depend on the identity of objects.
        return raw_digest(marshal.dumps([self._node, *facts], 2))

    def _say_once(self, root: str, others: str) -> None:
        """Say that others decide what this user builds, unless that was said, or would be said again each time."""
        name = self.name_of_all(["others may write", root, others])
        if self.get(name) is None:
            self.put(name, digest(root.encode("utf-8", "surrogateescape")))
            if self.get(name) is not None:
                warn(f"{root} can be written to by {others} as well: what others store there becomes part of builds")

    def get(self, name: bytes) -> str | None:
        """The digest that was remembered under a 32-byte name, as 64 hexadecimal digits, or None."""
        if self._handle is None:
            return None
        at = int.from_bytes(name[:4], "little") % _SLOTS
        try:
            slots = os.pread(self._handle, _SLOT * _WAYS, at * _SLOT)
        except OSError:
            return None
        found = slots.find(name)
        if found < 0 or found % _SLOT or len(slots) < found + _SLOT:
            return None
        value = slots[found + 32 : found + 64]
        check = slots[found + 64 : found + 96]
        return value.hex() if check == _check(name, value) else None

    def put(self, name: bytes, value: str, *states: os.stat_result) -> None:
        """Remember ``value``, unless one of the files it comes from was changed within the last two seconds."""
        if self._handle is None:
            return
        newest = max((max(s.st_mtime_ns, s.st_ctime_ns) for s in states), default=0)
        if newest > self._now - _SETTLED_NS:
            return
        data = bytes.fromhex(value)
        way = name[4] % _WAYS
        at = int.from_bytes(name[:4], "little") % _SLOTS
        try:
            for candidate in range(_WAYS):
                there = os.pread(self._handle, 32, (at + candidate) * _SLOT)
                if there == name or not there.strip(b"\0"):
                    way = candidate
                    break
            os.pwrite(self._handle, name + data + _check(name, data), (at + way) * _SLOT)
        except OSError:
            self._handle = None

    def recall(self, name: bytes) -> bytes | None:
        """The bytes that :meth:`remember` kept. Only what the same user has remembered counts in a shared store."""
        content = self.get(name)
        if content is None:
            return None
        try:
            data = read_data(self._blob(name))
        except OSError:
            return None
        return data if digest(data) == content else None

    def remember(self, name: bytes, data: bytes, *states: os.stat_result) -> None:
        """Keep bytes that were computed from files. ``states`` are these files' states, as for :meth:`put`."""
        if self._store is None or not self._store.writable or self._handle is None:
            return
        path = self._blob(name)
        temporary = self._store.temporary()
        try:
            self._store.make_folder(os.path.dirname(path))
            write_new(temporary, [data], self._store.file_mode())
            os.replace(temporary, path)
        except OSError:
            return
        self.put(name, digest(data), *states)

    def _blob(self, name: bytes) -> str:
        return f"{self._store.root}/state/{name.hex()[:40]}" if self._store is not None else ""


class Cache:
    """The cache as the steps of one unit share it. Each file is asked once for its digest: ``memo`` has those."""

    __slots__ = ("memo", "settings", "store")

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings)
        self.memo = Memo(self.store)


def opened_cache() -> Cache | None:
    """The cache, or None if it is off."""
    settings = read_settings()
    return None if settings.mode == "off" else Cache(settings)


def file_state(state: os.stat_result) -> tuple[int, ...]:
    """The values of ``stat`` that change when a file, or the list of names in a folder, changes."""
    return state.st_dev, state.st_ino, state.st_mode, state.st_size, state.st_mtime_ns, state.st_ctime_ns


def read_file(path: str) -> bytes:
    """The bytes of a file. Raises OSError."""
    with open(path, "rb", buffering=0) as file:
        return file.readall()


def _check(name: bytes, value: bytes) -> bytes:
    return raw_digest(name + value)


def _open(store: Store) -> int | None:
    path = f"{store.root}/memo.{os.getuid()}"
    flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW
    read_only = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        handle = os.open(path, flags if store.writable else read_only)
    except FileNotFoundError:
        if not store.writable:
            return None
        try:
            os.makedirs(store.root, exist_ok=True)
            handle = os.open(path, flags | os.O_CREAT, 0o600)
        except OSError:
            return None
    except OSError:
        return None
    # Other users may be able to write to the folder, so only the user's own file can be trusted.
    state = os.fstat(handle)
    if state.st_uid != os.getuid() or state.st_mode & 0o022:
        os.close(handle)
        return None
    return handle
