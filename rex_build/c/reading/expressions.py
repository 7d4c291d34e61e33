"""C's expressions as those of the tree, with all that C does silently."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar, cast

from pycparser import c_ast

from ...base.diagnostics import InputError, InternalError
from ...tree import nodes as tree
from ...tree import types
from ...tree.arithmetic import NotReadError, as_operand, converted, operation, taken_as
from ...tree.symbols import Function, Storage, Variable
from ...tree.types import INT, SIZE, VOID, Integer, Pointer, Type, common, promoted, value_of
from ..sema import Sema, walk
from ..sema.builtins import result_type
from ..sema.ctype import CType, LayoutError, Record, Unsupported, qualified, strip
from ..sema.ctype import Function as CFunction
from ..sema.ctype import Pointer as CPointer
from ..sema.initialisers import Initialiser, is_string, members, read_initialiser
from ..sema.type_questions import decay, variable_lengths
from ..syntax.parser import Elements, StmtExpr
from .types import TypeReader

_STEPS = {"++": "+", "--": "-", "p++": "+", "p--": "-"}
# Builtins whose operands are not evaluated. The value may be known.
_UNEVALUATED = frozenset(
    ("offsetof", "__builtin_offsetof", "__builtin_types_compatible_p", "__builtin_constant_p", "__builtin_rex_isa",
     "__builtin_object_size", "__builtin_assume", "__alignof__")
)  # fmt: skip
N = TypeVar("N", bound=tree.Node)


class ExpressionReader:
    """Reads expressions that :class:`Sema` has analysed. Each node is read once."""

    block: Callable[[c_ast.Node], tree.Block]  # reads a compound statement

    def __init__(self, sema: Sema) -> None:
        self.sema = sema
        self.types = TypeReader(sema)
        self._values: dict[c_ast.Node, tree.Expression] = {}
        self._places: dict[c_ast.Node, tree.Place] = {}
        self._builtins: dict[str, Function] = {}

    # -- what may go wrong ------------------------------------------------------------------------------------------

    def value(self, node: c_ast.Node) -> tree.Expression:
        """The value of an expression: arrays are pointers, and what is in memory is loaded."""
        found = self._values.get(node)
        if found is None:
            found = self._values[node] = self._tried(node, self._value)
        return found

    def place(self, node: c_ast.Node) -> tree.Place:
        """The object that an lvalue designates."""
        found = self._places.get(node)
        if found is None:
            found = self._places[node] = self._tried(node, self._place)
        return found

    def _tried(self, node: c_ast.Node, read: Callable[[c_ast.Node], N]) -> N | tree.Opaque:
        try:
            return read(node)
        except NotReadError as problem:
            return self.opaque(node, str(problem))
        except (LayoutError, InputError, InternalError) as problem:
            return self.opaque(node, type(problem).__name__)

    def opaque(self, node: c_ast.Node, why: str, jumps: bool = False) -> tree.Opaque:
        """A part of the tree that is not understood, with all variables that it names."""
        named = (self.sema.symbols.get(n) for n in walk(node, clauses=True) if isinstance(n, c_ast.ID))
        variables = dict.fromkeys(self.types.variable(s) for s in named if s is not None and s.is_variable)
        mentions = tuple(tree.Named(v.type, v) for v in variables)
        t = self.types.type(strip(decay(self.sema.types[node]))) if self.sema.is_typed(node) else types.Unknown(why)
        return tree.Opaque(t, why, mentions, jumps, origin=node)

    # -- types ------------------------------------------------------------------------------------------------------

    def _type(self, node: c_ast.Node) -> Type:
        """The type of an expression, with the qualifiers of an lvalue."""
        if not self.sema.is_typed(node):
            raise NotReadError("an expression without a type")
        t = self.sema.type(node)
        if isinstance(t, Unsupported):
            raise NotReadError("a type that devices lack")
        return self.types.type(t)

    def _value_type(self, node: c_ast.Node) -> Type:
        if not self.sema.is_typed(node):
            raise NotReadError("an expression without a type")
        return self.types.type(self.sema.value_type(node))

    def value_as(self, node: c_ast.Node, to: Type) -> tree.Expression:
        return converted(self.value(node), to)

    # -- places -----------------------------------------------------------------------------------------------------

    def _place(self, node: c_ast.Node) -> tree.Place:
        match node:
            case c_ast.ID():
                symbol = self.sema.symbol(node)
                if symbol is None:
                    return self._text(node)
                return tree.Named(self._type(node), self.types.variable(symbol), origin=node)
            case c_ast.ArrayRef():
                return self._subscripted(node)
            case c_ast.UnaryOp(op="*"):
                return tree.Pointee(self._type(node), self.value(node.expr), origin=node)
            case c_ast.UnaryOp(op="__real__" | "__imag__"):
                return self._part_of_complex(node)
            case c_ast.StructRef():
                return self._member(node)
            case c_ast.CompoundLiteral():
                t = self._type(node)
                made = Variable("", t, Storage.LOCAL, None)
                value = self.initialiser(self.sema.type(node), node.init)
                return tree.Temporary(t, made, value, origin=node)
            case c_ast.Constant() if is_string(node):
                return self._text(node)
            case _ if type(node).__name__ == "GenericSelection":
                return self.place(self.sema.generic_branch(node))
        value = self.value(node)
        if isinstance(value.type, types.Record | types.Vector):  # an object that a call returns
            return tree.Temporary(value.type, Variable("", value.type, Storage.LOCAL, None), value, origin=node)
        raise NotReadError(f"{type(node).__name__} as an lvalue")

    def _text(self, node: c_ast.Node) -> tree.Place:
        """The array that a string literal or ``__func__`` is."""
        t = self._type(node)
        return tree.Named(t, Variable("", t, Storage.CONSTANT, None), origin=node)

    def _subscripted(self, node: c_ast.ArrayRef) -> tree.Place:
        pointer, index = self.value(node.name), self.value(node.subscript)
        if not isinstance(pointer.type, Pointer):
            pointer, index = index, pointer
        return tree.Pointee(self._type(node), tree.Offset(pointer.type, pointer, index), origin=node)

    def _part_of_complex(self, node: c_ast.UnaryOp) -> tree.Place:
        whole = self.place(node.expr)
        if not isinstance(whole.type, types.Complex):
            return whole
        at = 0 if node.op == "__real__" else whole.type.of.size
        t = self._type(node)
        return tree.Part(t, whole, types.Member(node.op.strip("_"), whole.type.of, at), origin=node)

    def _member(self, node: c_ast.StructRef) -> tree.Place:
        if node.type == "->":
            pointer = self.value(node.name)
            if not isinstance(pointer.type, Pointer):
                raise NotReadError("a member of what is no pointer")
            whole: tree.Place = tree.Pointee(pointer.type.to, pointer)
        else:
            whole = self.place(node.name)
        self._type(node)
        if isinstance(node, Elements):
            assert isinstance(whole.type, types.Vector)
            t: Type = self._type(node)
            return tree.Part(t, whole, types.Member("", t, 0), origin=node)
        path = self.sema.member(node)
        kind = self.sema.type(node.name)
        if node.type == "->":
            kind = decay(kind)
            assert isinstance(kind, CPointer)
            kind = kind.to
        quals = kind.quals
        for field in path:
            quals = quals | field.type.quals
            t = self.types.member_type(field, qualified(field.type, quals))
            whole = tree.Part(t, whole, self.types.member(field), origin=node)
        return whole

    # -- values -----------------------------------------------------------------------------------------------------

    def loaded(self, place: tree.Place, origin: c_ast.Node | None = None) -> tree.Expression:
        """What an lvalue is as a value."""
        t = place.type
        if isinstance(t, types.Array):
            return tree.Decay(Pointer(t.of), place, origin=origin)
        if isinstance(t, types.Function):  # what a pointer to a function points to becomes that pointer again
            if isinstance(place, tree.Pointee):
                return place.pointer
            raise NotReadError("a function as an lvalue")
        return tree.Load(value_of(t), place, origin=origin)

    def _value(self, node: c_ast.Node) -> tree.Expression:
        handler = self._VALUES.get(type(node).__name__)
        if handler is None:
            raise NotReadError(f"{type(node).__name__} as a value")
        return handler(self, node)

    def _lvalue(self, node: c_ast.Node) -> tree.Expression:
        return self.loaded(self.place(node), node)

    def _name(self, node: c_ast.ID) -> tree.Expression:
        symbol = self.sema.symbol(node)
        if symbol is not None and symbol.is_enumerator:
            return tree.Constant(self._value_type(node), symbol.value, origin=node)
        if symbol is not None and symbol.is_function:
            found = self.types.symbol(symbol)
            assert isinstance(found, Function)
            return tree.FunctionAddress(Pointer(found.type), found, origin=node)
        if symbol is None and self.sema.function_name(node) is None:
            return self._builtin(node)
        return self._lvalue(node)

    def _builtin(self, node: c_ast.ID) -> tree.Expression:
        name = node.name
        if name not in self._builtins:
            t = types.Function(self.types.type(result_type(name)), None)
            self._builtins[name] = Function(name, t, True, False, None)
        found = self._builtins[name]
        return tree.FunctionAddress(Pointer(found.type), found, origin=node)

    def _constant(self, node: c_ast.Constant) -> tree.Expression:
        if is_string(node):
            return self._lvalue(node)
        return tree.Constant(self._value_type(node), self.sema.number(node), origin=node)

    def _binary(self, node: c_ast.BinaryOp) -> tree.Expression:
        # Long sums may be thousands of levels deep on the left side, so this side is read without recursion.
        spine = [node]
        while isinstance(spine[-1].left, c_ast.BinaryOp) and spine[-1].left not in self._values:
            spine.append(spine[-1].left)
        for inner in reversed(spine[1:]):
            self._values[inner] = self._tried(inner, self._operation)
        return self._operation(node)

    def _operation(self, node: c_ast.Node) -> tree.Expression:
        assert isinstance(node, c_ast.BinaryOp)
        t = self._value_type(node)
        return operation(t, node.op, self.value(node.left), self.value(node.right), node)

    def _unary(self, node: c_ast.UnaryOp) -> tree.Expression:
        op = node.op
        match op:
            case "*":
                return self._lvalue(node)
            case "&":
                return self._address(node)
            case "&&":
                raise NotReadError("the address of a label")
            case "sizeof" | "_Alignof":
                return self._size(node)
            case "!":
                return tree.Unary(self._value_type(node), "!", self.value(node.expr), origin=node)
            case "__real__" | "__imag__":
                value = self.value(node.expr)
                if not isinstance(value.type, types.Complex):
                    return value if op == "__real__" else tree.Constant(value.type, 0, origin=node)
                return tree.Unary(value.type.of, "real" if op == "__real__" else "imag", value, origin=node)
        if op in _STEPS:
            return self._step(node)
        value = self.value(node.expr)
        value = converted(value, promoted(value.type))
        return value if op == "+" else tree.Unary(value.type, op, value, origin=node)

    def _address(self, node: c_ast.UnaryOp) -> tree.Expression:
        if isinstance(self.sema.type(node.expr), CFunction):
            return self.value(node.expr)
        return tree.AddressOf(self._value_type(node), self.place(node.expr), origin=node)

    def _step(self, node: c_ast.UnaryOp) -> tree.Expression:
        place, t = self.place(node.expr), self._value_type(node.expr)
        one: tree.Expression = tree.Constant(INT, 1)
        computed = t
        if not isinstance(t, Pointer):
            computed, _ = taken_as("+", t, INT)
            one = converted(one, computed)
        operator = cast("tree.Arithmetic", _STEPS[node.op])
        return tree.Update(t, place, operator, one, computed, node.op.startswith("p"), origin=node)

    def _size(self, node: c_ast.UnaryOp) -> tree.Expression:
        known = self.sema.number(node)
        if known is not None:
            return tree.Constant(SIZE, known, origin=node)
        if node.op == "_Alignof":
            return tree.Constant(SIZE, None, origin=node)
        operand = node.expr
        t = self.sema.resolve_type(operand) if isinstance(operand, c_ast.Typename) else self.sema.type(operand)
        first = self._evaluated_lengths(t)
        if not isinstance(operand, c_ast.Typename | c_ast.ID):  # which is evaluated, as its length may depend on it
            place = self.place(operand)
            if not isinstance(place, tree.Pointee):
                raise NotReadError("the size of an expression of variable length")
            first.append(place.pointer)
        found = self.types.type(t)
        size: tree.Expression | None = None
        while isinstance(found, types.Array) and found.size is None:
            length = found.length
            if not isinstance(length, int | Variable):
                raise NotReadError("the size of an incomplete type")
            count: tree.Expression = (
                tree.Constant(SIZE, length) if isinstance(length, int) else tree.Load(SIZE, tree.Named(SIZE, length))
            )
            size = count if size is None else tree.Binary(SIZE, "*", size, count)
            found = found.of
        if found.size is None or size is None:
            raise NotReadError("the size of an incomplete type")
        whole = tree.Binary(SIZE, "*", size, tree.Constant(SIZE, found.size), origin=node)
        return tree.Sequence(SIZE, (*first, whole), origin=node) if first else whole

    def _evaluated_lengths(self, t: CType) -> list[tree.Expression]:
        """The lengths of arrays in a type that no declaration evaluates, as in casts, put into their variables."""
        stored: list[tree.Expression] = []
        for dim in variable_lengths(t):
            if dim not in self.sema.fixed_lengths and getattr(dim, "name", "") != "*":
                place = tree.Named(SIZE, self.types.length(dim))
                stored.append(tree.Store(SIZE, place, self.value_as(dim, SIZE)))
        return stored

    def _conditional(self, node: c_ast.TernaryOp) -> tree.Expression:
        condition, otherwise = self.value(node.cond), self.value(node.iffalse)
        tested, then = condition, self.value(node.iftrue) if node.iftrue is not None else None
        if then is None:
            made = Variable("", condition.type, Storage.LOCAL, None)
            tested = self.loaded(tree.Temporary(condition.type, made, condition))
            then = tree.Load(condition.type, tree.Named(condition.type, made))
        t = self._value_type(node)
        if isinstance(t, types.Integer):
            t = common(promoted(then.type), promoted(otherwise.type))  # a wide bit-field's may be narrower
        return tree.Conditional(t, tested, as_operand(then, t), as_operand(otherwise, t), origin=node)

    def _cast(self, node: c_ast.Cast) -> tree.Expression:
        target, value = self._value_type(node), self.value(node.expr)
        if isinstance(target, types.Record) and value.type != target:  # a union
            member = next((m for m in target.info.members if value_of(m.type) == value.type), None)
            if member is None:
                raise NotReadError("a cast to a union")
            return tree.Aggregate(target, (((member,), value),), origin=node)
        stored = self._evaluated_lengths(self.sema.type(node))
        made = tree.Convert(target, value, True, origin=node)
        return tree.Sequence(target, (*stored, made), origin=node) if stored else made

    def _assignment(self, node: c_ast.Assignment) -> tree.Expression:
        place = self.place(node.lvalue)
        t = value_of(place.type)
        if node.op == "=":
            return tree.Store(t, place, self.value_as(node.rvalue, t), origin=node)
        operator, value = cast("tree.Arithmetic", node.op[:-1]), self.value(node.rvalue)
        if isinstance(t, Pointer):
            return tree.Update(t, place, operator, value, t, origin=node)
        computed, taken = taken_as(operator, t, value.type)
        value = as_operand(value, taken)
        return tree.Update(t, place, operator, value, computed, origin=node)

    def _comma(self, node: c_ast.ExprList) -> tree.Expression:
        parts = tuple(map(self.value, node.exprs))
        return tree.Sequence(parts[-1].type if parts else VOID, parts, origin=node)

    def _generic(self, node: c_ast.Node) -> tree.Expression:
        return self.value(self.sema.generic_branch(node))

    def _statements(self, node: c_ast.Node) -> tree.Expression:
        body = node.body if isinstance(node, StmtExpr) else node
        last = node.last if isinstance(node, StmtExpr) else None
        t = self._value_type(node)
        block = self.block(body)
        if isinstance(t, types.Void) or last is None:
            return tree.StatementValue(VOID, block, None, origin=node)
        *before, end = block.statements
        if not isinstance(end, tree.Evaluate):
            raise NotReadError("a statement expression with an unusual end")
        return tree.StatementValue(t, tree.Block(tuple(before)), converted(end.expression, t), origin=node)

    # -- calls ------------------------------------------------------------------------------------------------------

    def _call(self, node: c_ast.FuncCall) -> tree.Expression:
        arguments: Sequence[c_ast.Node] = node.args.exprs if node.args is not None else ()
        name = node.name.name if isinstance(node.name, c_ast.ID) else None
        if name == "__builtin_choose_expr":
            return self.value(self.sema.generic_branch(node))
        if name in _UNEVALUATED:
            return tree.Constant(self._value_type(node), self.sema.number(node), origin=node)
        arguments = [a for a in arguments if not isinstance(a, c_ast.Typename)]  # a type is the call's own
        generic = self.sema.type_generic_call(node)
        called, arguments = generic if generic is not None else (node.name, arguments)
        callee = self.value(called)
        kind = callee.type.to if isinstance(callee.type, Pointer) else None
        if not isinstance(kind, types.Function):
            raise NotReadError("a call of an unknown type")
        given = tuple(self._argument(argument, number, kind) for number, argument in enumerate(arguments))
        return tree.Call(self._value_type(node), callee, given, origin=node)

    def _argument(self, node: c_ast.Node, number: int, function: types.Function) -> tree.Expression:
        if function.parameters is not None and number < len(function.parameters):
            return self.value_as(node, value_of(function.parameters[number]))
        value = self.value(node)
        t = promoted(value.type)
        return converted(value, types.Floating(53, 8) if isinstance(t, types.Floating) and t.digits == 24 else t)

    # -- initialisers -----------------------------------------------------------------------------------------------

    def initialiser(self, t: CType, init: c_ast.Node) -> tree.Expression:
        """The value that initialises an object of type ``t``."""
        return self._tried(init, lambda _: self._initial(read_initialiser(self.sema, strip(t), init), init))

    def _initial(self, init: Initialiser, origin: c_ast.Node) -> tree.Expression:
        t = value_of(self.types.type(init.type))
        if init.value is not None:
            if isinstance(t, types.Array) and is_string(init.value):
                text = self.place(init.value)
                return tree.Aggregate(t, (((), tree.Load(text.type, text, origin=init.value)),), origin=init.value)
            if init.bit_width is not None and isinstance(t, Integer) and not t.boolean:
                t = Integer(init.bit_width, t.signed, t.size)
            return self.value_as(init.value, t)
        if not isinstance(t, types.Array | types.Record | types.Vector):
            return tree.Constant(t, 0, origin=origin)
        parts = []
        fields = members(init.type) if isinstance(init.type, Record) else []
        for number, part in sorted(init.parts.items()):
            step = self.types.member(fields[number]) if fields else number
            parts.append(((step,), self._initial(part, origin)))
        return tree.Aggregate(t, tuple(parts), origin=origin)

    _VALUES: ClassVar[dict[str, Callable[[ExpressionReader, Any], tree.Expression]]] = {
        "ID": _name,
        "Constant": _constant,
        "BinaryOp": _binary,
        "ArrayRef": _lvalue,
        "Assignment": _assignment,
        "UnaryOp": _unary,
        "FuncCall": _call,
        "StructRef": _lvalue,
        "Elements": _lvalue,
        "CompoundLiteral": _lvalue,
        "Cast": _cast,
        "TernaryOp": _conditional,
        "ExprList": _comma,
        "GenericSelection": _generic,
        "StmtExpr": _statements,
        "Compound": _statements,
    }
