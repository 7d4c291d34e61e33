"""Which transformations the kernel of a region gets."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from functools import partial
from typing import overload

from ....base.records import dataclass, replace
from ....optimise.accesses import UnprovableError, members_of
from ....optimise.claims import counted, passed
from ....optimise.collapse import Collapse
from ....optimise.collapsed import collapsed_kernel
from ....optimise.decisions import COUNTED, Decisions, listed
from ....optimise.loads import MEMORY, Iteration, Loads, transformed, unknown_order
from ....optimise.moved import moved_bytes
from ....optimise.noalias import LOOPS_NEED_IT, Ranges
from ....optimise.obstacle import ASKS_WHERE, CLAUSES, FIXED_ORDER, ObstacleError
from ....optimise.planned import NO_NEST, SEVERAL_LOOPS, not_collapsed, not_once, not_tiled
from ....optimise.restrict import Promises
from ....optimise.surroundings import UncollapsibleError
from ....optimise.walk import walks
from ....plan.captures import Capture, Transport
from ....plan.code import Code, Entity
from ....plan.host_expression import HostExpression
from ....plan.launch import TripCounts
from ....plan.launch_policy import BLOCK_THREADS, LEAST_STAGED, RESIDENT_THREADS, STAGED_THREADS
from ....plan.loops import CanonicalLoop, LoopNest
from ....plan.optimised import (
    NO_STRUCTURE,
    NO_SUCH_LOOP,
    ONCE,
    PASSED,
    SEVERAL,
    TILE,
    UNROLL,
    WIDE,
    BlockKernel,
    CollapsedKernel,
    DirectKernel,
    Optimised,
    TeamArray,
    WideRead,
)
from ....plan.region import KernelKind
from ....plan.rows import Role
from ....plan.sharing import Sharing
from ....tree import nodes as tree
from ....tree.symbols import Function
from ...reading.statements import reader_of
from ...sema import Sema
from ...sema.type_questions import is_pointer
from ...syntax.nodes import ParsedUnit
from ..device_library import library_name
from ..host_expressions import first_value
from .accesses import accesses_of, tree_accesses
from .candidate import Candidate
from .claims import Claims, text_of, with_claims
from .collapse import collapses, nest_of
from .memory import shared_and_own
from .narrow import not_narrow
from .stage import staged
from .surroundings import Surroundings
from .team_arrays import is_straight, team_arrays
from .unroll import loops_to_unroll
from .wide import widened

_FOR_NARROW, _FOR_ATOMICS = 8, 4  # iterations side by side


class _Facts(Decisions):
    """The decisions in order."""

    def obstacle(self, names: Sequence[str], unit: ParsedUnit, problem: ObstacleError) -> None:
        """Leave transformations out for what is in the user's code."""
        node = problem.node.origin if isinstance(problem.node, tree.Node) else problem.node
        span = unit.span_of(node) if node is not None else None
        self.refuse(names, str(problem), span, problem.remedy)


