"""What transformations of a region rely on, as claims of the plan (``plan/claims.py``), whatever its language."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain

from ..base.diagnostics import SourceSpan
from ..plan.claims import (
    Claim,
    ClaimKind,
    WatchedAccess,
    WatchedAccesses,
    WatchedCounts,
    WatchedFront,
    WatchedLoop,
    WatchedLoops,
    WatchedNeighbours,
    WatchedTrips,
    WatchedUpdates,
)
from ..plan.constructs import CanonicalLoop, Code, Entity, Reduction
from ..plan.optimised import BlockLoop, DirectKernel, StagedLoop, TeamArray, WideRead
from ..plan.rows import Capture
from ..tree import nodes as tree
from ..tree.symbols import Function, Storage, Variable, entity_of
from ..tree.types import Complex, Floating, Integer, Pointer, Record, is_reference
from ..tree.updates import Combining, statements
from ..tree.values import base_of
from .accesses import Accesses
from .block import Blocked
from .changes import changes_of
from .collapse import Collapse, is_condition
from .side import Text

_ODD = "bit-fields, packed members and vectors"


def passed(symbols: Sequence[Entity], span: SourceSpan) -> Iterator[Claim]:
    """Objects reach the kernel by value."""
    for one in symbols:
        about = f"'{one.name}' is not on the device, and the kernel only reads it"
        why = "a parameter has it, which nothing else can reach"
        yield Claim(ClaimKind.UNWRITTEN, "byvalue", about, span, None, why)


def counted(of: str, levels: Sequence[CanonicalLoop]) -> Claim:
    """Iterations are counted in 32 bits."""
    names = ", ".join(f"'{level.symbol.name}'" for level in levels)
    about = f"all iterations over {names} together fit 32 bits"
    return Claim(ClaimKind.FITS, of, about, levels[0].span, WatchedCounts(tuple(levels)))


def spread(text: Text, outer: Sequence[CanonicalLoop], found: Collapse) -> Iterator[Claim]:
    """What it takes that loops inside the distributed ones share the grid."""
    levels, loops = found.inner, [tuple(map(text.loop, of_level)) for of_level in found.loops]
    names = " and ".join(f"'{level.symbol.name}'" for level in levels)
    about = f"iterations over {names} touch no element in conflict"
    watched = WatchedLoops(tuple(loops), alone=False)
    yield Claim(ClaimKind.INDEPENDENT, "collapse", about, levels[0].span, watched)
    for front, level, side_by_side, of_level in zip(found.fronts, levels, found.loops, loops, strict=True):
        yield from _repeated(text, front, level, side_by_side[:-1], of_level[-1])
    for level, of_level in zip(levels, loops, strict=True):
        about = f"the loop over '{level.symbol.name}' has the same number of iterations each time"
        yield Claim(ClaimKind.SAME, "collapse", about, level.span, WatchedTrips(of_level[0], level))
    yield counted("collapse", (*outer, *levels))


def _repeated(
    text: Text, front: Sequence[tree.Statement], level: CanonicalLoop, between: Sequence[tree.Loop], loop: WatchedLoop
) -> Iterator[Claim]:
    """What stands in front of a loop runs in each of its iterations. A condition there ends what runs at once. What the
    loops ``between`` change has other values behind them, which nobody needs."""
    parts: list[list[tree.Statement]] = [[]]
    for statement in front:
        if is_condition(statement):
            parts.append([])
        else:
            parts[-1].append(statement)
    later: set[Variable] = set()
    for part in filter(None, reversed(parts)):
        about = f"what stands in front of the loop over '{level.symbol.name}' gives the same each time"
        changes = [changes_of(statement) for statement in part]
        changed = dict.fromkeys(chain.from_iterable((*one.variables, *one.declared) for one in changes))
        left = {*_unset(part), *chain.from_iterable(changes_of(one).variables for one in between)}
        kept = [v for v in changed if v not in left and not is_reference(v.type)]
        fit = later.isdisjoint(kept) and all(map(_is_number, kept))
        later.update(changed)
        code = text.statements(part) if fit and kept else ()
        watched = WatchedFront(loop, code, tuple(map(entity_of, kept))) if code else None
        unchecked = (
            "" if watched is not None
            else "it changes no numbers" if fit and not kept
            else "it is not in the region's text" if fit
            else "it changes more than numbers"
        )  # fmt: skip
        if (span := text.span(part[0])) is not None:
            yield Claim(ClaimKind.REPEATABLE, "collapse", about, span, watched, unchecked)


def _unset(part: Iterable[tree.Statement]) -> Iterator[Variable]:
    """The variables that statements declare and may leave without a value."""
    always = set()
    for statement in part:
        match statement:
            case tree.Evaluate(expression=tree.Store() | tree.Update() as made) if isinstance(made.place, tree.Named):
                always.add(made.place.variable)
    for node in chain.from_iterable(map(tree.walk, part)):
        if isinstance(node, tree.Declare) and node.initialiser is None and node.variable not in always:
            yield node.variable


def _is_number(variable: Variable) -> bool:
    """Whether it is a thread's own number or pointer."""
    is_own = variable.storage in (Storage.LOCAL, Storage.PARAMETER)
    return is_own and isinstance(variable.type, Integer | Floating | Complex | Pointer)


