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

from collections.abc import Callable, Collection, Mapping, Sequence

from ..base.exhaustive import assert_never
from ..base.records import dataclass, replace
from ..plan.constructs import Code, Entity
from ..plan.optimised import BlockKernel, BlockLoop, Carried, TeamSteps
from ..tree import nodes as tree
from ..tree.flow import is_written_first
from ..tree.symbols import Storage, Variable
from ..tree.types import Complex, Floating, Integer, Pointer
from ..tree.updates import Combining, statements
from .accesses import Accesses
from .changes import changes_of, mentions
from .collapse import check_calls, independent_loop, is_for
from .obstacle import Obstacle, ObstacleError
from .side import Text
from .surroundings import Region, as_written, in_both

_LEAST = 16  # iterations for which a block is worth while
_OPERATORS = ("rex_add", "rex_mul", "rex_band", "rex_bor", "rex_bxor", "rex_min", "rex_max")
_NUMBERS = (Integer, Floating, Complex)
_JUMPS = (tree.Break, tree.Continue, tree.Goto, tree.Target, tree.Return, tree.Switch, tree.Case)
_UNCOUNTED = "a loop does not count its iterations beforehand"


@dataclass(frozen=True)
class Blocked:
    """How a block runs a region, and the ``bodies`` of each of its loops: one for each instantiation of a template."""

    kernel: BlockKernel
    bodies: tuple[tuple[tree.Statement, ...], ...]

    def with_(self, other: Blocked) -> Blocked:
        """What holds for two instantiations. Raises ObstacleError if one text does not serve both."""
        one, two = ([replace(loop, head=as_written(loop.head)) for loop in b.kernel.loops] for b in (self, other))
        mine, others = self.kernel.steps, other.kernel.steps
        if one != two or mine.guarded != others.guarded:
            raise ObstacleError(Obstacle.DIFFER)
        pairs = zip(self.kernel.loops, other.kernel.loops, strict=True)
        loops = tuple(replace(loop, head=in_both(loop.head, same.head)) for loop, same in pairs)
        steps = replace(mine, barriers=mine.barriers | others.barriers, ends=mine.ends | others.ends)
        bodies = tuple(a + b for a, b in zip(self.bodies, other.bodies, strict=True))
        return Blocked(BlockKernel(loops, steps), bodies)


def in_block(
    around: Callable[[Collection[Entity]], Region], text: Text, body: tree.Statement, copied: Collection[Entity]
) -> Blocked:
    """How a block runs a region. ``around`` says what is known where threads have some variables of their own, and
    ``copied`` are the captured variables of which every thread has a copy.

    Raises ObstacleError if it should not.
    """
    walker = _Walker(around, text, body, copied)
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
    return Blocked(BlockKernel(tuple(walker.loops), steps), tuple((one,) for one in walker.bodies))


