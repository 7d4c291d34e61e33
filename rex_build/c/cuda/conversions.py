"""Spells out C's implicit conversions that C++ does not make, and complex arithmetic."""

from __future__ import annotations

from pycparser import c_ast

from ..analysis.program import is_object
from ..sema.ctype import (
    NARROW_FLOATS,
    Array,
    C,
    CType,
    EnumType,
    Function,
    Pointer,
    Record,
    Scalar,
    Void,
    sizeof,
    strip,
)
from ..sema.expressions import declare_real
from ..sema.initialisers import is_string
from ..sema.type_questions import (
    as_vector,
    decay,
    innermost,
    integer_range,
    is_arithmetic,
    is_complex,
    is_floating,
    is_integer,
    is_ragged,
    is_unsigned,
    usual_arithmetic,
)
from . import text as ct
from .objects import VOLATILE, access_of, is_flat, is_in_ragged
from .scope import Scope, hoisted_object
from .text import Text, bare_string, is_bool_text, is_plain, string_initialiser
from .types import flattened, is_flattened

# Prints complex arithmetic as calls of the device library.

_COMPLEX = {"+": "add", "-": "sub", "*": "mul", "/": "div", "==": "equal", "!=": "equal"}


def to_complex(scope: Scope, text: Text, source: CType, target: CType) -> Text:
    if not is_complex(source):
        return ct.call(f"rex_complex<{part_type(scope, target)}>", text)
    if source == target:
        return text
    return ct.call(f"rex_complex_as<{part_type(scope, target)}>", text)


def part_type(scope: Scope, t: CType) -> str:
    """The C++ type of the parts of a complex type."""
    return scope.declaration(Scalar(declare_real(t)))


def real_part(text: Text, t: CType) -> tuple[Text, CType]:
    """The real part of a complex value, with its type."""
    if t == C.HALF_COMPLEX:  # results have float parts
        return ct.call("rex_re<float>", text), C.FLOAT
    return ct.call("REX_REAL", text), Scalar(declare_real(t))


def half_part(scope: Scope, operand: c_ast.Node, part: str) -> Text:
    """The part ``re`` or ``im`` of a complex number of halves. In an object it is a half, and in a result a float."""
    if is_object(operand) and access_of(scope, operand) in (None, VOLATILE):
        return ct.member(scope.place(operand), part)
    return ct.call(f"rex_{part}<float>", scope.emit(operand))


def complex_operation(scope: Scope, op: str, a: Text, left: CType, b: Text, right: CType) -> Text:
    common = usual_arithmetic(left, right)
    if not is_floating(common):  # C++ would promote its parts
        a, b = _with_parts(scope, a, left, common), _with_parts(scope, b, right, common)
    call = ct.call(f"rex_complex_{_COMPLEX[op]}", a, b)
    return ct.prefix("!", call) if op == "!=" else call


def _with_parts(scope: Scope, text: Text, t: CType, common: CType) -> Text:
    """A complex or real integer, with parts of the same type as those of ``common``."""
    if is_complex(t):
        return to_complex(scope, text, t, common)
    real = Scalar(declare_real(common))
    return text if t == real else ct.Cast(scope.declaration(real), text)


def complex_update(scope: Scope, node: c_ast.Assignment, left: Text, t: CType) -> Text:
    """``z *= w``. The target is evaluated once."""
    value = scope.sema._promoted(node.rvalue, scope.value_type(node.rvalue))
    if is_plain(node.lvalue):
        new = complex_operation(scope, node.op[:-1], left, strip(t), scope.emit(node.rvalue), value)
        return ct.assignment(left, "=", _complex_result(scope, node, new, t))
    place = scope.temporary()
    pointer = scope.declaration(Pointer(t), place)
    new = complex_operation(scope, node.op[:-1], ct.name(f"*{place}"), strip(t), scope.emit(node.rvalue), value)
    new = _complex_result(scope, node, new, t)
    return ct.name(f"({{ {pointer} = {ct.prefix('&', left).text}; *{place} = {new.text}; }})")


def complex_step(scope: Scope, t: CType, target: Text, op: str) -> Text:
    place, old = scope.temporary(), scope.temporary()
    one = f"rex_complex<{part_type(scope, t)}>(1)"
    text = f"{scope.declaration(Pointer(t), place)} = {ct.prefix('&', target).text}; "
    text += f"const {scope.declaration(strip(t), old)} = *{place}; "
    text += f"*{place} = rex_complex_{_COMPLEX[op[-1]]}({old}, {one}); "
    return ct.name(f"({{ {text}{old if op[0] == 'p' else '*' + place}; }})")


def _complex_result(scope: Scope, node: c_ast.Assignment, new: Text, t: CType) -> Text:
    target = strip(t)
    common = usual_arithmetic(target, scope.value_type(node.rvalue))
    if is_complex(target):
        return to_complex(scope, new, common, target)
    return ct.Cast(scope.declaration(target), real_part(new, common)[0])


