"""Members that are references. Those of an object of the host lead to the host's storage on a device, too, and nothing
says where their data is there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..base.diagnostics import error_at
from ..openmp.requirements import shares_memory
from ..plan.captures import Capture
from . import libclang
from .code import Variable
from .facts import RegionFacts
from .functions import Function
from .unit import Unit

_REMEDY = "let a variable of the function refer to it, and map that"


def check_reference_members(facts: RegionFacts, captures: Sequence[Capture]) -> None:
    """Refuse uses of reference members of objects that a region gets from the host. Raises InputError."""
    unit, body = facts.unit, facts.body
    if shares_memory(unit.requirements):
        return
    members: set[int] = set()
    for capture in captures:
        if isinstance(capture.symbol, Variable) and capture.reason not in ("is_device_ptr", "has_device_addr"):
            members |= _references_of(unit, _record_of(facts, capture.symbol))
    if not members:
        return
    for use, root in _uses(unit, facts.function, members, body.start, body.end):
        if root is None or not body.start <= unit.place(root.location) < body.end:
            what = f"'{use.spelling}' is a reference member, which leads to the host's storage in a region"
            raise error_at(unit.span(unit.place(use.extent.start)), what, _REMEDY)
    for function in _called(facts):
        if function.cursor.kind == unit.kinds.CONSTRUCTOR:
            continue
        for use, root in _uses(unit, function, members, function.body, function.end):
            if root is None or root.kind == unit.kinds.PARM_DECL:
                what = f"'{function.name}', which runs on the device, uses the reference member '{use.spelling}'"
                what += " of an object of the host, which leads to the host's storage"
                raise error_at(unit.span(unit.place(use.extent.start)), what, _REMEDY)


def _record_of(facts: RegionFacts, variable: Variable) -> Any:
    """The class of a variable, of its elements or of what it points to, or None."""
    if variable.name == "this":
        return facts.function.cursor.semantic_parent if facts.function.is_member else None
    kind = libclang.behind(variable.cursor.type) if variable.cursor is not None else None
    return kind.get_declaration() if kind is not None and kind.kind == facts.unit.types.RECORD else None


def _references_of(unit: Unit, record: Any) -> set[int]:
    """Where the reference members of a class, its bases and its members are declared."""
    references = (unit.types.LVALUEREFERENCE, unit.types.RVALUEREFERENCE)
    fields = (field for one in unit.classes_in(record) if libclang.is_users(one) for field in unit.members_of(one)[0])
    return {unit.place(f.location) for f in fields if libclang.innermost(f.type).kind in references}


def _uses(unit: Unit, function: Function, members: set[int], start: int, end: int) -> Iterator[tuple[Any, Any]]:
    """(the mention of one of the members in a stretch, the variable whose part it is, or None)"""
    k = unit.kinds
    stack = [function.cursor]
    while stack:
        cursor = stack.pop()
        stack += libclang.children(cursor)
        if cursor.kind != k.MEMBER_REF_EXPR or not start <= unit.place(cursor.extent.start) < end:
            continue
        field = cursor.referenced
        if field is None or field.kind != k.FIELD_DECL or unit.place(field.location) not in members:
            continue
        root = cursor
        while root is not None and root.kind != k.DECL_REF_EXPR:
            root = next(iter(libclang.children(root)), None)
        yield cursor, root.referenced if root is not None else None


def _called(facts: RegionFacts) -> Iterable[Function]:
    """The user's functions that the region calls, those that these call, and so on."""
    unit, body = facts.unit, facts.body
    reached = {function.start: function for function in unit.reached}
    found: dict[int, Function] = {}
    queue = [(facts.function, body.start, body.end)]
    while queue:
        function, start, end = queue.pop()
        for place, target in (*function.mentions.calls, *function.mentions.overloads):
            called = unit.defined(target) if start <= place < end else None
            if called is not None and called.start in reached and called.start not in found:
                found[called.start] = called
                queue.append((called, called.start, called.end))
    return found.values()
