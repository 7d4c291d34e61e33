"""Prints operators, assignments, steps, and sizes."""

from __future__ import annotations

from itertools import product

from pycparser import c_ast

from ..sema import walk
from ..sema.ctype import NARROW_FLOATS, Array, C, CType, Function, Pointer, Record, Scalar, Void, alignof, strip
from ..sema.type_questions import (
    as_vector,
    innermost,
    integer_range,
    is_complex,
    is_floating,
    is_integer,
    is_unsigned,
    unsigned_of,
)
from ..sema.type_questions import usual_arithmetic as common_type
from ..syntax.parser import StmtExpr
from . import text as ct
from .access import address_of, stored, updated
from .conversions import (
    complex_operation,
    complex_step,
    complex_update,
    convert,
    half_part,
    is_null,
    not_volatile,
    same_pointer,
    same_sign,
    tested,
    to_unsigned,
)
from .initialisers import keep_changed_literal
from .objects import (
    UNALIGNED,
    VOLATILE,
    access_of,
    cut,
    extent_product,
    extent_texts,
    extents_of,
    flat_element,
    flat_parts,
    flat_pointer,
    has_no_reference,
    is_bit_field,
    is_flat,
    is_in_ragged,
    member_path,
    pointer_and_index,
    refuse_mixed,
    value_of,
)
from .scope import Scope
from .text import Text, is_bool_text
from .types import dimensions, is_flattened, without_const

# Prints arithmetic for flags of the unit that change what nvcc does.
#
# Under ``-fwrapv``, signed arithmetic is done in the unsigned type. Under ``-ffp-contract=off``, products are calls,
# with which nothing is fused. (nvcc's own option for that applies to whole images.)

_OPERATORS = {"+": "rex_add", "-": "rex_sub", "*": "rex_mul", "<<": "rex_shl"}


def special_operation(scope: Scope, op: str, left: c_ast.Node, a: Text, right: c_ast.Node, b: Text) -> Text | None:
    """``left op right``, whose texts are ``a`` and ``b``."""
    return _rounded_product(scope, op, left, a, right, b) or _wrapped_operation(scope, op, left, a, right, b)


def special_update(scope: Scope, target: c_ast.Node, op: str, value: c_ast.Node) -> Text | None:
    """``target op= value``"""
    rounded = _rounded_product_type(scope, op, target, value)
    if rounded in (C.FLOAT, C.DOUBLE) and not is_integer(scope.value_type(target)):
        if isinstance(target, c_ast.StructRef) and has_no_reference(scope, target):
            return _changed_member(scope, target, op, value, scope.emit(value), old=False)
        return ct.call("rex_multiply", scope.emit(target), scope.emit(value))
    return wrapped_update(scope, target, op, value)


def _rounded_product(scope: Scope, op: str, left: c_ast.Node, a: Text, right: c_ast.Node, b: Text) -> Text | None:
    t = _rounded_product_type(scope, op, left, right)
    if t is None or (_is_constant(scope, left) and _is_constant(scope, right)):
        return None
    return ct.call(f"rex_product<{scope.declaration(t)}>", a, b)


def _rounded_product_type(scope: Scope, op: str, left: c_ast.Node, right: c_ast.Node) -> CType | None:
    """The type of a floating-point product that has to be rounded before it is added, or None for other operations."""
    if scope.unit.fuses or op != "*":
        return None
    t = strip(common_type(scope.value_type(left), scope.value_type(right)))
    return C.FLOAT if t in NARROW_FLOATS else t if t in (C.FLOAT, C.DOUBLE) else None


def _is_constant(scope: Scope, node: c_ast.Node) -> bool:
    """Whether the compiler knows the value, because the expression names no variable and no function."""
    symbols = (scope.sema.symbol(n) for n in walk(node) if isinstance(n, c_ast.ID))
    variables = (s for s in symbols if s is not None and not s.is_enumerator)
    return all("constexpr" in getattr(s.definition, "storage", ()) for s in variables)


