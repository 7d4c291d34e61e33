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

Two pointers need none of these tests where the user has declared one of them with ``restrict``.

Two arrays or other variables need no such test, because in C a pointer must not leave its array. Neither does a local
object whose address nothing takes, such as the variable of a reduction. With unified shared
memory a pointer may reach anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import islice, pairwise
from typing import Any

from ..base.records import dataclass, replace
from ..plan.constructs import Entity, Sharing
from ..plan.host_expression import ZERO, AddressOf, Cast, HostExpression, Variable
from ..plan.optimised import DirectKernel, OverlapTest
from ..plan.rows import Capture, DataMapping, Map, MapRow, Role, RowNote, loaded
from ..tree import nodes as tree
from ..tree import symbols
from ..tree.types import Pointer
from .accesses import Access, Accesses
from .changes import changes_of
from .obstacle import Decisions, listed

NOTHING_WRITTEN = "the body writes no shared memory: nothing can overlap it"
LOOPS_NEED_IT = "the inner loops need it"  # a reason to want such a kernel
MOST_PAIRS = 40  # comparisons at a launch; each takes a few instructions


def gains(found: Accesses, everywhere: bool, restricted: Collection[Entity], waits: bool) -> str | None:
    """Why compilers make better code if ``restricted`` memory overlaps nothing: some load from it comes after a store
    to other memory.

    Unless it counts ``everywhere``, because many threads run the body, both are in one loop. Where a thread ``waits``
    for others, which may have stored anything, two loads from one place are enough.
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
    if waits:
        loads = Counter((load.root, _form(load.place)) for load in found.items if load.reads and not load.atomic)
        for (root, _), count in loads.items():
            if root in restricted and count > 1:
                return f"'{root.name}' is read several times at one place, and threads wait in between"
    return None


def _form(place: tree.Place) -> tuple[object, ...]:
    """How a place is written. Loops over the same elements have variables of their own, often of the same name, so this
    says where compilers may find the same element again, and nothing that must be true."""
    parts = (
        part.variable.name if isinstance(part, tree.Named) else part.value if isinstance(part, tree.Constant) else None
        for part in tree.walk(place)
    )
    return tuple(zip(parts, map(type, tree.walk(place)), strict=True))


def _add(stores: list[Access], store: Access) -> None:
    """Keep the first store, and the first to other memory: one of the two is to other memory than a load is from."""
    if not stores or (len(stores) == 1 and stores[0].root is not store.root):
        stores.append(store)


@dataclass(frozen=True)
class Ranges:
    """Where the memory of a region's captures is: the rows of its mapping.

    An ``object`` is a variable that a pointer to it must not leave, and no pointer leads to one that
    ``is_unaddressed``. With unified ``shared`` memory a pointer may reach anything. ``promises`` are the user's.
    """

    mapping: DataMapping
    sharing: Sharing
    captures: Sequence[Capture]
    is_object: Callable[[Entity], bool]
    is_unaddressed: Callable[[Entity], bool]
    shared: bool
    promises: Callable[[], Promises | None]


    def row(self, capture: Capture) -> MapRow:
        """The row of the memory that a capture is or leads to."""
        if capture.row is not None:
            return self.mapping.rows[capture.row]
        if (value := capture.followed) is not None:
            return MapRow(value, value, ZERO, 0, RowNote("", capture.symbol.name))
        parameter = self.mapping.parameter(Role.VARIABLE, capture.symbol)
        assert parameter is not None
        row = self.mapping.rows[parameter.row]
        sizes = [c.size for c in self.captures if c.of is capture.symbol and c.size is not None] if row.covers else []
        # Of a class that only the compiler knows, the parts that are mapped are at least inside of the object.
        return replace(row, pointer=row.base, size=sizes[0], covers=()) if sizes else row


def readonly(decisions: Decisions, found: Accesses, constant: frozenset[Entity], direct: bool) -> frozenset[Entity]:
    """The memory that loads may read through the cache for read-only data, if the body writes nothing or has a
    ``direct`` kernel for memory that does not overlap."""
    known = constant if (not found.written or direct) and "readonly" not in decisions.off else frozenset()
    if known:
        decisions.apply("readonly", f"loads may use the cache for read-only data: {listed(known)}")
    else:
        decisions.refuse(["readonly"], "no memory is known to be only read")
    return known


def without_aliases(
    decisions: Decisions,
    ranges: Ranges,
    found: Accesses,
    used: Sequence[Capture],
    constant: frozenset[Entity],
    wanted: str | None,
    *,
    waits: bool,
    everywhere: bool,
) -> DirectKernel | None:
    """The kernel for memory that does not overlap, with the test for that. ``wanted`` says why others rely on it, and
    ``waits`` that threads wait for each other. Many threads run the body at once if it runs ``everywhere``."""
    if not found.written:
        decisions.refuse(["noalias"], NOTHING_WRITTEN)
    elif "noalias" in decisions.off:
        decisions.refuse(["noalias"], "needs 'noalias'" if wanted else "")
    elif ranges.shared:
        decisions.refuse(["noalias"], "unified shared memory: pointers reach more than what is mapped")
    else:
        # Where threads wait for each other, only what nobody writes may be kept in registers meanwhile.
        everything = frozenset(c.symbol for c in used)
        restricted = everything if not waits else constant
        # What a launch looks up for pointers in objects is more than loads outside of loops cost.
        everywhere = everywhere and not any(c.followed is not None for c in used)
        # The compiler loads a pointer that is in a structure itself, and is told nothing of where that leads.
        gain = gains(found, everywhere, restricted - loaded(used), waits) or wanted
        test = disjoint_test(ranges, used, found, everything if wanted else restricted)
        if gain is None:
            decisions.refuse(["noalias"], "nothing is gained: no load follows a store")
        elif not isinstance(test, tuple):
            decisions.refuse(["noalias"], test)
        else:
            decisions.apply("noalias", f"a kernel for arrays that do not overlap, which the host tests first: {gain}")
            read = constant if "readonly" not in decisions.off else frozenset()
            compared = {pointer for one in test for pointer in (one.first, one.second)}
            expected = tuple(c for c in used if c.followed is not None and c.followed in compared)
            return DirectKernel(False, None, restricted, read, test, expected)
    return None


def disjoint_test(
    ranges: Ranges, used: Sequence[Capture], found: Accesses, restricted: Collection[Entity]
) -> tuple[OverlapTest, ...] | str:
    """The tests that ranges behind ``restricted`` captures overlap no others, or a text that says why that cannot be
    known."""
    rows: dict[Entity, MapRow] = {}
    reduced = {r.symbol for r in ranges.sharing.reductions}
    others = [c for c in ranges.captures if c.symbol in reduced and c not in used]
    for capture in (*used, *others):
        row = ranges.row(capture)
        if row.flags & Map.LITERAL or row.literal or row.loops or row.covers:
            return f"the range behind '{capture.symbol.name}' is not known to the host"
        rows[capture.symbol] = row
    own = (s for s in rows if rows[s].pointer == Cast("void *", AddressOf(Variable(s.name))))
    apart = set(filter(ranges.is_unaddressed, own))
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
    promises = ranges.promises() if pairs else None
    for written, other in pairs:
        if promises is not None and promises.apart(written, other):
            continue
        a, b = rows[written], rows[other]
        objects = ranges.is_object(written) and ranges.is_object(other)
        tests.append(OverlapTest(a.pointer, _size(a), b.pointer, _size(b), objects))
    return tuple(tests)


def _size(row: MapRow) -> HostExpression | None:
    """The size of a row's section, or None for a pointer without one."""
    return row.size if row.size.value != 0 else None


