"""What an lvalue names, because some objects cannot be read by their names alone, and parts of arrays and values."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from ..analysis.alignment import loose_alignment
from ..analysis.program import is_atomic_access, is_object
from ..sema import Sema, Symbol
from ..sema.ctype import Array, Pointer, Record, Scalar, sizeof, strip
from ..sema.type_questions import integer_promote, is_complex, is_integer, is_ragged, is_unsigned
from ..syntax.parser import StmtExpr
from . import text as ct
from .scope import Scope
from .text import Text
from .types import dimensions, holds_halves, is_flattened, member_name

# Parts of structures that are values and not objects. C has addresses of them, while C++ has none or other ones.
#
# Source: C11, 6.2.4p8 (temporary lifetime).

# Expressions that are a structure's value in C, but may be the structure itself in C++.
_CHOSEN = (c_ast.TernaryOp, c_ast.Assignment, c_ast.ExprList)


def base_of(sema: Sema, part: c_ast.Node) -> c_ast.Node:
    """The expression of which an expression designates a part."""
    while True:
        if isinstance(part, c_ast.ArrayRef):
            array = part.subscript if isinstance(sema.type(part.subscript), Array) else part.name
            if not isinstance(sema.type(array), Array):
                return part
            part = array
        elif isinstance(part, c_ast.StructRef) and part.type == ".":
            part = part.name
        else:
            return part


def value_of(sema: Sema, part: c_ast.Node) -> c_ast.Node | None:
    """The value of which an expression designates a part, or None if that is an object."""
    base = base_of(sema, part)
    return base if base is not part and isinstance(base, (*_CHOSEN, c_ast.FuncCall, StmtExpr)) else None


def is_chosen(value: c_ast.Node) -> bool:
    """Whether C++ would use an object of the program in place of the value."""
    return isinstance(value, _CHOSEN)


def element_of_value(sema: Sema, part: c_ast.Node) -> c_ast.ArrayRef | None:
    """The innermost array element of which an expression designates a part, if the array belongs to a value."""
    node = part
    while isinstance(node, c_ast.StructRef) and node.type == ".":
        node = node.name
    return node if isinstance(node, c_ast.ArrayRef) and value_of(sema, node) is not None else None


# Finds what kind of object an lvalue names, because some cannot be read by their names alone.

# The prefixes of functions that read and write such objects.
_ATOMIC, UNALIGNED, VOLATILE = "rex_c", "rex_unaligned", "rex_volatile"


def is_in_ragged(scope: Scope, node: c_ast.Node) -> bool:
    """Whether an lvalue is part of a structure in which something is not aligned."""
    found = False
    while isinstance(node, c_ast.StructRef | c_ast.ArrayRef):
        base = scope.value_type(node.name)
        is_member = isinstance(node, c_ast.StructRef)
        found |= is_member and is_ragged(base.to if isinstance(base, Pointer) else base)
        if isinstance(base, Pointer) and not isinstance(scope.type(node.name), Array):
            return found
        node = node.name
    return found and isinstance(node, c_ast.ID | c_ast.UnaryOp)


def access_of(scope: Scope, node: c_ast.Node) -> str | None:
    """The prefix of the functions that read and write an object, or None for a plain object."""
    if not is_object(node):
        return None
    if is_atomic_access(scope.sema, node):
        return _ATOMIC
    t = scope.type(node)
    is_class = isinstance(t, Scalar) and (holds_halves(t) or is_complex(t))  # it is a class in C++
    if not isinstance(t, Array):
        if loose_alignment_of(scope, node) or (is_class and is_in_ragged(scope, node)):
            if isinstance(base_of(scope.sema, node), c_ast.FuncCall):
                what = "a member out of alignment of a value that a function returns"
                raise scope.error(node, f"{what} is not supported")
            return UNALIGNED
        if is_complex(t) and "volatile" in t.quals:
            return VOLATILE
    return None


def loose_alignment_of(scope: Scope, node: c_ast.Node) -> int:
    """The alignment in bytes of an lvalue's object if a typedef makes it less than its type requires, or 0.

    The typedef may be that of an object of which it is a part. Variables that device code declares have C++'s
    alignment.
    """
    t = scope.type(node)
    if isinstance(t, Scalar | Pointer) and not t.align and _is_in_plain_arrays(scope, node):
        return 0  # no typedef aligns it or what it is part of
    return loose_alignment(scope.sema, node, lambda symbol: symbol not in scope.names)


def _is_in_plain_arrays(scope: Scope, node: c_ast.Node) -> bool:
    """Whether an lvalue is part of nothing but arrays that no typedef aligns."""
    while isinstance(node, c_ast.ArrayRef):
        t = scope.type(node.name)
        if isinstance(t, Pointer):
            return True
        if not isinstance(t, Array) or t.align:
            return False
        node = node.name
    return isinstance(node, c_ast.ID | c_ast.UnaryOp)


def member_path(scope: Scope, node: c_ast.StructRef) -> str:
    return ".".join(name for f in scope.sema.member(node) if (name := member_name(f)) is not None)


def is_bit_field(scope: Scope, node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.StructRef) and scope.sema.member(node)[-1].bit_width is not None


def has_no_reference(scope: Scope, node: c_ast.Node) -> bool:
    """Whether C++ has no reference to an object: it is a bit-field, or a member that is packed."""
    if not isinstance(node, c_ast.StructRef):
        return False
    holder = scope.type(node.name) if node.type == "." else scope.value_type(node.name)
    *around, field = scope.sema.member(node)
    record = around[-1].type if around else holder.to if isinstance(holder, Pointer) else holder
    is_packed = isinstance(record, Record) and record.info.pack > 0
    return is_packed or is_bit_field(scope, node) or scope.sema.layout.of_declaration(field.node).packed


# Flattens variable-length arrays and pointers to them: ``a[i][j]`` becomes ``a[i * extent + j]``.

def is_flat(scope: Scope, node: c_ast.Node) -> bool:
    """Whether the expression is an array or a pointer to one, and printed as a pointer to its innermost elements."""
    t = scope.type(node)
    if is_flattened(t):
        return True
    if isinstance(t, Array):
        is_row = isinstance(node, c_ast.ArrayRef) or (isinstance(node, c_ast.UnaryOp) and node.op == "*")
        return is_row and is_flat(scope, pointer_and_index(scope, node)[0])
    if isinstance(t, Pointer) and isinstance(t.to, Array):
        if isinstance(node, c_ast.BinaryOp):
            return any(isinstance(scope.value_type(n), Pointer) and is_flat(scope, n) for n in node)
        if isinstance(node, c_ast.UnaryOp) and node.op == "&":
            return is_flat(scope, node.expr)
    return False


def extents_of(scope: Scope, node: c_ast.Node, whole: bool = False) -> list[Text]:
    """The extents inside one element of the flattened ``node``, as long values. With ``whole``, of the array itself."""
    if isinstance(node, c_ast.UnaryOp) and node.op == "&" and isinstance(node.expr, c_ast.ID):
        return extents_of(scope, node.expr, whole=True)
    t = scope.type(node)
    symbol = scope.sema.symbol(node) if isinstance(node, c_ast.ID) else None
    known = scope.extents.get(symbol) if symbol is not None else None
    if known is not None and not whole:
        return list(known)
    dims = dimensions(t.to if isinstance(t, Pointer) else t)
    if isinstance(t, Array) and not whole:
        dims = dims[1:]
    if known is not None:
        outermost = scope.outer_extents.get(symbol) if symbol is not None else None
        first = [outermost] if outermost is not None else extent_texts(scope, node, dims[:1])
        return [*first, *known]
    return extent_texts(scope, node, dims)


def extent_texts(scope: Scope, node: c_ast.Node, dims: tuple[int | c_ast.Node | None, ...]) -> list[Text]:
    texts = []
    for dim in dims:
        if dim is None or (isinstance(dim, c_ast.ID) and dim.name == "*"):
            raise scope.error(node, "the extent of this array is not known")
        if isinstance(dim, int):
            texts.append(ct.number(dim))
        else:
            texts.append(fixed_length(scope, node, dim) or ct.Cast("long", scope.emit(dim)))
    return texts


def fixed_length(scope: Scope, node: c_ast.Node, dim: c_ast.Node) -> Text | None:
    """The value that a length of ``node``'s type got where that was declared, or None if it is evaluated here."""
    if dim in scope.sema.fixed_lengths and dim not in scope.lengths:
        message = "a type whose length only the run knows, declared outside of the region, is not supported"
        raise scope.error(node, message)
    return scope.lengths.get(dim)


