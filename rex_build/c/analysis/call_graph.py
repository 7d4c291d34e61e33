"""What C's device code mentions (:mod:`...openmp.call_graph`)."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from ...openmp import call_graph
from ...openmp.call_graph import Mentions
from ..sema import Sema
from ..sema.ctype import Function
from ..syntax.nodes import OmpConstruct
from .reductions import reduction_functions


class CallGraph(call_graph.CallGraph[c_ast.Node, c_ast.FuncDef, OmpConstruct]):
    """The calls in one unit's device code. Every body must belong to a function that has been analysed.

    ``elsewhere`` are functions that other units of a separable device link define. ``by_address`` are the names of
    functions of this unit that pointers may lead to. If the unit ``is_separable``, such a call may also reach other
    units.
    """

    def __init__(
        self,
        sema: Sema,
        elsewhere: frozenset[str] = frozenset(),
        by_address: Sequence[str] = (),
        is_separable: bool = False,
    ) -> None:
        super().__init__([sema.functions[name] for name in by_address])
        self.sema = sema
        self.elsewhere = elsewhere
        self.is_separable = is_separable

    def body(self, function: c_ast.FuncDef) -> c_ast.Node:
        self.sema.analyse(function)
        return function.body

    def constructs(self, code: c_ast.Node) -> Sequence[OmpConstruct]:
        return self.sema.parts(code).of(OmpConstruct)

    def mentioned(self, code: c_ast.Node) -> Mentions[c_ast.FuncDef]:
        sema = self.sema
        functions: dict[str, None] = {}
        asked: set[str] = set()
        pointer_calls = calls_other_units = False
        for part in sema.parts(code).of(c_ast.ID, c_ast.FuncCall, OmpConstruct):
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
                functions.update(dict.fromkeys(reduction_functions(sema, part)))
        calls_other_units |= pointer_calls and self.is_separable
        reached = [sema.functions[name] for name in functions]
        return Mentions(reached, frozenset(asked), pointer_calls, calls_other_units)
