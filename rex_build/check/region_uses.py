"""What a region does with objects on the device, and with its copies of variables."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import permutations

from ..base.findings import Finding, Note
from ..base.records import replace
from ..tree.nodes import AddressOf, Binary, Call, Decay, Load, Named, Node, Part, Pointee, walk
from ..tree.symbols import Storage, Variable
from ..tree.types import Pointer, Record
from ..tree.values import base_of, same_value, widened
from .containers import call_container, use_elements
from .events import DEREFERENCE, Lent, Root, Use
from .extents import meet
from .host_uses import is_allocated_on_host, is_grown, read, report_host_pointer
from .kernels import Kernel, is_referring
from .members import offset_of, record_of
from .memory import FOREVER, MOST_PENDING, Copy, DependNames, Memory, Path, Pending, Touch, are_ordered
from .objects import Found, Key, State
from .position import Position, as_section, by_pointer, item_for, name_of, outdated, why_in_doubt, with_mapping
from .unset import chooses


def run(at: Position, kernel: Kernel, state: State, named: DependNames) -> None:
    """A region runs. What it maps is mapped already, and ``named`` are the objects in its ``depend`` clauses."""
    copies = dict(kernel.copies)
    mapped = {m.root.variable for m in kernel.maps if DEREFERENCE not in m.root.path}
    listed = {m.root.variable for m in kernel.maps if m.item is not None}
    written = _written_objects(kernel, state)
    # What an item leads to by an element is mapped, but which of them: the state does not say.
    ends = ((m, len(m.root.path) + m.root.one_of) for m in kernel.maps)
    attached = {(m.root.variable, m.root.path[:n]) for m, end in ends for n in range(1, end)}
    pending: dict[Key, list[Pending]] = {}
    changes = [e.root for e in kernel.events if isinstance(e, Use) and e.writes and e.root is not None]
    is_beside = len({found.key for root in changes if root.variable not in copies and (found := state.at(root))}) > 1
    scratch = _scratch(kernel)
    directive = kernel.construct.directive
    is_deferred = directive.has("nowait") and not directive.has("if")
    seen_copies: set[Variable] = set()
    for root in kernel.written_unseen:
        _write_unseen(root, state)
    for finding in _left_out(at, kernel, state):
        at.report(finding)
    for number, event in enumerate((*kernel.events, *_moving(kernel, state))):
        if isinstance(event, Lent):
            call_container(at, kernel, event, state)
            _call(at, event, state)
            continue
        if not isinstance(event, Use) or event.root is None:
            continue
        variable = event.root.variable
        if variable in kernel.handed_over:
            _use_device_memory(at, event, state, variable in kernel.moved)
            continue
        if variable in copies and DEREFERENCE not in event.root.path[is_referring(variable) :]:
            if variable not in scratch:
                _use_copy(at, kernel, event, copies[variable], state, variable in seen_copies)
            seen_copies.add(variable)
            continue
        if DEREFERENCE not in event.root.path:
            if variable not in mapped and variable not in state.beginning.on_device:
                continue
        elif use_elements(at, kernel, event, state) or _follows_host_pointer(at, kernel, event, state, attached):
            continue
        elif variable not in listed and _is_hidden(kernel, event, event.root):
            if event.writes:
                _write_unseen(event.root, state)
            continue
        found = state.at(event.root)
        if found is None:
            if event.root.one_of:
                _use_row(at, kernel, event, state)
            elif at.unit.by_mappers.has(variable):
                _use_by_mapper(at, kernel, event)
            else:
                _use_anything(at, kernel, event)
            continue
        if found.shifted and not event.root.shifted and state.of(found.key).present == 1:  # what the region itself maps
            _use_anything(at, kernel, event)
        touch = at.touch(event, found)
        if event.writes and is_beside and state.of(found.key).device is not Copy.UNSET:
            touch = replace(touch, beside=True)
        if variable in kernel.moved and DEREFERENCE in event.root.path:
            touch = replace(touch, extent=None, single=False)
        is_led = (variable, event.root.path) in attached or event.node in kernel.led_elsewhere
        if is_led and state.of(found.key).present == 0:
            continue  # a list item leads through this pointer, or the region has set it
        if state.of(found.key).present and DEREFERENCE not in event.root.path[1:]:
            at.journey.on_device.add((kernel.construct, variable))
        _while_pending(at, state.of(found.key), touch, event, named)
        last = written.get(found.key)
        _use(at, event, found.key, touch, (last is not None, last is not None and last > number), state)
        if is_deferred:
            pending.setdefault(found.key, []).append(Pending(touch, event.writes, named))
    for key, memory in [*state.memory.items()]:
        if (kernel.is_cut and memory.present != 0) or (kernel.handed_over and memory.aliased):
            state.forget_contents(key)  # it may do more to it than is known
    for key, accesses in pending.items():
        memory = state.of(key)
        state.memory[key] = replace(memory, pending=(*memory.pending, *accesses)[-MOST_PENDING:])


def _moving(kernel: Kernel, state: State) -> Iterator[Use]:
    """What a region does by pointers of its own that move, where the object that they lead to may not be mapped."""
    for use in kernel.moving:
        found = state.at(use.root)
        if found is not None and state.of(found.key).present == 0:
            yield use


def _follows_host_pointer(
    at: Position, kernel: Kernel, use: Use, state: State, attached: Container[tuple[Variable, Path]]
) -> bool:
    """Report an access by a pointer in a structure that a region gets as it is, so that it has an address of the host.

    Pointers that closures hold themselves are translated (OpenMP 5.2, section 5.8.6), and those through which a list
    item in this file leads may be, too.
    """
    root, unit = use.root, at.unit
    is_own = root is not None and root.variable.storage in (Storage.LOCAL, Storage.PARAMETER)
    if root is None or not is_own or not isinstance(root.variable.type, Record) or DEREFERENCE not in root.path:
        return False
    way = root.path[: root.path.index(DEREFERENCE)]
    names = [step[1:] for step in way]
    is_plain = names and not Root(root.variable, way).in_closure
    in_closure = root.variable.type.info.name.startswith("(lambda")  # no list item names what a closure holds
    is_named = not in_closure and not unit.mapped_members.isdisjoint(names)
    may_be_mapped = unit.by_mappers.has(root.variable) or is_named
    if in_closure and _holds_object(at, root.variable.type):
        return False
    if not is_plain or may_be_mapped or (root.variable, (*way, DEREFERENCE)) in attached or unit.may_know_addresses:
        return False
    found = state.at(Root(root.variable, (*way, DEREFERENCE)))
    if use.node in kernel.led_elsewhere or root.variable in kernel.moved or found is None:
        return False
    is_mapped = bool(state.of(found.key).present)
    if not _is_of_host(found.key, root.variable) or not (is_mapped or in_closure):
        return False  # what is on the device by no way at all is told where it is used
    touch, pointer = at.touch(use, found), root.variable.name + "".join(way)
    advice = f"map it by this pointer, map(tofrom: {pointer}[0:n])"
    if in_closure:
        pointer = "".join(way)[1:]
        advice = f"capture the pointer by itself, as in [{names[-1]} = object.{pointer}]: that one is translated"
    message = f"the region follows '{pointer}' in '{touch.text}', which has an address of the host"
    message += ": what it leads to is mapped, but not by this pointer" if is_mapped else ""
    at.report(Finding("unmapped-pointer", True, message, touch.span, pointer, advice, ()))
    return True


def _left_out(at: Position, kernel: Kernel, state: State) -> Iterator[Finding]:
    """Elements that are copied back although the region sets only those that data, or a remainder, chooses."""
    copied = [m for m in kernel.maps if m.how == "from" and m.item is not None]
    writes: dict[Key, list[Use | None]] = {}
    for event in kernel.events if copied else ():
        roots = event.arguments if isinstance(event, Lent) else (event.root,) if isinstance(event, Use) else ()
        is_write = isinstance(event, Lent) or (isinstance(event, Use) and event.writes)
        for found in map(state.at, roots) if is_write else ():
            if found is not None:
                writes.setdefault(found.key, []).append(event if isinstance(event, Use) else None)
    for mapped in copied:
        found = state.at(mapped.root)
        use = writes.get(found.key, [None])[0] if found is not None and len(writes.get(found.key, ())) == 1 else None
        if found is None or use is None or mapped.root in kernel.written_unseen or kernel.is_cut:
            continue
        memory, touch = state.of(found.key), at.touch(use, found)
        section, extent = memory.section, touch.extent
        chosen = [c for c in use.conditions if chooses(c) and not any(c is loop.condition for loop in use.loops)]
        covers = section is not None and extent is not None and extent.dense and section.is_surely_within(extent)
        if memory.device is not Copy.UNSET or memory.filled or not covers or not chosen:
            continue
        message = f"'from' copies all of '{mapped.text}' back, but the region sets '{touch.text}' only where"
        does = "fails" if any(chosen[-1] is one for one in use.failing) else "holds"
        message += f" '{at.unit.language.shown(chosen[-1])}' {does}, unless nothing reads the others"
        note = Note("it is mapped here", mapped.span)
        advice = f"map it tofrom: map(tofrom: {mapped.text})"
        yield Finding("unset", False, message, touch.span, mapped.root.variable.name, advice, (note,))


def _holds_object(at: Position, closure: Record) -> bool:
    """Whether a closure may hold a copy of a method's object, ``*this``, whose pointers are translated as well."""
    bodies = filter(None, map(at.unit.body, at.calls))
    owners = [p.type for body in bodies for p in body.parameters if p.name == "this"]
    objects = [owner.to for owner in owners if isinstance(owner, Pointer)]
    held = {member.type.info for member in closure.info.members if isinstance(member.type, Record)}
    return any(isinstance(kind, Record) and kind.info in held for kind in objects)


