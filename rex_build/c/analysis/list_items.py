"""What C says of the list items of a construct, and of ``target data``, ``target enter data``, ``target exit data``
and ``target update``, for the rows of both languages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pycparser import c_ast

from ...base.diagnostics import Replacement, error_at
from ...base.names import GeneratedNames
from ...base.records import dataclass, field
from ...directives.contents import clause_iterators, clause_locators, directive_expressions
from ...directives.model import Clause, Expr, ListClause, Locator, Step
from ...openmp import data as decided
from ...openmp.data import Shadow
from ...openmp.list_items import DeclaredMapper, TaskVariable, is_length
from ...openmp.mapping import Mapper, MapperTable, declared_mapper
from ...plan.constructs import Entity
from ...plan.host_expression import HostExpression, Target, Variable
from ...plan.unit import DataConstruct
from ...tree import types as tree
from ...tree.nodes import Body, FunctionAddress
from ...tree.values import same_value
from ..reading.statements import reader_of
from ..sema import Sema, Symbol, walk
from ..sema.ctype import CType, EnumType, Pointer, Scalar, declare, has_name, strip
from ..sema.type_questions import decay, is_array, is_pointer, is_record
from ..source.tokens import closing, statement_end
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .host_expressions import host_expression, replaced_names
from .optimise.accesses import calls_of

_OF_VARIABLES = frozenset(("private", "firstprivate", "lastprivate", "shared", "map"))


def pure(node: c_ast.Node, sema: Sema | None = None) -> bool:
    """Whether evaluating an expression twice is the same as evaluating it once. With ``sema``, the expression may call
    functions of the unit whose results depend on nothing but their arguments."""
    for part in walk(node):
        if isinstance(part, c_ast.FuncCall):
            callee = reader_of(sema).value(part.name) if sema is not None else None
            function = callee.function if isinstance(callee, FunctionAddress) else None
            if sema is None or function is None or not (function.defined and calls_of(sema).only_computes(function)):
                return False
        if isinstance(part, c_ast.Assignment) or type(part).__name__ == "StmtExpr":
            return False
        if isinstance(part, c_ast.UnaryOp) and part.op in ("++", "--", "p++", "p--"):
            return False
    return True


@dataclass(frozen=True)
class HostNames:
    """How the host reaches variables that are not simply passed to the kernel.

    - ``generated`` gives names to what the host block declares.
    - ``links`` are ``declare target link`` variables, each with the pointer through which device code reaches it.
    - ``renamed`` are variables that an enclosing ``use_device_addr`` replaces, each with the expression for it.
    - ``declared`` are the other declare target variables.
    - ``stored`` are pointers that data constructs may map themselves.
    - ``carrying`` are objects and types in which data constructs map pointers for the sections behind them.
    """

    generated: GeneratedNames = GeneratedNames()
    links: Mapping[Entity, str] = field(default_factory=dict)
    renamed: Mapping[Symbol, HostExpression] = field(default_factory=dict)
    declared: frozenset[Symbol] = frozenset()
    threadprivate: frozenset[Symbol] = frozenset()
    stored: frozenset[Entity] = frozenset()
    carrying: frozenset[Entity | tree.RecordInfo] = frozenset()


class ListItems:
    """The list items of a construct (see :class:`~rex_build.openmp.list_items.ListItems`).

    ``members`` are pointers in structures by value, each with the expression for it."""

    maps_references = True

    def __init__(
        self, sema: Sema, construct: OmpConstruct, names: HostNames | None = None, mappers: MapperTable | None = None
    ) -> None:
        self.sema, self.construct = sema, construct
        self.names, self._mappers = names or HostNames(), mappers or MapperTable()
        self._types = reader_of(sema).types
        self._shapes: set[tree.Type] = set()
        self.members: dict[Entity, HostExpression] = {}

    def rows(self) -> Mapper:
        """The rows of the construct, which has none yet."""
        names = self.names
        return Mapper(
            self, self.construct.directive.name, names.generated.fresh, may_carry=bool(names.carrying),
            links=names.links, declared=names.declared, stored=names.stored,
        )  # fmt: skip

    def variable(self, symbol: Entity) -> HostExpression:
        assert isinstance(symbol, Symbol)
        return self.names.renamed.get(symbol) or self.members.get(symbol) or Variable(symbol.name)

    def type_of(self, symbol: Symbol) -> tree.Type:
        return self._types.type(symbol.type)

    def begin(self, locator: Locator) -> tuple[Symbol, tree.Type, tuple[Step, ...]]:
        symbol = named_symbol(self.sema, self.construct, locator)
        kind = self.type_of(symbol)
        if locator.shape:
            if not isinstance(symbol.type, Pointer):
                raise error_at(locator.span, f"'{symbol.name}' is not a pointer", "OpenMP 5.2, section 3.2.4")
            kind = self._types.type(symbol.type.to)
            for expr in reversed(locator.shape):
                value = self.sema.value(expr.node)
                kind = tree.Array(kind, self._types.length(expr.node) if value is None else value)
                self._shapes.add(kind)
        return symbol, kind, locator.steps

    def member(self, record: tree.Type, name: str) -> tuple[tree.Type, int | None, bool] | None:
        return tree.member_of(record, name)

    def is_length(self, expr: Expr, array: tree.Array) -> bool:
        length = self._types.written_length(array)
        if length is None:
            return False
        reader, sema = reader_of(self.sema), self.sema
        given, known = reader.value(expr.node), reader.value(length)
        if array in self._shapes:  # the same directive says it, so no time passes
            return same_value(given, known)

        def body_of(variable: Entity) -> Body | None:
            assert isinstance(variable, Symbol)
            function = sema.functions.get(variable.function or "")
            return reader.body(function) if function is not None else None

        return is_length(given, known, array, body_of)

    def value(self, expr: Expr, names: Mapping[str, HostExpression] | None = None) -> HostExpression:
        return host_expression(self.sema, expr) if names is None else replaced_names(expr, names)

    def is_pure(self, expr: Expr, *, repeated: bool) -> bool:
        return pure(expr.node, self.sema if repeated else None)

    def named_in(self, expr: Expr) -> Iterable[Symbol]:
        found = (self.sema.symbol(node) for node in walk(expr.node) if isinstance(node, c_ast.ID))
        return [s for s in found if s is not None and s.is_variable and s.node is not None]

    def in_task(self, variable: Entity) -> TaskVariable:
        assert isinstance(variable, Symbol)
        kind, names = variable.type, self.names
        is_value = isinstance(strip(kind), Pointer | Scalar | EnumType)
        is_value = is_value and {"volatile", "_Atomic"}.isdisjoint(kind.quals)
        is_hosts = not any(variable in group for group in (names.links, names.declared, names.threadprivate))
        return TaskVariable(variable.name, is_pointer(kind), is_value and is_hosts, not variable.is_global)

    def mapper(self, record: tree.Type, name: str, _item: Locator) -> DeclaredMapper | None:
        if not self._mappers.mappers or not isinstance(record, tree.Record):
            return None
        info = self._types.declaration(record)
        return self._mappers.find((info,), name, self.construct.start) if info is not None else None

    def hidden(self, mapper: DeclaredMapper) -> str | None:
        directive = mapper.directive
        own = {mapper.variable, *(i.name for c in directive.clauses for i in clause_iterators(c))}
        nodes = [node for e in directive_expressions(directive) for node in walk(e.node)]
        members = {node.field for node in nodes if isinstance(node, c_ast.StructRef)}
        named = [n.name for n in nodes if isinstance(n, c_ast.ID) and n.name not in own and n not in members]
        lookup, there = self.sema.lookup, mapper.construct
        return next((n for n in named if lookup(there, n) is not lookup(self.construct, n)), None)


def mapper_table(unit: ParsedUnit, sema: Sema) -> MapperTable:
    """Every mapper of a unit. Raises InputError if one is malformed."""
    found: list[DeclaredMapper] = []

    def add(construct: OmpConstruct, end: int) -> None:
        def type_of(text: str) -> CType | None:
            kind = sema.named_type(construct, text)
            return strip(kind) if kind is not None and is_record(kind) else None

        found.append(declared_mapper(construct, end, type_of))

    text = unit.pre.text
    for item in unit.ast.ext if "mapper" in text else ():
        if isinstance(item, OmpConstruct):
            if item.directive.name == "declare mapper":
                add(item, len(text))
            continue
        for block in walk(item) if type(item).__name__ == "FuncDef" else ():
            for node in getattr(block, "block_items", None) or ():
                if isinstance(node, OmpConstruct) and node.directive.name == "declare mapper":
                    sema.analyse(item)
                    add(node, closing(text, unit.offset_of(block)))
    return MapperTable(found, lambda kind: kind.info)


def check_named(sema: Sema, construct: OmpConstruct, clause: Clause) -> None:
    """Raise InputError if a clause lists what is no variable."""
    for item in clause_locators(clause) if clause.name in _OF_VARIABLES else ():
        named_symbol(sema, construct, item)


def named_symbol(sema: Sema, construct: OmpConstruct, item: Locator) -> Symbol:
    """The variable with which a list item begins. Raises InputError if there is no variable of that name."""
    symbol = sema.lookup(construct, item.name)
    if symbol is None:
        raise error_at(item.span, f"'{item.name}' is not declared")
    if not symbol.is_variable:
        raise error_at(item.span, f"'{item.name}' is not a variable")
    return symbol


def data_construct(
    unit: ParsedUnit, sema: Sema, function: str, construct: OmpConstruct, names: HostNames, mappers: MapperTable
) -> DataConstruct:
    """Decide one data construct. Raises InputError for list items that cannot be mapped."""
    directive, text = construct.directive, unit.pre.text
    list_items = ListItems(sema, construct, names, mappers)
    rows, pragma_end = list_items.rows(), text.index("\n", construct.start)
    end = statement_end(text, pragma_end) if directive.name == "target data" else pragma_end

    def shadow(item: Locator) -> Shadow:
        return _shadow(unit, sema, construct, list_items, item)

    return decided.data_construct(
        directive, rows, function, (construct.start, pragma_end, end), shadow
    )  # fmt: skip


def renamed_pointer(names: GeneratedNames, symbol: Symbol) -> str:
    """The variable that holds the device address of a variable in ``use_device_addr`` that is no pointer or array."""
    return names.fresh(f"__rex_address_of_{symbol.name}")


def renamed_symbols(
    sema: Sema, names: GeneratedNames, constructs: Iterable[OmpConstruct]
) -> dict[OmpConstruct, dict[Symbol, HostExpression]]:
    """For each construct inside ``target data use_device_addr``, how host text names the variables listed there."""
    found: dict[OmpConstruct, dict[Symbol, HostExpression]] = {}
    for construct in constructs:  # outer ones come first, and inner ones take precedence
        for clause in construct.directive.all("use_device_addr", "use_device_ptr"):
            for item in clause.items if isinstance(clause, ListClause) else ():
                symbol = sema.lookup(construct, item.name)
                if symbol is None or is_pointer(symbol.type) or is_array(symbol.type) or construct.body is None:
                    continue
                for node in walk(construct.body):
                    if isinstance(node, OmpConstruct):
                        found.setdefault(node, {})[symbol] = Target(Variable(renamed_pointer(names, symbol)))
    return found


def _pointer(symbol: Symbol, kind: CType, name: str) -> str:
    """The declaration of the pointer ``name`` to what ``symbol`` is, holds or points to."""
    if has_name(kind):
        return declare(kind, name)
    depth = "&" if not is_pointer(symbol.type) and not is_array(symbol.type) else ""
    return f"__typeof__({depth}{symbol.name}{'' if depth else ' + 0'}) {name}"


def _shadow(unit: ParsedUnit, sema: Sema, construct: OmpConstruct, items: ListItems, item: Locator) -> Shadow:
    """A pointer or an array is shadowed by a pointer of its name. Where others are mentioned, the text is replaced."""
    symbol = named_symbol(sema, construct, item)
    host = items.variable(symbol)
    if is_pointer(symbol.type) or is_array(symbol.type):
        return Shadow(symbol, host, "pointer", _pointer(symbol, strip(decay(symbol.type)), symbol.name))
    name = renamed_pointer(items.names.generated, symbol)
    starts = (unit.offset_of(n) for n in walk(construct.body) if isinstance(n, c_ast.ID) and sema.symbol(n) is symbol)
    renames = [Replacement(start, start + len(symbol.name), f"(*{name})") for start in starts]
    return Shadow(symbol, host, "", _pointer(symbol, Pointer(strip(symbol.type)), name), renames=renames)
