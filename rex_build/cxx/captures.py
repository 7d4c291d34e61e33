"""What C++ regions say of the variables that their kernels get."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import Any

from ..base.diagnostics import SourceSpan, error_at
from ..base.precedence import POSTFIX, UNARY
from ..base.records import dataclass
from ..c.source.tokens import has_word, marks_outside
from ..directives.model import Directive, ListClause, Locator, Member
from ..openmp import captures as decided
from ..openmp.by_value import Layout, Path, layout_of
from ..openmp.captures import Accesses, Form, ordered_variables
from ..openmp.launch import device_of
from ..openmp.list_items import MapItem
from ..openmp.mapped_objects import adjusted
from ..optimise.by_value import Around, Uses, uses_of
from ..plan.constructs import Entity, Sharing
from ..plan.host_expression import Call, HostExpression, Number, SizeOf, Written
from ..plan.host_expression import Member as HostMember
from ..plan.host_expression import Variable as HostVariable
from ..plan.rows import Adjustment, Capture, Map, MapRow, Role, RowNote, Temporary, Transport
from ..plan.unit import KernelKind
from ..tree import nodes as tree
from ..tree import types
from ..tree.symbols import Variable as TreeVariable
from ..tree.values import object_of
from . import libclang
from .closures import Closure, Pointed, closures_of, is_closure, is_closure_name
from .host_bounds import HostBounds
from .list_items import address, attachments
from .local_classes import needed
from .loops import pointers_in
from .program import RegionFacts, category_of
from .reading.reader import reader_of
from .text_constructs import Construct, CxxType, Variable, identifiers_in
from .user_reductions import element_text, mapper_for, template_name

SCALAR_OR_OBJECT = "a scalar or an object"  # why a variable is captured that is not the same in all instantiations
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


class Captures(decided.Captures[Construct]):
    """The captured variables of a region, and the ``local`` constants and types of the function around it that the
    region names."""

    def __init__(
        self, facts: RegionFacts, sharing: Sharing, of_target: Collection[Entity], bounds: HostBounds | None,
        closures: Sequence[Closure], kind: KernelKind,
    ) -> None:  # fmt: skip
        self.facts, self.closures = facts, closures
        self.pointed: list[Pointed] = []
        self.lists: list[List] = []
        self.hidden = bounds.hidden if bounds is not None else ()  # text that the kernel does not see
        self.has_mappers = bool(facts.unit.mappers.mappers)
        rows = facts.reader.rows(facts.construct)
        calls, self._apart = reader_of(facts.unit).calls, ByValue(facts, kind)
        accesses = Accesses(
            facts.changed, lambda: facts.addressed & self._apart.lent,
            lambda: None if facts.asks.elsewhere else ordered_variables(
                facts.program, facts.trees, calls, facts.addressed
            ),
        )  # fmt: skip
        super().__init__(facts.program, facts.chain, kind, sharing, of_target, accesses, rows)
        mentioned, self.local = self._mentioned()
        self._members = self._through_this()
        self._check_own_mapper()
        kept = {*self.kept, *self.returned}
        self._names: dict[str, Entity] = {  # of what the kernel's names for other variables would hide
            r.variable.name: r.variable
            for r in facts.function.references(facts.construct.body_start, facts.construct.end)
            if not (r.qualifier or r.variable.is_local) and (r.variable.constant or r.variable in facts.unit.on_device)
        }
        used = dict.fromkeys([*mentioned, *self.items, *self.first, *self.returned])
        self.map_others(self.collect(v for v in used if v not in facts.unit.on_device or v in kept))
        if bounds is not None:
            self._walked(bounds.walked)
            self.mapper.temporaries += bounds.temporaries
            for variable in bounds.passed:
                if variable.type.kind == "pointer":
                    self._in_iterator(variable)
                else:
                    self.copy(variable, Map.IMPLICIT)

    @property
    def changed(self) -> frozenset[Entity]:
        return frozenset(c.symbol for c in self.captures if not c.symbol.type.const)

    @property
    def changed_copies(self) -> frozenset[Entity]:
        """The kernel's text has references to them, so there are none where the user asks for the type of an
        expression."""
        if any(c.name == "defaultmap" for c in self.facts.clauses) or self.facts.asks_type:
            return frozenset()
        literals = (c for c in self.captures if c.transport is Transport.LITERAL)
        copied = {c.symbol for c in literals if c.reason == "implicit firstprivate"}
        return frozenset(v for v in self.facts.changed - self.sharing.named if v in copied)

    def form(self, variable: Entity) -> Form:
        assert isinstance(variable, Variable)
        kind = variable.type
        if kind.kind == "dependent" and not self.facts.instances:  # nothing instantiates the template
            kind = CxxType(kind.text, "scalar", 8, kind.const)
        is_number = kind.kind == "scalar"
        copied = is_number or (kind.kind == "record" and variable.cursor is not None and self._is_kept(variable))
        return Form(
            category_of(kind),
            copied,
            fits=is_number and 0 < kind.size <= 8,
            points=kind.kind == "pointer" or variable.is_variable_length,
            of_function=kind.kind == "pointer" and kind.element is not None and kind.element.kind == "function",
            is_const=kind.const,
            is_volatile="volatile" in kind.text,
            carries=kind.kind == "record" or variable in attachments(self.facts.unit)[1],
        )

    def _is_kept(self, variable: Variable) -> bool:
        """Whether a variable is a closure that does not change itself."""
        closures = closures_of(variable, self.facts, self.closures)
        return is_closure(variable, self.facts) and not any(closure.may_change for closure in closures)

    def host(self, variable: Entity) -> HostExpression:
        assert isinstance(variable, Variable)
        return HostVariable(variable.host)

    def place(self, variable: Entity) -> SourceSpan:
        body, function = self.facts.body, self.facts.function
        used = (r.start for r in function.references(body.start, body.end) if r.variable is variable)
        start = min(used, default=None)
        return self.facts.unit.span(start) if start is not None else self.facts.span

    def check(self, variable: Entity) -> None:
        other = self._names.setdefault(variable.name, variable)
        if other is not variable or variable.name in self._members:
            raise error_at(self.facts.span, f"this region uses two variables of the name '{variable.name}'")

    def add(self, variable: Entity, items: Sequence[MapItem]) -> None:
        super().add(variable, items)
        assert isinstance(variable, Variable)
        self._pointers_in(variable)

    def is_passed_apart(self, variable: Entity, items: Sequence[MapItem]) -> bool:
        """Lists of parameters, and variables that are a scalar in one instantiation and an object in another."""
        assert isinstance(variable, Variable)
        if variable in self.device or variable in self.first or variable in self.returned:
            return False
        if not items or any(item.flags & Map.FROM for item in items):
            self._check_changes(variable)
        if items:
            return False
        if variable.type.text.endswith("...") and self.facts.around is not None:
            self._list(variable)
            return True
        if variable in self.facts.unit.mixed:
            self._mixed(variable)
            return True
        is_open = variable.type.kind == "dependent" and not self.facts.instances
        if not is_open and variable.type.kind not in ("scalar", "pointer", "array", "record"):
            what = f"'{variable.name}', a '{variable.type.text}', cannot be used in a region yet"
            raise error_at(self.facts.span, what)
        return False

    def _check_changes(self, variable: Variable) -> None:
        """Refuse a closure that comes back changed if the kernel gets a copy of it, with the device's addresses."""
        found = closures_of(variable, self.facts, self.closures)
        may_change = any(closure.may_change and closure.parts for closure in found)
        if may_change and (any(closure.is_mutable for closure in found) or not self.layouts(variable)):
            what = f"'{variable.name}' is a closure that changes its captures and has addresses in it"
            note = "map what changes as a variable, and capture a pointer to it"
            raise error_at(self.facts.span, f"{what}, which is not supported", note)

    def layouts(self, variable: Entity) -> Sequence[Layout]:
        assert isinstance(variable, Variable)
        is_one = variable.type.kind == "record" and not variable.type.text.endswith("...")
        return self._apart.layouts(variable) if is_one and variable not in self.facts.unit.mixed else ()

    def is_fresh(self, variable: Entity) -> bool:
        assert isinstance(variable, Variable)
        return self._apart.is_fresh(variable)

    def has_pointers_in_parameters(self, variable: Entity) -> bool:
        assert isinstance(variable, Variable)
        return bool(closures_of(variable, self.facts, self.closures))

    def pointer_in(self, variable: Entity, path: Path, offset: int) -> tuple[Entity, HostExpression, HostExpression]:
        assert isinstance(variable, Variable)
        member = Variable(".".join((variable.name, *path)), _ADDRESS, None, -1, -1)
        member.host = ".".join((variable.host, *path))
        raw = f"*(void *const *)((const char *)&{variable.host} + {offset})"  # perhaps of a private member
        return member, HostVariable(member.host), Written((raw,), self.host(variable).names, UNARY)

    def loaded_pointer(self, variable: Entity, path: Path) -> Capture:
        assert isinstance(variable, Variable)
        name = ("->" if variable.type.kind == "pointer" else ".").join((variable.name, ".".join(path)))
        member = Variable(name.removeprefix("this->"), _ADDRESS, None, -1, -1)
        return Capture(member, Transport.POINTER, _ADDRESS, "pointer in a mapped object")

    def on_host(self, variable: Entity, path: Path) -> HostExpression | None:
        """A pointer that the method's class has, or any class as a public member."""
        assert isinstance(variable, Variable)
        unit, pointer = self.facts.unit, self.facts.unit.types.POINTER
        kind = variable.cursor.type.get_canonical() if variable.cursor is not None else None
        fields = unit.fields(self.facts.function) if variable.name == "this" else self._named(kind)
        found, field = self.host(variable), None
        for number, name in enumerate(path):
            fields = fields if field is None else self._named(field.type.get_canonical())
            field = fields.get(name)
            if field is None:
                return None
            points = number == 0 and (variable.name == "this" or (kind is not None and kind.kind == pointer))
            found = HostMember(found, name, points)
        return found if field is not None and field.type.get_canonical().kind == pointer else None

    def _named(self, kind: Any) -> dict[str, Any]:
        """The members of a class, to which a type may point or refer, that the region's function may name."""
        if kind is None:
            return {}
        pointee, function = kind.get_pointee(), self.facts.function
        record = (pointee if pointee.kind.value else kind).get_declaration()
        members, _ = self.facts.unit.members_of(record)
        same = {one.get_usr() for one in (record, libclang.template_of(record)) if one is not None}
        is_own = function.is_member and function.cursor.semantic_parent.get_usr() in same
        return {one.spelling: one for one in members if is_own or one.access_specifier.name == "PUBLIC"}

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
            flags = Map.TO | (0 if kind.const else Map.FROM) | Map.IMPLICIT
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
            flags = Map.TARGET_PARAM | Map.IMPLICIT | (Map.TO if sizes else 0) | (Map.FROM if back else 0)
            for number in range(count):
                where, named = f"<{back}>({variable.host}, {number})", frozenset((variable.name,))
                begin = Written((f"rex_closure_pointer{where}",), named, POSTFIX)
                size = Written((f"rex_closure_bytes{where}",), named, POSTFIX) if sizes else Number(0)
                note = RowNote("address in a closure", variable.name)
                row = MapRow(begin, begin, size, flags, note, constant_size=not sizes)
                self.mapper.rows.append(adjusted(row, Adjustment.STAND_IN) if sizes else row)
                names.append(f"{variable.name}__rex_point_{len(names) + 1}")
                pointer = Variable(names[-1], _ADDRESS, None, -1, -1)
                self.mapper.supply(Role.VARIABLE, symbol=pointer)
                self.captures.append(Capture(pointer, Transport.POINTER, _ADDRESS, "address in a closure"))
        self.pointed.append(Pointed(variable, tuple(names), counts[0]))

    def _check_own_mapper(self) -> None:
        """Refuse a method's implicit use of its object if the class has a default mapper."""
        function = self.facts.function
        if not self.facts.unit.mappers.mappers or not function.is_member:
            return
        own = self.items.get(self.facts.unit.this_of(function), ())
        unit, record = self.facts.unit, function.cursor.semantic_parent
        is_template = record.kind not in (unit.kinds.CLASS_DECL, unit.kinds.STRUCT_DECL)
        text = template_name(unit, record) if is_template else element_text(unit, record.type)
        mapper = mapper_for(unit, text, "default", self.facts.construct.start)
        if mapper is not None and any(item.flags & Map.IMPLICIT for item in own):
            raise error_at(self.facts.span, "a mapper for '*this', which no clause names, is not supported in C++")

    def _through_this(self) -> set[str]:
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
        own = self.items.setdefault(this, [])
        flags = Map.TO | (0 if this.type.element is not None and this.type.element.const else Map.FROM) | Map.IMPLICIT
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
        return field is None or libclang.is_reference(field.type) or field.is_bitfield()

    def _mentioned(self) -> tuple[list[Variable], list[Variable]]:
        """(the variables from outside that the kernel mentions, the local constants and types that it needs)"""
        unit, function = self.facts.unit, self.facts.function
        start, end = self.facts.construct.body_start, self.facts.construct.end
        refs = sorted(function.references(start, end), key=lambda r: r.start)
        mentioned = [r.variable for r in refs if not any(low <= r.start < high for low, high in self.hidden)]
        for construct in (*self.facts.chain, *self.facts.inside):
            for text in _kernel_texts(construct.directive):
                mentioned += unit.named_in(function, text, construct.start)
        outer = [v for v in dict.fromkeys(mentioned) if not (v.is_local and start <= v.start < end)]
        found = [v for v in outer if not v.constant]
        constants = [v for v in outer if v.constant and v.is_local]
        local = needed(unit, function, (start, end), start, constants, [v.type.text for v in found])
        for own in local:  # what the initialisers of constants name
            refs = function.references(own.start, own.end) if not own.names_type else []
            found += (r.variable for r in refs if not r.variable.constant)
        local = [one for one in local if not self._brings_captured(one)]
        for at, variable in function.mentions.local_types:  # using-directives whose blocks are still open
            if at < start and variable.name == "namespace":
                local += [variable] if all(m[0] != "}" for m in marks_outside(unit.text, at, start)) else []
        return list(dict.fromkeys(found)), sorted(local, key=lambda v: v.start)

    def _brings_captured(self, local: Variable) -> bool:
        """Whether this is a using-declaration of what the kernel has as a variable of its own."""
        brought = map(self.facts.unit.variable, libclang.brought(local.cursor) if local.names_type else ())
        return any(not one.constant and one not in self.facts.unit.on_device for one in brought)

    def capture(self, variable: Entity, transport: Transport, why: str) -> Capture:
        assert isinstance(variable, Variable)
        kind = variable.type
        if has_word(kind.text, "auto"):
            what = f"'{variable.name}', a parameter of a generic lambda expression, is not supported in its regions"
            raise error_at(self.facts.span, what)
        self._check_named(variable)
        if variable.is_variable_length and kind.element is not None and kind.element.kind in ("scalar", "record"):
            element = kind.element
            return Capture(variable, Transport.POINTER, CxxType(f"{element.text} *", "pointer", 8, False, element), why)
        self._note_private(variable)
        if kind.kind == "array" and not kind.has_lengths:
            what = f"the length of the array '{variable.name}' is not constant: map it through a pointer"
            raise error_at(self.facts.span, what)
        if transport is Transport.ADDRESS:
            text = kind.text.replace("(*)", "(**)", 1) if "(*)" in kind.text else f"{kind.text} *"
            return Capture(variable, transport, CxxType(text, "pointer", 8, False, kind), why)
        return Capture(variable, transport, kind if transport is Transport.WORDS else kind.value, why)

    def _note_private(self, variable: Variable) -> None:
        """Note the private types that the type of a variable, perhaps in an instantiation, has in its name."""
        facts = self.facts
        is_friend = not facts.function.is_template and facts.function.cursor.canonical.hash in facts.unit.friends
        if variable.cursor is None or facts.function.is_member or is_friend:
            return
        found = [facts.around.declared_in(variable, i) for i in facts.instances] if facts.around is not None else []
        for one in (variable.cursor, *found):
            if one is not None:
                facts.unit.names.note_private(one.type.get_canonical())

    def _check_named(self, variable: Variable) -> None:
        if any(mark in variable.type.text for mark in ("(lambda", "(unnamed", "(anonymous")):
            raise error_at(self.facts.span, f"'{variable.name}' has a type without a name, which is not supported")

    def _mixed(self, variable: Variable) -> None:
        """A scalar in one instantiation and an object in another. Scalars are mapped as a copy, which is their own
        value for the region, and objects as they are."""
        clauses = self.facts.clauses
        if clause := next((c.name for c in clauses if c.name in ("defaultmap", "nowait")), ""):
            what = f"'{variable.name}' is a class in one instantiation and a scalar in another"
            raise error_at(self.facts.span, f"{what}, which is not supported with '{clause}': use a clause for it")
        host, named = f"__rex_own_{variable.name}", frozenset((variable.name,))
        own = Call("rex_own", (Written((variable.host,), named, POSTFIX),))
        kind = f"__typeof__(rex_own({variable.host}))"  # C++98 has no auto
        self.mapper.temporaries.append(Temporary(kind, host, own))
        begin = Written((f"{host}.address()",), named, POSTFIX)
        flags = Map.TO | (0 if variable.type.const else Map.FROM) | Map.TARGET_PARAM | Map.IMPLICIT
        size = SizeOf(HostVariable(variable.host))
        self.mapper.rows.append(MapRow(begin, begin, size, flags, RowNote("implicit map", variable.name)))
        self.mapper.supply(Role.VARIABLE, symbol=variable)
        self.captures.append(self.capture(variable, Transport.ADDRESS, SCALAR_OR_OBJECT))
        self.by_value.add(variable)

    def _list(self, variable: Variable) -> None:
        """A list of parameters: the kernel gets an object with copies of their values."""
        facts = self.facts
        assert facts.around is not None
        types = [facts.around.list_in(variable, instance) for instance in facts.instances]
        values = {c.name for c in self.closures if not c.parts and not c.is_mutable}
        for kind in (kind for one in types for kind in one):
            is_other = is_closure_name(kind.text) and kind.text not in values
            if kind.kind not in ("scalar", "pointer", "record") or is_other:
                given = "closure with more than values" if is_other else f"'{kind.text}'"
                what = f"'{variable.name}', a list of parameters, has a {given} in it, which is not supported"
                raise error_at(facts.span, what)
        if any(clause.name == "nowait" for clause in facts.clauses):
            what = f"'{variable.name}', a list of parameters, in a region with 'nowait' is not supported"
            raise error_at(facts.span, what)
        all_of_them = Written((f"{variable.name}...",), frozenset((variable.name,)), POSTFIX)
        host = f"__rex_list_{variable.name}"
        listed = Call("rex_listed", (device_of(facts.clauses, facts.value_of), all_of_them))
        self.mapper.temporaries.append(Temporary("auto", host, listed))
        whole = Variable(f"{variable.name}__rex_list", CxxType("void", "record"), None, -1, -1)
        whole.host, whole.is_local = host, True
        self.copy(whole, Map.IMPLICIT)
        texts = tuple(f"rex_list<{', '.join(kind.text for kind in one)}>" for one in types)
        pattern = str(variable.cursor.type.spelling).removesuffix("...").strip()
        self.lists.append(List(whole, variable.name, pattern, texts, tuple(len(one) for one in types)))

    def _in_iterator(self, variable: Variable) -> None:
        """A row for a pointer, perhaps one in an iterator."""
        of = variable.host.rpartition("_at_")[0] or variable.host
        base = Written((f"(void *){variable.host}",), frozenset((variable.name,)), UNARY)
        begin = Call(f"rex_beside<__typeof__({of})>", (device_of(self.facts.clauses, self.facts.value_of), base))
        note = RowNote("implicit zero-length section", variable.name)
        row = MapRow(base, begin, Number(0), Map.TARGET_PARAM | Map.IMPLICIT, note)
        self.mapper.rows.append(adjusted(row, Adjustment.END))
        self.mapper.supply(Role.VARIABLE, symbol=variable)
        self.captures.append(self.capture(variable, Transport.POINTER, "pointer"))


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
        elif clause.name in ("reduction", "in_reduction", "lastprivate", "firstprivate"):
            for item in getattr(clause, "items", ()):
                yield item.text.replace(":", " , ")


