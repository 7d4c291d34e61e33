"""Loops in canonical form (OpenMP 5.2, section 4.4.1), of C++, and the statements of functions, as the check of
structured blocks asks for them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import partial
from typing import Any

from ..base.diagnostics import SourceSpan, error_at
from ..base.records import replace
from ..c.source.tokens import behind_space, closing, has_word, next_token, outside_literals, statement_end, words_in
from ..openmp import canonical, structured_blocks
from ..openmp.canonical import Level, NotCanonicalError
from ..openmp.launch import LOOP_LEAVES, collapse_depth
from ..openmp.structured_blocks import Block, Jump, jumps_of
from ..plan.constructs import CanonicalLoop, Entity, LoopNest
from ..tree import nodes as tree
from . import libclang
from .functions import Function
from .libclang import is_users
from .reading.reader import reader_of
from .text_constructs import Construct, CxxType, Range, Text, Variable, identifiers_in
from .unit import Unit

_MOVES = ("operator+=", "operator+", "operator-", "operator<", "operator>", "operator<=", "operator>=", "operator!=")
_JUMP = outside_literals(r"\b(?:return|goto|break|continue|throw)\b")
_WORDS = {
    "FOR_STMT": "loop", "WHILE_STMT": "loop", "DO_STMT": "loop", "CXX_FOR_RANGE_STMT": "loop", "SWITCH_STMT": "switch",
    "RETURN_STMT": "return", "BREAK_STMT": "break", "CONTINUE_STMT": "continue", "CXX_THROW_EXPR": "throw",
    "CXX_TRY_STMT": "try", "LABEL_STMT": "label", "GOTO_STMT": "goto", "INDIRECT_GOTO_STMT": "computed",
    "LAMBDA_EXPR": "function", "CXX_METHOD": "function", "CONSTRUCTOR": "function", "DESTRUCTOR": "function",
    "CONVERSION_FUNCTION": "function", "FUNCTION_DECL": "function", "FUNCTION_TEMPLATE": "function",
}  # fmt: skip


def collapse_of(unit: Unit, *chain: Construct) -> int:
    """The number of loops that belong to constructs that make one. Raises InputError if it is no positive constant."""
    clauses = (clause for part in chain for clause in part.directive.clauses)
    return collapse_depth(clauses, reader_of(unit).constant)


def canonical_nest(
    unit: Unit, function: Function, construct: Construct, depth: int, private: Container[Entity] = (), *,
    on_host: bool = False,
) -> LoopNest:  # fmt: skip
    """The nest of ``depth`` loops of a construct, whose heads device code evaluates unless the host does.

    Of the ``private`` variables it has copies without a value. Raises InputError if it is not in canonical form.
    """
    reader = reader_of(unit)
    found = [
        canonical.canonical_nest(construct.directive, one.body, depth, private, items_of, partial(_span, unit))
        for one in reader.region(construct) or reader.pattern(construct)
        if one.body is not None
    ]
    if not found:
        raise error_at(construct.directive.span, f"'{construct.directive.name}' needs a loop here", canonical.RULE)
    try:
        levels, inner = (
            tuple(planned(unit, function, *of) for of in zip(*of_all, strict=True))
            for of_all in ([nest.levels for nest in found], [nest.inner for nest in found])
        )
    except NotCanonicalError as problem:
        raise canonical.refused(problem, construct.directive, partial(_span, unit)) from None
    for level in () if on_host else found[0].levels:
        start, end = unit.extent(level.loop.origin)[0], body_of(unit, level.loop.origin)
        for place, name in _host_calls(unit, function, start, end):
            what = f"device code cannot call '{name}', which is not constexpr, in this loop's head"
            raise error_at(unit.span(place), f"{what}: keep its value in a variable")
    body = body_of(unit, found[0].levels[-1].loop.origin)
    in_32_bits = len(levels) == 1 and all(nest.levels[0].counts_in_32_bits for nest in found)
    return LoopNest(levels, Range(body, statement_end(unit.text, body)), inner, in_32_bits)


def items_of(block: tree.Block) -> int:
    """How many statements and declarations a block has."""
    if block.origin is None or block.origin.kind.name != "COMPOUND_STMT":
        return len(block.statements)
    return sum(child.kind.name != "NULL_STMT" for child in libclang.children(block.origin))


def _span(unit: Unit, cursor: Any) -> SourceSpan:
    if isinstance(cursor, int):
        return unit.span(cursor)
    start, _ = unit.extent(cursor)
    if cursor.kind == unit.kinds.CXX_FOR_RANGE_STMT:
        what = "the range of this loop is neither a variable nor a part of one: keep it in a variable"
        raise error_at(unit.span(start), what, canonical.RULE)
    return unit.span(start)


def collapsed(unit: Unit, function: Function, construct: Construct, depth: int) -> int:
    """How many of a construct's loops are run as one. Those inside, whose bounds depend on them, belong to the body."""
    return len(canonical_nest(unit, function, construct, depth, on_host=True).levels) if depth > 1 else depth


def associated_loops(unit: Unit, construct: Construct, depth: int) -> Iterator[Any]:
    """The cursors of the loops that belong to a construct, as far as there are ``depth``."""
    function = unit.function_at(construct.start)
    place = next_token(unit.text, construct.body_start)
    inside = unit.statement_at(function.cursor, place) if function is not None else None
    for _ in range(depth):
        inside = _only_loop(unit, inside) if inside is not None else None
        if inside is None:
            return
        yield inside
        inside = libclang.children(inside)[-1]