def _is_of_host(key: Key, other: Variable) -> bool:
    """Whether an object is another variable, or memory that the host has allocated."""
    is_variable = isinstance(key[0], Variable) and key[0] is not other and DEREFERENCE not in key[1]
    return is_variable or is_allocated_on_host(key)


def _write_unseen(root: Root, state: State) -> None:
    """A region may write to an object, which is not followed."""
    found = state.at(root)
    if found is not None and state.of(found.key).device is Copy.UNSET:
        state.memory[found.key] = replace(state.of(found.key), device=Copy.UNKNOWN)


def _use_row(at: Position, kernel: Kernel, use: Use, state: State) -> None:
    """A region follows a pointer that is an element of an array, as in ``a[i][j]`` with rows of their own."""
    root = use.root
    if root is None or root.variable in kernel.handed_over or root.variable in kernel.moved or at.unit.may_map_rows:
        return
    length = len(root.path) - root.path[::-1].index(DEREFERENCE) - 1
    array = state.at(Root(root.variable, root.path[:length]))
    memory = state.of(array.key) if array is not None else None
    if array is None or memory is None or not memory.present or memory.device is not Copy.VALID:
        return
    if memory.present >= FOREVER:  # its pointers are the device's own
        return
    place, name = at.place_of(use.node, use.calls, kernel.construct), name_of(array.key, root)
    message = f"the region follows a pointer of '{name}' in '{place.text}', and only the pointers are mapped"
    message += ", unless other code has mapped what they lead to"
    advice = f"map each row of it: map(tofrom: {name}[i][0:n]), or use one array for all rows"
    notes = with_mapping((), memory)
    at.report(Finding("unmapped-pointer", False, message, place.span, root.variable.name, advice, notes))


