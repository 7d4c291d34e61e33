"""Decides how the loads and stores of a kernel are made, whatever its language."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TypeVar

from ..base.records import dataclass
from ..openmp.regions import Planned
from ..plan.claims import Claim, ClaimKind, WatchedElement, WatchedReads
from ..plan.constructs import Entity
from ..plan.optimised import DirectKernel, HoistedRead, Optimised, ScalarElement
from ..plan.rows import Capture, loaded
from ..tree import nodes as tree
from ..tree import types
from ..tree.nodes import walk
from ..tree.symbols import Variable
from ..tree.types import Array, Floating, Integer, Pointer, Record, Type, alignment
from ..tree.values import owner_of, path_of, same_value
from .accesses import Access, Accesses, Members
from .changes import changes_of
from .noalias import Ranges, readonly, without_aliases
from .obstacle import Decisions, Obstacle, listed
from .side import Text

_T = TypeVar("_T")
MEMORY = ("noalias", "readonly", "scalarise", "hoist", "align")


@dataclass(frozen=True)
class Iteration:
    """What a kernel's iteration runs, in one instantiation of a template: a body with its accesses."""

    found: Accesses
    body: tree.Statement


@dataclass(frozen=True)
class Loads:
    """What a kernel accesses in all ``iterations`` together.

    ``used`` are the captures whose memory that is, and nothing writes that of the ``constant`` ones.
    """

    found: Accesses
    iterations: Sequence[Iteration]
    used: Sequence[Capture]
    constant: frozenset[Entity]
    ranges: Ranges
    members: Members
    text: Text
    claimed: bool


def unknown_order(region: Planned) -> str | None:
    """Why nobody knows what follows what in a kernel, or None."""
    if region.is_nest and region.chunks:
        return Obstacle.CHUNKS
    return Obstacle.LAST if region.sharing.lastprivate or region.sharing.linear else None


def transformed(
    decisions: Decisions, region: Planned, loads: Loads, wanted: str | None, *, needed: bool, waits: bool
) -> Optimised | None:
    """The transformations of loads and stores. ``wanted`` says why others rely on a kernel for memory that does not
    overlap; if it is ``needed``, and cannot be had, there is nothing to decide."""
    found, constant, is_nest = loads.found, loads.constant, region.is_nest
    direct = without_aliases(
        decisions, loads.ranges, found, loads.used, constant, wanted, waits=waits, everywhere=is_nest
    )
    alone = not found.written
    if needed and direct is None and not alone:
        return None
    known = readonly(decisions, found, constant - loaded(loads.used), direct is not None)
    claims: list[Claim] = []
    if loads.claimed:
        from .claims import of_memory

        claims += of_memory(loads.text, found, loads.used, direct, known)
    if not is_nest:
        decisions.refuse(["scalarise", "hoist", "align"], Obstacle.NO_NEST)
        return Optimised((), direct, known if alone else frozenset(), claims=tuple(claims))
    elements = _scalars(decisions, loads) if direct is not None else ()
    if not elements:
        decisions.refuse(["scalarise"], "no element of its own is used again and again by an iteration")
    reads = _hoists(decisions, loads, direct)
    wide = aligned(decisions, found, [one.body for one in loads.iterations], _by_parameters(loads))
    claims += _of_values(loads.text, elements, reads) if loads.claimed else ()
    return Optimised(
        (), direct, known if alone else frozenset(), elements, reads, aligned=wide, claims=tuple(claims)
    )


def _by_parameters(loads: Loads) -> Members:
    """The pointers in structures that parameters bring."""
    others = loaded(loads.used)
    return {path: entity for path, entity in loads.members.items() if entity not in others}


def _scalars(decisions: Decisions, loads: Loads) -> tuple[ScalarElement, ...]:
    """The elements that a kernel for memory that does not overlap keeps in registers, in all instantiations."""
    if "scalarise" in decisions.off:
        return ()
    found = _alike([scalars(loads.text, one.found, one.body, loads.members) for one in loads.iterations])
    if found:
        names = ", ".join(s.symbol.name + f".{s.member}" * bool(s.member) for s in found)
        decisions.apply("scalarise", f"an element stays in a variable while an iteration uses it: {names}")
    return found


