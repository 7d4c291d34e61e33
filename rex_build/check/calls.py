"""Calls of functions that the unit does not define: what they may do with what they can reach."""

from __future__ import annotations

from ..base.findings import Finding, Note
from ..base.records import replace
from ..tree.symbols import Variable
from ..tree.types import Function as FunctionType
from ..tree.types import Pointer
from ..tree.values import constant
from .events import Lent
from .host_uses import (
    GROW,
    is_allocated_on_host,
    is_on_host,
    read,
    report_device_pointer,
    report_host_pointer,
    while_pending,
    written,
)
from .memory import Copy, Memory, Touch
from .objects import Found, State, object_of
from .position import Position, name_of
from .uses import is_lasting

# Functions that write what their arguments lead to which are no pointers to 'const', and where those that have one say
# how many bytes they read and write.
_WRITING = frozenset(("memset", "memcpy", "memmove", "fread", "fgets", "scanf", "fscanf", "sscanf", "qsort", "strcpy"))
_COUNTS = {"memset": (2,), "memcpy": (2,), "memmove": (2,), "fread": (1, 2), "fwrite": (1, 2), "qsort": (1, 2)}
# Algorithms of the standard library that only read what their iterators lead to.
_READING = frozenset(
    ("accumulate", "reduce", "inner_product", "count", "count_if", "find", "find_if", "all_of", "any_of", "none_of")
) | {"max_element", "min_element", "minmax_element", "equal", "is_sorted", "printf", "fprintf", "fwrite", "qsort"}
THROW = "throw"  # as the call is named with which a function ends by an exception
AT_THE_END = ", unless the end of the program is enough"  # a doubt about what 'main' leaves on the device
_ACCESSING = ("memcpy", "memmove", "memset", "memcmp", "fread", "fwrite", "qsort", "strlen", "strcpy")


def library(at: Position, event: Lent, state: State) -> None:
    """A function of the system: it touches what its arguments lead to, and nothing else of the program's."""
    name = event.name.rpartition("::")[2]
    for number, root in enumerate(event.arguments):
        found = state.at(root)
        if found is None:
            continue
        if name == GROW:
            _grows(at, event, found, state)
            continue
        if name == "free":
            _free(at, event, found, state)
            continue
        constant = _is_constant(event, number)
        reads = constant or name in _READING
        memory = state.of(found.key)
        if name == "omp_target_free" and memory.of_device is not None:
            state.memory[found.key] = replace(memory, freed=at.place_of(event.node).span)
            continue
        if name == "omp_get_mapped_ptr":
            state.forget_contents(found.key)
            state.memory[found.key] = replace(state.of(found.key), aliased=True)
            continue
        if name == "omp_target_memcpy" and _copies(at, event, number, found, state):
            continue
        if name.startswith(("omp_", "acc_", "cuda")):
            _forget_copied(state, memory)
            state.forget(found.key)
            state.forget_pointers(found.place)
            continue
        if not reads:
            state.forget_pointers(found.place)
            memory = state.of(found.key)
        given = (event.node, *event.node.arguments) if event.node.constructs else event.node.arguments
        argument = at.place_of(given[number])
        extent = at.in_call(at.extents.touched(event.node, _COUNTS.get(name, ()))) if not found.shifted else None
        sure = name in _COUNTS and name != "fread" and not event.conditions
        touch = Touch(at.place_of(event.node), argument, found.members, extent, False, sure)
        if memory.pending:
            while_pending(at, memory, touch, "reads" if reads else "writes", name_of(found.key, root))
        if memory.of_device is not None and name in _ACCESSING:
            report_device_pointer(at, memory.of_device, touch, "reads" if reads else "writes", name_of(found.key, root))
        if reads:
            read(at, memory, touch, name_of(found.key, root))
        if name in _WRITING and not constant and state.is_known(found.key):
            state.memory[found.key] = written(memory.written_on_host(touch), touch)
        elif not reads:
            state.forget_contents(found.key)


def _copies(at: Position, event: Lent, number: int, found: Found, state: State) -> bool:
    """A copy between memory of host and device, if no more is done: it reads, or fills new memory of the device."""
    memory = state.of(found.key)
    of_host = is_on_host(at, event.node.arguments[5 + number])
    call, name = at.place_of(event.node), name_of(found.key, event.arguments[number])
    if of_host is False and memory.of_device is None and is_allocated_on_host(found.key):
        advice = f"put the call into 'target data use_device_ptr({name})', or use omp_get_mapped_ptr"
        report_host_pointer(at, memory, Touch(call, call), name, advice)
    elif of_host and memory.of_device is not None:
        touch = Touch(call, at.place_of(event.node.arguments[number]))
        report_device_pointer(at, memory.of_device, touch, "writes" if number == 0 else "reads", name)
    if number == 1:
        return True
    if memory.of_device is None or memory.device is not Copy.UNSET:
        return False
    at_start = not found.shifted and constant(event.node.arguments[3]) == 0
    extent = at.in_call(at.extents.touched(event.node, (2,))) if at_start else None
    filled = replace(memory, section=memory.size).filled_by(extent)
    state.memory[found.key] = replace(memory, device=filled.device, filled=filled.filled)
    return True