def extent_product(extents: Sequence[Text]) -> Text:
    product = extents[0]
    for extent in extents[1:]:
        product = ct.binary("*", product, extent)
    return product


def element_count(scope: Scope, symbol: Symbol) -> str | None:
    """The number of elements of an array whose extents only the run knows, or None if they are not known here."""
    outermost = scope.outer_extents.get(symbol)
    return None if outermost is None else extent_product((outermost, *(scope.extents.get(symbol) or ()))).text


def flat_parts(scope: Scope, node: c_ast.Node) -> tuple[Text, Text | None, list[Text]]:
    """The pointer to which a flat expression decays: (base, offset in elements of its target, the target's extents)."""
    if isinstance(node, c_ast.ArrayRef) or (isinstance(node, c_ast.UnaryOp) and node.op == "*"):
        pointer, subscript = pointer_and_index(scope, node)
        if is_flat(scope, pointer):
            index = _index(scope, subscript)
            base, offset, extents = flat_parts(scope, pointer)
            offset = _offset_plus(offset, index)
            # The row decays to a pointer to its first part.
            if offset is not None:
                offset = ct.binary("*", offset, extents[0])
            return base, offset, extents[1:]
    if isinstance(node, c_ast.BinaryOp) and node.op in "+-":
        pointer, index_node = node.left, node.right
        if not isinstance(scope.value_type(pointer), Pointer):
            pointer, index_node = index_node, pointer
        base, offset, extents = flat_parts(scope, pointer)
        if node.op == "+":
            return base, _offset_plus(offset, _index(scope, index_node)), extents
        index = scope.emit(index_node)
        return base, ct.prefix("-", index) if offset is None else ct.binary("-", offset, index), extents
    if isinstance(node, c_ast.UnaryOp) and node.op == "&" and isinstance(node.expr, c_ast.ArrayRef):
        pointer, subscript = pointer_and_index(scope, node.expr)
        index = _index(scope, subscript)
        base, offset, extents = flat_parts(scope, pointer)
        return base, _offset_plus(offset, index), extents
    return scope.emit(node), None, extents_of(scope, node)


