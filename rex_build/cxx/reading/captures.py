"""What a closure holds. libclang shows its members without names, but says where each is captured: in the list or,
without an entry there, where the body first needs it."""

from __future__ import annotations

from typing import Any

from ...base.records import dataclass
from ...tree.arithmetic import NotReadError
from .. import libclang
from . import clang


@dataclass(frozen=True)
class Captured:
    """A member of a closure, which libclang has as ``field``, and the ``variable`` that it holds: None for the object
    of the method around. A variable that the list declares has a ``value``."""

    field: Any
    variable: Any
    value: Any
    is_listed: bool

    @property
    def name(self) -> str:
        if self.variable is not None:
            return str(self.variable.spelling)
        return "this" if self.field.type.kind.name == "POINTER" else "*this"


def captures(closure: Any) -> list[Captured]:
    """What a lambda expression captures, in the order of the closure's members. Raises NotReadError."""
    fields = list(closure.type.get_declaration().type.get_fields())
    named: dict[int, dict[int, Any]] = {}  # by place: the variables that are named there, by hash
    for node in libclang.descendants(closure) if fields else ():
        target = node.referenced if node.kind.name in ("DECL_REF_EXPR", "VARIABLE_REF") else None
        if target is not None and target.kind.name in ("VAR_DECL", "PARM_DECL", "UNEXPOSED_DECL"):
            named.setdefault(libclang.offset_of(node.location), {}).setdefault(target.canonical.hash, target)
    low = libclang.offset_of(closure.extent.start)
    body = next(c for c in libclang.children(closure) if c.kind.name == "COMPOUND_STMT")
    high, head = libclang.offset_of(closure.extent.end), libclang.offset_of(body.extent.start)
    found = []
    for field in fields:
        place = libclang.offset_of(field.location)
        there, is_listed = list(named.get(place, {}).values()), place < head
        if len(there) > 1 and not is_listed:  # a list of parameters, whose order is not known
            raise NotReadError("a closure whose members are not understood")
        variable = there[0] if there else None
        if variable is None:
            kind = field.type.get_canonical()
            kind = kind.get_pointee() if kind.kind.name == "POINTER" else kind
            if kind.kind.name != "RECORD":
                raise NotReadError("a closure whose members are not understood")
        elif is_listed and len(there) > 1:
            del named[place][variable.canonical.hash]  # the next member holds the next one
        value = None
        if variable is not None and low <= libclang.offset_of(variable.location) < high:
            value = clang.initialiser(variable)
        found.append(Captured(field, variable, value, is_listed))
    return found
