"""Keeps an element that an iteration writes first and then uses again in a variable, and writes it back at the end."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast, c_generator

from ....optimise.accesses import Access, Accesses, Members
from ....plan.code import Entity
from ....plan.loops import LoopNest
from ....plan.optimised import ScalarElement
from ...sema import Sema, Symbol, assignments, locals_of, walk
from ...sema.ctype import Record, Scalar, strip
from ...sema.type_questions import is_complex
from ..members import pointer_member

_printer = c_generator.CGenerator()
_INDEX_NODES = (c_ast.ID, c_ast.Constant, c_ast.BinaryOp, c_ast.Cast, c_ast.Typename)


def scalars(sema: Sema, found: Accesses, nest: LoopNest, members: Members) -> tuple[ScalarElement, ...]:
    """The elements ``a[e]`` (or members ``a[e].f``) for which the body uses ``a`` with no other subscript than ``e``.

    ``e`` consists of variables that the body does not change. The first access to each element must be a write that
    every iteration makes, outside of inner loops. Then the kernel makes no load and no store that the program does not
    make, and the value that another iteration left in the element does not matter. At least one use must be in an inner
    loop. ``a`` may be one of the ``members``, pointers in structures by value.
    """
    if any(isinstance(n, (c_ast.Continue, c_ast.Break)) for n in _direct(nest.body)):
        return ()
    changed = assignments(sema, nest.body)
    moving = {*changed.assigned, *changed.address_taken, *locals_of(sema, nest.body)}
    out: list[ScalarElement] = []
    for root in found.roots:
        mine = [a for a in found.items if a.root is root]
        if root in found.derived or any(a.atomic for a in mine) or not any(a.loops for a in mine):
            continue
        parts: dict[str, list[Access]] = {}
        subscripts = set()
        for access in mine:
            subscript = _subscript(sema, access, root, moving, members)
            if subscript is None:
                break
            subscripts.add(subscript)
            node = access.node
            parts.setdefault(node.field.name if isinstance(node, c_ast.StructRef) else "", []).append(access)
        else:
            whole_and_members = "" in parts and len(parts) > 1
            if len(subscripts) == 1 and not whole_and_members and all(map(_starts_with_write, parts.values())):
                for name, uses in parts.items():
                    kind = strip(sema.type(uses[0].node))
                    if not isinstance(kind, Scalar) or is_complex(kind):
                        break
                    out.append(ScalarElement(root, kind, uses[0].node, tuple(a.node for a in uses), name))
    return tuple(out)


def _starts_with_write(uses: list[Access]) -> bool:
    first = min(uses, key=lambda a: a.position)
    return first.writes and not first.reads and first.certain and not first.loops


def _subscript(sema: Sema, access: Access, root: Entity, moving: set[Symbol], members: Members) -> str | None:
    """The subscript of an access as text, or None if it is not of the form that :func:`scalars` requires."""
    node = access.node
    if isinstance(node, c_ast.StructRef):
        if node.type != ".":
            return None
        record = strip(sema.type(node.name))
        field = sema.member(node)
        plain = len(field) == 1 and field[0].bit_width is None
        if not (isinstance(record, Record) and record.info.kind == "struct" and plain):
            return None
        node = node.name
    if not isinstance(node, c_ast.ArrayRef):
        return None
    base = sema.symbol(node.name) if isinstance(node.name, c_ast.ID) else pointer_member(sema, members, node.name)
    if base is not root:
        return None
    for part in walk(node.subscript):
        if not isinstance(part, _INDEX_NODES):
            return None
        if isinstance(part, c_ast.ID) and (sema.symbol(part) is None or sema.symbol(part) in moving):
            return None
    return str(_printer.visit(node.subscript))


def _direct(body: c_ast.Node) -> Iterator[c_ast.Node]:
    """The statements that are in no loop or switch inside the body. A ``continue`` among them ends the iteration."""
    stack = [body]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (c_ast.For, c_ast.While, c_ast.DoWhile)):
            stack += [child for _, child in node.children()]