def _wrapped_operation(
    scope: Scope, op: str, left: c_ast.Node, a: Text, right: c_ast.Node | int, b: Text
) -> Text | None:
    """``left op right``, whose texts are ``a`` and ``b``."""
    t = _overflowing_type(scope, op, left, right)
    if t is None:
        return None
    unsigned = unsigned_of(t)
    if op != "<<" and not isinstance(right, int):
        b = to_unsigned(scope, right, scope.value_type(right), b, unsigned, comparison=False)
    inner = _overflowing_type(scope, left.op, left.left, left.right) if isinstance(left, c_ast.BinaryOp) else None
    if inner == t and isinstance(a, ct.Cast):  # the left operand has just been converted back
        a = ct.name(a.operand.at(ct.UNARY))
    else:
        a = ct.Cast(scope.declaration(unsigned), a)
    return ct.Cast(scope.declaration(t), ct.binary(op, a, b))


def wrapped_negation(scope: Scope, operand: c_ast.Node) -> Text | None:
    t = _overflowing_type(scope, "-", 0, operand)
    if t is None:
        return None
    unsigned = ct.Cast(scope.declaration(unsigned_of(t)), scope.emit(operand))
    return ct.Cast(scope.declaration(t), ct.prefix("-", unsigned))


def wrapped_update(
    scope: Scope, target: c_ast.Node, op: str, value: c_ast.Node | int, old: bool = False
) -> Text | None:
    """``target op= value``. With ``old``, the result is the old value of ``target``."""
    if _overflowing_type(scope, op, target, value) is None:
        return None
    by = ct.name(str(value)) if isinstance(value, int) else scope.emit(value)
    if isinstance(target, c_ast.StructRef) and has_no_reference(scope, target):
        return _changed_member(scope, target, op, value, by, old)
    function = f"rex_wrapped{'_after' * old}<{_OPERATORS[op]}>"
    return ct.call(function, scope.emit(target), by)


def _changed_member(
    scope: Scope, target: c_ast.StructRef, op: str, value: c_ast.Node | int, by: Text, old: bool
) -> Text:
    """The same for a member to which no reference can be bound: the structure around it is evaluated once."""
    holder, before = scope.temporary(), scope.temporary()
    pointer = scope.value_type(target.name) if target.type == "->" else Pointer(scope.type(target.name))
    place = scope.emit(target.name) if target.type == "->" else ct.prefix("&", scope.emit(target.name))
    field = ct.member(ct.name(holder), member_path(scope, target), "->")
    new = None if isinstance(value, int) else _rounded_product(scope, op, target, field, value, by)
    new = new or _wrapped_operation(scope, op, target, field, value, by)
    assert new is not None
    text = f"{scope.declaration(pointer, holder)} = {place.at(ct.ASSIGN)}; "
    if old:
        text += f"const {scope.declaration(strip(scope.type(target)), before)} = {field.text}; "
    text += f"{ct.assignment(field, '=', new).text};"
    return ct.name(f"({{ {text}{f' {before};' if old else ''} }})")


def _overflowing_type(scope: Scope, op: str, left: c_ast.Node | int, right: c_ast.Node | int) -> CType | None:
    """The signed type in which ``left op right`` is computed, if the result may leave its range, or None."""
    if not scope.unit.wraps or op not in _OPERATORS:
        return None
    a, b = promoted_type(scope, left), promoted_type(scope, right)
    if not (is_integer(a) and is_integer(b)):
        return None
    t = strip(a if op == "<<" else common_type(a, b))
    if is_unsigned(t) or (op != "<<" and _stays_in(scope, t, op, left, right)):
        return None
    return t


def promoted_type(scope: Scope, node: c_ast.Node | int) -> CType:
    return C.INT if isinstance(node, int) else scope.sema._promoted(node, scope.value_type(node))


def _stays_in(scope: Scope, t: CType, op: str, left: c_ast.Node | int, right: c_ast.Node | int) -> bool:
    """Whether the result stays in the range of ``t``, according to the ranges of the operands."""
    results = []
    for x, y in product(_bounds(scope, left), _bounds(scope, right)):
        results.append(x + y if op == "+" else x - y if op == "-" else x * y)
    low, high = integer_range(t)
    return low <= min(results) and max(results) <= high


