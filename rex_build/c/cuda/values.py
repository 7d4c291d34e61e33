"""Parts of structures that are values and not objects. C has addresses of them, while C++ has none or other ones.

Source: C11, 6.2.4p8 (temporary lifetime).
"""

from __future__ import annotations

from pycparser import c_ast

from ..sema import Sema
from ..sema.ctype import Array
from ..syntax.parser import StmtExpr

# Expressions that are a structure's value in C, but may be the structure itself in C++.
_CHOSEN = (c_ast.TernaryOp, c_ast.Assignment, c_ast.ExprList)


def base_of(sema: Sema, part: c_ast.Node) -> c_ast.Node:
    """The expression of which an expression designates a part."""
    while True:
        if isinstance(part, c_ast.ArrayRef):
            array = part.subscript if isinstance(sema.type(part.subscript), Array) else part.name
            if not isinstance(sema.type(array), Array):
                return part
            part = array
        elif isinstance(part, c_ast.StructRef) and part.type == ".":
            part = part.name
        else:
            return part


def value_of(sema: Sema, part: c_ast.Node) -> c_ast.Node | None:
    """The value of which an expression designates a part, or None if that is an object."""
    base = base_of(sema, part)
    return base if base is not part and isinstance(base, (*_CHOSEN, c_ast.FuncCall, StmtExpr)) else None


def is_chosen(value: c_ast.Node) -> bool:
    """Whether C++ would use an object of the program in place of the value."""
    return isinstance(value, _CHOSEN)


def element_of_value(sema: Sema, part: c_ast.Node) -> c_ast.ArrayRef | None:
    """The innermost array element of which an expression designates a part, if the array belongs to a value."""
    node = part
    while isinstance(node, c_ast.StructRef) and node.type == ".":
        node = node.name
    return node if isinstance(node, c_ast.ArrayRef) and value_of(sema, node) is not None else None
