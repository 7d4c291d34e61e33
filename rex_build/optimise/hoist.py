"""Loads values in the conditions of inner loops once, before the loop, if no iteration changes them.

A bound such as ``row[i + 1]`` or ``nodes[i].last`` is evaluated at least once whenever its loop is reached. To load it
before the loop therefore reads nothing that the program would not read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..plan.code import Entity
from ..plan.optimised import HoistedRead
from ..tree import nodes as tree
from ..tree.nodes import walk
from ..tree.questions import same_value
from ..tree.symbols import Variable
from ..tree.types import Floating, Integer
from .accesses import Access, Accesses
from .changes import changes_of
from .text import Text

_PARTS = (tree.Named, tree.Constant, tree.Load, tree.Binary, tree.Convert, tree.Offset, tree.Decay, tree.Part)


def hoists(
    text: Text, found: Accesses, constant: Collection[Entity], body: tree.Statement
) -> tuple[HoistedRead, ...]:
    """The reads of ``constant`` memory, which nothing writes while the kernel runs, whose subscripts a loop does not
    change.
    """
    out: list[HoistedRead] = []
    lent = changes_of(body).lent
    accesses: dict[tree.Node, Access] = {}
    for access in found.items:  # of what may be in several memories, the first written one says enough
        if access.node not in accesses or access.writes or access.root not in constant:
            accesses[access.node] = access
    for loop in walk(body):
        if not isinstance(loop, tree.Loop) or loop.condition is None or loop.body_first or _is_entered(loop.body):
            continue
        changes = changes_of(loop)
        moving = {*changes.assigned, *changes.declared, *lent}
        always = (accesses[node] for node in _always_evaluated(loop.condition) if node in accesses)
        fixed = [a for a in always if _is_fixed(accesses, a, constant, moving)]
        inside = {part for a in fixed for part in walk(a.node) if part is not a.node}  # these are parts of longer ones
        reads: list[list[Access]] = []
        for access in fixed:
            if access.node not in inside:
                same = next((uses for uses in reads if same_value(uses[0].place, access.place)), None)
                if same is None:
                    reads.append([access])
                else:
                    same.append(access)
        for uses in reads:
            kind, codes = text.type(uses[0], True), tuple(code for a in uses if (code := text.element(a)) is not None)
            if kind is not None and len(codes) == len(uses):
                out.append(HoistedRead(text.loop(loop), uses[0].root, kind, codes[0], codes))
    return tuple(out)


def _is_entered(body: tree.Node) -> bool:
    """Whether a ``switch`` around a loop has labels inside the loop, so that it may skip the code before the loop."""
    inside = isinstance(body, tree.Switch)
    return isinstance(body, tree.Case) or (not inside and any(map(_is_entered, tree.children(body))))


def _is_fixed(
    accesses: dict[tree.Node, Access],
    access: Access,
    constant: Collection[Entity],
    moving: Collection[Variable],
) -> bool:
    if not isinstance(access.place.type, Integer | Floating):
        return False
    for part in walk(access.node):
        one = accesses.get(part)
        if one is not None and (one.writes or one.atomic or one.root not in constant):
            return False
        match part:
            case tree.Named(variable=variable) if variable in moving:
                return False
            case tree.Part(member=member) if member.bits is not None:
                return False
            case tree.Pointee(pointer=tree.Offset()) | tree.Pointee(pointer=tree.Load(place=tree.Named())):
                pass
            case tree.Pointee():
                return False
            case _ if not isinstance(part, _PARTS):
                return False
    return True


def _always_evaluated(condition: tree.Node) -> Iterator[tree.Node]:
    """The parts of a condition that are evaluated whenever the condition is."""
    stack = [condition]
    while stack:
        node = stack.pop()
        yield node
        match node:
            case tree.ShortCircuit():
                stack.append(node.left)
            case tree.Conditional():
                stack.append(node.condition)
            case tree.Call() | tree.StatementValue():
                pass
            case _:
                stack += reversed(tree.children(node))
