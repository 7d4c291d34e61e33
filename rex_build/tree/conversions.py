"""What C and C++ convert in arithmetic, and the types that readers name most often."""

from __future__ import annotations

from . import types as tree

SIZE = tree.Integer(64, False, 8)
INT = tree.Integer(32, True, 4)
BOOL = tree.Integer(1, False, 1, True)
VOID = tree.Void()


def value_of(t: tree.Type) -> tree.Type:
    """The type of a value that is read from an object of type ``t``."""
    if isinstance(t, tree.Array) or not (t.const or t.volatile or t.atomic or t.restrict):
        return t
    return type(t)(**{**vars(t), "const": False, "volatile": False, "atomic": False, "restrict": False})


def promoted(t: tree.Type) -> tree.Type:
    """The type to which the operand of an arithmetic operator is converted by itself (6.3.1.1)."""
    if isinstance(t, tree.Integer) and (t.bits < 32 or (t.bits == 32 and t.size != 4)):
        return tree.Integer(32, t.signed or t.bits < 32, 4)
    return t


def common(a: tree.Type, b: tree.Type) -> tree.Type:
    """The type of an arithmetic operation on two promoted values (6.3.1.8)."""
    if isinstance(a, tree.Vector) or isinstance(b, tree.Vector):
        return a if isinstance(a, tree.Vector) else b
    if isinstance(a, tree.Complex) or isinstance(b, tree.Complex):
        parts = [t.of if isinstance(t, tree.Complex) else t for t in (a, b)]
        real = common(*parts)
        return tree.Complex(real) if isinstance(real, tree.Integer | tree.Floating) else real
    if isinstance(a, tree.Floating) and isinstance(b, tree.Floating):
        return a if a.digits >= b.digits else b
    if isinstance(a, tree.Floating) or isinstance(b, tree.Floating):
        return a if isinstance(a, tree.Floating) else b
    if isinstance(a, tree.Integer) and isinstance(b, tree.Integer):
        if a.bits != b.bits:
            return a if a.bits > b.bits else b
        return a if not a.signed or b.signed else b
    return tree.Unknown("operands of an unusual type")
