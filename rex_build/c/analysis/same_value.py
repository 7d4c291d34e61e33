"""Whether two expressions surely have the same value, although they are evaluated at different times.

The length of a variable-length array is the value that its expression had when the array was declared. If a section
spells the same length later, it means the same number only if nothing has changed the variables in between.
"""

from __future__ import annotations

from pycparser import c_ast

from ...directives.contents import directive_locators
from ..sema import Sema, Symbol, walk
from ..sema.type_questions import is_integer
from ..syntax.nodes import OmpConstruct
from ..syntax.parser import Assembly

_OPERATORS = frozenset(("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "~"))
_STEPS = frozenset(("++", "--", "p++", "p--"))
_KEEP = frozenset(("firstprivate", "shared", "to"))  # with these clauses, a variable or its copy keeps its value
_Position = tuple[int, int]


def same_value(sema: Sema, later: c_ast.Node, earlier: c_ast.Node, *, at_once: bool = False) -> bool:
    """Whether ``later`` has the value that ``earlier`` had at its place in the text.

    With ``at_once``, both belong to the same directive, so no time passes between them. The answer is False if equality
    is not proved: because names mean different variables, a variable may have been changed since, directly or through a
    pointer, or an operator may give another value the second time.
    """
    if isinstance(later, c_ast.ID) and isinstance(earlier, c_ast.ID):
        symbol = sema.symbol(later)
        if symbol is None or symbol is not sema.symbol(earlier):
            return False
        return symbol.is_enumerator or at_once or not _may_have_changed(sema, symbol, earlier)
    if type(later) is not type(earlier):
        return False
    if isinstance(later, c_ast.Constant):
        return bool(later.type == earlier.type and later.value == earlier.value)
    if not isinstance(later, c_ast.BinaryOp | c_ast.UnaryOp) or later.op != earlier.op or later.op not in _OPERATORS:
        return False
    operands = zip(later, earlier, strict=True)
    return all(same_value(sema, new, old, at_once=at_once) for new, old in operands)


def _may_have_changed(sema: Sema, symbol: Symbol, since: c_ast.Node) -> bool:
    """Whether a variable may have changed after ``since`` mentions it, while the declaration there is in scope.

    Control leaves the scope before it comes back to text in front of the declaration. So only the text after it
    matters.
    """
    qualifiers = symbol.type.quals
    if not is_integer(symbol.type) or {"volatile", "_Atomic"} & set(qualifiers):
        return True
    if "const" in qualifiers:
        return False
    function = sema.functions.get(symbol.function or "")
    place = _position(since)
    if symbol.is_global or symbol.has_static_storage or function is None or place is None:
        return True
    nested = {inner for n in walk(function.body) if isinstance(n, c_ast.FuncDef) for inner in walk(n)}
    for node in walk(function.body):
        if _changes(sema, node, symbol):
            position = _position(node)
            by_address = isinstance(node, c_ast.UnaryOp | Assembly) and getattr(node, "op", "&") == "&"
            if by_address or node in nested or position is None or position > place:
                return True
    return False


def _changes(sema: Sema, node: c_ast.Node, symbol: Symbol) -> bool:
    """Whether a node assigns to a variable, lets other code do so, or makes a copy of it with another value."""
    if isinstance(node, Assembly):
        return True  # it may change any variable, as its operands are not in the tree
    if isinstance(node, c_ast.Assignment):
        return _mentions(sema, node.lvalue, symbol)
    if isinstance(node, c_ast.UnaryOp):
        return (node.op == "&" or node.op in _STEPS) and _mentions(sema, node.expr, symbol)
    if isinstance(node, OmpConstruct):
        kept = {item for c in node.directive.all(*_KEEP) for item in getattr(c, "items", ())}
        return any(item.name == symbol.name and item not in kept for item in directive_locators(node.directive))
    return False


def _mentions(sema: Sema, lvalue: c_ast.Node, symbol: Symbol) -> bool:
    """Whether an lvalue may be a scalar variable itself, and does not only use it as an index or pointer."""
    while isinstance(lvalue, c_ast.StructRef | c_ast.ArrayRef):
        lvalue = lvalue.name
    return any(isinstance(n, c_ast.ID) and sema.symbol(n) is symbol for n in walk(lvalue))


def _position(node: c_ast.Node) -> _Position | None:
    coord = getattr(node, "coord", None)
    return (coord.line, coord.column or 0) if coord is not None else None
