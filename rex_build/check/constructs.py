"""What OpenMP constructs of the host do while the program is followed: they run regions, map, wait and copy,
also by clauses, at their beginning and at their end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ..base.diagnostics import SourceSpan
from ..base.findings import Finding, Note
from ..base.records import replace
from ..directives.contents import COPYING
from ..directives.model import DependClause, ExprClause, ListClause
from ..tree.nodes import Construct, Statement, parts
from ..tree.types import Pointer
from .calls import foreign
from .events import DEREFERENCE, Lent, Root, Use, item_place, item_root, root_of
from .extents import Extent, Extents, meet
from .host_uses import PRIVATE_COPY, read
from .kernels import Mapped, listed, mapped_by, moved_by, type_at
from .memory import MOST_PENDING, Copy, DependNames, Memory, Pending, Touch, are_ordered
from .objects import Found, Key, Lead, State, is_somewhere, joined
from .position import Position, as_section, with_mapping
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


def _named(node: Construct, state: State) -> DependNames:
    """The objects that the ``depend`` clauses of a construct name.

    What waits for it waits for all that it waits for. So these objects order deferred constructs in front of it, too.
    """
    found: set[tuple[object, bool] | None] = set()
    for clause in node.directive.all("depend"):
        if isinstance(clause, DependClause):
            places = (state.at(item_root(node, item)) for item in clause.items)
            found.update((place.key, clause.kind != "in") if place is not None else None for place in places)
    named = frozenset(found)
    for key, memory in state.memory.items() if named else ():
        before = [pending for pending in memory.pending if pending.named and are_ordered(named, pending.named)]
        if before:
            pending = (replace(p, named=p.named | named) if p in before else p for p in memory.pending)
            state.memory[key] = replace(memory, pending=tuple(pending))
    return named


def _device_pointers(node: Construct, state: State, sure: bool) -> list[tuple[Key, Lead | None]]:
    """Where variables hold addresses of the device, code that is not followed may change what these lead to.

    Returns where the pointers among them lead outside of the construct."""
    kept: list[tuple[Key, Lead | None]] = []
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


def enter(at: Position, node: Construct, state: State, maps: Sequence[Mapped]) -> None:
    """The beginning of a construct with map clauses."""
    for mapped in sorted(maps, key=lambda m: m.how not in ("to", "tofrom")):  # in this order the clauses count
        for part in _parts(state, mapped):
            memory = state.of(part.key)
            if memory.present and mapped.root.path[-1:] == (DEREFERENCE,):
                continue  # the structure is there: only the pointer in it is attached
            parts = (*memory.parts, part.members[0])
            state.memory[part.key] = replace(memory, parts=parts) if memory.present == 0 else memory.unknown()
        _attach(state, mapped)
        found = state.at(mapped.root)
        if found is None or found.members:
            continue
        memory = state.of(found.key)
        extent = at.section(node, mapped, found.shifted)
        if memory.of_device is not None and mapped.item is not None and not (extent and extent.is_empty):
            _report_mapped(at, memory.of_device, mapped)
            continue
        if mapped.present and memory.present == 0 and (memory.gone is not None or not memory.assumed):
            _report_absent(at, memory, mapped)
            state.memory[found.key] = memory.unknown()
            continue
        if not found.shifted:
            _check_size(at, node, memory, extent, mapped)
        if memory.present == 0 and memory.host is Copy.UNKNOWN:
            memory = replace(memory, host=Copy.VALID)
        copies = mapped.how in ("to", "tofrom") and (mapped.always or not memory.present)
        entered = memory.entered(mapped.how, mapped.always, extent, mapped.span)
        state.memory[found.key] = replace(entered, lost=None if copies else memory.lost)
        if memory.lost is not None and copies:
            touch = Touch(mapped.span, mapped.text, (), extent, extent is None)
            in_doubt = memory.assumed or _is_replaced(at, node, mapped.root)
            read(at, replace(memory, assumed=in_doubt), touch, mapped.root.variable.name)


def _report_mapped(at: Position, given: SourceSpan, mapped: Mapped) -> None:
    name = mapped.root.variable.name
    message = f"'{mapped.text}' maps memory of the device as if it was the host's"
    advice = f"leave it out of the map clause: use the pointer in a region with is_device_ptr({name})"
    at.report(Finding("device-pointer", True, message, mapped.span, name, advice, (Note("it comes from here", given),)))


def _report_absent(at: Position, memory: Memory, mapped: Mapped) -> None:
    """The program ends where an item with ``present`` is not on the device."""
    message = f"'{mapped.text}' has to be on the device here, as 'present' says, but "
    message += "nothing has mapped it" if memory.gone is None else "it was unmapped"
    notes = (Note("it was unmapped here", memory.gone),) if memory.gone is not None else ()
    message += ", unless other code has mapped it" * memory.assumed
    name, kind = mapped.root.variable.name, "unmapped-pointer" if memory.gone is None else "released"
    advice = "map it before" if memory.gone is None else "keep it mapped until then"
    at.report(Finding(kind, not memory.assumed, message, mapped.span, name, advice, notes))


def _is_replaced(at: Position, node: Construct, root: Root) -> bool:
    """Whether a region gives elements of what is copied to it other values, so that it may need none of the copied."""
    kernel = at.unit.kernels.get(node)
    uses = [event for event in kernel.events if isinstance(event, Use)] if kernel is not None else []
    return any(u.writes and not u.reads and u.root is not None and u.root.variable is root.variable for u in uses)


def _attach(state: State, mapped: Mapped) -> None:
    """A pointer that is on the device leads there to what it leads to on the host, whatever it was before."""
    *path, last = mapped.root.path or ("",)
    pointer = state.at(Root(mapped.root.variable, tuple(path))) if last == DEREFERENCE else None
    memory = state.of(pointer.key) if pointer is not None and not pointer.members else None
    if pointer is not None and memory is not None and memory.present and memory.device in (Copy.STALE, Copy.UNSET):
        state.memory[pointer.key] = replace(memory, device=Copy.UNKNOWN, changed=None)


def _check_size(at: Position, node: Construct, memory: Memory, extent: Extent | None, mapped: Mapped) -> None:
    """Whether a section is longer than the object in which it is."""
    if memory.size is None or mapped.item is None:
        return
    over, name = extent.behind(memory.size) if extent is not None else None, mapped.root.variable.name
    passes = at.in_call(at.extents.in_all_passes(node, mapped.item, at.around)) if over is None and at.around else None
    behind = passes.behind(memory.size) if passes is not None else None
    length = at.in_call(at.extents.from_elsewhere(node, mapped.item)) if over is None else None
    if over is not None and over > 0:
        message = f"the section '{mapped.text}' is {over} bytes longer than what '{name}' leads to"
        advice = as_section(mapped.item) or "map only what there is"
        at.report(Finding("bounds", True, message, mapped.span, name, advice, ()))
    elif behind is not None and behind > 0:
        message = f"the section '{mapped.text}' ends {behind} bytes behind what '{name}' leads to in the last pass of"
        message += " the loop around, unless it ends before"
        at.report(Finding("bounds", False, message, mapped.span, name, "map less in the last pass", ()))
    elif length is not None and length.behind(memory.size) == 0:
        message = f"the section '{mapped.text}' is as long as all that '{name}' leads to, so it ends behind that,"
        message += " unless it begins with the first element"
        advice = "what stands behind ':' is the number of elements, not the end"
        at.report(Finding("bounds", False, message, mapped.span, name, advice, ()))


def leave(at: Position, node: Construct, state: State, maps: Sequence[Mapped]) -> None:
    """The end of a construct with map clauses."""
    for mapped in sorted(maps, key=lambda m: m.how in ("from", "tofrom")):  # what comes back does so last
        found = state.at(mapped.root)
        for part in _parts(state, mapped):
            _leave_part(state, part, mapped)
        if found is None or found.members:
            continue
        memory = state.of(found.key)
        extent = at.section(node, mapped, found.shifted) if memory.present else None
        if node.directive.name == "target exit data" and memory.present and mapped.how == "from":
            _check_section(at, memory, extent, mapped, "copy back what was mapped")
        if memory.present == 0 and memory.gone is not None:
            _report_release(at, memory.gone, mapped)
        rest = _not_copied(memory, mapped, extent)
        if (memory.present == 1 or (memory.present and mapped.always)) and mapped.how in ("from", "tofrom"):
            memory = memory.copied_back(extent)
        left = memory.left(mapped.how, mapped.always)
        if memory.present and left.present == 0 and _is_of_mapped(memory, extent):
            left = replace(left, gone=mapped.span)
        nothing = "only a part is copied back, by 'update'" if memory.updated else f"'{mapped.how}' copies nothing back"
        how = nothing if left.lost is not memory.lost else memory.how
        if rest is not None:
            left, how = replace(left, lost=rest), f"only '{mapped.text}' is copied back"
        state.memory[found.key] = replace(left, how=how) if how != left.how else left


def _is_of_mapped(memory: Memory, extent: Extent | None) -> bool:
    """Whether a directive surely names a part of what is on the device, as it does if both begin at one place."""
    if extent is None or memory.section is None:
        return False
    return extent.before(memory.section) == 0 or extent.is_surely_within(memory.section)


def _report_release(at: Position, gone: SourceSpan, mapped: Mapped) -> None:
    message = f"'{mapped.text}' is released, but it is not mapped any more: this does nothing"
    advice = "leave one of the two directives out, or map it once more before"
    notes = (Note("it was unmapped here", gone),)
    at.report(Finding("double-release", False, message, mapped.span, mapped.root.variable.name, advice, notes))


def _parts(state: State, mapped: Mapped) -> Iterator[Found]:
    """The member of a structure that a list item names, and the pointers in structures that lead to it."""
    path = mapped.root.path
    if all(step == DEREFERENCE for step in path):
        found = state.at(mapped.root)
        if found is not None and found.members:
            yield found
        return
    for length in (*(at for at, step in enumerate(path) if step == DEREFERENCE), len(path)):
        found = state.at(Root(mapped.root.variable, path[:length]))
        if found is not None and found.members:
            yield found


def _leave_part(state: State, part: Found, mapped: Mapped) -> None:
    memory, member = state.of(part.key), part.members[0]
    if memory.present and mapped.root.path[-1:] == (DEREFERENCE,):
        return
    parts = [*memory.parts]
    if memory.present != 0 or member not in parts:
        state.forget(part.key)
        return
    parts.remove(member)
    if mapped.how == "delete":
        parts = [other for other in parts if other != member]
    state.memory[part.key] = replace(memory, parts=tuple(parts))


def _not_copied(memory: Memory, mapped: Mapped, extent: Extent | None) -> Touch | None:
    """What a region has written behind the section that comes back, if the object leaves the device then."""
    changed = memory.changed
    comes_back = mapped.how in ("from", "tofrom")
    if memory.present != 1 or memory.host is not Copy.STALE or changed is None or not comes_back:
        return None
    if extent is None or changed.extent is None or changed.chosen or (changed.extent.behind(extent) or 0) <= 0:
        return None
    rest = Extent(extent.high, changed.extent.high, changed.extent.exact, changed.extent.dense, changed.extent.call)
    return replace(changed, extent=rest)


def _check_section(at: Position, memory: Memory, extent: Extent | None, mapped: Mapped, advice: str) -> None:
    """Whether a section that is copied is longer than what is mapped."""
    if memory.section is None or extent is None:
        return
    over = extent.behind(memory.section)
    if over is not None and over > 0:
        message = f"'{mapped.text}' is {over} bytes longer than what was mapped"
        name, notes = mapped.root.variable.name, with_mapping((), memory)
        at.report(Finding("bounds", not memory.assumed, message, mapped.span, name, advice, notes))


def update(at: Position, node: Construct, state: State) -> None:
    """``target update``."""
    for mapped in moved_by(node):
        found = state.at(mapped.root)
        if found is None:
            continue
        memory = state.of(found.key)
        if found.members:
            state.forget_contents(found.key)
            continue
        if memory.present == 0:
            continue
        extent = at.section(node, mapped, found.shifted)
        if memory.present:
            reach = extent or at.reach(node, mapped, found.shifted)
            _check_section(at, memory, reach, mapped, "update what was mapped")
            extent = reach
        if mapped.how == "from" and memory.present:
            _check_direction(at, memory, mapped, extent)
            memory = memory.copied_back(extent)
        changed = (memory.changed,) if mapped.how == "from" and memory.changed is not None else ()
        brought = memory.having_brought(memory.lacking() if mapped.how == "to" else changed)
        updated = replace(_updated(memory, mapped.how, extent), brought=brought)
        state.memory[found.key] = replace(updated, behind=()) if mapped.how == "to" else updated


def _check_direction(at: Position, memory: Memory, mapped: Mapped, extent: Extent | None) -> None:
    """Whether an update fetches what no region has changed, in place of what the host has written. Behind another
    update it may be meant: the host has cleared what it fetches."""
    write = memory.changed
    if memory.device is not Copy.STALE or memory.host is not Copy.VALID or write is None or memory.brought:
        return
    if extent is not None and write.extent is not None and meet(write.extent, extent) is False:
        return
    message = f"'{mapped.text}' has what it had on the device before, and replaces what the host has written since"
    message += ", unless the host's values are not wanted"
    advice = f"copy them to the device: '#pragma omp target update to({mapped.text})'"
    notes = (Note(f"'{write.text}' is written here", write.span),)
    at.report(Finding("stale", False, message, mapped.span, mapped.root.variable.name, advice, notes))


def _updated(memory: Memory, way: str, extent: Extent | None) -> Memory:
    """An object after an update of all of it, or of a part."""
    stale = memory.host if way == "from" else memory.device
    if memory.present and memory.blank is not None:
        if way == "from":
            memory = replace(memory, blank=None if extent is None else memory.came_back().blank)
        elif memory.device is Copy.UNSET:
            return replace(memory, device=Copy.UNSET if memory.blank == () else Copy.UNKNOWN)
    changed = memory.changed
    if stale is Copy.STALE and changed is not None and extent is not None and memory.present:
        is_all = memory.section is not None and extent.before(memory.section) == extent.behind(memory.section) == 0
        by = changed.extent
        left = by is not None and (not extent.dense or not by.is_within(extent) or by.grows_beyond(extent))
        if left and not is_all:
            return replace(memory, updated=(*memory.updated, extent), lost=None if way == "from" else memory.lost)
    if way == "from":
        host = Copy.VALID if stale is Copy.STALE else stale
        return replace(memory, host=host, changed=None, lost=None, updated=())
    if memory.device is Copy.UNSET and memory.present and extent is not None:
        filled = memory.filled_by(extent)
        if filled.device is Copy.UNSET:
            return replace(filled, changed=None, updated=())
    device = Copy.UNKNOWN if memory.present is None else Copy.VALID
    if memory.host is Copy.STALE and memory.lost is None and changed is not None:
        how = "'update to' has copied the host's old values over it"
        return replace(memory, host=Copy.VALID, device=device, changed=None, updated=(), lost=changed, how=how)
    return replace(memory, device=device, changed=None, updated=())


def beside_regions(
    at: Position, node: Construct, state: State, maps: Iterable[Mapped], named: DependNames
) -> None:
    """Whether a directive copies, or removes, what a region with ``nowait`` may still be using."""
    is_update, is_exit = node.directive.name == "target update", node.directive.name == "target exit data"
    for mapped in maps:
        found = state.at(mapped.root)
        memory = state.of(found.key) if found is not None and not found.members else None
        if found is None or memory is None or not memory.pending:
            continue
        ends = is_exit and (memory.present == 1 or mapped.how == "delete")
        if not (is_update or ends or mapped.always):
            continue
        touch = Touch(mapped.span, mapped.text, (), at.section(node, mapped, found.shifted), mapped.item is None)
        for pending in memory.pending:
            waits = are_ordered(named, pending.named)
            reads_only = mapped.how == "from" and not ends and not pending.writes
            if waits or pending.transfer or reads_only or pending.touch.meets(touch) is not True:
                continue
            does = "copies" if mapped.how in ("to", "from", "tofrom") else "removes"
            message = f"'{node.directive.name}' {does} '{mapped.text}', but the region with 'nowait' that uses it may"
            message += " still run"
            uses = "writes" if pending.writes else "reads"
            notes = (Note(f"the region {uses} '{pending.touch.text}' here", pending.touch.span),)
            name, advice = mapped.root.variable.name, "put '#pragma omp taskwait' in front, or order both with 'depend'"
            at.report(Finding("nowait", not memory.assumed, message, mapped.span, name, advice, notes))
            state.memory[found.key] = replace(memory, pending=())
            break


def defer(at: Position, node: Construct, state: State, maps: Iterable[Mapped], named: DependNames) -> None:
    """The transfers of a directive with ``nowait`` may still run."""
    for mapped in maps:
        found = state.at(mapped.root)
        if found is None or found.members or mapped.how not in ("to", "from", "tofrom"):
            continue
        extent = at.section(node, mapped, found.shifted)
        touch = Touch(mapped.span, mapped.text, (), extent, mapped.item is None)
        memory = state.of(found.key)
        pending = Pending(touch, mapped.how != "to", named, transfer=True)
        state.memory[found.key] = replace(memory, pending=(*memory.pending, pending)[-MOST_PENDING:])
