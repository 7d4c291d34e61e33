"""Calls of functions: the unit's, and the C library's so that no C++ overload is taken instead."""

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
from ..sema.ctype import FLOAT, NARROW_FLOATS, Function, Pointer, is_arithmetic, strip
from ..sema.initialisers import is_string
from ..syntax.parser import StmtExpr
from . import text as ct
from .arguments import argument_text, argument_texts, passed_type
from .atomics import atomic_call, check_atomic
from .builtins import builtin_call
from .nodes import is_plain
from .printf import device_format
from .scope import Scope
from .text import Text
from .types import is_empty

_CLASSES = ("__builtin_isnormal", "__builtin_issubnormal", "__builtin_fpclassify")  # which depend on a type's format


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
        if symbol is None or symbol.kind == "function":
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
    if name in ("setjmp", "_setjmp", "longjmp"):
        raise scope.error(node, f"'{name}' is not supported")
    if name in ("__rex_asm", "asm"):
        raise scope.error(node, "inline assembly is not supported")
    is_ours = (
        symbol is not None and name in scope.sema.functions and symbol not in scope.unit.device_names.system_symbols
    )
    if not is_ours and name in REPLACED_BUILTINS:
        return builtin_call(scope, node, REPLACED_BUILTINS[name], args)
    if name in _CLASSES and scope.value_type(args[-1]) in NARROW_FLOATS:
        *of_kinds, number = (scope.emit(a) for a in args)
        if not is_plain(args[-1]):  # it may be more precise
            number = ct.Cast(scope.declaration(scope.value_type(args[-1])), number)
        return ct.call(f"rex_{name.removeprefix('__builtin_')}", *of_kinds, number)
    if name in REPEATING_BUILTINS and not all(_is_repeatable(a) for a in args):
        return _evaluated_once(scope, name, args)
    library = None if is_ours else library_name(name)
    if symbol is None and library is None and is_builtin(name):
        raise scope.error(callee, f"'{name}' is not available")
    if name in GENERIC_ATOMICS:
        check_atomic(scope, name, args[0])
    if (name in C11_ATOMICS or name in ATOMIC_SUMS) and args and (atomic := atomic_call(scope, name, args)):
        return atomic
    text = scope.symbol_text(symbol) if symbol is not None else local_name(name)
    if library is not None:
        wraps = scope.unit.wraps and library in ("abs", "labs", "llabs")
        text = "rex_wrapped_abs" if wraps else device_name(library)
    if symbol is not None and symbol.name != name and is_ours:
        text = f"::{text}"  # an alias is in sight, what it stands for may be hidden
    if symbol is not None and symbol in scope.names:
        text = scope.names[symbol]
    if library == "printf" and args and isinstance(args[0], c_ast.Constant):
        return _printf_call(scope, node, text, args)
    function = symbol.type if symbol is not None else None
    if not isinstance(function, Function) and library is not None:
        declared = scope.sema.file_symbol(library)
        function = declared.type if declared is not None else None
    if is_ours:  # C checks calls against prototypes only
        definition = scope.sema.functions[name]
        parameters = scope.sema.parameters(definition)
        taken = max(len(scope.sema.function_type(definition).params), len(parameters))
        if len(args) < taken or (len(args) > taken and not scope.sema.function_type(definition).variadic):
            raise scope.error(node, f"'{name}' takes {taken} arguments and is called with {len(args)}")
        if isinstance(function, Function) and not function.params:
            function = Function(function.result, tuple(p.type for p in parameters))
    elif isinstance(function, Function) and not function.prototyped and args and library is None:
        function = Function(function.result, tuple(passed_type(scope, a) for a in args))
        text = ct.Cast(scope.declaration(Pointer(function)), ct.name(text)).at(ct.POSTFIX)
    overloaded = library is not None and is_overloaded(library)
    if library is not None and not (isinstance(function, Function) and function.prototyped):
        types = [scope.value_type(a) for a in args]
        kinds = [
            pointer_parameter(library, i) if isinstance(t, Pointer) and not is_string(a)
            else parameter_type(library, i) if overloaded and is_arithmetic(t)
            else None
            for i, (a, t) in enumerate(zip(args, types, strict=True))
        ]  # fmt: skip
        texts = [argument_text(scope, a, t, exact=overloaded) for a, t in zip(args, kinds, strict=True)]
    elif isinstance(function, Function):
        texts = argument_texts(scope, function, args, exact=overloaded, library=library is not None)
    else:
        texts = [argument_text(scope, a, None, exact=False) for a in args]
    return ct.call(text, *texts)


def _printf_call(scope: Scope, node: c_ast.FuncCall, name: str, args: list[c_ast.Node]) -> Text:
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
    """Whether evaluating the expression more than once makes no difference."""
    changes = ("++", "--", "p++", "p--")
    return not any(
        isinstance(n, c_ast.FuncCall | c_ast.Assignment | StmtExpr)
        or (isinstance(n, c_ast.UnaryOp) and n.op in changes)
        for n in walk(node)
    )


def _evaluated_once(scope: Scope, name: str, args: list[c_ast.Node]) -> Text:
    """A call of what is a macro on CUDA, its arguments evaluated once."""
    declarations, names = [], []
    for arg in args:
        if isinstance(arg, c_ast.Constant):
            names.append(scope.emit(arg).text)
            continue
        names.append(scope.temporary())
        t = scope.value_type(arg)
        t = FLOAT if t in NARROW_FLOATS else t
        declarations.append(f"const {scope.declaration(t, names[-1])} = {scope.emit(arg).at(ct.ASSIGN)}; ")
    return ct.name(f"({{ {''.join(declarations)}{name}({', '.join(names)}); }})")
