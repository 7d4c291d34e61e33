"""Static members of class templates in the device file.

The device's variables are those of a template in front of the class. The registration names the instances by their
symbols, so the device file instantiates those that the unit's host code names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..base.diagnostics import error_at
from ..c.source.tokens import closing, has_word, words_in
from . import libclang
from .instantiations import class_arguments, instantiations
from .templates import specifiers
from .text_constructs import Variable, declare
from .unit import Unit


def general_of(unit: Unit, variable: Variable) -> Variable | None:
    """The member of a class template that a member of an instantiation is made of."""
    general = libclang.template_of(variable.cursor)
    is_member = general is not None and general.kind == unit.kinds.VAR_DECL and libclang.is_users(general)
    return unit.variable(general) if is_member and general.semantic_parent.kind in unit.classes else None


def is_of_template(unit: Unit, variable: Variable) -> bool:
    """Whether a variable is a static member of a class template. Such members of instantiations are not."""
    parent = variable.cursor.semantic_parent if unit.is_static_member(variable) else None
    return parent is not None and parent.kind == unit.kinds.CLASS_TEMPLATE


def with_instances(unit: Unit, found: Iterable[Variable]) -> list[Variable]:
    """The variables, and for members of class templates those of all instantiations that the unit names."""
    whole: dict[Variable, None] = {}
    for variable in found:
        general = general_of(unit, variable) or variable
        whole.setdefault(general)
        if is_of_template(unit, general):
            unit.members_of_templates.setdefault(general, _instances(unit, general))
            whole.update(dict.fromkeys(unit.members_of_templates[general]))
    return list(whole)


def _instances(unit: Unit, general: Variable) -> list[Variable]:
    """The members of instantiations that the unit's host code names."""
    k = unit.kinds
    found: dict[str, Variable] = {}
    bodies = [f.cursor for f in unit.functions if not f.is_template] + [v.cursor for v in unit.globals]
    bodies += [cursor for cursors in instantiations(unit).values() for cursor in cursors]
    for body in bodies:
        for cursor in libclang.descendants(body):
            target = cursor.referenced if cursor.kind in (k.DECL_REF_EXPR, k.MEMBER_REF_EXPR) else None
            if target is None or target.kind != k.VAR_DECL or target.spelling != general.name:
                continue
            if "type-parameter" in target.semantic_parent.type.get_canonical().spelling:
                continue
            variable = unit.variable(target)
            if general_of(unit, variable) is general:
                found.setdefault(target.mangled_name, variable)
    return list(found.values())


def check(unit: Unit, general: Variable) -> None:
    """Refuse what cannot be a variable template in front of the class."""
    place = unit.span(general.start)
    what = f"'{general.name}', a static member of a class template, cannot be a variable of the device"
    around = general.cursor.semantic_parent.semantic_parent
    if around is not None and around.kind in unit.classes:
        raise error_at(place, f"{what}: its class is inside of another")
    cursor = _definition(unit, general)
    if cursor is None:
        raise error_at(place, f"{what}: this unit does not define it")
    for other, variable in unit.member_definitions:  # those of implicit instantiations stand where the template's does
        if other.location.offset != cursor.location.offset and general_of(unit, variable) is general:
            raise error_at(unit.span(unit.place(other.location)), f"{what}: this is a specialisation of it")
    end = unit.extent(_class(general))[1]
    words = words_in(f"{initialiser(unit, cursor)} {unit.type_of(cursor.type).text}")
    members = {c.spelling for c in libclang.children(_class(general))}
    members -= {c.spelling for c in _parameters(unit, general)}
    for word in sorted(words & members):
        raise error_at(place, f"{what}: its type or its first value names '{word}', a member of the class")
    parameters = (unit.kinds.TEMPLATE_TYPE_PARAMETER, unit.kinds.TEMPLATE_NON_TYPE_PARAMETER)
    for node in libclang.descendants(cursor):
        named = node.referenced
        is_later = named is not None and named.kind not in parameters and libclang.is_users(named)
        if is_later and named != cursor and unit.place(named.location) >= end:
            later = f"'{named.spelling}', which is declared behind the class"
            raise error_at(place, f"{what}: {later}, is in its definition")


