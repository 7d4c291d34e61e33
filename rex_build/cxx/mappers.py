"""The mappers that a C++ unit declares."""

from __future__ import annotations

from typing import Any

from ..base.diagnostics import error_at
from ..directives.parser import refuse_unsupported
from ..openmp.list_items import DeclaredMapper
from ..openmp.mappers import declared_mapper
from .type_names import endings, is_named
from .unit import Unit


def declared_mappers(unit: Unit) -> dict[tuple[str, str], list[DeclaredMapper]]:
    """The mappers of a unit, by the texts of their types and by their names.

    Raises InputError for those that are not supported.
    """

    def type_of(text: str) -> str | None:
        for word in ("struct ", "class "):
            text = text.removeprefix(word).strip()
        return unit.record_named(text) or (text if "<" in text else None)

    found: dict[tuple[str, str], list[DeclaredMapper]] = {}
    for construct in unit.constructs:
        directive = construct.directive
        if directive.name == "declare mapper":
            refuse_unsupported(directive, cxx=True)
            templates = (unit.kinds.CLASS_TEMPLATE, unit.kinds.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION)
            record = unit.scope_at(construct.start)[1]
            if unit.function_at(construct.start) is not None or (record is not None and record.kind in templates):
                what = "'declare mapper' in a class template or a function is not supported in C++"
                raise error_at(directive.span, what)
            mapper = declared_mapper(directive, construct.start, type_of)
            found.setdefault((endings(mapper.type)[0].removeprefix("::"), mapper.name), []).append(mapper)
    return found


def mapper_for(unit: Unit, kind: Any, name: str, place: int) -> DeclaredMapper | None:
    """The mapper for a class, or for the elements of an array."""
    if not unit.mappers or kind is None:
        return None
    while kind.kind == unit.types.CONSTANTARRAY:
        kind = kind.element_type.get_canonical()
    text = unit.type_of(kind).text
    found = (m for ending in endings(text) for m in unit.mappers.get((ending, name), ()))
    same = [m for m in found if is_named(text, m.type) and m.start < place]
    return max(same, key=lambda m: m.start, default=None)
