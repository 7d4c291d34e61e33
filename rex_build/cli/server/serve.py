"""The server. It imports all that commands use, waits for them, and forks a child for each. It does no work itself."""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from .. import start as _start  # noqa: F401 - what a command imports before Python's "site"
from . import alike
from .ask import peer, variables
from .become import become
from .start import LOCK

# A server without a command ends after this time. A command that runs, however long, is one.
IDLE_S = 30.0
_LOOKS_S = 2.0  # it looks this often whether its sources and its socket are as they were
_QUEUE = 128
_LIBRARIES = ("concurrent.futures.thread", "json", "tempfile")
_MODULES = (
    "base.stack", "base.progress", "base.templating", "pipeline", "c.syntax.light_pycparser", "c.front_end",
    "c.analysis.unit", "c.analysis.adoption", "c.analysis.reserved_names", "c.cuda.printer", "c.check",
    "c.source.user_names", "c.source.letters", "c.syntax.nesting", "render.device", "render.host",
    "render.registration", "plan.check", "cxx.front_end", "cxx.c_findings", "cxx.findings", "cache.image_compile",
    "cache.single_flight", "build.wrapper", "build.driver", "build.images", "build.meson", "base.beside",
)  # fmt: skip


def serve(name: str, folder_path: str, *first: str) -> None:
    """Serve the commands of this name. Ends the process, but returns in each child once that is a command."""
    began = time.time_ns()
    if not _takes_place(name, first):
        os._exit(0)
    _import_all()
    states = _States(began)
    folder = alike.opened(folder_path)
    # Threads would not be there in a child.
    if not states.hold() or folder is None or len(os.listdir("/proc/self/task")) > 1:
        os._exit(0)
    place = f"/proc/self/fd/{folder}/{name}"
    with suppress(FileNotFoundError):
        os.unlink(place)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(place)
    listening.listen(_QUEUE)
    listening.setblocking(False)
    gc.collect()
    gc.freeze()
    server = _Server(listening, place, states)
    try:
        connection = server.run()
    except BaseException:  # noqa: BLE001 - nobody could read what is wrong. Commands work without a server.
        os._exit(1)
    if connection is None:
        os._exit(0)
    become(connection)


def _takes_place(name: str, first: tuple[str, ...]) -> bool:
    """Become what a child of the commands of this name has to be. Returns whether it is."""
    os.chdir("/")
    os.set_inheritable(LOCK, False)
    sys.path[: len(alike.first_folders())] = first
    return alike.name(variables(), list(first)) == name


def _import_all() -> None:
    if "site" not in sys.modules:  # python -S
        import site

        site.main()
    from ...base.together import together

    with together("main"):
        from .. import main  # noqa: F401
    with together("server"):
        package = __package__.rpartition(".")[0].rpartition(".")[0]
        for one in (*_LIBRARIES, *(f"{package}.{one}" for one in _MODULES)):
            import_module(one)
    _make_ready()


def _make_ready() -> None:
    """Make what is made of rex-build's own files and texts alone, and would be made in every process."""
    from ...base.diagnostics import RexError
    from ...base.kept import keep
    from ...base.patterns import regex
    from ...base.records import complete_all
    from ...cxx.libclang import load
    from ...render.registration import registration_template

    for one in gc.get_objects():
        if type(one) is regex:
            one.search  # noqa: B018
    complete_all()
    registration_template()
    with suppress(RexError):  # it is not installed
        load()
    keep()


class _States:
    """The states of all files that this process has in memory, from ``began`` on, in nanoseconds."""

    def __init__(self, began: int) -> None:
        package = Path(alike.PACKAGE)
        files = {file for module in list(sys.modules.values()) if (file := getattr(module, "__file__", None))}
        files |= {str(path) for path in package.rglob("*.j2")} | {os.path.realpath(sys.executable), sys.executable}
        clang = sys.modules.get("clang.cindex")
        if clang is not None and os.path.isabs(clang.conf.get_filename()):
            files.add(clang.conf.get_filename())
        prefix = os.path.dirname(os.path.dirname(sys.executable))
        files |= {f"{prefix}/pyvenv.cfg", f"{prefix}/bin/pyvenv.cfg"}
        folders = {os.path.dirname(file) for file in files if file.startswith(alike.PACKAGE)}
        for folder in filter(os.path.isdir, sys.path):
            folders.add(folder)
            files |= {f"{folder}/{entry}" for entry in os.listdir(folder) if entry.endswith(".pth")}
        self._paths = [*files, *folders]
        self._found = self._look()
        # What has changed since the start may have been read before or after that.
        newest = max((state[3] for state in self._found if state), default=0)
        self._settled = newest < began - 50_000_000

    def hold(self) -> bool:
        return self._settled and self._look() == self._found

    def _look(self) -> list[tuple[int, int, int, int] | None]:
        found: list[tuple[int, int, int, int] | None] = []
        stat = os.stat
        for path in self._paths:
            try:
                state = stat(path)
            except OSError:
                found.append(None)
            else:
                found.append((state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns))
        return found


