"""Loops in canonical form (OpenMP 5.2, section 4.4.1), of C++."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from functools import partial
from typing import Any

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..base.spans import SourceSpan
from ..c.source.tokens import closing, marks_outside, next_token, statement_end
from ..openmp.canonical import RULE, Course, Head, check_bounds, check_unchanged, course_of, nest_of
from ..openmp.conditions import collapse_depth
from ..openmp.forms import Part
from ..plan.code import Code, Entity
from ..plan.loops import CanonicalLoop, LoopNest
from . import libclang
from .code import Construct, CxxType, Range, Text, Variable
from .forms import loop_head, span_of
from .functions import Function, Reference
from .libclang import is_users
from .reading import clang
from .reading.reader import reader_of
from .text_constructs import identifiers_in
from .unit import Unit

_LOOP = regex(r"for\b")
# What stands behind a variable that is assigned.
_ASSIGNED = regex(r"\s*(?:=(?!=)|\+\+|--|(?:[-+*/%&|^]|<<|>>)=)")


def collapse_of(unit: Unit, *chain: Construct) -> int:
    """The number of loops that belong to constructs that make one. Raises InputError if it is no positive constant."""
    clauses = (clause for part in chain for clause in part.directive.clauses)
    return collapse_depth(clauses, lambda expr: reader_of(unit).constant(expr.text, chain[0].start))


class _Loops:
    """The loops of a function (see :class:`~rex_build.openmp.canonical.Loops`). A statement is the offset of it."""

    def __init__(self, unit: Unit, function: Function) -> None:
        self._unit, self._function = unit, function

    def only_loop(self, statement: int) -> tuple[int | None, bool]:
        return only_loop(self._unit.text, next_token(self._unit.text, statement))

    def canonical(self, loop: int) -> tuple[CanonicalLoop, int]:
        return canonical_loop(self._unit, self._function, loop)

    def names(self, code: Code) -> Iterator[tuple[Variable | None, SourceSpan]]:
        assert isinstance(code, Text)
        for at, name in identifiers_in(code.text):
            place = code.place + at
            yield self._unit.lookup(self._function, name, place), self._unit.span(place)

    def span(self, statement: int) -> None:  # noqa: ARG002 - the directive says enough
        return None


def canonical_nest(
    unit: Unit, function: Function, construct: Construct, depth: int, private: Container[Entity] = (), *,
    on_host: bool = False,
) -> LoopNest:  # fmt: skip
    """The nest of ``depth`` loops of a construct, whose heads device code evaluates unless the host does.

    Of the ``private`` variables it has copies without a value. Raises InputError if it is not in canonical form.
    """
    loops = _Loops(unit, function)
    levels, inner, body = nest_of(construct.directive, depth, construct.body_start, loops)
    for start, sections in associated_loops(unit.text, construct, 0 if on_host else len(levels)):
        _check_calls(unit, function, start, sections[-1][1] + 1)
    nest = LoopNest(tuple(levels), Range(body, statement_end(unit.text, body)), tuple(inner))
    check_bounds(nest, private, loops)
    return nest


def collapsed(unit: Unit, function: Function, construct: Construct, depth: int) -> int:
    """How many of a construct's loops are run as one. Those inside, whose bounds depend on them, belong to the body."""
    return len(canonical_nest(unit, function, construct, depth, on_host=True).levels) if depth > 1 else depth


def only_loop(text: str, at: int) -> tuple[int | None, bool]:
    """(the only loop that a statement is, or has in its block, whether it has nothing else)"""
    if text[at] != "{":
        return (at if _LOOP.match(text, at) else None), True
    end = closing(text, at) - 1
    statements = []
    at = next_token(text, at + 1)
    while at < end:
        statements.append(at)
        at = next_token(text, statement_end(text, at))
    inner = [only_loop(text, start) for start in statements if text[start] == "{" or _LOOP.match(text, start)]
    found = [one for one in inner if one[0] is not None]
    return (found[0][0], found[0][1] and len(statements) == 1) if len(found) == 1 else (None, False)


