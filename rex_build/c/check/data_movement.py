"""What map clauses do at the beginning and at the end of a construct, and what ``target update`` does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...base.findings import Finding
from ..syntax.nodes import OmpConstruct
from .extents import Extent
from .host_uses import read
from .kernels import Mapped, moved_by
from .memory import Copy, Memory, Touch
from .objects import Found, State
from .position import Position, item_text, with_mapping


def enter(at: Position, node: OmpConstruct, state: State, maps: Sequence[Mapped]) -> None:
    """The beginning of a construct with map clauses."""
    for mapped in sorted(maps, key=lambda m: m.how not in ("to", "tofrom")):  # in this order the clauses count
        found = state.at(mapped.root)
        if found is None:
            continue
        if found.members:
            state.forget(found.key)  # parts of structures are another matter (members.py)
            continue
        memory = state.of(found.key)
        extent = at.section(node, mapped, found.shifted)
        if not found.shifted:
            _check_size(at, memory, extent, mapped)
        if memory.pending:
            memory = replace(memory, pending=())
        if memory.present == 0 and memory.host is Copy.UNKNOWN:
            memory = replace(memory, host=Copy.VALID)
        copies = mapped.how in ("to", "tofrom")
        entered = memory.entered(mapped.how, mapped.always, extent, mapped.span)
        state.memory[found.key] = replace(entered, lost=None if copies else memory.lost)
        if memory.lost is not None and copies:
            touch = Touch(mapped.span, item_text(mapped), (), extent, extent is None)
            read(at, memory, touch, mapped.root.symbol.name)


def _check_size(at: Position, memory: Memory, extent: Extent | None, mapped: Mapped) -> None:
    if memory.size is None or extent is None:
        return
    over = extent.behind(memory.size)
    if over is not None and over > 0:
        name = mapped.root.symbol.name
        message = f"the section '{item_text(mapped)}' is {over} bytes longer than what '{name}' leads to"
        at.report(Finding("bounds", True, message, mapped.span, name, "map only what there is", ()))


def leave(at: Position, node: OmpConstruct, state: State, maps: Sequence[Mapped]) -> None:
    """The end of a construct with map clauses."""
    for mapped in sorted(maps, key=lambda m: m.how in ("from", "tofrom")):  # what comes back does so last
        found = state.at(mapped.root)
        if found is None:
            continue
        memory = state.of(found.key)
        if found.members:
            state.forget(found.key)
            continue
        if node.directive.name == "target exit data" and memory.present:
            _check_copied_back(at, memory, at.section(node, mapped, found.shifted), mapped)
        left = memory.left(mapped.how, mapped.always)
        how = f"'{mapped.how}' copies nothing back" if left.lost is not memory.lost else memory.how
        rest = _not_copied(at, node, memory, mapped, found)
        if rest is not None:
            left, how = replace(left, lost=rest), f"only '{item_text(mapped)}' is copied back"
        state.memory[found.key] = replace(left, how=how)


def _not_copied(at: Position, node: OmpConstruct, memory: Memory, mapped: Mapped, found: Found) -> Touch | None:
    """What a region has written behind the section that comes back, if the object leaves the device then."""
    changed = memory.changed
    comes_back = mapped.how in ("from", "tofrom")
    if memory.present != 1 or memory.host is not Copy.STALE or changed is None or not comes_back:
        return None
    extent = at.section(node, mapped, found.shifted)
    if extent is None or changed.extent is None or (changed.extent.behind(extent) or 0) <= 0:
        return None
    rest = Extent(extent.high, changed.extent.high, changed.extent.exact, changed.extent.dense, changed.extent.call)
    return replace(changed, extent=rest)


def _check_copied_back(at: Position, memory: Memory, extent: Extent | None, mapped: Mapped) -> None:
    if mapped.how != "from" or memory.section is None or extent is None:
        return
    over = extent.behind(memory.section)
    if over is not None and over > 0:
        message = f"'{item_text(mapped)}' is {over} bytes longer than what was mapped"
        name, notes = mapped.root.symbol.name, with_mapping((), memory)
        at.report(Finding("bounds", not memory.assumed, message, mapped.span, name, "copy back what was mapped", notes))


def update(at: Position, node: OmpConstruct, state: State) -> None:
    """``target update``."""
    for way, root, _ in moved_by(at.unit.sema, node):
        found = state.at(root)
        if found is None:
            continue
        memory = state.of(found.key)
        if found.members:
            state.forget_contents(found.key)
        elif memory.present == 0:
            continue
        elif way == "from":
            host = Copy.VALID if memory.host is Copy.STALE else memory.host
            state.memory[found.key] = replace(memory, host=host, changed=None, lost=None)
        else:
            device = Copy.UNKNOWN if memory.present is None else Copy.VALID
            state.memory[found.key] = replace(memory, device=device, changed=None)
        if node.directive.has("nowait"):
            touch = Touch(node.directive.span, root.symbol.name, (), None, False)
            state.memory[found.key] = replace(state.memory[found.key], pending=((touch, way == "from"),))
