"""What C++ says of a target region, and of its sequential part, if all threads of a team can run it
(:mod:`..optimise.teams`)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ..base.diagnostics import SourceSpan, error_at
from ..base.patterns import regex
from ..base.records import dataclass, replace
from ..c.source.tokens import words_in
from ..directives.contents import device_objects
from ..directives.parser import check_lowered
from ..openmp.host_bounds import HostView
from ..openmp.host_objects import check_host_objects, check_reference_members, of_host
from ..openmp.mapping import Mapper
from ..openmp.queries import PLACES
from ..openmp.regions import Planned, Reached, Region
from ..openmp.restrictions import check_threadprivate, check_types, check_unmapped_members, shares_memory
from ..optimise.kernel import optimise
from ..optimise.obstacle import ObstacleError
from ..optimise.team_forms import TeamCode, loops_of
from ..optimise.teams import Candidate, run_by_all, unfit
from ..plan.constructs import Code, DeviceConstruct, Entity, LoopNest, Sharing, TeamMemory
from ..plan.optimised import Optimised
from ..plan.rows import Transport
from ..plan.unit import HostCopy, Instances, KernelKind, TargetRegion
from ..tree import nodes as tree
from ..tree import symbols as tree_symbols
from ..tree import types
from ..tree.calls import Calls
from ..tree.symbols import entity_of
from ..tree.types import Record, Void
from . import libclang
from .call_graph import called_in, calls_of
from .captures import SCALAR_OR_OBJECT, Captures, List
from .closures import Closure, Pointed, is_keyed
from .cuda_names import check_types_of_kernels
from .declare_target import threadprivate
from .functions import THROWS, Function
from .host_bounds import HostBounds, host_bounds, host_view
from .indirect import functions_table
from .list_items import function_around
from .list_items import written as written_value
from .loops import canonical_nest, collapse_of
from .optimise import CxxSide
from .program import RegionFacts
from .reading.reader import constant_of, reader_of
from .reading.types import written
from .team_memory import TeamFunctions, team_memory_of
from .team_steps import code_of, later_declarators
from .templates import Instance, Surroundings
from .text_constructs import Assigned, Construct, Range, Text, Variable
from .type_names import last_arguments
from .unit import Unit

_NO_DATA = frozenset((
    "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION", "FUNCTION_TEMPLATE", "FRIEND_DECL",
    "STATIC_ASSERT",
))  # fmt: skip
_QUERY = regex(r"(::\s*)?\b(omp_\w+)")


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
    check_lowered(construct.directive, cxx=True)
    function = function_around(unit, construct)
    outer = unit.function_at(function.start)
    if function.is_of_function and outer is not None and outer.is_template:
        what = f"a region in '{function.cursor.semantic_parent.spelling}', a class of a template's function, is not"
        raise error_at(construct.directive.span, f"{what} supported: declare it outside")
    return _Region(unit, construct, function, digest, closures, teams).decided(index)


class _Region(RegionFacts, Region[Construct, Captures]):
    """A region (see :class:`~rex_build.openmp.regions.Region`)."""

    def __init__(
        self, unit: Unit, construct: Construct, function: Function, digest: str, closures: Sequence[Closure],
        teams: TeamFunctions,
    ) -> None:  # fmt: skip
        super().__init__(unit, construct, function)
        self.closures, self.teams, self.named = closures, teams, function.name
        self.stem = f"{digest}__{''.join(c if c.isascii() and c.isalnum() else '_' for c in function.name)}"
        self.start, self.body_start, self.end = construct.start, construct.body_start, construct.end
        if self.around is not None and self.around.is_template:
            of_closures = any(is_keyed(instance.arguments) for instance in self.instances)
            own = self.around.keys() if of_closures else self.around.arguments(self.around.parameters)
            self.template = Instances(own, tuple(i.arguments for i in self.instances), self.around.scope)

    def check(self) -> None:
        unit, function, body = self.unit, self.function, self.body
        thrown = [(at, THROWS) for at, _ in function.mentions.thrown if unit.text.startswith("throw", at)]
        for place, what in sorted([*function.mentions.odd, *thrown]):
            if body.start <= place < body.end and not self._is_of_device(place):
                raise error_at(unit.span(place), f"device code {what}, which is not supported")
        for place, declared, name in sorted(function.mentions.bindings):
            if body.start <= place < body.end and not body.start <= declared < body.end:
                what = f"'{name}' is a structured binding, which a region cannot use: keep its value in a variable"
                raise error_at(unit.span(place), what)
        given = {text.lstrip("&") for i in self.instances for text in last_arguments(i.arguments)}
        for one in unit.globals if self.around is not None and self.around.is_template else ():
            if one.host.removeprefix("::") in given and one not in unit.on_device and not one.constant:
                what = f"'{one.name}', whose address is an argument of this region's template, is not on the device"
                raise error_at(self.span, what, f"name it in front of the template: declare target({one.name})")
        for inside in (part for whole in self.trees for part in tree.parts(whole, tree.Construct)):
            check_types(inside.directive, inside.expressions, converts_objects=True)
        check_threadprivate(frozenset(threadprivate(unit)), self.trees, reader_of(unit).calls, self.span_of)
        if not (unit.has_mappers or shares_memory(unit.requirements)):
            check_unmapped_members(self.trees, lambda: self.bodies, self.span_of)

    def _is_of_device(self, place: int) -> bool:
        """Whether a virtual function is called of an object that the user says is the device's."""
        _, pointer = self.function.mentions.by_table.get(place, (None, ""))
        return pointer in device_objects(self.construct.directive)

    def decided(self, index: int) -> Decided:
        """Decide everything about the region. Raises InputError."""
        (plan, unknown), found = self.decide(index), self.found
        return Decided(
            plan, tuple(self.chain), self.function, tuple(found.local), unknown, self.around,
            tuple(self.instances), tuple(found.pointed), tuple(found.lists),
        )  # fmt: skip

    def span_of(self, origin: Any) -> SourceSpan:
        return self.unit.span(self.unit.extent(origin)[0])

    def loops(self, sharing: Sharing) -> tuple[LoopNest, HostBounds]:
        depth = collapse_of(self.unit, *self.chain)
        nest = canonical_nest(self.unit, self.function, self.chain[-1], depth, sharing.private, on_host=True)
        bounds = host_bounds(self, nest)
        return bounds.nest, bounds

    def reached(self) -> Reached:
        unit, calls = self.unit, calls_of(self.unit)
        parts = [self.part, *((c.function, c.body, c.end) for c in self.closures)]
        inside = [construct.directive for construct in calls.constructs_reached(*parts)]
        regions = self.teams.are_called_in(unit, self.construct)
        # In closures, and where they are qualified, names of queries mean functions, not what the kernel makes of them.
        is_calling = bool(called_in(self.part) or self.inside)
        return Reached(calls.asked(*parts), is_calling, inside, regions)

    def add_rows(self, mapper: Mapper, reached: Reached) -> None:
        parts = [self.part, *((c.function, c.body, c.end) for c in self.closures)]
        is_calling = calls_of(self.unit).calls_through_pointers(*parts) or reached.asked.elsewhere
        if self.unit.indirect and is_calling:
            mapper.add_functions(functions_table(self.unit))

    def captured(self) -> Captures:
        read = self.variables
        found = Captures(self, read.sharing, read.of_target, read.heads, self.closures, self.kind)
        of_template = self.around.parameters if self.around is not None else ()
        types = [text for _, text in of_template if text.startswith(("class ", "typename "))]
        check_types_of_kernels([*types, *(c.symbol.type.text for c in found.captures)], self.span)
        unit, calls = self.unit, reader_of(self.unit).calls
        if not shares_memory(unit.requirements):
            of_host = {c.symbol for c in found.captures if c.reason not in ("is_device_ptr", "has_device_addr")}
            check_reference_members(
                self.trees, calls, of_host, partial(unread_references, unit), partial(may_hold, unit), self.span_of
            )
        check_host_objects(
            self.trees, calls, lambda v: isinstance(v, Variable) and v.constant, partial(check_unread, unit),
            self.span_of, by_pointer=bool(unit.indirect),
        )  # fmt: skip
        if self.kind is KernelKind.TEAMS:  # other threads than the one that makes it may need it
            values = {c.symbol for c in found.captures if c.transport is Transport.WORDS}
            for name in (one.variable.name for one in found.pointed if one.variable not in values):
                what = f"'{name}', a closure with pointers, in a region with parallel regions inside is not supported"
                raise error_at(self.span, what, "name it in no clause, or only in firstprivate")
        return found

    def host_view(self) -> HostView:
        return host_view(self, self.found.captures, self.found.mapper.finish(), self.nest)

    def optimise(self, region: Planned) -> tuple[Optimised, ObstacleError | None]:
        return optimise(CxxSide(self, region), region)

    def team_memory(self) -> TeamMemory:
        return team_memory_of(self, self.kind, self.found.captures, self.sharing, self.variables.counted)

    def copy(self, variable: Entity, initialised: bool) -> HostCopy:
        made = super().copy(variable, initialised)
        if any(c.symbol is variable and c.reason == SCALAR_OR_OBJECT for c in self.found.captures):
            kind = f"typename rex_own_type<__typeof__({made.original or made.name})>::type"
            return replace(made, initialised=True, array=False, type=kind)
        return made


