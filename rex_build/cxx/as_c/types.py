"""The types of a C++ unit's tree in C, with the containers of the standard library in a form that C's warnings know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...tree import types
from ...tree.types import Member, RecordInfo, Type
from .. import libclang
from ..mappers import mapper_for
from .reading import HostReader
from .text import CannotWriteError

# The classes of the standard library that have a form in C. An ``iterator`` is a pointer to an element.
_CONTAINERS = {"std::vector": "vector", "std::array": "array", "std::unique_ptr": "owner", "std::shared_ptr": "owner",
               "__gnu_cxx::__normal_iterator": "iterator"}  # fmt: skip
_PLAIN = ("std::pair<", "std::complex<")  # whose members are as they seem
_INTEGERS = {1: "char", 2: "short", 4: "int", 8: "long", 16: "__int128"}
_FLOATS = {24: "float", 53: "double", 64: "long double"}


class Container(NamedTuple):
    """A container: its ``kind``, the type of its elements, and how many an array has. It is ``plain`` if its memory is
    that of ``new`` and ``delete``, and has no other owner."""

    kind: str
    element: Type
    length: int | None
    plain: bool


class Types:
    """The types in C, and the definitions of those that need one."""

    def __init__(self, reader: HostReader) -> None:
        self._reader = reader
        self._records: dict[RecordInfo, str] = {}
        self._names: dict[int, str] = {}  # of members, by identity
        self._containers: dict[RecordInfo, Container | None] = {}
        self.definitions: list[str] = []

    def declare(self, t: Type, name: str) -> str:
        """``type name`` in C. A reference is a pointer."""
        if isinstance(t, types.Record) and (found := self.container(t)) is not None and found.kind == "iterator":
            t = types.Pointer(found.element)
        const, volatile = "const " * t.const, "volatile " * t.volatile
        if isinstance(t, types.Pointer):
            if isinstance(t.to, types.Function):
                return f"void *{name}"  # what is called through it, nobody follows
            inner = f"*{const}{volatile}{name}"
            return self.declare(t.to, f"({inner})" if isinstance(t.to, types.Array) else inner)
        if isinstance(t, types.Array) and (t.length is None or isinstance(t.length, int)):
            return self.declare(t.of, f"{name}[{'' if t.length is None else t.length}]")
        return f"{const}{volatile}{self._word(t)} {name}"

    def _word(self, t: Type) -> str:
        if isinstance(t, types.Void):
            return "void"
        if isinstance(t, types.Record):
            return self.record(t.info)
        if isinstance(t, types.Integer):
            word = "_Bool" if t.boolean else _INTEGERS[t.size]
            return word if t.boolean or (t.signed and t.size > 1) else f"{'signed' if t.signed else 'unsigned'} {word}"
        if isinstance(t, types.Floating) and t.digits in _FLOATS:
            return _FLOATS[t.digits]
        if isinstance(t, types.Complex):
            return f"{self._word(t.of)} _Complex"
        raise CannotWriteError

    # -- records ----------------------------------------------------------------------------------------------------

    def record(self, info: RecordInfo) -> str:
        if info not in self._records:
            name = f"{'union' if info.union else 'struct'} rex_record_{len(self._records)}"
            self._records[info] = name
            try:
                self.definitions.append(f"{name} {{ {self._body(info)} }};\n")
            except CannotWriteError:
                self._records[info] = ""
        if not self._records[info]:
            raise CannotWriteError
        return self._records[info]

    def _body(self, info: RecordInfo) -> str:
        """The members of a class. One that has others than C has them as bytes."""
        if not info.size:
            raise CannotWriteError
        found = self.container(types.Record(info))
        if found is not None and found.kind != "iterator":
            if found.kind == "array":
                return f"{self.declare(found.element, f'rex_elements[{found.length}]')};"
            body = f"{self.declare(found.element, '*rex_elements')};" + " int rex_size;" * (found.kind == "vector")
            rest = info.size // 8 - body.count(";")
            return body + f" unsigned long rex_rest[{rest}];" * (rest > 0)
        if self.is_users(info) or self.spelling(info).startswith(_PLAIN):
            try:
                names = self._member_names(info)
                return " ".join(self._with_gaps(info, names)) or f"char rex_bytes[{info.size}];"
            except CannotWriteError:
                for member in info.members:
                    self._names.pop(id(member), None)
        return f"char rex_bytes[{info.size}];"

    def _with_gaps(self, info: RecordInfo, names: list[str]) -> Iterator[str]:
        """The declarations of members. What stands between them, such as the table of virtual functions, is bytes."""
        end = 0
        for member, name in zip(info.members, names, strict=True):
            if member.bits is None and not info.union:
                if member.offset >= end + 8:
                    yield f"char rex_gap_{member.offset}[{member.offset - end}];"
                end = member.offset + (member.type.size or 0)
            yield self._declared(member, name)

    def _declared(self, member: Member, name: str) -> str:
        if not name:
            assert isinstance(member.type, types.Record)
            inner = member.type.info
            body = " ".join(self._with_gaps(inner, self._member_names(inner)))
            return f"{'union' if inner.union else 'struct'} {{ {body} }};"
        return f"{self.declare(member.type, name)}{f' : {member.bits}' if member.bits is not None else ''};"

    def _member_names(self, info: RecordInfo) -> list[str]:
        names = []
        held = self._reader.names_of_captures(info)
        for number, one in enumerate(info.members):
            unnamed = "" if isinstance(one.type, types.Record) else f"rex_held_{number}"
            name = f"rex_base_{number}" if one.base else one.name or held.get(one, unnamed)
            self._names[id(one)] = name
            names.append(name)
        return names

    def member(self, whole: Type, member: Member) -> str:
        """The name of a member in C; empty for an unnamed record, whose members C names as if they were the outer's."""
        if isinstance(whole, types.Record):
            self.record(whole.info)
            if (found := self.container(whole)) is not None:
                if found.kind == "array":
                    return "rex_elements"
                raise CannotWriteError
        if id(member) not in self._names:
            raise CannotWriteError
        return self._names[id(member)]

    def spelling(self, info: RecordInfo) -> str:
        return str(self._reader.types.cursor(info).type.get_canonical().spelling)

    def is_users(self, info: RecordInfo) -> bool:
        return libclang.is_users(self._reader.types.cursor(info))

    def mappers(self) -> Iterator[str]:
        """A mapper in C for each type that has one in the unit. What it maps is not said."""
        unit = self._reader.unit
        names = sorted({name for _, name in unit.mappers})
        for info, record in self._records.items():
            kind = self._reader.types.cursor(info).type.get_canonical()
            for name in names if record else ():
                if mapper_for(unit, kind, name, len(unit.text)) is not None:
                    yield f"#pragma omp declare mapper({name}: {record} v) map(v)\n"

    # -- containers -------------------------------------------------------------------------------------------------

    def container(self, t: Type) -> Container | None:
        """The container of the standard library that a type is."""
        if not isinstance(t, types.Record):
            return None
        if t.info not in self._containers:
            self._containers[t.info] = self._find_container(t.info)
        return self._containers[t.info]

    def _find_container(self, info: RecordInfo) -> Container | None:
        kind: Any = self._reader.types.cursor(info).type.get_canonical()
        form = _CONTAINERS.get(kind.spelling.partition("<")[0])
        size = info.size or 0
        if form is None or "<" not in kind.spelling:
            return None
        first, other = kind.get_template_argument_type(0), kind.get_template_argument_type(1).spelling
        element = self._reader.types.type(first)
        if form == "iterator":
            return Container(form, element.to, None, True) if isinstance(element, types.Pointer) else None
        if isinstance(element, types.Unknown) or (isinstance(element, types.Integer) and element.boolean):
            return None
        if form == "vector":
            return Container(form, element, None, other.startswith("std::allocator<")) if size >= 16 else None
        if form == "array":
            width = element.size or 0
            return Container(form, element, size // width, True) if 0 < width <= size else None
        if isinstance(element, types.Array):
            element = element.of
        plain = kind.spelling.startswith("std::unique_ptr<") and other.startswith("std::default_delete<") and size == 8
        return Container(form, element, None, plain) if size in (8, 16) else None