def exact(
    of: str, text: Text, bodies: Sequence[tree.Statement], reduction: Reduction, computes: Callable[[Function], bool]
) -> Iterator[Claim]:
    """Threads combine parts of what a variable gets."""
    updates: dict[Code, tree.Statement] = {}
    for body in bodies:
        named = {n.variable for n in tree.walk(body) if isinstance(n, tree.Named)}
        for variable in (v for v in named if v.entity is reduction.symbol):
            combining = Combining(variable, reduction.operator, computes)
            for statement in statements(body):
                if combining.mentions(statement):
                    updates.update((code, statement) for code in text.statements([statement]))
    first = next(iter(updates.values()), None)
    span = text.span(first) if first is not None else None
    if span is not None and not reduction.count and reduction.functions is None:
        about = f"parts of what '{reduction.symbol.name}' combines may be combined first"
        watched = WatchedUpdates(reduction.symbol, reduction.type, reduction.operator, tuple(updates))
        yield Claim(ClaimKind.EXACT, of, about, span, watched)


def block(text: Text, made: Blocked, computes: Callable[[Function], bool]) -> Iterator[Claim]:
    """What it takes that the threads of a block share loops out."""
    for loop, bodies in zip(made.kernel.loops, made.bodies, strict=True):
        yield _apart("block", loop, [one.symbol for one in loop.carried])
        for one in loop.carried:
            reduction = Reduction(one.symbol, one.operator, one.type, one.type)
            yield from exact("block", text, bodies, reduction, computes)


def stage(loops: Iterable[StagedLoop]) -> Iterator[Claim]:
    """What it takes that the threads of a warp share out loops that leave nothing behind."""
    return (_apart("stage", loop, []) for loop in loops if loop.apart)


def _apart(of: str, loop: BlockLoop | StagedLoop, left_out: Sequence[Entity]) -> Claim:
    about = f"iterations over '{loop.head.symbol.name}' touch no element in conflict"
    own = () if loop.head.declared else (loop.head.symbol,)
    watched = WatchedLoops(((WatchedLoop(loop.loop, loop.body),),), alone=True, left_out=(*left_out, *own))
    return Claim(ClaimKind.INDEPENDENT, of, about, loop.head.span, watched)


def wide(text: Text, reads: Iterable[WideRead]) -> Iterator[Claim]:
    """What it takes that one access loads elements of several iterations."""
    for read in reads:
        about = f"elements of '{read.symbol.name}' that iterations read one after the other are neighbours"
        if (span := text.span(read.element)) is not None:
            yield Claim(ClaimKind.SAME, "wide", about, span, WatchedNeighbours(read.element))


