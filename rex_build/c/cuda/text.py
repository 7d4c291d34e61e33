"""C++ expressions as text, with the precedences of operators, and what is found of them from C's nodes alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pycparser import c_ast

from ...base.patterns import regex
from ...base.precedence import ASSIGN, BINARY, BRACES, COMMA, EQ, LAND, LOR, MUL, POSTFIX, PRIMARY, REL, UNARY
from ..sema.ctype import Array, C
from ..sema.literals import string_units
from ..sema.type_questions import wrap

__all__ = ["ASSIGN", "POSTFIX", "UNARY"]  # the other modules of this folder say ct.ASSIGN

COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))
BIT_OPERATORS = frozenset("&|^")


class Text:
    """A C++ expression: its text, and the precedence of its outermost operator.

    Expressions whose kind matters later have classes of their own. Nothing looks into the text.
    """

    __slots__ = ("prec", "text")

    def __init__(self, text: str, prec: int) -> None:
        self.text = text
        self.prec = prec

    def at(self, prec: int) -> str:
        """The text as the operand of an operator with precedence ``prec``."""
        return self.text if self.prec >= prec else f"({self.text})"


class Cast(Text):
    """``(type)operand``"""

    __slots__ = ("operand", "type")

    def __init__(self, type_text: str, operand: Text) -> None:
        super().__init__(f"({type_text}){operand.at(UNARY)}", UNARY)
        self.type = type_text
        self.operand = operand


def is_cast_to(expression: Text, type_text: str) -> bool:
    """Whether an expression is a cast to the type."""
    return isinstance(expression, Cast) and expression.type == type_text


class Negation(Text):
    """``!operand``"""

    __slots__ = ()

    def __init__(self, operand: Text) -> None:
        super().__init__(f"!{operand.at(UNARY)}", UNARY)


class Call(Text):
    """``function(arguments)``"""

    __slots__ = ("function",)

    def __init__(self, function: str, arguments: str) -> None:
        super().__init__(f"{function}({arguments})", POSTFIX)
        self.function = function


def binary(op: str, left: Text, right: Text) -> Text:
    """``left op right``, with the parentheses that -Wparentheses wants."""
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
        or (op in COMPARISONS and isinstance(operand, Negation))
    )
    return f"({operand.text})" if wants else operand.at(least)


def assignment(left: Text, op: str, right: Text) -> Text:
    return Text(f"{left.at(UNARY)} {op} {right.at(ASSIGN)}", ASSIGN)


def prefix(op: str, operand: Text) -> Text:
    """``op operand``. A blank keeps the operators of ``- -x`` apart."""
    if op == "!":
        return Negation(operand)
    text = operand.at(UNARY)
    if op[-1] in "+-&" and text.startswith(op[-1]):
        text = f"({text})"
    return Text(op + text, UNARY)


def call(function: str, *arguments: Text | str) -> Call:
    """``function(arguments)``. An argument that is given as text must not have a comma operator."""
    return Call(function, ", ".join(a if isinstance(a, str) else a.at(ASSIGN) for a in arguments))


def comma(parts: Iterable[Text]) -> Text:
    """``a, b, c``"""
    return Text(", ".join(part.at(ASSIGN) for part in parts), COMMA)


def braces(parts: Iterable[str]) -> Text:
    """``{a, b, c}``, which is not an expression."""
    return Text("{" + ", ".join(parts) + "}", BRACES)


def braced(type_text: str, value: Text) -> Text:
    """A value of a type from braces or from an expression."""
    return Text(f"({type_text}){value.text}", POSTFIX) if value.prec == BRACES else value


def element(array: Text, index: Text) -> Text:
    """``array[index]``"""
    return Text(f"{array.at(POSTFIX)}[{index.text}]", POSTFIX)


def member(record: Text, name: str, op: str = ".") -> Text:
    """``record.name``, or ``record->name`` if ``op`` is ``->``."""
    return Text(f"{record.at(POSTFIX)}{op}{name}", POSTFIX)


def ternary(condition: Text, yes: Text, no: Text) -> Text:
    return Text(f"{condition.at(LOR)} ? {yes.at(ASSIGN)} : {no.at(ASSIGN)}", ASSIGN)


def name(text: str) -> Text:
    """A name, a constant, or a text with its own parentheses."""
    return Text(text, PRIMARY)


def number(value: int, suffix: str = "") -> Text:
    """An integer constant."""
    return Text(f"{value}{suffix}", UNARY if value < 0 else PRIMARY)


ZERO, ONE = name("0"), name("1")


# Properties that expressions have in C++, found from their nodes alone.

def is_bool_text(node: c_ast.Node) -> bool:
    """Whether the expression has type bool in C++ and int in C."""
    if isinstance(node, c_ast.BinaryOp):
        return node.op in COMPARISONS or node.op in ("&&", "||")
    return isinstance(node, c_ast.UnaryOp) and node.op == "!"


def is_plain(node: c_ast.Node) -> bool:
    """Whether the expression may be printed twice without cost and without another meaning."""
    return isinstance(node, c_ast.ID | c_ast.Constant)


# Prints string literals in C++, and finds the bytes of their text.

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
    return name(known_escapes(node.value))


def string_initialiser(t: Array, node: c_ast.Node) -> str:
    assert isinstance(node, c_ast.Constant)
    element, units = string_units(node.value)
    if t.length is None:  # nvcc cannot initialise a flexible array member with a string
        units = [*units, 0]
    if element != C.CHAR:  # it is an array of the integer type that C uses for wide characters
        return "{" + ", ".join(str(wrap(unit, element)) for unit in units[: t.length]) + "}"
    if t.length is not None and len(units) < t.length:
        return known_escapes(node.value).removeprefix("u8")
    return "{" + ", ".join(char_text(unit & 255) for unit in units[: t.length]) + "}"
