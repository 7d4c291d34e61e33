"""Writes the device file of a C++ unit: the user's text without what device code does not need.

The kernels stand in front of the functions that their regions are in.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from .. import __version__
from ..base.diagnostics import SourceSpan, Stretches
from ..base.line_directives import OWN_LINES, line_marker, resolve_line_markers
from ..base.names import in_comment
from ..base.patterns import regex
from ..c.source.tokens import (
    closing,
    directive_pattern,
    has_word,
    marks_outside,
    next_token,
    statement_end,
    word_before,
    words_in,
)
from ..plan.unit import TranslationUnitPlan
from ..render.constructs import FunctionConstructs, of_all_threads, of_teams
from ..render.frames import last_lines
from . import libclang, local_classes
from .closures import Closure
from .cuda_names import names_of_kernels, names_of_macros, overloaded_declarations, renamed, renamed_types
from .declarators import only, with_attributes
from .declare_target import (
    is_constant_of_unit,
    is_one_of_all_units,
    specifiers_to_drop,
    static_members,
    unnamed_namespace,
)
from .device_closures import closure_names, closure_texts
from .functions import Function
from .headers import needed_headers, words_of
from .indirect import addresses, table
from .instantiations import explicit_instantiations
from .kernels import BodyKernel, PointedKernel
from .libclang import outermost_headers, system_inclusions
from .library_calls import declares_library
from .printer import FOR_BOTH, CxxPrinter, methods_for_both, printer_of
from .reached import Reached
from .regions import Decided
from .template_members import instantiated
from .templates import specifiers
from .text_constructs import Range, Variable, declare, qualified_at
from .unit import Unit
from .user_lines import TextEdit, user_lines

_KEY = regex(r"\b(?:struct|class|union|enum)\b")
_CLASS = regex(r"\b(?:class|struct|union|enum)\s+(\w+)")
_PRAGMA = directive_pattern("")
_NOT_INLINE = ("__attribute__", "constexpr", "const", "static")  # what may stand in front of "inline"
_NOT_CALLED = "{ __builtin_unreachable(); }"


def device_file(
    plan: TranslationUnitPlan,
    unit: Unit,
    decided: Sequence[Decided],
    reached: Reached,
    closures: Sequence[Closure],
    own_name: str,
    options: Sequence[str],
    macros: Sequence[str],
) -> str:
    """The text of ``rex_lib_<stem>.cu``. ``options`` and ``macros`` are what is needed to read its headers."""
    printer = printer_of(unit, FunctionConstructs(plan).render, plan)
    kernels: dict[int, str] = {}
    shells: list[str] = []
    for place, text in closure_texts(unit, closures, printer):
        kernels[place] = kernels.get(place, "") + OWN_LINES + text
    shells += closure_names(unit, closures)
    for types in unit.auto_types.values():
        place = types.around.outside
        kernels[place] = kernels.get(place, "") + OWN_LINES + types.declaration()
        shells += types.definitions()
    for one in decided:
        if one.around is None:
            place, text = one.function.start, _kernel(plan, printer, one)
        else:
            place, text = _in_scope(plan, printer, one, shells, kernels)
        kernels[place] = kernels.get(place, "") + OWN_LINES + text + "\n"
    by_all = {code.start for code in plan.in_regions if isinstance(code, Range)}
    inside = printer.with_names({}, **of_all_threads(plan))
    printers = {f.start: inside if f.start in by_all else printer for f in reached.functions}
    printers |= {one.start: printer for one in reached.initialisers}
    for code, memory in plan.in_sequence.items():
        assert isinstance(code, Range)
        printers[code.start] = printer.with_names({}, **of_teams(plan, memory))
    for place, declared, name in local_classes.device_texts(unit):
        edits = list(_of_classes(unit, declared, kernels, printers))
        text = f"{OWN_LINES}namespace {{\nnamespace {name} {{\n{_again(unit, declared, edits)}}}\n}}\n"
        kernels[place] = text + kernels.get(place, "")
    shells[:0] = (f"{line}\n" for line in local_classes.names(unit))
    printed = "".join((*kernels.values(), *shells))
    unnamed, closures_kept = _unnamed(unit, reached, printed), _closures(unit, printed)
    edits = list(_edits(unit, reached, kernels, printers, unnamed, closures_kept))
    edits += _named_namespaces(unit, unnamed_namespace(plan.unit))
    shells += instantiated(unit)
    parts = list(_files(unit, sorted(edits, key=lambda e: e.start)))
    own = (text for header, text in parts if header is None)
    words = words_of("\n".join((*own, *unit.device_functions, *shells)))
    needed = needed_headers(unit.pre, words)
    head = _head(plan, unit, words, needed, options, macros)
    tail = ["", *shells, *addresses(plan), *last_lines(plan), ""]
    body = "".join(text for header, text in parts if header is None or header in needed).rstrip("\n") + "\n"
    whole = "\n".join(head) + "\n" + body + OWN_LINES + "\n".join(tail)
    return resolve_line_markers(whole, own_name, unit.pre.main_file)


def _head(
    plan: TranslationUnitPlan,
    unit: Unit,
    words: Collection[str],
    needed: Collection[int],
    options: Sequence[str],
    macros: Sequence[str],
) -> list[str]:
    """What stands in front of the user's text, which has the ``words`` and the headers that are ``needed``."""
    has_complex = any(unit.pre.inclusions[header].file.endswith("/complex") for header in needed)
    head = [f"/* rex-build {__version__}: device code of {in_comment(plan.source_name)} */"]
    head += [f"/* options: {in_comment(shlex.join(options))} */"]
    head += ["#define __OMP_H /* omp.h's functions are those of the device library */", "#define _OMP_H"]
    head += ["#define REX_OWN_SETTINGS /* of tasks, which change them */"] if plan.makes_settings else []
    head += ["#define REX_ROUNDED_PRODUCTS"] if not plan.fuses else []
    head += ["#define REX_INEXACT_QUOTIENTS"] if not plan.rounds else []
    head += ['#include "xomp_cuda_lib_inlined.cu"', '#include "rex_cxx.h"']
    head += ['#include "rex_std_complex.h"'] if has_complex else []
    head += names_of_macros(unit, words)
    head += macros
    head += [f"REX_DEFINE_LOCK({lock});" for lock in plan.locks]
    head += table(plan)
    head += [*renamed(unit.outer_names), *unit.device_functions]
    return [*head, *(["#define _Float16 rex_half"] if "_Float16" in unit.read.text else [])]


