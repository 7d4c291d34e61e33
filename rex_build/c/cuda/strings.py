"""Prints string literals in C++, and finds the bytes of their text."""

from __future__ import annotations

import re

from pycparser import c_ast

from ...base.patterns import regex
from ..sema.conversions import wrap
from ..sema.ctype import CHAR, Array
from ..sema.literals import string_units
from . import text as ct
from .text import Text

_ESCAPE = regex(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]+)|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|([^\\])", re.DOTALL)

# A backslash without a meaning, of which gcc warns in the user's file. Letters are left: they may follow "\x4".
_UNKNOWN = regex(r"""(\\[\w\\'"?])|\\(.)""")
_SIMPLE = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "E": 27}


def string_bytes(literal: str) -> list[int]:
    """The bytes of a narrow C string literal's text, without the terminating zero."""
    out: list[int] = []
    for octal, hexa, short, long_, simple, plain in _ESCAPE.findall(literal[1:-1]):
        if octal:
            out.append(int(octal, 8) & 255)
        elif hexa:
            out.append(int(hexa, 16) & 255)
        elif short or long_:
            out += chr(int(short or long_, 16)).encode()
        elif simple:
            out.append(_SIMPLE.get(simple, ord(simple)))
        else:
            out += plain.encode("utf-8", "surrogateescape")
    return out


def known_escapes(literal: str) -> str:
    """A literal for the device file, without the backslashes that mean nothing."""
    return _UNKNOWN.sub(lambda found: found[1] or found[2], literal) if "\\" in literal else literal


def char_text(byte: int) -> str:
    """A character constant for one byte."""
    char = chr(byte)
    if 32 <= byte < 127 and char not in "'\\":
        return f"'{char}'"
    return f"'\\{byte:03o}'" if byte else "0"


def bare_string(node: c_ast.Constant) -> Text:
    return ct.name(known_escapes(node.value))


def string_initialiser(t: Array, node: c_ast.Node) -> str:
    assert isinstance(node, c_ast.Constant)
    element, units = string_units(node.value)
    if t.length is None:  # nvcc cannot initialise a flexible array member with a string
        units = [*units, 0]
    if element != CHAR:  # it is an array of the integer type that C uses for wide characters
        return "{" + ", ".join(str(wrap(unit, element)) for unit in units[: t.length]) + "}"
    if t.length is not None and len(units) < t.length:
        return known_escapes(node.value).removeprefix("u8")
    return "{" + ", ".join(char_text(unit & 255) for unit in units[: t.length]) + "}"