def associated_loops(text: str, construct: Construct, depth: int) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """(where it begins, the parts of its head) of each loop that belongs to a construct"""
    at = construct.body_start
    for _ in range(depth):
        loop, _ = only_loop(text, next_token(text, at))
        if loop is None:
            return
        yield loop, (sections := head_sections(text, loop))
        at = sections[-1][1] + 1


def canonical_loop(unit: Unit, function: Function, at: int) -> tuple[CanonicalLoop, int]:
    """(the loop that begins at an offset, the offset of its body). Raises InputError if it is not in canonical form."""
    text = unit.text
    span = unit.span(at)
    sections = head_sections(text, at)
    if len(sections) != 3:
        what = "the range of this loop is neither a variable nor a part of one: keep it in a variable"
        raise error_at(span, what if len(sections) == 1 else "this loop is not in canonical form", RULE)
    body = sections[2][1] + 1
    while text[body : body + 1].isspace():
        body += 1
    for low, high in (sections[0], sections[2]):
        if any(m[0] == "," for m in marks_outside(text, low, high)):
            raise error_at(span, "this loop is not in canonical form: it has more than one variable", RULE)
    head = loop_head(unit, function, at, sections)
    if head is None:
        raise error_at(span, "this loop is not in canonical form: it initialises no variable", RULE)
    symbol = head.symbol
    assert isinstance(symbol, Variable)
    is_floating = symbol.type.text in ("float", "double", "long double")
    if is_floating or symbol.type.kind not in ("scalar", "pointer", "record", "dependent"):
        what = f"the variable '{symbol.name}' of this loop is no integer, pointer or random access iterator"
        raise error_at(span, f"{what} ('{symbol.type.text}')", RULE)
    if symbol.type.kind == "record" and not _moves_by_steps(unit, symbol):
        what = f"the variable '{symbol.name}' of this loop is no random access iterator ('{symbol.type.text}')"
        raise error_at(span, what, RULE)
    course = course_of(
        head,
        lambda part: clang.integer(part.node),
        partial(_variables_in, function),
        lambda part: span_of(unit, part, at),
    )
    for what, part in (("start", course.lower), ("bound", course.bound)):
        if symbol.type.kind == "scalar" and (kind := _floating(unit, part)):
            message = f"a {what} of type '{kind}' for a loop variable of type '{symbol.type.text}' is not canonical"
            raise error_at(span_of(unit, part, at), message, RULE)
    assigned = assignments(unit, function, body, statement_end(text, body))
    check_unchanged(symbol, (unit.span(r.start) for r in assigned if r.variable is symbol))
    return _level(unit, course, head, at), body


def _level(unit: Unit, course: Course, head: Head, at: int) -> CanonicalLoop:
    symbol = course.symbol
    assert isinstance(symbol, Variable)
    lower, bound, step = (_text(unit, part, at) for part in (course.lower, course.bound, course.step))
    value = course.step_value
    wide = symbol.type.size in (0, 8) or symbol.type.kind == "record"
    return CanonicalLoop(
        symbol=symbol,
        type=_unqualified(symbol.type),
        declared=head.declared,
        lower=lower,
        bound=bound,
        step=None if course.step is None else step,
        step_value=value,
        step_negated=course.step_negated,
        increasing=course.increasing,
        relation=course.relation,
        trips=_constant_trips(lower.text, bound.text, value, course.relation, course.increasing),
        narrow_counts=0 if wide or value is None or lower.text != "0" else (2**31 - 1) // max(1, value),
        span=unit.span(at),
    )


def _text(unit: Unit, part: Part | None, at: int) -> Text:
    code = part.code if part is not None else Range(at, at)
    assert isinstance(code, Range)
    return Text(unit.text[code.start : code.end], code.start)


def _variables_in(function: Function, part: Part) -> set[Entity]:
    code = part.code
    assert isinstance(code, Range)
    return {r.variable for r in function.mentions.references if code.start <= r.start < code.end}


