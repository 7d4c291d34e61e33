"""What a command does: it asks the server to do the work, and passes on what happens to it.

Both sides check who the other is. A command goes on alone unless a child of the server has said that it is ready and
has been told to begin. From then on the child's status is the command's.
"""

from __future__ import annotations

import sys

from ...base import light_os as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from typing import NoReturn

DEFAULT = "on"
SERVE = "--serve"  # the first argument of a server
_COMMANDS = ("lower", "device", "device-link", "register", "cc", "rex-cc", "rex-gcc", "rex-g++", "meson")
_QUESTIONS = {"--help", "-h", "--version"}
_MOST_FILES = 200  # the system sends at most 253 at once
_PATIENCE_S = 2.0

# The name of the server that this command has missed. It starts one at its end.
missed = ""


def main() -> None:
    """Have the server do what this process is to do, and end as it ends. Returns if this process has to do it."""
    global missed  # noqa: PLW0603
    words = sys.argv[1:]
    if not words or words[0] not in _COMMANDS or not is_wanted() or not _QUESTIONS.isdisjoint(words):
        return
    from . import alike

    environment = variables()
    name = alike.name(environment, alike.first_folders())
    if name is None:
        return
    folder = alike.opened(alike.folder())
    connection = None
    if folder is not None:
        connection = _connected(f"/proc/self/fd/{folder}/{name}")
        os.close(folder)
    if connection is None:
        missed = name
        return
    _Asked(connection, environment).ask()


def is_wanted() -> bool:
    """Whether the user wants servers. Traces of faults would have the server's functions in them."""
    return (os.getenv("REX_BUILD_SERVER") or DEFAULT) == "on" and not os.getenv("REX_BUILD_TRACEBACK")


def variables() -> dict[bytes, bytes]:
    import posix

    return posix.environ


def _connected(path: str) -> socket | None:
    import _socket

    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.settimeout(_PATIENCE_S)
        connection.connect(path)
        if peer(connection) == os.geteuid():
            return connection
    except OSError:
        pass
    connection.close()
    return None


def peer(connection: socket) -> int:
    """The user id of the process at the other end."""
    import _socket

    said = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    return int.from_bytes(said[4:8], sys.byteorder)


class _Asked:
    """A server that is asked. ``child`` is its process that does the work, or 0."""

    def __init__(self, connection: socket, environment: dict[bytes, bytes]) -> None:
        self.connection, self.environment = connection, environment
        self.child = 0
        self.waiting: list[int] = []

    def ask(self) -> None:
        """End this process as the child ends. Returns if there is none."""
        import _signal  # type: ignore[import-not-found]

        usual = {}
        for number in (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP, _signal.SIGQUIT, _signal.SIGTSTP):
            if _signal.getsignal(number) != _signal.SIG_IGN:
                usual[number] = _signal.signal(number, self._pass_on)
        try:
            # A server that hangs must not have files of the build, so they go to a child that has answered.
            child = int.from_bytes(self._receive(4), "little")
            if child:
                self._send()
            if child and self._receive(1):
                self.connection.sendall(b"!")
                self.child = child
        except OSError:
            self.child = 0
        if not self.child:
            self.connection.close()
        for number in self.waiting:
            self._pass_on(number)
        if self.child:
            self._end()
        for number, handler in usual.items():
            _signal.signal(number, handler)
        for number in self.waiting:
            os.kill(os.getpid(), number)

    def _send(self) -> None:
        import _socket
        import marshal

        here = os.open(".", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            numbers = _inheritable()
            body = marshal.dumps((os.getpid(), sys.argv, self.environment, numbers))
            files = b"".join([number.to_bytes(4, sys.byteorder) for number in (here, *numbers)])
            data = len(body).to_bytes(8, "little") + body
            sent = self.connection.sendmsg([data], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, files)])
            self.connection.sendall(data[sent:])
        finally:
            os.close(here)

    def _receive(self, size: int) -> bytes:
        """As many bytes, or none if the other side is gone."""
        data = b""
        while len(data) < size:
            part = self.connection.recv(size - len(data))
            if not part:
                return b""
            data += part
        return data

    def _pass_on(self, number: int, _frame: object = None) -> None:
        import _signal

        if not self.child:
            if number not in self.waiting:
                self.waiting.append(number)
        elif number == _signal.SIGTSTP:
            _kill(self.child, _signal.SIGSTOP)
            os.kill(os.getpid(), _signal.SIGSTOP)
            _kill(self.child, _signal.SIGCONT)
        else:
            _kill(self.child, number)

    def _end(self) -> NoReturn:
        import _signal

        self.connection.settimeout(None)
        try:
            said = self._receive(4)
        except OSError:
            said = b""
        if said:
            status = int.from_bytes(said, "little", signed=True)
        else:
            _kill(self.child, _signal.SIGKILL)
            status = -_signal.SIGKILL
        if status < 0:
            if -status not in (_signal.SIGKILL, _signal.SIGSTOP):
                _signal.signal(-status, _signal.SIG_DFL)
            os.kill(os.getpid(), -status)
        os._exit(status)


def _kill(child: int, number: int) -> None:
    """Send a signal to a child and to all that it has started."""
    try:
        os.killpg(child, number)
    except OSError:  # it has just ended
        return


def _inheritable() -> list[int]:
    """The numbers of the open files that a program would inherit. Raises OSError if they are too many."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        try:
            if os.get_inheritable(int(name)):
                found.append(int(name))
        except OSError:  # the handle of the list itself
            continue
    if len(found) > _MOST_FILES or not {0, 1, 2} <= set(found):
        raise OSError
    return sorted(found)
