"""Trees as lines of text in which it does not show what language a program was written in.

What differs between C and C++, and is left out here: the type of a truth value (``int`` or ``bool``), of an enumerator,
of a character and of a null pointer, as all of these are values that are converted at once; qualifiers of pointers'
targets; casts to the type that a value has already; conversions to ``void``; and that C's compound literals are
objects, which are copied, where C++ has values.
"""

from __future__ import annotations

from collections.abc import Iterator

from rex_build.tree import nodes as tree
from rex_build.tree import types

_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))


def type_text(t: types.Type) -> str:
    match t:
        case types.Void():
            return "void"
        case types.Integer():
            return "bool" if t.boolean else f"{'i' if t.signed else 'u'}{t.bits}"
        case types.Floating():
            return f"f{t.digits}"
        case types.Complex():
            return f"complex {type_text(t.of)}"
        case types.Vector():
            return f"vector {type_text(t.of)}"
        case types.Pointer():
            return f"{type_text(t.to)}*"
        case types.Array():
            return f"{type_text(t.of)}[{t.length if isinstance(t.length, int) else ''}]"
        case types.Record():
            return "record"
        case types.Function():
            return "function"
        case types.Unknown():
            return "unknown"


def _is_truth(node: tree.Node) -> bool:
    return (
        isinstance(node, tree.ShortCircuit)
        or (isinstance(node, tree.Binary) and node.operator in _COMPARISONS)
        or (isinstance(node, tree.Unary) and node.operator == "!")
        or (isinstance(node, tree.StatementValue) and node.value is not None and _is_truth(value(node.value)))
        or (isinstance(node, tree.Sequence) and _is_truth(value(node.parts[-1])))
    )


def condition(node: tree.Expression) -> tree.Expression:
    """A condition without the conversion to a truth value."""
    while isinstance(node, tree.Convert) and isinstance(node.type, types.Integer) and node.type.boolean:
        node = node.value
    return node


def value(node: tree.Expression) -> tree.Expression:
    """A value without the conversions that do not show."""
    while True:
        if isinstance(node, tree.Convert) and _is_silent(node):
            node = node.value
        elif isinstance(node, tree.Load) and isinstance(node.place, tree.Temporary):
            node = node.place.initialiser
        else:
            return node


def _is_silent(node: tree.Convert) -> bool:
    inner, t = value(node.value), node.type
    if isinstance(t, types.Void) or type_text(inner.type) == type_text(t):
        return True
    if _is_truth(inner) and isinstance(t, types.Integer):
        return True
    if isinstance(inner, tree.Constant) and isinstance(inner.value, int):
        return isinstance(t, types.Pointer) or (isinstance(t, types.Integer) and t.least <= inner.value <= t.greatest)
    return isinstance(t, types.Pointer) and isinstance(inner.type, types.Pointer)


def lines(node: object, depth: int = 0) -> Iterator[str]:
    """The node and what is in it, a line for each."""
    pad = "  " * depth
    if isinstance(node, tuple):
        for item in node:
            yield from lines(item, depth)
        return
    if not isinstance(node, tree.Node):
        if isinstance(node, types.Member):
            yield f"{pad}.{node.name}"
        elif isinstance(node, int | range):
            yield f"{pad}{node}"
        return
    if isinstance(node, tree.Convert | tree.Constant | tree.Load):
        node = value(node)
    match node:
        case tree.Block(statements=statements):
            if depth == 0 or len(statements) != 1:
                yield f"{pad}Block"
                depth += 1
            yield from lines(_flat(statements), depth)
            return
        case tree.Constant():
            yield f"{pad}{node.value}"
            return
        case tree.Named():
            yield f"{pad}{node.variable.name or 'unnamed'}"
            return
        case tree.FunctionAddress():
            yield f"{pad}{node.function.name.removeprefix('std::')}"
            return
        case tree.Declare():
            yield f"{pad}Declare {node.variable.name} {type_text(node.variable.type)}"
            yield from lines(node.initialiser, depth + 1)
            return
        case tree.If() | tree.Loop() | tree.Conditional() if node.condition is not None:
            yield f"{pad}{type(node).__name__}{' body first' if getattr(node, 'body_first', False) else ''}"
            yield from lines(condition(node.condition), depth + 1)
            for part in tree.children(node):
                if part is not node.condition:
                    yield from lines(part, depth + 1)
            return
        case tree.ShortCircuit():
            yield f"{pad}{node.operator}"
            yield from lines((condition(node.left), condition(node.right)), depth + 1)
            return
        case tree.Unary(operator="!"):
            yield f"{pad}!"
            yield from lines(condition(node.operand), depth + 1)
            return
        case tree.Case():
            yield f"{pad}Case {node.values}"
            return
        case tree.Construct():
            yield f"{pad}Construct {node.directive.name}"
            if node.body is not None:
                yield from lines(node.body, depth + 1)
            return
        case tree.Evaluate():
            yield from lines(node.expression, depth)
            return
        case tree.Aggregate():
            yield f"{pad}Aggregate"
            for steps, part in node.parts:
                yield from lines((steps, part), depth + 1)
            return
    if isinstance(node, tree.Load) and isinstance(node.type, types.Array):  # of a literal, perhaps cut to its array
        yield f"{pad}Load text"
        return
    shown = [type(node).__name__]
    if not _is_truth(node) and hasattr(node, "type"):
        shown.append(type_text(node.type))
    shown += [str(getattr(node, name)) for name in ("operator", "old", "backward") if hasattr(node, name)]
    if isinstance(node, tree.Update):
        shown.append(type_text(node.computed))
    if isinstance(node, tree.Part):
        shown.append(node.member.name)
    if isinstance(node, tree.Target | tree.Goto):
        shown.append(node.label.name if node.label is not None else "")
    yield pad + " ".join(shown)
    for part in tree.children(node):
        yield from lines(part, depth + 1)


def _flat(statements: tuple[tree.Statement, ...]) -> tuple[tree.Statement, ...]:
    """Statements without the blocks that hold one or none."""
    found: list[tree.Statement] = []
    for one in statements:
        if isinstance(one, tree.Block) and len(one.statements) <= 1:
            found += _flat(one.statements)
        else:
            found.append(one)
    return tuple(found)
