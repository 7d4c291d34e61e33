"""Which variables a part of an analysed tree uses and declares."""

from __future__ import annotations

from pycparser import c_ast

from ...base.records import dataclass
from ...directives.contents import directive_locators
from ..syntax.nodes import OmpConstruct
from .analysis import Sema
from .ctype import C
from .symbols import Symbol
from .traversal import walk
from .type_questions import is_variably_modified


@dataclass(frozen=True)
class Reference:
    """A symbol that a part of the tree uses. ``node`` is the first ``ID`` that names it.

    With ``in_clause_only``, it is only a list item of clauses and never evaluated. ``node`` is then that OmpConstruct.
    """

    symbol: Symbol
    node: c_ast.Node
    in_clause_only: bool


def free_variables(sema: Sema, node: c_ast.Node) -> list[Reference]:
    """The variables that ``node`` uses but does not declare, in the order of their first use.

    They are locals of the enclosing function, parameters and globals. List items in clauses of OmpConstructs at or
    below ``node`` count, and operands of ``typeof`` do not.
    """
    inside: set[Symbol] = set()
    found: dict[Symbol, Reference] = {}
    in_types: set[c_ast.Node] = set()
    types, symbols, declared_by = sema.types, sema.symbols, sema.declared
    for n in sema.parts(node, clauses=True).nodes:
        if n.__class__ is c_ast.Constant:
            continue
        if type(n).__name__ == "TypeOf" and n not in in_types and not is_variably_modified(types.get(n.expr, C.VOID)):
            in_types.update(walk(n))
        if isinstance(n, c_ast.ID) and n not in in_types:
            symbol = symbols.get(n)
            if symbol is not None and symbol.is_variable and (symbol not in found or found[symbol].in_clause_only):
                found[symbol] = Reference(symbol, n, False)
        elif isinstance(n, c_ast.Decl):
            declared = declared_by.get(n)
            if declared is not None and not declared.is_global:
                inside.add(declared)
        elif isinstance(n, OmpConstruct):
            for symbol in _listed(sema, n):
                found.setdefault(symbol, Reference(symbol, n, True))
    return [r for s, r in found.items() if s not in inside and s.node is not None]


def _listed(sema: Sema, construct: OmpConstruct) -> list[Symbol]:
    names = (sema.lookup(construct, locator.name) for locator in directive_locators(construct.directive))
    return [s for s in names if s is not None and s.is_variable]


def _declared_in(sema: Sema, node: c_ast.Node) -> dict[Symbol, None]:
    declared = sema.declared
    return dict.fromkeys(declared[n] for n in sema.parts(node).nodes if n in declared)


def locals_of(sema: Sema, node: c_ast.Node) -> tuple[Symbol, ...]:
    """The variables that ``node`` and the nodes below it declare, static ones too, in source order."""
    found = _declared_in(sema, node)
    return tuple(s for s in found if s.is_variable and not s.is_global)


def globals_declared_again(sema: Sema, node: c_ast.Node) -> tuple[Symbol, ...]:
    """The file-scope variables and functions that are declared again in the blocks of ``node``."""
    found = _declared_in(sema, node)
    return tuple(s for s in found if s.is_global and (s.is_object or s.is_function))
