"""What the host reads and writes, and what pointers it sets."""

from __future__ import annotations

from ..base.diagnostics import SourceSpan
from ..base.findings import Finding, Note
from ..base.records import replace
from ..tree.nodes import Binary, Call, Constant, Expression, FunctionAddress, Load, Named, Store, Unary
from ..tree.symbols import Function, Storage, Variable
from ..tree.types import Pointer, Record
from ..tree.values import constant, unconverted
from .events import Bound, Use, is_in_element, root_of
from .extents import Extent, allocates, gives_values
from .memory import FOREVER, Copy, Memory, Touch
from .objects import NOWHERE, Found, Key, Lead, Origin, State, allocated_again
from .position import Position, by_pointer, item_for, name_of, outdated, why_in_doubt, with_mapping

# Why what a region has written is lost although a clause maps the variable.
PRIVATE_COPY = "the region has a private copy by its clause"
GROW = "grow"  # as the call is named that a method makes which may give a container other memory for its elements
_ON_DEVICE = ("omp_target_alloc", "omp_get_mapped_ptr")
_MOST_NAMES = 4  # that are followed from a variable to its value


def use(at: Position, event: Use, state: State) -> None:
    """The host reads or writes a place."""
    if state.is_of_host(event.root):  # most uses
        return
    found = state.at(event.root)
    if found is None:
        if event.writes:
            state.forget_escaped_contents()
        else:
            _use_choices(at, event, state)
        return
    if not state.is_known(found.key):
        return  # only the host has it
    memory = state.of(found.key)
    can_be_old = memory.of_device is not None or (memory.present and (event.writes or memory.host is Copy.STALE))
    has_lost = memory.lost is not None or memory.overwritten
    is_blank = memory.blank is not None and (event.writes or memory.mapped is not None)
    if not (memory.pending or has_lost or can_be_old or is_blank or (event.writes and memory.present is None)):
        return
    touch = at.touch(event, found)
    name = name_of(found.key, event.root)
    if memory.of_device is not None:
        report_device_pointer(at, memory.of_device, touch, "writes" if event.writes else "reads", name)
        return
    if memory.pending:
        while_pending(at, memory, touch, "writes" if event.writes else "reads", name)
    if event.reads:
        read(at, memory, touch, name)
    if event.writes:
        state.memory[found.key] = written(memory.written_on_host(touch), touch)


def _use_choices(at: Position, event: Use, state: State) -> None:
    """The host reads one of several places: the swapped pointers lead to each of them after some number of passes."""
    for found in state.choices(event.root) if event.root is not None else ():
        name = name_of(found.key, event.root)
        unsure = at.doubting(True, f", unless '{name}' leads elsewhere then")
        read(unsure, state.of(found.key), at.touch(event, found), name)


def report_device_pointer(at: Position, given: SourceSpan, touch: Touch, does: str, name: str) -> None:
    message = f"the host {does} '{touch.text}', which is memory of the device"
    advice = "use the pointer in a region with is_device_ptr, or copy with omp_target_memcpy"
    at.report(Finding("device-pointer", True, message, touch.span, name, advice, (Note("it comes from here", given),)))


def report_host_pointer(at: Position, memory: Memory, touch: Touch, name: str, advice: str) -> None:
    message = f"'{name}' in '{touch.text}' is taken for an address of the device, but it is one of the host"
    at.report(Finding("unmapped-pointer", True, message, touch.span, name, advice, with_mapping((), memory)))


def is_on_host(at: Position, device: Expression) -> bool | None:
    """Whether the number of a device means the host, or None if that is not known."""
    number = unconverted(device)
    for _ in range(_MOST_NAMES):
        if isinstance(number, Load) and isinstance(number.place, Named):
            number = unconverted(at.extents.facts.single(number.place.variable.key) or number)
    function = called(number)
    if function is not None and function.name in ("omp_get_initial_device", "omp_get_num_devices"):
        return True
    is_first = isinstance(number, Constant) and number.value == 0
    return False if is_first or (function is not None and function.name == "omp_get_default_device") else None


