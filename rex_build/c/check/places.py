"""Where an lvalue is: the variable with which it begins, and the steps from there. Subscripts are no steps.

``s.x[i]`` with a pointer ``x`` is the variable ``s`` with the path ``.x *``; ``p->n`` is ``p`` with ``* .n``.
"""

from __future__ import annotations

from pycparser import c_ast

from ...base.records import dataclass
from ...directives.model import Locator, Member
from ..sema import Sema, Symbol
from ..sema.conversions import decay
from ..sema.ctype import Array, CType, Pointer, strip
from ..sema.type_questions import field
from ..syntax.nodes import OmpConstruct

Path = tuple[str, ...]
DEREFERENCE = "*"


@dataclass(frozen=True)
class Root:
    """A variable and the path from it to some storage. It is ``shifted`` if the path may begin behind a pointer's own
    element, as for ``p + i``."""

    symbol: Symbol
    path: Path = ()
    shifted: bool = False

    def then(self, *steps: str) -> Root:
        return Root(self.symbol, (*self.path, *steps), self.shifted)


def root_of(sema: Sema, node: c_ast.Node | None) -> Root | None:
    """Where an lvalue is, or None if it does not begin with a variable."""
    match node:
        case c_ast.ID():
            symbol = sema.symbol(node)
            return Root(symbol) if symbol is not None and symbol.is_variable else None
        case c_ast.ArrayRef():
            is_base = isinstance(strip(sema.type(node.name)), (Pointer, Array))
            return target_of(sema, node.name if is_base else node.subscript)
        case c_ast.UnaryOp(op="*"):
            return target_of(sema, node.expr)
        case c_ast.StructRef(type="."):
            around = root_of(sema, node.name)
            return around.then(f".{node.field.name}") if around is not None else None
        case c_ast.StructRef():
            around = target_of(sema, node.name)
            return around.then(f".{node.field.name}") if around is not None else None
    return None


def target_of(sema: Sema, node: c_ast.Node | None) -> Root | None:
    """Where a pointer's value, or an array, leads."""
    if node is None:
        return None
    if isinstance(strip(sema.type(node)), Array):
        return root_of(sema, node)
    if not isinstance(strip(sema.value_type(node)), Pointer):
        return None
    match node:
        case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*"):
            pointer = root_of(sema, node)
            return pointer.then(DEREFERENCE) if pointer is not None else None
        case c_ast.UnaryOp(op="&"):
            found = root_of(sema, node.expr)
            inside = not isinstance(node.expr, c_ast.ID)
            return Root(found.symbol, found.path, True) if found is not None and inside else found
        case c_ast.BinaryOp(op="+" | "-"):
            is_left = isinstance(strip(sema.value_type(node.left)), Pointer)
            found = target_of(sema, node.left if is_left else node.right)
            return Root(found.symbol, found.path, True) if found is not None else None
        case c_ast.Cast():
            return target_of(sema, node.expr)
    return None


def item_root(sema: Sema, construct: OmpConstruct, item: Locator) -> Root | None:
    """Where the storage of a list item is."""
    symbol = sema.lookup(construct, item.name)
    if symbol is None or not symbol.is_variable:
        return None
    kind: CType = symbol.type
    path: list[str] = []
    for step in item.steps:
        pointer = decay(kind)
        if isinstance(step, Member):
            if step.arrow and isinstance(pointer, Pointer):
                path.append(DEREFERENCE) if isinstance(strip(kind), Pointer) else None
                kind = pointer.to
            found = field(kind, step.name)
            if found is None:
                return None
            path.append(f".{step.name}")
            kind = found.type
        else:
            if not isinstance(pointer, Pointer):
                return None
            if isinstance(strip(kind), Pointer):
                path.append(DEREFERENCE)
            kind = pointer.to
    return Root(symbol, tuple(path))
