"""Finds the loops of a plain ``target`` region that a block of threads may run, where one thread would run all of it.

In ``for (i …) { sum += a[i]; b[i] = sum; }`` an iteration leaves the next one only a sum of integers, which is the same
in any order. So each thread runs one iteration, and the block adds up what they add (``include/rex_block.h``). The
threads run everything around such loops together: each computes the same with variables of its own, and only the first
one writes memory. They wait for each other in front of what accesses memory.

What is proved: iterations meet in no element (the test of ``collapse``), and all memory that is written overlaps no
other, which the host tests. An iteration changes nothing but memory, variables of its own, and sums (or products, bit
operations, minima and maxima) of integers. If it reads a sum, the values that are added must not depend on one. Then a
part of the iteration computes them first, which writes nothing, and reads nothing that the iteration has written.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pycparser import c_ast

from ....base.records import dataclass, replace
from ....optimise.accesses import Accesses
from ....optimise.collapse import check_calls
from ....optimise.obstacle import IN_EXPRESSION, JUMPS, ObstacleError
from ....plan.code import Entity
from ....plan.optimised import BlockKernel, BlockLoop, Carried, TeamSteps
from ....plan.sharing import Reduction
from ...reading.statements import reader_of
from ...sema import Sema, assignments, locals_of, walk
from ...sema.ctype import Pointer, sizeof, strip
from ...sema.type_questions import is_arithmetic, is_integer
from ...syntax.nodes import OmpConstruct
from ...syntax.parser import Cleanup, StmtExpr
from .accesses import accesses_of
from .collapse import independent, region_of
from .surroundings import Surroundings
from .updates import is_written_first, mentions, updates_of

_LEAST = 16  # iterations for which a block is worth while
_MODULAR = ("rex_add", "rex_mul")
_OPERATORS = (*_MODULAR, "rex_band", "rex_bor", "rex_bxor", "rex_min", "rex_max")
_STEPS = ("++", "--", "p++", "p--")
_JUMPS = (c_ast.Break, c_ast.Continue, c_ast.Goto, c_ast.Label, c_ast.Return, c_ast.Switch)


def in_block(region: Surroundings, body: c_ast.Node, copied: Collection[Entity]) -> BlockKernel:
    """How a block runs a region. ``copied`` are the captured variables of which every thread has a copy.

    Raises ObstacleError if it should not.
    """
    walker = _Walker(region, body, copied)
    walker.statement(body)
    if not walker.loops:
        raise ObstacleError("the region has no loops")
    steps = TeamSteps(
        barriers=frozenset(walker.barriers),
        ends=frozenset(walker.ends),
        guarded=frozenset(walker.guarded),
        computed=frozenset(),
        shared=frozenset(),
        stateful=False,
    )
    return BlockKernel(tuple(walker.loops), steps)


class _Walker:
    """Walks through the region in program order. Raises ObstacleError."""

    def __init__(self, region: Surroundings, body: c_ast.Node, copied: Collection[Entity]) -> None:
        sema = region.sema
        self.body, self.sema = body, sema
        own = {*region.own, *locals_of(sema, body)}
        self.region = replace(region, own=own)
        self.loops: list[BlockLoop] = []
        self.barriers: set[c_ast.Node] = set()
        self.ends: set[c_ast.Node] = set()
        self.guarded: set[c_ast.Node] = set()
        self._touched = False  # whether a thread may have accessed memory since all waited for each other
        for node in walk(body):
            if isinstance(node, OmpConstruct):
                raise ObstacleError("the body has constructs of its own", node)
            if isinstance(node, (StmtExpr, Cleanup)):
                raise ObstacleError(IN_EXPRESSION, node)
        check_calls(region_of(region), reader_of(sema).statement(body))
        self._found = accesses_of(sema, body, region.memory, region.own, region.members)
        self._places = {access.node: access for access in self._found.items}
        self._check_own(copied)

    def _check_own(self, copied: Collection[Entity]) -> None:
        """Refuse variables outside of loops' iterations of which threads cannot simply have a copy each."""
        changed, own = assignments(self.sema, self.body), {*copied, *locals_of(self.sema, self.body)}
        for symbol, place in changed.symbols.items():
            if symbol not in self.region.memory and symbol not in own:
                raise ObstacleError(f"'{symbol.name}' is changed", place)

    # -- what all threads run ---------------------------------------------------------------------------------------

    def statement(self, node: c_ast.Node | None) -> None:
        match node:
            case None | c_ast.EmptyStatement() | c_ast.Pragma() | c_ast.Typedef():
                return
            case c_ast.Compound():
                for item in node.block_items or ():
                    self.statement(item)
            case c_ast.If():
                self._together(node, node.cond)
                self.statement(node.iftrue)
                self.statement(node.iffalse)
            case c_ast.For() | c_ast.While() | c_ast.DoWhile():
                self._loop(node)
            case _ if isinstance(node, _JUMPS):
                raise ObstacleError(JUMPS, node)
            case _ if self._writes(node):
                own = {*assignments(self.sema, node).symbols, *locals_of(self.sema, node)} - {*self.region.memory}
                if own:
                    why = f"a statement changes memory and '{min(s.name for s in own)}'"
                    raise ObstacleError(why, node, "write two statements")
                self._wait(node)
                self.guarded.add(node)
                self._touched = True
            case _:
                self._together(node, node)

    def _together(self, statement: c_ast.Node, *parts: c_ast.Node | None) -> None:
        """Parts of a statement that every thread evaluates, with the same result."""
        for part in parts:
            if part is None:
                continue
            if self._writes(part):
                raise ObstacleError("a condition writes memory", part)
            for symbol in (*assignments(self.sema, part).symbols, *locals_of(self.sema, part)):
                plain = is_arithmetic(strip(symbol.type)) or isinstance(strip(symbol.type), Pointer)
                qualified = {"volatile", "_Atomic"} & set(symbol.type.quals)
                taken = symbol in assignments(self.sema, self.body).address_taken
                if not plain or qualified or taken or symbol.has_static_storage:
                    raise ObstacleError(f"'{symbol.name}' is more than a plain variable", part)
            if self._accesses(part):
                self._wait(statement)
                self._touched = True

    def _wait(self, statement: c_ast.Node) -> None:
        """Let the threads wait in front of a statement if one of them may have accessed memory."""
        if self._touched:
            self.barriers.add(statement)

    def _accesses(self, node: c_ast.Node) -> bool:
        return any(part in self._places for part in walk(node))

    def _writes(self, node: c_ast.Node) -> bool:
        return any(self._places[part].writes for part in walk(node) if part in self._places)

    def _loop(self, node: c_ast.Node) -> None:
        problem: ObstacleError | None = None
        if isinstance(node, c_ast.For):
            try:
                self.loops.append(self._block_loop(node))
            except ObstacleError as first:
                problem = first
            else:
                self._wait(node)
                self._touched = True
                return
        inner = any(isinstance(part, c_ast.For) for part in walk(node.stmt))
        if not inner or any(isinstance(part, _JUMPS) for part in walk(node.stmt)):
            raise problem or ObstacleError("a loop does not count its iterations beforehand", node)
        # One thread's loop around loops of the block: all come to each iteration together.
        heads = (node.init, node.cond, node.next) if isinstance(node, c_ast.For) else (node.cond,)
        self._touched = True
        before = len(self.loops)
        try:
            self._together(node, *heads)
            self.statement(node.stmt)
        except ObstacleError:
            raise problem or ObstacleError("a loop does not count its iterations beforehand", node) from None
        if len(self.loops) == before:
            raise problem or ObstacleError("a loop does not count its iterations beforehand", node)
        self.ends.add(node)

    # -- what they share out ----------------------------------------------------------------------------------------

    def _block_loop(self, loop: c_ast.For) -> BlockLoop:
        sema = self.sema
        for node in walk(loop.stmt):
            if isinstance(node, _JUMPS):
                raise ObstacleError(JUMPS, node)
        sums = self._sums(loop)
        memory, own = {*self.region.memory} - {*sums}, {*self.region.own, *sums}
        region = replace(self.region, memory=memory, own=own, carried=frozenset(sums))
        head, body, found = independent(region, loop)
        if head.trips is not None and head.trips < _LEAST:
            raise ObstacleError(f"the loop over '{head.symbol.name}' has few iterations", loop)
        if not head.declared and (head.symbol in region.memory or head.symbol not in region.own):
            raise ObstacleError(f"the loop variable '{head.symbol.name}' is in memory", loop)
        inside = {*locals_of(sema, loop)}
        nodes = {*walk(loop)}
        for symbol in assignments(sema, loop.stmt).symbols:
            if symbol in region.memory or symbol in inside or symbol in sums:
                continue
            outside = next((m for m in mentions(sema, self.body, symbol) if m not in nodes), None)
            if outside is not None:
                raise ObstacleError(f"the last iteration leaves '{symbol.name}' behind", outside)
        ahead = None
        kept = {m for one in sums.values() for m in one.mentions}
        if any(m not in kept for s in sums for m in mentions(sema, loop.stmt, s)):
            ahead = _Ahead(region, loop, sums, found).statement()
        carried = tuple(Carried(s, s.type, one.operator, s in self.region.memory) for s, one in sums.items())
        return BlockLoop(loop, head, body, ahead, carried)

    def _sums(self, loop: c_ast.For) -> dict[Entity, _Sum]:
        """The variables that take sums of integers and the like from one iteration to the next."""
        sema, inside = self.sema, {*locals_of(self.sema, loop)}
        found: dict[Entity, _Sum] = {}
        changed, taken = assignments(sema, loop.stmt), assignments(sema, self.body).address_taken
        for symbol, place in changed.symbols.items():
            shared = symbol in self.region.memory
            if symbol in inside or (shared and not is_arithmetic(strip(symbol.type))):
                continue
            if not shared and symbol not in taken and is_written_first(sema, loop.stmt, symbol):
                continue
            why = f"'{symbol.name}' takes a value from one iteration to another"
            kind = strip(symbol.type)
            plain = is_integer(kind) and sizeof(kind) in (4, 8) and not {"volatile", "_Atomic"} & set(symbol.type.quals)
            if not plain or symbol in taken:
                raise ObstacleError(f"{why}, and is no plain integer of 4 or 8 bytes", place)
            one = next((s for o in _OPERATORS if (s := _sum(sema, loop, symbol, o)) is not None), None)
            if one is None:
                raise ObstacleError(f"{why}, and not by a sum, or an operation like it", place)
            found[symbol] = one
        return found


