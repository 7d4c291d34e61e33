"""Where the walk through a unit is: the function, the loops and what is in doubt there; and what was found so far."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from ..base.diagnostics import SourceSpan
from ..base.findings import Finding, Note
from ..base.records import dataclass, replace
from ..directives.model import Index, Locator
from ..plan.constructs import Entity
from ..tree.affine import Polynomial
from ..tree.nodes import Call, Construct, Declare, Expression, Load, Loop, Named, Node, Part, Pointee, Temporary, walk
from ..tree.symbols import Function, Storage, Variable
from ..tree.types import Integer, Pointer
from .events import DEREFERENCE, Root, Use, spelt
from .extents import Extent, Extents, is_far
from .kernels import Mapped, is_referring, mapped_by, type_at
from .memory import Memory, Place, Touch
from .objects import Found, Key, Origin, State
from .whole_unit import WholeUnit

ONCE = ", unless the loop around runs once only"
SKIPPABLE = ", unless the first pass of the loop around leaves this out"
_MOST_STEPS = 20_000


class TooFarError(Exception):
    """The program is too long to be followed to its end."""


class Journey:
    """What grows while a unit is followed: the findings, the number of steps and that of calls."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, SourceSpan, str], Finding] = {}
        self.steps = 0
        self.calls = 0
        self.given: dict[int, dict[Entity, Given]] = {}  # by the numbers of calls
        self.placed: dict[tuple[int, int], tuple[Extent, Extent | None]] = {}  # by calls and extents
        self.changing: dict[Node, bool] = {}  # conditions that ask for something which is not constant
        # The variables that lead a region to an object of which the device has all, on some way to there.
        self.on_device: set[tuple[Construct, Variable]] = set()
        self.told: set[tuple[Construct, Variable, str]] = set()  # regions that are said to follow members
        # What was found under a condition in the first pass of a loop, with the loop, by (name, span, variable, notes).
        self.skippable: dict[tuple[str, SourceSpan, str, tuple[Note, ...]], Loop] = {}

    def step(self) -> None:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise TooFarError


@dataclass(frozen=True)
class Exits:
    """The states with which ways leave the statement around them, collected while it is followed."""

    breaks: list[State]
    continues: list[State]
    returns: list[State]
    throws: list[State]
    gotos: dict[object, list[State]]  # by their labels

    @staticmethod
    def of_function() -> Exits:
        return Exits([], [], [], [], {})


@dataclass(frozen=True)
class Given:
    """A number that a parameter has, in the variables of the call that is numbered."""

    call: int
    number: Polynomial


