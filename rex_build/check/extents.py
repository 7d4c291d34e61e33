"""Which bytes of an object an access, a section or an allocation covers, as polynomials in unchanged variables.

For example, ``x[i]`` in ``for (int i = 1; i <= n; ++i)`` covers the bytes from 8 to 8 n + 8 of an array of doubles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Hashable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any, TypeVar

from ..base.patterns import regex
from ..base.records import dataclass, replace
from ..directives.model import Expr, Index, Locator, Member, Section
from ..openmp.canonical import Level, NotCanonicalError, canonical
from ..optimise.changes import changes_of
from ..plan.constructs import Entity
from ..tree import nodes as tree
from ..tree.affine import Facts, Place, Polynomial, number
from ..tree.symbols import Function, Storage, Variable
from ..tree.types import Array, Floating, Integer, Pointer, Type, member_of
from ..tree.types import Member as Part
from ..tree.values import constant
from .events import Language, Root, Use, is_in_element, item_place, root_of, target_of
from .uses import is_lasting

_N = TypeVar("_N", bound=tree.Node)
_MINUS, _NONE = number(-1), number(0)
_FAR = 2**31
_CHANGES = regex(r"\+\+|--|(?:[-+*/%&|^]|<<|>>)=")
_NO_SHAPE = frozenset(("origin", "below", "kinds"))  # what nodes have that are written in the same way
_SHAPES = frozenset((Variable, Integer, Floating, Pointer, int, str, bool))  # values that have no nodes in them
_ALLOCATING = {"malloc": (0,), "calloc": (0, 1), "aligned_alloc": (1,), "realloc": (1,), "valloc": (0,)}
_OF_DEVICE = {"omp_target_alloc": (0,)}


@dataclass(frozen=True)
class Extent:
    """The bytes from ``low`` to before ``high`` of an object. Of a ``dense`` access every byte is touched, and of an
    ``exact`` one at least the first and the last element.

    ``call`` numbers the call of a function in which the variables have their values.
    """

    low: Polynomial
    high: Polynomial
    exact: bool = True
    dense: bool = True
    call: int = 0

    def behind(self, other: Extent) -> int | None:
        """How many bytes this ends behind the end of ``other``, or None if that is not known."""
        return _difference(self.high, other.high, self.call == other.call)

    def grows_beyond(self, other: Extent) -> bool:
        """Whether this ends behind the end of ``other`` for all large values of the variables in both ends, as with
        ``n m`` and ``n``."""
        ends = (self.high, other.high)
        if self.call != other.call or any(end.wraps for end in ends):
            return False
        if not other.high.atoms or not other.high.atoms <= self.high.atoms:
            return False
        more = (self.high + _MINUS * other.high).terms
        degrees = {monomial: sum(power for _, power in monomial) for monomial in more}
        most = max(degrees.values(), default=0)
        return most > 0 and all(factor > 0 for monomial, factor in more.items() if degrees[monomial] == most)

    def is_within(self, other: Extent) -> bool:
        """Whether this lies in ``other``, as far as their ends can be compared."""
        return (self.behind(other) or 0) <= 0 and (self.before(other) or 0) <= 0

    @property
    def is_empty(self) -> bool:
        return self.high.beyond(self.low) == 0

    def is_surely_within(self, other: Extent) -> bool:
        over, under = self.behind(other), self.before(other)
        return over is not None and under is not None and max(over, under) <= 0

    def before(self, other: Extent) -> int | None:
        """How many bytes this begins before the beginning of ``other``, or None if that is not known."""
        return _difference(other.low, self.low, self.call == other.call)


def _difference(one: Polynomial, other: Polynomial, same_call: bool) -> int | None:
    """``one - other`` if it is a constant."""
    if one.wraps or other.wraps or not (same_call or (one.constant is not None and other.constant is not None)):
        return None
    return one.beyond(other)


def is_far(end: Polynomial) -> bool:
    """Whether an end is so far away that the index may have been computed modulo 2^32."""
    return abs(end.constant or 0) >= _FAR


def meet(one: Extent, other: Extent) -> bool | None:
    """Whether two accesses surely have a byte in common. None means that they may."""
    same = one.call == other.call
    gaps = (_difference(one.low, other.high, same), _difference(other.low, one.high, same))
    if any(gap is not None and gap >= 0 for gap in gaps):
        return False
    if not (one.exact and other.exact):
        return None
    if one.before(other) == 0 or one.behind(other) == 0:
        return True
    if all(gap is not None for gap in gaps) and one.dense and other.dense:
        return True
    return None


@dataclass(frozen=True)
class _OfAny:
    """The variables of several sets, without some."""

    sets: tuple[Container[Entity], ...]
    without: Container[Entity] = ()

    def __contains__(self, variable: object) -> bool:
        return variable not in self.without and any(variable in one for one in self.sets)


class _All:
    """All variables."""

    def __contains__(self, variable: object) -> bool:
        return True


class _Constants:
    """Integers from outside of functions that are declared with ``const``, or that the unit gives a value at one place
    only: as far as they are compared, they have this value. Whether that is so is read from the text of a unit."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._known: dict[Entity, bool] = {}  # those that were asked for

    def note(self, variable: Variable) -> None:
        if variable.key not in self._known:
            self._known[variable.key] = self._is_constant(variable)

    def __contains__(self, variable: object) -> bool:
        return self._known.get(variable, False)  # type: ignore[call-overload, no-any-return]

    def _is_constant(self, variable: Variable) -> bool:
        kind = variable.type
        if not is_lasting(variable) or not variable.name:
            return False
        if kind.const:
            return True
        is_own = variable.storage is Storage.STATIC or self._language.is_program
        is_plain = isinstance(kind, Integer) and not (kind.volatile or kind.atomic)
        return is_own and is_plain and self._is_set_once(variable.name)

    def _is_set_once(self, name: str) -> bool:
        values, text = 0, self._language.source
        for place in re.finditer(rf"{name}\b", text):  # which is fast, because it begins with letters
            before = text[max(place.start() - 4, 0) : place.start()]
            if before[-1:].isalnum() or before.endswith(("_", ".", "->")):
                continue  # another name, or a member
            before = before.rstrip(" ")
            after = text[place.end() : place.end() + 4].lstrip(" ")
            if before.endswith(("++", "--", "&")) or _CHANGES.match(after) is not None:
                return False
            values += after[:1] == "=" and after[1:2] != "="
        return values < 2