def optimise(sema: Sema, region: Candidate, off: Collection[str]) -> Optimised:
    """Decide every transformation of one region. ``off`` are the names given to ``--no-opt``."""
    facts = _Facts(off)
    nest = region.nest
    words = [c.symbol for c in region.captures if c.transport is Transport.WORDS]
    facts.decide("byvalue", f"{PASSED}: {listed(words)}", None if words else NO_STRUCTURE)
    index32 = facts.decide("index32", COUNTED, None if nest is not None else "no loop")
    of_memory = _Facts(off)
    narrow = not_narrow(region, off) is None
    block = _block(sema, region, facts)
    memory = _memory(sema, region, of_memory, narrow=narrow, block=block is not None)
    several = narrow and (memory.direct is not None or bool(region.sharing.reductions))
    once = facts.decide("once", ONCE, not_once(region) or (SEVERAL if several and not region.several else None))
    tiled = facts.decide("tile", TILE, not_tiled(region, once, index32))
    facts.found += of_memory.found
    direct = memory.direct
    if once:
        direct = replace(direct or DirectKernel(once=True), once=True, tiled=tiled)
    if block is not None and direct is not None:
        names = ", ".join(f"'{name}'" for name in dict.fromkeys(loop.head.symbol.name for loop in block.loops))
        facts.apply("block", f"a block of {BLOCK_THREADS} threads shares the loops over {names} out, and runs the rest")
    elif block is not None:
        (why,) = (o.reason for o in of_memory.found if o.name == "noalias")
        facts.refuse(["block"], why)
        block = None
    collapsed = _collapsed(sema, region, facts, index32)
    if collapsed is None:
        collapsed = _staged(sema, region, facts, once and index32)
    else:
        facts.refuse(["stage"], "the inner loops share the grid")
    bodies = [reader_of(sema).statement(nest.body)] if nest is not None else []
    shared, _ = shared_and_own(region.sharing, region.captures, nest)
    walking = walks(facts, region, bodies, shared) if collapsed is None else None
    if walking is not None and once and memory.direct is not None:
        walking = replace(walking, optimised=replace(memory, index32=index32))
    if collapsed is not None:
        facts.refuse(["walk"], "another kernel runs long rows")
    arrays = _team_arrays(sema, region, facts)
    obstacle = not_narrow(region, off) or (
        "needs 'noalias'" if not several
        else "needs 'tile'" if once and not tiled
        else None
    )  # fmt: skip
    batched = _FOR_NARROW * facts.decide("batch", f"{SEVERAL}, {_FOR_NARROW} side by side", obstacle)
    ordered = region.sharing.reductions and region.mapping.parameter(Role.PARTIALS) is not None
    if obstacle is None:
        obstacle = "needs 'batch'" if not batched else FIXED_ORDER if ordered else None
    wide = _wide(sema, region, facts, obstacle)
    if arrays and not batched and nest is not None and is_straight(nest.body):
        batched = _FOR_ATOMICS
    loops = frozenset[Code]() if "unroll" in off else loops_to_unroll(sema, [region.body])
    facts.decide("unroll", UNROLL, None if loops else NO_SUCH_LOOP)
    found = tuple(facts.found)
    memory = replace(memory, facts=found, direct=direct, index32=index32, collapsed=collapsed)
    if region.claimed:
        claims = Claims(region.unit, sema)
        claims.found += passed(words, region.construct.directive.span)
        claims.wide(wide)
        claims.team_arrays(arrays)
        if block is not None:
            claims.block(block)
        if nest is not None and once and index32:
            claims.found.append(counted("once", nest.levels))
        memory = with_claims(memory, claims)
    moved = memory.moved if once and not region.several else 0
    return replace(memory, team_arrays=arrays, batched=batched, wide=wide, moved=moved, walks=walking, block=block,
                   unrolled=loops)  # fmt: skip


def _around(sema: Sema, region: Candidate, loaded: Sequence[Capture] = ()) -> Surroundings:
    """What is known around the loops of a region. With pointers that are ``loaded`` from mapped structures, it is for
    kernels that need no parameters for these."""
    captures = (*region.captures, *loaded)
    memory, own = shared_and_own(region.sharing, captures, region.nest)
    return Surroundings(region.unit, sema, memory, own, region.sharing.reductions, members_of(captures))


def _wide(sema: Sema, region: Candidate, facts: _Facts, obstacle: str | None) -> tuple[WideRead, ...]:
    """Decide which elements a thread loads for several iterations at once."""
    nest = region.nest
    if obstacle is not None or nest is None or "wide" in facts.off:
        facts.refuse(["wide"], obstacle or "no loop")
        return ()
    around = _around(sema, region)
    reduced = {r.symbol for r in region.sharing.reductions if r.count}
    try:
        found = accesses_of(sema, nest.body, around.memory, around.own, around.members, reduced=reduced)
        wide = widened(around, nest, found, {*found.roots} - found.written - found.derived)
    except ObstacleError as problem:
        facts.obstacle(["wide"], region.unit, problem)
        return ()
    names = listed({one.symbol for one in wide})
    facts.apply("wide", f"where they are aligned, elements of {WIDE} iterations are loaded with one access: {names}")
    return wide


def _block(sema: Sema, region: Candidate, facts: _Facts) -> BlockKernel | None:
    """How a block may run what is one thread's, if memory does not overlap."""
    launch, sharing = region.launch, region.sharing
    obstacle = (
        "only for what one thread runs" if region.kind is not KernelKind.SERIAL or region.nest is not None
        else "switched off" if "block" in facts.off
        else CLAUSES if launch.teams is not None or launch.default_teams != 1
        else ASKS_WHERE if region.places
        else "the region has a reduction" if sharing.returned
        else None
    )  # fmt: skip
    if obstacle is not None:
        facts.refuse(["block"], obstacle)
        return None
    from .block import in_block

    copied = {*sharing.named, *(c.symbol for c in region.captures if c.transport is Transport.LITERAL)}
    try:
        return in_block(_around(sema, region), region.body, copied)
    except ObstacleError as problem:
        facts.obstacle(["block"], region.unit, problem)
        return None


