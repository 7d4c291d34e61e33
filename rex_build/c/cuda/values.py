"""Parts of structures that are values and no objects: C has addresses of them that C++ has not, or of other objects.

Source: C11, 6.2.4p8 (temporary lifetime).
"""

from __future__ import annotations

from pycparser import c_ast

from ..sema import Sema
from ..sema.ctype import Array
from ..syntax.parser import StmtExpr

# What has the value of a structure in C and may be the structure itself in C++.
_CHOSEN = (c_ast.TernaryOp, c_ast.Assignment, c_ast.ExprList)


def base_of(sema: Sema, part: c_ast.Node) -> c_ast.Node:
    """What an expression designates a part of."""
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
    """The value that an expression designates a part of, None where that is part of an object."""
    base = base_of(sema, part)
    return base if base is not part and isinstance(base, (*_CHOSEN, c_ast.FuncCall, StmtExpr)) else None


def is_chosen(value: c_ast.Node) -> bool:
    """Whether C++ would take an object of the program's for the value."""
    return isinstance(value, _CHOSEN)


def element_of_value(sema: Sema, part: c_ast.Node) -> c_ast.ArrayRef | None:
    """The innermost array element that an expression designates, or a part of, where that is part of a value."""
    node = part
    while isinstance(node, c_ast.StructRef) and node.type == ".":
        node = node.name
    return node if isinstance(node, c_ast.ArrayRef) and value_of(sema, node) is not None else None
