"""Precedence-aware expression text, and the C++ operators' precedences."""

from __future__ import annotations

import re
from typing import NamedTuple

COMMA, ASSIGN, LOR, LAND, BOR, XOR, BAND, EQ, REL, SHIFT, ADD, MUL, UNARY, POSTFIX, PRIMARY = range(1, 16)

BINARY = {
    "||": LOR, "&&": LAND, "|": BOR, "^": XOR, "&": BAND, "==": EQ, "!=": EQ, "<": REL, ">": REL, "<=": REL, ">=": REL,
    "<<": SHIFT, ">>": SHIFT, "+": ADD, "-": ADD, "*": MUL, "/": MUL, "%": MUL,
}  # fmt: skip
COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))
BIT_OPERATORS = frozenset("&|^")


class Text(NamedTuple):
    """An expression's text and the precedence of its outermost operator."""

    text: str
    prec: int

    def at(self, prec: int) -> str:
        """The text as operand of something that binds as tightly as ``prec``."""
        return self.text if self.prec >= prec else f"({self.text})"


def binary(op: str, left: Text, right: Text) -> Text:
    """``left op right``, with the parentheses that -Wparentheses asks for."""
    prec = BINARY[op]
    return Text(f"{_operand(op, left, prec)} {op} {_operand(op, right, prec + 1)}", prec)


def _operand(op: str, operand: Text, least: int) -> str:
    child = operand.prec
    same = child == BINARY[op]
    wants = (
        (op == "||" and child == LAND)
        or (op in BIT_OPERATORS and LOR <= child <= MUL and not same)
        or (op in ("<<", ">>") and LOR <= child <= MUL)
        or (op in COMPARISONS and child in (EQ, REL))
        or (op in COMPARISONS and operand.text.startswith("!"))
    )
    return f"({operand.text})" if wants else operand.at(least)


def assignment(left: Text, op: str, right: Text) -> Text:
    return Text(f"{left.at(UNARY)} {op} {right.at(ASSIGN)}", ASSIGN)


def prefix(op: str, operand: Text) -> Text:
    """``op operand``; ``- -x`` keeps its operators apart."""
    text = operand.at(UNARY)
    if op[-1] in "+-&" and text.startswith(op[-1]):
        text = f"({text})"
    return Text(op + text, UNARY)


def cast(type_text: str, operand: Text) -> Text:
    return Text(f"({type_text}){operand.at(UNARY)}", UNARY)


def ternary(condition: Text, yes: Text, no: Text) -> Text:
    return Text(f"{condition.at(LOR)} ? {yes.at(ASSIGN)} : {no.at(ASSIGN)}", ASSIGN)


def name(text: str) -> Text:
    return Text(text, PRIMARY)


_WORD_START = re.compile(r"(?<=[a-z])(?=[A-Z])")
_node_names: dict[type, str] = {}


def node_name(node: object) -> str:
    """The name of a tree node's class as part of a method name: ``array_ref`` for ``ArrayRef``."""
    known = _node_names.get(type(node))
    if known is None:
        known = _node_names[type(node)] = _WORD_START.sub("_", type(node).__name__).lower()
    return known


_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]+)|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|([^\\])", re.DOTALL)
_SIMPLE = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27}


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


def char_text(byte: int) -> str:
    """A character constant for one byte."""
    char = chr(byte)
    if 32 <= byte < 127 and char not in "'\\":
        return f"'{char}'"
    return f"'\\{byte:03o}'" if byte else "0"
