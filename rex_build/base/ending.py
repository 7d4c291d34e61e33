"""Signals that end a process become an exception, so that it takes away first what it was about to make."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from types import FrameType
else:
    import _signal  # signal itself imports enum, which takes a tenth of a cache hit

_ENDING = (
    _signal.SIGHUP, _signal.SIGINT, _signal.SIGQUIT, _signal.SIGTERM, _signal.SIGALRM, _signal.SIGXCPU, _signal.SIGUSR1,
    _signal.SIGUSR2,
)  # fmt: skip


_came: list[int] = []  # the signal that ends this process, once it has come
# Folders that go when the process ends by a signal. One stands here before it is made, as a signal may come at once.
folders: list[str] = []


class EndedError(KeyboardInterrupt):
    """A signal ends the process. ``die`` ends it as the signal would have.

    Where ``subprocess`` waits for a program, it gives the program a moment to clean up, as for any KeyboardInterrupt.
    """

    def __init__(self, number: int) -> None:
        self.number = number

    def die(self) -> None:
        for folder in [*folders]:
            take_away(folder)
        _signal.signal(self.number, _signal.SIG_DFL)
        os.kill(os.getpid(), self.number)


def take_away(folder: str) -> None:
    """Take a folder away. Programs that end with this process may still write into it, for a moment."""
    import shutil
    import time

    for _ in range(50):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.isdir(folder):
            break
        time.sleep(0.01)
    if folder in folders:
        folders.remove(folder)


def raise_if_ended() -> None:
    """Raise EndedError once more if such a signal has come: libraries make other errors of it, and what Python runs
    between two statements (``__del__``, callbacks) loses it."""
    if _came:
        _signal.signal(_signal.SIGALRM, _signal.SIG_IGN)  # _leave may still wait for the end of an import
        raise EndedError(_came[0])


def clean_up_first() -> None:
    """Raise EndedError in the main thread when such a signal comes. One that is ignored, as under nohup, stays so."""
    for number in _ENDING:
        if _signal.getsignal(number) in (_signal.SIG_DFL, _signal.default_int_handler):
            _signal.signal(number, _raise)


def _raise(number: int, frame: FrameType | None) -> None:
    for other in _ENDING:  # a second one would end the cleaning up
        _signal.signal(other, _signal.SIG_IGN)
    _came.append(number)
    _end_programs()
    _leave(number, frame)


def _leave(_number: int, frame: FrameType | None) -> None:
    """Raise EndedError, but not in the midst of an import: Python would keep the lock, for which other threads wait.

    All callers are looked at: this function may itself be interrupted, and an import may call any function.
    """
    caller = frame
    while caller is not None and "importlib" not in caller.f_code.co_filename:
        caller = caller.f_back
    if caller is not None:
        _signal.signal(_signal.SIGALRM, _leave)
        _signal.setitimer(_signal.ITIMER_REAL, 0.001)
    else:
        _signal.signal(_signal.SIGALRM, _signal.SIG_IGN)
        raise EndedError(_came[0])


def _end_programs() -> None:
    """Tell the programs that this process runs to end, so that compilers take away their own files.

    Nothing is imported here: the signal may have come in the midst of an import, which Python cannot begin twice.
    """
    try:
        for thread in os.listdir("/proc/self/task"):
            with open(f"/proc/self/task/{thread}/children", encoding="ascii") as file:
                for child in map(int, file.read().split()):
                    os.kill(child, _signal.SIGTERM)
    except OSError:  # the kernel does not list them, or a thread or a program has just ended
        pass
