"""A lexer for pycparser that reads the usual tokens, together with the space before them, in one step.

pycparser's own lexer looks at every single blank and tries several patterns for each token. Preprocessed headers have
many blanks in place of attributes and line markers, so this takes half of the time for reading a unit.
"""

from __future__ import annotations

import re

from pycparser.c_lexer import CLexer, Token

# Space, then a word that is no prefix of a literal, or punctuation with which no longer token begins.
_USUAL = re.compile(r"""[ \t\f\v\n]*(?:([^\W\d]\w*)(?![\w$"'\\])|([(){},;]))?""")
# New keywords of C23, with their spellings in C11.
_OLDER_SPELLINGS = {"_BOOL": "_Bool", "_ALIGNOF": "_Alignof"}
_PUNCTUATION = {"(": "LPAREN", ")": "RPAREN", "{": "LBRACE", "}": "RBRACE", ",": "COMMA", ";": "SEMI"}


class FastLexer(CLexer):
    """pycparser's lexer. It gives the same tokens as the base class, except for new spellings of old keywords."""

    _pos: int
    _lineno: int
    _line_start: int

    def token(self) -> Token | None:
        if self._pending_tok is not None or self._in_attribute:
            return super().token()
        text, at = self._lexdata, self._pos
        match = _USUAL.match(text, at)
        assert match is not None
        kind = match.lastindex
        start = match.start(kind) if kind else match.end()
        if start > at and (newline := text.rfind("\n", at, start)) >= 0:
            self._lineno += text.count("\n", at, start)
            self._line_start = newline + 1
        if not kind:
            self._pos = start
            return super().token()
        self._pos = match.end()
        value = match[kind]
        token_type = self._keyword_map.get(value, "ID") if kind == 1 else _PUNCTUATION[value]
        value = _OLDER_SPELLINGS.get(token_type, value)
        return self._make_token(token_type, value, start)
