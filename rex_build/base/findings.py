"""Findings about the user's program: what is wrong in it although it can be lowered.

A finding is *certain* if the program does something wrong whenever the place is reached, and *likely* if something that
is not seen, such as a caller in another file, may make it right. The message of a likely one says what that is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from .diagnostics import Diagnostic, SourceSpan, source_lines, unknown_word
from .patterns import regex
from .records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What each name is about, as docs/check.md explains it.
NAMES = {
    "partial-map": "a region uses a member of a structure of which only other members are mapped",
    "unmapped-pointer": "a region dereferences a pointer to host memory that nothing maps",
    "lost-result": "a region changes a copy, and the host reads the variable afterwards",
    "unset": "a region, or the host behind it, reads memory that nothing has written",
    "bounds": "a region goes beyond the mapped section, or a section beyond the array",
    "stale": "one side reads what the other side has changed, without an update in between",
    "nowait": "the host uses data of a deferred region before waiting for it",
    "device-pointer": "the host follows an address of device memory",
    "released": "a region uses memory of the device that has been released",
    "double-release": "data is released that is not mapped any more",
    "leak": "data is mapped by 'enter data', and no 'exit data' removes it",
    "barrier": "only some threads of a team come to a barrier",
    "nesting": "a region has more in it than the 'teams' construct",
    "dependence": "an iteration of a distributed loop uses what another iteration computes",
    "race": "threads use one variable, and nothing orders their writes",
    "reduction": "all threads update one variable, without a reduction or atomic",
}


@dataclass(frozen=True)
class Note:
    """A second place that belongs to a finding."""

    message: str
    span: SourceSpan


@dataclass(frozen=True)
class Finding:
    """One finding. ``name`` is a key of ``NAMES``, and ``advice`` says what to write instead."""

    name: str
    certain: bool
    message: str
    span: SourceSpan
    variable: str
    advice: str
    notes: tuple[Note, ...] = ()


class Chosen:
    """Which findings are reported, and which of them as errors, from the words that ``taken_out`` has found."""

    def __init__(self, words: Iterable[str]) -> None:
        """Raises UsageError for an unknown name. As in gcc, an unknown name after ``no-`` does no harm."""
        self._shown: dict[str, bool] = {}
        self._errors: dict[str, bool] = {}
        self._all_errors = self._nothing = False
        for word in words:
            if word == "-w":
                self._nothing = True
            elif word in ("-Werror", "-Wno-error"):
                self._all_errors = word == "-Werror"
            else:
                self._option(word)

    def _option(self, word: str) -> None:
        found = re.fullmatch(r"-W(no-)?(error=)?rex-(.+)", word)
        name = found[3] if found else ""
        if found is None or (name not in NAMES and name != "all" and not found[1]):
            message = f"unknown option '{word}': rex- is followed by all or one of {', '.join(NAMES)}"
            raise unknown_word(message, f"rex-{name}", [f"rex-{known}" for known in ("all", *NAMES)])
        if found[2]:
            self._errors[name] = not found[1]
        if not (found[1] and found[2]):
            self._shown[name] = not found[1]

    def severity(self, finding: Finding) -> str | None:
        """``warning``, ``error``, or None if the finding is not reported."""
        if self._nothing or not self._shown.get(finding.name, self._shown.get("all", finding.certain)):
            return None
        is_error = self._errors.get(finding.name, self._errors.get("all", self._all_errors))
        return "error" if is_error else "warning"


def reported(findings: Sequence[Finding], words: Iterable[str]) -> tuple[Diagnostic, ...]:
    """The messages about those findings that ``words`` choose and the source does not silence."""
    if not findings:
        Chosen(words)
        return ()
    return tuple(_messages(findings, Chosen(words)))


def _messages(findings: Iterable[Finding], chosen: Chosen) -> Iterator[Diagnostic]:
    for finding in findings:
        severity = chosen.severity(finding)
        if severity is None or is_silenced(finding):
            continue
        related = [Diagnostic("note", note.message, note.span) for note in finding.notes]
        option = f"-W{'error=' if severity == 'error' else ''}rex-{finding.name}"
        yield Diagnostic(severity, finding.message, finding.span, (finding.advice,), option, tuple(related))


_SILENCING = regex(r"rex-ignore:\s*(?:rex-)?([\w-]+(?:\s*,\s*(?:rex-)?[\w-]+)*)")


def is_silenced(finding: Finding) -> bool:
    """Whether a comment ``rex-ignore: NAME`` stands on the line of the finding or of a note of it, or alone above it.

    The source is asked and not the preprocessed text, which is the same with and without the comment.
    """
    texts: list[str] = []
    for span in (finding.span, *(note.span for note in finding.notes)):
        lines = source_lines(span.file)
        texts += [*lines[span.line - 1 : span.line], *_comment_above(lines[: span.line - 1])]
    names = {
        name.strip().removeprefix("rex-") for t in texts for m in _SILENCING.finditer(t) for name in m[1].split(",")
    }
    return finding.name in names or "all" in names


def _comment_above(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a comment that stands alone at the end, which may have several."""
    is_inside = False
    for line in reversed(lines):
        text = line.strip()
        if is_inside:
            is_inside = "/*" not in text
        elif text.endswith("*/") and "/*" not in text:
            is_inside = True
        elif not text.startswith(("//", "/*")):
            return
        yield text


# -- as plain data, for the cache and for JSON -----------------------------------------------------------------------


def as_data(finding: Finding) -> dict[str, Any]:
    """The finding as a value that JSON has."""
    return {
        "name": f"rex-{finding.name}",
        "certain": finding.certain,
        "message": finding.message,
        "place": place_data(finding.span),
        "variable": finding.variable,
        "advice": finding.advice,
        "notes": [{"message": note.message, "place": place_data(note.span)} for note in finding.notes],
    }


def from_data(data: dict[str, Any]) -> Finding:
    """What ``as_data`` made this from."""
    notes = tuple(Note(n["message"], SourceSpan(**n["place"])) for n in data["notes"])
    place = SourceSpan(**data["place"])
    name = data["name"].removeprefix("rex-")
    return Finding(name, data["certain"], data["message"], place, data["variable"], data["advice"], notes)


def place_data(span: SourceSpan) -> dict[str, Any]:
    """A place as a value that JSON has. ``length`` is the number of letters from the column on."""
    return {"file": span.file, "line": span.line, "column": span.column, "length": span.length}
