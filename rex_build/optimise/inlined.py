"""Places in called functions in terms of the caller's variables: what ``v(i, j)`` leads to, where that is
``p[i * m + j]`` for the view ``v``.

Only what cannot differ is put in: parameters and variables that nothing changes, and the one value that a function
returns.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from ..base.records import replace
from ..tree import nodes as tree
from ..tree.symbols import Variable
from ..tree.types import Pointer, Record
from .changes import changes_of

_OPERANDS: Mapping[type, tuple[str, ...]] = {
    tree.Convert: ("value",), tree.Unary: ("operand",), tree.Offset: ("pointer", "index"),
    tree.Binary: ("left", "right"), tree.Conditional: ("condition", "then", "otherwise"),
}  # fmt: skip


class Definition:
    """What calls of a function that the unit defines are looked into for."""

    def __init__(self, body: tree.Body) -> None:
        self.parameters, self._statement = body.parameters, body.statement

    @cached_property
    def values(self) -> Mapping[Variable, tree.Expression]:
        """The values of variables that nothing but their declaration changes."""
        declared = tree.parts(self._statement, tree.Declare)
        return {d.variable: d.initialiser for d in declared if d.initialiser is not None}

    @cached_property
    def changed(self) -> Mapping[Variable, tree.Node]:
        """The variables that may change after their lives begin."""
        return changes_of(self._statement).variables

    @cached_property
    def result(self) -> tree.Expression | None:
        """The value of a function that returns at one place."""
        found = tree.parts(self._statement, tree.Return)
        return found[0].value if len(found) == 1 else None


class Frame:
    """A call of a function in a body, or the body itself, which has no ``definition``. ``inner`` are calls in it."""

    def __init__(self, outer: Frame | None, definition: Definition | None, call: tree.Call | None) -> None:
        self.caller, self.definition = outer, definition
        self.inner: dict[tree.Call, Frame] = {}
        self.given: dict[Variable, tree.Expression] = {}
        self._seen: dict[tree.Place, tree.Place] = {}  # what was asked for, as parts are asked for again
        self._values: dict[tree.Expression, tree.Expression] = {}
        if definition is not None and call is not None:
            self.given = dict(zip(definition.parameters[call.constructs :], call.arguments, strict=False))

    def seen(self, place: tree.Place) -> tree.Place | None:
        """A place in the function in terms of the body's variables, or None if that is not known."""
        found = self._seen.get(place) or self._place(place) or (place if self.definition is None else None)
        if found is not None:
            self._seen[place] = found
        return found

    def value(self, node: tree.Expression) -> tree.Expression | None:
        """A value that the function computes in terms of the body's variables. What is not known stays in the body."""
        found = self._values.get(node) or self._value(node) or (node if self.definition is None else None)
        if found is not None:
            self._values[node] = found
        return found

    def _place(self, place: tree.Place) -> tree.Place | None:
        match place:
            case tree.Pointee():
                pointer = as_it_was(self.value(place.pointer))
                if isinstance(pointer, tree.AddressOf):
                    return pointer.place
                return place if pointer is place.pointer else replace(place, pointer=pointer) if pointer else None
            case tree.Part():
                whole = self.seen(place.whole)
                return place if whole is place.whole else replace(place, whole=whole) if whole else None
        return None

    def _value(self, node: tree.Expression) -> tree.Expression | None:
        match node:
            case tree.Constant():
                return node
            case tree.Load(place=tree.Named(variable=variable)) if self.definition is not None:
                return self._variable(variable)
            case tree.Call():
                inner = self.inner.get(node) if not node.constructs else None
                result = inner.definition.result if inner is not None and inner.definition is not None else None
                return inner.value(result) if inner is not None and result is not None else None
            case tree.Load() | tree.AddressOf():
                place = self.seen(node.place)
                return node if place is node.place else replace(node, place=place) if place else None
            case tree.Decay():
                array = self.seen(node.array)
                return node if array is node.array else replace(node, array=array) if array else None
            case tree.Convert() | tree.Unary() | tree.Offset() | tree.Binary() | tree.Conditional():
                return self._with_known(node)
        return None

    def _with_known(
        self, node: tree.Convert | tree.Unary | tree.Offset | tree.Binary | tree.Conditional
    ) -> tree.Expression | None:
        """An expression of what its operands are in terms of the body's variables. It stays itself if they do."""
        names = _OPERANDS[type(node)]
        known: dict[str, Any] = {name: self.value(getattr(node, name)) for name in names}
        if None in known.values():
            return None
        return node if all(known[name] is getattr(node, name) for name in names) else replace(node, **known)

    def _variable(self, variable: Variable) -> tree.Expression | None:
        definition, caller = self.definition, self.caller
        if definition is None or caller is None or variable in definition.changed:
            return None
        if variable in self.given:
            return caller.value(self.given[variable])
        value = definition.values.get(variable)
        return self.value(value) if value is not None else None


def as_it_was(pointer: tree.Expression | None) -> tree.Expression | None:
    """A pointer without conversions that say no more of the object to which it leads than what may be done there."""
    while isinstance(pointer, tree.Convert) and not pointer.written:
        now, before = (t.to if isinstance(t, Pointer) else None for t in (pointer.type, pointer.value.type))
        if not isinstance(now, Record) or not isinstance(before, Record) or now.info is not before.info:
            break
        pointer = pointer.value
    return pointer