def pointer_and_index(scope: Scope, node: c_ast.ArrayRef | c_ast.UnaryOp) -> tuple[c_ast.Node, c_ast.Node | None]:
    """The pointer and the index of ``pointer[index]``, which C allows in either order, or of ``*pointer``."""
    if isinstance(node, c_ast.UnaryOp):
        return node.expr, None
    if isinstance(scope.value_type(node.name), Pointer):
        return node.name, node.subscript
    return node.subscript, node.name


def _index(scope: Scope, node: c_ast.Node | None) -> Text | None:
    """The number that is added to a pointer, or None."""
    is_zero = node is None or (isinstance(node, c_ast.Constant) and scope.sema.value(node) == 0)
    return scope.emit(node) if node is not None and not is_zero else None


def _offset_plus(offset: Text | None, index: Text | None) -> Text | None:
    if offset is None or index is None:
        return index or offset
    return ct.binary("+", offset, index)


def flat_element(scope: Scope, node: c_ast.ArrayRef | c_ast.UnaryOp) -> Text:
    """``a[i][j]`` of a flattened ``a``: an element, or a pointer to the first one if it is a row."""
    pointer, subscript = pointer_and_index(scope, node)
    index = _index(scope, subscript)
    base, offset, extents = flat_parts(scope, pointer)
    offset = _offset_plus(offset, index)
    if isinstance(scope.type(node), Array):
        return _moved_pointer(base, offset, extents)
    return ct.element(base, offset or ct.ZERO)


def flat_pointer(scope: Scope, node: c_ast.Node) -> Text:
    """A sum of a pointer to flattened rows and a number."""
    return _moved_pointer(*flat_parts(scope, node))


def _moved_pointer(base: Text, offset: Text | None, extents: list[Text]) -> Text:
    if offset is None:
        return base
    return ct.binary("+", base, ct.binary("*", offset, extent_product(extents)) if extents else offset)


