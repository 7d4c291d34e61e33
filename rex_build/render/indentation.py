"""Indents generated text as the user's text around it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..base.indent import indent_lines
from ..base.patterns import regex
from ..base.spans import source_lines
from ..c.source.preprocess import Preprocessed

_LEADING = regex(r"[ \t]*")
_STATEMENT = regex(r"^(?!#)[^\S\n]*\S", re.MULTILINE)  # the beginning of a line that is no directive


class Indentation:
    """The white space in front of the texts that replace directives."""

    def __init__(self, pre: Preprocessed) -> None:
        self._pre = pre
        # Where the last search for a statement began, and what it found: one after many directives is found once.
        self._searched: tuple[int, re.Match[str] | None] = (len(pre.text) + 1, None)

    def at(self, start: int) -> str:
        """That of the directive's line, or, if directives stand at the left margin, that of the next statement."""
        pre = self._pre
        physical = pre.line_at(start)
        origin, number = pre.origin_of(physical)
        lines = source_lines(origin.file)
        line = lines[number - 1] if 0 < number <= len(lines) else ""
        if line[:1].isspace():
            return _leading(line)
        later = self._statement(pre.line_end(physical))
        if later is None:
            return ""
        text = pre.text[later.start() : pre.text.find("\n", later.end())]
        return _leading(text) + "    " * text.lstrip().startswith("}")

    def _statement(self, start: int) -> re.Match[str] | None:
        """The beginning of the first statement at or after a line."""
        first, found = self._searched
        if not first <= start <= (found.start() if found is not None else len(self._pre.text)):
            found = _STATEMENT.search(self._pre.text, start)
            self._searched = start, found
        return found


def _leading(line: str) -> str:
    found = _LEADING.match(line)
    return found[0] if found else ""


def indented(pieces: Sequence[str], pad: str) -> tuple[str, ...]:
    """Generated text with ``pad`` in front of every line."""
    return tuple(indent_lines(piece.rstrip("\n"), pad) for piece in pieces)
