"""What OpenMP constructs of the host do while the program is followed: they run regions, map, wait and copy."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..base.records import replace
from ..directives.contents import COPYING
from ..directives.model import DependClause, ExprClause, ListClause
from ..tree.nodes import Construct, Statement, parts
from ..tree.types import Pointer
from .calls import foreign
from .data_movement import beside_regions, defer, enter, leave, update
from .events import Lent, Use
from .extents import Extents
from .host_uses import PRIVATE_COPY
from .kernels import Mapped, listed, mapped_by, moved_by, type_at
from .memory import Memory
from .objects import Key, State, is_somewhere, joined
from .places import DEREFERENCE, Root, item_place, item_root, root_of
from .position import Position
from .region_uses import dropped_beside_maps, run
from .surveys import DATA_DIRECTIVES
from .whole_unit import value_of

_WAITING = frozenset(("taskwait", "barrier", "taskgroup"))
_DEFERRING = frozenset(("task", "taskloop", "sections", "section"))
_Follow = Callable[[Position, Statement | None, State], State | None]


def construct(at: Position, node: Construct, state: State, follow: _Follow) -> State | None:
    """Follow a construct. ``follow`` is what follows its statement."""
    directive = node.directive
    if directive.has("depend") and not directive.has("nowait"):
        state.wait()
    if directive.is_target:
        return _target(at, node, state)
    if directive.name in DATA_DIRECTIVES:
        return _data(at, node, state, follow)
    leaves = set(directive.constructs)
    if leaves & _WAITING:
        after = follow(at, node.body, state)
        if after is not None:
            after.wait()
        return after
    if node.body is None:
        return state
    if leaves & _DEFERRING:
        return _deferred(at, node, state)
    copied = [root.variable for root in listed(node, *COPYING)]
    kept = {v: state.of((v, ())) for v in dict.fromkeys(copied)}
    for variable in kept:
        state.memory[(variable, ())] = Memory(size=Extents.of_type(variable.type))
    after = follow(at, node.body, state)
    if after is None:
        return None
    for variable, memory in kept.items():
        after.memory[(variable, ())] = memory
        if directive.has("reduction", "lastprivate", "linear"):
            after.forget_contents((variable, ()))
    if not directive.has("nowait") and leaves & {"parallel", "for", "single"}:
        after.wait()
    return after


def _deferred(at: Position, node: Construct, state: State) -> State:
    """A statement that runs at some time: what it mentions is not known any more."""
    for event in at.unit.reader.statement(node.body) if node.body is not None else ():
        for root in event.arguments if isinstance(event, Lent) else [getattr(event, "root", None)]:
            _forget_at(state, root)
        if isinstance(event, Lent):
            foreign(event, state)
    for inner in parts(node, Construct):
        items = [*mapped_by(inner), *moved_by(inner)]
        _forget_if_unknown(state, (m.root for m in items))
        for mapped in items:
            _forget_at(state, mapped.root)
    return state


def _forget_if_unknown(state: State, roots: Iterable[Root]) -> None:
    """What a mapper maps, and where a pointer leads of which too little is known, may be any object whose address is
    stored somewhere."""
    if any(_may_be_any(state, root) for root in roots):
        state.forget_escaped()


def _may_be_any(state: State, root: Root) -> bool:
    """Whether an access may be to any object whose address is stored somewhere."""
    found = state.at(root)
    return found is None or is_somewhere(found.key)


def _forget_at(state: State, root: Root | None) -> None:
    found = state.at(root)
    if found is not None:
        state.forget(found.key)


def _is_sure(node: Construct, *names: str) -> bool:
    """Whether a construct acts on the device in any case, as far as its ``if`` clause says."""
    for clause in node.directive.all("if"):
        if isinstance(clause, ExprClause) and clause.modifier in (None, "target", *names) and clause.expr is not None:
            return bool(value_of(node, clause.expr))
    return True


def _target(at: Position, node: Construct, state: State) -> State | None:
    kernel = at.unit.kernels.get(node)
    if kernel is None:
        return _deferred(at, node, state)
    before = None if _is_sure(node) else state.copy()
    inside = at.doubting(before is not None, ", unless 'if' leaves the region to the host")
    named = _named(node, state)
    uses = [(root, e.writes) for e in kernel.events if isinstance(e, Use) and (root := e.root) is not None]
    of_mappers = at.unit.by_mappers.has
    mentioned = (*(root for root, _ in uses), *(m.root for m in kernel.maps))
    _forget_if_unknown(state, (root for root in mentioned if of_mappers(root.variable)))
    of_tasks = {root.variable for root in listed(node, "in_reduction")}  # of these the task around it has copies
    mapped = [m for m in kernel.maps if m.root.variable not in of_tasks] if node.directive.has("nowait") else []
    copied = [m for m in mapped if _is_copied(state, m)]
    enter(inside, node, state, kernel.maps)
    run(inside, kernel, state, named)
    dropped = dropped_beside_maps(kernel, state)
    leave(inside, node, state, kernel.maps)
    for key, touch in dropped.items():
        state.memory[key] = replace(state.of(key), lost=touch, how=PRIVATE_COPY)
    if not node.directive.has("if"):
        defer(at, node, state, copied, named)
    if any(_may_be_any(state, root) for root, writes in uses if writes):
        state.forget_escaped_contents()
    return joined([state, before])


def _is_copied(state: State, mapped: Mapped) -> bool:
    """Whether a construct with this list item surely copies, as what it names is not on the device."""
    found = state.at(mapped.root)
    return found is not None and (mapped.always or state.of(found.key).present == 0)


def _data(at: Position, node: Construct, state: State, follow: _Follow) -> State | None:
    name = node.directive.name
    before = None if _is_sure(node, name) else state.copy()
    maps = [*mapped_by(node)]
    moved = [*moved_by(node)] if name == "target update" else maps
    _forget_if_unknown(state, (m.root for m in moved))
    named = _named(node, state)
    if name != "target data" and before is None:
        beside_regions(at, node, state, moved, named)
    match name:
        case "target update":
            update(at, node, state)
        case "target enter data":
            enter(at, node, state, maps)
        case "target exit data":
            leave(at, node, state, maps)
        case _:
            enter(at, node, state, maps)
            state = joined([state, before]) or state  # its statement runs whether or not it maps
            begun = state.leading(m.root for m in maps)
            kept = _device_pointers(node, state, before is None)
            after = follow(at, node.body, state)
            if after is None:
                return None
            state = after
            for pointer, lead in kept:
                state.leads[pointer] = lead
                if lead is not None:
                    state.forget_contents(lead[0])
            now, state.leads = state.leads, {**state.leads, **begun}
            leave(at, node, state, maps)  # of what was mapped, wherever pointers lead now
            state.leads = now
            before = None
    if node.directive.has("nowait"):
        defer(at, node, state, moved, named)
    return joined([state, before])


def _named(node: Construct, state: State) -> frozenset[object]:
    """The objects that the ``depend`` clauses of a construct name.

    What waits for it waits for all that it waits for. So these objects order deferred constructs in front of it, too.
    """
    named: set[object] = set()
    for clause in node.directive.all("depend"):
        for item in clause.items if isinstance(clause, DependClause) else ():
            found = state.at(item_root(node, item))
            named.add(found.key if found is not None else None)
    if named:
        for key, memory in state.memory.items():
            if any(named & p.named for p in memory.pending):
                pending = tuple(replace(p, named=p.named | named) if named & p.named else p for p in memory.pending)
                state.memory[key] = replace(memory, pending=pending)
    return frozenset(named)


def _device_pointers(node: Construct, state: State, sure: bool) -> list[tuple[Key, tuple[Key, bool] | None]]:
    """Where variables hold addresses of the device, code that is not followed may change what these lead to.

    Returns where the pointers among them lead outside of the construct."""
    kept: list[tuple[Key, tuple[Key, bool] | None]] = []
    for clause in node.directive.all("use_device_ptr", "use_device_addr"):
        for item in clause.items if isinstance(clause, ListClause) else ():
            named = item_place(node, item)  # the pointer, whatever section of what it leads to is listed
            root = root_of(named) if named is not None else None
            if root is None:
                continue
            place = state.at(root)
            is_pointer = isinstance(type_at(root), Pointer)
            found = state.at(root.then(DEREFERENCE) if is_pointer else root)
            if found is None:
                continue
            state.forget_contents(found.key)
            memory = state.of(found.key)
            if is_pointer and place is not None and not found.members and memory.present != 0:
                pointer = place.place
                kept.append((pointer, (found.key, found.shifted)))
                state.memory[found.key] = replace(memory, aliased=True)
                copy: Key = ((node, root), ())
                state.memory[copy] = replace(Memory().unknown(), of_device=item.span, copy_of=found.key)
                state.leads[pointer] = (copy, found.shifted) if memory.present and sure else None
    return kept
