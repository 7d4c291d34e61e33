"""The names, scopes and types of one translation unit, in the public class :class:`Sema`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pycparser import c_ast
from pycparser.c_parser import CParser

from ...base.diagnostics import InternalError
from ..syntax.nodes import OmpConstruct, UserReduction
from .conversions import decay
from .ctype import CType, Field, Function, Record, RecordInfo, strip
from .declared import Layout
from .initialiser_types import Step
from .statements import StatementTyper
from .symbols import Assignments, Locate, Scope, Symbol
from .traversal import Parts, walk

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
        self._assignments: dict[c_ast.Node, Assignments] = {}
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
        self._assignments.clear()  # nodes may have types now
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

    def assignments(self, node: c_ast.Node, find: Callable[[], Assignments]) -> Assignments:
        """What a part of the tree may modify, as ``find`` says when it is asked for the first time."""
        known = self._assignments.get(node)
        if known is None:
            known = self._assignments[node] = find()
        return known

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
