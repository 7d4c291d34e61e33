"""Line markers in generated text, and the sparse ``#line`` directives and the comments that take their place."""

from __future__ import annotations

from collections.abc import Sequence

from .diagnostics import SourceSpan, source_lines
from .patterns import regex

_MARKER = regex(r"\x01(\d*)\x02(.*)")
# A gap of up to this many lines in the user's file is filled with empty lines. A longer gap gets a directive.
_LARGEST_PADDING = 2
_WIDEST = 120  # characters of a line in which several statements stand


def line_marker(span: SourceSpan) -> str:
    """A marker line. It says that the lines after it come from ``span``."""
    return f"\x01{span.line}\x02{span.file}\n"


# This marker says that the lines after it belong to the generated file itself again.
OWN_LINES = "\x01\x02\n"


def resolve_line_markers(text: str, own_file: str | None = None, commented: str | None = None) -> str:
    """Replace marker lines by ``#line`` directives, but only where the next line would have a wrong number without one.

    :data:`OWN_LINES` returns to the line numbers of the text itself, under the file name ``own_file``. Without
    ``own_file`` these markers are dropped. Comments that stand by themselves right above a marked line in the file
    ``commented`` are copied to above its line here.
    """
    out: list[str] = []
    file: str | None = None  # the user's file that lines count in, or None for the generated file
    line = 0  # the number that the compiler gives to the next line, if file is not None
    pending: tuple[int, str] | None = None
    latest: tuple[int, str] | None = None
    lines = source_lines(commented) if commented is not None else ()
    for row in text.split("\n"):
        marker = _MARKER.fullmatch(row)
        if marker:
            if marker[1]:
                pending = int(marker[1]), marker[2]
            elif file is not None and own_file is not None:
                out.append(line_directive(len(out) + 2, own_file))
                file = pending = latest = None
            else:
                pending = None
            continue
        if pending is not None and row.strip():
            wanted, name = pending
            if file == name and line == wanted + 1 and _share_a_line(out[-1], row):
                out[-1] += f" {row.lstrip()}"
                pending = None
                continue
            comment = comment_above(lines, wanted) if name == commented and pending != latest else []
            latest, pending = pending, None
            first = wanted - len(comment)
            gap = first - line
            if file != name or not 0 <= gap <= _LARGEST_PADDING:
                out.append(line_directive(first, name))
            else:
                out += [""] * gap
            indent = row[: len(row) - len(row.lstrip())]
            out += [indent + text for text in comment]
            file, line = name, wanted
        out.append(row)
        line += 1
    return "\n".join(out)


def _share_a_line(one: str, other: str) -> bool:
    """Whether statements that the user wrote in one line may stand in one here, without a directive between them."""
    width = len(one) - len(one.lstrip())
    alike = width == len(other) - len(other.lstrip()) and len(one) + len(other) - width < _WIDEST
    return alike and all(row.endswith(";") and "//" not in row and row.lstrip()[0] != "#" for row in (one, other))


def comment_above(lines: Sequence[str], number: int) -> list[str]:
    """The comments, without their indentation, that the lines right above line ``number`` consist of."""
    found: list[str] = []
    at = min(number - 1, len(lines))
    while at > 0:
        last = lines[at - 1].strip()
        start = at - 1
        if last.endswith("*/"):
            while start > 0 and "/*" not in lines[start]:
                start -= 1
        block = [line.strip() for line in lines[start:at]]
        if not _is_comment("\n".join(block)):
            break
        found[:0] = [f" {line}" if line.startswith("*") else line for line in block]
        at = start
    return found


def _is_comment(text: str) -> bool:
    if any("\ud800" <= char <= "\udfff" for char in text):  # bytes that are no text
        return False
    if text.startswith("//"):
        return "\n" not in text and not text.endswith("\\")
    return text.startswith("/*") and text.find("*/", 2) == len(text) - 2


def line_directive(line: int, file: str) -> str:
    """The directive that says that the next line is number ``line`` of ``file``."""
    name = file.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'#line {line} "{name}"'