def _hoists(decisions: Decisions, loads: Loads, direct: DirectKernel | None) -> tuple[HoistedRead, ...]:
    """The bounds of inner loops that are loaded once, in all instantiations."""
    untouched = loads.constant if not loads.found.written or direct is not None else frozenset()
    found: tuple[HoistedRead, ...] = ()
    if "hoist" not in decisions.off:
        found = _alike([hoists(loads.text, one.found, untouched, one.body) for one in loads.iterations])
    if found:
        decisions.apply("hoist", f"bounds of inner loops are loaded once: {listed({r.symbol for r in found})}")
    else:
        decisions.refuse(["hoist"], "no inner loop ends on memory that is only read")
    return found


def _alike(found: Sequence[tuple[_T, ...]]) -> tuple[_T, ...]:
    return found[0] if found and all(one == found[0] for one in found) else ()


def _of_values(
    text: Text, elements: Collection[ScalarElement], reads: Collection[HoistedRead]
) -> Iterator[Claim]:
    """What it takes to keep elements in variables."""
    for one in elements:
        about = f"an iteration uses one element of '{one.symbol.name}'"
        if (span := text.span(one.element)) is not None:
            yield Claim(ClaimKind.SAME, "scalarise", about, span, WatchedElement(one.uses))
    for read in reads:
        about = f"a bound that '{read.symbol.name}' holds stays the same while its loop runs"
        watched = WatchedReads(read.loop, read.type, read.element, read.uses)
        if (span := text.span(read.element)) is not None:
            yield Claim(ClaimKind.SAME, "hoist", about, span, watched)


_WIDEST = 16  # bytes of an access
_LONGEST_ROW = 64  # bytes of a row such as double[4] that is accessed at once; longer ones are matrices
_LARGEST = 3000  # nodes of a body that nvcc may have to compile twice


def aligned(
    decisions: Decisions, found: Accesses, bodies: Sequence[tree.Statement], members: Members
) -> tuple[tuple[Entity, int], ...]:
    """The arrays whose elements a GPU can access at once, if the array begins at an aligned address, and to how many
    bytes, in all instantiations of a body.

    A structure of four floats needs an alignment of 4, and nvcc makes four accesses of it. On the device arrays begin
    at multiples of 256, but the region may get a pointer into one. So the kernel tests the address and has its loop
    twice.

    ``members`` are pointers in structures by value.
    """
    wide = [dict(_of_body(found, body, members)) for body in bodies] if "align" not in decisions.off else []
    made = tuple(one for one in wide[0].items() if all(one in other.items() for other in wide)) if wide else ()
    if made:
        names = listed({root for root, _ in made})
        decisions.apply("align", f"elements are accessed as a whole where they are aligned: {names}")
    else:
        decisions.refuse(["align"], "no array of structures that need less alignment than the widest access")
    return made


def _of_body(
    found: Accesses, body: tree.Statement, members: Members
) -> Iterator[tuple[Entity, int]]:
    nodes = list(tree.walk(body))
    if len(nodes) > _LARGEST:
        return
    kinds: dict[Entity | None, Type] = {}
    for node in nodes:
        if isinstance(node, tree.Named | tree.Part):
            variable, path = path_of(node)
            is_one = variable is not None and variable.name == "this"  # the object of a method, and no array
            entity = variable.entity if variable is not None and not is_one else None
            kinds[members.get((entity, path)) if entity is not None and path else entity] = node.type
    for root in found.roots:
        kind = kinds.get(root)
        if isinstance(kind, Pointer) and kind.reference:
            kind = kind.to
        element = kind.to if isinstance(kind, Pointer) else kind.of if isinstance(kind, Array) else None
        size = element.size if element is not None and _is_compact(element) else None
        if element is None or not size:
            continue
        width = min(size & -size, _WIDEST)
        if width > alignment(element) >= 4 and _has_neighbours([a for a in found.items if a.root is root]):
            yield root, width


