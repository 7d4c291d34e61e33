"""All objects at one point of the program, and where pointers lead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial, reduce
from typing import TypeVar

from ..base.records import dataclass, field, replace
from ..tree.nodes import Node
from ..tree.symbols import Storage, Variable
from ..tree.types import Pointer
from .events import DEREFERENCE, Root
from .extents import Extents
from .memory import FOREVER, Copy, Memory, Path
from .uses import is_lasting
from .whole_unit import MappedTypes

Known = TypeVar("Known")
# An object: a variable, or what the pointer at the path in it leads to. Memory that a call has allocated has that call,
# or its origin, in place of the variable.
Key = tuple[object, Path]

Lead = tuple[Key, bool]  # where a pointer leads: to an object, and whether that may be behind its beginning
_SOMEWHERE = "somewhere"
_ONE_OF = "one of"
NOWHERE: Lead = (("nowhere", ()), False)  # where a null pointer leads


@dataclass(frozen=True)
class Beginning:
    """What holds before a variable is touched: whether it may be on the device because of code that is not seen."""

    on_device: frozenset[Variable]  # the variables of 'declare target', without those of its 'link' clause
    linked: frozenset[Variable]
    from_main: bool  # the walk began in main, so no code has run before
    by_mappers: MappedTypes
    memory: dict[Key, Memory] = field(default_factory=dict)  # what is known of objects that nothing was said of


@dataclass(frozen=True)
class Origin:
    """Where memory comes from: an allocation, in the function that these calls lead to. Through other calls it gives
    other memory, as a constructor does for each object."""

    allocation: Node
    calls: tuple[Node, ...]


@dataclass(frozen=True)
class Found:
    """A place: the object, the members on the way there, and whether it is behind the object's beginning."""

    key: Key
    members: Path
    shifted: bool

    @property
    def place(self) -> Key:
        return self.key[0], (*self.key[1], *self.members)


_MOST_STEPS = 100


