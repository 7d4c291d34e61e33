"""Finds the types of expressions (C11 6.5) and of the objects that initialisers initialise (6.7.9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from pycparser import c_ast

from ...base.diagnostics import InputError
from ..syntax.nodes import OmpConstruct
from ..syntax.parser import Elements, StmtExpr
from . import builtins
from .ctype import (
    NARROW_FLOATS,
    Array,
    C,
    CType,
    Field,
    Function,
    Pointer,
    Record,
    Scalar,
    Unsupported,
    Void,
    qualified,
    sizeof,
    strip,
    vector_of,
)
from .initialiser_types import InitialiserTyper
from .literals import character_constant, integer_constant, string_literal
from .symbols import Locate, Symbol
from .traversal import walk
from .type_questions import (
    Layout,
    as_vector,
    compatible,
    composite,
    decay,
    field_path,
    integer_promote,
    is_arithmetic,
    is_complex,
    is_floating,
    is_integer,
    usual_arithmetic,
)

_FLOAT_TYPES = {"float": C.FLOAT, "double": C.DOUBLE, "long double": C.LONG_DOUBLE}
_FLOAT_TYPES |= {f"{name} _Complex": Scalar(f"{name} _Complex") for name in _FLOAT_TYPES}
_FLOAT_TYPES |= {t.name: t for t in (*NARROW_FLOATS, C.HALF_COMPLEX)}
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))
_INTEGER_ONLY = frozenset(("%", "&", "|", "^", "<<", ">>"))
_FUNCTION_NAMES = frozenset(("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"))
_CONST = frozenset(("const",))
_MASKS = {1: C.SIGNED_CHAR, 2: C.SHORT, 4: C.INT, 8: C.LONG, 16: C.INT128}  # what vectors compare to, by size

# true and false; nullptr, whose own type differs from a pointer's in nothing that the device sees.
_NEW_CONSTANTS: dict[str, CType] = {"bool": C.BOOL, "nullptr_t": Pointer(C.VOID)}


class ExpressionTyper(InitialiserTyper):
    """Finds the types of expressions.

    The recorded type of an expression is not decayed to a pointer, and an lvalue keeps its qualifiers.
    """

    _statement: Callable[[c_ast.Node], None]
    _fold: Callable[[c_ast.Node], int | float | None]

    def __init__(self, ast: c_ast.FileAST, locate: Locate | None, layout: Layout) -> None:
        self._types: dict[c_ast.Node, CType] = {}
        self._symbols: dict[c_ast.ID, Symbol] = {}
        self._function_names: dict[c_ast.ID, str] = {}  # what ``__func__`` and its like say
        self._fields: dict[c_ast.StructRef, tuple[Field, ...]] = {}
        self._chosen: dict[c_ast.Node, c_ast.Node] = {}
        self._of_vectors: list[tuple[c_ast.ArrayRef, str]] = []  # subscripts yet to be spelled, each with the side
        super().__init__(ast, locate, layout)

    def _expr(self, node: c_ast.Node) -> CType:
        """The type of an expression in the current scope."""
        known = self._types.get(node)
        if known is not None:
            return known
        handler = self._HANDLERS.get(type(node).__name__)
        if handler is None:
            raise self.error(node, "an expression was expected here")
        try:
            t = handler(self, node)
        except InputError as error:
            if not self._on_host:
                raise self._root_cause(node) or error from None
            t = self._given_up(node, error)
        self._types[node] = t
        return t

    def _root_cause(self, node: c_ast.Node) -> InputError | None:
        """The error for an operand of a type that devices lack."""
        for operand in node:
            t = self._types.get(operand)
            if isinstance(t, Unsupported):
                return self.error(node, t.reason, t.note)
        return None

    def _given_up(self, node: c_ast.Node, error: InputError) -> CType:
        """The type of host code that makes no sense here. The names in it are resolved nevertheless.

        Raises the error if a construct that is lowered is inside of it.
        """
        why: CType | None = None
        parts = list(walk(node))
        members = {part.field for part in parts if isinstance(part, c_ast.StructRef)}
        for part in parts:
            if isinstance(part, OmpConstruct):
                raise error
            known = self._types.get(part)
            if isinstance(known, Unsupported):
                why = why or known
            if isinstance(part, c_ast.ID) and part not in members and part not in self._symbols:
                symbol = self._find(part.name)
                if symbol is not None and not symbol.is_typedef:
                    self._symbols[part] = symbol
        why = why or self._unsupported(error)
        for part in parts:
            self._types.setdefault(part, why)
        return why

    def _value(self, node: c_ast.Node) -> CType:
        """The type of an expression's value, decayed and without qualifiers."""
        return strip(decay(self._expr(node)))

    def _promoted(self, node: c_ast.Node, t: CType) -> CType:
        """The promoted type of an operand of type ``t``. Bit-fields are promoted by their width."""
        if isinstance(node, c_ast.StructRef) and node in self._fields:
            return integer_promote(t, self._fields[node][-1].bit_width)
        return integer_promote(t)

    def _arithmetic(self, node: c_ast.Node, left: c_ast.Node, a: CType, right: c_ast.Node, b: CType) -> CType:
        try:
            return usual_arithmetic(self._promoted(left, a), self._promoted(right, b))
        except TypeError:
            raise self._invalid_operands(node, a, b) from None

    def _invalid_operands(self, node: c_ast.Node, *types: CType) -> Exception:
        which = " and ".join(f"'{t}'" for t in types)
        operator = f"'{node.op}' " if hasattr(node, "op") else ""
        return self.error(node, f"invalid operands to {operator}(have {which})")

    # ---- primary expressions ----

    def _type_id(self, node: c_ast.ID) -> CType:
        symbol = self._find(node.name)
        if symbol is None:
            return self._predefined(node)
        if symbol.is_typedef:
            raise self.error(node, f"'{node.name}' is a type name, an expression was expected")
        if isinstance(symbol.type, Unsupported) and not self._on_host:
            raise self.error(node, symbol.type.reason, symbol.type.note)
        self._symbols[node] = symbol
        return symbol.type

    def _predefined(self, node: c_ast.ID) -> CType:
        name = node.name
        if name in _FUNCTION_NAMES:
            self._function_names[node] = self._function or ""
            return Array(qualified(C.CHAR, _CONST), len(self._function or "") + 1)
        if builtins.is_builtin(name):
            return Function(builtins.result_type(name), (), prototyped=False)
        raise self.error(node, f"'{name}' is not declared")

    def _type_constant(self, node: c_ast.Constant) -> CType:
        kind, text = node.type, node.value
        if kind in _FLOAT_TYPES:
            return _FLOAT_TYPES[kind]
        if kind in _NEW_CONSTANTS:
            return _NEW_CONSTANTS[kind]
        if kind == "int _Complex" and (parsed := integer_constant(text)) is not None:
            return Scalar(f"{parsed[1].name} _Complex")
        if kind.startswith("_Decimal"):
            raise self.error(node, f"constants of type '{kind}' are not supported")
        if kind == "string":
            element, length = string_literal(text)
            return Array(element, length)
        if text.endswith("'"):  # pycparser calls 'ab' an int
            return character_constant(text)[1]
        found = integer_constant(text)
        if found is None:
            raise self.error(node, f"malformed constant '{text}'")
        return found[1]

    def _type_generic(self, node: c_ast.Node) -> CType:
        control = self._value(node.expr)
        chosen = None
        default = None
        for association in node.associations:
            self._expr(association.expr)
            if association.type is None:
                default = association.expr
            elif chosen is None and compatible(control, self._typename(association.type)):
                chosen = association.expr
        chosen = chosen or default
        if chosen is None:
            raise self.error(node, f"_Generic has no association for type '{control}'")
        self._chosen[node] = chosen
        return self._expr(chosen)

    def _type_statement_expression(self, node: c_ast.Node) -> CType:
        body = node.body if isinstance(node, StmtExpr) else node
        self._statement(body)
        last = body.block_items[-1] if body.block_items else None
        while isinstance(last, c_ast.Label):
            last = last.stmt
        return strip(decay(self._types[last])) if last in self._types else C.VOID

    # ---- postfix expressions ----

    def _type_subscript(self, node: c_ast.ArrayRef) -> CType:
        base, index = (decay(self._subscripted(node, side)) for side in ("name", "subscript"))
        if not isinstance(base, Pointer):
            base, index = index, base
        if not isinstance(base, Pointer):
            raise self.error(node, "subscripted value is neither array nor pointer")
        if not is_integer(index):
            raise self.error(node.subscript, "array subscript is not an integer")
        return base.to

    def _subscripted(self, node: c_ast.ArrayRef, side: str) -> CType:
        """The type of one side of a subscript: of a vector, that of the array in it."""
        t = self._expr(getattr(node, side))
        vector = as_vector(t)
        if vector is None:
            return t
        self._of_vectors.append((node, side))
        return qualified(vector.fields[0].type, t.quals)

    def _spell_elements(self) -> None:
        """Write the subscripts of vectors that were typed as what they mean, elements of a member that is an array:
        a form that all analyses know."""
        while self._of_vectors:
            node, side = self._of_vectors.pop()
            part = getattr(node, side)
            setattr(node, side, Elements(part, ".", c_ast.ID("at", part.coord), part.coord))
            self._expr(getattr(node, side))

    def _type_member(self, node: c_ast.StructRef) -> CType:
        t = self._expr(node.name)
        if node.type == "->":
            t = decay(t)
            if not isinstance(t, Pointer):
                raise self.error(node.field, f"'->' needs a pointer to a structure, this is a '{t}'")
            t = t.to
        if not isinstance(t, Record):
            hint = "; use '->'" if isinstance(t, Pointer) and isinstance(t.to, Record) else ""
            raise self.error(node.field, f"member '{node.field.name}' of '{t}', not a structure or union{hint}")
        if not t.info.is_complete:
            raise self.error(node.field, f"member '{node.field.name}' of the incomplete type '{strip(t)}'")
        path = field_path(t, node.field.name)
        if not path:
            raise self.error(node.field, f"'{strip(t)}' has no member named '{node.field.name}'")
        self._fields[node] = path
        member = path[-1].type
        quals = t.quals.union(*(f.type.quals for f in path[:-1]))
        return qualified(member, quals) if quals else member

    def _type_elements(self, node: Elements) -> CType:
        t = self._expr(node.name)
        vector = as_vector(t)
        assert vector is not None
        self._fields[node] = vector.fields
        return qualified(vector.fields[0].type, t.quals)

    def _type_call(self, node: c_ast.FuncCall) -> CType:
        args = node.args.exprs if node.args is not None else []
        callee = node.name
        if isinstance(callee, c_ast.ID) and self._find(callee.name) is None:
            return self._builtin_call(node, callee, args)
        t = decay(self._expr(callee))
        for arg in args:
            self._expr(arg)
        if not isinstance(t, Pointer) or not isinstance(t.to, Function):
            raise self.error(callee, "called object is not a function")
        return strip(t.to.result)

    def _builtin_call(self, node: c_ast.FuncCall, callee: c_ast.ID, args: Sequence[c_ast.Node]) -> CType:
        name = callee.name
        if name in ("offsetof", "__builtin_offsetof"):
            self._types[callee] = Function(C.UNSIGNED_LONG, (), prototyped=False)
            self._member_designator(args[0], args[1])
            return C.UNSIGNED_LONG
        if name == "__builtin_rex_isa":  # of a number and the name of a macro
            self._expr(args[0])
            self._types[callee] = Function(C.INT, (), prototyped=False)
            return C.INT
        if not builtins.is_builtin(name):
            self._declare_implicitly(name, builtins.result_type(name))
            return self._type_call(node)
        types = [self._typename(a) if isinstance(a, c_ast.Typename) else self._expr(a) for a in args]
        result = self._builtin_result(node, name, args, types)
        self._types[callee] = Function(result, (), prototyped=False)
        return result

    def _builtin_result(self, node: c_ast.Node, name: str, args: Sequence[c_ast.Node], types: Sequence[CType]) -> CType:
        if not types:
            return builtins.result_type(name)
        first = decay(types[0])
        if name == "__builtin_va_arg":
            return strip(types[1])
        if name == "__builtin_choose_expr":
            chosen = args[1] if self._fold(args[0]) else args[2]
            self._chosen[node] = chosen
            return self._expr(chosen)
        if name == "__builtin_tgmath":
            return self._tgmath_result(node, args, types)
        if name == "__builtin_complex":
            return Scalar(f"{declare_real(first)} _Complex")
        if name == "__alignof__":
            return C.UNSIGNED_LONG
        if name in ("__builtin_align_up", "__builtin_align_down"):
            return strip(first)
        if name in ("__builtin_shuffle", "__builtin_shufflevector", "__builtin_convertvector"):
            return self._shuffled(node, name, types)
        if builtins.has_pointee_result(name) and isinstance(first, Pointer):
            return strip(first.to)
        return builtins.result_type(name)

    def _shuffled(self, node: c_ast.Node, name: str, types: Sequence[CType]) -> CType:
        """The type of the vector that a builtin makes from one or two others."""
        first, last = strip(types[0]), strip(types[-1])
        if (vector := as_vector(first)) is None:
            raise self._invalid_operands(node, first)
        if name == "__builtin_convertvector":
            return last
        return vector_of(vector.element, len(types) - 2) if name == "__builtin_shufflevector" else first

    def _tgmath_result(self, node: c_ast.Node, args: Sequence[c_ast.Node], types: Sequence[CType]) -> CType:
        """gcc's ``__builtin_tgmath(functions..., arguments...)``: the result of the function that fits."""
        pointers = [t for t in map(decay, types) if isinstance(t, Pointer)]
        candidates = [(t.to, arg) for t, arg in zip(pointers, args, strict=False) if isinstance(t.to, Function)]
        common: CType = C.FLOAT
        for t in map(strip, types[len(candidates) :]):
            if is_arithmetic(t):
                common = usual_arithmetic(common, C.DOUBLE if is_integer(t) else t)
        exact = [c for c in candidates if c[0].params and strip(c[0].params[0]) == common]
        if not candidates:
            return common
        function, self._chosen[node] = (exact or candidates)[0]
        return strip(function.result)

    def _member_designator(self, typename: c_ast.Node, designator: c_ast.Node) -> tuple[CType, int | None]:
        """The type and byte offset of the member in ``offsetof``. The offset is None if it is not constant."""
        if isinstance(designator, c_ast.ArrayRef):
            t, offset = self._member_designator(typename, designator.name)
            self._expr(designator.subscript)
            index = self._fold(designator.subscript)
            if not isinstance(t, Array):
                raise self.error(designator, "subscripted member is not an array")
            known = offset is not None and isinstance(index, int)
            return t.of, (offset or 0) + int(index or 0) * sizeof(t.of) if known else None
        if isinstance(designator, c_ast.StructRef):
            t, offset = self._member_designator(typename, designator.name)
            member = designator.field
        else:
            t, offset, member = self._typename(typename), 0, designator
        path = field_path(t, member.name)
        if not path:
            raise self.error(member, f"'{strip(t)}' has no member named '{member.name}'")
        return path[-1].type, None if offset is None else offset + sum(f.offset for f in path)

    def _type_compound_literal(self, node: c_ast.CompoundLiteral) -> CType:
        if not self._on_host and "static" in (getattr(node, "storage", None) or ()):
            raise self.error(node, "a compound literal that is 'static' is not supported")
        return self._initialise(self._typename(node.type), node.init)

    # ---- unary, cast ----

    def _type_unary(self, node: c_ast.UnaryOp) -> CType:
        op, operand = node.op, node.expr
        if op in ("sizeof", "_Alignof"):
            if isinstance(operand, c_ast.Typename):
                self._typename(operand)
            else:
                self._expr(operand)
            return C.UNSIGNED_LONG
        if op == "&&":  # the address of a label
            return Pointer(C.VOID)
        t = self._expr(operand)
        match op:
            case "&":
                return Pointer(t)
            case "*":
                pointer = decay(t)
                if not isinstance(pointer, Pointer):
                    raise self.error(node, f"'*' needs a pointer, this is a '{t}'")
                return pointer.to
            case "!" if as_vector(t) is None:
                return C.INT
            case "++" | "--" | "p++" | "p--":
                return strip(t)
            case "__real__" | "__imag__" if isinstance(t, Scalar):
                return Scalar(declare_real(t), quals=t.quals)
        if (vector := as_vector(t)) is not None and op in "+-~" and (op != "~" or is_integer(vector.element)):
            return strip(t)
        if not is_arithmetic(t) or (op == "~" and is_floating(t) and not is_complex(t)):
            raise self._invalid_operands(node, t)
        return self._promoted(operand, t)

    def _type_cast(self, node: c_ast.Cast) -> CType:
        source, t = self._value(node.expr), strip(self._typename(node.to_type))
        if as_vector(source) is not None or as_vector(t) is not None:
            other = t if as_vector(t) is None else source
            same = is_integer(other) or as_vector(other) is not None
            if not isinstance(t, Void) and not (same and sizeof(source) == sizeof(t)):
                raise self.error(node, f"a '{source}' cannot be converted to '{t}'")
        return t

    # ---- binary operators ----

    def _type_binary(self, node: c_ast.BinaryOp) -> CType:
        # Long sums may be thousands of levels deep on the left side, so this side is walked without recursion.
        spine = [node]
        while isinstance(spine[-1].left, c_ast.BinaryOp) and spine[-1].left not in self._types:
            spine.append(spine[-1].left)
        left = self._expr(spine[-1].left)
        for n in reversed(spine):
            left = self._types[n] = self._binary_result(n, left, self._expr(n.right))
        return left

    def _binary_result(self, node: c_ast.BinaryOp, left: CType, right: CType) -> CType:
        op = node.op
        a, b = decay(left), decay(right)
        if as_vector(a) is not None or as_vector(b) is not None:
            return self._vector_result(node, op, a, b)
        for t in (a, b):
            if isinstance(t, Record | Void):
                raise self._invalid_operands(node, left, right)
        if op in _COMPARISONS or op in ("&&", "||"):
            return C.INT
        if isinstance(a, Pointer) or isinstance(b, Pointer):
            if op == "+" and is_integer(b):
                return strip(a)
            if op == "+" and is_integer(a):
                return strip(b)
            if op == "-" and isinstance(a, Pointer):
                if isinstance(b, Pointer):
                    return C.LONG
                if is_integer(b):
                    return strip(a)
            raise self._invalid_operands(node, left, right)
        if op in _INTEGER_ONLY and not (is_integer(a) and is_integer(b)):
            raise self._invalid_operands(node, left, right)
        if op in ("<<", ">>"):
            return self._promoted(node.left, a)
        return self._arithmetic(node, node.left, a, node.right, b)

    def _vector_result(self, node: c_ast.Node, op: str, a: CType, b: CType) -> CType:
        """The type of an operation on vectors, of which one operand may be a number.

        As in gcc, if both are vectors and differ in sign, it is the type of the left one.
        """
        x, y = as_vector(a), as_vector(b)
        vector = x or y
        assert vector is not None
        fits = (
            x.length == y.length and (x is y or _same_bits(x.element, y.element) or op in ("<<", ">>"))
            if x is not None and y is not None
            else is_arithmetic(b if x is not None else a)
        )
        of_integers = all(is_integer(v.element) for v in (x, y) if v is not None)
        if not fits or op in ("&&", "||") or (op in _INTEGER_ONLY and not of_integers):
            raise self._invalid_operands(node, a, b)
        if op in _COMPARISONS:
            return vector_of(_MASKS[sizeof(vector.element)], vector.length)
        return strip(a if x is not None else b)

    def _type_ternary(self, node: c_ast.TernaryOp) -> CType:
        condition = self._value(node.cond)
        a = self._value(node.iftrue) if node.iftrue is not None else condition
        b = self._value(node.iffalse)
        if is_arithmetic(a) and is_arithmetic(b):
            return self._arithmetic(node, node.iftrue or node.cond, a, node.iffalse, b)
        if isinstance(a, Void) or isinstance(b, Void):
            return C.VOID
        if isinstance(a, Pointer) and isinstance(b, Pointer):
            return self._common_pointer(node, a, b)
        if isinstance(a, Pointer):
            return a
        if isinstance(b, Pointer):
            return b
        if a == b:
            return a
        raise self.error(node, f"the branches of '?:' have the types '{a}' and '{b}'")

    def _common_pointer(self, node: c_ast.TernaryOp, a: Pointer, b: Pointer) -> CType:
        """The type of ``?:`` with two pointer operands (6.5.15p6)."""
        if self._is_null(node.iftrue or node.cond):
            return b
        if self._is_null(node.iffalse):
            return a
        quals = a.to.quals | b.to.quals
        x, y = strip(a.to), strip(b.to)
        if isinstance(x, Void) or isinstance(y, Void):
            return Pointer(qualified(C.VOID, quals))
        if not compatible(x, y):  # gcc warns and goes on with this
            return Pointer(C.VOID)
        return Pointer(qualified(composite(x, y), quals))

    def _is_null(self, node: c_ast.Node) -> bool:
        """Whether this is a null pointer constant (6.3.2.3p3)."""
        if isinstance(node, c_ast.Cast) and self._types[node] == Pointer(C.VOID):
            node = node.expr
        if isinstance(node, c_ast.Constant) and node.type == "nullptr_t":
            return True
        return is_integer(self._types[node]) and self._fold(node) == 0

    def _type_assignment(self, node: c_ast.Assignment) -> CType:
        t, value = strip(self._expr(node.lvalue)), self._value(node.rvalue)
        if node.op != "=" and (as_vector(t) is not None or as_vector(value) is not None):
            self._vector_result(node, node.op[:-1], t, value)
        return t

    def _type_comma(self, node: c_ast.ExprList) -> CType:
        t: CType = C.VOID
        for e in node.exprs:
            t = self._value(e)
        return t

    _HANDLERS: ClassVar[dict[str, Callable[[ExpressionTyper, c_ast.Node], CType]]] = {
        "ID": _type_id,
        "Constant": _type_constant,
        "BinaryOp": _type_binary,
        "ArrayRef": _type_subscript,
        "Assignment": _type_assignment,
        "UnaryOp": _type_unary,
        "FuncCall": _type_call,
        "StructRef": _type_member,
        "Cast": _type_cast,
        "TernaryOp": _type_ternary,
        "ExprList": _type_comma,
        "CompoundLiteral": _type_compound_literal,
        "GenericSelection": _type_generic,
        "StmtExpr": _type_statement_expression,
        "Compound": _type_statement_expression,
        "Elements": _type_elements,
    }


def _same_bits(a: CType, b: CType) -> bool:
    """Whether two types are integers of one size."""
    return is_integer(a) and is_integer(b) and sizeof(a) == sizeof(b)


def declare_real(t: CType) -> str:
    """The name of the real type of a complex value's parts."""
    return t.name.removesuffix(" _Complex") if isinstance(t, Scalar) else "double"
