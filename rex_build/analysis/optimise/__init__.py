"""Transformations of kernels, each provably without effect on results and each with a name for ``--no-opt``.

The plan records which were applied and, for the others, why not; ``explain`` prints that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ...plan import (
    Capture,
    DataMapping,
    Disjoint,
    KernelKind,
    LoopNest,
    Optimisation,
    Optimised,
    Schedule,
    Sharing,
    Transport,
)
from ...sema import Sema, Symbol
from .accesses import UnprovableError, accesses_of
from .noalias import disjoint_test, gains
from .readonly import loads
from .scalarise import scalars

NAMES = ("noalias", "readonly", "scalarise", "index32", "once")


def optimise(
    sema: Sema,
    kind: KernelKind,
    nest: LoopNest | None,
    schedule: Schedule | None,
    sharing: Sharing,
    captures: Sequence[Capture],
    mapping: DataMapping,
    off: Collection[str],
    add_row: Callable[[str, str], int],
) -> Optimised:
    """Decide every transformation of one region. ``off`` are names given to ``--no-opt``; ``add_row`` adds a literal
    row (its variable's name and note) and returns its number."""
    facts: list[Optimisation] = []

    def refuse(names: Sequence[str], why: str) -> None:
        facts.extend(Optimisation(n, False, "switched off" if n in off else why) for n in names)

    index32 = nest is not None and len(nest.levels) > 1 and "index32" not in off
    if index32:
        facts.append(Optimisation("index32", True, "counters of collapsed loops divide in 32 bits where they fit"))
    else:
        refuse(["index32"], "no collapsed loops")
    once = nest is not None and schedule is not None and schedule.over == "grid" and not sharing.reductions
    if once and "once" not in off:
        facts.append(Optimisation("once", True, "about one iteration per thread: the loop is not unrolled"))
    else:
        once = False
        refuse(["once"], "threads run many iterations")
    memory_names = ("noalias", "readonly", "scalarise")
    if kind is not KernelKind.WORKSHARING or nest is None:
        refuse(memory_names, "only for kernels that are one loop nest")
        return Optimised(tuple(facts), index32=index32, once=once)
    if schedule is None or schedule.team_chunk is not None or schedule.thread_chunk is not None or schedule.even:
        refuse(memory_names, "the scheduler deals out chunks")
        return Optimised(tuple(facts), index32=index32, once=once)
    if sharing.lastprivate or getattr(sharing, "linear", ()):
        refuse(memory_names, "the last iteration writes variables of its own accord")
        return Optimised(tuple(facts), index32=index32, once=once)
    shared = [c for c in captures if c.transport is not Transport.LITERAL and c.symbol not in sharing.named]
    memory = {c.symbol for c in shared}
    own = {*sharing.named, *(lv.symbol for lv in nest.levels), *(c.symbol for c in captures if c.symbol not in memory)}
    try:
        found = accesses_of(sema, nest.body, memory, own)
    except UnprovableError as problem:
        refuse(memory_names, str(problem))
        return Optimised(tuple(facts), index32=index32, once=once)
    used = [c for c in shared if c.symbol in found.roots or c.symbol in found.derived]
    kept = found.derived  # other pointers lead to these, so their type must stay
    constant = frozenset(c.symbol for c in used if c.symbol not in found.written and c.symbol not in kept)
    disjoint: Disjoint | None = None
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
            row = add_row("__rex_disjoint", "whether mapped ranges are apart")
            read = constant if "readonly" not in off else frozenset()
            disjoint = Disjoint(tuple(c.symbol for c in used), read, test, row)
            facts.append(Optimisation("noalias", True, gain))
        else:
            refuse(["noalias"], test)
    nodes = frozenset(loads(sema, found, constant, bool(sharing.reductions))) if "readonly" not in off else frozenset()
    known = constant if (alone or disjoint is not None) and "readonly" not in off else frozenset()
    if known:
        reason = f"{_names(known)}: const __restrict__"
        facts.append(Optimisation("readonly", True, f"{reason}, {len(nodes)} of the loads by __ldg"))
    else:
        nodes = frozenset()
        refuse(["readonly"], "no memory is known to be only read")
    scalar = scalars(sema, found, nest) if disjoint is not None and "scalarise" not in off else ()
    if scalar:
        kept_elements = ", ".join(s.symbol.name + f".{s.member}" * bool(s.member) for s in scalar)
        facts.append(Optimisation("scalarise", True, kept_elements))
    else:
        refuse(["scalarise"], "no element of its own is used again and again by an iteration")
    return Optimised(tuple(facts), disjoint, known if alone else frozenset(), nodes, scalar, index32, once)


def _names(symbols: Collection[Symbol]) -> str:
    return ", ".join(sorted(s.name for s in symbols))


__all__ = ["NAMES", "optimise"]
