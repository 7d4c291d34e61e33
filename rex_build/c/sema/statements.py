"""Types the statements of functions: declarations with their scopes, and the clauses of directives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from pycparser import c_ast

from ...base.diagnostics import InputError
from ...directives.contents import clause_expressions, clause_iterators, directive_locators, locator_expressions
from ...directives.model import Clause, Expr
from ...directives.parser import concerns_target
from ..syntax.nodes import OmpConstruct, UserReduction
from .constants import ConstantFolder
from .ctype import INT, Array, CType, Function, Record, RecordInfo, qualified
from .declared import Layout
from .symbols import Locate, Scope, StorageClass, Symbol, SymbolKind
from .types import basic_type

# Statements without declarations, by the attributes with their parts in the order of the text.
_PARTS: dict[str, tuple[str, ...]] = {
    "If": ("cond", "iftrue", "iffalse"),
    "While": ("cond", "stmt"),
    "Switch": ("cond", "stmt"),
    "DoWhile": ("stmt", "cond"),
    "Case": ("expr", "stmts"),
    "Default": ("stmts",),
    "Label": ("stmt",),
    "AttributedStatement": ("stmt",),
    "DeclList": ("decls",),
    "Return": ("expr",),
    "Cleanup": ("call",),
    "StaticAssert": ("cond",),
    **dict.fromkeys(("Goto", "Break", "Continue", "EmptyStatement", "Assembly", "Pragma", "AttributeDeclaration"), ()),
}

_AUTO_TYPE, _AUTO = ["signed"], ["signed", "auto"]


def _is_inferred(node: c_ast.Decl) -> bool:
    """Whether the initialiser gives the type, as for C23's ``auto`` and GNU's ``__auto_type``.

    The latter arrives here as ``auto signed``, which has the same length.
    """
    specifier = getattr(node.type, "type", None)
    if "auto" not in node.storage or not isinstance(specifier, c_ast.IdentifierType):
        return False
    return specifier.names in (_AUTO_TYPE, _AUTO)


class StatementTyper(ConstantFolder):
    """Types statements. For each construct it notes what is visible there."""

    def __init__(
        self, ast: c_ast.FileAST, locate: Locate | None, layout: Layout, user_reductions: Sequence[UserReduction]
    ) -> None:
        self.user_reductions = tuple(user_reductions)
        self._points: dict[OmpConstruct, tuple[Scope | None, int]] = {}
        self._clause_names: dict[OmpConstruct, dict[str, Symbol | None]] = {}
        super().__init__(ast, locate, layout)
        for construct in self._file_constructs:
            self._points[construct] = (None, 0)

    def _analyse_function(self, node: c_ast.FuncDef) -> None:
        name = node.decl.name
        self.file_symbol(name)
        with self._at_file_scope(name):
            if node.decl.type not in self._prototype_scopes:
                self._declared_type(node.decl.type)
            scope = self._prototype_scopes.get(node.decl.type) or Scope(None)
            with self._block(scope):
                self._declare_old_style(node)
                self._statement(node.body)

    def _declare_old_style(self, node: c_ast.FuncDef) -> None:
        """Declare the parameters of a K&R definition. Those without a declaration are ``int``."""
        for decl in node.param_decls or ():
            if isinstance(decl, c_ast.Decl):
                self._parameter(decl)
        for p in node.decl.type.args.params if node.decl.type.args is not None else ():
            assert self._scope is not None
            if isinstance(p, c_ast.ID) and p.name not in self._scope.names:
                self._define(Symbol(p.name, SymbolKind.PARAMETER, INT, p, function=node.decl.name))

    def _statement(self, node: c_ast.Node | None) -> None:
        while node is not None:
            kind = type(node).__name__
            if (parts := _PARTS.get(kind)) is not None:
                node = self._parts(node, parts)
            elif (handler := self._STATEMENTS.get(kind)) is not None:
                node = handler(self, node)
            else:
                self._expr(node)
                return

    def _parts(self, node: c_ast.Node, parts: tuple[str, ...]) -> c_ast.Node | None:
        """Type the parts of a statement but the last one, which is returned, so that long chains do not recurse."""
        for part in parts[:-1]:
            self._statement(getattr(node, part))
        last = getattr(node, parts[-1]) if parts else None
        if not isinstance(last, list):
            return last
        for item in last:
            self._statement(item)
        return None

    def _in_compound(self, node: c_ast.Compound) -> None:
        with self._block():
            for item in node.block_items or ():
                self._statement(item)

    def _in_declaration(self, node: c_ast.Decl) -> None:
        if node.name is None:
            self._declare_lone_tag(node.type)
            return
        t = self._type_of_local(node)
        if "constexpr" in node.storage:
            t = qualified(t, frozenset(("const",)))
        kind = SymbolKind.FUNCTION if isinstance(t, Function) else SymbolKind.OBJECT
        if (isinstance(t, Function) and "auto" not in node.storage) or "extern" in node.storage:
            symbol = self._declare_extern(node, t, kind)
            self._decl_symbols[node] = symbol
            self._define(symbol)
            return
        storage = next((StorageClass(s) for s in node.storage if s in ("static", "register")), StorageClass.AUTO)
        symbol = Symbol(node.name, kind, t, node, storage, function=self._function, definition=node)
        self._decl_symbols[node] = symbol
        self._fix_lengths(symbol)
        self._define(symbol)  # this comes before the initialiser, which may name it
        try:
            self._alignment(node.align)
            if node.init is not None:
                symbol.type = self._initialise(t, node.init)
                symbol.value = self._value_of_constant(node, t)
        except InputError as error:
            if not self._on_host:
                raise
            why = self._given_up(node, error)
            if isinstance(t, Array) and t.length is None and t.length_expr is None:
                symbol.type = why

    def _type_of_local(self, node: c_ast.Decl) -> CType:
        try:
            return self._attributed(
                node, self._inferred_type(node) if _is_inferred(node) else self._declared_type(node.type)
            )
        except InputError as error:
            if not self._on_host:
                raise
            return self._unsupported(error)

    def _inferred_type(self, node: c_ast.Decl) -> CType:
        if node.init is None:
            raise self.error(node, f"'{node.name}' has no initialiser to take its type from")
        t = self._value(node.init)
        if node.type.type.names != _AUTO_TYPE and t != INT:
            raise self.error(node, f"'{node.name}' has no type: 'int' before C23, that of its initialiser since")
        return qualified(t, frozenset(node.quals))

    def _declare_lone_tag(self, node: c_ast.Node) -> None:
        """``struct s;`` in a block begins a new type; with members or enumerators it defines one (6.7.2.3p7)."""
        if isinstance(node, c_ast.Struct | c_ast.Union) and node.decls is None and self._scope is not None:
            if node.name not in self._scope.tags:
                # _record() finds it as a tag of this scope.
                self._declare_new_tag(node)
            return
        self._declared_type(node)

    def _declare_new_tag(self, node: c_ast.Struct | c_ast.Union) -> None:
        info = RecordInfo("struct" if isinstance(node, c_ast.Struct) else "union", node.name, False)
        self._declare_tag(node.name, info)
        self._node_types[node] = Record(info)

    def _in_typedef(self, node: c_ast.Typedef) -> None:
        symbol = Symbol(
            node.name, SymbolKind.TYPEDEF, self._typedef_type(node), node, StorageClass.TYPEDEF, function=self._function
        )
        self._fix_lengths(symbol)
        self._decl_symbols[node] = symbol
        self._define(symbol)

    def _in_for(self, node: c_ast.For) -> None:
        with self._block():
            self._statement(node.init)
            for e in (node.cond, node.next):
                if e is not None:
                    self._expr(e)
            self._statement(node.stmt)

    def _in_nested_function(self, node: c_ast.FuncDef) -> None:
        if not self._on_host:
            raise self.error(node, f"nested function '{node.decl.name}' is not supported")
        t = self._type_or_reason(node.decl.type)
        symbol = Symbol(node.decl.name, SymbolKind.FUNCTION, t, node, function=self._function, definition=node)
        self._decl_symbols[node] = self._decl_symbols[node.decl] = symbol
        self._define(symbol)
        with self._block(self._prototype_scopes.get(node.decl.type)):
            self._declare_old_style(node)
            self._statement(node.body)

    def _in_construct(self, node: OmpConstruct) -> c_ast.Node | None:
        self._points[node] = (self._scope, self._serial)
        names = self._clause_names[node] = {}
        for locator in directive_locators(node.directive):
            names[locator.name] = self._find(locator.name)
        on_host, self._on_host = self._on_host, self._on_host and not concerns_target(node.directive)
        try:
            for locator in node.directive.arguments:
                for e in locator_expressions(locator):
                    self._clause_expression(e)
            if node.directive.name == "declare mapper":
                return None  # its clauses name a variable of its own, and get their meaning where the mapper is applied
            for clause in node.directive.clauses:
                self._clause(clause)
            if not node.directive.is_target:
                return node.body
            self._statement(node.body)
            return None
        finally:
            self._on_host = on_host

    def _clause(self, clause: Clause) -> None:
        with self._block():
            for it in clause_iterators(clause):
                named = self._find(it.type_text)
                t = named.type if named and named.is_typedef else basic_type(it.type_text.split() or ["int"])
                self._define(Symbol(it.name, SymbolKind.OBJECT, t or INT, None, function=self._function))
            for e in clause_expressions(clause):
                self._clause_expression(e)

    def _clause_expression(self, e: Expr) -> None:
        self._clause_span = e.span
        try:
            self._expr(e.node)
        finally:
            self._clause_span = None

    # Each returns the statement that is to be typed next, if there is one.
    _STATEMENTS: ClassVar[dict[str, Callable[[StatementTyper, c_ast.Node], c_ast.Node | None]]] = {
        "Compound": _in_compound,
        "Decl": _in_declaration,
        "Typedef": _in_typedef,
        "For": _in_for,
        "OmpConstruct": _in_construct,
        "FuncDef": _in_nested_function,
    }