# Arithmetic with bit-fields that are wider than ``int``.
#
# In gcc's C such a bit-field has a type of its own width, and is not promoted: the sum of two of 40 bits is known
# modulo 2^40. In C++ it has the type with which it is declared. So results are cut to the width, here for all
# operators.

_Kind = tuple[int, bool]  # how many bits, and whether it is unsigned
_RESULTS = ("+", "-", "*", "&", "|", "^", "/", "%")
_BY_VALUE = ("/", "%", "<", "<=", ">", ">=", "==", "!=")


def cut(scope: Scope, node: c_ast.Node, text: Text) -> Text:
    """The result of an operator, whose text is C++ of the declared types."""
    if isinstance(node, c_ast.BinaryOp):
        refuse_mixed(scope, node, node.op, node.left, node.right)
    found = _wide(scope, node)
    if found is None or (isinstance(node, c_ast.BinaryOp) and node.op == ">>"):
        return text
    bits, unsigned = found
    if unsigned:
        return ct.binary("&", ct.Cast("unsigned long", text), ct.name(f"{(1 << bits) - 1:#x}UL"))
    moved = ct.binary("<<", ct.Cast("unsigned long", text), ct.name(str(64 - bits)))
    return ct.binary(">>", ct.Cast("long", moved), ct.name(str(64 - bits)))


def refuse_mixed(scope: Scope, node: c_ast.Node, op: str, one: c_ast.Node, other: c_ast.Node) -> None:
    """Refuse operands of which C converts one to another sign in the bit-field's type, where that is seen."""
    if op not in _BY_VALUE or (_wide(scope, one) is None and _wide(scope, other) is None):
        return
    left, right = _kind(scope, one), _kind(scope, other)
    if left is None or right is None or left[1] == right[1]:
        return
    negative = other if left[1] else one
    value = scope.sema.value(negative)
    bits, unsigned = _common(left, right)
    if (unsigned and bits < 64 and (value is None or value < 0)) or not unsigned:
        raise scope.error(node, f"'{op}' of a bit-field of {bits} bits and a value of another sign is not supported")


def _wide(scope: Scope, node: c_ast.Node | None) -> _Kind | None:
    """The type of an expression if it is that of a bit-field which is wider than ``int``."""
    known = scope.sema.answers(_wide)
    if node is not None and node not in known:
        known[node] = _new_wide(scope, node)
    return known[node] if node is not None else None


def _new_wide(scope: Scope, node: c_ast.Node) -> _Kind | None:
    match node:
        case c_ast.StructRef():
            width = scope.sema.member(node)[-1].bit_width
            t = strip(scope.value_type(node))
            return (width, is_unsigned(t)) if width is not None and 32 < width < 8 * sizeof(t) else None
        case c_ast.Assignment():
            return _wide(scope, node.lvalue)
        case c_ast.UnaryOp(op="+" | "-" | "~" | "++" | "--" | "p++" | "p--"):
            return _wide(scope, node.expr)
        case c_ast.BinaryOp(op="<<" | ">>"):
            return _wide(scope, node.left)
        case c_ast.BinaryOp() if node.op in _RESULTS:
            return _wider(scope, node.left, node.right)
        case c_ast.TernaryOp():
            return _wider(scope, node.iftrue or node.cond, node.iffalse)
        case c_ast.ExprList():
            return _wide(scope, node.exprs[-1])
    return None


def _wider(scope: Scope, one: c_ast.Node, other: c_ast.Node) -> _Kind | None:
    """The common type of two operands if it is that of a bit-field."""
    wide = (_wide(scope, one), _wide(scope, other))
    left, right = _kind(scope, one), _kind(scope, other)
    if wide == (None, None) or left is None or right is None:
        return None
    common = _common(left, right)
    return common if any(found is not None and found[0] == common[0] for found in wide) else None


def _common(one: _Kind, other: _Kind) -> _Kind:
    return (one[0], one[1] or other[1]) if one[0] == other[0] else max(one, other)


def _kind(scope: Scope, node: c_ast.Node) -> _Kind | None:
    wide = _wide(scope, node)
    t = scope.value_type(node)
    if wide is not None or not is_integer(t):
        return wide
    promoted = strip(integer_promote(t))
    return 8 * sizeof(promoted), is_unsigned(promoted)