def _use_by_mapper(at: Position, kernel: Kernel, use: Use) -> None:
    """A region follows a pointer in an object that a mapper maps: the mapper has to map what it leads to, too."""
    if use.root is None or use.node in kernel.led_elsewhere or at.unit.may_know_addresses:
        return
    steps = use.root.path[use.root.path[:1] == (DEREFERENCE,) :]  # in the object
    member = steps[-2][1:] if len(steps) > 1 else ""
    if not member or steps[-1] != DEREFERENCE or DEREFERENCE in steps[:-1] or member in at.unit.mapped_members:
        return
    place, variable = at.place_of(use.node, use.calls, kernel.construct), use.root.variable
    if (kernel.construct, variable, member) in at.journey.told:
        return
    at.journey.told.add((kernel.construct, variable, member))
    unnamed = at.unit.unnamed_mappers.get(member)
    who = "no mapper" if unnamed is None else f"not the mapper '{unnamed}', which no clause names,"
    message = f"the region dereferences the member '{member}' in '{place.text}', but {who} and no clause in this"
    message += " file maps what it leads to, unless other code does"
    advice = f"let the mapper map it as well: a section of '{member}' with the number of its elements"
    if unnamed is not None:
        advice = f"name the mapper: map(mapper({unnamed}), tofrom: {variable.name})"
    at.report(Finding("unmapped-pointer", False, message, place.span, variable.name, advice, ()))


