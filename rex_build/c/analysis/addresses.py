"""Collects where addresses go in device code: through assignments, calls and memory.

``points_to`` solves the result.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from itertools import zip_longest

from pycparser import c_ast

from ...plan.code import Entity
from ..sema import Sema, Symbol
from ..sema.ctype import Array, CType, Function, Pointer, Record, Scalar, sizeof, strip
from ..sema.type_questions import is_integer
from ..syntax.parser import StmtExpr
from .device_library import ATOMIC_PREFIXES, UNEVALUATED, library_name
from .points_to import WORLD, Constraints, Place, Signature, Value, passed, reached
from .used_code import UsedCode

_ADDRESS = 8  # in bytes
_MEMBERS = "members"  # the addresses that integer members of records hold
_COMPARISONS = frozenset(["==", "!=", "<", ">", "<=", ">=", "&&", "||"])


class AddressFlow:
    """Where addresses go.

    ``own`` are the variables of single threads. Those in ``elsewhere`` also exist in memory that all threads reach.
    """

    def __init__(
        self, sema: Sema, code: UsedCode, own: AbstractSet[Entity], elsewhere: AbstractSet[Entity], separable: bool
    ) -> None:
        self.sema, self.own, self.elsewhere, self.separable = sema, own, elsewhere, separable
        self.functions = {f.decl.name: f for f in code.functions}
        self._constraints = Constraints()
        self._temporaries = 0
        self._function: str | None = None

    def solve(self) -> set[Place]:
        """The places to which addresses in memory that every thread reaches lead, except that memory itself."""
        return reached(self._constraints, self._signature, self.separable)

    # -- constraints ----------------------------------------------------------------------------------------------

    def point(self, value: Value, place: Place) -> None:
        self._constraints.points.append((value, place))

    def copy(self, source: Value, to: Value) -> None:
        self._constraints.copies.append((source, to))

    def load(self, pointer: Value, to: Value) -> None:
        self._constraints.loads.append((pointer, to))

    def store(self, source: Value, pointer: Value) -> None:
        self._constraints.stores.append((source, pointer))

    def call(self, callee: Value, arguments: list[Value], result: Value) -> None:
        self._constraints.calls.append((callee, arguments, result))

    def _signature(self, function: Symbol) -> Signature:
        definition = self.functions.get(function.name)
        if definition is None:
            return None
        return self.sema.parameters(definition), ("result of", function.name)

    def _enter(self, function: Symbol, arguments: list[Value], result: Value) -> None:
        """Add the constraints of a call by name."""
        signature = self._signature(function)
        if signature is None:
            for argument in arguments:
                self.copy(argument, WORLD)
            self.copy(WORLD, result)
            return
        for argument, parameter in passed(arguments, signature[0]):
            self.copy(argument, parameter)
        self.copy(signature[1], result)

    def _temporary(self) -> int:
        self._temporaries += 1
        return self._temporaries

    def _places(self, symbol: Symbol) -> tuple[Place, ...]:
        if symbol.is_function or (symbol in self.own and symbol not in self.elsewhere):
            return (symbol,)
        return (symbol, WORLD) if symbol in self.own else (WORLD,)

    # -- statements -----------------------------------------------------------------------------------------------

    def statement(self, node: c_ast.Node, function: str | None) -> None:
        self._function = function
        self._visit(node)

    def _visit(self, node: c_ast.Node) -> None:
        match node:
            case c_ast.Decl():
                if node.name is not None and node.init is not None:
                    symbol = self.sema.decl_symbol(node)
                    for place in self._places(symbol):
                        self._converted(node.init, symbol.type, place)
            case c_ast.Return():
                if node.expr is not None:
                    self.value(node.expr, ("result of", self._function) if self._function else None)
            case c_ast.Typedef() | c_ast.Typename() | c_ast.Struct() | c_ast.Union() | c_ast.Enum():
                return
            case _ if self._is_expression(node):
                self.value(node, None)
            case _:
                for child in node:
                    self._visit(child)

    def _is_expression(self, node: c_ast.Node) -> bool:
        return isinstance(node, _EXPRESSIONS) or type(node).__name__ == "GenericSelection"

    # -- expressions ----------------------------------------------------------------------------------------------

    def value(self, node: c_ast.Node, into: Value | None) -> None:
        """Let ``into`` point to everything to which the value of an expression or initialiser may point."""
        match node:
            case c_ast.Constant() | c_ast.Typename():
                return
            case c_ast.InitList():
                for item in node.exprs:
                    self._initial(item, into)
            case c_ast.NamedInitializer():
                self._initial(node.expr, into)
            case c_ast.ExprList():
                for item in node.exprs[:-1]:
                    self.value(item, None)
                self.value(node.exprs[-1], into)
            case c_ast.TernaryOp():
                self.value(node.cond, into if node.iftrue is None else None)
                for branch in (node.iftrue, node.iffalse):
                    if branch is not None:
                        self.value(branch, into)
            case c_ast.Assignment():
                self._assignment(node, into)
            case c_ast.Cast():
                self._converted(node.expr, self.sema.resolve_type(node.to_type), into)
            case c_ast.BinaryOp():
                self._operation(node, into)
            case c_ast.UnaryOp(op="&"):
                self._address(node.expr, into)
            case c_ast.UnaryOp(op="sizeof" | "_Alignof"):
                return
            case c_ast.UnaryOp(op="!"):
                self.value(node.expr, None)
            case c_ast.UnaryOp(op="*"):
                self._read(node, into)
            case c_ast.UnaryOp():
                self.value(node.expr, into)
            case c_ast.FuncCall():
                self._call(node, into)
            case StmtExpr():
                self._statements(node, into)
            case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef() | c_ast.CompoundLiteral():
                self._read(node, into)
            case _ if type(node).__name__ == "GenericSelection":
                self.value(self.sema.generic_branch(node), into)
            case _:
                for child in node:
                    self._visit(child)

    def _statements(self, node: StmtExpr, into: Value | None) -> None:
        for item in (node.body.block_items or ())[:-1]:
            self._visit(item)
        if node.last is not None and self._is_expression(node.last):
            self.value(node.last, into)
        elif node.last is not None:
            self._visit(node.last)

    def _read(self, node: c_ast.Node, into: Value | None) -> None:
        t = strip(self.sema.type(node))
        if isinstance(t, Array | Function):
            self._address(node, into)
            return
        if not _may_hold_address(t) or self._is_number_of_record(node):
            into = None
        elif isinstance(node, c_ast.StructRef) and is_integer(t) and into is not None:
            self.copy(_MEMBERS, into)
            into = None
        if isinstance(node, c_ast.ID):
            symbol = self.sema.symbol(node)
            if symbol is not None and symbol.is_variable and into is not None:
                for place in self._places(symbol):
                    self.copy(place, into)
            return
        pointer = self._temporary() if into is not None else None
        self._address(node, pointer)
        if pointer is not None and into is not None:
            self.load(pointer, into)

    def _is_number_of_record(self, node: c_ast.Node) -> bool:
        """Whether an lvalue is an integer in an array inside a record. Such an integer is no part of other members."""
        if not is_integer(self.sema.type(node)):
            return False
        while isinstance(node, c_ast.ArrayRef):
            node = node.name
        return isinstance(node, c_ast.StructRef) and isinstance(strip(self.sema.type(node)), Array)

    def _address(self, node: c_ast.Node, into: Value | None) -> None:
        """Store the address of an lvalue in ``into``."""
        match node:
            case c_ast.ID():
                symbol = self.sema.symbol(node)
                if symbol is not None and into is not None:
                    for place in self._places(symbol):
                        self.point(into, place)
            case c_ast.ArrayRef():
                first = isinstance(strip(self.sema.type(node.name)), Array | Pointer)
                base, index = (node.name, node.subscript) if first else (node.subscript, node.name)
                self.value(index, None)
                self.value(base, into)
            case c_ast.StructRef(type="."):
                self._address(node.name, into)
            case c_ast.StructRef():
                self.value(node.name, into)
            case c_ast.UnaryOp(op="*"):
                self.value(node.expr, into)
            case c_ast.CompoundLiteral():
                self.value(node.init, node)
                if into is not None:
                    self.point(into, node)
            case c_ast.TernaryOp():
                self.value(node.cond, None)
                for branch in (node.iftrue, node.iffalse):
                    self._address(branch, into)
            case c_ast.Constant():  # it is a string
                return
            case _:  # it is a value, and a part of it is used
                self.value(node, node)
                if into is not None:
                    self.point(into, node)

    def _assignment(self, node: c_ast.Assignment, into: Value | None) -> None:
        source = self._temporary()
        self._converted(node.rvalue, self.sema.type(node.lvalue), source)
        if isinstance(node.lvalue, c_ast.ID) and (symbol := self.sema.symbol(node.lvalue)) is not None:
            for place in self._places(symbol):
                self.copy(source, place)
        else:
            pointer = self._temporary()
            self._address(node.lvalue, pointer)
            self.store(source, pointer)
            if isinstance(node.lvalue, c_ast.StructRef) and is_integer(self.sema.type(node.lvalue)):
                self.copy(source, _MEMBERS)
        if into is not None:
            self.copy(source, into)
            if node.op != "=":
                self._read(node.lvalue, into)

    def _initial(self, node: c_ast.Node, into: Value | None) -> None:
        """Store the value of one member or element in ``into``."""
        self.value(node, into)
        if not isinstance(node, _INITIALISERS) and is_integer(self.sema.value_type(node)):
            self.value(node, _MEMBERS)

    def _operation(self, node: c_ast.BinaryOp, into: Value | None) -> None:
        pointers = [e for e in (node.left, node.right) if isinstance(strip(self.sema.value_type(e)), Pointer)]
        for operand in (node.left, node.right):
            lost = node.op in _COMPARISONS or len(pointers) == 2 or (pointers and operand not in pointers)
            self.value(operand, None if lost else into)

    def _converted(self, node: c_ast.Node, to: CType, into: Value | None) -> None:
        """Store a converted value in ``into``. A type narrower than an address loses the address."""
        if not isinstance(node, c_ast.InitList) and isinstance(strip(to), Scalar) and sizeof(strip(to)) < _ADDRESS:
            t = strip(self.sema.value_type(node))
            if isinstance(t, Pointer) or (isinstance(t, Scalar) and sizeof(t) >= _ADDRESS):
                into = None
        self.value(node, into if _may_hold_address(to) else None)
        if self._is_member(node, to):
            self.value(node, _MEMBERS)

    def _is_member(self, node: c_ast.Node, to: CType) -> bool:
        """Whether an integer becomes the member of a union."""
        return (
            isinstance(strip(to), Record)
            and not isinstance(node, c_ast.InitList)
            and is_integer(self.sema.value_type(node))
        )

    # -- calls ----------------------------------------------------------------------------------------------------

    def _call(self, node: c_ast.FuncCall, into: Value | None) -> None:
        arguments = list(node.args.exprs) if node.args is not None else []
        result: Value = into if into is not None else self._temporary()
        if (generic := self.sema.type_generic_call(node)) is not None:  # it computes with numbers
            for argument in generic[1]:
                self.value(argument, None)
            return
        symbol = self.sema.symbol(node.name) if isinstance(node.name, c_ast.ID) else None
        if isinstance(node.name, c_ast.ID) and (symbol is None or self._is_library(symbol)):
            self._library(node, arguments, result)
            return
        values: list[Value] = []
        callee_type = strip(self.sema.value_type(node.name))
        function = callee_type.to if isinstance(callee_type, Pointer) else callee_type
        parameters = function.params if isinstance(function, Function) else ()
        for argument, parameter in zip_longest(arguments, parameters[: len(arguments)]):
            values.append(self._temporary())
            self.value(argument, values[-1])
            if parameter is not None and self._is_member(argument, parameter):
                self.value(argument, _MEMBERS)
        if symbol is not None and symbol.is_function:
            self._enter(symbol, values, result)
            return
        callee = self._temporary()
        self.value(node.name, callee)
        self.call(callee, values, result)

    def _is_library(self, symbol: Symbol) -> bool:
        if not symbol.is_function or symbol.name in self.functions:
            return False
        return library_name(symbol.name) is not None or symbol.name.startswith("__")

    def _library(self, node: c_ast.FuncCall, arguments: list[c_ast.Node], result: Value) -> None:
        """Add the constraints of a library function or builtin.

        It may copy the memory to which its arguments point, and return one of the arguments. It keeps none of them. If
        it gets the address of a pointer, it may set that pointer to any argument.
        """
        name = node.name.name
        if name in UNEVALUATED:
            return
        if name.endswith(("alloc", "alloca")):  # the memory is the thread's own until a pointer to it goes elsewhere
            self.point(result, node)
            if "realloc" not in name:
                for argument in arguments:
                    self.value(argument, None)
                return
        if name == "__builtin_va_arg":
            self.copy(WORLD, result)
            return
        every, contents = self._temporary(), self._temporary()
        atomic = name.startswith(ATOMIC_PREFIXES)
        if atomic and arguments and name not in _BY_REFERENCE:
            self._stores(arguments[0], arguments[2 if "compare_exchange" in name else 1 :])
        of_text = name.removeprefix("__builtin_").startswith(_TEXT)
        for argument in arguments:
            if isinstance(argument, c_ast.Typename) or not _may_hold_address(self.sema.value_type(argument)):
                self.value(argument, None)
                continue
            t = strip(self.sema.value_type(argument))
            one = self._temporary()
            self.value(argument, one)
            self.copy(one, every)
            to = strip(t.to) if isinstance(t, Pointer) else None
            if not of_text:
                self.load(one, contents)
                self.store(contents, one)
            elif isinstance(to, Pointer):  # strtol(), strtok_r()
                self.store(every, one)
            if isinstance(to, Function):  # a comparison function
                self.call(one, [every, every], self._temporary())
        self.copy(every, result)
        self.copy(contents, result)

    def _stores(self, to: c_ast.Node, values: list[c_ast.Node]) -> None:
        pointer, stored = self._temporary(), self._temporary()
        self.value(to, pointer)
        for node in values:
            self.value(node, stored)
        self.store(stored, pointer)


_TEXT = ("str", "stp", "printf", "put")  # these functions move no addresses except their arguments
_BY_REFERENCE = frozenset({"__atomic_load", "__atomic_store", "__atomic_exchange", "__atomic_compare_exchange"})
_INITIALISERS = (c_ast.InitList, c_ast.NamedInitializer, c_ast.Constant)
_EXPRESSIONS = (
    c_ast.ID, c_ast.Constant, c_ast.ArrayRef, c_ast.StructRef, c_ast.UnaryOp, c_ast.BinaryOp, c_ast.TernaryOp,
    c_ast.Assignment, c_ast.Cast, c_ast.FuncCall, c_ast.ExprList, c_ast.CompoundLiteral, c_ast.InitList, StmtExpr,
)  # fmt: skip


def _may_hold_address(t: CType) -> bool:
    """Whether copying one or more values of this type may copy an address, as bytes or as an integer."""
    t = strip(t)
    return not isinstance(t, Scalar) or (is_integer(t) and sizeof(t) in (1, _ADDRESS))
