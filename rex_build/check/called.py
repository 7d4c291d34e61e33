"""What regions do, with the functions that they call and by pointers of their own."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

from ..base.records import replace
from ..optimise.changes import changes_of
from ..tree import nodes as tree
from ..tree.symbols import Function, Variable
from ..tree.types import Pointer
from .events import DEREFERENCE, Bound, Escape, Event, Lent, Root, Use, moved_to
from .privates import begun_in
from .uses import Reader, is_lasting

_MOST_CALLS, _MOST_EVENTS = 4, 4000  # calls in calls that are followed from a region, and what these do
_MOST_ACCESSES = 3000  # of one region. What follows is not checked: nobody writes so many, and they take time.
_Pointer = tuple[Variable, tuple[str, ...]]  # the variable that it is in, and where


class Called:
    """What functions that regions call do, said of what the region gives them."""

    def __init__(self, body_of: Callable[[Function], tree.Body | None], reader: Reader) -> None:
        self.body_of, self._reader = body_of, reader
        self._bodies: dict[Function, tuple[tuple[Event, ...], Container[Variable]]] = {}  # with what they change
        self._regions: dict[tree.Construct, tuple[Event, ...]] = {}
        self._cut: set[tree.Construct] = set()
        self._left = 0

    def of_region(self, construct: tree.Construct) -> tuple[Event, ...]:
        """What a region does, with what the functions do that it calls."""
        if construct not in self._regions:
            self._left = _MOST_EVENTS
            events = self._reader.statement(construct, _MOST_ACCESSES)
            if len(events) >= _MOST_ACCESSES:
                self._cut.add(construct)
            own = begun_in(construct)
            self._regions[construct] = tuple(led(list(self._followed(events, ())), own))
        return self._regions[construct]

    def is_cut(self, construct: tree.Construct) -> bool:
        """Whether a region is so long that only its first part is known."""
        self.of_region(construct)
        return construct in self._cut

    def _followed(self, events: Iterable[Event], around: tuple[Function, ...]) -> Iterator[Event]:
        """Events with those of the called functions in front of each call. ``around`` are the functions around."""
        for event in events:
            body = None
            if isinstance(event, Lent) and event.function not in around and not event.node.virtual:
                follows = len(around) < _MOST_CALLS and self._left > 0
                body = self.body_of(event.function) if event.function is not None and follows else None
            if body is None or not isinstance(event, Lent):
                yield event
                continue
            inside = self._inside(event, body, (*around, body.function))
            self._left -= len(inside)
            yield from (e for e in inside if e is not None)
            yield replace(event, followed=None not in inside)

    def _inside(self, call: Lent, body: tree.Body, around: tuple[Function, ...]) -> list[Event | None]:
        """What a call does, with None for what is not known of it."""
        if body.function not in self._bodies:
            self._bodies[body.function] = self._reader.statement(body.statement), changes_of(body.statement).variables
        events, changed = self._bodies[body.function]
        parameters = {p: number for number, p in enumerate(body.parameters) if p not in changed}

        def outside(root: Root) -> Root | None:
            """The place as the caller knows it. It is of the function itself if it has no dereference."""
            number = parameters.get(root.variable)
            if is_lasting(root.variable) or DEREFERENCE not in root.path:
                return root
            if number is None or root.path[0] != DEREFERENCE:
                return None
            given = call.arguments[number] if number < len(call.arguments) else None
            if given is None:
                return None
            path, one_of = (*given.path, *root.path[1:]), given.one_of or root.one_of
            return Root(given.variable, path, given.shifted or root.shifted, one_of)

        found: list[Event | None] = []
        for event in led(list(self._followed(events, around)), begun_in(body.statement)):
            if isinstance(event, Escape):
                continue
            if isinstance(event, Bound):
                pointer = outside(event.pointer) if event.pointer is not None else None
                if pointer is not None and pointer is not event.pointer:
                    to = outside(event.to) if event.to is not None else None
                    found.append(replace(event, pointer=pointer, to=to))
                if event.pointer is None or (DEREFERENCE in event.pointer.path and not _is_own(pointer)):
                    found.append(None)
                continue
            root = None
            if isinstance(event, Use):
                root = outside(event.root) if event.root is not None else None
                if root is None:
                    found += [None] if event.writes else []
                    continue
                if root is event.root and not is_lasting(root.variable):
                    continue
            conditions = (*call.conditions, *event.conditions)
            constructs = (*call.constructs, *event.constructs)
            loops = (*call.loops, *event.loops)
            if isinstance(event, Use):
                calls, how = (call.node, *event.calls), (event.reads, event.writes, event.operator, event.value)
                into = outside(event.into) if event.into is not None else None
                use = Use(event.node, root, *how, conditions, loops, constructs, calls, event.led, into, event.walked)
                found.append(replace(use, failing=event.failing))
            else:
                given = tuple(outside(a) if a is not None else None for a in event.arguments)
                found.append(replace(event, arguments=given, conditions=conditions, loops=loops, constructs=constructs))
        return found


def led(events: Sequence[Event], own: Container[Variable]) -> Iterator[Event]:
    """What code does, said of what its ``own`` pointers lead to where each of them always leads to one object."""
    ever, leads = _leads(events, own)
    # What is written where nobody knows may be written by any of the pointers.
    all_known = all(event.root is not None for event in events if isinstance(event, Use) and event.writes)

    def of(root: Root | None, leads: Mapping[_Pointer, Root]) -> Root | None:
        for _ in range(_MOST_CALLS):
            if root is None:
                break
            variable, path = root.variable, root.path
            at = next((n for n, step in enumerate(path) if step == DEREFERENCE and (variable, path[:n]) in leads), None)
            if at is None:
                break
            to = leads[variable, path[:at]]
            root = Root(to.variable, (*to.path, *path[at + 1 :]), root.shifted, to.one_of or root.one_of)
        return root

    for event in events if ever else ():
        if isinstance(event, Bound):
            is_led = event.pointer is not None and (event.pointer.variable, event.pointer.path) in leads
            if not is_led or not all_known:
                yield replace(event, to=of(event.to, leads))
        elif isinstance(event, Lent):
            yield replace(event, arguments=tuple(of(argument, leads) for argument in event.arguments))
        else:
            root, into = of(event.root, leads), of(event.root, ever)
            if isinstance(event, Use) and into != root:
                yield replace(event, into=into)
            elif root is None or root is event.root:
                yield event
            else:
                yield replace(event, root=root, led=True) if isinstance(event, Use) else replace(event, root=root)
    yield from events if not ever else ()


def _leads(
    events: Sequence[Event], own: Container[Variable]
) -> tuple[Mapping[_Pointer, Root], Mapping[_Pointer, Root]]:
    """Where own pointers lead that only get addresses in one object: of all, and of those that do not move there.
    Others may change one whose address they have, and an assignment of a whole structure changes those in it."""
    found: dict[_Pointer, Root | None] = {}
    lost: set[_Pointer] = set()
    moved: set[_Pointer] = set()
    for event in events:
        given: tuple[Root | None, ...] = ()
        if isinstance(event, Bound):
            pointer = event.pointer
            if pointer is not None and pointer.variable in own:
                key = (pointer.variable, pointer.path)
                if moved_to(event) is not None:
                    moved.add(key)
                else:
                    found[key] = event.to if key not in found or found[key] == event.to else None
        elif isinstance(event, Lent):
            given = event.arguments if not event.followed else ()
        elif isinstance(event, Escape) or (event.writes and event.operator == "=" and not _is_pointer(event.node)):
            given = (event.root,)
        lost.update((root.variable, root.path) for root in given if root is not None and root.variable in own)
    leads = {
        (variable, path): to
        for (variable, path), to in found.items()
        if to is not None and not any((variable, path[:length]) in lost for length in range(len(path) + 1))
    }
    return leads, {pointer: to for pointer, to in leads.items() if pointer not in moved}


def _is_own(pointer: Root | None) -> bool:
    """Whether a pointer is in an object that the caller has itself."""
    return pointer is not None and DEREFERENCE not in pointer.path and not is_lasting(pointer.variable)


def _is_pointer(node: tree.Node) -> bool:
    return isinstance(getattr(node, "type", None), Pointer)
