"""Closures that regions get from outside: device code has a structure with the members and the body of each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from ..base.diagnostics import Replacement, SourceSpan, error_at
from ..base.patterns import regex
from ..base.records import dataclass, replace
from ..c.source.tokens import closing, has_word, marks_outside, separated
from ..tree.arithmetic import NotReadError
from . import libclang
from .cuda_names import device_name
from .functions import Function
from .local_classes import needed
from .program import RegionFacts
from .reading.symbols import Captured, captures
from .templates import Instance, Surroundings
from .text_constructs import CxxType, Variable, closing_angle, identifiers_in
from .unit import Unit

_NAMED = regex(r"\brex_closure_\d+_\d+(?:_2)*(?:__\d+)?(?!\w)")
MOST_PARTS = 16  # of each kind; include/rex_cxx.h has tables of this length


@dataclass(frozen=True)
class Member:
    """A member of a closure. ``name`` is the variable's, ``this`` or ``*this``. Of a reference, ``type`` is the type of
    what it leads to."""

    name: str
    type: CxxType
    is_reference: bool
    offset: int
    alignment: int

    @property
    def device_name(self) -> str:
        return {"this": "rex_self", "*this": "rex_copy"}.get(self.name, device_name(self.name))


@dataclass(frozen=True)
class Part:
    """An address in a closure, ``offset`` bytes from its begin, which device code needs as the device's.

    It is a pointer or, if ``size`` is not 0, leads to an object whose bytes ``low`` to ``low + size`` are mapped, and
    ``comes_back`` if device code may change them. A pointer that is captured by reference is read ``through`` it.
    """

    offset: int
    through: bool = False
    low: int = 0
    size: int = 0
    comes_back: bool = False


@dataclass(frozen=True)
class Closure:
    """A closure that a region gets. ``start`` and ``end`` are its lambda expression's offsets, ``body`` its brace's.

    ``captures`` is the list that names all ``members``, in place of the one up to ``list_end``. ``parameters`` and
    ``template`` are its operator's. In a template, each instantiation has a closure, and ``instance`` is that.
    One ``may_change`` if it is mutable, or captures objects with mutable members. Of one that ``is_bytes`` no function
    of the user's makes or ends copies.
    """

    number: int
    name: str
    base: str
    function: Function
    start: int
    list_end: int
    body: int
    end: int
    captures: str
    members: tuple[Member, ...]
    parameters: str
    template: str
    is_mutable: bool
    may_change: bool
    is_bytes: bool
    parts: tuple[Part, ...]
    instance: Instance | None

    def parts_that(self, come_back: bool) -> list[Part]:
        return [part for part in self.parts if part.comes_back == come_back]


def named_in(texts: Iterable[str]) -> list[str]:
    """The names of closures in the texts of types."""
    return list(dict.fromkeys(found for text in texts for found in _NAMED.findall(text)))


@dataclass(frozen=True)
class Pointed:
    """A captured closure with addresses, which the kernel gets in parameters with these ``names``. The ``first`` of
    them are for parts that do not come back."""

    variable: Variable
    names: tuple[str, ...]
    first: int


class Closures:
    """The closures of a unit that its regions get, in the order in which they are needed."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._found: dict[str, Closure] = {}
        self._numbers: dict[int, int] = {}

    def all(self) -> list[Closure]:
        return list(self._found.values())

    def record(self, closure: Closure) -> Any:
        """A closure's class."""
        return self.unit.names.closures[closure.name][1]

    def needed(self, texts: Iterable[str], span: SourceSpan, in_template: bool) -> list[Closure]:
        """The closures whose names stand in the texts of types, for the region at ``span``. Raises InputError."""
        names = named_in(texts)
        for name in names:
            if "__" in name and not in_template:
                line = self.unit.span(self.unit.names.closures[name][0]).line
                what = f"this region gets the closure of line {line}, which is made in a template"
                raise error_at(span, f"{what}, and is in none: this is not supported")
        return [self._closure(name, span) for name in names]

    def _closure(self, name: str, span: SourceSpan) -> Closure:
        if name in self._found:
            return self._found[name]
        unit, k = self.unit, self.unit.kinds
        start, declaration = unit.names.closures[name]
        line = unit.span(start).line

        def refused(why: str, *notes: str) -> Exception:
            return error_at(span, f"this region gets the closure of line {line}, {why}, which is not supported", *notes)

        function = unit.function_at(start)
        if function is None:
            raise refused("which is made outside of functions", "make it in the function that passes it")
        instance = None
        if function.is_template:
            made_in = (one for one in Surroundings(unit, function).instances() if _makes(unit, one.cursor, declaration))
            instance = next(made_in, None)
        around = function.cursor if instance is None else instance.cursor
        if declaration.type.get_size() < 0 or not _makes(unit, around, declaration):
            raise refused("which is made in a generic lambda or in an unusual template")
        made = _lambda_at(unit, around, start)
        body, end = unit.extent(next(c for c in libclang.children(made) if c.kind == k.COMPOUND_STMT))
        list_end = closing(unit.text, start)
        try:
            held = captures(made)
        except NotReadError:
            held = []
        members = tuple(_member(unit, one) for one in held)
        if len(members) != len(list(declaration.type.get_fields())) or len({m.name for m in members}) < len(members):
            raise refused("whose captures are not understood")
        local = {v.name for _, v in function.mentions.local_types}
        for member in members:
            words = {word for _, word in identifiers_in(member.type.text)}
            if not local.isdisjoint(words) or "(unnamed" in member.type.text:
                raise refused(f"which captures '{member.name}', of a class of the function")
        for one in needed(unit, function, (list_end, body), start):
            if one.cursor.kind not in (k.TYPEDEF_DECL, k.TYPE_ALIAS_DECL, k.USING_DECLARATION):
                remedy = f"declare '{one.name}' outside of the function, or make the parameter 'auto'"
                raise refused(f"whose parameters name '{one.name}' of the function", remedy)
        operator = next(c for c in libclang.children(declaration) if c.spelling == "operator()")
        is_mutable = not operator.is_const_method()
        head = _qualified(unit, made, list_end, body, is_open=has_word(unit.text[function.body : start], "using"))
        parameters, template = head_of(head, is_mutable=is_mutable)
        parts: list[Part] = []
        is_bytes, may_change = True, is_mutable
        for member, field in zip(members, (one.field for one in held), strict=True):
            copying = [] if member.is_reference else _with_own_copies(unit, field.type)
            if any(not libclang.is_users(record) for record in copying):
                what = f"this closure, which a target region gets, captures '{member.name}'"
                what += ", of a class of the library whose copies are more than its bytes: this is not supported"
                raise error_at(unit.span(start), what, "capture a pointer to its data, which is mapped")
            is_bytes = is_bytes and not copying
            may_change = may_change or (not member.is_reference and _has_mutable(unit, field.type))
            inner = named_in([member.type.text]) if member.type.kind == "record" else []
            if instance is None and any("__" in one for one in inner):
                raise refused(f"which captures '{member.name}', a closure of a template")
            nested = [part for one in inner for part in self._closure(one, span).parts]
            if member.is_reference and field.type.get_pointee().get_size() <= 0:
                raise refused(f"which captures '{member.name}', of unknown size, by reference")
            if changed := _changed_pointer(unit, function, (list_end, end), member):
                raise error_at(unit.span(changed), f"this may change the pointer '{member.name}', which a closure of a "
                               f"target region captures by reference: this is not supported")  # fmt: skip
            if nested and member.is_reference:
                raise refused(f"which captures the closure '{member.name}' by reference")
            parts += (replace(part, offset=part.offset + member.offset) for part in nested)
            if not nested:
                parts += _parts(unit, function, (list_end, end), member, field)
        if any(sum(p.comes_back == back for p in parts) > MOST_PARTS for back in (False, True)):
            raise refused(f"with more than {MOST_PARTS} addresses")
        closure = Closure(
            number=self._numbers.setdefault(start, len(self._numbers) + 1), name=name, base=unit.names.base(start),
            function=function, start=start, list_end=list_end, body=body, end=end,
            captures=_capture_list(unit.text[start:list_end], held), members=members, parameters=parameters,
            template=template, is_mutable=is_mutable, may_change=may_change, is_bytes=is_bytes, parts=tuple(parts),
            instance=instance,
        )  # fmt: skip
        self._found[name] = closure
        return closure