def team_arrays(text: Text, arrays: Iterable[TeamArray]) -> Iterator[Claim]:
    """What it takes that threads share a copy of what they reduce."""
    for array in arrays:
        statement, _ = array.updates[0]
        about = f"updates of '{array.symbol.name}' may be made in any order"
        watched = [(code, update.location) for code, update in array.updates if code in array.repeatable]
        unchecked = "" if len(watched) == len(array.updates) else "updates that do something else, too"
        if (span := text.span(statement)) is not None:
            codes, elements = zip(*watched, strict=True) if watched else ((), ())
            updates = WatchedUpdates(array.symbol, None, array.operator, codes, elements) if watched else None
            yield Claim(ClaimKind.EXACT, "share", about, span, updates, unchecked)


def of_memory(
    text: Text,
    found: Accesses,
    used: Sequence[Capture],
    direct: DirectKernel | None,
    constant: Collection[Entity],
) -> Iterator[Claim]:
    """What it takes that pointers are restrict, and that memory is only read."""
    apart = direct.pointers or [c.symbol for c in used] if direct is not None else ()
    watched, unwatched = _watched(text, found)
    unchecked = f"accesses in {unwatched}" if unwatched else ""
    places = {a.root: a.node for a in reversed(found.items)}
    for kind, of, roots, about in (
        (ClaimKind.APART, "noalias", apart, "what the kernel writes it reaches through one name alone: {}"),
        (ClaimKind.UNWRITTEN, "readonly", constant, "nobody writes this memory while the kernel runs: {}"),
    ):
        mentioned = sorted((r for r in places if r in roots), key=lambda root: root.name)
        span = text.span(places[mentioned[0]]) if mentioned else None
        if span is not None:
            names = ", ".join(f"'{root.name}'" for root in mentioned)
            accesses = WatchedAccesses(watched, frozenset(mentioned))
            yield Claim(kind, of, about.format(names), span, accesses, unchecked)


def _watched(text: Text, found: Accesses) -> tuple[tuple[WatchedAccess, ...], str]:
    """(what is printed with what watches it, what else accesses memory)

    What may be reached through several names is only compared with what each of them surely reaches.
    In a call, every access counts that nothing else in it watches. So calls are watched only if all elements in the
    body itself are.
    """
    roots: dict[tuple[Code, bool], dict[Entity, None]] = {}
    writes: set[tuple[Code, bool]] = set()
    unwatched: dict[str, None] = {}
    for access in found.items:
        code = text.element(access) if _has_address(access.place) else None
        called = code is None and isinstance(access.node, tree.Call)
        code = text.call(access) if called else code
        if code is None:
            unwatched[f"calls of '{_called(access.node)}'" if called else _ODD] = None
            continue
        roots.setdefault((code, called), {})[access.root] = None
        if access.writes:
            writes.add((code, called))
    if any(len(names) > 1 for names in roots.values()):
        unwatched["what may belong to several of them"] = None
    whole = _ODD not in unwatched
    if not whole and any(called for _, called in roots):
        unwatched["called functions"] = None
    watched = tuple(
        WatchedAccess(tuple(names), code, (code, called) in writes, called)
        for (code, called), names in roots.items()
        if whole or not called
    )
    return watched, " and ".join(unwatched)


def _called(node: object) -> str:
    callee = node.callee if isinstance(node, tree.Call) else None
    return callee.function.name if isinstance(callee, tree.FunctionAddress) else "functions"


def _has_address(place: tree.Place) -> bool:
    """Whether device code can refer to an element. C++ has no references to what a packed structure holds."""
    while True:
        match place:
            case tree.Part():
                if place.member.bits is not None or place.member.packed or not isinstance(place.whole.type, Record):
                    return False
                place = place.whole
            case tree.Pointee() if isinstance(base := base_of(place.pointer), tree.Decay):
                place = base.array
            case _:
                return True
