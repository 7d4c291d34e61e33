"""Prints calls of functions: the unit's own, and the C library's, for which no C++ overload may be chosen."""

from __future__ import annotations

from pycparser import c_ast

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
from ..sema.ctype import NARROW_FLOATS, C, CType, Function, Pointer, strip
from ..sema.initialisers import is_string
from ..sema.type_questions import is_arithmetic
from ..syntax.parser import StmtExpr
from . import text as ct
from .arguments import argument_text, argument_texts, passed_type
from .scope import Scope
from .text import Text, is_plain
from .types import is_empty

_NO_JUMPS = "'{}' is not supported"
_REFUSED = {"setjmp": _NO_JUMPS, "_setjmp": _NO_JUMPS, "longjmp": _NO_JUMPS}
_CLASSES = ("__builtin_isnormal", "__builtin_issubnormal", "__builtin_fpclassify")  # they depend on a type's format


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
