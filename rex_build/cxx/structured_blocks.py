"""Checks where control leaves, or enters, the statements of constructs."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.diagnostics import InputError, error_at
from ..base.records import dataclass
from ..c.source.tokens import outside_literals
from ..openmp.kinds import LOOP_LEAVES
from . import libclang
from .code import Construct
from .functions import Function
from .loops import associated_loops, collapse_of
from .unit import Unit

_RULE = "OpenMP 5.2, section 1.2.2: a structured block has one exit, at its end"
_JUMP = outside_literals(r"\b(?:return|goto|break|continue|throw)\b")


@dataclass(frozen=True)
class _Jump:
    """A statement that goes elsewhere: where it stands, and the stretch of the text that it stays in."""

    word: str
    what: str
    place: tuple[int, int]
    stays_in: tuple[int, int]


def check_jumps(unit: Unit) -> None:
    """Raise InputError where control can leave the statement of a construct before its end, or come in by ``goto``."""
    errors: dict[int, InputError] = {}  # by place, that of the innermost construct
    jumps: dict[int, list[_Jump]] = {}
    for construct in unit.constructs:
        function = unit.function_at(construct.start)
        if function is None or construct.body_start == construct.end:
            continue
        if function.start not in jumps:
            found = any(m["found"] for m in _JUMP.finditer(unit.text, function.body, function.end))
            jumps[function.start] = list(_jumps(unit, function)) if found else []
        name = construct.directive.name
        blocks: tuple[int, ...] = ()
        for jump in jumps[function.start]:
            if jump.word == "throw" and name != "target data":
                continue  # the host compiler sees the construct, and device code throws nothing
            if not blocks:
                blocks = _blocks(unit, construct)
            start = blocks[jump.word == "continue"]
            inside, stays = (start <= low and high <= construct.end for low, high in (jump.place, jump.stays_in))
            if inside != stays and (inside or jump.word == "goto"):
                what = f"{jump.what} {'leaves' if inside else 'leads into'} the '{name}' region"
                errors[jump.place[0]] = error_at(unit.span(jump.place[0]), what, _RULE)
    if errors:
        raise InputError([d for error in errors.values() for d in error.diagnostics])


def _blocks(unit: Unit, construct: Construct) -> tuple[int, int]:
    """Where the block of a construct begins: (its statement, or the body of its innermost loop; that loop itself)"""
    at = loop = construct.body_start
    if not LOOP_LEAVES.isdisjoint(construct.directive.constructs):
        for start, sections in associated_loops(unit.text, construct, collapse_of(unit, construct)):
            loop, at = start, sections[-1][1] + 1
    return at, loop


def _jumps(unit: Unit, function: Function) -> Iterator[_Jump]:
    """All statements of a function that go elsewhere."""
    k = unit.kinds
    loops = (k.FOR_STMT, k.WHILE_STMT, k.DO_STMT, k.CXX_FOR_RANGE_STMT)
    functions = (
        k.LAMBDA_EXPR, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.CONVERSION_FUNCTION, k.FUNCTION_DECL,
        k.FUNCTION_TEMPLATE,
    )  # fmt: skip
    words = {k.RETURN_STMT: "return", k.BREAK_STMT: "break", k.CONTINUE_STMT: "continue", k.CXX_THROW_EXPR: "throw"}
    labels: dict[str, tuple[int, int]] = {}
    gotos: list[tuple[tuple[int, int], str]] = []
    whole = (function.start, function.end)
    # What a statement may go out of: by return, break, continue and throw.
    stack = [(function.cursor, dict.fromkeys(words.values(), whole))]
    while stack:
        cursor, around = stack.pop()
        kind = cursor.kind
        if (word := words.get(kind)) is not None:
            yield _Jump(word, f"'{word}'", unit.extent(cursor), around[word])
        elif kind == k.LABEL_STMT:
            labels[cursor.spelling] = unit.extent(cursor)
        elif kind == k.GOTO_STMT:
            gotos.append((unit.extent(cursor), next((c.spelling for c in libclang.children(cursor)), "")))
        elif kind == k.INDIRECT_GOTO_STMT:
            yield _Jump("goto", "a computed 'goto'", unit.extent(cursor), whole)
        elif kind in functions and cursor != function.cursor:
            around = dict.fromkeys(around, unit.extent(cursor))
        elif kind in loops:
            around = {**around, **dict.fromkeys(("break", "continue"), unit.extent(cursor))}
        elif kind == k.SWITCH_STMT:
            around = {**around, "break": unit.extent(cursor)}
        children = libclang.children(cursor)
        for number, child in enumerate(children):
            tried = kind == k.CXX_TRY_STMT and number == 0
            stack.append((child, {**around, "throw": unit.extent(child)} if tried else around))
    for place, name in gotos:
        start = labels.get(name, place)[0]
        yield _Jump("goto", f"'goto {name}'", place, (start, start))
