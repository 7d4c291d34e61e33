"""What code does, event by event: it reads and writes, calls, binds pointers, and lets addresses go.

Where a place of the tree is: the variable with which it begins, and the steps from there. Subscripts are no steps.
``s.x[i]`` with a pointer ``x`` is the variable ``s`` with the path ``.x *``; ``p->n`` is ``p`` with ``* .n``. A C++
reference is the pointer that it means. Bases and unnamed records on the way are no steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from ..base.diagnostics import SourceSpan
from ..base.exhaustive import assert_never
from ..base.records import dataclass, field, replace
from ..directives.model import Locator, Member
from ..tree import nodes as tree
from ..tree import types
from ..tree.nodes import Body, Node, walk
from ..tree.symbols import Function, Storage, Variable
from ..tree.types import Array, Pointer, Record, RecordInfo, Type, element_of, member_of

DEREFERENCE = "*"
_MOST_STEPS = 24  # that are followed. All places on a longer way are asked for, so all together would take its square.
# Constructs in which only one thread is at a time, or which a single thread runs.
_GUARDING = frozenset(("atomic", "critical", "ordered", "single", "master", "masked", "sections", "section", "task"))


@dataclass(frozen=True)
class Root:
    """A variable and the path from it to some storage. It is ``shifted`` if the path may begin behind a pointer's own
    element, as for ``p + i``. It is behind ``one_of`` several pointers in an array if it is not known which of them."""

    variable: Variable
    path: tuple[str, ...] = ()
    shifted: bool = False
    one_of: bool = field(default=False, compare=False)

    def then(self, *steps: str) -> Root:
        return Root(self.variable, (*self.path, *steps), self.shifted, self.one_of)

    @property
    def in_closure(self) -> bool:
        """Whether a closure brings it: as a whole, under a name of its own, and by an address that is translated."""
        return any(step[1:].isdigit() for step in self.path)


def root_of(place: tree.Place, most: int = _MOST_STEPS) -> Root | None:
    """Where a place is, or None if it does not begin with a variable, or only after more than ``most`` steps."""
    if not most:
        return None
    match place:
        case tree.Named(variable=variable):
            return None if variable.storage is Storage.CONSTANT and not variable.name else Root(variable)
        case tree.Temporary(variable=variable):
            return Root(variable)
        case tree.Pointee(pointer=pointer):
            while isinstance(pointer, tree.Offset):
                pointer = pointer.pointer
            return root_of(pointer.array, most - 1) if isinstance(pointer, tree.Decay) else target_of(pointer, most - 1)
        case tree.Part(whole=whole, member=member):
            around, step = root_of(whole, most - 1), step_to(whole.type, member)
            return around.then(step) if around is not None and step else around
        case tree.Opaque():
            return None
        case _:
            return assert_never(place)


def choices(place: tree.Place) -> tuple[tuple[tree.Expression, bool, tree.Place], ...]:
    """The two places of which a ``?:`` designates one, each with the condition and whether it fails there, or none."""
    match place:
        case tree.Part(whole=whole):
            return tuple((asked, fails, replace(place, whole=one)) for asked, fails, one in choices(whole))
        case tree.Pointee(pointer=tree.Conditional(condition=condition, then=then, otherwise=otherwise)):
            return ((condition, False, _led_to(place, then)), (condition, True, _led_to(place, otherwise)))
        case tree.Pointee(pointer=tree.Offset(pointer=tree.Conditional() as chosen) as offset):
            return (
                (chosen.condition, False, replace(place, pointer=replace(offset, pointer=chosen.then))),
                (chosen.condition, True, replace(place, pointer=replace(offset, pointer=chosen.otherwise))),
            )
        case _:
            return ()


def _led_to(place: tree.Pointee, pointer: tree.Expression) -> tree.Place:
    return pointer.place if isinstance(pointer, tree.AddressOf) else replace(place, pointer=pointer)


def target_of(pointer: tree.Expression, most: int = _MOST_STEPS) -> Root | None:
    """Where a pointer's value leads, as :func:`root_of` says it."""
    match pointer:
        case tree.Load(place=place) if isinstance(place.type, Pointer):
            found = root_of(place, most)
            return replace(found.then(DEREFERENCE), one_of=found.one_of or is_in_element(place)) if found else None
        case tree.AddressOf(place=place):
            return _shifted(root_of(place, most), not isinstance(_object(place), tree.Named | tree.Temporary))
        case tree.Decay(array=place):
            return _shifted(root_of(place, most), isinstance(place, tree.Pointee))
        case tree.Offset():
            return _shifted(target_of(pointer.pointer, most), True)
        case tree.Convert(value=value) if isinstance(value.type, Pointer):
            return target_of(value, most)
        case tree.Sequence(parts=(*_, last)):
            return target_of(last, most)
        case tree.Ending(value=value) | tree.StatementValue(value=value) if value is not None:
            return target_of(value, most)
        case _:
            return None


