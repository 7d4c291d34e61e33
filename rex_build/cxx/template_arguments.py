"""The arguments of templates' instantiations, as text that names them from anywhere."""

from __future__ import annotations

import struct
from re import Match
from typing import Any

from ..base.diagnostics import error_at
from ..base.patterns import regex
from . import libclang
from .functions import Function
from .text_constructs import closing_angle, name_before, opening_of
from .type_names import FUNCTIONS, arguments_in, last_arguments
from .unit import Unit

# The address of an array's first element in a symbol of clang's, which the C++ library does not know.
_BYTES = regex(r"\((?:float|(?P<wide>double))\)\[(?P<bytes>[\da-f]+)\]")  # of a number, in an object's members
_ELEMENT = regex(r"adso[A-Z\d_]*[a-z](L_Z(?:N[^E]*E|[^E]*)E)E")


def check_local(unit: Unit, function: Function, instance: Any) -> None:
    """Refuse an instantiation with a class of a function that kernels cannot name: one of a template's, or one in such
    a class."""
    for number in range(max(0, instance.get_num_template_arguments())):
        record = libclang.behind(instance.get_template_argument_type(number)).get_declaration()
        around = record.semantic_parent if record is not None and libclang.is_users(record) else None
        place = unit.place(record.location) if around is not None else -1
        outer = unit.function_at(place) if around is not None and around.kind.name in FUNCTIONS else None
        while around is not None and around.kind in unit.classes:
            around = around.semantic_parent
        is_in_function = around is not None and around.kind.name in FUNCTIONS and "(" not in record.spelling
        if is_in_function and record.spelling and (outer is None or outer.is_template or outer.cursor != around):
            what = f"a region in '{function.name}', a template that is instantiated with '{record.spelling}', a class "
            what += "of a function, is not supported: declare the class outside"
            raise error_at(unit.span(function.start), what)


def types_of(unit: Unit, cursor: Any) -> list[str]:
    """The type of each parameter of a template that is a value; an empty text for other parameters."""
    value = unit.kinds.TEMPLATE_NON_TYPE_PARAMETER
    parameters = unit.template_parameters(cursor)
    return [child.type.get_canonical().spelling if child.kind == value else "" for child in parameters]


def class_arguments(unit: Unit, record: Any, template: Any) -> str:
    """All arguments of a class template's instantiation, also those that are defaults: ``<int, 2>``."""
    return f"<{', '.join(arguments_of(unit, record, types_of(unit, template)))}>"


def arguments_of(unit: Unit, cursor: Any, types: list[str], symbol: str = "") -> list[str]:
    """The template arguments of an instantiation, as text that names them from anywhere. Of a class, ``symbol`` is that
    of a method of it."""
    found = []
    for number in range(cursor.get_num_template_arguments()):
        kind = libclang.argument_kind(cursor, number)
        of = types[number] if number < len(types) else ""
        if kind == "TYPE":
            found.append(unit.names.spelled(cursor.get_template_argument_type(number).get_canonical(), outside=True))
        elif kind == "INTEGRAL" and "auto" not in of:
            depends = "type-parameter" in of or of.startswith("typename ")
            plain = "" if depends else of.replace("(anonymous namespace)::", "")
            value = cursor.get_template_argument_value(number)
            found.append(f"static_cast<{plain}>({value})" if plain else str(value))
        else:  # a template, a list of arguments, or a value of any type
            written = _written_arguments(cursor, symbol)
            if len(written) != cursor.get_num_template_arguments():
                return written
            found.append(written[number])
    return found if cursor.get_num_template_arguments() >= 0 else _written_arguments(cursor, symbol)