@dataclass(frozen=True)
class Position:
    """``calls`` are the functions that are being called, the present one last, and ``number`` is that of its call. The
    ``loops`` around are those that only the host concerns, and ``conditions`` those of ``if`` statements inside them.
    Those ``around`` are followed pass by pass. What is found is never certain if there is a ``doubt``, such as whether
    a loop runs twice: messages end with it. The ``caller`` gives values to parameters. ``first_pass`` is the innermost
    loop that is followed for the first time and will be for a second, ``again`` are those that are followed for the
    second. A condition may leave out what stands here in the first pass of the loop ``skippable``."""

    unit: WholeUnit
    journey: Journey
    exits: Exits
    calls: tuple[Function, ...] = ()
    number: int = 0
    loops: tuple[Loop, ...] = ()
    around: tuple[Loop, ...] = ()
    doubt: str = ""
    caller: tuple[Position, Call] | None = None
    conditions: tuple[Expression, ...] = ()
    first_pass: Loop | None = None
    again: tuple[Loop, ...] = ()
    skippable: Loop | None = None

    @property
    def extents(self) -> Extents:
        return self.unit.extents.of(self.calls[-1])

    def place_of(self, node: Node, calls: Sequence[Call] = (), construct: Construct | None = None) -> Place:
        """Where a node is, to which ``calls`` lead from here, or from ``construct``."""
        if construct is not None:
            return self.unit.place_of(node, construct, calls)
        return self.unit.place_of(node, self.unit.constructs[0][1], calls, self._callers())

    def _callers(self) -> Iterator[Node]:
        """The calls that have led here, the nearest one first, and the body of the function in which these begin."""
        at = self
        while at.caller is not None:
            at, call = at.caller
            yield call
        body = self.unit.body(at.calls[-1])
        if body is not None:
            yield body.statement

    def doubting(self, is_in_doubt: bool, why: str) -> Position:
        return replace(self, doubt=self.doubt or why) if is_in_doubt else self

    def is_kept(self, memory: Memory, write: Touch) -> bool:
        """Whether the user may want the host to keep its own value: no clause brings back the device's, which began
        with the host's, and the region that writes to it has other results."""
        _, construct = self.unit.items.get(memory.mapped, (None, None)) if memory.mapped is not None else (None, None)
        found = (m.how for m in (mapped_by(construct) if construct is not None else ()) if m.span == memory.mapped)
        return write.beside and next(found, "") in ("to", "alloc")

    def written_item(self, memory: Memory) -> Locator | None:
        """The list item by which an object is mapped, if one is written."""
        item, _ = self.unit.items.get(memory.mapped, (None, None)) if memory.mapped is not None else (None, None)
        return item

    def under_condition(self) -> Position:
        """The position under a condition. What needs what later passes of a loop do is then not certain."""
        if self.first_pass is None or self.skippable is not None:
            return self
        return replace(self, skippable=self.first_pass)

    def origin(self, allocation: Node) -> object:
        """What stands for the memory that an allocation gives here."""
        calls: list[Node] = []
        caller = self.caller
        while caller is not None:
            calls.append(caller[1])
            caller = caller[0].caller
        return Origin(allocation, tuple(calls)) if calls else allocation

    def in_call(self, extent: Extent | None) -> Extent | None:
        """An extent with the values that variables have in the present call: parameters are what the caller gives."""
        if extent is None:
            return None
        key = (self.number, id(extent))
        if key not in self.journey.placed:
            self.journey.placed[key] = extent, self._in_call(extent)
        return self.journey.placed[key][1]

    def _in_call(self, extent: Extent) -> Extent | None:
        call, (low, high) = self._as_given((extent.low, extent.high))
        if is_far(low) or is_far(high):
            return None
        return Extent(low, high, extent.exact, extent.dense, call)

    def _as_given(self, numbers: tuple[Polynomial, ...]) -> tuple[int, tuple[Polynomial, ...]]:
        """Numbers in terms of the caller if they depend on parameters only, with the number of that call."""
        atoms = frozenset[Hashable]().union(*(one.atoms for one in numbers))
        if atoms and atoms <= self.unit.statics:
            return 0, numbers  # which are the same in all calls
        known = self._given()
        if not atoms or not atoms <= known.keys():
            return self.number, numbers
        given = {atom: known[atom] for atom in atoms if isinstance(atom, Entity)}
        calls = {g.call for g in given.values() if g.number.constant is None}
        if len(calls) > 1:
            return self.number, numbers
        values: dict[Hashable, Polynomial] = {atom: g.number for atom, g in given.items()}
        return next(iter(calls), self.number), tuple(one.with_values(values) for one in numbers)

    def _given(self) -> Mapping[Entity, Given]:
        """The integers that the caller gives to parameters that the function does not change."""
        if self.caller is None:
            return {}
        if self.number in self.journey.given:
            return self.journey.given[self.number]
        found = self.journey.given[self.number] = dict[Entity, Given]()
        caller, call = self.caller
        inside, outside = self.extents, caller.extents.facts
        for parameter, argument in zip(inside.parameters[call.constructs :], call.arguments, strict=False):
            if parameter in inside.changed or not isinstance(parameter.type, Integer):
                continue
            number = outside.polynomial(argument)
            if number is not None and not number.wraps and not number.atoms.intersection(outside.moving):
                at, (value,) = caller._as_given((number,))
                found[parameter.key] = Given(at, value)
        return found

    def touch(self, use: Use, found: Found) -> Touch:
        node = use.node
        is_named = not isinstance(node, Pointee | Part) or (_is_member(node) and not use.led)
        single = is_named or (not (found.shifted or use.led) and _is_member(node, arrows=True))
        extent = None if found.shifted or is_named else self.in_call(self.extents.of_use(use, self.loops))
        chosen = extent is not None and self._is_chosen(use.conditions)
        if extent is not None and self._is_chosen(self.conditions):
            extent, chosen = replace(extent, exact=False), True
        inside = use.constructs[-1] if use.constructs else None
        place = self.place_of(node, use.calls, inside)
        shown = node.variable.name if isinstance(node, Declare | Temporary) else place
        return Touch(place, shown, found.members, extent, single, not use.conditions, chosen, root=use.root)

    def _is_chosen(self, conditions: Iterable[Expression]) -> bool:
        """Whether a condition around an access asks for something that changes, and so perhaps for its index."""
        known = self.journey.changing
        for condition in conditions:
            if condition not in known:
                known[condition] = self._changes(condition)
        return any(known[condition] for condition in conditions)

    def _changes(self, condition: Expression) -> bool:
        constant = self.extents.facts.constant
        named = (node.variable for node in walk(condition) if isinstance(node, Named))
        return any(v.key not in constant and v.storage is not Storage.CONSTANT for v in named)

    def section(self, node: Construct, mapped: Mapped, shifted: bool) -> Extent | None:
        if shifted:
            return None
        if mapped.item is None:
            kind = type_at(mapped.root)
            return Extents.of_type(kind) if kind is not None else None
        return self.in_call(self.extents.of_item(node, mapped.item))

    def reach(self, node: Construct, mapped: Mapped, shifted: bool) -> Extent | None:
        """From the first to the last byte of a list item."""
        return None if shifted or mapped.item is None else self.in_call(self.extents.reach_of(node, mapped.item))

    def report(self, finding: Finding) -> None:
        """Keep a finding once, as a certain one if it is that on any way.

        What a condition may leave out in the first pass of a loop is certain if it is found in the second one, too, of
        the same object: pointers that change their roles lead to another one in each pass.
        """
        key = (finding.name, finding.span, finding.variable)
        same = (*key, finding.notes)
        if finding.certain and self.skippable is not None:
            self.journey.skippable.setdefault(same, self.skippable)
        in_all_passes = self.skippable is None and self.journey.skippable.get(same) in self.again
        doubt = self.doubt or (SKIPPABLE if self.skippable is not None else "")
        if finding.certain and doubt and not (in_all_passes and doubt == ONCE):
            finding = replace(finding, certain=False, message=finding.message + doubt)
        known = self.journey.found.get(key)
        if known is None or (finding.certain and not known.certain):
            self.journey.found[key] = finding