def _only_loop(unit: Unit, cursor: Any) -> Any:
    """The only loop that a statement is, or has in its blocks."""
    if cursor.kind in (unit.kinds.FOR_STMT, unit.kinds.CXX_FOR_RANGE_STMT):
        return cursor
    parts = libclang.children(cursor) if cursor.kind == unit.kinds.COMPOUND_STMT else ()
    found = [loop for part in parts if (loop := _only_loop(unit, part)) is not None]
    return found[0] if len(found) == 1 else None


def body_of(unit: Unit, loop: Any) -> int:
    """Where the statement of a loop begins, or the directive in front of it."""
    return behind_space(unit.text, closing(unit.text, unit.text.index("(", unit.extent(loop)[0])))


def planned(unit: Unit, function: Function, level: Level, *others: Level) -> CanonicalLoop:
    """A loop in canonical form as the plan has it; in a template, of all instantiations. Raises NotCanonicalError if
    it counts with an object that cannot be moved by several steps, or a closure changes its variable."""
    symbol, loop = level.symbol, level.loop.origin
    assert isinstance(symbol, Variable)
    if symbol.type.kind == "record" and not _moves_by_steps(unit, symbol):
        what = f"the variable '{symbol.name}' of this loop is no random access iterator ('{symbol.type.text}')"
        raise NotCanonicalError(what, loop)
    for place in _changed_by_closures(function, level):
        raise canonical.changed(symbol, place)
    span = unit.span(unit.extent(loop)[0])
    return canonical.planned([level, *others], replace(symbol.type, const=False), partial(code_of, unit), span)


def _changed_by_closures(function: Function, level: Level) -> Iterator[int]:
    """Where closures in a loop change its variable, to which they have a reference."""
    made = (part for node in tree.walk(level.loop.body) if isinstance(node, tree.Aggregate) for _, part in node.parts)
    if any(isinstance(p, tree.AddressOf) and canonical.variable_of(p) is level.variable for p in made):
        changes = [r.start for r in function.mentions.references if r.is_assigned and r.variable is level.symbol]
        yield from (at for at in changes for low, high in function.mentions.lambdas if low <= at < high)


def code_of(unit: Unit, value: tree.Expression, *others: tree.Expression | None) -> Text:
    """The text of a value that is made of parts of the user's text. Raises NotCanonicalError where a name in one of
    them means something else at the last one, where all names are looked up."""
    parts: list[tuple[str, int]] = []

    def made(node: tree.Expression, alone: bool = False) -> str:
        match node:
            case tree.Convert(origin=None, written=True):
                found = f"(long long){made(node.value)}"
            case tree.Constant(origin=None):
                return str(node.value)
            case tree.Unary(origin=None):
                found = f"{node.operator}{made(node.operand)}"
            case tree.Binary(origin=None):
                found = f"{made(node.left)} {node.operator} {made(node.right)}"
            case tree.Conditional(origin=None):
                found = f"{made(node.condition)} ? {made(node.then)} : {made(node.otherwise)}"
            case tree.Convert(origin=None):
                return made(node.value, alone)
            case _:
                start, end = unit.extent(canonical.origin_of(node))
                found = unit.text[start:end]
                parts.append((found, start))
        return found if alone or found.replace("_", "").isalnum() else f"({found})"

    text, place = made(value, True), max((start for _, start in parts), default=0)
    for part, start in parts if len(parts) > 1 else ():
        function = unit.function_at(start)
        for name in (name for _, name in identifiers_in(part) if function is not None):
            if function is not None and unit.lookup(function, name, start) is not unit.lookup(function, name, place):
                raise NotCanonicalError(f"'{name}' means several variables in the heads of these loops")
    return Text(text, place, (value, *(one for one in others if one is not None)))


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
    return not texts or has_word(" ".join(texts), "constexpr")


# ---- iterators ----


def iterator_functions(unit: Unit, construct: Construct, depth: int) -> Iterator[Function]:
    """The operators of the user's iterators that move the variables of a construct's loops, and no text calls."""
    for loop in associated_loops(unit, construct, depth):
        named = (node.referenced for node in libclang.descendants(libclang.children(loop)[0]))
        kinds = (unit.kinds.VAR_DECL, unit.kinds.PARM_DECL)
        declared = next((one for one in named if one is not None and one.kind in kinds), None)
        symbol = unit.variable(declared) if declared is not None else None
        if symbol is not None and symbol.type.kind == "record":  # in a template, all operators are device functions
            yield from (function for function in _operators(unit, symbol) if function.name in _MOVES)


def _records(unit: Unit, symbol: Variable) -> list[Any]:
    """The class of a variable and its bases."""
    return unit.with_bases(symbol.cursor.type.get_canonical().get_declaration())


def _operators(unit: Unit, symbol: Variable) -> Iterator[Function]:
    """The user's functions that are members of a variable's class, or name it in their heads."""
    names = {record.spelling for record in _records(unit, symbol)}
    for function in unit.functions:
        own = function.is_member and function.cursor.semantic_parent.spelling in names
        head = unit.text[function.start : function.body]
        if own or (not function.is_member and not names.isdisjoint(words_in(head))):
            yield function


def _moves_by_steps(unit: Unit, symbol: Variable) -> bool:
    """Whether the class of a variable has an operator that moves it by several steps, as far as this can be known."""
    adds = ("operator+=", "operator+")
    for record in _records(unit, symbol):
        members = libclang.children(libclang.pattern(record))
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
