"""Line markers in generated text, and the sparse ``#line`` directives that take their place."""

from __future__ import annotations

import re

from .spans import SourceSpan

_MARKER = re.compile(r"\x01(\d*)\x02(.*)")
# A gap of up to this many lines in the user's file is filled with empty lines. A longer gap gets a directive.
_LARGEST_PADDING = 2


def line_marker(span: SourceSpan) -> str:
    """A marker line. It says that the lines after it come from ``span``."""
    return f"\x01{span.line}\x02{span.file}\n"


# This marker says that the lines after it belong to the generated file itself again.
OWN_LINES = "\x01\x02\n"


def resolve_line_markers(text: str, own_file: str | None = None) -> str:
    """Replace marker lines by ``#line`` directives, but only where the next line would have a wrong number without one.

    :data:`OWN_LINES` returns to the line numbers of the text itself, under the file name ``own_file``. Without
    ``own_file`` these markers are dropped.
    """
    out: list[str] = []
    file: str | None = None  # the user's file that lines count in, or None for the generated file
    line = 0  # the number that the compiler gives to the next line, if file is not None
    pending: tuple[int, str] | None = None
    for row in text.split("\n"):
        marker = _MARKER.fullmatch(row)
        if marker:
            if marker[1]:
                pending = int(marker[1]), marker[2]
            elif file is not None and own_file is not None:
                out.append(f'#line {len(out) + 2} "{_escape(own_file)}"')
                file = pending = None
            else:
                pending = None
            continue
        if pending is not None and row.strip():
            wanted, name = pending
            pending = None
            gap = wanted - line
            if file != name or not 0 <= gap <= _LARGEST_PADDING:
                out.append(f'#line {wanted} "{_escape(name)}"')
            else:
                out += [""] * gap
            file, line = name, wanted
        out.append(row)
        line += 1
    return "\n".join(out)


def _escape(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')