def _kernel(plan: TranslationUnitPlan, printer: CxxPrinter, one: Decided) -> str:
    """A region's kernels, with the constants and types of the function around it that they name."""
    own, late = _declared_around(printer.unit, one)
    text = PointedKernel(plan, one, printer, late).text()
    used = {r.variable for r in one.function.mentions.references if not r.is_read}  # such as for an address
    inside = [v for v in own if not v.names_type and (v.type.kind != "scalar" or v in used)]
    around = [v for v in own if v.names_type or v.type.kind == "scalar"]  # which its parameters' types may need
    if inside:
        lines = _again(printer.unit, inside)
        text = text.replace("\n{\n", f"\n{{\n{lines}")
    if around:  # a namespace of the kernel's own, as its parameters may have such types
        lines = _again(printer.unit, around)
        text = f"namespace {one.region.kernel}names {{\n{lines}{text}}}\n"
    return text


def _in_scope(
    plan: TranslationUnitPlan, printer: CxxPrinter, one: Decided, shells: list[str], kernels: dict[int, str]
) -> tuple[int, str]:
    """(where the functions with the kernels' bodies stand, their text) for a region of a member or a template.

    The ``shells``, which call these functions, are the kernels. In a class, ``kernels`` gets the declarations.
    """
    around = one.around
    assert around is not None
    own, late = _declared_around(printer.unit, one)
    kernel = BodyKernel(plan, one, printer, _again(printer.unit, own), late)
    text = kernel.text()
    shells += kernel.shells
    if around.record is None:
        for record in around.classes:
            end = printer.unit.extent(record)[1] - 1
            declared = "".join(f"{line}\n" for line in kernel.friends)
            kernels[end] = kernels.get(end, "") + OWN_LINES + ("" if around.is_friend_inside else declared)
        if around.classes:
            place = around.befriended
            kernels[place] = kernels.get(place, "") + OWN_LINES + "".join(f"{d}\n" for d in kernel.declarations)
        if around.is_friend_inside:
            return printer.unit.extent(around.classes[0])[1] - 1, text
        return one.function.start, text
    if around.is_in_class:
        return around.class_end, f"public:\n{text}"
    declared = "".join(f"{line}\n" for line in kernel.declarations)
    kernels[around.class_end] = kernels.get(around.class_end, "") + OWN_LINES + f"public:\n{declared}"
    return one.function.start, text


