"""What transformations of a region rely on, as claims of the plan (``plan/claims.py``), whatever its language."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from ..base.records import dataclass
from ..base.spans import SourceSpan
from ..plan.captures import Capture
from ..plan.claims import (
    Claim,
    ClaimKind,
    WatchedAccess,
    WatchedAccesses,
    WatchedCounts,
    WatchedLoop,
    WatchedLoops,
    WatchedTrips,
)
from ..plan.code import Code, Entity
from ..plan.loops import CanonicalLoop
from ..plan.optimised import DirectKernel
from ..tree import nodes as tree
from ..tree.types import Record
from .accesses import Access, Accesses

_ODD = "bit-fields and vectors"


@dataclass(frozen=True)
class Text:
    """What a front end says of the text of an access's ``node``: where that is, and the code around which something
    can be printed. None: nothing can, as around what a declaration calls."""

    span: Callable[[Any], SourceSpan | None]
    element: Callable[[Access], Code | None]
    call: Callable[[Access], Code | None]


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


def spread(levels: Sequence[CanonicalLoop], loops: Sequence[Sequence[WatchedLoop]]) -> Iterator[Claim]:
    """What it takes that loops inside the distributed ones share the grid. ``loops`` are those of each level."""
    names = " and ".join(f"'{level.symbol.name}'" for level in levels)
    about = f"iterations over {names} touch no element in conflict"
    watched = WatchedLoops(tuple(map(tuple, loops)), alone=False)
    yield Claim(ClaimKind.INDEPENDENT, "collapse", about, levels[0].span, watched)
    for level, of_level in zip(levels, loops, strict=True):
        about = f"the loop over '{level.symbol.name}' has the same number of iterations each time"
        yield Claim(ClaimKind.SAME, "collapse", about, level.span, WatchedTrips(of_level[0], level))


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
        called = code is None and isinstance(access.outer, tree.Call)
        code = text.call(access) if called else code
        if code is None:
            unwatched[f"calls of '{_called(access.outer)}'" if called else _ODD] = None
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
    """Whether device code can refer to an element."""
    return not isinstance(place, tree.Part) or (place.member.bits is None and isinstance(place.whole.type, Record))