def _with_own_copies(unit: Unit, kind: Any) -> list[Any]:
    """The classes of an object's parts whose copies functions make or end, as far as is seen here: the compiler knows
    it all."""
    k, found = unit.kinds, []
    for record in unit.classes_in(unit.class_of(kind)):
        for child in libclang.children(libclang.pattern(record)):
            is_copying = child.kind == k.CONSTRUCTOR and child.is_copy_constructor()
            if (is_copying or child.kind == k.DESTRUCTOR) and not child.is_default_method():
                found.append(record)
    return found


def _has_mutable(unit: Unit, kind: Any) -> bool:
    """Whether a part of an object is a mutable member, as far as is seen here."""
    classes = unit.classes_in(unit.class_of(kind))
    return any(member.is_mutable_field() for one in classes for member in unit.members_of(one)[0])


def _makes(unit: Unit, around: Any, declaration: Any) -> bool:
    """Whether a closure is made in a function, or in an instantiation."""
    found = _lambda_at(unit, around, unit.place(declaration.location))
    return found is not None and bool(found.type.get_declaration().canonical == declaration.canonical)


def _lambda_at(unit: Unit, around: Any, start: int) -> Any:
    stack = [around]
    while stack:
        cursor = stack.pop()
        if cursor.kind == unit.kinds.LAMBDA_EXPR and unit.place(cursor.location) == start:
            return cursor
        stack += libclang.children(cursor)
    return None


