"""A second level behind the local store, over HTTP or Redis. Builds stay right if it is slow, broken or wrong.

    REX_BUILD_CACHE_REMOTE = address ("|" attribute)*
    address   = http://[user:password@]host[:port][/path] | https://... | redis://[user:password@]host[:port][/database]
              | rediss://... | unix://...
    attribute = layout=flat | layout=subdirs | layout=bazel | timeout=<seconds> | read-only

An entry is sent in its stored form, with its key and checksum. Objects are named by the key: ``<path>/<key>`` (flat),
``<path>/<2 digits>/<62>`` (subdirs), ``<path>/ac/<key>`` (bazel), ``rex-build:<key>`` (Redis).
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable

from ..base.diagnostics import UsageError
from .eviction import publish
from .store import DamagedEntryError, Settings, Store, digest, seal, unseal, warn, write_new

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    class _Backend(Protocol):
        def get(self, key: str) -> bytes | None: ...
        def has(self, key: str) -> bool: ...
        def put(self, key: str, data: bytes) -> None: ...


_TIMEOUT_S = 5.0
# After a failure no process asks the remote for this long.
_PAUSE_S = 60.0
_LARGEST = 1 << 30
_LONGEST_S = 3600


class RemoteError(Exception):
    """The remote does not answer as it should."""


class Remote:
    """The remote that the settings name, if any. It connects when it is first asked."""

    def __init__(self, store: Store, settings: Settings) -> None:
        address, *attributes = settings.remote.split("|")
        values = dict(attribute.partition("=")[::2] for attribute in attributes)
        self._store = store
        self._settings = settings
        self._address = address
        self._layout = values.get("layout", "flat")
        self._read_only = "read-only" in values
        self._timeout_s = _TIMEOUT_S
        self._backend: _Backend | None = None
        self._replace: set[str] = set()
        self._off = not address or not store.writable
        wrong = _wrong_attributes(values) if address else ""
        if any("@" in attribute for attribute in attributes):
            wrong = "write %7C for | in a password"
        if wrong:
            raise UsageError(f"REX_BUILD_CACHE_REMOTE: {wrong}")
        self._timeout_s = float(values.get("timeout", _TIMEOUT_S))

    def fetch(self, kind: str, key: str) -> bool:
        """Bring an entry into the local store. Returns whether that was done."""
        data = self._ask(lambda backend: backend.get(key))
        if data is None:
            return False
        try:
            payload = unseal(kind, key, data)
        except DamagedEntryError as error:
            warn(f"remote entry {key[:16]} ignored: {error}")
            self._store.count("remote entry damaged")
            self._replace.add(key)
            return False
        self._store.count("remote hit")
        return publish(self._store, self._settings, kind, key, payload)

    def offer(self, kind: str, key: str, *, changed: bool = False) -> None:
        """Send an entry of the local store. With ``changed``, the remote may hold an older version to replace."""
        if self._off or self._read_only:
            return
        payload = self._store.get(kind, key)
        if payload is None:
            return
        data = seal(kind, key, payload)
        must = changed or key in self._replace

        def send(backend: _Backend) -> bool:
            if not must and backend.has(key):
                return False
            backend.put(key, data)
            return True

        if self._ask(send):
            self._store.count("remote write")

    def _ask(self, question: Callable[[_Backend], Any]) -> Any:
        """The answer, or None if there is none in time."""
        if self._off or self._pausing():
            return None
        import threading

        answer: list[Any] = []
        trouble: list[str] = []

        def work() -> None:
            try:
                if self._backend is None:
                    self._backend = _connect(self._address, self._layout, self._timeout_s)
                answer.append(question(self._backend))
            except Exception as error:  # noqa: BLE001 (whatever a network library raises)
                trouble.append(str(error) or type(error).__name__)

        # The thread limits the whole time: a socket's time-out restarts with every byte, and name servers have others.
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(self._timeout_s)
        if answer:
            return answer[0]
        self._fail(trouble[0] if trouble else f"no answer within {self._timeout_s:g} s")
        return None

    def _note(self) -> str:
        return f"{self._store.root}/state/remote-failed.{digest(self._address.encode())[:16]}"

    def _pausing(self) -> bool:
        try:
            pause = abs(time.time() - os.stat(self._note()).st_mtime) < _PAUSE_S
        except OSError:
            return False
        self._off = self._off or pause
        return pause

    def _fail(self, why: str) -> None:
        """Stop using the remote for a while. If several processes fail at once, only the first one warns."""
        self._off = True
        self._store.count("remote failed")
        try:
            self._store.make_folder(self._store.root + "/state")
            if not os.path.exists(self._note()):
                write_new(self._note(), [b""], self._store.file_mode())
            elif abs(time.time() - os.stat(self._note()).st_mtime) < _PAUSE_S:
                return
            else:
                os.utime(self._note(), follow_symlinks=False)
        except FileExistsError:
            return
        except OSError:
            pass
        message = f"remote {self._address} does not work, not used for {_PAUSE_S:g} s: {why}"
        warn(without_password(message, self._address))


def _wrong_attributes(values: dict[str, str]) -> str:
    """What is wrong with the attributes behind the address, or nothing."""
    for name in values:
        if name not in ("layout", "timeout", "read-only"):
            return f"unknown attribute {name!r}: expected layout, timeout or read-only"
    if values.get("read-only"):
        return "read-only takes no value"
    if values.get("layout", "flat") not in ("flat", "subdirs", "bazel"):
        return f"layout={values['layout']}: expected flat, subdirs or bazel"
    try:
        seconds = float(values.get("timeout", _TIMEOUT_S))
    except ValueError:
        seconds = float("nan")
    if not 0 < seconds <= _LONGEST_S:
        return f"timeout={values['timeout']}: expected seconds above 0, {_LONGEST_S} at most"
    return ""


def without_password(text: str, address: str) -> str:
    """The text with the address's credentials as ``***``, where it has the address or a part of them."""
    from urllib.parse import unquote

    rest = address.partition("://")[2] or address  # the scheme may be forgotten
    user_info = rest.rpartition("@")[0]
    password = user_info.partition(":")[2]
    shown = (user_info, password, *re.split("[/?#]", password), rest.partition("?")[2])  # libraries split there
    secrets = {*shown, *map(unquote, shown)}
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, "***")
    return text


