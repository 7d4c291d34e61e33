"""Inner loops whose bounds depend on other loops, as parts of a loop whose bounds do not.

For example, ``for (j = i; j < n; ++j)`` inside ``for (i = 0; i < m; ++i)`` becomes a loop over ``j`` from 0 to ``n``,
of which the iterations with ``j >= i`` run. Such a loop can share the grid with the loop over ``i``. The least and
greatest values of a bound are expressions of the outer loops' own bounds. A loop from ``i`` to ``i + 16`` becomes one
from 0 to 16, in which ``i`` is added to ``j``.
"""

from __future__ import annotations

from ..base.records import replace
from ..openmp.canonical import Level, canonical
from ..tree import nodes as tree
from ..tree.affine import Facts, fewer
from ..tree.symbols import Variable
from ..tree.types import INT, Integer, Type, common, promoted, value_of
from ..tree.values import constant, has_all, is_value_of, same_value
from .obstacle import ObstacleError
from .surroundings import Around, Counted, Cover, Language, counted

_MOST_MODULUS = 1 << 16
_LONG_LONG = Integer(64, True, 8)


def cover(language: Language, around: Around, loop: tree.Loop, inner: Counted) -> Cover:
    """The cover of a loop whose bounds vary. Raises ObstacleError if there is none that wastes few iterations."""
    begins, ends = (around.varies(part) is not None for part in (inner.lower, inner.bound))
    if inner.step is not None and around.varies(inner.step) is not None:
        raise around.refused(inner, inner.step)
    level, kind, condition = canonical(loop), value_of(inner.variable.type), loop.condition
    kinds = {value_of(part.type) for part in (level.lower, level.bound) if constant(part) is None}
    if level.step_value is None or not kinds <= {kind} or condition is None:
        raise around.refused(inner, inner.lower if begins else inner.bound)
    variable = next(n for n in tree.walk(condition) if isinstance(n, tree.Load) and is_value_of(n, level.variable))
    width = _width(around, level) if begins and ends and not inner.head.same else None
    if width is not None:
        shifted = replace(level, lower=_as(kind, _number(0)), bound=width)
        # Where the bound wraps around, the loop has no iterations.
        behind = (tree.Binary(INT, ">=", variable, level.lower),) if _is_unsigned(variable) else ()
        from_zero = counted(shifted, language.head(shifted))
        return Cover(from_zero, variable, level.lower, (*behind, condition), shifted=True)
    ranges = _Ranges(around, inner)
    first = ranges.extreme(level.lower, not level.increasing)
    bound = ranges.extreme(level.bound, level.increasing)
    parts = ((level.lower, begins), (level.bound, ends))
    if sum(varies and not ranges.narrow(part) for part, varies in parts) > 1:
        raise around.refused(inner, level.lower)  # for example a band along the diagonal: its cover is much larger
    moves: tree.Expression | None = None
    guards: list[tree.Expression] = []
    if begins:
        if level.step_value != 1:
            if not level.increasing or not ranges.narrow(level.lower) or _is_unsigned(level.lower):
                raise around.refused(inner, level.lower)
            moves = _binary("%", _binary("-", level.lower, first), _number(level.step_value))
        guards.append(tree.Binary(INT, ">=" if level.increasing else "<=", variable, level.lower))
    if level.relation == "!=" and ends:  # the cover goes on behind the bound
        guards.append(tree.Binary(INT, "<" if level.increasing else ">", variable, level.bound))
    elif ends or moves is not None:
        guards.append(condition)
    found = replace(level, lower=first, bound=bound)
    head = replace(language.head(found), same=inner.head.same)
    return Cover(counted(found, head), variable, moves, tuple(guards))


class _Settled:
    """The variables that have one value while a loop runs, in each iteration of the distributed ones."""

    def __init__(self, around: Around) -> None:
        self.around = around

    def __contains__(self, entity: object) -> bool:
        return entity not in self.around.changing or entity in self.around.distributed


def _width(around: Around, level: Level) -> tree.Expression | None:
    """The distance from a loop's first value to its bound, if that is the same in each iteration of the distributed
    loops, and if the first value changes with these alone."""
    kind = value_of(level.variable.type)
    if not isinstance(kind, Integer) or not level.increasing:
        return None
    if level.relation == "!=" and (level.step_value != 1 or not kind.signed):
        return None
    settled = _Settled(around)
    facts = Facts(settled, settled, (), around.single.get, around.single, {}, {})
    lower, bound = facts.polynomial(level.lower), facts.polynomial(level.bound)
    bits = None if kind.signed else kind.bits
    if lower is None or bound is None or fewer(lower.bits, bound.bits) not in (None, bits):
        return None
    width = bound.beyond(lower)
    if width is not None:
        return _as(kind, _number(width)) if kind.least <= width <= kind.greatest else None
    match level.bound:
        case tree.Binary(operator="+", left=first, right=rest) if same_value(first, level.lower):
            return rest if around.varies(rest) is None and rest.type == kind else None
    return None


