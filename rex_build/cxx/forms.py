"""What statements and expressions of C++ are made of (:mod:`rex_build.openmp.forms`)."""

from __future__ import annotations

from typing import Any

from ..base.spans import SourceSpan
from ..openmp.canonical import Head
from ..openmp.forms import Assign, Block, Branch, Choice, Operation, Part, Step
from ..plan.code import Entity
from . import libclang
from .code import Range, Variable
from .dynamic_types import inside
from .functions import Function
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
    what = (Range(start, end), key, False, node, None)
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
    return Part(what[0], key.removeprefix("this->"), is_object, node, _named(unit, node))


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


def _named(unit: Unit, node: Any) -> Variable | None:
    target = node.referenced if node.kind.name == "DECL_REF_EXPR" else None
    return unit.variable(target) if target is not None and target.kind.name in ("VAR_DECL", "PARM_DECL") else None


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


# ---- heads of loops ----


def loop_head(unit: Unit, function: Function, at: int, sections: list[tuple[int, int]]) -> Head | None:
    """The head of the loop at an offset, of whose parts the places are known; None if it gives no variable a value."""
    loop = unit.statement_at(function.cursor, at)
    if loop is None or loop.kind != unit.kinds.FOR_STMT or len(sections) != 3:
        return None
    children = [(unit.extent(child)[0], child) for child in libclang.children(loop)[:-1]]
    found = (next((child for start, child in children if low <= start < high), None) for low, high in sections)
    first, condition, increment = found
    symbol: Entity | None = None
    lower, declared = None, False
    if first is not None and first.kind == unit.kinds.DECL_STMT:
        variables = [child for child in libclang.children(first) if child.kind == unit.kinds.VAR_DECL]
        if len(variables) == 1:
            symbol, lower, declared = unit.variable(variables[0]), _first_value(unit, variables[0]), True
    elif first is not None and isinstance(form := form_of(unit, first), Assign) and not form.operator:
        symbol, lower = form.x.entity, form.value
    if symbol is None or lower is None:
        return None
    ends = (form_of(unit, part) if part is not None else None for part in (condition, increment))
    return Head(symbol, declared, lower, *ends)


def _first_value(unit: Unit, variable: Any) -> Part | None:
    """What a variable is initialised with: ``e`` of ``= e``, ``(e)`` and ``{e}``, and all of several arguments."""
    value = clang.initialiser(variable)
    if value is None:
        return None
    given = inside(value)
    is_list = given.kind == unit.kinds.INIT_LIST_EXPR
    if is_list or unit.extent(given)[0] == unit.place(variable.location):  # a constructor begins with the name
        arguments = [child for child in libclang.children(given) if child.kind.is_expression()]
        if len(arguments) != 1:
            if not arguments:
                return None
            whole = Range(unit.extent(arguments[0])[0], unit.extent(arguments[-1])[1])
            return Part(whole, unit.text[whole.start : whole.end], False, arguments[0], None)
        given = arguments[0]
    return form_of(unit, given)


def span_of(unit: Unit, part: Part | None, at: int) -> SourceSpan:
    """The place of a part, or of the loop at an offset."""
    return unit.span(part.code.start if part is not None and isinstance(part.code, Range) else at)