def _bounds(scope: Scope, node: c_ast.Node | int) -> tuple[int, int]:
    value = node if isinstance(node, int) else scope.sema.value(node)
    if value is not None:
        return value, value
    assert isinstance(node, c_ast.Node)
    return (0, 1) if is_bool_text(node) else integer_range(scope.value_type(node))


# Prints arithmetic and comparisons of pointers.

def as_bytes(pointer: Text) -> Text:
    return ct.Cast("char *", pointer)


def pointer_operation(scope: Scope, node: c_ast.BinaryOp, left: CType, right: CType) -> Text:
    op = node.op
    if op in ct.COMPARISONS:
        return _pointer_comparison(scope, node, left, right)
    flat = [n for n, t in ((node.left, left), (node.right, right)) if isinstance(t, Pointer) and is_flat(scope, n)]
    if flat:
        if len(flat) < 2:
            return flat_pointer(scope, node)
        difference = ct.binary("-", scope.emit(node.left), scope.emit(node.right))
        extents = flat_parts(scope, flat[0])[2]
        return ct.binary("/", difference, extent_product(extents)) if extents else difference
    a, b = scope.emit(node.left), scope.emit(node.right)
    pointers = [t for t in (left, right) if isinstance(t, Pointer)]
    if any(isinstance(t.to, Void) for t in pointers):
        a = as_bytes(a) if isinstance(left, Pointer) else a
        b = as_bytes(b) if isinstance(right, Pointer) else b
        result = ct.binary(op, a, b)
        return result if len(pointers) == 2 else ct.Cast(scope.declaration(pointers[0]), result)
    if len(pointers) == 2 and not same_pointer(scope, left, right):
        b = ct.Cast(scope.declaration(left), b)
    return ct.binary(op, a, b)


def _pointer_comparison(scope: Scope, node: c_ast.BinaryOp, left: CType, right: CType) -> Text:
    sides = []
    for side, t, other in ((node.left, left, right), (node.right, right, left)):
        if isinstance(other, Pointer) and is_null(scope, side):
            null = ct.name("nullptr")
            sides.append(null if node.op in ("==", "!=") else ct.Cast(scope.declaration(other), ct.ZERO))
        elif isinstance(t, Pointer):
            sides.append(scope.emit(side))
        else:
            sides.append(convert(scope, side, other))
    if isinstance(left, Pointer) and isinstance(right, Pointer):
        nulls = is_null(scope, node.left) or is_null(scope, node.right)
        voids = isinstance(left.to, Void) or isinstance(right.to, Void)
        if not nulls and not voids and not same_pointer(scope, left, right):
            sides[1] = ct.Cast(scope.declaration(left), sides[1])
    return ct.binary(node.op, sides[0], sides[1])


# Prints ``sizeof`` and ``_Alignof``.

def size_of(scope: Scope, node: c_ast.UnaryOp) -> Text:
    if node.op == "_Alignof":
        return ct.name(str(_alignment_of(scope, node.expr)))
    operand = node.expr
    is_type = isinstance(operand, c_ast.Typename)
    t = scope.sema.resolve_type(operand) if is_type else scope.type(operand)
    if isinstance(t, Void | Function):
        return ct.ONE
    if not (isinstance(t, Array) and is_flattened(t)):
        return Text(f"sizeof({scope.declaration(without_const(t))})", ct.UNARY)
    text = Text(f"sizeof({scope.declaration(without_const(innermost(t)))})", ct.UNARY)
    if is_type:
        extents = extent_texts(scope, operand, dimensions(t))
    elif isinstance(operand, c_ast.ArrayRef | c_ast.UnaryOp):
        extents = flat_parts(scope, pointer_and_index(scope, operand)[0])[2]
    else:
        extents = extents_of(scope, operand, whole=True)
    return ct.binary("*", text, extent_product(extents))


