"""C expressions printed as CUDA C++."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pycparser import c_ast

from ..analysis.atomics import is_object
from ..analysis.device_library import is_overloaded, refused_type
from ..sema import Symbol
from ..sema.ctype import (
    BOOL,
    CHAR,
    FLOAT_COMPLEX,
    HALF_COMPLEX,
    INT,
    SHORT,
    SIGNED_CHAR,
    Array,
    CType,
    Function,
    Pointer,
    Record,
    Scalar,
    Void,
    alignof,
    as_vector,
    is_arithmetic,
    is_complex,
    is_floating,
    is_integer,
    is_ragged,
    is_sizeless,
    is_unsigned,
    sizeof,
    strip,
    usual_arithmetic,
)
from ..sema.expressions import declare_real
from ..sema.initialisers import is_string, read_initialiser
from ..syntax.parser import Cleanup, Elements, StmtExpr
from . import text as ct
from .access import UNALIGNED, VOLATILE, AccessPrinter
from .base import ZERO, is_bool_text, is_plain
from .text import Text, node_name
from .types import dimensions, innermost, is_empty, is_empty_array, is_flattened, is_volatile_record, without_const
from .values import base_of, element_of_value, is_chosen

# Expressions that compilers do not warn of when their value is not used.
NARROW_SIGNED = (CHAR, SIGNED_CHAR, SHORT)
_ACTING = (c_ast.Assignment, c_ast.FuncCall, c_ast.ExprList)


def _element(t: CType) -> Scalar:
    """The type of a vector's elements."""
    vector = as_vector(t)
    assert vector is not None
    return vector.element


_COMPLEX = {"+": "add", "-": "sub", "*": "mul", "/": "div", "==": "equal", "!=": "equal"}


