"""The names, scopes and types of one translation unit, in the public class :class:`Sema`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from pycparser import c_ast
from pycparser.c_parser import CParser

from ...base.diagnostics import InputError, InternalError, error_at
from ...directives.model import Clause, Expr, Index, Locator, Member, Section
from ...directives.parser import concerns_target
from ..syntax.nodes import OmpConstruct, UserReduction
from .constants import ConstantFolder
from .conversions import decay
from .ctype import INT, VOID, Array, CType, Field, Function, Pointer, Record, RecordInfo, qualified, strip
from .declared import Layout
from .initialiser_types import Step
from .symbols import Locate, Scope, Symbol
from .traversal import (
    clause_expressions,
    clause_iterators,
    clause_locators,
    directive_locators,
    locator_expressions,
    walk,
)
from .type_questions import field, is_variably_modified
from .types import basic_type


class Reference(NamedTuple):
    """A symbol that a part of the tree uses. ``node`` is the first ``ID`` that names it.

    With ``in_clause_only``, it is only a list item of clauses and never evaluated. ``node`` is then that OmpConstruct.
    """

    symbol: Symbol
    node: c_ast.Node
    in_clause_only: bool


class Assignments(NamedTuple):
    """The symbols that a part of the tree may modify, in source order, each with the first place that does.

    ``assigned`` symbols are modified as a whole or in part. ``address_taken`` symbols have their address taken: with
    ``&``, or because an array or array member decays to a pointer (subscripting alone does not count).
    """

    assigned: dict[Symbol, c_ast.Node]
    address_taken: dict[Symbol, c_ast.Node]

    @property
    def symbols(self) -> dict[Symbol, c_ast.Node]:
        """The symbols of both kinds."""
        return {**self.address_taken, **self.assigned}


_MODIFYING_CLAUSES = frozenset(
    ("reduction", "in_reduction", "task_reduction", "lastprivate", "linear", "from", "copyprivate", "copyin")
)


_AUTO_TYPE, _AUTO = ["signed"], ["signed", "auto"]


def _is_inferred(node: c_ast.Decl) -> bool:
    """Whether the initialiser gives the type, as for C23's ``auto`` and GNU's ``__auto_type``.

    The latter arrives here as ``auto signed``, which has the same length.
    """
    specifier = getattr(node.type, "type", None)
    if "auto" not in node.storage or not isinstance(specifier, c_ast.IdentifierType):
        return False
    return specifier.names in (_AUTO_TYPE, _AUTO)


class Sema(ConstantFolder):
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
        self.user_reductions = tuple(user_reductions)
        self._analysed: set[c_ast.Node] = set()
        self._points: dict[OmpConstruct, tuple[Scope | None, int]] = {}
        self._clause_names: dict[OmpConstruct, dict[str, Symbol | None]] = {}
        super().__init__(ast, locate, layout(self))
        for construct in self._file_constructs:
            self._points[construct] = (None, 0)

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
                self._define(Symbol(p.name, "parameter", INT, p, function=node.decl.name))

    def _statement(self, node: c_ast.Node | None) -> None:
        while node is not None:
            handler = self._STATEMENTS.get(type(node).__name__)
            if handler is None:
                self._expr(node)
                return
            node = handler(self, node)

    # Handlers return the next statement, so that long else-if chains do not recurse.

    def _nothing(self, _node: c_ast.Node) -> None:
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
        if (isinstance(t, Function) and "auto" not in node.storage) or "extern" in node.storage:
            symbol = self._declare_extern(node, t, "function" if isinstance(t, Function) else "object")
            self._decl_symbols[node] = symbol
            self._define(symbol)
            return
        storage = next((s for s in node.storage if s in ("static", "register")), "auto")
        kind = "function" if isinstance(t, Function) else "object"
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
        symbol = Symbol(node.name, "typedef", self._typedef_type(node), node, "typedef", function=self._function)
        self._fix_lengths(symbol)
        self._decl_symbols[node] = symbol
        self._define(symbol)

    def _in_declarations(self, node: c_ast.DeclList) -> None:
        for decl in node.decls:
            self._statement(decl)

    def _in_if(self, node: c_ast.If) -> c_ast.Node | None:
        self._expr(node.cond)
        self._statement(node.iftrue)
        return node.iffalse

    def _in_for(self, node: c_ast.For) -> None:
        with self._block():
            self._statement(node.init)
            for e in (node.cond, node.next):
                if e is not None:
                    self._expr(e)
            self._statement(node.stmt)

    def _in_while(self, node: c_ast.While | c_ast.Switch) -> c_ast.Node | None:
        self._expr(node.cond)
        return node.stmt

    def _in_do(self, node: c_ast.DoWhile) -> None:
        self._statement(node.stmt)
        self._expr(node.cond)

    def _in_case(self, node: c_ast.Case | c_ast.Default) -> None:
        if isinstance(node, c_ast.Case):
            self._expr(node.expr)
        for stmt in node.stmts or ():
            self._statement(stmt)

    def _in_label(self, node: c_ast.Label) -> c_ast.Node | None:
        return node.stmt

    def _in_cleanup(self, node: c_ast.Node) -> None:
        self._expr(node.call)

    def _in_return(self, node: c_ast.Return) -> None:
        if node.expr is not None:
            self._expr(node.expr)

    def _in_static_assert(self, node: c_ast.Node) -> None:
        self._expr(node.cond)

    def _in_nested_function(self, node: c_ast.FuncDef) -> None:
        if not self._on_host:
            raise self.error(node, f"nested function '{node.decl.name}' is not supported")
        t = self._type_or_reason(node.decl.type)
        symbol = Symbol(node.decl.name, "function", t, node, function=self._function, definition=node)
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
                t = named.type if named and named.kind == "typedef" else basic_type(it.type_text.split() or ["int"])
                self._define(Symbol(it.name, "object", t or INT, None, function=self._function))
            for e in clause_expressions(clause):
                self._clause_expression(e)

    def _clause_expression(self, e: Expr) -> None:
        self._clause_span = e.span
        try:
            self._expr(e.node)
        finally:
            self._clause_span = None

    _STATEMENTS: ClassVar[dict[str, Callable[[Sema, c_ast.Node], c_ast.Node | None]]] = {
        "Compound": _in_compound,
        "Decl": _in_declaration,
        "Typedef": _in_typedef,
        "DeclList": _in_declarations,
        "If": _in_if,
        "For": _in_for,
        "While": _in_while,
        "Switch": _in_while,
        "DoWhile": _in_do,
        "Case": _in_case,
        "Default": _in_case,
        "Label": _in_label,
        "Return": _in_return,
        "Cleanup": _in_cleanup,
        "OmpConstruct": _in_construct,
        "StaticAssert": _in_static_assert,
        "AttributedStatement": _in_label,
        "FuncDef": _in_nested_function,
        "Assembly": _nothing,
        "Goto": _nothing,
        "Break": _nothing,
        "Continue": _nothing,
        "EmptyStatement": _nothing,
        "Pragma": _nothing,
        "AttributeDeclaration": _nothing,
    }

    # ---- questions about analysed code ----

    def type(self, expr: c_ast.Node) -> CType:
        """The type of an analysed expression, not decayed. Lvalues have their qualifiers."""
        try:
            return self._types[expr]
        except KeyError:
            raise InternalError(f"type of a {type(expr).__name__} that was not analysed") from None

    def value_type(self, expr: c_ast.Node) -> CType:
        """The type of an analysed expression's value, decayed and without qualifiers."""
        return strip(decay(self.type(expr)))

    def symbol(self, node: c_ast.ID) -> Symbol | None:
        """The symbol that an identifier in an expression names, or None for builtins, ``__func__`` and member names."""
        return self._symbols.get(node)

    def value(self, expr: c_ast.Node) -> int | None:
        """The value of an analysed integer constant expression, or None for other expressions."""
        self.type(expr)
        return self._integer_value(expr)

    def number(self, expr: c_ast.Node) -> int | float | None:
        """The value of an arithmetic constant expression that is not complex, or None if it is not known."""
        self.type(expr)
        return self._fold(expr)

    def expected_type(self, init: c_ast.Node) -> CType | None:
        """The type, without qualifiers, that an expression or InitList initialises. It is no NamedInitializer."""
        return self._expected.get(init)

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

    def locals_of(self, node: c_ast.Node) -> tuple[Symbol, ...]:
        """The variables that ``node`` and the nodes below it declare, static ones too, in source order."""
        found = dict.fromkeys(self._decl_symbols[n] for n in walk(node) if n in self._decl_symbols)
        return tuple(s for s in found if s.is_variable and not s.is_global)

    def declared_again(self, node: c_ast.Node) -> tuple[Symbol, ...]:
        """The file-scope variables and functions that are declared again in the blocks of ``node``."""
        found = dict.fromkeys(self._decl_symbols[n] for n in walk(node) if n in self._decl_symbols)
        return tuple(s for s in found if s.is_global and s.kind in ("object", "function"))

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
        return named.type if named is not None and named.kind == "typedef" else None

    def locator_type(self, construct: OmpConstruct, locator: Locator) -> CType:
        """The type of the storage that a list item names. A section is an array, of constant length if possible.

        Raises InputError for undeclared names, wrong members, and steps that do not fit the type.
        """
        element, sections = self._locate_storage(construct, locator)
        for section in reversed(sections):
            length = self.value(section.length.node) if section.length is not None else None
            expr = section.length.node if section.length is not None and length is None else None
            element = Array(element, length, expr)
        return element

    def section_element(self, construct: OmpConstruct, locator: Locator) -> CType:
        """The type of one element of the storage that a list item names, or the item's type if it has no section."""
        return self._locate_storage(construct, locator)[0]

    def _locate_storage(self, construct: OmpConstruct, locator: Locator) -> tuple[CType, list[Section]]:
        symbol = self.lookup(construct, locator.name)
        if symbol is None:
            raise error_at(locator.span, f"'{locator.name}' is not declared")
        t = symbol.type
        sections: list[Section] = []
        for step in locator.steps:
            if isinstance(step, Member):
                t = self._locator_member(locator, step, t)
                continue
            pointer = decay(t)
            if not isinstance(pointer, Pointer):
                what = "array section" if isinstance(step, Section) else "subscript"
                raise error_at(locator.span, f"{what} of '{locator.text}' needs an array or pointer, not '{t}'")
            t = pointer.to
            if isinstance(step, Section):
                sections.append(step)
            else:
                assert isinstance(step, Index)
        return t, sections

    @staticmethod
    def _locator_member(locator: Locator, step: Member, t: CType) -> CType:
        record = decay(t)
        if step.arrow:
            if not isinstance(record, Pointer):
                raise error_at(locator.span, f"'->' in '{locator.text}' needs a pointer, not '{t}'")
            record = record.to
        if not isinstance(record, Record):
            raise error_at(locator.span, f"'{step.name}' in '{locator.text}': '{t}' is not a structure or union")
        found = field(record, step.name)
        if found is None:
            raise error_at(locator.span, f"'{strip(record)}' has no member named '{step.name}'")
        return found.type

    # ---- data sharing ----

    def free_variables(self, node: c_ast.Node) -> list[Reference]:
        """The variables that ``node`` uses but does not declare, in the order of their first use.

        They are locals of the enclosing function, parameters and globals. List items in clauses of OmpConstructs at or
        below ``node`` count, and operands of ``typeof`` do not.
        """
        inside: set[Symbol] = set()
        found: dict[Symbol, Reference] = {}
        types: set[c_ast.Node] = set()
        for n in walk(node, clauses=True):
            if type(n).__name__ == "TypeOf" and not is_variably_modified(self._types.get(n.expr, VOID)):
                types.update(walk(n))
            if isinstance(n, c_ast.ID) and n not in types:
                symbol = self._symbols.get(n)
                if symbol is not None and symbol.is_variable and (symbol not in found or found[symbol].in_clause_only):
                    found[symbol] = Reference(symbol, n, False)
            elif isinstance(n, c_ast.Decl):
                declared = self._decl_symbols.get(n)
                if declared is not None and not declared.is_global:
                    inside.add(declared)
            elif isinstance(n, OmpConstruct):
                for symbol in self._listed(n):
                    found.setdefault(symbol, Reference(symbol, n, True))
        return [r for s, r in found.items() if s not in inside and s.node is not None]

    def _listed(self, construct: OmpConstruct) -> list[Symbol]:
        names = (self.lookup(construct, locator.name) for locator in directive_locators(construct.directive))
        return [s for s in names if s is not None and s.is_variable]

    def assignments(self, node: c_ast.Node) -> Assignments:
        """The symbols that ``node`` may modify.

        Writing through a pointer does not count, but taking an address does.
        """
        result = Assignments({}, {})
        direct: set[c_ast.Node] = set()  # array expressions that are used without giving their address away
        for n in walk(node, clauses=True):
            match n:
                case c_ast.ID() | c_ast.Constant():  # most nodes, of which nothing has to be noted
                    pass
                case c_ast.Assignment():
                    self._note(result.assigned, n.lvalue, n)
                case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
                    self._note(result.assigned, n.expr, n)
                case c_ast.UnaryOp(op="&"):
                    self._note(result.address_taken, n.expr, n)
                    direct.add(n.expr)
                case c_ast.UnaryOp(op="*" | "sizeof" | "_Alignof"):
                    direct.add(n.expr)
                case c_ast.ArrayRef():
                    direct.update((n.name, n.subscript))
                case c_ast.StructRef():
                    direct.update((n.name, n.field))
                case OmpConstruct():
                    self._note_clauses(result, n)
            if isinstance(self._types.get(n), Array) and n not in direct:
                self._note(result.address_taken, n, n)
        return result

    def _note(self, into: dict[Symbol, c_ast.Node], lvalue: c_ast.Node, place: c_ast.Node) -> None:
        """Record the variable to which an lvalue belongs, if that needs no pointer."""
        while True:
            match lvalue:
                case c_ast.ID():
                    symbol = self._symbols.get(lvalue)
                    if symbol is not None and symbol.is_variable:
                        into.setdefault(symbol, place)
                    return
                case c_ast.StructRef(type="."):
                    lvalue = lvalue.name
                case c_ast.StructRef() | c_ast.ArrayRef() if isinstance(self._types.get(lvalue.name), Array):
                    lvalue = lvalue.name
                case c_ast.ArrayRef() if isinstance(self._types.get(lvalue.subscript), Array):
                    lvalue = lvalue.subscript
                case c_ast.UnaryOp(op="*") if isinstance(self._types.get(lvalue.expr), Array):
                    lvalue = lvalue.expr
                case c_ast.TernaryOp():
                    self._note(into, lvalue.iftrue or lvalue.cond, place)
                    lvalue = lvalue.iffalse
                case _:
                    return

    def _note_clauses(self, result: Assignments, construct: OmpConstruct) -> None:
        for clause in construct.directive.clauses:
            writes_back = clause.name == "map" and getattr(clause, "map_type", "") in ("from", "tofrom")
            if clause.name not in _MODIFYING_CLAUSES and not writes_back:
                continue
            for locator in clause_locators(clause):
                symbol = self.lookup(construct, locator.name)
                if symbol is not None and symbol.is_variable:
                    result.assigned.setdefault(symbol, construct)