class _Pointer(Entity):
    """A pointer that is a member, in place of a variable."""

    def __init__(self, root: Root, kind: Type) -> None:
        self.name, self.type = root.variable.name, kind


class AllExtents:
    """The extents of each function's accesses, made once."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.constants = _Constants(language)
        self._pointers: dict[Root, Entity] = {}  # that are members
        self._known: dict[Function, Extents] = {}
        self._levels: dict[tree.Loop, Level | None] = {}
        self._shapes: dict[tree.Node, int] = {}
        self._numbers: dict[Hashable, int] = {}
        self._first: dict[int, Any] = {}

    def of(self, function: Function) -> Extents:
        if function not in self._known:
            self._known[function] = Extents(self, self.language.body(function))
        return self._known[function]

    def level(self, loop: tree.Loop) -> Level | None:
        """A loop in canonical form, or None for other loops."""
        if loop not in self._levels:
            self._levels[loop] = None
            with suppress(NotCanonicalError):
                found = canonical(loop)
                self._levels[loop] = found if found.is_plain else None
        return self._levels[loop]

    def levels_in(self, node: tree.Node) -> list[Level]:
        """The loops in canonical form in a part of the tree."""
        return [level for loop in tree.parts(node, tree.Loop) if (level := self.level(loop)) is not None]

    def pointer(self, moved: Container[tuple[Variable, tuple[str, ...]]], load: tree.Load) -> Entity | None:
        """What stands for a pointer that is a member, or None if it is one of those that are ``moved``, begins with
        no variable, or is a member of an element, of which each has its own."""
        root = root_of(load.place)
        if root is None or root.shifted or root.one_of or is_in_element(load.place):
            return None
        if any((root.variable, root.path[:length]) in moved for length in range(len(root.path) + 1)):
            return None
        return self._pointers.setdefault(root, _Pointer(root, load.type))

    def first_alike(self, node: _N) -> _N:
        """The first of the nodes that are written in the same way, and so have one value or are one place."""
        first: _N = self._first.setdefault(self._shape(node), node)
        return first

    def calls_alike(self, calls: tuple[tree.Call, ...]) -> tuple[tree.Call, ...]:
        """The first calls of the same functions with the same values."""
        return tuple(map(self.first_alike, calls))

    def _shape(self, node: tree.Node) -> int:
        """A number that is equal for nodes that consist of the same variables, constants and operators."""
        found = self._shapes.get(node)
        if found is None:
            parts: list[Any] = [node.__class__]
            for name, value in vars(node).items():
                if name not in _NO_SHAPE:
                    parts.append(value if value.__class__ in _SHAPES else self._part(value))
            found = self._shapes[node] = self._numbers.setdefault(tuple(parts), len(self._numbers))
        return found

    def _part(self, value: Any) -> Hashable:
        if isinstance(value, tree.Node):
            return ("node", self._shape(value))
        return tuple(map(self._part, value)) if isinstance(value, tuple) else value

    def seen_from(self, facts: Facts, calls: Iterable[tree.Call]) -> Facts:
        """What is known about variables of functions that are called: their parameters stand for what they get."""
        for call in calls:
            assert isinstance(call.callee, tree.FunctionAddress)
            inside = self.of(call.callee.function)
            parameters = inside.parameters[call.constructs :]
            pairs = zip(parameters, call.arguments, strict=False)
            given = {p.key: a for p, a in pairs if p not in inside.changed}
            facts = replace(
                facts,
                fixed=_OfAny((facts.fixed, inside.facts.fixed), {p.key for p in inside.parameters}),
                constant=_OfAny((facts.constant, inside.facts.constant), {p.key for p in inside.parameters}),
                single=partial(_single, (given.get, inside.facts.single, facts.single)),
            )
        return facts


def _single(sources: Iterable[Callable[[Entity], tree.Expression | None]], variable: Entity) -> tree.Expression | None:
    return next((value for source in sources if (value := source(variable)) is not None), None)


class Extents:
    """The extents of one function's accesses."""

    def __init__(self, others: AllExtents, body: tree.Body | None) -> None:
        self._all, self._body = others, body
        self.parameters = body.parameters if body is not None else ()
        self.level = others.level
        self._known_ends: dict[tree.Loop, tuple[Polynomial, Polynomial, bool] | None] = {}
        self._moving: set[Entity] = set()
        self._called: dict[tuple[Hashable, ...], Extents] = {}
        self._uses: dict[tuple[Hashable, ...], Extent | None] = {}  # functions are followed many times
        self._parts: dict[tuple[Hashable, ...], Extent | None] = {}  # and so are pairs of parts
        self._items: dict[int, Extent | None] = {}

    @cached_property
    def changed(self) -> Collection[Variable]:
        """The variables that the function changes after they have got their values."""
        return changes_of(self._body.statement).variables if self._body is not None else ()

    @cached_property
    def facts(self) -> Facts:
        """What is known about the function's variables."""
        whole = self._body.statement if self._body is not None else tree.Block(())
        begun = [node for node in tree.parts(whole, tree.Declare) if self._is_fixed(node)]
        single = {node.variable.key: node.initialiser for node in begun}
        for variable, node in {node.variable: node for node in tree.parts(whole, tree.Named)}.items():
            self._all.constants.note(variable)
            if variable.value is not None:
                single[variable.key] = tree.Constant(node.type, variable.value)
        loops = tree.parts(whole, tree.Loop)
        in_loops = set[tree.Node]().union(*(loop.below for loop in loops)) if begun else ()
        outside = {node.variable.key for node in begun if node not in in_loops}  # these get their only value there
        self._moving.update(level.variable.key for level in map(self.level, loops) if level is not None)
        constant = {p.key for p in self.parameters if p not in self.changed}
        constants = _OfAny((constant, self._all.constants), self._moving)
        pointers = partial(self._all.pointer, ())
        return Facts(_All(), constants, self._moving, single.get, outside, {}, {}, pointers)

    def _is_fixed(self, node: tree.Declare) -> bool:
        """Whether a variable is an integer, or a pointer, that keeps its first value."""
        kind, value = node.variable.type, node.initialiser
        if value is None or node.variable in self.changed:
            return False
        return isinstance(kind, Integer) or (isinstance(kind, Pointer) and target_of(value) is not None)

    @cached_property
    def counting(self) -> Collection[Entity]:
        """The variables of loops that run in the same way whenever the function is called."""
        heads: dict[Entity, set[tuple[object, ...]]] = {}
        for level in self._all.levels_in(self._body.statement) if self._body is not None else ():
            heads.setdefault(level.variable.key, set()).add((level.first, level.step_value, level.trips))
        return [variable for variable, ways in heads.items() if all(None not in way for way in ways)]

    def of_use(self, use: Use, around: tuple[tree.Loop, ...] = ()) -> Extent | None:
        """What an access covers in all iterations of the loops around it, or None if that is not known."""
        calls = self._all.calls_alike(use.calls)
        key = (self._all.first_alike(use.node), calls, around, use.loops, not use.conditions)
        if key not in self._uses:
            self._uses[key] = self._of_use(use, around)
        return self._uses[key]

    def of_part(self, use: Use, common: int) -> Extent | None:
        """What an access covers in one iteration of the ``common`` outermost loops around it."""
        calls = self._all.calls_alike(use.calls)
        key = (self._all.first_alike(use.node), calls, common, use.loops, not use.conditions)
        if key not in self._parts:
            self._parts[key] = self._of_use(replace(use, loops=use.loops[common:]), ())
        return self._parts[key]

    def _of_use(self, use: Use, around: tuple[tree.Loop, ...]) -> Extent | None:
        if use.calls:
            key = (self._all.calls_alike(use.calls), use.loops)
            if key not in self._called:
                self._called[key] = self._from(use)
            return self._called[key].of_use(replace(use, calls=()), around)
        if not isinstance(use.node, tree.Named | tree.Pointee | tree.Part):
            return None
        place = self.facts.place(use.node)
        if place is None or place.unions or not place.steps:
            return None
        if use.led and (use.root is None or place.root is not use.root.variable.key):
            return None  # it is known from where the pointer of the region's own leads only
        extent = self._of_steps(place)
        return self._over_loops(extent, (*around, *use.loops), not use.conditions) if extent is not None else None

    @staticmethod
    def _of_steps(place: Place) -> Extent | None:
        """The bytes of a place in the object in which it is."""
        offset, size = number(0), 0
        for step in place.steps:
            known = (step.type if isinstance(step, Part) else step.element).size
            if known is None:
                return None
            size = known
            if isinstance(step, Part):
                offset = offset + number(step.offset)
            elif step.index is None or step.index.wraps:
                return None
            else:
                offset = offset + step.index * number(size)
        return Extent(offset, offset + number(size))

    def behind_pointer(self, extent: Extent, variable: Variable) -> Extent | None:
        """The same bytes counted from where a pointer leads, perhaps to a member of the object: ``double *y = o->x``.
        """
        value = self.facts.single(variable.key)
        if value is None or not isinstance(value.type, Pointer):
            return extent
        place = self.facts.place(tree.Pointee(value.type.to, value))
        first = self._of_steps(place) if place is not None else None
        if first is None:
            return None
        return replace(extent, low=extent.low + _MINUS * first.low, high=extent.high + _MINUS * first.low)

    def _from(self, use: Use) -> Extents:
        """The extents of accesses in functions that are called here."""
        made = Extents(self._all, self._body)
        facts = self._all.seen_from(self.facts, use.calls)
        levels = [self.level(loop) for loop in use.loops]
        made._moving = {*self._moving, *(level.variable.key for level in levels if level is not None)}
        made.__dict__["facts"] = replace(
            facts, moving=made._moving, constant=_OfAny((facts.constant,), made._moving)
        )
        return made

    def _over_loops(self, extent: Extent, loops: Sequence[tree.Loop], exact: bool) -> Extent | None:
        low, high, dense = extent.low, extent.high, extent.dense
        width = (high + _MINUS * low).constant  # both ends move alike if it is known
        for loop in reversed(loops):
            level = self.level(loop)
            if level is None:
                exact = False
                continue
            moving = (level.variable.key,)
            first = low.split(moving)
            last = first if width is not None else high.split(moving)
            if first is None or last is None:
                return None
            scales = first[0].get(level.variable.key, _NONE), last[0].get(level.variable.key, _NONE)
            if not scales[0].terms and not scales[1].terms:
                continue
            if loop not in self._known_ends:
                self._known_ends[loop] = self._ends(level)
            ends = self._known_ends[loop]
            signs = {self._sign(scale, loops) for scale in scales}
            if ends is None or None in signs or {1, -1} <= signs:
                return None
            least, most, dense_steps = ends
            if -1 in signs:
                least, most = most, least
            if dense:
                length = number(width) if width is not None else high + _MINUS * low
                stride = scales[0] if 1 in signs else _MINUS * scales[0]
                dense = dense_steps and dict(length.terms) == dict(stride.terms)
            rest = last[1] if width is None else first[1] + number(width)
            low, high, width = first[1] + scales[0] * least, rest + scales[1] * most, None
        if not (low.atoms.isdisjoint(self._moving) and high.atoms.isdisjoint(self._moving)):
            return None
        if is_far(low) or is_far(high):
            return None
        return Extent(low, high, exact, dense)

    def _sign(self, factor: Polynomial, loops: Sequence[tree.Loop]) -> int | None:
        """Whether a factor is above, at or below 0, or None if that is not known."""
        size = factor.constant
        if size is None:
            return 1 if self._is_positive(factor, loops) else None
        return (size > 0) - (size < 0)

    def _is_positive(self, factor: Polynomial, loops: Sequence[tree.Loop]) -> bool:
        """Whether a factor is above 0 if a loop runs, as ``m`` in ``a[i * m + j]`` with ``j < m`` or ``j < m - 1``."""
        for loop in loops:
            level = self.level(loop)
            if level is None or level.relation not in ("<", "<="):
                continue
            bound, lower = self.facts.polynomial(level.bound), self.facts.polynomial(level.lower)
            if bound is None or lower is None or (lower.constant or 0) < 0:
                continue
            least = (lower.constant or 0) + (level.relation == "<")  # that the bound of a loop which runs can be
            size, more = factor.over(bound) or (0, 0)
            if size in (1, 2, 4, 8, 16) and size * least + more > 0:  # the bytes of an element
                return True
        return False

    def _ends(self, level: Level) -> tuple[Polynomial, Polynomial, bool] | None:
        """(the least and the greatest value of a loop's variable, whether it has all values between them)."""
        start, bound = self.facts.polynomial(level.lower), self.facts.polynomial(level.bound)
        if start is None or bound is None or start.wraps or bound.wraps:
            return None
        step, trips = level.step_value, level.trips
        if step is None and level.step is not None and not level.step_negated:
            known = self.facts.polynomial(level.step)
            step = known.constant if known is not None and not known.wraps else None
        if trips is None and step is not None and step > 0 and not (start.atoms or bound.atoms):
            distance = bound + _MINUS * start if level.increasing else start + _MINUS * bound
            trips = max(0, -(-((distance.constant or 0) + level.closed) // step))
        if trips is not None and step is not None:
            if trips == 0:
                return None
            way = number((trips - 1) * step)
            last = start + way if level.increasing else start + _MINUS * way
        elif step != 1:
            return None
        else:
            last = bound if level.closed else bound + (_MINUS if level.increasing else number(1))
        return (start, last, step == 1) if level.increasing else (last, start, step == 1)

    # -- sections and allocations -----------------------------------------------------------------------------------

    def of_item(self, construct: tree.Construct, item: Locator) -> Extent | None:
        """What a list item covers of the object in which it is."""
        if id(item) not in self._items:  # it lives as long as the tree
            self._items[id(item)] = self._of_item(construct, item)
        return self._items[id(item)]

    def reach_of(self, construct: tree.Construct, item: Locator) -> Extent | None:
        """From the first to the last byte of a list item, which may leave out elements between them."""
        return self._of_item(construct, item, with_strides=True)

    def in_all_passes(self, construct: tree.Construct, item: Locator, loops: Sequence[tree.Loop]) -> Extent | None:
        """What a list item covers in all iterations of the loops around its construct."""
        extent = self._of_item(construct, item, moving=True)
        return self._over_loops(extent, loops, exact=False) if extent is not None else None

    def from_elsewhere(self, construct: tree.Construct, item: Locator) -> Extent | None:
        """As many bytes as an array section has that may begin behind the first element, or None for other items."""
        place, step = item_place(construct, item), item.steps[-1] if len(item.steps) == 1 else None
        kind = place.type if place is not None else None
        inner = kind.to if isinstance(kind, Pointer) else kind.of if isinstance(kind, Array) else None
        if inner is None or not inner.size or not isinstance(step, Section) or step.stride is not None:
            return None
        values = {id(expr): value for expr, value in construct.expressions}
        ends = (step.lower, step.length)
        lower, count = (self.facts.polynomial(values[id(end)]) if end is not None else None for end in ends)
        if lower is None or lower.constant is not None or count is None or count.wraps or count.atoms & {*self._moving}:
            return None
        return Extent(number(0), count * number(inner.size))

    def _of_item(
        self, construct: tree.Construct, item: Locator, with_strides: bool = False, moving: bool = False
    ) -> Extent | None:
        place = item_place(construct, item)
        if place is None or item.shape:  # array shaping gives the pointer's elements another meaning
            return None
        kind, extent, partial = place.type, self.of_type(place.type), False
        if item.name == "this" and item.steps:  # of which the place is the object
            kind = Pointer(kind)
        values = {id(expr): value for expr, value in construct.expressions}
        for step in item.steps:
            inner = kind.to if isinstance(kind, Pointer) else kind.of if isinstance(kind, Array) else None
            if isinstance(step, Member):
                whole = inner if step.arrow and inner is not None else kind
                found = member_of(whole, step.name)
                if found is None or partial:
                    return None
                kind = found[0]
                if isinstance(kind, Pointer) and kind.reference:
                    kind = kind.to
                extent = self.of_type(kind)
                continue
            size = inner.size if inner is not None else None
            if inner is None or size is None:
                return None
            length = kind.length if isinstance(kind, Array) and isinstance(kind.length, int) else None
            lower, count = self._part(values, step, length, with_strides, moving)
            if lower is None or count is None:
                return None
            if partial:  # only whole rows follow the first section
                if lower.constant != 0 or count.constant != length or length is None:
                    return None
            else:
                extent = Extent(lower * number(size), (lower + count) * number(size), dense=not with_strides)
                partial = True
            kind = inner
        return extent

    def _part(
        self, values: dict[int, tree.Expression], step: Index | Section, length: int | None, with_strides: bool,
        moving: bool,
    ) -> tuple[Polynomial | None, Polynomial | None]:  # fmt: skip
        """(the first element that a step names, how many elements there are up to the last one)."""

        def known(expr: Expr) -> Polynomial | None:
            found = self.facts.polynomial(values[id(expr)])
            is_one = found is not None and not found.wraps and (moving or found.atoms.isdisjoint(self._moving))
            return found if is_one else None

        if isinstance(step, Index):
            return known(step.expr), number(1)
        stride = constant(values[id(step.stride)]) if step.stride is not None else 1
        if stride is None or stride < 1 or (stride != 1 and not with_strides):
            return None, None
        lower = number(0) if step.lower is None else known(step.lower)
        if step.length is not None:
            named = known(step.length)
            return lower, None if named is None else (named + _MINUS) * number(stride) + number(1)
        return lower, None if lower is None or length is None else number(length) + _MINUS * lower

    @staticmethod
    def of_type(kind: Type) -> Extent | None:
        """The whole object of a type."""
        return Extent(number(0), number(kind.size)) if kind.size is not None else None

    def allocated(self, call: tree.Call, name: str) -> Extent | None:
        """What a call allocates, or None if it is not known."""
        return self.counted(call, _ALLOCATING.get(name) or _OF_DEVICE.get(name) or ())

    def touched(self, call: tree.Call, sizes: tuple[int, ...]) -> Extent | None:
        """What a call reads or writes of an object if some of its arguments say how many bytes these are."""
        extent = self.counted(call, sizes)
        return extent if extent is not None and extent.high.atoms.isdisjoint(self._moving) else None

    def counted(self, call: tree.Call, sizes: tuple[int, ...]) -> Extent | None:
        """As many bytes as some arguments of a call say, multiplied with each other, or None if it is not known."""
        size = number(1)
        for at in sizes:
            part = self.facts.polynomial(call.arguments[at]) if at < len(call.arguments) else None
            if part is None:
                return None
            size = size * Polynomial(part.terms)  # sizes are far from 2^32
        return Extent(number(0), size) if sizes else None


def allocates(name: str | None) -> bool:
    """Whether a function gives memory that nothing else leads to."""
    return name in _ALLOCATING


def gives_values(name: str | None) -> bool:
    """Whether the memory that a function gives has values."""
    return name in ("calloc", "realloc")
