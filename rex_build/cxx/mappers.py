"""The mappers that a C++ unit declares."""

from __future__ import annotations

from typing import Any

from ..base.diagnostics import error_at
from ..directives.parser import refuse_unsupported
from ..openmp.list_items import DeclaredMapper
from ..openmp.mappers import MapperTable, declared_mapper
from .type_names import endings, is_named
from .unit import Unit
from .user_reductions import block_from


def declared_mappers(unit: Unit) -> MapperTable:
    """The mappers of a unit. Raises InputError for those that are not supported."""
    found: list[DeclaredMapper] = []
    for construct in unit.constructs:
        directive = construct.directive
        if directive.name == "declare mapper":
            refuse_unsupported(directive, cxx=True)
            templates = (unit.kinds.CLASS_TEMPLATE, unit.kinds.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION)
            record, function = unit.scope_at(construct.start)[1], unit.function_at(construct.start)
            instead = "declare one behind the template for each type that you map, such as (Vector<double> v)"
            if (record is not None and record.kind in templates) or (function is not None and function.is_template):
                raise error_at(directive.span, "'declare mapper' in a template is not supported in C++", instead)
            local = function.mentions.local_types if function is not None else ()
            own = {one.name for at, one in local if at < construct.start}

            def type_of(text: str, own: set[str] = own, at: int = construct.start) -> str | None:
                for word in ("struct ", "class "):
                    text = text.removeprefix(word).strip()
                known = unit.class_named(text, at) or unit.record_named(text)
                if known and text in own:
                    raise error_at(directive.span, f"'{text}' is a class of the function and another one")  # noqa: B023
                return known or (text if "<" in text or text in own else None)

            end = block_from(unit, function, construct.start)[1] if function is not None else len(unit.text)
            found.append(declared_mapper(construct, end, type_of))
    return MapperTable(found, lambda text: endings(text)[0].removeprefix("::"))


def mapper_for(unit: Unit, kind: Any, name: str, place: int) -> DeclaredMapper | None:
    """The mapper for a class, or for the elements of an array."""
    if not unit.mappers.mappers or kind is None:
        return None
    while kind.kind == unit.types.CONSTANTARRAY:
        kind = kind.element_type.get_canonical()
    text = unit.type_of(kind).text
    table: MapperTable = unit.mappers
    return table.find(endings(text), name, place, lambda written: is_named(text, written))
