"""No-alias kernels: a second body whose pointers are ``__restrict__``, for launches whose mapped ranges are apart.

Only the host knows at a launch where the mapped ranges are. It compares those that the body writes with all others,
and launches the one kernel or the other.

A section says what is mapped, not how far the body goes: where a construct around, in whatever unit, has mapped more,
elements outside of the section are on the device too, and pointer arithmetic reaches them (``target data`` maps
``v[0:100]``; inside, ``p = v`` and ``q = v + 50`` are mapped with 10 elements each, and ``p[50]`` is ``q[0]``). That
takes one piece of device memory that both lie in, which was there before the launch; then it holds the bytes next to
either section, too. The host asks the runtime for those next to the written one. Two arrays, or other variables, need
no such test: leaving one is an error in C. With unified shared memory nothing bounds what a pointer reaches.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....plan.captures import Capture
from ....plan.optimised import OverlapTest
from ....plan.rows import MAP_LITERAL, DataMapping, MapRow
from ....plan.sharing import Sharing
from ...sema.ctype import is_pointer
from .accesses import Accesses

MOST_PAIRS = 40  # comparisons at a launch, a few instructions each


def gains(found: Accesses) -> str | None:
    """Why compilers would make better code if nothing overlapped: a load that may run after a store to other memory."""
    stores = [a for a in found.items if a.writes and not a.atomic]
    for load in found.items:
        if not load.reads or load.atomic:
            continue
        for store in stores:
            if store.root is load.root:
                continue
            if any(loop in store.loops for loop in load.loops):
                return f"in a loop '{load.root.name}' is read and '{store.root.name}' written"
            if load.position > store.position:
                return f"'{load.root.name}' is read after '{store.root.name}' was written"
    return None


def disjoint_test(
    used: Sequence[Capture], found: Accesses, mapping: DataMapping, sharing: Sharing, captures: Sequence[Capture]
) -> tuple[OverlapTest, ...] | str:
    """The ranges that have to be apart; a text says why that cannot be known."""
    rows: dict[str, MapRow] = {}
    others = [c for c in captures if c.symbol in {r.symbol for r in sharing.reductions} and c not in used]
    for capture in (*used, *others):
        row = mapping.rows[capture.row]
        if row.flags & MAP_LITERAL or row.literal or row.size == "0" or row.loops or row.covers:
            return f"the range behind '{capture.symbol.name}' is not known to the host"
        rows[capture.symbol.name] = row
    pairs = []
    names = [c.symbol for c in (*used, *others)]
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            if first in found.written or second in found.written:
                written, other = (first, second) if first in found.written else (second, first)
                a, b = rows[written.name], rows[other.name]
                objects = not is_pointer(first.type) and not is_pointer(second.type)
                pairs.append(OverlapTest(a.pointer, a.size, b.pointer, b.size, objects))
    if len(pairs) > MOST_PAIRS:
        return f"{len(pairs)} pairs of ranges would have to be compared at every launch"
    return tuple(pairs)