def _written_arguments(cursor: Any, symbol: str) -> list[str]:
    """The arguments of an instantiation, as the name of its class has them or, of a function, its symbol. The name of a
    class has objects without the scopes of their classes, and no defaults: the symbol of a method has both."""
    name = cursor.spelling.partition("<")[0]
    text = cursor.type.get_canonical().spelling if cursor.kind.name in ("CLASS_DECL", "STRUCT_DECL") else ""
    given = [*filter(None, last_arguments(text))]  # of S<> none
    is_whole = "{" not in text and len(given) >= cursor.get_num_template_arguments()
    if not text or (symbol and not is_whole):
        text = _demangled(_ELEMENT.sub(r"\1", symbol or cursor.mangled_name)) or text
    text = text.replace("(anonymous namespace)::", "")
    for place in _outside_of_brackets(text, f"{name}<"):
        if not text[:place][-1:].isalnum() and not text[:place].endswith("_"):
            written = text[place : closing_angle(text, place + len(name))]
            return [_of_function(argument) for argument in arguments_in(written) if argument]
    return [""]


def completed(unit: Unit, argument: str) -> str:
    """An argument that may be an object, with all of its members: a symbol leaves out the last ones if they are 0, and
    in their place would stand what the class has by default. The values of an array have no type in front of them."""
    name, brace, _ = argument.partition("{")
    kind, _, length = name.partition(" [")
    record = unit.record_of_name(kind)
    is_object = brace and argument.endswith("}") and (length or record is not None)
    if not is_object or (record is not None and "][" in name):
        return argument
    given = [completed(unit, value) for value in arguments_in(f"<{argument[len(name) + 1 : -1]}>") if value]
    if any(value.startswith(".") for value in given):  # the member of a union
        return argument
    zeros = _zeros(unit, record) if record is not None else []
    if length:
        zeros = [f"{{{', '.join(zeros)}}}"] * int(length.partition("]")[0])
    return f"{'' if length else name}{{{', '.join([*given, *zeros[len(given) :]])}}}"


def _zeros(unit: Unit, record: Any) -> list[str]:
    """What makes each part of a class 0, whatever the class has by default."""
    members, bases = unit.members_of(record)
    return [_zero(unit, one.type) for one in (*bases, *members)]


def _zero(unit: Unit, kind: Any) -> str:
    kind = kind.get_canonical()
    record = kind.get_declaration()
    if record.kind in unit.classes:
        return f"{{{', '.join(_zeros(unit, record))}}}"
    is_array = kind.kind == unit.types.CONSTANTARRAY
    element = _zero(unit, kind.element_type) if is_array else "{}"
    return "{}" if element == "{}" else f"{{{', '.join([element] * kind.element_count)}}}"


def _outside_of_brackets(text: str, name: str) -> list[int]:
    """Where a name stands in no brackets, such as those around the arguments of another one; the last place first."""
    around, found = "", []
    for at, char in enumerate(text):
        if not around and text.startswith(name, at):
            found.append(at)
        if char in "([{" or (char == "<" and not around.endswith("(")):  # in parentheses it may compare
            around += char
        elif around and char == {"(": ")", "[": "]", "{": "}", "<": ">"}[around[-1]] and text[at - 1] != "-":
            around = around[:-1]
    return found[::-1]


def _of_function(argument: str) -> str:
    """An argument, of a function's address without what the function takes and gives: ``&(int app::f(int))`` is
    ``&app::f``."""
    inner = argument[2:-1]
    if not argument.startswith("&(") or ")" not in inner:
        return argument
    begin = opening_of(inner, inner.rindex(")"), "()")  # behind it, there may be const
    return f"&{inner[name_before(inner, begin) : begin]}"


def _demangled(symbol: str) -> str:
    """A symbol as C++, or an empty text if the C++ library is not found."""
    import ctypes

    try:
        demangle = ctypes.CDLL("libstdc++.so.6").__cxa_demangle
    except OSError:
        return ""
    demangle.restype = ctypes.c_void_p
    demangle.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int)]
    status = ctypes.c_int()
    made = demangle(symbol.encode(), None, None, ctypes.byref(status))
    text = ctypes.cast(made, ctypes.c_char_p).value.decode() if made and status.value == 0 else ""  # type: ignore[union-attr]
    return _BYTES.sub(_number, text)


def _number(found: Match[str]) -> str:
    number: float = struct.unpack(">d" if found["wide"] else ">f", bytes.fromhex(found["bytes"]))[0]
    return number.hex()