def _use_anything(at: Position, kernel: Kernel, use: Use) -> None:
    """A region uses the elements of one of its own list items. Which object they are of, or which of its
    elements, is not known."""
    root = use.root
    items = [m for m in kernel.maps if m.item is not None and m.root == root]
    if root is None or root.path[-1:] != (DEREFERENCE,) or len(items) != 1 or root.variable in kernel.moved:
        return
    (mapped,) = items
    section = at.section(kernel.construct, mapped, root.shifted)
    memory = Memory(None, assumed=True, section=section, mapped=mapped.span)
    key: Key = (root.variable, ())
    touch = at.touch(use, Found(key, (), root.shifted))
    if touch.extent is not None:
        touch = replace(touch, extent=at.extents.behind_pointer(touch.extent, root.variable))
    _check_bounds(at, memory, touch, name_of(key, root))


def _use_device_memory(at: Position, use: Use, state: State, is_moved: bool) -> None:
    """A region uses memory of which it has got the device's address."""
    found = state.at(use.root) if use.root is not None and DEREFERENCE in use.root.path else None
    if found is None:
        return
    memory = state.of(found.key)
    touch, name = at.touch(use, found), name_of(found.key, use.root)
    if memory.of_device is None:
        if is_allocated_on_host(found.key):
            advice = f"map it instead, or put the region into 'target data use_device_ptr({name})'"
            report_host_pointer(at, memory, touch, name, advice)
        return
    copied = state.of(memory.copy_of) if memory.copy_of is not None else None
    end = memory.freed or (copied.gone if copied is not None and copied.present == 0 else None)
    if end is not None:
        sure = copied is None or not copied.assumed
        doubt = "" if sure else ", unless other code has mapped it as well"
        message = f"the region uses '{touch.text}', but this memory of the device has been released{doubt}"
        notes = (Note("it is released here", end), Note("the address comes from here", memory.of_device))
        advice = "release it behind the last region that uses it"
        at.report(Finding("released", sure, message, touch.span, name, advice, notes))
        return
    whole = replace(memory, section=memory.size, assumed=False, mapped=memory.of_device)
    if memory.size is not None and not is_moved:
        _check_bounds(at, whole, touch, name, "it is allocated here")
    if memory.device is Copy.UNSET:
        if use.reads and memory.lacks(touch, memory.filled):
            message = f"the region reads '{touch.text}', but nothing has written this memory of the device"
            sure = touch.sure and not use.writes and not is_moved
            message += "" if sure else ", unless another iteration has"
            note = Note("it is allocated here", memory.of_device)
            at.report(Finding("unset", sure, message, touch.span, name, "write it before", (note,)))
        if use.writes:
            filled = whole.filled_by(None if is_moved else touch.extent)
            state.memory[found.key] = replace(memory, device=filled.device, filled=filled.filled)


def _while_pending(at: Position, memory: Memory, touch: Touch, use: Use, named: DependNames) -> None:
    """A region uses what an earlier one may still be using, and nothing says that it has to wait."""
    if not memory.pending or "atomic" in use.guards:
        return
    for pending in memory.pending:
        waits = are_ordered(named, pending.named)
        if waits or pending.transfer or not (use.writes or pending.writes) or pending.touch.meets(touch) is not True:
            continue
        does = "writes" if use.writes else "reads"
        message = f"the region {does} '{touch.text}', but an earlier one with 'nowait' that uses it may still run"
        advice = "order the regions with 'depend' clauses for it, or leave out 'nowait'"
        notes = (Note(f"the earlier one {'writes' if pending.writes else 'reads'} it here", pending.touch.span),)
        name = use.root.variable.name if use.root is not None else touch.text
        at.report(Finding("nowait", not memory.assumed, message, touch.span, name, advice, notes))
        return


