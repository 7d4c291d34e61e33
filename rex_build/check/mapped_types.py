"""The types of which mappers say what is mapped with their objects: that is not in the directives, and not followed."""

from __future__ import annotations

from collections.abc import Callable

from ..tree.symbols import Variable
from ..tree.types import Array, Pointer, Record, RecordInfo, Type


class MappedTypes:
    """The types that have a mapper, with those that contain them or lead to them."""

    def __init__(self, is_mapped: Callable[[RecordInfo], bool] | None) -> None:
        """``is_mapped`` says whether a type has a mapper, and is None if the unit has no mappers."""
        self._is_mapped = is_mapped
        self._known: dict[RecordInfo, bool] = {}

    def __bool__(self) -> bool:
        return self._is_mapped is not None

    def has(self, variable: Variable) -> bool:
        """Whether a variable has such a type."""
        if self._is_mapped is None:
            return False
        record = _record(variable.type)
        if record is None:
            return False
        if record not in self._known:
            self._known[record] = self._leads_to_mapped(record)
        return self._known[record]

    def _leads_to_mapped(self, record: RecordInfo) -> bool:
        assert self._is_mapped is not None
        seen = {record}
        stack = [record]
        while stack:
            one = stack.pop()
            if self._is_mapped(one):
                return True
            inner = {found for member in one.members if (found := _record(member.type)) is not None} - seen
            seen |= inner
            stack += inner
        return False


def _record(kind: Type) -> RecordInfo | None:
    """The structure or union that a type is, has as elements or leads to."""
    while isinstance(kind, Pointer | Array):
        kind = kind.to if isinstance(kind, Pointer) else kind.of
    return kind.info if isinstance(kind, Record) else None
