"""The lines of the user's text, with edits made, as generated files have them."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.diagnostics import SourceSpan
from ..base.line_directives import line_marker
from ..base.records import dataclass
from .unit import Unit


@dataclass(frozen=True)
class TextEdit:
    """A text in place of [start, end) of the user's. A ``block`` is whole lines."""

    start: int
    end: int
    text: str
    block: bool = False


def user_lines(unit: Unit, start: int, end: int, edits: Sequence[TextEdit] = ()) -> str:
    """The lines of a stretch of the preprocessed text, each with a marker of the user's line, with ``edits`` made.

    The preprocessor parts a line around a macro of a header of the system. It is one line again.
    """
    pre, text = unit.pre, unit.text
    rows: list[str] = []
    row, row_line = "", 0
    latest: SourceSpan | None = None  # the place of the last row, which may go on
    waiting = sorted(edits, key=lambda e: (e.start, e.end > e.start, -e.end))
    at, position = 0, start

    def flush() -> None:
        nonlocal row, row_line, latest
        if row.strip():
            origin, line = pre.origin_of(row_line)
            place = SourceSpan(origin.file, line)
            is_directive = row.lstrip().startswith("#")
            if place == latest and not is_directive:
                rows[-1] = f"{rows[-1].rstrip()} {row.strip()}\n"
            else:
                rows.append(line_marker(place) + row.rstrip() + "\n")
            latest = None if is_directive else place
        row, row_line = "", 0

    def add(low: int, high: int) -> None:
        nonlocal row, row_line
        if low < high:
            if not row_line and text[low:high].strip():
                row_line = pre.line_at(low)
            row += text[low:high]

    while position < end or (at < len(waiting) and waiting[at].start <= end):
        edit = waiting[at] if at < len(waiting) else None
        if edit is not None and edit.start < position:  # inside of one that was made
            at += 1
            continue
        line_end = text.find("\n", position, end)
        stop = end if line_end < 0 else line_end
        if edit is not None and edit.start <= stop:
            add(position, edit.start)
            if edit.block:
                flush()
                rows.append(edit.text)
                latest = None
            else:
                row_line = row_line or pre.line_at(min(edit.start, len(text) - 1))
                row += edit.text
            position, at = max(position, edit.end), at + 1
            continue
        add(position, stop)
        flush()
        position = stop + 1
    flush()
    return "".join(rows)
