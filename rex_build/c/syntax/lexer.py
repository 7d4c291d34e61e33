"""A lexer for pycparser that reads the usual tokens, together with the space before them, in one step.

pycparser's own lexer looks at every single blank and tries several patterns for each token. Preprocessed headers have
many blanks in place of attributes and line markers, so this takes half of the time for reading a unit.
"""

from __future__ import annotations

import re

from pycparser.c_lexer import CLexer, Token

from ...base.patterns import regex

_OPERATORS = {
    "...": "ELLIPSIS", "<<=": "LSHIFTEQUAL", ">>=": "RSHIFTEQUAL", "++": "PLUSPLUS", "--": "MINUSMINUS", "->": "ARROW",
    "&&": "LAND", "||": "LOR", "<<": "LSHIFT", ">>": "RSHIFT", "<=": "LE", ">=": "GE", "==": "EQ", "!=": "NE",
    "*=": "TIMESEQUAL", "/=": "DIVEQUAL", "%=": "MODEQUAL", "+=": "PLUSEQUAL", "-=": "MINUSEQUAL", "&=": "ANDEQUAL",
    "|=": "OREQUAL", "^=": "XOREQUAL", "=": "EQUALS", "+": "PLUS", "-": "MINUS", "*": "TIMES", "/": "DIVIDE",
    "%": "MOD", "|": "OR", "&": "AND", "~": "NOT", "^": "XOR", "!": "LNOT", "<": "LT", ">": "GT", "?": "CONDOP",
    "(": "LPAREN", ")": "RPAREN", "[": "LBRACKET", "]": "RBRACKET", "{": "LBRACE", "}": "RBRACE", ",": "COMMA",
    ".": "PERIOD", ";": "SEMI", ":": "COLON",
}  # fmt: skip
_SUFFIX = r"(?:[uU](?:ll|LL|[lL])?|(?:ll|LL|[lL])[uU]?)?"
# The groups have these types of tokens. A word may be a keyword, and an operator has a type of its own.
_WORD, _OPERATOR, _LITERAL = "ID", "", "literal"
_TYPES = ("", _WORD, _OPERATOR, "FLOAT_CONST", "INT_CONST_DEC", "INT_CONST_OCT", "INT_CONST_HEX", _LITERAL)
_LITERALS = {
    '"': "STRING_LITERAL", 'L"': "WSTRING_LITERAL", 'u8"': "U8STRING_LITERAL", 'u"': "U16STRING_LITERAL",
    'U"': "U32STRING_LITERAL", "'": "CHAR_CONST", "L'": "WCHAR_CONST", "u8'": "U8CHAR_CONST", "u'": "U16CHAR_CONST",
    "U'": "U32CHAR_CONST",
}  # fmt: skip
# One character of a character constant. As in gcc, any character may follow the backslash, such as the "%" of "100\%".
_CHARACTER = r"(?:[^'\\\n] | \\(?:[^\n0-9xuU]|[0-7]+|x[0-9a-fA-F]+))"
# Space, then a token behind which no longer one can end: what is not taken here is left to pycparser. So a word is no
# prefix of a literal, and no bracket begins an attribute.
_USUAL = regex(
    rf"""[ \t\f\v\n]*(?:
    ([^\W\d]\w*)(?![\w$"'\\]) |
    (\.\.\. | <<= | >>= | \+\+ | -- | -> | && | \|\| | << | >> | [-+*%&|^<>=!]= | /= | /(?![/*]) | \[(?!\s*\[) |
     \.(?![0-9]) | :(?!:) | [-+*%&|^<>=!~?(){{}},;\]]) |
    (?:([0-9]+ (?:\.[0-9]*)? [eE][-+]?[0-9]+ [fFlL]? | (?:[0-9]+\.[0-9]* | \.[0-9]+) [fFlL]?) |
     (?:([1-9][0-9]*) | (0[0-7]*) | (0[xX][0-9a-fA-F]+)){_SUFFIX}) (?![\w.$'\\]) |
    ((?:u8|[uUL])?(?:"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*" | '{_CHARACTER}'))
    )?""",
    re.VERBOSE,
)
# New keywords of C23, with their spellings in C11.
_OLDER_SPELLINGS = {"_BOOL": "_Bool", "_ALIGNOF": "_Alignof"}


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
        group = match.lastindex
        start = match.start(group) if group else match.end()
        if start > at and (newline := text.rfind("\n", at, start)) >= 0:
            self._lineno += text.count("\n", at, start)
            self._line_start = newline + 1
        if not group:
            self._pos = start
            return super().token()
        self._pos = match.end()
        value = text[start : self._pos]
        kind = _TYPES[group]
        if kind == _OPERATOR:
            kind = _OPERATORS[value]
        elif kind == _LITERAL:
            kind = _LITERALS[value[: value.index(value[-1]) + 1]]
        elif kind == _WORD:
            kind = self._keyword_map.get(value, kind)
            value = _OLDER_SPELLINGS.get(kind, value)
        return Token(kind, value, self._lineno, start - self._line_start + 1, self._filename)