def read(at: Position, memory: Memory, touch: Touch, name: str) -> None:
    """The host, or a copy from the host, reads an object."""
    write = next((write for write in memory.overwritten if write.meets(touch)), None)
    if write is not None:
        _report_overwritten(at, memory, write, touch, name)
        return
    if memory.lost is not None:
        meets = memory.lost.meets(touch)
        if meets is not False:
            _report_lost(at, memory, memory.lost, touch, name, meets is True)
    elif memory.blank is not None and memory.mapped is not None and memory.present == 0:
        if not touch.members:
            _report_blank(at, memory, memory.blank, touch, name)
    elif memory.host is Copy.STALE and memory.present and memory.changed is not None:
        found = outdated(memory, memory.changed, touch)
        if found is None:
            return
        doubt, sure = found
        if sure and at.is_kept(memory, memory.changed):
            doubt, sure = ", unless the host's own value is meant", False
        message = f"the host reads '{touch.text}', but only the device has the value that a region has written{doubt}"
        notes = with_mapping((Note(f"'{memory.changed.text}' is written here", memory.changed.span),), memory)
        advice = by_pointer(f"put '#pragma omp target update from({item_for(name, touch)})' in front", name)
        at.report(Finding("stale", sure, message, touch.span, name, advice, notes))


def _report_overwritten(at: Position, memory: Memory, write: Touch, touch: Touch, name: str) -> None:
    message = f"the host reads '{touch.text}', but a copy back from the device has replaced what it had written"
    sure = write.sure and not memory.assumed
    message += "" if sure else why_in_doubt(True, memory) or ", unless the host has not written it"
    notes = with_mapping((Note(f"'{write.text}' is written here", write.span),), memory)
    advice = by_pointer(f"put '#pragma omp target update to({item_for(name, write)})' behind the host's write", name)
    at.report(Finding("stale", sure, message, touch.span, name, advice, notes))


def _report_blank(at: Position, memory: Memory, blank: tuple[Extent, ...], touch: Touch, name: str) -> None:
    if not memory.lacks(touch, blank):
        return
    message = f"the host reads '{touch.text}', but neither the host nor the device has written it"
    advice = "let a region write all that it maps 'from', or give it a value on the host"
    at.report(Finding("unset", touch.sure, message, touch.span, name, advice, with_mapping((), memory)))


def _report_lost(at: Position, memory: Memory, lost: Touch, touch: Touch, name: str, sure: bool) -> None:
    note = Note(f"the host reads '{touch.text}' here", touch.span)
    meant = "clause" in memory.how or "update" in memory.how  # the user has written that it does not come back
    certain = sure and not (meant or memory.assumed or lost.some_ways or at.is_kept(memory, lost))
    why = memory.how if " " in memory.how else "it is a copy"  # a map type alone is that of a later mapping
    message = f"what the region writes to '{lost.text}' never comes back: {why}"
    why = why_in_doubt(True, memory, lost) if lost.some_ways else ", unless that is meant"
    message += "" if certain else why
    item, in_region = at.written_item(memory), memory.how.startswith("the region")
    if in_region and lost.root is not None:  # which may know it by a reference
        name = lost.root.variable.name
    advice = f"map it tofrom: map(tofrom: {item.text if item is not None else item_for(name, lost)})"
    if memory.how == PRIVATE_COPY:
        advice = f"leave out 'private', or keep what the last iteration has: lastprivate({name})"
    where = "the region is here" if in_region else "it is mapped here"
    at.report(Finding("lost-result", certain, message, lost.span, name, advice, with_mapping((note,), memory, where)))


