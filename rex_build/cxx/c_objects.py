"""Objects of classes in C: what their constructors and destructors do."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from . import libclang
from .c_expressions import Expressions


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
                self.expression(values[0])
            else:
                self.out.put(f"{self.w.unknown(field.type)}()", place)
            self.out.put("; ", place)

    def end_of(self, name: str, record: Any) -> list[str]:
        """The calls that end the life of an object."""
        if self.w.types.elements_of(record) is not None:
            self.w.library.setdefault("free", "void free(void *rex_0)")
            return [f"free({name}.rex_elements); "]
        found: list[str] = []
        from clang import cindex

        declaration = record.get_declaration()
        general = cindex.conf.lib.clang_getSpecializedCursorTemplate(declaration)
        if general is not None and any(c.kind == self.k.DESTRUCTOR for c in libclang.children(general)):
            return [f"{self.w.unknown('void')}(&{name}); "]  # libclang does not have that of an instantiation
        for child in libclang.children(declaration):
            if child.kind == self.k.DESTRUCTOR and libclang.is_users(child) and self.w.definition(child) is not None:
                found.insert(0, f"{self.w.name_of(child)}(&{name}); ")
            elif child.kind == self.k.CXX_BASE_SPECIFIER:
                found += self.end_of(name, child.type.get_canonical())
        return found

    def leave(self, place: int, scopes: int, returned: str = "") -> None:
        """The ends of the objects in all scopes but the outer ones, where a statement leaves these scopes. What is
        returned goes on to live."""
        for calls in reversed(self.objects[scopes:]):
            for call in reversed(calls):
                name = re.search(r"\(&?(\w+)", call)
                if name is None or not re.search(rf"\b{name[1]}\b", returned):
                    self.out.put(call, place)

    def initialise_member(self, member: Any, value: Any) -> None:
        place = self.unit.extent(member)[0]
        self.out.put(f"this->{member.spelling} = ", place)
        self.expression(value)
        self.out.put("; ", place)

    def construct(self, name: str, place: int, kind: Any, value: Any) -> None:
        """The construction of an object."""
        value = self.inner(value)
        element = self.w.types.elements_of(kind)
        called = value.referenced if value.kind == self.k.CALL_EXPR else None
        constructor = called is not None and called.kind == self.k.CONSTRUCTOR
        arguments = list(value.get_arguments()) if value.kind == self.k.CALL_EXPR else []
        if element is not None:
            if constructor and len(arguments) in (1, 2, 3) and self._is_integer(arguments[0]):
                self.out.put(f"{name}.rex_elements = ({self.w.types.declare(element, '*')})calloc((", place)
                self.w.library.setdefault("calloc", "void *calloc(unsigned long rex_0, unsigned long rex_1)")
                self.expression(arguments[0])
                self.out.put(f"), {element.get_size()}); ", place)
            elif not (constructor and not arguments):
                self.out.put(f"{self.w.unknown('void')}(&{name}); ", place)
            return
        if constructor and libclang.is_users(called) and self.w.definition(called) is not None:
            self.call_of(called, arguments, value, f"&{name}")
            self.out.put("; ", place)
            return
        zero = value.kind == self.k.INIT_LIST_EXPR or self.unit.text[self.unit.extent(value)[1] - 1] in ")}"
        if zero and libclang.is_users(kind.get_declaration()) and (not constructor or not arguments):
            self.out.put(f"{name} = ({self.w.types.record(kind)}){{0}}; ", place)
        if constructor and not arguments:
            if libclang.is_users(kind.get_declaration()):
                self.set_members(kind, f"{name}.", place)
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
                if field_kind.get_canonical().kind in (self.t.RECORD, self.t.CONSTANTARRAY):
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
        self.out.put(f"{self.w.unknown('void')}(&{name}", place)
        self.mentioned(value)
        self.out.put("); ", place)

    def _is_integer(self, cursor: Any) -> bool:
        number = cursor.type.get_canonical().kind.value
        return bool(self.t.BOOL.value <= number <= self.t.INT128.value)
