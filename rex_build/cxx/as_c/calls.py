"""Calls as C: of the user's functions, of containers' methods, of the libraries of C and C++."""

from __future__ import annotations

from collections.abc import Sequence

from ...tree import nodes as tree
from ...tree import types
from ...tree.conversions import INT
from ...tree.symbols import Function, Storage
from ...tree.types import Pointer, Record
from .. import libclang
from .expressions import Expressions, core
from .names import ALLOCATION
from .text import CannotWriteError, Text
from .types import Container

_FIRST = frozenset(("data", "get", "begin", "cbegin", "operator->", "base"))  # where the elements begin
_CHANGING = frozenset(("resize", "assign", "push_back", "emplace_back"))  # they make new memory for elements
_KEEPING = frozenset(("reserve", "clear", "pop_back", "erase"))
_MOVES = frozenset(("move", "forward", "as_const"))
_STEPS = {"operator++": "++", "operator--": "--"}
_OPERATORS = ("+", "-", "+=", "-=", "==", "!=", "<", "<=", ">", ">=")
# Functions of the library for ranges of elements, and whether these are written.
_OVER_RANGES = {
    "accumulate": False, "reduce": False, "count": False, "count_if": False, "max_element": False,
    "min_element": False, "all_of": False, "any_of": False, "none_of": False, "find": False, "is_sorted": False,
    "fill": True, "iota": True, "generate": True,
}  # fmt: skip