class Promises:
    """What the declarations around a ``construct``, the front end's own, say about pointers that keep their values.

    While the block runs in which a ``restrict`` pointer is declared, what is reached through it, and changed by
    anybody, is reached through pointers alone that are based on it. A pointer that had its value before that is not
    based on it. A region that nobody waits for may run after the block.
    """

    def __init__(self, body: tree.Body, construct: Any) -> None:
        around = _around(body.statement, construct)
        target = around[-1] if around else None
        waited = isinstance(target, tree.Construct) and not any(
            clause.name in ("nowait", "depend") for clause in target.directive.clauses
        )
        ages: dict[symbols.Variable, int] = dict.fromkeys(body.parameters, 0) if waited else {}
        for outer, inner in pairwise(around) if waited else ():
            inside = outer.statements if isinstance(outer, tree.Block) else ()
            for one in inside[: inside.index(inner)] if inner in inside else ():
                if isinstance(one, tree.Declare):
                    ages[one.variable] = len(ages)
        pointers = [v for v in ages if isinstance(v.type, Pointer) and not v.type.reference]
        if any(v.type.restrict for v in pointers):  # otherwise nothing is promised
            changed = _changed(body.statement)
            pointers = [v for v in pointers if changed is not None and v not in changed]
        self._ages = {v.entity: ages[v] for v in pointers}
        self._alone = {v.entity for v in pointers if v.type.restrict}

    def apart(self, one: Entity, other: Entity) -> bool:
        """Whether two pointers lead to different memory, where something in it is changed."""
        ages = self._ages
        if one not in ages or other not in ages:
            return False
        return (one in self._alone and ages[other] <= ages[one]) or (other in self._alone and ages[one] <= ages[other])


def _around(node: tree.Node, construct: Any) -> list[tree.Node]:
    """The nodes from one to the construct in it, or nothing if that is not there."""
    if isinstance(node, tree.Construct) and node.origin == construct:
        return [node]
    for child in tree.children(node):
        if found := _around(child, construct):
            return [node, *found]
    return []


def _changed(body: tree.Statement) -> set[symbols.Variable] | None:
    """The variables that a function may change, or None if it may be any."""
    found = set(changes_of(body).variables)
    for node in tree.walk(body):
        if isinstance(node, tree.Opaque):
            if node.mentions is None:
                return None
            found |= {n.variable for one in node.mentions for n in tree.walk(one) if isinstance(n, tree.Named)}
        elif isinstance(node, tree.Construct) and not node.directive.name.startswith("target"):
            found |= {*node.variables}
    return found
