"""Finds the ends of statements in the preprocessed text. pycparser knows only where they begin."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"[ \t]*#[^\n]*|\s+|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|"
    r"\.?\d(?:[eEpP][+-]|'[\da-fA-F]|[\w.])*|.",
    re.DOTALL,
)
_OPEN, _CLOSE = "([{", ")]}"


def next_token(text: str, offset: int) -> int:
    """The offset of the first token at or after ``offset``. Pragma lines and white space are skipped."""
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        assert match is not None
        token = match[0]
        if not token.isspace() and not token.lstrip().startswith("#"):
            return offset
        offset = match.end()
    return offset


def _word(text: str, offset: int) -> str:
    match = _TOKEN.match(text, offset)
    return match[0] if match else ""


def _balanced(text: str, offset: int) -> int:
    """Offset one past the bracket that closes the one at ``offset``."""
    depth = 0
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        assert match is not None
        token = match[0]
        if token in _OPEN and len(token) == 1:
            depth += 1
        elif token in _CLOSE and len(token) == 1:
            depth -= 1
            if depth == 0:
                return match.end()
        offset = match.end()
    return offset


def statement_end(text: str, offset: int) -> int:
    """The offset one past the statement that begins at or after ``offset``. Pragmas before it belong to it."""
    offset = next_token(text, offset)
    word = _word(text, offset)
    after = offset + len(word)
    if word == "{":
        return _balanced(text, offset)
    if word in ("for", "while", "switch", "if"):
        end = statement_end(text, _balanced(text, next_token(text, after)))
        if word == "if":
            following = next_token(text, end)
            if _word(text, following) == "else":
                return statement_end(text, following + 4)
        return end
    if word == "do":
        body = statement_end(text, after)
        return _semicolon(text, body)
    if word == "else":
        return statement_end(text, after)
    if word == "case":
        return statement_end(text, text.index(":", after) + 1)
    if re.fullmatch(r"[A-Za-z_]\w*", word):
        colon = next_token(text, after)
        if _word(text, colon) == ":":
            return statement_end(text, colon + 1)
    return _semicolon(text, offset)


def _semicolon(text: str, offset: int) -> int:
    """Offset one past the next ``;`` outside brackets."""
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        assert match is not None
        if match[0] == ";":
            return match.end()
        offset = _balanced(text, offset) if match[0] in _OPEN and len(match[0]) == 1 else match.end()
    return offset
