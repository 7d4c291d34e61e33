"""Private copies of variables that are read, or give their value to the variable, before they get one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.findings import Finding, Note
from ..directives.model import ListClause, conditional
from ..plan.code import Entity
from ..tree import nodes as tree
from ..tree.symbols import Variable
from ..tree.types import Array, Complex, Floating, Integer, Pointer, Type, element_of
from .called import Called
from .events import Bound, Escape, Event, Language, Lent, Use
from .places import item_place, root_of
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
        arrays = {variable for variable in copies if isinstance(variable.type, Array)}
        waiting: set[Entity] = copies.difference(*map(_written, events)) | (copies - arrays) if arrays else {*copies}
        for event in events if waiting else ():
            if isinstance(event, Lent | Bound):
                waiting -= _written(event)
            elif isinstance(event, Use | Escape) and event.root is not None and event.root.variable in waiting:
                variable = event.root.variable
                inner = _inside(event, construct) if isinstance(event, Use) else ()
                if inner is None or any(variable in privates.of(one) for one in inner):
                    continue
                waiting.discard(variable)
                if isinstance(event, Use) and event.reads and not event.conditions and not event.calls:
                    yield _finding(language, construct, event, variable)


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


def _finding(language: Language, construct: tree.Construct, use: Use, variable: Variable) -> Finding:
    name, span = variable.name, construct.directive.span
    message = f"'{name}' is read here, but '{construct.directive.name}' has a private copy of it without a value"
    note = Note("the copy is made here", span)
    advice = f"write firstprivate({name}), or give it a value before"
    return Finding("unset", True, message, language.span(use.node) or span, name, advice, (note,))
