"""What a target region is: which questions are asked about it, in which order, for both languages."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property, partial
from typing import Any, Generic, TypeVar

from ..base.diagnostics import SourceSpan
from ..base.records import dataclass
from ..directives.model import Directive, Expr
from ..directives.parser import check_lowered
from ..plan import launch_policy
from ..plan.constructs import Entity, LoopNest, Schedule, Sharing, TeamMemory
from ..plan.host_expression import HostExpression
from ..plan.launch import LaunchShape, TripCounts
from ..plan.optimised import Optimised
from ..plan.rows import Capture, DataMapping, Role
from ..plan.unit import Instances, KernelKind, TargetRegion
from ..tree import nodes as tree
from . import queries
from .allocators import declared_allocators
from .captures import Captures
from .host_bounds import HostView
from .host_version import HostRegion, host_version
from .launch import LOOP_LEAVES, condition, device_of, expression, is_limited, kind_of, launch_of
from .mapping import Mapper
from .program import C, of_region, of_target, without
from .reductions import only_used
from .restrictions import check_default_none, check_one_clause_each
from .schedules import schedule_of_region
from .tasks import task_of

# Constructs that do not depend on which thread of a block runs them.
_ANYWHERE = frozenset({"atomic", "critical", "simd", "flush", "nothing", "assume", "error"})


def runs_anywhere(directive: Directive) -> bool:
    """Whether it does not matter to a construct how the threads of a block are numbered."""
    return _ANYWHERE.issuperset(directive.constructs)


@dataclass(frozen=True)
class Planned:
    """A region as far as it is planned.

    ``places`` is true if its body can tell which thread runs it, ``constructs`` if the body of its loops has constructs
    for which the device library numbers a block's threads in one dimension. ``loaded`` are pointers that the kernel
    loads from mapped structures, with the rows of the sections behind them. ``follow`` makes such a capture of a
    pointer without a section, where that is possible.
    """

    kind: KernelKind
    nest: LoopNest | None
    schedule: Schedule | None
    sharing: Sharing
    captures: Sequence[Capture]
    mapping: DataMapping
    launch: LaunchShape
    places: bool
    constructs: bool
    loaded: Sequence[Capture]
    follow: Callable[[Entity, tuple[str, ...]], Capture | None]

    @property
    def all_captures(self) -> Sequence[Capture]:
        """The captures, and the pointers that the kernel loads."""
        return (*self.captures, *self.loaded)

    @property
    def waits(self) -> bool:
        """Whether threads wait for each other inside the kernel, and see then what others have written."""
        return self.kind in (KernelKind.TEAMS, KernelKind.PARALLEL)

    @property
    def is_nest(self) -> bool:
        """Whether the kernel is a loop nest."""
        return self.kind is KernelKind.WORKSHARING and self.nest is not None

    @property
    def chunks(self) -> bool:
        """Whether a scheduler distributes the iterations in chunks."""
        return self.schedule is None or self.schedule.chunked

    @property
    def several(self) -> bool:
        """Whether several loops share the grid."""
        return self.nest is not None and len(self.nest.levels) > 1

    @property
    def fixed_order(self) -> bool:
        """Whether its reductions are combined in the same order in every run."""
        return bool(self.sharing.reductions) and self.mapping.parameter(Role.PARTIALS) is not None


@dataclass(frozen=True)
class Reached:
    """What a kernel's code, with all that it reaches, asks of OpenMP, and the functions that it calls.

    ``inside`` are the directives in these functions. There are ``regions`` if one thread of a team calls functions with
    parallel regions, which all of its threads run.
    """

    asked: queries.Asked
    calls: bool
    inside: Sequence[Directive]
    regions: bool = False


@dataclass(frozen=True)
class Variables:
    """The copies and the loops of a region, which are decided first.

    ``sharing`` are the copies that its threads make, ``of_target`` those that only its ``target`` makes, and ``nest``
    its loops, whose variables are ``counted``. ``heads`` is what the front end knows of the loops' heads besides.
    """

    sharing: Sharing
    of_target: frozenset[Entity]
    nest: LoopNest | None = None
    counted: frozenset[Entity] = frozenset()
    heads: Any = None


K = TypeVar("K", bound=Captures[Any])


class Region(HostRegion[C], Generic[C, K]):
    """A target region, of which ``decide`` makes the plan's.

    It is in the function ``named``, and from ``start`` to ``end`` in the text. ``stem`` makes the names of its kernels
    unique. Its ``variables`` are decided first, then its ``kind``, then the captures ``found``. Each is decided once,
    when it is asked for, and what the front end is asked later may use it.
    """

    named: str
    stem: str
    start: int
    body_start: int
    end: int
    template: Instances | None = None  # that it is in
    in_fixed_order = False  # reductions are combined in the same order in every run

    # -- what the front end says ------------------------------------------------------------------------------------

    @abstractmethod
    def check(self) -> None:
        """Raise InputError for what device code of the language may not do."""

    @property
    @abstractmethod
    def trees(self) -> Iterable[tree.Node]:
        """The whole of it, in each instantiation."""

    @abstractmethod
    def span_of(self, origin: Any) -> SourceSpan:
        """The place of what a tree is made of."""

    @abstractmethod
    def value_of(self, expr: Expr) -> HostExpression:
        """The host's value of a clause's expression."""

    def most_of(self, expr: Expr) -> int | None:
        """The most that a clause's expression is in the instantiations, if it is a constant in each."""
        return self.constant(expr)

    @abstractmethod
    def host_view(self) -> HostView:
        """What the host sees of its variables, once they are captured."""

    @abstractmethod
    def reached(self) -> Reached: ...

    @abstractmethod
    def captured(self) -> K: ...

    @abstractmethod
    def optimise(self, region: Planned) -> tuple[Optimised, Any]:
        """(what makes its kernel faster, why it is not known what memory the kernel accesses, or None)"""

    @abstractmethod
    def team_memory(self) -> TeamMemory: ...

    def loops(self, sharing: Sharing) -> tuple[LoopNest, Any]:
        """(the loops of its chain, which makes the copies of ``sharing``; what else is known of their heads)"""
        return self.program.nest(self.chain, sharing), None

    def add_rows(self, mapper: Mapper, reached: Reached) -> None:
        """Add rows for what only kernels of this language ask for."""

    # -- the questions ----------------------------------------------------------------------------------------------

    @cached_property
    def variables(self) -> Variables:
        """Which copies the region makes, and its loops. Raises InputError."""
        target_copies = of_target(self.program, self.chain)
        _, said = self.program.chain(self.construct)
        sharing = without(only_used(self.program, said, self.chain[-1]), target_copies)
        found = Variables(sharing, target_copies)
        if not LOOP_LEAVES.isdisjoint(self.leaves):
            nest, heads = self.loops(sharing)
            counted = frozenset(level.symbol for level in (*nest.levels, *nest.inner))
            found = Variables(of_region(sharing, nest, self.directives), target_copies, nest, counted, heads)
        check_default_none(self.program, self.chain, lambda: self.trees, found.counted, self.span_of)
        return found

    @property
    def sharing(self) -> Sharing:
        return self.variables.sharing

    @property
    def nest(self) -> LoopNest | None:
        return self.variables.nest

    @cached_property
    def _reached(self) -> Reached:
        return self.reached()

    @cached_property
    def _kind(self) -> tuple[KernelKind, str]:
        nested = self._has_regions or self._reached.regions
        return kind_of(self.directives, self.sharing, self._reached.inside, nested=nested)

    @property
    def kind(self) -> KernelKind:
        return self._kind[0]

    @cached_property
    def found(self) -> K:
        return self.captured()

    def decide(self, index: int) -> tuple[TargetRegion, Any]:
        """(the region, about which everything is decided; why it is not known what memory its kernel accesses, or None)

        ``index`` is its number in the unit, from 1. Raises InputError."""
        for inner in self.chain[1:]:
            self.program.check_allowed(inner)
            check_lowered(inner.directive)
        self.check()
        allocators = declared_allocators(self.program, self.construct)
        check_one_clause_each(self.program, self.construct)
        variables, reached, first = self.variables, self._reached, self.directive
        asked, (kind, reason) = reached.asked, self._kind
        schedule, chunked = self._schedule(asked.observes_place)
        found = self.found
        shape, exact = self._launch(reached, by_place=asked.observes_place or chunked)
        self._ask(found.mapper, reached, shape=exact)
        optimised, shape, unknown = self._optimised(shape, schedule, asked.observes_place)
        everywhere = (*self.directives, *self._inside, *reached.inside)
        used = [capture.symbol for capture in found.captures if capture.of is None]
        asks_if = condition(first.clauses, "target")
        plan = TargetRegion(
            index=index,
            span=first.span,
            directive=" ".join(self.leaves),
            function=self.named,
            kernel=f"OUT__{index}__{self.stem}__{first.span.line}__kernel__",
            identity=f"OUT__{index}__{self.stem}__{first.span.line}__id__",
            kind=kind,
            reason=reason,
            body=self.body,
            changed=found.changed,
            changed_copies=found.changed_copies,
            nest=variables.nest,
            schedule=schedule,
            sharing=variables.sharing,
            mapping=found.mapper.finish(),
            captures=tuple(found.captures),
            extents=tuple(found.extents),
            team_memory=self.team_memory(),
            launch=shape,
            level=1 if "parallel" in self.leaves else 0,
            places=asked.observes_place,
            calls=reached.calls or asked.elsewhere,
            calls_other_units=asked.elsewhere,
            asks_settings=self._has_regions or asked.may(queries.SETTINGS),
            makes_settings=asked.may(queries.RECORDED),
            device=device_of(first.clauses, self.value_of),
            condition=self.value(asks_if) if asks_if is not None else None,
            allocators=allocators,
            task=task_of(first, found.mapper, used, found.by_value, [one.name for one in allocators]),
            start=self.start,
            body_start=self.body_start,
            end=self.end,
            host=host_version(self, found.by_value),
            optimised=optimised,
            counts_threads=asked.may(queries.THREADS) and is_limited(everywhere),
            asked_threads=expression(self.clauses, "num_threads") is not None,
            instances=self.template,
        )
        return plan, unknown

    @property
    def _inside(self) -> Sequence[Directive]:
        return [part.directive for part in self.inside]

    @property
    def _has_regions(self) -> bool:
        return any("parallel" in directive.constructs for directive in self._inside)

    def _schedule(self, observed: bool) -> tuple[Schedule | None, bool]:
        """(who runs which iteration, whether that depends on the exact launch shape)"""
        if self.nest is None:
            return None, False
        code = partial(self.program.code, self.construct)
        return schedule_of_region(
            self.kind, self.leaves, self.clauses, self.sharing, code, lambda chunk: self.most_of(chunk) == 1,
            observed=observed,
        )  # fmt: skip

    def _launch(self, reached: Reached, *, by_place: bool) -> tuple[LaunchShape, bool]:
        """(how many teams and threads it is launched with, whether the kernel has to know that)"""
        counts, nest = TripCounts(), self.nest
        if nest is not None and self.kind is not KernelKind.SERIAL:
            counts = self.host_view().trip_counts(nest.levels)
        calls_regions = any("parallel" in directive.constructs for directive in reached.inside)
        return launch_of(
            self.directives, self.kind, counts, self.value_of, self.most_of, None if calls_regions else self._inside,
            self._known, by_place=by_place, reduces=bool(self.sharing.reductions), depth=self._depth,
        )  # fmt: skip

    @property
    def _depth(self) -> int:
        """How many loops are nested inside its own ones."""
        levels, deepest = len(self.nest.levels) if self.nest is not None else 0, 0
        stack = [(whole, 0) for whole in self.trees] if levels else []
        while stack:
            node, around = stack.pop()
            around += isinstance(node, tree.Loop)
            deepest = max(deepest, around)
            stack += [(child, around) for child in tree.children(node)]
        return max(0, deepest - levels)

    def _known(self, asked: Collection[Expr]) -> bool:
        """Whether the host knows what expressions in clauses of constructs inside are."""
        wanted = {expr.text for expr in asked}
        inside = (n for whole in self.trees for n in tree.walk(whole) if isinstance(n, tree.Construct))
        values = [(expr.text, value) for n in inside for expr, value in n.expressions if expr.text in wanted]
        return {text for text, _ in values} == wanted and self.host_view().knows(value for _, value in values)

    def _ask(self, mapper: Mapper, reached: Reached, *, shape: bool) -> None:
        """Add parameters for what the kernel asks for, with ``shape`` the launch shape, too."""
        mapper.answers(reached.asked, shape=shape)
        self.add_rows(mapper, reached)
        reductions = self.sharing.reductions
        gathers = any(r.reads_original for r in reductions) or (self.in_fixed_order and bool(reductions))
        if gathers and (self.kind is not KernelKind.PARALLEL or "teams" in self.leaves):
            mapper.partials()

    def _optimised(
        self, shape: LaunchShape, schedule: Schedule | None, places: bool
    ) -> tuple[Optimised, LaunchShape, Any]:
        """(what makes the kernel faster, the launch shape for that, why its memory is not known, or None). A kernel of
        tiles gets a parameter for their shape."""
        captures, mapper, constructs = self.found.captures, self.found.mapper, not all(map(runs_anywhere, self._inside))
        optimised, unknown = self.optimise(
            Planned(
                self.kind, self.nest, schedule, self.sharing, captures, mapper.finish(), shape, places, constructs,
                self.found.loaded, self.found.followed,
            )
        )
        for capture in optimised.expected:
            self.found.expect(capture)
        if optimised.batched:
            shape = launch_policy.for_batches(shape)
        elif optimised.moved and not places:
            shape = launch_policy.for_light(shape, optimised.moved)
        collapsed = optimised.collapsed.optimised.direct if optimised.collapsed is not None else None
        if any(direct is not None and direct.tiles for direct in (optimised.direct, collapsed)):
            mapper.word(Role.TILING, "shape of the tiles")
        return optimised, shape, unknown
