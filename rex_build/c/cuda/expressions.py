"""Prints expressions, with a function for each class of node. Of calls of the C library, none may choose an overload
of C++."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pycparser import c_ast

from ...base.names import indent
from ..analysis.device_library import (
    ATOMIC_SUMS,
    C11_ATOMICS,
    GENERIC_ATOMICS,
    REPEATING_BUILTINS,
    REPLACED_BUILTINS,
    device_name,
    is_overloaded,
    library_name,
)
from ..analysis.device_names import local_name
from ..sema import Symbol, walk
from ..sema.builtins import is_builtin, parameter_type, pointer_parameter
from ..sema.ctype import NARROW_FLOATS, Array, C, CType, Function, Pointer, Record, Void, sizeof, strip
from ..sema.initialisers import is_string
from ..sema.type_questions import as_vector, is_arithmetic, is_complex, is_floating, is_integer, is_ragged, refused_type
from ..syntax.parser import Cleanup, StmtExpr
from . import text as ct
from .access import constant, identifier, loaded, subscript
from .arguments import argument_text, argument_texts, passed_type, union_of
from .conversions import as_bits, convert, ternary, tested, to_arithmetic
from .initialisers import compound_literal, literal_of
from .objects import UNALIGNED, access_of, base_of, flat_element, is_chosen, is_flat, member_path
from .operators import assignment, binary_operation, needs_no_old_value, step, unary_operation
from .scope import Scope, block_lines
from .text import Text, bare_string, is_bool_text, is_plain, known_escapes
from .types import is_empty, is_volatile_record

_ACTING = (c_ast.Assignment, c_ast.FuncCall, c_ast.ExprList)
_NO_JUMPS = "'{}' is not supported"
_REFUSED = {"setjmp": _NO_JUMPS, "_setjmp": _NO_JUMPS, "longjmp": _NO_JUMPS}
_CLASSES = ("__builtin_isnormal", "__builtin_issubnormal", "__builtin_fpclassify")  # they depend on a type's format


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


def function_call(scope: Scope, node: c_ast.FuncCall) -> Text:
    text = call_text(scope, node)
    t = scope.type(node)
    return ct.name(f"({text.text}, ({scope.declaration(strip(t))}){{}})") if is_empty(t) else text


def call_text(scope: Scope, node: c_ast.FuncCall) -> Text:
    args = node.args.exprs if node.args is not None else []
    callee = node.name
    while type(callee).__name__ == "GenericSelection":
        callee = scope.sema.generic_branch(callee)
    if (generic := scope.sema.type_generic_call(node)) is not None:
        callee, args = generic
    if isinstance(callee, c_ast.ID):
        symbol = scope.sema.symbol(callee)
        if symbol is None or symbol.is_function:
            return _named_call(scope, node, callee, symbol, args)
    t = scope.value_type(callee)
    function = t.to if isinstance(t, Pointer) else t
    if not isinstance(function, Function):
        raise scope.error(node, "this call is not supported")
    called = scope.emit(callee)
    if args and not function.prototyped:  # the arguments tell what it takes (6.5.2.2p6)
        function = Function(function.result, tuple(passed_type(scope, a) for a in args))
        called = ct.Cast(scope.declaration(Pointer(function)), called)
    texts = argument_texts(scope, function, args)
    return ct.call(ct.call("REX_FUNCTION", called).text, *texts)


def _named_call(
    scope: Scope, node: c_ast.FuncCall, callee: c_ast.ID, symbol: Symbol | None, args: list[c_ast.Node]
) -> Text:
    name = callee.name
    if reason := _REFUSED.get(name):
        raise scope.error(node, reason.format(name))
    system = scope.unit.device_names.system_symbols
    is_ours = symbol is not None and name in scope.sema.functions and symbol not in system
    if (special := _special_call(scope, node, name, is_ours, args)) is not None:
        return special
    library = None if is_ours else library_name(name)
    if symbol is None and library is None and is_builtin(name):
        raise scope.error(callee, f"'{name}' is not available")
    if (atomic := _atomic_builtin(scope, name, args)) is not None:
        return atomic
    text = _function_name(scope, name, symbol, library, is_ours)
    if library == "printf" and args and isinstance(args[0], c_ast.Constant):
        return _printf_call(scope, node, text, args)
    function = symbol.type if symbol is not None else None
    if library is not None:
        return ct.call(text, *_library_arguments(scope, library, function, args))
    if not isinstance(function, Function):
        return ct.call(text, *(argument_text(scope, a, None, exact=False) for a in args))
    if is_ours:
        function = _checked(scope, node, name, function, len(args))
    elif not function.prototyped and args:  # the arguments tell what it takes (6.5.2.2p6)
        function = Function(function.result, tuple(passed_type(scope, a) for a in args))
        text = ct.Cast(scope.declaration(Pointer(function)), ct.name(text)).at(ct.POSTFIX)
    return ct.call(text, *argument_texts(scope, function, args))


def _special_call(scope: Scope, node: c_ast.FuncCall, name: str, is_ours: bool, args: list[c_ast.Node]) -> Text | None:
    """A call for which the device has no function of that name, or None for other calls."""
    if not is_ours and name in REPLACED_BUILTINS:
        from .builtins import builtin_call

        return builtin_call(scope, node, REPLACED_BUILTINS[name], args)
    if name in _CLASSES and scope.value_type(args[-1]) in NARROW_FLOATS:
        *of_kinds, number = (scope.emit(a) for a in args)
        if not is_plain(args[-1]):  # its type may be more precise
            number = ct.Cast(scope.declaration(scope.value_type(args[-1])), number)
        return ct.call(f"rex_{name.removeprefix('__builtin_')}", *of_kinds, number)
    if name in REPEATING_BUILTINS and not all(_is_repeatable(a) for a in args):
        return _evaluated_once(scope, name, args)
    return None


def _atomic_builtin(scope: Scope, name: str, args: list[c_ast.Node]) -> Text | None:
    """A call of an atomic builtin that cannot stay as it is. Refuses types that no hardware can change at once."""
    if not any(name in atomics for atomics in (GENERIC_ATOMICS, C11_ATOMICS, ATOMIC_SUMS)):
        return None
    from .builtins import atomic_call, check_atomic

    if name in GENERIC_ATOMICS:
        check_atomic(scope, name, args[0])
    return atomic_call(scope, name, args) if args and (name in C11_ATOMICS or name in ATOMIC_SUMS) else None


def _function_name(scope: Scope, name: str, symbol: Symbol | None, library: str | None, is_ours: bool) -> str:
    """The name of a function on the device. ``library`` is its name in the C library, if it belongs to that."""
    if symbol is not None and symbol in scope.names:
        return scope.names[symbol]
    if library is not None:
        wraps = scope.unit.wraps and library in ("abs", "labs", "llabs")
        return "rex_wrapped_abs" if wraps else device_name(library)
    if symbol is None:
        return local_name(name)
    text = scope.symbol_text(symbol)
    is_alias = symbol.name != name and is_ours  # the alias is visible, but the other function may be hidden
    return f"::{text}" if is_alias else text


def _library_arguments(scope: Scope, library: str, function: CType | None, args: list[c_ast.Node]) -> list[str]:
    """The arguments of a call of a C library function, so that no C++ overload can be chosen.

    ``function`` is the type with which the unit declares the function, if it does.
    """
    if not isinstance(function, Function):
        declared = scope.sema.file_symbol(library)
        function = declared.type if declared is not None else None
    overloaded = is_overloaded(library)
    if isinstance(function, Function) and function.prototyped:
        return argument_texts(scope, function, args, exact=overloaded, library=True)
    texts = []
    for number, argument in enumerate(args):
        t, parameter = scope.value_type(argument), None
        if isinstance(t, Pointer) and not is_string(argument):
            parameter = pointer_parameter(library, number)
        elif overloaded and is_arithmetic(t):
            parameter = parameter_type(library, number)
        texts.append(argument_text(scope, argument, parameter, exact=overloaded))
    return texts


def _checked(scope: Scope, node: c_ast.FuncCall, name: str, function: Function, given: int) -> Function:
    """The type with which a function of the unit is called.

    C checks the number of arguments only if there is a prototype, and C++ always does.
    """
    definition = scope.sema.functions[name]
    parameters = scope.sema.parameters(definition)
    own = scope.sema.function_type(definition)
    taken = max(len(own.params), len(parameters))
    if given < taken or (given > taken and not own.variadic):
        raise scope.error(node, f"'{name}' takes {taken} arguments and is called with {given}")
    return function if function.params else Function(function.result, tuple(p.type for p in parameters))


def _printf_call(scope: Scope, node: c_ast.FuncCall, name: str, args: list[c_ast.Node]) -> Text:
    from .builtins import device_format

    if narrow := next((a for a in args if scope.value_type(a) in NARROW_FLOATS), None):
        t = scope.value_type(narrow)
        raise scope.error(narrow, f"printing a '{t}' that is not cast to double is not supported")
    values = [argument_text(scope, a, None, exact=False) for a in args]
    try:
        text, rest = device_format(values[0], values[1:], lambda at: scope.sema.value(args[at + 1]))
    except ValueError as error:
        raise scope.error(node, str(error)) from None
    return ct.call(name, text, *rest)


def _is_repeatable(node: c_ast.Node) -> bool:
    """Whether it makes no difference to evaluate the expression several times."""
    changes = ("++", "--", "p++", "p--")
    return not any(
        isinstance(n, c_ast.FuncCall | c_ast.Assignment | StmtExpr)
        or (isinstance(n, c_ast.UnaryOp) and n.op in changes)
        for n in walk(node)
    )


def _evaluated_once(scope: Scope, name: str, args: list[c_ast.Node]) -> Text:
    """A call of a function that is a macro on CUDA. The arguments are evaluated once."""
    declarations, names = [], []
    for arg in args:
        if isinstance(arg, c_ast.Constant):
            names.append(scope.emit(arg).text)
            continue
        names.append(scope.temporary())
        t = scope.value_type(arg)
        t = C.FLOAT if t in NARROW_FLOATS else t
        declarations.append(f"const {scope.declaration(t, names[-1])} = {scope.emit(arg).at(ct.ASSIGN)}; ")
    return ct.name(f"({{ {''.join(declarations)}{name}({', '.join(names)}); }})")


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
