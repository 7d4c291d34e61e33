"""Subscripts as polynomials in variables, so that two of them can be compared.

For example, ``a[i * n + j - 1]`` has the subscript ``i n + j - 1``. What is no polynomial but does not change, such as
``n / 2``, is an atom of its own. Locals that get one value stand for that value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Hashable, Mapping
from functools import cache, cached_property

from pycparser import c_ast

from ....base.records import dataclass, field
from ....plan.code import Entity
from ...sema import Sema
from ...sema.conversions import decay, integer_range
from ...sema.ctype import Array, CType, Pointer, Record, sizeof, strip
from ...sema.type_questions import is_integer, is_unsigned
from ..members import Members, pointer_member

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
        factor = other.constant
        if factor is not None:
            terms = {m: f * factor for m, f in self.terms.items()} if factor else {}
            return Polynomial(terms, bits)
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


@dataclass(frozen=True)
class Subscript:
    """One step to an element: its number in an array of ``element``, or None if it is no polynomial."""

    index: Polynomial | None
    element: CType


@dataclass(frozen=True)
class Place:
    """Where an lvalue is: from the variable ``root`` through subscripts and members."""

    root: Entity
    steps: tuple[Subscript | str, ...]
    unions: bool = False  # whether members of unions are on the way


@dataclass(frozen=True)
class Values:
    """What is known about variables in a body.

    ``fixed`` are variables that no iteration changes, such as pointers, and ``constant`` those of them that do not lead
    to memory which is changed. ``single`` are those that get one value, with the expression for it. ``settled`` are
    those of them that get it outside of the loops over the variables ``moving``. ``members`` are pointers in structures
    that reach the kernel by value. ``chosen`` are values of conditional expressions that are assumed. ``in_structures``
    says what stands for other pointers that are members.
    """

    sema: Sema
    fixed: Container[Entity]
    constant: Container[Entity]
    moving: Collection[Entity]
    single: Mapping[Entity, c_ast.Node]
    settled: Collection[Entity]
    members: Members
    variables: Mapping[Entity, Entity]
    chosen: Mapping[c_ast.Node, Polynomial] = field(default_factory=dict)
    in_structures: Callable[[c_ast.Node], Entity | None] | None = None

    def polynomial(self, node: c_ast.Node) -> Polynomial | None:
        """The value of an integer expression, or None if it is not known."""
        if node not in self._polynomials:
            self._polynomials[node] = self._new_polynomial(node)
        return self._polynomials[node]

    @cached_property
    def _polynomials(self) -> dict[c_ast.Node, Polynomial | None]:
        """The polynomials that were asked for. Bounds of loops and subscripts are asked for by many accesses."""
        return {}

    def _new_polynomial(self, node: c_ast.Node) -> Polynomial | None:
        sema = self.sema
        known = sema.value(node)
        if known is not None:
            return number(known)
        kind = strip(sema.value_type(node))
        if not is_integer(kind):
            return None
        match node:
            case c_ast.ID():
                return self._variable(sema.symbol(node))
            case c_ast.Cast():
                return converted(self.polynomial(node.expr), strip(sema.value_type(node.expr)), kind)
            case c_ast.UnaryOp(op="+" | "-"):
                inner = self.polynomial(node.expr)
                found = inner if inner is None or node.op == "+" else MINUS * inner
                return _modular(found, kind)
            case c_ast.BinaryOp(op="+" | "-" | "*"):
                left, right = self.polynomial(node.left), self.polynomial(node.right)
                if left is not None and right is not None:
                    left = converted(left, strip(sema.value_type(node.left)), kind)
                    right = converted(right, strip(sema.value_type(node.right)), kind)
                if left is None or right is None:
                    return None
                found = left * right if node.op == "*" else left + (right if node.op == "+" else MINUS * right)
                return _modular(found, kind)
            case c_ast.BinaryOp(op="/"):
                left, right = self.polynomial(node.left), self.polynomial(node.right)
                if left is None or right is None or fewer(left.bits, right.bits) is not None:
                    pass
                elif (left.constant or -1) >= 0 and (right.constant or 0) > 0:
                    return number((left.constant or 0) // (right.constant or 1))
            case c_ast.TernaryOp():
                return self.chosen.get(node)
        key = self._key(node)
        return atom(key) if key is not None else None

    def _variable(self, symbol: Entity | None) -> Polynomial | None:
        if symbol is None:
            return None
        symbol = self.variables.get(symbol, symbol)
        if symbol in self.single:
            value = self.single[symbol]
            source = strip(self.sema.value_type(value))
            found = converted(self.polynomial(value), source, strip(symbol.type)) if is_integer(source) else None
            if found is not None:
                return found
            return atom(symbol) if symbol in self.settled else None
        return atom(symbol) if symbol in self.constant or symbol in self.moving else None

    def _key(self, node: c_ast.Node) -> Hashable | None:
        """Something that is equal for expressions that surely have the same value, or None."""
        if node not in self._keys:
            self._keys[node] = self._new_key(node)
        return self._keys[node]

    @cached_property
    def _keys(self) -> dict[c_ast.Node, Hashable | None]:
        """The keys that were asked for. A subscript within subscripts is asked for by each of those around it."""
        return {}

    def _new_key(self, node: c_ast.Node) -> Hashable | None:
        if isinstance(node, c_ast.ID):
            symbol = self.sema.symbol(node)
            if symbol is None or symbol in self.moving or symbol in self.variables:
                return None
            settled = symbol in self.single and symbol in self.settled
            return symbol if settled or symbol in self.constant else None
        if isinstance(node, c_ast.Constant):
            return (node.type, node.value)
        names: tuple[Hashable, ...]
        match node:
            case c_ast.BinaryOp() | c_ast.UnaryOp(op="*" | "-" | "+" | "~" | "!"):
                names = (node.op,)
            case c_ast.Cast() if is_integer(strip(self.sema.value_type(node))):
                keyed = self._key(node.expr)
                return None if keyed is None else ("cast", str(self.sema.value_type(node)), keyed)
            case c_ast.StructRef():
                keyed = self._key(node.name)
                return None if keyed is None else (node.type, node.field.name, keyed)
            case c_ast.ArrayRef():
                names = ("[]",)
            case _:
                return None
        parts = tuple(self._key(part) for part in node)
        return None if None in parts else (*names, str(self.sema.type(node)), *parts)

    # -- places ---------------------------------------------------------------------------------------------------

    def place(self, node: c_ast.Node) -> Place | None:
        """Where an lvalue is, or None if that is not known."""
        sema = self.sema
        match node:
            case c_ast.ID():
                symbol = sema.symbol(node)
                return Place(symbol, ()) if symbol is not None else None
            case c_ast.ArrayRef():
                is_base = isinstance(strip(sema.type(node.name)), (Pointer, Array))
                base, index = (node.name, node.subscript) if is_base else (node.subscript, node.name)
                return self._element(self._pointee(base), self.polynomial(index))
            case c_ast.UnaryOp(op="*"):
                return self._pointee(node.expr)
            case c_ast.StructRef():
                around = self.place(node.name) if node.type == "." else self._pointee(node.name)
                if around is None:
                    return None
                record = strip(sema.type(node.name))
                record = strip(record.to) if isinstance(record, Pointer) else record
                fields = sema.member(node)
                union = not isinstance(record, Record) or record.info.kind != "struct" or len(fields) != 1
                union = union or any(f.bit_width is not None for f in fields)
                return Place(around.root, (*around.steps, node.field.name), around.unions or union)
        return None

    def _pointee(self, node: c_ast.Node) -> Place | None:
        """The element to which a pointer, or an array, leads."""
        sema = self.sema
        if isinstance(strip(sema.type(node)), Array):
            kind = decay(strip(sema.type(node)))
            assert isinstance(kind, Pointer)
            array = self.place(node)
            first = Subscript(number(0), strip(kind.to))
            return None if array is None else Place(array.root, (*array.steps, first), array.unions)
        kind = strip(sema.value_type(node))
        if not isinstance(kind, Pointer):
            return None
        match node:
            case c_ast.ID():
                symbol = sema.symbol(node)
                if symbol is not None and symbol in self.single:
                    found = self._pointee(self.single[symbol])
                    last = found.steps[-1] if found is not None else ""
                    return found if isinstance(last, Subscript) and last.element == strip(kind.to) else None
                if symbol is None or symbol not in self.fixed:
                    return None
                return Place(symbol, (Subscript(number(0), strip(kind.to)),))
            case c_ast.StructRef():
                member: Entity | None = pointer_member(sema, self.members, node)
                if member is None and self.in_structures is not None:
                    member = self.in_structures(node)
                return Place(member, (Subscript(number(0), strip(kind.to)),)) if member is not None else None
            case c_ast.BinaryOp(op="+" | "-"):
                is_left = isinstance(strip(sema.value_type(node.left)), Pointer)
                base, index = (node.left, node.right) if is_left else (node.right, node.left)
                moved = self.polynomial(index)
                if moved is not None and node.op == "-":
                    moved = MINUS * moved
                return self._element(self._pointee(base), moved)
            case c_ast.Cast():
                inner = strip(sema.value_type(node.expr))
                same = isinstance(inner, Pointer) and strip(inner.to) == strip(kind.to)
                return self._pointee(node.expr) if same else None
            case c_ast.UnaryOp(op="&"):
                found = self.place(node.expr)
                ends = found is not None and found.steps and isinstance(found.steps[-1], Subscript)
                return found if ends else None
        return None

    @staticmethod
    def _element(first: Place | None, index: Polynomial | None) -> Place | None:
        """The element ``index`` elements after the ``first``."""
        if first is None:
            return None
        *steps, last = first.steps
        assert isinstance(last, Subscript)
        total = last.index + index if last.index is not None and index is not None else None
        return Place(first.root, (*steps, Subscript(total, last.element)), first.unions)


def _modular(found: Polynomial | None, kind: CType) -> Polynomial | None:
    """The value of arithmetic in a type. Unsigned arithmetic is modulo a power of 2, and signed arithmetic exact."""
    return found.modulo(8 * sizeof(kind)) if found is not None and is_unsigned(kind) else found


def converted(found: Polynomial | None, source: CType, to: CType) -> Polynomial | None:
    """A value converted to an integer type, which keeps it modulo a power of 2 if the type has not all values."""
    if found is None or not is_integer(to) or getattr(to, "name", "") == "_Bool":
        return None
    if source is to:
        return found
    shorter = sizeof(to) < sizeof(source)
    kept = not shorter and (
        is_unsigned(source) == is_unsigned(to) or (is_unsigned(source) and sizeof(to) > sizeof(source))
    )
    if kept or (found.bits is None and found.constant is not None and _fits(found.constant, to)):
        return found
    return found.modulo(8 * sizeof(to)) if sizeof(to) >= 4 else None


def _fits(value: int, kind: CType) -> bool:
    low, high = integer_range(kind)
    return low <= value <= high
