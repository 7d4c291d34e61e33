"""Which variables from outside a kernel gets, and how they reach it (OpenMP 5.2, section 5.8.1): scalars by value, or
in storage that its threads share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Generic

from ..base.diagnostics import SourceSpan, error_at
from ..base.records import dataclass, replace
from ..directives.contents import privatised_names
from ..directives.model import ListClause, Locator, Member, ReductionClause
from ..plan.constructs import Entity, Sharing
from ..plan.host_expression import ZERO, Cast, HostExpression, Index, OnDevice, SizeOf, Variable
from ..plan.rows import MAP_TYPES, Adjustment, Capture, Extent, Map, MapRow, Role, RowNote, Transport
from ..plan.unit import KernelKind
from ..tree import nodes as tree
from ..tree.calls import Calls
from ..tree.symbols import Function
from .by_value import (
    BY_DEFAULT,
    BY_VALUE,
    Layout,
    Path,
    add_pointer,
    add_words,
    may_go_by_value,
    offsets,
    sections_behind,
)
from .list_items import HostIndex, HostSection, MapItem
from .mapped_objects import adjusted, pointer_to
from .mapping import Mapper, by_symbol, clause_items, expanded, implicit_items
from .program import C, Program
from .reductions import defaultmap_of, listed

_BOTH = Map.TO | Map.FROM
_ORDERING = frozenset(("critical", "flush", "ordered", "scan"))


@dataclass(frozen=True)
class Form:
    """What of a variable's type matters to how it is passed.

    - ``category`` is that of ``defaultmap``: ``scalar``, ``pointer`` or ``aggregate``.
    - ``copied``: the region has a copy of the variable, unless a clause says otherwise.
    - ``fits``: a parameter of 8 bytes can bring a number.
    - ``points``: the parameter is the value of a pointer, or the address of an array's first element.
    - ``alone``: surely nothing but the region has the variable on a device.
    - ``carries``: data constructs may map pointers in such objects for the sections behind them.
    """

    category: str
    copied: bool
    fits: bool = False
    alone: bool = False
    points: bool = False
    of_function: bool = False
    is_const: bool = False
    is_volatile: bool = False
    carries: bool = False


class Captures(ABC, Generic[C]):
    """The captured variables of a region, made of the constructs of ``chain``, and the rows that supply them.

    ``sharing`` are the copies that its threads make, and ``of_target`` those that only its ``target`` makes.
    ``by_value`` are the variables of which the kernel gets copies, and ``extents`` lengths of arrays that it gets.
    """

    has_mappers = True
    extents: Sequence[Extent] = ()

    def __init__(
        self, program: Program[C], chain: Sequence[C], kind: KernelKind, sharing: Sharing,
        of_target: Collection[Entity], accesses: Accesses, mapper: Mapper,
    ) -> None:  # fmt: skip
        self.program, self.chain, self.kind, self.sharing = program, chain, kind, sharing
        self.accesses, self.mapper = accesses, mapper
        self.captures: list[Capture] = []
        self.loaded: list[Capture] = []
        self.by_value: set[Entity] = set()
        construct = self.chain[0]
        self.directive = construct.directive
        self.items = by_symbol(clause_items(mapper, self.directive.clauses))
        self.first = dict.fromkeys([*listed(program, construct, "firstprivate"), *of_target])
        self.device: dict[Entity, str] = {}
        for name in ("is_device_ptr", "has_device_addr"):
            self.device |= dict.fromkeys(listed(program, construct, name), name)
        own = [variable for variable, name in self.device.items() if name == "is_device_ptr"]
        self.kept = frozenset((*self.first, *own))  # of variables that the device has, the region has its own here
        self.returned = dict.fromkeys(program.sharing(construct).returned)
        self._copied = {program.found(part, n) for part in self.chain for n in privatised_names(part.directive)}

    # -- what the front end says ----------------------------------------------------------------------------------

    @property
    @abstractmethod
    def changed(self) -> frozenset[Entity]:
        """What the region's body changes, or may change through pointers."""

    @property
    @abstractmethod
    def changed_copies(self) -> frozenset[Entity]:
        """The changed variables that no clause names and of which the region has copies."""

    @abstractmethod
    def form(self, variable: Entity) -> Form: ...

    @abstractmethod
    def host(self, variable: Entity) -> HostExpression:
        """The host's own variable, also where its name stands for another one."""

    @abstractmethod
    def place(self, variable: Entity) -> SourceSpan:
        """Where the region uses a variable."""

    @abstractmethod
    def capture(self, variable: Entity, transport: Transport, why: str) -> Capture: ...

    @abstractmethod
    def check(self, variable: Entity) -> None:
        """Raise InputError for a variable that the kernel cannot have."""

    def size(self, variable: Entity) -> tuple[SizeOf, bool]:
        """(the size of a variable, whether it is constant). Raises InputError if it is not known in this unit."""
        return SizeOf(self.host(variable)), True

    @abstractmethod
    def layouts(self, variable: Entity) -> Sequence[Layout]:
        """The parts of an object in each instantiation, if it may go by value: the region does no more than to read
        it, and a kernel can put it together. Else nothing."""

    @abstractmethod
    def is_fresh(self, variable: Entity) -> bool:
        """Whether a variable is surely not on the device before the region."""

    @abstractmethod
    def pointer_in(self, variable: Entity, path: Path, offset: int) -> tuple[Entity, HostExpression, HostExpression]:
        """(a pointer in an object as a variable of its own, how the host names it, how it reads its value)"""

    def has_pointers_in_parameters(self, variable: Entity) -> bool:  # noqa: ARG002
        """Whether parameters of their own bring the pointers in an object, as of a closure."""
        return False

    def is_passed_apart(self, variable: Entity, items: Sequence[MapItem]) -> bool:  # noqa: ARG002
        """Whether the front end passes a variable in a way of its own, which it does at once."""
        return False

    @abstractmethod
    def loaded_pointer(self, variable: Entity, path: tuple[str, ...]) -> Capture | None:
        """The capture of a pointer in a structure, which the variable is or leads to, if there is one member of the
        path."""

    @abstractmethod
    def on_host(self, variable: Entity, path: tuple[str, ...]) -> HostExpression | None:
        """A member of the object that the variable is or leads to, where the host's text may name it."""

    # -- all variables --------------------------------------------------------------------------------------------

    def collect(self, used: Iterable[Entity], outside: Collection[Entity] = ()) -> list[Entity]:
        """Capture those of the variables that the region has no own copies of, or uses ``outside`` of its threads."""
        private = self.sharing.private
        found = [v for v in used if v not in private or v in self.items or v in outside]
        for variable in found:
            self.check(variable)
            self.add(variable, self.items.get(variable) or self._by_default(variable))
        self.captures = [self._stored(capture) for capture in self.captures]
        return found

    def map_others(self, captured: Collection[Entity]) -> None:
        """Add the rows of what clauses map beside the captured variables."""
        for variable, items in self.items.items():
            if variable not in captured:
                self.mapper.map_symbol(variable, items)

    def add(self, variable: Entity, items: Sequence[MapItem]) -> None:
        """Capture a variable, of which ``items`` are mapped."""
        if self._in_words(variable, items) or self.is_passed_apart(variable, items):
            return
        if variable in self.mapper.links:
            self.mapper.map_symbol(variable, items)
        elif items and not self._is_read_only(variable, items):
            self._mapped(variable, items)
            if self.form(variable).category == "pointer" and self.captures[-1].transport is Transport.POINTER:
                self.by_value.add(variable)
        elif variable in self.device:
            self._device_address(variable, self.device[variable])
        elif variable in self.returned:
            if sections := self._reduced(variable):
                self._mapped(variable, sections)
            else:
                self.whole(variable, _BOTH | Map.IMPLICIT, "reduction or lastprivate")
        else:
            self._implicit(variable, is_explicit=variable in self.first or bool(items))

    def _in_words(self, variable: Entity, items: Sequence[MapItem]) -> bool:
        """Pass an object by value, and map the sections behind its pointers, if no program can tell.

        None can where the region only reads the object, and where it is not on the device before. Pointers in it are
        then those that the runtime finds for the sections, as in a mapped object.
        """
        is_first = variable in self.first
        behavior = None if items or is_first else defaultmap_of(self.directive.clauses, self.form(variable).category)
        if behavior not in BY_DEFAULT or not may_go_by_value(self.directive):
            return False
        apart = {*self.device, *self.returned, *self.sharing.private, *self.sharing.lastprivate, *self.sharing.returned}
        layouts = self.layouts(variable) if variable not in apart and not (is_first and items) else ()
        copied = is_first or behavior == "firstprivate" or (self.form(variable).copied and not items and not behavior)
        if not layouts or not (copied or self.is_fresh(variable)):
            return False
        layout, sizes, sections = layouts[0], {one.size for one in layouts}, sections_behind(layouts[0], items)
        is_alike = all(one == layout for one in layouts)
        if sections is None or (sections and not is_alike):
            return False
        has_pointers = is_alike and not self.has_pointers_in_parameters(variable)
        words = layout.words if has_pointers else offsets(max(sizes))
        host = self.host(variable)
        added = add_words(self.mapper, variable.name, host, sizes, words, self.mapper.new_name)
        self.captures.append(replace(self.capture(variable, Transport.WORDS, BY_VALUE), words=added))
        for path, field in layout.pointers.items() if has_pointers else ():
            member, named, value = self.pointer_in(variable, path, field.offset)
            add_pointer(self.mapper, member, named if path in sections else value, field, sections.get(path, ()))
            capture = Capture(member, Transport.POINTER, member.type, "pointer in a structure", of=variable, path=path)
            self.captures.append(replace(capture, offset=field.offset))
        return True

    def _is_read_only(self, variable: Entity, items: Sequence[MapItem]) -> bool:
        """Whether no program can tell that a mapped number is passed by value: the region neither changes it nor runs
        later, and the variable is not on the device before."""
        form, (first, *more) = self.form(variable), items
        if more or first.steps or first.flags != Map.TO or self.directive.has("nowait"):
            return False
        return form.fits and form.alone and variable not in self.accesses.changed

    def _by_default(self, variable: Entity) -> list[MapItem]:
        """The items of a variable that is mapped implicitly, but not simply as a whole.

        Its type has a default mapper, or it is a ``link`` variable, which has no other storage on the device.
        """
        link, category = variable in self.mapper.links, self.form(variable).category
        if variable in self._copied or variable in self.device:
            return []
        behavior = defaultmap_of(self.directive.clauses, category)
        if not link and (category != "aggregate" or behavior in ("none", "firstprivate") or not self.has_mappers):
            return []
        locator = Locator(variable.name, (), variable.name, self.place(variable))
        if not link:
            return implicit_items(self.mapper, locator, _flags(behavior))
        note = RowNote("implicit map", variable.name)
        return expanded(self.mapper, self.mapper.item(locator, _flags(behavior) | Map.IMPLICIT, note))

    def _reduced(self, variable: Entity) -> list[MapItem]:
        """The section of a variable that the construct reduces, mapped for it."""
        item = self._reduced_items.get(variable)
        if item is None or not item.steps:
            return []
        return [self.mapper.item(item, _BOTH | Map.IMPLICIT, RowNote("reduction", item.text))]

    @cached_property
    def _reduced_items(self) -> dict[Entity | None, Locator]:
        clauses = (clause for clause in self.directive.clauses if isinstance(clause, ReductionClause))
        return {self.program.found(self.chain[0], item.name): item for c in clauses for item in c.items}

    # -- one variable ---------------------------------------------------------------------------------------------

    def _mapped(self, variable: Entity, items: Sequence[MapItem]) -> None:
        """Map a variable as the clauses say.

        A pointer may be mapped together with a section of what it points to, as in ``map(p, p[0:n])``. It goes by
        value, unless the region changes it or takes its address. Then the kernel uses the pointer on the device, and
        the section is attached to it.
        """
        form, through = self.form(variable), [item for item in items if item.steps]
        points = form.points
        if points and form.category == "pointer":
            changes = variable in self.accesses.changed or variable in self.accesses.addressed
            points = bool(through) and not (changes and len(through) < len(items))
            items = through if points else items
        self._map(variable, items)
        if points:
            self.captures.append(self.capture(variable, Transport.POINTER, "mapped section"))
        else:
            self.captures.append(self.capture(variable, Transport.ADDRESS, "mapped variable"))

    def _map(self, variable: Entity, items: Sequence[MapItem]) -> None:
        """Add a variable's rows, and note of which of them the sections are behind pointers in a structure."""
        begin = len(self.mapper.rows)
        self.mapper.map_parameter(variable, items)
        behind = [n for n, row in enumerate(self.mapper.rows) if n >= begin and row.flags & Map.PTR_AND_OBJ]
        found: dict[tuple[str, ...], list[int]] = {}
        for item in items:
            members = list(takewhile(lambda step: isinstance(step, Member), item.steps))
            path = tuple(step.name for step in members if isinstance(step, Member))
            if path and not any(isinstance(step, Member) and step.arrow for step in item.steps[1:]):
                rows = [n for n in behind if self.mapper.rows[n].note == item.note]
                found.setdefault(path, []).extend(rows)
        alone = all(map(_is_of_one_object, items))
        size = SizeOf(Index(self.host(variable), ZERO) if self.form(variable).points else self.host(variable))
        for path, rows in found.items():
            capture = self.loaded_pointer(variable, path) if len(rows) == 1 else None
            if capture is not None:
                self.loaded.append(replace(capture, of=variable, path=path, row=rows[0], size=size if alone else None))

    def followed(self, variable: Entity, path: tuple[str, ...]) -> Capture | None:
        """The capture of a pointer in a mapped object, where constructs before the region may have mapped what it leads
        to. If nothing says that the object is the host's, the host reads it only if the object is on the device."""
        mapping = self.mapper.finish()
        parameter, value = mapping.parameter(Role.VARIABLE, variable), self.on_host(variable, path)
        row = mapping.rows[parameter.row] if parameter is not None else None
        capture = self.loaded_pointer(variable, path) if row is not None and value is not None else None
        if capture is None or row is None or value is None or row.loops or row.flags & (Map.LITERAL | Map.PRIVATE):
            return None
        points, host, value = self.form(variable).points, self.host(variable), Cast("void *", value)
        if row.size.value == 0 and not row.covers:
            value = OnDevice(f"{variable.name}__rex_{'_'.join(path)}", host, value)
        alone = all(map(_is_of_one_object, self.items.get(variable, ())))
        size = SizeOf(Index(host, ZERO) if points else host) if alone else None
        return replace(capture, of=variable, path=path, followed=value, size=size)

    def expect(self, capture: Capture) -> None:
        """Pass the device's address for a pointer that the kernel loads."""
        value = capture.followed
        assert value is not None
        note = RowNote("what the host expects", capture.symbol.name)
        self.mapper.rows.append(MapRow(value, value, ZERO, Map.TARGET_PARAM | Map.IMPLICIT, note))
        self.mapper.supply(Role.VARIABLE, symbol=capture.symbol)
        self.captures.append(capture)

    def _device_address(self, variable: Entity, clause: str) -> None:
        """A variable that already has a device address."""
        form, flags = self.form(variable), Map.TARGET_PARAM | Map.LITERAL
        named = self.mapper.items.variable(variable)
        if form.points:
            value: HostExpression = Cast("void *", named)
        elif clause == "has_device_addr":
            value = pointer_to(named)
        else:
            clauses = (c for c in self.directive.all(clause) if isinstance(c, ListClause))
            item = next(i for c in clauses for i in c.items if i.name == variable.name)
            raise error_at(item.span, f"'{variable.name}' in '{clause}' is not a pointer")
        self.captures.append(self.capture(variable, Transport.POINTER if form.points else Transport.ADDRESS, clause))
        self.mapper.rows.append(MapRow(value, value, SizeOf("void *"), flags, RowNote(clause, variable.name)))
        self.mapper.supply(Role.VARIABLE, symbol=variable)
        if form.category == "pointer":
            self.by_value.add(variable)

    def _implicit(self, variable: Entity, *, is_explicit: bool) -> None:
        """Pass or map a variable that no clause maps; with ``is_explicit``, a clause says that it is firstprivate."""
        form, implicit = self.form(variable), 0 if is_explicit else Map.IMPLICIT
        behavior = None if is_explicit else defaultmap_of(self.directive.clauses, form.category)
        if behavior == "none":
            what = f"'{variable.name}' is not in a data clause, which 'defaultmap(none)' demands"
            raise error_at(self.place(variable), what)
        if behavior in MAP_TYPES or behavior == "present":
            self.whole(variable, Map.IMPLICIT | _flags(behavior), f"defaultmap({behavior})")
        elif form.category == "pointer":
            self.pointer(variable, implicit, literal=is_explicit or behavior == "firstprivate" or form.of_function)
        elif is_explicit or behavior == "firstprivate" or form.copied:
            self.copy(variable, implicit)
        else:
            moves = Map.TO if form.is_const else _BOTH
            self.whole(variable, Map.IMPLICIT | moves, "implicit map")

    def pointer(self, variable: Entity, flags: int, *, literal: bool) -> None:
        """Pass a pointer's value as it is, if ``literal``, or what it points to on the device."""
        value = Cast("void *", self.host(variable))
        flags |= Map.TARGET_PARAM | (Map.LITERAL if literal else 0)
        note = RowNote("firstprivate" if literal else "implicit zero-length section", variable.name)
        self.mapper.rows.append(MapRow(value, value, SizeOf("void *") if literal else ZERO, flags, note))
        self.mapper.supply(Role.VARIABLE, symbol=variable)
        self.captures.append(self.capture(variable, Transport.POINTER, "pointer"))
        self.by_value.add(variable)

    def copy(self, variable: Entity, implicit: int) -> None:
        """Pass the value of a variable, or a copy of it. ``implicit`` is the flag of one that no clause names."""
        self.by_value.add(variable)
        if not self.form(variable).fits or self._needs_storage(variable):
            self.whole(variable, Map.PRIVATE | Map.TO | implicit, "firstprivate")
            return
        why = "implicit firstprivate" if implicit else "firstprivate"
        self.mapper.by_value(variable, self.host(variable), implicit, why)
        self.captures.append(self.capture(variable, Transport.LITERAL, why))

    def whole(self, variable: Entity, flags: int, why: str) -> None:
        """Map a whole variable."""
        form, named = self.form(variable), self.host(variable)
        is_array = form.points and form.category != "pointer"
        size, is_constant = self.size(variable)
        if size.bytes == 0:
            flags &= ~Map.PRIVATE  # libomptarget fails to make a copy of size zero
        address, note = Cast("void *", named) if is_array else pointer_to(named), RowNote(why, variable.name)
        row = MapRow(address, address, size, flags | Map.TARGET_PARAM, note, constant_size=is_constant)
        stands_in = form.carries and not flags & (Map.PRIVATE | Map.PRESENT)
        self.mapper.rows.append(adjusted(row, Adjustment.STAND_IN) if stands_in else row)
        self.mapper.supply(Role.VARIABLE, symbol=variable)
        self.captures.append(self.capture(variable, Transport.POINTER if is_array else Transport.ADDRESS, why))

    def _needs_storage(self, variable: Entity) -> bool:
        """Whether threads that share a firstprivate scalar of the region could see each other's changes to it."""
        leaves = [leaf for part in self.chain for leaf in part.directive.constructs]
        volatile = self.form(variable).is_volatile
        return needs_storage(
            variable, self.kind, leaves, self.sharing, self._innermost, self.accesses, is_volatile=volatile
        )

    @cached_property
    def _innermost(self) -> Sharing:
        return self.program.sharing(self.chain[-1])

    def _stored(self, capture: Capture) -> Capture:
        """The capture, in storage on the device if it is a pointer that threads share and change.

        A parameter would be a copy for each thread. The host cannot store the pointer's device value there before the
        launch, so the first thread does.
        """
        symbol = capture.symbol
        if capture.transport is not Transport.POINTER or capture.of is not None:
            return capture
        if self.form(symbol).category != "pointer" or symbol not in self.accesses.changed:
            return capture
        if symbol in self.sharing.named or not self._needs_storage(symbol):
            return capture
        unset, flags = pointer_to(Variable("rex_unset_pointer")), Map.PRIVATE | Map.TO | Map.TARGET_PARAM
        note = RowNote("", f"storage of {symbol.name}")
        self.mapper.rows.append(MapRow(unset, unset, SizeOf("void *"), flags, note))
        self.mapper.supplied = [
            replace(p, role=Role.START) if p.symbol is symbol and p.role is Role.VARIABLE else p
            for p in self.mapper.supplied
        ]
        self.mapper.supply(Role.VARIABLE, symbol=symbol)
        why = f"{capture.reason}, changed by threads that share it"
        return replace(self.capture(symbol, Transport.ADDRESS, why), start=capture)