def _declared_around(unit: Unit, one: Decided) -> tuple[list[Variable], str]:
    """(the constants and types of the function around a region that name no variable of its kernels, the text of the
    others, for example of ``using T = decltype(a[0]);``)"""
    captured = {capture.symbol for capture in one.region.captures}
    late: list[Variable] = []
    for v in one.local:
        words = unit.text[v.start : v.end]
        spelt = Stretches((edit.start, edit.end) for edit in _declared_types(unit, one.function, v))
        naming = (r for r in one.function.references(v.start, v.end) if r.variable in captured)
        if any(r.start not in spelt for r in naming) or (late and has_word(words, *(o.name for o in late))):
            late.append(v)
    return [v for v in one.local if v not in late], _again(unit, late)


def _of_classes(
    unit: Unit, declared: Sequence[Variable], kernels: dict[int, str], printers: Mapping[int, CxxPrinter]
) -> Iterator[TextEdit]:
    """The edits of functions' classes that have regions, with their kernels, which go from ``kernels``."""
    for one in (variable for variable in declared if variable.names_type):
        for place in [place for place in kernels if one.start <= place < one.end]:
            yield TextEdit(place, place, kernels.pop(place), True)
        for function in (f for f in unit.functions if f.is_of_function and one.start <= f.start < one.end):
            if (printer := printers.get(function.start)) is not None:
                yield from _kept(unit, function, printer)
            elif (edit := _dropped(unit, function)) is not None:
                yield edit


def _declared_types(unit: Unit, function: Function, declaration: Variable) -> Iterator[TextEdit]:
    """The types of variables in place of ``decltype(x)`` in a declaration: kernels have other types, or not all of the
    variables."""
    text = unit.text
    for one in function.references(declaration.start, declaration.end):
        start, end = text.rfind("decltype", declaration.start, one.start), next_token(text, one.end)
        kind, written = one.variable.type, one.variable.cursor.type.kind
        is_alone = start >= 0 and text[start + 8 : one.start].strip() == "(" and text[end] == ")"
        if is_alone and one.variable.is_local and not has_word(kind.text, "auto", "lambda", "decltype"):
            reference = {unit.types.LVALUEREFERENCE: "&", unit.types.RVALUEREFERENCE: "&&"}.get(written, "")
            yield TextEdit(start, end + 1, f"{declare(kind, '')}{reference}")


def _again(unit: Unit, variables: Sequence[Variable], more: Sequence[TextEdit] = ()) -> str:
    """The declarations of local constants and types, once more. One declaration may declare several."""
    edits: dict[int, list[TextEdit]] = {}
    known = [f.start for f in unit.functions if f.is_of_function] if more else []
    for variable in variables:
        own = edits.setdefault(variable.start, [])
        marks = methods_for_both(unit, variable.cursor) if variable.names_type else ()
        if (function := unit.function_at(variable.start)) is not None:
            own += _declared_types(unit, function, variable)
        own += (mark for mark in marks if mark.start not in known)
        own += (edit for edit in more if variable.start <= edit.start < variable.end)
    ends = {start: statement_end(unit.text, start) for start in edits}
    types = (v for v in variables if v.names_type and v.cursor.kind in (*unit.classes, unit.kinds.ENUM_DECL))
    ends.update((v.start, v.end) for v in types if not unit.text.startswith("typedef", v.start))  # no variables with it
    texts = []
    for start, own in edits.items():
        function, named = unit.function_at(start), {v.name for v in variables if v.start == start and not v.names_type}
        others = (c for at, c in function.mentions.declared if at >= start) if function is not None else ()
        text = user_lines(unit, start, ends[start], own).rstrip()
        if named and any(unit.variable(c).start == start and c.spelling not in named for c in others):
            text = line_marker(unit.span(start)) + only(unit, start, named).rstrip()
        texts.append(f"{text}{'' if text.endswith(';') else ';'}\n{OWN_LINES}")
    return "".join(texts)