@dataclass(frozen=True)
class _Sum:
    """How a loop combines a variable with values: ``updates`` are the statements, with their ``mentions`` of it."""

    operator: str
    updates: frozenset[c_ast.Node]
    mentions: frozenset[c_ast.Node]


def _sum(sema: Sema, loop: c_ast.For, symbol: Entity, operator: str) -> _Sum | None:
    updates = updates_of(sema, loop.stmt, Reduction(symbol, operator, symbol.type, symbol.type))
    used = {use for uses in updates.values() for use in uses}
    for node in walk(loop):
        is_step = isinstance(node, c_ast.UnaryOp) and node.op in _STEPS
        target = node.lvalue if isinstance(node, c_ast.Assignment) else node.expr if is_step else None
        if isinstance(target, c_ast.ID) and sema.symbol(target) is symbol and target not in used:
            return None
    return _Sum(operator, frozenset(updates), frozenset(used)) if updates else None


class _Ahead:
    """The part of an iteration that computes what it adds to sums."""

    def __init__(self, region: Surroundings, loop: c_ast.For, sums: Mapping[Entity, _Sum], found: Accesses) -> None:
        self.sema, self.memory, self.loop, self.sums, self.found = region.sema, region.memory, loop, sums, found
        self.updates = {node for one in sums.values() for node in one.updates}
        self.kept = {m for one in sums.values() for m in one.mentions}
        self.needed: set[Entity] = set()

    def statement(self) -> c_ast.Node:
        own = {*locals_of(self.sema, self.loop), *assignments(self.sema, self.loop.stmt).symbols}
        own -= {*self.sums, *self.memory}
        while True:
            part = self._part(self.loop.stmt)
            assert part is not None
            nodes = {*walk(part)}
            mentioned = {self.sema.symbol(n) for n in nodes if isinstance(n, c_ast.ID)}
            more = {s for s in mentioned if s in own} - self.needed
            if not more:
                break
            self.needed |= {s for s in more if s is not None}
        self._check(nodes)
        return part

    def _check(self, nodes: Collection[c_ast.Node]) -> None:
        for taken, place in assignments(self.sema, self.loop).address_taken.items():
            if taken in self.needed:
                raise ObstacleError(f"what is added depends on '{taken.name}', whose address is taken", place)
        for node in nodes:
            if isinstance(node, c_ast.ID) and self.sema.symbol(node) in self.sums and node not in self.kept:
                raise ObstacleError(f"what is added depends on '{node.name}'", node)
        written = [a for a in self.found.items if a.writes]
        for access in self.found.items:
            if access.node not in nodes:
                continue
            if access.writes:
                raise ObstacleError(f"what is added is computed with writes to '{access.root.name}'", access.node)
            for write in written:
                ahead = access.position < write.position and access.loops == write.loops == (self.loop,)
                if write.root is access.root and not ahead:
                    why = f"what is added is read from '{access.root.name}' after the iteration writes it"
                    raise ObstacleError(why, access.node)

    def _part(self, node: c_ast.Node | None) -> c_ast.Node | None:
        """The statement without what sums do not need, or None if nothing of it is needed."""
        if node is None or node in self.updates:
            return node
        match node:
            case c_ast.Compound():
                items = [part for item in node.block_items or () if (part := self._part(item)) is not None]
                return c_ast.Compound(items, node.coord) if items else None
            case c_ast.If() if not self._changes(node.cond):
                yes, no = self._part(node.iftrue), self._part(node.iffalse)
                if yes is None and no is None:
                    return None
                return c_ast.If(node.cond, yes or c_ast.EmptyStatement(node.coord), no, node.coord)
            case c_ast.For() if not any(self._changes(p) for p in (node.init, node.cond, node.next) if p is not None):
                inner = self._part(node.stmt)
                return c_ast.For(node.init, node.cond, node.next, inner, node.coord) if inner is not None else None
        whole = self._changes(node) or any(part in self.updates for part in walk(node))
        return node if whole else None

    def _changes(self, node: c_ast.Node) -> bool:
        """Whether a part changes or declares a variable that sums need."""
        changed = {*assignments(self.sema, node).symbols, *locals_of(self.sema, node)}
        return not changed.isdisjoint(self.needed)
