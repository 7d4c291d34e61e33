"""Values and places as polynomials in variables, so that two of them can be compared, whatever the language.

For example, ``a[i * n + j - 1]`` has the subscript ``i n + j - 1``. Unsigned arithmetic, and conversions to a type that
has not all values, leave a value known modulo a power of 2. What is no polynomial but does not change, such as
``n / 2``, is an atom of its own. Variables that get one value stand for that value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Hashable, Mapping
from functools import cache, cached_property
from operator import and_, eq, floordiv, ge, gt, le, lshift, lt, mod, ne, or_, rshift, xor

from ..base.records import dataclass, field
from ..plan.constructs import Entity
from . import nodes as tree
from .symbols import Variable
from .types import Integer, Member, Pointer, Record, Type, value_of
from .values import owner_of

Monomial = frozenset[tuple[Hashable, int]]  # atoms with their powers
_ONE: Monomial = frozenset()


@dataclass(frozen=True)
class Polynomial:
    """The sum of ``terms``: each is a product of atoms, with a factor. With ``bits``, it is known modulo 2^bits."""

    terms: Mapping[Monomial, int]
    bits: int | None = None

    @property
    def wraps(self) -> bool:
        """Whether it is known modulo less than 2^64, so that an address that is computed with it may be another one."""
        return self.bits is not None and self.bits < 64

    def modulo(self, bits: int | None) -> Polynomial:
        """The polynomial, of which no more is known than modulo 2^bits."""
        return self if fewer(self.bits, bits) == self.bits else Polynomial(self.terms, bits)

    def __add__(self, other: Polynomial) -> Polynomial:
        bits = fewer(self.bits, other.bits)
        if not other.terms and bits == self.bits:
            return self
        if not self.terms and bits == other.bits:
            return other
        total = dict(self.terms)
        for monomial, factor in other.terms.items():
            total[monomial] = total.get(monomial, 0) + factor
            if not total[monomial]:
                del total[monomial]
        return Polynomial(total, bits)

    def __mul__(self, other: Polynomial) -> Polynomial:
        bits = fewer(self.bits, other.bits)
        for terms, factor in ((self.terms, other.constant), (other.terms, self.constant)):
            if factor is not None:
                return Polynomial({m: f * factor for m, f in terms.items()} if factor else {}, bits)
        total: dict[Monomial, int] = {}
        for one, first in self.terms.items():
            for two, second in other.terms.items():
                both = _product(one, two)
                total[both] = total.get(both, 0) + first * second
        return Polynomial({m: f for m, f in total.items() if f}, bits)

    @property
    def constant(self) -> int | None:
        """The value of a polynomial without atoms."""
        terms = self.terms
        return terms.get(_ONE, 0) if not terms or (len(terms) == 1 and _ONE in terms) else None

    def beyond(self, other: Polynomial) -> int | None:
        """The difference to another one if it is a number."""
        terms, others = self.terms, other.terms
        atoms = {m: f for m, f in terms.items() if m}
        if atoms != {m: f for m, f in others.items() if m}:
            return None
        return terms.get(_ONE, 0) - others.get(_ONE, 0)

    def over(self, other: Polynomial) -> tuple[int, int] | None:
        """(a number of times another one, the number that is left), if that is what the polynomial is."""
        own, parts = ({m: f for m, f in one.terms.items() if m} for one in (self, other))
        if not parts or own.keys() != parts.keys():
            return None
        ((times, rest), *others) = {divmod(own[m], factor) for m, factor in parts.items()}
        left = self.terms.get(_ONE, 0) - times * other.terms.get(_ONE, 0)
        return (times, left) if not (rest or others) else None

    @cached_property
    def atoms(self) -> frozenset[Hashable]:
        return frozenset(atom for monomial in self.terms for atom, _ in monomial)

    def split(self, variables: Collection[Entity]) -> tuple[dict[Entity, Polynomial], Polynomial] | None:
        """(the factor of each variable, the rest), or None if it is not linear in the variables."""
        factors: dict[Entity, Polynomial] = {}
        rest: dict[Monomial, int] = {}
        for monomial, factor in self.terms.items():
            own = [(atom, power) for atom, power in monomial if atom in variables]
            if not own:
                rest[monomial] = factor
                continue
            if len(own) > 1 or own[0][1] != 1:
                return None
            (variable, _) = own[0]
            assert isinstance(variable, Entity)
            part = Polynomial({monomial - {own[0]}: factor})
            factors[variable] = factors[variable] + part if variable in factors else part
        return {v: f for v, f in factors.items() if f.terms}, Polynomial(rest)

    def with_values(self, values: Mapping[Hashable, Polynomial]) -> Polynomial:
        """The polynomial with values for all its atoms."""
        total = Polynomial({}, self.bits)
        for monomial, factor in self.terms.items():
            product = Polynomial({_ONE: factor})
            for atom, power in monomial:
                for _ in range(power):
                    product = product * values[atom]
            total = total + product
        return total


def _product(one: Monomial, other: Monomial) -> Monomial:
    if not one or not other:
        return one or other
    powers = Counter(dict(one))
    for atom, power in other:
        powers[atom] += power
    return frozenset(powers.items())


@cache
def number(value: int) -> Polynomial:
    return Polynomial({_ONE: value} if value else {})


def fewer(one: int | None, other: int | None) -> int | None:
    """The fewer bits of two, of which None are as many as there are."""
    return one if other is None else other if one is None else min(one, other)


def atom(of: Hashable) -> Polynomial:
    return Polynomial({frozenset({(of, 1)}): 1})


MINUS = number(-1)


class Key:
    """What stands for an expression of several parts. Its hash is computed once, because keys have keys inside."""

    __slots__ = ("_hash", "parts")

    def __init__(self, parts: tuple[Hashable, ...]) -> None:
        self.parts, self._hash = parts, hash(parts)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and self._hash == other._hash and self.parts == other.parts


@dataclass(frozen=True)
class Subscript:
    """One step to an element: its number in an array of ``element``, or None if it is no polynomial."""

    index: Polynomial | None
    element: Type


@dataclass(frozen=True)
class Place:
    """Where an lvalue is: from the variable ``root`` through subscripts and members."""

    root: Entity
    steps: tuple[Subscript | Member, ...]
    unions: bool = False  # whether members of unions, or bit-fields, are on the way


@dataclass(frozen=True)
class Facts:
    """What is known about variables in a body.

    ``fixed`` are variables that no iteration changes, such as pointers, and ``constant`` those of them that do not lead
    to memory which is changed. ``single`` gives the value of a variable that gets only one. ``settled`` are those of
    them that get it outside of the loops over the variables ``moving``. A variable in ``same`` has the value of another
    one. ``members`` are pointers in structures that variables are or lead to, and ``in_structures`` says what stands
    for another pointer that is a member, which is loaded. ``chosen`` are values of conditional expressions that are
    assumed.
    """

    fixed: Container[Entity]
    constant: Container[Entity]
    moving: Collection[Entity]
    single: Callable[[Entity], tree.Expression | None]
    settled: Container[Entity]
    same: Mapping[Entity, Entity]
    members: Mapping[tuple[Entity, tuple[str, ...]], Entity]
    in_structures: Callable[[tree.Load], Entity | None] | None = None
    chosen: Mapping[tree.Conditional, Polynomial] = field(default_factory=dict)

    def polynomial(self, value: tree.Expression) -> Polynomial | None:
        """The value of an integer expression, or None if it is not known."""
        if value not in self._polynomials:
            self._polynomials[value] = self._new_polynomial(value)
        return self._polynomials[value]

    @cached_property
    def _polynomials(self) -> dict[tree.Expression, Polynomial | None]:
        """The polynomials that were asked for. Bounds of loops and subscripts are asked for by many accesses."""
        return {}

    def _new_polynomial(self, value: tree.Expression) -> Polynomial | None:
        kind = value.type
        if not isinstance(kind, Integer):
            return None
        match value:
            case tree.Constant(value=int(constant)):
                return number(constant)
            case tree.Load(place=tree.Named(variable=variable)) if not (variable.type.volatile or variable.type.atomic):
                return self._variable(variable)
            case tree.Convert():
                return _as_integer(self.polynomial(value.value), value.value.type, kind)
            case tree.Unary(operator="-" | "~"):
                inner = self.polynomial(value.operand)
                if inner is None:
                    return None
                return _modular(MINUS * inner + (MINUS if value.operator == "~" else number(0)), kind)
            case tree.Binary(operator="+" | "-" | "*"):
                left, right = self.polynomial(value.left), self.polynomial(value.right)
                if left is None or right is None:
                    return None
                if value.operator == "*":
                    return _modular(left * right, kind)
                return _modular(left + (right if value.operator == "+" else MINUS * right), kind)
            case tree.Binary():
                known = self._of_numbers(value, kind)
                if known is not None:
                    return known
            case tree.Conditional():
                condition = self.polynomial(value.condition)
                if condition is not None and condition.bits is None and condition.constant is not None:
                    return self.polynomial(value.then if condition.constant else value.otherwise)
                return self.chosen.get(value)
        key = self._key(value)
        return atom(key) if key is not None else None

    def _of_numbers(self, value: tree.Binary, kind: Integer) -> Polynomial | None:
        """An operation on two numbers of which neither is negative."""
        operation = _OPERATIONS.get(value.operator)
        parts = (self.polynomial(value.left), self.polynomial(value.right))
        left, right = (p.constant if p is not None and p.bits is None else None for p in parts)
        if operation is None or left is None or right is None or left < 0 or right < 0:
            return None
        if (value.operator in ("/", "%") and right == 0) or (value.operator in ("<<", ">>") and right >= kind.bits):
            return None
        found = operation(left, right)
        return number(int(found)) if found <= kind.greatest else None

    def _variable(self, variable: Variable) -> Polynomial | None:
        if variable.value is not None:
            return number(variable.value)
        entity = self.same.get(variable.key, variable.key)
        value = self.single(entity)
        if value is not None:
            found = _as_integer(self.polynomial(value), value.type, variable.type)
            return found if found is not None else atom(entity) if entity in self.settled else None
        return atom(entity) if entity in self.constant or entity in self.moving else None

    def _key(self, node: tree.Expression | tree.Place) -> Hashable | None:
        """Something that is equal for expressions that surely have the same value, or None."""
        if node not in self._keys:
            self._keys[node] = self._new_key(node)
        return self._keys[node]

    @cached_property
    def _keys(self) -> dict[tree.Node, Hashable | None]:
        """The keys that were asked for. A subscript within subscripts is asked for by each of those around it."""
        return {}

    def _new_key(self, node: tree.Expression | tree.Place) -> Hashable | None:
        what: Hashable
        parts: tuple[tree.Expression | tree.Place, ...]
        match node:
            case tree.Named(variable=variable):
                entity = variable.key
                if entity in self.moving or entity in self.same:
                    return None
                settled = entity in self.settled and self.single(entity) is not None
                return entity if settled or entity in self.constant else None
            case tree.Constant():
                return None if node.value is None else (node.type, node.value)
            case tree.Load() if not (node.place.type.volatile or node.place.type.atomic):
                return self._key(node.place)
            case tree.Binary():
                what, parts = node.operator, (node.left, node.right)
            case tree.Unary():
                what, parts = node.operator, (node.operand,)
            case tree.Convert():
                what, parts = "()", (node.value,)
            case tree.Offset():
                what, parts = "-" if node.backward else "[]", (node.pointer, node.index)
            case tree.Pointee():
                what, parts = "*", (node.pointer,)
            case tree.Part():
                what, parts = node.member, (node.whole,)
            case tree.Decay():
                what, parts = "decay", (node.array,)
            case _:
                return None
        keys = tuple(map(self._key, parts))
        return None if None in keys else Key((what, node.type, *keys))

    # -- places ---------------------------------------------------------------------------------------------------

    def place(self, node: tree.Place) -> Place | None:
        """Where a place of the tree is, or None if that is not known."""
        match node:
            case tree.Named(variable=variable):
                return Place(variable.key, ())
            case tree.Pointee():
                return self._pointee(node.pointer)
            case tree.Part():
                around, record = self.place(node.whole), node.whole.type
                if around is None:
                    return None
                plain = isinstance(record, Record) and not record.info.union
                plain = plain and bool(node.member.name) and node.member.bits is None
                return Place(around.root, (*around.steps, node.member), around.unions or not plain)
        return None

    def _pointee(self, pointer: tree.Expression) -> Place | None:
        """The element to which a pointer leads."""
        kind = pointer.type
        if not isinstance(kind, Pointer):
            return None
        first, element = Subscript(number(0), value_of(kind.to)), value_of(kind.to)
        match pointer:
            case tree.Decay():
                array = self.place(pointer.array)
                return None if array is None else Place(array.root, (*array.steps, first), array.unions)
            case tree.Load(place=tree.Named(variable=variable)):
                value = self.single(variable.key)
                if value is None:
                    return Place(variable.key, (first,)) if variable.key in self.fixed else None
                return _of(self._pointee(value), element)
            case tree.Load(place=tree.Part()):
                root, path = owner_of(pointer.place)
                member = self.members.get((root.key, path)) if root is not None else None
                if member is None and self.in_structures is not None:
                    member = self.in_structures(pointer)
                return Place(member, (first,)) if member is not None else None
            case tree.Offset():
                index = self.polynomial(pointer.index)
                if index is not None and pointer.backward:
                    index = MINUS * index
                return _element(self._pointee(pointer.pointer), index)
            case tree.Convert():
                return _of(self._pointee(pointer.value), element)
            case tree.AddressOf():
                return _of(self.place(pointer.place), element)
        return None


def _of(found: Place | None, element: Type) -> Place | None:
    """A place if it is an element of this type."""
    last = found.steps[-1] if found is not None and found.steps else None
    return found if isinstance(last, Subscript) and last.element == element else None


def _element(first: Place | None, index: Polynomial | None) -> Place | None:
    """The element ``index`` elements after the ``first``."""
    if first is None:
        return None
    *steps, last = first.steps
    assert isinstance(last, Subscript)
    total = last.index + index if last.index is not None and index is not None else None
    return Place(first.root, (*steps, Subscript(total, last.element)), first.unions)


_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "/": floordiv, "%": mod, "<<": lshift, ">>": rshift, "&": and_, "|": or_, "^": xor,
    "==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
}  # fmt: skip


def _modular(found: Polynomial, kind: Integer) -> Polynomial:
    """The value of arithmetic in a type. Unsigned arithmetic is modulo a power of 2, and signed arithmetic exact."""
    if kind.signed:
        return found
    known = found.constant if found.bits is None else None
    return found.modulo(kind.bits) if known is None else number(known % (1 << kind.bits))


def _as_integer(found: Polynomial | None, source: Type, to: Type) -> Polynomial | None:
    """A value converted to an integer type, which keeps it modulo a power of 2 if the type has not all values."""
    if found is None or not isinstance(source, Integer) or not isinstance(to, Integer) or to.boolean:
        return None
    known = found.constant if found.bits is None else None
    if known is not None:
        value = known % (1 << to.bits)
        return number(value - (1 << to.bits) if value > to.greatest else value)
    same = source.signed == to.signed and source.bits <= to.bits
    return found if same or (not source.signed and source.bits < to.bits) else found.modulo(to.bits)
