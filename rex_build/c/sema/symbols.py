"""Symbols, scopes, and the names of file scope."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum

from pycparser import c_ast

from ...base.diagnostics import InputError, SourceSpan, error_at
from ...plan.constructs import Entity
from ..syntax.nodes import OmpConstruct
from .ctype import Array, CType, EnumInfo, EnumType, Function, Record, RecordInfo, qualified, with_alias
from .type_questions import Layout, compatible, composite, is_integer, variable_lengths

Locate = Callable[[c_ast.Node], SourceSpan | None]


class SymbolKind(Enum):
    """What a name stands for."""

    OBJECT = "object"
    PARAMETER = "parameter"
    FUNCTION = "function"
    ENUMERATOR = "enumerator"
    TYPEDEF = "typedef"


class StorageClass(Enum):
    """How a name is stored. Names of file scope without ``static`` are ``EXTERN``."""

    AUTO = "auto"
    STATIC = "static"
    EXTERN = "extern"
    REGISTER = "register"
    TYPEDEF = "typedef"


class Symbol(Entity):
    """The thing that a name stands for. It is compared by identity and not modified once its declaration has been read.

    All declarations of a name with linkage share one symbol. ``node`` is the declaration that says most, and
    ``definition`` the one that defines it (a body, an initialiser, or a tentative definition), or None if another unit
    does. ``node`` is None for the iterators of clauses, and for functions that are called without a declaration.
    ``function`` is the name of the enclosing function, or None if the symbol ``is_global``. ``value`` is the value of
    an enumerator or of a ``constexpr`` integer.
    """

    __slots__ = ("definition", "function", "is_global", "kind", "name", "node", "storage", "type", "value")

    def __init__(
        self,
        name: str,
        kind: SymbolKind,
        type: CType,  # noqa: A002 - of a symbol
        node: c_ast.Node | None,
        storage: StorageClass = StorageClass.AUTO,
        is_global: bool = False,
        function: str | None = None,
        definition: c_ast.Node | None = None,
        value: int | None = None,
    ) -> None:
        self.name, self.kind, self.node, self.storage = name, kind, node, storage
        self.type: CType = type
        self.is_global, self.function, self.definition, self.value = is_global, function, definition, value

    @property
    def coord(self) -> object:
        """The place of the declaration in the preprocessed text (pycparser's Coord)."""
        return getattr(self.node, "coord", None)

    @property
    def is_variable(self) -> bool:
        return self.kind is SymbolKind.OBJECT or self.kind is SymbolKind.PARAMETER

    @property
    def is_object(self) -> bool:
        """Whether it is a variable that is no parameter."""
        return self.kind is SymbolKind.OBJECT

    @property
    def is_function(self) -> bool:
        return self.kind is SymbolKind.FUNCTION

    @property
    def is_enumerator(self) -> bool:
        return self.kind is SymbolKind.ENUMERATOR

    @property
    def is_typedef(self) -> bool:
        return self.kind is SymbolKind.TYPEDEF

    @property
    def is_static(self) -> bool:
        return self.storage is StorageClass.STATIC

    @property
    def has_static_storage(self) -> bool:
        """Whether a variable lives as long as the program."""
        return self.storage is StorageClass.STATIC or self.storage is StorageClass.EXTERN

    def __repr__(self) -> str:
        return f"<{self.kind.value} {self.name}: {self.type}>"


def symbols_of(entities: Iterable[Entity]) -> Iterator[Symbol]:
    """Entities of the plan as what they are in this front end."""
    return (entity for entity in entities if isinstance(entity, Symbol))


class Scope:
    """The names of one block. Symbols have serial numbers, which tell at an earlier point what was not declared yet."""

    __slots__ = ("names", "parent", "tags")

    def __init__(self, parent: Scope | None) -> None:
        self.parent = parent
        self.names: dict[str, tuple[int, Symbol]] = {}
        self.tags: dict[str, RecordInfo | EnumInfo] = {}


class SymbolTable:
    """The file scope and the current chain of block scopes (``_scope`` is None at file scope).

    Headers declare thousands of names and a unit uses few of them. So the type of a declaration is built when its name
    is first looked up.
    """

    # The type builder and the expression typer define these.
    _declared_type: Callable[[c_ast.Node], CType]
    _type_or_reason: Callable[[c_ast.Node], CType]
    _attributed: Callable[[c_ast.Node, CType], CType]
    _type_of_local: Callable[[c_ast.Decl], CType]
    _enum: Callable[[c_ast.Enum], EnumType]
    _constant: Callable[[c_ast.Node], int | None]
    _initialise: Callable[[CType, c_ast.Node], CType]

    def __init__(self, ast: c_ast.FileAST, locate: Locate | None, layout: Layout) -> None:
        self.ast = ast
        self.layout = layout
        self.functions: dict[str, c_ast.FuncDef] = {}
        self.overloaded: set[str] = set()  # names that several functions share, by an attribute of clang's
        self.fixed_lengths: dict[c_ast.Node, c_ast.Node] = {}  # array lengths with the declarations that evaluate them
        self._locate = locate
        self._scope: Scope | None = None
        self._function: str | None = None
        self._serial = 0
        self._clause_span: SourceSpan | None = None
        self._file_nodes: dict[str, list[c_ast.Node]] = {}
        self._file_enumerators: dict[str, c_ast.Enum] = {}
        self._file_tags: dict[str, c_ast.Node] = {}
        self._file_symbols: dict[str, Symbol | None] = {}
        self._block_externs: dict[str, Symbol] = {}
        self._tag_infos: dict[str, RecordInfo | EnumInfo] = {}
        self._file_constructs: set[OmpConstruct] = set()
        self._decl_symbols: dict[c_ast.Node, Symbol] = {}
        for item in ast.ext:
            self._collect(item)

    def error(self, node: c_ast.Node, message: str, *notes: str) -> InputError:
        """An error at ``node``, ready to raise. If the node is in a clause, it points at the clause's expression."""
        span = self._clause_span or (self._locate(node) if self._locate else None)
        return error_at(span, message, *filter(None, notes))

    # ---- file scope ----

    def _collect(self, item: c_ast.Node) -> None:
        if isinstance(item, c_ast.FuncDef):
            self.functions[item.decl.name] = item
            self._file_nodes.setdefault(item.decl.name, []).append(item)
            self._collect_tags(item.decl.type)
        elif isinstance(item, c_ast.Decl | c_ast.Typedef):
            if item.name is not None:
                self._file_nodes.setdefault(item.name, []).append(item)
            self._collect_tags(item.type)
        elif isinstance(item, OmpConstruct):
            self._file_constructs.add(item)
            if item.body is not None:
                self._collect(item.body)

    def _collect_tags(self, node: c_ast.Node | None) -> None:
        """Note the tags and enumerators that a declaration at file scope defines."""
        while isinstance(
            node, c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.FuncDecl | c_ast.TypeDecl | c_ast.Typename | c_ast.Decl
        ):
            node = node.type
        if isinstance(node, c_ast.Enum):
            if node.name and getattr(node, "underlying_type", None) is not None:
                self._file_tags.setdefault(node.name, node)
            if node.values is not None:
                if node.name:
                    self._file_tags[node.name] = node
                for e in node.values.enumerators:
                    if isinstance(e, c_ast.Enumerator):
                        self._file_enumerators[e.name] = node
        elif isinstance(node, c_ast.Struct | c_ast.Union):
            if node.name and (node.decls is not None or node.name not in self._file_tags):
                self._file_tags[node.name] = node
            for decl in node.decls or ():
                if isinstance(decl, c_ast.Decl):
                    self._collect_tags(decl.type)

    @contextmanager
    def _at_file_scope(self, function: str | None = None) -> Iterator[None]:
        saved = self._scope, self._function, self._clause_span
        self._scope, self._function, self._clause_span = None, function, None
        try:
            yield
        finally:
            self._scope, self._function, self._clause_span = saved

    def file_declarations(self, name: str) -> Sequence[c_ast.Node]:
        """All declarations of ``name`` at file scope. For an enumerator, this is its enumeration."""
        enumeration = self._file_enumerators.get(name)
        return [*self._file_nodes.get(name, ()), *([enumeration] if enumeration is not None else [])]

    def file_symbol(self, name: str) -> Symbol | None:
        """The file-scope symbol called ``name``, or None if the unit declares none."""
        try:
            return self._file_symbols[name]
        except KeyError:
            pass
        if nodes := self._file_nodes.get(name):
            self._declare_at_file_scope(name, nodes)
        elif name in self._file_enumerators:
            with self._at_file_scope():
                self._enum(self._file_enumerators[name])
        elif name in self._block_externs:
            return self._block_externs[name]
        return self._file_symbols.setdefault(name, None) if nodes or name in self._file_enumerators else None

    def _declare_at_file_scope(self, name: str, nodes: list[c_ast.Node]) -> None:
        node = next((n for n in nodes if isinstance(n, c_ast.FuncDef)), None) or max(
            nodes, key=lambda n: 2 * (getattr(n, "init", None) is not None) + ("extern" not in n.storage)
        )
        with self._at_file_scope(name if isinstance(node, c_ast.FuncDef) else None):
            if isinstance(node, c_ast.Typedef):
                symbol = Symbol(name, SymbolKind.TYPEDEF, self._typedef_type(node), node, StorageClass.TYPEDEF, True)
                self._file_symbols[name] = symbol
                self._decl_symbols.update((n, symbol) for n in nodes)
                return
            decls = [n.decl if isinstance(n, c_ast.FuncDef) else n for n in nodes]
            main = node.decl if isinstance(node, c_ast.FuncDef) else node
            is_static = any("static" in d.storage or "constexpr" in d.storage for d in decls)
            storage = StorageClass.STATIC if is_static else StorageClass.EXTERN
            inferred = "auto" in main.storage
            t = self._type_of_local(main) if inferred else self._attributed(main, self._type_or_reason(main.type))
            if "constexpr" in main.storage:
                t = qualified(t, frozenset(("const",)))
            is_function = type(t).__name__ == "Function"
            defines = isinstance(node, c_ast.FuncDef) or (
                not is_function and (node.init is not None or "extern" not in node.storage)
            )
            kind = SymbolKind.FUNCTION if is_function else SymbolKind.OBJECT
            symbol = Symbol(name, kind, t, node, storage, True, None, node if defines else None)
            self._file_symbols[name] = symbol
            self._decl_symbols.update((n, symbol) for n in (*nodes, *decls))
            for other in decls:
                if other is not main and (isinstance(t, Array) or is_function):
                    more = self._attributed(other, self._type_or_reason(other.type))
                    if compatible(symbol.type, more):
                        symbol.type = composite(symbol.type, more)
                    elif is_function:
                        self.overloaded.add(name)
            if is_function and not defines:
                self._resolve_alias(symbol, decls)
            if isinstance(symbol.type, Array) and symbol.type.length is None and main.init is not None:
                symbol.type = self._initialise(symbol.type, main.init)
            symbol.value = self._value_of_constant(main, symbol.type)

    def _resolve_alias(self, symbol: Symbol, decls: Sequence[c_ast.Node]) -> None:
        """Let the name of a function that is an alias mean the other function."""
        aliases = [alias for decl in decls if (alias := self.layout.of_declaration(decl).alias)]
        target = self.file_symbol(aliases[0]) if aliases else None
        if target is not None and target.name in self.functions and compatible(symbol.type, target.type):
            self._file_symbols[symbol.name] = target
            self._decl_symbols.update((decl, target) for decl in decls)
            self.functions[symbol.name] = self.functions[target.name]

    def _value_of_constant(self, decl: c_ast.Node, t: CType) -> int | None:
        """The value of an integer that is declared ``constexpr``, or None."""
        if "constexpr" not in getattr(decl, "storage", ()) or not is_integer(t):
            return None
        init = decl.init.exprs[0] if isinstance(decl.init, c_ast.InitList) and decl.init.exprs else decl.init
        return 0 if isinstance(init, c_ast.InitList) else self._constant(init)

    def _typedef_type(self, node: c_ast.Typedef) -> CType:
        """The type that a typedef names, with the typedef's name as its spelling."""
        t = self._attributed(node, self._type_or_reason(node.type))
        if isinstance(t, Record | EnumType) and t.info.tag is None and t.info.typedef_name is None:
            t.info.typedef_name = node.name
        # A qualified typedef is spelt out, because its name would bring back qualifiers that have been stripped.
        return t if t.quals else with_alias(t, node.name)

    # ---- block scopes ----

    @contextmanager
    def _block(self, scope: Scope | None = None) -> Iterator[Scope]:
        saved = self._scope
        self._scope = scope or Scope(saved)
        try:
            yield self._scope
        finally:
            self._scope = saved

    def _define(self, symbol: Symbol) -> None:
        """Make ``symbol`` visible in the innermost scope from here on."""
        self._serial += 1
        if self._scope is None:
            self._file_symbols[symbol.name] = symbol
        else:
            self._scope.names[symbol.name] = (self._serial, symbol)

    def _fix_lengths(self, symbol: Symbol) -> None:
        """Note the array lengths that are evaluated where ``symbol`` is declared."""
        assert symbol.node is not None
        for length in variable_lengths(symbol.type):
            self.fixed_lengths.setdefault(length, symbol.node)

    def _find(self, name: str) -> Symbol | None:
        scope = self._scope
        while scope is not None:
            entry = scope.names.get(name)
            if entry is not None:
                return entry[1]
            scope = scope.parent
        return self.file_symbol(name)

    def _find_at(self, point: tuple[Scope | None, int], name: str) -> Symbol | None:
        """The meaning of ``name`` at an earlier point, which is a scope and a serial number."""
        scope, serial = point
        while scope is not None:
            entry = scope.names.get(name)
            if entry is not None and entry[0] <= serial:
                return entry[1]
            scope = scope.parent
        return self.file_symbol(name)

    def _declare_implicitly(self, name: str, result: CType) -> None:
        """Declare an undeclared function because of a call, as C89 does, and gcc before 14."""
        function = Function(result, (), prototyped=False)
        self._file_symbols[name] = Symbol(
            name, SymbolKind.FUNCTION, function, None, StorageClass.EXTERN, is_global=True
        )

    def _declare_extern(self, decl: c_ast.Decl, t: CType, kind: SymbolKind) -> Symbol:
        """The unit's symbol for a declaration in a block of a name with linkage."""
        symbol = self.file_symbol(decl.name)
        if symbol is None or not (symbol.is_object or symbol.is_function):
            symbol = self._block_externs.setdefault(
                decl.name, Symbol(decl.name, kind, t, decl, StorageClass.EXTERN, is_global=True)
            )
        return symbol

    # ---- tags ----

    def _find_tag(self, name: str) -> RecordInfo | EnumInfo | None:
        scope = self._scope
        while scope is not None:
            info = scope.tags.get(name)
            if info is not None:
                return info
            scope = scope.parent
        return self._file_tag(name)

    def _file_tag(self, name: str) -> RecordInfo | EnumInfo | None:
        info = self._tag_infos.get(name)
        if info is None and (node := self._file_tags.get(name)) is not None:
            with self._at_file_scope():
                t = self._declared_type(node)
            assert isinstance(t, Record | EnumType)
            info = t.info
        return info

    def _declare_tag(self, name: str | None, info: RecordInfo | EnumInfo) -> None:
        if name:
            (self._tag_infos if self._scope is None else self._scope.tags)[name] = info
