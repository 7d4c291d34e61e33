"""Decides how the loads and stores of a kernel are made, whatever its language."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TypeVar

from ..base.records import dataclass
from ..openmp.regions import Planned
from ..plan.captures import Capture, loaded
from ..plan.claims import Claim, ClaimKind, WatchedElement, WatchedReads
from ..plan.code import Entity
from ..plan.optimised import DirectKernel, HoistedRead, Optimised, ScalarElement
from ..tree import nodes as tree
from .accesses import Accesses, Members
from .align import aligned
from .decisions import Decisions, listed
from .hoist import hoists
from .noalias import Ranges, readonly, without_aliases
from .obstacle import CHUNKS, LAST, NO_NEST
from .scalarise import scalars
from .text import Text

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
        return CHUNKS
    return LAST if region.sharing.lastprivate or region.sharing.linear else None


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
        decisions.refuse(["scalarise", "hoist", "align"], NO_NEST)
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
