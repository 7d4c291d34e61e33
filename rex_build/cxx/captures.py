"""Which variables a region uses, and how each of them gets to the device."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from ..base.diagnostics import error_at
from ..base.precedence import UNARY
from ..base.records import dataclass, replace
from ..c.source.tokens import marks_outside
from ..directives.model import Directive, ListClause, Locator, Member, ReductionClause
from ..openmp.by_value import BY_VALUE, add_pointer, add_words
from ..openmp.defaultmaps import defaultmap_of
from ..openmp.list_items import MapItem
from ..openmp.mapped_objects import adjusted
from ..openmp.mappers import by_symbol, clause_items, implicit_items
from ..openmp.scalars import Accesses, needs_storage
from ..openmp.sharing import listed
from ..plan.captures import Capture, Temporary, Transport
from ..plan.code import Entity
from ..plan.host_expression import Call, Number, SizeOf, Written
from ..plan.host_expression import Variable as HostVariable
from ..plan.region import KernelKind
from ..plan.rows import (
    MAP_FROM,
    MAP_IMPLICIT,
    MAP_LITERAL,
    MAP_PRESENT,
    MAP_PRIVATE,
    MAP_TARGET_PARAM,
    MAP_TO,
    MAP_TYPES,
    Adjustment,
    MapRow,
    Role,
    RowNote,
)
from ..plan.sharing import Sharing
from . import libclang
from .by_value import ByValue
from .clauses import device_of
from .closures import Closure, Pointed, closures_of, is_closure, is_closure_name
from .code import CxxType, Variable
from .facts import RegionFacts
from .host_bounds import HostBounds
from .host_version import SCALAR_OR_OBJECT
from .list_items import address
from .loops import pointers_in
from .mappers import mapper_for
from .program import category_of
from .template_arguments import is_hidden
from .text_constructs import identifiers_in

_ADDRESS = CxxType("void *", "pointer", 8, False, CxxType("void", "other"))


@dataclass(frozen=True)
class List:
    """A list of parameters that a region uses. ``pattern`` is the type of one, and ``whole`` the object with all.

    ``types`` are those of the object in the instantiations, and ``counts`` says how many parameters there are.
    """

    whole: Variable
    name: str
    pattern: str
    types: tuple[str, ...]
    counts: tuple[int, ...]


class Captures:
    """The ``captures`` of a region, the ``mapper`` that has their rows, and the ``local`` constants and types of the
    function around it that the region names."""

    def __init__(
        self, facts: RegionFacts, sharing: Sharing, of_target: Collection[Entity], loop_variables: Sequence[Variable],
        bounds: HostBounds | None, closures: Sequence[Closure], kind: KernelKind, accesses: Accesses,
    ) -> None:  # fmt: skip
        self.facts = facts
        self.sharing, self.of_target = sharing, of_target
        self.kind, self.accesses = kind, accesses
        self.mapper = facts.reader.rows(facts.construct)
        self.captures: list[Capture] = []
        self.closures = closures
        self.pointed: list[Pointed] = []
        self.lists: list[List] = []
        self.hidden = bounds.hidden if bounds is not None else ()  # text that the kernel does not see
        mentioned, self.local = self._mentioned()
        self._collect(mentioned, loop_variables)
        if bounds is not None:
            self._walked(bounds.walked)
            self.mapper.temporaries += bounds.temporaries
            for variable in bounds.passed:
                if variable.type.kind == "pointer":
                    self._pointer(variable, of=variable.host.rpartition("_at_")[0] or variable.host)
                else:
                    self._by_value(variable, implicit=True)

    def _collect(self, mentioned: Sequence[Variable], loop_variables: Sequence[Variable]) -> None:
        sharing = self.sharing
        items = by_symbol(clause_items(self.mapper, self.facts.clauses))
        self._add_task_reductions(items)
        first = [*self._listed("firstprivate"), *self.of_target]
        device = {variable: name for name in ("is_device_ptr", "has_device_addr") for variable in self._listed(name)}
        returned = set(sharing.returned)
        private = {*sharing.private, *(v for v in loop_variables if v not in items and v not in returned)}
        self._by_mapper(mentioned, {*items, *first, *device, *private, *returned}, items)
        members = self._through_this(items)
        self._check_own_mapper(items)
        order = list(dict.fromkeys([*mentioned, *items, *first, *returned]))
        self.apart = ByValue(self.facts, self.kind, sharing, first, {*device, *returned, *private})
        names: dict[str, Variable] = {}
        for variable in order:
            assert isinstance(variable, Variable)
            if variable in private and variable not in items:
                continue
            if variable in self.facts.unit.on_device and variable not in first and variable not in returned:
                self.mapper.map_symbol(variable, items.get(variable, ()))
                continue
            other = names.setdefault(variable.name, variable)
            if other is not variable or variable.name in members:
                raise error_at(self.facts.span, f"this region uses two variables of the name '{variable.name}'")
            if self._in_words(variable, items.get(variable, ())):
                pass
            elif variable in items:
                self.mapper.map_parameter(variable, items[variable])
                through = all(item.is_through for item in items[variable])
                transport = Transport.POINTER if through else Transport.ADDRESS
                self.captures.append(
                    self._capture(variable, transport, "mapped section" if through else "mapped variable")
                )
            elif variable in device:
                self._on_device(variable, device[variable])
            elif variable in first:
                self._by_value(variable, implicit=False)
            elif variable in returned:
                self._returned(variable)
            else:
                self._implicit(variable)
            self._pointers_in(variable)

    def _in_words(self, variable: Variable, items: Sequence[MapItem]) -> bool:
        """Pass an object by value, and map the sections behind its pointers, if no program can tell."""
        facts, kind = self.facts, variable.type
        if kind.kind != "record" or kind.text.endswith("...") or variable in facts.unit.mixed:
            return False
        is_said = bool(items) or variable in self.apart.first
        behavior = "" if is_said else defaultmap_of(facts.clauses, category_of(kind)) or ""
        closures = closures_of(variable, facts, self.closures)
        own = is_closure(variable, facts) and not any(closure.is_mutable for closure in closures)
        copied = behavior == "firstprivate" or (own and not is_said and not behavior)
        found = self.apart.words(variable, items, copied=copied, is_closure=bool(closures))
        if found is None or behavior not in ("", "to", "tofrom", "firstprivate"):
            return False
        host = HostVariable(variable.host)
        words = add_words(self.mapper, variable.name, host, found.sizes, found.offsets, str)
        self.captures.append(replace(self._capture(variable, Transport.WORDS, BY_VALUE), type=kind, words=words))
        for path, field in found.layout.pointers.items() if found.layout is not None else ():
            member = Variable(".".join((variable.name, *path)), _ADDRESS, None, -1, -1)
            member.host = ".".join((variable.host, *path))
            value, sections = HostVariable(member.host), found.sections.get(path, ())
            raw = f"*(void *const *)((const char *)&{variable.host} + {field.offset})"  # perhaps of a private member
            there = value if sections else Written((raw,), host.names, UNARY)
            add_pointer(self.mapper, member, there, field, sections)
            why, at = "pointer in a structure", field.offset
            self.captures.append(Capture(member, Transport.POINTER, _ADDRESS, why, of=variable, path=path, offset=at))
        return True

    def _add_task_reductions(self, items: dict[Entity, list[MapItem]]) -> None:
        """Add what ``in_reduction`` lists: the copies that the task around the construct has."""
        for clause in self.facts.construct.directive.all("in_reduction"):
            for locator in clause.items if isinstance(clause, ReductionClause) else ():
                note = RowNote("in_reduction", locator.text)
                item = self.mapper.item(locator, MAP_TO | MAP_FROM | MAP_IMPLICIT, note)
                items.setdefault(item.symbol, []).append(item)

    def _walked(self, stretches: Sequence[tuple[int, int]]) -> None:
        """Map the arrays, and the objects with data in them, that only the first values of a loop's pointers name."""
        captured = {capture.symbol for capture in self.captures} | self.facts.unit.on_device
        inside = ((r, s) for r in self.facts.function.mentions.references for s in stretches if s[0] <= r.start < s[1])
        named = [r.variable for r, _ in sorted(inside, key=lambda found: found[0].start)]
        for variable in dict.fromkeys(named):
            kind = variable.type
            holds_data = kind.kind == "array" and kind.has_lengths
            if kind.kind == "record":
                holds_data = not pointers_in(self.facts.unit, variable.cursor.type)
            if variable in captured or variable.constant or not holds_data:
                continue
            begin = address(variable.host)
            flags = MAP_TO | (0 if kind.const else MAP_FROM) | MAP_IMPLICIT
            note = RowNote("implicit map", variable.name)
            self.mapper.rows.append(MapRow(begin, begin, SizeOf(HostVariable(variable.host)), flags, note))

    def _pointers_in(self, variable: Variable) -> None:
        """Rows for the addresses in a closure, which the kernel gets as it gets those of variables."""
        found = closures_of(variable, self.facts, self.closures)
        counts = [max((len(c.parts_that(back)) for c in found), default=0) for back in (False, True)]
        if not any(counts):
            return
        names: list[str] = []
        for back, count in enumerate(counts):
            sizes = any(part.size for c in found for part in c.parts_that(bool(back)))
            flags = MAP_TARGET_PARAM | MAP_IMPLICIT | (MAP_TO if sizes else 0) | (MAP_FROM if back else 0)
            for number in range(count):
                where = f"<{back}>({variable.host}, {number})"
                begin = Written((f"rex_closure_pointer{where}",), frozenset((variable.name,)), 15)
                size = Written((f"rex_closure_bytes{where}",), frozenset((variable.name,)), 15) if sizes else Number(0)
                note = RowNote("address in a closure", variable.name)
                row = MapRow(begin, begin, size, flags, note, constant_size=not sizes)
                self.mapper.rows.append(adjusted(row, Adjustment.STAND_IN) if sizes else row)
                names.append(f"{variable.name}__rex_point_{len(names) + 1}")
                pointer = Variable(names[-1], _ADDRESS, None, -1, -1)
                self.mapper.supply(Role.VARIABLE, symbol=pointer)
                self.captures.append(Capture(pointer, Transport.POINTER, _ADDRESS, "address in a closure"))
        self.pointed.append(Pointed(variable, tuple(names), counts[0]))

    def _by_mapper(
        self, mentioned: Iterable[Variable], listed_ones: set[Any], items: dict[Entity, list[MapItem]]
    ) -> None:
        """Add the items of variables that no clause names and whose class has a default mapper."""
        for variable in mentioned if self.facts.unit.mappers else ():
            if variable.type.innermost.kind == "record" and variable not in listed_ones:
                locator = Locator(variable.name, (), variable.name, self.facts.span)
                if found := implicit_items(self.mapper, locator, MAP_TO | MAP_FROM):
                    items[variable] = found

    def _check_own_mapper(self, items: dict[Entity, list[MapItem]]) -> None:
        """Refuse a method's implicit use of its object if the class has a default mapper."""
        function = self.facts.function
        if not self.facts.unit.mappers or not function.is_member:
            return
        own = items.get(self.facts.unit.this_of(function), ())
        kind = function.cursor.semantic_parent.type
        mapper = mapper_for(self.facts.unit, kind, "default", self.facts.construct.start)
        if mapper is not None and any(item.flags & MAP_IMPLICIT for item in own):
            raise error_at(self.facts.span, "a mapper for '*this', which no clause names, is not supported in C++")

    def _through_this(self, items: dict[Entity, list[MapItem]]) -> set[str]:
        """Add items for the members that the region uses and no clause lists, or for the whole object (OpenMP 5.2,
        section 5.8.1). Returns the names of members that are mentioned without ``this->``."""
        start, end = self.facts.construct.body_start, self.facts.construct.end
        uses = [
            name
            for place, name in self.facts.function.mentions.this
            if start <= place < end and not any(low <= place < high for low, high in self.hidden)
        ]
        if self.facts.function.is_member:
            fields = self.facts.unit.fields(self.facts.function)
            for part in (*self.facts.chain, *self.facts.inside):
                for text in _kernel_texts(part.directive):
                    for _, name in identifiers_in(text):
                        if name in fields and self.facts.unit.lookup(self.facts.function, name, part.start) is None:
                            uses.append(name)
        plain = {
            name for at, name in self.facts.function.mentions.this if start <= at < end and self._is_word(at, name)
        }
        if not uses:
            return plain
        this = self.facts.unit.this_of(self.facts.function)
        own = items.setdefault(this, [])
        flags = MAP_TO | (0 if this.type.element is not None and this.type.element.const else MAP_FROM) | MAP_IMPLICIT
        mapped = {step.name if isinstance(step, Member) else "" for item in own for step in item.steps[:1]}
        if "" in mapped:  # a clause says how the object is mapped
            return plain
        if "" in uses or any(self._has_no_address(name) for name in uses):
            locator = Locator("this", (), "*this", self.facts.span)
            own.insert(0, self.mapper.item(locator, flags, RowNote("implicit map", "*this")))
            return plain
        for name in (name for name in dict.fromkeys(uses) if name not in mapped):
            locator = Locator("this", (Member(name, True),), f"this->{name}", self.facts.span)
            own.append(self.mapper.item(locator, flags, RowNote("implicit map", locator.text)))
        return plain

    def _is_word(self, at: int, name: str) -> bool:
        return bool(name) and self.facts.unit.text.startswith(name, at)

    def _has_no_address(self, name: str) -> bool:
        """Whether a member is no storage of its own: a reference or a bit-field."""
        field = self.facts.unit.fields(self.facts.function).get(name)
        references = (self.facts.unit.types.LVALUEREFERENCE, self.facts.unit.types.RVALUEREFERENCE)
        return field is None or field.type.kind in references or field.is_bitfield()

    def _mentioned(self) -> tuple[list[Variable], list[Variable]]:
        """(the variables from outside that the kernel mentions, the local constants and types that it needs)"""
        unit, function = self.facts.unit, self.facts.function
        start, end = self.facts.construct.body_start, self.facts.construct.end
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

        refs = sorted((r for r in function.mentions.references if start <= r.start < end), key=lambda r: r.start)
        for reference in refs:
            if not any(low <= reference.start < high for low, high in self.hidden):
                add(reference.variable)
        for construct in (*self.facts.chain, *self.facts.inside):
            for text in _kernel_texts(construct.directive):
                for _, name in identifiers_in(text):
                    variable = unit.lookup(function, name, construct.start)
                    if variable is not None:
                        add(variable)
        for variable in local:  # what their own initialisers name
            for reference in function.mentions.references:
                if variable.start <= reference.start < variable.end:
                    add(reference.variable)
        local += self._types(found, local)
        return found, sorted(local, key=lambda v: v.start)

    def _types(self, found: Sequence[Variable], local: Sequence[Variable]) -> list[Variable]:
        """The types of the function around it that the region names, or that its variables and such types need."""
        unit, start = self.facts.unit, self.facts.construct.body_start
        texts = [unit.text[start : self.facts.construct.end], *(variable.type.text for variable in found)]
        texts += [unit.text[variable.start : variable.end] for variable in local]
        directives = (v for at, v in self.facts.function.mentions.local_types if at < start and v.name == "namespace")
        types: list[Variable] = [v for v in directives if _is_open(unit.text, v.start, start)]
        while texts:
            words = set(re.findall(r"[A-Za-z_]\w*", texts.pop()))
            for at, variable in self.facts.function.mentions.local_types:
                members = libclang.children(variable.cursor) if at < start else ()
                names = {variable.name, *(c.spelling for c in members if c.kind.name == "ENUM_CONSTANT_DECL")}
                if at < start and not words.isdisjoint(names) and variable not in types:
                    types.append(variable)
                    texts.append(unit.text[variable.start : variable.end])
        return types

    def _capture(self, variable: Variable, transport: Transport, why: str) -> Capture:
        kind = variable.type
        if re.search(r"\bauto\b", kind.text) is not None:
            what = f"'{variable.name}', a parameter of a generic lambda expression, is not supported in its regions"
            raise error_at(self.facts.span, what)
        self._check_named(variable)
        if variable.is_variable_length and kind.element is not None and kind.element.kind in ("scalar", "record"):
            element = kind.element
            return Capture(variable, Transport.POINTER, CxxType(f"{element.text} *", "pointer", 8, False, element), why)
        if self._is_hidden(variable):
            what = f"'{variable.name}' has a private type of a class, which this region cannot name: make it public"
            raise error_at(self.facts.span, what)
        if transport is Transport.ADDRESS:
            if kind.kind == "array" and not kind.has_lengths:
                raise error_at(
                    self.facts.span,
                    f"the length of the array '{variable.name}' is not constant: map it through a pointer",
                )
            text = f"{kind.text} *"
            return Capture(variable, transport, CxxType(text, "pointer", 8, False, kind), why)
        return Capture(variable, transport, _plain(kind), why)

    def _is_hidden(self, variable: Variable) -> bool:
        """Whether the type of a variable, perhaps in an instantiation, is one that the kernel may not name."""
        facts = self.facts
        is_friend = not facts.function.is_template and facts.function.cursor.canonical.hash in facts.unit.friends
        if variable.cursor is None or facts.function.is_member or is_friend:
            return False
        found = [facts.around.declared_in(variable, i) for i in facts.instances] if facts.around is not None else []
        return any(is_hidden(facts.unit, one.type) for one in (variable.cursor, *found) if one is not None)

    def _check_named(self, variable: Variable) -> None:
        if any(mark in variable.type.text for mark in ("(lambda", "(unnamed", "(anonymous")):
            raise error_at(self.facts.span, f"'{variable.name}' has a type without a name, which is not supported")

    def _on_device(self, variable: Variable, clause: str) -> None:
        """A variable that already has a device address."""
        self._check_named(variable)
        if variable.type.kind == "pointer" and not variable.is_variable_length:
            self.mapper.by_value(variable, HostVariable(variable.host), 0, clause)
            self.captures.append(Capture(variable, Transport.LITERAL, _plain(variable.type), clause))
            return
        if clause == "is_device_ptr":
            raise error_at(self.facts.span, f"'{variable.name}' in 'is_device_ptr' is not a pointer")
        value = address(variable.host)
        flags = MAP_TARGET_PARAM | MAP_LITERAL
        self.mapper.rows.append(MapRow(value, value, SizeOf("void *"), flags, RowNote(clause, variable.name)))
        self.mapper.supply(Role.VARIABLE, symbol=variable)
        self.captures.append(self._capture(variable, Transport.ADDRESS, clause))

    def _by_value(self, variable: Variable, *, implicit: bool) -> None:
        how = "implicit firstprivate" if implicit else "firstprivate"
        kind = variable.type
        if kind.kind in ("scalar", "pointer") and 0 < kind.size <= 8 and not self._needs_storage(variable):
            self.mapper.by_value(variable, HostVariable(variable.host), MAP_IMPLICIT if implicit else 0, how)
            self.captures.append(self._capture(variable, Transport.LITERAL, how))
            return
        flags = MAP_PRIVATE | MAP_TO | MAP_TARGET_PARAM | (MAP_IMPLICIT if implicit else 0)
        self._whole(variable, flags, how)

    def _needs_storage(self, variable: Variable) -> bool:
        if variable.type.kind != "scalar":
            return False
        facts = self.facts
        innermost = facts.program.sharing(facts.chain[-1])
        volatile = "volatile" in variable.type.text
        return needs_storage(
            variable, self.kind, facts.leaves, self.sharing, innermost, self.accesses, is_volatile=volatile
        )

    def _whole(self, variable: Variable, flags: int, how: str, *, stand_in: bool = False) -> None:
        begin = address(variable.host)
        adjustments = frozenset({Adjustment.STAND_IN}) if stand_in else frozenset()
        note = RowNote(how, variable.name)
        self.mapper.rows.append(
            MapRow(begin, begin, SizeOf(HostVariable(variable.host)), flags, note, adjustments=adjustments)
        )
        self.mapper.supply(Role.VARIABLE, symbol=variable)
        self.captures.append(self._capture(variable, Transport.ADDRESS, how))

    def _returned(self, variable: Variable) -> None:
        flags = MAP_TO | MAP_FROM | MAP_TARGET_PARAM | MAP_IMPLICIT
        how = "reduction or lastprivate"
        found = next((r for r in self.sharing.reductions if r.symbol is variable), None)
        if found is not None and found.is_section and variable.type.kind == "pointer":
            clause = next(
                (c, i)
                for c in self.facts.clauses
                if isinstance(c, ReductionClause)
                for i in c.items
                if i.name == variable.name
            )
            item = self.mapper.item(clause[1], MAP_TO | MAP_FROM | MAP_IMPLICIT, RowNote(how, clause[1].text))
            self.mapper.map_parameter(variable, [item])
            self.captures.append(self._capture(variable, Transport.POINTER, how))
            return
        self._whole(variable, flags, how)

    def _listed(self, name: str) -> Iterator[Variable]:
        """The variables in the region's clauses of a name."""
        parts = (listed(self.facts.program, part, name) for part in self.facts.chain)
        yield from (v for variables in parts for v in variables if isinstance(v, Variable))

    def _implicit(self, variable: Variable) -> None:
        kind = variable.type
        if kind.text.endswith("..."):
            self._list(variable)
            return
        if kind.kind == "dependent" and not self.facts.instances:  # nothing instantiates the template
            kind = variable.type = CxxType(kind.text, "scalar", 8, kind.const)
        category = category_of(kind)
        behavior = defaultmap_of(self.facts.clauses, category) or ""
        if variable in self.facts.unit.mixed:
            self._mixed(variable)
            return
        if kind.kind not in ("scalar", "pointer", "array", "record"):
            raise error_at(self.facts.span, f"'{variable.name}', a '{kind.text}', cannot be used in a region yet")
        if behavior == "none":
            raise error_at(self.facts.span, f"'{variable.name}' is in no map clause, which 'defaultmap(none)' asks for")
        if behavior in ("tofrom", "to", "from", "alloc") or (behavior == "present" and category != "pointer"):
            flags = MAP_TYPES.get(behavior, MAP_TO | MAP_FROM) | (MAP_PRESENT if behavior == "present" else 0)
            self._whole(variable, flags | MAP_TARGET_PARAM | MAP_IMPLICIT, "implicit map")
            return
        if kind.kind == "pointer" and behavior in ("", "present"):
            self._pointer(variable, MAP_PRESENT if behavior else 0)
            return
        found = closures_of(variable, self.facts, self.closures)
        changing = any(closure.is_mutable for closure in found)
        if changing and any(closure.parts for closure in found):
            what = f"'{variable.name}' is a closure that changes its captures and has addresses in it"
            raise error_at(self.facts.span, f"{what}, which is not supported")
        by_value = is_closure(variable, self.facts) and not changing
        if kind.kind == "scalar" or behavior == "firstprivate" or by_value:
            self._by_value(variable, implicit=True)
            return
        flags = MAP_TO | (0 if kind.const else MAP_FROM) | MAP_TARGET_PARAM | MAP_IMPLICIT
        self._whole(variable, flags, "implicit map", stand_in=kind.kind == "record")

    def _mixed(self, variable: Variable) -> None:
        """A scalar in one instantiation and an object in another. Scalars are mapped as a copy, which is their own
        value for the region, and objects as they are."""
        clauses = self.facts.clauses
        if clause := next((c.name for c in clauses if c.name in ("defaultmap", "nowait")), ""):
            what = f"'{variable.name}' is a class in one instantiation and a scalar in another"
            raise error_at(self.facts.span, f"{what}, which is not supported with '{clause}': use a clause for it")
        host, named = f"__rex_own_{variable.name}", frozenset((variable.name,))
        own = Call("rex_own", (Written((variable.host,), named, 15),))
        kind = f"__typeof__(rex_own({variable.host}))"  # C++98 has no auto
        self.mapper.temporaries.append(Temporary(kind, host, own))
        begin = Written((f"{host}.address()",), named, 15)
        flags = MAP_TO | (0 if variable.type.const else MAP_FROM) | MAP_TARGET_PARAM | MAP_IMPLICIT
        size = SizeOf(HostVariable(variable.host))
        self.mapper.rows.append(MapRow(begin, begin, size, flags, RowNote("implicit map", variable.name)))
        self.mapper.supply(Role.VARIABLE, symbol=variable)
        self.captures.append(self._capture(variable, Transport.ADDRESS, SCALAR_OR_OBJECT))

    def _list(self, variable: Variable) -> None:
        """A list of parameters: the kernel gets an object with copies of their values."""
        facts = self.facts
        assert facts.around is not None
        types = [facts.around.list_in(variable, instance) for instance in facts.instances]
        for kind in (kind for one in types for kind in one):
            if kind.kind not in ("scalar", "pointer", "record") or is_closure_name(kind.text):
                what = f"'{variable.name}', a list of parameters, has a '{kind.text}' in it, which is not supported"
                raise error_at(facts.span, what)
        if any(clause.name == "nowait" for clause in facts.clauses):
            what = f"'{variable.name}', a list of parameters, in a region with 'nowait' is not supported"
            raise error_at(facts.span, what)
        values = Written((f"{variable.name}...",), frozenset((variable.name,)), 15)
        host = f"__rex_list_{variable.name}"
        self.mapper.temporaries.append(Temporary("auto", host, Call("rex_listed", (device_of(facts.clauses), values))))
        whole = Variable(f"{variable.name}__rex_list", CxxType("void", "record"), None, -1, -1)
        whole.host, whole.is_local = host, True
        self._by_value(whole, implicit=True)
        texts = tuple(f"rex_list<{', '.join(kind.text for kind in one)}>" for one in types)
        pattern = str(variable.cursor.type.spelling).removesuffix("...").strip()
        self.lists.append(List(whole, variable.name, pattern, texts, tuple(len(one) for one in types)))

    def _pointer(self, variable: Variable, more: int = 0, of: str = "") -> None:
        """A row for a pointer, perhaps one in an iterator, of which ``of`` is the host's name."""
        flags = MAP_TARGET_PARAM | MAP_IMPLICIT | more
        base = Written((f"(void *){variable.host}",), frozenset((variable.name,)), 14)
        beside = Call(f"rex_beside<__typeof__({of})>", (device_of(self.facts.clauses), base))
        begin = beside if of else base
        note = RowNote("implicit zero-length section", variable.name)
        self.mapper.rows.append(MapRow(base, begin, Number(0), flags, note))
        self.mapper.supply(Role.VARIABLE, symbol=variable)
        self.captures.append(self._capture(variable, Transport.POINTER, "pointer"))


def _is_open(text: str, start: int, end: int) -> bool:
    """Whether the block around one place is still open at another."""
    return all(mark[0] != "}" for mark in marks_outside(text, start, end))


def _kernel_texts(directive: Directive) -> Iterable[str]:
    """The parts of a directive that a kernel evaluates or lists."""
    for clause in directive.clauses:
        if clause.name in ("num_threads", "schedule", "dist_schedule", "filter", "final"):
            expr = getattr(clause, "expr", None) or getattr(clause, "chunk", None)
            if expr is not None:
                yield expr.text
        elif clause.name == "if" and not directive.is_target:
            yield str(getattr(clause, "expr").text)  # noqa: B009
        elif isinstance(clause, ListClause) and clause.name == "linear" and clause.step is not None:
            yield clause.step.text
        elif clause.name in ("reduction", "lastprivate", "firstprivate"):
            for item in getattr(clause, "items", ()):
                yield item.text.replace(":", " , ")


def _plain(kind: CxxType) -> CxxType:
    """The type of a copy. That of a volatile variable is an ordinary one."""
    text = kind.text.removeprefix("volatile ") if kind.kind == "scalar" else kind.text
    return CxxType(text, kind.kind, kind.size, False, kind.element, kind.length)
