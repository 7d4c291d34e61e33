"""The names, scopes and types of one translation unit, in the public class :class:`Sema`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from pycparser import c_ast
from pycparser.c_parser import CParser

from ...base.diagnostics import Diagnostic, InputError, InternalError
from ...directives.contents import clause_expressions, clause_iterators, directive_locators, locator_expressions
from ...directives.model import Clause, Directive, Expr
from ...directives.parser import concerns_target
from ..syntax.nodes import OmpConstruct, UserReduction
from .constants import ConstantFolder
from .ctype import Array, C, CType, Field, Function, Record, RecordInfo, alignof, qualified, strip
from .initialiser_types import Step
from .symbols import Locate, Scope, StorageClass, Symbol, SymbolKind
from .traversal import Parts, walk
from .type_questions import Layout, asked_alignment, decay
from .types import basic_type

# Types the statements of functions: declarations with their scopes, and the clauses of directives.

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
                self._define(Symbol(p.name, SymbolKind.PARAMETER, C.INT, p, function=node.decl.name))

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
        if node.type.type.names != _AUTO_TYPE and t != C.INT:
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
            self._clauses(node.directive, names)
            if not node.directive.is_target:
                return node.body
            self._statement(node.body)
            return None
        finally:
            self._on_host = on_host

    def _clauses(self, directive: Directive, names: Mapping[str, Symbol | None]) -> None:
        """The clauses of a construct. Raises InputError with what is wrong in all of them."""
        problems: list[Diagnostic] = []
        for clause in directive.clauses:
            try:
                self._clause(clause)
            except InputError as error:
                problems += error.diagnostics
        if problems:
            unknown = [one for one in directive_locators(directive) if names[one.name] is None]
            problems += [Diagnostic("error", f"'{one.name}' is not declared", one.span) for one in unknown]
            raise InputError(sorted(problems, key=lambda one: (one.span.line, one.span.column) if one.span else (0, 0)))

    def _clause(self, clause: Clause) -> None:
        with self._block():
            for it in clause_iterators(clause):
                named = self._find(it.type_text)
                t = named.type if named and named.is_typedef else basic_type(it.type_text.split() or ["int"])
                self._define(Symbol(it.name, SymbolKind.OBJECT, t or C.INT, None, function=self._function))
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


T = TypeVar("T")


class Sema(StatementTyper):
    """The meaning of a unit's names and expressions.

    The file scope is read at construction and typed on demand. :meth:`analyse` types the bodies of functions. Errors in
    the user's code are raised as InputError at ``locate(node)``.
    """

    def __init__(
        self,
        ast: c_ast.FileAST,
        locate: Locate | None = None,
        layout: Callable[[Sema], Layout] = lambda _: Layout(),
        user_reductions: Sequence[UserReduction] = (),
    ) -> None:
        """``layout`` makes what answers for the parts that the parser does not see, and may ask this object for the
        values of constants in them; ``user_reductions`` are what the unit's ``declare reduction`` directives declare.
        """
        self._analysed: set[c_ast.Node] = set()
        self._bodies: dict[tuple[c_ast.Node, bool], Parts] = {}
        self._answers: dict[Callable[..., Any], dict[Any, Any]] = {}
        super().__init__(ast, locate, layout(self), user_reductions)

    # ---- analysis ----

    def analyse(self, node: c_ast.Node, on_host: bool = False) -> None:
        """Resolve and type a function definition, a file-scope declaration or an expression of a file-scope directive.

        Of a declaration, this types the initialiser and the alignment. Afterwards, the subscripts of vectors have their
        normal form. A second call changes nothing. In a function ``on_host``, only the parts that concern devices have
        to make sense; the host compiler judges the rest.
        """
        if node in self._analysed:
            return
        self._analysed.add(node)
        self._type_all(node, on_host)
        if self._of_vectors:
            self._bodies.clear()
        self._spell_elements()

    def _type_all(self, node: c_ast.Node, on_host: bool) -> None:
        if isinstance(node, c_ast.FuncDef):
            self._on_host = on_host
            try:
                self._analyse_function(node)
            finally:
                self._on_host = False
        elif isinstance(node, c_ast.Decl):
            symbol = self.decl_symbol(node)
            if not symbol.is_global:
                return  # it is analysed with its function
            with self._at_file_scope():
                t = symbol.type
                self._alignment(node.align)
                if node.init is not None:
                    self._initialise(t, node.init)
        else:
            with self._at_file_scope():
                self._expr(node)

    def is_analysed(self, node: c_ast.Node) -> bool:
        """Whether a function or declaration has been analysed."""
        return node in self._analysed

    # ---- questions about analysed code ----

    @property
    def types(self) -> Mapping[c_ast.Node, CType]:
        """The types of all analysed expressions, as :meth:`type` gives them."""
        return self._types

    @property
    def symbols(self) -> Mapping[c_ast.Node, Symbol]:
        """What the identifiers in analysed code name."""
        return self._symbols

    @property
    def declared(self) -> Mapping[c_ast.Node, Symbol]:
        """The symbols of the declarations that have been read."""
        return self._decl_symbols

    def type(self, expr: c_ast.Node) -> CType:
        """The type of an analysed expression, not decayed. Lvalues have their qualifiers."""
        try:
            return self._types[expr]
        except KeyError:
            raise InternalError(f"type of a {type(expr).__name__} that was not analysed") from None

    def is_typed(self, expr: c_ast.Node) -> bool:
        """Whether an expression has a type. Host code may have parts that make no sense to this front end."""
        return expr in self._types

    def typed(self, expr: c_ast.Node) -> c_ast.Node:
        """An expression that a stage has made of analysed ones, with its type."""
        self._expr(expr)
        return expr

    def value_type(self, expr: c_ast.Node) -> CType:
        """The type of an analysed expression's value, decayed and without qualifiers."""
        return strip(decay(self.type(expr)))

    def symbol(self, node: c_ast.ID) -> Symbol | None:
        """The symbol that an identifier in an expression names, or None for builtins, ``__func__`` and member names."""
        return self._symbols.get(node)

    def function_name(self, node: c_ast.ID) -> str | None:
        """What an identifier says that is ``__func__`` or its like, or None for other identifiers."""
        return self._function_names.get(node)

    def value(self, expr: c_ast.Node) -> int | None:
        """The value of an analysed integer constant expression, or None for other expressions."""
        self.type(expr)
        return self._integer_value(expr)

    def number(self, expr: c_ast.Node) -> int | float | None:
        """The value of an arithmetic constant expression that is not complex, or None if it is not known."""
        self.type(expr)
        return self._fold(expr)

    def parts(self, node: c_ast.Node, clauses: bool = False) -> Parts:
        """What is below a node, a body that many ask about, with the expressions in clauses if ``clauses``."""
        known = self._bodies.get((node, clauses))
        if known is None:
            if clauses and not (plain := self.parts(node)).of(OmpConstruct):
                known = plain
            elif isinstance(node, OmpConstruct) and node.body is not None and not clauses:
                known = Parts([node, *self.parts(node.body).nodes])
            else:
                known = Parts(walk(node, clauses))
            self._bodies[node, clauses] = known
        return known

    def answers(self, question: Callable[..., T]) -> dict[Any, T]:
        """What is known of the answers to a later stage's question about this tree. The stage adds what it finds."""
        return self._answers.setdefault(question, {})

    def initialiser_path(self, item: c_ast.Node) -> tuple[Step, ...]:
        """The members and indices from an InitList's object to the part that this item of the list initialises.

        Omitted braces and designators are resolved. An anonymous member appears as its Field. The path is empty for
        scalars and for a string literal in braces.
        """
        return self._paths.get(item, ())

    def member(self, node: c_ast.StructRef) -> tuple[Field, ...]:
        """The members on the way of a ``.`` or ``->``: first anonymous records, and last the named member."""
        return self._fields[node]

    def generic_branch(self, node: c_ast.Node) -> c_ast.Node:
        """The expression that a ``_Generic`` or ``__builtin_choose_expr`` chooses."""
        return self._chosen[node]

    def type_generic_call(self, node: c_ast.Node) -> tuple[c_ast.ID, list[c_ast.Node]] | None:
        """The function that a call of a <tgmath.h> macro reaches, and its arguments, or None for other calls."""
        if not (isinstance(node, c_ast.FuncCall) and getattr(node.name, "name", None) == "__builtin_tgmath"):
            return None
        chosen = self._chosen.get(node)
        arguments = [a for a in node.args.exprs if not isinstance(self._types[a], Function)]
        return (chosen, arguments) if isinstance(chosen, c_ast.ID) else None

    def decl_symbol(self, decl: c_ast.Node) -> Symbol:
        """The symbol that a Decl, Typedef, FuncDef, Enumerator or parameter declares."""
        if decl not in self._decl_symbols and decl in self._file_nodes.get(getattr(decl, "name", ""), ()):
            self.file_symbol(decl.name)
        try:
            return self._decl_symbols[decl]
        except KeyError:
            raise InternalError(f"symbol of a {type(decl).__name__} that was not analysed") from None

    def parameters(self, funcdef: c_ast.FuncDef) -> tuple[Symbol, ...]:
        """The named parameters of a function in order."""
        self.analyse(funcdef)
        scope = self._prototype_scopes.get(funcdef.decl.type)
        if scope is None:
            return ()
        named = [p.name for p in funcdef.decl.type.args.params if getattr(p, "name", None)]
        return tuple(scope.names[name][1] for name in named if name in scope.names)

    def function_type(self, funcdef: c_ast.FuncDef) -> Function:
        """The type of a function definition."""
        symbol = self.file_symbol(funcdef.decl.name)
        assert symbol is not None
        assert isinstance(symbol.type, Function)
        return symbol.type

    def resolve_type(self, node: c_ast.Node) -> CType:
        """The type of a Typename, Decl, Typedef, Struct, Union or Enum node in analysed code or at file scope."""
        known = self._node_types.get(node)
        if known is not None:
            return known
        if node in self._decl_symbols or (isinstance(node, c_ast.Decl | c_ast.Typedef) and node.name is not None):
            return self.decl_symbol(node).type
        with self._at_file_scope():
            return self._declared_type(node)

    def asked_alignment(self, decl: c_ast.Decl, least: int = 0) -> int:
        """The alignment that a declaration asks for, in bytes, or 0 if its type's own is enough."""
        strictest = max((self.alignas_value(a) for a in decl.align or ()), default=least)
        by_attribute, t = self.layout.of_declaration(decl).align, self.resolve_type(decl)
        if by_attribute > alignof(t):  # alignas cannot lower the alignment
            strictest = max(strictest, by_attribute)
        return max(strictest, asked_alignment(t))

    def alignas_value(self, spec: c_ast.Alignas) -> int:
        operand = spec.alignment
        if isinstance(operand, c_ast.Typename):
            return alignof(self.resolve_type(operand))
        return self.value(operand) or 0

    # ---- OpenMP constructs ----

    def lookup(self, construct: OmpConstruct, name: str) -> Symbol | None:
        """The symbol that ``name`` means at a construct, or None if no such name is visible there."""
        names = self._clause_names.get(construct)
        if names is not None and name in names:
            return names[name]
        point = self._points.get(construct)
        if point is None:
            raise InternalError("lookup at a construct that was not analysed")
        return self._find_at(point, name)

    def is_declared_before(self, construct: OmpConstruct, symbol: Symbol) -> bool:
        """Whether a variable that is visible at a construct is declared before it, and not only later or inside it."""
        scope, serial = self._points[construct]
        while scope is not None:
            if (entry := scope.names.get(symbol.name)) is not None and entry[0] <= serial:
                return True
            scope = scope.parent
        nodes = [construct, *self._file_nodes.get(symbol.name, ())]
        line, *others = (int(getattr(node.coord, "line", 0)) for node in nodes)
        return any(other <= line for other in others)

    def declare(self, prototype: str) -> None:
        """Add declarations of functions, and of types that they need, to the file scope of a unit that lacks them."""
        for item in CParser().parse(f"typedef unsigned long rex_size; {prototype};").ext:
            item.coord = None  # it has no place in the user's text
            self._collect(item)

    def named_type(self, construct: OmpConstruct, text: str) -> CType | None:
        """The structure, union or typedef that ``text`` names at a construct, or None for any other text."""
        words = [word for word in text.split() if word not in ("const", "volatile")]
        if len(words) == 2 and words[0] in ("struct", "union"):
            scope: Scope | None = self._points.get(construct, (None, 0))[0]
            while scope is not None and words[1] not in scope.tags:
                scope = scope.parent
            info = scope.tags[words[1]] if scope is not None else self._file_tag(words[1])
            return Record(info) if isinstance(info, RecordInfo) else None
        named = self.lookup(construct, words[0]) if len(words) == 1 else None
        return named.type if named is not None and named.is_typedef else None
