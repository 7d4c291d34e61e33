"""The mappers that a C unit declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...openmp.list_items import DeclaredMapper
from ...openmp.mappers import declared_mapper
from ..sema import Sema, walk
from ..sema.ctype import CType, RecordInfo, strip
from ..sema.type_questions import is_record
from ..syntax.nodes import OmpConstruct, ParsedUnit

_Block = frozenset[int]  # ids of the nodes of a scope


class MapperTable:
    """The mappers of a unit. Those of blocks are visible in these."""

    def __init__(self, mappers: Sequence[tuple[DeclaredMapper, OmpConstruct, _Block | None]] = ()) -> None:
        self.mappers = tuple(mapper for mapper, _, _ in mappers)
        self.constructs: Mapping[DeclaredMapper, OmpConstruct] = {mapper: on for mapper, on, _ in mappers}
        self._of_types: dict[tuple[RecordInfo, str], list[tuple[DeclaredMapper, _Block | None]]] = {}  # the last first
        for mapper, _, block in reversed(mappers):
            self._of_types.setdefault((mapper.type.info, mapper.name), []).append((mapper, block))

    def find(self, construct: OmpConstruct, record: RecordInfo, name: str) -> DeclaredMapper | None:
        """The innermost mapper called ``name`` for a type, of those that are visible at a construct."""
        for mapper, block in self._of_types.get((record, name), ()):
            if (block is None or id(construct) in block) and mapper.start < construct.start:
                return mapper
        return None


def mapper_table(unit: ParsedUnit, sema: Sema) -> MapperTable:
    """Every mapper of a unit. Raises InputError if one is malformed."""
    found: list[tuple[DeclaredMapper, OmpConstruct, _Block | None]] = []

    def add(construct: OmpConstruct, block: _Block | None) -> None:
        def type_of(text: str) -> CType | None:
            kind = sema.named_type(construct, text)
            return strip(kind) if kind is not None and is_record(kind) else None

        found.append((declared_mapper(construct.directive, construct.start, type_of), construct, block))

    for item in unit.ast.ext if "mapper" in unit.pre.text else ():
        if isinstance(item, OmpConstruct):
            if item.directive.name == "declare mapper":
                add(item, None)
            continue
        for block in walk(item) if type(item).__name__ == "FuncDef" else ():
            for node in getattr(block, "block_items", None) or ():
                if isinstance(node, OmpConstruct) and node.directive.name == "declare mapper":
                    sema.analyse(item)
                    add(node, frozenset(id(inner) for inner in walk(block)))
    return MapperTable(found)
