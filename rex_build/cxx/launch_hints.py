"""Members and elements in a loop's head that the host may read, to shape a grid.

The device reads its own copy of ``mesh.n``, ``p->n`` or ``sizes[2]``, so the host's value is a hint: it bounds nothing.
The host reads only what is surely there (as in c/analysis/host_bounds.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.patterns import regex
from ..base.records import dataclass
from ..directives.model import ListClause
from ..plan.captures import Capture, Transport
from .code import Variable
from .facts import RegionFacts
from .text_constructs import identifiers_in

_STEPS = regex(r"(?:\s*(?:\.|->)\s*[A-Za-z_]\w*|\s*\[[^\[\]]*\])*")
_STEP = regex(r"\s*(?:(\.|->)\s*([A-Za-z_]\w*)|\[([^\[\]]*)\])")
_RENAMING = ("use_device_ptr", "use_device_addr")


@dataclass(frozen=True)
class Read:
    """A member or an element that the host may read. It reads through ``pointers`` only if what they lead to is on
    the device, as a pointer of the host's."""

    hint: str
    pointers: tuple[str, ...] = ()


def steps_behind(text: str, end: int) -> str:
    """The members and elements that follow a name in an expression, for example ``->sizes[2]``."""
    match = _STEPS.match(text, end)
    assert match is not None
    return match[0]


class HostReads:
    """What of a region's variables, given by name in ``captures``, the host may read.

    A name is none of the host's variables where a construct around the region gives it a device address.
    """

    def __init__(self, facts: RegionFacts, captures: Mapping[str, Capture]) -> None:
        self._facts, self._captures = facts, captures
        self.fields = facts.unit.fields(facts.function)
        start = facts.construct.start
        self._renamed = {
            name
            for outer in facts.unit.constructs
            if outer.start < start < outer.end
            for clause in outer.directive.clauses
            if isinstance(clause, ListClause) and clause.name in _RENAMING
            for item in clause.items
            for _, name in identifiers_in(item.text)
        }

    def read(self, name: str, variable: Variable | None, steps: str) -> Read | None:
        """How the host reads what ``steps`` lead to, from a variable that it has, or from a member of the object
        whose method this is. None if it should not."""
        pointers: tuple[str, ...] = ()
        if variable is None:
            if name == "this" and (member := _STEP.match(steps)) is not None and member[1] == "->":
                name, steps = member[2], steps[member.end() :]
            if name not in self.fields:
                return None
            kind = self._object(self.fields[name].type)
        else:
            capture, unit = self._captures.get(variable.name), self._facts.unit
            host_has_it = variable in unit.on_device if capture is None else capture.reason != "has_device_addr"
            if not host_has_it or variable.name in self._renamed:
                return None
            kind, first = self._object(variable.cursor.type), _STEP.match(steps)
            if kind.kind == unit.types.POINTER and first is not None and first[1] != ".":
                if capture is None or capture.transport is not Transport.POINTER:
                    return None
                if first[3] is not None and not self._has_value(first[3]):
                    return None
                pointers = () if capture.reason == "mapped section" else (variable.host,)
                kind = self._object(kind.get_pointee())
                steps = f".{first[2]}{steps[first.end() :]}" if first[1] else steps[first.end() :]
        return Read(f"the device may have another '{name}'", pointers) if self._is_there(kind, steps) else None

    def _object(self, kind: Any) -> Any:
        types, kind = self._facts.unit.types, kind.get_canonical()
        reference = kind.kind in (types.LVALUEREFERENCE, types.RVALUEREFERENCE)
        return kind.get_pointee().get_canonical() if reference else kind

    def _is_there(self, kind: Any, steps: str) -> bool:
        """Whether ``steps`` lead from an object of the type ``kind`` to a value that is a part of it."""
        types = self._facts.unit.types
        for step in _STEP.finditer(steps):
            if step[3] is not None:
                if kind.kind != types.CONSTANTARRAY or not self._has_value(step[3]):
                    return False
                kind = self._object(kind.get_array_element_type())
            else:
                found = self._member(kind, step[2]) if step[1] == "." else None
                if found is None:
                    return False
                kind = self._object(found)
        return not kind.is_volatile_qualified() and kind.kind not in (types.RECORD, types.POINTER, types.CONSTANTARRAY)

    def _member(self, kind: Any, name: str) -> Any:
        """The type of a member of a class, or of its bases."""
        records = [kind.get_declaration()] if kind.kind == self._facts.unit.types.RECORD else []
        for record in records:
            members, bases = self._facts.unit.members_of(record)
            records += bases
            for member in members:
                if member.spelling == name:
                    return member.type
        return None

    def _has_value(self, index: str) -> bool:
        """Whether the host has the value that the device has of an index: of numbers, and of variables by value."""
        for at, name in identifiers_in(index):
            variable = self._facts.unit.lookup(self._facts.function, name, self._facts.construct.start)
            capture = self._captures.get(name)
            literal = capture is not None and capture.transport is Transport.LITERAL
            if variable is None or not (variable.constant or literal) or steps_behind(index, at + len(name)):
                return False
        return "(" not in index and "/" not in index and "%" not in index
