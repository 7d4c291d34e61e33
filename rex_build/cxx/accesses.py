"""What a C++ function reads and writes, in the order of evaluation, as far as its text says it.

An access whose use is not understood, such as a reference to the variable, is *lent*: anything may happen to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..base.patterns import regex
from ..base.records import dataclass
from . import libclang
from .code import Variable
from .unit import Function, Unit

_COMMENT = regex(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_COMPARING = frozenset(("==", "!=", "<", ">", "<=", ">="))
_STEPPING = ("++", "--")
_HARMLESS = frozenset(("free", "printf", "fprintf"))  # library functions that keep no pointer


@dataclass(frozen=True)
class Branch:
    """A part of a statement, from ``low`` to ``high``, that runs under a condition or repeatedly.

    ``kind`` is ``if``, ``loop``, ``switch`` (as well for ``try``) or ``lambda``. The statement begins at ``start``.
    """

    kind: str
    start: int
    end: int
    low: int
    high: int
    condition: str = ""


@dataclass(frozen=True)
class Access:
    """One access. It is ``through`` a pointer, or to a ``member`` of an object. ``subscript`` is the text of the only
    one. ``order`` is where it happens: an assignment comes behind its value. ``value`` is what is assigned."""

    variable: Variable
    start: int
    end: int
    order: int
    through: bool
    member: str
    subscript: str | None
    reads: bool
    writes: bool
    lent: bool
    operator: str
    value: str
    branches: tuple[Branch, ...]


def accesses(unit: Unit, function: Function) -> list[Access]:
    """The accesses of a function to its variables and to those outside of it."""
    return sorted(_Reader(unit).read(function), key=lambda access: access.order)


_Path = tuple[tuple[Any, list[Any], int], ...]  # nodes with their children, and which of these leads on


class _Reader:
    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    def read(self, function: Function) -> Iterator[Access]:
        k = self._unit.kinds
        unread = (k.CXX_UNARY_EXPR, k.CXX_TYPEID_EXPR)  # such as sizeof
        stack: list[tuple[Any, _Path, tuple[Branch, ...]]] = [(function.cursor, (), ())]
        while stack:
            cursor, path, branches = stack.pop()
            if cursor.kind == k.DECL_REF_EXPR:
                target = cursor.referenced
                if target is not None and target.kind in (k.VAR_DECL, k.PARM_DECL):
                    yield self._access(cursor, self._unit.variable(target), path, branches)
            children = libclang.children(cursor)
            if not children or cursor.kind in unread:
                continue
            for number, child in enumerate(children):
                branch = self._branch(cursor, children, number)
                inside = (*branches, branch) if branch is not None else branches
                stack.append((child, (*path, (cursor, children, number)), inside))

    def _text(self, low: int, high: int) -> str:
        return _COMMENT.sub(" ", self._unit.text[low:high]).strip()

    def _operator(self, node: Any, children: list[Any]) -> str:
        """The operator of an expression, which stands between its operands, or on one side of the only one."""
        start, end = self._unit.extent(node)
        low, high = self._unit.extent(children[0])
        if len(children) > 1:
            return self._text(high, self._unit.extent(children[1])[0])
        return self._text(start, low) or self._text(high, end)

    def _branch(self, node: Any, children: list[Any], number: int) -> Branch | None:
        k = self._unit.kinds
        last = number == len(children) - 1
        if node.kind in (k.IF_STMT, k.CONDITIONAL_OPERATOR):
            kind = "if" if number > 0 else ""
        elif node.kind in (k.FOR_STMT, k.WHILE_STMT, k.CXX_FOR_RANGE_STMT):
            kind = "loop" if last else ""
        elif node.kind == k.DO_STMT:
            kind = "loop" if number == 0 else ""
        elif node.kind in (k.SWITCH_STMT, k.CXX_TRY_STMT):
            kind = "switch" if last or node.kind == k.CXX_TRY_STMT else ""
        elif node.kind == k.LAMBDA_EXPR:
            kind = "lambda"
        elif node.kind == k.BINARY_OPERATOR and number == 1:
            kind = "if" if self._operator(node, children) in ("&&", "||", "and", "or") else ""
        else:
            return None
        if not kind:
            return None
        low, high = self._unit.extent(children[number])
        condition = self._text(*self._unit.extent(children[0])) if kind == "if" else ""
        return Branch(kind, *self._unit.extent(node), low, high, condition)

    def _access(self, cursor: Any, variable: Variable, path: _Path, branches: tuple[Branch, ...]) -> Access:
        unit, k = self._unit, self._unit.kinds
        node, place, cast = cursor, cursor, False
        through, member, subscripts = False, "", []
        at = len(path) - 1
        while at >= 0:
            parent, children, number = path[at]
            start = unit.extent(place)[1]
            if parent.kind == k.PAREN_EXPR:
                pass
            elif parent.kind == k.UNEXPOSED_EXPR and len(children) == 1:
                cast = True
            elif parent.kind == k.ARRAY_SUBSCRIPT_EXPR and number == 0:
                through = through or variable.type.kind == "pointer"
                subscripts.append(self._text(*unit.extent(children[1])))
                place, cast = parent, False
            elif parent.kind == k.MEMBER_REF_EXPR and unit._is_field(parent):
                through = through or "->" in unit.text[start : unit.extent(parent)[1]]
                member = member or parent.spelling
                place, cast = parent, False
            elif parent.kind == k.UNARY_OPERATOR and self._operator(parent, children) == "*":
                through, place, cast = True, parent, False
                subscripts.append("0")
            else:
                break
            node = parent
            at -= 1
        start, end = unit.extent(place)
        reads, writes, lent, operator, value, order = self._use(place, path[: at + 1], cast)
        subscript = subscripts[0] if len(subscripts) == 1 and not member else None
        if node is not place and not (reads or writes):
            lent = True
        return Access(
            variable, start, end, order or start, through, member, subscript, reads, writes, lent, operator, value,
            branches,
        )  # fmt: skip

    def _use(self, place: Any, path: _Path, cast: bool) -> tuple[bool, bool, bool, str, str, int]:
        """(it is read, it is written, it is lent, the operator, what is assigned, where it happens or 0)"""
        unit, k = self._unit, self._unit.kinds
        if not path:
            return False, False, True, "", "", 0
        parent, children, number = path[-1]
        operator = ""
        if parent.kind in (k.BINARY_OPERATOR, k.COMPOUND_ASSIGNMENT_OPERATOR, k.UNARY_OPERATOR):
            operator = self._operator(parent, children)
        if number == 0 and operator == "=":
            return False, True, False, "=", self._text(*unit.extent(children[1])), unit.extent(parent)[1]
        if number == 0 and (parent.kind == k.COMPOUND_ASSIGNMENT_OPERATOR or operator in _STEPPING):
            value = self._text(*unit.extent(children[1])) if len(children) > 1 else ""
            return True, True, False, operator, value, unit.extent(parent)[1]
        kind = unit.type_of(place.type).kind
        if not cast or kind not in ("scalar", "pointer"):
            return False, False, True, "", "", 0
        if kind == "scalar" or operator in _COMPARING or parent.kind == k.CXX_DELETE_EXPR:
            return True, False, False, "", "", 0
        harmless = parent.kind == k.CALL_EXPR and parent.spelling in _HARMLESS
        return True, False, not harmless, "", "", 0  # the pointer's value goes elsewhere
