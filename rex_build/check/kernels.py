"""What a region maps, copies and uses, from its clauses and from the plan."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TypeVar

from ..base.diagnostics import SourceSpan
from ..base.records import dataclass, replace
from ..directives.model import ListClause, Locator, MapClause, Member, ReductionClause
from ..openmp.reductions import defaultmap_of
from ..plan.rows import Map, Role
from ..plan.unit import TargetRegion
from ..tree.nodes import Construct, Named, Node, Part, Pointee, parts
from ..tree.symbols import Variable
from ..tree.types import Array, Pointer, Record, Type, element_of, member_of
from .called import Called
from .events import DEREFERENCE, Bound, Escape, Event, Lent, Root, Use, item_root, moved_to, root_of, step_to
from .privates import Privates, begun_in
from .uses import is_lasting

_E = TypeVar("_E", bound=Event)
_RETURNING = ("reduction", "in_reduction", "lastprivate", "linear")


@dataclass(frozen=True)
class Mapped:
    """One list item of a map clause, or a variable that is mapped without one (``item`` is None). It may have to be
    ``present`` on the device."""

    root: Root
    how: str
    always: bool
    span: SourceSpan
    item: Locator | None = None
    present: bool = False

    @property
    def text(self) -> str:
        return self.item.text if self.item is not None else self.root.variable.name

    @property
    def last_name(self) -> str:
        return last_name(self.item) if self.item is not None else self.root.variable.name


def last_name(item: Locator) -> str:
    """The name under which an item is known in other functions as well."""
    return next((step.name for step in reversed(item.steps) if isinstance(step, Member)), item.name)


def type_at(root: Root) -> Type | None:
    """The type of a place, if it is known."""
    kind: Type | None = root.variable.type
    for step in root.path:
        kind = element_of(kind) if kind is not None else None
        if step == DEREFERENCE:
            kind = kind.to if isinstance(kind, Pointer) else None
        else:
            kind = _member_type(kind, step) if isinstance(kind, Record) else None
    return kind


def _member_type(whole: Record, step: str) -> Type | None:
    found = member_of(whole, step[1:])
    if found is not None:
        return found[0]
    return next((m.type for m in whole.info.members if step_to(whole, m) == step), None)


@dataclass(frozen=True)
class Kernel:
    """A region. ``copies`` are the variables of which it has a copy, with whether a clause says so. ``handed_over`` are
    device addresses. ``moved`` are the pointers that it changes, and ``led_elsewhere`` the places that use a pointer
    after the region has set it. ``events`` are what it does with variables of the program around it, in the order of
    the text, and ``moving`` what it does by pointers of its own that move. What is ``written_unseen`` it may write by
    pointers of its own, or at the end of constructs in it. If it ``is_cut``, it does more, which is not known. Its
    directive is that of so many loops as its ``depth``."""

    construct: Construct
    maps: tuple[Mapped, ...]
    copies: tuple[tuple[Variable, bool], ...]
    handed_over: frozenset[Variable]
    moved: frozenset[Variable]
    led_elsewhere: frozenset[Node]
    events: tuple[Event, ...]
    moving: tuple[Use, ...]
    written_unseen: tuple[Root, ...]
    is_cut: bool
    depth: int


def listed(construct: Construct, *clauses: str) -> Iterator[Root]:
    """The list items of a construct's clauses of some names."""
    for clause in construct.directive.all(*clauses):
        for item in clause.items if isinstance(clause, ListClause | ReductionClause) else ():
            root = item_root(construct, item)
            if root is not None:
                yield root


def mapped_by(construct: Construct) -> Iterator[Mapped]:
    """The list items of a construct's map clauses."""
    for clause in construct.directive.clauses:
        if not isinstance(clause, MapClause):
            continue
        for item in clause.items:
            root = item_root(construct, item)
            if root is not None:
                always, present = ("always" in clause.modifiers, "present" in clause.modifiers)
                yield Mapped(root, clause.map_type, always, item.span, item, present)


def moved_by(construct: Construct) -> Iterator[Mapped]:
    """The list items of ``target update``."""
    for clause in construct.directive.all("to", "from"):
        for item in clause.items if isinstance(clause, ListClause) else ():
            root = item_root(construct, item)
            if root is not None:
                yield Mapped(root, clause.name, False, item.span, item)


