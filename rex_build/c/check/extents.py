"""Which bytes of an object an access, a section or an allocation covers, as polynomials in unchanged variables.

For example, ``x[i]`` in ``for (int i = 1; i <= n; ++i)`` covers the bytes from 8 to 8 n + 8 of an array of doubles.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Hashable, Sequence
from functools import cached_property, partial
from typing import Any, TypeVar

from pycparser import c_ast

from ...base.diagnostics import InputError
from ...base.patterns import regex
from ...base.records import dataclass, replace
from ...base.spans import Stretches
from ...directives.model import Expr, Index, Locator, Member, Section
from ...plan.code import Entity
from ...plan.loops import CanonicalLoop
from ...tree.affine import Polynomial, number
from ...tree.types import Member as Part
from ..analysis.loops import canonical_loop
from ..analysis.optimise.affine import Values
from ..sema import Sema, Symbol, assignments
from ..sema.conversions import decay
from ..sema.ctype import Array, CType, LayoutError, Pointer, sizeof, strip
from ..sema.type_questions import field, is_integer
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .places import MemberPointers
from .uses import Use

_N = TypeVar("_N", bound=c_ast.Node)
_LOOPS = (c_ast.For, c_ast.While, c_ast.DoWhile)
_MINUS, _NONE = number(-1), number(0)
_FAR = 2**31
_CHANGES = regex(r"\+\+|--|(?:[-+*/%&|^]|<<|>>)=")
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

    def __contains__(self, symbol: object) -> bool:
        return symbol not in self.without and any(symbol in one for one in self.sets)


class _Constants:
    """Integers from outside of functions that are declared with ``const``, or that the unit gives a value at one place
    only: as far as they are compared, they have this value. Whether that is so is read from the text of a unit."""

    def __init__(self, text: str, has_main: bool) -> None:
        self._text, self._has_main = text, has_main
        self._known: dict[Symbol, bool] = {}

    def __contains__(self, symbol: object) -> bool:
        if not isinstance(symbol, Symbol) or not symbol.is_global:
            return False
        if "const" in symbol.type.quals:
            return True
        if symbol not in self._known:
            is_own = symbol.is_static or self._has_main
            is_plain = is_own and symbol.is_variable and is_integer(strip(symbol.type)) and not symbol.type.quals
            self._known[symbol] = is_plain and self._is_set_once(symbol.name)
        return self._known[symbol]

    def _is_set_once(self, name: str) -> bool:
        values = 0
        for place in re.finditer(rf"{name}\b", self._text):  # which is fast, because it begins with letters
            before = self._text[max(place.start() - 4, 0) : place.start()]
            if before[-1:].isalnum() or before.endswith(("_", ".", "->")):
                continue  # another name, or a member
            before = before.rstrip(" ")
            after = self._text[place.end() : place.end() + 4].lstrip(" ")
            if before.endswith(("++", "--", "&")) or _CHANGES.match(after) is not None:
                return False
            values += after[:1] == "=" and after[1:2] != "="
        return values < 2


class _Variables:
    """All variables."""

    def __contains__(self, symbol: object) -> bool:
        return isinstance(symbol, Symbol) and symbol.is_variable


class AllExtents:
    """The extents of each function's accesses, made once."""

    def __init__(self, unit: ParsedUnit, sema: Sema) -> None:
        self.unit, self.sema = unit, sema
        self.pointers = MemberPointers(sema)
        self.constants = _Constants(unit.pre.text, "main" in sema.functions)
        self._known: dict[str, Extents] = {}
        self._levels: dict[c_ast.Node, CanonicalLoop | None] = {}
        self._shapes: dict[c_ast.Node, int] = {}
        self._numbers: dict[Hashable, int] = {}
        self._first: dict[int, Any] = {}

    def of(self, function: str) -> Extents:
        if function not in self._known:
            self._known[function] = Extents(self, self.sema.functions[function])
        return self._known[function]

    def level(self, loop: c_ast.Node) -> CanonicalLoop | None:
        """A loop in canonical form, or None for other loops."""
        if loop not in self._levels:
            try:
                self._levels[loop] = canonical_loop(self.unit, self.sema, loop) if type(loop) is c_ast.For else None
            except InputError:
                self._levels[loop] = None
        return self._levels[loop]

    def first_alike(self, node: _N) -> _N:
        """The first of the expressions with the same value, or the same place, as this one, as far as that can be seen
        from their text."""
        first: _N = self._first.setdefault(self._shape(node), node)
        return first

    def calls_alike(self, calls: tuple[c_ast.FuncCall, ...]) -> tuple[c_ast.FuncCall, ...]:
        """The first calls of the same functions with the same values."""
        return tuple(map(self.first_alike, calls))

    def _shape(self, node: c_ast.Node) -> int:
        """A number that is equal for expressions that consist of the same variables, constants and operators."""
        found = self._shapes.get(node)
        if found is None:
            found = self._shapes[node] = self._numbers.setdefault(self._parts_of(node), len(self._numbers))
        return found

    def _parts_of(self, node: c_ast.Node) -> Hashable:
        match node:
            case c_ast.ID():
                return self.sema.symbol(node) or node
            case c_ast.Constant():
                return (node.type, node.value)
            case c_ast.BinaryOp() | c_ast.UnaryOp(op="*" | "&" | "+" | "-" | "~" | "!"):
                return (node.op, *map(self._shape, node))
            case c_ast.FuncCall() if isinstance(node.name, c_ast.ID):
                arguments = node.args.exprs if node.args is not None else []
                return ("call", node.name.name, *map(self._shape, arguments))
            case c_ast.ArrayRef():
                return ("[]", *map(self._shape, node))
            case c_ast.StructRef():
                return (node.type, node.field.name, self._shape(node.name))
            case c_ast.Cast():
                return ("cast", self.sema.type(node), self._shape(node.expr))
            case _:
                alone: Hashable = node
                return alone

    def seen_from(self, values: Values, calls: Sequence[c_ast.FuncCall]) -> Values:
        """What is known about variables of functions that are called: their parameters stand for what they get."""
        sema = self.sema
        for call in calls:
            function = sema.functions[call.name.name]
            parameters = sema.parameters(function)
            inside = self.of(call.name.name)
            arguments = call.args.exprs if call.args is not None else []
            pairs = zip(parameters, arguments, strict=False)
            given: dict[Entity, c_ast.Node] = {p: a for p, a in pairs if p not in inside.changed and sema.is_typed(a)}
            values = replace(
                values,
                fixed=_OfAny((values.fixed, inside.values.fixed), frozenset(parameters)),
                constant=_OfAny((values.constant, inside.values.constant), frozenset(parameters)),
                single={**values.single, **inside.values.single, **given},
            )
        return values