class ExpressionPrinter(AccessPrinter):
    """Expressions."""

    def expression(self, node: c_ast.Node) -> str:
        """The text of an expression."""
        return self._emit(node).text

    def converted(self, node: c_ast.Node, target: CType) -> str:
        """The text of an expression that is assigned to an object of type ``target``."""
        return self._convert(node, target).at(ct.ASSIGN)

    def _emit(self, node: c_ast.Node) -> Text:
        access = self._access(node)
        return self._place(node) if access is None else self._loaded(access, node)

    def _place(self, node: c_ast.Node) -> Text:
        """An expression's text where its value is not read, or is that of a plain object."""
        method: Callable[[Any], Text] | None = getattr(self, f"_emit_{node_name(node)}", None)
        if method is None:
            raise self.error(node, f"{type(node).__name__} is not supported")
        if getattr(node, "coord", None) is not None:
            self._where = node
        reason = refused_type(self._type(node))
        if reason:
            raise self.error(node, reason)
        if node in self.around.replaced:
            return ct.name(self.around.replaced[node])
        text = method(node)
        return Text(f"__ldg(&{text.at(ct.UNARY)})", ct.POSTFIX) if node in self.around.loads else text

    # ---- names and constants ----

    def _emit_id(self, node: c_ast.ID) -> Text:
        if node.name in ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__") and self.function_name is not None:
            return ct.name(f'"{self.function_name}"')
        if node.name in ("__rex_asm", "asm"):
            raise self.error(node, "inline assembly is not supported")
        symbol = self.sema.symbol(node)
        if symbol is None:
            return ct.name(node.name)
        if (constant := self._constexpr(symbol)) is not None:
            return constant
        text = self.symbol_text(symbol)
        if symbol.is_variable and self._has_stand_in(symbol.type):
            if self._hoist_static and isinstance(symbol.type, Array):  # nvcc takes the pointer alone for a constant
                return ct.cast(self.types.pointer_to(symbol.type.of), ct.name(f"&{text}"))
            return ct.name(f"(*{self._stand_in_address(symbol).text})")
        if symbol.kind == "function" and symbol in self.device_names.system_symbols and is_overloaded(symbol.name):
            return ct.cast(self.declaration(Pointer(symbol.type)), ct.name(text))  # C++ has several
        if symbol.kind == "function" and symbol.name != node.name and symbol.name in self.sema.functions:
            text = f"::{text}"  # an alias
        return Text(text, ct.UNARY) if text.startswith("-") else ct.name(text)

    def _constexpr(self, symbol: Symbol) -> Text | None:
        """The value of a C23 ``constexpr`` number, which may stand where C++ asks for a constant; None for others."""
        decl = symbol.definition
        if decl is None or "constexpr" not in getattr(decl, "storage", ()) or not is_arithmetic(symbol.type):
            return None
        if symbol.value is not None:
            text = f"{symbol.value}{'ULL' if symbol.value > 0x7FFFFFFFFFFFFFFF else ''}"
            number = Text(text, ct.UNARY) if text.startswith("-") else ct.name(text)
            return number if strip(symbol.type) == INT else ct.cast(self.declaration(strip(symbol.type)), number)
        if symbol.is_global:
            self.sema.analyse(decl)
        value = read_initialiser(self.sema, symbol.type, decl.init).value
        number = self._to_arithmetic(value, strip(symbol.type)) if value is not None else ct.name("0")
        return ct.cast(self.declaration(strip(symbol.type)), number)

    def _emit_constant(self, node: c_ast.Constant) -> Text:
        if node.type == "string":
            t = self._type(node)
            assert isinstance(t, Array)
            return ct.cast(self.types.pointer_to(without_const(t.of)), ct.name(node.value))
        if node.type.endswith("_Complex"):
            t = FLOAT_COMPLEX if self._type(node) == HALF_COMPLEX else self._type(node)
            return Text(f"rex_complex<{declare_real(t)}>(0, {node.value.rstrip()})", ct.POSTFIX)
        if node.value[-1] == "'" and (node.value[0] != "'" or len(ct.string_bytes(node.value)) != 1):
            return ct.name(str(self.sema.value(node)))  # wide, or of several characters
        return ct.name(node.value)

    # ---- operators ----

    def _emit_unary_op(self, node: c_ast.UnaryOp) -> Text:
        op, operand = node.op, node.expr
        if op in ("sizeof", "_Alignof"):
            return self._size(node)
        if op == "&":
            return self._address(operand)
        if op == "*":
            if self._is_flat(operand):
                return self._flat_element(node)
            if isinstance(self._type(node), Void):  # which nothing is read of
                return ct.cast("void", self._emit(operand))
            return ct.prefix("*", self._emit(operand))
        if op in ("p++", "p--", "++", "--"):
            return self._step(node, op)
        if op == "!":
            return ct.prefix("!", self._condition(operand))
        if op == "&&":  # the address of a label, which has no type
            raise self.error(node, f"'{op}' is not supported")
        is_vector = as_vector(self._type(operand)) is not None
        if op == "~" and not is_vector and (is_bool_text(operand) or self._value_type(operand) == BOOL):
            return ct.prefix("~", ct.cast("int", self._emit(operand)))
        if op in ("__real__", "__imag__"):
            if strip(self._type(operand)) == HALF_COMPLEX:
                return self._half_part(operand, op.strip("_")[:2])
            if is_complex(self._type(operand)):
                part = "REX_REAL" if op == "__real__" else "REX_IMAG"
                text = self._place(operand) if self._access(operand) == VOLATILE else self._emit(operand)
                return Text(f"{part}({text.at(ct.ASSIGN)})", ct.POSTFIX)
            return self._emit(operand) if op == "__real__" else ct.name("0")
        if op == "-" and not is_vector and (wrapped := self._wrapped_negation(operand)) is not None:
            return wrapped
        return ct.prefix(op, self._convert(operand, self._type(operand)) if is_vector else self._emit(operand))

    def _half_part(self, operand: c_ast.Node, part: str) -> Text:
        """The part ``re`` or ``im`` of a complex number of halves: of an object, or of a result, which has floats."""
        if is_object(operand) and self._access(operand) in (None, VOLATILE):
            return Text(f"{self._place(operand).at(ct.POSTFIX)}.{part}", ct.POSTFIX)
        return Text(f"rex_{part}<float>({self._emit(operand).at(ct.ASSIGN)})", ct.POSTFIX)

    def _size(self, node: c_ast.UnaryOp) -> Text:
        if node.op == "_Alignof":
            return ct.name(str(self._alignment_of(node.expr)))
        operand = node.expr
        is_type = isinstance(operand, c_ast.Typename)
        t = self.sema.resolve_type(operand) if is_type else self._type(operand)
        if isinstance(t, Void | Function):
            return ct.name("1")
        if not (isinstance(t, Array) and is_flattened(t)):
            return Text(f"sizeof({self.declaration(without_const(t))})", ct.UNARY)
        text = Text(f"sizeof({self.declaration(without_const(innermost(t)))})", ct.UNARY)
        if is_type:
            extents = self._extent_texts(operand, dimensions(t))
        elif isinstance(operand, c_ast.ArrayRef | c_ast.UnaryOp):
            extents = self._flat(self._pointer_and_index(operand)[0])[2]
        else:
            extents = self._extents_of(operand, whole=True)
        return ct.binary("*", text, self._product(extents))

    def _alignment_of(self, operand: c_ast.Node) -> int:
        """The alignment in bytes of a type or, as in GNU C, of what an expression designates."""
        if isinstance(operand, c_ast.Typename):
            return alignof(self.sema.resolve_type(operand))
        if isinstance(self._type(operand), Function):
            raise self.error(operand, "the alignment of a function is not supported")
        own = alignof(self._type(operand))
        if isinstance(operand, c_ast.StructRef):
            member = self.sema.member(operand)[-1]
            if member.bit_width is not None or member.offset % own:
                raise self.error(operand, "the alignment of this member is not supported")
            return max(own, self._alignment(member.node))
        symbol = self.sema.symbol(operand) if isinstance(operand, c_ast.ID) else None
        decl = symbol.definition if symbol is not None else None
        return max(own, self._alignment(decl)) if isinstance(decl, c_ast.Decl) else own

    def _alignment(self, node: c_ast.Decl) -> int:
        raise NotImplementedError

    def _address(self, operand: c_ast.Node) -> Text:
        if isinstance(operand, c_ast.CompoundLiteral):
            return self._literal_address(operand)
        t = self._type(operand)
        if isinstance(t, Function):
            return self._emit(operand)
        if isinstance(t, Array) and self._is_flat(operand):
            return self._emit(operand)
        symbol = self.sema.symbol(operand) if isinstance(operand, c_ast.ID) else None
        if symbol is not None and is_sizeless(symbol.type):
            return self._stand_in_address(symbol)
        if isinstance(operand, c_ast.UnaryOp) and operand.op == "*":
            return self._emit(operand.expr)
        if isinstance(t, Array) and symbol in self.symbol_names and not self._hoist_static:
            return ct.cast(self.types.pointer_to(t), self._emit(operand))  # or a pointer to the array's first element
        if isinstance(base := base_of(self.sema, operand), c_ast.CompoundLiteral):
            self._kept.add(base)
        if (element := element_of_value(self.sema, operand)) is not None:  # which C++ has no address of
            if element is operand:
                array, index = self._pointer_and_index(element)
                return ct.binary("+", self._emit(array), index)
            self._designated.add(element)
        if is_string(operand):
            return ct.cast(self.types.pointer_to(t), Text(f"&{operand.value}", ct.UNARY))
        if self._hoist_static and isinstance(operand, c_ast.ArrayRef) and isinstance(self._type(operand.name), Array):
            return self._flat_address(operand) or ct.binary(
                "+", self._emit(operand.name), self._index(operand.subscript)
            )
        if symbol is not None:
            return ct.prefix("&", ct.name(self.symbol_text(symbol)))
        return ct.prefix("&", self._place(operand))

    @staticmethod
    def _has_stand_in(t: CType) -> bool:
        """Whether a variable is declared as something else, and not as an array that decays to the same pointer."""
        is_row = isinstance(t, Array) and not isinstance(t.of, Array) and not is_empty(t.of)
        return is_empty(t) or (is_empty_array(t) and not is_row)

    def _stand_in_address(self, symbol: Symbol) -> Text:
        """The address of a variable without a size, which something else stands for."""
        name = ct.name(self.symbol_text(symbol))
        t = strip(symbol.type) if isinstance(symbol.type, Record) else symbol.type
        of_array = isinstance(t, Array) and not self._hoist_static  # of which name may be a pointer's
        return ct.cast(self.types.pointer_to(t), name if of_array else ct.prefix("&", name))

    def _flat_address(self, node: c_ast.ArrayRef) -> Text | None:
        """``&a[1][2][3]`` counted from the first element of all, which is what nvcc takes for a constant."""
        base: c_ast.Node = node
        subscripts = []
        while isinstance(base, c_ast.ArrayRef) and isinstance(self._type(base.name), Array):
            subscripts.append(self.sema.value(base.subscript))
            base = base.name
        kind, flat = self._type(base), 0
        for value in reversed(subscripts):
            if value is None or not isinstance(kind, Array):
                return None
            flat, kind = flat * (kind.length or 0) + value, kind.of
        if isinstance(kind, Array):
            return None
        first = Text(self._emit(base).at(ct.POSTFIX) + "[0]" * len(subscripts), ct.POSTFIX)
        return ct.binary("+", ct.prefix("&", first), ct.name(str(flat)))

    def _discarded(self, node: c_ast.Node) -> Text:
        """An expression whose value is not used."""
        if isinstance(node, c_ast.FuncCall) and is_empty(self._type(node)):
            return self._call(node)
        if isinstance(node, c_ast.UnaryOp) and node.op in ("p++", "p--"):
            t = self._type(node.expr)
            if self.unit.wraps or strip(t) in (BOOL, *NARROW_SIGNED) or is_flattened(t) or strip(t) == Pointer(Void()):
                return self._step(node, node.op[1:])
        if isinstance(node, c_ast.ExprList) and self._assertion(node) is None:
            return Text(", ".join(self._discarded(e).at(ct.ASSIGN) for e in node.exprs), ct.COMMA)
        if isinstance(node, StmtExpr):
            return self._statement_expression(node, is_used=False)
        text = self._emit(node)
        acts = isinstance(node, _ACTING) or (isinstance(node, c_ast.UnaryOp) and node.op in ("++", "--", "p++", "p--"))
        return text if acts or isinstance(self._type(node), Void) else ct.cast("void", text)

    def _step(self, node: c_ast.UnaryOp, op: str) -> Text:
        """``++`` and ``--``, which C++ lacks for bool, ``void *`` and flattened arrays."""
        operand = node.expr
        t = self._type(operand)
        sign = op[-1]
        self._refuse_part(operand)
        access = self._access(operand)
        if as_vector(t) is not None and (access == UNALIGNED or self._is_in_ragged(operand)):
            one = f"{self.declaration(strip(t))}::all(1)"
            return self._updated(UNALIGNED, operand, sign, one, gives_old=op[0] == "p")
        if access is not None:
            return self._updated(access, operand, sign, "1", gives_old=op[0] == "p")
        target = self._emit(operand)
        if is_complex(t):
            return self._complex_step(t, target, op)
        if isinstance(t, Pointer) and (is_flattened(t) or isinstance(t.to, Void)):
            if isinstance(t.to, Void):
                stepped = ct.cast(self.declaration(strip(t)), ct.binary(sign, self._bytes(target), ct.name("1")))
                new = ct.assignment(target, "=", stepped)
            else:
                row = self._product(self._extents_of(operand))
                new = ct.assignment(target, f"{sign}=", row)
            if op[0] != "p":
                return new
            back = "-" if sign == "+" else "+"
            if isinstance(t.to, Void):
                return ct.cast(self.declaration(strip(t)), ct.binary(back, self._bytes(new), ct.name("1")))
            return ct.binary(back, new, row)
        if strip(t) == BOOL:
            stepped = ct.binary("!=", ct.binary(sign, target, ct.name("1")), ZERO)
            new = ct.assignment(target, "=", stepped)
            if op[0] != "p":
                return new
            old = self._temporary_name()
            return ct.name(f"({{ const bool {old} = {target.text}; {new.text}; {old}; }})")
        if strip(t) in NARROW_SIGNED:  # C converts the sum; nvcc 13 takes for granted that ++ leaves it in range
            new = ct.assignment(target, f"{sign}=", ct.name("1"))
            is_bit_field = isinstance(operand, c_ast.StructRef) and self.sema.member(operand)[-1].bit_width is not None
            if op[0] != "p":
                return new
            if not is_bit_field:
                return ct.cast(self.declaration(strip(t)), ct.binary("-" if sign == "+" else "+", new, ct.name("1")))
        if (wrapped := self._wrapped_update(operand, sign, 1, op[0] == "p")) is not None:
            return wrapped
        if op[0] == "p":
            return Text(target.at(ct.POSTFIX) + op[1:], ct.POSTFIX)
        return ct.prefix(op, target)

    @staticmethod
    def _bytes(pointer: Text) -> Text:
        return ct.cast("char *", pointer)

    def _emit_binary_op(self, node: c_ast.BinaryOp) -> Text:
        op = node.op
        if op in ("&&", "||"):
            return ct.binary(op, self._condition(node.left), self._condition(node.right))
        left, right = self._value_type(node.left), self._value_type(node.right)
        if isinstance(left, Pointer) or isinstance(right, Pointer):
            return self._pointer_operation(node, left, right)
        if as_vector(left) is not None or as_vector(right) is not None:
            return self._vector_operation(op, node.left, node.right)
        a, b = self._emit(node.left), self._emit(node.right)
        if is_complex(left) or is_complex(right):
            left, right = self.sema._promoted(node.left, left), self.sema._promoted(node.right, right)
            return self._complex_operation(op, a, left, b, right)
        if op in ct.COMPARISONS:
            bools = is_bool_text(node.left) or left == BOOL, is_bool_text(node.right) or right == BOOL
            if bools[0] != bools[1]:
                a = ct.cast("int", a) if bools[0] else a
                b = ct.cast("int", b) if bools[1] else b
            a, b = self._same_sign(node.left, a, node.right, b, comparison=True)
        elif op not in ("<<", ">>"):
            a, b = self._same_sign(node.left, a, node.right, b, comparison=False)
        return self._special_operation(op, node.left, a, node.right, b) or ct.binary(op, a, b)

    def _vector_operation(self, op: str, left: c_ast.Node, right: c_ast.Node) -> Text:
        """``left op right``, where the other operand may be a number, or a vector that differs in sign."""
        kinds = [strip(t) for t in (self._type(left), self._type(right)) if as_vector(t) is not None]
        common = kinds[-1] if op in ct.COMPARISONS and is_unsigned(_element(kinds[-1])) else kinds[0]
        a = self._vector_operand(left, common)
        b = self._vector_operand(right, kinds[-1] if op in ("<<", ">>") else common)
        if op == "*" and not self.unit.fuses and is_floating(_element(common)):
            return Text(f"rex_vector_product({a.at(ct.ASSIGN)}, {b.at(ct.ASSIGN)})", ct.POSTFIX)
        return ct.binary(op, a, b)

    def _vector_operand(self, node: c_ast.Node, t: CType) -> Text:
        if as_vector(self._type(node)) is not None:
            return self._convert(node, t)
        value = self._convert(node, _element(t))
        return Text(f"{self.declaration(t)}::all({value.at(ct.ASSIGN)})", ct.POSTFIX)

    def _complex_operation(self, op: str, a: Text, left: CType, b: Text, right: CType) -> Text:
        common = usual_arithmetic(left, right)
        if not is_floating(common):  # whose parts C++ would promote
            a, b = self._with_parts(a, left, common), self._with_parts(b, right, common)
        call = Text(f"rex_complex_{_COMPLEX[op]}({a.at(ct.ASSIGN)}, {b.at(ct.ASSIGN)})", ct.POSTFIX)
        return ct.prefix("!", call) if op == "!=" else call

    def _with_parts(self, text: Text, t: CType, common: CType) -> Text:
        """A complex or real integer with the parts that those of type ``common`` have."""
        if is_complex(t):
            return self._to_complex(text, t, common)
        real = Scalar(declare_real(common))
        return text if t == real else ct.cast(self.declaration(real), text)

    def _pointer_operation(self, node: c_ast.BinaryOp, left: CType, right: CType) -> Text:
        op = node.op
        if op in ct.COMPARISONS:
            return self._pointer_comparison(node, left, right)
        flat = [n for n, t in ((node.left, left), (node.right, right)) if isinstance(t, Pointer) and self._is_flat(n)]
        if flat:
            if len(flat) < 2:
                return self._flat_pointer(node)
            difference = ct.binary("-", self._emit(node.left), self._emit(node.right))
            extents = self._flat(flat[0])[2]
            return ct.binary("/", difference, self._product(extents)) if extents else difference
        a, b = self._emit(node.left), self._emit(node.right)
        pointers = [t for t in (left, right) if isinstance(t, Pointer)]
        if any(isinstance(t.to, Void) for t in pointers):
            a = self._bytes(a) if isinstance(left, Pointer) else a
            b = self._bytes(b) if isinstance(right, Pointer) else b
            result = ct.binary(op, a, b)
            return result if len(pointers) == 2 else ct.cast(self.declaration(pointers[0]), result)
        if len(pointers) == 2 and not self._same_pointer(left, right):
            b = ct.cast(self.declaration(left), b)
        return ct.binary(op, a, b)

    def _pointer_comparison(self, node: c_ast.BinaryOp, left: CType, right: CType) -> Text:
        sides = []
        for side, t, other in ((node.left, left, right), (node.right, right, left)):
            if isinstance(other, Pointer) and self._is_null(side):
                null = ct.name("nullptr")
                sides.append(null if node.op in ("==", "!=") else ct.cast(self.declaration(other), ZERO))
            elif isinstance(t, Pointer):
                sides.append(self._emit(side))
            else:
                sides.append(self._convert(side, other))
        if isinstance(left, Pointer) and isinstance(right, Pointer):
            nulls = self._is_null(node.left) or self._is_null(node.right)
            voids = isinstance(left.to, Void) or isinstance(right.to, Void)
            if not nulls and not voids and not self._same_pointer(left, right):
                sides[1] = ct.cast(self.declaration(left), sides[1])
        return ct.binary(node.op, sides[0], sides[1])

    def _condition(self, node: c_ast.Node) -> Text:
        """An expression tested against zero."""
        text = self._emit(node)
        t = self._value_type(node)
        if is_complex(t):
            return Text(f"rex_complex_true({text.at(ct.ASSIGN)})", ct.POSTFIX)
        if isinstance(node, c_ast.Assignment):
            return ct.binary("!=", text, ct.name("nullptr") if isinstance(t, Pointer) else ZERO)
        odd = (isinstance(node, c_ast.BinaryOp) and node.op in ("*", "<<")) or isinstance(node, c_ast.TernaryOp)
        return ct.binary("!=", text, ZERO) if odd and is_arithmetic(t) else text

    def condition(self, node: c_ast.Node) -> str:
        """The text between the parentheses of ``if`` and loops."""
        return self._condition(node).text

    def _emit_assignment(self, node: c_ast.Assignment) -> Text:
        target, op, value = node.lvalue, node.op, node.rvalue
        t = self._type(target)
        self._refuse_part(target)
        if (access := self._access(target)) is not None:
            if op == "=":
                return self._stored(access, target, value)
            if as_vector(t) is not None and access == UNALIGNED:
                return self._vector_update(node, ct.name(""), strip(t))
            if is_complex(self._type(value)) and not is_complex(t):
                raise self.error(node, f"'{op}' of a '{strip(t)}' and a complex number is not supported here")
            return self._updated(access, target, op[:-1], self._emit(value).at(ct.ASSIGN), gives_old=False)
        left = self._emit(target)
        if isinstance(t, Record) and "volatile" in t.quals:  # C++ assigns no volatile objects of class type
            left = self._not_volatile(target, t)
        if op == "=":
            return ct.assignment(left, "=", self._convert(value, t))
        if isinstance(t, Pointer):
            if is_flattened(t):
                row = self._product(self._extents_of(target))
                return ct.assignment(left, op, ct.binary("*", self._emit(value), row))
            if isinstance(t.to, Void):
                moved = ct.binary(op[0], self._bytes(left), self._emit(value))
                return ct.assignment(left, "=", ct.cast(self.declaration(strip(t)), moved))
        if is_complex(t) or is_complex(self._type(value)):
            return self._complex_update(node, left, t)
        if as_vector(t) is not None:
            return self._vector_update(node, left, strip(t))
        return self._special_update(target, op[:-1], value) or ct.assignment(left, op, self._emit(value))

    def _refuse_part(self, target: c_ast.Node) -> None:
        """A change of a part of a complex number that is read and written as a whole."""
        is_part = isinstance(target, c_ast.UnaryOp) and target.op in ("__real__", "__imag__")
        if is_part and self._access(target.expr) not in (None, VOLATILE):
            what = f"a change of a part of an object of type '{self._type(target.expr)}'"
            raise self.error(target, f"{what} is not supported")

    def _vector_update(self, node: c_ast.Assignment, left: Text, t: CType) -> Text:
        op, value = node.op, node.rvalue
        other = self._type(value) if op in ("<<=", ">>=") and as_vector(self._type(value)) is not None else t
        right = self._vector_operand(value, strip(other))
        if self._access(node.lvalue) == UNALIGNED or self._is_in_ragged(node.lvalue):
            return self._updated(UNALIGNED, node.lvalue, op[:-1], right.at(ct.ASSIGN), gives_old=False)
        if op == "*=" and not self.unit.fuses and is_floating(_element(t)):
            return Text(f"rex_vector_multiply({left.at(ct.ASSIGN)}, {right.at(ct.ASSIGN)})", ct.POSTFIX)
        return ct.assignment(left, op, right)

    def _complex_update(self, node: c_ast.Assignment, left: Text, t: CType) -> Text:
        """``z *= w``: the target is evaluated once."""
        value = self.sema._promoted(node.rvalue, self._value_type(node.rvalue))
        if is_plain(node.lvalue):
            new = self._complex_operation(node.op[:-1], left, strip(t), self._emit(node.rvalue), value)
            return ct.assignment(left, "=", self._complex_result(node, new, t))
        place = self._temporary_name()
        pointer = self.declaration(Pointer(t), place)
        new = self._complex_operation(node.op[:-1], ct.name(f"*{place}"), strip(t), self._emit(node.rvalue), value)
        new = self._complex_result(node, new, t)
        return ct.name(f"({{ {pointer} = {ct.prefix('&', left).text}; *{place} = {new.text}; }})")

    def _complex_step(self, t: CType, target: Text, op: str) -> Text:
        place, old = self._temporary_name(), self._temporary_name()
        one = f"rex_complex<{self._part_type(t)}>(1)"
        text = f"{self.declaration(Pointer(t), place)} = {ct.prefix('&', target).text}; "
        text += f"const {self.declaration(strip(t), old)} = *{place}; "
        text += f"*{place} = rex_complex_{_COMPLEX[op[-1]]}({old}, {one}); "
        return ct.name(f"({{ {text}{old if op[0] == 'p' else '*' + place}; }})")

    def _complex_result(self, node: c_ast.Assignment, new: Text, t: CType) -> Text:
        target = strip(t)
        common = usual_arithmetic(target, self._value_type(node.rvalue))
        if is_complex(target):
            return self._to_complex(new, common, target)
        return ct.cast(self.declaration(target), self._real_part(new, common)[0])

    def _emit_ternary_op(self, node: c_ast.TernaryOp) -> Text:
        return self._ternary(node, self._value_type(node))

    def _ternary(self, node: c_ast.TernaryOp, t: CType) -> Text:
        condition = self._condition(node.cond)
        yes_node = node.iftrue if node.iftrue is not None else node.cond
        if isinstance(t, Void):
            branches = [self._as_void(n) for n in (yes_node, node.iffalse)]
        elif is_integer(t) and is_integer(self._value_type(yes_node)):
            a, b = self._emit(yes_node), self._emit(node.iffalse)
            branches = list(self._same_sign(yes_node, a, node.iffalse, b, comparison=True))
        elif is_arithmetic(t) and not is_complex(t):
            branches = [self._widened(yes_node), self._widened(node.iffalse)]
        else:
            t = FLOAT_COMPLEX if t == HALF_COMPLEX else t
            branches = [self._convert(yes_node, t), self._convert(node.iffalse, t)]
        return ct.ternary(condition, branches[0], branches[1])

    def _as_void(self, node: c_ast.Node) -> Text:
        text = self._emit(node)
        return text if isinstance(self._type(node), Void) else ct.cast("void", text)

    def _emit_expr_list(self, node: c_ast.ExprList) -> Text:
        checked = self._assertion(node)
        if checked is not None:
            return checked
        last = node.exprs[-1]
        value = self._convert(last, self._type(last)) if isinstance(self._type(last), Record) else self._emit(last)
        texts = [*(self._discarded(e) for e in node.exprs[:-1]), value]
        return Text(", ".join(t.at(ct.ASSIGN) for t in texts), ct.COMMA)

    def _assertion(self, node: c_ast.ExprList) -> Text | None:
        """glibc's ``assert``: ``((void) sizeof ..., ({ if (e) ; else __assert_fail (...); }))``."""
        last = node.exprs[-1]
        if len(node.exprs) != 2 or not isinstance(last, StmtExpr):
            return None
        items = last.body.block_items or []
        if len(items) != 1 or not isinstance(items[0], c_ast.If) or items[0].iffalse is None:
            return None
        call = items[0].iffalse
        if not (isinstance(call, c_ast.FuncCall) and getattr(call.name, "name", None) == "__assert_fail"):
            return None
        return ct.ternary(self._condition(items[0].cond), ct.cast("void", ZERO), self._emit(call))

    def _emit_cast(self, node: c_ast.Cast) -> Text:
        t = strip(self.sema.resolve_type(node.to_type))
        if isinstance(node.expr, c_ast.InitList):
            return self._literal(node, t, node.expr)
        if isinstance(t, Void):
            return ct.cast("void", self._emit(node.expr))
        if is_floating(t) and isinstance(node.expr, c_ast.Constant) and node.expr.type == "long double":
            # <float.h> writes DBL_MAX as a long double constant cast to double.
            return ct.cast(self.declaration(t), ct.name(node.expr.value.rstrip("lL")))
        source = self._value_type(node.expr)
        if is_complex(t) or is_complex(source):
            converted = self._to_arithmetic(node.expr, t)
            rounded = t == HALF_COMPLEX or not is_complex(t)
            return ct.cast(self.declaration(t), converted) if rounded else converted
        if as_vector(t) is not None or as_vector(source) is not None:
            text = self._convert(node.expr, source)
            if is_bool_text(node.expr) and as_vector(source) is None:  # in C an int
                text = ct.cast("int", text)
            return text if t == source else self._as_bits(text, t)
        text = ct.name(node.expr.value) if is_string(node.expr) else self._emit(node.expr)
        if isinstance(t, Record):
            return text if t == source else self._union_of(node.expr, t)
        widened = isinstance(t, Pointer) and is_integer(source) and sizeof(source) != 8
        narrowed = isinstance(source, Pointer) and is_integer(t) and t != BOOL and sizeof(t) < 8
        if narrowed or (widened and self.sema.value(node.expr) is None):
            text = ct.cast("long", text)
        return ct.cast(self.declaration(t), text)

    def _emit_array_ref(self, node: c_ast.ArrayRef) -> Text:
        base, index = node.name, node.subscript
        if not isinstance(self._value_type(base), Pointer):
            base, index = index, base
        if self._is_flat(base):
            return self._flat_element(node)
        if node in self._designated:
            return ct.name(f"(*({ct.binary('+', self._emit(base), self._index(index)).text}))")
        if node in self._subscripted or not isinstance(self._type(node), Array):
            self._subscripted.add(base)
        left = self._bare(base) if is_string(base) else self._emit(base)
        return Text(f"{left.at(ct.POSTFIX)}[{self._index(index).text}]", ct.POSTFIX)

    def _index(self, node: c_ast.Node) -> Text:
        text = self._emit(node)
        t = self._value_type(node)
        return ct.cast("int", text) if t == CHAR else text

    def _emit_struct_ref(self, node: c_ast.StructRef) -> Text:
        holder = self._value_type(node.name) if node.type == "->" else self._type(node.name)
        holder = holder.to if isinstance(holder, Pointer) else holder
        if "_Atomic" in holder.quals:  # undefined (6.5.2.3p5)
            what = f"a member of an object of type '{holder}', which is read as a whole,"
            raise self.error(node, f"{what} is not supported")
        if isinstance(self._type(node), Array) and node not in self._subscripted:
            base = base_of(self.sema, node)
            if isinstance(base, c_ast.CompoundLiteral):
                self._kept.add(base)
            elif is_chosen(base):
                self._copied.add(base)
        # Of what is out of alignment no more is read than the member.
        is_part = node.type == "." and self._access(node.name) == UNALIGNED
        record = self._place(node.name) if is_part else self._emit(node.name)
        is_block = isinstance(node.name, StmtExpr)  # of which nvcc reaches no member
        if (is_block or node.name in self._copied) and not record.text.startswith("rex_value("):
            record = Text(f"rex_value({record.at(ct.ASSIGN)})", ct.POSTFIX)
        text = Text(record.at(ct.POSTFIX) + node.type + self._member_name(node), ct.POSTFIX)
        member = self.sema.member(node)[-1].type
        if is_volatile_record(member):  # which the definition does not say
            return ct.prefix("*", ct.cast(self.types.pointer_to(member), ct.prefix("&", text)))
        return text

    def _emit_elements(self, node: Elements) -> Text:
        return self._emit_struct_ref(node)

    # ---- statement expressions, selections ----

    def _emit_stmt_expr(self, node: StmtExpr) -> Text:
        return self._statement_expression(node, is_used=True)

    def _statement_expression(self, node: StmtExpr, is_used: bool) -> Text:
        items = node.body.block_items or []
        if not items:
            return ct.name("(void)0")
        if is_used and node.last is not None:
            self._valued.add(node.last)
        saved = self._hoisted
        text = self._block_text(items, self._depth + 1)
        self._hoisted = saved
        text = "({\n" + text + "    " * self._depth + "})"
        t = self._type(node)
        if is_used and isinstance(t, Record) and (is_ragged(t) or any(isinstance(i, Cleanup) for i in items)):
            text = f"rex_value({text})"  # of such an expression nvcc reaches no member
        return ct.name(text)

    def _emit_generic_selection(self, node: c_ast.GenericSelection) -> Text:
        return self._emit(self.sema.generic_branch(node))