def unread_references(unit: Unit, objects: Collection[types.RecordInfo], code: Any) -> Iterator[Any]:
    """The mentions of references that are members of objects, in code that is not understood."""
    owners = {reader_of(unit).types.cursor(info).canonical.hash for info in objects}
    for use in (code, *libclang.descendants(code)) if code is not None else ():
        field = use.referenced if use.kind == unit.kinds.MEMBER_REF_EXPR else None
        if field is not None and libclang.is_reference(field.type) and field.semantic_parent.canonical.hash in owners:
            yield use


def may_hold(unit: Unit, owners: Collection[types.RecordInfo], held: types.RecordInfo) -> bool:
    """Whether objects of some classes may have a base or a member of another class, which libclang does not show of
    instantiations: whether what their arguments and the text of their bases, members and aliases name leads to it. A
    class of the library names one of the user's by its arguments and specialisations alone."""
    of_types = reader_of(unit).types
    k, wanted = unit.kinds, libclang.pattern(of_types.cursor(held)).canonical
    special = [(libclang.template_of(one), one) for one in unit.special_classes]
    queue, seen = [of_types.cursor(info) for info in owners], set[int]()
    while queue:
        cursor = queue.pop()
        if cursor is None or cursor.hash in seen:
            continue
        seen.add(cursor.hash)
        kind = cursor.type.get_canonical()
        arguments = (kind.get_template_argument_type(n) for n in range(max(0, kind.get_num_template_arguments())))
        queue += (a.get_declaration() for one in arguments if (a := libclang.behind(one)).kind == unit.types.RECORD)
        general = libclang.pattern(cursor).canonical
        if general == wanted:
            return True
        queue += (one for of, one in special if of is not None and of.canonical == general)
        if libclang.is_users(wanted) and not libclang.is_users(general):
            continue
        whole = general.get_definition() or general
        for part in libclang.children(whole) if whole.kind in unit.classes else (whole,):
            nodes = (part, *libclang.descendants(part)) if part.kind.name not in _NO_DATA else ()
            if any(node.kind == k.CALL_EXPR for node in nodes):
                return True  # a type that a function's result decides
            queue += (node.referenced for node in nodes if node.kind in (k.TYPE_REF, k.TEMPLATE_REF))
    return False


