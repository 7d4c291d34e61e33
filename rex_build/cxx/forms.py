"""What statements and expressions of C++ are made of (:mod:`rex_build.openmp.forms`)."""

from __future__ import annotations

from typing import Any

from ..openmp.forms import Assign, Block, Branch, Choice, Operation, Part, Step
from . import libclang
from .code import Range
from .dynamic_types import inside
from .reading import clang
from .unit import Unit

_COMPARES = ("==", "!=", "<", ">", "<=", ">=")
_MARKS = frozenset(("=", "++", "--", "+", "-", "*", "/", "&", "|", "^", "<<", ">>", "+=", "-=", "*=", "/=", "&=", "|=",
                    "^=", "<<=", ">>=", *_COMPARES))  # fmt: skip
_VALUES = ("INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR", "STRING_LITERAL")


def form_of(unit: Unit, node: Any) -> Part:
    """The parts of a statement or an expression."""
    node = _as_written(unit, node)
    start, end = unit.extent(node)
    children = libclang.children(node)
    kind, key = node.kind.name, "".join(unit.text[start:end].split())
    what = (Range(start, end), key, False)
    if kind == "COMPOUND_STMT":
        return Block(*what, [form_of(unit, child) for child in children if child.kind.name != "NULL_STMT"])
    if kind == "IF_STMT" and len(children) in (2, 3):
        parts = [form_of(unit, child) for child in children]
        return Branch(*what, parts[0], parts[1], parts[2] if len(parts) == 3 else None)
    if kind == "CONDITIONAL_OPERATOR" and len(children) == 3:
        return Choice(*what, *(form_of(unit, child) for child in children))
    operator, operands = _applied(unit, node, children)
    parts = [form_of(unit, operand) for operand in operands]
    if operator.endswith(("++", "--")):
        return Step(*what, parts[0], operator[-1], operator.startswith("p"))
    if len(parts) == 2 and operator.endswith("=") and operator not in _COMPARES:
        return Assign(*what, parts[0], operator[:-1], parts[1])
    if len(parts) == 2 and operator:
        return Operation(*what, parts[0], operator, parts[1])
    is_object = kind not in _VALUES and operator in ("", "*")
    return Part(what[0], key.removeprefix("this->"), is_object)


def _as_written(unit: Unit, node: Any) -> Any:
    """An expression without what the language does around it: conversions, copies, and the operator that ``!=`` means
    for a class with ``==`` alone."""
    while True:
        node = inside(node)
        (start, end), children = unit.extent(node), libclang.children(node)
        first = inside(children[0]) if children and node.kind.is_expression() else None
        if first is None:
            return node
        low, high = unit.extent(first)
        is_copy = node.kind.name == "CALL_EXPR" and len(children) == 1 and (low, high) == (start, end)
        if not is_copy and start <= low and high <= end:
            return node
        node = first


def _applied(unit: Unit, node: Any, children: list[Any]) -> tuple[str, list[Any]]:
    """(the operator of an expression, its operands). ``p++`` stands behind its operand."""
    kind = node.kind.name
    if kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"):
        return clang.binary(node), children
    if kind == "UNARY_OPERATOR":
        return clang.unary(node), children
    if kind == "CALL_EXPR":  # of a class's operator, or of types that a template's parameters decide
        texts = [unit.text[slice(*unit.extent(child))] for child in children]
        at = next((number for number, text in enumerate(texts) if text in _MARKS), None)
        if at is not None:
            behind = "p" if at == 1 and texts[at] in ("++", "--") else ""
            return f"{behind}{texts[at]}", [child for number, child in enumerate(children) if number != at]
    return "", []