def _alignment_of(scope: Scope, operand: c_ast.Node) -> int:
    """The alignment in bytes of a type or, as in GNU C, of the object of an expression."""
    if isinstance(operand, c_ast.Typename):
        return alignof(scope.sema.resolve_type(operand))
    if isinstance(scope.type(operand), Function):
        raise scope.error(operand, "the alignment of a function is not supported")
    own = alignof(scope.type(operand))
    if isinstance(operand, c_ast.StructRef):
        member = scope.sema.member(operand)[-1]
        if member.bit_width is not None or member.offset % own:
            raise scope.error(operand, "the alignment of this member is not supported")
        return max(own, scope.sema.asked_alignment(member.node))
    symbol = scope.sema.symbol(operand) if isinstance(operand, c_ast.ID) else None
    decl = symbol.definition if symbol is not None else None
    return max(own, scope.sema.asked_alignment(decl)) if isinstance(decl, c_ast.Decl) else own


# Prints operations on GNU C's vectors, which are a class of the device library.

def _element(t: CType) -> Scalar:
    """The type of a vector's elements."""
    vector = as_vector(t)
    assert vector is not None
    return vector.element


def shuffle(scope: Scope, node: c_ast.FuncCall, args: list[c_ast.Node]) -> Text:
    """Elements of one or two vectors, chosen by constants or by another vector."""
    if node.name.name == "__builtin_shuffle":
        return ct.call("rex_shuffle", *vector_arguments(scope, [args[0], args[-2], args[-1]]))
    chosen = [scope.sema.value(a) for a in args[2:]]
    if None in chosen:
        raise scope.error(node, f"'{node.name.name}' with an index that is not constant is not supported")
    return ct.call(f"rex_shuffle<{', '.join(map(str, chosen))}>", *vector_arguments(scope, args[:2]))


def vector_arguments(scope: Scope, args: list[c_ast.Node]) -> list[Text]:
    return [convert(scope, a, scope.type(a)) for a in args]


def vector_operation(scope: Scope, op: str, left: c_ast.Node, right: c_ast.Node) -> Text:
    """``left op right``, in which one operand may be a number, or a vector that differs in sign."""
    kinds = [strip(t) for t in (scope.type(left), scope.type(right)) if as_vector(t) is not None]
    common = kinds[-1] if op in ct.COMPARISONS and is_unsigned(_element(kinds[-1])) else kinds[0]
    a = _vector_operand(scope, left, common)
    b = _vector_operand(scope, right, kinds[-1] if op in ("<<", ">>") else common)
    if op == "*" and not scope.unit.fuses and is_floating(_element(common)):
        return ct.call("rex_vector_product", a, b)
    return ct.binary(op, a, b)


def _vector_operand(scope: Scope, node: c_ast.Node, t: CType) -> Text:
    if as_vector(scope.type(node)) is not None:
        return convert(scope, node, t)
    value = convert(scope, node, _element(t))
    return ct.call(f"{scope.declaration(t)}::all", value)


def vector_update(scope: Scope, node: c_ast.Assignment, left: Text, t: CType) -> Text:
    op, value = node.op, node.rvalue
    other = scope.type(value) if op in ("<<=", ">>=") and as_vector(scope.type(value)) is not None else t
    right = _vector_operand(scope, value, strip(other))
    if access_of(scope, node.lvalue) == UNALIGNED or is_in_ragged(scope, node.lvalue):
        return updated(scope, UNALIGNED, node.lvalue, op[:-1], right.at(ct.ASSIGN), gives_old=False)
    if op == "*=" and not scope.unit.fuses and is_floating(_element(t)):
        return ct.call("rex_vector_multiply", left, right)
    return ct.assignment(left, op, right)


# Prints ``++`` and ``--``, which C++ lacks for bool, ``void *``, flattened arrays and classes.

# For these types nvcc 13 assumes that ++ stays in range, while C converts a sum of type int.
_NARROW_SIGNED = (C.CHAR, C.SIGNED_CHAR, C.SHORT)


def needs_no_old_value(scope: Scope, t: CType) -> bool:
    """Whether ``x++`` of an object of type ``t`` is shorter as ``++x``, if its value is not used."""
    return scope.unit.wraps or strip(t) in (C.BOOL, *_NARROW_SIGNED) or is_flattened(t) or strip(t) == Pointer(Void())