def reduced_by(construct: Construct, explicit: Collection[Variable]) -> Iterator[Mapped]:
    """The list items of reductions, which are mapped as if by ``tofrom`` (OpenMP 5.2, section 5.8.1)."""
    for clause in construct.directive.clauses:
        for item in clause.items if isinstance(clause, ReductionClause) else ():
            root = item_root(construct, item)
            if root is not None and root.variable not in explicit:
                yield Mapped(root, "tofrom", False, item.span, item)


def kernel_of(privates: Privates, called: Called, region: TargetRegion, construct: Construct) -> Kernel:
    """What a lowered region does."""
    maps = list(mapped_by(construct))
    explicit = {m.root.variable for m in maps}
    by_clause = {v for v in privates.named(construct) if isinstance(v, Variable)}
    copies: list[tuple[Variable, bool]] = []
    variables = {node.variable.entity: node.variable for node in parts(construct, Named)}
    for capture in region.captures:
        variable = variables.get(capture.symbol)
        parameter = region.mapping.parameter(Role.VARIABLE, capture.symbol)
        if variable is None or variable in explicit or parameter is None or not _has_a_value(variable):
            continue
        flags = region.mapping.rows[parameter.row].flags
        if flags & (Map.LITERAL | Map.PRIVATE):
            category = "aggregate" if isinstance(variable.type, Record | Array) else "scalar"
            said = defaultmap_of(construct.directive.clauses, category) == "firstprivate"
            copies.append((variable, said or variable in by_clause))
        elif flags & (Map.TO | Map.FROM) and not is_referring(variable):
            how = {Map.TO: "to", Map.FROM: "from"}.get(flags & (Map.TO | Map.FROM), "tofrom")
            maps.append(Mapped(Root(variable), how, False, construct.directive.span))
    known = {variable for variable, _ in copies}
    copies += [(v, True) for v in by_clause if v not in known and _has_a_value(v)]
    maps += _referred(construct, by_clause, known, maps)
    reduced = {root.variable for root in listed(construct, *_RETURNING)}
    copies = [(v, said) for v, said in copies if v not in reduced]
    maps += reduced_by(construct, explicit)
    handed = frozenset(root.variable for root in listed(construct, "is_device_ptr", "has_device_addr"))
    inside = _Inside(privates, called, construct)
    nest = privates.nest(construct) if privates.counting(construct) else None
    return Kernel(
        construct, tuple(maps), tuple(copies), handed, frozenset(inside.moved), frozenset(inside.led_elsewhere),
        tuple(inside.events), tuple(inside.moving), tuple(inside.unseen), called.is_cut(construct),
        len(nest.levels) if nest else 0,
    )  # fmt: skip


def _referred(
    construct: Construct, named: Collection[Variable], copied: Collection[Variable], maps: Sequence[Mapped]
) -> Iterator[Mapped]:
    """What a region uses by ``this``, or by references, that no clause names (OpenMP 5.2, section 5.8.1), and what
    closures hold by references, be they copied."""
    whole = {m.root.variable for m in maps if m.root.path == (DEREFERENCE,)}
    parts_of = {m.root.variable for m in maps if m.root.path[1:] and m.root.path[1] != DEREFERENCE}
    for variable in _around(construct):
        if variable in named:
            continue
        is_listed = variable in copied or variable in whole or (variable in parts_of and variable.name != "this")
        if not is_listed and is_referring(variable):
            yield Mapped(Root(variable, (DEREFERENCE,)), "tofrom", False, construct.directive.span)
        place = Root(variable, (DEREFERENCE,) if is_referring(variable) else ())
        for held in _held(place, type_at(place)):
            yield Mapped(held, "tofrom", False, construct.directive.span)


def _held(place: Root, kind: Type | None) -> Iterator[Root]:
    """What a closure, or one in it, holds by references."""
    if not isinstance(kind, Record):
        return
    for member in kind.info.members:
        if member.name:
            continue
        if isinstance(member.type, Pointer) and member.type.reference:
            yield place.then(step_to(kind, member), DEREFERENCE)
        yield from _held(place.then(*filter(None, [step_to(kind, member)])), member.type)


def _has_a_value(variable: Variable) -> bool:
    """Whether the user knows a variable as what it holds: it is no pointer, or a reference, which means an object."""
    return not isinstance(variable.type, Pointer) or (is_referring(variable) and variable.name != "this")