def _written_objects(kernel: Kernel, state: State) -> dict[Key, int]:
    """The objects that a region writes otherwise than by updates such as ``+=``, with the last event that does."""
    roots: list[tuple[Root | None, int]] = []
    for number, event in enumerate(kernel.events):
        if isinstance(event, Use) and event.writes and not event.reads:
            roots.append((event.root, number))
        elif isinstance(event, Lent) and not event.followed:
            roots += [(root, number) for root in event.arguments]
    return {found.key: number for root, number in roots if (found := state.at(root)) is not None}


def _scratch(kernel: Kernel) -> set[Variable]:
    """The copies by a clause that a region uses for itself: it reads them otherwise than to update them."""
    said = {variable for variable, by_clause in kernel.copies if by_clause}
    if kernel.is_cut:
        return said
    uses = [e for e in kernel.events if isinstance(e, Use) and e.root is not None and e.root.variable in said]
    updates = {(u.root.variable, n) for u in uses if u.root is not None for n in _read_to_update(u)}
    written = {use.root.variable for use in uses if use.writes and use.root is not None}
    return {
        use.root.variable
        for use in uses
        if use.root is not None
        and use.root.variable in written
        and not use.writes
        and (use.root.variable, use.node) not in updates
    }


def _read_to_update(write: Use) -> list[Node]:
    """What is read to compute the value that is assigned, and to compare with it: ``if (x < least) least = x;``."""
    if write.value is None:
        return []
    condition = write.conditions[-1] if write.conditions else None
    sides = (condition.left, condition.right) if isinstance(condition, Binary) else ()
    value, place = widened(write.value), write.node
    compares = isinstance(place, Named | Pointee | Part) and any(
        isinstance(kept, Load) and same_value(kept.place, place) and same_value(one, value)
        for one, kept in permutations(map(widened, sides), 2)
    )
    return [*walk(write.value), *(walk(condition) if condition is not None and compares else ())]


def _use_copy(at: Position, kernel: Kernel, use: Use, said: bool, state: State, is_known: bool) -> None:
    """A use of a copy that the region has of a variable, as a clause of it says if ``said``."""
    found = state.at(use.root)
    if found is None or use.root is None:
        return  # where a reference leads is not known
    key, memory, touch = found.key, state.of(found.key), at.touch(use, found)
    if use.reads and not is_known and not memory.lost:
        read(at, memory, touch, use.root.variable.name)
    if use.writes:
        how = "the region has a copy by its clause" if said else "the region has a copy of its own"
        span = kernel.construct.directive.span
        state.memory[key] = replace(memory, lost=touch, how=how, mapped=memory.mapped if memory.present else span)


def dropped_beside_maps(kernel: Kernel, state: State) -> dict[Key, Touch]:
    """What a region has written to copies of variables that it maps as well: the map brings back another value."""
    keys = [(m.root.variable, m.root.path) for m in kernel.maps if not m.root.path]
    copies = {variable for variable, _ in kernel.copies}
    return {key: lost for key in keys if key[0] in copies and (lost := state.of(key).lost) is not None}


def _use(at: Position, use: Use, key: Key, touch: Touch, written: tuple[bool, bool], state: State) -> None:
    """A use of an object. ``written`` says whether the region writes to it at all, and whether it does later."""
    memory = state.of(key)
    name = _named(at, key, use)
    if memory.present == 0 and memory.parts:
        _use_part(at, use, key, memory, touch, name)
        return
    if memory.present == 0:
        through = use.root is not None and DEREFERENCE in use.root.path and not _is_led_far(key, use.root, memory)
        if through and (not memory.assumed or memory.gone is not None) and not _is_structure(key):
            sure = not memory.assumed
            what = "nothing has mapped what it leads to" if memory.gone is None else "what it leads to is unmapped"
            doubt = "" if sure else ", unless other code has mapped it as well"
            message = f"the region dereferences '{name}' in '{touch.text}', but {what}{doubt}"
            advice = by_pointer(f"map it: map(tofrom: {name}[0:n]) with the number of its elements", name)
            advice += " in the region as well" * ("()" in name)
            if use.walked:
                advice = "map each object that the region comes to, or copy them into one array and map that"
            notes = (Note("it was unmapped here", memory.gone),) if memory.gone is not None else ()
            at.report(Finding("unmapped-pointer", sure, message, touch.span, name, advice, notes))
        return
    if memory.present is None:
        _check_bounds(at, replace(memory, assumed=True), touch, name)
        if use.writes:
            state.memory[key] = replace(memory, host=Copy.UNKNOWN, device=Copy.UNKNOWN)
        return
    _check_bounds(at, memory, touch, name)
    if use.reads:
        _read(at, memory, touch, name, written)
    if use.writes:
        if memory.device is Copy.UNSET:
            memory = state.memory[key] = memory.filled_by(touch.extent if not use.led else None)
        device = Copy.UNKNOWN if memory.device is Copy.STALE else memory.device
        host = Copy.STALE if memory.host in (Copy.VALID, Copy.STALE) else Copy.UNKNOWN
        if memory.device is Copy.STALE:
            host = Copy.UNKNOWN
        known = memory.changed if memory.host is Copy.STALE else None
        changed = known if known is not None and not (known.some_ways and touch.sure) else touch
        updated = memory.not_overwritten(touch)
        behind = tuple(write for write in memory.lacking() if write.meets(touch) is False)
        if behind != memory.behind:
            memory = state.memory[key] = replace(memory, behind=behind)
        now = (memory.host, memory.device, memory.changed, memory.updated)
        if (host, device, changed, updated) != now:  # most writes of a region are not the first one
            state.memory[key] = replace(memory, host=host, device=device, changed=changed, updated=updated)


