"""Questions about nodes alone."""

from __future__ import annotations

from collections.abc import Callable

from . import nodes as tree
from .symbols import Function, Variable

# The kinds that do nothing but compute a value, or say where something is. All others may act, or are not understood.
_QUIET: tuple[type[tree.Node], ...] = (
    tree.Named, tree.Pointee, tree.Part, tree.Constant, tree.Load, tree.AddressOf, tree.Decay, tree.FunctionAddress,
    tree.Convert, tree.Unary, tree.Binary, tree.Offset, tree.Distance, tree.ShortCircuit, tree.Conditional,
)  # fmt: skip
_NOT_COMPARED = frozenset(("origin", "written"))
_OF_TEMPORARIES = frozenset((*_NOT_COMPARED, "variable"))


def same_value(a: tree.Expression | tree.Place, b: tree.Expression | tree.Place) -> bool:
    """Whether two expressions have the same value, or two places are the same, whenever both are evaluated with the
    same memory. Neither acts then."""

    def is_quiet(node: tree.Node) -> bool:
        if isinstance(node, tree.Load) and (node.place.type.volatile or node.place.type.atomic):
            return False
        return isinstance(node, _QUIET) and not (isinstance(node, tree.Constant) and node.value is None)

    return _alike(a, b, is_quiet)


def same_form(a: tree.Node, b: tree.Node) -> bool:
    """Whether two nodes are the same but for their places, also where they act. This and :func:`same_value` are the
    only questions about the form of nodes."""
    return _alike(a, b, lambda node: not isinstance(node, tree.Opaque))


def _alike(a: tree.Node, b: tree.Node, compared: Callable[[tree.Node], bool]) -> bool:
    stack: list[tuple[object, object]] = [(a, b)]
    while stack:
        x, y = stack.pop()
        if isinstance(x, tuple) and isinstance(y, tuple) and len(x) == len(y):
            stack += zip(x, y, strict=True)
        elif not isinstance(x, tree.Node) or not isinstance(y, tree.Node):
            if type(x) is not type(y) or (repr(x) != repr(y) if isinstance(x, float) else x != y):
                return False
        elif type(x) is not type(y) or not compared(x):
            return False
        else:
            fields, others = vars(x), vars(y)
            ignored = _OF_TEMPORARIES if isinstance(x, tree.Temporary) else _NOT_COMPARED
            stack += [(fields[name], others[name]) for name in fields if name not in ignored]
    return True


def named_in(*nodes: tree.Node) -> set[Variable]:
    """The variables that parts of the tree mention."""
    return {node.variable for one in nodes for node in tree.walk(one) if isinstance(node, tree.Named)}


def only_statement(node: tree.Statement | None) -> tree.Statement | None:
    """What stands in blocks that have nothing else, or the statement itself."""
    while isinstance(node, tree.Block) and len(node.statements) == 1:
        (node,) = node.statements
    return node


def computes(value: tree.Expression, pure: Callable[[Function], bool]) -> bool:
    """Whether an expression does nothing but read and compute, with calls of ``pure`` functions only."""
    for part in tree.walk(value):
        if isinstance(part, tree.Call):
            if not isinstance(part.callee, tree.FunctionAddress) or not pure(part.callee.function):
                return False
        elif not isinstance(part, (*_QUIET, tree.Sequence)):
            return False
        if isinstance(part, tree.Load) and (part.place.type.volatile or part.place.type.atomic):
            return False
    return True
