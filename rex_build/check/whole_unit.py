"""Questions about a unit that do not change while it is followed. Each answer is found once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from ..base.diagnostics import SourceSpan
from ..base.mentions import Stretch, naming
from ..base.patterns import regex
from ..base.records import dataclass
from ..directives.contents import directive_locators
from ..directives.model import Directive, Expr, ExprClause, ListClause, Locator, MapClause
from ..directives.model import Member as MemberStep
from ..openmp.mapping import name_of as mapper_name
from ..plan.constructs import Entity
from ..plan.unit import TargetRegion, TranslationUnitPlan
from ..tree.calls import Calls, UnknownError
from ..tree.nodes import Body, Call, Construct, Node
from ..tree.symbols import Function, Variable
from ..tree.types import Array, Pointer, Record, RecordInfo, Type, end_of
from ..tree.types import Function as FunctionType
from ..tree.values import constant
from .called import Called
from .events import DEREFERENCE, Language, Lent, item_root
from .extents import AllExtents
from .kernels import Kernel, Mapped, kernel_of, last_name, mapped_by
from .memory import Place
from .privates import Privates
from .surveys import DATA_DIRECTIVES, Survey, Surveys, is_for_devices
from .uses import Reader

# So begin the names of functions for memory of devices.
_OF_DEVICES = ("omp_target_", "omp_get_mapped_ptr", "cudaMalloc", "hipMalloc")


@dataclass(frozen=True)
class Unit:
    """What the front end has of a unit. ``functions`` are those that have directives for devices, name functions for
    devices' memory, or call such functions, in the order of the source. ``regions`` are the plan's, by the origins of
    their constructs, and ``directives`` all of the unit. The device always has the variables ``on_device``.
    ``is_mapped`` says whether a type has a mapper; it is None if the unit has no mappers."""

    language: Language
    calls: Calls
    plan: TranslationUnitPlan
    functions: tuple[Function, ...]
    regions: Mapping[Any, TargetRegion]
    directives: Iterable[Directive]
    on_device: frozenset[Entity]
    is_mapped: Callable[[RecordInfo], bool] | None
    is_of_system: Callable[[Function], bool]


class WholeUnit:
    """A unit with what its regions do, and its functions."""

    def __init__(self, unit: Unit) -> None:
        self.unit, self.plan, self.language, self.is_of_system = unit, unit.plan, unit.language, unit.is_of_system
        self.reader, self.privates, self.extents = Reader(), Privates(), AllExtents(unit.language)
        self.called = Called(unit.language.body, self.reader)
        self._surveys = Surveys(self.body)
        self.plain, self.statics = self._surveys.plain, self._surveys.statics
        self.by_mappers = MappedTypes(unit.is_mapped)
        self._bodies: dict[Function, Body | None] = {}
        self._places: dict[tuple[Node, ...], Place] = {}
        self._reaching: dict[Function, bool] = {}
        self.unnamed_mappers: dict[str, str] = {}  # those that no clause names, by the members that they would map
        self.functions = self._surveys.acting(body for f in unit.functions if (body := self.body(f)) is not None)
        self.constructs = tuple(
            (body, node)
            for body in self.functions
            for node in self._surveys.of(body).constructs
            if node.origin in unit.regions or node.directive.name in DATA_DIRECTIVES
        )
        self._functions_of = {construct: body for body, construct in self.constructs}
        self.kernels: Mapping[Construct, Kernel] = {
            construct: kernel_of(self.privates, self.called, unit.regions[construct.origin], construct)
            for _, construct in self.constructs
            if construct.origin in unit.regions
        }
        self._uses_device_memory = any(name in unit.language.source for name in _OF_DEVICES)
        self._names = self._names_of_regions()

    def can_be_followed(self) -> bool:
        if not self.constructs or self.plan.shared_memory:
            return False
        return bool(self._names) and not self._uses_several_devices()

    def is_of_regions(self, name: str) -> bool:
        """Whether regions or data directives use a variable of this name."""
        return name in self._names

    def body(self, function: Function) -> Body | None:
        """The body of a function that the user has written."""
        if function not in self._bodies:
            is_own = function.defined and not self.is_of_system(function)
            self._bodies[function] = self.language.body(function) if is_own else None
        return self._bodies[function]

    def survey(self, function: Function) -> Survey:
        """What a function of the user's has."""
        body = self.body(function)
        assert body is not None
        return self._surveys.of(body)

    def function_of(self, construct: Construct) -> Body:
        """The function that has a construct for devices."""
        return self._functions_of[construct]

    def variables_on_device(self, *, linked: bool) -> frozenset[Variable]:
        """The variables that the device always has, or those of ``declare target link``, that functions name."""
        links = {v.symbol for v in self.plan.variables if v.link}
        entities = links if linked else self.unit.on_device - links
        bodies = {body.function: body for body in self.functions if entities}
        queue, named = [*bodies.values()], set[Variable]()
        for body in queue:  # with the functions that these call
            survey = self._surveys.of(body)
            named |= survey.named
            for function in survey.called:
                called = self.body(function) if function not in bodies else None
                if called is not None:
                    bodies[function] = called
                    queue.append(called)
        return frozenset(v for v in named if v.entity in entities)

    def launching(self) -> Iterator[tuple[Body, Construct]]:
        """The constructs by which threads of the host launch regions, with their functions."""
        for body in self.functions if "parallel" in self.unit.language.source else ():
            survey = self._surveys.of(body)
            for node in survey.constructs:
                if "parallel" in node.directive.constructs and not is_for_devices(node) and node in survey.acting:
                    yield body, node

    def entered_by(self, function: Function) -> Mapping[SourceSpan, Mapped]:
        """The items of ``enter data`` in a function, if this and no other function has ``exit data`` with them. What
        another function has entered itself, by a variable of its own, it removes by that name."""
        return self._entered.get(function, {})

    @cached_property
    def _entered(self) -> Mapping[Function, Mapping[SourceSpan, Mapped]]:
        entered, removing = (
            [(body.function, m) for body, c in self.constructs if c.directive.name == name for m in mapped_by(c)]
            for name in ("target enter data", "target exit data")
        )
        own = {m.root.variable for _, m in entered if m.root.variable.key not in self.statics}
        found: dict[Function, dict[SourceSpan, Mapped]] = {}
        for where, mapped in entered:
            same = [(f, m) for f, m in removing if m.last_name == mapped.last_name]
            if any(f is where for f, _ in same) and {f for f, m in same if m.root.variable not in own} <= {where}:
                found.setdefault(where, {})[mapped.span] = mapped
        return found

    @cached_property
    def items(self) -> Mapping[SourceSpan, tuple[Locator, Construct]]:
        """The list items of map clauses by their places, with their constructs."""
        mapped = ((m, construct) for _, construct in self.constructs for m in mapped_by(construct))
        return {m.span: (m.item, construct) for m, construct in mapped if m.item is not None}

    def place_of(
        self, node: Node, construct: Construct, calls: Sequence[Call] = (), callers: Iterable[Node] = ()
    ) -> Place:
        """Where a node is, to which ``calls`` lead, outermost first: the same value each time. What the user has not
        written stands where a call does, the nearest of the ``callers``, or ``construct``."""
        key = (node, *calls[:1])
        if key not in self._places:
            self._places[key] = Place(self.language, (node, *reversed(calls), *callers), construct.directive.span)
        return self._places[key]

    @cached_property
    def may_know_addresses(self) -> bool:
        """Whether the host may know addresses of the device, and store them."""
        clauses = ("use_device_ptr", "use_device_addr")
        return self._uses_device_memory or any(one.directive.has(*clauses) for _, one in self.constructs)

    @cached_property
    def mapped_members(self) -> frozenset[str]:
        """The last names in list items that may be members, through which what these lead to is mapped: a variable's
        elements are none, nor are pointers that a mapper maps without a section, nor mappers that no clause names."""
        plain = set[SourceSpan]()
        for _, construct in self.constructs:
            for item in directive_locators(construct.directive):
                root = item_root(construct, item)
                if root is not None and {DEREFERENCE}.issuperset(root.path):
                    plain.add(item.span)
        clauses = [clause for directive in self.unit.directives for clause in directive.clauses]
        used = {"default", *(c.mapper for c in clauses if isinstance(c, ListClause | MapClause))}
        found = set[str]()
        for directive in self.unit.directives:
            mapper = mapper_name(directive) if directive.name == "declare mapper" else None
            for item in directive_locators(directive):
                leads = mapper is None or not (item.steps and isinstance(item.steps[-1], MemberStep))
                if leads and item.span not in plain and (mapper is None or mapper in used):
                    found.add(last_name(item))
                elif leads and mapper is not None:
                    self.unnamed_mappers[last_name(item)] = mapper
        return frozenset(found)

    @cached_property
    def may_map_rows(self) -> bool:
        """Whether the unit may store addresses of the device in arrays: a list item leads through an element, or there
        are mappers or functions for addresses of devices."""
        if self.may_know_addresses or self.by_mappers:
            return True
        roots = (item_root(c, item) for _, c in self.constructs for item in directive_locators(c.directive))
        return any(root is not None and root.one_of for root in roots)

    def reaches(self, function: Function) -> bool:
        """Whether a function, or one that it calls, concerns what is followed."""
        if function not in self._reaching:
            self._reaching[function] = False
            survey, kind = self.survey(function), function.type
            # A parameter may be a pointer to what is followed, whatever its name is. The result may be new memory.
            types = (kind.result, *(kind.parameters or ())) if isinstance(kind, FunctionType) else ()
            pointers = any(isinstance(one, Pointer | Array) for one in types)
            concerned = bool(survey.constructs) or pointers or any(v.name in self._names for v in survey.named)
            others = (other for other in survey.called if self.body(other) is not None)
            self._reaching[function] = concerned or any(self.reaches(other) for other in others)
        return self._reaching[function]

    def writes_argument(self, call: Lent, number: int) -> bool:
        """Whether a function that a region calls may write to what an argument leads to."""
        try:
            return call.function is None or not {number, None}.isdisjoint(self.unit.calls.of(call.node).writes)
        except UnknownError:
            return True

    # -- what is found once, at the beginning -------------------------------------------------------------------------

    def _names_of_regions(self) -> frozenset[str]:
        """The names of variables that regions or data directives use, or that the device always has."""
        names = {c.symbol.name for r in self.plan.regions for c in r.captures}
        names.update(variable.symbol.name.rpartition("::")[2] for variable in self.plan.variables)
        names.update(item.name for _, c in self.constructs for item in directive_locators(c.directive))
        return frozenset(names)

    def _uses_several_devices(self) -> bool:
        called = (one.name for body in self.functions for one in self._surveys.of(body).called)
        if any(region.runs for region in self.plan.host_regions) or "omp_set_default_device" in called:
            return True
        devices: set[int | None] = set()
        for _, construct in self.constructs:
            clause = construct.directive.clause("device")
            if not isinstance(clause, ExprClause) or clause.expr is None:
                devices.add(None)
                continue
            number = value_of(construct, clause.expr)
            if number is None:
                return True
            devices.add(number)
        return len(devices) > 1