def _edits(
    unit: Unit,
    reached: Reached,
    kernels: Mapping[int, str],
    printers: Mapping[int, CxxPrinter],
    unnamed: Sequence[tuple[int, int]],
    closures: Collection[int],
) -> Iterator[TextEdit]:
    """The edits of the unit's text. ``printers`` are those of the functions that device code calls, by their places."""
    text = unit.text
    constants = {variable.start for variable in reached.constants}
    runtime = _of_the_runtime(unit)
    of_runtime = {stretch: name for stretches in runtime.values() for stretch, name in stretches}
    dropped = [*unnamed, *of_runtime]
    yield from (TextEdit(start, end, of_runtime.get((start, end), "")) for start, end in sorted(set(dropped)))
    without = {start for start, _ in unnamed}
    # nvcc wants the functions that a device function overrides to be device functions, too.
    methods = (*unit.elsewhere, *(f.cursor for f in reached.functions))
    virtual = {m.displayname for m in methods if m.kind == unit.kinds.CXX_METHOD and m.is_virtual_method()}
    for reduction in unit.user_reductions:  # in front of the kernels at the same place, which call them
        for place, written in reduction.texts if reduction.functions in unit.used_reductions else ():
            yield TextEdit(place, place, OWN_LINES + written, True)
    for place, line in renamed_types(unit):
        yield TextEdit(place, place, OWN_LINES + line, True)
    for place, kernel in kernels.items():
        yield TextEdit(place, place, kernel, True)
    for function in unit.functions:
        if function.is_of_function:
            continue  # it stands in the device's declaration of its class
        if (printer := printers.get(function.start)) is not None:
            yield from _kept(unit, function, printer)
        elif function.start not in without and (edit := _dropped(unit, function)) is not None:
            dropped.append((edit.start, edit.end))
            yield edit
            if edit.text == _NOT_CALLED and function.cursor.displayname in virtual:
                yield _for_both(text, function.start)
    for one in reached.initialisers:
        yield from printers[one.start].edits(one, one.body, one.end)
    kept_declarations = {method.canonical.hash for method in methods}.difference(runtime)
    for hashed, cursors in unit.prototypes.items():
        if hashed in kept_declarations:
            for cursor in cursors:
                if not cursor.is_definition():
                    yield _for_both(text, unit.extent(cursor)[0])
        elif cursors[0].displayname in virtual and cursors[0].is_pure_virtual_method():
            yield _for_both(text, unit.extent(cursors[0])[0])
    yield from _defaulted_destructors(unit)
    yield from _variables(unit, constants, reached, dropped, closures)
    yield from static_members(unit, reached)
    yield from (TextEdit(one.start, one.end, one.text) for one in local_classes.public_types(unit))
    for match in explicit_instantiations(unit.pre):
        if unit.function_at(match.start("whole")) is None:
            yield TextEdit(match.start("whole"), match.end(), "")
    yield from (TextEdit(*named) for named in names_of_kernels(unit, 0, len(text)))
    are_dropped = Stretches(dropped)
    for low, high, name in overloaded_declarations(unit):
        if low not in are_dropped:
            yield TextEdit(low, high, name)
    for match in unit.pre.in_own_parts(_PRAGMA):
        if match.start() not in are_dropped:
            yield TextEdit(match.start(), unit.pre.line_end(unit.pre.line_at(match.start())), "")


def _of_the_runtime(unit: Unit) -> dict[int, list[tuple[tuple[int, int], str]]]:
    """The user's own declarations of OpenMP's functions, which the device library defines, by the functions, each with
    what stands there in a namespace."""
    found: dict[int, list[tuple[tuple[int, int], str]]] = {}
    for hashed, cursors in unit.prototypes.items():
        if cursors[0].spelling.startswith("omp_") and declares_library(cursors[0]):
            for cursor in cursors:
                start = with_attributes(unit.text, unit.extent(cursor)[0])
                name = f"using ::{cursor.spelling};" if unit.namespaces_around(cursor) else ""
                found.setdefault(hashed, []).append(((start, statement_end(unit.text, start)), name))
    return found


def _for_both(text: str, start: int) -> TextEdit:
    """What makes the declaration that begins at a place one of a device function."""
    at = specifiers(text, start)
    return TextEdit(at, at, FOR_BOTH)


def _defaulted_destructors(unit: Unit) -> Iterator[TextEdit]:
    """Bodies for virtual destructors that are defaulted, which nvcc takes for functions of the host."""
    for cursors in unit.prototypes.values():
        for cursor in cursors if cursors[0].kind == unit.kinds.DESTRUCTOR else ():
            parent = cursor.semantic_parent.canonical.hash
            if parent in unit.ended and cursor.is_virtual_method() and cursor.is_default_method():
                start, end = unit.extent(cursor)
                yield _for_both(unit.text, start)
                if (equals := unit.text.rfind("=", start, end)) >= 0:
                    yield TextEdit(equals, end, "{}")