def _is_led_far(key: Key, root: Root, memory: Memory) -> bool:
    """Whether the way to an object is too long to say that nothing maps it: a closure has brought its address, or a
    method of an object that a reference leads to, such as an element of a container."""
    if root.in_closure:
        return memory.gone is not None
    made = key[0]
    if not isinstance(made, Call) or not made.arguments or is_allocated_on_host(key) or is_grown(made):
        return False
    return not any(isinstance(part, AddressOf | Decay) for part in walk(made.arguments[0]))


def _named(at: Position, key: Key, use: Use) -> str:
    """The name of what a region uses: a pointer that a closure holds, or another leads to, as it is written."""
    root, place = use.root, use.node
    while isinstance(place, Part):
        place = place.whole
    if root is None or not isinstance(place, Pointee):
        return name_of(key, root)
    is_behind = root.path.count(DEREFERENCE) > 1 + is_referring(root.variable) and not (use.led or use.calls)
    is_shown = root.in_closure or is_behind or use.walked
    return at.unit.language.shown(base_of(place.pointer)) if is_shown else name_of(key, root)


def _use_part(at: Position, use: Use, key: Key, memory: Memory, touch: Touch, name: str) -> None:
    """A region uses a structure of which only members are mapped."""
    if not use.reads or memory.assumed or touch.members[:1] == () or touch.members[0] in memory.parts:
        return
    if use.root is not None and use.root.in_closure:
        return
    record = record_of(key[0], key[1]) if isinstance(key[0], Variable) else None
    offset = offset_of(record, touch.members[0]) if record is not None else None
    if record is not None and offset is not None and offset in (offset_of(record, part) for part in memory.parts):
        return  # members of a union
    listed = ", ".join(dict.fromkeys(f"'{part[1:]}'" for part in memory.parts))
    message = f"the region uses '{touch.text}', but of the structure only {listed} is mapped"
    advice = f"map '{touch.members[0][1:]}' with 'to' as well, or the whole structure"
    at.report(Finding("partial-map", True, message, touch.span, name, advice, ()))


def _is_hidden(kernel: Kernel, use: Use, root: Root) -> bool:
    """Whether a place is in what no list item can name, a container or a closure, and the region may have something
    else of it: a bound that is computed before, or what the container itself holds."""
    inner = [number for number, step in enumerate(root.path) if step.endswith("()") or step[1:].isdigit()]
    return bool(inner) and (len(use.loops) < kernel.depth or DEREFERENCE not in root.path[inner[0] :])


def _is_structure(key: Key) -> bool:
    return isinstance(key[0], Variable) and not key[1] and isinstance(key[0].type, Record)