def assignments(unit: Unit, function: Function, start: int, end: int) -> Iterator[Reference]:
    """The mentions of variables in a stretch of a function that assign them."""
    for r in function.mentions.references:
        if not start <= r.start < end or r.is_read:
            continue
        before, behind = unit.text[max(0, r.start - 20) : r.start].rstrip(), _ASSIGNED.match(unit.text, r.end)
        if before.endswith(("++", "--")) or (behind is not None and ("=" not in behind[0] or before[-1:] != "*")):
            yield r


def _floating(unit: Unit, part: Part) -> str:
    """The type of an expression if it is no integer, or an empty text."""
    kind = part.node.type.get_canonical()
    return kind.spelling.removeprefix("const ") if kind.kind in _floats(unit) else ""


def _floats(unit: Unit) -> tuple[Any, ...]:
    return unit.types.FLOAT, unit.types.DOUBLE, unit.types.LONGDOUBLE


def head_sections(text: str, at: int) -> list[tuple[int, int]]:
    """The three parts of the head of the loop at an offset, without the semicolons between them."""
    opening = text.index("(", at)
    end = closing(text, opening)
    marks = [m.start() for m in marks_outside(text, opening + 1, end - 1) if m[0] == ";"]
    return list(zip([opening + 1, *(mark + 1 for mark in marks)], [*marks, end - 1], strict=True))


def _check_calls(unit: Unit, function: Function, start: int, end: int) -> None:
    """Refuse methods of the system's classes in a loop's head if CUDA has no device version of them."""
    for place, name in _host_calls(unit, function, start, end):
        what = f"device code cannot call '{name}', which is not constexpr, in this loop's head"
        raise error_at(unit.span(place), f"{what}: keep its value in a variable")


def calls_host(unit: Unit, function: Function, start: int, end: int) -> bool:
    """Whether a part of a loop's head calls what device code cannot call."""
    return any(True for _ in _host_calls(unit, function, start, end))


def _host_calls(unit: Unit, function: Function, start: int, end: int) -> Iterator[tuple[int, str]]:
    """The places and names of methods of the system's classes that CUDA has no device version of.

    nvcc makes one of ``constexpr`` functions only: of ``std::array::size()``, but not of ``std::vector::size()``.
    """
    for place, target in function.mentions.calls:
        inside = start <= place < end and target.kind == unit.kinds.CXX_METHOD and not is_users(target)
        if inside and not _is_constexpr(unit, target):
            yield place, target.spelling


def _is_constexpr(unit: Unit, method: Any) -> bool:
    """Whether a method in a header of the system is declared ``constexpr``, as the preprocessor leaves its declaration.

    True too if the declaration is not found: nvcc then says what it cannot call.
    """
    pre, wanted = unit.pre, method.location
    lines = range(method.extent.start.line, wanted.line + 1)
    ends = [*(origin.first for origin in pre.origins[1:]), len(pre.line_starts)]
    texts = [
        pre.text[pre.line_starts[origin.first + line - origin.line - 1] :].partition("\n")[0]
        for origin, end in zip(pre.origins, ends, strict=True)
        if origin.file == wanted.file.name
        for line in lines
        if origin.line <= line < origin.line + end - origin.first
    ]
    return not texts or re.search(r"\bconstexpr\b", " ".join(texts)) is not None


def _unqualified(kind: CxxType) -> CxxType:
    return CxxType(kind.text, kind.kind, kind.size, False, kind.element, kind.length)


