"""What statements and expressions of C are made of (:mod:`rex_build.openmp.forms`)."""

from __future__ import annotations

from collections.abc import Hashable

from pycparser import c_ast

from ...openmp.forms import Assign, Block, Branch, Choice, Operation, Part, Step
from ..syntax.nodes import OmpConstruct


def form_of(node: c_ast.Node) -> Part:
    """The parts of a statement or an expression."""
    match node:
        case c_ast.Compound():
            items = [i for i in node.block_items or [] if not isinstance(i, c_ast.EmptyStatement)]
            return Block(node, node, False, [form_of(item) for item in items])
        case c_ast.Assignment():
            return Assign(node, node, False, form_of(node.lvalue), node.op[:-1], form_of(node.rvalue))
        case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
            return Step(node, node, False, form_of(node.expr), node.op[-1], node.op.startswith("p"))
        case c_ast.BinaryOp():
            return Operation(node, _key(node), False, form_of(node.left), node.op, form_of(node.right))
        case c_ast.TernaryOp() if node.iftrue is not None:
            parts = map(form_of, (node.cond, node.iftrue, node.iffalse))
            return Choice(node, _key(node), False, *parts)
        case c_ast.If():
            otherwise = form_of(node.iffalse) if node.iffalse is not None else None
            return Branch(node, node, False, form_of(node.cond), form_of(node.iftrue), otherwise)
    is_statement = isinstance(node, (c_ast.For, c_ast.While, c_ast.DoWhile, c_ast.Switch, OmpConstruct))
    key = node if is_statement else _key(node)
    return Part(node, key, is_object(node) or isinstance(node, c_ast.CompoundLiteral))


def _key(node: c_ast.Node) -> Hashable:
    """Expressions that are written alike have the same."""
    own = tuple(getattr(node, name) for name in node.attr_names)
    own = tuple(tuple(one) if isinstance(one, list) else one for one in own)
    return type(node), own, tuple(_key(child) for _, child in node.children())


def is_object(node: c_ast.Node) -> bool:
    """Whether an expression designates an object."""
    is_pointee = isinstance(node, c_ast.UnaryOp) and node.op == "*"
    return is_pointee or isinstance(node, c_ast.ID | c_ast.StructRef | c_ast.ArrayRef)
