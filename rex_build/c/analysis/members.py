"""Pointers in structures that reach a kernel by value (``openmp/by_value.py``), in C's tree."""

from __future__ import annotations

from pycparser import c_ast

from ...openmp.by_value import Path
from ...optimise.accesses import Members
from ...plan.code import Entity
from ...plan.host_expression import HostExpression, Variable
from ...plan.host_expression import Member as HostMember
from ..sema import Sema, Symbol
from ..sema.ctype import CType, Record, strip


def member_type(kind: CType, path: Path) -> CType:
    """The type of a member of a structure."""
    for name in path:
        record = strip(kind)
        assert isinstance(record, Record)
        kind = next(field.type for field in record.info.fields if field.name == name)
    return strip(kind)


def host_member(symbol: Symbol, path: Path) -> HostExpression:
    """The member of a variable on the host."""
    found: HostExpression = Variable(symbol.name)
    for name in path:
        found = HostMember(found, name)
    return found


def path_of(sema: Sema, node: c_ast.Node) -> tuple[Symbol, Path] | None:
    """The variable and the members that ``s.a.b`` names, or None for other expressions."""
    if isinstance(node, c_ast.ID):
        symbol = sema.symbol(node)
        return (symbol, ()) if symbol is not None else None
    if isinstance(node, c_ast.StructRef) and node.type == ".":
        around = path_of(sema, node.name)
        return (around[0], (*around[1], node.field.name)) if around is not None else None
    return None


def pointer_member(sema: Sema, members: Members, node: c_ast.Node) -> Entity | None:
    """The variable that stands for a pointer in a structure by value, or None for other expressions."""
    found = path_of(sema, node) if members and isinstance(node, c_ast.StructRef) else None
    return members.get(found) if found is not None else None