def _kept(unit: Unit, function: Function, printer: CxxPrinter) -> Iterator[TextEdit]:
    """The edits of a function that device code calls."""
    yield _for_both(unit.text, function.start)
    for child in libclang.children(function.cursor):
        # nvcc takes it for a function that writes no memory, also not the object that it returns.
        if child.kind in (unit.kinds.CONST_ATTR, unit.kinds.PURE_ATTR):
            start, end = unit.extent(child)
            yield TextEdit(start, end, _unused(unit.text[start:end]))
    yield from printer.edits(function, function.start, function.end)
    if first := printer.around.first_line:
        yield TextEdit(function.body + 1, function.body + 1, f" {first}")
    blocks = [
        TextEdit(c.start, c.end, printer.around.construct(c, printer.at(c), 1), True)
        for c in unit.outermost_in(function.body, function.end)
    ]
    yield from blocks
    yield from printer.shared_declarations(function.body, function.end, blocks)


def _unused(attribute: str) -> str:
    """An attribute without a meaning in place of ``const`` or ``__pure__``."""
    for part in ("__", "const", "pure", "__"):
        attribute = attribute.removesuffix(part)
    return f"{attribute}unused"


def _dropped(unit: Unit, function: Function) -> TextEdit | None:
    """What becomes of a function that device code does not call: its body goes, unless the compiler may need it."""
    text = unit.text
    if function.is_constexpr or function.cursor.kind == unit.kinds.VAR_DECL:  # a variable with a lambda expression
        return None
    head, k = text[function.start : function.body], unit.kinds
    deduced = has_word(head, "auto") and "->" not in head  # what it returns
    inside = function.cursor.lexical_parent
    if not function.is_member:
        in_class = inside is not None and inside.kind in unit.classes
        friend = inside is not None and inside.kind in (k.CLASS_TEMPLATE, k.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION)
        if in_class and not friend and "=" in text[function.start : specifiers(text, function.start)]:
            return None  # a friend that is only declared may not have default arguments of templates
        if deduced and function.name in unit.asked_names:
            return None  # a type needs it
        if friend or deduced:
            return TextEdit(with_attributes(text, function.start), function.end, "")
        return TextEdit(_head_end(text, function), function.end, ";")
    parent = function.cursor.semantic_parent
    if inside is None or parent is None or inside.canonical != parent.canonical:
        return TextEdit(with_attributes(text, function.start), function.end, "")
    if deduced:
        return None  # a type may need it
    if function.cursor.is_virtual_method():  # a table of virtual functions may need it, but nothing calls it
        return TextEdit(_head_end(text, function), function.end, _NOT_CALLED)
    return TextEdit(_head_end(text, function), function.end, ";")


def _unnamed(unit: Unit, reached: Reached, kernels: str) -> list[tuple[int, int]]:
    """The definitions and declarations of functions that device code does not call, and that nothing in it names."""
    kept = {f.canonical.hash for f in (*unit.elsewhere, *(f.cursor for f in reached.functions))}
    kept |= set(_of_the_runtime(unit))
    definitions = {function.cursor.hash: function for function in unit.functions}
    found: list[tuple[int, int, str, str]] = []
    bodies: list[tuple[int, int]] = []
    for hashed, cursors in unit.prototypes.items():
        for cursor in cursors if hashed not in kept else ():
            function = definitions.get(cursor.hash)
            edit = _dropped(unit, function) if function is not None else None
            bodies += [(edit.start, edit.end)] if edit is not None else []
            start = function.start if function is not None else unit.extent(cursor)[0]
            end = edit.end if edit is not None else statement_end(unit.text, start)
            is_free = edit.text == ";" if edit is not None else function is None
            if is_free and _is_free_function(unit, cursor) and _stands_alone(unit.text, start):
                found.append((start, end, cursor.spelling, unit.text[start : edit.start if edit is not None else end]))
    words = _names(f"{''.join(_outside(unit, [*bodies, *((low, high) for low, high, _, _ in found)]))}\n{kernels}")
    while named := [head for _, _, name, head in found if name in words]:
        found = [one for one in found if one[2] not in words]
        words |= _names("\n".join(named))
    return sorted((start, end) for start, end, _, _ in found)


