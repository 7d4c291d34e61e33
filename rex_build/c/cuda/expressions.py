"""Prints expressions, with a function for each class of node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pycparser import c_ast

from ...base.indent import indent
from ..sema.ctype import Array, C, Pointer, Record, Void, sizeof, strip
from ..sema.initialisers import is_string
from ..sema.type_questions import as_vector, is_complex, is_floating, is_integer, is_ragged, refused_type
from ..syntax.parser import Cleanup, StmtExpr
from . import text as ct
from .access import constant, identifier, loaded, subscript
from .arguments import union_of
from .calls import call_text, function_call
from .conversions import as_bits, convert, ternary, tested, to_arithmetic
from .initialisers import compound_literal, literal_of
from .objects import UNALIGNED, access_of, base_of, flat_element, is_chosen, is_flat, member_path
from .operators import assignment, binary_operation, needs_no_old_value, step, unary_operation
from .scope import Scope, block_lines
from .text import Text, bare_string, is_bool_text, known_escapes
from .types import is_empty, is_volatile_record

_ACTING = (c_ast.Assignment, c_ast.FuncCall, c_ast.ExprList)


def emit(scope: Scope, node: c_ast.Node) -> Text:
    access = access_of(scope, node)
    return place(scope, node) if access is None else loaded(scope, access, node)


def place(scope: Scope, node: c_ast.Node) -> Text:
    """An expression's text, if its value is not read or belongs to a plain object."""
    printed = _PRINTED.get(type(node).__name__)
    if printed is None:
        raise scope.error(node, f"{type(node).__name__} is not supported")
    if getattr(node, "coord", None) is not None:
        scope.body.where = node
    reason = refused_type(scope.type(node))
    if reason:
        raise scope.error(node, reason)
    if node in scope.around.replaced:
        return ct.name(scope.around.replaced[node])
    if node in scope.around.wrapped:
        before, after = scope.around.wrapped[node]
        return ct.name(f"{before}{printed(scope, node).text}{after}")
    return printed(scope, node)


def discarded(scope: Scope, node: c_ast.Node) -> Text:
    """An expression whose value is not used."""
    if isinstance(node, c_ast.FuncCall) and is_empty(scope.type(node)):
        return call_text(scope, node)
    if isinstance(node, c_ast.UnaryOp) and node.op in ("p++", "p--"):
        t = scope.type(node.expr)
        if needs_no_old_value(scope, t):
            return step(scope, node, node.op[1:])
    if isinstance(node, c_ast.ExprList) and _assertion(scope, node) is None:
        return ct.comma(discarded(scope, e) for e in node.exprs)
    if isinstance(node, StmtExpr):
        return statement_expression(scope, node, is_used=False)
    text = scope.emit(node)
    acts = isinstance(node, _ACTING) or (isinstance(node, c_ast.UnaryOp) and node.op in ("++", "--", "p++", "p--"))
    return text if acts or isinstance(scope.type(node), Void) else ct.Cast("void", text)


def expression_list(scope: Scope, node: c_ast.ExprList) -> Text:
    checked = _assertion(scope, node)
    if checked is not None:
        return checked
    last = node.exprs[-1]
    value = convert(scope, last, scope.type(last)) if isinstance(scope.type(last), Record) else scope.emit(last)
    texts = [*(discarded(scope, e) for e in node.exprs[:-1]), value]
    return ct.comma(texts)


def _assertion(scope: Scope, node: c_ast.ExprList) -> Text | None:
    """glibc's ``assert``: ``((void) sizeof ..., ({ if (e) ; else __assert_fail (...); }))``."""
    last = node.exprs[-1]
    if len(node.exprs) != 2 or not isinstance(last, StmtExpr):
        return None
    items = last.body.block_items or []
    if len(items) != 1 or not isinstance(items[0], c_ast.If) or items[0].iffalse is None:
        return None
    call = items[0].iffalse
    if not (isinstance(call, c_ast.FuncCall) and getattr(call.name, "name", None) == "__assert_fail"):
        return None
    return ct.ternary(tested(scope, items[0].cond), ct.Cast("void", ct.ZERO), scope.emit(call))


