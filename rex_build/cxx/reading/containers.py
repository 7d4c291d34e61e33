"""Containers of the standard library as what warnings follow: records with a pointer to their elements.

``v[i]`` of a ``std::vector`` is the element ``i`` behind the pointer in the member ``data()`` of ``v``, and a
constructor with a length stores there what ``calloc`` gives. An iterator is a record with a pointer. Methods that are
not known stay calls of the library.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.records import dataclass
from ...check.host_uses import GROW
from ...plan.constructs import Entity
from ...tree import nodes as tree
from ...tree import types
from ...tree.arithmetic import NotReadError
from ...tree.symbols import Function, Storage, Variable
from ...tree.types import BOOL, INT, SIZE, VOID, Member, Pointer, Record, RecordInfo, Type, value_of
from .. import libclang
from ..unit import Unit
from .reader import Reader
from .symbols import PLACES, Read

# The classes of the standard library that are known. An ``iterator`` is a pointer to an element.
_CONTAINERS = {"std::vector": "vector", "std::array": "array", "std::unique_ptr": "owner", "std::shared_ptr": "owner",
               "std::basic_string": "vector", "std::__cxx11::basic_string": "vector",
               "__gnu_cxx::__normal_iterator": "iterator"}  # fmt: skip
_MEMBERS = {"vector": "data()", "owner": "get()", "iterator": "base()"}
_FIRST = frozenset(("data", "c_str", "get", "begin", "cbegin", "operator->", "base"))  # where the elements begin
# They may make new memory for elements.
_CHANGING = frozenset(("resize", "reserve", "assign", "push_back", "emplace_back", "append", "operator+="))
_SIZE = Member("size()", INT, 8)  # as programs have it, so that it is no number modulo 2^32
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
# Functions of the library for ranges of elements, and whether these are written.
_OVER_RANGES = {
    "accumulate": False, "reduce": False, "count": False, "count_if": False, "max_element": False,
    "min_element": False, "all_of": False, "any_of": False, "none_of": False, "find": False, "is_sorted": False,
    "fill": True, "iota": True, "generate": True,
}  # fmt: skip


@dataclass(frozen=True)
class Container:
    """A container: its ``kind``, the type of its elements, the member that leads to them, and how many an array has. It
    is ``plain`` if its memory is that of ``new`` and ``delete``, and has no other owner."""

    kind: str
    element: Type
    member: Member
    length: int | None
    plain: bool


class _Counter(Entity):
    """The counter of a loop that the reader makes."""

    __slots__ = ("name",)

    def __init__(self) -> None:
        self.name = "..."


class ContainerReader(Reader):
    """Reads calls of containers' methods."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self._containers: dict[RecordInfo, Container | None] = {}
        self._library: dict[str, Function] = {}

    def container(self, t: Type) -> Container | None:
        """The container of the standard library that a type is."""
        if not isinstance(t, Record):
            return None
        if t.info not in self._containers:
            self._containers[t.info] = self._find_container(t.info)
        return self._containers[t.info]

    def _find_container(self, info: RecordInfo) -> Container | None:
        kind: Any = self.types.cursor(info).type.get_canonical()
        form = _CONTAINERS.get(kind.spelling.partition("<")[0])
        size = info.size or 0
        if form is None or "<" not in kind.spelling:
            return None
        first, other = kind.get_template_argument_type(0), kind.get_template_argument_type(1).spelling
        element, plain = self.types.type(first), True
        if form == "iterator":
            if not isinstance(element, Pointer):
                return None
            element = element.to
        elif isinstance(element, types.Unknown) or (isinstance(element, types.Integer) and element.boolean):
            return None
        elif form == "array":
            (member,) = info.members or (None,)
            known = member is not None and isinstance(member.type, types.Array)
            length = member.type.length if known else None  # type: ignore[union-attr]
            return Container(form, element, member, length, True) if isinstance(length, int) and member else None
        elif form == "vector":
            plain = "std::allocator<" in other or "std::char_traits<" in other
        else:
            element = element.of if isinstance(element, types.Array) else element
            plain = kind.spelling.startswith("std::unique_ptr<") and other.startswith("std::default_delete<")
            plain = plain and size == 8
        return Container(form, element, Member(_MEMBERS[form], Pointer(element), 0), None, plain)

    # -- parts ------------------------------------------------------------------------------------------------------

    @staticmethod
    def _object(address: tree.Expression) -> tree.Place:
        """The object to which an address leads."""
        while isinstance(address, tree.Convert) and isinstance(address.value.type, Pointer):
            address = address.value
        if isinstance(address, tree.AddressOf):
            return address.place
        return tree.Pointee(address.type.to if isinstance(address.type, Pointer) else address.type, address)

    def _of(self, address: tree.Expression) -> tuple[Container, tree.Place] | None:
        """The container to which an address leads, and its place."""
        place = self._object(address)
        found = self.container(place.type)
        return (found, place) if found is not None and not isinstance(place, tree.Opaque) else None

    @staticmethod
    def elements(container: Container, place: tree.Place) -> tree.Expression:
        """A pointer to the first element, or to that of an iterator."""
        part = tree.Part(container.member.type, place, container.member)
        pointer = Pointer(container.element)
        return tree.Decay(pointer, part) if container.kind == "array" else tree.Load(pointer, part)

    @staticmethod
    def size(container: Container, place: tree.Place) -> tree.Expression:
        if container.length is not None:
            return tree.Constant(INT, container.length)
        if container.kind != "vector":
            raise NotReadError("the size of an object that has one element")
        return tree.Load(INT, tree.Part(INT, place, _SIZE))

    def called_library(self, name: str, result: Type, *arguments: tree.Expression, origin: Any = None) -> tree.Call:
        """A call of a function of the C library."""
        if name not in self._library:
            kind = types.Function(result, tuple(value_of(one.type) for one in arguments))
            self._library[name] = Function(name, kind, True, False, None)
        function = self._library[name]
        return tree.Call(result, tree.FunctionAddress(Pointer(function.type), function), arguments, origin=origin)

    def allocated(self, element: Type, count: tree.Expression, origin: Any) -> tree.Expression:
        """New memory for elements."""
        size = tree.Constant(SIZE, element.size)
        return tree.Convert(Pointer(element), self.called_library("calloc", Pointer(VOID), count, size, origin=origin))

    def _with_elements(self, t: Type, container: Container, elements: tree.Expression, count: tree.Expression | None,
                origin: Any) -> tree.Aggregate:  # fmt: skip
        """A container with these elements."""
        while isinstance(count, tree.Convert) and isinstance(count.value.type, types.Integer):
            count = count.value
        sized = [((_SIZE,), count)] if count is not None and container.kind == "vector" else []
        return tree.Aggregate(t, (((container.member,), elements), *sized), origin=origin)

    # -- calls ------------------------------------------------------------------------------------------------------

    def _called(
        self, cursor: Any, callee: tree.Expression, given: Sequence[tree.Expression], *,
        before: tuple[tree.Expression, ...] = (), virtual: bool = False,
    ) -> Read:  # fmt: skip
        function = callee.function if isinstance(callee, tree.FunctionAddress) else None
        if function is not None and given and not before and not libclang.is_users(self.symbols.cursors[function]):
            found = self._of_library(cursor, _last(function), given)
            if found is not None:
                return found
        return super()._called(cursor, callee, given, before=before, virtual=virtual)

    def _of_library(self, cursor: Any, name: str, given: Sequence[tree.Expression]) -> Read | None:
        if name in ("move", "forward", "as_const") and len(given) == 1:
            return self._object(given[0])
        if name in ("make_unique", "make_shared"):
            return self._made(cursor, given)
        if name in ("exchange", "swap") and len(given) == 2:
            return self._exchanged(cursor, name, given)
        if name in _OVER_RANGES and len(given) >= 2:
            return self._over_range(cursor, name, given)
        found = self._of(given[0])
        if found is None:
            return None
        container, place = found
        if container.kind == "iterator":
            return self._of_iterator(cursor, name, given, container, place)
        return self._element_given(cursor, name, given, container, place) or self._method(cursor, name, given, *found)

    def _exchanged(self, cursor: Any, name: str, given: Sequence[tree.Expression]) -> tree.Expression | None:
        """A variable gets the value of another one, or another value: ``swap`` and ``exchange``."""
        place, other = map(self._object, given)
        t = value_of(place.type)
        if not isinstance(t, Pointer | types.Integer | types.Floating) or isinstance(place, tree.Opaque):
            return None
        made = Variable("made", t, Storage.LOCAL, None)
        old, new = (tree.Load(t, tree.Named(t, made)), self._as(t, tree.Load(value_of(other.type), other)))
        stores = [tree.Store(t, place, new, origin=cursor)]
        stores += [tree.Store(t, other, old, origin=cursor)] if name == "swap" else []
        begun = tree.Declare(made, tree.Load(t, place))
        body = tree.Block((begun, *(tree.Evaluate(store) for store in stores)))
        return tree.StatementValue(t if name == "exchange" else VOID, body, old, origin=cursor)

    def _element_given(
        self, cursor: Any, name: str, given: Sequence[tree.Expression], container: Container, place: tree.Place
    ) -> tree.Place | None:
        """The element that a method gives."""
        pointer, t = self.elements(container, place), container.element
        if name in ("front", "back") and isinstance(t, Pointer):
            return None  # which of several pointers it is, the warnings do not follow
        if name in ("operator[]", "at") and len(given) == 2:
            return tree.Pointee(t, tree.Offset(pointer.type, pointer, given[1]), origin=cursor)
        if name == "operator*" and len(given) == 1:
            return tree.Pointee(t, pointer, origin=cursor)
        if name == "front":
            return tree.Pointee(t, tree.Offset(pointer.type, pointer, tree.Constant(SIZE, 0)), origin=cursor)
        if name == "back":
            last = tree.Binary(INT, "-", self.size(container, place), tree.Constant(INT, 1))
            return tree.Pointee(t, tree.Offset(pointer.type, pointer, last), origin=cursor)
        return None

    def _method(
        self, cursor: Any, name: str, given: Sequence[tree.Expression], container: Container, place: tree.Place
    ) -> Read | None:
        pointer = self.elements(container, place)
        if name in _FIRST:
            return self._as_iterator(cursor, pointer)
        if name in ("end", "cend"):
            return self._as_iterator(cursor, tree.Offset(pointer.type, pointer, self.size(container, place)))
        if name in ("size", "length"):
            return self.size(container, place)
        if name == "empty":
            return tree.Binary(BOOL, "==", self.size(container, place), tree.Constant(INT, 0), origin=cursor)
        if name == "operator bool":
            return tree.Binary(BOOL, "!=", pointer, tree.Constant(pointer.type, 0), origin=cursor)
        is_reset, is_given = name == "reset", name == "operator=" and self._of(given[1]) is None
        if container.kind == "owner" and container.plain and (is_reset or is_given):
            return self._let_go(cursor, given, pointer)
        if name in _CHANGING and container.kind == "vector":
            return self._changed(cursor, name, given, container, place)
        if name == "fill" and container.length is not None:
            return self.over_all(cursor, container, place, tree.Load(container.element, self._object(given[1])))
        return None

    def _let_go(
        self, cursor: Any, given: Sequence[tree.Expression], pointer: tree.Expression
    ) -> tree.Expression | None:
        """An owner frees what it has, and gets something else."""
        if not isinstance(pointer, tree.Load):
            return None
        other = given[1] if len(given) > 1 and isinstance(given[1].type, Pointer) else tree.Constant(pointer.type, 0)
        free = self.called_library("free", VOID, tree.Convert(Pointer(VOID), pointer), origin=cursor)
        store = tree.Store(pointer.type, pointer.place, self._as(pointer.type, other), origin=cursor)
        return tree.Sequence(VOID, (free, tree.Convert(VOID, store)), origin=cursor)

    def _as_iterator(self, cursor: Any, pointer: tree.Expression) -> tree.Expression:
        """A pointer as the type of a call, which may be an iterator."""
        t = value_of(self.types.type(cursor.type))
        found = self.container(t)
        return tree.Aggregate(t, (((found.member,), pointer),), origin=cursor) if found is not None else pointer

    def _of_iterator(
        self, cursor: Any, name: str, given: Sequence[tree.Expression], container: Container, place: tree.Place
    ) -> Read | None:
        pointer, operator = self.elements(container, place), name.removeprefix("operator")
        part = tree.Part(container.member.type, place, container.member, origin=cursor)
        t = pointer.type
        if name in ("operator++", "operator--"):
            step = "+" if name == "operator++" else "-"
            return tree.Update(t, part, step, tree.Constant(INT, 1), t, len(given) == 2, origin=cursor)  # type: ignore[arg-type]
        if name in ("operator+=", "operator-="):
            return tree.Update(t, part, operator[0], given[1], t, origin=cursor)  # type: ignore[arg-type]
        other = self._of(given[1]) if len(given) == 2 else None
        if operator in _COMPARISONS and other is not None:
            return tree.Binary(BOOL, operator, pointer, self.elements(*other), origin=cursor)  # type: ignore[arg-type]
        if operator == "-" and other is not None:
            return tree.Distance(types.Integer(64, True, 8), pointer, self.elements(*other), origin=cursor)
        if operator in ("+", "-") and len(given) == 2:
            return self._as_iterator(cursor, tree.Offset(t, pointer, given[1], operator == "-"))
        if name in _FIRST:
            return self._as_iterator(cursor, pointer)
        return self._element_given(cursor, name, given, container, place)

    def _changed(
        self, cursor: Any, name: str, given: Sequence[tree.Expression], container: Container, place: tree.Place
    ) -> Read:
        """Perhaps new memory for the elements of a vector that grows."""
        sized = name in ("resize", "assign") and len(given) > 1 and isinstance(given[1].type, types.Integer)
        count = given[1] if sized else tree.Constant(SIZE, None)
        wanted = () if not sized and name != "assign" else (count, tree.Constant(SIZE, container.element.size))
        old, t = self.elements(container, place), value_of(place.type)
        grown = tree.Convert(old.type, self.called_library(GROW, old.type, old, *wanted, origin=cursor))
        made = self._with_elements(t, container, grown, count, cursor)
        store = tree.Convert(VOID, tree.Store(t, place, made, origin=cursor))
        given_back: tree.Expression | None = None
        if name in ("append", "operator+="):
            given_back = tree.AddressOf(Pointer(t), place)
        elif name == "emplace_back" and cursor.type.kind.name != "VOID":
            last = tree.Binary(INT, "-", self.size(container, place), tree.Constant(INT, 1))
            given_back = tree.Offset(old.type, old, last)
        if given_back is None:
            return store
        assert isinstance(given_back.type, Pointer)
        return tree.Pointee(given_back.type.to, tree.Sequence(given_back.type, (store, given_back)), origin=cursor)

    def _made(self, cursor: Any, given: Sequence[tree.Expression]) -> tree.Expression | None:
        """What ``make_unique`` and ``make_shared`` give."""
        t = value_of(self.types.type(cursor.type))
        found = self.container(t)
        if found is None:
            return None
        is_array = "[]" in cursor.type.get_canonical().spelling
        count = tree.Load(SIZE, self._object(given[0])) if is_array else tree.Constant(SIZE, 1)
        return self._with_elements(t, found, self.allocated(found.element, count, cursor), None, cursor)

    # -- ranges -----------------------------------------------------------------------------------------------------

    def _over_range(self, cursor: Any, name: str, given: Sequence[tree.Expression]) -> tree.Expression | None:
        """A function of the library that reads or writes all elements of a container."""
        ends = [self._range_of(one) for one in given[:2]]
        if ends[0] is None or ends[1] is None:
            return None
        container, place = ends[0]
        value = tree.Constant(container.element, None) if _OVER_RANGES[name] else None
        loop = self.over_all(cursor, container, place, value)
        t = value_of(self.types.type(cursor.type))
        if isinstance(t, types.Void):
            return loop
        return tree.Sequence(t, (loop, tree.Constant(t, None)), origin=cursor)

    def _range_of(self, value: tree.Expression) -> tuple[Container, tree.Place] | None:
        """The container at whose begin or end an iterator is."""
        while isinstance(value, tree.Convert | tree.Ending):
            value = value.value
        if isinstance(value, tree.Load) and isinstance(value.place, tree.Temporary):
            return self._range_of(value.place.initialiser)
        if isinstance(value, tree.Aggregate) and len(value.parts) == 1:
            value = value.parts[0][1]
        if isinstance(value, tree.Offset):
            value = value.pointer
        part = value.place if isinstance(value, tree.Load) else value.array if isinstance(value, tree.Decay) else None
        found = self.container(part.whole.type) if isinstance(part, tree.Part) else None
        return (found, part.whole) if found is not None and isinstance(part, tree.Part) else None

    def over_all(
        self, cursor: Any, container: Container, place: tree.Place, value: tree.Expression | None
    ) -> tree.StatementValue:
        """A loop that writes all elements, or reads them."""
        element, pointer = container.element, self.elements(container, place)

        def body(index: tree.Expression) -> tree.Statement:
            one = tree.Pointee(element, tree.Offset(pointer.type, pointer, index), origin=cursor)
            read: tree.Expression = tree.Load(value_of(element), one, origin=cursor)
            return tree.Evaluate(read if value is None else tree.Store(value_of(element), one, value, origin=cursor))

        loop = self.counted(cursor, self.size(container, place), body)
        return tree.StatementValue(VOID, tree.Block((loop,)), None, origin=cursor)

    def counted(self, cursor: Any, size: tree.Expression, body: Any) -> tree.Loop:
        """A loop by a counter of its own. ``body`` gives the statement for a value of it."""
        counter = Variable("...", INT, Storage.LOCAL, _Counter())
        here = tree.Named(INT, counter)
        condition = tree.Binary(BOOL, "<", tree.Load(INT, here), size)
        step = tree.Update(INT, here, "+", tree.Constant(INT, 1), INT)
        first = tree.Declare(counter, tree.Constant(INT, 0))
        return tree.Loop(first, condition, step, body(tree.Load(INT, here)), origin=cursor)

    # -- how they begin and end ---------------------------------------------------------------------------------------

    def _construction(self, cursor: Any, target: Any, arguments: Sequence[Any]) -> Read:
        t = value_of(self.types.type(cursor.type))
        found = self.container(t)
        if found is None or found.kind in ("array", "iterator") or self._is_plain_copy(target):
            return super()._construction(cursor, target, arguments)
        if not arguments:
            return tree.Aggregate(t, (), rest=found.kind == "owner", origin=cursor)
        if target.is_copy_constructor() or target.is_move_constructor():
            read = self.read(arguments[0])
            return self._copied(read, t) if isinstance(t, Record) else read
        listed = None  # what is between the braces of a list, which an element may be, too
        if any("initializer_list<" in t.spelling for t in target.type.get_canonical().argument_types()):
            listed = next((n for n in libclang.descendants(cursor) if n.kind.name == "INIT_LIST_EXPR"), None)
        if found.kind == "owner":
            pointer = self.value(arguments[0])
            if not isinstance(pointer.type, Pointer):
                return super()._construction(cursor, target, arguments)
            return self._with_elements(t, found, self._as(Pointer(found.element), pointer), None, cursor)
        if not found.plain:
            return super()._construction(cursor, target, arguments)
        count: tree.Expression = tree.Constant(SIZE, None)
        if listed is not None:
            count = tree.Constant(SIZE, len(libclang.children(listed)))
        else:
            first = self.value(arguments[0])
            count = self._as(SIZE, first) if isinstance(first.type, types.Integer) else count
        return self._with_elements(t, found, self.allocated(found.element, count, cursor), count, cursor)

    def end_of(self, t: Type, place: tree.Place) -> tree.Expression | None:
        found = self.container(t)
        if found is None:
            return super().end_of(t, place)
        if found.kind in ("array", "iterator") or not isinstance(place, PLACES):
            return None
        pointer = self.elements(found, place)
        if not found.plain:
            return tree.Opaque(VOID, "memory that others may own", (place,))
        inner = tree.Pointee(found.element, pointer)
        end = super().end_of(found.element, inner) if found.kind == "owner" else None
        free = self.called_library("free", VOID, tree.Convert(Pointer(VOID), pointer))
        return tree.Sequence(VOID, (end, free)) if end is not None else free


def _last(function: Function) -> str:
    name = function.name
    return name[name.index("operator") :] if "operator" in name else name.rpartition("::")[2]
