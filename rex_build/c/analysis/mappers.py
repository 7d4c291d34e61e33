"""The mappers that a C unit declares."""

from __future__ import annotations

from ...openmp.list_items import DeclaredMapper
from ...openmp.mappers import MapperTable, declared_mapper
from ..sema import Sema, walk
from ..sema.ctype import CType, strip
from ..sema.type_questions import is_record
from ..source.tokens import closing
from ..syntax.nodes import OmpConstruct, ParsedUnit


def mapper_table(unit: ParsedUnit, sema: Sema) -> MapperTable:
    """Every mapper of a unit. Raises InputError if one is malformed."""
    found: list[DeclaredMapper] = []

    def add(construct: OmpConstruct, end: int) -> None:
        def type_of(text: str) -> CType | None:
            kind = sema.named_type(construct, text)
            return strip(kind) if kind is not None and is_record(kind) else None

        found.append(declared_mapper(construct, end, type_of))

    text = unit.pre.text
    for item in unit.ast.ext if "mapper" in text else ():
        if isinstance(item, OmpConstruct):
            if item.directive.name == "declare mapper":
                add(item, len(text))
            continue
        for block in walk(item) if type(item).__name__ == "FuncDef" else ():
            for node in getattr(block, "block_items", None) or ():
                if isinstance(node, OmpConstruct) and node.directive.name == "declare mapper":
                    sema.analyse(item)
                    add(node, closing(text, unit.offset_of(block)))
    return MapperTable(found, lambda kind: kind.info)
