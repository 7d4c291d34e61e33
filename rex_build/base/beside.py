"""Work in a second process, beside that of this one. A thread would not do, as Python runs one at a time."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

from .stack import on_deep_stack


class Beside:
    """A process that is forked here. It calls ``prepare`` at once, and what that returns with each question.

    Questions and answers are pickled. If anything fails there, no answer comes: who asks does the work again, and sees
    the error.
    """

    def __init__(self, prepare: Callable[[], Callable[[Any], Any]]) -> None:
        asked, ask = os.pipe()
        answered, answer = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            os.close(ask)
            os.close(answered)
            _serve(prepare, asked, answer)
        os.close(asked)
        os.close(answer)
        self._questions, self._answers = os.fdopen(ask, "wb", 0), os.fdopen(answered, "rb")
        self._waits = False

    def ask(self, question: Any) -> None:
        import pickle

        if self._waits:  # the process writes an answer that nobody has read, and would read no question before
            self.answer()
        self._waits = True
        with suppress(BrokenPipeError):  # it shows when the answer is read
            pickle.dump(question, self._questions)

    def answer(self) -> Any:
        """The answer to the last question, or None if there is none. The process may not answer None."""
        import pickle

        self._waits = False
        try:
            return pickle.load(self._answers)  # noqa: S301 - a process of ours has written it
        except (EOFError, pickle.UnpicklingError):
            return None

    def close(self) -> None:
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        self._questions.close()
        self._answers.close()


def _serve(prepare: Callable[[], Callable[[Any], Any]], asked: int, answer: int) -> NoReturn:
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        import pickle

        answer_to = prepare()
        with open(asked, "rb") as questions, open(answer, "wb") as answers:
            while True:
                question = pickle.load(questions)  # noqa: S301
                pickle.dump(on_deep_stack(lambda: answer_to(question)), answers)  # noqa: B023
                answers.flush()
    except BaseException:  # noqa: BLE001, S110
        pass
    finally:
        os._exit(0)


def helps() -> bool:
    """Whether a process can be forked here, and has a processor of its own."""
    return threading.active_count() == 1 and len(os.sched_getaffinity(0)) > 1
