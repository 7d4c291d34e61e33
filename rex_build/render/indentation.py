"""Indents generated text as the user's text around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import indent

from ..base.spans import source_lines
from ..c.source.preprocess import Preprocessed

_LEADING = re.compile(r"[ \t]*")
_STATEMENT = re.compile(r"^(?!#)[^\S\n]*\S", re.MULTILINE)  # the beginning of a line that is no directive


def indentation_at(pre: Preprocessed, start: int) -> str:
    """The white space in front of the text that replaces a directive.

    It is that of the directive's line, or, if directives stand at the left margin, that of the next statement.
    """
    physical = pre.line_at(start)
    origin, number = pre.origin_of(physical)
    lines = source_lines(origin.file)
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    if line[:1].isspace():
        return _leading(line)
    later = _STATEMENT.search(pre.text, pre.line_end(physical))
    if later is None:
        return ""
    text = pre.text[later.start() : pre.text.find("\n", later.end())]
    return _leading(text) + "    " * text.lstrip().startswith("}")


def _leading(line: str) -> str:
    found = _LEADING.match(line)
    return found[0] if found else ""


def indented(pieces: Sequence[str], pad: str) -> tuple[str, ...]:
    """Generated text with ``pad`` in front of every line."""
    return tuple(indent(piece.rstrip("\n"), pad) for piece in pieces)
