"""Transformations of kernels, each provably without effect on results and each with a name for ``--no-opt``.

The plan records which were applied and, for the others, why not; ``explain`` prints that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from ...plan import (
    Capture,
    DataMapping,
    DirectKernel,
    KernelKind,
    LaunchShape,
    LoopNest,
    Optimisation,
    Optimised,
    Schedule,
    Sharing,
    Transport,
)
from ...sema import Sema, Symbol
from .accesses import UnprovableError, accesses_of
from .hoist import hoists
from .noalias import disjoint_test, gains
from .readonly import loads
from .scalarise import scalars

_MEMORY = ("noalias", "readonly", "scalarise", "hoist")


def optimise(
    sema: Sema,
    kind: KernelKind,
    nest: LoopNest | None,
    schedule: Schedule | None,
    sharing: Sharing,
    captures: Sequence[Capture],
    mapping: DataMapping,
    launch: LaunchShape,
    places: bool,
    off: Collection[str],
    add_row: Callable[[str, str], int],
) -> Optimised:
    """Decide every transformation of one region. ``places``: its body can tell which thread runs it. ``off`` are names
    given to ``--no-opt``; ``add_row`` adds a literal row (its variable's name and note) and returns its number."""
    facts: list[Optimisation] = []

    def refuse(names: Sequence[str], why: str) -> None:
        facts.extend(Optimisation(n, False, "switched off" if n in off else why) for n in names)

    def decide(name: str, reason: str, obstacle: str | None) -> bool:
        if obstacle is None and name not in off:
            facts.append(Optimisation(name, True, reason))
            return True
        refuse([name], obstacle or "")
        return False

    many = nest is not None and len(nest.levels) > 1
    index32 = decide("index32", "iterations are counted, and collapsed loops told apart, in 32 bits where they fit",
                     None if nest is not None else "no loop")  # fmt: skip
    obstacle = _not_once(kind, nest, schedule, sharing, launch)
    once = decide("once", "a kernel without the loop over the grid, when that covers the trip count", obstacle)
    obstacle = (
        "needs 'once' and 'index32'" if not (once and index32)
        else "no collapsed loops" if not many
        else "the number of teams is given" if launch.teams is not None
        else "the body asks where it runs" if places
        else "the last iteration writes variables of its own accord" if sharing.lastprivate
        else None
    )  # fmt: skip
    tiled = decide("tile", "blocks are two-dimensional tiles of the collapsed loops", obstacle)
    memory = _memory(sema, kind, nest, schedule, sharing, captures, mapping, off, facts, refuse)
    direct = memory.direct
    if once:
        tiling = add_row("__rex_tiling", "shape of the tiles") if tiled else None
        direct = replace(direct or DirectKernel(True, None), once=True, tiling=tiling)
    return replace(memory, facts=tuple(facts), direct=direct, index32=index32)


def _not_once(
    kind: KernelKind, nest: LoopNest | None, schedule: Schedule | None, sharing: Sharing, launch: LaunchShape
) -> str | None:
    """Why threads may run several iterations, None where the host can see to it that they do not."""
    if kind is not KernelKind.WORKSHARING or nest is None or schedule is None or schedule.over != "grid":
        return "only for kernels that are one loop nest"
    if schedule.team_chunk is not None or schedule.thread_chunk is not None or schedule.even:
        return "the scheduler deals out chunks"
    if sharing.reductions:
        return "a reduction: threads run many iterations"
    if sharing.linear:
        return "linear variables"
    return None if launch.trip_counts else "the host does not know the trip count"


def _memory(
    sema: Sema,
    kind: KernelKind,
    nest: LoopNest | None,
    schedule: Schedule | None,
    sharing: Sharing,
    captures: Sequence[Capture],
    mapping: DataMapping,
    off: Collection[str],
    facts: list[Optimisation],
    refuse: Callable[[Sequence[str], str], None],
) -> Optimised:
    """The transformations of loads and stores."""
    if kind is not KernelKind.WORKSHARING or nest is None:
        refuse(_MEMORY, "only for kernels that are one loop nest")
        return Optimised()
    if schedule is None or schedule.team_chunk is not None or schedule.thread_chunk is not None or schedule.even:
        refuse(_MEMORY, "the scheduler deals out chunks")
        return Optimised()
    if sharing.lastprivate or sharing.linear:
        refuse(_MEMORY, "the last iteration writes variables of its own accord")
        return Optimised()
    shared = [c for c in captures if c.transport is not Transport.LITERAL and c.symbol not in sharing.named]
    memory = {c.symbol for c in shared}
    own = {*sharing.named, *(lv.symbol for lv in nest.levels), *(c.symbol for c in captures if c.symbol not in memory)}
    try:
        found = accesses_of(sema, nest.body, memory, own)
    except UnprovableError as problem:
        refuse(_MEMORY, str(problem))
        return Optimised()
    used = [c for c in shared if c.symbol in found.roots or c.symbol in found.derived]
    kept = found.derived  # other pointers lead to these, so their type must stay
    constant = frozenset(c.symbol for c in used if c.symbol not in found.written and c.symbol not in kept)
    direct: DirectKernel | None = None
    alone = not found.written
    if alone:
        refuse(["noalias"], "the body writes no shared memory: nothing can overlap it")
    elif "noalias" in off:
        refuse(["noalias"], "")
    else:
        gain = gains(found)
        test = disjoint_test(used, found, mapping, sharing, captures)
        if gain is None:
            refuse(["noalias"], "nothing is gained: no load follows a store")
        elif isinstance(test, tuple):
            read = constant if "readonly" not in off else frozenset()
            direct = DirectKernel(False, None, frozenset(c.symbol for c in used), read, test)
            facts.append(Optimisation("noalias", True, gain))
        else:
            refuse(["noalias"], test)
    nodes = frozenset(loads(sema, found, constant, bool(sharing.reductions))) if "readonly" not in off else frozenset()
    known = constant if (alone or direct is not None) and "readonly" not in off else frozenset()
    if known:
        reason = f"{_names(known)}: const __restrict__"
        facts.append(Optimisation("readonly", True, f"{reason}, {len(nodes)} of the loads by __ldg"))
    else:
        nodes = frozenset()
        refuse(["readonly"], "no memory is known to be only read")
    scalar = scalars(sema, found, nest) if direct is not None and "scalarise" not in off else ()
    if scalar:
        kept_elements = ", ".join(s.symbol.name + f".{s.member}" * bool(s.member) for s in scalar)
        facts.append(Optimisation("scalarise", True, kept_elements))
    else:
        refuse(["scalarise"], "no element of its own is used again and again by an iteration")
    untouched = constant if alone or direct is not None else frozenset()
    reads = hoists(sema, found, untouched, nest.body) if "hoist" not in off else ()
    if reads:
        facts.append(Optimisation("hoist", True, f"bounds of inner loops: {_names({r.symbol for r in reads})}"))
    else:
        refuse(["hoist"], "no inner loop ends on memory that is only read")
    return Optimised((), direct, known if alone else frozenset(), nodes, scalar, reads)


def _names(symbols: Collection[Symbol]) -> str:
    return ", ".join(sorted(s.name for s in symbols))


__all__ = ["optimise"]
