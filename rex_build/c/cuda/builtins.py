"""Prints builtins that CUDA lacks in terms of what it has. Few units need this module."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pycparser import c_ast

from ...base.patterns import regex
from ..analysis.device_library import ATOMIC_SUMS, C11_ATOMICS, library_name
from ..sema.ctype import C, EnumType, Pointer, Record, Scalar, Void, strip
from ..sema.initialisers import is_string
from ..sema.type_questions import is_lock_free
from . import text as ct
from .arguments import MORE_ARGUMENTS
from .conversions import convert, part_type
from .objects import is_bit_field
from .operators import shuffle, vector_arguments
from .scope import Scope
from .text import Text, bare_string, is_plain

# Rewrites formats of printf for CUDA's device function.
#
# That function knows the length modifiers h, l and ll, but no widths or precisions from arguments, and no F. Source:
# CUDA C++ Programming Guide 13.0, section 10.35.1; C11, 7.21.6.1.

_CONVERSION = regex(
    r"%(?P<flags>[-+ #0]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?"
    r"(?P<length>hh|h|ll|l|j|z|t|L)?(?P<kind>[a-zA-Z%])"
)
_NARROW = {
    "hh": ("signed char", "unsigned char"),
    "h": ("short", "unsigned short"),
}
_AS_LONG = ("j", "z", "t")


def device_format(
    literal: str, arguments: Sequence[str], constant: Callable[[int], int | None]
) -> tuple[str, list[str]]:
    """(format, arguments) that print the same with CUDA's printf, both as C++ text.

    ``literal`` is the text of the format with its quotes, and ``arguments`` are those after it. ``constant`` gives the
    value of an argument by its number, if it is an integer constant. Raises ValueError, with the reason, for a
    conversion that CUDA cannot do.
    """
    given = iter(range(len(arguments)))
    values: list[str] = []

    def number(text: str | None) -> int | None:
        if text != "*":
            return int(text or 0) if text is not None else None
        value = constant(next(given, -1))
        if value is None:
            raise ValueError("a width or precision that only the run knows is not supported by printf")
        return value

    def respelled(found: re.Match[str]) -> str:
        kind, flags, length = found["kind"], found["flags"], found["length"] or ""
        if kind == "%":
            return "%%"
        if kind not in "diouxXeEfFgGaAcsp" or (length == "l" and kind == "s"):
            raise ValueError(f"'%{length}{kind}' is not supported by printf")
        width, precision = number(found["width"]), number(found["precision"])
        if width is not None and width < 0:
            flags, width = flags + "-", -width
        at = next(given, None)
        if at is None:
            raise ValueError(f"'{found[0]}' has no argument")
        value = arguments[at]
        if length in _NARROW and kind in "diouxX":
            signed, unsigned = _NARROW[length]
            value = f"static_cast<{signed if kind in 'di' else unsigned}>({value})"
            length = ""
        elif length in _AS_LONG:
            length = "l"
        elif length == "L" or kind in "csp":
            length = ""
        values.append(value)
        digits = f".{precision}" if precision is not None and precision >= 0 else ""
        return f"%{flags}{'' if width is None else width}{digits}{length}{'f' if kind == 'F' else kind}"

    text = _CONVERSION.sub(respelled, literal)
    return text, [*values, *(arguments[at] for at in given)]


# Prints calls of atomic builtins that need other operands in C++.

def atomic_call(scope: Scope, name: str, args: list[c_ast.Node]) -> Text | None:
    """A call of clang's atomic builtins, or of one that adds to a pointer. None for calls that can stay as they are.

    GNU's builtins count sums of pointers in bytes, and clang's in elements.
    """
    plain = C11_ATOMICS.get(name)
    t = scope.value_type(args[0])
    to = strip(t.to) if isinstance(t, Pointer) else t
    is_sum = (plain or name) in ATOMIC_SUMS and isinstance(to, Pointer)
    if plain is None and not is_sum:
        return None
    place, *others = args
    given = [scope.emit(place)]
    for number, argument in enumerate(others):
        is_value = number == ("compare_exchange" in name) and isinstance(t, Pointer) and "load" not in name
        given.append(convert(scope, argument, to) if is_value and not is_sum else scope.emit(argument))
    if isinstance(to, Record) and plain is not None and plain.endswith("_n"):
        return _atomic_copy(scope, plain, to, [text.at(ct.ASSIGN) for text in given])
    if name == "__c11_atomic_init":
        given.append(ct.name("__ATOMIC_RELAXED"))
    elif plain == "__atomic_compare_exchange_n":
        given.insert(3, ct.ZERO)  # not weak
    elif plain == "__atomic_is_lock_free":
        given.append(ct.name("nullptr"))
    if is_sum and isinstance(to, Pointer):
        given[0] = ct.Cast("long *", given[0])
        if isinstance(scope.value_type(others[0]), Pointer):
            given[1] = ct.Cast("long", given[1])
        if plain is not None and not isinstance(to.to, Void):
            given[1] = ct.binary("*", given[1], ct.name(f"(long)sizeof({scope.declaration(to.to)})"))
    call = ct.call(plain or name, *given)
    return ct.Cast(scope.declaration(to), call) if is_sum else call


def _atomic_copy(scope: Scope, name: str, t: Record, given: list[str]) -> Text:
    """An atomic access of a whole structure. The builtins take structures only by their addresses."""
    if "exchange" not in name:
        access = name.removeprefix("__atomic_").removesuffix("_n")
        return ct.call(f"rex_c_{access}", *given[: 1 + (access == "store")])
    wanted, old = scope.temporary(), scope.temporary()
    generic = name.removesuffix("_n")
    made = f"{scope.declaration(strip(t), wanted)} = {given[2 if 'compare' in name else 1]};"
    if "compare" in name:
        return ct.name(f"({{ {made} {generic}({given[0]}, {given[1]}, &{wanted}, 0, {given[3]}, {given[4]}); }})")
    made += f" {scope.declaration(strip(t), old)};"
    return ct.name(f"({{ {made} {generic}({given[0]}, &{wanted}, &{old}, {given[2]}); {old}; }})")


def check_atomic(scope: Scope, name: str, pointer: c_ast.Node) -> None:
    t = scope.value_type(pointer)
    if not (isinstance(t, Pointer) and isinstance(t.to, Scalar | EnumType | Pointer | Record)):
        raise scope.error(pointer, f"'{name}' of what is no object is not supported")
    if not is_lock_free(t.to):
        what = f"'{t.to}', which no hardware changes at once,"
        raise scope.error(pointer, f"'{name}' of {what} is not supported")


# Prints builtins that CUDA lacks in terms of what it has.

def builtin_call(scope: Scope, node: c_ast.FuncCall, form: str, args: list[c_ast.Node]) -> Text:
    """A builtin that CUDA lacks, printed in terms of what it has. ``form`` says which."""
    match form:
        case "isa":
            return ct.call("rex_isa", str(scope.sema.value(args[0])))
        case "convertvector":
            t = scope.declaration(scope.type(node))
            return ct.call(f"rex_convert_vector<{t}>", *vector_arguments(scope, args[:1]))
        case "shuffle":
            return shuffle(scope, node, args)
        case "complex":
            return ct.call(f"rex_complex<{part_type(scope, scope.type(node))}>", *(scope.emit(a) for a in args))
        case "trap":
            return ct.call("rex_c_abort")
        case "assume":
            return ct.name("(void)0")  # the argument is not evaluated
        case "unpredictable":
            return convert(scope, args[0], C.LONG)
        case "nontemporal_load":
            return ct.prefix("*", scope.emit(args[0]))
        case "nontemporal_store":
            return ct.assignment(ct.prefix("*", scope.emit(args[1])), "=", scope.emit(args[0]))
        case "prefetch" | "assume_aligned":  # the arguments are evaluated
            return ct.Cast("void" if form == "prefetch" else "void *", scope.emit(args[0]))
        case "object_size":
            return ct.name("0ul" if (scope.sema.value(args[1]) or 0) & 2 else "~0ul")  # the size is not known
        case "expect":
            return ct.call("__builtin_expect", *(convert(scope, a, C.LONG) for a in args[:2]))
        case "bswap16" | "bswap32" | "bswap64":
            return _byte_swap(scope, form, args[0])
        case "ffs" | "clz" | "ctz" | "popcount" | "parity":
            return _bit_count(scope, node, form, args[0])
        case "offsetof" | "types_compatible_p" | "constant_p" | "choose_expr":
            return _constant_builtin(scope, node, form, args)
        case "va_start" | "va_arg" | "va_copy" | "va_end":
            return _variable_arguments(scope, form, args)
        case "add_overflow_p" | "sub_overflow_p" | "mul_overflow_p":
            return _would_overflow(scope, form, args)
        case "__builtin_add_overflow" | "__builtin_sub_overflow" | "__builtin_mul_overflow":
            return ct.call(form, *(scope.emit(a) for a in args))
    assert form.endswith("f16")  # a function of ``_Float16``, by the one of ``float``
    texts = [bare_string(a) if is_string(a) else convert(scope, a, C.FLOAT) for a in args]
    return ct.Cast(scope.declaration(C.HALF), ct.call(f"{library_name(f'__builtin_{form[:-2]}')}", *texts))


def _bit_count(scope: Scope, node: c_ast.FuncCall, form: str, value: c_ast.Node) -> Text:
    """``ffs``, ``clz``, ``ctz``, ``popcount`` or ``parity``, of ``int`` or, with ``l`` at the end, of 64 bits."""
    wide = node.name.name.endswith("l")
    t = ("" if form in ("ffs", "ctz") else "unsigned ") + ("long long" if wide else "int")
    function = {"ctz": "ffs", "parity": "popcount"}.get(form, form)
    result = ct.call(f"__builtin_{function}{'ll' if wide else ''}", ct.Cast(t, scope.emit(value)))
    if form == "ctz":
        return ct.binary("-", result, ct.ONE)
    return ct.binary("&", result, ct.ONE) if form == "parity" else result


def _would_overflow(scope: Scope, form: str, args: list[c_ast.Node]) -> Text:
    """Whether the third argument's type cannot hold the result. A comparison has another type in C++."""
    kind = args[2]
    if is_bit_field(scope, kind):
        raise scope.error(kind, f"'__builtin_{form}' with a bit-field is not supported")
    texts = [scope.emit(a) for a in args[:2]]
    texts.append(ct.Cast(scope.declaration(scope.value_type(kind)), scope.emit(kind)))
    return ct.call(f"rex_c_{form}", *texts)


def _byte_swap(scope: Scope, form: str, argument: c_ast.Node) -> Text:
    bits = int(form.removeprefix("bswap"))
    value = scope.emit(argument)
    if is_plain(argument):
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


def _variable_arguments(scope: Scope, form: str, args: list[c_ast.Node]) -> Text:
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

