"""Which device code calls which functions (:mod:`..openmp.call_graph`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..openmp import call_graph
from ..openmp.call_graph import Mentions
from . import libclang
from .functions import Function
from .library_calls import calls_itself
from .reached import Part, Reached, used_in_instances
from .text_constructs import Construct, names_in
from .unit import Unit


class CallGraph(call_graph.CallGraph[Part, Function, Construct]):
    """The calls in one unit's device code, as the search for what it reaches has found them."""

    def __init__(self, unit: Unit, reached: Reached) -> None:
        super().__init__(guessed=reached.operators)
        self.unit, self.reached = unit, reached
        self._elsewhere = {cursor.canonical.hash for cursor in unit.elsewhere}

    def body(self, function: Function) -> Part:
        return function, function.start, function.end

    def mentioned(self, code: Part) -> Mentions[Function]:
        function, start, end = code
        called = called_in(code)
        names = {str(target.spelling) for target in called}
        names.update(name for construct in self.constructs(code) for name in names_in(construct.directive))
        callees = self.reached.callees.get(function.start, ())
        functions = dict.fromkeys(callee for at, callee in callees if at < 0 or start <= at < end)
        by_pointer = any(start <= at < end for at in function.mentions.by_pointer)
        functions |= dict.fromkeys(f for f, _ in self.unit.indirect) if by_pointer else {}
        others = by_pointer and bool(self.unit.separable)
        if self._elsewhere and called:  # what a template or the library calls may be there, too
            known = (libclang.is_users(t) and t.canonical.hash not in self._elsewhere for t in called)
            others |= function.is_template or not all(known)
        asked = frozenset(name for name in names if name.startswith("omp_"))
        return Mentions(tuple(functions), asked, by_pointer, others, function.start in self.reached.guessing)

    def named(self, code: Part) -> Sequence[Function]:
        found = map(self.unit.defined, called_in(code))
        return [function for function in found if function is not None]

    def constructs(self, code: Part) -> Sequence[Construct]:
        """The constructs in a stretch."""
        return self.unit.constructs_in(*code[1:])

    def constructs_reached(self, *roots: Part) -> list[Construct]:
        """The constructs in the functions that stretches reach."""
        return [c for function in self.functions(*roots) for c in self.constructs(self.body(function))]

    def is_recursive(self, regions: Iterable[Part]) -> bool:
        """Whether functions that the device code of ``regions`` reaches may be called again before they return."""
        functions = self.reached.functions
        parts = [*regions, *map(self.body, functions)]
        offered = [f for f in functions if f.cursor.linkage.name == "EXTERNAL"]
        taken = {target.canonical.hash for f, _, _ in parts for _, target in f.mentions.addressed}
        addressed = [f for f in functions if f.cursor.canonical.hash in taken]
        targets = (target for part in parts for target in self._of_library(part))
        return self.may_recurse(functions, addressed, offered) or calls_itself(targets)

    def _of_library(self, code: Part) -> Iterator[Any]:
        """What a stretch, in a template its instantiations, calls of the library."""
        function, start, end = code
        used = used_in_instances(self.unit, function) if function.is_template else None
        called = called_in(code) if used is None else (one for at, one in used if start <= at < end)
        return (one for one in called if not libclang.is_users(one))


def called_in(code: Part) -> list[Any]:
    """The declarations of what a stretch calls, or of what names in a template may mean."""
    function, start, end = code
    found = function.mentions
    return [target for at, target in (*found.calls, *found.overloads) if start <= at < end]


def calls_of(unit: Unit) -> CallGraph:
    """The calls in a unit's device code."""
    if unit.calls is None:
        unit.calls = CallGraph(unit, Reached([], [], []))
    assert isinstance(unit.calls, CallGraph)
    return unit.calls
