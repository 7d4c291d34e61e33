"""Where an lvalue is: the variable with which it begins, and the steps from there. Subscripts are no steps.

``s.x[i]`` with a pointer ``x`` is the variable ``s`` with the path ``.x *``; ``p->n`` is ``p`` with ``* .n``.
"""

from __future__ import annotations

from collections.abc import Container

from pycparser import c_ast

from ...base.records import dataclass, field, replace
from ...directives.model import Locator, Member
from ...plan.code import Entity
from ..sema import Sema, Symbol, type_questions
from ..sema.conversions import decay
from ..sema.ctype import Array, CType, Pointer, Record, strip
from ..syntax.nodes import OmpConstruct

Path = tuple[str, ...]
DEREFERENCE = "*"


@dataclass(frozen=True)
class Root:
    """A variable and the path from it to some storage. It is ``shifted`` if the path may begin behind a pointer's own
    element, as for ``p + i``. It is behind ``one_of`` several pointers in an array if it is not known which of them."""

    symbol: Symbol
    path: Path = ()
    shifted: bool = False
    one_of: bool = field(default=False, compare=False)

    def then(self, *steps: str) -> Root:
        return Root(self.symbol, (*self.path, *steps), self.shifted, self.one_of)


class Places:
    """Where the lvalues of a unit are. Each expression is looked at once, because those around it ask for it again."""

    def __init__(self, sema: Sema) -> None:
        self._sema = sema
        self._variables: dict[Symbol, Root] = {}
        self._roots: dict[c_ast.Node, Root | None] = {}
        self._targets: dict[c_ast.Node, Root | None] = {}

    def root(self, node: c_ast.Node | None) -> Root | None:
        """Where an lvalue is, or None if it does not begin with a variable."""
        if node is None:
            return None
        if node not in self._roots:
            self._roots[node] = self._find_root(node)
        return self._roots[node]

    def _variable(self, symbol: Symbol | None) -> Root | None:
        if symbol is None or not symbol.is_variable:
            return None
        if symbol not in self._variables:
            self._variables[symbol] = Root(symbol)
        return self._variables[symbol]

    def target(self, node: c_ast.Node | None) -> Root | None:
        """Where a pointer's value, or an array, leads."""
        if node is None:
            return None
        if node not in self._targets:
            self._targets[node] = self._find_target(node)
        return self._targets[node]

    def _find_root(self, node: c_ast.Node) -> Root | None:
        match node:
            case c_ast.ID():
                return self._variable(self._sema.symbol(node))
            case c_ast.ArrayRef():
                is_base = isinstance(strip(self._sema.type(node.name)), (Pointer, Array))
                return self._followed(node.name if is_base else node.subscript)
            case c_ast.UnaryOp(op="*"):
                return self._followed(node.expr)
            case c_ast.StructRef(type="."):
                return self._member(self.root(node.name), node, self._sema.type(node.name))
            case c_ast.StructRef():
                pointer = decay(self._sema.type(node.name))
                return self._member(self.target(node.name), node, pointer.to) if isinstance(pointer, Pointer) else None
        return None

    def _member(self, around: Root | None, node: c_ast.StructRef, kind: CType) -> Root | None:
        if around is None or is_its_array(kind):
            return around
        return around.then(f".{node.field.name}")

    def _followed(self, node: c_ast.Node) -> Root | None:
        """Where an element of an array is, or of what a pointer leads to. Subscripts are no steps."""
        return self.root(node) if isinstance(strip(self._sema.type(node)), Array) else self.target(node)

    def _find_target(self, node: c_ast.Node) -> Root | None:
        if isinstance(strip(self._sema.type(node)), Array):
            array = self.root(node)
            is_row = array is not None and isinstance(node, (c_ast.ArrayRef, c_ast.UnaryOp))
            return replace(array, shifted=True) if array is not None and is_row else array
        if not isinstance(strip(self._sema.value_type(node)), Pointer):
            return None
        match node:
            case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*"):
                pointer = self.root(node)
                found = pointer.then(DEREFERENCE) if pointer is not None else None
                return replace(found, one_of=True) if found is not None and is_in_element(node) else found
            case c_ast.UnaryOp(op="&"):
                found = self.root(node.expr)
                inside = not isinstance(node.expr, c_ast.ID)
                return replace(found, shifted=True) if found is not None and inside else found
            case c_ast.BinaryOp(op="+" | "-"):
                is_left = isinstance(strip(self._sema.value_type(node.left)), Pointer)
                found = self.target(node.left if is_left else node.right)
                return replace(found, shifted=True) if found is not None else None
            case c_ast.Cast():
                return self.target(node.expr)
        return None


def is_its_array(kind: CType) -> bool:
    """Whether a structure has an array and nothing else, as ``std::array`` is in C. Both are the same storage."""
    record = strip(kind)
    fields = (record.info.fields or ()) if isinstance(record, Record) and record.info.kind == "struct" else ()
    return len(fields) == 1 and isinstance(strip(fields[0].type), Array)


def is_in_element(node: c_ast.Node) -> bool:
    """Whether an lvalue is an element of an array, or a member of one."""
    while isinstance(node, c_ast.StructRef) and node.type == ".":
        node = node.name
    return isinstance(node, c_ast.ArrayRef)


class _Pointer(Entity):
    """A pointer that is a member, in place of a variable."""

    def __init__(self, root: Root, kind: CType) -> None:
        self.name, self.type = root.symbol.name, kind


class MemberPointers:
    """The pointers that are members, by the way to them."""

    def __init__(self, sema: Sema) -> None:
        self._sema, self._places = sema, Places(sema)
        self._known: dict[tuple[Symbol, Path], Entity] = {}

    def unless(self, moved: Container[tuple[Symbol, Path]], node: c_ast.Node) -> Entity | None:
        """What stands for a pointer, or None if it is one of those that change or begins with no variable."""
        root = self._places.root(node)
        if root is None or root.shifted:
            return None
        if any((root.symbol, root.path[:length]) in moved for length in range(len(root.path) + 1)):
            return None
        key = (root.symbol, root.path)
        if key not in self._known:
            self._known[key] = _Pointer(root, self._sema.type(node))
        return self._known[key]


def item_root(sema: Sema, construct: OmpConstruct, item: Locator) -> Root | None:
    """Where the storage of a list item is."""
    symbol = sema.lookup(construct, item.name)
    if symbol is None or not symbol.is_variable:
        return None
    kind: CType = symbol.type
    path: list[str] = []
    is_element = one_of = False
    steps = item.steps
    if item.shape:  # the pointer's elements, in as many dimensions as there are lengths
        pointer = decay(kind)
        if not isinstance(pointer, Pointer):
            return None
        path.append(DEREFERENCE)
        kind, is_element, steps = pointer.to, True, steps[len(item.shape) :]
    for step in steps:
        pointer = decay(kind)
        follows = not isinstance(step, Member) or step.arrow
        one_of |= is_element and follows and isinstance(strip(kind), Pointer)
        is_element = not isinstance(step, Member) or (is_element and not step.arrow)
        if isinstance(step, Member):
            if step.arrow and isinstance(pointer, Pointer):
                path.append(DEREFERENCE) if isinstance(strip(kind), Pointer) else None
                kind = pointer.to
            found = type_questions.field(kind, step.name)
            if found is None:
                return None
            if not is_its_array(kind):
                path.append(f".{step.name}")
            kind = found.type
        else:
            if not isinstance(pointer, Pointer):
                return None
            if isinstance(strip(kind), Pointer):
                path.append(DEREFERENCE)
            kind = pointer.to
    return Root(symbol, tuple(path), one_of=one_of)
