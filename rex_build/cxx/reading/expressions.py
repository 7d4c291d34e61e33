"""Expressions of C++ as those of the tree, with all that the language does silently.

libclang shows neither kinds of casts nor categories of values: both follow from the types of a node and of the one in
it, and from what the reader finds there, a place or a value.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, TypeVar, cast

from ...tree import nodes as tree
from ...tree import types
from ...tree.arithmetic import NotReadError
from ...tree.symbols import Function, Storage, Variable
from ...tree.types import BOOL, INT, SIZE, VOID, Integer, Pointer, Record, Type, promoted, value_of
from .. import libclang
from . import clang
from .symbols import PLACES, PlaceReader, Read, object_in_front

_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
N = TypeVar("N", bound=tree.Node)


class ExpressionReader(PlaceReader):
    """Reads expressions. A node of libclang's is read where it is asked for, as its parents read it once."""

    def read(self, cursor: Any) -> Read:
        """A place or a value, as the expression is one or the other."""
        try:
            found: Read = getattr(self, self._READERS.get(cursor.kind.name, "_other"))(cursor)
        except NotReadError as problem:
            return self.opaque(cursor, str(problem))
        return found

    def _name(self, cursor: Any) -> Read:
        target = cursor.referenced
        if target is None:  # perhaps a template's parameter that is a number
            return self._other(cursor)
        kind = target.kind.name
        if kind in ("VAR_DECL", "PARM_DECL", "UNEXPOSED_DECL"):
            return self.named(target, cursor)
        if kind == "ENUM_CONSTANT_DECL":
            return tree.Constant(value_of(self._type(cursor)), target.enum_value, origin=cursor)
        if kind in ("FUNCTION_DECL", "CXX_METHOD", "CONVERSION_FUNCTION"):
            function = self.symbols.function(target)
            return tree.FunctionAddress(Pointer(function.type), function, origin=cursor)
        known = clang.value(cursor)
        if known is None:
            raise NotReadError(f"the name of a {kind}")
        return tree.Constant(value_of(self._type(cursor)), known, origin=cursor)

    def _this_pointer(self, cursor: Any) -> Read:
        return self.address(self.this(cursor))

    def _member(self, cursor: Any) -> Read:
        target = cursor.referenced
        if target is None:
            raise NotReadError("a member that is not resolved")
        if target.kind.name != "FIELD_DECL":
            return self._name(cursor)
        whole = self._whole(cursor, target.semantic_parent)
        member = self.types.member(target)
        t = self.types.type(cursor.type)
        if isinstance(member.type, Pointer) and member.type.reference:
            return self.referred(tree.Part(member.type, whole, member, origin=cursor), cursor)
        if member.bits is not None and isinstance(t, Integer) and isinstance(member.type, Integer):
            t = Integer(member.type.bits, t.signed, t.size, t.boolean, const=t.const, volatile=t.volatile)
        return tree.Part(t, whole, member, origin=cursor)

    def _whole(self, cursor: Any, record: Any) -> tree.Place:
        """The object of which a member is, as the class ``record`` that declares the member."""
        inner = object_in_front(cursor)
        if inner is None:
            whole = self.this(cursor)
        elif isinstance(self.types.type(inner.type), Pointer):
            pointer = self.value(inner)
            to = pointer.type.to if isinstance(pointer.type, Pointer) else self._type(cursor)
            whole = tree.Pointee(to, pointer)
        else:
            whole = self.place(inner)
        return self.as_base(whole, self.types.record(record))

    def as_base(self, place: tree.Place, info: types.RecordInfo) -> tree.Place:
        """An object as one of its base classes."""
        t = place.type
        if not isinstance(t, Record) or t.info is info or isinstance(place, tree.Opaque):
            return place
        path = self.types.base_path(t.info, info)
        if path is None:
            return self._part_inside(place, "a base class whose place is not known", Record(info))
        for member in path:
            kind = member.type
            kind = type(kind)(**{**vars(kind), "const": t.const, "volatile": t.volatile})
            place = tree.Part(kind, place, member)
        return place

    @staticmethod
    def _part_inside(place: tree.Place, why: str, t: Type, *more: tree.Expression) -> tree.Opaque:
        """A part of an object that nobody knows, or the object around it. ``more`` says which."""
        return tree.Opaque(t, why, (place, *more), inside=True)

    # -- constants --------------------------------------------------------------------------------------------------

    def _constant(self, cursor: Any) -> Read:
        return tree.Constant(value_of(self._type(cursor)), clang.value(cursor), origin=cursor)

    def _null(self, cursor: Any) -> Read:
        return tree.Constant(value_of(self._type(cursor)), 0, origin=cursor)

    def _size(self, cursor: Any) -> Read:
        known = clang.value(cursor)
        if known is None:
            raise NotReadError("a size that is not constant")
        return tree.Constant(SIZE, known, origin=cursor)

    def _text(self, cursor: Any) -> Read:
        t = self._type(cursor)
        return tree.Named(t, Variable("", t, Storage.CONSTANT, None), origin=cursor)

    # -- conversions ------------------------------------------------------------------------------------------------

    def _unexposed(self, cursor: Any) -> Read:
        """An implicit conversion, or what libclang has no name for."""
        inner = [c for c in libclang.children(cursor) if c.kind.is_expression()]
        word = clang.atomic_builtin(cursor) if len(inner) > 1 else ""
        if word:  # whose parts stand in another order than its arguments
            t = self._type(cursor)
            builtin = Function(word, types.Function(t, None), external=True, defined=False, entity=None)
            given = sorted(inner, key=lambda one: libclang.offset_of(one.extent.start))
            callee = tree.FunctionAddress(Pointer(builtin.type), builtin)
            return tree.Call(value_of(t), callee, tuple(map(self.value, given)), origin=cursor)
        if len(inner) != 1:
            known = clang.value(cursor) if not inner else None
            if known is None:
                raise NotReadError("an expression that libclang does not name")
            return tree.Constant(value_of(self._type(cursor)), known, origin=cursor)
        child, t = inner[0], self._type(cursor)
        found = self.read(child)
        is_call = child.kind.name == "CALL_EXPR" and child.spelling == cursor.spelling
        if is_call and isinstance(found, PLACES) and child.spelling.startswith("operator "):
            return found  # a conversion function's result, before anything loads it
        return self.converted(found, t, child)

    def converted(self, found: Read, t: Type, cursor: Any) -> Read:
        """What an expression is where the language asks for the type ``t``, which may be that of a place."""
        if isinstance(found, tree.Opaque):
            return found if isinstance(t, Record | types.Array | types.Function) else self._as(value_of(t), found)
        if isinstance(t, Record):
            if isinstance(found.type, types.Array):
                raise NotReadError("a std::initializer_list")
            if isinstance(found.type, Record) and found.type.info is not t.info:
                return self.as_base(self.located(found, cursor), t.info)
            return found
        if isinstance(found.type, types.Array) and isinstance(found, PLACES):
            if not isinstance(t, Pointer):
                return found
            return self.loaded(found)
        if isinstance(t, types.Array | types.Function):
            return found
        target = value_of(t)
        if isinstance(found, PLACES):
            if t != target and value_of(self._declared(found)) == target:
                return found  # a qualifier is added to a place
            found = self.loaded(found)
        if isinstance(found.type, Pointer) and isinstance(target, Pointer):
            return self._pointer(found, target)
        return self._as(target, found)

    def _pointer(self, found: tree.Expression, target: Pointer) -> tree.Expression:
        """A pointer converted to another: to a base class it may lead to a part of the object."""
        assert isinstance(found.type, Pointer)
        to, new = found.type.to, target.to
        if isinstance(to, Record) and isinstance(new, Record) and to.info is not new.info:
            if self.types.base_path(to.info, new.info) is not None:
                part = self.as_base(tree.Pointee(to, found), new.info)
                return tree.AddressOf(target, part)
            if target.to.size is None or not self._unrelated(to.info, new.info):
                why = "a base or derived class whose place is not known"
                return self.address(self._part_inside(tree.Pointee(to, found), why, new))
        if isinstance(found, tree.FunctionAddress):
            return found
        return self._as(target, found)

    def _unrelated(self, one: types.RecordInfo, other: types.RecordInfo) -> bool:
        return not any(m.base for info in (one, other) for m in info.members)

    def _cast(self, cursor: Any) -> Read:
        inner = [c for c in libclang.children(cursor) if c.kind.is_expression()]
        t = self._type(cursor)
        if not inner:
            if isinstance(t, Record | types.Array):
                raise NotReadError("an object of a type without a value")
            return tree.Constant(value_of(t), 0, origin=cursor)
        child = inner[-1]
        found = self.read(child)
        if isinstance(found, tree.Opaque):
            return found
        target = value_of(t)
        if isinstance(t, types.Void):
            return tree.Convert(VOID, self.loaded(found), True, origin=cursor)
        if isinstance(found, PLACES) and not isinstance(found.type, types.Array):
            if isinstance(t, Record) and isinstance(found.type, Record):
                is_base = self._is_base(found.type.info, t.info)
                return self.as_base(found, t.info) if is_base else self._seen_as(found, t, cursor)
            if value_of(self._declared(found)) == target:
                return found  # to a reference
            return self._seen_as(found, t, cursor)
        if isinstance(t, Record):
            return self.converted(found, t, child)
        value = self.converted(found, t, child) if isinstance(target, Pointer) else self.loaded(found)
        assert not isinstance(value, PLACES)
        if isinstance(value, tree.Convert) and not value.written and value.type == target:
            value = value.value
        return tree.Convert(target, value, True, origin=cursor)

    def _is_base(self, derived: types.RecordInfo, base: types.RecordInfo) -> bool:
        return derived is base or self.types.base_path(derived, base) is not None

    def _seen_as(self, place: tree.Place, t: Type, cursor: Any) -> tree.Place:
        """A place as another type, as casts to references see it."""
        if isinstance(t, Record) and isinstance(place.type, Record) and not self._unrelated(place.type.info, t.info):
            return self._part_inside(place, "a cast to a derived class", t)
        return tree.Pointee(t, tree.Convert(Pointer(t), self.address(place), True), origin=cursor)

    # -- operators --------------------------------------------------------------------------------------------------

    def _parenthesis(self, cursor: Any) -> Read:
        return self.read(next(c for c in libclang.children(cursor) if c.kind.is_expression()))

    def _subscript(self, cursor: Any) -> Read:
        first, second = (self.value(c) for c in libclang.children(cursor))
        if not isinstance(first.type, Pointer):
            first, second = second, first
        if not isinstance(first.type, Pointer):
            raise NotReadError("a subscript of what is no pointer")
        return tree.Pointee(self._type(cursor), tree.Offset(first.type, first, second), origin=cursor)

    def _unary(self, cursor: Any) -> Read:
        operator, (operand,) = clang.unary(cursor), libclang.children(cursor)[-1:]
        if operator == "extension":
            return self.read(operand)
        t = self._type(cursor)
        if operator == "*":
            return tree.Pointee(t, self.value(operand), origin=cursor)
        if operator == "&":
            return self._address(cursor, operand, t)
        if operator in ("++", "--", "p++", "p--"):
            return self._step(cursor, operand, operator)
        if operator == "!":
            return tree.Unary(BOOL, "!", self.value(operand), origin=cursor)
        value = self.value(operand)
        if operator == "+":
            return tree.Convert(value.type, value)
        if operator not in ("-", "~", "real", "imag"):
            raise NotReadError(f"the operator '{operator}'")
        return tree.Unary(value_of(t), cast('Literal["-", "~"]', operator), value, origin=cursor)

    def _address(self, cursor: Any, operand: Any, t: Type) -> tree.Expression:
        if not isinstance(t, Pointer):
            raise NotReadError("a pointer to a member")
        found = self.read(operand)
        if isinstance(found, tree.FunctionAddress | tree.Opaque):
            return found
        return tree.AddressOf(t, self.located(found, operand), origin=cursor)

    def _step(self, cursor: Any, operand: Any, operator: str) -> tree.Expression:
        place = self.changed(self.read(operand), operand)
        t = value_of(place.type)
        computed = t if isinstance(t, Pointer) else promoted(t)
        one: tree.Expression = tree.Constant(INT, 1)
        one = one if isinstance(t, Pointer) else self._as(computed, one)
        sign = cast("tree.Arithmetic", operator[-1])
        return tree.Update(t, place, sign, one, computed, operator.startswith("p"), origin=cursor)

    def _binary(self, cursor: Any) -> Read:
        # Long sums may be thousands of levels deep on the left side, so this side is read without recursion.
        spine = [cursor]
        while (left := libclang.children(spine[-1])[0]).kind.name == "BINARY_OPERATOR":
            spine.append(left)
        found: Read | None = None
        for one in reversed(spine):
            try:
                found = self._operation(one, found)
            except NotReadError as problem:
                found = self.opaque(one, str(problem))
        assert found is not None
        return found

    def _operation(self, cursor: Any, known: Read | None) -> Read:
        operator = clang.binary(cursor)
        first, second = libclang.children(cursor)
        if operator == "=":
            place = self.changed(known if known is not None else self.read(first), first)
            value = self._as(value_of(place.type), self.value(second))
            return tree.Store(value_of(place.type), place, value, origin=cursor)
        if operator == ",":
            dropped = self.dropped(known if known is not None else self.read(first))
            first_parts = dropped.parts if isinstance(dropped, tree.Sequence) else (dropped,)
            last = self.read(second)
            if isinstance(last, PLACES):
                pointer = self.address(last)
                return tree.Pointee(last.type, tree.Sequence(pointer.type, (*first_parts, pointer)), origin=cursor)
            return tree.Sequence(last.type, (*first_parts, last), origin=cursor)
        if operator in (".*", "->*"):
            read = known if known is not None else self.read(first)
            whole = self.located(read, first)
            if operator == "->*":
                pointer = self.loaded(read)
                if not isinstance(pointer.type, Pointer):
                    raise NotReadError("the operator '->*'")
                whole = tree.Pointee(pointer.type.to, pointer)
            return self._part_inside(whole, f"the operator '{operator}'", self._type(cursor), self.value(second))
        t = value_of(self._type(cursor))
        left = self.loaded(known) if known is not None else self.value(first)
        if operator in ("&&", "||"):
            self.frame.branches += 1
            right = self.value(second)
            self.frame.branches -= 1
            return tree.ShortCircuit(t, cast('Literal["&&", "||"]', operator), left, right, origin=cursor)
        right = self.value(second)
        if isinstance(t, Pointer) and operator in ("+", "-"):
            if not isinstance(left.type, Pointer):
                left, right = right, left
            return tree.Offset(left.type, left, right, operator == "-", origin=cursor)
        if operator == "-" and isinstance(left.type, Pointer):
            return tree.Distance(t, left, right, origin=cursor)
        if operator == "<=>":
            return tree.Opaque(t, "the operator '<=>'", (left, right), origin=cursor)
        if not operator:
            raise NotReadError("an unknown operator")
        if operator in _COMPARISONS and isinstance(left.type, Pointer) != isinstance(right.type, Pointer):
            kind = left.type if isinstance(left.type, Pointer) else right.type
            left, right = self._as(kind, left), self._as(kind, right)
        if operator not in ("<<", ">>") and value_of(left.type) != value_of(right.type) and not self.of_pattern:
            raise NotReadError("an operation on values of different types")
        return tree.Binary(t, cast("tree.Arithmetic", operator), left, right, origin=cursor)

    def dropped(self, found: Read) -> tree.Expression:
        """An expression whose value is not used. The place of a volatile object is not read in C++, nor is another."""
        if not isinstance(found, PLACES):
            makes = isinstance(found, tree.Call | tree.Aggregate | tree.Conditional)
            if not makes or not isinstance(found.type, Record):
                return found
            found = self.temporary(found)  # which ends
        if isinstance(found, tree.Temporary):
            return self.address(found)
        return found.pointer if isinstance(found, tree.Pointee) else tree.AddressOf(Pointer(found.type), found)

    def _update(self, cursor: Any) -> Read:
        first, second = libclang.children(cursor)
        place, value = self.changed(self.read(first), first), self.value(second)
        t = value_of(place.type)
        operator = cast("tree.Arithmetic", clang.binary(cursor)[:-1])
        computed = t if isinstance(t, Pointer) else promoted(t) if operator in ("<<", ">>") else value.type
        return tree.Update(t, place, operator, value, computed, origin=cursor)

    def _conditional(self, cursor: Any) -> Read:
        parts = libclang.children(cursor)
        if len(parts) != 3:
            raise NotReadError("a conditional without its middle")
        condition = self.value(parts[0])
        self.frame.branches += 1
        then, otherwise = (self.read(part) for part in parts[1:])
        self.frame.branches -= 1
        t = self._type(cursor)
        if isinstance(then, PLACES) and isinstance(otherwise, PLACES):
            if isinstance(t, types.Array):
                t = then.type
            pointer = Pointer(t)
            # Each address is that of a place, whose value may be chosen in place of it.
            same = (isinstance(one, tree.Pointee) and one.type == t for one in (then, otherwise))
            first, second = (
                tree.AddressOf(pointer, one) if is_same else self.address(one, t)
                for one, is_same in zip((then, otherwise), same, strict=True)
            )
            return tree.Pointee(t, tree.Conditional(pointer, condition, first, second), origin=cursor)
        t = Pointer(t) if isinstance(t, types.Function) else value_of(t)
        values = (self.loaded(then), self.loaded(otherwise))
        return tree.Conditional(t, condition, *(self._as(t, v) for v in values), origin=cursor)

    def _other(self, cursor: Any) -> Read:
        inner = [c for c in libclang.children(cursor) if c.kind.is_expression()]
        if len(inner) == 1 and cursor.kind.name == "DECL_REF_EXPR":
            return self.read(inner[0])
        if cursor.kind.is_expression() and (known := clang.value(cursor)) is not None:
            return tree.Constant(value_of(self._type(cursor)), known, origin=cursor)
        raise NotReadError(f"{cursor.kind.name}")

    # -- calls, closures and objects ----------------------------------------------------------------------------------

    _READERS: ClassVar[dict[str, str]] = {  # the methods that read the kinds of libclang's nodes
        "DECL_REF_EXPR": "_name",
        "MEMBER_REF_EXPR": "_member",
        "CXX_THIS_EXPR": "_this_pointer",
        "UNEXPOSED_EXPR": "_unexposed",
        "PAREN_EXPR": "_parenthesis",
        "INTEGER_LITERAL": "_constant",
        "FLOATING_LITERAL": "_constant",
        "CHARACTER_LITERAL": "_constant",
        "CXX_BOOL_LITERAL_EXPR": "_constant",
        "CXX_NULL_PTR_LITERAL_EXPR": "_null",
        "GNU_NULL_EXPR": "_null",
        "STRING_LITERAL": "_text",
        "CXX_UNARY_EXPR": "_size",
        "SIZE_OF_PACK_EXPR": "_size",
        "ARRAY_SUBSCRIPT_EXPR": "_subscript",
        "UNARY_OPERATOR": "_unary",
        "BINARY_OPERATOR": "_binary",
        "COMPOUND_ASSIGNMENT_OPERATOR": "_update",
        "CONDITIONAL_OPERATOR": "_conditional",
        "CSTYLE_CAST_EXPR": "_cast",
        "CXX_STATIC_CAST_EXPR": "_cast",
        "CXX_CONST_CAST_EXPR": "_cast",
        "CXX_REINTERPRET_CAST_EXPR": "_cast",
        "CXX_FUNCTIONAL_CAST_EXPR": "_cast",
        "StmtExpr": "_statements",
        "CALL_EXPR": "_call",
        "LAMBDA_EXPR": "_closure",
        "INIT_LIST_EXPR": "_list",
        "COMPOUND_LITERAL_EXPR": "_literal",
    }
