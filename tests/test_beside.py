"""A second process that works beside this one."""

from __future__ import annotations

import os
import threading

import pytest

from rex_build.base import beside
from rex_build.base.beside import Beside, helps


def _here() -> tuple[int, str]:
    return os.getpid(), "x" * 200_000  # more than a pipe holds


@pytest.fixture(params=[True, False])
def other(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether there is a second process."""
    monkeypatch.setattr(beside, "helps", lambda: request.param)
    return bool(request.param)


def test_answers(other: bool) -> None:
    """The work is done in another process, which is gone in the end, or in this one."""
    working = Beside(_here)
    process, text = working.answer()
    working.close()
    assert (process != os.getpid()) == other
    assert text == "x" * 200_000
    if other:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_nobody_asks(other: bool) -> None:
    """A process whose answer nobody wants is gone, however long its work is."""
    working = Beside(threading.Event().wait)
    working.close()


def test_deep(other: bool) -> None:
    """There is room for deep recursion."""

    def depth(levels: int) -> int:
        return 1 + depth(levels - 1) if levels else 0

    working = Beside(lambda: depth(20_000))
    assert working.answer() == 20_000
    working.close()


def test_failure(other: bool, capfd: pytest.CaptureFixture[str]) -> None:
    """Who asks gets the error of the work, which the other process does not tell."""

    def fail() -> None:
        raise RuntimeError("of the work")

    working = Beside(fail)
    with pytest.raises(RuntimeError, match="of the work"):
        working.answer()
    working.close()
    assert capfd.readouterr() == ("", "")


def test_no_value(other: bool) -> None:
    """A value that cannot be handed over comes from this process."""
    working = Beside(threading.Lock)
    assert type(working.answer()) is type(threading.Lock())
    working.close()


def test_with_threads() -> None:
    """No process is forked where there are threads, whose locks it would have for ever."""
    waiting = threading.Event()
    thread = threading.Thread(target=waiting.wait)
    thread.start()
    assert not helps()
    waiting.set()
    thread.join()