class _Server:
    """A socket with the children that work. A child is known by the handle of its process."""

    def __init__(self, listening: socket.socket, place: str, states: _States) -> None:
        self._listening: socket.socket | None = listening
        self._place, self._inode = place, os.stat(place).st_ino
        self._states = states
        self._poll = select.poll()
        self._poll.register(listening, select.POLLIN)
        self._children: dict[int, int] = {}
        self._connections: dict[int, socket.socket] = {}  # by the child's handle
        self._handles: dict[int, int] = {}  # by the connection's number
        self._used = time.monotonic()

    def run(self) -> socket.socket | None:
        """Returns None at the end, and in each child its connection."""
        while self._listening is not None or self._children:
            events = self._poll.poll(_LOOKS_S * 1000)
            if self._listening is not None and not events:
                if self._children:
                    self._used = time.monotonic()
                if time.monotonic() - self._used > IDLE_S or not self._is_up_to_date():
                    self._stop()
            for number, _ in events:
                if number in self._children:
                    self._ended(number)
                elif number in self._handles:
                    self._abandoned(number)
                elif self._listening is not None and number == self._listening.fileno():
                    connection = self._accepted()
                    if connection is not None:
                        return connection
        return None

    def _is_up_to_date(self) -> bool:
        try:
            return os.stat(self._place).st_ino == self._inode and self._states.hold()
        except OSError:
            return False

    def _stop(self) -> None:
        """Take no more commands."""
        assert self._listening is not None
        self._poll.unregister(self._listening)
        with suppress(OSError):
            if os.stat(self._place).st_ino == self._inode:
                os.unlink(self._place)
        self._listening.close()
        self._listening = None
        with suppress(OSError):
            if os.stat(f"{self._place}.lock").st_ino == os.fstat(LOCK).st_ino:
                os.unlink(f"{self._place}.lock")
        os.close(LOCK)

    def _accepted(self) -> socket.socket | None:
        """Fork a child for a command, and return its connection there."""
        assert self._listening is not None
        try:
            connection, _ = self._listening.accept()
        except OSError:
            return None
        self._used = time.monotonic()
        if peer(connection) != os.geteuid():
            connection.close()
            return None
        if not self._is_up_to_date():
            self._stop()
            connection.close()
            return None
        try:
            child = os.fork()
        except OSError:
            connection.close()
            return None
        if child == 0:
            self._forget()
            return connection
        with suppress(OSError):
            os.setpgid(child, child)
        handle = os.pidfd_open(child)
        self._children[handle] = child
        self._connections[handle] = connection
        self._handles[connection.fileno()] = handle
        self._poll.register(handle, select.POLLIN)
        self._poll.register(connection, select.POLLRDHUP)
        return None

    def _forget(self) -> None:
        """In a child, these numbers become those of other files."""
        for one in (self._listening, *self._connections.values()):
            if one is not None:
                one.detach()

    def _ended(self, handle: int) -> None:
        """A child has ended: tell the command how."""
        child = self._children.pop(handle)
        self._used = time.monotonic()
        _, status = os.waitpid(child, 0)
        self._poll.unregister(handle)
        os.close(handle)
        connection = self._connections.pop(handle, None)
        if connection is not None:
            with suppress(OSError):
                connection.settimeout(1)
                connection.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "little", signed=True))
            self._close(connection)

    def _abandoned(self, number: int) -> None:
        """A command is gone: end its child and all that the child has started."""
        handle = self._handles[number]
        child = self._children[handle]
        with suppress(OSError):
            os.killpg(child, signal.SIGKILL)
        self._close(self._connections.pop(handle))

    def _close(self, connection: socket.socket) -> None:
        self._poll.unregister(connection)
        del self._handles[connection.fileno()]
        connection.close()
