"""Prints builtins that CUDA lacks in terms of what it has."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from ..analysis.device_library import library_name
from ..sema.ctype import FLOAT, HALF, LONG, Scalar, strip
from ..sema.initialisers import is_string
from . import text as ct
from .arguments import MORE_ARGUMENTS
from .complex_numbers import part_type
from .conversions import convert
from .nodes import is_plain
from .objects import is_bit_field
from .scope import Scope
from .strings import bare_string
from .text import Text
from .vectors import shuffle, vector_arguments


def builtin_call(scope: Scope, node: c_ast.FuncCall, form: str, args: list[c_ast.Node]) -> Text:
    """A builtin that CUDA lacks, printed in terms of what it has."""
    return (_half_function if form.endswith("f16") else _FORMS[form])(scope, node, form, args)


def _half_function(scope: Scope, _node: c_ast.FuncCall, form: str, args: list[c_ast.Node]) -> Text:
    """A function of ``_Float16``, by the one of ``float``."""
    texts = [bare_string(a) if is_string(a) else convert(scope, a, FLOAT) for a in args]
    return ct.Cast(scope.declaration(HALF), ct.call(f"{library_name(f'__builtin_{form[:-2]}')}", *texts))


def _isa(scope: Scope, _node: c_ast.FuncCall, _form: str, args: list[c_ast.Node]) -> Text:
    return ct.call("rex_isa", str(scope.sema.value(args[0])))


def _convert_vector(scope: Scope, node: c_ast.FuncCall, _form: str, args: list[c_ast.Node]) -> Text:
    return ct.call(f"rex_convert_vector<{scope.declaration(scope.type(node))}>", *vector_arguments(scope, args[:1]))


def _complex(scope: Scope, node: c_ast.FuncCall, _form: str, args: list[c_ast.Node]) -> Text:
    return ct.call(f"rex_complex<{part_type(scope, scope.type(node))}>", *(scope.emit(a) for a in args))


def _trap(_scope: Scope, _node: c_ast.FuncCall, _form: str, _args: list[c_ast.Node]) -> Text:
    return ct.call("rex_c_abort")


def _assume(_scope: Scope, _node: c_ast.FuncCall, _form: str, _args: list[c_ast.Node]) -> Text:
    return ct.name("(void)0")  # the argument is not evaluated


def _unpredictable(scope: Scope, _node: c_ast.FuncCall, _form: str, args: list[c_ast.Node]) -> Text:
    return convert(scope, args[0], LONG)


def _nontemporal_load(scope: Scope, _node: c_ast.FuncCall, _form: str, args: list[c_ast.Node]) -> Text:
    return ct.prefix("*", scope.emit(args[0]))


def _nontemporal_store(scope: Scope, _node: c_ast.FuncCall, _form: str, args: list[c_ast.Node]) -> Text:
    place = ct.prefix("*", scope.emit(args[1]))
    return ct.assignment(place, "=", scope.emit(args[0]))


def _prefetch(scope: Scope, _node: c_ast.FuncCall, _form: str, args: list[c_ast.Node]) -> Text:
    return ct.Cast("void", scope.emit(args[0]))  # the arguments are evaluated


def _assume_aligned(scope: Scope, _node: c_ast.FuncCall, _form: str, args: list[c_ast.Node]) -> Text:
    return ct.Cast("void *", scope.emit(args[0]))


def _object_size(scope: Scope, _node: c_ast.FuncCall, _form: str, args: list[c_ast.Node]) -> Text:
    return ct.name("0ul" if (scope.sema.value(args[1]) or 0) & 2 else "~0ul")  # the size is not known


def _expect(scope: Scope, _node: c_ast.FuncCall, _form: str, args: list[c_ast.Node]) -> Text:
    return ct.call("__builtin_expect", *(convert(scope, a, LONG) for a in args[:2]))


def _overflow(scope: Scope, _node: c_ast.FuncCall, form: str, args: list[c_ast.Node]) -> Text:
    return ct.call(form, *(scope.emit(a) for a in args))


def _bit_count(scope: Scope, node: c_ast.FuncCall, form: str, args: list[c_ast.Node]) -> Text:
    """``ffs``, ``clz``, ``ctz``, ``popcount`` or ``parity``, of ``int`` or, with ``l`` at the end, of 64 bits."""
    wide = node.name.name.endswith("l")
    t = ("" if form in ("ffs", "ctz") else "unsigned ") + ("long long" if wide else "int")
    function = {"ctz": "ffs", "parity": "popcount"}.get(form, form)
    result = ct.call(f"__builtin_{function}{'ll' if wide else ''}", ct.Cast(t, scope.emit(args[0])))
    if form == "ctz":
        return ct.binary("-", result, ct.ONE)
    return ct.binary("&", result, ct.ONE) if form == "parity" else result


def _would_overflow(scope: Scope, _node: c_ast.FuncCall, form: str, args: list[c_ast.Node]) -> Text:
    """Whether the third argument's type cannot hold the result. A comparison has another type in C++."""
    kind = args[2]
    if is_bit_field(scope, kind):
        raise scope.error(kind, f"'__builtin_{form}' with a bit-field is not supported")
    texts = [scope.emit(a) for a in args[:2]]
    texts.append(ct.Cast(scope.declaration(scope.value_type(kind)), scope.emit(kind)))
    return ct.call(f"rex_c_{form}", *texts)