def is_referring(variable: Variable) -> bool:
    """Whether a variable is what the user knows as the object to which it leads."""
    is_reference = isinstance(variable.type, Pointer) and variable.type.reference
    return not is_lasting(variable) and (is_reference or variable.name == "this")


def _around(construct: Construct) -> Iterator[Variable]:
    """The variables that the statement of a construct uses, and does not declare."""
    if construct.body is not None:
        own = begun_in(construct.body)
        named = dict.fromkeys(node.variable for node in parts(construct.body, Named))
        yield from (variable for variable in named if variable not in own)


class _Inside:
    """What the statement of a region does with variables of the program around it."""

    def __init__(self, privates: Privates, called: Called, construct: Construct) -> None:
        self._privates, self._construct = privates, construct
        # Of variables in in_reduction the task around the region has copies (OpenMP 5.2, section 5.5.13).
        self._own = set(begun_in(construct))
        self._own.update(root.variable for root in listed(construct, "in_reduction"))
        # Of what a closure holds, which is a member of ``this``, a clause makes a copy: it is not followed then.
        self._own.update(v for v in privates.named(construct) if isinstance(v, Variable) and v.name == "this")
        self._set: set[Variable] = set()
        self.events: list[Event] = []
        self.moving: list[Use] = []
        self._walking: dict[Variable, tuple[str, ...]] = {}
        self.moved: set[Variable] = set()
        self.led_elsewhere: set[Node] = set()
        self.unseen: dict[Root, None] = {}
        around: dict[Construct, None] = {}
        for event in called.of_region(construct):
            self._read(event)
            if isinstance(event, Use):
                around.update(dict.fromkeys(event.constructs))
        if self._walking:
            self.events = [one for event in self.events for one in self._walked(event)]
            self.moving = [one for event in self.moving for one in self._walked(event)]
        # A reduction reads the variable as well.
        self.unseen.update((root, None) for one in around for root in listed(one, "lastprivate", "linear"))

    def _read(self, event: Event) -> None:
        lent = event.to if isinstance(event, Bound) else event.root if isinstance(event, Escape) else None
        if lent is not None and lent.variable not in self._own:
            self.unseen[lent] = None
        if isinstance(event, Bound):
            changed, to = event.pointer, moved_to(event)
            if changed is not None and to is not None and len(to.path) > len(changed.path) + 1:
                self._walking[changed.variable] = to.path[len(changed.path) + 1 :]
            if changed is not None and not changed.path and (event.to is None or event.to.variable != changed.variable):
                self._set.add(changed.variable)
        else:
            changed = event.root if isinstance(event, Use) and event.writes else None
        if changed is not None and not changed.path:
            self.moved.add(changed.variable)
        if isinstance(event, Use) and event.into is not None and event.into.variable not in self._own:
            self.moving.append(replace(event, root=event.into, into=None, led=True))
        if isinstance(event, Lent):
            self.events.append(event)
        elif isinstance(event, Use) and event.root is not None and event.root.variable not in self._own:
            if self._is_around(event, event.root.variable):
                self.events.append(event)
            if event.root.variable in self._set:
                self.led_elsewhere.add(event.node)

    def _walked(self, event: _E) -> Iterator[_E]:
        """A use by a pointer that goes from one object to the next is one of other objects, too."""
        root = root_of(event.node) if isinstance(event, Use) and isinstance(event.node, Pointee | Part) else None
        steps = self._walking.get(root.variable) if root is not None and DEREFERENCE in root.path else None
        if not isinstance(event, Use) or event.root is None or steps is None:
            yield event
            return
        here = len(event.root.path) - event.root.path[::-1].index(DEREFERENCE)
        yield replace(event, walked=True)
        yield replace(event, root=Root(event.root.variable, (*event.root.path[:here], *steps)), walked=True)

    def _is_around(self, use: Use, variable: Variable) -> bool:
        """Whether a use concerns the region's variable, and not only a copy of a construct inside.

        What a copy holds comes back at the end of its construct if that reduces it, or has it in ``lastprivate`` or
        ``linear``. So a write to such a copy is a write to the variable as well, unless its loops count with it.
        """
        copying = [c for c in use.constructs if c is not self._construct and variable in self._privates.of(c)]
        for construct in copying:
            returned = {root.variable for root in listed(construct, *_RETURNING)}
            if variable not in returned or variable in self._privates.counting(construct):
                return False
        return not copying or use.writes
