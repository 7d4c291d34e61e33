"""A second process that works beside this one."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any

import pytest

from rex_build.base.beside import Beside, helps


def _process_of(question: str) -> tuple[int, str]:
    if question == "fail":
        raise RuntimeError
    return os.getpid(), question


def _cannot_prepare() -> Callable[[Any], Any]:
    raise ImportError


def test_answers() -> None:
    """The last question is answered, however many were asked, in another process, which is gone in the end."""
    beside = Beside(lambda: _process_of)
    try:
        beside.ask("y" * 200_000)  # more than a pipe holds, as is its answer
        beside.ask("x" * 200_000)
        process, text = beside.answer()
        assert process != os.getpid()
        assert text == "x" * 200_000
        beside.ask("again")
        assert beside.answer() == (process, "again")
    finally:
        beside.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_no_answer(capfd: pytest.CaptureFixture[str]) -> None:
    """A process that fails gives no answer and says nothing, whether it fails before or after a question."""
    for prepare, question in ((lambda: _process_of, "fail"), (_cannot_prepare, "x" * 200_000)):
        beside = Beside(prepare)
        beside.ask(question)
        assert beside.answer() is None
        beside.ask("again")
        assert beside.answer() is None
        beside.close()
    assert capfd.readouterr() == ("", "")


def test_with_threads() -> None:
    """No process is forked where there are threads, whose locks it would have for ever."""
    waiting = threading.Event()
    thread = threading.Thread(target=waiting.wait)
    thread.start()
    assert not helps()
    waiting.set()
    thread.join()
