"""Shows on a terminal what a long task is doing, and how far it is. Nothing is shown anywhere else."""

from __future__ import annotations

import os
import sys
import threading
from types import TracebackType

_CLEAR = "\r\033[K"


class Progress:
    """One line on stderr, which each step overwrites and the end of the task removes: ``[3/12] heat.c for sm_90``.

    Steps may begin and end on several threads. The line names the step that began last.
    """

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.done = 0
        self._lock = threading.Lock()
        self._is_shown = _is_terminal()

    def __enter__(self) -> Progress:  # noqa: PYI034 (Python 3.10 has no Self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.remove()

    def begin(self, what: str) -> None:
        """Show what is being done now."""
        if self._is_shown:
            import shutil  # which loads libraries that most commands do not need

            text = f"[{self.done}/{self.steps}] {what}"
            with self._lock:
                print(_CLEAR + text[: shutil.get_terminal_size().columns - 1], end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Count a step as done."""
        with self._lock:
            self.done += 1

    def remove(self) -> None:
        """Make room for other output. The next step shows the line again."""
        if self._is_shown:
            with self._lock:
                print(_CLEAR, end="", file=sys.stderr, flush=True)


def tell(text: str) -> None:
    """Print a line to stderr, if that is a terminal. For one step among those of others, such as of ``make``."""
    if _is_terminal():
        print(text, file=sys.stderr)


def _is_terminal() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM") not in (None, "", "dumb")
