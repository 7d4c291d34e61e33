"""Finds which functions device code reaches, and which OpenMP functions it calls on the way."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from pycparser import c_ast

from ...base.records import dataclass
from ...openmp.queries import Asked
from ..sema import Sema
from ..sema.ctype import Function
from ..syntax.nodes import OmpConstruct
from .reductions import reduction_functions


@dataclass(frozen=True)
class _Mentions:
    """What one body mentions.

    These are functions of the unit (in order), the OpenMP queries that it calls, and whether it has an OpenMP
    construct, a call through a pointer, or a call that may lead to another unit's device code.
    """

    functions: tuple[str, ...]
    queries: frozenset[str]
    constructs: bool
    pointer_calls: bool
    calls_other_units: bool


class CallGraph:
    """The calls in one unit's device code.

    What a body mentions is computed once, as many regions reach the same functions. Every body must belong to a
    function that has been analysed.
    """

    def __init__(
        self,
        sema: Sema,
        elsewhere: frozenset[str] = frozenset(),
        by_address: Sequence[str] = (),
        is_separable: bool = False,
    ) -> None:
        """Make the graph.

        ``elsewhere`` are functions that other units of a separable device link define. ``by_address`` are functions of
        this unit that a call by address may reach although the calling code does not mention them. If the unit
        ``is_separable``, such a call may also reach other units.
        """
        self.sema = sema
        self.elsewhere = elsewhere
        self.by_address = tuple(by_address)
        self.is_separable = is_separable
        self._known: dict[c_ast.Node, _Mentions] = {}
        self._reach: dict[tuple[c_ast.Node, ...], Sequence[c_ast.FuncDef]] = {}

    def functions(self, *roots: c_ast.Node) -> Sequence[c_ast.FuncDef]:
        """The definitions of the functions that ``roots`` reach, nearest first.

        A function is reached if it is called, if its address is taken, or if a call by address may lead to it.
        """
        if (known := self._reach.get(roots)) is not None:
            return known
        found: dict[str, c_ast.FuncDef] = {}
        queue = deque(roots)
        while queue:
            mentions = self._mentions(queue.popleft())
            for name in (*mentions.functions, *(self.by_address if mentions.pointer_calls else ())):
                if name not in found:
                    found[name] = self.sema.functions[name]
                    self.sema.analyse(found[name])
                    queue.append(found[name].body)
        self._reach[roots] = list(found.values())
        return self._reach[roots]

    def asked(self, *bodies: c_ast.Node) -> Asked:
        """What the bodies, and the functions of this unit that they reach, ask of OpenMP."""
        reached = self._reached(*bodies)
        functions = frozenset(name for mentions in reached for name in mentions.queries)
        constructs = any(mentions.constructs for mentions in reached[len(bodies) :])
        return Asked(functions, constructs, any(mentions.calls_other_units for mentions in reached))

    def calls_through_pointers(self, *bodies: c_ast.Node) -> bool:
        """Whether any of the bodies, or a function they reach, calls a function by its address."""
        return any(mentions.pointer_calls for mentions in self._reached(*bodies))

    def _reached(self, *bodies: c_ast.Node) -> list[_Mentions]:
        """What the bodies, and then the functions that they reach, mention."""
        return [self._mentions(body) for body in (*bodies, *(f.body for f in self.functions(*bodies)))]

    def _mentions(self, body: c_ast.Node) -> _Mentions:
        known = self._known.get(body)
        if known is None:
            known = self._known[body] = self._mentions_of(body)
        return known

    def _mentions_of(self, body: c_ast.Node) -> _Mentions:
        sema = self.sema
        functions: dict[str, None] = {}
        asked: set[str] = set()
        constructs = pointer_calls = calls_other_units = False
        for part in sema.parts(body).of(c_ast.ID, c_ast.FuncCall, OmpConstruct):
            if isinstance(part, c_ast.ID):
                calls_other_units |= part.name in self.elsewhere
                if part.name in sema.functions and part.name not in functions:
                    symbol = sema.symbol(part)
                    if symbol is not None and isinstance(symbol.type, Function):
                        functions[part.name] = None
            elif isinstance(part, c_ast.FuncCall):
                if isinstance(part.name, c_ast.ID) and part.name.name.startswith("omp_"):
                    asked.add(part.name.name)
                symbol = sema.symbol(part.name) if isinstance(part.name, c_ast.ID) else None
                pointer_calls |= not isinstance(part.name, c_ast.ID) or (symbol is not None and symbol.is_variable)
            elif isinstance(part, OmpConstruct):
                constructs = True
                functions.update(dict.fromkeys(reduction_functions(sema, part)))
        calls_other_units |= pointer_calls and self.is_separable
        return _Mentions(tuple(functions), frozenset(asked), constructs, pointer_calls, calls_other_units)
