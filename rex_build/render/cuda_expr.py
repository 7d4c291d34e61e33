"""C expressions printed as CUDA C++."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from pycparser import c_ast

from ..analysis.device_library import REPLACED_BUILTINS, library_name
from ..analysis.device_names import DeviceNames, local_name
from ..cparse import StmtExpr
from ..ctype import (
    BOOL,
    Array,
    CType,
    EnumType,
    Function,
    Pointer,
    Record,
    Scalar,
    Void,
    decay,
    integer_promote,
    integer_range,
    is_arithmetic,
    is_floating,
    is_integer,
    is_unsigned,
    sizeof,
    strip,
    usual_arithmetic,
)
from ..sema import Sema, Symbol
from . import cuda_text as ct
from .cuda_text import Text, node_name
from .cuda_types import TypePrinter, dimensions, flattened, is_flattened, is_refused, without_const
from .initialisers import Initialiser, is_string, members, read_initialiser

Names = Mapping[Symbol, str]
Extents = Mapping[Symbol, tuple[str, ...]]

_EXACT_INTEGERS = {"float": 2**24, "double": 2**53}
_ZERO = "0"


def is_bool_text(node: c_ast.Node) -> bool:
    """Whether C++ gives the expression type bool where C gives int."""
    if isinstance(node, c_ast.BinaryOp):
        return node.op in ct.COMPARISONS or node.op in ("&&", "||")
    return isinstance(node, c_ast.UnaryOp) and node.op == "!"


def _is_plain(node: c_ast.Node) -> bool:
    """Whether printing the expression twice costs and changes nothing."""
    return isinstance(node, c_ast.ID | c_ast.Constant)


class ExpressionPrinter:
    """Expressions, conversions and initialisers.

    C converts implicitly where C++ does not; such conversions become casts. Temporaries that C keeps alive
    until the end of the block (compound literals whose address is taken) are declared before the statement: their
    declarations collect in ``_hoisted``.
    """

    def __init__(
        self,
        sema: Sema,
        names: Names,
        extents: dict[Symbol, tuple[str, ...]],
    ) -> None:
        self.sema = sema
        self.symbol_names = names
        self.extents = extents
        self.device_names = DeviceNames.of(sema)
        self._where: c_ast.Node | None = None
        self.types = TypePrinter(self.device_names, self._refuse)
        self.function_name: str | None = None
        self._hoisted: list[str] | None = None
        self._hoist_static = False
        self._counter = count(1)

    # ---- for the subclass ----

    def _block_text(self, items: list[c_ast.Node], depth: int) -> str:
        raise NotImplementedError

    _depth = 0

    def error(self, node: c_ast.Node, message: str) -> Exception:
        """An error at the node's place, ready to raise."""
        return self.sema.error(node, f"{message} in device code")

    def _refuse(self, reason: str) -> Exception:
        assert self._where is not None
        return self.error(self._where, reason)

    def declaration(self, t: CType, name: str = "") -> str:
        """The C++ text that declares ``name``; an abstract type when ``name`` is empty."""
        return self.types.declaration(t, name)

    def _type(self, node: c_ast.Node) -> CType:
        return self.sema.type(node)

    def _value_type(self, node: c_ast.Node) -> CType:
        return strip(decay(self._type(node)))

    # ---- dispatch ----

    def expression(self, node: c_ast.Node) -> str:
        """The text of an expression."""
        return self._emit(node).text

    def converted(self, node: c_ast.Node, target: CType) -> str:
        """The text of an expression that is assigned to an object of type ``target``."""
        return self._convert(node, target).at(ct.ASSIGN)

    def _emit(self, node: c_ast.Node) -> Text:
        method: Callable[[Any], Text] | None = getattr(self, f"_emit_{node_name(node)}", None)
        if method is None:
            raise self.error(node, f"{type(node).__name__} is not supported")
        if getattr(node, "coord", None) is not None:
            self._where = node
        reason = is_refused(self._type(node))
        if reason:
            raise self.error(node, reason)
        return method(node)

    # ---- names and constants ----

    def symbol_text(self, symbol: Symbol) -> str:
        """What an identifier prints as."""
        text = self.symbol_names.get(symbol)
        if text is not None:
            return text
        if symbol.kind == "enumerator":
            return self.device_names.enumerator(symbol)
        return self.device_names.symbol(symbol)

    def _emit_id(self, node: c_ast.ID) -> Text:
        if node.name in ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__") and self.function_name is not None:
            return ct.name(f'"{self.function_name}"')
        if node.name in ("__rex_asm", "asm"):
            raise self.error(node, "inline assembly is not supported")
        symbol = self.sema.symbol(node)
        if symbol is None:
            return ct.name(node.name)
        text = self.symbol_text(symbol)
        return Text(text, ct.UNARY) if text.startswith("-") else ct.name(text)

    def _emit_constant(self, node: c_ast.Constant) -> Text:
        if node.type == "string":
            if node.value[0] != '"' and not node.value.startswith('u8"'):
                raise self.error(node, "wide strings are not supported")
            return ct.cast("char *", ct.name(node.value))
        if node.type == "char" and (len(node.value) > 6 or node.value[0] != "'" or self._is_multichar(node.value)):
            return ct.name(str(self.sema.value(node)))
        return ct.name(node.value)

    @staticmethod
    def _is_multichar(text: str) -> bool:
        return len(ct.string_bytes(text)) != 1

    # ---- operators ----

    def _emit_unary_op(self, node: c_ast.UnaryOp) -> Text:
        op, operand = node.op, node.expr
        if op in ("sizeof", "_Alignof"):
            return self._size(node)
        if op == "&":
            return self._address(operand)
        if op == "*":
            if is_flattened(self._value_type(operand)):
                return self._flat_element(node)
            return ct.prefix("*", self._emit(operand))
        if op in ("p++", "p--", "++", "--"):
            return self._step(node)
        if op == "!":
            return ct.prefix("!", self._condition(operand))
        if op == "~" and (is_bool_text(operand) or self._value_type(operand) == BOOL):
            return ct.prefix("~", ct.cast("int", self._emit(operand)))
        if op in ("__real__", "__imag__", "&&"):
            raise self.error(node, f"'{op}' is not supported")
        return ct.prefix(op, self._emit(operand))

    def _size(self, node: c_ast.UnaryOp) -> Text:
        if node.op == "_Alignof":
            return ct.name(str(self.sema.value(node)))
        operand = node.expr
        is_type = isinstance(operand, c_ast.Typename)
        t = self.sema.resolve_type(operand) if is_type else self._type(operand)
        if isinstance(t, Void | Function):
            return ct.name("1")
        if not (isinstance(t, Array) and is_flattened(t)):
            return Text(f"sizeof({self.declaration(without_const(t))})", ct.UNARY)
        text = Text(f"sizeof({self.declaration(without_const(self._innermost(t)))})", ct.UNARY)
        for extent in self._extents_of(operand, t, whole=True):
            text = ct.binary("*", text, Text(extent, ct.COMMA))
        return text

    @staticmethod
    def _innermost(t: CType) -> CType:
        while isinstance(t, Array):
            t = t.of
        return t

    def _address(self, operand: c_ast.Node) -> Text:
        if isinstance(operand, c_ast.CompoundLiteral):
            return self._literal_address(operand)
        t = self._type(operand)
        if isinstance(t, Array) and is_flattened(t):
            return self._emit(operand)
        if isinstance(operand, c_ast.UnaryOp) and operand.op == "*":
            return self._emit(operand.expr)
        if isinstance(operand, c_ast.ID) and isinstance(t, Array):
            symbol = self.sema.symbol(operand)
            if symbol in self.symbol_names:  # it may stand for a pointer to the array's first element
                return ct.cast(self.types.pointer_to(t), self._emit(operand))
        if is_string(operand):
            return ct.cast(self.types.pointer_to(t), Text(f"&{operand.value}", ct.UNARY))
        return ct.prefix("&", self._emit(operand))

    def _step(self, node: c_ast.UnaryOp) -> Text:
        """``++`` and ``--``, which C++ lacks for bool, ``void *`` and flattened arrays."""
        op, operand = node.op, node.expr
        t = self._type(operand)
        sign = op[-1]
        target = self._emit(operand)
        if isinstance(t, Pointer) and (is_flattened(t) or isinstance(t.to, Void)):
            if isinstance(t.to, Void):
                stepped = ct.cast(self.declaration(strip(t)), ct.binary(sign, self._bytes(target), ct.name("1")))
                new = ct.assignment(target, "=", stepped)
            else:
                row = Text(self._product(self._extents_of(operand, t)), ct.MUL)
                new = ct.assignment(target, f"{sign}=", row)
            if op[0] != "p":
                return new
            back = "-" if sign == "+" else "+"
            if isinstance(t.to, Void):
                return ct.cast(self.declaration(strip(t)), ct.binary(back, self._bytes(new), ct.name("1")))
            return ct.binary(back, new, row)
        if strip(t) == BOOL:
            stepped = ct.binary("!=", ct.binary(sign, target, ct.name("1")), ct.name(_ZERO))
            new = ct.assignment(target, "=", stepped)
            if op[0] != "p":
                return new
            old = self._temporary_name()
            return ct.name(f"({{ const bool {old} = {target.text}; {new.text}; {old}; }})")
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
        a, b = self._emit(node.left), self._emit(node.right)
        if op in ct.COMPARISONS:
            bools = is_bool_text(node.left) or left == BOOL, is_bool_text(node.right) or right == BOOL
            if bools[0] != bools[1]:
                a = ct.cast("int", a) if bools[0] else a
                b = ct.cast("int", b) if bools[1] else b
            a, b = self._same_sign(node.left, a, node.right, b, comparison=True)
        elif op not in ("<<", ">>"):
            a, b = self._same_sign(node.left, a, node.right, b, comparison=False)
        return ct.binary(op, a, b)

    def _same_sign(
        self, left: c_ast.Node, a: Text, right: c_ast.Node, b: Text, comparison: bool
    ) -> tuple[Text, Text]:
        """Spell out the conversion of a signed operand to the unsigned common type, which compilers warn of."""
        s, t = self._value_type(left), self._value_type(right)
        if not (is_integer(s) and is_integer(t)):
            return a, b
        common = usual_arithmetic(s, t)
        if not is_unsigned(common):
            return a, b
        return self._unsigned(left, s, a, common, comparison), self._unsigned(right, t, b, common, comparison)

    def _unsigned(self, node: c_ast.Node, t: CType, text: Text, common: CType, comparison: bool) -> Text:
        if is_unsigned(t) or is_bool_text(node):
            return text
        value = self.sema.value(node)
        if (value is None and comparison) or (value is not None and value < 0):
            return ct.cast(self.declaration(common), text)
        return text

    def _pointer_operation(self, node: c_ast.BinaryOp, left: CType, right: CType) -> Text:
        op = node.op
        if op in ct.COMPARISONS:
            return self._pointer_comparison(node, left, right)
        for side, t in ((node.left, left), (node.right, right)):
            if is_flattened(t):
                if op == "-" and isinstance(left, Pointer) and isinstance(right, Pointer):
                    difference = ct.binary("-", self._emit(node.left), self._emit(node.right))
                    return ct.binary("/", difference, Text(self._product(self._extents_of(side, t)), ct.COMMA))
                return self._flat_pointer(node)
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
                sides.append(null if node.op in ("==", "!=") else ct.cast(self.declaration(other), ct.name(_ZERO)))
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

    def _same_pointer(self, a: Pointer | CType, b: Pointer | CType) -> bool:
        a, b = flattened(a), flattened(b)
        if not (isinstance(a, Pointer) and isinstance(b, Pointer)):
            return False
        return self.declaration(strip(a.to)) == self.declaration(strip(b.to))

    def _condition(self, node: c_ast.Node) -> Text:
        """An expression tested against zero."""
        text = self._emit(node)
        odd = (isinstance(node, c_ast.BinaryOp) and node.op in ("*", "<<")) or isinstance(node, c_ast.TernaryOp)
        if odd and is_arithmetic(self._value_type(node)):
            return ct.binary("!=", text, ct.name(_ZERO))
        return Text(text.text, ct.COMMA) if isinstance(node, c_ast.Assignment) else text

    def condition(self, node: c_ast.Node) -> str:
        """The text between the parentheses of ``if`` and loops."""
        text = self._condition(node)
        return f"({text.text})" if isinstance(node, c_ast.Assignment) else text.text

    def _emit_assignment(self, node: c_ast.Assignment) -> Text:
        target, op, value = node.lvalue, node.op, node.rvalue
        t = self._type(target)
        left = self._emit(target)
        if op == "=":
            return ct.assignment(left, "=", self._convert(value, t))
        if isinstance(t, Pointer):
            if is_flattened(t):
                row = Text(self._product(self._extents_of(target, t)), ct.MUL)
                return ct.assignment(left, op, ct.binary("*", self._emit(value), row))
            if isinstance(t.to, Void):
                moved = ct.binary(op[0], self._bytes(left), self._emit(value))
                return ct.assignment(left, "=", ct.cast(self.declaration(strip(t)), moved))
        return ct.assignment(left, op, self._emit(value))

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
        elif is_arithmetic(t):
            branches = [self._emit(yes_node), self._emit(node.iffalse)]
        else:
            branches = [self._convert(yes_node, t), self._convert(node.iffalse, t)]
        return ct.ternary(condition, branches[0], branches[1])

    def _as_void(self, node: c_ast.Node) -> Text:
        text = self._emit(node)
        return text if isinstance(self._type(node), Void) else ct.cast("void", text)

    def _emit_expr_list(self, node: c_ast.ExprList) -> Text:
        checked = self._assertion(node)
        if checked is not None:
            return checked
        return Text(", ".join(self._emit(e).at(ct.ASSIGN) for e in node.exprs), ct.COMMA)

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
        return ct.ternary(self._condition(items[0].cond), ct.cast("void", ct.name(_ZERO)), self._emit(call))

    def _emit_cast(self, node: c_ast.Cast) -> Text:
        t = strip(self.sema.resolve_type(node.to_type))
        if isinstance(node.expr, c_ast.InitList):
            return self._literal(node, t, node.expr)
        if isinstance(t, Void):
            return ct.cast("void", self._emit(node.expr))
        source = self._value_type(node.expr)
        text = ct.name(node.expr.value) if is_string(node.expr) else self._emit(node.expr)
        if isinstance(t, Record):
            if isinstance(source, Record):
                return text
            raise self.error(node, "a cast to a union is not supported")
        if (isinstance(t, Pointer) and is_integer(source) and sizeof(source) != 8 and self.sema.value(node.expr) is None) or (isinstance(source, Pointer) and is_integer(t) and t != BOOL and sizeof(t) < 8):
            text = ct.cast("long", text)
        return ct.cast(self.declaration(t), text)

    # ---- calls ----

    def _emit_func_call(self, node: c_ast.FuncCall) -> Text:
        args = node.args.exprs if node.args is not None else []
        callee = node.name
        if isinstance(callee, c_ast.ID):
            symbol = self.sema.symbol(callee)
            if symbol is None or symbol.kind == "function":
                return self._named_call(node, callee, symbol, args)
        t = self._value_type(callee)
        function = t.to if isinstance(t, Pointer) else t
        if not isinstance(function, Function):
            raise self.error(node, "this call is not supported")
        texts = self._arguments(function, args, exact=False)
        return Text(f"{self._emit(callee).at(ct.POSTFIX)}({', '.join(texts)})", ct.POSTFIX)

    def _named_call(self, node: c_ast.FuncCall, callee: c_ast.ID, symbol: Symbol | None, args: list[c_ast.Node]) -> Text:
        name = callee.name
        if name in ("alloca", "__builtin_alloca", "setjmp", "_setjmp", "longjmp") or name.startswith("__builtin_va_"):
            raise self.error(node, f"'{name}' is not supported")
        if name in ("__rex_asm", "asm"):
            raise self.error(node, "inline assembly is not supported")
        is_ours = symbol is not None and name in self.sema.functions and symbol not in self.device_names.system_symbols
        if not is_ours and name in REPLACED_BUILTINS:
            return self._builtin(node, REPLACED_BUILTINS[name], args)
        library = None if is_ours else library_name(name)
        text = library or (self.symbol_text(symbol) if symbol is not None else local_name(name))
        if symbol is not None and symbol in self.symbol_names:
            text = self.symbol_names[symbol]
        function = symbol.type if symbol is not None else None
        if not isinstance(function, Function) and library is not None:
            declared = self.sema.file_symbol(library)
            function = declared.type if declared is not None else None
        if isinstance(function, Function):
            texts = self._arguments(function, args, exact=library is not None)
        else:
            texts = [self._argument(a, None, exact=False) for a in args]
        return Text(f"{text}({', '.join(texts)})", ct.POSTFIX)

    def _arguments(self, function: Function, args: list[c_ast.Node], exact: bool) -> list[str]:
        """The arguments converted to the parameters' types; ``exact``: so that no C++ overload can be picked instead."""
        params = list(function.params) + [None] * (len(args) - len(function.params))
        return [self._argument(a, p, exact) for a, p in zip(args, params, strict=False)]

    def _argument(self, node: c_ast.Node, param: CType | None, exact: bool) -> str:
        if param is None:
            if is_string(node):
                return self._bare(node).text
            if self._is_null(node) and isinstance(self._value_type(node), Pointer):
                return "(void *)0"
            return self._emit(node).at(ct.ASSIGN)
        text = self._convert(node, param)
        if exact and is_arithmetic(param):
            wanted = self.declaration(strip(param))
            if self._cpp_type(node) != wanted and not text.text.startswith(f"({wanted})"):
                text = ct.cast(wanted, text)
        return text.at(ct.ASSIGN)

    def _cpp_type(self, node: c_ast.Node) -> str:
        """The type that C++ gives an arithmetic expression."""
        if is_bool_text(node):
            return "bool"
        if isinstance(node, c_ast.Constant) and node.type == "char":
            return "char"
        return self.declaration(self._value_type(node))

    def _builtin(self, node: c_ast.FuncCall, form: str, args: list[c_ast.Node]) -> Text:
        """A builtin that CUDA lacks, in terms of what it has."""
        if form in ("offsetof", "types_compatible_p", "constant_p", "choose_expr"):
            return self._constant_builtin(node, form, args)
        if form == "trap":
            return ct.name("abort()")
        if form.startswith("__builtin"):
            t = self.declaration(Scalar("long long" if "ffs" in form else "unsigned long long"))
            return Text(f"{form}({ct.cast(t, self._emit(args[0])).text})", ct.POSTFIX)
        if form == "fpclassify":
            return self._fpclassify(args)
        prelude = ""
        texts: list[Text] = []
        for arg in args:
            text = self._emit(arg)
            if not _is_plain(arg):
                temporary = self._temporary_name()
                prelude += f"const {self.declaration(self._value_type(arg))} {temporary} = {text.at(ct.ASSIGN)}; "
                text = ct.name(temporary)
            texts.append(text)
        value = self._builtin_form(form, texts, args)
        if not prelude:
            return value
        if len(texts) == 1 and value.text.count(texts[0].text) == 1:  # used once: no need for a name
            direct = self._builtin_form(form, [self._emit(args[0])], args)
            return direct
        return ct.name(f"({{ {prelude}{value.text}; }})")

    def _builtin_form(self, form: str, texts: list[Text], args: list[c_ast.Node]) -> Text:
        x = texts[0].at(ct.ASSIGN)
        t = self._value_type(args[0])
        is_float = t == Scalar("float")
        if form in ("isnan", "isinf", "isfinite", "signbit"):
            return Text(f"{form}({x})", ct.POSTFIX)
        if form == "isinf_sign":
            return ct.name(f"(isinf({x}) ? signbit({x}) ? -1 : 1 : 0)")
        if form == "isnormal":
            least = "1.17549435082228750797e-38f" if is_float else "2.22507385850720138309e-308"
            absolute = f"{'fabsf' if is_float else 'fabs'}({x})"
            return ct.name(f"({absolute} >= {least} && isfinite({x}))")
        if form in ct.COMPARISONS:
            return ct.binary(form, texts[0], texts[1])
        if form == "<>":
            return ct.binary("||", ct.binary("<", texts[0], texts[1]), ct.binary(">", texts[0], texts[1]))
        if form == "unordered":
            return ct.name(f"(isnan({x}) || isnan({texts[1].at(ct.ASSIGN)}))")
        wide = form.endswith("ll")
        if form.startswith("ctz"):
            ffs, argument = ("__builtin_ffsll", "long long") if wide else ("__builtin_ffs", "int")
            return ct.name(f"({ffs}({ct.cast(argument, texts[0]).text}) - 1)")
        if form.startswith("parity"):
            count, argument = ("__builtin_popcountll", "unsigned long long") if wide else ("__builtin_popcount", "unsigned int")
            return ct.name(f"({count}({ct.cast(argument, texts[0]).text}) & 1)")
        return self._byte_swap(form, texts[0])

    def _byte_swap(self, form: str, value: Text) -> Text:
        bits = int(form.removeprefix("bswap"))
        t = {16: "unsigned short", 32: "unsigned int", 64: "unsigned long"}[bits]
        wide = ct.cast("unsigned long", value)
        parts = []
        for low in range(0, bits, 8):
            shift = bits - 8 - 2 * low
            byte = f"({wide.text} & {hex(0xFF << low)}ul)"
            parts.append(f"{byte} {'<<' if shift > 0 else '>>'} {abs(shift)}")
        return ct.cast(t, ct.name("(" + " | ".join(f"({p})" for p in parts) + ")"))

    def _fpclassify(self, args: list[c_ast.Node]) -> Text:
        nan, infinite, normal, subnormal, zero = (self._emit(a).at(ct.LOR) for a in args[:5])
        value = args[5]
        t = self._value_type(value)
        name = self._temporary_name()
        is_float = t == Scalar("float")
        least = "1.17549435082228750797e-38f" if is_float else "2.22507385850720138309e-308"
        absolute = "fabsf" if is_float else "fabs"
        return ct.name(
            f"({{ const {self.declaration(t)} {name} = {self._emit(value).at(ct.ASSIGN)}; isnan({name}) ? {nan} : "
            f"isinf({name}) ? {infinite} : {name} == 0 ? {zero} : {absolute}({name}) < {least} ? {subnormal} : {normal}; }})"
        )

    def _constant_builtin(self, node: c_ast.FuncCall, form: str, args: list[c_ast.Node]) -> Text:
        if form == "constant_p":
            return ct.name("0" if self.sema.value(args[0]) is None else "1")
        if form == "choose_expr":
            return self._emit(self.sema.generic_branch(node))
        value = self.sema.value(node)
        if value is None:
            raise self.error(node, f"this use of '{node.name.name}' is not supported")
        return ct.name(f"{value}ul" if form == "offsetof" else str(value))

    # ---- storage ----

    def _emit_array_ref(self, node: c_ast.ArrayRef) -> Text:
        base, index = node.name, node.subscript
        if not isinstance(self._value_type(base), Pointer):
            base, index = index, base
        if is_flattened(self._value_type(base)):
            return self._flat_element(node)
        left = self._bare(base) if is_string(base) else self._emit(base)
        return Text(f"{left.at(ct.POSTFIX)}[{self._index(index).text}]", ct.POSTFIX)

    def _index(self, node: c_ast.Node) -> Text:
        text = self._emit(node)
        t = self._value_type(node)
        return ct.cast("int", text) if t == Scalar("char") else text

    def _emit_struct_ref(self, node: c_ast.StructRef) -> Text:
        return Text(self._emit(node.name).at(ct.POSTFIX) + node.type + local_name(node.field.name), ct.POSTFIX)

    # ---- variable-length arrays, flattened ----

    def _extents_of(self, node: c_ast.Node, t: CType, whole: bool = False) -> list[str]:
        """The extents inside one element of the flattened ``node`` (``whole``: of the array itself), as long values."""
        if isinstance(node, c_ast.ID) and not whole:
            symbol = self.sema.symbol(node)
            if symbol is not None and symbol in self.extents:
                return list(self.extents[symbol])
        dims = dimensions(t if isinstance(t, Array) else t.to if isinstance(t, Pointer) else t)
        if isinstance(t, Array) and not whole:
            dims = dims[1:]
        texts = []
        for dim in dims:
            if dim is None or (isinstance(dim, c_ast.ID) and dim.name == "*"):
                raise self.error(node, "the extent of this array is not known")
            texts.append(str(dim) if isinstance(dim, int) else ct.cast("long", self._emit(dim)).text)
        if whole and isinstance(node, c_ast.ID):
            symbol = self.sema.symbol(node)
            if symbol is not None and symbol in self.extents:
                texts[1:] = self.extents[symbol]
        return texts

    @staticmethod
    def _product(extents: list[str]) -> str:
        text = Text(extents[0], ct.UNARY)
        for extent in extents[1:]:
            text = ct.binary("*", text, Text(extent, ct.UNARY))
        return text.text

    def _flat(self, node: c_ast.Node) -> tuple[Text, Text | None, list[str]]:
        """A pointer to (or array of) variable-length rows: base, offset in rows of the remaining extents, those extents."""
        if isinstance(node, c_ast.ArrayRef | c_ast.UnaryOp) and (isinstance(node, c_ast.ArrayRef) or node.op == "*"):
            pointer, index = self._pointer_and_index(node)
            if is_flattened(self._value_type(pointer)):
                base, offset, extents = self._flat(pointer)
                offset = self._plus(offset, index)
                # The row decays to a pointer to its first part.
                if offset is not None:
                    offset = ct.binary("*", offset, Text(extents[0], ct.UNARY))
                return base, offset, extents[1:]
        if isinstance(node, c_ast.BinaryOp) and node.op in "+-":
            pointer, index_node = node.left, node.right
            if not isinstance(self._value_type(pointer), Pointer):
                pointer, index_node = index_node, pointer
            base, offset, extents = self._flat(pointer)
            index = self._emit(index_node)
            if node.op == "-":
                return base, ct.binary("-", offset or ct.name(_ZERO), index), extents
            return base, self._plus(offset, index), extents
        if isinstance(node, c_ast.UnaryOp) and node.op == "&":
            operand = node.expr
            if isinstance(operand, c_ast.ArrayRef):
                pointer, index = self._pointer_and_index(operand)
                base, offset, extents = self._flat(pointer)
                return base, self._plus(offset, index), extents
        return self._emit(node), None, self._extents_of(node, self._type(node))

    def _pointer_and_index(self, node: c_ast.ArrayRef | c_ast.UnaryOp) -> tuple[c_ast.Node, Text]:
        if isinstance(node, c_ast.UnaryOp):
            return node.expr, ct.name(_ZERO)
        if isinstance(self._value_type(node.name), Pointer):
            return node.name, self._emit(node.subscript)
        return node.subscript, self._emit(node.name)

    @staticmethod
    def _plus(offset: Text | None, index: Text) -> Text | None:
        if offset is None:
            return None if index.text == _ZERO else index
        return offset if index.text == _ZERO else ct.binary("+", offset, index)

    def _flat_element(self, node: c_ast.ArrayRef | c_ast.UnaryOp) -> Text:
        """``a[i][j]`` of a flattened ``a``: an element, or a pointer to the first one when rows remain."""
        pointer, index = self._pointer_and_index(node)
        base, offset, extents = self._flat(pointer)
        offset = self._plus(offset, index)
        if extents and isinstance(self._type(node), Array):
            if offset is None:
                return base
            return ct.binary("+", base, ct.binary("*", offset, Text(self._product(extents), ct.MUL)))
        return Text(f"{base.at(ct.POSTFIX)}[{offset.text if offset is not None else _ZERO}]", ct.POSTFIX)

    def _flat_pointer(self, node: c_ast.Node) -> Text:
        base, offset, extents = self._flat(node)
        if offset is None:
            return base
        return ct.binary("+", base, ct.binary("*", offset, Text(self._product(extents), ct.MUL)))

    # ---- statement expressions, selections ----

    def _emit_stmt_expr(self, node: StmtExpr) -> Text:
        items = node.body.block_items or []
        if not items:
            return ct.name("(void)0")
        saved = self._hoisted
        text = self._block_text(items, self._depth + 1)
        self._hoisted = saved
        return ct.name("({\n" + text + "    " * self._depth + "})")

    def _emit_generic_selection(self, node: c_ast.GenericSelection) -> Text:
        return self._emit(self.sema.generic_branch(node))

    # ---- compound literals ----

    def _emit_compound_literal(self, node: c_ast.CompoundLiteral) -> Text:
        return self._literal(node, self._type(node), node.init)

    def _literal(self, node: c_ast.Node, t: CType, init: c_ast.Node) -> Text:
        t = without_const(t)
        if isinstance(t, Array):
            return self._array_literal(node, t, init)
        if isinstance(t, Record):
            return Text(f"({self.declaration(t)}){self.braces(read_initialiser(self.sema, t, init))}", ct.POSTFIX)
        value = read_initialiser(self.sema, t, init).value
        text = self._convert(value, t) if value is not None else ct.name(_ZERO)
        return ct.cast(self.declaration(t), text)

    def _literal_address(self, node: c_ast.CompoundLiteral) -> Text:
        t = without_const(self._type(node))
        if isinstance(t, Array):
            return ct.cast(self.types.pointer_to(t), self._array_literal(node, t, node.init))
        if self._hoist_static:
            return ct.prefix("&", ct.name(self._hoist(node, t, self._initialiser_text(t, node.init))))
        name = self._hoist(node, t, "")
        return ct.prefix("&", ct.assignment(ct.name(name), "=", self._literal(node, t, node.init)))

    def _array_literal(self, node: c_ast.Node, t: Array, init: c_ast.Node) -> Text:
        if self._hoist_static:
            return ct.name(self._hoist(node, t, self._initialiser_text(t, init)))
        name = self._hoist(node, t, "")
        assignments = [Text(e, ct.ASSIGN).text for e in self.assignments(name, read_initialiser(self.sema, t, init))]
        return Text(", ".join([*assignments, name]), ct.COMMA)

    def _hoist(self, node: c_ast.Node, t: CType, init: str) -> str:
        if self._hoisted is None:
            raise self.error(node, "a compound literal whose address is taken is not supported here")
        name = self._temporary_name("literal")
        if self._hoist_static:
            self._hoisted.append(f"static __device__ {self.declaration(t, name)}{init};")
        else:
            self._hoisted.append(f"[[maybe_unused]] {self.declaration(t, name)};")
        return name

    def _temporary_name(self, stem: str = "value") -> str:
        return f"rex_{stem}_{next(self._counter)}"

    # ---- conversions ----

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
        if isinstance(target, Record) and "volatile" in self._type(node).quals:
            pointer = ct.cast(self.types.pointer_to(target), ct.prefix("&", self._emit(node)))
            return ct.prefix("*", pointer)
        return self._emit(node)

    def _to_pointer(self, node: c_ast.Node, target: Pointer) -> Text:
        if self._is_null(node):
            return ct.name("nullptr")
        if is_string(node):
            bare = self._bare(node)
            if target.to == Scalar("char", quals=frozenset({"const"})):
                return bare
            return ct.cast(self.declaration(target), bare)
        if isinstance(node, c_ast.TernaryOp):
            return self._ternary(node, target)
        source = self._value_type(node)
        text = self._emit(node)
        if isinstance(source, Pointer):
            return text if self._is_implicit(source, target) else ct.cast(self.declaration(target), text)
        if is_integer(source) and sizeof(source) != 8:
            text = ct.cast("long", text)
        return ct.cast(self.declaration(target), text)

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
        if is_integer(target) and target != BOOL:
            value = self.sema.value(node)
            low, high = integer_range(target)
            if value is not None and not low <= value <= high:
                return ct.cast(self.declaration(target), text)
            if is_floating(source) and isinstance(node, c_ast.Constant | c_ast.UnaryOp):
                return ct.cast(self.declaration(target), text)
        if target == BOOL and not is_bool_text(node) and source != BOOL:
            return ct.binary("!=", text, ct.name(_ZERO)) if isinstance(node, c_ast.BinaryOp) else text
        return text

    # ---- initialisers ----

    def _initialiser_text(self, t: CType, init: c_ast.Node) -> str:
        """`` = ...`` for a declaration of an object of type ``t``."""
        initialiser = read_initialiser(self.sema, t, init)
        if initialiser.value is None and not isinstance(t, Array | Record):
            return " = {}"
        if initialiser.value is not None and not isinstance(t, Array):
            return f" = {self._convert(initialiser.value, t).at(ct.ASSIGN)}"
        return f" = {self.braces(initialiser)}"

    def braces(self, init: Initialiser) -> str:
        """An initialiser as it stands inside braces, or the whole of an aggregate's."""
        t = init.type
        if init.value is not None:
            if isinstance(t, Array):
                return self._string_initialiser(t, init.value)
            return self._narrowed(init.value, t)
        if isinstance(t, Array | Record) and init.is_zero:
            return "{}"
        if isinstance(t, Array):
            parts = [self._part(init, i, t.of) for i in range(max(init.parts) + 1)]
            return "{" + ", ".join(parts) + "}"
        if isinstance(t, Record):
            fields = members(t)
            if t.info.kind == "union":
                (index, part), = init.parts.items()
                field_name = fields[index].name
                if index and field_name is None:
                    assert self._where is not None
                    raise self.error(self._where, "this initialiser of an anonymous member is not supported")
                return f"{{.{local_name(field_name)} = {self.braces(part)}}}" if index and field_name else f"{{{self.braces(part)}}}"
            return "{" + ", ".join(self._part(init, i, f.type) for i, f in enumerate(fields)) + "}"
        return "{}"

    def _part(self, init: Initialiser, index: int, t: CType) -> str:
        part = init.parts.get(index)
        if part is not None:
            return self.braces(part)
        if isinstance(t, Array | Record):
            return "{}"
        return "nullptr" if isinstance(t, Pointer) else _ZERO

    def _string_initialiser(self, t: Array, node: c_ast.Node) -> str:
        assert isinstance(node, c_ast.Constant)
        data = ct.string_bytes(node.value)
        if t.length is None or len(data) < t.length:
            return str(node.value)
        return "{" + ", ".join(ct.char_text(b) for b in data[: t.length]) + "}"

    def _narrowed(self, node: c_ast.Node, target: CType) -> str:
        """A scalar inside braces, where C++ forbids narrowing conversions."""
        text = self._convert(node, target)
        target = strip(target)
        if not is_arithmetic(target):
            return text.at(ct.ASSIGN)
        wanted = self.declaration(target)
        source = self._value_type(node)
        if text.text.startswith(f"({wanted})") or not is_arithmetic(source) or not self._narrows(node, source, target):
            return text.at(ct.ASSIGN)
        return ct.cast(wanted, text).text

    def _narrows(self, node: c_ast.Node, source: CType, target: CType) -> bool:
        source = integer_promote(source) if isinstance(source, EnumType) else source
        target = target.info.underlying if isinstance(target, EnumType) else target
        if is_bool_text(node):
            return not is_integer(target)
        if source == target:
            return False
        if not isinstance(target, Scalar) or not isinstance(source, Scalar):
            return True
        value = self.sema.value(node) if is_integer(source) else None
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

    def assignments(self, target: str, init: Initialiser) -> list[str]:
        """Assignments that give an object declared without initialiser its first value."""
        t = init.type
        if init.value is not None and not isinstance(t, Array):
            return [f"{target} = {self._convert(init.value, t).at(ct.ASSIGN)}"]
        if isinstance(t, Record):
            return [f"{target} = ({self.declaration(without_const(t))}){self.braces(init)}"]
        if not isinstance(t, Array):
            return [f"{target} = {'nullptr' if isinstance(t, Pointer) else _ZERO}"]
        if init.value is not None:
            assert isinstance(init.value, c_ast.Constant)
            data = [*ct.string_bytes(init.value.value), 0][: t.length]
            return [f"memcpy({target}, {init.value.value}, {len(data)})", *self._clear(target, len(data), t)]
        out: list[str] = []
        if t.length is not None and len(init.parts) < t.length:
            out.append(f"memset({target}, 0, sizeof({self.declaration(without_const(t))}))")
        for index, part in sorted(init.parts.items()):
            if out[:1] and out[0].startswith("memset") and part.is_zero:
                continue
            out += self.assignments(f"{target}[{index}]", part)
        return out

    @staticmethod
    def _clear(target: str, used: int, t: Array) -> list[str]:
        rest = (t.length or used) - used
        return [f"memset({target} + {used}, 0, {rest})"] if rest > 0 else []
