"""What the statements of ``atomic`` constructs are made of."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..openmp.atomics import OPERATORS, Assign, Block, Branch, Choice, Operation, Part, Step, atomic_of
from ..plan.code import Code
from ..plan.constructs import Atomic
from . import libclang
from .code import Construct, Range, Text
from .dynamic_types import inside
from .reading import clang
from .unit import Unit

_MARKS = {*OPERATORS, *(f"{mark}=" for mark in OPERATORS), "=", "==", "<", ">", "++", "--"}
_VALUES = ("INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR", "STRING_LITERAL")


def atomic_operation(unit: Unit, construct: Construct) -> Atomic:
    """The operation of an ``atomic`` construct. Raises InputError for a statement in none of its forms."""
    function = unit.function_at(construct.start)
    statement = unit.statement_at(function.cursor, construct.body_start) if function is not None else None
    part = _form(unit, statement) if statement is not None else None
    span = unit.span(construct.body_start)
    return atomic_of(construct.directive, part, span, unit.requirements, partial(_joined, unit))


def _text(unit: Unit, code: Code) -> str:
    return unit.text[code.start : code.end] if isinstance(code, Range) else code.text  # type: ignore[attr-defined]


def _joined(unit: Unit, operator: str, left: Code, right: Code) -> Text:
    assert isinstance(right, Range)
    return Text(f"({_text(unit, left)}) {operator} ({_text(unit, right)})", right.start)


def _form(unit: Unit, node: Any) -> Part:
    """What a statement or an expression is made of."""
    node = inside(node)
    start, end = unit.extent(node)
    children = libclang.children(node)
    code, key, kind = Range(start, end), "".join(unit.text[start:end].split()), node.kind.name
    if kind == "COMPOUND_STMT":
        statements = [_form(unit, child) for child in children if child.kind.name != "NULL_STMT"]
        return Block(code, key, False, statements)
    if kind == "IF_STMT" and len(children) in (2, 3):
        parts = [_form(unit, child) for child in children]
        return Branch(code, key, False, parts[0], parts[1], parts[2] if len(parts) == 3 else None)
    if kind == "CONDITIONAL_OPERATOR" and len(children) == 3:
        return Choice(code, key, False, *(_form(unit, child) for child in children))
    operator, operands = _applied(unit, node, children)
    parts = [_form(unit, operand) for operand in operands]
    if operator.endswith(("++", "--")):
        return Step(code, key, False, parts[0], operator[-1], operator.startswith("p"))
    if len(parts) == 2 and operator.endswith("=") and operator not in ("==", "<=", ">=", "!="):
        return Assign(code, key, False, parts[0], operator[:-1], parts[1])
    if len(parts) == 2 and operator:
        return Operation(code, key, False, parts[0], operator, parts[1])
    return Part(code, key.removeprefix("this->"), kind not in _VALUES and operator in ("", "*"))


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
