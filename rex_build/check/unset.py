"""Private copies of variables that are read, or give their value to the variable, before they get one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.findings import Finding, Note
from ..directives.model import ListClause, conditional
from ..plan.constructs import Entity
from ..tree import nodes as tree
from ..tree.symbols import Variable
from ..tree.types import Array, Complex, Floating, Integer, Pointer, Type, element_of
from .called import Called
from .events import Bound, Escape, Event, Language, Lent, Use, item_place, root_of
from .privates import Privates


def unset_copies(
    language: Language, called: Called, privates: Privates, target: tree.Construct
) -> Iterator[Finding]:
    """The reads of private copies of a region that nothing can have written before.

    Events are in the order of the text. If the first of them that concerns a copy reads it under no condition, nothing
    has written it. Elements of arrays may be written in another order than that: nothing must write any of them.
    """
    events = called.of_region(target)
    inside = dict.fromkeys(e.constructs for e in events if isinstance(e, Use) and not e.calls)
    constructs = dict.fromkeys(construct for around in inside for construct in around)
    for construct in constructs:
        latest = {item.name for clause in conditional(construct.directive.clauses) for item in clause.items}
        for variable in privates.listed(construct, "lastprivate"):
            if variable.name not in latest:
                yield from _left_out(language, events, construct, variable)
    for construct in constructs:
        copies = _private(construct)
        written = set[Variable]().union(*map(_written, events)) if copies else set()
        waiting = {one for one in copies if one not in written or not isinstance(one.type, Array)}
        for event in events if waiting else ():
            if isinstance(event, Lent | Bound):
                waiting -= _written(event)
            elif isinstance(event, Use | Escape) and event.root is not None and event.root.variable in waiting:
                variable = event.root.variable
                inner = _inside(event, construct) if isinstance(event, Use) else ()
                if inner is None or any(variable in privates.of(one) for one in inner):
                    continue
                waiting.discard(variable)
                if not isinstance(event, Use) or event.calls:
                    continue
                if event.reads and not (event.conditions and variable in written):
                    yield _finding(language, construct, event, variable)
                elif not event.reads and (read := _read_in_all_cases(events, event)) is not None:
                    yield _finding(language, construct, read, variable, event)


def _written(event: Event) -> set[Variable]:
    """The variables that an event writes, or to which it lets others get."""
    match event:
        case Use():
            roots = [event.root if event.writes else None]
        case Lent():
            roots = [*event.arguments]
        case Bound():
            roots = [event.to]
        case Escape():
            roots = [event.root]
    return {root.variable for root in roots if root is not None}


def _read_in_all_cases(events: Sequence[Event], write: Use) -> Use | None:
    """The read of a copy that always happens, behind its only write, which happens only where data say so."""
    chosen = [c for c in write.conditions if chooses(c) and not any(c is loop.condition for loop in write.loops)]
    variable = write.root.variable if write.root is not None else None
    if not chosen or any(variable in _written(event) for event in events if event is not write):
        return None
    for use in events:
        if isinstance(use, Use) and use.root is not None and use.root.variable is variable and use is not write:
            return use if not (use.conditions or use.calls) and use.constructs == write.constructs else None
    return None


def _left_out(
    language: Language, events: Sequence[Event], construct: tree.Construct, variable: Entity
) -> Iterator[Finding]:
    """A variable in 'lastprivate' that iterations set only where data says so, of which the last may be none."""
    writes = [
        event
        for event in events
        if isinstance(event, Use) and event.writes and construct in event.constructs
        if event.root is not None and event.root.variable is variable and not event.calls
    ]
    conditions = [
        write.conditions[-1] for write in writes if write.conditions and any(map(_asks_data, write.conditions))
    ]
    if not writes or len(set(conditions)) < len(writes):  # of 'if' and 'else' one writes
        return
    name, span = variable.name, construct.directive.span
    message = f"'lastprivate' gives '{name}' what the last iteration has, which may not come here"
    advice = f"set '{name}' in every iteration, or find it by a reduction, as in reduction(max: {name})"
    note = Note("the last iteration's copy is taken here", span)
    yield Finding("unset", False, message, language.span(writes[0].node) or span, name, advice, (note,))


def _asks_data(condition: tree.Expression) -> bool:
    """Whether a condition depends on more than numbers such as the loop's counter."""
    return any(isinstance(node, tree.Offset | tree.Part | tree.Call) for node in tree.walk(condition))


def chooses(condition: tree.Expression) -> bool:
    """Whether a condition depends on data, or on a remainder."""
    remainders = (node for node in tree.parts(condition, tree.Binary) if node.operator in ("%", "&"))
    return _asks_data(condition) or any(remainders)


def _private(construct: tree.Construct) -> set[Variable]:
    """The scalars, and arrays of such, of which a construct has copies without a value."""
    found: set[Variable] = set()
    kept: set[Variable] = set()
    for clause in construct.directive.clauses:
        if not isinstance(clause, ListClause):
            continue
        places = (item_place(construct, item) for item in clause.items)
        roots = [root for place in places if place is not None and (root := root_of(place)) is not None]
        if clause.name in ("private", "lastprivate"):
            found.update(root.variable for root in roots if is_scalar(element_of(root.variable.type)))
        else:
            kept.update(root.variable for root in roots)
    return found - kept


def is_scalar(kind: Type) -> bool:
    """Whether variables of a type are numbers or pointers, or references to such."""
    kind = kind.to if isinstance(kind, Pointer) and kind.reference else kind
    return isinstance(kind, Integer | Floating | Complex | Pointer)


def _inside(use: Use, construct: tree.Construct) -> tuple[tree.Construct, ...] | None:
    """The constructs between one and an access in it, or None for accesses elsewhere."""
    if construct not in use.constructs:
        return None
    return use.constructs[use.constructs.index(construct) + 1 :]


def _finding(
    language: Language, construct: tree.Construct, use: Use, variable: Variable, write: Use | None = None
) -> Finding:
    """A copy is read that has no value, or only the one of a write that may not happen."""
    name, span = variable.name, construct.directive.span
    message = f"'{name}' is read here, but '{construct.directive.name}' has a private copy of it without a value"
    notes = [Note("the copy is made here", span)]
    advice = f"write firstprivate({name}), or give it a value before"
    if write is not None:
        place = language.span(write.node)
        message = f"'{name}' is read here, but its private copy has a value only where one condition holds"
        notes[:0] = [Note(f"under '{language.shown(write.conditions[-1])}', it is set here", place)] if place else []
    certain = write is None and not use.conditions
    return Finding("unset", certain, message, language.span(use.node) or span, name, advice, tuple(notes))
