"""C text that is made of a C++ unit, with the places of its parts, and the types of the unit in C."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

from ..base.patterns import regex
from ..base.records import dataclass
from ..base.spans import SourceSpan, source_lines
from ..c.source.pragma_places import PragmaPlaces, joined_lines, pragma_places
from ..c.source.preprocess import Preprocessed
from . import libclang
from .mappers import mapper_for
from .unit import Unit


class CannotWriteError(Exception):
    """A part of a function has no form in C here."""


class Text:
    """C text with the offset in the C++ unit of each part of it. Parts that were copied have consecutive offsets.

    An expression is made of its operands' texts, at thousands of levels. So a text refers to those that were added, and
    its pieces are laid out when somebody asks for them.
    """

    def __init__(self) -> None:
        self._parts: list[_Piece | Text] = []
        self._laid_out: tuple[list[_Piece], list[int]] | None = None

    def put(self, text: str, place: int, copied: bool = False) -> None:
        if text:
            self._parts.append(_Piece(text, place, copied))
            self._laid_out = None

    def add(self, other: Text) -> None:
        """Add a text, which does not change any more."""
        self._parts.append(other)
        self._laid_out = None

    def _layout(self) -> tuple[list[_Piece], list[int]]:
        """(the pieces, where they start)"""
        if self._laid_out is None:
            pieces: list[_Piece] = []
            stack: list[_Piece | Text] = [self]
            while stack:
                part = stack.pop()
                if isinstance(part, Text):
                    stack += reversed(part._parts)
                else:
                    pieces.append(part)
            starts = [0, *accumulate(len(piece.text) for piece in pieces)]
            self._laid_out = pieces, starts[:-1]
        return self._laid_out

    def place(self, offset: int) -> int:
        pieces, starts = self._layout()
        at = max(0, bisect_right(starts, offset) - 1)
        return pieces[at].place + (offset - starts[at] if pieces[at].copied else 0)

    def __str__(self) -> str:
        return "".join(piece.text for piece in self._layout()[0])


class _Piece(NamedTuple):
    text: str
    place: int
    copied: bool


@dataclass(frozen=True)
class WrittenInC(Preprocessed):
    """The text, with the places of its parts in the C++ unit, which is the ``source``, by ``written``. Its lines follow
    declarations of the system's functions, of which those that nothing reaches are taken out."""

    source: Preprocessed | None = None
    written: Text | None = None

    @cached_property
    def _starts(self) -> list[int]:
        """Where the lines of ``written`` begin."""
        return [0, *(found.end() for found in re.finditer("\n", str(self.written)))]

    def _place(self, line: int, column: int) -> int:
        assert self.written is not None
        _, number = self.origin_of(line)
        return self.written.place(self._starts[min(number, len(self._starts)) - 1] + column - 1)

    def span_at(self, line: int, column: int) -> SourceSpan:
        assert self.source is not None
        return self.source.span_at(*self.source.place_at(self._place(line, column)))

    def pragma_places(self, line: int, text: str) -> PragmaPlaces:
        assert self.source is not None
        origin, number = self.source.origin_of(self.source.line_at(self._place(line, 1)))
        return pragma_places(origin.file, joined_lines(source_lines(origin.file), number), text)


_PARAMETER = regex(r"type-parameter-0-(\d+)")
# The classes of the standard library that have a form in C.
_CONTAINERS = {"std::vector": "vector", "std::array": "array", "std::unique_ptr": "owner", "std::shared_ptr": "owner"}


class Container(NamedTuple):
    """A container: its ``kind``, the type of its elements, and how many an array has. It is ``plain`` if its memory is
    that of ``new`` and ``delete``, and has no other owner."""

    kind: str
    element: Any
    length: int | None
    plain: bool


