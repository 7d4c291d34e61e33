"""Decides which variables from outside a kernel gets, and how they reach it (OpenMP 5.2, section 5.8.1)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...base.records import replace
from ...directives.contents import privatised_names
from ...directives.model import ListClause, Locator, ReductionClause, ScheduleClause
from ...openmp.by_value import BY_VALUE, Layout, Path, add_pointer, add_words, layout_of, sections_behind
from ...openmp.list_items import MapItem
from ...openmp.mapped_objects import adjusted, pointer_to
from ...openmp.mappers import by_symbol, clause_items, expanded, implicit_items
from ...openmp.mapping import Mapper
from ...openmp.places import check_has_size
from ...openmp.scalars import Accesses, needs_storage
from ...openmp.tasks import is_task, with_task_copies
from ...openmp.team_memory import team_memory
from ...plan.captures import Capture, Transport
from ...plan.code import Entity
from ...plan.host_expression import (
    ZERO,
    Cast,
    HostExpression,
    Index,
    SizeOf,
    Variable,
    element_count,
)
from ...plan.memory import SHARED_MEMORY, TeamMemory
from ...plan.region import KernelKind
from ...plan.rows import (
    MAP_FROM,
    MAP_IMPLICIT,
    MAP_LITERAL,
    MAP_PRESENT,
    MAP_PRIVATE,
    MAP_TARGET_PARAM,
    MAP_TO,
    MAP_TYPES,
    Adjustment,
    Extent,
    MapRow,
    Role,
    RowNote,
)
from ...plan.sharing import Sharing
from ..reading.statements import reader_of
from ..sema import Symbol, SymbolKind, assignments, free_variables, symbols_of, walk
from ..sema.conversions import decay
from ..sema.ctype import Array, CType, LayoutError, Pointer, Scalar, sizeof, strip
from ..sema.type_questions import (
    is_arithmetic,
    is_array,
    is_pointer,
    is_record,
    is_scalar,
    is_sizeless,
    is_variably_modified,
)
from .atomics import ordered_between_threads
from .attachment import record_of
from .device_library import refused_type
from .host_bounds import fresh_variables
from .listed import named_symbol
from .members import host_member, member_type
from .nesting import constructs_in, nesting
from .optimise.accesses import calls_of
from .program import Program
from .region_base import RegionBase


class Captures(RegionBase):
    """Captured variables and the rows of the map arrays that supply them."""

    def _captures(self, kind: KernelKind) -> tuple[list[Capture], list[Extent], Mapper, TeamMemory, frozenset[Symbol]]:
        """(captured variables, lengths of variable-length arrays, the mapper with the rows so far, what the threads of
        a team share, variables of which the kernel gets copies)"""
        sema, construct = self.sema, self.construct
        mapper, names = self.items.rows(), self.items.names
        mapped = by_symbol(clause_items(mapper, self.directive.clauses))
        outside = {*mapped, *self._in_sections()}
        referenced = [s for s in self._used() if s not in self.sharing.private or s in outside]
        device_pointers = self._listed("is_device_ptr", "has_device_addr")
        copied = {sema.lookup(part, name) for part in self.chain for name in privatised_names(part.directive)}
        changed = frozenset(assignments(sema, self.body).symbols)
        addressed = assignments(sema, self.body).address_taken
        captures: list[Capture] = []
        extents: list[Extent] = []
        by_value: set[Symbol] = set()
        explicit_first = {*self._listed("firstprivate"), *self.target_copies}
        combined = self.facts.constructs.sharing(construct).returned
        returned = {*device_pointers, *combined}
        for symbol in referenced:
            self._check_device_type(symbol)
            self._check_visible(symbol)
            self._extents(symbol, mapper, extents)
            own = mapped.get(symbol, [])
            if not own and symbol not in copied and symbol not in device_pointers:
                own = self._mapped_by_default(symbol, mapper)
            parts = self._parts(symbol, own, kind, changed, explicit_first, returned)
            if parts is not None:
                self._by_words(symbol, *parts, mapper, captures)
            elif symbol in names.links:
                mapper.map_symbol(symbol, own)
            elif own and not self._literal_map(symbol, own, changed):
                self._explicit(symbol, own, mapper, captures, symbol in changed or symbol in addressed)
                if is_pointer(symbol.type) and captures[-1].transport is Transport.POINTER:
                    by_value.add(symbol)
            elif symbol in device_pointers:
                self._device_pointer(symbol, device_pointers[symbol], mapper, captures)
                if is_pointer(symbol.type):
                    by_value.add(symbol)
            elif symbol in combined and (sections := self._reduced_sections(symbol, mapper)):
                self._explicit(symbol, sections, mapper, captures)
            elif symbol in combined:
                self._whole(symbol, MAP_TO | MAP_FROM | MAP_IMPLICIT, mapper, captures, "reduction or lastprivate")
            else:
                value = self._implicit(symbol, kind, mapper, captures, explicit_first, own)
                if value:
                    by_value.add(symbol)
        captures = [self._stored(capture, kind, mapper, changed) for capture in captures]
        for symbol in symbols_of(self.sharing.private):
            self._check_device_type(symbol)
            if symbol not in referenced:
                self._extents(symbol, mapper, extents)
        for other, items in mapped.items():
            if other not in referenced:
                mapper.map_symbol(other, items)
        team = TeamMemory()
        if kind is KernelKind.TEAMS:
            body, local = reader_of(sema).statement(self.body), self.facts.constructs.locals(self.chain[-1])
            sharing_of = self.facts.constructs.sharing
            team = team_memory([body], sharing_of, calls_of(sema), self.sharing, by_value, local.__contains__)
            team = team.within(SHARED_MEMORY)
        return captures, extents, mapper, team, frozenset(by_value)

    def _reduced_sections(self, symbol: Symbol, mapper: Mapper) -> list[MapItem]:
        """The sections of a variable that the construct reduces, mapped for it (OpenMP 5.2, section 5.8.1)."""
        items = self._reduced.get(symbol, [])
        flags = MAP_TO | MAP_FROM | MAP_IMPLICIT
        notes = ((item, RowNote("reduction", item.text)) for item in items[-1:] if item.steps)
        return [mapper.item(item, flags, note) for item, note in notes]

    @cached_property
    def _reduced(self) -> dict[Symbol | None, list[Locator]]:
        """The list items that the construct reduces, by what they name."""
        found: dict[Symbol | None, list[Locator]] = {}
        for clause in self.directive.clauses:
            for item in clause.items if isinstance(clause, ReductionClause) else ():
                found.setdefault(self.sema.lookup(self.construct, item.name), []).append(item)
        return found

    def _used(self) -> list[Symbol]:
        """Variables from outside that the kernel needs, in order of first reference."""
        used = {r.symbol: None for r in free_variables(self.sema, self.body)}
        sharing = self.sharing
        used.update(dict.fromkeys(symbols_of(sharing.returned)))
        chunks = [c.chunk.node for c in self.clauses if isinstance(c, ScheduleClause) and c.chunk is not None]
        for expression in (*chunks, *(step for _, step in sharing.linear if step is not None)):
            found = (self.sema.symbol(n) for n in walk(expression) if isinstance(n, c_ast.ID))
            used.update({s: None for s in found if s is not None and s.is_variable})
        used.update(self._in_sections())
        private = self.facts.private[self.construct]
        elsewhere = {s for s in self.facts.device_variables if s not in private} | self.facts.tables
        return [s for s in used if s not in elsewhere]

    def _in_sections(self) -> dict[Symbol, None]:
        """The variables from outside in the bounds of the sections that the region reduces."""
        bounds = [b for r in self.sharing.reductions for b in (r.section, r.length) if b is not None]
        found = (self.sema.symbol(n) for b in bounds for n in walk(b) if isinstance(n, c_ast.ID))
        return {s: None for s in found if s is not None and s.is_variable}

    def _listed(self, *clauses: str) -> dict[Symbol, ListClause]:
        found: dict[Symbol, ListClause] = {}
        for clause in self.directive.all(*clauses):
            if isinstance(clause, ListClause):
                for item in clause.items:
                    found[named_symbol(self.sema, self.construct, item)] = clause
        return found

    def _check_device_type(self, symbol: Symbol) -> None:
        kind = symbol.type
        reason = refused_type(kind)
        while isinstance(kind, (Pointer, Array)):
            kind = kind.to if isinstance(kind, Pointer) else kind.of
            reason = reason or refused_type(kind)
        kind = strip(kind)
        if isinstance(kind, Scalar) and kind.name == "long double _Complex":
            raise error_at(self._first_use(symbol), f"'{symbol.name}' has long double parts, which devices lack")
        if str(kind) == "long double":
            message = f"'{symbol.name}' is a long double, which the device does not have"
            raise error_at(self._first_use(symbol), message, "convert it to a double in front of the region")
        if reason:
            raise error_at(self._first_use(symbol), f"'{symbol.name}': {reason} in device code")

    def _check_visible(self, symbol: Symbol) -> None:
        if self.sema.lookup(self.construct, symbol.name) is not symbol:
            raise error_at(
                self._first_use(symbol),
                f"'{symbol.name}' has to be mapped, but a local variable hides it where the region begins",
                "declare target would have it on the device",
            )
        if not self.sema.is_declared_before(self.construct, symbol):
            raise error_at(
                self._first_use(symbol), f"'{symbol.name}' has to be mapped, but is not declared before the region"
            )

    def _literal_map(self, symbol: Symbol, own: Sequence[MapItem], changed: frozenset[Symbol]) -> bool:
        """Whether no program can see a difference between ``map(to: n)`` of a scalar and passing its value.

        There may be a difference if the variable can be present already (a data construct maps it, or its address is
        known outside this function), if the region changes it, or if the region runs later.
        """
        if self.directive.has("nowait"):
            return False
        if len(own) != 1 or own[0].locator.steps or own[0].flags != MAP_TO or symbol in changed:
            return False
        if symbol.is_global or symbol.has_static_storage or symbol in self.facts.mapped_elsewhere:
            return False
        return (
            _fits(symbol.type)
            and not is_pointer(symbol.type)
            and symbol not in assignments(self.sema, self.function.body).address_taken
        )

    @cached_property
    def _fresh(self) -> frozenset[Symbol]:
        """The variables that are surely not on a device when the region begins."""
        if self.directive.has("nowait", "depend"):
            return frozenset()
        return fresh_variables(self.sema, self.function, self.construct, self.facts.mapped_elsewhere)

    def _parts(
        self,
        symbol: Symbol,
        own: Sequence[MapItem],
        kind: KernelKind,
        changed: frozenset[Symbol],
        firstprivate: set[Entity],
        otherwise: set[Entity],
    ) -> tuple[Layout, dict[Path, list[MapItem]]] | None:
        """(what a structure consists of, the sections behind pointers in it) if it can go by value, else None.

        No program can see a difference where the region only reads the structure, and where it is not on the device
        before. Pointers in it are then those that the runtime finds for the sections, as in a mapped structure.
        ``otherwise`` are variables that other clauses bring.
        """
        if not is_record(strip(symbol.type)) or "byvalue" in self.facts.no_opt or kind is KernelKind.TEAMS:
            return None
        private = {*self.sharing.private, *self.sharing.lastprivate, *self.facts.tables, *self.facts.device_variables}
        if symbol in changed or symbol in otherwise or symbol in private or self.directive.has("nowait", "depend"):
            return None
        layout = layout_of(self.items.type_of(symbol), of_class=False)
        if layout is None or self.facts.mappers.mappers:
            return None
        if symbol in firstprivate:
            return None if own else (layout, {})
        if symbol not in self._fresh or (
            not own and self._defaultmap(symbol) not in (None, "to", "tofrom", "firstprivate")
        ):
            return None
        sections = sections_behind(layout, own)
        return (layout, sections) if sections is not None else None

    def _by_words(
        self,
        symbol: Symbol,
        layout: Layout,
        sections: dict[Path, list[MapItem]],
        mapper: Mapper,
        captures: list[Capture],
    ) -> None:
        """Pass a structure by value, and map the sections behind its pointers."""
        host = Variable(symbol.name)
        words = add_words(mapper, symbol.name, host, (layout.size,), layout.words, self.facts.names.fresh)
        captures.append(Capture(symbol, Transport.WORDS, strip(symbol.type), BY_VALUE, words=words))
        for path, field in layout.pointers.items():
            kind = member_type(symbol.type, path)
            member = Symbol(".".join((symbol.name, *path)), SymbolKind.OBJECT, kind, None)
            value = self.items.members[member] = host_member(symbol, path)
            add_pointer(mapper, member, value, field, sections.get(path, ()))
            why, at = "pointer in a structure", field.offset
            captures.append(Capture(member, Transport.POINTER, kind, why, of=symbol, path=path, offset=at))

    def _explicit(
        self, symbol: Symbol, own: Sequence[MapItem], mapper: Mapper, captures: list[Capture], stored: bool = False
    ) -> None:
        """Map a variable as the clauses say.

        A pointer may be mapped together with a section of what it points to, as in ``map(p, p[0:n])``. It goes by
        value, unless it is ``stored``: the region changes it or takes its address. Then the kernel uses the pointer on
        the device, and the section is attached to it.
        """
        through = is_array(symbol.type) or (is_pointer(symbol.type) and any(i.locator.steps for i in own))
        if stored and is_pointer(symbol.type) and any(not i.locator.steps for i in own):
            through = False
        if through:
            own = [i for i in own if i.locator.steps or is_array(symbol.type)]
        mapper.map_parameter(symbol, own)
        if through:
            captures.append(Capture(symbol, Transport.POINTER, _parameter(symbol.type), "mapped section"))
        else:
            captures.append(Capture(symbol, Transport.ADDRESS, Pointer(symbol.type), "mapped variable"))

    def _device_pointer(self, symbol: Symbol, clause: ListClause, mapper: Mapper, captures: list[Capture]) -> None:
        flags = MAP_TARGET_PARAM | MAP_LITERAL
        if is_pointer(symbol.type) or is_array(symbol.type):
            value: HostExpression = Cast("void *", self.items.variable(symbol))
            captures.append(Capture(symbol, Transport.POINTER, _parameter(symbol.type), clause.name))
        elif clause.name == "has_device_addr":
            value = pointer_to(self.items.variable(symbol))
            captures.append(Capture(symbol, Transport.ADDRESS, Pointer(symbol.type), clause.name))
        else:
            item = next(i for i in clause.items if i.name == symbol.name)
            raise error_at(item.span, f"'{symbol.name}' in '{clause.name}' is not a pointer")
        mapper.rows.append(MapRow(value, value, SizeOf("void *"), flags, RowNote(clause.name, symbol.name)))
        mapper.supply(Role.VARIABLE, symbol=symbol)

    def _mapped_by_default(self, symbol: Symbol, mapper: Mapper) -> list[MapItem]:
        """The items of a variable that is mapped implicitly, but not simply as a whole (OpenMP 5.2, section 5.8.1).

        Its type has a default mapper, or it is a ``link`` variable, which has no other storage on the device.
        """
        link = symbol in mapper.links
        if is_scalar(symbol.type) and not link:
            return []
        behavior = self._defaultmap(symbol)
        if behavior in ("none", "firstprivate") and not link:
            return []
        bits = MAP_TYPES.get(behavior or "", MAP_TO | MAP_FROM) | (MAP_PRESENT if behavior == "present" else 0)
        locator = Locator(symbol.name, (), symbol.name, self._first_use(symbol))
        if link:
            return expanded(mapper, mapper.item(locator, bits | MAP_IMPLICIT, RowNote("implicit map", symbol.name)))
        return implicit_items(mapper, locator, bits)

    def _whole(self, symbol: Symbol, flags: int, mapper: Mapper, captures: list[Capture], why: str) -> None:
        """Map a whole variable."""
        kind = self.items.type_of(symbol)
        check_has_size(kind, symbol.name, self._first_use(symbol))
        array = is_array(symbol.type)
        if is_sizeless(symbol.type):
            flags &= ~MAP_PRIVATE  # libomptarget fails to make a copy of size zero
        variable = Variable(symbol.name)
        address = Cast("void *", variable) if array else pointer_to(variable)
        mapper.rows.append(
            MapRow(
                address,
                address,
                SizeOf(variable, kind.size),
                flags | MAP_TARGET_PARAM,
                RowNote(why, symbol.name),
                constant_size=not is_variably_modified(symbol.type),
            )
        )
        parts = () if is_scalar(symbol.type) else (symbol, *record_of(symbol.type))
        if not self.items.names.carrying.isdisjoint(parts) and not flags & (MAP_PRIVATE | MAP_PRESENT):
            mapper.rows[-1] = adjusted(mapper.rows[-1], Adjustment.STAND_IN)
        mapper.supply(Role.VARIABLE, symbol=symbol)
        if array:
            captures.append(Capture(symbol, Transport.POINTER, _parameter(symbol.type), why))
        else:
            captures.append(Capture(symbol, Transport.ADDRESS, Pointer(symbol.type), why))

    def _by_value(self, symbol: Symbol, flags: int, mapper: Mapper, captures: list[Capture], why: str) -> None:
        mapper.by_value(symbol, Variable(symbol.name), flags, why)
        captures.append(Capture(symbol, Transport.LITERAL, strip(symbol.type), why))

    def _implicit(
        self,
        symbol: Symbol,
        kind: KernelKind,
        mapper: Mapper,
        captures: list[Capture],
        firstprivate: set[Entity],
        own: Sequence[MapItem],
    ) -> bool:
        """Pass or map a variable that no clause maps (OpenMP 5.2, section 5.8.1). Returns whether it goes by value."""
        flags = MAP_TARGET_PARAM
        explicit = symbol in firstprivate or bool(own)
        behavior = None if explicit else self._defaultmap(symbol)
        if not explicit:
            flags |= MAP_IMPLICIT
        if behavior == "none":
            raise error_at(
                self._first_use(symbol), f"'{symbol.name}' is not in a data clause, which 'defaultmap(none)' demands"
            )
        if behavior in MAP_TYPES or behavior == "present":
            bits = MAP_TYPES.get(behavior or "", MAP_TO | MAP_FROM) | (MAP_PRESENT if behavior == "present" else 0)
            self._whole(symbol, MAP_IMPLICIT | bits, mapper, captures, f"defaultmap({behavior})")
            return False
        if is_pointer(symbol.type):
            value = Cast("void *", Variable(symbol.name))
            if explicit or behavior == "firstprivate" or _is_function_pointer(symbol.type):
                literal = flags | MAP_LITERAL
                note = RowNote("firstprivate", symbol.name)
                mapper.rows.append(MapRow(value, value, SizeOf("void *"), literal, note))
            else:
                note = RowNote("implicit zero-length section", symbol.name)
                mapper.rows.append(MapRow(value, value, ZERO, flags, note))
            mapper.supply(Role.VARIABLE, symbol=symbol)
            captures.append(Capture(symbol, Transport.POINTER, _parameter(symbol.type), "pointer"))
            return True
        if _fits(symbol.type) and not self._needs_storage(symbol, kind):
            why = "firstprivate" if explicit else "implicit firstprivate"
            self._by_value(symbol, flags | MAP_LITERAL, mapper, captures, why)
            return True
        if explicit or behavior == "firstprivate" or is_scalar(symbol.type):
            self._whole(symbol, MAP_PRIVATE | MAP_TO | (flags & MAP_IMPLICIT), mapper, captures, "firstprivate")
            return True
        constant = "const" in _element(symbol.type).quals
        moves = MAP_TO if constant else MAP_TO | MAP_FROM
        self._whole(symbol, MAP_IMPLICIT | moves, mapper, captures, "implicit map")
        return False

    @cached_property
    def _accesses(self) -> Accesses:
        assigned = assignments(self.sema, self.body)
        return Accesses(frozenset(assigned.symbols), assigned.address_taken, lambda: self._ordered)

    @cached_property
    def _ordered(self) -> frozenset[Symbol] | None:
        return ordered_between_threads(self.unit, self.calls, self.body)

    def _needs_storage(self, symbol: Symbol, kind: KernelKind) -> bool:
        """Whether threads that share a firstprivate scalar of the region could see each other's changes to it."""
        return needs_storage(
            symbol,
            kind,
            self.leaves,
            self.sharing,
            self.facts.constructs.sharing(self.chain[-1]),
            self._accesses,
            is_volatile="volatile" in symbol.type.quals,
        )

    def _stored(self, capture: Capture, kind: KernelKind, mapper: Mapper, changed: frozenset[Symbol]) -> Capture:
        """The capture, in storage on the device if it is a pointer that threads share and change.

        A parameter would be a copy for each thread. The host cannot store the pointer's device value there before the
        launch, so the first thread does.
        """
        symbol = capture.symbol
        if not is_pointer(symbol.type) or capture.transport is not Transport.POINTER:
            return capture
        if symbol not in changed or symbol in self.sharing.named or not self._needs_storage(symbol, kind):
            return capture
        unset, flags = pointer_to(Variable("rex_unset_pointer")), MAP_PRIVATE | MAP_TO | MAP_TARGET_PARAM
        mapper.rows.append(MapRow(unset, unset, SizeOf("void *"), flags, RowNote("", f"storage of {symbol.name}")))
        mapper.supplied = [
            replace(p, role=Role.START) if p.symbol is symbol and p.role is Role.VARIABLE else p
            for p in mapper.supplied
        ]
        mapper.supply(Role.VARIABLE, symbol=symbol)
        why = f"{capture.reason}, changed by threads that share it"
        return Capture(symbol, Transport.ADDRESS, Pointer(symbol.type), why, start=capture)

    def _extents(self, symbol: Symbol, mapper: Mapper, extents: list[Extent]) -> None:
        """Pass the lengths of the inner dimensions of a variable-length array, each as a literal of its own."""
        kind = decay(symbol.type)
        inner = kind.to if isinstance(kind, Pointer) else None
        sizes = is_variably_modified(symbol.type) and is_array(symbol.type) and self._asks_size(symbol)
        if not is_variably_modified(inner or symbol.type) and not sizes:
            return
        array: HostExpression = Variable(symbol.name)
        for level in range(0 if sizes else 1, 100):
            if level > 0:
                if not isinstance(inner, Array):
                    return
                array, inner = Index(array, ZERO), inner.of
            name = self.facts.names.fresh(f"{symbol.name}__rex_extent_{level}")
            mapper.computed(name, RowNote("", f"extent of {symbol.name}"))
            mapper.supply(Role.EXTENT, name, symbol)
            extents.append(Extent(symbol, name, element_count(array), level))

    def _asks_size(self, symbol: Symbol) -> bool:
        """Whether the body asks for the size of a whole array."""
        for sharing in self._all_sharings():
            if symbol in {*sharing.private, *sharing.firstprivate, *sharing.lastprivate}:
                return True  # copies of it are made, and these need its size
            if any(r.whole and r.symbol is symbol for r in sharing.reductions):
                return True
        return any(
            n.op in ("sizeof", "&")  # '&array + 1' depends on the array's size
            and isinstance(n.expr, c_ast.ID)
            and self.sema.symbol(n.expr) is symbol
            for n in self.sema.parts(self.body).of(c_ast.UnaryOp)
        )

    def _all_sharings(self) -> list[Sharing]:
        """What the clauses of the region and of the constructs inside it say."""
        found, around, program = [self.sharing], nesting(self.sema, [self.construct]), Program(self.facts)
        for construct in constructs_in(self.sema, self.body):
            sharing = self.facts.constructs.sharing(construct)
            if is_task(program, construct):
                sharing = with_task_copies(program, construct, around[construct], sharing)
            found.append(sharing)
        return found


def _fits(kind: CType) -> bool:
    """Whether a value fits into an 8-byte parameter."""
    try:
        return is_arithmetic(strip(kind)) and sizeof(kind) <= 8
    except LayoutError:
        return False


def _parameter(kind: CType) -> CType:
    """The type of a kernel parameter that points to an array, or has a pointer's value.

    Device code indexes an array of variable length as one row of elements, also if only its outermost length varies.
    """
    return Pointer(_element(kind)) if isinstance(kind, Array) and is_variably_modified(kind) else decay(kind)


def _element(kind: CType) -> CType:
    while isinstance(kind, Array):
        kind = kind.of
    return kind


def _is_function_pointer(kind: CType) -> bool:
    return isinstance(kind, Pointer) and type(kind.to).__name__ == "Function"
