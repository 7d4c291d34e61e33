"""Places in the user's source, which every token, clause and item of the plan has, and messages to the user, printed as
``file:line:col: error: ...`` with the source line and a caret."""

from __future__ import annotations

import codecs
import os
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import accumulate
from pathlib import Path

from .records import dataclass

TYPE_CHECKING = False
_COLOURS = {"error": "\x1b[1;31m", "warning": "\x1b[1;35m", "note": "\x1b[1;36m"}
_BOLD, _RESET = "\x1b[1m", "\x1b[0m"
# A note to an error: how device code may use what another unit defines.
SEVERAL_UNITS = (
    "link the device code of several units: with rex-gcc, with SEPARABLE_DEVICE_LINK in CMake, or by "
    "'rex-build lower --separable' and 'rex-build device-link'"
)


@dataclass(frozen=True)
class SourceSpan:
    """A stretch of one line of a user's file.

    ``line`` and ``column`` are 1-based; ``length`` is in characters and never reaches past the line's end.
    """

    file: str
    line: int
    column: int = 1
    length: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Stretches:
    """Stretches [start, end) of a text, which may be inside one another. Asking takes no longer if they are many."""

    def __init__(self, stretches: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(stretches)
        self._starts = [start for start, _ in ordered]
        self._reached = list(accumulate((end for _, end in ordered), max))

    def __contains__(self, offset: int) -> bool:
        begun = bisect_right(self._starts, offset)
        return begun > 0 and offset < self._reached[begun - 1]


@cache
def source_lines(file: str) -> tuple[str, ...]:
    """The lines of ``file`` without line ends and byte order mark, or none if it cannot be read.

    Messages can do without the line.
    """
    try:
        text = Path(file).read_bytes().removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")
    except OSError:
        return ()
    # The ends of lines are gcc's. splitlines() would also split at form feeds.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return tuple(lines if lines[-1] else lines[:-1])


@dataclass(frozen=True)
class Replacement:
    """A text that stands in the host file in place of [start, end) of the preprocessed text; with ``start`` at ``end``
    it goes in between two characters."""

    start: int
    end: int
    text: str


if TYPE_CHECKING:
    from typing import TextIO


@dataclass(frozen=True)
class Diagnostic:
    """One message. ``severity`` is ``error``, ``warning`` or ``note``; notes follow the message they belong to.

    ``option`` is the option that reports it, if one does, and ``related`` are messages about other places.
    """

    severity: str
    message: str
    span: SourceSpan | None = None
    notes: tuple[str, ...] = ()
    option: str = ""
    related: tuple[Diagnostic, ...] = ()

    def format(self, colour: bool = False) -> str:
        """The message as compilers print it, ending without a newline."""

        def paint(code: str, text: str) -> str:
            return f"{code}{text}{_RESET}" if colour else text

        where = f"{self.span}: " if self.span else "rex-build: "
        lines = [
            paint(_BOLD, where) + paint(_COLOURS[self.severity], f"{self.severity}: ") + paint(_BOLD, self.message)
        ]
        if self.option:
            lines[0] += f" [{paint(_COLOURS[self.severity], self.option)}]"
        if self.span:
            text = source_lines(self.span.file)
            if 0 < self.span.line <= len(text):
                line = text[self.span.line - 1]
                # Tabs stay tabs in front of the caret, so that it stands below the text in any terminal.
                pad = "".join("\t" if c == "\t" else " " for c in line[: self.span.column - 1])
                width = max(1, min(self.span.length, len(line) - self.span.column + 1))
                lines.append(f"{self.span.line:5d} | {line}")
                lines.append(f"      | {pad}{paint(_COLOURS[self.severity], '^' + '~' * (width - 1))}")
        lines += [f"      {paint(_COLOURS['note'], 'note: ')}{note}" for note in self.notes]
        lines += [one.format(colour) for one in self.related]
        return "\n".join(lines)


class RexError(Exception):
    """The base class of every failure that ends a command. ``exit_code`` is the exit status of the process."""

    exit_code = 4

    def __init__(self, diagnostics: Sequence[Diagnostic] | str) -> None:
        if isinstance(diagnostics, str):
            diagnostics = [Diagnostic("error", diagnostics)]
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(d.message for d in self.diagnostics))


class InputError(RexError):
    """The user's input is at fault."""

    exit_code = 1


class UsageError(RexError):
    """The command line is at fault."""

    exit_code = 2


class ToolError(RexError):
    """A tool or the environment is at fault."""

    exit_code = 3


class InternalError(RexError):
    """A bug in rex-build."""

    exit_code = 4


def suggestion(wrong: str, known: Iterable[str]) -> tuple[str, ...]:
    """A note that names the known word closest to ``wrong``, or nothing."""
    import difflib  # imported here because only errors need it

    close = difflib.get_close_matches(wrong, list(known), n=1, cutoff=0.67)
    return (f"did you mean '{close[0]}'?",) if close else ()


def unknown_word(message: str, wrong: str, known: Iterable[str]) -> UsageError:
    """A :class:`UsageError` about a word that none of the ``known`` ones is, ready to raise."""
    return UsageError([Diagnostic("error", message, notes=suggestion(wrong, known))])


def no_such_file(file: Path) -> InputError:
    """An :class:`InputError` about a file that is not there, with the one beside it that has nearly its name."""
    folder = file.parent
    found = suggestion(file.name, (path.name for path in folder.iterdir()) if folder.is_dir() else ())
    beside = "" if folder == Path() else f"{folder}/"
    notes = tuple(note.replace("'", f"'{beside}", 1) for note in found)
    return InputError([Diagnostic("error", f"{file}: no such file", notes=notes)])


def error_at(span: SourceSpan | None, message: str, *notes: str) -> InputError:
    """An :class:`InputError` with one message, ready to raise."""
    return InputError([Diagnostic("error", message, span, notes)])


def use_colour(stream: TextIO, choice: str = "auto") -> bool:
    """Whether to colour: ``always``, ``never``, or ``auto`` (a terminal, and NO_COLOR is unset)."""
    if choice == "auto":
        return stream.isatty() and not os.environ.get("NO_COLOR")
    return choice == "always"


def report(diagnostics: Sequence[Diagnostic], colour: str = "auto", stream: TextIO | None = None) -> None:
    """Print the diagnostics to ``stream`` (stderr by default)."""
    out = stream or sys.stderr
    paint = use_colour(out, colour)
    for diagnostic in diagnostics:
        print(diagnostic.format(paint), file=out)


class OtherUnitsNeeded(Exception):  # noqa: N818 - no error: the unit is planned once more
    """Device code of this unit and of others need each other, so the unit has to be lowered as a separable one."""


@contextmanager
def collect_errors(errors: list[Diagnostic]) -> Iterator[None]:
    """Collect the errors of a step, so that the errors of the next steps are reported too."""
    try:
        yield
    except InputError as error:
        errors.extend(d for d in error.diagnostics if d not in errors)


def in_source_order(errors: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The errors, sorted by their places if all are in one file. Otherwise they stay in the order of their finding."""
    if len({error.span.file for error in errors if error.span is not None}) != 1:
        return list(errors)
    return sorted(errors, key=lambda e: (e.span.line, e.span.column) if e.span is not None else (0, 0))