def _connect(address: str, layout: str, timeout_s: float) -> _Backend:
    scheme = address.partition("://")[0]
    try:
        if scheme in ("http", "https"):
            return _Http(address.rstrip("/"), layout, timeout_s)
        if scheme in ("redis", "rediss", "unix"):
            return _Redis(address, timeout_s)
    except ImportError as error:
        extra = "http" if scheme.startswith("http") else "redis"
        raise RemoteError(f"{error.name} is not installed (pip install 'rex-build[{extra}]')") from error
    raise RemoteError(f"unknown kind of address {scheme!r}")


class _Http:
    """GET, HEAD and PUT requests, as WebDAV servers, bazel-remote and ccache's HTTP storage understand them."""

    def __init__(self, address: str, layout: str, timeout_s: float) -> None:
        from urllib.parse import unquote, urlsplit, urlunsplit

        import urllib3

        parts = urlsplit(address)
        user_info, at, host = parts.netloc.rpartition("@")
        # The server's name may not have them, as urllib3 would neither send nor hide them.
        headers = urllib3.make_headers(basic_auth=unquote(user_info)) if at else {}
        self._pool = urllib3.PoolManager(
            retries=False, timeout=urllib3.Timeout(connect=min(2.0, timeout_s), read=timeout_s), headers=headers
        )
        self._address = urlunsplit(parts._replace(netloc=host))
        self._layout = layout

    def _url(self, key: str) -> str:
        if self._layout == "bazel":
            return f"{self._address}/ac/{key}"
        return f"{self._address}/{key[:2]}/{key[2:]}" if self._layout == "subdirs" else f"{self._address}/{key}"

    def get(self, key: str) -> bytes | None:
        response = self._pool.request("GET", self._url(key), redirect=False, preload_content=False)
        try:
            if response.status in (404, 410):
                return None
            if response.status != 200:
                raise RemoteError(f"GET answered {response.status}")
            data = response.read(_LARGEST)
        finally:
            response.release_conn()
        return bytes(data)

    def has(self, key: str) -> bool:
        return bool(self._pool.request("HEAD", self._url(key), redirect=False).status == 200)

    def put(self, key: str, data: bytes) -> None:
        status = self._pool.request("PUT", self._url(key), body=data, redirect=False).status
        if not 200 <= status < 300:
            raise RemoteError(f"PUT answered {status}")


class _Redis:
    def __init__(self, address: str, timeout_s: float) -> None:
        import redis

        connect_s = min(2.0, timeout_s)
        self._client = redis.Redis.from_url(address, socket_timeout=timeout_s, socket_connect_timeout=connect_s)

    def get(self, key: str) -> bytes | None:
        data: Any = self._client.get(f"rex-build:{key}")
        return bytes(data) if data is not None else None

    def has(self, key: str) -> bool:
        return bool(self._client.exists(f"rex-build:{key}"))

    def put(self, key: str, data: bytes) -> None:
        self._client.set(f"rex-build:{key}", data)