class _Walker:
    """Walks through the region in program order. Raises ObstacleError."""

    def __init__(
        self,
        around: Callable[[Collection[Entity]], Region],
        text: Text,
        body: tree.Statement,
        copied: Collection[Entity],
    ) -> None:
        self.around, self.text, self.body = around, text, body
        self.changes = changes_of(body)
        self.own = frozenset(v.entity for v in self.changes.declared if v.entity is not None)
        self.region = around(self.own)
        self.loops: list[BlockLoop] = []
        self.bodies: list[tree.Statement] = []
        self.barriers: set[Code] = set()
        self.ends: set[Code] = set()
        self.guarded: set[Code] = set()
        self._touched = False  # whether a thread may have accessed memory since all waited for each other
        for node in tree.walk(body):
            if isinstance(node, tree.Construct):
                raise ObstacleError("the body has constructs of its own", node)
            if isinstance(node, tree.StatementValue):
                raise ObstacleError(Obstacle.IN_EXPRESSION, node)
            if isinstance(node, tree.Ending) or (isinstance(node, tree.Declare) and node.end is not None):
                raise ObstacleError("an object whose end acts", node)
        check_calls(self.region, body)
        found = self.region.accesses(body).items
        self._accessing = {access.node for access in found}
        self._writing = {access.node for access in found if access.writes}
        self._check_own(copied)

    def _check_own(self, copied: Collection[Entity]) -> None:
        """Refuse variables outside of loops' iterations of which threads cannot simply have a copy each."""
        behind = changes_of(self.body, self.region.calls).variables
        references = {v: n for v, n in behind.items() if isinstance(v.type, Pointer) and v.type.reference}
        for variable, place in {**references, **self.changes.variables}.items():
            if variable in self.changes.declared or variable.entity in self.region.memory:
                continue
            if variable in self.changes.lent:
                raise ObstacleError(f"the address of '{variable.name}' is taken", place)
            if variable in references or variable.entity not in copied:
                raise ObstacleError(f"'{variable.name}' is changed", place)

    # -- what all threads run ---------------------------------------------------------------------------------------

    def statement(self, node: tree.Statement) -> None:
        match node:
            case tree.Block():
                for item in node.statements:
                    self.statement(item)
            case tree.If():
                self._together(node, node.condition)
                self.statement(node.then)
                if node.otherwise is not None:
                    self.statement(node.otherwise)
            case tree.Loop():
                self._loop(node)
            case tree.Declare() | tree.Evaluate():
                if not self._writes(node):
                    self._together(node, node)
                    return
                changes = changes_of(node)
                own = {v for v in (*changes.variables, *changes.declared) if v.entity not in self.region.memory}
                if own:
                    named = max(v.name for v in own)  # a temporary object has no name
                    other = f"'{named}'" if named else "a temporary object"
                    raise ObstacleError(f"a statement changes memory and {other}", node, "write two statements")
                self._wait(node)
                self._mark(self.guarded, node)
                self._touched = True
            case (
                tree.Switch() | tree.Case() | tree.Target() | tree.Goto() | tree.Break() | tree.Continue()
                | tree.Return() | tree.Construct() | tree.Opaque()
            ):  # fmt: skip
                raise ObstacleError(Obstacle.JUMPS, node)
            case _:
                assert_never(node)

    def _together(self, statement: tree.Statement, *parts: tree.Node | None) -> None:
        """Parts of a statement that every thread evaluates, with the same result."""
        for part in parts:
            if part is None:
                continue
            if self._writes(part):
                raise ObstacleError("a condition writes memory", part)
            changes = changes_of(part)
            for variable in (*changes.variables, *changes.declared):
                kind, lives = variable.type, variable.storage in (Storage.LOCAL, Storage.PARAMETER)
                plain = isinstance(kind, (*_NUMBERS, Pointer)) and not kind.volatile and not kind.atomic and lives
                if not plain or variable in self.changes.lent:
                    raise ObstacleError(f"'{variable.name}' is more than a plain variable", part)
            if any(one in self._accessing for one in tree.walk(part)):
                self._wait(statement)
                self._touched = True

    def _wait(self, statement: tree.Statement) -> None:
        """Let the threads wait in front of a statement if one of them may have accessed memory."""
        if self._touched:
            self._mark(self.barriers, statement)

    def _mark(self, marked: set[Code], statement: tree.Statement) -> None:
        code = self.text.code(statement)
        if code is None:
            raise ObstacleError("a statement that has no text of its own", statement)
        marked.add(code)

    def _writes(self, node: tree.Node) -> bool:
        return any(part in self._writing for part in tree.walk(node))

    def _loop(self, node: tree.Loop) -> None:
        problem: ObstacleError | None = None
        if is_for(node):
            try:
                self.loops.append(self._block_loop(node))
            except ObstacleError as first:
                problem = first
            else:
                self.bodies.append(node.body)
                self._wait(node)
                self._touched = True
                return
        inside = [*tree.walk(node.body)]
        inner = any(isinstance(part, tree.Loop) and is_for(part) for part in inside)
        if not inner or any(isinstance(part, _JUMPS) for part in inside):
            raise problem or ObstacleError(_UNCOUNTED, node)
        # One thread's loop around loops of the block: all come to each iteration together.
        self._touched = True
        before = len(self.loops)
        try:
            self._together(node, node.start, node.condition, node.step)
            self.statement(node.body)
        except ObstacleError:
            raise problem or ObstacleError(_UNCOUNTED, node) from None
        if len(self.loops) == before:
            raise problem or ObstacleError(_UNCOUNTED, node)
        self._mark(self.ends, node)

    # -- what they share out ----------------------------------------------------------------------------------------

    def _block_loop(self, loop: tree.Loop) -> BlockLoop:
        for node in tree.walk(loop.body):
            if isinstance(node, _JUMPS):
                raise ObstacleError(Obstacle.JUMPS, node)
        sums = self._sums(loop)
        memory = self.region.memory
        carried = [Carried(s.of, s.of.type, s.operator, s.of in memory) for s in sums.values()]
        names = frozenset(one.symbol for one in carried)
        region = replace(self.around(self.own | names), carried=names)
        found = independent_loop(region, loop)
        head, (cover,) = found.inner[0], found.covers
        if cover.guards or cover.moves is not None:
            raise ObstacleError(f"the bounds of the loop over '{head.symbol.name}' are not simple", loop)
        if head.trips is not None and head.trips < _LEAST:
            raise ObstacleError(f"the loop over '{head.symbol.name}' has few iterations", loop)
        if not head.declared and (head.symbol in region.memory or head.symbol not in region.own):
            raise ObstacleError(f"the loop variable '{head.symbol.name}' is in memory", loop)
        inside, nodes = changes_of(loop).declared, {*tree.walk(loop)}
        for variable in changes_of(loop.body).variables:
            if variable.entity in region.memory or variable in inside or variable in sums:
                continue
            outside = next((m for m in mentions(self.body, variable) if m not in nodes), None)
            if outside is not None:
                raise ObstacleError(f"the last iteration leaves '{variable.name}' behind", outside)
        kept, ahead = {m for one in sums.values() for m in one.mentions}, None
        if any(m not in kept for variable in sums for m in mentions(loop.body, variable)):
            left_out = _Ahead(region, loop, sums).left_out()
            ahead = self.text.without(loop.body, left_out)
            if ahead is None:
                raise ObstacleError("what is added is no text of its own", loop)
        code = self.text.loop(loop)
        return BlockLoop(code.loop, head, code.body, ahead, tuple(carried))

    def _sums(self, loop: tree.Loop) -> dict[Variable, _Sum]:
        """The variables that take sums of integers and the like from one iteration to the next."""
        inside, found = changes_of(loop).declared, dict[Variable, _Sum]()
        for variable, place in changes_of(loop.body).variables.items():
            shared, lent, kind = variable.entity in self.region.memory, variable in self.changes.lent, variable.type
            if variable in inside or (shared and not isinstance(kind, _NUMBERS)):
                continue
            if not shared and not lent and is_written_first(loop.body, variable):
                continue
            why = f"'{variable.name}' takes a value from one iteration to another"
            plain = isinstance(kind, Integer) and kind.size in (4, 8) and not kind.volatile and not kind.atomic
            if not plain or lent or variable.entity is None:
                raise ObstacleError(f"{why}, and is no plain integer of 4 or 8 bytes", place)
            sums = (self._sum(loop, variable, variable.entity, operator) for operator in _OPERATORS)
            one = next((one for one in sums if one is not None), None)
            if one is None:
                raise ObstacleError(f"{why}, and not by a sum, or an operation like it", place)
            found[variable] = one
        return found

    def _sum(self, loop: tree.Loop, variable: Variable, entity: Entity, operator: str) -> _Sum | None:
        combining = Combining(variable, operator, self.region.pure)
        updates = {one: own for one in statements(loop.body) if (own := combining.mentions(one))}
        used = frozenset(mention for own in updates.values() for mention in own)
        changing = (node.place for node in tree.walk(loop) if isinstance(node, tree.Store | tree.Update))
        changed = (p for p in changing if isinstance(p, tree.Named) and p.variable is variable)
        return _Sum(entity, operator, frozenset(updates), used) if updates and used.issuperset(changed) else None


