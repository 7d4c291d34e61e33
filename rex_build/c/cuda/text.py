"""Precedence-aware expression text, and the C++ operators' precedences."""

from __future__ import annotations

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


ZERO = name("0")
