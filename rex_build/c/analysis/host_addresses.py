"""Uses of host memory on the device that can be proved wrong."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...directives.contents import clause_locators
from ...directives.model import Member
from ..sema import Sema, StorageClass, Symbol, assignments
from ..sema.type_questions import is_array, is_pointer, is_record
from ..syntax.nodes import ParsedUnit
from .nesting import constructs_in

_ALLOCATORS = frozenset(("malloc", "calloc", "realloc", "aligned_alloc"))


def check_unmapped_members(
    unit: ParsedUnit, sema: Sema, function: c_ast.FuncDef, body: c_ast.Node, *, has_mappers: bool
) -> None:
    """Raise InputError if a region follows a pointer member that provably holds a host address.

    Mapping a structure copies the addresses in it. This is provably wrong if the structure is local, its address stays
    in the function, its member only ever gets addresses of host storage, and no clause maps the member.
    """
    parts = sema.parts(body)
    for node in parts.of(c_ast.ArrayRef, c_ast.UnaryOp) if parts.of(c_ast.StructRef) else ():
        base = node.name if isinstance(node, c_ast.ArrayRef) else node.expr if isinstance(node, c_ast.UnaryOp) else None
        if base is None or (isinstance(node, c_ast.UnaryOp) and node.op != "*"):
            continue
        if not isinstance(base, c_ast.StructRef) or base.type != "." or not isinstance(base.name, c_ast.ID):
            continue
        symbol = sema.symbol(base.name)
        if symbol is None or not symbol.is_object or symbol.is_global or symbol.storage is not StorageClass.AUTO:
            continue
        if not is_record(symbol.type) or not is_pointer(sema.type(base)) or _is_inside(sema, symbol, body):
            continue
        member = base.field.name
        if (
            has_mappers
            or _may_be_mapped(sema, function, symbol, member)
            or symbol in assignments(sema, function.body).address_taken
        ):
            continue
        values = list(_values_given(sema, function, symbol, member))
        if values and all(_is_host_address(sema, v) for v in values):
            raise error_at(
                unit.span_of(base.name),
                f"'{symbol.name}.{member}' points to host memory that no clause maps",
                f"map what it points to, for example map(tofrom: {symbol.name}.{member}[0:n])",
            )


def _is_inside(sema: Sema, symbol: Symbol, body: c_ast.Node) -> bool:
    return symbol.node in sema.parts(body).of(c_ast.Decl)


def _may_be_mapped(sema: Sema, function: c_ast.FuncDef, symbol: Symbol, member: str) -> bool:
    """Whether a clause in the function names the member, or something that could put another pointer into it."""
    for node in constructs_in(sema, function.body):
        for clause in node.directive.clauses:
            for item in clause_locators(clause):
                if sema.lookup(node, item.name) is symbol and any(
                    isinstance(s, Member) and s.name == member for s in item.steps
                ):
                    return True
            if getattr(clause, "mapper", None) is not None:
                return True
    return False


def _values_given(sema: Sema, function: c_ast.FuncDef, symbol: Symbol, member: str) -> Iterator[c_ast.Node | None]:
    """The values that the function stores in the member, and None for a value that is not known."""
    for node in sema.parts(function.body).of(c_ast.Decl, c_ast.Assignment):
        if node is symbol.node and isinstance(node, c_ast.Decl) and node.init is not None:
            if not isinstance(node.init, c_ast.InitList):
                yield None
                continue
            for item in node.init.exprs:
                path = sema.initialiser_path(item)
                field = path[0] if path else None
                if getattr(field, "name", None) == member:
                    yield item.expr if isinstance(item, c_ast.NamedInitializer) else item
        elif isinstance(node, c_ast.Assignment):
            target = node.lvalue
            if isinstance(target, c_ast.ID) and sema.symbol(target) is symbol:
                yield None
            elif (
                isinstance(target, c_ast.StructRef)
                and isinstance(target.name, c_ast.ID)
                and sema.symbol(target.name) is symbol
                and target.field.name == member
            ):
                yield node.rvalue


def _is_host_address(sema: Sema, value: c_ast.Node | None) -> bool:
    while isinstance(value, c_ast.Cast):
        value = value.expr
    if isinstance(value, c_ast.UnaryOp) and value.op == "&":
        return isinstance(value.expr, c_ast.ID)
    if isinstance(value, c_ast.FuncCall):
        return isinstance(value.name, c_ast.ID) and value.name.name in _ALLOCATORS
    if isinstance(value, c_ast.ID):
        symbol = sema.symbol(value)
        return symbol is not None and is_array(symbol.type)
    return False