def _is_compact(element: Type) -> bool:
    """Whether an element is a structure, or a short row of numbers."""
    if isinstance(element, Array):
        return isinstance(element.of, Integer | Floating | Pointer) and 0 < (element.size or 0) <= _LONGEST_ROW
    return isinstance(element, Record) and not element.info.union


def _has_neighbours(accesses: list[Access]) -> bool:
    """Whether several parts of an element are accessed. Functions that get its address are believed to do that."""
    parts = {_part(a) for a in accesses if not a.atomic}
    return "" in parts or len(parts) > 1


def _part(access: Access) -> str:
    """The member or the constant subscript by which an access names a part of an element; "" for all of it."""
    if isinstance(access.node, tree.Call):
        return ""
    place = access.place
    if isinstance(place, tree.Part):
        return place.member.name
    match place.pointer if isinstance(place, tree.Pointee) else None:
        case tree.Offset(pointer=tree.Decay(array=tree.Pointee()), index=tree.Constant(value=index)):
            return str(index)
    return ""


_PARTS = (tree.Named, tree.Constant, tree.Load, tree.Binary, tree.Convert, tree.Offset, tree.Decay, tree.Part)


def hoists(
    text: Text, found: Accesses, constant: Collection[Entity], body: tree.Statement
) -> tuple[HoistedRead, ...]:
    """The reads in the conditions of inner loops to make once, before the loop: those of ``constant`` memory, which
    nothing writes while the kernel runs, whose subscripts a loop does not change.

    A bound such as ``row[i + 1]`` is evaluated at least once whenever its loop is reached, so this reads nothing that
    the program would not read.
    """
    out: list[HoistedRead] = []
    lent = changes_of(body).lent
    accesses: dict[tree.Node, Access] = {}
    for access in found.items:  # of what may be in several memories, the first written one says enough
        if access.node not in accesses or access.writes or access.root not in constant:
            accesses[access.node] = access
    for loop in walk(body):
        if not isinstance(loop, tree.Loop) or loop.condition is None or loop.body_first or _is_entered(loop.body):
            continue
        changes = changes_of(loop)
        moving = {*changes.assigned, *changes.declared, *lent}
        always = (accesses[node] for node in _always_evaluated(loop.condition) if node in accesses)
        fixed = [a for a in always if _is_fixed(accesses, a, constant, moving)]
        inside = {part for a in fixed for part in walk(a.node) if part is not a.node}  # these are parts of longer ones
        reads: list[list[Access]] = []
        for access in fixed:
            if access.node not in inside:
                same = next((uses for uses in reads if same_value(uses[0].place, access.place)), None)
                if same is None:
                    reads.append([access])
                else:
                    same.append(access)
        for uses in reads:
            kind, codes = text.type(uses[0], True), tuple(code for a in uses if (code := text.element(a)) is not None)
            if kind is not None and len(codes) == len(uses):
                out.append(HoistedRead(text.loop(loop), uses[0].root, kind, codes[0], codes))
    return tuple(out)


def _is_entered(body: tree.Node) -> bool:
    """Whether a ``switch`` around a loop has labels inside the loop, so that it may skip the code before the loop."""
    inside = isinstance(body, tree.Switch)
    return isinstance(body, tree.Case) or (not inside and any(map(_is_entered, tree.children(body))))


def _is_fixed(
    accesses: dict[tree.Node, Access],
    access: Access,
    constant: Collection[Entity],
    moving: Collection[Variable],
) -> bool:
    if not isinstance(access.place.type, Integer | Floating):
        return False
    for part in walk(access.node):
        one = accesses.get(part)
        if one is not None and (one.writes or one.atomic or one.root not in constant):
            return False
        match part:
            case tree.Named(variable=variable) if variable in moving:
                return False
            case tree.Part(member=member) if member.bits is not None:
                return False
            case tree.Pointee(pointer=tree.Offset()) | tree.Pointee(pointer=tree.Load(place=tree.Named())):
                pass
            case tree.Pointee():
                return False
            case _ if not isinstance(part, _PARTS):
                return False
    return True


