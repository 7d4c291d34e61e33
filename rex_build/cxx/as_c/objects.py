"""Objects of classes as C: what begins them and what ends their lives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...tree import nodes as tree
from ...tree import types
from ...tree.conversions import INT, VOID
from ...tree.symbols import Function
from ...tree.types import Pointer, Record, RecordInfo, Type
from .. import libclang
from ..reading import clang
from .calls import Calls
from .expressions import core, is_default
from .text import CannotWriteError, Text
from .types import Container


class Objects(Calls):
    """Writes how objects begin and end their lives."""

    def construct(self, place: Text, t: Type, value: tree.Expression) -> Text:
        value = core(value) or value
        container = self.w.types.container(t)
        if container is not None and container.kind != "array":
            return self._construct_container(place, container, value)
        if isinstance(value, tree.Aggregate):
            return self._aggregate(place, t, value)
        if isinstance(value, tree.Opaque) and (not value.mentions or is_default(value)):
            return self.default(place, t)
        if isinstance(value, tree.Call) and value.constructs:
            return self._constructed(place, t, value)
        if isinstance(value, tree.Opaque):
            return self._somehow(place, value)
        return Text(place, " = ", self.value(value), "; ")

    def _constructed(self, place: Text, t: Type, value: tree.Call) -> Text:
        callee = value.callee
        assert isinstance(callee, tree.FunctionAddress)
        cursor = self.w.reader.symbols.cursors[callee.function]
        address = address_of(place)
        if libclang.is_users(cursor) and self.w.body(callee.function) is not None:
            return Text(self.call_of(callee.function, value.arguments, address), "; ")
        if not value.arguments:
            return self.default(place, t)
        values = self._values_of(callee.function, (tree.Constant(INT, 0), *value.arguments))
        if values is not None and isinstance(t, Record) and not self.w.types.is_users(t.info):
            return Text(self.reading(INT, values), "; ")
        return self._somehow(place, value)

    def _somehow(self, place: Text, value: tree.Node) -> Text:
        """An object that begins in a way of which nothing is known."""
        mentioned = self.mentioned([value])
        return Text(f"{self.w.unknown(VOID)}(", address_of(place), *mentioned, "); ", place=self.at(value))

    def _aggregate(self, place: Text, t: Type, value: tree.Aggregate) -> Text:
        if not value.parts and not value.rest:
            return self.default(place, t)
        begun: list[Text] = []
        if value.rest:
            begun.append(Text(place, f" = ({self.w.types.declare(t, '')})", "{0}; "))
        for path, part in value.parts:
            inner, kind = place, t
            for step in path:
                if isinstance(step, int):
                    assert isinstance(kind, types.Array)
                    inner, kind = Text(inner, f"[{step}]"), kind.of
                else:
                    name = self.w.types.member(kind, step)
                    inner, kind = Text(inner, "." * bool(name), name), step.type
            begun.append(self._begin_part(inner, kind, part))
        return Text(*begun)

    def _begin_part(self, place: Text, t: Type, value: tree.Expression) -> Text:
        if isinstance(t, Record):
            return self.construct(place, t, value)
        if isinstance(t, types.Array):
            if not isinstance(value, tree.Aggregate):
                return Text()
            if len(value.parts) > 16 or any(len(path) != 1 for path, _ in value.parts):
                return self.fill(place, t)
            parts = [self._begin_part(Text(place, f"[{path[0]}]"), t.of, part) for path, part in value.parts]
            return Text(*([] if len(parts) == t.length else [self.fill(place, t)]), *parts)
        return Text(place, " = ", self.value(value), "; ", place=self.at(value))

    def fill(self, place: Text, t: types.Array) -> Text:
        """All numbers in an array get values."""
        if isinstance(t.of, Record):
            return Text(f"{self.w.unknown(VOID)}(", place, "); ")
        at = self.fresh("rex_at")
        inner = Text(place, f"[{at}]")
        if isinstance(t.of, types.Array):
            body = self.fill(inner, t.of)
        else:
            body = Text(inner, f" = {self.w.some_value(t.of)}(); ")
        return Text(f"for (int {at} = 0; {at} < {t.length}; ++{at}) {{ ", body, "} ")

    def default(self, place: Text, t: Type) -> Text:
        """An object begins without values."""
        if not isinstance(t, Record):
            return Text()
        if (container := self.w.types.container(t)) is not None:
            return Text(place, ".rex_elements = 0; ") if container.kind == "owner" else Text()
        if not self.w.types.is_users(t.info) or t.info.union:
            return Text()
        reader = self.w.reader
        definition = reader.types.cursor(t.info)
        made = [c for c in libclang.children(definition) if c.kind.name == "CONSTRUCTOR" and not c.is_default_method()]
        plain = [c for c in made if not list(c.get_arguments())]
        if plain and self.w.body(reader.function(plain[0])) is not None:
            return Text(self.call_of(reader.function(plain[0]), (), address_of(place)), "; ")
        if any(c.is_default_constructor() for c in made):
            return Text(f"{self.w.unknown(VOID)}(", address_of(place), "); ")  # all of its parameters have values
        return Text(*(self._default_part(place, t.info, member) for member in t.info.members))

    def _default_part(self, place: Text, info: RecordInfo, member: types.Member) -> Text:
        try:
            name = self.w.types.member(Record(info), member)
        except CannotWriteError:
            return Text()
        inner = Text(place, "." * bool(name), name)
        value = self.w.reader.value_in_class(info, member)
        return self._begin_part(inner, member.type, value) if value is not None else self.default(inner, member.type)

    # -- containers ---------------------------------------------------------------------------------------------------

    def _construct_container(self, place: Text, container: Container, value: tree.Expression) -> Text:
        elements = Text(place, ".rex_elements")
        given: tuple[tree.Expression, ...] = ()
        name = ""
        if isinstance(value, tree.Aggregate) and not value.parts:
            return Text(elements, " = 0; ") if container.kind == "owner" else Text()
        if isinstance(value, tree.Call) and isinstance(value.callee, tree.FunctionAddress):
            given, name = value.arguments, value.callee.function.name.rpartition("::")[2]
        constructs = isinstance(value, tree.Call) and value.constructs
        if (constructs and not given) or (isinstance(value, tree.Opaque) and is_default(value)):
            return self.default(place, value.type)
        if container.kind == "vector" and constructs and container.plain:
            if isinstance(given[0].type, types.Integer):
                return Text(self.allocate(container, elements, self.value(given[0])), "; ")
            return Text(self.allocate(container, elements, Text(f"{self.w.some_value(INT)}()")), "; ")
        if container.kind == "owner" and name.startswith("make_"):
            assert isinstance(value, tree.Call)
            return self._made(elements, container, value)
        if container.kind == "owner" and constructs and isinstance(given[0].type, Pointer):
            to = given[0].type.to
            if not (isinstance(to, Record) and self.w.types.container(to) is not None):
                return Text(elements, " = ", self.value(given[0]), "; ")
        if not isinstance(value, tree.Opaque | tree.Call):
            return Text(place, " = ", self.value(value), "; ")
        if container.kind == "vector" and container.plain and isinstance(value, tree.Opaque):
            return self._listed(place, container, value)
        return self._somehow(place, value)

    def _listed(self, place: Text, container: Container, value: tree.Opaque) -> Text:
        """A vector whose elements stand in braces."""
        origin = value.origin
        nodes = [origin, *libclang.descendants(origin)] if origin is not None else []
        listed = next((n for n in nodes if n.kind.name == "INIT_LIST_EXPR"), None)
        if listed is None:
            return self._somehow(place, value)
        count = Text(str(len(libclang.children(listed))))
        return Text(self.allocate(container, Text(place, ".rex_elements"), count), "; ")

    def _made(self, elements: Text, container: Container, value: tree.Call) -> Text:
        """What ``make_unique`` and ``make_shared`` give."""
        kind: Any = value.origin.type.get_canonical().spelling if value.origin is not None else ""
        given = value.arguments
        if "[]" in kind:
            return Text(self.allocate(container, elements, self._operand(given[0])), "; ")
        begun = Text()
        if isinstance(container.element, Record) and given:
            found = self._constructor(container.element.info, len(given))
            if found is None:
                raise CannotWriteError
            begun = Text(self.call_of(found, list(self._forwarded(found, given)), elements), "; ")
        return Text(self.allocate(container, elements, Text("1")), "; ", begun)

    @staticmethod
    def _forwarded(function: Function, given: Sequence[tree.Expression]) -> Iterator[tree.Expression]:
        """What a constructor gets of arguments that are passed on by references."""
        kind = function.type
        assert isinstance(kind, types.Function)
        for taking, one in zip((kind.parameters or ())[1:], given, strict=False):
            inner = one.place if isinstance(one, tree.AddressOf) else None
            if isinstance(taking, Pointer) and taking.reference:
                yield one
            elif isinstance(inner, tree.Temporary):
                yield inner.initialiser
            else:
                yield tree.Load(taking, inner or tree.Pointee(taking, one))

    def _constructor(self, info: RecordInfo, arguments: int) -> Function | None:
        """The constructor of a class that takes a number of arguments, if there is one only."""
        children = libclang.children(self.w.reader.types.cursor(info))
        found = [c for c in children if c.kind.name == "CONSTRUCTOR" and len(list(c.get_arguments())) == arguments]
        function = self.w.reader.function(found[0]) if len(found) == 1 else None
        return function if function is not None and self.w.body(function) is not None else None

    # -- ends ---------------------------------------------------------------------------------------------------------

    def ends(self, place: Text, t: Type) -> list[Text]:
        if not isinstance(t, Record):
            return []
        if (container := self.w.types.container(t)) is not None:
            return self._ends_of_container(place, container)
        reader = self.w.reader
        if not self.w.types.is_users(t.info) or t.info.union:
            return []
        cursor = reader.types.cursor(t.info)
        found: list[Text] = []
        general = clang.template_of(cursor)
        for child in libclang.children(cursor if general is None else general.get_definition() or general):
            if child.kind.name == "DESTRUCTOR" and not child.is_default_method():
                function = reader.function(child)
                record = t.info if general is not None else None
                if self.w.body(function, record) is not None:
                    name = self.w.name_of(function, record)
                    found.append(Text(f"{name}(", address_of(place), "); "))
        for member in sorted(t.info.members, key=lambda one: one.base):
            if isinstance(member.type, Record):
                found += self._ends_of_part(place, t, member)
        return found

    def _ends_of_part(self, place: Text, t: Type, member: types.Member) -> list[Text]:
        try:
            name = self.w.types.member(t, member)
        except CannotWriteError:
            return []
        return self.ends(Text(place, "." * bool(name), name), member.type)

    def _ends_of_container(self, place: Text, container: Container) -> list[Text]:
        if container.kind in ("array", "iterator"):
            return []
        elements = Text(place, ".rex_elements")
        if not container.plain:
            return [Text(f"{self.w.unknown(VOID)}(", elements, "); ")]
        free = Text(f"{self.w.declare_library('free')}(", elements, "); ")
        owned = container.kind == "owner" and isinstance(container.element, Record)
        return [*(self.ends(Text("(*", elements, ")"), container.element) if owned else ()), free]


def address_of(place: Text) -> Text:
    """The address of a place."""
    text = str(place)
    return Text(text[2:-1]) if text.startswith("(*") and text[2:-1].isidentifier() else Text("&", place)