def _team_arrays(sema: Sema, region: Candidate, facts: _Facts) -> tuple[TeamArray, ...]:
    """Decide which reduced arrays a team has one copy of."""
    nest = region.nest
    if region.kind is not KernelKind.WORKSHARING or nest is None:
        facts.refuse(["share"], NO_NEST)
        return ()
    if region.sharing.reductions and region.mapping.parameter(Role.PARTIALS) is not None:
        facts.refuse(["share"], FIXED_ORDER)
        return ()
    try:
        found = team_arrays(sema, nest, region.sharing.reductions)
    except ObstacleError as problem:
        facts.obstacle(["share"], region.unit, problem)
        return ()
    names = listed({one.symbol for one in found})
    shared = facts.decide("share", f"the threads of a team share one copy of what is reduced: {names}", None)
    return found if shared else ()


def _collapsed(sema: Sema, region: Candidate, facts: _Facts, index32: bool) -> CollapsedKernel | None:
    """Decide whether loops inside the distributed ones are spread over the grid, too."""
    nest, sharing = region.nest, region.sharing
    obstacle = "switched off" if "collapse" in facts.off else not_collapsed(region)
    if obstacle is None and not index32:
        obstacle = "needs 'index32'"
    if obstacle is not None or nest is None:
        facts.refuse(["collapse"], obstacle or "no loop")
        return None
    try:
        found = collapses(_around(sema, region, region.loaded), nest)
    except UncollapsibleError as problem:
        facts.obstacle(["collapse"], region.unit, problem)
        return None
    made = collapsed_kernel(facts, _Side(sema, region, facts.off), found, nest.levels, sharing, region.launch)
    if made is None:
        return None
    kernel, one = made
    if not region.claimed:
        return kernel
    claims = Claims(region.unit, sema)
    claims.collapse(nest, one, sharing.reductions)
    return replace(kernel, optimised=with_claims(kernel.optimised, claims))


@dataclass(frozen=True)
class _Side:
    """What the proof of ``collapse`` asks about the host and about the kernel."""

    sema: Sema
    region: Candidate
    off: Collection[str]

    def trip_counts(self, levels: Sequence[CanonicalLoop], unreached: Sequence[CanonicalLoop]) -> TripCounts:
        return self.region.view.trip_counts(levels, unreached)

    def atom(self, atom: Hashable) -> HostExpression | None:
        return self.region.view.atom(atom)

    def first_value(self, level: CanonicalLoop) -> HostExpression:
        return first_value(level, self.sema)

    def nest(self, found: Collapse) -> LoopNest:
        assert self.region.nest is not None
        return nest_of(self.sema, self.region.nest, found)

    def memory(self, nest: LoopNest, sharing: Sharing, found: Collapse) -> Optimised | str:
        silent = _Facts(self.off)
        made = _memory(self.sema, replace(self.region, nest=nest, sharing=sharing), silent, needed=found.read)
        return made if made is not None else next(o.reason for o in silent.found if o.name == "noalias")