def _always_evaluated(condition: tree.Node) -> Iterator[tree.Node]:
    """The parts of a condition that are evaluated whenever the condition is."""
    stack = [condition]
    while stack:
        node = stack.pop()
        yield node
        match node:
            case tree.ShortCircuit():
                stack.append(node.left)
            case tree.Conditional():
                stack.append(node.condition)
            case tree.Call() | tree.StatementValue():
                pass
            case _:
                stack += reversed(tree.children(node))


_INDEX = (tree.Named, tree.Constant, tree.Load, tree.Binary, tree.Convert)


def scalars(text: Text, found: Accesses, body: tree.Statement, members: Members) -> tuple[ScalarElement, ...]:
    """The elements to keep in a variable, which is written back: ``a[e]`` (or members ``a[e].f``) for which the body
    uses ``a`` with no other subscript than ``e``.

    ``e`` consists of variables that the body does not change. The first access to each element must be a write that
    every iteration makes, outside of inner loops. Then the kernel makes no load and no store that the program does not
    make, and the value that another iteration left in the element does not matter. At least one use must be in an inner
    loop. ``a`` may be one of the ``members``, pointers in structures.
    """
    if any(isinstance(n, tree.Continue | tree.Break) for n in _direct(body)):
        return ()
    changes = changes_of(body)
    moving = {*changes.assigned, *changes.lent, *changes.declared}
    out: list[ScalarElement] = []
    for root in found.roots:
        mine = [a for a in found.items if a.root is root]
        if root in found.derived or any(a.atomic for a in mine) or not any(a.loops for a in mine):
            continue
        if any(a.root is not root for one in mine for a in found.items if a.node is one.node):
            continue
        indices = [_subscript(access, root, moving, members) for access in mine]
        first = indices[0]
        if first is None or not all(index is not None and same_value(first, index) for index in indices):
            continue
        parts: dict[str, list[Access]] = {}
        for access in mine:
            member = access.place.member.name if isinstance(access.place, tree.Part) else ""
            parts.setdefault(member, []).append(access)
        whole_and_members = "" in parts and len(parts) > 1
        if not whole_and_members and all(map(_starts_with_write, parts.values())):
            out += _elements(text, root, parts)
    return tuple(out)


def _elements(text: Text, root: Entity, parts: dict[str, list[Access]]) -> Iterator[ScalarElement]:
    for name, uses in parts.items():
        kind, codes = text.type(uses[0], False), tuple(code for a in uses if (code := text.element(a)) is not None)
        if kind is None or len(codes) < len(uses):
            return
        yield ScalarElement(root, kind, codes[0], codes, name)


def _starts_with_write(uses: list[Access]) -> bool:
    first = min(uses, key=lambda a: a.position)
    return first.writes and not first.reads and first.certain and not first.loops


def _subscript(
    access: Access, root: Entity, moving: Collection[Variable], members: Members
) -> tree.Expression | None:
    """The subscript of an access, or None if it is not of the form that :func:`scalars` requires."""
    place = access.place
    if access.node is not place or not isinstance(place.type, types.Integer | types.Floating):
        return None
    if isinstance(place, tree.Part):
        if place.member.bits is not None or not place.member.name or _is_union(place.whole):
            return None
        place = place.whole
    match place:
        case tree.Pointee(pointer=tree.Offset(pointer=tree.Load(place=base) | tree.Decay(array=base), index=index)):
            variable, path = owner_of(base)
            entity = variable.entity if variable is not None else None
            if entity is None or (members.get((entity, path)) if path else entity) is not root:
                return None
        case _:
            return None
    for part in walk(index):
        if not isinstance(part, _INDEX) or (isinstance(part, tree.Named) and part.variable in moving):
            return None
    return index


def _is_union(place: tree.Place) -> bool:
    record = place.type
    return not isinstance(record, types.Record) or record.info.union


def _direct(body: tree.Node) -> Iterator[tree.Node]:
    """What is in no loop inside the body. A ``continue`` there ends the iteration."""
    stack = [body]
    while stack:
        node = stack.pop()
        yield node
        stack += [child for child in tree.children(node) if not isinstance(child, tree.Loop)]
