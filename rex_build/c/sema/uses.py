"""Which variables a part of an analysed tree uses, changes and declares."""

from __future__ import annotations

from pycparser import c_ast

from ...base.records import dataclass
from ...directives.contents import clause_locators, directive_locators
from ..syntax.nodes import OmpConstruct
from .analysis import Sema
from .ctype import VOID, Array, Pointer, strip
from .symbols import Assignments, Symbol
from .traversal import walk
from .type_questions import is_variably_modified

_MODIFYING_CLAUSES = frozenset(
    ("reduction", "in_reduction", "task_reduction", "lastprivate", "linear", "from", "copyprivate", "copyin")
)
_STEPS = frozenset(("++", "--", "p++", "p--"))
_WITHOUT_VALUE = frozenset(("&", "*", "sizeof", "_Alignof"))  # operators that an array's address does not go through


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
        if type(n).__name__ == "TypeOf" and n not in in_types and not is_variably_modified(types.get(n.expr, VOID)):
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


def assignments(sema: Sema, node: c_ast.Node) -> Assignments:
    """The symbols that ``node`` may modify.

    Writing through a pointer does not count, but taking an address does. Many stages ask this of the same bodies, so
    the answer is remembered.
    """
    return sema.assignments(node, lambda: _assignments(sema, node))


def _assignments(sema: Sema, node: c_ast.Node) -> Assignments:
    result, types = Assignments({}, {}), sema.types
    direct: set[c_ast.Node] = set()  # array expressions that are used without giving their address away
    for n in sema.parts(node, clauses=True).nodes:
        cls = n.__class__  # which is compared, because a pattern takes longer, and these are all nodes of a body
        if cls is c_ast.Constant or cls is c_ast.BinaryOp:
            continue
        if cls is c_ast.ID:
            pass
        elif cls is c_ast.Assignment:
            _note(sema, result.assigned, n.lvalue, n)
        elif cls is c_ast.ArrayRef:
            direct.update((n.name, n.subscript))
        elif cls is c_ast.UnaryOp:
            if n.op in _STEPS:
                _note(sema, result.assigned, n.expr, n)
            elif n.op in _WITHOUT_VALUE:
                direct.add(n.expr)
                if n.op == "&":
                    _note(sema, result.address_taken, n.expr, n)
        elif cls is OmpConstruct:
            _note_clauses(sema, result, n)
        elif isinstance(n, c_ast.StructRef):
            direct.update((n.name, n.field))
        if types.get(n).__class__ is Array and n not in direct:
            _note(sema, result.address_taken, n, n)
    return result


def _note(sema: Sema, into: dict[Symbol, c_ast.Node], lvalue: c_ast.Node, place: c_ast.Node) -> None:
    """Record the variable to which an lvalue belongs, if that needs no pointer."""
    types, symbols = sema.types, sema.symbols
    while True:
        match lvalue:
            case c_ast.ID():
                symbol = symbols.get(lvalue)
                if symbol is not None and symbol.is_variable:
                    into.setdefault(symbol, place)
                return
            case c_ast.StructRef(type="."):
                lvalue = lvalue.name
            case c_ast.UnaryOp(op="__real__" | "__imag__"):
                lvalue = lvalue.expr
            case c_ast.StructRef() | c_ast.ArrayRef() if isinstance(types.get(lvalue.name), Array):
                lvalue = lvalue.name
            case c_ast.ArrayRef() if isinstance(types.get(lvalue.subscript), Array):
                lvalue = lvalue.subscript
            case c_ast.UnaryOp(op="*") if isinstance(types.get(lvalue.expr), Array):
                lvalue = lvalue.expr
            case c_ast.TernaryOp():
                _note(sema, into, lvalue.iftrue or lvalue.cond, place)
                lvalue = lvalue.iffalse
            case _:
                return


def _note_clauses(sema: Sema, result: Assignments, construct: OmpConstruct) -> None:
    for clause in construct.directive.clauses:
        writes_back = clause.name == "map" and getattr(clause, "map_type", "") in ("from", "tofrom")
        if clause.name not in _MODIFYING_CLAUSES and not writes_back:
            continue
        for locator in clause_locators(clause):
            symbol = sema.lookup(construct, locator.name)
            if symbol is None or not symbol.is_variable:
                continue
            through = writes_back and bool(locator.steps) and isinstance(strip(symbol.type), Pointer)
            if not through:  # the pointer itself stays as it is
                result.assigned.setdefault(symbol, construct)


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
