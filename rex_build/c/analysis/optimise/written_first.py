"""Whether a scalar has its value from the same run of a statement wherever it is read, on all paths through it.

A state says what is known of the variable at one point: that it may still have a value from before, that it surely has
a new one, or that no path comes to this point. Whatever is not understood reads the variable.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from pycparser import c_ast

from ....plan.code import Entity
from ...sema import Sema, free_variables, walk
from ...syntax.nodes import OmpConstruct
from ...syntax.parser import Cleanup, StmtExpr

_NOT_FOLLOWED = (c_ast.Goto, c_ast.Label, StmtExpr, Cleanup)


class _State(Enum):
    OLD = "it may have a value from before"
    NEW = "it has a new value on every path"
    NOWHERE = "no path comes here"


def is_written_first(sema: Sema, body: c_ast.Node, symbol: Entity) -> bool:
    """Whether every read of a scalar in a run of a body comes after a write in the same run."""
    if any(isinstance(node, _NOT_FOLLOWED) for node in walk(body)):
        return not any(isinstance(n, c_ast.ID) and sema.symbol(n) is symbol for n in walk(body))
    paths = _Paths(sema, symbol)
    paths.statement(body, _State.OLD)
    return not paths.reads_old


def _joined(*states: _State) -> _State:
    """What is known where paths meet."""
    if _State.OLD in states:
        return _State.OLD
    return _State.NEW if _State.NEW in states else _State.NOWHERE


class _Paths:
    """Walks along all paths through a statement, and notes whether the variable is read while it may be old."""

    def __init__(self, sema: Sema, symbol: Entity) -> None:
        self.sema, self.symbol = sema, symbol
        self.reads_old = False
        # The states at jumps out of, and to the end of, the iteration of the statement around them.
        self._breaks = self._continues = _State.NOWHERE
        self._labels = _State.NOWHERE  # at the labels of the switch
        self._has_default = False

    # -- statements -------------------------------------------------------------------------------------------------

    def statement(self, node: c_ast.Node | None, state: _State) -> _State:
        match node:
            case None:
                return state
            case c_ast.Compound():
                return self._in_order(node.block_items or (), state)
            case c_ast.DeclList():
                return self._in_order(node.decls, state)
            case c_ast.Decl():
                return self._declaration(node, state)
            case c_ast.If():
                state = self.value(node.cond, state)
                return _joined(self.statement(node.iftrue, state), self.statement(node.iffalse, state))
            case c_ast.For():
                return self._loop(node.cond, node.next, node.stmt, self.statement(node.init, state))
            case c_ast.While():
                return self._loop(node.cond, None, node.stmt, state)
            case c_ast.DoWhile():
                return self._loop(node.cond, None, node.stmt, state, first=True)
            case c_ast.Switch():
                return self._switch(node, state)
            case c_ast.Case() | c_ast.Default():
                self._has_default = self._has_default or isinstance(node, c_ast.Default)
                return self._in_order(node.stmts or (), _joined(state, self._labels))
            case c_ast.Break():
                self._breaks = _joined(self._breaks, state)
                return _State.NOWHERE
            case c_ast.Continue():
                self._continues = _joined(self._continues, state)
                return _State.NOWHERE
            case c_ast.Return():
                self.value(node.expr, state)
                return _State.NOWHERE
            case OmpConstruct() if node.directive.constructs == ("simd",) and not node.directive.clauses:
                return self.statement(node.body, state)
        return self.value(node, state)

    def _in_order(self, items: Iterable[c_ast.Node], state: _State) -> _State:
        for item in items:
            state = self.statement(item, state)
        return state

    def _declaration(self, node: c_ast.Decl, state: _State) -> _State:
        state = self.value(node.init, self.value(node.type, state))
        is_mine = node.name is not None and self.sema.declared.get(node) is self.symbol
        return state if not is_mine else _State.NEW if node.init is not None else _State.OLD

    def _loop(
        self, cond: c_ast.Node | None, step: c_ast.Node | None, body: c_ast.Node, state: _State, first: bool = False
    ) -> _State:
        """A loop, whose body runs ``first`` or after its condition."""
        outer = self._breaks, self._continues
        self._breaks = _State.NOWHERE
        before, ends = state, _State.NOWHERE
        for _ in range(3):  # there are three states: then nothing changes any more
            if not first:
                ends = state = self.value(cond, before)
            else:
                state = before
            self._continues = _State.NOWHERE
            state = self.value(step, _joined(self.statement(body, state), self._continues))
            if first:
                ends = state = self.value(cond, state)
            before = _joined(before, state)
        after = _joined(self._breaks, _State.NOWHERE if cond is None else ends)
        self._breaks, self._continues = outer
        return after

    def _switch(self, node: c_ast.Switch, state: _State) -> _State:
        state = self.value(node.cond, state)
        outer = self._breaks, self._labels, self._has_default
        self._breaks, self._labels, self._has_default = _State.NOWHERE, state, False
        after = _joined(self.statement(node.stmt, _State.NOWHERE), self._breaks)
        after = after if self._has_default else _joined(after, state)
        self._breaks, self._labels, self._has_default = outer
        return after

    # -- expressions ------------------------------------------------------------------------------------------------

    def value(self, node: c_ast.Node | None, state: _State) -> _State:
        match node:
            case None:
                return state
            case c_ast.ID():
                if self.sema.symbol(node) is self.symbol and state is _State.OLD:
                    self.reads_old = True
                return state
            case c_ast.Assignment(op="=", lvalue=c_ast.ID()) if self.sema.symbol(node.lvalue) is self.symbol:
                state = self.value(node.rvalue, state)
                return state if state is _State.NOWHERE else _State.NEW
            case c_ast.BinaryOp(op="&&" | "||"):
                state = self.value(node.left, state)
                return _joined(state, self.value(node.right, state))
            case c_ast.TernaryOp():
                state = self.value(node.cond, state)
                return _joined(self.value(node.iftrue, state), self.value(node.iffalse, state))
            case c_ast.ExprList():
                for part in node.exprs:
                    state = self.value(part, state)
                return state
            case c_ast.FuncCall() if node.args is not None:
                return self._in_any_order((node.name, *node.args.exprs), state)
            case OmpConstruct():
                used = any(reference.symbol is self.symbol for reference in free_variables(self.sema, node))
                self.reads_old = self.reads_old or (used and state is _State.OLD)
                return state
        return self._in_any_order(node, state)

    def _in_any_order(self, parts: Iterable[c_ast.Node], state: _State) -> _State:
        """Operands of which C does not say which one is evaluated first."""
        after = [self.value(part, state) for part in parts]
        return _State.NEW if _State.NEW in after else state