def _constant_trips(lower: str, bound: str, step: int | None, relation: str, increasing: bool) -> int | None:
    if not (lower.isdigit() and bound.isdigit() and step and relation in ("<", "<=") and increasing):
        return None
    distance = int(bound) - int(lower) + (relation == "<=")
    return max(0, -(-distance // step))


def head_of(unit: Unit, function: Function, at: int) -> Head | None:
    """The head of the loop at an offset, or None if it gives no variable a value."""
    return loop_head(unit, function, at, head_sections(unit.text, at))


# ---- iterators ----

_MOVES = ("operator+=", "operator+", "operator-", "operator<", "operator>", "operator<=", "operator>=", "operator!=")


def iterator_functions(unit: Unit, function: Function, construct: Construct, depth: int) -> Iterator[Function]:
    """The operators of the user's iterators that move the variables of a construct's loops, and no text calls."""
    for at, sections in associated_loops(unit.text, construct, depth):
        if len(sections) != 3:
            return
        head = loop_head(unit, function, at, sections)
        symbol = head.symbol if head is not None else None
        if not isinstance(symbol, Variable) or symbol.type.kind != "record":
            continue  # in a template, all operators are device functions
        yield from (function for function in _operators(unit, symbol) if function.name in _MOVES)


def _records(unit: Unit, symbol: Variable) -> list[Any]:
    """The class of a variable and its bases."""
    found = [symbol.cursor.type.get_canonical().get_declaration()]
    for record in found:
        found += unit.members_of(record)[1]
    return found


def _operators(unit: Unit, symbol: Variable) -> Iterator[Function]:
    """The user's functions that are members of a variable's class, or name it in their heads."""
    names = {record.spelling for record in _records(unit, symbol)}
    for function in unit.functions:
        own = function.is_member and function.cursor.semantic_parent.spelling in names
        head = unit.text[function.start : function.body]
        if own or (not function.is_member and not names.isdisjoint(re.findall(r"\w+", head))):
            yield function


def _moves_by_steps(unit: Unit, symbol: Variable) -> bool:
    """Whether the class of a variable has an operator that moves it by several steps, as far as this can be known."""
    from clang import cindex

    adds = ("operator+=", "operator+")
    for record in _records(unit, symbol):
        general = cindex.conf.lib.clang_getSpecializedCursorTemplate(record)
        members = libclang.children(record if general is None else general)
        names = {m.spelling for m in (*members, *(c for m in members for c in libclang.children(m)))}
        if not names.isdisjoint(adds) or not members:
            return True
    return any(function.name in adds for function in _operators(unit, symbol))


def pointers_in(unit: Unit, kind: Any) -> list[int]:
    """The offsets of the pointers in an object of a class."""
    found: list[int] = []
    record = kind.get_canonical().get_declaration()
    for field in kind.get_canonical().get_fields():
        offset, of = field.get_field_offsetof() // 8, field.type.get_canonical()
        if of.kind == unit.types.POINTER and of.get_pointee().kind != unit.types.FUNCTIONPROTO:
            found.append(offset)
        elif of.kind == unit.types.RECORD and record.kind != unit.kinds.UNION_DECL:
            found += [offset + inner for inner in pointers_in(unit, of)]
    return found


# ---- texts ----


def on_host(kind: CxxType, value: str) -> str:
    """A variable's type in host code, where an ``auto`` of a template has only its value to tell it."""
    if "rex_auto_" in kind.text:
        return f"typename rex_object<decltype({value})>::type"
    return f"{kind.text} " if kind.text.endswith(">") else kind.text  # until C++11, `>>` does not end two lists


def trip_count(level: CanonicalLoop, lower: str, bound: str, step: str, of: str = "") -> str:
    """The number of a loop's iterations, as a ``long long``. ``rex_cxx.h`` has the functions.

    ``of`` is the variable's type, if that has another name than in device code."""
    assert isinstance(level.symbol, Variable)
    distance = {
        "<": "rex_steps_to",
        "<=": "rex_steps_through",
        ">": "rex_steps_down_to",
        ">=": "rex_steps_down_through",
    }
    name = distance.get(level.relation, "rex_steps_until" if level.increasing else "rex_steps_down_until")
    kind = level.type
    assert isinstance(kind, CxxType)
    return f"{name}<{of or kind.text}>({lower}, {bound}, {step})"


def step_of(level: CanonicalLoop) -> str:
    """The step's magnitude in the loop's direction, as an expression."""
    if level.step is None:
        return str(level.step_value)
    assert isinstance(level.step, Text)
    same = level.step_negated != level.increasing
    return f"({level.step.text})" if same else f"-({level.step.text})"
