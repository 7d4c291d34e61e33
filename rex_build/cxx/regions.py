"""Decides everything about a target region, and about data constructs."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..base.diagnostics import error_at
from ..directives.combined import host_spelling
from ..directives.model import Clause, DefaultmapClause, Directive, KeywordClause, ListClause, ReductionClause
from ..directives.parser import check_on_device, refuse_unsupported
from ..plan import launch_policy
from ..plan.captures import Capture, Transport
from ..plan.data import DataConstruct
from ..plan.host import HostCopy, HostVersion, PlacedForm
from ..plan.host_expression import Call, HostExpression, Number, SizeOf, Written
from ..plan.host_expression import Variable as HostVariable
from ..plan.launch import MAX_THREADS, LaunchShape, SerialLaunch, TripCounts
from ..plan.loops import LoopNest, Over, Schedule
from ..plan.memory import TeamMemory
from ..plan.optimised import DirectKernel, Optimisation, Optimised
from ..plan.region import Instances, KernelKind, TargetRegion
from ..plan.rows import (
    MAP_FROM,
    MAP_IMPLICIT,
    MAP_PRESENT,
    MAP_PRIVATE,
    MAP_RETURN_PARAM,
    MAP_TARGET_PARAM,
    MAP_TO,
    Adjustment,
    DataMapping,
    MapRow,
    Role,
    RowNote,
)
from .code import Construct, CxxType, Text, Variable
from .loops import canonical_nest, step_of, trip_count
from .mapping import Item, ListReader, Mapper, address, clause_items, grouped, update_rows, written
from .nested import LOOPS, chain_of, chunk_of, collapse_of, expression
from .sharing import listed, sharing_of
from .templates import Instance, Surroundings
from .unit import Function, Unit, identifiers_in

_FOLLOWS = frozenset(("teams", "distribute", "parallel", "for", "simd", "loop"))
_PLACES = re.compile(
    r"\bomp_(?:get_(?:thread_num|num_threads|team_num|num_teams|level|active_level|ancestor_thread_num|team_size"
    r"|thread_limit|max_threads)|in_parallel)\s*\("
)
_FACTS = re.compile(r"\bomp_get_(?:num_devices|device_num|num_procs|initial_device)\s*\(")
_SETTINGS = re.compile(
    r"\bomp_(?:set_\w+|get_(?:schedule|max_active_levels|dynamic|nested|teams_thread_limit|max_teams))\s*\("
)
_CALL = re.compile(r"\b\w+\s*\(")
_REFUSED = {
    "depend": "'depend'", "in_reduction": "'in_reduction'", "uses_allocators": "'uses_allocators'",
    "allocate": "'allocate'", "has_device_addr": "'has_device_addr'",
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Decided:
    """A region of the plan, with the directives that belong to it."""

    region: TargetRegion
    chain: tuple[Construct, ...]
    function: Function
    local: tuple[Variable, ...]  # constants and types of the function around it that it names
    around: Surroundings | None = None  # if the function is a member or a template
    instances: tuple[Instance, ...] = ()


def check(construct: Construct) -> None:
    """Raise InputError for a directive that cannot be lowered."""
    check_on_device(construct.directive)
    refuse_unsupported(construct.directive)
    for clause in construct.directive.clauses:
        if clause.name in _REFUSED:
            raise error_at(
                clause.span, f"{_REFUSED[clause.name]} on '{construct.directive.name}' is not supported in C++"
            )


def analyse_region(unit: Unit, construct: Construct, index: int, digest: str) -> Decided:
    """Decide everything about a region. ``index`` is its number in the unit, from 1. Raises InputError."""
    check(construct)
    function = unit.function_at(construct.start)
    if function is None:
        raise error_at(construct.directive.span, "this target region is in no function")
    return _Analyser(unit, construct, function).analyse(index, digest)


class _Analyser:
    def __init__(self, unit: Unit, construct: Construct, function: Function) -> None:
        self.unit = unit
        self.construct = construct
        self.function = function
        self.chain = chain_of(unit, construct, _FOLLOWS)
        self.leaves = tuple(leaf for part in self.chain for leaf in part.directive.constructs)
        self.clauses = [clause for part in self.chain for clause in part.directive.clauses]
        self.body = self.chain[-1].body
        self.inside = [c for c in unit.constructs if c.start >= self.body.start and c.end <= self.body.end]
        self.text = unit.text[self.body.start : self.body.end]
        self.reader = ListReader(unit, function, construct.start)
        self.span = construct.directive.span
        self.around: Surroundings | None = None
        self.instances: list[Instance] = []
        if function.is_member or function.is_template:
            self.around = Surroundings(unit, function)
            if self.around.is_template:
                self.instances = self.around.instances()
                for variable in {r.variable for r in function.references}:
                    variable.type = self.around.resolved(variable, self.instances)

    def analyse(self, index: int, digest: str) -> Decided:
        unit, function = self.unit, self.function
        for place, what in sorted(function.odd):
            if self.body.start <= place < self.body.end:
                raise error_at(unit.span(place), f"device code {what}, which is not supported")
        # What the functions that regions call ask counts for every region that calls any.
        called = [unit.text[f.body : f.end] for f in unit.reached] if _CALL.search(self.text) is not None else []
        whole = "\n".join([self.text, *called])
        if _SETTINGS.search(whole):
            raise error_at(self.span, "a region that asks for or changes settings of its task is not supported in C++")
        for part in self.chain[1:]:
            check(part)
        self.sharing = sharing_of(unit, function, self.chain)
        nest = None
        if not LOOPS.isdisjoint(self.leaves):
            nest = canonical_nest(unit, function, self.chain[-1], collapse_of(self.clauses))
        kind, reason = self._kind(nest)
        places = _PLACES.search(whole) is not None
        schedule, chunked = self._schedule(kind, nest)
        self.loop_variables = [lv.symbol for lv in nest.levels] if nest is not None else []
        mapper, captures, local = self._captures()
        team = self._team_memory(kind, captures)
        shape, exact = self._launch(kind, nest, captures, places or chunked)
        if exact:
            mapper.word(Role.LAUNCH_SHAPE, "launch shape")
        if _FACTS.search(whole):
            mapper.word(Role.NUM_DEVICES, "number of devices")
            mapper.word(Role.DEVICE_NUM, "device number")
            mapper.word(Role.NUM_PROCS, "number of processors")
        name = f"OUT__{index}__{digest}__{re.sub(r'[^0-9A-Za-z_]', '_', function.name)}__{self.span.line}"
        region = TargetRegion(
            index=index,
            span=self.span,
            directive=" ".join(self.leaves),
            function=function.name,
            kernel=f"{name}__kernel__",
            identity=f"{name}__id__",
            kind=kind,
            reason=reason,
            body=self.body,
            changed=frozenset(c.symbol for c in captures if not c.symbol.type.const),
            nest=nest,
            schedule=schedule,
            sharing=self.sharing,
            mapping=mapper.finish(),
            captures=tuple(captures),
            extents=(),
            team_memory=team,
            launch=shape,
            level=1 if "parallel" in self.leaves else 0,
            places=places,
            calls=_CALL.search(self.text) is not None,
            calls_other_units=False,
            asks_settings=False,
            makes_settings=False,
            device=device_of(self.clauses),
            condition=condition_of(self.construct.directive.clauses, "target"),
            allocators=(),
            task=None,  # with nowait, the host may wait nevertheless
            start=self.construct.start,
            body_start=self.construct.body_start,
            end=self.construct.end,
            host=self._host_version(captures),
            optimised=self._optimised(kind, nest, shape, chunked=chunked),
            instances=self._plan_instances(),
        )
        return Decided(region, tuple(self.chain), function, tuple(local), self.around, tuple(self.instances))

    def _plan_instances(self) -> Instances | None:
        if self.around is None or not self.around.is_template:
            return None
        own = self.around.arguments(self.around.parameters)
        return Instances(own, tuple(i.arguments for i in self.instances), self.around.scope)

    # ---- kind ----

    def _kind(self, nest: LoopNest | None) -> tuple[KernelKind, str]:
        inner = [c for c in self.inside if c.start >= (nest.body.start if nest is not None else 0)]  # type: ignore[attr-defined]
        nested = any("parallel" in c.directive.constructs for c in inner)
        if nest is not None and nested and "parallel" in self.leaves:
            raise error_at(self.span, "a parallel region inside a parallel loop of a region is not supported in C++")
        if nest is not None and not nested:
            if self.leaves == ("target", "simd"):
                return KernelKind.SERIAL, "simd iterations may depend on earlier ones: one thread"
            return KernelKind.WORKSHARING, "the loop's iterations are spread over the grid"
        if self.leaves in (("target", "parallel"), ("target", "teams", "parallel")):
            if self.sharing.reductions and "teams" in self.leaves:
                raise error_at(self.span, "a reduction over 'teams' and 'parallel' is not supported in C++")
            return KernelKind.PARALLEL, "one parallel region: all threads of the team run the body"
        if "parallel" in self.leaves:
            raise error_at(self.span, f"'{' '.join(self.leaves)}' without a loop is not supported in C++")
        if nested:
            return KernelKind.TEAMS, "sequential parts run on the team's initial thread, parallel regions on all"
        return KernelKind.SERIAL, "no parallelism inside a team"

    def _schedule(self, kind: KernelKind, nest: LoopNest | None) -> tuple[Schedule | None, bool]:
        if nest is None:
            return None, False
        if self.leaves == ("target", "simd"):
            return Schedule(Over.THREAD), False
        over = Over.GRID if kind is KernelKind.WORKSHARING else Over.TEAMS
        of_teams = chunk_of(self.clauses, "dist_schedule", self.construct.start)
        of_threads = chunk_of(self.clauses, "schedule", self.construct.start)
        even = _PLACES.search(self.text) is not None and any(
            c.name == "schedule" and getattr(c, "kind", "") in ("static", "runtime") and of_threads is None
            for c in self.clauses
        )
        chunked = of_teams is not None or of_threads is not None or even
        if chunked and over is Over.GRID and "teams" not in self.leaves:
            over = Over.TEAM
        return Schedule(over, of_teams, of_threads, even), chunked

    # ---- captures ----

    def _captures(self) -> tuple[Mapper, list[Capture], list[Variable]]:
        _unit, sharing = self.unit, self.sharing
        mapper = Mapper(region=True)
        captures: list[Capture] = []
        items = grouped(clause_items(self.reader, self.clauses))
        first = listed(self.reader, self.clauses, "firstprivate")
        device = listed(self.reader, self.clauses, "is_device_ptr")
        returned = {*(r.symbol for r in sharing.reductions), *sharing.lastprivate}
        private = {*sharing.private, *(v for v in self.loop_variables if v not in items)}
        behaviors = self._defaultmap()
        mentioned, local = self._mentioned()
        self._through_this(items)
        order = list(dict.fromkeys([*mentioned, *items, *first, *returned]))
        names: dict[str, Variable] = {}
        for variable in order:
            assert isinstance(variable, Variable)
            if variable in private and variable not in items:
                continue
            if variable in self.unit.on_device and variable not in first and variable not in returned:
                mapper.rows += _rows_alone(items.get(variable, ()), variable)
                continue
            other = names.setdefault(variable.name, variable)
            if other is not variable:
                raise error_at(self.span, f"this region uses two variables of the name '{variable.name}'")
            if variable in items:
                mapper.root(variable, items[variable])
                through = any(i.through for i in items[variable])
                if True:
                    transport = Transport.POINTER if through else Transport.ADDRESS
                captures.append(self._capture(variable, transport, "mapped section" if through else "mapped variable"))
            elif variable in device:
                mapper.literal(variable, "is_device_ptr", implicit=False)
                captures.append(Capture(variable, Transport.LITERAL, _plain(variable.type), "is_device_ptr"))
            elif variable in first:
                self._by_value(mapper, captures, variable, implicit=False)
            elif variable in returned:
                self._returned(mapper, captures, variable)
            else:
                self._implicit(mapper, captures, variable, behaviors)
        return mapper, captures, local

    def _through_this(self, items: dict[Variable, list[Item]]) -> None:
        """Add items for the members that the region uses and no clause lists, or for the whole object (OpenMP 5.2,
        section 5.8.1)."""
        start, end = self.construct.body_start, self.construct.end
        uses = [name for place, name in self.function.this if start <= place < end]
        if self.function.is_member:
            fields = self.unit.fields(self.function)
            for part in (*self.chain, *self.inside):
                for text in _kernel_texts(part.directive):
                    for _, name in identifiers_in(text):
                        if name in fields and self.unit.lookup(self.function, name, part.start) is None:
                            uses.append(name)
        if not uses:
            return
        this = self.unit.this_of(self.function)
        own = items.setdefault(this, [])
        flags = MAP_TO | (0 if this.type.element is not None and this.type.element.const else MAP_FROM) | MAP_IMPLICIT
        if any(item.whole for item in own):
            return
        if "" in uses or any(self._is_reference(name) for name in uses):
            note = RowNote("implicit map", "*this")
            own.insert(0, Item(this, True, "", "this", SizeOf("*this"), True, flags, note, True))
            return
        mapped = {(item.carrier or item.begin).removeprefix("this->").partition("[")[0] for item in own}
        for name in dict.fromkeys(uses):
            if name not in mapped:
                begin = f"this->{name}"
                size = SizeOf(Written((begin,), frozenset(), 1))
                own.append(Item(this, True, "", begin, size, False, flags, RowNote("implicit map", begin), True))

    def _is_reference(self, name: str) -> bool:
        field = self.unit.fields(self.function).get(name)
        references = (self.unit.types.LVALUEREFERENCE, self.unit.types.RVALUEREFERENCE)
        return field is None or field.type.kind in references

    def _mentioned(self) -> tuple[list[Variable], list[Variable]]:
        """(the variables from outside that the kernel mentions, the local constants and types that it needs)"""
        unit, function = self.unit, self.function
        start, end = self.construct.body_start, self.construct.end
        found: list[Variable] = []
        local: list[Variable] = []

        def add(variable: Variable) -> None:
            if variable.is_local and start <= variable.start < end:
                return
            if variable.constant:
                if variable.is_local and variable not in local:
                    local.append(variable)
                return
            if variable not in found:
                found.append(variable)

        refs = sorted((r for r in function.references if start <= r.start < end), key=lambda r: r.start)
        for reference in refs:
            add(reference.variable)
        for construct in (*self.chain, *self.inside):
            for text in _kernel_texts(construct.directive):
                for _, name in identifiers_in(text):
                    variable = unit.lookup(function, name, construct.start)
                    if variable is not None:
                        add(variable)
        for variable in local:  # what their own initialisers name
            for reference in function.references:
                if variable.start <= reference.start < variable.end:
                    add(reference.variable)
        words = {name for _, name in identifiers_in(unit.text[start:end])}
        types = [v for at, v in function.local_types if not start <= at < end and at < start and v.name in words]
        local += [v for v in types if v not in local]
        return found, sorted(local, key=lambda v: v.start)

    def _capture(self, variable: Variable, transport: Transport, why: str) -> Capture:
        kind = variable.type
        if "(lambda" in kind.text or "(unnamed" in kind.text or "(anonymous" in kind.text:
            raise error_at(self.span, f"'{variable.name}' has a type without a name, which is not supported")
        if variable.is_variable_length and kind.element is not None and kind.element.kind in ("scalar", "record"):
            element = kind.element
            return Capture(variable, Transport.POINTER, CxxType(f"{element.text} *", "pointer", 8, False, element), why)
        if transport is Transport.ADDRESS:
            if kind.kind == "array" and not kind.elements:
                raise error_at(
                    self.span, f"the length of the array '{variable.name}' is not constant: map it through a pointer"
                )
            text = f"{kind.text} *"
            return Capture(variable, transport, CxxType(text, "pointer", 8, False, kind), why)
        return Capture(variable, transport, _plain(kind), why)

    def _by_value(self, mapper: Mapper, captures: list[Capture], variable: Variable, *, implicit: bool) -> None:
        how = "implicit firstprivate" if implicit else "firstprivate"
        kind = variable.type
        if kind.kind in ("scalar", "pointer") and 0 < kind.size <= 8:
            mapper.literal(variable, how, implicit=implicit)
            captures.append(self._capture(variable, Transport.LITERAL, how))
            return
        flags = MAP_PRIVATE | MAP_TO | MAP_TARGET_PARAM | (MAP_IMPLICIT if implicit else 0)
        self._whole(mapper, captures, variable, flags, how)

    def _whole(
        self,
        mapper: Mapper,
        captures: list[Capture],
        variable: Variable,
        flags: int,
        how: str,
        *,
        stand_in: bool = False,
    ) -> None:
        begin = address(variable.host)
        adjustments = frozenset({Adjustment.STAND_IN}) if stand_in else frozenset()
        note = RowNote(how, variable.name)
        mapper.rows.append(
            MapRow(begin, begin, SizeOf(HostVariable(variable.host)), flags, note, adjustments=adjustments)
        )
        mapper.supply(Role.VARIABLE, variable, variable.name)
        captures.append(self._capture(variable, Transport.ADDRESS, how))

    def _returned(self, mapper: Mapper, captures: list[Capture], variable: Variable) -> None:
        flags = MAP_TO | MAP_FROM | MAP_TARGET_PARAM | MAP_IMPLICIT
        how = "reduction or lastprivate"
        found = next((r for r in self.sharing.reductions if r.symbol is variable), None)
        if found is not None and found.is_section and variable.type.kind == "pointer":
            clause = next(
                (c, i)
                for c in self.clauses
                if isinstance(c, ReductionClause)
                for i in c.items
                if i.name == variable.name
            )
            item = self.reader.item(clause[1], MAP_TO | MAP_FROM | MAP_IMPLICIT, how)
            mapper.root(variable, [item])
            captures.append(self._capture(variable, Transport.POINTER, how))
            return
        self._whole(mapper, captures, variable, flags, how)

    def _defaultmap(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for clause in self.clauses:
            if isinstance(clause, DefaultmapClause):
                if clause.behavior not in ("tofrom", "firstprivate", "to", "from", "alloc", "none", "default"):
                    raise error_at(clause.span, f"'defaultmap({clause.behavior})' is not supported in C++")
                for category in (clause.category,) if clause.category else ("scalar", "aggregate", "pointer"):
                    found[category] = clause.behavior
            if isinstance(clause, KeywordClause) and clause.name == "default" and clause.value == "none":
                continue
        return {category: behavior for category, behavior in found.items() if behavior != "default"}

    def _implicit(self, mapper: Mapper, captures: list[Capture], variable: Variable, behaviors: dict[str, str]) -> None:
        kind = variable.type
        if kind.kind == "dependent" and not self.instances:  # nothing instantiates the template
            kind = variable.type = CxxType(kind.text, "scalar", 8, kind.const)
        category = {"scalar": "scalar", "pointer": "pointer"}.get(kind.kind, "aggregate")
        behavior = behaviors.get(category, "")
        if kind.kind not in ("scalar", "pointer", "array", "record"):
            raise error_at(self.span, f"'{variable.name}', a '{kind.text}', cannot be used in a region yet")
        if behavior == "none":
            raise error_at(self.span, f"'{variable.name}' is in no map clause, which 'defaultmap(none)' asks for")
        if behavior in ("tofrom", "to", "from", "alloc"):
            flags = {"tofrom": MAP_TO | MAP_FROM, "to": MAP_TO, "from": MAP_FROM, "alloc": 0}[behavior]
            self._whole(mapper, captures, variable, flags | MAP_TARGET_PARAM | MAP_IMPLICIT, "implicit map")
            return
        if kind.kind == "pointer" and not behavior:
            flags = MAP_TARGET_PARAM | MAP_IMPLICIT
            begin = Written((f"(void *){variable.host}",), frozenset((variable.name,)), 14)
            note = RowNote("implicit zero-length section", variable.name)
            mapper.rows.append(MapRow(begin, begin, Number(0), flags, note))
            mapper.supply(Role.VARIABLE, variable, variable.name)
            captures.append(self._capture(variable, Transport.POINTER, "pointer"))
            return
        if kind.kind == "scalar" or behavior == "firstprivate":
            self._by_value(mapper, captures, variable, implicit=True)
            return
        flags = MAP_TO | (0 if kind.const else MAP_FROM) | MAP_TARGET_PARAM | MAP_IMPLICIT
        self._whole(mapper, captures, variable, flags, "implicit map", stand_in=kind.kind == "record")

    # ---- memory of teams ----

    def _team_memory(self, kind: KernelKind, captures: Sequence[Capture]) -> TeamMemory:
        """The variables that the sequential part and parallel regions share, if a parallel region changes them."""
        if kind not in (KernelKind.TEAMS, KernelKind.PARALLEL):
            return TeamMemory()
        unit, function = self.unit, self.function
        literals = {c.symbol for c in captures if c.transport is Transport.LITERAL or c.symbol.type.kind == "pointer"}
        if kind is KernelKind.PARALLEL:
            changed = {
                r.variable
                for r in function.references
                if self.body.start <= r.start < self.body.end and not r.is_read and r.variable in literals
            }
            return TeamMemory(shared=frozenset(changed - self.sharing.named))
        shared: set[Variable] = set()
        regions = [c for c in self.inside if "parallel" in c.directive.constructs]
        for region in regions:
            inner = sharing_of(unit, function, chain_of(unit, region, frozenset(("for", "simd", "loop"))))
            own = {*inner.private, *inner.firstprivate}
            given_back = {*inner.lastprivate, *(r.symbol for r in inner.reductions)}
            for reference in function.references:
                variable = reference.variable
                if not region.body_start <= reference.start < region.end or reference.is_read:
                    continue
                if variable.is_local and not region.start <= variable.start < region.end and variable not in own:
                    shared.add(variable)
            shared |= given_back  # type: ignore[arg-type]
        for construct in self.inside:  # what the loop of a parallel region counts with is private
            if not LOOPS.isdisjoint(construct.directive.constructs):
                nest = canonical_nest(unit, function, construct, collapse_of(construct.directive.clauses))
                shared -= {lv.symbol for lv in nest.levels}
        outside = {c.symbol for c in captures} - literals
        loop = set(self.loop_variables)
        return TeamMemory(shared=frozenset(v for v in shared if v not in outside and v not in loop))

    # ---- launch ----

    def _launch(
        self, kind: KernelKind, nest: LoopNest | None, captures: Sequence[Capture], by_place: bool
    ) -> tuple[LaunchShape, bool]:
        teams = expression(self.clauses, "num_teams")
        given: HostExpression | None = None
        for name in ("num_threads", "thread_limit"):
            text = expression(self.clauses, name)
            if text is not None:
                bound = written(text)
                if given is None:
                    given = bound
                elif given.value is not None and bound.value is not None:
                    given = Number(min(given.value, bound.value))
                else:
                    given = Call("rex_smaller", (given, bound))
        value = given.value if given is not None else None
        if value is not None:
            value = min(value, MAX_THREADS)
        serial = SerialLaunch.NEVER
        asked = written(teams) if teams is not None else None
        if kind is KernelKind.WORKSHARING and "parallel" not in self.leaves and "teams" in self.leaves:
            if teams is None:
                serial = SerialLaunch.LIMITED_TEAMS if by_place else SerialLaunch.ONE_TEAM
            elif by_place or (asked is not None and asked.value == 1):
                given, value = Number(1), 1
            elif asked is not None and asked.value is None:
                serial = SerialLaunch.ONE_TEAM
        league = "teams" in self.leaves or self.leaves == ("target", "loop")
        threads_given = expression(self.clauses, "num_threads") is not None
        spans = kind is KernelKind.WORKSHARING and not by_place and not threads_given
        parallel_if = condition_of(self.clauses, "parallel")
        teams_if = condition_of(self.clauses, "teams")
        if teams_if is not None and asked is not None:
            asked, teams_if = Written((f"({teams_if}) ? ({asked}) : 1",), frozenset(), 3), None
        counts = TripCounts()
        if nest is not None and kind is not KernelKind.SERIAL:
            counts = self._trip_counts(nest, captures)
        shape = launch_policy.shape(
            kind, teams=asked, threads=given, threads_value=value, single_team=not league and not spans, counts=counts,
            depth=0, parallel_if=parallel_if, reduces=bool(self.sharing.reductions),
        )  # fmt: skip
        limit = expression(self.clauses, "thread_limit")
        if "teams" in self.leaves:
            shape = replace(
                shape, icv_teams=teams is None, icv_threads=limit is None, serial_launch=serial, teams_if=teams_if
            )
        elif spans and (parallel_if is not None or (limit is not None and value in (None, 1))):
            shape = replace(shape, serial_launch=SerialLaunch.ONE_THREAD)
        exact = kind is not KernelKind.WORKSHARING or by_place or parallel_if is not None
        exact = exact or any(e is not None for e in (teams, limit, teams_if)) or threads_given
        return shape, (exact and kind is not KernelKind.SERIAL) or (kind is KernelKind.SERIAL and league)

    def _trip_counts(self, nest: LoopNest, captures: Sequence[Capture]) -> TripCounts:
        """The iterations that the host computes from scalars that the kernel gets by value, and from constants."""
        literals = {c.symbol.name for c in captures if c.transport is Transport.LITERAL}
        loop = {lv.symbol.name for lv in nest.levels}
        counts, hint = [], ""
        fields = self.unit.fields(self.function)
        for level in nest.levels:
            step = step_of(level)
            for text in (level.lower, level.bound, Text(step, 0)):
                assert isinstance(text, Text)
                if _CALL.search(re.sub(r"\bsizeof\s*\(", "", text.text)) or "++" in text.text or "--" in text.text:
                    return TripCounts()
                for _, name in identifiers_in(text.text):
                    variable = self.unit.lookup(self.function, name, self.construct.start)
                    if name in loop:
                        return TripCounts()
                    if variable is None and name in fields:
                        hint = f"the device may have another '{name}'"
                    if variable is not None and name not in literals and not variable.constant:
                        return TripCounts()
                if "->" in text.text or "[" in text.text or "." in text.text:
                    return TripCounts()
            lower, bound = level.lower, level.bound
            assert isinstance(lower, Text)
            assert isinstance(bound, Text)
            names = frozenset(name for _, name in identifiers_in(lower.text + " " + bound.text))
            counts.append(Written((trip_count(level, lower.text, bound.text, step),), names, 15, level.trips))
        return TripCounts(tuple(counts), hint)

    def _optimised(self, kind: KernelKind, nest: LoopNest | None, shape: LaunchShape, *, chunked: bool) -> Optimised:
        """The transformations: a kernel whose threads run one iteration each, where nothing forbids it."""
        once = kind is KernelKind.WORKSHARING and nest is not None and shape.is_exact and not chunked
        once = once and not self.sharing.reductions and not self.sharing.lastprivate
        why = "a kernel without the loop over the grid, when that covers the trip count" if once else "not proved"
        direct = DirectKernel(once=True) if once else None
        return Optimised((Optimisation("once", once, why),), direct, index32=False)

    # ---- host ----

    def _host_version(self, captures: Sequence[Capture]) -> HostVersion:
        """What runs without a device: the region with the directives that the host's threads know."""
        forms = []
        for part in (*self.chain, *self.inside):
            spelling = host_spelling(part.directive) if part in self.chain else _inner_spelling(part.directive)
            if spelling != part.directive.text:
                before = (f"#pragma omp {spelling}",) if spelling else ()
                forms.append(PlacedForm(part.start, part.pragma_end, part.end, before, ()))
        if len(self.chain) > 1 and "parallel" not in self.leaves and "distribute" in self.leaves:
            forms = [replace(form, before=()) for form in forms if form.start in {c.start for c in self.chain}] + [
                form for form in forms if form.start not in {c.start for c in self.chain}
            ]
        start, end = self.body.start, self.body.end
        changed = {r.variable for r in self.function.references if start <= r.start < end and not r.is_read}
        literals = {c.symbol for c in captures if c.transport is Transport.LITERAL}
        for reference in self.function.references:
            inside = start <= reference.start < end and reference.variable in literals
            if inside and not reference.is_read and reference.qualifier:
                what = f"the region changes its own copy of '{reference.variable.host}': name it in a clause"
                raise error_at(self.unit.span(reference.start), what)
        spelled = {*self.sharing.named}
        by_value = [c.symbol for c in captures if c.transport is Transport.LITERAL]
        copies = [
            HostCopy(v.name, True, False) for v in by_value if v in changed and v not in spelled and not v.type.const
        ]
        binds = any(
            c.directive.name in ("for", "sections", "single", "masked", "master", "barrier", "task")
            for c in self.inside
        )
        team = (binds or _PLACES.search(self.text) is not None) and "parallel" not in self.leaves
        return HostVersion(tuple(forms), team, None, False, None, tuple(sorted(copies, key=lambda c: c.name)))


