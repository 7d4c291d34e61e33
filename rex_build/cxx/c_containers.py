"""Containers of the standard library in C: structures with their elements, or with a pointer to these."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..base.patterns import regex
from . import libclang
from .c_copied import Copied
from .c_text import CannotWriteError, Container, Text

# What an element, or where the elements begin, is in C, by the name of a method.
_ELEMENTS = frozenset(("operator[]", "at", "data", "get", "front", "back", "operator*", "operator->"))
_CHANGING = frozenset(("resize", "assign", "push_back", "emplace_back"))  # they make new memory for elements
_DEPENDENT = regex(r"(?:this\s*->\s*)?(\w+)\s*\.\s*(data|get)\s*\(\s*\)")
_MOVES = frozenset(("move", "forward", "as_const"))
# Functions of the library for ranges of elements, and whether these are written.
_OVER_RANGES = {
    "accumulate": False, "reduce": False, "count": False, "count_if": False, "max_element": False,
    "min_element": False, "all_of": False, "any_of": False, "none_of": False, "find": False, "is_sorted": False,
    "fill": True, "iota": True, "generate": True,
}  # fmt: skip


class _Call(NamedTuple):
    """A call of a container's method: the container, its type, the method's name and the arguments."""

    base: Any
    container: Container
    name: str
    arguments: Sequence[Any]


class Containers(Copied):
    """Writes what a function does with vectors, arrays and pointers of the standard library."""

    def _expression(self, cursor: Any) -> None:
        raise NotImplementedError

    def address(self, cursor: Any) -> None:
        """Write the address of what an expression means."""
        raise NotImplementedError

    def container_call(self, cursor: Any) -> _Call | None:
        """The call of a container's method that an expression is."""
        target = cursor.referenced if cursor.kind == self.k.CALL_EXPR else None
        parent = target.semantic_parent if target is not None else None
        if target is None or parent is None or libclang.is_users(target):
            return None
        arguments = list(cursor.get_arguments())
        name = target.spelling
        if name in ("operator[]", "operator*", "operator->", "operator="):
            base = arguments.pop(0) if arguments else None
        elif target.kind in (self.k.CXX_METHOD, self.k.CONVERSION_FUNCTION):
            callee = self.inner(next(iter(libclang.children(cursor))))
            bases = [c for c in libclang.children(callee) if c.kind.is_expression()]
            base = bases[0] if bases else callee if target.kind == self.k.CONVERSION_FUNCTION else None
        else:
            return None
        if base is None:
            return None
        kind = base.type.get_canonical()
        kind = kind.get_pointee().get_canonical() if kind.kind == self.t.POINTER else kind
        container = self.w.types.container_of(kind)
        return _Call(base, container, name, arguments) if container is not None else None

    def is_element(self, cursor: Any) -> bool:
        """Whether a call means an element, or the pointer to the first."""
        call = self.container_call(cursor)
        return call is not None and call.name in _ELEMENTS

    def _object(self, call: _Call) -> Text:
        """The container, with the operator for its members behind it."""
        before, self.out = self.out, Text()
        self._expression(call.base)
        pointer = call.base.type.get_canonical().kind == self.t.POINTER
        self.out.put("->" if pointer else ".", self.unit.extent(call.base)[0])
        made, self.out = self.out, before
        return made

    def write_container_call(self, call: _Call, cursor: Any) -> None:
        """Write a call of a container's method. Raises CannotWriteError for those that have no form here."""
        place, end = self.unit.extent(cursor)
        object_ = self._object(call)
        name, arguments = call.name, call.arguments
        if name in ("front", "back") and call.container.element.get_canonical().kind == self.t.POINTER:
            raise CannotWriteError  # which of several pointers it is, the analyses do not follow
        if name in _ELEMENTS:
            is_whole = name in ("data", "get", "operator->")
            self.out.put("(*" if name == "operator*" else "", place)
            self.out.add(object_)
            self.out.put("rex_elements", place)
            if name in ("operator[]", "at"):
                self.out.put("[", place)
                self.expression(arguments[0])
                self.out.put("]", end - 1)
            elif not is_whole:
                last = name == "back"
                self.out.put(")" if name == "operator*" else "[" if last else "[0]", place)
                if last:
                    self._size(call, object_, place)
                    self.out.put(" - 1]", place)
        elif name == "size":
            self._size(call, object_, place)
        elif name == "empty":
            self.out.put("(", place)
            self._size(call, object_, place)
            self.out.put(" == 0)", place)
        elif name == "operator bool" and call.container.kind == "owner":
            self._texts(place, "(", object_, "rex_elements != 0)")
        elif name == "fill" and call.container.length is not None:
            self._over_all(call, object_, place, arguments[0])
        elif name in _CHANGING and call.container.kind == "vector":
            self._change(call, object_, place)
        elif name == "swap" and call.container.kind != "array":
            other = _Call(arguments[0], call.container, name, ())
            self._swap(call.container, object_, self._object(other), place)
        else:
            raise CannotWriteError

    def write_dependent_call(self, place: int, end: int) -> None:
        """Write a call in a template, of which only the text is known: where the elements of a container begin."""
        found = _DEPENDENT.fullmatch(self.unit.text, place, end)
        kind = self.field_types().get(found[1]) if found is not None and self._variable_of(found[1]) is None else None
        container = self.w.types.container_of(kind) if kind is not None else None
        if found is None or container is None or (found[2] == "get") != (container.kind == "owner"):
            raise CannotWriteError
        self.out.put(f"this->{found[1]}.rex_elements", place)

    def _texts(self, place: int, *parts: str | Text) -> None:
        for part in parts:
            self.out.put(part, place) if isinstance(part, str) else self.out.add(part)

    def _size(self, call: _Call, object_: Text, place: int) -> None:
        if call.container.length is not None:
            self.out.put(f"{call.container.length}ul", place)
        elif call.container.kind == "vector":
            self._texts(place, object_, "rex_size")
        else:
            raise CannotWriteError

    def _over_all(self, call: _Call, object_: Text, place: int, value: Any | None = None, writes: bool = True) -> None:
        """A loop that writes all elements, or reads them. ``value`` is what is written, if it is a number."""
        at = self.w.fresh("rex_at")
        self.out.put(f"({{ for (int {at} = 0; {at} < ", place)
        self._size(call, object_, place)
        self.out.put(f"; ++{at}) ", place)
        self._texts(place, object_, f"rex_elements[{at}]")
        if writes:
            self.out.put(" = ", place)
            if value is not None:
                self.expression(value)
            else:
                self.out.put(self.w.some_value(call.container.element), place)
        self.out.put("; ", place)
        if not writes:
            self.out.put("0; ", place)
        self.out.put("})", place)

    def _change(self, call: _Call, object_: Text, place: int) -> None:
        """New memory for the elements of a vector that grows. One with reserved memory keeps that, and one that gets
        another size may keep it: of these nothing is known then."""
        around = self.inner(call.base)
        named = re.escape(around.spelling or "?")
        text = self.unit.text
        if re.search(rf"\b{named}\s*(?:\.|->)\s*(?:reserve|clear|pop_back|erase)\b", text) is not None:
            raise CannotWriteError
        sized = call.name in ("resize", "assign")
        if sized and (not call.arguments or not self.is_integer(call.arguments[0]) or self.loops):
            raise CannotWriteError
        if sized and len(re.findall(rf"\b{named}\s*(?:(?:\.|->)\s*(?:{'|'.join(_CHANGING)})\b|[({{=][^=])", text)) > 1:
            raise CannotWriteError
        if sized:
            count = Text()
            before, self.out = self.out, count
            self.expression(call.arguments[0])
            self.out = before
        else:
            count = Text()
            count.put(self.w.some_value("int"), place)
        self.out.put("(", place)
        self.allocate(call.container, object_, count, place)
        self.out.put(")", place)

    def allocate(self, container: Container, object_: Text, count: Text, place: int) -> None:
        """An expression that gives a container new memory for a number of elements."""
        self.w.library.setdefault("calloc", "void *calloc(unsigned long rex_0, unsigned long rex_1)")
        pointer = self.w.types.declare(container.element, "*")
        size = container.element.get_size()
        self._texts(place, object_, f"rex_elements = ({pointer})calloc((", count, f"), {size})")
        if container.kind == "vector":
            self._texts(place, ", ", object_, "rex_size = (", count, ")")

    def _swap(self, container: Container, one: Text, other: Text, place: int) -> None:
        swapped = {"rex_elements": self.w.types.declare(container.element, "*")}
        if container.kind == "vector":
            swapped["rex_size"] = "int "
        self.out.put("({ ", place)
        for member, kind in swapped.items():
            kept = self.w.fresh("rex_kept")
            self._texts(place, f"{kind}{kept} = ", one, f"{member}; ", one, f"{member} = ", other, f"{member}; ")
            self._texts(place, other, f"{member} = {kept}; ")
        self.out.put("0; })", place)

    # -- functions of the library -------------------------------------------------------------------------------------

    def write_library_call(self, target: Any, arguments: Sequence[Any], cursor: Any) -> bool:
        """Write a call of a function template of the library that has a form in C."""
        name, place = str(target.spelling), self.unit.extent(cursor)[0]
        parent = target.semantic_parent
        if parent is None or parent.kind != self.k.NAMESPACE:
            return False
        if name in _MOVES and len(arguments) == 1:
            self._expression(arguments[0])
        elif name == "swap" and len(arguments) == 2:
            self._swap_any(arguments, place)
        elif name in _OVER_RANGES and len(arguments) >= 2:
            self._over_range(name, arguments, cursor)
        elif name == "make_unique" and self.w.types.container_of(cursor.type) is None:
            raise CannotWriteError
        else:
            return False
        return True

    def values_of_library_call(self, cursor: Any) -> list[Any] | None:
        """The numbers that a call of the library reads, such as ``std::cout << x[i]``. None if it may do something
        else: call functions of the user's, write to variables, or keep pointers."""
        cursor = self.inner(cursor)
        is_call = cursor.kind == self.k.CALL_EXPR and self.container_call(cursor) is None
        return self._values_of_arguments(cursor) if is_call else None

    def _values_in(self, cursor: Any) -> list[Any] | None:
        """The numbers that the library reads where it gets an expression."""
        cursor = self.inner(cursor)
        kind = cursor.type.get_canonical()
        kind = kind.get_pointee().get_canonical() if kind.get_pointee().kind != self.t.INVALID else kind
        is_number = self.t.BOOL.value <= cursor.type.get_canonical().kind.value <= self.t.LONGDOUBLE.value
        if cursor.kind == self.k.CALL_EXPR and self.container_call(cursor) is None:
            return self._values_of_arguments(cursor)
        if is_number:
            return [cursor]
        if cursor.kind == self.k.STRING_LITERAL:
            return []
        if cursor.kind not in (self.k.DECL_REF_EXPR, self.k.MEMBER_REF_EXPR) or cursor.referenced is None:
            return None
        of_library = kind.kind == self.t.RECORD and not libclang.is_users(kind.get_declaration())
        is_other = not libclang.is_users(cursor.referenced) and cursor.referenced.kind != self.k.PARM_DECL
        return [] if is_other or (of_library and self.w.types.container_of(kind) is None) else None

    def _values_of_arguments(self, cursor: Any) -> list[Any] | None:
        """The numbers that the arguments of a call of the library read, or None if that may change some."""
        target = cursor.referenced
        if target is None or libclang.is_users(target):
            return None
        callee = self.inner(next(iter(libclang.children(cursor)), cursor))
        given = [*(libclang.children(callee) if callee.kind == self.k.MEMBER_REF_EXPR else ()), *cursor.get_arguments()]
        taken = [parameter.type.get_canonical() for parameter in target.get_arguments()]
        found: list[Any] = []
        for number, one in enumerate(given, len(taken) - len(given)):  # in front of the arguments is an object
            values = self._values_in(one)
            taking = taken[number] if number >= 0 else None
            is_changed = taking is not None and taking.kind == self.t.LVALUEREFERENCE and not _is_const(taking)
            if values is None or (is_changed and values == [self.inner(one)]):
                return None
            found += values
        return found

    def give_to_library(self, call: str, values: Sequence[Any], place: int) -> None:
        """A call of a function of the system that does nothing but to read some numbers."""
        self.out.put(f"{call[:-1]}0", place)
        for value in values:
            self.out.put(", ", place)
            self.expression(value)
        self.out.put(")", place)

    def _swap_any(self, arguments: Sequence[Any], place: int) -> None:
        kind = arguments[0].type.get_canonical()
        container = self.w.types.container_of(kind)
        calls = [_Call(self.inner(one), container, "swap", ()) for one in arguments] if container is not None else []
        if container is not None and container.kind != "array":
            self._swap(container, self._object(calls[0]), self._object(calls[1]), place)
            return
        if kind.kind == self.t.RECORD:
            raise CannotWriteError
        sides = []
        for one in arguments:
            before, self.out = self.out, Text()
            self._expression(one)
            sides.append(self.out)
            self.out = before
        kept = self.w.fresh("rex_kept")
        self.out.put(f"({{ {self.w.types.declare(kind, kept)} = ", place)
        self._texts(place, sides[0], "; ", sides[0], " = ", sides[1], "; ", sides[1], f" = {kept}; 0; }})")

    def _over_range(self, name: str, arguments: Sequence[Any], cursor: Any) -> None:
        """An algorithm over all elements of a container."""
        ends = [self._iterator(one) for one in arguments[:2]]
        first, last = ends
        if first is None or last is None or first.name not in ("begin", "cbegin") or last.name not in ("end", "cend"):
            raise CannotWriteError
        one, other = (self.unit.text[slice(*self.unit.extent(end.base))] for end in (first, last))
        if one != other or any(c.kind == self.k.LAMBDA_EXPR for a in arguments[2:] for c in a.walk_preorder()):
            raise CannotWriteError
        place = self.unit.extent(cursor)[0]
        is_number = self.t.BOOL.value <= cursor.type.get_canonical().kind.value <= self.t.LONGDOUBLE.value
        writes = _OVER_RANGES[name]
        if not writes and not is_number:
            raise CannotWriteError
        self.out.put("(" * (not writes), place)
        self._over_all(first, self._object(first), place, None, writes)
        self.out.put(f", {self.w.some_value(cursor.type)})" if not writes else "", place)

    def _iterator(self, cursor: Any) -> _Call | None:
        """The call of ``begin`` or ``end`` that an expression is, perhaps with a copy around it."""
        cursor = self.inner(cursor)
        while cursor.kind == self.k.CALL_EXPR and cursor.referenced is not None:
            if cursor.referenced.kind != self.k.CONSTRUCTOR:
                return self.container_call(cursor)
            arguments = list(cursor.get_arguments())
            if len(arguments) != 1:
                return None
            cursor = self.inner(arguments[0])
        return None

    def is_integer(self, cursor: Any) -> bool:
        number = cursor.type.get_canonical().kind.value
        return bool(self.t.BOOL.value <= number <= self.t.INT128.value)


def _is_const(reference: Any) -> bool:
    return bool(reference.get_pointee().is_const_qualified())
