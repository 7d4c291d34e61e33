"""Inner loops whose bounds depend on other loops, as parts of a loop whose bounds do not.

For example, ``for (j = i; j < n; ++j)`` inside ``for (i = 0; i < m; ++i)`` becomes a loop over ``j`` from 0 to ``n``,
of which the iterations with ``j >= i`` run. Such a loop can share the grid with the loop over ``i``. The least and
greatest values of a bound are expressions of the outer loops' own bounds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pycparser import c_ast

from ....base.records import dataclass, replace
from ....optimise.obstacle import ObstacleError
from ....plan.code import Entity
from ....plan.loops import CanonicalLoop
from ...sema import Sema, walk
from ...sema.ctype import sizeof, strip
from ...sema.type_questions import is_integer, is_unsigned
from ..loops import counted

_MOST_MODULUS = 1 << 16


@dataclass(frozen=True)
class Cover:
    """A loop that has at least the iterations of another one, in every iteration of the loops around it.

    ``head`` has its bounds. ``moves`` is a statement that makes the loop variable one of the inner loop's values, and
    ``guards`` are the conditions under which there is such an iteration.
    """

    head: CanonicalLoop
    moves: c_ast.Node | None
    guards: tuple[c_ast.Node, ...]


@dataclass(frozen=True)
class Around:
    """What the bounds of a loop may mention: the loops ``outer``, variables that get one value in front of it
    (``single``), and everything that is not in ``changing``."""

    sema: Sema
    outer: Sequence[CanonicalLoop]
    single: Mapping[Entity, c_ast.Node]
    changing: Collection[Entity]

    def depends(self, node: c_ast.Node) -> bool:
        """Whether an expression may have different values in different iterations of other loops."""
        return self.varies(node) is not None

    def varies(self, node: c_ast.Node) -> Entity | None:
        """A variable in an expression that may have different values in different iterations."""
        names = (self.sema.symbol(n) for n in walk(node) if isinstance(n, c_ast.ID))
        return next((symbol for symbol in names if symbol is not None and symbol in self.changing), None)

    def refused(self, head: CanonicalLoop, part: c_ast.Node) -> ObstacleError:
        varies = self.varies(part)
        what = f"'{varies.name}'" if varies is not None else "other loops"
        return ObstacleError(f"the bounds of the loop over '{head.symbol.name}' depend on {what}", part)


def cover(around: Around, head: CanonicalLoop, variable: c_ast.ID, condition: c_ast.Node) -> Cover:
    """The cover of a loop. ``variable`` is a mention of its variable, and ``condition`` that of the loop.

    Raises ObstacleError if there is none that wastes few iterations.
    """
    sema = around.sema
    begins, ends = around.depends(head.lower), around.depends(head.bound)
    if not begins and not ends:
        return Cover(head, None, ())
    if head.step is not None and around.depends(head.step):
        raise around.refused(head, head.step)
    step = head.step_value
    kinds = {strip(sema.value_type(part)) for part in (head.lower, head.bound) if sema.value(part) is None}
    if step is None or not kinds <= {strip(head.symbol.type)}:
        raise around.refused(head, head.lower if begins else head.bound)
    ranges = _Ranges(around, head)
    first = ranges.extreme(head.lower, not head.increasing)
    bound = ranges.extreme(head.bound, head.increasing)
    linear = [part for part, moved in ((head.lower, begins), (head.bound, ends)) if moved and not ranges.narrow(part)]
    if len(linear) > 1:
        raise around.refused(head, head.lower)  # for example a band along the diagonal: the cover would be much larger
    moves: c_ast.Node | None = None
    guards: list[c_ast.Node] = []
    if begins:
        if step != 1:
            if not head.increasing or not ranges.narrow(head.lower) or ranges.is_unsigned(head.lower):
                raise around.refused(head, head.lower)
            offset = c_ast.BinaryOp("-", head.lower, first)
            offset = c_ast.BinaryOp("%", offset, _number(step))
            moves = sema.typed(c_ast.Assignment("+=", variable, offset, condition.coord))
        relation = ">=" if head.increasing else "<="
        guards.append(sema.typed(c_ast.BinaryOp(relation, variable, head.lower, condition.coord)))
    if ends or moves is not None:
        guards.append(condition)
    return Cover(counted(replace(head, lower=first, bound=bound), sema), moves, tuple(guards))


def _number(value: int) -> c_ast.Node:
    constant = c_ast.Constant("int", str(abs(value)))
    return constant if value >= 0 else c_ast.UnaryOp("-", constant)


def _long_long() -> c_ast.Typename:
    kind = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["long", "long"]))
    return c_ast.Typename(None, [], None, kind)


class _Ranges:
    """The least and greatest values of the bounds of one loop."""

    def __init__(self, around: Around, head: CanonicalLoop) -> None:
        self.around, self.sema, self.head = around, around.sema, head
        self.levels = {level.symbol: level for level in around.outer}

    def is_unsigned(self, node: c_ast.Node) -> bool:
        return is_unsigned(strip(self.sema.value_type(node)))

    def extreme(self, node: c_ast.Node, greatest: bool) -> c_ast.Node:
        """An expression for the least or greatest value of ``node``, or one beyond it. Raises ObstacleError."""
        sema, around = self.sema, self.around
        if not is_integer(strip(sema.value_type(node))):
            raise self.around.refused(self.head, node)
        if not around.depends(node):
            return node
        match node:
            case c_ast.ID():
                symbol = sema.symbol(node)
                if symbol in self.levels:
                    return self._end(self.levels[symbol], greatest)
                value = around.single.get(symbol) if symbol is not None else None
                if value is not None and symbol is not None and strip(sema.value_type(value)) == strip(symbol.type):
                    return self.extreme(value, greatest)
            case c_ast.BinaryOp(op="+" | "-") if not self.is_unsigned(node):
                left = self.extreme(node.left, greatest)
                right = self.extreme(node.right, greatest == (node.op == "+"))
                return sema.typed(c_ast.BinaryOp(node.op, left, right, node.coord))
            case c_ast.BinaryOp(op="*") if not self.is_unsigned(node):
                for factor, other in ((node.left, node.right), (node.right, node.left)):
                    known = sema.value(factor)
                    if known is not None:
                        return sema.typed(c_ast.BinaryOp("*", factor, self.extreme(other, greatest == (known >= 0))))
            case c_ast.BinaryOp(op="%" | "&"):
                return self._remainder(node, greatest)
            case c_ast.UnaryOp(op="-") if not self.is_unsigned(node):
                return sema.typed(c_ast.UnaryOp("-", self.extreme(node.expr, not greatest), node.coord))
        raise self.around.refused(self.head, node)

    def _remainder(self, node: c_ast.BinaryOp, greatest: bool) -> c_ast.Node:
        """The least or greatest value of ``x % m`` or ``x & m`` with a constant ``m``."""
        most = self._modulus(node)
        if most is None:
            raise self.around.refused(self.head, node)
        if greatest:
            return self.sema.typed(_number(most))
        if node.op == "&" or self.is_unsigned(node):
            return self.sema.typed(_number(0))
        least = self.sema.typed(_number(-most))
        try:
            operand = self.extreme(node.left, False)
        except ObstacleError:
            return least
        negative = c_ast.BinaryOp("<", operand, _number(0))
        return self.sema.typed(c_ast.TernaryOp(negative, least, _number(0)))

    def _modulus(self, node: c_ast.Node) -> int | None:
        """The greatest value of a remainder."""
        if not isinstance(node, c_ast.BinaryOp) or node.op not in ("%", "&"):
            return None
        known = self.sema.value(node.right)
        if known is None or not 0 < known <= _MOST_MODULUS:
            return None
        return known - 1 if node.op == "%" else known

    def _end(self, level: CanonicalLoop, greatest: bool) -> c_ast.Node:
        """The last value of a loop variable, or its first one."""
        kind = strip(level.symbol.type)
        is_bound = greatest == level.increasing
        part = level.bound if is_bound else level.lower
        known = self.sema.value(part)
        if strip(self.sema.value_type(part)) != kind and (known is None or not 0 <= known < 2**31):
            raise self.around.refused(self.head, part)
        if sizeof(kind) < 4:
            raise self.around.refused(self.head, part)
        if not is_unsigned(kind):  # what is computed with it overflows in no iteration, and not beyond them
            part = c_ast.Cast(_long_long(), part)
        if not is_bound or level.relation in ("<=", ">="):
            return self.sema.typed(part)
        return self.sema.typed(c_ast.BinaryOp("-" if level.increasing else "+", part, _number(1)))

    def narrow(self, node: c_ast.Node) -> bool:
        """Whether the values of an expression lie near each other, as those of ``1 + (i + k) % 2``."""
        if not self.around.depends(node) or self._modulus(node) is not None:
            return True
        if isinstance(node, c_ast.BinaryOp) and node.op in ("+", "-"):
            return self.narrow(node.left) and self.narrow(node.right)
        if isinstance(node, c_ast.ID):
            symbol = self.sema.symbol(node)
            value = self.around.single.get(symbol) if symbol is not None else None
            return value is not None and self.narrow(value)
        return False