def _rows_alone(items: Sequence[Item], variable: Variable) -> list[MapRow]:
    """The rows of a variable that lives on the device, which no parameter brings."""
    mapper = Mapper(region=False)
    if items:
        mapper.root(variable, items)
    return mapper.rows


def _inner_spelling(directive: Directive) -> str | None:
    if {"teams", "distribute", "target"}.isdisjoint(directive.constructs) and "loop" not in directive.constructs:
        return directive.text
    return host_spelling(directive)


def _kernel_texts(directive: Directive) -> Iterable[str]:
    """The parts of a directive that a kernel evaluates or lists."""
    for clause in directive.clauses:
        if clause.name in ("num_threads", "schedule", "dist_schedule", "filter", "final"):
            expr = getattr(clause, "expr", None) or getattr(clause, "chunk", None)
            if expr is not None:
                yield expr.text
        elif clause.name == "if" and not directive.is_target:
            yield str(getattr(clause, "expr").text)  # noqa: B009
        elif clause.name in ("reduction", "lastprivate", "firstprivate"):
            for item in getattr(clause, "items", ()):
                yield item.text.replace(":", " , ")


def _plain(kind: CxxType) -> CxxType:
    return CxxType(kind.text, kind.kind, kind.size, False, kind.element, kind.length)