class ByValue:
    """Which objects a region only reads, and which are surely not on the device before it, in all instantiations."""

    def __init__(self, facts: RegionFacts, kind: KernelKind) -> None:
        self.facts, self.in_team = facts, kind is KernelKind.TEAMS
        self.never = "byvalue" in facts.unit.no_opt or bool(facts.unit.mappers.mappers)

    def layouts(self, variable: Variable) -> Sequence[Layout]:
        named = [] if self.never else self._named(variable)
        layouts = [layout_of(_object(one.type), of_class=True, in_team=self.in_team) for one in named]
        known = [one for one in layouts if one is not None]
        if len(known) < len(layouts):
            return ()
        return known if all(uses.reads_only(one) for uses, one in zip(self._in_region, named, strict=False)) else ()

    @cached_property
    def lent(self) -> frozenset[Entity]:
        """The variables of which the region itself takes the address, with ``&``, and somebody may keep it."""
        pairs = zip(self.facts.trees, self._in_region, strict=True)
        taken = ((node, uses) for one, uses in pairs for node in tree.parts(one, tree.AddressOf) if node.origin)
        found = ((object_of(node.place), uses) for node, uses in taken)
        return frozenset(one.variable.key for one, uses in found if one is not None and one.variable in uses.lent)

    def is_fresh(self, variable: Variable) -> bool:
        named = self._named(variable)
        if len(self._bodies) != len(named):
            return False
        pairs = zip(self._bodies, named, strict=True)
        return all(around.is_fresh(one, self.facts.construct) for around, one in pairs)

    def _named(self, variable: Variable) -> list[TreeVariable]:
        """The variable in each instantiation, if it is named in all of them."""
        nodes = ([n for n in tree.walk(one) if isinstance(n, tree.Named)] for one in self.facts.trees)
        found = [next((n.variable for n in named if n.variable.entity is variable), None) for named in nodes]
        return [] if None in found else [one for one in found if one is not None]

    @cached_property
    def _in_region(self) -> list[Uses]:
        return [uses_of(one, reader_of(self.facts.unit).calls) for one in self.facts.trees]

    @cached_property
    def _bodies(self) -> list[Around]:
        return [Around(body, reader_of(self.facts.unit).calls) for body in self.facts.bodies]


def _object(kind: types.Type) -> types.Type:
    """The type of the object that a variable is, or refers to."""
    return kind.to if isinstance(kind, types.Pointer) and kind.reference else kind