class Calls(Expressions):
    """Writes calls."""

    def inline(self, node: tree.Call, body: tree.Body, closure: tree.Aggregate) -> Text | None:
        """The body of a closure in place of its call, as an expression."""
        raise NotImplementedError

    def closure_of(self, node: tree.Call) -> tuple[tree.Body, tree.Aggregate] | None:
        """The body of a closure that is called, and what it holds."""
        raise NotImplementedError

    def is_closure(self, node: tree.Call) -> bool:
        """Whether a call is one of a closure's."""
        raise NotImplementedError

    def is_users(self, function: Function) -> bool:
        """Whether a function is the user's, and not of a library."""
        cursor = self.w.reader.symbols.cursors.get(function)
        return cursor is not None and libclang.is_users(cursor)

    def call(self, node: tree.Call) -> Text:
        callee = node.callee
        if not isinstance(callee, tree.FunctionAddress):
            raise CannotWriteError
        function = callee.function
        if function.name in ALLOCATION and function not in self.w.reader.symbols.cursors:
            return self._allocation(function.name, node)
        if (place := self.called_place(node)) is not None:
            return Text("&", place)
        if (found := self._container_call(function, node)) is not None:
            return found
        if (closure := self.closure_of(node)) is not None and (inside := self.inline(node, *closure)) is not None:
            return inside
        if self.is_closure(node):
            raise CannotWriteError  # whom its pointers belong to, the analyses do not follow
        if self.is_users(function):
            return self.call_of(function, node.arguments)
        return self._library(function, node)

    def _allocation(self, name: str, node: tree.Call) -> Text:
        """What C has in place of ``new`` and ``delete``, which ends an object first."""
        arguments = [self.value(one) for one in node.arguments]
        made = self._of(self.w.declare_library(name), arguments)
        to = node.arguments[0].type if name == "free" else None
        ends = self.ends(Text("(*", arguments[0], ")"), to.to) if isinstance(to, Pointer) else []
        return Text("({ ", *ends, made, "; })") if ends else made

    @staticmethod
    def _of(name: str, arguments: Sequence[Text]) -> Text:
        parts: list[str | Text] = []
        for one in arguments:
            parts += [", ", one] if parts else [one]
        return Text(f"{name}(", *parts, ")")

    def call_of(self, function: Function, given: Sequence[tree.Expression], this: Text | None = None) -> Text:
        """A call of a function of the user's; of a constructor with the address of the object."""
        name = self.w.name_of(function)
        copied = self.w.by_value(function)
        copied = copied[this is not None :]
        arguments = [this] if this is not None else []
        for number, one in enumerate(given):
            plain = number < len(copied) and copied[number]
            arguments.append(self.referred(one) if plain else self.value(one))
        return self._of(name, arguments)

    def called_place(self, node: tree.Call) -> Text | None:
        function = node.callee.function if isinstance(node.callee, tree.FunctionAddress) else None
        if function is None or not node.arguments:
            return None
        if self.is_users(function):
            return self._part_given(function, node) if not node.virtual else None
        name = _last(function)
        if name in _MOVES and len(node.arguments) == 1:
            return self.object(node.arguments[0])
        if name in ("min", "max") and len(node.arguments) == 2 and isinstance(node.type, Pointer):
            one, other = (self.object(argument) for argument in node.arguments)
            return Text("(", one, " < " if name == "min" else " > ", other, " ? ", one, " : ", other, ")")
        container = self._container(node)
        return self._element(container, name, node) if container is not None else None

    def object(self, address: tree.Expression) -> Text:
        """The object to which an address leads."""
        while isinstance(address, tree.Convert) and isinstance(address.value.type, Pointer):
            address = address.value
        to = address.type.to if isinstance(address.type, Pointer) else address.type
        return self.place(tree.Pointee(to, address))

    def _part_given(self, function: Function, node: tree.Call) -> Text | None:
        """What a method gives that does nothing but return a reference to a part of its object: that part."""
        kind = function.type
        body = self.w.body(function) if isinstance(kind, types.Function) and _refers(kind.result) else None
        statements = body.statement.statements if body is not None else ()
        is_method = body is not None and [p.name for p in body.parameters][:1] == ["this"]
        if body is None or not is_method or len(statements) != 1 or not isinstance(statements[0], tree.Return):
            return None
        value = statements[0].value
        quiet = not any(
            isinstance(part, tree.Store | tree.Update | tree.Opaque | tree.Temporary | tree.Construct)
            or (isinstance(part, tree.Call) and getattr(part.callee, "function", None) is function)
            for whole in (value, *node.arguments) if whole is not None for part in tree.walk(whole)
        )  # fmt: skip
        if value is None or not quiet or any(variable in self.given for variable in body.parameters):
            return None
        for variable, argument in zip(body.parameters, node.arguments, strict=False):
            is_place = _refers(variable.type) or variable.name == "this"
            self.given[variable] = self.object(argument) if is_place else self.value(argument)
            self.copied.update([variable] * is_place)
        try:
            return Text(str(self.object(value)))  # it stands at the call
        finally:
            for variable in body.parameters:
                self.given.pop(variable, None)

    # -- containers ---------------------------------------------------------------------------------------------------

    def container(self, address: tree.Expression) -> Container | None:
        to = address.type.to if isinstance(address.type, Pointer) else None
        return self.w.types.container(to) if to is not None else None

    def _container(self, node: tree.Call) -> Container | None:
        return self.container(node.arguments[0]) if node.arguments else None

    def member(self, address: tree.Expression, name: str) -> Text:
        """A member of a container."""
        whole = self.object(address)
        text = str(whole)
        if text.startswith("(*") and text.endswith(")") and text[2:-1].isidentifier():
            return Text(f"{text[2:-1]}->{name}", place=whole.place)
        return Text(whole, f".{name}")

    def size(self, container: Container, address: tree.Expression) -> Text:
        if container.length is not None:
            return Text(f"{container.length}ul")
        if container.kind != "vector":
            raise CannotWriteError
        return self.member(address, "rex_size")

    def _element(self, container: Container, name: str, node: tree.Call) -> Text | None:
        """The element that a method gives."""
        first, *rest = node.arguments
        iterator = container.kind == "iterator"
        if name in ("front", "back") and isinstance(container.element, Pointer):
            return None  # which of several pointers it is, the analyses do not follow
        if name in ("operator[]", "at") and len(rest) == 1:
            elements = self.object(first) if iterator else self.member(first, "rex_elements")
            return Text(elements, "[", self.value(rest[0]), "]")
        if name == "operator*" and not rest:
            return Text("(*", self.object(first) if iterator else self.member(first, "rex_elements"), ")")
        if name in ("front", "back") and not iterator:
            last: tuple[str | Text, ...] = (self.size(container, first), " - 1") if name == "back" else ("0",)
            return Text(self.member(first, "rex_elements"), "[", *last, "]")
        return None

    def _container_call(self, function: Function, node: tree.Call) -> Text | None:
        """A call of a container's method that has a form in C."""
        name, container = _last(function), self._container(node)
        if container is None or self.is_users(function):
            return None
        first, *rest = node.arguments
        if container.kind == "iterator":
            return self._iterator_call(name, node)
        elements = self.member(first, "rex_elements")
        if name in _FIRST and not rest:
            return elements
        if name in ("end", "cend"):
            return Text("(", elements, " + ", self.size(container, first), ")")
        if name == "size":
            return self.size(container, first)
        if name == "empty":
            return Text("(", self.size(container, first), " == 0)")
        if name == "operator bool" and container.kind == "owner":
            return Text("(", elements, " != 0)")
        if name == "fill" and container.length is not None:
            return self.over_all(container, first, self.referred(rest[0]))
        if name in _CHANGING and container.kind == "vector":
            return self._change(name, container, node)
        if name == "swap" and container.kind != "array":
            return self._swap(container, first, rest[0])
        raise CannotWriteError

    def _iterator_call(self, name: str, node: tree.Call) -> Text:
        operands = [self._operand(one) for one in node.arguments]
        if name in _STEPS:
            return Text("(", operands[0], f"{_STEPS[name]})")
        operator = name.removeprefix("operator")
        if operator in _OPERATORS and len(operands) == 2:
            return Text("(", operands[0], f" {operator} ", operands[1], ")")
        if name in _FIRST:
            return operands[0]
        raise CannotWriteError

    def _operand(self, node: tree.Expression) -> Text:
        return self.object(node) if self.container(node) is not None else self.value(node)

    def over_all(
        self, container: Container, address: tree.Expression, value: Text | None = None, writes: bool = True
    ) -> Text:
        """A loop that writes all elements, or reads them."""
        at = self.fresh("rex_at")
        if writes and value is None:
            value = Text(f"{self.w.some_value(container.element)}()")
        element = Text(self.member(address, "rex_elements"), f"[{at}]")
        size = self.size(container, address)
        written = (" = ", value) if writes and value is not None else ()
        return Text(f"({{ for (int {at} = 0; {at} < ", size, f"; ++{at}) ", element, *written, "; 0; })")

    def _change(self, name: str, container: Container, node: tree.Call) -> Text:
        """New memory for the elements of a vector that grows. One with reserved memory keeps that, and one that gets
        another size may keep it: of these nothing is known then."""
        first, *rest = node.arguments
        changes = [one for one in self.changes if one[1] == str(self.object(first))]
        sized = name in ("resize", "assign")
        if any(other in _KEEPING for other, _ in changes):
            raise CannotWriteError
        if sized and (not rest or not isinstance(rest[0].type, types.Integer) or self.in_loop or len(changes) > 1):
            raise CannotWriteError
        count = self.value(rest[0]) if sized else Text(f"{self.w.some_value(INT)}()")
        return Text("(", self.allocate(container, self.member(first, "rex_elements"), count), ")")

    @property
    def changes(self) -> list[tuple[str, str]]:
        """(the method, the vector) for each call in the function that changes how many elements a vector has."""
        if self._changes is None:
            self._changes = []
            for part in tree.walk(self.body.statement):
                name = _last(part.callee.function) if isinstance(part, tree.Call) and isinstance(
                    part.callee, tree.FunctionAddress) else ""  # fmt: skip
                if name in _CHANGING | _KEEPING and self._container(part) is not None:  # type: ignore[arg-type]
                    self._changes.append((name, str(self.object(part.arguments[0]))))  # type: ignore[attr-defined]
                elif isinstance(part, tree.Declare) and part.initialiser is not None:
                    value = core(part.initialiser)
                    if isinstance(value, tree.Call) and value.arguments:
                        self._changes.append(("", self.name(part.variable)))
        return self._changes

    _changes: list[tuple[str, str]] | None = None
    in_loop = 0

    def allocate(self, container: Container, elements: Text, count: Text) -> Text:
        """An expression that gives a container new memory for a number of elements."""
        pointer = self.w.types.declare(Pointer(container.element), "")
        calloc = self.w.declare_library("calloc")
        made = Text(elements, f" = ({pointer}){calloc}((", count, f"), {container.element.size})")
        if container.kind != "vector":
            return made
        return Text(made, ", ", Text(*elements.parts[:-1], _renamed(elements, "rex_size")), " = (", count, ")")

    def _swap(self, container: Container, one: tree.Expression, other: tree.Expression) -> Text:
        names: dict[str, types.Type] = {"rex_elements": Pointer(container.element), "rex_size": INT}
        parts: list[str | Text] = []
        for name in list(names)[: 1 + (container.kind == "vector")]:
            left, right, kept = self.member(one, name), self.member(other, name), self.fresh("rex_kept")
            parts += [self.w.types.declare(names[name], kept), " = ", left, "; ", left, " = ", right, "; ", right]
            parts += [f" = {kept}; "]
        return Text("({ ", *parts, "0; })")

    # -- functions of the library -------------------------------------------------------------------------------------

    def _library(self, function: Function, node: tree.Call) -> Text:
        name, given = _last(function), node.arguments
        if name == "swap" and len(given) == 2:
            return self._swap_any(given)
        if name in _OVER_RANGES and len(given) >= 2 and (found := self._range(given)) is not None:
            over = self.over_all(*found, writes=_OVER_RANGES[name])
            if isinstance(node.type, types.Void):
                return over
            values = [part for one in given[2:] for part in self.values_in(one) or ()]
            return self._of(self.w.some_value(node.type, "int rex_0, ..."), [over, *map(self.value, values)])
        if name in ("begin", "end", "cbegin", "cend") and (container := self.container(given[0])) is not None:
            last: tuple[str | Text, ...] = (" + ", self.size(container, given[0])) if "end" in name else ()
            return Text("(", self.member(given[0], "rex_elements"), *last, ")")
        try:
            return self._of(self.w.of_library(function), [self.value(one) for one in given])
        except CannotWriteError:
            read = self.values_in(node)
            if read is None:
                raise
            return self.reading(node.type, read)

    def reading(self, t: types.Type, values: Sequence[tree.Expression]) -> Text:
        """A call of a function of the system that does nothing but to read some numbers."""
        known = INT if isinstance(t, types.Unknown | Record) else t
        return self._of(self.w.some_value(known, "int rex_0, ..."), [Text("0"), *map(self.value, values)])

    def _range(self, given: Sequence[tree.Expression]) -> tuple[Container, tree.Expression] | None:
        """The container between whose begin and end a function of the library works."""
        over = [_range_of(one) for one in given[:2]]
        if over[0] is None or over[1] is None or str(self.object(over[0])) != str(self.object(over[1])):
            return None
        container = self.container(over[0])
        return (container, over[0]) if container is not None else None

    def _swap_any(self, given: Sequence[tree.Expression]) -> Text:
        container = self.container(given[0])
        if container is not None and container.kind not in ("array", "iterator"):
            return self._swap(container, given[0], given[1])
        to = given[0].type.to if isinstance(given[0].type, Pointer) else given[0].type
        if isinstance(to, Record):
            raise CannotWriteError
        left, right, kept = self.object(given[0]), self.object(given[1]), self.fresh("rex_kept")
        declared = self.w.types.declare(to, kept)
        return Text(f"({{ {declared} = ", left, "; ", left, " = ", right, "; ", right, f" = {kept}; 0; }})")

    def values_in(self, node: tree.Expression) -> list[tree.Expression] | None:
        """The numbers that the library reads where it gets an expression, such as ``std::cout << x[i]``. None if it may
        do something else: call functions of the user's, write to variables, or keep pointers."""
        while isinstance(node, tree.Convert):
            node = node.value
        if isinstance(node.type, types.Integer | types.Floating) and not isinstance(node, tree.Call):
            return [node]
        if isinstance(node, tree.Call):
            function = node.callee.function if isinstance(node.callee, tree.FunctionAddress) else None
            if function is None:
                return None
            if self.is_users(function) or self._container(node) is not None:
                return [node] if isinstance(node.type, types.Integer | types.Floating) else None
            return self._values_of(function, node.arguments)
        if isinstance(node, tree.Decay):
            return [] if _is_string(node.array) else None
        if isinstance(node, tree.FunctionAddress):
            return None if self.is_users(node.function) else []
        if isinstance(node, tree.AddressOf):
            return self._values_at(node.place)
        if isinstance(node, tree.Ending):
            return self.values_in(node.value)
        if isinstance(node, tree.Load):
            return self._values_at(node.place)
        return None

    def _values_at(self, place: tree.Place) -> list[tree.Expression] | None:
        """The numbers that are read of an object."""
        t = place.type
        if isinstance(place, tree.Temporary):
            return self.values_in(place.initialiser)
        if isinstance(t, types.Integer | types.Floating):
            return [tree.Load(t, place)]
        if isinstance(place, tree.Pointee) and isinstance(place.pointer, tree.Call):
            return self.values_in(place.pointer)
        if isinstance(t, Record) and not self.w.types.is_users(t.info) and self.w.types.container(t) is None:
            return []
        return [] if _is_string(place) else None

    def _values_of(self, function: Function, given: Sequence[tree.Expression]) -> list[tree.Expression] | None:
        kind = function.type
        assert isinstance(kind, types.Function)
        found: list[tree.Expression] = []
        taken = [*(kind.parameters or ()), *[None] * len(given)]
        for one, taking in zip(given, taken, strict=False):
            values = self.values_in(one)
            to = taking.to if isinstance(taking, Pointer) and taking.reference else None
            is_changed = to is not None and not to.const and not isinstance(to, Record | types.Function)
            if values is None or (is_changed and values):
                return None
            found += values
        return found


def _last(function: Function) -> str:
    name = function.name
    return name[name.index("operator") :] if "operator" in name else name.rpartition("::")[2]


def _refers(t: types.Type) -> bool:
    return isinstance(t, Pointer) and t.reference


def _renamed(elements: Text, name: str) -> str:
    """The last part of a container's member, as another member."""
    return str(elements.parts[-1]).replace("rex_elements", name)


def _is_string(place: tree.Place) -> bool:
    return isinstance(place, tree.Named) and place.variable.storage is Storage.CONSTANT


def _range_of(node: tree.Expression) -> tree.Expression | None:
    """The container at whose begin or end an iterator is."""
    while isinstance(node, tree.Convert | tree.Ending):
        node = node.value
    if isinstance(node, tree.Load) and isinstance(node.place, tree.Temporary):
        return _range_of(node.place.initialiser)
    if not isinstance(node, tree.Call) or not isinstance(node.callee, tree.FunctionAddress) or not node.arguments:
        return None
    if _last(node.callee.function) in ("begin", "end", "cbegin", "cend"):
        return node.arguments[0]
    return None

