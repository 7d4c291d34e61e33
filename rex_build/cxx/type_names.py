"""The texts of types, with names for the types of closures, which have none in C++."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from ..base.spans import SourceSpan

_UNNAMED = "(anonymous namespace)::"
_LAMBDA = "(lambda at"


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


class TypeNames:
    """Spells types. A lambda expression in a template makes a closure in each instantiation, and each has a name.

    ``closures`` has, for each name, where its lambda expression begins and the declaration of its type. ``asked`` are
    the expressions in templates whose type has a name in the template itself.
    """

    def __init__(
        self, place: Callable[[Any], int], span: Callable[[int], SourceSpan], template: Callable[[int], str]
    ) -> None:
        self._place = place
        self._span = span
        self._template = template  # the arguments, such as <T>, of the template around a place
        self._names: dict[int, str] = {}  # by hash of the declaration
        self._bases: dict[str, int] = {}
        self.closures: dict[str, tuple[int, Any]] = {}
        self.asked: set[int] = set()

    def spelled(self, kind: Any) -> str:
        """The text of a canonical type, which names it from anywhere."""
        text = str(kind.spelling)
        if _LAMBDA not in text:
            return text.replace(_UNNAMED, "")
        const = "const " if kind.is_const_qualified() else ""
        pointee = kind.get_pointee()
        if pointee.kind.name != "INVALID":
            mark = {"POINTER": "*", "LVALUEREFERENCE": "&", "RVALUEREFERENCE": "&&"}.get(kind.kind.name, "")
            return f"{self.spelled(pointee)} {mark}" if mark else text
        declaration = kind.get_declaration()
        last = text.rpartition("::")[2].removeprefix("const ")
        if last.startswith(_LAMBDA) and last.endswith(")") and last.count("(") == 1:
            return const + self._closure(declaration)
        count = kind.get_num_template_arguments()
        arguments = [kind.get_template_argument_type(n) for n in range(max(0, count))]
        written = arguments_in(text)
        if len(arguments) != len(written):
            return text
        name = text.partition("<")[0].replace(_UNNAMED, "")
        invalid = [a.kind.name == "INVALID" for a in arguments]  # a template, or a value
        spelled = (
            own.replace(_UNNAMED, "") if other else self.spelled(a.get_canonical())
            for a, own, other in zip(arguments, written, invalid, strict=True)
        )  # fmt: skip
        return f"{name}<{', '.join(spelled)}>"

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
