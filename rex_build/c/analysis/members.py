"""Structures that reach a kernel by value: in words of 8 bytes, and in a parameter for each pointer in them.

A pointer that is a member gets a variable of its own in the plan. So a section behind it is mapped like one behind any
pointer, and the optimiser tells the memory behind two members apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pycparser import c_ast

from ...base.records import dataclass
from ...plan.code import Entity
from ...plan.host_expression import HostExpression, Variable
from ...plan.host_expression import Member as HostMember
from ..sema import Sema, Symbol
from ..sema.ctype import CType, Field, Function, LayoutError, Pointer, Record, Scalar, sizeof, strip

WORD = 8  # bytes; the runtime's own unit
# More words make the host's rows, and their cost at each launch, grow. Mapping costs an allocation and two copies. The
# limit below is an estimate of where the two meet; nobody has measured the cost of a word.
MOST_WORDS = 64

Path = tuple[str, ...]
Members = Mapping[tuple[Entity, Path], Symbol]  # pointers in structures, each with its variable


@dataclass(frozen=True)
class Layout:
    """The parts of a structure: its size in bytes, the pointers by their paths, and the offsets of other words."""

    size: int
    pointers: Mapping[Path, Field]
    words: tuple[int, ...]


def layout_of(kind: CType) -> Layout | None:
    """The parts of a structure that a kernel can put together, or None.

    It has no arrays, because a thread could index its copy of them only in slow local memory. Unions and bit-fields do
    not say what is where, and a const member cannot be set afterwards.
    """
    record = strip(kind)
    if not isinstance(record, Record) or {"volatile", "_Atomic"} & set(kind.quals):
        return None
    try:
        size = sizeof(record)
        pointers = dict(_pointers(record, (), 0))
    except (LayoutError, _UnsuitableError):
        return None
    apart = {field.offset for field in pointers.values()}
    names = {"_".join(path) for path in pointers}
    words = tuple(at for at in range(0, size, WORD) if at not in apart)
    if not 0 < size <= WORD * MOST_WORDS or any(at % WORD for at in apart) or len(names) < len(pointers):
        return None
    return Layout(size, pointers, words)


class _UnsuitableError(Exception):
    """A structure has members of another kind."""


def _pointers(record: Record, path: Path, base: int) -> Iterator[tuple[Path, Field]]:
    """The pointers to objects in a structure, with their offsets from its start."""
    if record.info.kind != "struct" or not record.info.is_complete:
        raise _UnsuitableError
    for field in record.info.fields:
        kind = strip(field.type)
        if field.name is None or field.bit_width is not None or field.type.quals:
            raise _UnsuitableError
        here = (*path, field.name)
        if isinstance(kind, Record):
            yield from _pointers(kind, here, base + field.offset)
        elif isinstance(kind, Pointer):
            if not isinstance(strip(kind.to), Function):
                yield here, Field(field.name, field.type, base + field.offset, None, 0, field.node)
        elif not isinstance(kind, Scalar) or "Complex" in str(kind):
            raise _UnsuitableError


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


def pointer_member(sema: Sema, members: Members, node: c_ast.Node) -> Symbol | None:
    """The variable that stands for a pointer in a structure by value, or None for other expressions."""
    found = path_of(sema, node) if members and isinstance(node, c_ast.StructRef) else None
    return members.get(found) if found is not None else None
