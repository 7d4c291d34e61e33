"""Declarations in functions as their specifiers and declarators, and those of variables that live elsewhere in device
code."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from ..base.patterns import regex
from ..base.records import dataclass
from ..c.source.tokens import closing, has_word, next_token, statement_end
from ..plan.constructs import LEAST_ALIGNED, PACKED_ALIGNMENT
from .cuda_names import device_name
from .functions import Function
from .team_steps import WAIT
from .text_constructs import Variable
from .unit import Unit

_ATTRIBUTES = regex(r'(?:(?:alignas|__attribute__)\s*\(.*\)|\[\[.*\]\]|extern\s*"C(?:\+\+)?"|\s)+', re.DOTALL)


@dataclass(frozen=True)
class _Declarator:
    """``*const p[3] = {}`` as its parts. ``text`` is the whole, from ``start`` to ``end``. ``value`` is where what
    initialises it begins."""

    marks: str
    name: str
    dims: str
    init: str
    text: str
    start: int
    value: int
    end: int


def _parts(unit: Unit, start: int) -> tuple[str, list[_Declarator]]:
    """(the specifiers of the declaration at a place, its declarators), or nothing for a form that is not handled."""
    text, function = unit.text, unit.function_at(start)
    declared = (c for at, c in function.mentions.declared if at >= start) if function is not None else ()
    named = sorted({unit.place(c.location): c.spelling for c in declared if unit.variable(c).start == start}.items())
    if not named:
        return "", []
    head = text[start : named[0][0]]
    closed = max(head.rfind(">"), head.rfind(")"))  # T<U *> and decltype(*p) have other marks
    begin = start + next((at for at, mark in enumerate(head) if at > closed and mark in "*&"), len(head))
    specifiers = text[start:begin].strip()
    found = []
    for number, (place, name) in enumerate(named):
        end = statement_end(text, start)
        if number + 1 < len(named):
            end = text.rindex(",", place, named[number + 1][0])
        elif text[end - 1] == ";":
            end -= 1
        at = place + len(name)
        while text[at : at + 1].isspace() or text[at : at + 1] == "[":
            at = closing(text, at) if text[at] == "[" else at + 1
        marks, dims, init = text[begin:place].strip(), text[place + len(name) : at].strip(), text[at:end].strip()
        found.append(_Declarator(marks, name, dims, init, text[begin:end].strip(), begin, at, end))
        begin = end + 1
    odd = any("(" in one.marks or one.init[:1] not in ("", "=", "(", "{") for one in found)
    return ("", []) if odd or not specifiers or specifiers.count("(") != specifiers.count(")") else (specifiers, found)


def with_attributes(text: str, start: int) -> int:
    """Where a declaration begins, with the attributes, ``alignas`` and ``extern "C"`` in front of what libclang counts
    to it."""
    before = next_token(text, max(text.rfind(mark, 0, start) for mark in ";{}") + 1)
    return before if _ATTRIBUTES.fullmatch(text[before:start].strip()) else start


def _without(text: str, *words: str) -> str:
    return " ".join(word for word in text.split() if word not in words)


def only(unit: Unit, start: int, names: Collection[str]) -> str:
    """The declaration at a place without the variables that are not among ``names``. One that is not understood
    stays."""
    specifiers, parts = _parts(unit, start)
    found = [part.text for part in parts if part.name in names]
    if len(found) == len(names):
        return f"{specifiers} {', '.join(found)};\n"
    return unit.text[start : statement_end(unit.text, start)]


def declarators(
    unit: Unit, start: int, shared: Collection[str], heap: Collection[str], objects: Mapping[str, int], guard: bool,
    waits: Collection[str],
) -> list[str]:  # fmt: skip
    """The declaration at a place as one statement for each variable. Those in ``shared`` are assigned instead of
    initialised, with ``guard`` by the first thread, and those in ``heap`` are references to storage on the device's
    heap, in which ``objects`` are constructed. Those are given with their alignments in bytes. In front of those in
    ``waits`` threads wait for each other. Attributes in front of the declaration are part of each.

    The list is empty for a form that is not handled, such as a structured binding.
    """
    specifiers, parts = _parts(unit, start)
    attributes = f"{unit.text[with_attributes(unit.text, start) : start].strip()} ".lstrip()
    lines = []
    for part in parts:
        lines += [WAIT] if part.name in waits else []
        if part.name not in shared:
            lines.append(f"{attributes}{specifiers} {part.text};")
            continue
        plain, marks, name, dims = _without(specifiers, "static"), part.marks, part.name, part.dims
        value = part.init.removeprefix("=").strip()
        if "*" in marks:
            star = marks.rindex("*") + 1
            marks = marks[:star] + _without(marks[star:], "const")
        else:
            plain = _without(plain, "const", "constexpr")
        if has_word(plain, "auto"):
            if not part.init.startswith("="):
                return []
            plain, marks = f"decltype(rex_decayed({value}))", ""
        space = "" if marks.endswith(("*", "&")) or not marks else " "
        declarator, initial = f"{marks}{space}", f"{name}__rex_initial"
        if dims and part.init:
            lines.append(f"{plain} {declarator}{initial}{dims} {part.init};")
            if dims[1:].lstrip().startswith("]"):
                dims = f"[sizeof({initial}) / sizeof({initial}[0])]{dims[dims.index(']') + 1 :]}"
        if name in heap:
            lines.append(f"{attributes}typedef {plain} {declarator}{name}__rex_type{dims};")
            lines.append(f"rex_local_array<{name}__rex_type> {name}__rex_storage(1);")
            lines.append(f"{name}__rex_type *const {name}__rex_at = {name}__rex_storage.elements;")
            lines.append(f"{name}__rex_type &{name} = *{name}__rex_at;")
        else:
            packed = dims and not attributes and 0 < objects.get(name, 0) < LEAST_ALIGNED
            alignment = f"alignas({PACKED_ALIGNMENT}) " if packed else attributes
            lines.append(f"REX_TEAM_SHARED {alignment}{plain} {declarator}{name}{dims};")
        who = "if (rex_team_first()) " if guard else ""
        kind = f"{name}__rex_type" if name in heap else f"decltype({name})"
        made = value if part.init.startswith("=") else kind + (part.init or "()")
        if name in heap and name in objects:
            lines.append(f"rex_construct({name}{f', {initial if dims else made}' if part.init else ''});")
        elif dims and part.init:
            lines.append(f"{who}rex_assign({name}, {initial});")
        elif part.init:
            lines.append(f"{who}{name} = {made};")
    return lines


def _function_of(unit: Unit, parameter: Variable) -> Function | None:
    """The function in whose head a parameter stands."""
    return next((f for f in unit.functions if f.start <= parameter.start < f.body), None)


def is_movable(unit: Unit, variable: Variable) -> bool:
    """Whether a variable's declaration can be one of an object on the device's heap: of a variable in a block, which is
    no constant, or of a function's parameter."""
    text = unit.text
    if variable.is_reference:
        return False
    if variable.cursor.kind == unit.kinds.PARM_DECL:
        function, at = _function_of(unit, variable), unit.place(variable.cursor.location)
        named = text.startswith(variable.name, at) and "..." not in text[variable.start : at]
        plain = function is not None and function.cursor.kind != unit.kinds.CONSTRUCTOR and not function.is_constexpr
        return plain and named
    specifiers, parts = _parts(unit, variable.start)
    first = with_attributes(text, variable.start)
    line_before = text.rfind("\n", 0, max(text.rfind("\n", 0, first), 0)) + 1
    is_first = text[:first].rstrip()[-1:] in set("{};:") or text.startswith("#", line_before)
    constant = has_word(specifiers, "const", "constexpr", "decltype")
    return is_first and variable.name in {part.name for part in parts} and not constant


