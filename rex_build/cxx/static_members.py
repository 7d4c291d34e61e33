"""Static members of classes in the device file.

nvcc allows no variables of the device in classes, so these members are references there. They lead to variables of the
device that stand outside.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..base.diagnostics import error_at
from ..c.source.tokens import has_word, statement_end
from . import libclang, template_members
from .reached import Reached
from .text_constructs import Variable, declare
from .unit import Unit
from .user_lines import TextEdit

_Members = Sequence[tuple[Any, Variable]]


def device_variable(variable: Variable) -> str:
    """The name of the device's variable for a static member that is no constant."""
    return f"rex_static_{variable.cursor.mangled_name}"


def check_static_member(unit: Unit, variable: Variable) -> None:
    """Refuse a static member that cannot be a variable of the device, or one that a template's could be."""
    scope, kind = variable.cursor.semantic_parent, libclang.innermost(variable.cursor.type)
    inside = kind.get_declaration().semantic_parent if kind.kind in (unit.types.RECORD, unit.types.ENUM) else None
    if inside is not None and inside.kind in unit.classes and variable not in unit.members_of_templates:
        what = f"'{variable.name}', a static member of a type that is declared in a class, cannot be a variable of the "
        raise error_at(unit.span(variable.start), f"{what}device: declare the type outside")
    while scope is not None and scope.kind in unit.classes:
        if scope.kind not in (unit.kinds.CLASS_DECL, unit.kinds.STRUCT_DECL) or scope.get_num_template_arguments() > 0:
            what = f"'{variable.name}', a static member of a specialisation or of a class in a class template, cannot "
            raise error_at(unit.span(variable.start), f"{what}be a variable of the device")
        scope = scope.semantic_parent


def static_members(unit: Unit, reached: Reached) -> Iterator[TextEdit]:
    """The edits of the declarations and the definitions of static members."""
    for start, members in _by_declaration(unit, unit.static_members):
        end = statement_end(unit.text, start)
        if any(variable in unit.on_device for _, variable in members):
            yield from _living(unit, members, start, end)
        elif any(_needs_storage(variable, reached) for _, variable in members):
            yield from _constants(unit, members, start, end)
        elif _are_of_host(unit, members, start, end):
            yield TextEdit(start, end, " ".join(f"static {declare(v.type, v.name)};" for _, v in members))
    for start, members in _by_declaration(unit, unit.member_definitions):
        if any(variable.constant and variable.cursor == cursor for cursor, variable in members):
            continue  # the value of a specialisation's member, which the compiler must see
        on_device = unit.on_device.difference(unit.members_of_templates)
        living = [(cursor, variable) for cursor, variable in members if variable in on_device]
        text = " ".join(_definition(unit, cursor, variable) for cursor, variable in living)
        yield TextEdit(start, statement_end(unit.text, start), text)


def _are_of_host(unit: Unit, members: _Members, start: int, end: int) -> bool:
    """Whether members are variables of the host that their class defines, perhaps with values of its functions."""
    named = not any(v.constant or v.is_reference or has_word(v.type.text, "auto", "decltype") for _, v in members)
    return named and has_word(unit.text[start:end], "inline")


def _by_declaration(unit: Unit, members: _Members) -> Iterator[tuple[int, _Members]]:
    """(where a declaration begins, the members that it declares)"""
    whole: dict[int, list[tuple[Any, Variable]]] = {}
    for cursor, variable in members:
        attributes = [unit.extent(c)[0] for c in libclang.children(cursor) if c.kind == unit.kinds.ALIGNED_ATTR]
        start = unit.extent(cursor)[0]
        whole.setdefault(min([start, *(a for a in attributes if start - 80 < a)]), []).append((cursor, variable))
    yield from whole.items()


def is_one_of_all_units(unit: Unit, variable: Variable) -> bool:
    """Whether a variable is inline: all units that define it have one."""
    head = unit.text[variable.start : unit.place(variable.cursor.location)]
    return has_word(head, "inline") and variable.cursor.linkage.name == "EXTERNAL"


def _needs_storage(variable: Variable, reached: Reached) -> bool:
    """Whether device code needs more of a constant than its value, as far as its mentions tell."""
    if variable.start in reached.addressed:
        return True
    spelled = variable.cursor.type.get_canonical().spelling
    is_parameter = spelled.removeprefix("const ").startswith("type-parameter-") and spelled[-1].isdigit()
    is_scalar = variable.type.kind == "scalar" or is_parameter
    return variable.constant and (f"::{variable.name}" if is_scalar else variable.name) in reached.words


def _constants(unit: Unit, members: _Members, start: int, end: int) -> Iterator[TextEdit]:
    """A declaration of constants, inside of a class that has their values."""
    declaration = " ".join(unit.text[start:end].split())
    first = members[0][1].name
    yield TextEdit(start, start, f"public: struct rex_constant_{first} {{ ")
    value = "static constexpr const auto &rex_value = {}; }};"
    text = value.format(first)
    for _, variable in members[1:]:
        text += f" struct rex_constant_{variable.name} {{ {declaration} {value.format(variable.name)}"
    text += f" {members[0][0].access_specifier.name.lower()}:"
    for _, variable in members:
        text += f" static constexpr const auto &{variable.name} = rex_static<rex_constant_{variable.name}>.value;"
    yield TextEdit(end, end, f" {text}")


def _living(unit: Unit, members: _Members, start: int, end: int) -> Iterator[TextEdit]:
    """A declaration of variables that live on the device, and what stands in front of the outermost class."""
    text = ""
    for cursor, variable in members:
        if variable not in unit.on_device:
            text += f"static {declare(variable.type, variable.name)}; "
            continue
        if variable in unit.members_of_templates:
            before = unit.extent(cursor.semantic_parent.get_definition() or cursor.semantic_parent)[0]
            yield TextEdit(before, before, f"{template_members.declaration(unit, variable)} ")
            text += f"{template_members.reference(unit, variable)} "
            continue
        outermost = cursor
        while outermost.semantic_parent.kind in unit.classes:
            outermost = outermost.semantic_parent
        before = unit.extent(outermost.get_definition() or outermost)[0]
        is_defined = variable.start == unit.extent(cursor)[0] and (cursor.is_definition() or not unit.separable)
        declared = f'extern "C" __device__ {_declared(variable)};'
        yield TextEdit(before, before, f"{_definition(unit, cursor, variable) if is_defined else declared} ")
        const = "const " if variable.type.const else ""
        text += f"static constexpr {const}auto &{variable.name} = {device_variable(variable)}; "
    yield TextEdit(start, end, text.rstrip())


def _declared(variable: Variable, scope: str = "") -> str:
    return declare(variable.type, scope + device_variable(variable))


def _definition(unit: Unit, cursor: Any, variable: Variable) -> str:
    """The definition of a variable of the device, with the user's initialiser."""
    value = template_members.initialiser(unit, cursor)
    # nvcc takes it for another variable where it is not in the scope of its declaration, in front of the class.
    own, declared = (unit.scope_at(unit.extent(c)[0])[0] for c in (cursor, variable.cursor.canonical))
    declared = declared.removeprefix("::") if own != declared else ""
    inline = "inline " if unit.separable and is_one_of_all_units(unit, variable) else ""
    return f'extern "C" {{ {inline}__device__ {_declared(variable, declared)}{f" {value}" if value else ""}; }}'