# Spells out C's implicit conversions that C++ does not make.

def is_null(scope: Scope, node: c_ast.Node) -> bool:
    """Whether the expression is a null pointer constant (6.3.2.3)."""
    if isinstance(node, c_ast.Constant):
        return node.type not in ("string", "char") and scope.sema.value(node) == 0
    if isinstance(node, c_ast.Cast):
        return strip(scope.sema.resolve_type(node.to_type)) == Pointer(Void()) and is_null(scope, node.expr)
    return False


def convert(scope: Scope, node: c_ast.Node, target: CType) -> Text:
    """The expression, with the casts that C++ needs to assign it to an object of type ``target``."""
    target = strip(decay(target))
    if isinstance(target, Pointer):
        return _to_pointer(scope, node, target)
    if is_arithmetic(target):
        return to_arithmetic(scope, node, target)
    if isinstance(target, Record):
        t = scope.type(node)
        text = scope.emit(node) if access_of(scope, node) is not None else _record_copy(scope, node, t, target)
        return text if as_vector(target) in (None, as_vector(t)) else as_bits(scope, text, target)
    return scope.emit(node)


def _record_copy(scope: Scope, node: c_ast.Node, t: CType, target: Record) -> Text:
    """A structure of type ``t`` that can be read without special care."""
    text = not_volatile(scope, node, t) if "volatile" in t.quals else scope.emit(node)
    if is_in_ragged(scope, node):
        pointer = ct.prefix("&", text)
        return ct.call(f"rex_by_bytes<{scope.declaration(strip(t))}>", pointer)
    if is_ragged(target) and not isinstance(node, c_ast.FuncCall | c_ast.CompoundLiteral):
        return ct.call("rex_copied", text)
    return text


def as_bits(scope: Scope, text: Text, target: CType) -> Text:
    """The bytes of a vector or a number, in another type of the same size of which one is a vector."""
    return ct.call(f"rex_bits_as<{scope.declaration(strip(target))}>", text)


def not_volatile(scope: Scope, node: c_ast.Node, t: CType) -> Text:
    """A volatile object of class type as one that is not volatile. C++ does not copy the former."""
    pointer = ct.Cast(scope.types.pointer_to(strip(t)), ct.prefix("&", scope.emit(node)))
    return ct.prefix("*", pointer)


def _to_pointer(scope: Scope, node: c_ast.Node, target: Pointer) -> Text:
    if is_null(scope, node):
        return ct.name("nullptr")
    if is_string(node):
        t = scope.type(node)
        if scope.is_static and isinstance(t, Array) and t.of != C.CHAR:  # as 'int *', its address is no constant
            array = hoisted_object(scope, node, t, f" = {string_initialiser(t, node)}")
            return ct.Cast(scope.declaration(target), ct.name(array))
        bare = bare_string(node)
        if target.to == Scalar("char", quals=frozenset({"const"})):
            return bare
        return ct.Cast(scope.declaration(target), bare)
    if isinstance(node, c_ast.TernaryOp):
        return ternary(scope, node, target)
    source = scope.value_type(node)
    text = scope.emit(node)
    if isinstance(source, Pointer) and _is_implicit(scope, source, target):
        plain = is_flattened(source) or isinstance(target.to, Void) or not is_flat(scope, node)
        return text if plain else ct.Cast(scope.declaration(target), text)
    return converted(scope, text, source, target)


def converted(scope: Scope, text: Text, source: CType, target: CType) -> Text:
    """A value of type ``source``, with the casts that C++ needs to assign it to an object of type ``target``."""
    if isinstance(target, Pointer):
        if isinstance(source, Pointer) and _is_implicit(scope, source, target):
            return text
        if is_integer(source) and sizeof(source) != 8:
            text = ct.Cast("long", text)
        return ct.Cast(scope.declaration(target), text)
    if isinstance(source, Pointer) and is_arithmetic(target):
        if target == C.BOOL:
            return ct.binary("!=", text, ct.name("nullptr"))
        return ct.Cast(scope.declaration(target), ct.Cast("long", text))
    if is_complex(target):
        return to_complex(scope, text, source, target)
    if is_complex(source):
        return ct.call("rex_complex_true", text) if target == C.BOOL else real_part(text, source)[0]
    return text


def _is_implicit(scope: Scope, source: Pointer, target: Pointer) -> bool:
    """Whether C++ converts between these pointer types without a cast."""
    a, b = flattened(source), flattened(target)
    if not (isinstance(a, Pointer) and isinstance(b, Pointer)):
        return False
    if not innermost(a.to).quals <= innermost(b.to).quals:
        return False
    if isinstance(b.to, Void):
        return not isinstance(a.to, Function)
    return same_pointer(scope, a, b)


