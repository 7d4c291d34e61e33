"""Barriers that only some threads of a team come to: those under conditions that ask which thread it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pycparser import c_ast

from ...base.findings import Finding, Note
from ...base.spans import SourceSpan
from ..sema import Sema, Symbol, assignments, walk
from ..syntax.nodes import OmpConstruct, ParsedUnit

_THREAD = "omp_get_thread_num"
_WAITING = frozenset(("for", "single", "sections", "scope", "loop"))  # they end with a barrier, unless they have nowait
_Condition = tuple[c_ast.Node, bool]  # with whether it surely differs between threads


class Barriers:
    """Looks for such barriers in the regions of a unit."""

    def __init__(self, unit: ParsedUnit, sema: Sema) -> None:
        self._unit, self._sema = unit, sema
        self._barriers: dict[c_ast.FuncDef, OmpConstruct | None] = {}

    def region(self, target: OmpConstruct) -> Iterator[Finding]:
        """The findings in one region."""
        if self._sema.file_symbol(_THREAD) is None:
            return
        nodes = [*walk(target)]
        if not any(type(n) is c_ast.ID and n.name == _THREAD for n in nodes):
            return
        numbers = self._numbers(target, nodes)
        stack: list[tuple[c_ast.Node, _Condition | None, bool]] = [(target, None, False)]
        while stack:
            node, condition, is_shared = stack.pop()
            if isinstance(node, OmpConstruct):
                leaves = set(node.directive.constructs)
                if "parallel" in leaves:
                    condition, is_shared = None, True
                elif condition is not None and is_shared and self._waits(node):
                    yield self._finding(node, node.directive.span, *condition)
            elif condition is not None and is_shared and isinstance(node, c_ast.FuncCall):
                barrier = self._barrier_in(node)
                if barrier is not None:
                    yield self._finding(barrier, self._unit.span_of(node), *condition)
            inner = self._condition_of(node, numbers) or condition
            head = getattr(node, "cond", None)
            for part in reversed(list(node)):
                stack.append((part, condition if part is head else inner, is_shared))

    def _barrier_in(self, call: c_ast.FuncCall) -> OmpConstruct | None:
        """A barrier to which a function of the unit comes, or one that it calls."""
        name = getattr(call.name, "name", None)
        function = self._sema.functions.get(name) if isinstance(name, str) else None
        if function is None:
            return None
        if function not in self._barriers:
            self._barriers[function] = None  # while it is looked at
            self._barriers[function] = self._first_barrier(function.body)
        return self._barriers[function]

    def _first_barrier(self, body: c_ast.Node) -> OmpConstruct | None:
        stack = [body]
        while stack:
            node = stack.pop()
            if isinstance(node, OmpConstruct):
                if "parallel" in node.directive.constructs:
                    continue  # whose own threads wait
                if self._waits(node):
                    return node
            inner = self._barrier_in(node) if isinstance(node, c_ast.FuncCall) else None
            if inner is not None:
                return inner
            stack.extend(reversed(list(node)))
        return None

    def _numbers(self, target: OmpConstruct, nodes: Iterable[c_ast.Node]) -> set[Symbol]:
        """The variables that hold the thread's number, and nothing else."""
        changed = assignments(self._sema, target).symbols
        found = set()
        for node in nodes:
            if isinstance(node, c_ast.Decl) and node.init is not None and _is_query(node.init):
                symbol = self._sema.decl_symbol(node)
                if symbol not in changed:
                    found.add(symbol)
        return found

    @staticmethod
    def _waits(node: OmpConstruct) -> bool:
        if node.directive.name == "barrier":
            return True
        return bool(_WAITING.intersection(node.directive.constructs)) and not node.directive.has("nowait")

    def _condition_of(self, node: c_ast.Node, numbers: set[Symbol]) -> _Condition | None:
        """The condition under which parts of a statement run, if it asks for the thread's number."""
        if not isinstance(node, (c_ast.If, c_ast.Switch, c_ast.For, c_ast.While, c_ast.DoWhile)) or node.cond is None:
            return None

        def is_number(part: c_ast.Node | None) -> bool:
            return _is_query(part) or (isinstance(part, c_ast.ID) and self._sema.symbol(part) in numbers)

        if not any(is_number(part) for part in walk(node.cond)):
            return None
        cond = node.cond
        while isinstance(cond, c_ast.UnaryOp) and cond.op == "!":
            cond = cond.expr
        while isinstance(cond, c_ast.BinaryOp) and cond.op in ("==", "!=", "%", "&"):
            cond = cond.left if not is_number(cond.right) else cond.right
        return node.cond, isinstance(node, (c_ast.If, c_ast.Switch)) and is_number(cond)

    def _finding(self, node: OmpConstruct, span: SourceSpan, condition: c_ast.Node, sure: bool) -> Finding:
        what = "come to this barrier" if node.directive.name == "barrier" else "come to the barrier at the end of this"
        what = what if span == node.directive.span else "make this call, in which there is a barrier"
        doubt = "" if sure else ", unless the condition is the same for all"
        message = f"only some threads of a team {what}{doubt}"
        notes = [Note("the condition asks which thread it is", self._unit.span_of(condition))]
        if span != node.directive.span:
            notes.append(Note("the barrier is here", node.directive.span))
        return Finding("barrier", sure, message, span, _THREAD, "let all threads come to it", tuple(notes))


def _is_query(node: c_ast.Node | None) -> bool:
    return isinstance(node, c_ast.FuncCall) and getattr(node.name, "name", "") == _THREAD