class State:
    """The objects at one point, and where pointers lead: to an object or, by its path, to a member of one, perhaps
    behind its beginning, or unknown. Behind a loop that swaps two pointers, each leads to one of two objects."""

    def __init__(self, beginning: Beginning) -> None:
        self.beginning = beginning
        self.memory: dict[Key, Memory] = {}
        self.leads: dict[Key, Lead | None] = {}
        self.returned: Found | None = None  # where the pointer leads that the last function has returned

    def copy(self) -> State:
        made = State(self.beginning)
        made.memory, made.leads, made.returned = dict(self.memory), dict(self.leads), self.returned
        return made

    def become(self, other: State) -> None:
        self.memory, self.leads, self.returned = other.memory, other.leads, other.returned

    def at(self, root: Root | None) -> Found | None:
        """Where a place is, if that is known. Places behind very many steps are not followed, nor what mappers map, nor
        what pointers in arrays lead to: two of them lead to different places."""
        if root is None or root.one_of or len(root.path) > _MOST_STEPS or self.beginning.by_mappers.has(root.variable):
            return None
        key: Key = (root.variable, ())
        if not root.path:
            return Found(key, (), root.shifted)
        shifted = False
        for step in root.path:
            if step != DEREFERENCE:
                key = (key[0], (*key[1], step))
                continue
            leads = self.leads.get(key, _by_default(key))
            if leads is None or _choices(leads):
                return None
            key, shifted = leads
        length = _length_of_object(key[1])
        return Found((key[0], key[1][:length]), key[1][length:], shifted or root.shifted)

    def choices(self, root: Root) -> Iterator[Found]:
        """The places of which a place is one, behind a loop that swaps the pointers which lead there."""
        for pointer, lead in self.leading([root]).items():
            for choice in _choices(lead):
                state = self.copy()
                state.leads[pointer] = choice, False
                found = state.at(root)
                if found is not None:
                    yield found

    def of(self, key: Key) -> Memory:
        known = self.memory.get(key) or self.beginning.memory.get(key)
        if known is None:
            known = self.beginning.memory[key] = self._at_first(key)
        return known

    def is_of_host(self, root: Root | None) -> bool:
        """Whether a place is a variable of which nothing is known: only the host has it."""
        if root is None or root.path or (root.variable, ()) in self.memory:
            return False
        variable, beginning = root.variable, self.beginning
        return not (root.one_of or variable in beginning.on_device or beginning.by_mappers.has(variable))

    def is_known(self, key: Key) -> bool:
        """Whether anything but the host may have touched an object."""
        return key in self.memory or key[0] in self.beginning.on_device

    def _at_first(self, key: Key) -> Memory:
        variable, path = key
        if not isinstance(variable, Variable) or variable in self.beginning.linked:
            return Memory(None, Copy.UNKNOWN, Copy.UNKNOWN)
        if variable in self.beginning.on_device:
            attached = bool(path) or isinstance(variable.type, Pointer)  # mappings change the device's pointer
            known = Copy.VALID if self.beginning.from_main else Copy.UNKNOWN
            return Memory(None, Copy.UNKNOWN, Copy.UNKNOWN) if attached else Memory(FOREVER, known, known)
        if path:
            return Memory(assumed=True)
        shared = is_lasting(variable) and not self.beginning.from_main
        return Memory(assumed=shared, size=Extents.of_type(variable.type))

    def begin(self, variable: Variable, is_blank: bool) -> None:
        """A local variable begins its life: nothing is known from an earlier iteration."""
        self.memory.pop((variable, ()), None)
        size = Extents.of_type(variable.type) if is_blank else None
        if size is not None and size.high.constant:
            self.memory[variable, ()] = Memory(size=size, blank=())
        if isinstance(variable.type, Pointer):
            self.leads[(variable, ())] = None

    def forget(self, key: Key) -> None:
        """Code that is not seen may have done anything with an object."""
        self.memory[key] = self.of(key).unknown()

    def rename(self, old: object, new: object) -> None:
        """What is known of memory that one call has allocated is known of another call."""
        self.memory = _renamed(self.memory, old, new)
        self.leads = _renamed(self.leads, old, new)

    def take_pointers(self, made: object, to: Key) -> None:
        """An object gets the pointers of what was made for it. Where nothing is known of these, nor is of its own."""
        for pointer in [pointer for pointer in self.leads if _is_in(pointer, to)]:
            del self.leads[pointer]
        for pointer in [pointer for pointer in self.leads if pointer[0] is made]:
            if DEREFERENCE not in pointer[1]:
                self.leads[to[0], (*to[1], *pointer[1])] = self.leads[pointer]

    def forget_object(self, call: object) -> None:
        """Memory that a call has allocated, and what is in it, may be several pieces of memory."""
        for key in self.memory:
            if key[0] is call:
                self.memory[key] = Memory(None, Copy.UNKNOWN, Copy.UNKNOWN)
        for key in self.leads:
            if key[0] is call:
                self.leads[key] = None

    def forget_contents(self, key: Key) -> None:
        """What an object holds may have changed, but not what is mapped."""
        old = self.of(key)
        self.memory[key] = replace(
            old,
            host=Copy.UNKNOWN if old.host is Copy.STALE else old.host,
            device=Copy.UNKNOWN if old.present != 0 else old.device,
            lost=None,
            behind=(),
            overwritten=(),
            pending=(),
            blank=None,
        )

    def escapes(self, key: Key) -> None:
        """The address of an object, or of a member, may be anywhere now, and what has it may have written there."""
        key = object_of(key)
        self.memory[key] = replace(self.of(key), escaped=True, blank=None)

    def reached_from(self, places: Iterable[Key]) -> dict[Key, list[Key]]:
        """Places, and what the pointers in them lead to, each with its pointers."""
        pointers: dict[object, list[Key]] = {}
        for pointer in self.leads:
            pointers.setdefault(pointer[0], []).append(pointer)
        found: dict[Key, list[Key]] = {}
        queue = [*places]
        for place in queue:
            if place not in found:
                found[place] = [one for one in pointers.get(place[0], ()) if _is_in(one, place)]
                queue += [key for one in found[place] for key in _objects(self.leads[one])]
        return found

    def shared_pointers(self) -> list[Key]:
        """The pointers that every unit knows."""
        return [key for key in self.leads if isinstance(key[0], Variable) and key[0].storage is Storage.GLOBAL]

    def forget_pointers(self, key: Key) -> None:
        """Code that is not seen may have changed the pointers in an object. Others may have what they led to."""
        length = len(key[1])
        ends = [path[length:] for other, path in self.memory if other == key[0] and path[:length] == key[1]]
        default = {(key[0], (*key[1], *end[: end.index(DEREFERENCE)])) for end in ends if DEREFERENCE in end}
        for pointer in default.union(one for one in self.leads if _is_in(one, key)):
            for leads in _objects(self.leads.get(pointer, _by_default(pointer))):
                self.escapes(leads)
            self.lead_anywhere(pointer)

    def lead_anywhere(self, pointer: Key) -> None:
        """Code that is not seen may have given a pointer another value."""
        somewhere: Key = ((_SOMEWHERE, pointer), ())
        self.leads[pointer] = None if allocated_again(self, pointer, somewhere) else (somewhere, False)
        self.memory[somewhere] = Memory(None, Copy.UNKNOWN, Copy.UNKNOWN, assumed=True, escaped=True)

    def forget_escaped(self) -> None:
        """What is not seen may have done anything with all objects whose addresses it may have."""
        for key, memory in self.memory.items():
            if memory.escaped:
                self.memory[key] = memory.unknown()

    def forget_escaped_contents(self) -> None:
        """What is not seen may have written to all objects whose addresses it may have."""
        for key, memory in self.memory.items():
            if memory.escaped or memory.assumed:
                self.forget_contents(key)

    def forget_all(self) -> None:
        for key, memory in self.memory.items():
            self.memory[key] = replace(memory.unknown(), escaped=True)  # pointers may lead there
        for key in self.leads:
            self.leads[key] = None

    def leading(self, roots: Iterable[Root]) -> dict[Key, Lead | None]:
        """Where the pointers lead on the way to some places."""
        found: dict[Key, Lead | None] = {}
        for root in roots:
            key: Key | None = (root.variable, ())
            for step in root.path[:_MOST_STEPS]:
                if key is not None and step == DEREFERENCE:
                    found[key] = self.leads.get(key, _by_default(key))
                    key = leads[0] if (leads := found[key]) and not _choices(leads) else None
                elif key is not None:
                    key = (key[0], (*key[1], step))
        return found

    def wait(self) -> None:
        """All deferred regions have ended."""
        for key, memory in self.memory.items():
            if memory.pending:
                self.memory[key] = replace(memory, pending=())