def _qualified(unit: Unit, made: Any, start: int, end: int, *, is_open: bool) -> str:
    """The text between a lambda expression's captures and its body. Where names of its types may be found by a
    ``using`` of the function's, as ``is_open`` says, they are qualified, because the structure stands outside."""
    k, places = unit.kinds, dict[int, str]()
    for node in libclang.descendants(made) if is_open else ():
        target, place = node.referenced, unit.place(node.location)
        if node.kind in (k.TYPE_REF, k.TEMPLATE_REF) and start <= place < end and libclang.is_users(target):
            spaces = unit.namespaces_around(target)
            is_plain = target.semantic_parent.kind == k.NAMESPACE and not unit.text[:place].rstrip().endswith("::")
            places[place] = "".join(f"::{one}" for one in spaces) + "::" if is_plain and all(spaces) else ""
    marks = [start, *sorted(places), end]
    return "".join(places.get(low, "") + unit.text[low:high] for low, high in pairwise(marks))


def _capture_list(text: str, held: Sequence[Captured]) -> str:
    """A capture list that names all captures, in place of the one whose text this is."""
    entries = [entry for entry in separated(text[1:-1], ",") if entry]
    default = entries.pop(0) if entries and entries[0] in ("=", "&") else ""
    mark = default.replace("=", "")
    entries += (one.name if one.variable is None else mark + one.name for one in held if not one.is_listed)
    return f"[{', '.join(entries)}]"


