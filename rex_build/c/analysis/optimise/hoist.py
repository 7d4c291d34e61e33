"""Loads values in the conditions of inner loops once, before the loop, if no iteration changes them.

A bound such as ``row[i + 1]`` or ``nodes[i].last`` is evaluated at least once whenever its loop is reached. To load it
before the loop therefore reads nothing that the program would not read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pycparser import c_ast, c_generator

from ....optimise.accesses import Accesses
from ....plan.code import Entity
from ....plan.optimised import HoistedRead
from ...sema import Sema, Symbol, assignments, locals_of, walk
from ...sema.ctype import Scalar, strip
from ...sema.type_questions import is_complex
from ...syntax.parser import StmtExpr

_printer = c_generator.CGenerator()
_PARTS = (
    c_ast.ID, c_ast.Constant, c_ast.BinaryOp, c_ast.Cast, c_ast.Typename, c_ast.TypeDecl, c_ast.IdentifierType,
    c_ast.ArrayRef, c_ast.StructRef,
)  # fmt: skip


def hoists(sema: Sema, found: Accesses, constant: Collection[Entity], body: c_ast.Node) -> tuple[HoistedRead, ...]:
    """The reads of ``constant`` memory, which nothing writes while the kernel runs, whose subscripts a loop does not
    change.
    """
    out: list[HoistedRead] = []
    by_address = assignments(sema, body).address_taken
    for loop in walk(body):
        if not isinstance(loop, (c_ast.For, c_ast.While)) or loop.cond is None or _is_entered(loop):
            continue
        moving = {*assignments(sema, loop).assigned, *by_address, *locals_of(sema, loop)}
        always = set(_always_evaluated(loop.cond))
        fixed = [a.node for a in found.items if a.node in always and _is_fixed(sema, found, a.node, constant, moving)]
        inside = {part for node in fixed for part in walk(node) if part is not node}  # these are parts of longer ones
        reads: dict[str, list[c_ast.Node]] = {}
        for node in fixed:
            if node not in inside:
                reads.setdefault(str(_printer.visit(node)), []).append(node)
        for uses in reads.values():
            root = next(a.root for a in found.items if a.node is uses[0])
            out.append(HoistedRead(loop, root, strip(sema.type(uses[0])), uses[0], tuple(uses)))
    return tuple(out)


def _is_entered(loop: c_ast.Node) -> bool:
    """Whether a ``switch`` around a loop has labels inside the loop, so that it may skip the code before the loop."""
    stack = [loop]
    while stack:
        node = stack.pop()
        if isinstance(node, (c_ast.Case, c_ast.Default)):
            return True
        if not isinstance(node, c_ast.Switch):
            stack += [child for _, child in node.children()]
    return False


def _is_fixed(
    sema: Sema, found: Accesses, node: c_ast.Node, constant: Collection[Entity], moving: Collection[Symbol]
) -> bool:
    kind = strip(sema.type(node))
    if not isinstance(kind, Scalar) or is_complex(kind):
        return False
    parts = list(walk(node))
    if any(a.node in parts and (a.writes or a.atomic or a.root not in constant) for a in found.items):
        return False
    for part in parts:
        if not isinstance(part, _PARTS):
            return False
        if isinstance(part, c_ast.ID) and sema.symbol(part) in moving:
            return False
        if isinstance(part, c_ast.StructRef) and any(f.bit_width is not None for f in sema.member(part)):
            return False
    return True


def _always_evaluated(condition: c_ast.Node) -> Iterator[c_ast.Node]:
    """The parts of a condition that are evaluated whenever the condition is."""
    yield condition
    match condition:
        case c_ast.BinaryOp(op="&&" | "||"):
            yield from _always_evaluated(condition.left)
        case c_ast.TernaryOp():
            yield from _always_evaluated(condition.cond)
        case c_ast.FuncCall() | StmtExpr():
            return
        case _:
            for child in condition:
                yield from _always_evaluated(child)
