"""Objects of classes in C: what their constructors and destructors do."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from . import libclang
from .c_expressions import Expressions
from .c_text import Container, Text


class Objects(Expressions):
    """Writes how objects of classes begin and end their lives."""

    def set_members(self, record: Any, object_: str, place: int, listed: Collection[str] = ()) -> None:
        """The members that have values in their class."""
        declaration = record.get_declaration()
        for child in libclang.children(declaration):
            if child.kind == self.k.CXX_BASE_SPECIFIER:
                self.set_members(child.type.get_canonical(), object_, place, listed)
        for field in record.get_fields():
            text = self.unit.text[slice(*self.unit.extent(field))] if libclang.is_users(field) else ""
            known = field.spelling in self.w.types.members(record) and field.spelling not in listed
            aggregate = field.type.get_canonical().kind in (self.t.RECORD, self.t.CONSTANTARRAY)
            if not known or aggregate or re.search(r"[={]", text) is None:
                continue
            values = [c for c in libclang.children(field) if c.kind.is_expression()][-1:]
            if values and values[0].kind == self.k.INIT_LIST_EXPR:
                values = libclang.children(values[0])
            self.out.put(f"{object_}{field.spelling} = ", place)
            if values:
                with self.of_class(record):
                    self.expression(values[0])
            else:
                self.out.put(f"{self.w.unknown(field.type)}()", place)
            self.out.put("; ", place)

    def end_of(self, name: str, record: Any) -> list[str]:
        """The calls that end the life of an object, of its members, and of what it is derived from."""
        if (container := self.w.types.container_of(record)) is not None:
            return self._end_of_container(name, container)
        declaration = record.get_declaration()
        if not libclang.is_users(declaration) or declaration.kind == self.k.UNION_DECL:
            return []
        found: list[str] = []
        children = libclang.children(declaration)
        for child in children:
            if child.kind == self.k.DESTRUCTOR and libclang.is_users(child) and self.w.definition(child) is not None:
                found.append(f"{self.w.name_of(child)}({address_of(name)}); ")
        from clang import cindex

        general = cindex.conf.lib.clang_getSpecializedCursorTemplate(declaration)
        for child in libclang.children(general) if general is not None else ():
            if child.kind == self.k.DESTRUCTOR:
                found.append(f"{self.w.end_of_instance(child, record)}({address_of(name)}); ")
        known = self.w.types.members(record)
        for field in reversed(list(record.get_fields())):
            if field.spelling in known and field.type.get_canonical().kind == self.t.RECORD:
                found += self.end_of(f"{name}.{field.spelling}", field.type.get_canonical())
        for child in reversed(children):
            if child.kind == self.k.CXX_BASE_SPECIFIER:
                found += self.end_of(name, child.type.get_canonical())
        return found

    def _end_of_container(self, name: str, container: Container) -> list[str]:
        if container.kind == "array":
            return []
        if not container.plain:
            return [f"{self.w.unknown('void')}({name}.rex_elements); "]
        self.w.library.setdefault("free", "void free(void *rex_0)")
        kind = container.element.get_canonical()
        owns = (container.kind, kind.kind) == ("owner", self.t.RECORD)
        return [*(self.end_of(f"(*{name}.rex_elements)", kind) if owns else ()), f"free({name}.rex_elements); "]

    def default_construct(self, name: str, place: int, kind: Any) -> None:
        """The construction of an object without arguments."""
        if (container := self.w.types.container_of(kind)) is not None:
            if container.kind == "owner":
                self.out.put(f"{name}.rex_elements = 0; ", place)
            return
        declaration = kind.get_declaration()
        if not libclang.is_users(declaration) or declaration.kind == self.k.UNION_DECL:
            return
        children = libclang.children(declaration)
        written = [c for c in children if c.kind == self.k.CONSTRUCTOR and not list(c.get_arguments())]
        if written and self.w.definition(written[0]) is not None:
            self.out.put(f"{self.w.name_of(written[0])}({address_of(name)}); ", place)
        elif any(c.kind == self.k.CONSTRUCTOR and c.is_default_constructor() for c in children) and not written:
            self.out.put(f"{self.w.unknown('void')}({address_of(name)}); ", place)  # all of its parameters have values
        else:
            self.set_members(kind, f"{name}.", place)
            self.construct_members(kind, f"{name}.", place)

    def construct_members(self, record: Any, object_: str, place: int, listed: Collection[str] = ()) -> None:
        """The bases and members of classes for which nothing else is written."""
        for child in libclang.children(record.get_declaration()):
            if child.kind == self.k.CXX_BASE_SPECIFIER and child.type.get_declaration().spelling not in listed:
                name = "(*this)" if object_ == "this->" else object_.removesuffix(".")
                self.default_construct(name, place, child.type.get_canonical())
        known = self.w.types.members(record)
        for field in record.get_fields():
            if field.spelling in known and field.spelling not in listed:
                text = self.unit.text[slice(*self.unit.extent(field))] if libclang.is_users(field) else ""
                kind = field.type.get_canonical()
                values = [c for c in libclang.children(field) if c.kind.is_expression()][-1:]
                if kind.kind == self.t.RECORD and values and re.search(r"[={]", text) is not None:
                    self.construct(f"{object_}{field.spelling}", place, kind, values[0])
                elif kind.kind == self.t.RECORD:
                    self.default_construct(f"{object_}{field.spelling}", place, kind)
                elif kind.kind == self.t.CONSTANTARRAY and re.search(r"[={]", text) is not None:
                    self._fill(f"{object_}{field.spelling}", kind, place)

    def _fill(self, name: str, kind: Any, place: int) -> None:
        """All numbers in an array get values."""
        element = kind.element_type.get_canonical()
        at = self.w.fresh("rex_at")
        if element.kind == self.t.RECORD:
            self.out.put(f"{self.w.unknown('void')}({name}); ", place)
            return
        self.out.put(f"for (int {at} = 0; {at} < {kind.element_count}; ++{at}) {{ ", place)
        if element.kind == self.t.CONSTANTARRAY:
            self._fill(f"{name}[{at}]", element, place)
        else:
            self.out.put(f"{name}[{at}] = {self.w.some_value(element)}; ", place)
        self.out.put("} ", place)

    def leave(self, place: int, scopes: int, returned: str = "") -> None:
        """The ends of the objects in all scopes but the outer ones, where a statement leaves these scopes. What is
        returned goes on to live."""
        for calls in reversed(self.objects[scopes:]):
            for call in reversed(calls):
                name = re.search(r"\([&(*]*(\w+)", call)
                if name is None or not re.search(rf"\b{name[1]}\b", returned):
                    self.out.put(call, place)

    def initialise_member(self, member: Any, value: Any) -> None:
        place = self.unit.extent(member)[0]
        kind, name = member.type.get_canonical(), f"this->{member.spelling}"
        if kind.kind == self.t.RECORD:
            if member.spelling in self.fields:
                self.construct(name, place, kind, value)
            return
        if kind.kind == self.t.CONSTANTARRAY:
            self._fill(name, kind, place)
            return
        self.out.put(f"{name} = ", place)
        inner = libclang.children(value) if value.kind == self.k.INIT_LIST_EXPR else [value]
        if kind.kind in (self.t.LVALUEREFERENCE, self.t.RVALUEREFERENCE):
            self.address(inner[0])
        elif inner:
            self.expression(inner[0])
        else:
            self.out.put("0", place)
        self.out.put("; ", place)

    def _construct_container(self, name: str, place: int, container: Container, value: Any) -> None:
        called = value.referenced if value.kind == self.k.CALL_EXPR else None
        arguments = list(value.get_arguments()) if value.kind == self.k.CALL_EXPR else []
        constructor = called if called is not None and called.kind == self.k.CONSTRUCTOR else None
        object_, count = Text(), Text()
        object_.put(f"{name}.", place)
        before, self.out = self.out, count
        if container.kind == "vector" and constructor and container.plain:
            if arguments and self.is_integer(arguments[0]):
                self.expression(arguments[0])
            elif arguments and not constructor.is_move_constructor():
                listed = [c for c in arguments[0].walk_preorder() if c.kind == self.k.INIT_LIST_EXPR]
                count.put(str(len(libclang.children(listed[0]))) if listed else self.w.some_value("int"), place)
        elif container.kind == "owner" and called is not None and called.spelling.startswith("make_"):
            if not arguments or ("[]" not in value.type.spelling and self._is_number_type(container.element)):
                count.put("1", place)
            elif self.is_integer(arguments[0]) and "[]" in value.type.spelling:
                self.expression(arguments[0])
            elif (made := self._constructor(container.element.get_canonical(), len(arguments))) is not None:
                self.out = before
                count.put("1", place)
                self.allocate(container, object_, count, place)
                self.out.put("; ", place)
                self.call_of(made, arguments, value, f"{name}.rex_elements")
                self.out.put("; ", place)
                return
        self.out = before
        if str(count):
            self.allocate(container, object_, count, place)
        elif container.kind == "owner" and constructor and arguments and arguments[0].type.get_pointee().kind.value:
            self.out.put(f"{name}.rex_elements = ", place)
            self.expression(arguments[0])
        elif constructor and not arguments:
            self.default_construct(name, place, value.type.get_canonical())
            return
        else:
            self.out.put(f"{self.w.unknown('void')}({address_of(name)}", place)
            self.mentioned(value)
            self.out.put(")", place)
        self.out.put("; ", place)

    def _is_number_type(self, kind: Any) -> bool:
        return bool(self.t.BOOL.value <= kind.get_canonical().kind.value <= self.t.LONGDOUBLE.value)

    def _constructor(self, kind: Any, arguments: int) -> Any | None:
        """The constructor of a class that takes a number of arguments, if there is one only."""
        declaration = kind.get_declaration()
        found = [c for c in libclang.children(declaration) if c.kind == self.k.CONSTRUCTOR]
        found = [c for c in found if len(list(c.get_arguments())) == arguments]
        known = len(found) == 1 and libclang.is_users(found[0]) and self.w.definition(found[0]) is not None
        return found[0] if known else None

    def construct(self, name: str, place: int, kind: Any, value: Any) -> None:
        """The construction of an object."""
        value = self.inner(value)
        container = self.w.types.container_of(kind)
        called = value.referenced if value.kind == self.k.CALL_EXPR else None
        constructor = called is not None and called.kind == self.k.CONSTRUCTOR
        arguments = list(value.get_arguments()) if value.kind == self.k.CALL_EXPR else []
        if container is not None and container.kind == "array":
            if value.kind == self.k.INIT_LIST_EXPR:
                self.out.put(f"{name} = ({self.w.types.record(kind)}){{0}}; ", place)
                return
        elif container is not None:
            self._construct_container(name, place, container, value)
            return
        if constructor and libclang.is_users(called) and self.w.definition(called) is not None:
            self.call_of(called, arguments, value, address_of(name))
            self.out.put("; ", place)
            return
        zero = value.kind == self.k.INIT_LIST_EXPR or self.unit.text[self.unit.extent(value)[1] - 1] in ")}"
        if zero and libclang.is_users(kind.get_declaration()) and (not constructor or not arguments):
            self.out.put(f"{name} = ({self.w.types.record(kind)}){{0}}; ", place)
        if constructor and not arguments:
            self.default_construct(name, place, kind)
            return
        if called is not None and constructor and len(arguments) == 1 and called.is_copy_constructor():
            self.out.put(f"{name} = ", place)
            self.expression(arguments[0])
            self.out.put("; ", place)
            return
        if value.kind == self.k.INIT_LIST_EXPR and libclang.is_users(kind.get_declaration()):
            self.set_members(kind, f"{name}.", place)
            fields = self.w.types.fields(kind)
            for (field, field_kind), one in zip(fields, libclang.children(value), strict=False):
                if field_kind.get_canonical().kind == self.t.RECORD:
                    self.construct(f"{name}.{field}", place, field_kind.get_canonical(), one)
                    continue
                if field_kind.get_canonical().kind == self.t.CONSTANTARRAY:
                    continue
                self.out.put(f"{name}.{field} = ", place)
                self.expression(one)
                self.out.put("; ", place)
            return
        if not constructor and value.kind == self.k.CALL_EXPR:
            self.out.put(f"{name} = ", place)
            self.expression(value)
            self.out.put("; ", place)
            return
        values = self.values_of_library_call(value) if not libclang.is_users(kind.get_declaration()) else None
        if values is not None:
            self.give_to_library(self.w.some_value("int", "int rex_0, ..."), values, place)
            self.out.put("; ", place)
            return
        self.out.put(f"{self.w.unknown('void')}({address_of(name)}", place)
        self.mentioned(value)
        self.out.put("); ", place)


def address_of(name: str) -> str:
    """The address of an object in C."""
    return name[2:-1] if re.fullmatch(r"\(\*\w+\)", name) else f"&{name}"