class Extents:
    """The extents of one function's accesses."""

    def __init__(self, others: AllExtents, function: c_ast.FuncDef) -> None:
        self._all, self._sema, self._function = others, others.sema, function
        self.level = others.level
        self._known_ends: dict[c_ast.Node, tuple[Polynomial, Polynomial, bool] | None] = {}
        self._moving: set[Entity] = set()
        self._called: dict[tuple[tuple[c_ast.Node, ...], ...], Extents] = {}
        self._uses: dict[tuple[Hashable, ...], Extent | None] = {}  # functions are followed many times
        self._parts: dict[tuple[Hashable, ...], Extent | None] = {}  # and so are pairs of parts
        self._items: dict[int, Extent | None] = {}

    @cached_property
    def changed(self) -> Collection[Symbol]:
        """The variables that the function changes after they have got their values."""
        return assignments(self._sema, self._function.body).symbols

    @cached_property
    def values(self) -> Values:
        """What is known about the function's variables."""
        sema, changed = self._sema, self.changed
        outside: dict[Entity, c_ast.Node] = {}  # variables that get their only value outside of all loops
        single: dict[Entity, c_ast.Node] = {}
        parts = sema.parts(self._function.body)
        for loop in parts.of(c_ast.For):
            level = self.level(loop)
            if level is not None:
                self._moving.add(level.symbol)
        valued = [decl for decl in parts.of(c_ast.Decl) if self._has_one_value(decl, changed)]
        bodies = (parts.inside(loop.stmt) for loop in parts.of(*_LOOPS)) if valued else ()
        in_loops = Stretches((body.start, body.stop) for body in bodies)
        for decl in valued:
            symbol, at = sema.decl_symbol(decl), parts.place(decl)
            single[symbol] = decl.init
            if at not in in_loops:
                outside[symbol] = decl.init
        moving = self._moving
        constant = {p for p in sema.parameters(self._function) if p not in changed and p not in moving}
        constants = _OfAny((constant, self._all.constants), moving)
        pointers = partial(self._all.pointers.unless, ())
        return Values(sema, _Variables(), constants, moving, single, outside, {}, {}, in_structures=pointers)

    @cached_property
    def counting(self) -> Collection[Entity]:
        """The variables of loops that run in the same way whenever the function is called."""
        loops = [level for loop in self._sema.parts(self._function.body).of(c_ast.For) if (level := self.level(loop))]
        heads: dict[Entity, set[tuple[object, ...]]] = {}
        for level in loops:
            lower = self._sema.value(level.lower) if isinstance(level.lower, c_ast.Node) else None
            heads.setdefault(level.symbol, set()).add((lower, level.step_value, level.trips))
        return [symbol for symbol, ways in heads.items() if all(None not in way for way in ways)]

    def _has_one_value(self, node: c_ast.Decl, changed: Collection[Symbol]) -> bool:
        """Whether a declaration is that of an integer which never gets another value."""
        if node.init is None or node.name is None or isinstance(node.type, c_ast.FuncDecl):
            return False
        symbol = self._sema.decl_symbol(node)
        if symbol in changed or symbol.has_static_storage or not is_integer(strip(symbol.type)):
            return False
        return self._sema.is_typed(node.init)

    def of_use(self, use: Use, around: tuple[c_ast.Node, ...] = ()) -> Extent | None:
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

    def _of_use(self, use: Use, around: tuple[c_ast.Node, ...]) -> Extent | None:
        if use.calls:
            key = (self._all.calls_alike(use.calls), use.loops)
            if key not in self._called:
                self._called[key] = self._from(use)
            return self._called[key].of_use(replace(use, calls=()), around)
        if isinstance(use.node, c_ast.Decl):
            return None
        place = self.values.place(use.node)
        if place is None or place.unions or not place.steps:
            return None
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
        return self._over_loops(Extent(offset, offset + number(size)), (*around, *use.loops), not use.conditions)

    def _from(self, use: Use) -> Extents:
        """The extents of accesses in functions that are called here."""
        made = Extents(self._all, self._function)
        levels = [self.level(loop) for loop in use.loops]
        made._moving = {*self._moving, *(level.symbol for level in levels if level is not None)}
        values = self._all.seen_from(self.values, use.calls)
        constant = _OfAny((values.constant,), made._moving)
        made.__dict__["values"] = replace(values, moving=made._moving, constant=constant)
        return made

    def _over_loops(self, extent: Extent, loops: Sequence[c_ast.Node], exact: bool) -> Extent | None:
        low, high, dense = extent.low, extent.high, extent.dense
        width = (high + _MINUS * low).constant  # both ends move alike if it is known
        for loop in reversed(loops):
            level = self.level(loop)
            if level is None:
                exact = False
                continue
            moving = (level.symbol,)
            first = low.split(moving)
            last = first if width is not None else high.split(moving)
            if first is None or last is None:
                return None
            scales = first[0].get(level.symbol, _NONE), last[0].get(level.symbol, _NONE)
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

    def _sign(self, factor: Polynomial, loops: Sequence[c_ast.Node]) -> int | None:
        """Whether a factor is above, at or below 0, or None if that is not known."""
        size = factor.constant
        if size is None:
            return 1 if self._is_positive(factor, loops) else None
        return (size > 0) - (size < 0)

    def _is_positive(self, factor: Polynomial, loops: Sequence[c_ast.Node]) -> bool:
        """Whether a factor is the bound of a loop that runs, as ``m`` in ``a[i * m + j]`` with ``j < m``."""
        for loop in loops:
            level = self.level(loop)
            if level is None or level.relation != "<" or not isinstance(level.bound, c_ast.Node):
                continue
            bound, lower = self.values.polynomial(level.bound), self.values.polynomial(level.lower)
            if bound is None or lower is None or (lower.constant or 0) < 0:
                continue
            terms = factor.terms
            if bound.terms.keys() == terms.keys() and any(
                all(terms[monomial] == one * size for monomial, one in bound.terms.items()) for size in (1, 2, 4, 8, 16)
            ):
                return True
        return False

    def _ends(self, level: CanonicalLoop) -> tuple[Polynomial, Polynomial, bool] | None:
        """(the least and the greatest value of a loop's variable, whether it has all values between them)."""
        assert isinstance(level.lower, c_ast.Node)
        assert isinstance(level.bound, c_ast.Node)
        start, bound = self.values.polynomial(level.lower), self.values.polynomial(level.bound)
        if start is None or bound is None or start.wraps or bound.wraps:
            return None
        if level.trips is not None and level.step_value is not None:
            if level.trips == 0:
                return None
            way = number((level.trips - 1) * level.step_value)
            last = start + way if level.increasing else start + _MINUS * way
        elif level.step_value != 1:
            return None
        else:
            closed = level.relation in ("<=", ">=")
            last = bound if closed else bound + (_MINUS if level.increasing else number(1))
        return (start, last, level.step_value == 1) if level.increasing else (last, start, level.step_value == 1)

    # -- sections and allocations -----------------------------------------------------------------------------------

    def of_item(self, construct: OmpConstruct, item: Locator) -> Extent | None:
        """What a list item covers of the object in which it is."""
        if id(item) not in self._items:  # it lives as long as the tree
            self._items[id(item)] = self._of_item(construct, item)
        return self._items[id(item)]

    def reach_of(self, construct: OmpConstruct, item: Locator) -> Extent | None:
        """From the first to the last byte of a list item, which may leave out elements between them."""
        return self._of_item(construct, item, with_strides=True)

    def _of_item(self, construct: OmpConstruct, item: Locator, with_strides: bool = False) -> Extent | None:
        symbol = self._sema.lookup(construct, item.name)
        if symbol is None or item.shape:  # array shaping gives the pointer's elements another meaning
            return None
        kind: CType = symbol.type
        extent: Extent | None = self.of_type(kind)
        partial = False
        for step in item.steps:
            pointer = decay(kind)
            if isinstance(step, Member):
                found = field(pointer.to if step.arrow and isinstance(pointer, Pointer) else kind, step.name)
                if found is None or partial:
                    return None
                kind = found.type
                extent = self.of_type(kind)
                continue
            if not isinstance(pointer, Pointer):
                return None
            try:
                size = sizeof(pointer.to)
            except LayoutError:
                return None
            bare = strip(kind)
            length = bare.length if isinstance(bare, Array) else None
            lower, count = self._part(step, length, with_strides)
            if lower is None or count is None:
                return None
            if partial:  # only whole rows follow the first section
                if lower.constant != 0 or count.constant != length or length is None:
                    return None
            else:
                extent = Extent(lower * number(size), (lower + count) * number(size), dense=not with_strides)
                partial = True
            kind = pointer.to
        return extent

    def _part(
        self, step: Index | Section, length: int | None, with_strides: bool
    ) -> tuple[Polynomial | None, Polynomial | None]:
        """(the first element that a step names, how many elements there are up to the last one)."""
        if isinstance(step, Index):
            return self._number(step.expr), number(1)
        stride = self._sema.value(step.stride.node) if step.stride is not None else 1
        if stride is None or stride < 1 or (stride != 1 and not with_strides):
            return None, None
        lower = number(0) if step.lower is None else self._number(step.lower)
        if step.length is not None:
            named = self._number(step.length)
            return lower, None if named is None else (named + _MINUS) * number(stride) + number(1)
        return lower, None if lower is None or length is None else number(length) + _MINUS * lower

    def _number(self, expr: Expr) -> Polynomial | None:
        found = self.values.polynomial(expr.node)
        return None if found is None or found.wraps or found.atoms & self._moving else found

    @staticmethod
    def of_type(kind: CType) -> Extent | None:
        """The whole object of a type."""
        try:
            return Extent(number(0), number(sizeof(kind)))
        except LayoutError:
            return None

    def allocated(self, call: c_ast.FuncCall, name: str) -> Extent | None:
        """What a call allocates, or None if it is not known."""
        return self.counted(call, _ALLOCATING.get(name) or _OF_DEVICE.get(name) or ())

    def touched(self, call: c_ast.FuncCall, sizes: tuple[int, ...]) -> Extent | None:
        """What a call reads or writes of an object if some of its arguments say how many bytes these are."""
        extent = self.counted(call, sizes)
        return extent if extent is not None and extent.high.atoms.isdisjoint(self._moving) else None

    def counted(self, call: c_ast.FuncCall, sizes: tuple[int, ...]) -> Extent | None:
        """As many bytes as some arguments of a call say, multiplied with each other, or None if it is not known."""
        arguments = call.args.exprs if call.args is not None else []
        size = number(1)
        if not sizes:
            return None
        for at in sizes:
            part = self.values.polynomial(arguments[at]) if at < len(arguments) else None
            if part is None:
                return None
            size = size * Polynomial(part.terms)  # sizes are far from 2^32
        return Extent(number(0), size)


def allocates(name: str | None) -> bool:
    """Whether a function gives memory that nothing else leads to."""
    return name in _ALLOCATING


def gives_values(name: str | None) -> bool:
    """Whether the memory that a function gives has values."""
    return name in ("calloc", "realloc")
