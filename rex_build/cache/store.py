"""The store, and the user's settings for it. An entry is one file, found by its key, and complete whenever it exists.

    entry   = "rex-build cache entry\\n" version kind key checksum length "\\n" payload
    version = 4 decimal digits               kind = 1 letter: m manifest, r lowered unit, i image, o object
    key     = 64 hexadecimal digits          checksum = 64 digits, BLAKE2b of the payload
    length  = 16 decimal digits, the payload's bytes

    <root>/<kind>/<first 2 digits of the key>/<the other 62>   entries; their mtime is their last use
    <root>/new/                                                files being written
    <root>/stats/                                              logs of events
    <root>/locks/ state/ memo.<uid>                            see locks.py, eviction.py, memo.py

    event = name " " milliseconds saved "\\n"                   a line of the log; stats.py sums them up

Readers take no locks. Writers write a temporary file and rename it. A damaged entry is a miss.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


# Cache keys. A key is a digest over named fields, and the fields can be printed and compared.

try:
    # hashlib would load OpenSSL, which takes several times as long as the rest of a hit.
    from _blake2 import blake2b
except ImportError:  # some Python builds do not have this module
    from hashlib import blake2b

# This number is raised whenever the meaning of a field or the format of an entry changes.
FORMAT = 1


def digest(data: bytes) -> str:
    """The digest as 64 hexadecimal digits."""
    return blake2b(data, digest_size=32).hexdigest()


def raw_digest(data: bytes) -> bytes:
    """The digest as 32 bytes."""
    return blake2b(data, digest_size=32).digest()


class CacheKey:
    """A digest over fields. A field is hashed as ``<length of name>:<name><length of value>:<value>``.

    With the lengths, two different lists of fields never give the same bytes.
    """

    __slots__ = ("_hash", "fields")

    def __init__(self) -> None:
        self._hash = blake2b(digest_size=32)
        self.fields: list[tuple[str, bytes]] = []

    def field(self, name: str, value: str | bytes) -> None:
        """Add one field. The order of fields matters."""
        data = value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")
        self._hash.update(b"%d:%b%d:%b" % (len(name), name.encode(), len(data), data))
        self.fields.append((name, data))

    def hexdigest(self) -> str:
        return self._hash.hexdigest()

    def explain(self) -> str:
        """One line per field, to be read or compared with ``diff``. Long and multi-line values appear as digests."""
        lines = []
        for name, data in self.fields:
            if len(data) > 200 or b"\n" in data:
                shown = f"{len(data)} bytes, {digest(data)}"
            else:
                shown = data.decode("utf-8", "backslashreplace")
            lines.append(f"{name}: {shown}\n")
        return "".join(lines) + f"key: {self.hexdigest()}\n"


_MAGIC = b"rex-build cache entry\n"
HEADER_BYTES = len(_MAGIC) + 4 + 1 + 64 + 64 + 16 + 1
KINDS = "mrio"
_BEING_WRITTEN = "new"
# A log that has grown so large is renamed, and later added to the totals.
_LARGEST_LOG = 1 << 18
_LARGEST = 1 << 30  # a larger entry is none of ours

# What the user sets: variables of the environment, and lines of a file with the same names.
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40}
_DEFAULT_LIMIT = 5 * 10**9
_MODES = ("on", "readonly", "off")

_warned: set[str] = set()


class Settings:
    """``root`` is the store's folder, ``limit`` its limit in bytes, ``remote`` the second level's address or empty."""

    __slots__ = ("limit", "mode", "remote", "root")

    def __init__(self, root: str, limit: int, mode: str, remote: str) -> None:
        self.root = root
        self.limit = limit
        self.mode = mode
        self.remote = remote


def warn(message: str) -> None:
    """Print a warning, once per message. Trouble with the cache never has worse consequences."""
    if message not in _warned:
        _warned.add(message)
        sys.stderr.write(f"rex-build: warning: cache: {message}\n")


def read_settings() -> Settings:
    """The current settings. A value that makes no sense gives a warning and is replaced by the default."""
    values = _configured()
    root = values.get("REX_BUILD_CACHE_DIR") or _default_root()
    mode = values.get("REX_BUILD_CACHE", "on").lower() or "on"
    if mode not in _MODES:
        warn(f"REX_BUILD_CACHE={mode}: expected one of {', '.join(_MODES)}")
        mode = "on"
    if not root:
        mode = "off"
    return Settings(os.path.abspath(root), _limit(values.get("REX_BUILD_CACHE_SIZE", "")), mode,
                    values.get("REX_BUILD_CACHE_REMOTE", ""))  # fmt: skip


def parse_size(text: str) -> int | None:
    """The bytes that ``5G``, ``500 MB`` or ``1GiB`` stand for, or None for a text of another form."""
    word = text.strip().upper().removesuffix("B")
    number = word.rstrip("KMGTI ")
    unit = word[len(number) :].strip()
    try:
        size = int(float(number) * _UNITS[unit])
    except (ValueError, KeyError, OverflowError):
        return None
    return size if size >= 0 else None


def _limit(text: str) -> int:
    if not text:
        return _DEFAULT_LIMIT
    size = parse_size(text)
    if size is None:
        warn(f"REX_BUILD_CACHE_SIZE={text}: expected a size like 5G")
        return _DEFAULT_LIMIT
    return size


def _default_root() -> str:
    base = os.getenv("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        home = os.path.expanduser("~")
        if not os.path.isabs(home):
            return ""
        base = home + "/.cache"
    return base + "/rex-build"


def _configured() -> dict[str, str]:
    """The settings by name. The environment overrides the file, whose lines are ``NAME=value`` or ``#`` comments."""
    values: dict[str, str] = {}
    base = os.getenv("XDG_CONFIG_HOME") or os.path.expanduser("~") + "/.config"
    try:
        with open(base + "/rex-build/cache.conf", encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                name, equals, value = line.partition("=")
                if equals and not name.lstrip().startswith("#"):
                    values[name.strip()] = value.strip()
    except OSError:
        pass
    for name in ("REX_BUILD_CACHE", "REX_BUILD_CACHE_DIR", "REX_BUILD_CACHE_SIZE", "REX_BUILD_CACHE_REMOTE"):
        value = os.getenv(name, "")
        if value:
            values[name] = value
    return values


# A file that is written but not published yet: its path, and its open and locked handle.
Written = tuple[str, int]


class DamagedEntryError(Exception):
    """An entry's bytes are not what was written. ``str()`` says what is wrong."""


def seal(kind: str, key: str, payload: bytes) -> bytes:
    """The bytes of an entry."""
    return b"%b%04d%b%b%b%016d\n%b" % (
        _MAGIC, FORMAT, kind.encode(), key.encode(), digest(payload).encode(), len(payload), payload,
    )  # fmt: skip


def unseal(kind: str, key: str, data: bytes) -> bytes:
    """The payload of an entry. Raises DamagedEntryError unless it is the complete entry of this kind and key."""
    at = len(_MAGIC)
    if not data.startswith(_MAGIC) or len(data) < HEADER_BYTES:
        raise DamagedEntryError("not a cache entry")
    if data[at : at + 4] != b"%04d" % FORMAT:
        raise DamagedEntryError("of another version")
    if data[at + 4 : at + 5] != kind.encode() or data[at + 5 : at + 69] != key.encode():
        raise DamagedEntryError("the entry of another key")
    payload = data[HEADER_BYTES:]
    if data[at + 133 : HEADER_BYTES] != b"%016d\n" % len(payload):
        raise DamagedEntryError("truncated")
    if data[at + 69 : at + 133] != digest(payload).encode():
        raise DamagedEntryError("altered")
    return payload


class Store:
    """The entries below ``root``. No method raises: an entry that cannot be read is missing, and writing may fail."""

    __slots__ = ("_stamp", "root", "writable")

    def __init__(self, settings: Settings) -> None:
        self.root = settings.root
        self.writable = settings.mode == "on"
        self._stamp = 0

    def path(self, kind: str, key: str) -> str:
        return f"{self.root}/{kind}/{key[:2]}/{key[2:]}"

    def get(self, kind: str, key: str) -> bytes | None:
        """The payload stored under ``key``, or None. The entry is marked as used just now."""
        path = self.path(kind, key)
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._damaged(path, error.strerror or "unreadable")
            return None
        try:
            data = _read_all(handle)
            payload = unseal(kind, key, data)
            if self.writable:
                _touch(handle)
        except DamagedEntryError as error:
            self._damaged(path, str(error))
            return None
        except OSError as error:
            self._damaged(path, error.strerror or "unreadable")
            return None
        finally:
            os.close(handle)
        return payload

    def write(self, kind: str, key: str, payload: bytes) -> Written | None:
        """Write an entry to a temporary file. Returns the argument for place(), or None when writing failed."""
        if not self.writable:
            return None
        data = seal(kind, key, payload)
        temporary = self.temporary()
        try:
            self.make_folder(os.path.dirname(self.path(kind, key)))
            return temporary, _write_locked(temporary, [data], self.file_mode())
        except OSError as error:
            warn(f"cannot write to {self.root}: {error.strerror}")
            return None

    def place(self, written: Written, kind: str, key: str) -> bool:
        """Publish the file that write() wrote. Returns whether that was possible."""
        path = self.path(kind, key)
        temporary, handle = written
        try:
            try:
                os.rename(temporary, path)
            except IsADirectoryError:
                os.rename(path, self.temporary())  # a folder stands in the entry's place: it is moved away
                os.rename(temporary, path)
        except OSError as error:
            _remove(temporary)
            warn(f"cannot write to {self.root}: {error.strerror}")
            return False
        finally:
            os.close(handle)
        return True

    def temporary(self) -> str:
        """An unused name in the store's folder for files that are being written."""
        self._stamp += 1
        return f"{self.root}/{_BEING_WRITTEN}/{os.uname().nodename}.{os.getpid()}.{id(self):x}.{self._stamp}.part"

    def make_folder(self, path: str) -> None:
        """Make a folder of the store and its parents. Raises OSError, also when one of them is a symbolic link."""
        shared = self._shared()
        for folder in (f"{self.root}/{_BEING_WRITTEN}", os.path.dirname(path), path):
            if folder == self.root or not folder.startswith(self.root + "/"):
                continue
            if not os.path.isdir(folder):
                os.makedirs(folder, exist_ok=True)
                if shared:
                    os.chmod(folder, 0o2775)  # noqa: S103 - a team shares it
            if os.path.islink(folder):
                raise OSError(20, f"{folder} is a symbolic link")

    def file_mode(self) -> int | None:
        """The mode of files in a store that its group may write to, or None if the umask decides."""
        return 0o664 if self._shared() else None

    def other_writers(self) -> str:
        """Who else may write to the store: everybody, its group or its owner. Empty if nobody else may."""
        try:
            state = os.stat(self.root)
        except OSError:
            return ""
        if state.st_mode & 0o002:
            return "everybody"
        if state.st_mode & 0o020:
            return "its group"
        return "" if state.st_uid in (os.getuid(), 0) else "its owner"

    def count(self, event: str, saved_ms: int = 0) -> None:
        """Append one event to the log, which takes no lock. If it cannot be written down, it is lost silently."""
        if not self.writable or self.log_leads_elsewhere():
            return
        path = self.root + "/stats/log"
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        try:
            try:
                handle = os.open(path, flags, 0o666)
            except FileNotFoundError:
                self.make_folder(self.root + "/stats")
                handle = os.open(path, flags, 0o666)
            try:
                at = os.fstat(handle)
                os.write(handle, f"{event}\t{saved_ms}\n".encode("utf-8", "replace"))
                if at.st_size == 0 and (mode := self.file_mode()) is not None:
                    os.fchmod(handle, mode)
            finally:
                os.close(handle)
            if at.st_size > _LARGEST_LOG:
                os.rename(path, f"{path}.{os.getpid()}.{at.st_ino}")
        except OSError:
            pass

    def log_leads_elsewhere(self) -> bool:
        """Whether the folder of the logs is a link. It is left alone then."""
        return os.path.islink(self.root + "/stats")

    def _shared(self) -> bool:
        try:
            return bool(os.stat(self.root).st_mode & 0o020)
        except OSError:
            return False

    def _damaged(self, path: str, how: str) -> None:
        warn(f"entry {os.path.relpath(path, self.root)} ignored: {how}")
        shard = os.path.dirname(path)
        if self.writable and "version" not in how and not os.path.islink(shard) and not os.path.islink(shard[:-3]):
            _remove(path)


def write_new(path: str, pieces: Sequence[bytes], mode: int | None = None) -> None:
    """Write a file that must not exist yet. Its permissions are ``mode``, or what the umask leaves. Raises OSError."""
    os.close(_write_locked(path, pieces, mode))


def _write_locked(path: str, pieces: Sequence[bytes], mode: int | None) -> int:
    """Write a file and keep it open and locked. An unlocked unfinished file tells others that its writer is gone."""
    import fcntl

    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    try:
        try:  # noqa: SIM105
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            pass  # where files cannot be locked, others go by the file's age
        for piece in pieces:
            view = memoryview(piece)
            while view:
                view = view[os.write(handle, view) :]
        if mode is not None:
            os.fchmod(handle, mode)
    except OSError:
        os.close(handle)
        _remove(path)
        raise
    return handle


def read_note(path: str) -> str:
    """The text of a file that the store keeps about itself. Raises OSError."""
    return read_data(path).decode("utf-8", "replace")


def read_data(path: str) -> bytes:
    """The bytes of a file of the store, which others may have made a pipe or too large. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        return _read_all(handle)
    finally:
        os.close(handle)


def _read_all(handle: int) -> bytes:
    size = os.fstat(handle).st_size
    if size > _LARGEST:
        raise OSError(27, "File too large")
    data = os.read(handle, size + 1)
    while len(data) < size:
        more = os.read(handle, size - len(data))
        if not more:
            break
        data += more
    return data


def _touch(handle: int) -> None:
    try:  # noqa: SIM105 (contextlib would be imported for every hit)
        os.utime(handle)
    except OSError:
        pass  # an entry of another user keeps its old time


def _remove(path: str) -> None:
    try:  # noqa: SIM105
        os.unlink(path)
    except OSError:
        pass
