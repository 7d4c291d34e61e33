"""Questions about nodes alone."""

from __future__ import annotations

from collections.abc import Callable

from . import nodes as tree
from .symbols import Function

# The kinds that do nothing but compute a value, or say where something is. All others may act, or are not understood.
_QUIET: tuple[type[tree.Node], ...] = (
    tree.Named, tree.Pointee, tree.Part, tree.Constant, tree.Load, tree.AddressOf, tree.Decay, tree.FunctionAddress,
    tree.Convert, tree.Unary, tree.Binary, tree.Offset, tree.Distance, tree.ShortCircuit, tree.Conditional,
)  # fmt: skip
_NOT_COMPARED = frozenset(("origin", "written"))


def same_value(a: tree.Expression | tree.Place, b: tree.Expression | tree.Place) -> bool:
    """Whether two expressions have the same value, or two places are the same, whenever both are evaluated with the
    same memory. Neither acts then. This is the only question about the form of nodes."""
    stack: list[tuple[object, object]] = [(a, b)]
    while stack:
        x, y = stack.pop()
        if not isinstance(x, tree.Node) or not isinstance(y, tree.Node):
            if type(x) is not type(y) or (repr(x) != repr(y) if isinstance(x, float) else x != y):
                return False
            continue
        if type(x) is not type(y) or not isinstance(x, _QUIET):
            return False
        if isinstance(x, tree.Load) and (x.place.type.volatile or x.place.type.atomic):
            return False
        if isinstance(x, tree.Constant) and x.value is None:
            return False
        fields, others = vars(x), vars(y)
        stack += [(fields[name], others[name]) for name in fields if name not in _NOT_COMPARED]
    return True


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
