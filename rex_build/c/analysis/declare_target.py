"""Finds what ``declare target`` directives put on the device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...base.records import dataclass
from ...directives.model import ExprClause, KeywordClause, ListClause, Locator
from ...directives.parser import check_lowered
from ..sema import Sema, Symbol, walk
from ..sema.type_questions import is_variably_modified
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .found import DECLARE_TARGET


@dataclass(frozen=True)
class DeclaredTarget:
    """``named`` has the variables and functions, each with its directive and the clause (``to`` or ``link``).

    ``pragmas`` are the offsets of the directives. ``hosts`` are the variables that the device shares with the host,
    because the unit requires shared memory.
    """

    named: Mapping[Symbol, tuple[OmpConstruct, str]]
    pragmas: tuple[int, ...]
    hosts: tuple[Symbol, ...] = ()

    @property
    def on_device(self) -> list[Symbol]:
        """The variables and functions with a version on the device."""
        return [symbol for symbol, (item, _) in self.named.items() if device_type(item) != "host"]

    @property
    def stored(self) -> list[Symbol]:
        """The variables with storage on the device."""
        links = self.links
        return [s for s in self.on_device if s.is_object and s not in links]

    @property
    def links(self) -> list[Symbol]:
        """The variables to which the device has a pointer."""
        return [*self.hosts, *(s for s in self.on_device if self.named[s][1] == "link" and s not in self.hosts)]


def declared_target(unit: ParsedUnit, sema: Sema, in_blocks: Sequence[OmpConstruct]) -> DeclaredTarget:
    """What the directives of a unit name. ``in_blocks`` are directives inside functions."""
    named: dict[Symbol, tuple[OmpConstruct, str]] = {}
    pragmas: list[int] = []
    open_blocks: list[OmpConstruct] = []
    for item in (*unit.ast.ext, *in_blocks):
        if isinstance(item, OmpConstruct) and item.directive.name in DECLARE_TARGET:
            directive = item.directive
            check_lowered(directive)
            pragmas.append(item.start)
            items = [(locator, "to") for locator in directive.arguments]
            for clause in directive.clauses:
                if isinstance(clause, ListClause):
                    items += [(locator, "link" if clause.name == "link" else "to") for locator in clause.items]
            for locator, how in items:
                _declare_one(unit, sema, named, item, locator, how)
            if item in in_blocks and not items:
                what = f"'{directive.name}' around declarations of a block is not supported"
                raise error_at(directive.span, what, "OpenMP 5.2, section 7.8: declare target directives")
            if directive.name == "end declare target":
                if not open_blocks:
                    raise error_at(directive.span, "'end declare target' without a 'declare target' before it")
                open_blocks.pop()
            elif not items:
                open_blocks.append(item)
        elif open_blocks and isinstance(item, (c_ast.Decl, c_ast.FuncDef)):
            name = item.name if isinstance(item, c_ast.Decl) else item.decl.name
            symbol = sema.file_symbol(name) if name else None
            if symbol is not None and (symbol.is_object or symbol.is_function) and symbol not in named:
                named[symbol] = (open_blocks[-1], "to")
    if open_blocks:
        raise error_at(open_blocks[-1].directive.span, "'declare target' without an 'end declare target' after it")
    return DeclaredTarget(named, tuple(pragmas))


def _declare_one(
    unit: ParsedUnit,
    sema: Sema,
    named: dict[Symbol, tuple[OmpConstruct, str]],
    item: OmpConstruct,
    locator: Locator,
    how: str,
) -> None:
    rule = "OpenMP 5.2, section 7.8.1: declare target"
    symbol = sema.lookup(item, locator.name)
    if symbol is None:
        raise error_at(locator.span, f"'{locator.name}' is not declared")
    if symbol.is_variable and not symbol.is_global:
        _check_static(sema, symbol, locator, how)
    if locator.steps or not (symbol.is_object or symbol.is_function):
        raise error_at(locator.span, f"'{locator.text}' is neither a variable nor a function", rule)
    if how == "link" and symbol.is_function:
        raise error_at(locator.span, f"'{locator.name}' in 'link' is not a variable", rule)
    if (how == "link" or item.directive.has("indirect")) and symbol.node not in unit.ast.ext:
        raise error_at(locator.span, f"'{locator.name}' is not declared at file scope, where its address is needed")
    before = named.get(symbol)
    if before is not None and before[1] != how and before[0].directive.has("to", "enter", "link"):
        raise error_at(locator.span, f"'{locator.name}' is in a 'link' and in a 'to' or 'enter' clause", rule)
    named[symbol] = (item, how)


def _check_static(sema: Sema, symbol: Symbol, locator: Locator, how: str) -> None:
    """Raise InputError for variables of a function that cannot be on the device."""
    function = sema.functions[symbol.function or ""]
    nested = [n for n in walk(function.body) if isinstance(n, c_ast.FuncDef)]
    what = None
    if not symbol.is_static:
        what = "is not static: its storage does not last"
    elif how == "link":
        what = "is a variable of a function, for which 'link' is not supported"
    elif is_variably_modified(symbol.type):
        what = "has a type of variable size"
    elif "inline" in function.decl.funcspec and "static" not in function.decl.storage:
        what = "belongs to an inline function that is not static, whose code may be another unit's"
    elif any(n is symbol.node for f in nested for n in walk(f.body)):
        what = "belongs to a nested function, which is not supported"
    if what is not None:
        raise error_at(locator.span, f"'{locator.name}' {what}", "OpenMP 5.2, section 7.8.1: declare target")


def device_type(item: OmpConstruct) -> str:
    """The devices that a directive is for: ``any``, ``nohost`` or ``host``."""
    clause = item.directive.clause("device_type")
    return clause.value if isinstance(clause, KeywordClause) else "any"


def indirect_functions(sema: Sema, declared: DeclaredTarget, shared: frozenset[Symbol]) -> tuple[Symbol, ...]:
    """The functions that the device can call by their host addresses (OpenMP 5.2, section 7.8.3).

    They have a definition here, or in another unit of a separable link.
    """
    found = []
    for symbol, (item, _) in declared.named.items():
        clause = item.directive.clause("indirect")
        if not symbol.is_function or not isinstance(clause, ExprClause):
            continue
        if clause.expr is not None:
            sema.analyse(clause.expr.node)
        given = sema.value(clause.expr.node) if clause.expr is not None else 1
        if given is None:
            raise error_at(clause.span, "'indirect' takes a constant", "OpenMP 5.2, section 7.8.3")
        if device_type(item) != "any":
            what = "'indirect' needs 'device_type(any)': the function is called on both sides"
            raise error_at(clause.span, what, "OpenMP 5.2, section 7.8.3")
        if given and (symbol.name in sema.functions or symbol in shared):
            found.append(symbol)
    return tuple(found)


def is_shared(symbol: Symbol) -> bool:
    """Whether other units can mean the same object by this name. Every unit has its own inline functions."""
    inline = isinstance(symbol.definition, c_ast.FuncDef) and "inline" in symbol.definition.decl.funcspec
    return not symbol.is_static and not inline