def _is_of_one_object(item: MapItem) -> bool:
    """Whether an item is the object that a variable is or leads to, or in it or behind it."""
    match item.steps:
        case (HostIndex(index=index),):
            return index.value == 0
        case (HostSection(length=length) as only,):
            return only.first.value == 0 and length is not None and length.value == 1
        case (first, *_):
            return isinstance(first, Member)
    return not item.shape


def _flags(behavior: str | None) -> int:
    """The flags of what is mapped implicitly, where ``defaultmap`` says how, or None."""
    return MAP_TYPES.get(behavior or "", _BOTH) | (Map.PRESENT if behavior == "present" else 0)


@dataclass(frozen=True)
class Accesses:
    """What a region's body does with variables from outside.

    It changes those in ``changed``, and takes the addresses of those in ``addressed``. ``ordered`` gives those whose
    accesses by different threads it may order, as atomics do; None means all. They are found when somebody asks.
    """

    changed: Collection[Entity]
    find_addressed: Callable[[], Collection[Entity]]
    find_ordered: Callable[[], Collection[Entity] | None]

    @cached_property
    def addressed(self) -> Collection[Entity]:
        return self.find_addressed()

    @cached_property
    def ordered(self) -> Collection[Entity] | None:
        return self.find_ordered()


def needs_storage(
    symbol: Entity,
    kind: KernelKind,
    leaves: Sequence[str],
    sharing: Sharing,
    innermost: Sharing,
    accesses: Accesses,
    *,
    is_volatile: bool,
) -> bool:
    """Whether threads that share a firstprivate scalar of the region could see each other's changes to it.

    ``sharing`` is the region's, and ``innermost`` what the innermost of its constructs says alone.
    """
    if symbol not in accesses.changed and symbol not in {r.symbol for r in sharing.reductions}:
        return symbol in sharing.lastprivate
    copied = symbol in {*sharing.firstprivate, *sharing.private}
    if copied and symbol in {*innermost.firstprivate, *innermost.private} and len(leaves) > 1:
        return False
    if kind is not KernelKind.PARALLEL and symbol not in sharing.returned and not is_volatile:
        # Reading what another thread wrote would be a data race here, so a copy for each thread does as well.
        ordered = None if symbol in accesses.addressed else accesses.ordered
        if ordered is not None and symbol not in ordered:
            return False
    if kind in (KernelKind.SERIAL, KernelKind.TEAMS):
        return "teams" in leaves
    return True