def to_arithmetic(scope: Scope, node: c_ast.Node, target: CType) -> Text:
    source = scope.value_type(node)
    text = scope.emit(node)
    if isinstance(source, Pointer) or is_complex(target) or (is_complex(source) and target == C.BOOL):
        return converted(scope, text, source, target)
    if is_complex(source):
        text, source = real_part(text, source)
    if isinstance(target, EnumType) and target.info in scope.unit.device_names.library_enums:
        return text if source == target else ct.Cast(scope.declaration(target), text)
    if is_integer(target) and target != C.BOOL:
        value = scope.sema.value(node)
        low, high = integer_range(target)
        if value is not None and not low <= value <= high:
            return ct.Cast(scope.declaration(target), text)
        if is_floating(source) and isinstance(node, c_ast.Constant | c_ast.UnaryOp):
            return ct.Cast(scope.declaration(target), text)
    if target == C.BOOL and not is_bool_text(node) and source != C.BOOL:
        return ct.binary("!=", text, ct.ZERO) if isinstance(node, c_ast.BinaryOp) else text
    return text


def widened(scope: Scope, node: c_ast.Node) -> Text:
    """An arithmetic expression, of type float if C's type has 16 bits."""
    text = scope.emit(node)
    return ct.Cast("float", text) if scope.value_type(node) in NARROW_FLOATS else text


def same_pointer(scope: Scope, a: Pointer | CType, b: Pointer | CType) -> bool:
    a, b = flattened(a), flattened(b)
    if not (isinstance(a, Pointer) and isinstance(b, Pointer)):
        return False
    return scope.declaration(strip(a.to)) == scope.declaration(strip(b.to))


def same_sign(
    scope: Scope, left: c_ast.Node, a: Text, right: c_ast.Node, b: Text, comparison: bool
) -> tuple[Text, Text]:
    """Spell out the conversion of a signed operand to the unsigned common type, which compilers warn of."""
    s, t = scope.value_type(left), scope.value_type(right)
    if not (is_integer(s) and is_integer(t)):
        return a, b
    p, q = scope.sema._promoted(left, s), scope.sema._promoted(right, t)
    # Unsigned bit-fields are promoted to int, but some compilers warn of them as unsigned.
    a, s = (ct.Cast("int", a), p) if is_unsigned(s) and sizeof(s) == 4 and not is_unsigned(p) else (a, s)
    b, t = (ct.Cast("int", b), q) if is_unsigned(t) and sizeof(t) == 4 and not is_unsigned(q) else (b, t)
    common = usual_arithmetic(p, q)
    if not is_unsigned(common):
        return a, b
    return to_unsigned(scope, left, s, a, common, comparison), to_unsigned(scope, right, t, b, common, comparison)


def to_unsigned(scope: Scope, node: c_ast.Node, t: CType, text: Text, common: CType, comparison: bool) -> Text:
    if is_unsigned(t) or is_bool_text(node):
        return text
    value = scope.sema.value(node)
    if comparison if value is None else value < 0:
        return ct.Cast(scope.declaration(common), text)
    return text


def tested(scope: Scope, node: c_ast.Node) -> Text:
    """An expression tested against zero."""
    text = scope.emit(node)
    t = scope.value_type(node)
    if is_complex(t):
        return ct.call("rex_complex_true", text)
    if isinstance(node, c_ast.Assignment):
        return ct.binary("!=", text, ct.name("nullptr") if isinstance(t, Pointer) else ct.ZERO)
    odd = (isinstance(node, c_ast.BinaryOp) and node.op in ("*", "<<")) or isinstance(node, c_ast.TernaryOp)
    return ct.binary("!=", text, ct.ZERO) if odd and is_arithmetic(t) else text


def ternary(scope: Scope, node: c_ast.TernaryOp, t: CType) -> Text:
    condition = tested(scope, node.cond)
    yes_node = node.iftrue if node.iftrue is not None else node.cond
    if isinstance(t, Void):
        branches = [_as_void(scope, n) for n in (yes_node, node.iffalse)]
    elif is_integer(t) and is_integer(scope.value_type(yes_node)):
        a, b = scope.emit(yes_node), scope.emit(node.iffalse)
        branches = list(same_sign(scope, yes_node, a, node.iffalse, b, comparison=True))
    elif is_arithmetic(t) and not is_complex(t):
        branches = [widened(scope, yes_node), widened(scope, node.iffalse)]
    else:
        t = C.FLOAT_COMPLEX if t == C.HALF_COMPLEX else t
        branches = [convert(scope, yes_node, t), convert(scope, node.iffalse, t)]
    return ct.ternary(condition, branches[0], branches[1])


def _as_void(scope: Scope, node: c_ast.Node) -> Text:
    text = scope.emit(node)
    return text if isinstance(scope.type(node), Void) else ct.Cast("void", text)
