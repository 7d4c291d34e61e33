"""The types of which mappers say what is mapped with their objects: that is not in the directives, and not followed."""

from __future__ import annotations

from collections.abc import Iterable

from ...openmp.list_items import DeclaredMapper
from ..sema import Symbol
from ..sema.ctype import Array, CType, Pointer, Record, RecordInfo, strip


class MappedTypes:
    """The types that have a mapper, with those that contain them or lead to them."""

    def __init__(self, mappers: Iterable[DeclaredMapper]) -> None:
        self._mapped = {m.type.info for m in mappers if isinstance(m.type, Record)}
        self._known: dict[RecordInfo, bool] = {}

    def has(self, symbol: Symbol) -> bool:
        """Whether a variable has such a type."""
        if not self._mapped:
            return False
        record = _record(symbol.type)
        if record is None:
            return False
        if record not in self._known:
            self._known[record] = self._leads_to_mapped(record)
        return self._known[record]

    def _leads_to_mapped(self, record: RecordInfo) -> bool:
        seen = {record}
        stack = [record]
        while stack:
            one = stack.pop()
            if one in self._mapped:
                return True
            inner = {found for member in one.fields if (found := _record(member.type)) is not None} - seen
            seen |= inner
            stack += inner
        return False


def _record(kind: CType) -> RecordInfo | None:
    """The structure or union that a type is, has as elements or leads to."""
    kind = strip(kind)
    while isinstance(kind, (Pointer, Array)):
        kind = strip(kind.to if isinstance(kind, Pointer) else kind.of)
    return kind.info if isinstance(kind, Record) else None