def check_unread(unit: Unit, objects: Collection[types.RecordInfo], code: Any) -> None:
    """Raise InputError if code that is not understood, as objects as their virtual bases are, has such a use."""
    k, of_types = unit.kinds, reader_of(unit).types
    classes = [(of_types.cursor(info), "") for info in objects]
    owners = {record.canonical.hash for record, _ in classes}
    bases: dict[int, str] = {}
    for record, base in classes:
        for child in (c for c in libclang.children(written(record)) if c.kind == k.CXX_BASE_SPECIFIER):
            inner = child.type.get_canonical().get_declaration()
            is_virtual = bool(libclang.load().conf.lib.clang_isVirtualBase(child))
            found = inner, base or (inner.spelling if is_virtual else "")
            classes += [found] if found not in classes else []  # a template may be its own base
            bases[inner.canonical.hash] = found[1]
    for use in (code, *libclang.descendants(code)) if code is not None else ():
        if use.kind != k.MEMBER_REF_EXPR or use.referenced is None:
            continue
        owner = use.referenced.semantic_parent.canonical.hash
        leads = use.referenced.kind == k.FIELD_DECL and libclang.behind(use.type).kind == unit.types.FUNCTIONPROTO
        if leads and owner in owners:
            raise of_host(use.spelling, unit.span(unit.extent(use)[0]))
        if bases.get(owner) and not shares_memory(unit.requirements):  # the device reads the host's table of the class
            what = f"'{use.spelling}' is a member of the virtual base '{bases[owner]}' of an object of the host's"
            span = unit.span(unit.place(use.extent.start))
            raise error_at(span, f"{what}, which device code cannot find")