@dataclass(frozen=True)
class _Sum:
    """How a loop combines a variable with values: ``updates`` are the statements, with their ``mentions`` of it."""

    of: Entity
    operator: str
    updates: frozenset[tree.Statement]
    mentions: frozenset[tree.Named]


class _Ahead:
    """The part of an iteration that computes what it adds to sums."""

    def __init__(self, region: Region, loop: tree.Loop, sums: Mapping[Variable, _Sum]) -> None:
        self.loop, self.sums, self.found = loop, sums, region.accesses(loop)
        self.updates = {node for one in sums.values() for node in one.updates}
        self.kept = {m for one in sums.values() for m in one.mentions}
        self.needed: set[Variable] = set()
        self.changes = changes_of(loop)
        own = {*self.changes.declared, *changes_of(loop.body).variables}
        self.own = {v for v in own if v not in sums and v.entity not in region.memory}

    def left_out(self) -> list[tree.Statement]:
        """The statements that it does not need."""
        while True:
            parts: list[tree.Node] = []
            left_out: list[tree.Statement] = []
            self._part(self.loop.body, parts, left_out)
            nodes = {node for part in parts for node in tree.walk(part)}
            mentioned = {node.variable for node in nodes if isinstance(node, tree.Named)}
            more = (mentioned & self.own) - self.needed
            if not more:
                break
            self.needed |= more
        self._check(nodes, self.found)
        return left_out

    def _check(self, nodes: Collection[tree.Node], found: Accesses) -> None:
        for taken, place in self.changes.lent.items():
            if taken in self.needed:
                raise ObstacleError(f"what is added depends on '{taken.name}', whose address is taken", place)
        for node in nodes:
            if isinstance(node, tree.Named) and node.variable in self.sums and node not in self.kept:
                raise ObstacleError(f"what is added depends on '{node.variable.name}'", node)
        written = [access for access in found.items if access.writes]
        for access in found.items:
            if access.node not in nodes:
                continue
            if access.writes:
                raise ObstacleError(f"what is added is computed with writes to '{access.root.name}'", access.node)
            for write in written:
                ahead = access.position < write.position and access.loops == write.loops == (self.loop,)
                if write.root is access.root and not ahead:
                    why = f"what is added is read from '{access.root.name}' after the iteration writes it"
                    raise ObstacleError(why, access.node)

    def _part(self, node: tree.Statement | None, parts: list[tree.Node], left_out: list[tree.Statement]) -> bool:
        """Add what sums need of a statement to ``parts``, and what they do not need of it to ``left_out``, which is the
        whole statement if they need nothing. Whether they need anything."""
        if node is None:
            return False
        inner, around = self._inside(node)
        inside: list[tree.Statement] = []
        if inner and node not in self.updates and not any(map(self._changes, around)):
            needs = [self._part(one, parts, inside) for one in inner]  # all of them
            needed = any(needs)
            parts += around if needed else ()
        else:
            needed = node in self.updates or self._changes(node) or any(n in self.updates for n in tree.walk(node))
            parts += (node,) if needed else ()
        left_out += inside if needed else (node,)
        return needed

    @staticmethod
    def _inside(node: tree.Statement) -> tuple[Sequence[tree.Statement | None], list[tree.Node]]:
        """(the statements in one that may be left out by themselves, what stands around them)"""
        match node:
            case tree.Block():
                return node.statements, []
            case tree.If():
                return (node.then, node.otherwise), [node.condition]
            case tree.Loop() if is_for(node):
                return (node.body,), [part for part in (node.start, node.condition, node.step) if part is not None]
        return (), []

    def _changes(self, node: tree.Node) -> bool:
        """Whether a part changes or declares a variable that sums need."""
        changes = changes_of(node)
        return not self.needed.isdisjoint((*changes.variables, *changes.declared))
