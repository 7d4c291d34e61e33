"""C's implicit conversions, spelt out where C++ does not make them."""

from __future__ import annotations

from pycparser import c_ast

from ..sema.ctype import (
    BOOL,
    CHAR,
    FLOAT,
    HALF_COMPLEX,
    NARROW_FLOATS,
    Array,
    CType,
    EnumType,
    Function,
    Pointer,
    Record,
    Scalar,
    Void,
    as_vector,
    decay,
    integer_range,
    is_arithmetic,
    is_complex,
    is_floating,
    is_integer,
    is_ragged,
    is_unsigned,
    sizeof,
    strip,
    usual_arithmetic,
    wrap,
)
from ..sema.expressions import declare_real
from ..sema.initialisers import is_string
from ..sema.literals import string_units
from . import text as ct
from .base import ZERO, is_bool_text
from .flattening import FlatArrays
from .text import Text
from .types import flattened, is_flattened


class Conversions(FlatArrays):
    """Expressions as they are assigned, passed, returned and compared."""

    def _ternary(self, node: c_ast.TernaryOp, t: CType) -> Text:
        raise NotImplementedError

    def _access(self, node: c_ast.Node) -> str | None:
        raise NotImplementedError

    def _bare(self, node: c_ast.Constant) -> Text:
        return ct.name(node.value)

    def _is_null(self, node: c_ast.Node) -> bool:
        """Whether the expression is a null pointer constant (6.3.2.3)."""
        if isinstance(node, c_ast.Constant):
            return node.type not in ("string", "char") and self.sema.value(node) == 0
        if isinstance(node, c_ast.Cast):
            return strip(self.sema.resolve_type(node.to_type)) == Pointer(Void()) and self._is_null(node.expr)
        return False

    def _convert(self, node: c_ast.Node, target: CType) -> Text:
        """The expression as assigned to ``target``, with the casts that C++ asks for."""
        target = strip(decay(target))
        if isinstance(target, Pointer):
            return self._to_pointer(node, target)
        if is_arithmetic(target):
            return self._to_arithmetic(node, target)
        if isinstance(target, Record):
            t = self._type(node)
            text = self._emit(node) if self._access(node) is not None else self._copy(node, t, target)
            return text if as_vector(target) in (None, as_vector(t)) else self._as_bits(text, target)
        return self._emit(node)

    def _copy(self, node: c_ast.Node, t: CType, target: Record) -> Text:
        """A structure of type ``t`` that nothing special is done to read."""
        text = self._not_volatile(node, t) if "volatile" in t.quals else self._emit(node)
        if self._is_in_ragged(node):
            pointer = ct.prefix("&", text).text
            return Text(f"rex_by_bytes<{self.declaration(strip(t))}>({pointer})", ct.POSTFIX)
        if is_ragged(target) and not isinstance(node, c_ast.FuncCall | c_ast.CompoundLiteral):
            return Text(f"rex_copied({text.at(ct.ASSIGN)})", ct.POSTFIX)
        return text

    def _is_in_ragged(self, node: c_ast.Node) -> bool:
        """Whether an lvalue is part of a structure in which not all is aligned."""
        found = False
        while isinstance(node, c_ast.StructRef | c_ast.ArrayRef):
            base = self._value_type(node.name)
            is_member = isinstance(node, c_ast.StructRef)
            found |= is_member and is_ragged(base.to if isinstance(base, Pointer) else base)
            if isinstance(base, Pointer) and not isinstance(self._type(node.name), Array):
                return found
            node = node.name
        return found and isinstance(node, c_ast.ID | c_ast.UnaryOp)

    def _as_bits(self, text: Text, target: CType) -> Text:
        """The bytes of a vector, or those of a number as a vector, as another type of that size."""
        return Text(f"rex_bits_as<{self.declaration(strip(target))}>({text.at(ct.ASSIGN)})", ct.POSTFIX)

    def _not_volatile(self, node: c_ast.Node, t: CType) -> Text:
        """A volatile object of class type, which C++ does not copy, as one that is not volatile."""
        pointer = ct.cast(self.types.pointer_to(strip(t)), ct.prefix("&", self._emit(node)))
        return ct.prefix("*", pointer)

    def _to_pointer(self, node: c_ast.Node, target: Pointer) -> Text:
        if self._is_null(node):
            return ct.name("nullptr")
        if is_string(node):
            t = self._type(node)
            if self._hoist_static and isinstance(t, Array) and t.of != CHAR:  # its address is no constant as 'int *'
                array = self._hoist(node, t, f" = {self._string_initialiser(t, node)}")
                return ct.cast(self.declaration(target), ct.name(array))
            bare = self._bare(node)
            if target.to == Scalar("char", quals=frozenset({"const"})):
                return bare
            return ct.cast(self.declaration(target), bare)
        if isinstance(node, c_ast.TernaryOp):
            return self._ternary(node, target)
        source = self._value_type(node)
        text = self._emit(node)
        if isinstance(source, Pointer):
            plain = is_flattened(source) or isinstance(target.to, Void) or not self._is_flat(node)
            return text if plain and self._is_implicit(source, target) else ct.cast(self.declaration(target), text)
        if is_integer(source) and sizeof(source) != 8:
            text = ct.cast("long", text)
        return ct.cast(self.declaration(target), text)

    def _string_initialiser(self, t: Array, node: c_ast.Node) -> str:
        assert isinstance(node, c_ast.Constant)
        element, units = string_units(node.value)
        if t.length is None:  # a flexible array member, which nvcc initialises with no string
            units = [*units, 0]
        if element != CHAR:  # an array of the integers that C has for wide characters
            return "{" + ", ".join(str(wrap(unit, element)) for unit in units[: t.length]) + "}"
        if t.length is not None and len(units) < t.length:
            return str(node.value).removeprefix("u8")
        return "{" + ", ".join(ct.char_text(unit & 255) for unit in units[: t.length]) + "}"

    def _is_implicit(self, source: Pointer, target: Pointer) -> bool:
        """Whether C++ converts between the pointer types by itself."""
        a, b = flattened(source), flattened(target)
        if not (isinstance(a, Pointer) and isinstance(b, Pointer)):
            return False
        if not a.to.quals <= b.to.quals:
            return False
        if isinstance(b.to, Void):
            return not isinstance(a.to, Function)
        return self._same_pointer(a, b)

    def _to_arithmetic(self, node: c_ast.Node, target: CType) -> Text:
        source = self._value_type(node)
        text = self._emit(node)
        if isinstance(source, Pointer):
            if target == BOOL:
                return ct.binary("!=", text, ct.name("nullptr"))
            return ct.cast(self.declaration(target), ct.cast("long", text))
        if is_complex(target):
            return self._to_complex(text, source, target)
        if is_complex(source):
            if target == BOOL:
                return Text(f"rex_complex_true({text.at(ct.ASSIGN)})", ct.POSTFIX)
            text, source = self._real_part(text, source)
        if isinstance(target, EnumType) and target.info in self.device_names.library_enums:
            return text if source == target else ct.cast(self.declaration(target), text)
        if is_integer(target) and target != BOOL:
            value = self.sema.value(node)
            low, high = integer_range(target)
            if value is not None and not low <= value <= high:
                return ct.cast(self.declaration(target), text)
            if is_floating(source) and isinstance(node, c_ast.Constant | c_ast.UnaryOp):
                return ct.cast(self.declaration(target), text)
        if target == BOOL and not is_bool_text(node) and source != BOOL:
            return ct.binary("!=", text, ZERO) if isinstance(node, c_ast.BinaryOp) else text
        return text

    def _widened(self, node: c_ast.Node) -> Text:
        """An arithmetic expression, of type float where C has one of 16 bits."""
        text = self._emit(node)
        return ct.cast("float", text) if self._value_type(node) in NARROW_FLOATS else text

    def _to_complex(self, text: Text, source: CType, target: CType) -> Text:
        if not is_complex(source):
            return Text(f"rex_complex<{self._part_type(target)}>({text.at(ct.ASSIGN)})", ct.POSTFIX)
        if source == target:
            return text
        return Text(f"rex_complex_as<{self._part_type(target)}>({text.at(ct.ASSIGN)})", ct.POSTFIX)

    def _part_type(self, t: CType) -> str:
        """The type of the parts of a complex one as C++ has it."""
        return self.declaration(Scalar(declare_real(t)))

    @staticmethod
    def _real_part(text: Text, t: CType) -> tuple[Text, CType]:
        """The real part of a complex value, with its type."""
        if t == HALF_COMPLEX:  # as float where it is a result
            return Text(f"rex_re<float>({text.at(ct.ASSIGN)})", ct.POSTFIX), FLOAT
        return Text(f"REX_REAL({text.at(ct.ASSIGN)})", ct.POSTFIX), Scalar(declare_real(t))

    def _same_pointer(self, a: Pointer | CType, b: Pointer | CType) -> bool:
        a, b = flattened(a), flattened(b)
        if not (isinstance(a, Pointer) and isinstance(b, Pointer)):
            return False
        return self.declaration(strip(a.to)) == self.declaration(strip(b.to))

    def _same_sign(self, left: c_ast.Node, a: Text, right: c_ast.Node, b: Text, comparison: bool) -> tuple[Text, Text]:
        """Spell out the conversion of a signed operand to the unsigned common type, which compilers warn of."""
        s, t = self._value_type(left), self._value_type(right)
        if not (is_integer(s) and is_integer(t)):
            return a, b
        p, q = self.sema._promoted(left, s), self.sema._promoted(right, t)
        # Unsigned bit-fields promote to int, which not all compilers know when they warn.
        a, s = (ct.cast("int", a), p) if is_unsigned(s) and sizeof(s) == 4 and not is_unsigned(p) else (a, s)
        b, t = (ct.cast("int", b), q) if is_unsigned(t) and sizeof(t) == 4 and not is_unsigned(q) else (b, t)
        common = usual_arithmetic(p, q)
        if not is_unsigned(common):
            return a, b
        return self._unsigned(left, s, a, common, comparison), self._unsigned(right, t, b, common, comparison)

    def _unsigned(self, node: c_ast.Node, t: CType, text: Text, common: CType, comparison: bool) -> Text:
        if is_unsigned(t) or is_bool_text(node):
            return text
        value = self.sema.value(node)
        if comparison if value is None else value < 0:
            return ct.cast(self.declaration(common), text)
        return text
