"""Calls of functions of the C library that CUDA has as functions of the host only, such as ``strlen``.

The device library has them under other names. Memory stays CUDA's, as ``new`` and ``delete`` use it, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Any

from ..base.patterns import regex
from ..c.analysis.device_library import library_name
from ..c.source.library_functions import OTHERS
from ..c.source.tokens import arguments_at, next_token, word_before
from ..openmp.call_graph import has_circle
from ..tools.marked_headers import is_for_hosts
from .functions import Function
from .libclang import behind, descendants, host_class, is_users, overloads, pattern
from .text_constructs import qualified_at, qualifier_before
from .unit import Unit, kept

_UNNAMED = ("Ul", "Ut")  # in a symbol, types without a name
_CLASS = regex(r"\b(?:class|struct|union)\b[^;{}()<>=]*?\b(?!final\b)([A-Za-z_]\w*)\s*(?:final\s*)?[:{]")
_STREAMS = ("stdout", "stderr")
_PRINTED = ("fprintf", "fputs")


def declares_library(cursor: Any) -> bool:
    """Whether a function that the unit declares is one of C's library or of OpenMP, which device code has."""
    return bool(cursor.mangled_name == cursor.spelling) and library_name(cursor.spelling) is not None


def calls_itself(functions: Iterable[Any]) -> bool:
    """Whether functions of the library may be called again before they return, as their definitions say. Names in a
    template may mean any function that they find; its instantiations say which that is."""
    graph: dict[int, list[int]] = {}
    queue = list(functions)
    while queue:
        function = queue.pop()
        if function.canonical.hash not in graph:
            definition, called = function.get_definition(), list[Any]()
            for node in descendants(definition) if definition is not None else ():
                if node.kind.name == "CALL_EXPR" and node.referenced is not None:
                    called.append(node.referenced)
                elif node.kind.name == "OVERLOADED_DECL_REF" and function.kind.name == "FUNCTION_TEMPLATE":
                    called += overloads(node)
            graph[function.canonical.hash] = [one.canonical.hash for one in called]
            queue += called
    return has_circle(graph)