def step(scope: Scope, node: c_ast.UnaryOp, op: str) -> Text:
    """The operation ``op`` on the operand of ``node``: ``++``, ``--``, ``p++`` or ``p--``."""
    operand = node.expr
    t = scope.type(operand)
    sign, gives_old = op[-1], op[0] == "p"
    refuse_part(scope, operand)
    keep_changed_literal(scope, operand)
    access = access_of(scope, operand)
    if as_vector(t) is not None and (access == UNALIGNED or is_in_ragged(scope, operand)):
        one = f"{scope.declaration(strip(t))}::all(1)"
        return updated(scope, UNALIGNED, operand, sign, one, gives_old=gives_old)
    if access is not None:
        return updated(scope, access, operand, sign, "1", gives_old=gives_old)
    target = scope.emit(operand)
    if is_complex(t):
        return complex_step(scope, t, target, op)
    if isinstance(t, Pointer) and isinstance(t.to, Void):
        return _void_pointer_step(scope.declaration(strip(t)), target, sign, gives_old)
    if is_flattened(t):
        row = extent_product(extents_of(scope, operand))
        new = ct.assignment(target, f"{sign}=", row)
        return ct.binary(_BACK[sign], new, row) if gives_old else new
    if strip(t) == C.BOOL:
        return _bool_step(scope, target, sign, gives_old)
    if strip(t) in _NARROW_SIGNED:
        new = ct.assignment(target, f"{sign}=", ct.ONE)
        if not gives_old:
            return new
        if not is_bit_field(scope, operand):
            return ct.Cast(scope.declaration(strip(t)), ct.binary(_BACK[sign], new, ct.ONE))
    if (wrapped := wrapped_update(scope, operand, sign, 1, gives_old)) is not None:
        return wrapped
    return Text(target.at(ct.POSTFIX) + op[1:], ct.POSTFIX) if gives_old else ct.prefix(op, target)


_BACK = {"+": "-", "-": "+"}


def _void_pointer_step(kind: str, target: Text, sign: str, gives_old: bool) -> Text:
    stepped = ct.Cast(kind, ct.binary(sign, as_bytes(target), ct.ONE))
    new = ct.assignment(target, "=", stepped)
    return ct.Cast(kind, ct.binary(_BACK[sign], as_bytes(new), ct.ONE)) if gives_old else new


def _bool_step(scope: Scope, target: Text, sign: str, gives_old: bool) -> Text:
    new = ct.assignment(target, "=", ct.binary("!=", ct.binary(sign, target, ct.ONE), ct.ZERO))
    if not gives_old:
        return new
    old = scope.temporary()
    return ct.name(f"({{ const bool {old} = {target.text}; {new.text}; {old}; }})")


def refuse_part(scope: Scope, target: c_ast.Node) -> None:
    """Refuse to change a part of a complex number that is read and written as a whole, or of a value, as gcc allows."""
    if isinstance(value_of(scope.sema, target), StmtExpr):
        raise scope.error(target, "a change of a part of a statement expression's value is not supported")
    is_part = isinstance(target, c_ast.UnaryOp) and target.op in ("__real__", "__imag__")
    if is_part and access_of(scope, target.expr) not in (None, VOLATILE):
        what = f"a change of a part of an object of type '{scope.type(target.expr)}'"
        raise scope.error(target, f"{what} is not supported")


# Prints unary and binary operators, and assignments.

def unary_operation(scope: Scope, node: c_ast.UnaryOp) -> Text:
    op, operand = node.op, node.expr
    match op:
        case "sizeof" | "_Alignof":
            return size_of(scope, node)
        case "&":
            return address_of(scope, operand)
        case "*" if is_flat(scope, operand):
            return flat_element(scope, node)
        case "*":
            is_read = not isinstance(scope.type(node), Void)
            return ct.prefix("*", scope.emit(operand)) if is_read else ct.Cast("void", scope.emit(operand))
        case "++" | "--" | "p++" | "p--":
            return step(scope, node, op)
        case "!":
            return ct.prefix("!", tested(scope, operand))
        case "&&":  # the address of a label, which has no type
            raise scope.error(node, f"'{op}' is not supported")
        case "__real__" | "__imag__":
            return _part(scope, node)
    if as_vector(scope.type(operand)) is not None:
        return ct.prefix(op, convert(scope, operand, scope.type(operand)))
    if op == "~" and (is_bool_text(operand) or scope.value_type(operand) == C.BOOL):
        return ct.prefix("~", ct.Cast("int", scope.emit(operand)))
    wrapped = wrapped_negation(scope, operand) if op == "-" else None
    return cut(scope, node, wrapped or ct.prefix(op, scope.emit(operand)))


