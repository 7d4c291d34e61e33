"""Regions that use elements of a container of the library by itself, as in ``v[i]``.

The container's own pointer, which no list item can name, has an address of the host there, whatever code maps the
elements.
"""

from __future__ import annotations

from itertools import pairwise

from ..base.findings import Finding
from ..base.records import replace
from ..openmp.launch import LOOP_LEAVES
from ..tree.types import Record
from .events import DEREFERENCE, Lent, Root, Use, spelt
from .host_uses import GROW
from .kernels import Kernel, is_referring, type_at
from .objects import State
from .position import Position

_OF_ITSELF = ("size", "length", "empty", "capacity", "max_size")  # methods that look at no element


def use_elements(at: Position, kernel: Kernel, use: Use, state: State) -> bool:
    """Report an access through the pointer of a container."""
    return use.root is not None and _is_led(use.root) and _report(at, kernel, use, use.root, state)


def call_container(at: Position, kernel: Kernel, call: Lent, state: State) -> None:
    """Report a call of a method that may look at elements, or make more of them."""
    name = call.name.removeprefix("std::")
    if call.name == GROW or (name != call.name and name.rpartition("::")[2] not in _OF_ITSELF):
        outside = {m.root.variable for m in kernel.maps}
        for root in call.arguments:
            if root is not None and root.variable in outside and (call.name != GROW or _is_led(root)):
                _report(at, kernel, call, root, state)


def _is_led(root: Root) -> bool:
    return any(step.endswith("()") and behind == DEREFERENCE for step, behind in pairwise(root.path))


def _report(at: Position, kernel: Kernel, event: Use | Lent, root: Root, state: State) -> bool:
    """Report an access or a call if it concerns elements of a container, but in the heads of the region's own loops:
    the host computes their bounds."""
    is_loop = not LOOP_LEAVES.isdisjoint(kernel.construct.directive.constructs)  # which may count with a class
    if at.unit.may_know_addresses or len(event.loops) < max(kernel.depth, is_loop):
        return False
    for number in range(len(root.path) + 1):
        holder = replace(root, path=root.path[:number])
        kind = type_at(holder)
        if isinstance(kind, Record) and at.unit.language.holds_own_memory(kind.info):
            break
    else:
        return False
    found, variable = state.at(root) if isinstance(event, Use) else None, root.variable
    memory = state.of(found.key) if found is not None else None
    if memory is not None and memory.present == 0 and not memory.assumed:
        return False  # which is told where the object is looked at
    if event.node in kernel.led_elsewhere or variable in kernel.moved or at.unit.by_mappers.has(variable):
        return False
    name, step = spelt(holder), "".join(root.path[number : number + 1])
    if (kernel.construct, variable, name) not in at.journey.told:
        at.journey.told.add((kernel.construct, variable, name))
        calls = event.calls if isinstance(event, Use) else ()
        is_led = DEREFERENCE in holder.path[is_referring(variable) or variable.name == "this" :]
        what = f"a container that '{name}' leads to" if is_led else f"'{name}'"
        message = f"the region uses elements of {what}, whose pointer to them has an address of the host"
        advice = f"use a pointer in the region, and map by that: p = {name}{step}, map(tofrom: p[0:n])"
        advice = advice if step.endswith("()") and not is_led else "copy them into an array, and map that"
        span = at.place_of(event.node, calls, kernel.construct).span
        at.report(Finding("unmapped-pointer", True, message, span, variable.name, advice, ()))
    return True