def in_teams(
    unit: Unit,
    decided: Sequence[Decided],
    constructs: Mapping[Any, DeviceConstruct],
    functions: Collection[Function],
    teams: TeamFunctions,
) -> tuple[list[TargetRegion], frozenset[Code]]:
    """(the regions with their steps, if all threads of a team can run their sequential parts, those of the device's
    ``functions`` that only parallel regions call)"""
    reader = reader_of(unit)
    calls = reader.calls
    candidates = [_candidate(unit, one.region, one.chain, calls, constructs, teams) for one in decided]
    kept = {function.start for function in functions}
    if any(one.codes for one in candidates) and _asks_library(unit):
        kept = set()
        candidates = [replace(one, stateful=True) for one in candidates]

    def code_of(called: tree_symbols.Function) -> Code | None:
        function = unit.defined(reader.symbols.cursors[called])
        if function is None or function.start not in kept or (unit.separable and called.external):
            return None
        return Range(function.start, function.end)

    others = (one.chain[0] for one, candidate in zip(decided, candidates, strict=True) if candidate.why)
    trees = (whole for first in others for whole in reader.region(first))
    return run_by_all(candidates, unit.no_opt, lambda: trees, code_of)


def _candidate(
    unit: Unit,
    region: TargetRegion,
    chain: Sequence[Construct],
    calls: Calls,
    constructs: Mapping[Any, DeviceConstruct],
    teams: TeamFunctions,
) -> Candidate:
    why = unfit(region, unit.no_opt)
    if not why and teams.are_called_in(unit, chain[0]):
        why = "functions that it calls have parallel regions"
    if why:
        return Candidate(region, why=why)
    try:
        wholes = reader_of(unit).region(chain[0])
        codes = tuple(_code(unit, region, whole, chain[-1], calls, constructs) for whole in wholes)
    except ObstacleError as problem:
        return Candidate(region, why=str(problem), span=region.span)
    if _differ(region, codes):
        return Candidate(region, why="a variable is an object in one instantiation and none in another")
    return Candidate(region, codes)


def _asks_library(unit: Unit) -> bool:
    """Whether a query's name does not mean what the first line of a kernel or function says: it is qualified, or
    stands in no body, as in a default argument or an initialiser of a member."""
    for query in unit.pre.in_own_parts(_QUERY):
        if query[1] is not None:
            return True
        function = unit.function_at(query.start()) if query[2] in PLACES else None
        if query[2] in PLACES and (function is None or query.start() < function.body):
            return True
    return False


def _differ(region: TargetRegion, codes: Sequence[TeamCode]) -> bool:
    """Whether a variable is a record in one instantiation of a template only. In the others the kernel copies it."""
    mapped = {c.symbol for c in region.captures if c.transport is Transport.ADDRESS}
    kinds = {
        (entity_of(n.variable), isinstance(n.type, Record))
        for code in codes
        for n in tree.walk(code.region)
        if isinstance(n, tree.Named) and entity_of(n.variable) in mapped
    }
    return len(kinds) > len({entity for entity, _ in kinds})


def _code(
    unit: Unit,
    region: TargetRegion,
    whole: tree.Construct,
    last: Construct,
    calls: Calls,
    constructs: Mapping[Any, DeviceConstruct],
) -> TeamCode:
    body = next((n.body for n in tree.walk(whole) if isinstance(n, tree.Construct) and n.origin is last), None)
    if body is None:
        raise ObstacleError("a region of an unusual form", whole)
    nest = region.nest
    others = {str(cursor.spelling) for cursor in unit.elsewhere}
    return TeamCode(
        region=body,
        sequential=loops_of(body, len(nest.levels))[-1].body if nest is not None else body,
        calls=calls,
        construct=lambda node: constructs.get(node.origin),
        constant=lambda text: constant_of(text.values) if isinstance(text, Text) else None,
        host=lambda expr: written_value(expr.text),
        span=lambda origin: unit.span(_range(unit, origin).start),
        code=partial(code_of, unit, later_declarators(unit, body)),
        assigned=partial(_assigned, unit),
        elsewhere=lambda function: not function.defined and function.name.rpartition("::")[2] in others,
        combining=lambda _: combining_functions(unit),
    )


def combining_functions(unit: Unit) -> Iterator[tree_symbols.Function]:
    """All functions that the unit's declared reductions may call. Any name in their text may be that of one."""
    reader = reader_of(unit)
    for reduction in unit.user_reductions:
        for word in words_in(reduction.source):
            yield tree_symbols.Function(word, Void(), True, False, None)
    for function in calls_of(unit).reached.combining:
        yield from map(reader.function, reader.definitions(function))


def _range(unit: Unit, origin: Any) -> Range:
    return origin.body if isinstance(origin, Construct) else Range(*unit.extent(origin))


def _assigned(unit: Unit, statement: tree.Node, value: tree.Node) -> Code | None:
    whole, part = code_of(unit, (), statement), code_of(unit, (), value)
    return Assigned(whole, part) if isinstance(whole, Range) and isinstance(part, Range) else None