def _byte_swap(scope: Scope, _node: c_ast.FuncCall, form: str, args: list[c_ast.Node]) -> Text:
    bits = int(form.removeprefix("bswap"))
    value = scope.emit(args[0])
    if is_plain(args[0]):
        return _swapped(bits, value)
    name = scope.temporary()
    declared = scope.declaration(Scalar("unsigned long"), name)
    return ct.name(f"({{ const {declared} = {value.at(ct.ASSIGN)}; {_swapped(bits, ct.name(name)).text}; }})")


def _swapped(bits: int, value: Text) -> Text:
    t = {16: "unsigned short", 32: "unsigned int", 64: "unsigned long"}[bits]
    wide = ct.Cast("unsigned long", value)
    parts = []
    for low in range(0, bits, 8):
        shift = bits - 8 - 2 * low
        byte = f"({wide.text} & {hex(0xFF << low)}ul)"
        parts.append(f"{byte} {'<<' if shift > 0 else '>>'} {abs(shift)}")
    return ct.Cast(t, ct.name("(" + " | ".join(f"({p})" for p in parts) + ")"))


def _constant_builtin(scope: Scope, node: c_ast.FuncCall, form: str, args: list[c_ast.Node]) -> Text:
    if form == "constant_p":
        return ct.name("0" if scope.sema.value(args[0]) is None else "1")
    if form == "choose_expr":
        return scope.emit(scope.sema.generic_branch(node))
    value = scope.sema.value(node)
    if value is None:
        raise scope.error(node, f"this use of '{node.name.name}' is not supported")
    return ct.name(f"{value}ul" if form == "offsetof" else str(value))


def _variable_arguments(scope: Scope, _node: c_ast.FuncCall, form: str, args: list[c_ast.Node]) -> Text:
    """The macros of ``<stdarg.h>``. A ``va_list`` points to the next of the packed arguments."""
    lists = args if form == "va_copy" else args[:1]
    at = [ct.member(scope.emit(a), "next", "->") for a in lists]
    if form == "va_start":
        return ct.assignment(at[0], "=", ct.name(MORE_ARGUMENTS))
    if form == "va_copy":
        return ct.assignment(at[0], "=", at[1])
    if form == "va_end":
        return ct.Cast("void", ct.ZERO)
    t = scope.declaration(strip(scope.sema.resolve_type(args[1])))
    return ct.call(f"rex_next_argument<{t}>", at[0])


_FORMS: dict[str, Callable[[Scope, c_ast.FuncCall, str, list[c_ast.Node]], Text]] = {
    **dict.fromkeys(("offsetof", "types_compatible_p", "constant_p", "choose_expr"), _constant_builtin),
    **dict.fromkeys(("va_start", "va_arg", "va_copy", "va_end"), _variable_arguments),
    **dict.fromkeys(("bswap16", "bswap32", "bswap64"), _byte_swap),
    **dict.fromkeys(("ffs", "clz", "ctz", "popcount", "parity"), _bit_count),
    **dict.fromkeys(("add_overflow_p", "sub_overflow_p", "mul_overflow_p"), _would_overflow),
    **dict.fromkeys(("__builtin_add_overflow", "__builtin_sub_overflow", "__builtin_mul_overflow"), _overflow),
    "assume": _assume,
    "assume_aligned": _assume_aligned,
    "complex": _complex,
    "convertvector": _convert_vector,
    "expect": _expect,
    "isa": _isa,
    "nontemporal_load": _nontemporal_load,
    "nontemporal_store": _nontemporal_store,
    "object_size": _object_size,
    "prefetch": _prefetch,
    "shuffle": shuffle,
    "trap": _trap,
    "unpredictable": _unpredictable,
}
