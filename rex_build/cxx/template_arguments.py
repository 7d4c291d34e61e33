"""The arguments of templates' instantiations, as text that names them from anywhere."""

from __future__ import annotations

from typing import Any

from ..base.diagnostics import error_at
from . import libclang
from .functions import Function
from .text_constructs import closing_angle
from .type_names import arguments_in
from .unit import Unit


def check_local(unit: Unit, function: Function, instance: Any) -> None:
    """Refuse an instantiation with a class of a function, which kernels cannot name."""
    k = unit.kinds
    functions = (k.FUNCTION_DECL, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.FUNCTION_TEMPLATE)
    for number in range(max(0, instance.get_num_template_arguments())):
        record = libclang.behind(instance.get_template_argument_type(number)).get_declaration()
        around = record.semantic_parent if record is not None and libclang.is_users(record) else None
        if around is not None and around.kind in functions and record.spelling and "(" not in record.spelling:
            what = f"a region in '{function.name}', a template that is instantiated with '{record.spelling}', a class "
            what += "of a function, is not supported: declare the class outside"
            raise error_at(unit.span(function.start), what)


def types_of(unit: Unit, cursor: Any) -> list[str]:
    """The type of each parameter of a template that is a value; an empty text for other parameters."""
    value = unit.kinds.TEMPLATE_NON_TYPE_PARAMETER
    parameters = unit.template_parameters(cursor)
    return [child.type.get_canonical().spelling if child.kind == value else "" for child in parameters]


def is_hidden(unit: Unit, kind: Any) -> bool:
    """Whether a type is, or leads to, a private one of a class."""
    declaration = libclang.behind(kind).get_declaration()
    around = declaration.semantic_parent if declaration is not None else None
    is_member = around is not None and around.kind in unit.classes
    return is_member and declaration.access_specifier.name in ("PRIVATE", "PROTECTED")


def class_arguments(unit: Unit, record: Any, template: Any) -> str:
    """All arguments of a class template's instantiation, also those that are defaults: ``<int, 2>``."""
    return f"<{', '.join(arguments_of(unit, record, types_of(unit, template)))}>"


def arguments_of(unit: Unit, cursor: Any, types: list[str]) -> list[str]:
    """The template arguments of an instantiation, as text that names them from anywhere."""
    found = []
    for number in range(cursor.get_num_template_arguments()):
        kind = libclang.argument_kind(cursor, number)
        of = types[number] if number < len(types) else ""
        if kind == "TYPE":
            found.append(unit.names.spelled(cursor.get_template_argument_type(number).get_canonical()))
        elif kind == "INTEGRAL" and "auto" not in of:
            depends = "type-parameter" in of or of.startswith("typename ")
            plain = "" if depends else of.replace("(anonymous namespace)::", "")
            value = cursor.get_template_argument_value(number)
            found.append(f"static_cast<{plain}>({value})" if plain else str(value))
        else:  # a template, a list of arguments, or a value of any type
            written = _written_arguments(cursor)
            if len(written) != cursor.get_num_template_arguments():
                return written
            found.append(written[number])
    return found if cursor.get_num_template_arguments() >= 0 else _written_arguments(cursor)


def _written_arguments(cursor: Any) -> list[str]:
    """The arguments of an instantiation, as the name of its class has them or, of a function, its symbol."""
    name = cursor.spelling.partition("<")[0]
    text = cursor.type.get_canonical().spelling if cursor.kind.name in ("CLASS_DECL", "STRUCT_DECL") else ""
    text = (text or _demangled(cursor.mangled_name)).replace("(anonymous namespace)::", "")
    place = len(text)
    while (place := text.rfind(f"{name}<", 0, place)) >= 0:
        if not text[:place][-1:].isalnum() and not text[:place].endswith("_"):
            written = text[place : closing_angle(text, place + len(name))]
            return [_of_function(argument) for argument in arguments_in(written) if argument]
    return [""] if text else []


def _of_function(argument: str) -> str:
    """An argument, of a function's address without what the function takes: ``&(app::f(int))`` is ``&app::f``."""
    name = argument[1:].lstrip("(").partition("(")[0].rstrip(")")
    is_function = argument.startswith("&") and not set(name).intersection("<>[]*&,. ")
    return f"&{name}" if is_function else argument


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
    return ctypes.cast(made, ctypes.c_char_p).value.decode() if made and status.value == 0 else ""  # type: ignore[union-attr]
