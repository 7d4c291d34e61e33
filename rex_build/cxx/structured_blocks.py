"""The statements of functions, as the check of structured blocks asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..c.source.tokens import outside_literals
from ..openmp import structured_blocks
from ..openmp.launch import LOOP_LEAVES
from ..openmp.structured_blocks import Block, Jump, jumps_of
from . import libclang
from .loops import associated_loops, body_of, collapse_of
from .text_constructs import Construct
from .unit import Unit

_JUMP = outside_literals(r"\b(?:return|goto|break|continue|throw)\b")
_WORDS = {
    "FOR_STMT": "loop", "WHILE_STMT": "loop", "DO_STMT": "loop", "CXX_FOR_RANGE_STMT": "loop", "SWITCH_STMT": "switch",
    "RETURN_STMT": "return", "BREAK_STMT": "break", "CONTINUE_STMT": "continue", "CXX_THROW_EXPR": "throw",
    "CXX_TRY_STMT": "try", "LABEL_STMT": "label", "GOTO_STMT": "goto", "INDIRECT_GOTO_STMT": "computed",
    "LAMBDA_EXPR": "function", "CXX_METHOD": "function", "CONSTRUCTOR": "function", "DESTRUCTOR": "function",
    "CONVERSION_FUNCTION": "function", "FUNCTION_DECL": "function", "FUNCTION_TEMPLATE": "function",
}  # fmt: skip


class _Statements:
    def __init__(self, unit: Unit) -> None:
        self.extent = unit.extent

    def word(self, cursor: Any) -> str:
        return _WORDS.get(cursor.kind.name, "")

    def label(self, cursor: Any) -> str:
        named = cursor if cursor.kind.name == "LABEL_STMT" else next(iter(libclang.children(cursor)), None)
        return named.spelling if named is not None else ""

    def parts(self, cursor: Any) -> Sequence[Any]:
        return libclang.children(cursor)


def check_jumps(unit: Unit) -> None:
    """Raise InputError where control can leave the statement of a construct before its end, or come in by ``goto``."""
    constructs = [c for c in unit.constructs if c.body_start < c.end and unit.function_at(c.start) is not None]
    functions = {f.start: f for c in constructs if (f := unit.function_at(c.start)) is not None}
    jumps: list[Jump] = []
    for function in functions.values():
        if any(m["found"] for m in _JUMP.finditer(unit.text, function.body, function.end)):
            jumps += jumps_of(function.cursor, _Statements(unit))
    structured_blocks.check_jumps(jumps, list(_blocks(unit, constructs)) if jumps else (), unit.span)


def _blocks(unit: Unit, constructs: Sequence[Construct]) -> Iterator[Block]:
    for construct in constructs:
        at = loop = construct.body_start
        if not LOOP_LEAVES.isdisjoint(construct.directive.constructs):
            for cursor in associated_loops(unit, construct, collapse_of(unit, construct)):
                loop, at = unit.extent(cursor)[0], body_of(unit, cursor)
        yield Block(construct.directive.name, at, loop, construct.end)
