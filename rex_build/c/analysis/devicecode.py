"""Collects everything that device code needs from its unit: the closure of what a set of statements uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pycparser import c_ast

from ...base.diagnostics import InternalError, error_at
from ...base.patterns import regex
from ...base.records import dataclass
from ..sema import Sema, Symbol, walk
from ..sema.ctype import Array, CType, EnumInfo, EnumType, Function, Pointer, Record, RecordInfo, VectorInfo
from ..sema.type_questions import innermost, is_variably_modified
from ..sema.types import VA_LIST_TAG
from ..syntax.nodes import ParsedUnit
from .device_library import ENUMERATIONS, ONLY_CALLED, library_name


@dataclass(frozen=True)
class UsedCode:
    """Everything that the device text must define. In every list, an item stands after the items that it needs.

    ``records`` are the structures and unions to define, and ``forward`` those that are only named. In ``functions``,
    callees stand before callers; those in ``prototypes`` are also called before their definition. ``globals`` are the
    file-scope variables that functions or initialisers of such variables use. ``system_headers`` are the names of
    headers that provide types. ``elsewhere`` are the functions that other
    units of a separable device link define. ``initialised`` are the records inside objects with static storage duration
    and an initialiser.

    ``system_records`` and ``system_symbols`` come from system headers that the device text includes too, or from the
    device library, which has the enumerations ``library_enums`` of omp.h. A system header defines the functions
    ``own_versions``; their copies in the device text have names of their own.
    """

    records: tuple[RecordInfo, ...] = ()
    forward: tuple[RecordInfo, ...] = ()
    enumerators: tuple[Symbol, ...] = ()
    functions: tuple[c_ast.FuncDef, ...] = ()
    prototypes: tuple[c_ast.FuncDef, ...] = ()
    globals: tuple[Symbol, ...] = ()
    system_headers: tuple[str, ...] = ()
    elsewhere: tuple[Symbol, ...] = ()
    initialised: frozenset[RecordInfo] = frozenset()
    system_records: frozenset[RecordInfo] = frozenset()
    system_symbols: frozenset[Symbol] = frozenset()
    library_enums: frozenset[EnumInfo] = frozenset()
    own_versions: tuple[Symbol, ...] = ()


_INCLUDE_DIRECTORY = regex(r".*/include(?:-fixed)?/(?:[\w.]+-linux-gnu[\w]*/)?(?=.)")
_OMP_H = "omp.h"
_THREAD_LOCAL = frozenset(("__thread", "_Thread_local", "thread_local"))
_C_ONLY = frozenset({"stdatomic.h"})  # headers with types that C++ does not have
_TYPED = (
    c_ast.ID, c_ast.StructRef, c_ast.ArrayRef, c_ast.UnaryOp, c_ast.BinaryOp, c_ast.Assignment, c_ast.Cast,
    c_ast.TernaryOp, c_ast.FuncCall, c_ast.CompoundLiteral,
)  # fmt: skip


@dataclass(frozen=True)
class Collected:
    """``root_globals`` are the file-scope variables that the roots name. ``undefined`` are functions and variables that
    neither this unit nor the device library defines, with their first use, and ``shared`` those of them that other
    units of a separable device link define."""

    code: UsedCode
    root_globals: tuple[Symbol, ...]
    undefined: tuple[tuple[Symbol, c_ast.Node], ...]
    shared: tuple[tuple[Symbol, c_ast.Node], ...] = ()


def collect(
    sema: Sema,
    roots: Iterable[c_ast.Node],
    unit: ParsedUnit,
    shared: frozenset[Symbol] = frozenset(),
    tables: frozenset[Symbol] = frozenset(),
    indirect: Iterable[Symbol] = (),
    declared: Sequence[Symbol] = (),
    links: Sequence[Symbol] = (),
) -> Collected:
    """The closure of everything that ``roots``, the ``shared`` functions and the ``declared`` variables use.

    ``roots`` are analysed statements or expressions. The device has the ``declared`` variables whether they are used or
    not. Functions in ``shared`` that another unit defines become ``elsewhere``. ``tables`` are constants that the
    device code defines for itself, even if only the roots use them. ``indirect`` functions are called by their address.
    The device reaches the variables in ``links`` through pointers.

    Raises InputError for variables of the C library, which the device does not have.
    """
    collector = _Collector(sema, unit, shared, tables, frozenset(declared), frozenset(links))
    for root in roots:
        collector.visit(root, None)
    for symbol in (*sorted(shared, key=lambda symbol: symbol.name), *indirect):
        if symbol.is_function and (symbol.name in sema.functions or symbol in indirect):
            collector.use_function(symbol)
    for symbol in declared:
        collector.use_variable(symbol)
    return collector.finish()


class _Collector:
    def __init__(
        self,
        sema: Sema,
        unit: ParsedUnit,
        shared: frozenset[Symbol],
        tables: frozenset[Symbol],
        declared: frozenset[Symbol],
        links: frozenset[Symbol],
    ) -> None:
        self.sema = sema
        self.declared = declared
        self.links = links
        self.tables = tables
        self.shared = shared
        self.unit = unit
        self.records: list[RecordInfo] = []
        self.enumerators: list[Symbol] = []
        self.functions: list[c_ast.FuncDef] = []
        self.prototypes: list[c_ast.FuncDef] = []
        self.globals: list[Symbol] = []
        self.root_globals: list[Symbol] = []
        self.undefined: list[tuple[Symbol, c_ast.Node]] = []
        self.elsewhere: list[Symbol] = []
        self.used_elsewhere: list[tuple[Symbol, c_ast.Node]] = []
        self.initialised: set[RecordInfo] = set()
        self.system_records: set[RecordInfo] = set()
        self.system_symbols: set[Symbol] = set()
        self.library_enums: set[EnumInfo] = set()
        self.own_versions: dict[Symbol, None] = {}
        self._seen_types: set[tuple[CType, bool]] = set()
        self._complete: dict[RecordInfo, bool] = {}  # False while its members are being collected
        self._named: dict[RecordInfo, None] = {}
        self._symbols: set[tuple[Symbol, bool]] = set()
        self._state: dict[str, bool] = {}  # by function; False while its callees are being collected
        self._headers: dict[str, None] = {}
        self._initialised: list[Symbol] = []  # variables whose initialisers are being collected

    def finish(self) -> Collected:
        position = {info: i for i, info in enumerate(self.records)}
        code = UsedCode(
            records=tuple(self.records),
            # A record that is named before its definition needs a declaration, and so does one that is never defined.
            forward=tuple(info for info in self._named if position.get(info, -1) != 0),
            enumerators=tuple(self.enumerators),
            functions=tuple(self.functions),
            prototypes=tuple(self.prototypes),
            globals=tuple(self.globals),
            system_headers=tuple(h for h in self._headers if h != _OMP_H),  # the device library has its types
            elsewhere=tuple(self.elsewhere),
            initialised=frozenset(self.initialised),
            system_records=frozenset(self.system_records),
            system_symbols=frozenset(self.system_symbols),
            library_enums=frozenset(self.library_enums),
            own_versions=tuple(self.own_versions),
        )
        return Collected(code, tuple(self.root_globals), tuple(self.undefined), tuple(self.used_elsewhere))

    # ---- where things are declared ----

    def _origin(self, node: c_ast.Node | None) -> str | None:
        """The outermost system header that the node comes from, or None if it is in the user's own files."""
        coord = getattr(node, "coord", None)
        if coord is None:
            return None
        pre = self.unit.pre
        origin, _ = pre.origin_of(coord.line)
        if not origin.system:
            return None
        if origin.file.endswith("/omp.h"):
            return _OMP_H
        index = origin.inclusion
        while pre.inclusions[around := pre.inclusions[index].parent].system:
            if pre.inclusions[around].file.endswith("/omp.h"):  # LLVM's brings in others, and has itself no place there
                break
            index = around
        return _INCLUDE_DIRECTORY.sub("", pre.inclusions[index].file)

    # ---- types ----

    def need(self, t: CType, through_member: bool = False) -> None:
        """Collect the records in a type. A record to which members only point needs no definition."""
        key = t, through_member
        if key in self._seen_types:
            return
        self._seen_types.add(key)
        match t:
            case Pointer(to=Record(info=info)) if through_member or not info.is_complete:
                self._name(info)
            case Pointer(to=to):
                self.need(to, through_member)
            case Array(of=of):
                self.need(of, through_member)
            case Function(result=result, params=params):
                for part in (result, *params):
                    if through_member and isinstance(part, Record):
                        self._name(part.info)
                    else:
                        self.need(part, through_member)
            case Record(info=info):
                self._define(info)
            case EnumType(info=info) if self._origin(info.node) == _OMP_H:
                if (info.tag or info.typedef_name) in ENUMERATIONS:
                    self.library_enums.add(info)

    def _is_system(self, info: RecordInfo) -> bool:
        header = self._origin(info.node)
        if header is None or header in _C_ONLY:
            return False
        self.system_records.add(info)
        return True

    def _name(self, info: RecordInfo) -> None:
        if self._is_system(info):
            if info.tag is None:
                self._headers.setdefault(str(self._origin(info.node)))
            else:
                self._named.setdefault(info)
            return
        if info not in self._complete:
            self._named.setdefault(info)

    def _define(self, info: RecordInfo) -> None:
        if info in self._complete or not info.is_complete or info.tag == VA_LIST_TAG or isinstance(info, VectorInfo):
            return
        if self._is_system(info):
            self._complete[info] = True
            self._headers.setdefault(str(self._origin(info.node)))
            return
        self._complete[info] = False
        for f in info.fields:
            self.need(f.type, through_member=not isinstance(innermost(f.type), Record))
        self._complete[info] = True
        self.records.append(info)

    def _initialise(self, t: CType) -> None:
        """Note the records in the type of a static object with an initialiser."""
        t = innermost(t)
        if isinstance(t, Record) and t.info not in self.initialised:
            self.initialised.add(t.info)
            for f in t.info.fields:
                self._initialise(f.type)

    # ---- code ----

    def visit(self, root: c_ast.Node, user: c_ast.FuncDef | Symbol | None) -> None:
        """Collect what ``root`` uses. ``user`` is the function or variable to which it belongs, or None."""
        unused: set[c_ast.Node] = set()  # the alternatives that _Generic and type-generic functions do not choose
        called: set[c_ast.Node] = set()
        for node in walk(root, clauses=True):
            if node in unused:
                continue
            if type(node).__name__ == "GenericSelection":
                chosen = self.sema.generic_branch(node)
                others = [node.expr, *(a.expr for a in node.associations if a.expr is not chosen)]
                unused.update(n for other in others for n in walk(other))
            elif (call := self.sema.type_generic_call(node)) is not None:
                unused.update(set(node.args.exprs).difference([call[0], *call[1]]))
            if isinstance(node, c_ast.FuncCall):
                called.add(node.name)
            if isinstance(node, c_ast.ID):
                symbol = self.sema.symbol(node)
                if symbol is not None:
                    self._use(symbol, node, user)
                    if symbol.is_function and node not in called:
                        self._check_address(symbol, node)
            try:
                if isinstance(node, _TYPED):
                    self.need(self.sema.type(node))
                    if isinstance(node, c_ast.CompoundLiteral) and isinstance(user, Symbol):
                        self._initialise(self.sema.type(node))
                elif isinstance(node, c_ast.Decl) and node.name is not None:
                    self.need(t := self.sema.decl_symbol(node).type)
                    if node.init is not None and "static" in node.storage:
                        self._initialise(t)
                elif isinstance(node, c_ast.Typename):
                    self.need(self.sema.resolve_type(node))
            except InternalError:  # it is no expression: the name of a member, a declaration or a builtin's operand
                continue

    def _use(self, symbol: Symbol, node: c_ast.ID, user: c_ast.FuncDef | Symbol | None) -> None:
        if symbol.is_function:
            if not symbol.is_global:
                message = f"the nested function '{symbol.name}' cannot be called in device code"
                raise error_at(self.unit.span_of(node), message)
            self.use_function(symbol, node)
        elif symbol.is_enumerator:
            self._use_enumerator(symbol)
        elif symbol.is_object and (symbol.is_global or symbol in self.declared):
            self._use_global(symbol, node, user)
        elif symbol.is_static and isinstance(user, Symbol):
            message = f"'{symbol.name}', whose address '{user.name}' holds, is not on the device"
            raise error_at(self.unit.span_of(node), message, "list it in the declare target directive, too")

    def _check_address(self, symbol: Symbol, node: c_ast.ID) -> None:
        if library_name(symbol.name) in ONLY_CALLED and symbol in self.system_symbols:
            message = f"'{symbol.name}' can be called in device code, but its address cannot be taken there"
            raise error_at(self.unit.span_of(node), message)

    def _use_enumerator(self, symbol: Symbol) -> None:
        if (symbol, True) in self._symbols:
            return
        self._symbols.add((symbol, True))
        if self._origin(symbol.node) is not None:
            self.system_symbols.add(symbol)
        else:
            self.enumerators.append(symbol)

    def _use_global(self, symbol: Symbol, node: c_ast.ID, user: c_ast.FuncDef | Symbol | None) -> None:
        if symbol in self._initialised:
            message = f"the initialiser of '{symbol.name}' leads to itself, which CUDA does not support"
            raise error_at(self.unit.span_of(node), message)
        is_captured = user is None and symbol not in self.tables
        key = symbol, is_captured
        if key in self._symbols:
            return
        self._symbols.add(key)
        if not is_captured and _THREAD_LOCAL.intersection(getattr(symbol.node, "storage", ())):
            message = f"'{symbol.name}' is thread-local, which device code does not support"
            raise error_at(self.unit.span_of(node), message)
        if self._origin(symbol.node) is not None:
            raise error_at(self.unit.span_of(node), f"'{symbol.name}' of the C library cannot be used in device code")
        is_linked = symbol in self.links or symbol in self.shared
        if symbol.definition is None and not is_linked and (not is_captured or symbol in self.declared):
            self.undefined.append((symbol, node))
            return
        if symbol.definition is None and symbol in self.shared:
            self.used_elsewhere.append((symbol, node))
        if is_captured:
            self.root_globals.append(symbol)
            return
        definition = symbol.definition
        self.need(symbol.type)
        if isinstance(definition, c_ast.Decl) and definition.init is not None:
            self.sema.analyse(definition)
            self._initialise(symbol.type)
            self._initialised.append(symbol)
            self.visit(definition.init, symbol)
            self._initialised.pop()
        self.globals.append(symbol)

    def use_variable(self, symbol: Symbol) -> None:
        if symbol.definition is not None:
            self._use_global(symbol, c_ast.ID(symbol.name, symbol.coord), symbol)

    def use_function(self, symbol: Symbol, node: c_ast.Node | None = None) -> None:
        name = symbol.name
        funcdef = self.sema.functions.get(name)
        is_system = funcdef is not None and self._origin(funcdef.decl) is not None
        if symbol.node is None:
            raise error_at(self.unit.span_of(node), f"function '{name}' is not declared")
        if name in self.sema.overloaded:
            message = f"'{name}' is declared with several types, which is not supported in device code"
            raise error_at(self.unit.span_of(node), message)
        if library_name(name) is not None and (funcdef is None or is_system):
            self.system_symbols.add(symbol)
            return
        if funcdef is None:
            if (symbol, True) not in self._symbols:
                self._symbols.add((symbol, True))
                if symbol in self.shared:
                    self.need(symbol.type)
                    self.elsewhere.append(symbol)
                    self.used_elsewhere.append((symbol, node or c_ast.ID(name)))
                else:
                    self.undefined.append((symbol, node or c_ast.ID(name)))
            return
        if name in self._state:
            if not self._state[name] and funcdef not in self.prototypes:
                self.prototypes.append(funcdef)
            return
        self._state[name] = False
        if (problem := self.unit.unread.get(self.unit.offset_of(funcdef.body))) is not None:
            raise problem
        if is_system:  # the device unit may include its header too
            self.own_versions[symbol] = None
        self.sema.analyse(funcdef)
        self.need(symbol.type)
        for parameter in self.sema.parameters(funcdef):
            self.need(parameter.type)
            if parameter.node is not None and is_variably_modified(parameter.type):
                self.visit(parameter.node, funcdef)
        self.visit(funcdef.body, funcdef)
        self._state[name] = True
        self.functions.append(funcdef)
