"""Prints calls of atomic builtins that need other operands in C++."""

from __future__ import annotations

from pycparser import c_ast

from ..analysis.device_library import ATOMIC_SUMS, C11_ATOMICS, is_lock_free
from ..sema.ctype import EnumType, Pointer, Record, Scalar, Void, strip
from . import text as ct
from .conversions import convert
from .scope import Scope
from .text import Text


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