def _names(text: str) -> set[str]:
    return {*words_of(text), *(word for word in words_in(text) if len(word) == 1)}  # which words_of leaves out


def _is_free_function(unit: Unit, cursor: Any) -> bool:
    """Whether a function is of no class, also no friend of one, and has a name that has to be written to call it."""
    if cursor.kind.name not in ("FUNCTION_DECL", "FUNCTION_TEMPLATE") or not cursor.spelling.isidentifier():
        return False
    around = (cursor.semantic_parent, cursor.lexical_parent)
    return not any(parent is not None and parent.kind in unit.classes for parent in around)


def _stands_alone(text: str, start: int) -> bool:
    """Whether nothing belongs to a declaration in front of its first word, such as ``extern "C"`` or an attribute."""
    before = text[max(0, start - 500) : start].rstrip()
    return before.endswith((";", "}", "{")) or before.rpartition("\n")[2].lstrip().startswith("#") or not before


def _outside(unit: Unit, stretches: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The text of the files that the device file has the text of, without some stretches."""
    waiting = sorted(stretches, reverse=True)
    at = 0
    # A file of the user's may say that what follows is of the system (#pragma GCC system_header).
    top = outermost_headers(unit.pre, system_inclusions(unit.pre))
    for start, end in ((start, end) for origin, start, end in unit.pre.stretches if origin.inclusion not in top):
        at = max(at, start)
        while waiting and waiting[-1][0] < end:
            low, high = waiting.pop()
            yield unit.text[at:low]
            at = max(at, high)
        yield unit.text[at:end]


def _head_end(text: str, function: Function) -> int:
    """Where a definition's body begins, of a constructor its list of initialisers, or the ``try`` in front of them."""
    end = function.body
    if function.cursor.kind.name in ("CONSTRUCTOR", "FUNCTION_TEMPLATE"):
        start = closing(text, text.index("(", specifiers(text, function.start)))
        colons = (m.start() for m in marks_outside(text, start, end) if m[0] == ":")
        end = next((at for at in colons if ":" not in (text[at - 1], text[at + 1])), end)
    at, word = word_before(text, end)
    return word_before(text, at)[0] if word == "try" and not word_before(text, at)[1] else at + len(word)


def _named_namespaces(unit: Unit, name: str) -> Iterator[TextEdit]:
    """Names for the namespaces without one, so that the host finds their variables. What is in an inline namespace is
    visible around it, too."""
    for brace in unit.unnamed:
        start = unit.text.rindex("namespace", 0, brace)
        inline = "" if word_before(unit.text, start)[1] == "inline" else "inline "
        yield TextEdit(start, brace, f"{inline}namespace {name} ")


def _class_key(text: str, start: int) -> int:
    """Where the class begins that a declaration of variables declares, behind what says something of these alone."""
    key = _KEY.search(text, start)
    return key.start() if key is not None else start


def _variables(
    unit: Unit, constants: set[int], reached: Reached, dropped: Sequence[tuple[int, int]], closures: Collection[int]
) -> Iterator[TextEdit]:
    """Variables of namespaces are not part of the device code, but constants are. Others are declared where something
    outside of functions names them, such as a type."""
    whole: dict[tuple[int, int], list[Variable]] = {}
    for variable in dict.fromkeys(unit.globals):  # those with several declarations are there more than once
        if variable.start >= 0 and not unit.is_static_member(variable):
            whole.setdefault((variable.start, statement_end(unit.text, variable.start)), []).append(variable)
    named: set[str] | None = None  # found once, where a variable needs it
    for start in unit.constant_templates:
        at = specifiers(unit.text, start)
        yield TextEdit(at, at, "__device__ ")
        while (word := qualified_at(unit.text, at)) in _NOT_INLINE or unit.text.startswith("[[", at):
            is_attribute = word not in _NOT_INLINE[1:]
            at = next_token(unit.text, at + len(word))
            at = next_token(unit.text, closing(unit.text, at)) if is_attribute else at
        if word == "inline":  # nvcc has none of other units
            yield TextEdit(at, at + len(word), "")
    for start, variable in unit.redeclared:
        if variable in unit.on_host:
            yield TextEdit(start, statement_end(unit.text, start), "")
        elif variable in unit.on_device:
            yield TextEdit(start, start, "__device__ ")
    for (start, end), variables in whole.items():
        brace = unit.text.find("{", start, unit.place(variables[0].cursor.location))
        if any(variable in unit.on_host for variable in variables):
            declared = (declare(v.type, f"*{unit.on_host[v]}") for v in variables if v in unit.on_host)
            pointers = " ".join(f'extern "C" {{ __device__ {one}; }}' for one in declared)
            if brace < 0:
                yield TextEdit(start, end, pointers)
                continue
            # The declaration declares the class of the variable, too.
            yield TextEdit(start, _class_key(unit.text, start), "")
            yield TextEdit(closing(unit.text, brace), end, f"; {pointers}")
            continue
        if any(variable in unit.on_device for variable in variables):
            # The host finds it by its name, which a constant has for other units only if it is extern.
            constant = any(v.type.const for v in variables) and not unit.text.startswith("extern", start)
            words = "extern __device__ " if constant else "__device__ "
            if all(is_constant_of_unit(unit, variable) for variable in variables):
                words = "static __device__ "
            elif unit.separable and any(is_one_of_all_units(unit, variable) for variable in variables):
                words = "inline __device__ "
            yield TextEdit(start, specifiers_to_drop(unit.text, start), words)
            continue
        stored = any(variable.start in reached.addressed for variable in variables)
        if not stored and any(v.start in constants and v.type.kind == "scalar" for v in variables):
            continue  # the compiler knows its value
        if stored or any(variable.start in constants for variable in variables):
            word = "" if unit.text.startswith("static", start) else "static "
            yield TextEdit(start, start, f"{word}__device__ ")
        elif not any(variable.constant or variable.start in closures for variable in variables):
            if brace < 0:
                if named is None:
                    named = _named_outside(unit, reached, [*dropped, *whole])
                left = [v for v in variables if v.name in named and "(" not in v.type.text and not v.is_reference]
                declared = (f"extern {declare(v.type, v.name)};" for v in left)
                yield TextEdit(with_attributes(unit.text, start), end, " ".join(declared))
            else:  # the declaration declares the class of the variable, too
                yield TextEdit(start, _class_key(unit.text, start), "")
                yield TextEdit(closing(unit.text, brace), end, ";")


def _closures(unit: Unit, printed: str) -> set[int]:
    """Where the variables of namespaces begin that are closures, and that device code or a type names: only their
    lambda expressions have these types."""
    own = (v for v in unit.globals if v.start >= 0 and v.type.text.startswith("decltype("))
    return {v.start for v in own if v.name in unit.asked_names or has_word(printed, v.name)}


def _named_outside(unit: Unit, reached: Reached, left_out: Sequence[tuple[int, int]]) -> set[str]:
    """The names in the text outside of the functions that device code calls, and of what is left out; but none that
    are classes', too, which a variable hides."""
    functions = [(function.start, function.end) for function in reached.functions]
    return _names("".join(_outside(unit, [*left_out, *functions]))).difference(_CLASS.findall(unit.text))


def _files(unit: Unit, edits: Sequence[TextEdit]) -> Iterator[tuple[int | None, str]]:
    """(None, text of the user's files) or (an inclusion's number, the lines that include a header of the system)"""
    pre = unit.pre
    headers = system_inclusions(pre)
    top = outermost_headers(pre, headers)
    included: set[int] = set()
    stretches: list[tuple[int, int]] = []
    for origin, start, stop in pre.stretches:
        outermost = top.get(origin.inclusion)
        if outermost is None:
            joined = bool(stretches) and stretches[-1][1] == start
            stretches[-1:] = [(stretches[-1][0], stop)] if joined else [*stretches[-1:], (start, stop)]
        elif outermost not in included and headers[outermost]:
            included.add(outermost)
            for low, high in stretches:
                yield None, user_lines(unit, low, high, [e for e in edits if low <= e.start < high])
            stretches = []
            one = pre.inclusions[outermost]
            marker = line_marker(SourceSpan(pre.inclusions[one.parent].file, max(one.line, 1)))
            yield outermost, f"{_own(one.before)}{marker}#include {headers[outermost]}\n{_own(one.behind)}"
    for low, high in stretches:
        yield None, user_lines(unit, low, high, [e for e in edits if low <= e.start < high])


def _own(lines: Sequence[str]) -> str:
    """Lines of our own between those of the user."""
    return "".join([OWN_LINES, *(f"{line}\n" for line in lines)]) if lines else ""
