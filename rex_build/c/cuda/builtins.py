"""Builtins that CUDA lacks, in terms of what it has."""

from __future__ import annotations

from pycparser import c_ast

from ..analysis.device_library import library_name
from ..sema.ctype import FLOAT, HALF, LONG, Scalar, strip
from ..sema.initialisers import is_string
from . import text as ct
from .arguments import MORE_ARGUMENTS
from .complex_numbers import part_type
from .conversions import convert
from .nodes import is_plain
from .scope import Scope
from .strings import bare_string
from .text import Text
from .vectors import shuffle, vector_arguments


def _variable_arguments(scope: Scope, form: str, args: list[c_ast.Node]) -> Text:
    """``<stdarg.h>``; a ``va_list`` leads to the next argument of those packed."""
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


def builtin_call(scope: Scope, node: c_ast.FuncCall, form: str, args: list[c_ast.Node]) -> Text:
    """A builtin that CUDA lacks, in terms of what it has."""
    if form in ("offsetof", "types_compatible_p", "constant_p", "choose_expr"):
        return _constant_builtin(scope, node, form, args)
    if form.endswith("f16"):  # by the function of float
        texts = [bare_string(a) if is_string(a) else convert(scope, a, FLOAT) for a in args]
        return ct.Cast(scope.declaration(HALF), ct.call(f"{library_name(f'__builtin_{form[:-2]}')}", *texts))
    if form == "isa":
        return ct.call("rex_isa", str(scope.sema.value(args[0])))
    if form == "shuffle":
        return shuffle(scope, node, args)
    if form == "convertvector":
        made = scope.declaration(scope.type(node))
        return ct.call(f"rex_convert_vector<{made}>", *vector_arguments(scope, args[:1]))
    if form == "complex":
        real = part_type(scope, scope.type(node))
        return ct.call(f"rex_complex<{real}>", *(scope.emit(a) for a in args))
    if form.startswith("va_"):
        return _variable_arguments(scope, form, args)
    if form == "trap":
        return ct.call("rex_c_abort")
    if form == "assume":  # its argument is not evaluated
        return ct.name("(void)0")
    if form == "unpredictable":
        return convert(scope, args[0], LONG)
    if form.startswith("nontemporal"):
        place = ct.prefix("*", scope.emit(args[-1]))
        return place if form.endswith("load") else ct.assignment(place, "=", scope.emit(args[0]))
    if form == "prefetch":  # its arguments are evaluated
        return ct.Cast("void", scope.emit(args[0]))
    if form == "assume_aligned":
        return ct.Cast("void *", scope.emit(args[0]))
    if form == "object_size":  # not known
        return ct.name("0ul" if (scope.sema.value(args[1]) or 0) & 2 else "~0ul")
    if form == "expect":
        return ct.call("__builtin_expect", *(scope.emit(a) for a in args[:2]))
    if form.endswith("_overflow_p"):
        return _would_overflow(scope, form, args)
    if form.endswith("_overflow"):
        return ct.call(form, *(scope.emit(a) for a in args))
    value = scope.emit(args[0])
    if form.startswith("bswap"):
        if is_plain(args[0]):
            return _byte_swap(form, value)
        name = scope.temporary()
        declared = scope.declaration(Scalar("unsigned long"), name)
        swapped = _byte_swap(form, ct.name(name)).text
        return ct.name(f"({{ const {declared} = {value.at(ct.ASSIGN)}; {swapped}; }})")
    signed = form in ("ffs", "ctz")
    wide = node.name.name.endswith("l")
    t = ("" if signed else "unsigned ") + ("long long" if wide else "int")
    call = {"ctz": "ffs", "parity": "popcount"}.get(form, form)
    result = ct.call(f"__builtin_{call}{'ll' if wide else ''}", ct.Cast(t, value))
    if form == "ctz":
        return ct.binary("-", result, ct.ONE)
    return ct.binary("&", result, ct.ONE) if form == "parity" else result


def _would_overflow(scope: Scope, form: str, args: list[c_ast.Node]) -> Text:
    """Whether the third argument's type cannot hold the result. In C++ that of a comparison is another."""
    kind = args[2]
    if isinstance(kind, c_ast.StructRef) and scope.sema.member(kind)[-1].bit_width is not None:
        raise scope.error(kind, f"'__builtin_{form}' with a bit-field is not supported")
    texts = [scope.emit(a) for a in args[:2]]
    texts.append(ct.Cast(scope.declaration(scope.value_type(kind)), scope.emit(kind)))
    return ct.call(f"rex_c_{form}", *texts)


def _byte_swap(form: str, value: Text) -> Text:
    bits = int(form.removeprefix("bswap"))
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
