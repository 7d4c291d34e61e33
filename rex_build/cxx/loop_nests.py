"""Loops of constructs in the forms that every host compiler takes, and that device code can count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.patterns import regex
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import closing, next_token, statement_end
from ..directives.model import ListClause
from ..openmp.canonical import bound_of
from ..openmp.conditions import expression
from ..openmp.kinds import LOOP_LEAVES
from . import libclang
from .code import Construct
from .edited_lines import LineEdit, with_edits
from .loops import collapse_of, head_of
from .unit import Unit

_LOOP = regex(r"for\b")
_COLLAPSE = regex(r"\bcollapse\s*(?=\()")
# The whole number that a loop with a bound of a floating type ends at, by the relation of its condition.
_WHOLE = {"<": "__builtin_ceil", ">=": "__builtin_ceil", "<=": "__builtin_floor", ">": "__builtin_floor"}


def with_plain_nests(unit: Unit) -> Preprocessed:
    """The unit's text with constructs that collapse only what is nested perfectly, and whole numbers as bounds.

    OpenMP lets code stand between collapsed loops, which runs as often as the compiler likes. So the threads share the
    iterations of the loops in front of such code. gcc 12 takes neither that nor a bound of a floating type.
    """
    edits: list[LineEdit] = []
    for construct in unit.constructs:
        if LOOP_LEAVES.isdisjoint(construct.directive.constructs):
            continue
        depth = collapse_of(unit, construct)
        loops, perfect = _nest(unit.text, construct, depth)
        if 0 < perfect < len(loops) and not construct.directive.has("linear", "ordered"):
            edits += _collapsing(unit, construct, perfect, loops[perfect:])
        elif (number := expression(construct.directive.clauses, "collapse")) is not None and not number.text.isdigit():
            edits += _collapsing(unit, construct, depth, ())  # which gcc would not know in a template
        for at in loops:
            edits += _whole(unit, construct, at)
    return with_edits(unit.pre, sorted(set(edits)))


def _nest(text: str, construct: Construct, depth: int) -> tuple[list[int], int]:
    """(where the loops of a construct begin, how many of them are nested perfectly)"""
    at, loops, perfect = next_token(text, construct.body_start), [], 0
    for number in range(depth):
        found, is_alone = _only_loop(text, at)
        if found is None:
            break
        perfect += is_alone and perfect == number
        loops.append(found)
        at = next_token(text, closing(text, text.index("(", found)))
    return loops, perfect


def _only_loop(text: str, at: int) -> tuple[int | None, bool]:
    """(the only loop that a statement is, or has in its block, whether it has nothing else)"""
    if text[at] != "{":
        return (at if _LOOP.match(text, at) else None), True
    end = closing(text, at) - 1
    statements = []
    at = next_token(text, at + 1)
    while at < end:
        statements.append(at)
        at = next_token(text, statement_end(text, at))
    inner = [_only_loop(text, start) for start in statements if text[start] == "{" or _LOOP.match(text, start)]
    found = [one for one in inner if one[0] is not None]
    return (found[0][0], found[0][1] and len(statements) == 1) if len(found) == 1 else (None, False)


def _collapsing(unit: Unit, construct: Construct, number: int, others: Sequence[int]) -> Iterator[LineEdit]:
    """A number in ``collapse``, and ``private`` for the variables that the ``others`` of its loops do not declare."""
    listed = {i.name for c in construct.directive.clauses if isinstance(c, ListClause) for i in c.items}
    names, function = [], unit.function_at(construct.start)
    for at in others:
        head = head_of(unit, function, at) if function is not None else None
        if head is not None and not head.declared and head.symbol.name not in listed:
            names.append(head.symbol.name)
    clause = _COLLAPSE.search(unit.text, construct.start, construct.pragma_end)
    if clause is not None:
        private = f" private({', '.join(dict.fromkeys(names))})" if names else ""
        yield clause.start(), closing(unit.text, clause.end()), f"collapse({number}){private}"


def _whole(unit: Unit, construct: Construct, at: int) -> Iterator[LineEdit]:
    """A whole number as the bound of a loop, if it is of the type float or double."""
    function = unit.function_at(construct.start)
    head = head_of(unit, function, at) if function is not None else None
    relation, bound = bound_of(head) if head is not None else ("", None)
    if bound is None or relation not in _WHOLE or bound.node.kind == unit.kinds.INTEGER_LITERAL:
        return
    condition = head.condition.node if head is not None and head.condition is not None else bound.node
    kinds = {child.type.get_canonical().kind for child in libclang.children(condition)}
    if not kinds.isdisjoint((unit.types.FLOAT, unit.types.DOUBLE)):
        start, end = unit.extent(bound.node)
        yield start, end, f"static_cast<long long>({_WHOLE[relation]}({unit.text[start:end]}))"