def ordered_variables(
    program: Program[C], regions: Iterable[tree.Node], calls: Calls, addressed: Collection[Entity]
) -> Collection[Entity] | None:
    """The variables whose accesses by different threads a region, or a function it reaches, may order. None means all.

    The threads may be of different teams, or of the same worksharing loop. Relaxed atomics of other objects order
    nothing; where their object is not named, it may be a variable that is ``addressed``. ``regions`` are its trees.
    """
    found: set[Entity] = set()
    queue, seen = list(regions), set[Function]()
    while queue:
        for node in tree.walk(queue.pop()):
            match node:
                case tree.Opaque() if node.jumps or node.mentions is None:
                    return None
                case tree.Call() if node.virtual or not isinstance(node.callee, tree.FunctionAddress):
                    return None
                case tree.FunctionAddress(function=function) if function not in seen:
                    seen.add(function)
                    body = calls.body(function) if function.defined else None
                    queue += [body.statement] if body is not None else []
                    if _orders(function):
                        return None
                case tree.Load(place=place) | tree.Store(place=place) | tree.Update(place=place) if place.type.atomic:
                    return None
                case tree.Construct(directive=directive) if not _ORDERING.isdisjoint(directive.constructs):
                    return None
                case tree.Construct(directive=directive) if "atomic" in directive.constructs:
                    operation = program.atomic(node.origin)
                    if operation.ordered:
                        return None
                    variable = program.named(operation.location)
                    found.update(addressed if variable is None else [variable])
    return found


def _orders(function: Function) -> bool:
    name = function.name
    is_lock = name.startswith("omp_") and name.endswith("_lock")
    return is_lock or name.startswith(("__atomic_", "__sync_", "__c11_atomic_")) or ("::" in name and "atomic" in name)
