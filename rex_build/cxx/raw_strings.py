"""Raw string literals as ordinary ones, so that nothing in them is taken for code."""

from __future__ import annotations

import re

from ..base.patterns import regex
from ..c.rewrite.rewriting import Respelling, respelled
from ..c.source.preprocess import Preprocessed

_LITERAL = regex(
    r"(?<!\w)(?P<prefix>u8|[uUL])?R\"(?P<mark>[^()\\\s\"]*)\((?P<body>.*?)\)(?P=mark)\""
    r"|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'",
    re.DOTALL,
)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "?": "\\?"}


def without_raw_strings(pre: Preprocessed) -> Preprocessed:
    """The text with an ordinary literal, and as many empty lines as it had, for each raw one of the user's."""
    if 'R"' not in pre.text:
        return pre
    edits: list[Respelling] = []
    for match in _LITERAL.finditer(pre.text):
        body = match["body"]
        if body is not None and not pre.origin_of(pre.line_at(match.start()))[0].system:
            text = "".join(_ESCAPES.get(char, char) for char in body)
            lines = "\n" * match[0].count("\n")
            edits.append((match.start(), match.end(), f'{match["prefix"] or ""}"{text}"{lines}'))
    return respelled(pre, edits)
