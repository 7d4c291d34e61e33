"""The texts of types, with names for the types of closures, which have none in C++."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from ..base.diagnostics import SourceSpan
from ..base.patterns import regex
from .text_constructs import opening_of

UNNAMED = "(anonymous namespace)::"
_LAMBDA = "(lambda at"
_UNSIGNED = regex(r"(?<![\w.])\d{19,20}(?![\w.])")
_MARKS = {101: "*", 103: "&", 104: "&&"}  # CXType_Pointer and the references; libclang has kinds without a name
RECORDS = ("CLASS_DECL", "STRUCT_DECL", "UNION_DECL", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION")
FUNCTIONS = ("FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION", "FUNCTION_TEMPLATE")


def is_named(text: str, written: str) -> bool:
    """Whether a type is the one that the user has written, perhaps without the namespaces around it."""
    squeezed, wanted = _squeezed(text), _squeezed(written)
    return squeezed == wanted.removeprefix("::") or squeezed.endswith(f"::{wanted}")


def endings(text: str) -> list[str]:
    """A type's text without needless blanks, then without one, two or more of the words and ``::`` in front of it."""
    parts = _squeezed(text).split("::")
    return ["::".join(parts[number:]) for number in range(len(parts))]


@cache
def _squeezed(text: str) -> str:
    return re.sub(r"\s+(?!\w)|(?<!\w)\s+", "", text)


def arguments_in(text: str) -> list[str]:
    """The arguments in the name of an instantiation."""
    depth, start, found = 0, 0, []
    for at, char in enumerate(text):
        if char in "<([{":
            depth += 1
            start = at + 1 if depth == 1 else start
        elif char in ">)]}":
            depth -= 1
        if (depth == 1 and char == ",") or (depth == 0 and char == ">"):
            found.append(text[start:at].strip())
            start = at + 1
    return found


def last_arguments(text: str) -> list[str]:
    """The arguments at the end of the name of an instantiation, which may be in another one: of ``A<int>::B<char>``."""
    return arguments_in(text[opening_of(text, len(text) - 1) :])


def _is_written(kind: Any, text: str) -> bool:
    """Whether a type's text has its arguments as the user has written them, in the scope of an explicit specialisation:
    ``app::Traits<Fast>`` for ``app::Traits<app::Fast>``."""
    count = kind.get_num_template_arguments() if text.endswith(">") else 0
    written = last_arguments(text) if count > 0 else []
    arguments = [kind.get_template_argument_type(n) for n in range(count)] if len(written) <= count else []
    texts = (str(argument.get_canonical().spelling) if argument._kind_id else "" for argument in arguments)
    return any(text != own and is_named(text, own) for text, own in zip(texts, written, strict=False) if text)


