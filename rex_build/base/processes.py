"""Runs parts of a command, each of which has an exit status as a command has, and several of them at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from .diagnostics import InternalError, RexError, ToolError, report
from .ending import folders, raise_if_ended, take_away

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

_CLEAR = "\r\033[K"


class Progress:
    """One line on stderr, which each step overwrites and the end of the task removes: ``[3/12] heat.c for sm_90``.

    Steps may begin and end on several threads. The line names the step that began last.
    """

    def __init__(self, steps: int) -> None:
        from threading import Lock

        self.steps = steps
        self.done = 0
        self._lock = Lock()
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


Part = Callable[[], int]


def exit_status(part: Part, colour: str) -> int:
    """Run a part. If it fails, its error is reported, and is its status."""
    try:
        return part()
    except Exception as error:  # noqa: BLE001 (a bug is reported, too)
        known = as_rex_error(error)
        report(known.diagnostics, colour)
        return known.exit_code


def as_rex_error(error: Exception) -> RexError:
    """An error as one that can be reported: it may be the system that refuses something, or a bug in rex-build.

    Raises EndedError if a signal has come, of which libraries make other errors.
    """
    raise_if_ended()
    if isinstance(error, RexError):
        return error
    if os.environ.get("REX_BUILD_TRACEBACK"):
        raise error
    if isinstance(error, OSError) and error.strerror is not None:  # as when somebody removes a file meanwhile
        # Without a file, it is the standard output (a full disk), or the system has no memory or processes left.
        place = os.fsdecode(error.filename) if error.filename is not None else "the system refuses"
        return ToolError(f"{place}: {error.strerror}")
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    where = f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else ""
    what = type(error).__name__
    with suppress(Exception):  # libclang's Python module cannot say which kind of type it does not know
        what += f": {error}"
    message = f"internal error: {what}{where}; this is a bug in rex-build"
    return InternalError(f"{message} (REX_BUILD_TRACEBACK=1 shows where)")


def at_a_time(count: int, parts: Sequence[tuple[str, Part]], colour: str) -> int:
    """Run parts, each of which has a name, in processes of their own, ``count`` of them at a time.

    Returns the highest status. Their messages stand in the order of the parts.
    """
    import tempfile  # which lowering one unit does not need

    waiting = list(parts)
    messages: list[IO[bytes]] = []
    running: dict[int, IO[bytes]] = {}
    done: set[IO[bytes]] = set()
    worst = shown = 0
    with Progress(len(parts)) as progress:
        try:
            while waiting or running:
                while waiting and len(running) < count:
                    name, part = waiting.pop(0)
                    progress.begin(name)
                    messages.append(tempfile.TemporaryFile())  # noqa: SIM115 (Python closes it)
                    running[_started(part, colour, messages[-1])] = messages[-1]
                ended, state = os.waitpid(-1, 0)
                progress.end()
                done.add(running.pop(ended))
                status = os.waitstatus_to_exitcode(state)
                worst = max(worst, status if status >= 0 else 128 - status)
                while shown < len(messages) and messages[shown] in done:
                    progress.remove()
                    _print(messages[shown])
                    shown += 1
        finally:
            for process in running:
                os.waitpid(process, 0)  # a signal ends them, too, and they take away what they were about to make
    return worst


def _started(part: Part, colour: str, messages: IO[bytes]) -> int:
    """The process that runs a part."""
    sys.stdout.flush()
    sys.stderr.flush()
    if process := os.fork():
        return process
    status = InternalError.exit_code
    folders.clear()  # they are the parent's
    try:
        os.dup2(messages.fileno(), sys.stderr.fileno())
        status = exit_status(part, colour)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        for folder in [*folders]:
            take_away(folder)
        os._exit(status)


def _print(messages: IO[bytes]) -> None:
    messages.seek(0)
    sys.stderr.write(messages.read().decode(errors="surrogateescape"))
    sys.stderr.flush()