def _shifted(root: Root | None, shifted: bool) -> Root | None:
    return replace(root, shifted=True) if root is not None and shifted else root


def _object(place: tree.Place) -> tree.Place:
    """A place without the steps to a base or an unnamed record that it is in."""
    while isinstance(place, tree.Part) and not step_to(place.whole.type, place.member):
        place = place.whole
    return place


def step_to(whole: Type, member: types.Member) -> str:
    """The step to a member, which is empty for a base, an unnamed record, and the only array of a record. What a
    closure holds has no name."""
    if not isinstance(whole, Record) or is_its_array(whole) or member.base:
        return ""
    return "" if not member.name and isinstance(member.type, Record) else f".{member.name or member.offset}"


def is_its_array(kind: Type) -> bool:
    """Whether a record has an array and nothing else, as ``std::array``. Both are the same storage."""
    members = kind.info.members if isinstance(kind, Record) and not kind.info.union else ()
    return len(members) == 1 and isinstance(members[0].type, Array)


def is_in_element(place: tree.Place) -> bool:
    """Whether a place is an element of an array, or a member of one."""
    while isinstance(place, tree.Part):
        place = place.whole
    return isinstance(place, tree.Pointee) and isinstance(place.pointer, tree.Offset)


def item_place(construct: tree.Construct, item: Locator) -> tree.Place | None:
    """The place that the name of a list item designates."""
    return next((one.place for one in construct.items if one.locator is item), None)


def item_root(construct: tree.Construct, item: Locator) -> Root | None:
    """Where the storage of a list item is."""
    place = item_place(construct, item)
    root = root_of(place) if place is not None else None
    if place is None or root is None:
        return None
    kind, steps, is_element = place.type, item.steps, False
    if item.name == "this" and steps:  # the place is the object
        steps = steps[1:] if not isinstance(steps[0], Member) else (replace(steps[0], arrow=False), *steps[1:])
    if item.shape:  # the pointer's elements, in as many dimensions as there are lengths
        if not isinstance(kind, Pointer):
            return None
        root, kind, is_element, steps = root.then(DEREFERENCE), kind.to, True, steps[len(item.shape) :]
    for step in steps:
        if not isinstance(step, Member) or step.arrow:
            if isinstance(kind, Pointer):
                root, kind = replace(root.then(DEREFERENCE), one_of=root.one_of or is_element), kind.to
            elif isinstance(kind, Array):
                kind = kind.of
            elif is_its_array(kind):
                assert isinstance(kind, Record)
                (array,) = kind.info.members
                assert isinstance(array.type, Array)
                kind = array.type.of
            else:
                return None
        is_element = not isinstance(step, Member) or (is_element and not step.arrow)
        if isinstance(step, Member):
            found = member_root(root, kind, step.name)
            if found is None:
                return None
            root, kind = found
    return root


def member_root(root: Root, kind: Type, name: str) -> tuple[Root, Type] | None:
    """(where a member of an object is, its type), or None if there is no member of a name."""
    queue = [kind]
    for one in queue:
        for member in one.info.members if isinstance(one, Record) else ():
            if member.base or not member.name:
                queue.append(member.type)
            elif member.name == name:
                found = root if is_its_array(one) else root.then(f".{name}")
                if isinstance(member.type, Pointer) and member.type.reference:
                    return found.then(DEREFERENCE), member.type.to
                return found, member.type
    return None


def spelt(root: Root) -> str:
    """The name of the variable or member with which a place begins, as the user knows it: ``count`` for what a
    reference ``count`` refers to, ``p_`` for ``this->p_``, and ``p`` for what ``p`` leads to."""
    text, kind = root.variable.name, root.variable.type
    for step in root.path:
        if step == DEREFERENCE:
            if not isinstance(kind, Pointer) or not (kind.reference or text == "this"):
                break
            kind = kind.to
        else:
            text = step[1:] if text == "this" else text + step
            kind = element_of(kind)
            found = member_of(kind, step[1:])
            kind = found[0] if found is not None else kind
    is_whole = text == "this" and isinstance(kind, Record) and is_its_array(kind)
    return kind.info.members[0].name if is_whole and isinstance(kind, Record) else text