def symbol(unit: Unit, variable: Variable) -> str:
    """The symbol of the device's variable for the member of an instantiation. Raises InputError if it is not known.

    It is the member's own, with the name of the variable template in place of the class's and without the member's.
    """
    general = general_of(unit, variable)
    assert general is not None
    scopes = unit.namespaces_around(general.cursor.semantic_parent)
    record = general.cursor.semantic_parent.spelling
    around = "".join(f"{len(name)}{name}" for name in scopes)
    mangled = str(variable.cursor.mangled_name)
    start, end = f"_ZN{around}{len(record)}{record}", f"{len(variable.name)}{variable.name}E"
    arguments = mangled[len(start) : -len(end)]
    own = "S_" if not scopes else f"S{len(scopes) - 1}_"  # the class as an argument of its own
    if not (mangled.startswith(start) and mangled.endswith(end)) or own in arguments or "(" in variable.host:
        what = f"'{variable.host.removeprefix('::')}' cannot be a variable of the device: its name is not known there"
        raise error_at(unit.span(variable.start), what)
    name = device_name(general)
    return f"_ZN{around}{len(name)}{name}{arguments}E" if scopes else f"_Z{len(name)}{name}{arguments}"


def device_name(general: Variable) -> str:
    """The name of the variable template."""
    record = general.cursor.semantic_parent.spelling
    return f"rex_static_{len(record)}{record}{general.name}"


def declaration(unit: Unit, general: Variable) -> str:
    """The definition of the variable template, which stands in front of the class."""
    cursor = _definition(unit, general)
    value = initialiser(unit, cursor)
    start = unit.extent(cursor)[0]
    start = start if unit.text.startswith("template", start) else unit.extent(_class(general))[0]
    header = unit.text[start : specifiers(unit.text, start)].strip()
    declared = declare(unit.type_of(cursor.type), device_name(general))
    return f"{header} __device__ {declared}{f' {value}' if value else ''};"


def reference(unit: Unit, general: Variable) -> str:
    """What the member is in its class."""
    names = unit.parameters_as_arguments(_class(general))
    const = "const " if general.type.const else ""
    return f"static constexpr {const}auto &{general.name} = {device_name(general)}<{', '.join(names)}>;"


def instantiated(unit: Unit) -> Iterator[str]:
    """Explicit instantiations, at the end of the device file."""
    for general, variables in unit.members_of_templates.items():
        around = "".join(f"{name}::" for name in unit.namespaces_around(general.cursor.semantic_parent))
        for variable in variables if not general.type.const else ():
            arguments = class_arguments(unit, variable.cursor.semantic_parent, general.cursor.semantic_parent)
            name = f"{around}{device_name(general)}{arguments}"
            yield f"template __device__ {declare(variable.type, name)};"


def _class(general: Variable) -> Any:
    record = general.cursor.semantic_parent
    return record.get_definition() or record


def _parameters(unit: Unit, general: Variable) -> list[Any]:
    return unit.template_parameters(_class(general))


def _definition(unit: Unit, general: Variable) -> Any:
    """The declaration that has the member's first value, or None."""
    outside = [cursor for cursor, variable in unit.member_definitions if variable is general]
    inside = [cursor for cursor, variable in unit.static_members if variable is general]
    is_inline = any(has_word(unit.text[slice(*unit.extent(c))], "inline", "constexpr") for c in inside)
    return (inside if is_inline else outside or [None])[0]


def initialiser(unit: Unit, cursor: Any) -> str:
    """What stands behind the declarator of a variable: ``= 3``, ``{3}`` or nothing."""
    at, end = unit.place(cursor.location) + len(cursor.spelling), unit.extent(cursor)[1]
    while unit.text[at : at + 1].isspace() or unit.text[at : at + 1] == "[":
        at = closing(unit.text, at) if unit.text[at] == "[" else at + 1
    return unit.text[at:end].strip()
