"""Inner loops whose bounds depend on other loops, as parts of a loop whose bounds do not.

For example, ``for (j = i; j < n; ++j)`` inside ``for (i = 0; i < m; ++i)`` becomes a loop over ``j`` from 0 to ``n``,
of which the iterations with ``j >= i`` run. Such a loop can share the grid with the loop over ``i``. The least and
greatest values of a bound are expressions of the outer loops' own bounds.
"""

from __future__ import annotations

from pycparser import c_ast

from ....base.records import replace
from ....optimise.counted import Counted
from ....optimise.obstacle import ObstacleError
from ....optimise.surroundings import Around, Cover
from ....plan.code import Entity
from ....plan.loops import CanonicalLoop
from ....tree import nodes as tree
from ...reading.statements import reader_of
from ...sema import Sema
from ...sema.ctype import sizeof, strip
from ...sema.type_questions import is_integer, is_unsigned
from ..loops import counted

_MOST_MODULUS = 1 << 16


class _Bounds:
    """What the bounds of a loop may mention, as C's nodes."""

    def __init__(self, sema: Sema, around: Around, loop: Counted) -> None:
        self.sema, self.around, self.loop = sema, around, loop
        self.reader = reader_of(sema)

    def depends(self, node: c_ast.Node) -> bool:
        """Whether an expression may have different values in different iterations of other loops."""
        return self.around.varies(self.reader.value(node)) is not None

    def single(self, symbol: Entity | None) -> c_ast.Node | None:
        """The value of a variable that gets one."""
        value = self.around.single.get(symbol) if symbol is not None else None
        while isinstance(value, tree.Convert) and value.origin is None:
            value = value.value
        return value.origin if value is not None else None

    def refused(self, part: c_ast.Node) -> ObstacleError:
        return self.around.refused(self.loop, self.reader.value(part))


def cover(sema: Sema, around: Around, loop: Counted, condition: c_ast.BinaryOp) -> Cover:
    """The cover of a loop with a condition. Raises ObstacleError if there is none that wastes few iterations."""
    head, bounds = loop.head, _Bounds(sema, around, loop)
    variable = next(n for n in (condition.left, condition.right) if sema.symbol(n) is head.symbol)
    begins, ends = bounds.depends(head.lower), bounds.depends(head.bound)
    if not begins and not ends:
        return Cover(loop)
    if head.step is not None and bounds.depends(head.step):
        raise bounds.refused(head.step)
    step = head.step_value
    kinds = {strip(sema.value_type(part)) for part in (head.lower, head.bound) if sema.value(part) is None}
    if step is None or not kinds <= {strip(head.symbol.type)}:
        raise bounds.refused(head.lower if begins else head.bound)
    ranges = _Ranges(bounds)
    first = ranges.extreme(head.lower, not head.increasing)
    bound = ranges.extreme(head.bound, head.increasing)
    linear = [part for part, moved in ((head.lower, begins), (head.bound, ends)) if moved and not ranges.narrow(part)]
    if len(linear) > 1:
        raise bounds.refused(head.lower)  # for example a band along the diagonal: the cover would be much larger
    moves: c_ast.Node | None = None
    guards: list[c_ast.Node] = []
    if begins:
        if step != 1:
            if not head.increasing or not ranges.narrow(head.lower) or ranges.is_unsigned(head.lower):
                raise bounds.refused(head.lower)
            offset = c_ast.BinaryOp("-", head.lower, first)
            offset = c_ast.BinaryOp("%", offset, _number(step))
            moves = sema.typed(c_ast.Assignment("+=", variable, offset, condition.coord))
        relation = ">=" if head.increasing else "<="
        guards.append(sema.typed(c_ast.BinaryOp(relation, variable, head.lower, condition.coord)))
    if ends or moves is not None:
        guards.append(condition)
    head = counted(replace(head, lower=first, bound=bound), sema)
    values = bounds.reader.value(first), bounds.reader.value(bound)
    return Cover(replace(loop, head=head, lower=values[0], bound=values[1]), moves, tuple(guards))


def _number(value: int) -> c_ast.Node:
    constant = c_ast.Constant("int", str(abs(value)))
    return constant if value >= 0 else c_ast.UnaryOp("-", constant)


def _long_long() -> c_ast.Typename:
    kind = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["long", "long"]))
    return c_ast.Typename(None, [], None, kind)


class _Ranges:
    """The least and greatest values of the bounds of one loop."""

    def __init__(self, bounds: _Bounds) -> None:
        self.bounds, self.sema = bounds, bounds.sema
        self.levels = {level.symbol: level for level in bounds.around.outer}

    def is_unsigned(self, node: c_ast.Node) -> bool:
        return is_unsigned(strip(self.sema.value_type(node)))

    def extreme(self, node: c_ast.Node, greatest: bool) -> c_ast.Node:
        """An expression for the least or greatest value of ``node``, or one beyond it. Raises ObstacleError."""
        sema = self.sema
        if not is_integer(strip(sema.value_type(node))):
            raise self.bounds.refused(node)
        if not self.bounds.depends(node):
            return node
        match node:
            case c_ast.ID():
                symbol = sema.symbol(node)
                if symbol in self.levels:
                    return self._end(self.levels[symbol], greatest)
                value = self.bounds.single(symbol)
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
        raise self.bounds.refused(node)

    def _remainder(self, node: c_ast.BinaryOp, greatest: bool) -> c_ast.Node:
        """The least or greatest value of ``x % m`` or ``x & m`` with a constant ``m``."""
        most = self._modulus(node)
        if most is None:
            raise self.bounds.refused(node)
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
            raise self.bounds.refused(part)
        if sizeof(kind) < 4:
            raise self.bounds.refused(part)
        if not is_unsigned(kind):  # what is computed with it overflows in no iteration, and not beyond them
            part = c_ast.Cast(_long_long(), part)
        if not is_bound or level.relation in ("<=", ">="):
            return self.sema.typed(part)
        return self.sema.typed(c_ast.BinaryOp("-" if level.increasing else "+", part, _number(1)))

    def narrow(self, node: c_ast.Node) -> bool:
        """Whether the values of an expression lie near each other, as those of ``1 + (i + k) % 2``."""
        if not self.bounds.depends(node) or self._modulus(node) is not None:
            return True
        if isinstance(node, c_ast.BinaryOp) and node.op in ("+", "-"):
            return self.narrow(node.left) and self.narrow(node.right)
        if isinstance(node, c_ast.ID):
            symbol = self.sema.symbol(node)
            value = self.bounds.single(symbol)
            return value is not None and self.narrow(value)
        return False
