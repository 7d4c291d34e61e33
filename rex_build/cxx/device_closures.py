"""The structures in device code that stand for the closures of the user's lambda expressions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..base.diagnostics import error_at
from ..base.line_directives import OWN_LINES
from ..base.names import PAD
from ..c.source.tokens import has_word, outside_literals, statement_end, unclosed
from .closures import Closure, Member
from .cuda_names import device_name, device_text
from .local_classes import needed
from .printer import CxxPrinter
from .templates import Surroundings
from .text_constructs import declare, qualified_at
from .unit import Unit
from .user_lines import TextEdit, user_lines

_USING_NAMESPACE = outside_literals(r"\busing\s+namespace\s+[\w:\s]+;")


def closure_texts(unit: Unit, closures: Sequence[Closure], printer: CxxPrinter) -> Iterator[tuple[int, str]]:
    """The structures, with the offsets in front of which they stand. In a class, they are declared there.

    Device code of several units may be linked, and others may have closures of these names. So structures are the
    unit's own, or in a class their names have its key.
    """
    for closure in {closure.start: closure for closure in closures}.values():
        function = closure.function
        around = Surroundings(unit, function)
        if closure.instance is not None and closure.start in unit.names.asked:
            yield around.outside, f"{around.head} struct {closure.base}_of;\n"
        declared, header, base, alias = "", "", closure.base, ""
        if closure.instance is not None:
            header = f"template <class rex_facts{_more(text for _, text in around.own_parameters)}>\n"
        if around.tags:  # it is a partial specialisation, whose parameters may be several lists
            plain = around.own_parameters[: around.first_tag]
            declared = f"template <class rex_facts{_more(text for _, text in plain)}, class...> struct {base};\n"
            base += f"<rex_facts{_more([*(name for name, _ in plain), *around.tags])}>"
        if not function.is_member:
            structure = declared + header + _structure(unit, closure, printer, base)
            yield function.start, f"namespace {{\n{structure}}}\n"
            continue
        if unit.separable and closure.instance is None:
            base = f"{closure.base}_{unit.key}"
            alias = f"typedef {base} {closure.base};\n"
        if around.is_in_class:
            yield around.class_end, f"public:\n{declared}{header}{_structure(unit, closure, printer, base)}{alias}"
        else:
            declared = declared or f"{header}struct {base};\n{alias}"
            yield around.class_end, f"public:\n{declared}"
            written = (", ".join(text for _, text in level.written) for level in around.levels)
            outer = "".join(f"template <{parameters}>\n" for parameters in written)
            name = f"{around.qualifier}{base}"
            yield function.start, outer + header + _structure(unit, closure, printer, name)


def closure_names(unit: Unit, closures: Sequence[Closure]) -> Iterator[str]:
    """What gives the structures their names everywhere: of a template's, what each instantiation has in it."""
    for closure in closures:
        around = Surroundings(unit, closure.function)
        if closure.instance is None:
            scope = f"{around.class_name}::" if closure.function.is_member else around.scope
            if scope != "::":
                yield f"using {closure.name} = {scope}{closure.name};\n"
            continue
        facts = f"{closure.name}_facts"
        yield f"namespace {{\nstruct {facts} {{\n"
        yield "".join(f"{PAD}typedef {_declared(m, f'{m.device_name}_type')};\n" for m in closure.members)
        yield f"{PAD}__device__ static void point(void *rex_object, void *const *rex_to, void *const *rex_tofrom)\n"
        yield f"{PAD}{{\n{_pointing(closure, 'rex_object')}{PAD}}}\n}};\n}}\n"
        scope = f"{closure.instance.object}::" if closure.function.is_member else around.scope
        own = _more([closure.instance.own.removeprefix("<").removesuffix(">"), *closure.instance.tags])
        yield f"using {closure.name} = {scope}{closure.base}<{facts}{own}>;\n"
        if closure.start in unit.names.asked:
            arguments = closure.instance.arguments
            spaces = [part for part in around.scope.split("::") if part]
            opened = "".join(f"namespace {name} {{ " for name in spaces)
            text = f"template <> struct {closure.base}_of{arguments} {{ typedef {closure.name} type; }};"
            yield f"{opened}{text}{' }' * len(spaces)}\n"


def _more(texts: Iterable[str]) -> str:
    """Further members of a list."""
    return "".join(f", {text}" for text in texts if text)


def _declared(member: Member, name: str) -> str:
    return declare(member.type, f"(&{name})" if member.is_reference and member.type.kind == "array" else f"&{name}"
                   if member.is_reference else name)  # fmt: skip


def _pointing(closure: Closure, whole: str) -> str:
    """The statements that give the addresses in a closure the values that they have on the device."""
    text = ""
    for back, given in ((False, "rex_to"), (True, "rex_tofrom")):
        for number, part in enumerate(closure.parts_that(back)):
            address = f"(void *)&{given}[{number}]" if part.through else f"{given}[{number}]"
            low = f", {part.low}" if part.low else ""
            text += f"{PAD}{PAD}rex_set_address({whole}, {part.offset}, {address}{low});\n"
    return text