def _read(at: Position, memory: Memory, touch: Touch, name: str, written: tuple[bool, bool]) -> None:
    if memory.device is Copy.UNSET:
        is_written, is_written_later = written
        if not memory.lacks(touch, memory.filled) or (memory.filled and is_written_later):
            return
        sure = touch.sure and not memory.assumed and (touch.single or not is_written)
        doubt = "" if sure else " before, unless other code has mapped or written it"
        message = f"the region reads '{touch.text}', but nothing has written it on the device{doubt}"
        advice = f"map it {'tofrom' if memory.how == 'from' else 'to'}"
        notes = with_mapping((), memory, f"'{memory.how}' copies nothing to the device")
        if memory.how in ("to", "tofrom"):
            message = f"the region reads '{touch.text}', but nothing had written it when it was copied to the device"
            message += doubt.removeprefix(" before")
            advice, notes = "give it a value before it is mapped", with_mapping((), memory)
        at.report(Finding("unset", sure, message, touch.span, name, advice, notes))
    elif memory.device is Copy.STALE and memory.changed is not None:
        found = outdated(memory, memory.changed, touch)
        if found is None:
            return
        doubt, sure = found
        message = f"the region reads '{touch.text}', but the host has changed it since it was copied to the device"
        _report_old(at, memory, memory.changed, touch, name, message + doubt, sure)
    else:
        write = next((write for write in memory.behind if _meets_all(memory, write, touch)), None)
        if write is not None:
            message = f"the region reads '{touch.text}', but the device lacks what the host has written"
            sure = write.meets(touch) is True and write.sure and not memory.assumed
            message += "" if sure else why_in_doubt(write.meets(touch), memory, write)
            _report_old(at, memory, write, touch, name, message, sure)


def _meets_all(memory: Memory, write: Touch, touch: Touch) -> bool:
    """Whether an access surely meets a write of the host, be it because it is to all that is mapped."""
    meets, extent, section = write.meets(touch), touch.extent, memory.section
    if meets is not None or extent is None or section is None:
        return meets is True
    return extent.dense and extent.exact and extent.before(section) == extent.behind(section) == 0


def _report_old(at: Position, memory: Memory, write: Touch, touch: Touch, name: str, message: str, sure: bool) -> None:
    notes = with_mapping((Note(f"the host writes '{write.text}' here", write.span),), memory)
    advice = by_pointer(f"put '#pragma omp target update to({item_for(name, touch)})' behind the change", name)
    at.report(Finding("stale", sure, message, touch.span, name, advice, notes))


def _check_bounds(at: Position, memory: Memory, touch: Touch, name: str, what: str = "it is mapped here") -> None:
    section, extent = memory.section, touch.extent
    if section is None or extent is None or touch.chosen:
        return
    over, under = extent.behind(section), extent.before(section)
    doubt = ", unless other code has mapped more" if memory.assumed else ""
    item = at.written_item(memory)
    if over is not None and over > 0:
        where = f"{over} bytes behind the end"
    elif under is not None and under > 0:
        where = f"{under} bytes before the beginning"
    elif over is None and extent.grows_beyond(section):
        where, doubt = "behind the end", f", unless its loops run once only{doubt.replace(', unless', ' or')}"
    elif as_section(item) is not None and meet(section, extent) is False:
        where = "past the one element"
    else:
        return
    if not doubt and not (extent.exact and touch.sure):
        doubt = ", unless the loop ends before"
    is_mapped = memory.of_device is None
    whole = f"what is mapped of '{name}'" if is_mapped else f"what '{name}' leads to"
    message = f"'{touch.text}' goes {where} of {whole}{doubt}"
    notes = (Note(what, memory.mapped),) if memory.mapped is not None else ()
    advice = as_section(item) or f"{'map' if is_mapped else 'allocate'} all elements that the region uses"
    at.report(Finding("bounds", not doubt, message, touch.span, name, advice, notes))


def _call(at: Position, event: Lent, state: State) -> None:
    """A call in a region: what it does with what its arguments lead to, and with variables of the device."""
    if event.followed:
        return
    if event.function is None or event.function.defined:
        for variable in state.beginning.on_device:
            state.forget_contents((variable, ()))
    for number, root in enumerate(event.arguments):
        found = state.at(root)
        if found is None or not at.unit.writes_argument(event, number):
            continue
        memory = state.of(found.key)
        if memory.present != 0:
            memory = replace(memory, host=Copy.UNKNOWN, device=Copy.UNKNOWN, behind=())
        state.memory[found.key] = memory