def _member(unit: Unit, one: Captured) -> Member:
    field, is_reference = one.field, libclang.is_reference(one.field.type)
    kind = unit.type_of(libclang.referred(field.type))
    kind = kind if is_reference else replace(kind, const=False)
    return Member(one.name, kind, is_reference, field.get_field_offsetof() // 8, max(1, field.type.get_align()))


def _parts(unit: Unit, function: Function, body: tuple[int, int], member: Member, field: Any) -> list[Part]:
    """The addresses of a member of a closure whose body is at ``body``."""
    kind, low, high = member.type, *body
    if member.name in ("this", "*this"):
        names = {name for place, name in function.mentions.this if low <= place < high}
        if member.name == "*this":
            fields = field.type.get_fields()
            pointers = [f for f in fields if f.type.get_canonical().kind == unit.types.POINTER]
            pointers = [f for f in pointers if "" in names or f.spelling in names]
            return [Part(member.offset + f.get_field_offsetof() // 8) for f in pointers]
        record = field.type.get_pointee()
        first, last = _hull(record, names)
        return [Part(member.offset, low=first, size=last - first, comes_back=not record.is_const_qualified())]
    if not member.is_reference:
        return [Part(member.offset)] if kind.kind == "pointer" else []
    mentions = [r for r in function.references(low, high) if r.variable.name == member.name]
    is_read = all(r.is_read for r in mentions)
    if kind.kind == "pointer":
        return [Part(member.offset, through=True)]
    comes_back = not kind.const and not (kind.innermost.const or (kind.kind == "scalar" and is_read))
    return [Part(member.offset, size=max(0, field.type.get_pointee().get_size()), comes_back=comes_back)]


def _changed_pointer(unit: Unit, function: Function, body: tuple[int, int], member: Member) -> int | None:
    """Where a closure does more with a pointer that it captures by reference than to take its value, if it does.

    In templates, what reads a variable is only known from the text.
    """
    if not member.is_reference or member.type.kind != "pointer":
        return None
    named = (r for r in function.references(*body) if r.variable.name == member.name and not r.is_read)
    return next((r.start for r in named if not _takes_value(unit.text[r.end : body[1]].lstrip())), None)


def _takes_value(after: str) -> bool:
    """Whether what stands behind a pointer takes its value: an element, a member, a sum or a difference."""
    return after.startswith(("[", "->")) or (after[:1] in ("+", "-") and after[1:2] not in (after[:1], "="))


def _hull(record: Any, names: set[str]) -> tuple[int, int]:
    """The bytes of an object from the first to the last of some members, or all."""
    fields = {f.spelling: (f.get_field_offsetof() // 8, f.type.get_size()) for f in record.get_fields()}
    used = [fields.get(name, (0, 0)) for name in names]
    if not used or any(size <= 0 for _, size in used):
        return 0, max(1, record.get_size())
    return min(at for at, _ in used), max(at + size for at, size in used)


def head_of(head: str, *, is_mutable: bool) -> tuple[str, str]:
    """(the parameters in parentheses, with what else stands in front of the body; what stands in front of them)

    For ``(auto &a, int b)`` they are ``(rex_auto_1 &a, int b) const`` and ``template <class rex_auto_1>``.
    """
    text = head.strip()
    template: list[str] = []
    if text.startswith("<"):
        end = closing_angle(text, 0)
        template.append(text[1 : end - 1])
        text = text[end:].lstrip()
    const = "" if is_mutable else " const"
    if not text.startswith("("):
        return f"(){const}", ""
    end = closing(text, 0)
    inside, after = text[1 : end - 1], re.sub(r"\b(?:constexpr|mutable)\b", "", text[end:]).strip()
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
    return f"({''.join(parts)}){const} {after}".rstrip(), words


def closure_texts(unit: Unit, function: Function, start: int, end: int) -> list[str]:
    """The texts of types that say which closures the region of a function in [start, end) gets."""
    variables = [
        r.variable
        for r in function.references(start, end)
        if not (r.variable.is_local and start <= r.variable.start < end) and not r.variable.constant
    ]
    if not function.is_template:
        return [variable.type.text for variable in variables]
    around = Surroundings(unit, function)
    instances = around.instances(start, end)
    of_closures = [v for v in dict.fromkeys(variables) if "rex_closure_" in v.type.text or "auto" in v.type.text]
    texts = [around.type_in(variable, instance).text for variable in of_closures for instance in instances]
    return texts + [instance.arguments for instance in instances]


def _types_of(variable: Variable, facts: RegionFacts) -> list[str]:
    """The texts of the types that a variable has: in a template, those in the instantiations."""
    if facts.around is None or not facts.around.is_template or not variable.is_local:
        return [variable.type.text]
    return [facts.around.type_in(variable, instance).text for instance in facts.instances]


def is_closure_name(text: str) -> bool:
    """Whether a type is that of a closure, or has one in it."""
    return _NAMED.search(text) is not None


def is_keyed(arguments: str) -> bool:
    """Whether the arguments of an instantiation have types in them for which others stand in host code."""
    return "rex_closure_" in arguments or "rex_local_" in arguments


def is_closure(variable: Variable, facts: RegionFacts) -> bool:
    """Whether a variable is a closure, in a template in all instantiations."""
    texts = _types_of(variable, facts)
    return bool(texts) and all(_NAMED.fullmatch(text) is not None for text in texts)


def closures_of(variable: Variable, facts: RegionFacts, closures: Sequence[Closure]) -> list[Closure]:
    """The closures that a variable is, in a template those in the instantiations."""
    if variable.type.kind != "record":
        return []
    named = {closure.name: closure for closure in closures}
    return [named[text] for text in _types_of(variable, facts) if text in named]


# ---- the host's text ----


def host_texts(unit: Unit, closures: Iterable[Closure]) -> Iterator[Replacement]:
    """Lambda expressions in the host file: their captures are listed, so that their order is known.

    In front of a template, there is a type that stands for an expression in each instantiation.
    """
    for closure in {closure.start: closure for closure in closures}.values():
        tag = f"rex_number<{closure.number}, 0x{unit.key}>"
        if closure.instance is not None:
            around = Surroundings(unit, closure.function)
            tag = f"rex_tag_{unit.key}_{closure.number}"
            yield Replacement(around.outside, around.outside, f"{around.head} struct {tag};")
            tag += around.keys()
        made = "rex_closure" if closure.is_bytes else "rex_moved_closure"
        yield Replacement(closure.start, closure.list_end, f"{made}<{tag}>({closure.captures}")
        yield Replacement(closure.end, closure.end, ")")


def host_names(unit: Unit, closures: Iterable[Closure]) -> Iterator[str]:
    """What the host file says of closures at its end: names for the types that stand for theirs, which the identities
    of kernels need, and where there are addresses in them."""
    for closure in closures:
        tag = f"rex_number<{closure.number}, 0x{unit.key}>"
        if closure.instance is not None:
            scope = Surroundings(unit, closure.function).scope
            tag = f"{scope}rex_tag_{unit.key}_{closure.number}{closure.instance.arguments}"
        yield f"using {closure.name} = {tag};"
        for number, back in enumerate((False, True)):
            parts = closure.parts_that(back)
            if parts:
                rows = (f"{{{p.offset + 1}, {int(p.through)}, {p.low}, {p.size}}}" for p in parts)
                yield f"template <> struct rex_parts<{closure.name}, {number}> {{"
                yield f"    static const rex_part *table() {{ static const rex_part all[{MOST_PARTS}] = "
                yield f"        {{{', '.join(rows)}}}; return all; }} }};"
