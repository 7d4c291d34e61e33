"""What initialisers initialise (C11 6.7.9): types, designators and omitted braces."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pycparser import c_ast

from .ctype import Array, C, CType, Field, Record, sizeof, strip
from .literals import string_literal
from .symbols import Locate
from .type_questions import Layout, field_path, is_integer
from .types import TypeBuilder

Step = Field | int | range


class InitialiserTyper(TypeBuilder):
    """Types initialisers; the expressions in them are typed by the subclass."""

    _value: Callable[[c_ast.Node], CType]

    def __init__(self, ast: c_ast.FileAST, locate: Locate | None, layout: Layout) -> None:
        self._paths: dict[c_ast.Node, tuple[Step, ...]] = {}
        super().__init__(ast, locate, layout)

    def _initialise(self, t: CType, init: c_ast.Node) -> CType:
        """Type an initialiser of an object of type ``t``. Returns ``t``, in which an array gets the length it lacks."""
        if not isinstance(init, c_ast.InitList):
            value = self._expr(init)
            if isinstance(t, Array) and t.length is None and t.length_expr is None and isinstance(value, Array):
                return Array(t.of, value.length, align=t.align)
            return t
        items = init.exprs or []
        if isinstance(t, Array) and len(items) == 1 and _is_string_for(t, items[0]):
            self._paths[items[0]] = ()
            return self._initialise(t, items[0])
        if isinstance(t, Array | Record):
            return self._initialise_aggregate(t, items)
        for item in items:
            self._paths[item] = ()
            self._initialise(t, item)
        return t

    def _initialise_aggregate(self, t: Array | Record, items: Sequence[c_ast.Node]) -> CType:
        """Type a braced list with its designators and omitted inner braces (6.7.9p17-20)."""
        cursor = _Cursor(t)
        longest = 0
        for item in items:
            expr = item
            ranges: dict[int, int] = {}
            if isinstance(item, c_ast.NamedInitializer):
                ranges = self._designate(cursor, item)
                expr = item.expr
            target = cursor.type
            if target is None:  # there are more initialisers than elements: gcc warns of them and ignores them
                self._initialise(self._value(expr) if not isinstance(expr, c_ast.InitList) else C.INT, expr)
                continue
            if not isinstance(expr, c_ast.InitList):
                value = None
                while isinstance(target, Array | Record) and not _is_string_for(target, expr):
                    value = value or self._value(expr)
                    if strip(target) == value or not cursor.descend():
                        break
                    target = cursor.type
                    assert target is not None
            self._paths[item] = tuple(
                range(ranges[depth], step + 1) if depth in ranges and isinstance(step, int) else step
                for depth, step in enumerate(cursor.path)
            )
            self._initialise(target, expr)
            if isinstance(cursor.path[0], int):
                longest = max(longest, cursor.path[0] + 1)
            cursor.advance()
        if isinstance(t, Array) and t.length is None and t.length_expr is None:
            return Array(t.of, longest, align=t.align)
        return t

    def _designate(self, cursor: _Cursor, item: c_ast.NamedInitializer) -> dict[int, int]:
        """Move the cursor to the part that an item designates, and for GNU ranges (``[1 ... 3]``) to the last element.

        Returns the first elements of ranges, by depth in the cursor's path.
        """
        cursor.reset()
        ranges: dict[int, int] = {}
        for nth, designator in enumerate(item.name):
            if nth:
                cursor.descend()
            t = cursor.container
            if type(designator).__name__ == "ArrayDesignator" or not isinstance(t, Record):
                # pycparser 3.0 leaves the bare index expression.
                expr = designator.expr if type(designator).__name__ == "ArrayDesignator" else designator
                if isinstance(expr, c_ast.BinaryOp) and expr.op == "...":
                    low = self._constant(expr.left)
                    if low is None:
                        raise self.error(expr, "array designator does not fit here")
                    ranges[len(cursor.path) - 1] = low
                    expr = expr.right
                index = self._constant(expr)
                if index is None or not isinstance(t, Array):
                    raise self.error(expr, "array designator does not fit here")
                cursor.select(index)
                continue
            path = field_path(t, designator.name)
            if not path:
                raise self.error(designator, f"'{strip(t)}' has no member named '{designator.name}'")
            for depth, step in enumerate(path):
                if depth:
                    cursor.descend()
                cursor.select(step)
        return ranges


def _is_string_for(t: CType, expr: c_ast.Node) -> bool:
    """Whether ``expr`` is a string literal that initialises the whole character array ``t``."""
    if not isinstance(t, Array) or not isinstance(expr, c_ast.Constant) or expr.type != "string":
        return False
    return is_integer(t.of) and sizeof(t.of) == sizeof(string_literal(expr.value)[0])


class _Cursor:
    """The current object while a braced initialiser list is read, as a stack of containers and positions in them."""

    def __init__(self, top: Array | Record) -> None:
        self._top = top
        self._stack: list[tuple[Array | Record, int]] = [(top, 0)]

    @staticmethod
    def _members(t: Record) -> list[Field]:
        return [f for f in t.info.fields if f.name is not None or f.is_anonymous_record]

    @staticmethod
    def _subobject(t: Array | Record, place: int) -> tuple[Field | int, CType] | None:
        if isinstance(t, Array):
            return (place, t.of) if t.length is None or place < t.length else None
        members = _Cursor._members(t)
        return (members[place], members[place].type) if place < len(members) else None

    @property
    def container(self) -> Array | Record:
        return self._stack[-1][0]

    @property
    def type(self) -> CType | None:
        """The type of the current object, or None past the end."""
        found = self._subobject(*self._stack[-1])
        return found[1] if found else None

    @property
    def path(self) -> tuple[Field | int, ...]:
        """The members and indices from the top container to the current object."""
        return tuple(found[0] for entry in self._stack if (found := self._subobject(*entry)))

    def reset(self) -> None:
        self._stack = [(self._top, 0)]

    def select(self, step: Field | int) -> None:
        t = self.container
        place = step if isinstance(step, int) else self._members(t).index(step) if isinstance(t, Record) else 0
        self._stack[-1] = (t, place)

    def descend(self) -> bool:
        """Make the first part of the current object the current one. Returns False if it has no parts."""
        t = self.type
        if not isinstance(t, Array | Record) or self._subobject(t, 0) is None:
            return False
        self._stack.append((t, 0))
        return True

    def advance(self) -> None:
        """Step over the current object, and out of containers that are full. A union is full after one member."""
        while True:
            t, place = self._stack.pop()
            is_union = isinstance(t, Record) and t.info.kind == "union"
            self._stack.append((t, len(self._members(t)) if is_union and isinstance(t, Record) else place + 1))
            if len(self._stack) == 1 or self.type is not None:
                return
            self._stack.pop()
