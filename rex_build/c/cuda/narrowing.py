"""Prints scalars inside of braces, where C++ forbids narrowing conversions and CUDA's constants are restricted."""

from __future__ import annotations

from pycparser import c_ast

from ..sema import walk
from ..sema.conversions import integer_promote, integer_range
from ..sema.ctype import BOOL, HALF, HALF_COMPLEX, NARROW_FLOATS, CType, EnumType, Scalar, sizeof, strip
from ..sema.initialisers import Initialiser
from ..sema.literals import narrow_bits
from ..sema.type_questions import is_arithmetic, is_complex, is_floating, is_integer, is_unsigned
from . import text as ct
from .complex_constants import complex_parts
from .conversions import convert
from .nodes import is_bool_text
from .scope import Scope

_EXACT_INTEGERS = {"float": 2**24, "double": 2**53}


def narrowed(scope: Scope, node: c_ast.Node, target: CType) -> str:
    """A scalar inside of braces, converted without narrowing."""
    if is_complex(target) and (parts := complex_braces(scope, node, target)):
        return parts
    if constant := narrow_constant(scope, node, target):
        return constant
    text = convert(scope, node, target)
    target = strip(target)
    if not is_arithmetic(target):
        return text.at(ct.ASSIGN)
    wanted = scope.declaration(target)
    source = scope.value_type(node)
    if ct.is_cast_to(text, wanted) or not is_arithmetic(source) or not _narrows(scope, node, source, target):
        return text.at(ct.ASSIGN)
    return ct.Cast(wanted, text).text


def complex_braces(scope: Scope, node: c_ast.Node, t: CType) -> str | None:
    parts = complex_parts(scope.sema, node, t)
    if parts is not None and strip(t) == HALF_COMPLEX:
        from ctypes import c_float  # few programs need it

        halves = (narrow_bits(c_float(part).value, HALF) for part in parts)  # they are computed with as float
        return "{" + ", ".join(f"rex_half::of({bits:#x})" for bits in halves) + "}"
    return None if parts is None else f"{{{parts[0]!r}, {parts[1]!r}}}"


def narrow_constant(scope: Scope, node: c_ast.Node, t: CType) -> str | None:
    """The bits of a constant of a 16-bit floating type. CUDA cannot convert such constants before the program runs."""
    value = scope.sema.number(node) if strip(t) in NARROW_FLOATS else None
    return None if value is None else f"{scope.declaration(strip(t))}::of({narrow_bits(float(value), strip(t)):#x})"


def bit_field_initialiser(scope: Scope, node: c_ast.Node, target: CType, width: int) -> str:
    """The initialiser of a bit-field. A constant has to fit its width."""
    target = strip(target)
    value = scope.sema.value(node) if is_integer(scope.value_type(node)) else None
    if target == BOOL or (value is None and not _may_be_constant(scope, node)):
        return narrowed(scope, node, target)
    low, high = (0, 2**width - 1) if is_unsigned(target) else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
    if value is not None:
        return narrowed(scope, node, target) if low <= value <= high else str((value - low) % 2**width + low)
    wide = "unsigned long" if is_unsigned(target) else "long"
    unused = 64 - width
    shifted = ct.binary("<<", ct.Cast("unsigned long", ct.Cast(wide, scope.emit(node))), ct.name(str(unused)))
    kept = ct.binary(">>", ct.Cast(wide, shifted), ct.name(str(unused)))
    return ct.Cast(scope.declaration(target), kept).text


def union_bytes(scope: Scope, part: Initialiser) -> str | None:
    """The bytes of a union whose bit-field a constant initialises. nvcc cannot store them in another way."""
    if part.bit_width is None or part.value is None or not is_integer(scope.value_type(part.value)):
        return None
    value = scope.sema.value(part.value)
    if value is None:
        return None
    value = int(value != 0) if strip(part.type) == BOOL else value % 2**part.bit_width
    return "{" + ", ".join(str(b) for b in value.to_bytes((part.bit_width + 7) // 8, "little")) + "}"


def _may_be_constant(scope: Scope, node: c_ast.Node) -> bool:
    """Whether C++ may know the value of an expression that is no constant in C, and check it for narrowing."""
    ids = [n for n in walk(node) if isinstance(n, c_ast.ID)]
    return all((s := scope.sema.symbol(n)) is not None and "const" in s.type.quals for n in ids)


def _narrows(scope: Scope, node: c_ast.Node, source: CType, target: CType) -> bool:
    source = integer_promote(source) if isinstance(source, EnumType) else source
    target = target.info.underlying if isinstance(target, EnumType) else target
    if is_bool_text(node):
        return not is_integer(target)
    if source == target:
        return False
    if not isinstance(target, Scalar) or not isinstance(source, Scalar):
        return True
    value = scope.sema.value(node) if is_integer(source) else None
    if is_floating(target):
        if is_floating(source):
            literal = node.expr if isinstance(node, c_ast.UnaryOp) and node.op in "+-" else node
            return sizeof(source) > sizeof(target) and not isinstance(literal, c_ast.Constant)
        return value is None or abs(value) > _EXACT_INTEGERS.get(target.name, 0)
    if target == BOOL or is_floating(source):
        return True
    low, high = integer_range(target)
    if value is not None:
        return not low <= value <= high
    source_low, source_high = integer_range(source)
    return not (low <= source_low and source_high <= high)
