"""Variables whose first value is computed when the program runs. CUDA has them neither in namespaces nor as static
variables of functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.diagnostics import error_at
from ..c.source.tokens import has_word
from . import libclang
from .functions import Function
from .reading import clang
from .unit import Unit


def check_static(unit: Unit, cursor: Any) -> None:
    """Refuse a static variable of a function that the device runs, if the first call gives it its value. Raises
    InputError."""
    if cursor.storage_class.name != "STATIC":
        return
    called = next((name for _, name in computing(unit, cursor)), "")
    t, kind = unit.types, cursor.type.get_canonical().kind
    is_number = kind == t.ENUM or t.BOOL.value <= kind.value <= t.LONGDOUBLE.value
    if called or (is_number and clang.initialiser(cursor) is not None and clang.value(cursor) is None):
        what = f"the first call gives the static variable '{cursor.spelling}' its value"
        by = f", by '{called}'" if called else ""
        remedy = "a constant value or a constexpr constructor, or a variable of a namespace that a region assigns"
        place = unit.span(unit.place(cursor.location))
        raise error_at(place, f"{what}{by}, which device code does not support", remedy)


def computing(unit: Unit, cursor: Any, around: tuple[Any, ...] = ()) -> Iterator[tuple[Any, str]]:
    """(a mention in a variable's or a member's initialiser, its name) of functions that are not constexpr, of variables
    of the function, and of constants with such initialisers. ``around`` are those in whose initialisers this one is."""
    k, start = unit.kinds, unit.place(cursor.location)
    head = unit.text[unit.extent(cursor)[0] : start] if start >= 0 else ""
    if has_word(head, "constexpr", "constinit") or cursor in around:
        return
    outer = (*around, cursor)
    for node in _evaluated(unit, cursor):
        named = node.referenced if node.kind in (k.CALL_EXPR, k.DECL_REF_EXPR) else None
        if named is None or not libclang.is_users(named):
            continue
        if node.kind == k.CALL_EXPR and named.kind in (k.FUNCTION_DECL, k.CXX_METHOD, k.CONSTRUCTOR):
            function = unit.defined(named)
            if named.kind == k.CONSTRUCTOR and (function is None or _is_empty(unit, function)):
                names = _computing_parts(unit, named.semantic_parent, outer, is_written=_is_written(unit, named))
                yield from ((node, name) for name in names)
            elif function is None or not function.is_constexpr:
                yield node, named.spelling
            continue
        is_constant = named.kind == k.VAR_DECL and named.type.is_const_qualified()
        if named.kind == k.PARM_DECL or (is_constant and any(computing(unit, named, outer))):
            yield node, named.spelling


def _is_empty(unit: Unit, function: Function) -> bool:
    """Whether a constructor has nothing to do, as CUDA says: no parameters, no initialisers, no statements."""
    parts = libclang.children(function.cursor)
    has_statements = any(libclang.children(part) for part in parts)
    return [part.kind for part in parts] in ([], [unit.kinds.COMPOUND_STMT]) and not has_statements


def _is_written(unit: Unit, constructor: Any) -> bool:
    """Whether a constructor has a body of its own, even if that is empty."""
    return unit.defined(constructor) is not None and not libclang.pattern(constructor).is_default_method()


def _computing_parts(unit: Unit, record: Any, around: tuple[Any, ...], *, is_written: bool) -> Iterator[str]:
    """What gives members and bases of a class a value, if its own constructor does nothing. If that one ``is_written``
    without ``constexpr``, theirs must do nothing either."""
    members, bases = unit.members_of(record)
    for member in members:
        yield from (name for _, name in computing(unit, member, around))
        if is_written and any(child.kind.is_expression() for child in libclang.children(member)):
            yield member.spelling
    without = (m for m in members if not any(child.kind.is_expression() for child in libclang.children(m)))
    for part in (*bases, *(one for one in (unit.class_of(m.type) for m in without) if one is not None)):
        made = [c for c in libclang.children(libclang.pattern(part)) if c.kind == unit.kinds.CONSTRUCTOR]
        default = next((one for one in made if one.is_default_constructor()), None)
        function = unit.defined(default) if default is not None else None
        if function is None or _is_empty(unit, function):
            inner = is_written or (default is not None and _is_written(unit, default))
            yield from _computing_parts(unit, part, around, is_written=inner)
        elif is_written or not function.is_constexpr:
            yield function.name


def _evaluated(unit: Unit, cursor: Any) -> Iterator[Any]:
    """What is evaluated of an initialiser: not the bodies of lambda expressions."""
    stack = libclang.children(cursor)[:]
    while stack:
        node = stack.pop()
        yield node
        if node.kind != unit.kinds.LAMBDA_EXPR:
            stack += libclang.children(node)
