"""Values and types of C constants and string literals (C11 6.4.4, 6.4.5)."""

from __future__ import annotations

import math
import re
import struct
from functools import cache

from ...base.patterns import regex
from .ctype import C, CType, Scalar
from .type_questions import integer_range, wrap

_INTEGER = regex(r"(?P<digits>0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)(?P<suffix>[uUlL]*)$")
_PART = regex(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_UNIT = regex(
    r"\\x(?P<hex>[0-9a-fA-F]+)|\\(?P<octal>[0-7]{1,3})|\\u(?P<u4>[0-9a-fA-F]{4})|\\U(?P<u8>[0-9a-fA-F]{8})"
    r"|\\(?P<simple>.)|(?P<plain>.)",
    re.DOTALL,
)
_SIMPLE = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "E": 27}
_ELEMENT = {"": C.CHAR, "u8": C.CHAR, "L": C.INT, "u": C.UNSIGNED_SHORT, "U": C.UNSIGNED_INT}


@cache
def integer_constant(text: str) -> tuple[int, Scalar] | None:
    """The value and the type, which is the first of 6.4.4.1's list that fits. None if the constant is malformed."""
    match = _INTEGER.match(text)
    if not match:
        return None
    digits, suffix = match["digits"], match["suffix"].lower()
    if digits[:2] in ("0x", "0X"):
        value = int(digits, 16)
    elif digits[:2] in ("0b", "0B"):
        value = int(digits[2:], 2)
    elif digits.startswith("0"):
        if not re.fullmatch("[0-7]*", digits):
            return None
        value = int(digits, 8)
    else:
        value = int(digits)
    longs = suffix.count("l")
    pairs = ((C.INT, C.UNSIGNED_INT), (C.LONG, C.UNSIGNED_LONG), (C.LONG_LONG, C.UNSIGNED_LONG_LONG))[longs:]
    for signed, unsigned in pairs:
        if "u" not in suffix and value <= integer_range(signed)[1]:
            return value, signed
        if ("u" in suffix or digits.startswith("0")) and value <= integer_range(unsigned)[1]:
            return value, unsigned
    return value, C.UNSIGNED_LONG_LONG


def float_constant(text: str) -> float | None:
    """The value of a floating constant in double precision, or None if it is malformed."""
    hexadecimal = text[:2] in ("0x", "0X")
    digits = text.rstrip("lL" if hexadecimal and "p" not in text.lower() else "fFlL")
    try:
        return float.fromhex(digits) if hexadecimal else float(digits)
    except (ValueError, OverflowError):
        return None


def narrowed(value: float, t: CType) -> float:
    """A number, rounded once to a 16-bit floating type."""
    mantissa, bias = (10, 15) if t == C.HALF else (7, 127)
    limit = 2.0 ** (bias + 1)
    if not abs(value) < limit:
        return value if math.isnan(value) else math.copysign(math.inf, value)
    exponent = max(math.frexp(value)[1] - 1, 1 - bias)  # that of the numbers below the normal ones, at least
    result = math.ldexp(round(math.ldexp(value, mantissa - exponent)), exponent - mantissa)
    return math.copysign(result if abs(result) < limit else math.inf, value)


def narrow_bits(value: float, t: CType) -> int:
    """The bits of a number in a 16-bit floating type."""
    rounded = narrowed(value, t)
    if t == C.HALF:
        bits: int = struct.unpack("<H", struct.pack("<e", rounded))[0]
    else:
        bits = struct.unpack("<I", struct.pack("<f", rounded))[0] >> 16
    return bits


def _units(body: str, element: Scalar) -> list[int]:
    """The code units of the text between the quotes."""
    units: list[int] = []
    for match in _UNIT.finditer(body):
        kind, text = match.lastgroup or "", match[match.lastgroup or 0]
        if kind == "hex":
            units.append(int(text, 16))
        elif kind == "octal":
            units.append(int(text, 8))
        elif kind == "simple":
            units.append(_SIMPLE.get(text, ord(text)))
        else:
            char = text if kind == "plain" else chr(int(text, 16))
            if element is C.CHAR:
                units += char.encode("utf-8", "surrogateescape")
            elif element is C.UNSIGNED_SHORT and ord(char) > 0xFFFF:
                units += [0xD800 + (ord(char) - 0x10000 >> 10), 0xDC00 + (ord(char) & 0x3FF)]
            else:
                units.append(ord(char))
    return units


def character_constant(text: str) -> tuple[int, Scalar]:
    """The value and the type. Several characters in one constant are combined as in gcc."""
    prefix, body = text.split("'", 1)
    element = _ELEMENT.get(prefix, C.CHAR)
    units = _units(body[:-1], element)
    if element is not C.CHAR:
        return (wrap(units[-1], element) if units else 0), element
    if len(units) == 1:
        return wrap(units[0], C.CHAR), C.INT
    value = 0
    for unit in units:
        value = value << 8 | unit & 0xFF
    return wrap(value, C.INT), C.INT


def string_units(text: str) -> tuple[Scalar, list[int]]:
    """The element type and the elements of adjacent literals, without the terminating zero."""
    element = _ELEMENT.get(text[: text.index('"')], C.CHAR)
    return element, [unit for part in _PART.findall(text) for unit in _units(part, element)]


def string_literal(text: str) -> tuple[Scalar, int]:
    """The element type and the length of adjacent literals, including the terminating zero."""
    element, units = string_units(text)
    return element, 1 + len(units)
