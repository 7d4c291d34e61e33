"""Closures that regions get from outside: device code has a structure with the members and the body of each."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from ..base.diagnostics import error_at
from ..base.spans import Replacement, SourceSpan
from ..c.source.tokens import closing, marks_outside
from .code import CxxType, Variable
from .facts import RegionFacts
from .templates import Surroundings
from .unit import Function, Unit, identifiers_in

_NAMED = re.compile(r"\brex_closure_\w+")


@dataclasses.dataclass(frozen=True)
class Closure:
    """A lambda expression whose closure a region gets. ``start`` and ``end`` are its offsets, and ``body`` its brace's.

    ``members`` are the captured variables in the order of the closure's members. ``captures`` is the list that names
    all of them, up to ``list_end``. ``parameters`` and ``template`` are its operator's. ``pointers`` are the paths of
    pointers in the closure, their types, and their offsets in bytes.
    """

    number: int
    name: str
    function: Function
    start: int
    list_end: int
    body: int
    end: int
    captures: str
    members: tuple[tuple[str, CxxType], ...]
    parameters: str
    template: str
    size: int
    pointers: tuple[tuple[str, str, int], ...]


def named_in(texts: Iterable[str]) -> list[str]:
    """The names of closures in the texts of types."""
    return list(dict.fromkeys(found for text in texts for found in _NAMED.findall(text)))


@dataclasses.dataclass(frozen=True)
class Pointed:
    """A captured closure with pointers, which the kernel gets in parameters with these ``names``."""

    variable: Variable
    names: tuple[str, ...]


class Closures:
    """The closures of a unit that its regions get, in the order in which they are needed."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._found: dict[str, Closure] = {}

    def all(self) -> list[Closure]:
        return list(self._found.values())

    def needed(self, texts: Iterable[str], span: SourceSpan) -> list[Closure]:
        """The closures whose names stand in the texts of types, for the region at ``span``. Raises InputError."""
        return [self._closure(name, span) for name in named_in(texts)]

    def _closure(self, name: str, span: SourceSpan) -> Closure:
        if name in self._found:
            return self._found[name]
        unit, k, start = self.unit, self.unit.kinds, self.unit.closures[name]
        line = unit.span(start).line

        def refused(why: str) -> Exception:
            return error_at(span, f"this region gets the closure of line {line}, {why}, which is not supported")

        if unit.is_cxx11:
            raise refused("which needs C++14 or newer")
        function = unit.function_at(start)
        if function is None:
            raise refused("which is made outside of functions")
        if function.is_template:
            raise refused("which is made in a template")
        cursor = _lambda_at(unit, function, start)
        children = list(cursor.get_children())
        body, end = unit.extent(next(c for c in children if c.kind == k.COMPOUND_STMT))
        list_end = closing(unit.text, start)
        written = unit.text[start + 1 : list_end - 1].strip()
        head = unit.text[list_end:body]
        fields = list(cursor.type.get_fields())
        if any(f.type.kind in (unit.types.LVALUEREFERENCE, unit.types.RVALUEREFERENCE) for f in fields):
            raise refused("which captures variables by reference")
        if re.search(r"\bmutable\b", head) is not None:
            raise refused("which changes its captures ('mutable')")
        explicit = [c.spelling for c in children if c.kind == k.VARIABLE_REF]
        implicit: list[str] = []
        if written.startswith("="):
            at = unit.text.index("=", start)
            before = children[: next(n for n, c in enumerate(children) if c.kind in (k.PARM_DECL, k.COMPOUND_STMT))]
            implicit = [c.spelling for c in before if c.spelling and unit.extent(c)[0] == at]
            written = written[1:].lstrip().removeprefix(",").strip()
        names = [*explicit, *implicit]
        if len(names) != len(fields):
            raise refused("which captures 'this'")
        kinds = [dataclasses.replace(unit.type_of(f.type), const=False) for f in fields]
        local = {v.name for _, v in function.local_types}
        for member, kind in zip(names, kinds, strict=True):
            if not local.isdisjoint(word for _, word in identifiers_in(kind.text)) or "(unnamed" in kind.text:
                raise refused(f"which captures '{member}', of a class of the function")
        parameters, template = _head(head)
        pointers = tuple(self._pointers(names, kinds, [f.get_field_offsetof() // 8 for f in fields], span))
        closure = Closure(
            number=len(self._found) + 1, name=name, function=function,
            start=start, list_end=list_end, body=body, end=end,
            captures=f"[{', '.join(filter(None, [written, *implicit]))}]",
            members=tuple(zip(names, kinds, strict=True)), parameters=parameters, template=template,
            size=cursor.type.get_size(), pointers=pointers,
        )  # fmt: skip
        self._found[name] = closure
        return closure

    def _pointers(
        self, names: Sequence[str], kinds: Sequence[CxxType], offsets: Sequence[int], span: SourceSpan
    ) -> list[tuple[str, str, int]]:
        found = []
        for name, kind, offset in zip(names, kinds, offsets, strict=True):
            if kind.kind == "pointer":
                found.append((name, kind.text, offset))
            elif kind.kind == "record" and (inner := named_in([kind.text])):
                for path, text, at in self._closure(inner[0], span).pointers:
                    found.append((f"{name}.{path}", text, offset + at))
        return found


def _lambda_at(unit: Unit, function: Function, start: int) -> Any:
    stack = [function.cursor]
    while stack:
        cursor = stack.pop()
        if cursor.kind == unit.kinds.LAMBDA_EXPR and unit.place(cursor.location) == start:
            return cursor
        stack += list(cursor.get_children())
    raise AssertionError(f"no lambda expression at {start}")


def _head(head: str) -> tuple[str, str]:
    """(the parameters in parentheses, with what else stands in front of the body; what stands in front of them)

    For ``(auto &a, int b)`` they are ``(rex_auto_1 &a, int b) const`` and ``template <class rex_auto_1>``.
    """
    text = head.strip()
    template: list[str] = []
    if text.startswith("<"):
        end = _angle_end(text)
        template.append(text[1 : end - 1])
        text = text[end:].lstrip()
    if not text.startswith("("):
        return "() const", ""
    end = closing(text, 0)
    inside, after = text[1 : end - 1], re.sub(r"\bconstexpr\b", "", text[end:]).strip()
    marks = [0, *(m.start() for m in marks_outside(inside) if m[0] == ","), len(inside)]
    parts = []
    for low, high in pairwise(marks):
        part = inside[low:high]
        if (match := re.search(r"\bauto\b", part)) is not None:
            name = f"rex_auto_{len(template) + 1}"
            pack = "..." if part[match.end() :].lstrip(" &").startswith("...") else ""
            template.append(f"class{pack} {name}")
            part = part[: match.start()] + name + part[match.end() :]
        parts.append(part)
    words = f"template <{', '.join(template)}> " if template else ""
    return f"({''.join(parts)}) const {after}".rstrip(), words


def _angle_end(text: str) -> int:
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "<") - (char == ">")
        if depth == 0:
            return at + 1
    return len(text)


def closure_texts(unit: Unit, function: Function, start: int, end: int) -> list[str]:
    """The texts of types that say which closures the region of a function in [start, end) gets."""
    texts = [
        r.variable.type.text
        for r in function.references
        if start <= r.start < end and not (r.variable.is_local and start <= r.variable.start < end)
        and not r.variable.constant
    ]  # fmt: skip
    if function.is_template:
        around = Surroundings(unit, function)
        texts += [instance.arguments for instance in around.instances()]
    return texts


def _types_of(variable: Variable, facts: RegionFacts) -> list[str]:
    """The texts of the types that a variable has: in a template, those in the instantiations."""
    if facts.around is None or not facts.around.is_template:
        return [variable.type.text]
    return [facts.around.type_in(variable, instance).text for instance in facts.instances]


def is_closure(variable: Variable, facts: RegionFacts) -> bool:
    """Whether a variable is a closure, in a template in all instantiations."""
    texts = _types_of(variable, facts)
    return bool(texts) and all(_NAMED.fullmatch(text) is not None for text in texts)


def pointers_of(variable: Variable, facts: RegionFacts, closures: Sequence[Closure]) -> int:
    """How many pointers there are in a closure, in a template the most of all instantiations."""
    if variable.type.kind != "record":
        return 0
    named = {closure.name: len(closure.pointers) for closure in closures}
    return max((named.get(text, 0) for text in _types_of(variable, facts)), default=0)


# ---- the host's text ----


def host_texts(closures: Iterable[Closure]) -> Iterator[Replacement]:
    """Lambda expressions in the host file: their captures are listed, so that their order is known."""
    for closure in closures:
        offsets = "".join(f", {offset}" for _, _, offset in closure.pointers)
        begin = f"rex_closure<{closure.number}, {closure.size}{offsets}>({closure.captures}"
        yield Replacement(closure.start, closure.list_end, begin)
        yield Replacement(closure.end, closure.end, ")")


def host_names(closures: Iterable[Closure]) -> Iterator[str]:
    """Names of the closures' types for the identities of kernels, which stand at the host file's end."""
    for closure in closures:
        yield f"using {closure.name} = rex_closure_type<{closure.number}>;"