def library_calls(unit: Unit, function: Function, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """(where a name begins and ends, the name in device code) for these functions, as a stretch names them.

    A template's call by the name alone stays where the user has functions of that name: its arguments may choose one.
    """
    named: dict[int, list[Any]] = {}
    for place, target in (*function.mentions.calls, *function.mentions.overloads):
        # One of <locale>, such as ``std::toupper`` with two arguments, the device has not.
        of_locale = target.kind == unit.kinds.FUNCTION_TEMPLATE and not is_users(target)
        if start <= place < end and target.spelling in OTHERS and not of_locale:
            named.setdefault(place, []).append(target)
    dependent = {place for place, _ in function.mentions.overloads} if named else set()
    for place, targets in named.items():
        name = targets[0].spelling
        low = qualifier_before(unit.text, place)  # in a template, libclang gives the place of the name alone
        written = qualified_at(unit.text, low)
        called = {_own_name(target) for target in targets}
        if len(called) > 1 or "" in called or written.rpartition("::")[2].strip() != name:
            continue
        is_open = place in dependent and written == name and _has_own(unit, name)
        if not is_open and not _is_used(unit.text, low) and all(_is_of_c(unit, one) for one in targets):
            yield low, low + len(written), f"::rex_c_{called.pop()}"
    yield from _printed(unit, function, start, end)


def _printed(unit: Unit, function: Function, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The same for ``fprintf`` and ``fputs`` to the standard streams: device code has only the program's stdout."""
    mentions = (*function.mentions.calls, *function.mentions.overloads)
    printing = ((at, one) for at, one in mentions if start <= at < end and one.spelling in _PRINTED)
    called = {qualifier_before(unit.text, at): one for at, one in printing}
    for place, target in called.items():
        if not _is_of_c(unit, target):
            continue
        opening = next_token(unit.text, place + len(qualified_at(unit.text, place)))
        arguments = arguments_at(unit.text, opening)
        texts = [unit.text[low:high].strip() for low, high in arguments]
        if target.spelling == "fprintf" and len(texts) > 1 and texts[0] in _STREAMS:
            yield place, arguments[1][0], "::printf("
        elif target.spelling == "fputs" and len(texts) == 2 and texts[1] in _STREAMS:
            yield place, arguments[0][0], '::printf("%s", '
            yield arguments[0][1], arguments[1][1], ""


def _is_used(text: str, place: int) -> bool:
    """Whether a name stands in a using-declaration."""
    return word_before(text, qualifier_before(text, place))[1] == "using"


def _own_name(target: Any) -> str:
    """C's name of what is called: ``std::div`` of long integers is ``ldiv``."""
    kind = str(target.result_type.spelling).removeprefix("std::")
    return kind.removesuffix("_t") if target.spelling == "div" else str(target.spelling)


def _has_own(unit: Unit, name: str) -> bool:
    """Whether the user has functions of a name that arguments of the user's types may choose."""
    k = unit.kinds
    named = [one[0] for one in unit.prototypes.values() if one[0].spelling == name]
    if any(one.kind == k.FUNCTION_TEMPLATE for one in named):
        return True
    arguments = [argument for one in named if one.kind == k.FUNCTION_DECL for argument in one.get_arguments()]
    return any(is_users(behind(argument.type).get_declaration()) for argument in arguments)


def _is_of_c(unit: Unit, target: Any) -> bool:
    """Whether a function is the C library's, or one that a header of C++ defines in ``std`` by it."""
    k, parent = unit.kinds, target.semantic_parent
    if is_users(target):
        place = unit.place(target.location)  # a using-declaration, as a template's call finds it
        names = target.kind == k.UNEXPOSED_DECL and _is_used(unit.text, place)
        return names or (target.get_definition() is None and declares_library(target))
    outside = parent is not None and parent.kind in (k.TRANSLATION_UNIT, k.LINKAGE_SPEC)
    of_std = parent is not None and parent.kind == k.NAMESPACE and parent.spelling in ("std", "__gnu_cxx")
    return target.kind in (k.FUNCTION_DECL, k.UNEXPOSED_DECL) and (outside or of_std)


@kept
def _class_names(unit: Unit) -> frozenset[str]:
    """Those of the user's, as symbols have them."""
    return frozenset(f"{len(name)}{name}" for name in _CLASS.findall(unit.read.text))


def used_by_library(unit: Unit, function: Any, symbol: str) -> Iterator[Any]:
    """The functions that one of the library calls, and its variables of the user's classes."""
    k = unit.kinds
    functions = (k.FUNCTION_DECL, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.CONVERSION_FUNCTION)
    if not any(name in symbol for name in (*_UNNAMED, *_class_names(unit))):
        return  # nothing of the user's is an argument
    definition = function.get_definition()
    for cursor in descendants(definition) if definition is not None else ():
        if cursor.kind in (k.CALL_EXPR, k.DECL_REF_EXPR, k.MEMBER_REF_EXPR):
            called = cursor.referenced
            if called is not None and called.kind in functions:
                yield called
        elif cursor.kind == k.VAR_DECL:
            declaration = cursor.type.get_canonical().get_declaration()
            if declaration is not None and is_users(declaration):
                yield cursor


def needs_host(unit: Unit, target: Any) -> bool:
    """Whether a function of the library is one that only the host has, or calls one: its headers do not define it, as
    those of the host's clocks, or they are for hosts only, as that of ``std::shared_ptr``."""
    k = unit.kinds
    functions = (k.FUNCTION_DECL, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.CONVERSION_FUNCTION)
    queue, seen = [target], set[int]()
    while queue:
        function = queue.pop()
        key = function.canonical.hash
        if key in seen or key in unit.without_host:
            continue
        seen.add(key)
        definition = function.get_definition()
        is_elsewhere = definition is None and _is_elsewhere(unit, function)
        if is_elsewhere or host_class(function) or _is_for_hosts(definition):
            return True
        for node in descendants(definition, k.CALL_EXPR) if definition is not None else ():
            if (called := node.referenced) is not None and called.kind in functions:
                queue.append(called)
    unit.without_host |= seen
    return False


def _is_for_hosts(definition: Any) -> bool:
    """Whether a function stands in a header for hosts only, and is not ``constexpr``."""
    file = definition.location.file if definition is not None else None
    if file is None or is_users(definition) or not is_for_hosts(str(file)):
        return False
    head = (token.spelling for token in definition.get_tokens())
    return "constexpr" not in takewhile(lambda word: word not in ("(", "{", definition.spelling), head)


def _is_elsewhere(unit: Unit, function: Any) -> bool:
    """Whether a function without a definition is in a library of the host only: none that the compiler makes, as it
    does ``std::move``, none that ends the program, none of the memory's, and none that device code has."""
    if pattern(function).get_definition() is not None:
        return False
    if function.kind == unit.kinds.FUNCTION_DECL:
        name = function.spelling
        of_compiler = name.startswith(("__builtin_", "__throw_", "operator ")) or name in _PRINTED
        return not (of_compiler or library_name(name) is not None)
    is_made = function.is_default_method() or function.is_pure_virtual_method() or function.spelling == "operator="
    return function.kind == unit.kinds.CXX_METHOD and not is_made
