"""What always holds in a tree that a reader has made, whatever the program."""

from __future__ import annotations

from collections.abc import Iterator

from rex_build.tree import nodes as tree
from rex_build.tree.nodes import walk
from rex_build.tree.types import (
    Array,
    Complex,
    Floating,
    Function,
    Integer,
    Pointer,
    Record,
    Type,
    Unknown,
    Vector,
    Void,
)

COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
SCALARS = (Integer, Floating, Complex, Pointer)


def is_plain(t: Type) -> bool:
    return not (t.const or t.volatile or t.atomic or t.restrict)


def same(a: Type, b: Type) -> bool:
    """Whether the types are equal, but for qualifiers, for being a reference, and for what nobody knows."""

    def bare(t: Type) -> object:
        names = ("const", "volatile", "atomic", "restrict", "reference")
        return type(t), {name: value for name, value in vars(t).items() if name not in names}

    return bare(a) == bare(b) or isinstance(a, Unknown) or isinstance(b, Unknown)


def problems(root: tree.Node) -> Iterator[str]:
    for node in walk(root):
        for why in _problems(node):
            yield f"{type(node).__name__} {getattr(node, 'operator', '')}: {why}"


def _problems(node: tree.Node) -> Iterator[str]:
    match node:
        case tree.Named(type=t, variable=v) if not same(t, v.type):
            yield f"type {t} of a variable of type {v.type}"
        case tree.Pointee(pointer=p) if not (isinstance(p.type, Pointer | Unknown)):
            yield f"{p.type} is no pointer"
        case tree.Part(whole=w) if not isinstance(w.type, Record | Complex | Vector | Unknown):
            yield f"a part of {w.type}"
        case tree.Load(type=t, place=p) if not same(t, p.type) or not is_plain(t):
            yield f"{t} from {p.type}"
        case tree.Decay(array=a) if not isinstance(a.type, Array | Unknown):
            yield f"decay of {a.type}"
        case tree.Store() | tree.Update() if isinstance(node.place, tree.Temporary) and isinstance(node.type, SCALARS):
            yield "a value without a name is changed"
        case tree.Store(place=p, value=v) if not same(p.type, v.type):
            yield f"{v.type} into {p.type}"
        case tree.Update(place=p, value=v, computed=c, operator=op):
            if not isinstance(c, Pointer) and op not in ("<<", ">>") and not same(v.type, c):
                yield f"{v.type} computed in {c}"
            if isinstance(p.type, Pointer) != isinstance(c, Pointer):
                yield f"{p.type} computed in {c}"
        case tree.Binary(type=t, operator=op, left=a, right=b):
            if op not in ("<<", ">>") and not same(a.type, b.type):
                yield f"{a.type} and {b.type}"
            if op not in COMPARISONS and not same(t, a.type):
                yield f"{t} of {a.type}"
        case tree.Unary(type=t, operator="-" | "~", operand=a) if not same(t, a.type):
            yield f"{t} of {a.type}"
        case tree.Offset(type=t, pointer=p, index=i):
            if not (isinstance(p.type, Pointer) and isinstance(i.type, Integer)) or not same(t, p.type):
                yield f"{t} of {p.type} and {i.type}"
        case tree.Conditional(type=t, condition=c, then=a, otherwise=b):
            if not isinstance(c.type, SCALARS) or not (same(a.type, t) and same(b.type, t)):
                yield f"{c.type} ? {a.type} : {b.type} is {t}"
        case tree.ShortCircuit(left=a, right=b) if not (isinstance(a.type, SCALARS) and isinstance(b.type, SCALARS)):
            yield f"{a.type} and {b.type}"
        case tree.If(condition=c) if not isinstance(c.type, SCALARS):
            yield f"condition {c.type}"
        case tree.Loop(condition=c) if c is not None and not isinstance(c.type, SCALARS):
            yield f"condition {c.type}"
        case tree.Declare(variable=v, initialiser=i) if i is not None and not same(v.type, i.type):
            yield f"{v.type} from {i.type}"
        case tree.Call(type=t, callee=f):
            kind = f.type.to if isinstance(f.type, Pointer) else None
            if not isinstance(kind, Function):
                yield f"a call of {f.type}"
            elif not same(kind.result, t) and not isinstance(kind.result, Void) and not node.constructs:
                yield f"{t} from {kind.result}"
            elif kind.parameters is not None:
                expected = kind.parameters[1:] if node.constructs else kind.parameters
                for argument, parameter in zip(node.arguments, expected, strict=False):
                    if not same(argument.type, parameter):
                        yield f"{argument.type} for {parameter}"
