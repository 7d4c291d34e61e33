"""Which functions device code reaches, and what it asks of OpenMP on the way."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from ..base.records import dataclass
from .program import C
from .queries import Asked

B = TypeVar("B", bound=Hashable)  # a piece of code
F = TypeVar("F", bound=Hashable)  # a function that the unit defines


@dataclass(frozen=True)
class Mentions(Generic[F]):
    """What one piece of code mentions.

    These are functions of the unit (in order), the OpenMP queries that it calls, and whether it has a call through a
    pointer, or one that may lead to another unit's device code. ``guesses`` says that nobody knows all that it calls.
    """

    functions: Sequence[F]
    queries: frozenset[str]
    pointer_calls: bool
    calls_other_units: bool
    guesses: bool = False


class CallGraph(ABC, Generic[B, F, C]):
    """The calls in one unit's device code. What a piece of code mentions is looked up once.

    ``by_address`` are the functions that a call through a pointer may reach although the calling code does not mention
    them, and ``guessed`` those that code may call of which nobody knows all that it calls.
    """

    def __init__(self, by_address: Sequence[F] = (), guessed: Sequence[F] = ()) -> None:
        self.by_address, self.guessed = tuple(by_address), tuple(guessed)
        self._known: dict[B, Mentions[F]] = {}
        self._reach: dict[tuple[B, ...], Sequence[F]] = {}

    @abstractmethod
    def mentioned(self, code: B) -> Mentions[F]:
        """What a piece of code mentions."""

    @abstractmethod
    def body(self, function: F) -> B: ...

    @abstractmethod
    def constructs(self, code: B) -> Sequence[C]:
        """The OpenMP constructs in a piece of code."""

    def named(self, code: B) -> Sequence[F]:
        """The functions that a piece of code calls by itself, without those of which that is a guess."""
        return self._mentions(code).functions

    def functions(self, *roots: B) -> Sequence[F]:
        """The functions that ``roots`` reach, nearest first.

        A function is reached if it is called, if its address is taken, or if a call by address may lead to it.
        """
        if (known := self._reach.get(roots)) is not None:
            return known
        found: dict[F, None] = {}
        common = {"by_address": self.by_address, "guessed": self.guessed}  # which are looked at once
        queue = deque(roots)
        while queue:
            mentions = self._mentions(queue.popleft())
            by_address = common.pop("by_address", ()) if mentions.pointer_calls else ()
            guessed = common.pop("guessed", ()) if mentions.guesses else ()
            new = [function for function in (*mentions.functions, *by_address, *guessed) if function not in found]
            queue += [self.body(function) for function in dict.fromkeys(new)]
            found.update(dict.fromkeys(new))
        self._reach[roots] = list(found)
        return self._reach[roots]

    def asked(self, *bodies: B) -> Asked:
        """What the bodies, and the functions of this unit that they reach, ask of OpenMP."""
        reached = self._reached(*bodies)
        functions = frozenset(name for mentions in reached for name in mentions.queries)
        constructs = any(self.constructs(self.body(function)) for function in self.functions(*bodies))
        return Asked(functions, constructs, any(mentions.calls_other_units for mentions in reached))

    def lead_to_regions(self, functions: Iterable[F]) -> set[F]:
        """The functions that begin a target region, or move data of one, or call one that does: only the host can."""
        found: set[F] = set()
        for function in functions:
            every = {function: None}
            for one in (reached := list(every)):
                names = (c.directive.name for c in self.constructs(self.body(one)))
                if one in found or any(name == "target" or name.startswith("target ") for name in names):
                    found.add(function)
                    break
                reached += (new := [f for f in self.named(self.body(one)) if f not in every])
                every.update(dict.fromkeys(new))
        return found

    def calls_through_pointers(self, *bodies: B) -> bool:
        """Whether any of the bodies, or a function they reach, calls a function by its address."""
        return any(mentions.pointer_calls for mentions in self._reached(*bodies))

    def may_recurse(self, functions: Iterable[F], addressed: Iterable[F], offered: Iterable[F]) -> bool:
        """Whether one of the functions may be called again before it returns. Then no compiler can tell what a thread's
        stack takes.

        Pointers may lead to those that are ``addressed``, and code of other units to these and those that are
        ``offered`` to them.
        """
        bodies = {function: self.body(function) for function in functions}
        addressed, known_outside = frozenset(addressed), frozenset(offered).union(addressed)
        if self.calls_through_pointers(*(body for function, body in bodies.items() if function in addressed)):
            return True
        known = (body for function, body in bodies.items() if function in known_outside)
        if any(mentions.calls_other_units for mentions in self._reached(*known)):
            return True
        return has_circle({function: self.named(body) for function, body in bodies.items()})

    def _reached(self, *bodies: B) -> list[Mentions[F]]:
        """What the bodies, and then the functions that they reach, mention."""
        return [self._mentions(body) for body in (*bodies, *map(self.body, self.functions(*bodies)))]

    def _mentions(self, code: B) -> Mentions[F]:
        if code not in self._known:
            self._known[code] = self.mentioned(code)
        return self._known[code]


def has_circle(graph: Mapping[Any, Iterable[Any]]) -> bool:
    """Whether something in a graph leads to itself again."""
    if not graph:
        return False
    from graphlib import CycleError, TopologicalSorter

    try:
        TopologicalSorter(graph).prepare()
    except CycleError:
        return True
    return False
