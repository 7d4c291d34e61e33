"""Decides everything about a target region."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..base.records import dataclass
from ..directives.model import Expr
from ..openmp import chains, queries
from ..openmp.conditions import expression
from ..openmp.kinds import LOOP_LEAVES, kind_of
from ..openmp.launch import is_limited, launch_of
from ..openmp.restrictions import check_default_none, check_one_clause_each
from ..openmp.schedules import schedule_of_region
from ..optimise.obstacle import ObstacleError
from ..optimise.planned import Planned, runs_anywhere
from ..plan.captures import Capture, Transport
from ..plan.code import Entity
from ..plan.launch import TripCounts
from ..plan.loops import LoopNest, Schedule
from ..plan.region import Instances, KernelKind, TargetRegion
from ..plan.rows import Role
from ..plan.sharing import Sharing
from .accesses import accesses_of
from .captures import Captures, List
from .clauses import check, condition_of, device_of
from .closures import Closure, Pointed
from .code import Construct, Text, Variable
from .facts import RegionFacts, called_in
from .functions import THROWS, Function
from .host_bounds import host_bounds
from .host_objects import check_host_objects
from .host_version import host_version_of
from .launch import trip_counts
from .loops import canonical_nest, collapse_of
from .optimise import optimise
from .queries import reached_by
from .reference_members import check_reference_members
from .restrictions import check_restrictions
from .tasks import task_of
from .team_functions import TeamFunctions
from .team_memory import team_memory_of
from .templates import Instance, Surroundings
from .unit import Unit

_TYPE_OF = regex(r"decltype|typeof")


@dataclass(frozen=True)
class Decided:
    """A region of the plan, with the directives that belong to it. If it is not known what memory it accesses, there
    is a reason for that."""

    region: TargetRegion
    chain: tuple[Construct, ...]
    function: Function
    local: tuple[Variable, ...]  # constants and types of the function around it that it names
    unknown: ObstacleError | None
    around: Surroundings | None = None  # if the function is a member or a template
    instances: tuple[Instance, ...] = ()
    pointed: tuple[Pointed, ...] = ()
    lists: tuple[List, ...] = ()

    def check_memory(self) -> None:
        """Raise ObstacleError, unless it is known what memory the kernel accesses."""
        if self.unknown is not None:
            raise self.unknown


def analyse_region(
    unit: Unit, construct: Construct, index: int, digest: str, closures: Sequence[Closure], teams: TeamFunctions
) -> Decided:
    """Decide everything about a region. ``index`` is its number in the unit, from 1. Raises InputError."""
    check(construct)
    function = unit.function_at(construct.start)
    if function is None:
        raise error_at(construct.directive.span, "this target region is in no function")
    for start, variable in function.mentions.local_types:
        if start <= construct.start < variable.end:
            what = f"a region in '{variable.name}', a class of a function, is not supported: declare it outside"
            raise error_at(construct.directive.span, what)
    friends = unit.friends.get(function.cursor.canonical.hash, ())
    inside = None if function.is_member else unit.scope_at(function.start)[1]
    templates = (unit.kinds.CLASS_TEMPLATE, unit.kinds.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION)
    is_own = inside is not None and inside.kind == unit.kinds.CLASS_TEMPLATE  # as a static method of it
    is_template = function.cursor.kind == unit.kinds.FUNCTION_TEMPLATE
    of_templates = [record for record in friends if record.kind in templates]
    others = of_templates if is_template or not is_own else [r for r in of_templates if r != inside]
    if (inside is not None and not friends) or others:
        what = "a region in a friend of a class template that is not defined in it, or a template, is not supported"
        raise error_at(construct.directive.span, what)
    return _analysed(RegionFacts(unit, construct, function), index, digest, closures, teams)


def _analysed(
    facts: RegionFacts, index: int, digest: str, closures: Sequence[Closure], teams: TeamFunctions
) -> Decided:
    unit, function = facts.unit, facts.function
    thrown = [(start, THROWS) for start, _ in function.mentions.thrown]
    for place, what in sorted([*function.mentions.odd, *thrown]):
        if facts.body.start <= place < facts.body.end:
            raise error_at(unit.span(place), f"device code {what}, which is not supported")
    for place, declared, name in sorted(function.mentions.bindings):
        if facts.body.start <= place < facts.body.end and not facts.body.start <= declared < facts.body.end:
            what = f"'{name}' is a structured binding, which a region cannot use: keep its value in a variable"
            raise error_at(unit.span(place), what)
    check_restrictions(facts)
    check_one_clause_each(facts.program, facts.construct)
    called = reached_by(unit, facts.text)
    functions = facts.calls.union(
        *(called_in(f, f.start, f.end) for f in called), *(called_in(c.function, c.body, c.end) for c in closures)
    )
    deeper = [construct for one in called for construct in _constructs_in(unit, one)]
    asked = queries.Asked(functions, bool(deeper), bool(unit.elsewhere and facts.calls))
    for part in facts.chain[1:]:
        check(part)
    of_target = chains.of_target(facts.program, facts.chain)
    sharing = chains.without(facts.program.sharing_of_chain(facts.chain), of_target)
    nest = bounds = None
    if not LOOP_LEAVES.isdisjoint(facts.leaves):
        depth = collapse_of(unit, *facts.chain)
        nest = canonical_nest(unit, function, facts.chain[-1], depth, sharing.private, on_host=True)
        bounds = host_bounds(facts, nest)
        nest = bounds.nest
        sharing = chains.of_region(sharing, nest, [part.directive for part in facts.chain])
    inner = [c for c in facts.inside if c.start >= (nest.body.start if nest is not None else 0)]  # type: ignore[attr-defined]
    has_regions = any("parallel" in c.directive.constructs for c in inner) or teams.are_called_in(unit, facts.construct)
    levels = (*nest.levels, *nest.inner) if nest is not None else ()
    counted = [lv.symbol for lv in levels if isinstance(lv.symbol, Variable)]
    check_default_none(
        facts.program, facts.chain, lambda: facts.trees, counted, lambda cursor: unit.span(unit.extent(cursor)[0])
    )
    kind, reason = kind_of([part.directive for part in facts.chain], sharing, nested=has_regions)
    places = asked.observes_place
    schedule, chunked = _schedule(facts, kind, nest, sharing, places)
    accesses = accesses_of(facts, facts.changed)
    found = Captures(facts, sharing, of_target, bounds, closures, kind, accesses)
    mapper, captures = found.mapper, found.captures
    check_reference_members(facts, captures)
    check_host_objects(facts)
    if found.pointed and kind in (KernelKind.TEAMS, KernelKind.PARALLEL):
        name = found.pointed[0].variable.name
        what = f"'{name}', a closure with pointers, in a region with parallel regions inside is not supported"
        raise error_at(facts.span, what)
    counts = TripCounts()
    if nest is not None and kind is not KernelKind.SERIAL:
        counts = trip_counts(facts, nest.levels, captures, mapper.finish())
    shape, exact = launch_of(
        [part.directive for part in facts.chain], kind, counts, facts.value_of, facts.most_of,
        None if deeper else [part.directive for part in facts.inside],
        by_place=places or chunked, reduces=bool(sharing.reductions), depth=0,
    )  # fmt: skip
    mapper.answers(asked, shape=exact)
    if any(r.reads_original for r in sharing.reductions) and facts.leaves != ("target", "parallel"):
        mapper.partials()
    constructs = not all(runs_anywhere(part.directive) for part in facts.inside)
    mapping = mapper.finish()
    planned = Planned(kind, nest, schedule, sharing, captures, mapping, shape, places, constructs)
    optimised, unknown = optimise(facts, planned)
    kernels = (optimised.direct, optimised.collapsed.optimised.direct if optimised.collapsed is not None else None)
    if any(kernel is not None and kernel.tiled for kernel in kernels):
        mapper.word(Role.TILING, "shape of the tiles")
    name = f"OUT__{index}__{digest}__{re.sub(r'[^0-9A-Za-z_]', '_', function.name)}__{facts.span.line}"
    region = TargetRegion(
        index=index,
        span=facts.span,
        directive=" ".join(facts.leaves),
        function=function.name,
        kernel=f"{name}__kernel__",
        identity=f"{name}__id__",
        kind=kind,
        reason=reason,
        body=facts.body,
        changed=frozenset(c.symbol for c in captures if not c.symbol.type.const),
        changed_copies=_silent_copies(facts, captures, sharing, set(counted)),
        nest=nest,
        schedule=schedule,
        sharing=sharing,
        mapping=mapper.finish(),
        captures=tuple(captures),
        extents=(),
        team_memory=team_memory_of(facts, kind, captures, sharing, counted),
        launch=shape,
        level=1 if "parallel" in facts.leaves else 0,
        places=places,
        calls=bool(facts.calls),
        calls_other_units=asked.elsewhere,
        asks_settings=has_regions or asked.may(queries.SETTINGS),
        makes_settings=asked.may(queries.RECORDED),
        device=device_of(facts.clauses),
        condition=condition_of(facts.construct.directive.clauses, "target"),
        allocators=(),
        task=task_of(unit, function, facts.construct, mapper, [c.symbol for c in captures], found.by_value),
        start=facts.construct.start,
        body_start=facts.construct.body_start,
        end=facts.construct.end,
        host=host_version_of(facts, captures, found.by_value),
        optimised=optimised,
        counts_threads=asked.may(queries.THREADS)
        and is_limited(part.directive for part in (*facts.chain, *facts.inside, *deeper)),
        asked_threads=expression(facts.clauses, "num_threads") is not None,
        instances=_plan_instances(facts),
    )
    local, pointed = tuple(found.local), tuple(found.pointed)
    lists = tuple(found.lists)
    instances = tuple(facts.instances)
    return Decided(region, tuple(facts.chain), function, local, unknown, facts.around, instances, pointed, lists)


def _silent_copies(
    facts: RegionFacts, captures: Sequence[Capture], sharing: Sharing, counted: set[Variable]
) -> frozenset[Entity]:
    """The variables that the region changes its own copies of, although no clause says that it has copies.

    The kernel's text has references to them, so there are none where the user asks for the type of an expression.
    """
    if any(c.name == "defaultmap" for c in facts.clauses) or _TYPE_OF.search(facts.text):
        return frozenset()
    copied = {c.symbol for c in captures if c.transport is Transport.LITERAL and c.reason == "implicit firstprivate"}
    return frozenset(v for v in facts.changed - counted - sharing.named if v in copied)


def _plan_instances(facts: RegionFacts) -> Instances | None:
    if facts.around is None or not facts.around.is_template:
        return None
    of_closures = any("rex_closure_" in instance.arguments for instance in facts.instances)
    own = facts.around.keys() if of_closures else facts.around.arguments(facts.around.parameters)
    return Instances(own, tuple(i.arguments for i in facts.instances), facts.around.scope)


def _schedule(
    facts: RegionFacts, kind: KernelKind, nest: LoopNest | None, sharing: Sharing, places: bool
) -> tuple[Schedule | None, bool]:
    if nest is None:
        return None, False

    def code(expr: Expr) -> Text:
        return Text(expr.text, facts.construct.start)

    def is_one(expr: Expr) -> bool:
        return expr.text == "1"

    return schedule_of_region(kind, facts.leaves, facts.clauses, sharing, code, is_one, observed=places)


def _constructs_in(unit: Unit, function: Function) -> Sequence[Construct]:
    ends = (bisect_left(unit.constructs, at, key=attrgetter("start")) for at in (function.body, function.end))
    return unit.constructs[slice(*ends)]  # they are in the order of the text
