"""Arithmetic that the unit's flags want in another way than nvcc has it.

Under ``-fwrapv`` signed arithmetic is done in the unsigned type. Under ``-ffp-contract=off`` products are calls, which
nothing is fused with; nvcc's own option for that is one of whole images.
"""

from __future__ import annotations

from itertools import product

from pycparser import c_ast

from ..sema import walk
from ..sema.ctype import (
    DOUBLE,
    FLOAT,
    INT,
    NARROW_FLOATS,
    CType,
    Pointer,
    integer_range,
    is_integer,
    is_unsigned,
    strip,
    unsigned_of,
)
from ..sema.ctype import usual_arithmetic as common_type
from . import text as ct
from .base import is_bool_text
from .conversions import Conversions
from .text import Text

_OPERATORS = {"+": "rex_add", "-": "rex_sub", "*": "rex_mul", "<<": "rex_shl"}


class ArithmeticPrinter(Conversions):
    """Operations that the plain operator is not right for; None stands for the others."""

    def _special_operation(self, op: str, left: c_ast.Node, a: Text, right: c_ast.Node, b: Text) -> Text | None:
        """``left op right``, whose texts are ``a`` and ``b``."""
        return self._rounded_product(op, left, a, right, b) or self._wrapped_operation(op, left, a, right, b)

    def _special_update(self, target: c_ast.Node, op: str, value: c_ast.Node) -> Text | None:
        """``target op= value``"""
        if self._product_type(op, target, value) in (FLOAT, DOUBLE) and not is_integer(self._value_type(target)):
            arguments = f"{self._emit(target).at(ct.ASSIGN)}, {self._emit(value).at(ct.ASSIGN)}"
            return Text(f"rex_multiply({arguments})", ct.POSTFIX)
        return self._wrapped_update(target, op, value)

    def _rounded_product(self, op: str, left: c_ast.Node, a: Text, right: c_ast.Node, b: Text) -> Text | None:
        t = self._product_type(op, left, right)
        if t is None or (self._is_constant(left) and self._is_constant(right)):
            return None
        return Text(f"rex_product<{self.declaration(t)}>({a.at(ct.ASSIGN)}, {b.at(ct.ASSIGN)})", ct.POSTFIX)

    def _product_type(self, op: str, left: c_ast.Node, right: c_ast.Node) -> CType | None:
        """The type of a floating-point product that has to be rounded before a sum takes it, else None."""
        if self.unit.fuses or op != "*":
            return None
        t = strip(common_type(self._value_type(left), self._value_type(right)))
        return FLOAT if t in NARROW_FLOATS else t if t in (FLOAT, DOUBLE) else None

    def _is_constant(self, node: c_ast.Node) -> bool:
        """Whether the compiler knows the value: it names no variable and no function."""
        symbols = (self.sema.symbol(n) for n in walk(node) if isinstance(n, c_ast.ID))
        variables = (s for s in symbols if s is not None and s.kind != "enumerator")
        return all("constexpr" in getattr(s.definition, "storage", ()) for s in variables)

    def _wrapped_operation(self, op: str, left: c_ast.Node, a: Text, right: c_ast.Node | int, b: Text) -> Text | None:
        """``left op right``, whose texts are ``a`` and ``b``."""
        t = self._overflowing_type(op, left, right)
        if t is None:
            return None
        unsigned = unsigned_of(t)
        if op != "<<" and not isinstance(right, int):
            b = self._unsigned(right, self._value_type(right), b, unsigned, comparison=False)
        inner = self._overflowing_type(left.op, left.left, left.right) if isinstance(left, c_ast.BinaryOp) else None
        if inner == t:  # the left operand has just been converted back
            a = ct.name(a.text.removeprefix(f"({self.declaration(t)})"))
        else:
            a = ct.cast(self.declaration(unsigned), a)
        return ct.cast(self.declaration(t), ct.binary(op, a, b))

    def _wrapped_negation(self, operand: c_ast.Node) -> Text | None:
        t = self._overflowing_type("-", 0, operand)
        if t is None:
            return None
        unsigned = ct.cast(self.declaration(unsigned_of(t)), self._emit(operand))
        return ct.cast(self.declaration(t), ct.prefix("-", unsigned))

    def _wrapped_update(self, target: c_ast.Node, op: str, value: c_ast.Node | int, old: bool = False) -> Text | None:
        """``target op= value``; with ``old``, the result is what ``target`` was before."""
        if self._overflowing_type(op, target, value) is None:
            return None
        by = ct.name(str(value)) if isinstance(value, int) else self._emit(value)
        if isinstance(target, c_ast.StructRef) and self.sema.member(target)[-1].bit_width is not None:
            return self._wrapped_bit_field(target, op, value, by, old)
        function = f"rex_wrapped{'_after' * old}<{_OPERATORS[op]}>"
        return Text(f"{function}({self._emit(target).at(ct.ASSIGN)}, {by.at(ct.ASSIGN)})", ct.POSTFIX)

    def _wrapped_bit_field(
        self, target: c_ast.StructRef, op: str, value: c_ast.Node | int, by: Text, old: bool
    ) -> Text:
        """The same for a bit-field, which no reference is bound to: what holds it is evaluated once."""
        holder, before = self._temporary_name(), self._temporary_name()
        pointer = self._value_type(target.name) if target.type == "->" else Pointer(self._type(target.name))
        place = self._emit(target.name) if target.type == "->" else ct.prefix("&", self._emit(target.name))
        field = Text(f"{holder}->{self._member_name(target)}", ct.POSTFIX)
        new = self._wrapped_operation(op, target, field, value, by)
        assert new is not None
        text = f"{self.declaration(pointer, holder)} = {place.at(ct.ASSIGN)}; "
        if old:
            text += f"const {self.declaration(strip(self._type(target)), before)} = {field.text}; "
        text += f"{ct.assignment(field, '=', new).text};"
        return ct.name(f"({{ {text}{f' {before};' if old else ''} }})")

    def _member_name(self, node: c_ast.StructRef) -> str:
        raise NotImplementedError

    def _overflowing_type(self, op: str, left: c_ast.Node | int, right: c_ast.Node | int) -> CType | None:
        """The signed type that ``left op right`` is computed in and whose range its result may leave, else None."""
        if not self.unit.wraps or op not in _OPERATORS:
            return None
        a, b = self._promoted(left), self._promoted(right)
        if not (is_integer(a) and is_integer(b)):
            return None
        t = strip(a if op == "<<" else common_type(a, b))
        if is_unsigned(t) or (op != "<<" and self._stays_in(t, op, left, right)):
            return None
        return t

    def _promoted(self, node: c_ast.Node | int) -> CType:
        return INT if isinstance(node, int) else self.sema._promoted(node, self._value_type(node))

    def _stays_in(self, t: CType, op: str, left: c_ast.Node | int, right: c_ast.Node | int) -> bool:
        """Whether the ranges of the operands keep the result in that of ``t``."""
        results = []
        for x, y in product(self._bounds(left), self._bounds(right)):
            results.append(x + y if op == "+" else x - y if op == "-" else x * y)
        low, high = integer_range(t)
        return low <= min(results) and max(results) <= high

    def _bounds(self, node: c_ast.Node | int) -> tuple[int, int]:
        value = node if isinstance(node, int) else self.sema.value(node)
        if value is not None:
            return value, value
        assert isinstance(node, c_ast.Node)
        return (0, 1) if is_bool_text(node) else integer_range(self._value_type(node))
