"""C's statements and functions as those of the tree."""

from __future__ import annotations

from collections.abc import Iterable

from pycparser import c_ast

from ...base.records import replace
from ...directives.contents import directive_expressions, directive_locators
from ...directives.model import Expr
from ...tree import nodes as tree
from ...tree.arithmetic import converted
from ...tree.symbols import Function, Label
from ...tree.types import SIZE, VOID
from ..sema import Sema, Symbol
from ..sema.ctype import CType
from ..sema.type_questions import variable_lengths
from ..syntax.nodes import OmpConstruct
from ..syntax.parser import Assembly, Cleanup
from .expressions import ExpressionReader

_NOTHING = frozenset(("EmptyStatement", "Pragma", "StaticAssert", "AttributeDeclaration"))


class Reader(ExpressionReader):
    """Reads functions, statements and expressions of a unit, each when somebody asks for it first."""

    def __init__(self, sema: Sema) -> None:
        super().__init__(sema)
        self._statements_read: dict[c_ast.Node, tree.Statement] = {}
        self._bodies: dict[c_ast.FuncDef, tree.Body] = {}
        self._labels: dict[tuple[str, int], Label] = {}
        self._function: c_ast.FuncDef | None = None

    def function(self, symbol: Symbol) -> Function:
        found = self.types.symbol(symbol)
        assert isinstance(found, Function)
        return found

    def body(self, node: c_ast.FuncDef) -> tree.Body:
        """A function that Sema has analysed."""
        if node not in self._bodies:
            parameters = self.sema.parameters(node)
            outer, self._function = self._function, node
            lengths = [s for p in parameters for s in self._lengths(p.type, p.node)]
            block = self.block(node.body)
            self._function = outer
            symbol = self.sema.decl_symbol(node)
            function = self.function(symbol)
            found = tuple(map(self.types.variable, parameters))
            whole = replace(block, statements=(*lengths, *block.statements)) if lengths else block
            self._bodies[node] = tree.Body(function, found, whole)
        return self._bodies[node]

    def statement(self, node: c_ast.Node | None) -> tree.Statement:
        """A statement. What is several ones, or none, is a Block."""
        if node is None:
            return tree.Block(())
        found = self._statements_read.get(node)
        if found is None:
            if isinstance(node, c_ast.Compound):
                found = self.block(node)
            else:
                items = list(self._items(node))
                found = items[0] if len(items) == 1 else tree.Block(tuple(items), origin=node)
            self._statements_read[node] = found
        return found

    def block(self, node: c_ast.Node) -> tree.Block:
        known = self._statements_read.get(node)
        if isinstance(known, tree.Block):
            return known
        found = self._statements_read[node] = tree.Block(tuple(self._all(node.block_items or ())), origin=node)
        return found

    def _all(self, nodes: Iterable[c_ast.Node]) -> list[tree.Statement]:
        """Read items of a block. A cleanup belongs to the declaration before it."""
        items: list[tree.Statement] = []
        for item in nodes:
            if not isinstance(item, Cleanup):
                items.extend(self._items(item))
            elif items and isinstance(items[-1], tree.Declare):
                items[-1] = replace(items[-1], end=self.value(item.call))
            else:
                items.append(self.opaque(item, "a cleanup without a declaration"))
        return items

    def loop(self, node: c_ast.For) -> tree.Loop:
        found = self.statement(node)
        assert isinstance(found, tree.Loop)
        return found

    def _items(self, node: c_ast.Node) -> Iterable[tree.Statement]:
        """The statements that a node is in the block around it."""
        match node:
            case c_ast.Compound():
                yield self.block(node)
            case c_ast.Decl():
                yield from self._declaration(node)
            case c_ast.Typedef():
                yield from self._lengths(self.sema.decl_symbol(node).type, node)
            case c_ast.DeclList():
                yield from self._all(node.decls)
            case c_ast.If():
                otherwise = self.statement(node.iffalse) if node.iffalse is not None else None
                yield tree.If(self.value(node.cond), self.statement(node.iftrue), otherwise, origin=node)
            case c_ast.For() | c_ast.While() | c_ast.DoWhile():
                yield self._loop(node)
            case c_ast.Switch():
                yield tree.Switch(self.value(node.cond), self.statement(node.stmt), origin=node)
            case c_ast.Case() | c_ast.Default():
                yield self._case(node)
                yield from self._all(node.stmts or ())
            case c_ast.Label():
                yield tree.Target(self._label(node.name), origin=node)
                if node.stmt is not None:
                    yield from self._items(node.stmt)
            case c_ast.Return():
                yield self._return(node)
            case OmpConstruct():
                yield self._construct(node)
            case _:
                yield from self._simple(node)

    def _simple(self, node: c_ast.Node) -> Iterable[tree.Statement]:
        match node:
            case c_ast.Break():
                yield tree.Break(origin=node)
            case c_ast.Continue():
                yield tree.Continue(origin=node)
            case c_ast.Goto():
                if isinstance(node.name, str):
                    yield tree.Goto(self._label(node.name), origin=node)
                else:
                    yield tree.Evaluate(self.value(node.name))
                    yield tree.Goto(None, origin=node)
            case Assembly():
                yield tree.Opaque(VOID, "inline assembly", None, True, origin=node)
            case c_ast.FuncDef():
                yield self.opaque(node, "a nested function")
            case _ if type(node).__name__ == "AttributedStatement":
                yield from self._items(node.stmt)
            case _ if type(node).__name__ not in _NOTHING:
                yield tree.Evaluate(self.value(node), origin=node)

    def _label(self, name: str) -> Label:
        key = name, id(self._function)
        if key not in self._labels:
            self._labels[key] = Label(name)
        return self._labels[key]

    def _lengths(self, t: CType, owner: c_ast.Node | None) -> Iterable[tree.Statement]:
        """The declarations of the variables that hold the lengths of arrays in a type."""
        for dim in variable_lengths(t):
            if self.sema.fixed_lengths.get(dim) is owner and getattr(dim, "name", "") != "*":
                yield tree.Declare(self.types.length(dim), self.value_as(dim, SIZE))

    def _declaration(self, node: c_ast.Decl) -> Iterable[tree.Statement]:
        if node.name is None:
            return
        symbol = self.sema.declared.get(node)
        if symbol is None:
            yield self.opaque(node, "a declaration without a symbol")
            return
        if not symbol.is_variable or symbol.has_static_storage:
            return
        yield from self._lengths(symbol.type, node)
        variable = self.types.variable(symbol)
        value = self.initialiser(symbol.type, node.init) if node.init is not None else None
        yield tree.Declare(variable, value, origin=node)

    def _loop(self, node: c_ast.For | c_ast.While | c_ast.DoWhile) -> tree.Loop:
        start = step = None
        if isinstance(node, c_ast.For):
            start = self.statement(node.init) if node.init is not None else None
            step = self.value(node.next) if node.next is not None else None
        condition = self.value(node.cond) if node.cond is not None else None
        body = self.statement(node.stmt)
        return tree.Loop(start, condition, step, body, isinstance(node, c_ast.DoWhile), origin=node)

    def _case(self, node: c_ast.Case | c_ast.Default) -> tree.Statement:
        if isinstance(node, c_ast.Default):
            return tree.Case(None, origin=node)
        ends = (node.expr.left, node.expr.right) if getattr(node.expr, "op", "") == "..." else (node.expr, node.expr)
        low, high = map(self.sema.value, ends)
        if low is None or high is None:
            return tree.Opaque(VOID, "a case whose value is not known", (), True, origin=node)
        return tree.Case(range(low, high + 1), origin=node)

    def _return(self, node: c_ast.Return) -> tree.Statement:
        if node.expr is None:
            return tree.Return(None, origin=node)
        value = self.value(node.expr)
        if self._function is not None and self._function.decl.name in self.sema.functions:
            result = self.types.type(self.sema.function_type(self._function).result)
            value = converted(value, result)
        return tree.Return(value, origin=node)

    def _construct(self, node: OmpConstruct) -> tree.Statement:
        if node.unread is not None:
            return tree.Opaque(VOID, "a construct that could not be read", None, True, origin=node)
        directive = node.directive
        expressions: list[tuple[Expr, tree.Expression]] = []
        items: list[tree.ListItem] = []
        if directive.name != "declare mapper":
            expressions = [(e, self.value(e.node)) for e in directive_expressions(directive)]
            for locator in directive_locators(directive):
                symbol = self.sema.lookup(node, locator.name)
                if symbol is not None and symbol.is_variable:
                    variable = self.types.variable(symbol)
                    items.append(tree.ListItem(locator, tree.Named(variable.type, variable)))
        body = self.statement(node.body) if node.body is not None else None
        return tree.Construct(directive, tuple(expressions), tuple(items), body, origin=node)


def reader_of(sema: Sema) -> Reader:
    """The reader of a unit's tree, which reads each part once."""
    known = sema.answers(reader_of)
    if None not in known:
        known[None] = Reader(sema)
    return known[None]