@dataclass(frozen=True)
class Language:
    """``body`` is what the unit has of a function. Of code that a node was made of (its ``origin``), ``place`` says
    where it stands, and ``text`` how a message shows it. ``source`` is the unit's preprocessed text, and
    ``is_program`` whether it has ``main``. A loop transformation has made what ``is_generated``. Atomic operations that
    name no ``memory_order`` have this one. A container of the library ``holds_own_memory`` if nobody else gives it any.
    """

    body: Callable[[Function], Body | None]
    place: Callable[[Any], SourceSpan | None]
    text: Callable[[Any], str]
    source: str
    is_program: bool
    is_generated: Callable[[Any], bool] = lambda _: False
    memory_order: str = ""
    holds_own_memory: Callable[[RecordInfo], bool] = lambda _: False

    def span(self, node: Node) -> SourceSpan | None:
        """Where a node stands, or the first part of it that the user wrote."""
        places = (self.place(part.origin) for part in walk(node) if part.origin is not None)
        return next((span for span in places if span is not None), None)

    def shown(self, node: Node) -> str:
        """What the user wrote for a node, for a message."""
        return next((self.text(part.origin) for part in walk(node) if part.origin is not None), "?")


@lru_cache(maxsize=2048)
def _guards(constructs: tuple[tree.Construct, ...]) -> frozenset[str]:
    return _GUARDING.intersection(leaf for c in constructs for leaf in c.directive.constructs)


@dataclass(frozen=True)
class Use:
    """One access. ``node`` is the place, or the Declare or Temporary that begins a variable, and ``root`` where it is.

    ``operator`` is that of the assignment, as ``+=``, and ``value`` what is assigned. ``conditions`` are the conditions
    under which it is made, ``loops`` the loops around it, ``constructs`` the OpenMP constructs around it, and ``calls``
    those through which the region gets to it, each outermost first. It is ``led`` if a pointer of the code's own leads
    there. A pointer that moves leads ``into`` an object, but it is not known to which of its elements. One by which
    objects are ``walked`` goes to other ones.
    """

    node: tree.Node
    root: Root | None
    reads: bool
    writes: bool
    operator: str = ""
    value: tree.Expression | None = None
    conditions: tuple[tree.Expression, ...] = ()
    loops: tuple[tree.Loop, ...] = ()
    constructs: tuple[tree.Construct, ...] = ()
    calls: tuple[tree.Call, ...] = ()
    led: bool = False
    into: Root | None = None
    walked: bool = False
    failing: tuple[tree.Expression, ...] = ()

    @property
    def guards(self) -> frozenset[str]:
        """The constructs around it that keep other threads away."""
        return _guards(self.constructs)


@dataclass(frozen=True)
class Lent:
    """A call of a function, which is None for a call by address.

    ``arguments`` says for each argument that is a pointer where it leads, and is None for the others. A constructor's
    first one is the object that it makes.
    """

    node: tree.Call
    function: Function | None
    arguments: tuple[Root | None, ...]
    conditions: tuple[tree.Expression, ...] = ()
    loops: tuple[tree.Loop, ...] = ()
    constructs: tuple[tree.Construct, ...] = ()
    followed: bool = False  # all that the function does stands beside the call

    @property
    def name(self) -> str:
        return self.function.name if self.function is not None else ""


@dataclass(frozen=True)
class Bound:
    """A pointer gets a value. ``to`` is where that leads, or None if it is not known. ``made`` is the call, or the
    place of the string literal, that has made what it leads to, or the constant of a null pointer. A structure gets the
    pointers of the one that the call ``made`` gives."""

    node: tree.Node
    pointer: Root | None
    to: Root | None
    made: tree.Node | None = None


@dataclass(frozen=True)
class Escape:
    """The address of something is used in a way that is not followed."""

    node: tree.Node
    root: Root


Event = Use | Lent | Bound | Escape


def moved_to(event: Bound) -> Root | None:
    """Where a pointer leads next that goes on from where it leads, as for ``++p`` and ``p = p->next``, or None."""
    pointer, to = event.pointer, event.to
    if pointer is None:
        return None
    here = (*pointer.path, DEREFERENCE)
    if isinstance(event.node, tree.Update):
        return Root(pointer.variable, here, True)
    if to is None and isinstance(event.node, tree.Store):  # it does so under a condition
        to = target_of(event.node.value)
    is_on = to is not None and to.variable is pointer.variable and to.path[: len(here)] == here
    return to if is_on else None


def locks_held(language: Language, events: Iterable[Event]) -> dict[Use, frozenset[str]]:
    """The locks that are held at each access, in the order of the text."""
    found: dict[Use, frozenset[str]] = {}
    held: frozenset[str] = frozenset()
    for event in events:
        if isinstance(event, Use):
            found[event] = held
        elif isinstance(event, Lent) and event.name in ("omp_set_lock", "omp_unset_lock"):
            lock = frozenset(map(language.shown, event.node.arguments))
            held = held | lock if event.name == "omp_set_lock" else held - lock
    return found