class TypeNames:
    """Spells types. A lambda expression in a template makes a closure in each instantiation, and each has a name.

    ``closures`` has, for each name, where its lambda expression begins and the declaration of its type. ``asked`` are
    the expressions in templates whose type has a name in the template itself.
    """

    def __init__(
        self, place: Callable[[Any], int], span: Callable[[int], SourceSpan], template: Callable[[int], str],
        variable: Callable[[Any], str],
    ) -> None:  # fmt: skip
        self._place = place
        self._span = span
        self._template = template  # the arguments, such as <T>, of the template around a place
        self._variable = variable  # the name of the variable that a lambda expression outside of functions initialises
        self._names: dict[int, str] = {}  # by hash of the declaration
        self._bases: dict[str, int] = {}
        self.closures: dict[str, tuple[int, Any]] = {}
        self.asked: set[int] = set()
        self.private: dict[int, Any] = {}  # types that kernels name, but only their classes may
        self.local: dict[str, Any] = {}  # classes of functions that kernels name, by their namespaces in device code

    def spelled(self, kind: Any, *, outside: bool = False) -> str:
        """The text of a canonical type, which names it from anywhere. Where kernels stand ``outside`` of functions and
        classes, classes of functions have names of their own, and private types are noted."""
        text = str(kind.spelling)
        if text.endswith(">"):
            text = _UNSIGNED.sub(lambda value: f"{value[0]}u" * (int(value[0]) >> 63) or value[0], text)
        if outside:
            self.note_private(kind)
        is_unusual = _LAMBDA in text or (outside and any(True for _ in self._unusual(kind)))
        if not is_unusual and not _is_written(kind, text):
            return text.replace(UNNAMED, "")
        declaration = kind.get_declaration()
        if mark := _MARKS.get(kind._kind_id):
            const = " const" if kind.is_const_qualified() else ""
            return f"{self.spelled(kind.get_pointee(), outside=outside)} {mark}{const}"
        const = "const " if kind.is_const_qualified() else ""
        last = text.rpartition("::")[2].removeprefix("const ")
        if last.startswith(_LAMBDA) and last.endswith(")") and last.count("(") == 1:
            return const + self._closure(declaration)
        around, name = declaration.semantic_parent, str(declaration.spelling)
        if around is None or not name.isidentifier():
            return text
        if around.kind.name in RECORDS:
            scope = self.spelled(around.type.get_canonical(), outside=outside) + "::"
        elif around.kind.name in FUNCTIONS:
            scope = f"{self._local(declaration)}::" if outside else ""
        else:
            head = text.removeprefix("const ").replace(UNNAMED, "").partition("<")[0]
            scope = head.removesuffix(name)
        count = max(0, kind.get_num_template_arguments())
        if count == 0 or not text.endswith(">"):
            return f"{const}{scope}{name}"
        written = last_arguments(text)
        if count < len(written):
            return text
        arguments = [kind.get_template_argument_type(n) for n in range(count)]
        spelled = (  # a template, or a value, is no type, and those that are defaults are not written
            own.replace(UNNAMED, "") if not a._kind_id else self.spelled(a.get_canonical(), outside=outside)
            for a, own in zip(arguments, written, strict=False)
        )
        return f"{const}{scope}{name}<{', '.join(spelled)}>"

    def note_private(self, kind: Any) -> None:
        """Note the private types in the name of a canonical type."""
        for declaration in self._unusual(kind):
            if declaration.semantic_parent.kind.name in RECORDS:
                self.private.setdefault(declaration.hash, declaration)

    def _unusual(self, kind: Any) -> Iterator[Any]:
        """The types in the name of a type that are private in their class, or classes of functions."""
        while kind._kind_id in _MARKS:
            kind = kind.get_pointee()
        arguments = (kind.get_template_argument_type(n) for n in range(max(0, kind.get_num_template_arguments())))
        for argument in arguments:
            if argument._kind_id:  # else it is no type
                yield from self._unusual(argument.get_canonical())
        declaration = kind.get_declaration()
        around = declaration.semantic_parent if declaration is not None else None
        if around is not None and around.kind.name in RECORDS:
            if declaration.access_specifier.name in ("PRIVATE", "PROTECTED"):
                yield declaration
            yield from self._unusual(around.type.get_canonical())
        elif around is not None and around.kind.name in FUNCTIONS:
            yield declaration

    def _local(self, declaration: Any) -> str:
        """The namespace in which device code has a class of a function once more."""
        span = self._span(self._place(declaration.location))
        name = f"rex_local_{span.line}_{span.column}"
        while self.local.setdefault(name, declaration).canonical != declaration.canonical:  # in another file
            name += "_2"
        return name

    def base(self, start: int) -> str:
        """The name in device code of what the lambda expression at an offset makes."""
        span = self._span(start)
        name = f"rex_closure_{span.line}_{span.column}"
        while self._bases.setdefault(name, start) != start:  # in another file
            name += "_2"
        return name

    def _closure(self, declaration: Any) -> str:
        key = declaration.canonical.hash
        if key in self._names:
            return self._names[key]
        if outside := self._variable(declaration):
            return self._names.setdefault(key, f"decltype(rex_decayed({outside}))")
        start = self._place(declaration.location)
        name, arguments = self.base(start), self._template(start)
        if arguments and declaration.type.get_size() < 0:  # in the template itself
            self.asked.add(start)
            name = f"typename {name}_of{arguments}::type"
        else:
            if arguments:
                name += f"__{sum(s == start for s, _ in self.closures.values()) + 1}"
            self.closures[name] = (start, declaration)
        self._names[key] = name
        return name