def value_of(construct: Construct, expr: Expr) -> int | None:
    """The value of an expression in a clause, if it is an integer that is always the same."""
    return next((constant(value) for one, value in construct.expressions if one is expr), None)


# Which functions of a unit the warnings follow. To read the others takes longer than all that is done with these.

_FOR_DEVICES = regex(r"\b(?:omp_target_\w+|omp_get_mapped_ptr|omp_set_default_device)\s*\(")


def concerned(
    text: str,
    functions: Sequence[Stretch],
    starts: Iterable[int],
    means_other: Callable[[int, int, Collection[int]], bool] | None = None,
) -> list[int]:
    """The functions with directives for devices, which are at ``starts``, or calls of functions for devices' memory,
    and those that name one of these (:func:`..base.mentions.naming`): the nearest first, because readers may leave the
    last out. Each is told by its number."""
    found = {number for number, one in enumerate(functions) if _FOR_DEVICES.search(text, one.start, one.end)}
    found |= {number for at in starts for number, one in enumerate(functions) if one.start <= at < one.end}
    return naming(text, functions, found, means_other)


class MappedTypes:
    """The types that have a mapper, with those that contain them or lead to them."""

    def __init__(self, is_mapped: Callable[[RecordInfo], bool] | None) -> None:
        """``is_mapped`` says whether a type has a mapper, and is None if the unit has no mappers."""
        self._is_mapped = is_mapped
        self._known: dict[RecordInfo, bool] = {}

    def __bool__(self) -> bool:
        return self._is_mapped is not None

    def has(self, variable: Variable) -> bool:
        """Whether a variable has such a type."""
        if self._is_mapped is None:
            return False
        record = _record(variable.type)
        if record is None:
            return False
        if record not in self._known:
            self._known[record] = self._leads_to_mapped(record)
        return self._known[record]

    def _leads_to_mapped(self, record: RecordInfo) -> bool:
        assert self._is_mapped is not None
        seen = {record}
        stack = [record]
        while stack:
            one = stack.pop()
            if self._is_mapped(one):
                return True
            inner = {found for member in one.members if (found := _record(member.type)) is not None} - seen
            seen |= inner
            stack += inner
        return False


def _record(kind: Type) -> RecordInfo | None:
    """The structure or union that a type is, has as elements or leads to."""
    kind = end_of(kind)
    return kind.info if isinstance(kind, Record) else None