def cast_expression(scope: Scope, node: c_ast.Cast) -> Text:
    t = strip(scope.sema.resolve_type(node.to_type))
    if isinstance(node.expr, c_ast.InitList):
        return literal_of(scope, node, t, node.expr)
    if isinstance(t, Void):
        return ct.Cast("void", scope.emit(node.expr))
    if is_floating(t) and isinstance(node.expr, c_ast.Constant) and node.expr.type == "long double":
        # In <float.h>, DBL_MAX is a long double constant that is cast to double.
        return ct.Cast(scope.declaration(t), ct.name(node.expr.value.rstrip("lL")))
    source = scope.value_type(node.expr)
    if is_complex(t) or is_complex(source):
        converted = to_arithmetic(scope, node.expr, t)
        rounded = t == C.HALF_COMPLEX or not is_complex(t)
        return ct.Cast(scope.declaration(t), converted) if rounded else converted
    if as_vector(t) is not None or as_vector(source) is not None:
        text = convert(scope, node.expr, source)
        if is_bool_text(node.expr) and as_vector(source) is None:  # in C it is an int
            text = ct.Cast("int", text)
        return text if t == source else as_bits(scope, text, t)
    text = ct.name(known_escapes(node.expr.value)) if is_string(node.expr) else scope.emit(node.expr)
    if isinstance(t, Record):
        return text if t == source else union_of(scope, node.expr, t)
    widened = isinstance(t, Pointer) and is_integer(source) and sizeof(source) != 8
    narrowed = isinstance(source, Pointer) and is_integer(t) and t != C.BOOL and sizeof(t) < 8
    if narrowed or (widened and scope.sema.value(node.expr) is None):
        text = ct.Cast("long", text)
    return ct.Cast(scope.declaration(t), text)


def array_element(scope: Scope, node: c_ast.ArrayRef) -> Text:
    base, index = node.name, node.subscript
    if not isinstance(scope.value_type(base), Pointer):
        base, index = index, base
    if is_flat(scope, base):
        return flat_element(scope, node)
    if node in scope.body.designated:
        return ct.name(f"(*({ct.binary('+', scope.emit(base), subscript(scope, index)).text}))")
    if node in scope.body.subscripted or not isinstance(scope.type(node), Array):
        scope.body.subscripted.add(base)
    left = bare_string(base) if is_string(base) else scope.emit(base)
    return ct.element(left, subscript(scope, index))


def member(scope: Scope, node: c_ast.StructRef) -> Text:
    holder = scope.value_type(node.name) if node.type == "->" else scope.type(node.name)
    holder = holder.to if isinstance(holder, Pointer) else holder
    if "_Atomic" in holder.quals:  # this is undefined (6.5.2.3p5)
        what = f"a member of an object of type '{holder}', which is read as a whole,"
        raise scope.error(node, f"{what} is not supported")
    if isinstance(scope.type(node), Array) and node not in scope.body.subscripted:
        base = base_of(scope.sema, node)
        if isinstance(base, c_ast.CompoundLiteral) or is_chosen(base):
            scope.body.pointed_into.add(base)
    # If the structure is out of alignment, only the member is read.
    is_part = node.type == "." and access_of(scope, node.name) == UNALIGNED
    record = place(scope, node.name) if is_part else scope.emit(node.name)
    is_block = isinstance(node.name, StmtExpr)  # nvcc cannot reach members of it
    is_copied = is_chosen(node.name) and node.name in scope.body.pointed_into
    text = ct.member(_as_value(record) if is_block or is_copied else record, member_path(scope, node), node.type)
    member = scope.sema.member(node)[-1].type
    if is_volatile_record(member):  # the definition does not tell
        return ct.prefix("*", ct.Cast(scope.types.pointer_to(member), ct.prefix("&", text)))
    return text


def _as_value(record: Text) -> Text:
    """A structure as a value whose members C++ can reach, and which is no object of the program's."""
    return record if isinstance(record, ct.Call) and record.function == "rex_value" else ct.call("rex_value", record)


def statement_expression(scope: Scope, node: StmtExpr, is_used: bool) -> Text:
    items = node.body.block_items or []
    if not items:
        return ct.name("(void)0")
    if is_used and node.last is not None:
        scope.body.valued.add(node.last)
    saved = scope.body.hoisted
    text = block_lines(scope, items, scope.body.depth + 1)
    scope.body.hoisted = saved
    text = "({\n" + text + indent(scope.body.depth) + "})"
    t = scope.type(node)
    if is_used and isinstance(t, Record) and (is_ragged(t) or any(isinstance(i, Cleanup) for i in items)):
        return _as_value(ct.name(text))  # nvcc cannot reach members of such an expression
    return ct.name(text)


_PRINTED: dict[str, Callable[[Scope, Any], Text]] = {
    "ID": identifier,
    "Constant": constant,
    "UnaryOp": unary_operation,
    "BinaryOp": binary_operation,
    "Assignment": assignment,
    "TernaryOp": lambda scope, node: ternary(scope, node, scope.value_type(node)),
    "ExprList": expression_list,
    "Cast": cast_expression,
    "ArrayRef": array_element,
    "StructRef": member,
    "Elements": member,
    "FuncCall": function_call,
    "CompoundLiteral": compound_literal,
    "StmtExpr": lambda scope, node: statement_expression(scope, node, is_used=True),
    "GenericSelection": lambda scope, node: scope.emit(scope.sema.generic_branch(node)),
}
