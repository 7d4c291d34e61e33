"""Finds where control can go: declarations that a jump passes, and statements whose end is not reached."""

from __future__ import annotations

from pycparser import c_ast

from ..syntax.parser import Cleanup


def crossed_declarations(root: c_ast.Node) -> set[c_ast.Node]:
    """The declarations, ``for`` loops with declarations, and clean-ups that a jump into their scope passes.

    Jumps to a ``case`` directly inside its ``switch`` do not count.
    """
    # A place is the number of nodes before it, and the blocks around it.
    jumps: dict[str, list[tuple[int, tuple[c_ast.Node, ...]]]] = {}  # by label
    labels: list[tuple[str, int, frozenset[c_ast.Node]]] = []
    declarations: list[tuple[c_ast.Node, int, c_ast.Node]] = []
    stack: list[tuple[c_ast.Node, tuple[c_ast.Node, ...], tuple[int, tuple[c_ast.Node, ...]] | None]] = []
    stack.append((root, (), None))
    position = 0
    while stack:
        node, blocks, switch = stack.pop()
        position += 1
        match node:
            case c_ast.Goto():
                jumps.setdefault(node.name, []).append((position, blocks))
            case c_ast.Label():
                labels.append((node.name, position, frozenset(blocks)))
            case c_ast.Case() | c_ast.Default() if switch is not None and not isinstance(blocks[-1], c_ast.Switch):
                name = f"case {position}"
                jumps[name] = [switch]
                labels.append((name, position, frozenset(blocks)))
            case c_ast.Decl() | Cleanup() if blocks:
                declarations.append((node, position, blocks[-1]))
            case c_ast.Switch():
                body = node.stmt.block_items or [] if isinstance(node.stmt, c_ast.Compound) else [node.stmt]
                stack += [(item, (*blocks, node), (position, blocks)) for item in reversed(body)]
                stack.append((node.cond, blocks, switch))
                continue
            case c_ast.Compound() | c_ast.For():
                blocks = (*blocks, node)
        stack += [(child, blocks, switch) for child in reversed(list(node))]
    crossed: set[c_ast.Node] = set()
    for decl, at, block in declarations:
        entered = (name for name, where, around in labels if at < where and block in around)
        if any(jump < at or block not in outside for name in entered for jump, outside in jumps.get(name, ())):
            crossed.add(block if isinstance(block, c_ast.For) else decl)
    return crossed


def can_complete(node: c_ast.Node | None) -> bool:
    """Whether control can reach the end of the statement. In doubt the answer is yes."""
    match node:
        case c_ast.Return() | c_ast.Goto() | c_ast.Continue() | c_ast.Break():
            return False
        case c_ast.Compound():
            return can_complete(node.block_items[-1]) if node.block_items else True
        case c_ast.If() if node.iffalse is not None:
            return can_complete(node.iftrue) or can_complete(node.iffalse)
        case c_ast.Label():
            return can_complete(node.stmt)
        case c_ast.Case() | c_ast.Default():
            return can_complete(node.stmts[-1]) if node.stmts else True
        case c_ast.While() | c_ast.DoWhile() | c_ast.For():
            return not _always(node.cond) or _breaks(node.stmt)
        case c_ast.Switch(stmt=c_ast.Compound(block_items=[*_, last] as items)):
            if not any(isinstance(item, c_ast.Default) for item in items):
                return True
            return can_complete(last) or any(_breaks(item) for item in items)
    return True


def _always(condition: c_ast.Node | None) -> bool:
    """Whether a loop's condition is obviously true: it is missing, or 1."""
    return condition is None or (isinstance(condition, c_ast.Constant) and condition.value == "1")


def _breaks(node: c_ast.Node) -> bool:
    """Whether the body of a loop or switch has a ``break`` that leaves this loop or switch."""
    if isinstance(node, c_ast.While | c_ast.DoWhile | c_ast.For | c_ast.Switch):
        return False
    return isinstance(node, c_ast.Break) or any(_breaks(child) for child in node)
