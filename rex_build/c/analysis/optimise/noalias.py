"""No-alias kernels: second kernels with ``__restrict__`` pointers, for launches whose mapped ranges do not overlap.

Only the host knows at a launch where the mapped ranges are. It compares the ranges that the body writes with all
others, and launches one kernel or the other.

The body may go beyond a section. If a construct around the region, in any unit, has mapped more, then elements outside
of the section are on the device too, and pointer arithmetic reaches them. For example, let ``target data`` map
``v[0:100]``, and let a region inside map ``p = v`` and ``q = v + 50`` with 10 elements each: then ``p[50]`` is
``q[0]``. In such a case both sections lie in one piece of device memory that was there before the launch, and that
piece also holds the bytes next to each section. So the host asks the runtime for the bytes next to the written section.

If no clause gives a section, as in a function whose callers have mapped what its parameters point to, the host asks the
runtime where each pointer leads on the device. Two pointers lead to different pieces of device memory if their device
addresses are not equally far from their host addresses, or if the byte below the higher one is in no piece with it. A
pointer that the runtime does not know may lead anywhere.

Two arrays or other variables need no such test, because in C a pointer must not leave its array. Neither does a local
object whose address nothing takes, such as the variable of a reduction. With unified shared
memory a pointer may reach anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import islice

from ....plan.captures import Capture
from ....plan.code import Entity
from ....plan.host_expression import AddressOf, Cast, HostExpression, Variable
from ....plan.optimised import OverlapTest
from ....plan.rows import MAP_LITERAL, DataMapping, MapRow, Role
from ....plan.sharing import Sharing
from ...sema.type_questions import is_pointer
from .accesses import Access, Accesses

MOST_PAIRS = 40  # comparisons at a launch; each takes a few instructions


def gains(found: Accesses, everywhere: bool, restricted: Collection[Entity]) -> str | None:
    """Why compilers make better code if ``restricted`` memory overlaps nothing: some load from it comes after a store
    to other memory.

    Unless it counts ``everywhere``, because many threads run the body, both are in one loop.
    """
    first: list[Access] = []
    in_loops: dict[object, list[Access]] = {}
    for store in found.items:
        if store.writes and not store.atomic:
            _add(first, store)
            for loop in store.loops:
                _add(in_loops.setdefault(loop, []), store)
    for load in found.items:
        if not load.reads or load.atomic or load.root not in restricted:
            continue
        for loop in load.loops:
            for store in in_loops.get(loop, ()):
                if store.root is not load.root:
                    return f"in a loop '{load.root.name}' is read and '{store.root.name}' written"
        for store in first if everywhere else ():
            if store.root is not load.root and load.position > store.position:
                return f"'{load.root.name}' is read after '{store.root.name}' was written"
    return None


def _add(stores: list[Access], store: Access) -> None:
    """Keep the first store, and the first to other memory: one of the two is to other memory than a load is from."""
    if not stores or (len(stores) == 1 and stores[0].root is not store.root):
        stores.append(store)


def disjoint_test(
    used: Sequence[Capture],
    found: Accesses,
    mapping: DataMapping,
    sharing: Sharing,
    captures: Sequence[Capture],
    restricted: Collection[Entity],
    unaddressed: Callable[[], Collection[Entity]],
) -> tuple[OverlapTest, ...] | str:
    """The tests that ranges behind ``restricted`` captures overlap no others, or a text that says why that cannot be
    known. No pointer leads to ``unaddressed`` objects."""
    rows: dict[Entity, MapRow] = {}
    others = [c for c in captures if c.symbol in {r.symbol for r in sharing.reductions} and c not in used]
    for capture in (*used, *others):
        parameter = mapping.parameter(Role.VARIABLE, capture.symbol)
        assert parameter is not None
        row = mapping.rows[parameter.row]
        if row.flags & MAP_LITERAL or row.literal or row.loops or row.covers:
            return f"the range behind '{capture.symbol.name}' is not known to the host"
        rows[capture.symbol] = row
    apart = {s for s in rows if rows[s].pointer == Cast("void *", AddressOf(Variable(s.name)))}
    apart = apart.intersection(unaddressed()) if apart else apart
    pairs: list[tuple[Entity, Entity]] = []
    names = [c.symbol for c in (*used, *others) if c.symbol not in apart]
    for i, first in enumerate(names):
        for second in islice(names, i + 1, None):
            is_meant = first in restricted or second in restricted
            if is_meant and (first in found.written or second in found.written):
                pairs.append((first, second) if first in found.written else (second, first))
        if len(pairs) > MOST_PAIRS:
            return f"more than {MOST_PAIRS} pairs of ranges would have to be compared at every launch"
    tests = []
    for written, other in pairs:
        a, b = rows[written], rows[other]
        objects = not is_pointer(written.type) and not is_pointer(other.type)
        tests.append(OverlapTest(a.pointer, _size(a), b.pointer, _size(b), objects))
    return tuple(tests)


def _size(row: MapRow) -> HostExpression | None:
    """The size of a row's section, or None for a pointer without one."""
    return row.size if row.size.value != 0 else None
