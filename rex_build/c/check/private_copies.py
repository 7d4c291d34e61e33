"""Private copies of variables that are read, or give their value to the variable, before they get one."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from ...base.findings import Finding, Note
from ...directives.model import ListClause
from ..analysis.listed import listed_symbols
from ..sema import Sema, Symbol, walk
from ..sema.type_questions import is_scalar
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .kernels import Privates
from .uses import Called, Escape, Lent, Use


def unset_copies(
    unit: ParsedUnit, sema: Sema, called: Called, privates: Privates, target: OmpConstruct
) -> Iterator[Finding]:
    """The reads of private copies of a region that nothing can have written before.

    Events are in the order of the text. If the first of them that concerns a copy reads it under no condition, nothing
    has written it.
    """
    inside = dict.fromkeys(e.constructs for e in called.of_region(target) if isinstance(e, Use) and not e.calls)
    constructs = dict.fromkeys(construct for around in inside for construct in around)
    private = {construct: symbols for construct in constructs if (symbols := _private(sema, construct))}
    for construct in constructs:
        for symbol in listed_symbols(sema, construct, "lastprivate"):
            yield from _left_out(unit, called, construct, target, symbol)
    for construct, symbols in private.items():
        waiting = set(symbols)
        for event in called.of_region(target):
            if isinstance(event, Lent):
                waiting -= {root.symbol for root in event.arguments if root is not None}
            elif isinstance(event, (Use, Escape)) and event.root is not None and event.root.symbol in waiting:
                inner = _inside(event, construct) if isinstance(event, Use) else ()
                if inner is None or any(event.root.symbol in privates.of(c) for c in inner):
                    continue
                waiting.discard(event.root.symbol)
                if isinstance(event, Use) and event.reads and not event.conditions and not event.calls:
                    yield _finding(unit, construct, event, event.root.symbol)


def _left_out(
    unit: ParsedUnit, called: Called, construct: OmpConstruct, target: OmpConstruct, symbol: Symbol
) -> Iterator[Finding]:
    """A variable in 'lastprivate' that iterations set only where data says so, of which the last may be none."""
    writes = [
        event
        for event in called.of_region(target)
        if isinstance(event, Use) and event.writes and construct in event.constructs
        if event.root is not None and event.root.symbol is symbol and not event.calls
    ]
    conditions = [
        write.conditions[-1] for write in writes if write.conditions and any(map(_asks_data, write.conditions))
    ]
    if not writes or len(set(conditions)) < len(writes):  # of 'if' and 'else' one writes
        return
    name = symbol.name
    message = f"'lastprivate' gives '{name}' what the last iteration has, which may not come here"
    advice = f"set '{name}' in every iteration, or find it by a reduction, as in reduction(max: {name})"
    note = Note("the last iteration's copy is taken here", construct.directive.span)
    yield Finding("unset", False, message, unit.span_of(writes[0].node), name, advice, (note,))


def _asks_data(condition: c_ast.Node) -> bool:
    """Whether a condition depends on more than numbers such as the loop's counter."""
    return any(isinstance(node, c_ast.ArrayRef | c_ast.StructRef | c_ast.FuncCall) for node in walk(condition))


def _private(sema: Sema, construct: OmpConstruct) -> set[Symbol]:
    """The scalars of which a construct has copies without a value."""
    found: set[Symbol] = set()
    kept: set[Symbol | None] = set()
    for clause in construct.directive.clauses:
        if not isinstance(clause, ListClause):
            continue
        symbols = {sema.lookup(construct, item.name) for item in clause.items}
        if clause.name in ("private", "lastprivate"):
            found.update(s for s in symbols if s is not None and s.is_variable and is_scalar(s.type))
        else:
            kept.update(symbols)
    return found - kept


def _inside(use: Use, construct: OmpConstruct) -> tuple[OmpConstruct, ...] | None:
    """The constructs between one and an access in it, or None for accesses elsewhere."""
    if construct not in use.constructs:
        return None
    return use.constructs[use.constructs.index(construct) + 1 :]


def _finding(unit: ParsedUnit, construct: OmpConstruct, use: Use, symbol: Symbol) -> Finding:
    name = symbol.name
    message = f"'{name}' is read here, but '{construct.directive.name}' has a private copy of it without a value"
    note = Note("the copy is made here", construct.directive.span)
    advice = f"write firstprivate({name}), or give it a value before"
    return Finding("unset", True, message, unit.span_of(use.node), name, advice, (note,))