def on_heap(unit: Unit, start: int, names: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """The edits of the declaration at a place that put the variables ``names`` on the device's heap. What initialises
    them stays as it is: ``T x = f();`` becomes ``rex_heap_object<T> x__rex_storage([&]() -> T { return f(); });``."""
    specifiers, parts = _parts(unit, start)
    attributes = f"{unit.text[with_attributes(unit.text, start) : start].strip()} ".lstrip()
    plain = _without(specifiers, "register")
    for number, part in enumerate(parts):
        first = with_attributes(unit.text, start) if number == 0 else part.start - 1  # the comma in front of it
        separate = "" if number == 0 else "; "
        if part.name not in names:
            yield first, part.start, f"{separate}{attributes}{plain} "
            continue
        kind, storage = f"{plain} {part.marks}".strip(), f"{part.name}__rex_storage"
        declared = f"{separate}{attributes}"
        if part.dims or (part.init[:1] in ("(", "{") and not kind.isidentifier()):
            kind, declared = f"{part.name}__rex_type", f"{declared}typedef {kind} {part.name}__rex_type{part.dims}; "
        bound = f"auto *const {part.name}__rex_at = {storage}.at; auto &{device_name(part.name)} = *{part.name}__rex_at"
        value = unit.text.index("=", part.value) + 1 if part.init.startswith("=") else part.value
        if has_word(plain, "auto"):
            yield first, value, f"{declared}auto {storage} = rex_on_heap([&] {{ return"
            yield part.end, part.end, f"; }}); {bound}"
        elif not part.init:
            yield first, part.end, f"{declared}rex_heap_object<{kind}> {storage}; {bound}"
        elif part.dims:
            initial = f"{part.name}__rex_initial"
            yield first, part.value, f"{separate}{attributes}{plain} {part.marks}{initial}{part.dims} "
            made = f"rex_heap_object<decltype({initial})> {storage}(rex_copied_array(), {initial})"
            yield part.end, part.end, f"; {made}; {bound}"
        else:
            typed = "" if part.init.startswith("=") else f" {kind}"
            yield first, value, f"{declared}rex_heap_object<{kind}> {storage}([&]() -> {kind} {{ return{typed}"
            yield part.end, part.end, f"; }}); {bound}"


def parameter_on_heap(unit: Unit, parameter: Variable) -> Iterator[tuple[int, int, str]]:
    """The edits of a function that copy a parameter to the device's heap."""
    function, name = _function_of(unit, parameter), parameter.name
    assert function is not None
    at, given = unit.place(parameter.cursor.location), f"{name}__rex_parameter"
    yield at, at + len(name), given
    kind = f"decltype({given})"
    moved = f"[&]() -> {kind} {{ return static_cast<{kind} &&>({given}); }}"
    made = f"rex_heap_object<{kind}> {name}__rex_storage({moved});"
    bound = f"auto *const {name}__rex_at = {name}__rex_storage.at; auto &{device_name(name)} = *{name}__rex_at;"
    yield function.body + 1, function.body + 1, f" {made} {bound}"


def may_be_static(unit: Unit, array: Variable) -> bool:
    """Whether ``static`` may stand in front of a variable's declaration, which has no other."""
    specifiers, parts = _parts(unit, array.start)
    alone = len(parts) == 1 and not unit.text[: array.start].rstrip().endswith("(")
    return alone and not has_word(specifiers, "static", "extern", "thread_local", "register")


def own_array(unit: Unit, array: Variable) -> tuple[int, int] | None:
    """Where the name of an array stands in its declaration, and where that ends, if another name and a statement behind
    it may stand there."""
    at, end = unit.place(array.cursor.location), statement_end(unit.text, array.start)
    plain = unit.text.startswith(array.name, at) and unit.text[end - 1] == ";" and device_name(array.name) == array.name
    return (at, end) if plain and array.start <= at < end else None