# ---- clauses on the host ----


def device_of(clauses: Sequence[Clause]) -> HostExpression:
    for clause in clauses:
        if clause.name == "device":
            if getattr(clause, "modifier", None) == "ancestor":
                raise error_at(clause.span, "'device(ancestor:)' is not supported")
            expr = getattr(clause, "expr", None)
            if expr is not None:
                return written(expr.text)
    return Number(-1)


def condition_of(clauses: Sequence[Clause], leaf: str) -> HostExpression | None:
    """The condition of an ``if`` clause that applies to a construct."""
    for clause in clauses:
        modifier = getattr(clause, "modifier", None)
        if clause.name == "if" and (modifier == leaf or (modifier is None and leaf.startswith("target"))):
            return written(getattr(clause, "expr").text)  # noqa: B009
    return None


# ---- data constructs ----


def analyse_data(unit: Unit, construct: Construct) -> DataConstruct:
    """Decide one data construct. Raises InputError for list items that cannot be mapped."""
    check(construct)
    directive = construct.directive
    function = unit.function_at(construct.start)
    if function is None:
        raise error_at(directive.span, f"'{directive.name}' is in no function")
    reader = ListReader(unit, function, construct.start)
    mapper = Mapper(region=False)
    items = clause_items(reader, directive.clauses)
    pointers: list[tuple[int, str, str]] = []
    end_mapping = None
    if directive.name == "target update":
        update_rows(mapper, items)
    else:
        for root, own in grouped(items).items():
            mapper.root(root, own)
    if directive.name == "target data":
        _device_addresses(reader, construct, mapper, pointers)
        end_mapping = DataMapping(tuple(replace(r, flags=r.flags & ~MAP_PRESENT) for r in mapper.rows))
    return DataConstruct(
        directive=directive.name,
        span=directive.span,
        function=function.name,
        mapping=mapper.finish(),
        end_mapping=end_mapping,
        device=device_of(directive.clauses),
        condition=condition_of(directive.clauses, directive.name) or condition_of(directive.clauses, "target"),
        task=None,
        start=construct.start,
        pragma_end=construct.pragma_end,
        end=construct.end if directive.name == "target data" else construct.pragma_end,
        device_pointers=tuple(pointers),
    )


def _device_addresses(
    reader: ListReader, construct: Construct, mapper: Mapper, pointers: list[tuple[int, str, str]]
) -> None:
    """Give the statement of ``use_device_ptr`` device addresses under the pointers' names."""
    for clause in construct.directive.clauses:
        if not isinstance(clause, ListClause) or clause.name not in ("use_device_ptr", "use_device_addr"):
            continue
        for item in clause.items:
            variable = reader.named(item)
            if variable.type.kind not in {"pointer", "array"}:
                raise error_at(item.span, f"'{item.text}' in '{clause.name}' is neither a pointer nor an array")
            begin = Written((f"(void *){variable.name}",), frozenset((variable.name,)), 14)
            row = len(mapper.rows)
            mapper.rows.append(MapRow(begin, begin, Number(0), MAP_RETURN_PARAM, RowNote(clause.name, item.text)))
            element = variable.type.element
            assert element is not None
            kind = variable.type.text if variable.type.kind == "pointer" else f"{element.text} *"
            pointers.append((row, f"{kind} {variable.name}", f"({kind})"))
