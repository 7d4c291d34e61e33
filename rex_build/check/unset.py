"""Private copies of variables that are read, or give their value to the variable, before they get one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.findings import Finding, Note
from ..directives.model import ListClause, ReductionClause, conditional
from ..plan.constructs import Entity
from ..tree import nodes as tree
from ..tree.symbols import Variable
from ..tree.types import Array, Complex, Floating, Integer, Pointer, Type, element_of
from ..tree.values import unconverted
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
        yield from _parts_stored(language, privates, events, construct)
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
                elif not event.reads and (read := _read_in_all_cases(privates, events, construct, event)) is not None:
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


def _read_in_all_cases(
    privates: Privates, events: Sequence[Event], construct: tree.Construct, write: Use
) -> Use | None:
    """The read of a copy that always happens, behind its first write, which happens only where data say so.

    What is written behind the read is too late, but where a loop in the construct's iteration comes back to the read.
    """
    chosen = [c for c in write.conditions if chooses(c) and not any(c is loop.condition for loop in write.loops)]
    variable = write.root.variable if write.root is not None else None
    if not chosen:
        return None
    read: Use | None = None
    for event in events[events.index(write) + 1 :]:
        is_use = isinstance(event, Use) and event.root is not None and event.root.variable is variable
        if read is None and isinstance(event, Use) and is_use and event.reads:
            if event.conditions or event.calls or event.constructs != write.constructs:
                return None
            read = event
        elif variable in _written(event) and (read is None or not _is_once(privates, construct, read)):
            return None
    return read


def _is_once(privates: Privates, construct: tree.Construct, use: Use) -> bool:
    """Whether each iteration of a construct's loops comes to an access once."""
    nest = privates.nest(construct) if privates.counting(construct) else None
    inside = tree.parts(construct.body, tree.Loop) if construct.body is not None else []
    return sum(loop in inside for loop in use.loops) == (len(nest.levels) if nest is not None else 0)


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


def _parts_stored(
    language: Language, privates: Privates, events: Sequence[Event], construct: tree.Construct
) -> Iterator[Finding]:
    """Elements, one for each iteration, that get what a thread has of a reduction so far, like a running sum."""
    clauses = [c for c in construct.directive.clauses if isinstance(c, ReductionClause) and c.modifier != "inscan"]
    listed = [item_place(construct, item) for clause in clauses for item in clause.items]
    reduced = {place.variable for place in listed if isinstance(place, tree.Named)}
    counters = privates.counting(construct) if reduced else ()
    for event in events if counters else ():
        if not isinstance(event, Use) or event.value is None or event.calls or construct not in event.constructs:
            continue
        value = unconverted(event.value)
        sides = [unconverted(side) for side in (value.left, value.right)] if isinstance(value, tree.Binary) else [value]
        places = [side.place for side in sides if isinstance(side, tree.Load)]
        read = [place.variable for place in places if isinstance(place, tree.Named)]
        indices = {node.variable for node in tree.walk(event.node) if isinstance(node, tree.Named)}
        if not (reduced.isdisjoint(read) or indices.isdisjoint(counters)) and isinstance(event.node, tree.Pointee):
            name, span = next(one.name for one in read if one in reduced), construct.directive.span
            message = f"'{name}' has what one thread has added so far, and not all that came before it"
            advice = f"use '{name}' behind the loop; running sums need reduction(inscan, …) and '#pragma omp scan'"
            note = Note("each thread gets a copy here", span)
            yield Finding("reduction", False, message, language.span(event.node) or span, name, advice, (note,))
            return


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