def _number(value: int) -> tree.Expression:
    return tree.Constant(INT, value) if value >= 0 else tree.Unary(INT, "-", tree.Constant(INT, -value))


def _binary(operator: tree.Arithmetic, left: tree.Expression, right: tree.Expression) -> tree.Expression:
    """An operation with the conversions that both languages make."""
    kind = common(promoted(left.type), promoted(right.type))
    return tree.Binary(kind, operator, _as(kind, left), _as(kind, right))


def _as(kind: Type, value: tree.Expression) -> tree.Expression:
    return value if value.type == kind else tree.Convert(kind, value)


def _is_unsigned(node: tree.Expression) -> bool:
    return isinstance(node.type, Integer) and not node.type.signed


class _Ranges:
    """The least and greatest values of the bounds of one loop."""

    def __init__(self, around: Around, loop: Counted) -> None:
        self.around, self.loop = around, loop
        self.levels = {level.symbol: level for level in around.outer}

    def _refused(self, part: tree.Expression) -> ObstacleError:
        return self.around.refused(self.loop, part)

    def _single(self, variable: Variable) -> tree.Expression | None:
        """The value of a variable that gets one."""
        value = self.around.single.get(variable.entity) if variable.entity is not None else None
        while isinstance(value, tree.Convert) and not value.written:
            value = value.value
        return value

    def extreme(self, node: tree.Expression, greatest: bool) -> tree.Expression:
        """An expression for the least or greatest value of ``node``, or one beyond it. Raises ObstacleError."""
        if not isinstance(node.type, Integer):
            raise self._refused(node)
        if self.around.varies(node) is None:
            return node
        match node:
            case tree.Convert(written=False, value=inner) if has_all(node.type, inner.type):
                return self.extreme(inner, greatest)
            case tree.Load(place=tree.Named(variable=variable)):
                if variable.entity in self.levels:
                    return self._end(self.levels[variable.entity], greatest)
                value = self._single(variable)
                if value is not None and value.type == node.type:
                    return self.extreme(value, greatest)
            case tree.Binary(operator="+" | "-" as sign) if not _is_unsigned(node):
                right = self.extreme(node.right, greatest == (sign == "+"))
                return _binary(sign, self.extreme(node.left, greatest), right)
            case tree.Binary(operator="*") if not _is_unsigned(node):
                for factor, other in ((node.left, node.right), (node.right, node.left)):
                    known = constant(factor)
                    if known is not None:
                        return _binary("*", factor, self.extreme(other, greatest == (known >= 0)))
            case tree.Binary(operator="%" | "&"):
                return self._remainder(node, greatest)
            case tree.Unary(operator="-") if not _is_unsigned(node):
                inner = self.extreme(node.operand, not greatest)
                return tree.Unary(inner.type, "-", inner)
        raise self._refused(node)

    def _remainder(self, node: tree.Binary, greatest: bool) -> tree.Expression:
        """The least or greatest value of ``x % m`` or ``x & m`` with a constant ``m``."""
        most = _modulus(node)
        if most is None:
            raise self._refused(node)
        if greatest:
            return _number(most)
        if node.operator == "&" or _is_unsigned(node):
            return _number(0)
        try:
            operand = self.extreme(node.left, False)
        except ObstacleError:
            return _number(-most)
        negative = tree.Binary(INT, "<", operand, _as(operand.type, _number(0)))
        return tree.Conditional(INT, negative, _number(-most), _number(0))

    def _end(self, level: Counted, greatest: bool) -> tree.Expression:
        """The last value of a loop variable, or its first one."""
        kind, head = value_of(level.variable.type), level.head
        is_bound = greatest == head.increasing
        part = level.bound if is_bound else level.lower
        known = constant(part)
        if part.type != kind and (known is None or not 0 <= known < 2**31):
            raise self._refused(part)
        if not isinstance(kind, Integer) or kind.size < 4:
            raise self._refused(part)
        if kind.signed:  # what is computed with it overflows in no iteration, and not beyond them
            part = tree.Convert(_LONG_LONG, part, True)
        if not is_bound or head.relation in ("<=", ">="):
            return part
        return _binary("-" if head.increasing else "+", part, _number(1))

    def narrow(self, node: tree.Expression) -> bool:
        """Whether the values of an expression lie near each other, as those of ``1 + (i + k) % 2``."""
        if self.around.varies(node) is None or _modulus(node) is not None:
            return True
        match node:
            case tree.Convert(written=False, value=inner):
                return self.narrow(inner)
            case tree.Binary(operator="+" | "-"):
                return self.narrow(node.left) and self.narrow(node.right)
            case tree.Load(place=tree.Named(variable=variable)):
                value = self._single(variable)
                return value is not None and self.narrow(value)
        return False


def _modulus(node: tree.Expression) -> int | None:
    """The greatest value of a remainder."""
    if not isinstance(node, tree.Binary) or node.operator not in ("%", "&"):
        return None
    known = constant(node.right)
    if known is None or not 0 < known <= _MOST_MODULUS:
        return None
    return known - 1 if node.operator == "%" else known