def written(memory: Memory, touch: Touch) -> Memory:
    """An object that the host has written."""
    lost = memory.lost if memory.lost is not None and memory.lost.meets(touch) is False else None
    if memory.overwritten:
        rest = tuple(write for write in memory.overwritten if write.meets(touch) is False)
        memory = replace(memory, overwritten=rest)
    if memory.present == 0:
        return replace(memory, lost=lost)
    host = memory.host
    if host is Copy.STALE:  # only what both have written would be lost
        if touch.single and not touch.members:
            host = Copy.VALID
        else:
            behind = memory.behind_with(touch)
            return replace(memory, host=Copy.UNKNOWN, device=Copy.UNKNOWN, lost=lost, behind=behind)
    is_there = memory.present is not None and memory.present >= FOREVER and memory.device is Copy.UNKNOWN
    if memory.present is None or not (is_there or memory.device in (Copy.VALID, Copy.STALE)):
        device = memory.device if memory.device is Copy.UNSET else Copy.UNKNOWN
        behind = memory.behind_with(touch) if memory.behind else ()
        return replace(memory, host=host, device=device, lost=lost, behind=behind)
    updated = memory.not_overwritten(touch)
    behind = memory.lacking()
    return replace(memory, host=host, device=Copy.STALE, changed=touch, lost=lost, updated=updated, behind=behind)


def while_pending(at: Position, memory: Memory, touch: Touch, does: str, name: str) -> None:
    """The host uses an object that a deferred region or transfer may still be using."""
    for pending in memory.pending:
        access, changes = pending.touch, pending.writes
        if does == "reads" and not changes:
            continue
        meets = access.meets(touch)
        if meets is False:
            continue
        what = "transfer" if pending.transfer else "region"
        message = f"the host {does} '{touch.text}', but the {what} with 'nowait' that uses it may still run"
        message += why_in_doubt(meets, memory)
        advice = "put '#pragma omp taskwait' in front, or leave out 'nowait'"
        notes = (Note(f"the {what} {'writes' if changes else 'reads'} '{access.text}' here", access.span),)
        certain = meets is True and not memory.assumed
        at.report(Finding("nowait", certain, message, touch.span, name, advice, notes))


def bind(at: Position, event: Bound, state: State) -> None:
    """A pointer gets a value."""
    place = state.at(event.pointer)
    if place is not None and isinstance(event.made, Call) and isinstance(event.made.type, Record):
        state.take_pointers(event.made, place.place)
        return
    if place is None or (isinstance(event.node, Store) and is_in_element(event.node.place)):
        target = state.at(event.to)
        if target is not None:
            state.escapes(target.key)
        return
    key = place.place
    lead = lead_of(at, event, state, key)
    state.leads[key] = lead
    target = state.at(event.to) if event.made is None else None
    if lead is None and target is not None:  # a pointer to a member
        state.escapes(target.key)
    if lead not in (None, NOWHERE) and (place.key[1] or place.members):  # it is stored where others may find it
        state.escapes(lead[0])


def copy_pointers(at: Position, to: Key, value: Expression, state: State) -> None:
    """The pointers in an object get the values of those in a structure that an expression gives."""
    source = unconverted(value)
    made: object = source
    if not isinstance(source, Call):
        made = Variable("", value.type, Storage.LOCAL, None)
        for pointer in at.unit.reader.copied(made, value):
            bind(at, pointer, state)
    state.take_pointers(made, to)


def truth(condition: Expression, state: State) -> bool | None:
    """What is known of a condition: it is a number, or asks whether a pointer is null. What `new` gives is not."""
    source, known = unconverted(condition), constant(condition)
    if known is not None:
        return bool(known)
    if isinstance(source, Unary) and source.operator == "!":
        inner = truth(source.operand, state)
        return None if inner is None else not inner
    if isinstance(source, Binary) and source.operator in ("==", "!="):
        sides = [unconverted(source.left), unconverted(source.right)]
        pointer = next((side for side in sides if isinstance(side, Load)), None)
        is_compared = any(isinstance(side, Constant) and side.value == 0 for side in sides)
        inner = truth(pointer, state) if pointer is not None and is_compared else None
        return inner if inner is None or source.operator == "!=" else not inner
    if not isinstance(source, Load) or not isinstance(source.type, Pointer) or is_in_element(source.place):
        return None
    found = state.at(root_of(source.place))
    lead = state.leads.get(found.place) if found is not None else None
    if lead == NOWHERE:
        return False
    function = _allocator(lead[0]) if lead is not None else None
    return True if function is not None and function.entity is None else None


def called(node: object) -> Function | None:
    """The function that a node calls."""
    callee = node.callee if isinstance(node, Call) else None
    return callee.function if isinstance(callee, FunctionAddress) else None


