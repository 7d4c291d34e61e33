"""Types that kernels name, but that cannot be named where kernels stand: those of functions, and private ones.

Classes of functions that templates with regions get as arguments are in device code once more, in namespaces of their
own. In host code, such a class says which name stands for it. Private types of classes become public.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..base.diagnostics import Replacement
from ..c.source.tokens import statement_end, words_in
from . import libclang
from .functions import Function
from .templates import Surroundings
from .text_constructs import Variable
from .unit import Unit


def public_types(unit: Unit) -> Iterator[Replacement]:
    """What makes types public that only their classes may name, in host code and in device code. All declarations of a
    type in its class have the same access."""
    first = [libclang.pattern(declaration).canonical for declaration in unit.names.private.values()]
    inside = ((one, child) for one in first for child in libclang.children(one.semantic_parent))
    found = {unit.extent(child)[0]: child for one, child in inside if child.canonical == one}
    for start, declaration in found.items():
        end = statement_end(unit.text, start)
        yield Replacement(start, start, "public: ")
        yield Replacement(end, end, f" {declaration.access_specifier.name.lower()}:")


def host_texts(unit: Unit) -> Iterator[Replacement]:
    """What names classes of functions in the host file."""
    for name, record in unit.names.local.items():
        place = _outside(unit, record)
        brace = unit.text.index("{", unit.place(record.location)) + 1
        hidden = " private:" if unit.text.startswith("class", unit.extent(record)[0]) else ""
        key = f" public: typedef {name}::{record.spelling} rex_key_type;{hidden} "
        yield Replacement(place, place, f"namespace {name} {{ struct {record.spelling}; }}")
        yield Replacement(brace, brace, key)


def bodies(unit: Unit, ranges: Iterable[tuple[Function, int, int]]) -> list[tuple[Function, int, int, bool]]:
    """(a function, where a class of it that device code has begins and ends, whether it depends on a template): the
    classes that kernels name, and those that regions in ``ranges`` do."""
    named = {unit.extent(record): _function(unit, record) for record in unit.names.local.values()}
    for function, start, end in ranges:
        types = {v.start for _, v in function.mentions.local_types}
        for variable in needed(unit, function, (start, end), start):
            if variable.start in types:
                named[variable.start, variable.end] = function
    return [(function, start, end, False) for (start, end), function in named.items()]


def device_texts(unit: Unit) -> Iterator[tuple[int, list[Variable], str]]:
    """(where they stand, the declarations that are there again, the namespace around them)"""
    for name, record in unit.names.local.items():
        function, (start, end) = _function(unit, record), unit.extent(record)
        own = [v for _, v in function.mentions.local_types if v.start == start]
        whole = {v.start: v for v in (*needed(unit, function, (start, end), start), *own)}
        yield _outside(unit, record), [whole[at] for at in sorted(whole)], name


def names(unit: Unit) -> Iterator[str]:
    """Names for the namespaces outside of those that they are in."""
    for name, record in unit.names.local.items():
        scope = "".join(f"{one}::" for one in unit.namespaces_around(record))
        if scope:
            yield f"namespace {name} = ::{scope}{name};"


def needed(
    unit: Unit, function: Function, stretch: tuple[int, int], before: int, named: Iterable[Variable] | None = None,
    texts: Iterable[str] = (),
) -> list[Variable]:  # fmt: skip
    """The constants and types of a function that a stretch of it names, and those that these need. Constants may be
    given as the ones that are ``named``, and types may stand in other ``texts``, too."""
    low, high = stretch
    types = [v for at, v in function.mentions.local_types if at < before]
    waiting = [r.variable for r in function.references(low, high)] if named is None else [*named]
    written, found = [unit.text[low:high], *texts], dict[Variable, None]()
    while waiting or written:
        if written:
            words = words_in(written.pop())
            waiting += [v for v in types if not words.isdisjoint(_names(unit, v)) or _is_using_enum(unit, v)]
            continue
        variable = waiting.pop()
        is_one = variable.names_type or (variable.is_local and variable.constant)
        if is_one and variable not in found and not low <= variable.start < high:
            found[variable] = None
            written.append(unit.text[variable.start : variable.end])
            waiting += [r.variable for r in function.references(variable.start, variable.end)]
    return sorted(found, key=lambda v: v.start)


def _is_using_enum(unit: Unit, local: Variable) -> bool:
    """Whether a declaration is ``using enum``, of which libclang does not say which names it brings."""
    return local.cursor.kind == unit.kinds.ENUM_DECL and unit.text.startswith("using", local.start)


def _names(unit: Unit, local: Variable) -> list[str]:
    """The name of a type, and those of the constants of an enumeration."""
    is_enumeration = local.cursor.kind == unit.kinds.ENUM_DECL
    return [local.name, *(c.spelling for c in (libclang.children(local.cursor) if is_enumeration else ()))]


def _function(unit: Unit, record: Any) -> Function:
    function = unit.function_at(unit.place(record.location))
    assert function is not None
    return function


def _outside(unit: Unit, record: Any) -> int:
    return Surroundings(unit, _function(unit, record)).outside
