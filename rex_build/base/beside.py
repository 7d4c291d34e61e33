"""Work in a second process, beside that of this one. A thread would not do, as Python runs one at a time."""

from __future__ import annotations

import gc
import marshal
import os
import signal
import threading
from collections.abc import Callable
from typing import Any, NoReturn

from .stack import on_deep_stack


class Beside:
    """What ``work`` returns, on a deep stack and as a value that ``marshal`` writes.

    If the work ``is_long`` and a second process ``helps``, it is forked here and begins at once, with all that this
    process knows. If anything fails there, no answer comes: who asks does the work, and sees the error.
    """

    def __init__(self, work: Callable[[], Any], is_long: bool = True) -> None:
        self._work = work
        self._process = 0
        if not (is_long and helps()):
            return
        answered, answer = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            os.close(answered)
            _work_here(work, answer)
        os.close(answer)
        self._answered = answered

    def answer(self) -> Any:
        """What the work returns. It is asked for once."""
        if self._process:
            with open(self._answered, "rb", closefd=False) as answered:
                answer = answered.read()
            if answer:
                return marshal.loads(answer)  # noqa: S302 - a process of ours has written it
        return on_deep_stack(self._work)

    def close(self) -> None:
        if self._process:
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
            os.close(self._answered)


def _work_here(work: Callable[[], Any], answer: int) -> NoReturn:
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        gc.disable()  # it would write to all objects, and so copy all memory that the two processes share
        text = marshal.dumps(on_deep_stack(work))
        with open(answer, "wb") as written:
            written.write(text)
    except BaseException:  # noqa: BLE001, S110
        pass
    finally:
        os._exit(0)


def helps() -> bool:
    """Whether a process can be forked here, and has a processor of its own now."""
    return threading.active_count() == 1 and _running() < len(os.sched_getaffinity(0))


def _running() -> int:
    """How many threads run on this machine now, or wait for a processor. This one is among them."""
    try:
        with open("/proc/loadavg") as said:
            return int(said.read().split()[3].partition("/")[0])
    except (OSError, ValueError, IndexError):
        return 1