def _part(scope: Scope, node: c_ast.UnaryOp) -> Text:
    """The real or the imaginary part of a number."""
    operand, is_real = node.expr, node.op == "__real__"
    t = scope.type(operand)
    if strip(t) == C.HALF_COMPLEX:
        return half_part(scope, operand, "re" if is_real else "im")
    if not is_complex(t):
        return scope.emit(operand) if is_real else ct.ZERO
    text = scope.place(operand) if access_of(scope, operand) == VOLATILE else scope.emit(operand)
    return ct.call("REX_REAL" if is_real else "REX_IMAG", text)


def binary_operation(scope: Scope, node: c_ast.BinaryOp) -> Text:
    op = node.op
    if op in ("&&", "||"):
        return ct.binary(op, tested(scope, node.left), tested(scope, node.right))
    left, right = scope.value_type(node.left), scope.value_type(node.right)
    if isinstance(left, Pointer) or isinstance(right, Pointer):
        return pointer_operation(scope, node, left, right)
    if as_vector(left) is not None or as_vector(right) is not None:
        return vector_operation(scope, op, node.left, node.right)
    a, b = scope.emit(node.left), scope.emit(node.right)
    if is_complex(left) or is_complex(right):
        left, right = scope.sema._promoted(node.left, left), scope.sema._promoted(node.right, right)
        return complex_operation(scope, op, a, left, b, right)
    if op in ct.COMPARISONS:
        bools = is_bool_text(node.left) or left == C.BOOL, is_bool_text(node.right) or right == C.BOOL
        if bools[0] != bools[1]:
            a = ct.Cast("int", a) if bools[0] else a
            b = ct.Cast("int", b) if bools[1] else b
        a, b = same_sign(scope, node.left, a, node.right, b, comparison=True)
    elif op not in ("<<", ">>"):
        a, b = same_sign(scope, node.left, a, node.right, b, comparison=False)
    return cut(scope, node, special_operation(scope, op, node.left, a, node.right, b) or ct.binary(op, a, b))


def assignment(scope: Scope, node: c_ast.Assignment) -> Text:
    target, op, value = node.lvalue, node.op, node.rvalue
    t = scope.type(target)
    refuse_part(scope, target)
    keep_changed_literal(scope, target)
    if (access := access_of(scope, target)) is not None:
        if op == "=":
            return stored(scope, access, target, value)
        if as_vector(t) is not None and access == UNALIGNED:
            return vector_update(scope, node, ct.name(""), strip(t))
        if is_complex(scope.type(value)) and not is_complex(t):
            raise scope.error(node, f"'{op}' of a '{strip(t)}' and a complex number is not supported here")
        return updated(scope, access, target, op[:-1], scope.emit(value).at(ct.ASSIGN), gives_old=False)
    refuse_mixed(scope, node, op[:-1], target, value)
    left = scope.emit(target)
    if isinstance(t, Record) and "volatile" in t.quals:  # C++ cannot assign volatile objects of class type
        left = not_volatile(scope, target, t)
    if op == "=":
        return ct.assignment(left, "=", convert(scope, value, t))
    if isinstance(t, Pointer):
        if is_flattened(t):
            row = extent_product(extents_of(scope, target))
            return ct.assignment(left, op, ct.binary("*", scope.emit(value), row))
        if isinstance(t.to, Void):
            moved = ct.binary(op[0], as_bytes(left), scope.emit(value))
            return ct.assignment(left, "=", ct.Cast(scope.declaration(strip(t)), moved))
    if is_complex(t) or is_complex(scope.type(value)):
        return complex_update(scope, node, left, t)
    if as_vector(t) is not None:
        return vector_update(scope, node, left, strip(t))
    return special_update(scope, target, op[:-1], value) or ct.assignment(left, op, scope.emit(value))