def is_allocated_on_host(key: Key) -> bool:
    """Whether an object is memory that a function of the system has allocated on the host."""
    return _allocator(key) is not None


def is_grown(made: Call) -> bool:
    """Whether a call gives the memory of a container that has grown."""
    function = called(made)
    return function is not None and function.name == GROW


def _allocator(key: Key) -> Function | None:
    """The function that has allocated an object on the host. That of ``new`` stands nowhere in the unit."""
    function = called(key[0].allocation if isinstance(key[0], Origin) else key[0]) if not key[1] else None
    return function if function is not None and allocates(function.name) else None


def lead_of(at: Position, event: Bound, state: State, pointer: Key) -> Lead | None:
    """Where the value of a pointer leads, and whether that may be behind the beginning, or None if it is not known."""
    made = event.made
    if made is None:
        found = state.at(event.to)
        return (found.key, found.shifted) if found is not None and not found.members else None
    if isinstance(made, Constant):
        return NOWHERE
    fresh: Key = (at.origin(made), ())
    if not isinstance(made, Call):  # a string literal
        state.memory.setdefault(fresh, Memory())
        return fresh, False
    function = called(made)
    name = function.name if function is not None else ""
    if function is not None and at.unit.body(function) is not None:
        memory = _returned(at, state, function, fresh[0])
        if memory is None:
            found = state.returned
            return (found.key, found.shifted) if found is not None and not found.members else None
    elif name == GROW:
        old = at.unit.reader.value(made.arguments[0])
        before = state.at(old.to) if old is not None else None
        if before is None or state.of(before.key).present != 0:
            return None  # it may be the same memory, which is mapped
        size = at.in_call(at.extents.counted(made, (1, 2))) if len(made.arguments) > 1 else None
        memory = Memory(size=size)
    elif name in _ON_DEVICE and not is_on_host(at, made.arguments[1]):
        memory = _of_device(at, made, name, state)
    elif allocates(name):
        size = at.in_call(at.extents.allocated(made, name))
        memory = Memory(size=size, blank=None if gives_values(name) else ())
    else:
        memory = Memory(assumed=True, escaped=True)
    if allocated_again(state, pointer, fresh):
        state.memory[fresh] = memory
        state.forget_object(fresh[0])
        return None  # the same line has given another pointer
    state.memory[fresh] = memory
    return fresh, False


def _of_device(at: Position, call: Call, name: str, state: State) -> Memory:
    """Memory of the device, of which a call gives the address."""
    size = at.in_call(at.extents.allocated(call, name))
    given = at.unit.reader.value(call.arguments[0]) if call.arguments and name == "omp_get_mapped_ptr" else None
    found = state.at(given.to) if given is not None else None
    copy_of = found.key if found is not None and not found.members else None
    device = Copy.UNSET if name == "omp_target_alloc" else Copy.UNKNOWN
    return Memory(None, Copy.UNKNOWN, device, size=size, of_device=at.place_of(call).span, copy_of=copy_of)


def _returned(at: Position, state: State, function: Function, origin: object) -> Memory | None:
    """What is known of new memory that a call has returned, to which only variables of the function lead. Its
    allocation may give other memory again, so what its members lead to is known of the call from here on."""
    found = state.returned
    if found is None or found.members or found.shifted or not isinstance(found.key[0], Call | Origin):
        return None
    leading = [pointer for pointer, lead in state.leads.items() if lead is not None and lead[0] == found.key]
    own = at.unit.survey(function).own
    if any(not isinstance(variable, Variable) or variable not in own for variable, _ in leading):
        return None
    for pointer in leading:
        state.leads[pointer] = None
    state.rename(found.key[0], origin)
    return state.memory.pop((origin, ()), None)


def returned(at: Position, value: Expression | None, state: State) -> Found | None:
    """Where the pointer leads that a function returns."""
    event = at.unit.reader.value(value) if value is not None else None
    lead = lead_of(at, event, state, (value, ())) if event is not None else None
    return Found(lead[0], (), lead[1]) if lead is not None else None