def _grows(at: Position, event: Lent, elements: Found, state: State) -> None:
    """A container may take other memory for its elements: the old ones should not be on the device any more.

    Of a call that says how many there will be, it is known whether these are more.
    """
    if len(event.node.arguments) > 1:
        wanted, size = at.in_call(at.extents.counted(event.node, (1, 2))), state.of(elements.key).size
        if wanted is None or size is None or (wanted.behind(size) or 0) <= 0:
            return
    memory, text = state.of(elements.key), at.place_of(event.node).text
    if not memory.present or memory.mapped is None or ".reserve(" in at.unit.language.source:  # there may be room
        return
    message = f"'{text}' may give the elements other memory, and they are still on the device,"
    message += " unless there is room for more"
    notes, advice = (Note("they are mapped here", memory.mapped),), "let the vector grow before its elements are mapped"
    at.report(Finding("leak", False, message, at.place_of(event.node).span, text, advice, notes))


def _is_constant(event: Lent, number: int) -> bool:
    """Whether a parameter leads to what its function does not change."""
    kind = event.function.type if event.function is not None else None
    kinds = kind.parameters or () if isinstance(kind, FunctionType) else ()
    parameter = kinds[number] if number < len(kinds) else None
    return isinstance(parameter, Pointer) and parameter.to.const


def _forget_copied(state: State, memory: Memory) -> None:
    """Code that is not seen may have changed an object by the address of the device's copy."""
    if memory.copy_of is not None:
        state.forget_contents(memory.copy_of)


def _free(at: Position, event: Lent, found: Found, state: State) -> None:
    """The memory of an object is given back: nothing may use it any more, and its mapping should have ended."""
    memory, item = state.of(found.key), at.written_item(state.of(found.key))
    span = at.place_of(event.node).span
    text = at.place_of(event.node.arguments[0]).text
    by_owner = event.node.origin is None  # a container that frees its elements as it ends
    text = item.name if (by_owner or text == "?") and item is not None else text
    if memory.pending:
        while_pending(at, memory, Touch(span, text), "frees", text)
    if (memory.present or memory.kept) and memory.mapped is not None and not found.shifted:
        when = "its owner ends and frees it" if by_owner else "the host frees it"
        notes = () if by_owner else (Note("it is freed here", span),)
        at = at.doubting(by_owner and at.calls[-1].name == "main", AT_THE_END)
        message = f"what '{text}' leads to is still on the device when {when}"
        report_leak(at.doubting(memory.kept, ", on some ways to there"), memory, message, text, notes)
    state.forget(found.key)


def report_leak(at: Position, memory: Memory, message: str, name: str, notes: tuple[Note, ...] = ()) -> None:
    """An object ends its life on the host while it is mapped."""
    assert memory.mapped is not None
    doubt = "" if not memory.assumed else ", unless other code removes it"
    _, construct = at.unit.items.get(memory.mapped, (None, None))
    directive = construct.directive.name if construct is not None else ""
    advice = "add '#pragma omp target exit data' with it on all ways to there"
    if directive == "target data":
        advice = "do so behind the statement of 'target data', which ends the mapping"
    at.report(Finding("leak", not doubt, message + doubt, memory.mapped, name, advice, notes))


def foreign(event: Lent, state: State) -> None:
    """A function of another unit may do anything with what it can reach."""
    given = [(number, found.place) for number, root in enumerate(event.arguments) if (found := state.at(root))]
    for key in [*state.memory]:
        if isinstance(key[0], Variable) and (is_lasting(key[0]) or key[1]):
            state.forget(key)
        elif state.memory[key].pending:
            state.memory[key] = replace(state.memory[key], pending=())
    escaped = [key for key, memory in state.memory.items() if memory.escaped]
    places = [place for _, place in given] + escaped + state.shared_pointers()
    constant = {place for number, place in given if _is_constant(event, number)}
    for place, pointers in state.reached_from(places).items():
        key = object_of(place)
        _forget_copied(state, state.of(key))
        state.forget(key)
        state.escapes(key)
        for pointer in pointers if place not in constant else ():
            state.lead_anywhere(pointer)