def _structure(unit: Unit, closure: Closure, printer: CxxPrinter, name: str) -> str:
    """For example ``struct rex_closure_12_8 { double *x; auto operator()(int i) const { ... } };``."""
    line = unit.span(closure.start).line
    text = f"struct {name} {{ // {unit.span(closure.start).file.rpartition('/')[2]}:{line}: a closure\n"
    for member in closure.members:
        own = f"typename rex_facts::{member.device_name}_type {member.device_name}"
        if _is_stored_as_bytes(unit, closure, member):
            own = f"alignas({member.alignment}) char {_stored(member)}[{member.type.size}]"
        elif closure.instance is None:
            own = _declared(member, member.device_name)
        text += f"{PAD}{own};\n"
    for named in needed(unit, closure.function, (closure.list_end, closure.body), closure.start):
        if named.cursor.kind != unit.kinds.USING_DECLARATION:  # but an alias of a type
            text += user_lines(unit, named.start, statement_end(unit.text, named.start)) + OWN_LINES
    text += f"{PAD}{closure.template}__host__ __device__ auto operator(){device_text(closure.parameters)}\n{PAD}{{\n"
    constants = (v.start for v in needed(unit, closure.function, (closure.list_end, closure.end), closure.start))
    text += "".join(user_lines(unit, start, statement_end(unit.text, start)) for start in dict.fromkeys(constants))
    text += "".join(f"{PAD}{PAD}{one}\n" for one in _using_directives(unit, closure))
    own_lines, edits = _members_of_this(unit, closure)
    text += own_lines
    edits += printer.edits(closure.function, closure.body, closure.end)
    text += user_lines(unit, closure.body, closure.end, [*edits, *_constructs(unit, closure, printer)])
    text += f"{OWN_LINES}{PAD}}}\n"
    if closure.instance is not None or closure.parts:
        head = f"{PAD}__device__ void rex_point(void *const *rex_to, void *const *rex_tofrom)\n{PAD}{{\n"
        own = f"{PAD}{PAD}rex_facts::point(this, rex_to, rex_tofrom);\n"
        own = own if closure.instance is not None else _pointing(closure, "this")
        unused = "" if "rex_to[" in own or closure.instance is not None else f"{PAD}{PAD}(void)rex_to;\n"
        unused += "" if "rex_tofrom[" in own or closure.instance is not None else f"{PAD}{PAD}(void)rex_tofrom;\n"
        text += f"{PAD}typedef void rex_is_closure;\n{head}{unused}{own}{PAD}}}\n"
    return f"{text}}};\n"


def _using_directives(unit: Unit, closure: Closure) -> Iterator[str]:
    """Those of the function that are in force where a closure is made."""
    begin, end = closure.function.body, closure.start
    around = unclosed(unit.text, begin, end) if has_word(unit.text[begin:end], "using") else []
    for match in _USING_NAMESPACE.finditer(unit.text, begin, end) if around else ():
        opened = unclosed(unit.text, begin, match.start())
        if match["found"] and opened == around[: len(opened)]:
            yield match["found"]


def _is_stored_as_bytes(unit: Unit, closure: Closure, member: Member) -> bool:
    """Whether a member has bytes in place of an object, because its class is not complete where the structure is."""
    around = closure.function.cursor.semantic_parent
    is_own = around.kind in unit.classes and member.type.text == unit.type_of(around.type).text
    is_object = not member.is_reference and (member.name == "*this" or is_own)
    return closure.instance is None and is_object


def _stored(member: Member) -> str:
    return member.device_name if member.name == "*this" else f"{member.device_name}_rex_bytes"


def _members_of_this(unit: Unit, closure: Closure) -> tuple[str, list[TextEdit]]:
    """(what binds the names of members that a closure uses without ``this->``, and of its own that are bytes, the edits
    of other uses of ``this``)"""
    uses = sorted((p, name) for p, name in closure.function.mentions.this if closure.body <= p < closure.end)
    lines, bound = "", set()
    edits: list[TextEdit] = []
    const = "" if closure.is_mutable else "const "
    for member in (m for m in closure.members if m.name != "*this" and _is_stored_as_bytes(unit, closure, m)):
        object_there = f"*reinterpret_cast<{const}{member.type.text} *>(&{_stored(member)})"
        lines += f"{PAD}{PAD}auto &{member.device_name} = {object_there};\n"
    if not uses or not any(m.name in ("this", "*this") for m in closure.members):
        return lines, edits
    if (copy := next((m for m in closure.members if m.name == "*this"), None)) is not None:
        kind = "typename rex_facts::rex_copy_type" if closure.instance is not None else copy.type.text
        lines += f"{PAD}{PAD}auto *const rex_self = reinterpret_cast<{const}{kind} *>(&rex_copy);\n"
    for place, name in uses:
        if qualified_at(unit.text, place) == "this":
            edits.append(TextEdit(place, place + len("this"), "rex_self"))
        elif name and unit.text.startswith(name, place):
            if name not in bound:
                own = device_name(name)
                lines += f"{PAD}{PAD}auto &{own} = rex_self->{own};\n"
            bound.add(name)
        else:
            edits.append(TextEdit(place, place, "rex_self->"))
    return lines, edits


def _constructs(unit: Unit, closure: Closure, printer: CxxPrinter) -> Iterator[TextEdit]:
    for place, what in closure.function.mentions.odd:
        if closure.body <= place < closure.end:
            raise error_at(unit.span(place), f"device code {what}, which is not supported")
    for construct in unit.outermost_in(closure.body, closure.end):
        text = printer.around.construct(construct, printer.at(construct), 1)
        yield TextEdit(construct.start, construct.end, text, True)