def is_somewhere(key: Key) -> bool:
    """Whether it is any of the objects whose addresses code has that is not seen."""
    return isinstance(key[0], tuple) and key[0][:1] == (_SOMEWHERE,)


def object_of(place: Key) -> Key:
    return place[0], place[1][: _length_of_object(place[1])]


def _length_of_object(path: Path) -> int:
    """How many steps of a path lead to the object in which it ends. The rest are members."""
    length = len(path)
    while length and path[length - 1] != DEREFERENCE:
        length -= 1
    return length


def _is_in(place: Key, key: Key) -> bool:
    """Whether a place is an object, or in it."""
    length = len(key[1])
    return place[0] == key[0] and place[1][:length] == key[1] and DEREFERENCE not in place[1][length:]


def _renamed(known: dict[Key, Known], old: object, new: object) -> dict[Key, Known]:
    others = {key: value for key, value in known.items() if key[0] is not old and key[0] is not new}
    return others | {(new, key[1]): value for key, value in known.items() if key[0] is old}


def joined(states: Iterable[State | None]) -> State | None:
    """What is known where ways through the program meet. A way that does not get there is None."""
    coming = [state for state in states if state is not None]
    return reduce(_two_joined, coming) if coming else None


def joined_passes(states: Iterable[State | None]) -> State | None:
    """The same behind a loop. Two pointers that a pass of it swaps lead to one of two objects from then on."""
    coming = [state for state in states if state is not None]
    return reduce(partial(_two_joined, of_passes=True), coming) if coming else None


def _two_joined(one: State, two: State, of_passes: bool = False) -> State:
    made = State(one.beginning)
    made.returned = one.returned if one.returned == two.returned else None
    for key in {**one.memory, **two.memory}:
        known = one.memory.get(key)
        same = known is not None and known is two.memory.get(key)
        made.memory[key] = known if same and known is not None else one.of(key).joined(two.of(key))
    if one.leads == two.leads:  # then one is as good as the other
        made.leads = {**one.leads}
        return made
    keys = {**one.leads, **two.leads}
    both = {key: (one.leads.get(key, _by_default(key)), two.leads.get(key, _by_default(key))) for key in keys}
    swapped = set(both.values()) if of_passes else set()
    for key, (lead, other) in both.items():
        made.leads[key] = _joined_leads(made, lead, other, swaps=(other, lead) in swapped)
    return made


def _joined_leads(made: State, one: Lead | None, two: Lead | None, swaps: bool) -> Lead | None:
    """Where a pointer leads if it leads to one of two places. What uses it then may use each of them."""
    if one is not None and two is not None and one[0] == two[0]:
        return one[0], one[1] or two[1]
    for key in (*_objects(one), *_objects(two)):
        made.escapes(key)
    if one is None or two is None or one[1] or two[1]:
        return None
    for lead, other in ((one, two), (two, one)):
        if other[0] in _choices(lead):
            return lead
    return (((_ONE_OF, (one[0], two[0])), ()), False) if swaps else None


def _choices(lead: Lead | None) -> tuple[Key, ...]:
    """The objects to one of which a pointer leads, if it is not known to which of them."""
    place = lead[0][0] if lead is not None else None
    return place[1] if isinstance(place, tuple) and place[0] == _ONE_OF else ()


def _objects(lead: Lead | None) -> tuple[Key, ...]:
    """All objects to which a pointer may lead, as far as they are known."""
    return _choices(lead) or ((lead[0],) if lead is not None else ())


def _by_default(key: Key) -> Lead:
    """Where a pointer leads that was not seen to get a value."""
    return (key[0], (*key[1], DEREFERENCE)), False


def allocated_again(state: State, pointer: Key, memory: Key) -> bool:
    """Whether memory that an allocation has given before is still led to by another pointer."""
    return any(memory in _objects(lead) for other, lead in state.leads.items() if other != pointer)