# -- words of messages ------------------------------------------------------------------------------------------------


def name_of(key: Key, root: Root | None) -> str:
    if root is None:
        return key[0].name if isinstance(key[0], Variable) else "?"
    lead = root.path[:1] if is_referring(root.variable) else ()
    path = root.path[len(lead) :]
    if DEREFERENCE in path:
        path = path[: path.index(DEREFERENCE)]
    elif root.variable.name != "this":
        path = ()
    return spelt(Root(root.variable, (*lead, *path)))


def as_section(item: Locator | None) -> str | None:
    """The cure for an item ``x[n]``, which is one element, and often meant to be so many; None for other items."""
    last = item.steps[-1] if item is not None and item.steps else None
    if item is None or not isinstance(last, Index):
        return None
    before = item.text.rstrip().removesuffix("]").rstrip().removesuffix(last.expr.text).rstrip()
    if not before.endswith("["):
        return None
    return f"'{item.text}' is one element; the first {last.expr.text} are {before}0:{last.expr.text}]"


def item_for(name: str, touch: Touch) -> str:
    """A list item for what an access is about. The name of an array is all of it."""
    if touch.text.endswith(f"::{name}"):
        return touch.text
    root = touch.root
    behind = root.path[is_referring(root.variable) :] if root is not None else (DEREFERENCE,)
    return name if touch.single or DEREFERENCE not in behind else f"{name}[0:n]"


def by_pointer(advice: str, name: str) -> str:
    """Advice about a list item. None begins with a call, as ``v.data()`` does: a pointer has to stand for that."""
    return f"{advice.replace(name, 'p')}, with p = {name}" if "()" in name else advice


def with_mapping(notes: tuple[Note, ...], memory: Memory, what: str = "it is mapped here") -> tuple[Note, ...]:
    return (*notes, Note(what, memory.mapped)) if memory.mapped is not None else notes


def why_in_doubt(meets: bool | None, memory: Memory, write: Touch | None = None) -> str:
    if meets is None:
        return ", unless these are other elements"
    if write is not None and write.some_ways:
        return ", unless that is not done on the way to here"
    if write is not None and not write.sure:
        return ", unless that does not happen"
    return ", unless other code has mapped it before" if memory.assumed else ""


def outdated(memory: Memory, changed: Touch, touch: Touch) -> tuple[str, bool] | None:
    """(what is in doubt, whether it is certain) of an access that reads what the other side has changed, or None."""
    meets, updated = changed.meets(touch), memory.is_updated(touch)
    if meets is False or updated:
        return None
    meets = None if updated is None else meets
    return why_in_doubt(meets, memory, changed), meets is True and changed.sure and not memory.assumed


def _is_member(place: Node, arrows: bool = False) -> bool:
    """Whether a place is a variable, or a member of one, to which no subscripts lead, and pointers with ``arrows``."""
    inside = False  # the part that was looked at last is a member
    while isinstance(place, Part | Pointee):
        if isinstance(place, Part):
            inside, place = True, place.whole
            continue
        pointer = place.pointer
        if not isinstance(pointer, Load):
            return False
        place = pointer.place
        is_reference = isinstance(place.type, Pointer) and place.type.reference
        if not is_reference and not (arrows and inside):
            return False
        inside = False
    return isinstance(place, Named)