class Types:
    """The types of a unit in C, and the definitions of those that need one."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._records: dict[str, str] = {}
        self._kinds: dict[str, Any] = {}
        self._members: dict[str, set[str]] = {}
        self._containers: dict[str, Container | None] = {}
        self.definitions: list[str] = []
        self.arguments: Any = None  # the class that has the types which template parameters stand for

    def declare(self, kind: Any, name: str) -> str:
        """``type name`` in C. A reference is a pointer. Raises CannotWriteError."""
        t = self._unit.types
        kind = kind.get_canonical()
        const = "const " if kind.is_const_qualified() else ""
        if kind.kind == t.POINTER or kind.kind in (t.LVALUEREFERENCE, t.RVALUEREFERENCE):
            inner = kind.get_pointee()
            if inner.get_canonical().kind == t.FUNCTIONPROTO:
                raise CannotWriteError
            star = f"*{const}{name}"
            return self.declare(inner, f"({star})" if inner.get_canonical().kind == t.CONSTANTARRAY else star)
        if kind.kind == t.CONSTANTARRAY:
            return self.declare(kind.element_type, f"{name}[{kind.element_count}]")
        if kind.kind == t.INCOMPLETEARRAY:
            return self.declare(kind.element_type, f"{name}[]")
        if kind.kind == t.RECORD:
            return f"{const}{self.record(kind)} {name}"
        if kind.kind == t.ENUM:
            return f"{const}{self.declare(kind.get_declaration().enum_type, name)}"
        number = kind.kind.value
        if kind.kind == t.VOID or t.BOOL.value <= number <= t.LONGDOUBLE.value:
            words = kind.spelling.removeprefix("const ").replace("volatile ", "")
            volatile = "volatile " if kind.is_volatile_qualified() else ""
            spelled = {"bool": "_Bool", "wchar_t": "int", "char16_t": "unsigned short", "char32_t": "unsigned"}
            return f"{const}{volatile}{spelled.get(words, words)} {name}"
        parameter = _PARAMETER.fullmatch(kind.spelling.removeprefix("const ")) if self.arguments is not None else None
        if parameter is not None:
            argument = self.arguments.get_template_argument_type(int(parameter[1]))
            if argument.spelling:
                return f"{const}{self.declare(argument, name)}"
        raise CannotWriteError

    def is_reference(self, variable: Any) -> bool:
        """Whether a variable is a pointer in C to what it means. A reference to a pointer is that pointer itself."""
        kind = variable.type.get_canonical()
        if kind.kind not in (self._unit.types.LVALUEREFERENCE, self._unit.types.RVALUEREFERENCE):
            return False
        if kind.get_pointee().get_canonical().kind != self._unit.types.POINTER:
            return True
        name, around = re.escape(variable.spelling or "?"), variable.semantic_parent
        changing = rf"\b{name}\s*(?:[-+]?=(?!=)|\+\+|--)|(?:\+\+|--|&)\s*{name}\b"
        text = self._unit.text[slice(*self._unit.extent(around))] if around is not None else ""
        declared = self._unit.extent(variable)
        return re.search(changing, text.replace(self._unit.text[slice(*declared)], "")) is not None

    def declared(self, variable: Any, unnamed: str = "") -> str:
        """The declaration of a variable in C."""
        kind = variable.type.get_canonical()
        references = (self._unit.types.LVALUEREFERENCE, self._unit.types.RVALUEREFERENCE)
        plain = kind.kind in references and not self.is_reference(variable)
        return self.declare(kind.get_pointee() if plain else kind, variable.spelling or unnamed)

    def record(self, kind: Any) -> str:
        key = re.sub(r"^(?:const |volatile )*", "", kind.spelling)
        if key not in self._records:
            union = kind.get_declaration().kind == self._unit.kinds.UNION_DECL
            self._records[key] = f"{'union' if union else 'struct'} rex_record_{len(self._records)}"
            self._kinds[key] = kind
            body = self._body(kind, key)
            self.definitions.append(f"{self._records[key]} {{ {body} }};\n")
        return self._records[key]

    def mappers(self) -> Iterator[str]:
        """A mapper in C for each type that has one in the unit. What it maps is not said."""
        names = {name for _, name in self._unit.mappers}
        for key, kind in self._kinds.items():
            for name in sorted(names):
                if mapper_for(self._unit, kind, name, len(self._unit.text)) is not None:
                    yield f"#pragma omp declare mapper({name}: {self._records[key]} v) map(v)\n"

    def _body(self, kind: Any, key: str) -> str:
        """The members of a class. One that has others than C has them as bytes."""
        size = kind.get_size()
        if size <= 0:
            raise CannotWriteError
        if (container := self.container_of(kind)) is not None:
            element, words = container.element, size // 8
            if container.kind == "array":
                return f"{self.declare(element, f'rex_elements[{container.length}]')};"
            body = f"{self.declare(element, '*rex_elements')};"
            body += " int rex_size;" if container.kind == "vector" else ""
            rest = words - body.count(";")
            return body + (f" unsigned long rex_rest[{rest}];" if rest else "")
        if libclang.is_users(kind.get_declaration()):
            try:
                body = " ".join(self._declared_member(name, one) for name, one in self.fields(kind))
            except CannotWriteError:
                body = ""
            if body:
                self._members[key] = set(self._names_in(kind))
                return body
        return f"char rex_bytes[{size}];"

    def _declared_member(self, name: str, kind: Any) -> str:
        if name:
            return f"{self.declare(kind, name)};"
        inner = kind.get_canonical()
        word = "union" if inner.get_declaration().kind == self._unit.kinds.UNION_DECL else "struct"
        return f"{word} {{ {' '.join(self._declared_member(n, k) for n, k in self.fields(inner))} }};"

    def _names_in(self, kind: Any) -> Iterator[str]:
        for name, inner in self.fields(kind):
            if name:
                yield name
            else:
                yield from self._names_in(inner.get_canonical())

    def members(self, kind: Any) -> set[str]:
        """The names of the members that a class has in C."""
        self.record(kind)
        return self._members.get(re.sub(r"^(?:const |volatile )*", "", kind.spelling), set())

    def fields(self, kind: Any) -> list[tuple[str, Any]]:
        """The members of a class, with those of its bases in front. libclang does not say which class a base of an
        instantiation is, if that depends on the template's parameters."""
        found = []
        for base in self._unit.members_of(kind.get_declaration())[1]:
            if base.kind not in (self._unit.kinds.CLASS_DECL, self._unit.kinds.STRUCT_DECL):
                raise CannotWriteError
            found += self.fields(base.type.get_canonical())
        return found + [
            ("" if field.is_anonymous() or "(" in field.spelling else field.spelling, field.type)
            for field in kind.get_fields()
        ]

    def is_copied_as_it_is(self, kind: Any) -> bool:
        """Whether the copy of an object is a copy of its bytes, as far as libclang says that."""
        kind = kind.get_canonical()
        if kind.kind == self._unit.types.CONSTANTARRAY:
            return self.is_copied_as_it_is(kind.element_type)
        if kind.kind != self._unit.types.RECORD:
            return True
        if (container := self.container_of(kind)) is not None:
            return container.kind == "array" and self.is_copied_as_it_is(container.element)
        declaration = kind.get_declaration()
        special = (
            c for c in libclang.children(declaration) if c.kind.name in ("CONSTRUCTOR", "DESTRUCTOR", "CXX_METHOD")
        )
        own = any(
            c.kind.name == "DESTRUCTOR"
            or c.spelling == "operator="
            or (c.kind.name == "CONSTRUCTOR" and c.is_copy_constructor())
            for c in special
            if not c.is_default_method()
        )
        return (
            libclang.is_users(declaration) and not own and all(self.is_copied_as_it_is(k) for _, k in self.fields(kind))
        )

    def container_of(self, kind: Any) -> Container | None:
        """The container of the standard library that a type is."""
        kind = kind.get_canonical()
        name = kind.spelling.removeprefix("const ")
        if not name.startswith("std::"):
            return None
        if name not in self._containers:
            self._containers[name] = self._find_container(kind, name)
        return self._containers[name]

    def _find_container(self, kind: Any, name: str) -> Container | None:
        form = _CONTAINERS.get(name.partition("<")[0])
        element, size = kind.get_template_argument_type(0), kind.get_size()
        if form is None or element.spelling in ("", "bool") or "<" not in name:
            return None
        other = kind.get_template_argument_type(1).spelling
        if form == "vector":
            return Container(form, element, None, other.startswith("std::allocator<")) if size >= 16 else None
        if form == "array":
            return (
                Container(form, element, size // element.get_size(), True) if 0 < element.get_size() <= size else None
            )
        if element.get_canonical().kind == self._unit.types.INCOMPLETEARRAY:
            element = element.element_type
        plain = name.startswith("std::unique_ptr<") and other.startswith("std::default_delete<") and size == 8
        return Container(form, element, None, plain) if size in (8, 16) else None