def _staged(sema: Sema, region: Candidate, facts: _Facts, once: bool) -> CollapsedKernel | None:
    """Decide whether warps move the rows of inner loops together, which every thread runs by itself."""
    nest, launch = region.nest, region.launch
    obstacle = not_collapsed(region) or (
        "needs 'once' and 'index32'" if not once
        else CLAUSES if launch.threads is not None or launch.teams is not None
        else SEVERAL_LOOPS if nest is None or region.several or nest.inner
        else None
    )  # fmt: skip
    if obstacle is not None or nest is None or "stage" in facts.off:
        facts.refuse(["stage"], obstacle or "no loop")
        return None
    around = _around(sema, region)
    silent = _Facts(facts.off)
    optimised = _memory(sema, region, silent, needed=frozenset())
    if optimised is None:
        (why,) = (o.reason for o in silent.found if o.name == "noalias")
        facts.refuse(["stage"], why)
        return None
    try:
        accesses = accesses_of(sema, nest.body, around.memory, around.own, around.members)
        read = {*accesses.roots} - accesses.written
        found = staged(around, nest, accesses, optimised.scalars, read)
    except ObstacleError as problem:
        facts.obstacle(["stage"], region.unit, problem)
        return None
    counted = (region.view.trip_counts((*nest.levels, loop.head), (loop.head,)) for loop in found.loops)
    counts = next((c.counts for c in counted if c.counts and not c.pointers), ())
    if not counts:
        facts.refuse(["stage"], "the host does not know all trip counts")
        return None
    names = ", ".join(f"'{name}'" for name in dict.fromkeys(loop.head.symbol.name for loop in found.loops))
    enough = RESIDENT_THREADS if found.alone else STAGED_THREADS
    few = f"where '{nest.levels[0].symbol.name}' has fewer than {enough} iterations"
    facts.apply("stage", f"a kernel whose warps move rows of the loops over {names} together, {few}")
    direct = replace(optimised.direct or DirectKernel(once=True), once=True, tiled=False)
    optimised = replace(optimised, direct=direct, aligned=(), staged=found.loops)
    if region.claimed:
        claims = Claims(region.unit, sema)
        claims.stage(found.loops)
        optimised = with_claims(optimised, claims)
    return CollapsedKernel(nest, region.sharing, optimised, counts, (), enough, LEAST_STAGED, 32, STAGED_THREADS)


@overload
def _memory(
    sema: Sema, region: Candidate, facts: _Facts, *, narrow: bool = False, block: bool = False
) -> Optimised: ...
@overload
def _memory(sema: Sema, region: Candidate, facts: _Facts, needed: frozenset[Entity]) -> Optimised | None: ...
def _memory(
    sema: Sema,
    region: Candidate,
    facts: _Facts,
    needed: frozenset[Entity] | None = None,
    *,
    narrow: bool = False,
    block: bool = False,
) -> Optimised | None:
    """Decide the transformations of loads and stores. If elements are ``narrow``, threads run several iterations. With
    ``block``, those of a block run what is one thread's.

    If what the kernel writes must not overlap anything, not the memory ``needed`` either, there is nothing to decide
    where that cannot be tested.
    """
    nest, sharing, captures = region.nest, region.sharing, (*region.captures, *region.loaded)
    if (obstacle := unknown_order(region)) is not None:
        facts.refuse(MEMORY, obstacle)
        return None if needed is not None else Optimised()
    memory, own = shared_and_own(sharing, captures, nest)
    body = nest.body if region.is_nest and nest is not None else region.body
    statement, members = reader_of(sema).statement(body), members_of(captures)
    try:
        arrays = {r.symbol for r in sharing.reductions if r.count}
        found = tree_accesses(sema, statement, memory, own, members, region.waits, arrays)
    except UnprovableError as problem:
        facts.obstacle(MEMORY, region.unit, problem)
        return None if needed is not None else Optimised()
    mentioned = (needed or frozenset()).union(found.roots, found.derived)
    used = [c for c in captures if c.symbol in memory and c.symbol in mentioned]
    kept = found.derived  # other pointers are made from these, so their type must stay
    constant = frozenset(c.symbol for c in used if c.symbol not in found.written and c.symbol not in kept)
    wanted = (
        LOOPS_NEED_IT if needed is not None
        else "a block runs it" if block
        else "loads of an iteration need not wait for stores of the one before" if narrow and constant
        else None
    )  # fmt: skip
    ranges = Ranges(
        region.mapping,
        sharing,
        captures,
        lambda symbol: not is_pointer(symbol.type),
        region.view.unaddressed,
        region.shared_memory,
        partial(_promises, sema, region),
    )
    text, iterations = text_of(region.unit, sema), [Iteration(found, statement)]
    loads = Loads(found, iterations, used, constant, ranges, members, text, region.claimed)
    made = transformed(facts, region, loads, wanted, needed=needed is not None, waits=region.waits or block)
    if made is None or nest is None or not region.is_nest:
        return made
    return replace(made, moved=moved_bytes(found, statement, _is_of_library))


def _is_of_library(function: Function) -> bool:
    return not function.defined and library_name(function.name) is not None


def _promises(sema: Sema, region: Candidate) -> Promises | None:
    """What the user's restrict pointers promise."""
    if not any("restrict" in capture.symbol.type.quals for capture in region.captures):
        return None
    from .in_order import host_body

    body = host_body(region.unit, sema, region.function)
    return Promises(body, region.construct) if body is not None else None
