"""Calls: of the unit's functions, of the C library so that no C++ overload is taken instead, of builtins."""

from __future__ import annotations

from fractions import Fraction

from pycparser import c_ast

from ..analysis.device_library import (
    ATOMIC_SUMS,
    C11_ATOMICS,
    GENERIC_ATOMICS,
    REPEATING_BUILTINS,
    REPLACED_BUILTINS,
    device_name,
    is_lock_free,
    is_overloaded,
    library_name,
)
from ..analysis.device_names import local_name
from ..sema import Symbol, walk
from ..sema.builtins import is_builtin, parameter_type, pointer_parameter
from ..sema.ctype import (
    DOUBLE,
    FLOAT,
    HALF,
    LONG,
    LONG_DOUBLE,
    NARROW_FLOATS,
    CType,
    EnumType,
    Function,
    Pointer,
    Record,
    Scalar,
    Void,
    compatible,
    is_arithmetic,
    strip,
)
from ..sema.initialisers import is_string, members
from ..syntax.parser import StmtExpr
from . import text as ct
from .base import ZERO, is_bool_text, is_plain
from .initialisers import InitialiserPrinter
from .printf import device_format
from .text import Text
from .types import is_empty

_CLASSES = ("__builtin_isnormal", "__builtin_issubnormal", "__builtin_fpclassify")  # which depend on a type's format


def _exact_double(node: c_ast.Node) -> str | None:
    """A long double constant as the double of the same value, None where there is none."""
    if not (isinstance(node, c_ast.Constant) and node.type == "long double"):
        return None
    text = str(node.value).rstrip("lL")
    try:
        return text if Fraction(text) == Fraction(float(text)) else None
    except (ValueError, OverflowError):  # hexadecimal, or infinite as a double
        return None


# What a variadic function calls the address of the arguments that no parameters name.
MORE_ARGUMENTS = "__rex_more_arguments"


class CallPrinter(InitialiserPrinter):
    """Calls."""

    def _emit_func_call(self, node: c_ast.FuncCall) -> Text:
        text = self._call(node)
        t = self._type(node)
        return ct.name(f"({text.text}, ({self.declaration(strip(t))}){{}})") if is_empty(t) else text

    def _call(self, node: c_ast.FuncCall) -> Text:
        args = node.args.exprs if node.args is not None else []
        callee = node.name
        while type(callee).__name__ == "GenericSelection":
            callee = self.sema.generic_branch(callee)
        if (generic := self.sema.type_generic_call(node)) is not None:
            callee, args = generic
        if isinstance(callee, c_ast.ID):
            symbol = self.sema.symbol(callee)
            if symbol is None or symbol.kind == "function":
                return self._named_call(node, callee, symbol, args)
        t = self._value_type(callee)
        function = t.to if isinstance(t, Pointer) else t
        if not isinstance(function, Function):
            raise self.error(node, "this call is not supported")
        called = self._emit(callee)
        if args and not function.prototyped:  # the arguments tell what it takes (6.5.2.2p6)
            function = Function(function.result, tuple(map(self._passed_type, args)))
            called = ct.cast(self.declaration(Pointer(function)), called)
        texts = self._arguments(function, args)
        return Text(f"REX_FUNCTION({called.at(ct.ASSIGN)})({', '.join(texts)})", ct.POSTFIX)

    def _passed_type(self, argument: c_ast.Node) -> CType:
        """The type of an argument that no parameter is declared for, after the default promotions."""
        promoted = self._promoted(argument)
        return DOUBLE if promoted == FLOAT else promoted

    def _named_call(
        self, node: c_ast.FuncCall, callee: c_ast.ID, symbol: Symbol | None, args: list[c_ast.Node]
    ) -> Text:
        name = callee.name
        if name in ("setjmp", "_setjmp", "longjmp"):
            raise self.error(node, f"'{name}' is not supported")
        if name in ("__rex_asm", "asm"):
            raise self.error(node, "inline assembly is not supported")
        is_ours = symbol is not None and name in self.sema.functions and symbol not in self.device_names.system_symbols
        if not is_ours and name in REPLACED_BUILTINS:
            return self._builtin(node, REPLACED_BUILTINS[name], args)
        if name in _CLASSES and self._value_type(args[-1]) in NARROW_FLOATS:
            *of_kinds, number = (self._emit(a) for a in args)
            if not is_plain(args[-1]):  # it may be more precise
                number = ct.cast(self.declaration(self._value_type(args[-1])), number)
            given = ", ".join(t.at(ct.ASSIGN) for t in (*of_kinds, number))
            return Text(f"rex_{name.removeprefix('__builtin_')}({given})", ct.POSTFIX)
        if name in REPEATING_BUILTINS and not all(map(self._is_repeatable, args)):
            return self._once(name, args)
        library = None if is_ours else library_name(name)
        if symbol is None and library is None and is_builtin(name):
            raise self.error(callee, f"'{name}' is not available")
        if name in GENERIC_ATOMICS:
            self._check_atomic(name, args[0])
        if (name in C11_ATOMICS or name in ATOMIC_SUMS) and args and (atomic := self._atomic_call(name, args)):
            return atomic
        text = self.symbol_text(symbol) if symbol is not None else local_name(name)
        if library is not None:
            wraps = self.unit.wraps and library in ("abs", "labs", "llabs")
            text = "rex_wrapped_abs" if wraps else device_name(library)
        if symbol is not None and symbol.name != name and is_ours:
            text = f"::{text}"  # an alias is in sight, what it stands for may be hidden
        if symbol is not None and symbol in self.symbol_names:
            text = self.symbol_names[symbol]
        if library == "printf" and args and isinstance(args[0], c_ast.Constant):
            return self._printf(node, text, args)
        function = symbol.type if symbol is not None else None
        if not isinstance(function, Function) and library is not None:
            declared = self.sema.file_symbol(library)
            function = declared.type if declared is not None else None
        if is_ours:  # C checks calls against prototypes only
            definition = self.sema.functions[name]
            parameters = self.sema.parameters(definition)
            taken = max(len(self.sema.function_type(definition).params), len(parameters))
            if len(args) < taken or (len(args) > taken and not self.sema.function_type(definition).variadic):
                raise self.error(node, f"'{name}' takes {taken} arguments and is called with {len(args)}")
            if isinstance(function, Function) and not function.params:
                function = Function(function.result, tuple(p.type for p in parameters))
        elif isinstance(function, Function) and not function.prototyped and args and library is None:
            function = Function(function.result, tuple(map(self._passed_type, args)))
            text = ct.cast(self.declaration(Pointer(function)), ct.name(text)).at(ct.POSTFIX)
        overloaded = library is not None and is_overloaded(library)
        if library is not None and not (isinstance(function, Function) and function.prototyped):
            types = [self._value_type(a) for a in args]
            kinds = [
                pointer_parameter(library, i) if isinstance(t, Pointer) and not is_string(a)
                else parameter_type(library, i) if overloaded and is_arithmetic(t)
                else None
                for i, (a, t) in enumerate(zip(args, types, strict=True))
            ]  # fmt: skip
            texts = [self._argument(a, t, exact=overloaded) for a, t in zip(args, kinds, strict=True)]
        elif isinstance(function, Function):
            texts = self._arguments(function, args, exact=overloaded, library=library is not None)
        else:
            texts = [self._argument(a, None, exact=False) for a in args]
        return Text(f"{text}({', '.join(texts)})", ct.POSTFIX)

    def _atomic_call(self, name: str, args: list[c_ast.Node]) -> Text | None:
        """A call of an atomic builtin of clang, or of one that adds to a pointer: GNU's count in bytes, clang's in
        elements. None for those that can stay as they are."""
        plain = C11_ATOMICS.get(name)
        t = self._value_type(args[0])
        to = strip(t.to) if isinstance(t, Pointer) else t
        is_sum = (plain or name) in ATOMIC_SUMS and isinstance(to, Pointer)
        if plain is None and not is_sum:
            return None
        place, *others = args
        given = [self._emit(place)]
        for number, argument in enumerate(others):
            is_value = number == ("compare_exchange" in name) and isinstance(t, Pointer) and "load" not in name
            given.append(self._convert(argument, to) if is_value and not is_sum else self._emit(argument))
        if isinstance(to, Record) and plain is not None and plain.endswith("_n"):
            return self._atomic_copy(plain, to, [text.at(ct.ASSIGN) for text in given])
        if name == "__c11_atomic_init":
            given.append(ct.name("__ATOMIC_RELAXED"))
        elif plain == "__atomic_compare_exchange_n":
            given.insert(3, ZERO)  # not weak
        elif plain == "__atomic_is_lock_free":
            given.append(ct.name("nullptr"))
        if is_sum and isinstance(to, Pointer):
            given[0] = ct.cast("long *", given[0])
            if isinstance(self._value_type(others[0]), Pointer):
                given[1] = ct.cast("long", given[1])
            if plain is not None and not isinstance(to.to, Void):
                given[1] = ct.binary("*", given[1], ct.name(f"(long)sizeof({self.declaration(to.to)})"))
        call = Text(f"{plain or name}({', '.join(text.at(ct.ASSIGN) for text in given)})", ct.POSTFIX)
        return ct.cast(self.declaration(to), call) if is_sum else call

    def _atomic_copy(self, name: str, t: Record, given: list[str]) -> Text:
        """An atomic access of a whole structure, which builtins take by addresses only."""
        if "exchange" not in name:
            access = name.removeprefix("__atomic_").removesuffix("_n")
            return Text(f"rex_c_{access}({', '.join(given[: 1 + (access == 'store')])})", ct.POSTFIX)
        wanted, old = self._temporary_name(), self._temporary_name()
        generic = name.removesuffix("_n")
        made = f"{self.declaration(strip(t), wanted)} = {given[2 if 'compare' in name else 1]};"
        if "compare" in name:
            return ct.name(f"({{ {made} {generic}({given[0]}, {given[1]}, &{wanted}, 0, {given[3]}, {given[4]}); }})")
        made += f" {self.declaration(strip(t), old)};"
        return ct.name(f"({{ {made} {generic}({given[0]}, &{wanted}, &{old}, {given[2]}); {old}; }})")

    def _check_atomic(self, name: str, pointer: c_ast.Node) -> None:
        t = self._value_type(pointer)
        if not (isinstance(t, Pointer) and isinstance(t.to, Scalar | EnumType | Pointer | Record)):
            raise self.error(pointer, f"'{name}' of what is no object is not supported")
        if not is_lock_free(t.to):
            what = f"'{t.to}', which no hardware changes at once,"
            raise self.error(pointer, f"'{name}' of {what} is not supported")

    def _printf(self, node: c_ast.FuncCall, name: str, args: list[c_ast.Node]) -> Text:
        if narrow := next((a for a in args if self._value_type(a) in NARROW_FLOATS), None):
            t = self._value_type(narrow)
            raise self.error(narrow, f"printing a '{t}' that is not cast to double is not supported")
        values = [self._argument(a, None, exact=False) for a in args]
        try:
            text, rest = device_format(values[0], values[1:], lambda at: self.sema.value(args[at + 1]))
        except ValueError as error:
            raise self.error(node, str(error)) from None
        return Text(f"{name}({', '.join([text, *rest])})", ct.POSTFIX)

    @staticmethod
    def _is_repeatable(node: c_ast.Node) -> bool:
        """Whether evaluating the expression more than once makes no difference."""
        changes = ("++", "--", "p++", "p--")
        return not any(
            isinstance(n, c_ast.FuncCall | c_ast.Assignment | StmtExpr)
            or (isinstance(n, c_ast.UnaryOp) and n.op in changes)
            for n in walk(node)
        )

    def _once(self, name: str, args: list[c_ast.Node]) -> Text:
        """A call of what is a macro on CUDA, its arguments evaluated once."""
        declarations, names = [], []
        for arg in args:
            if isinstance(arg, c_ast.Constant):
                names.append(self._emit(arg).text)
                continue
            names.append(self._temporary_name())
            t = self._value_type(arg)
            t = FLOAT if t in NARROW_FLOATS else t
            declarations.append(f"const {self.declaration(t, names[-1])} = {self._emit(arg).at(ct.ASSIGN)}; ")
        return ct.name(f"({{ {''.join(declarations)}{name}({', '.join(names)}); }})")

    def _arguments(
        self, function: Function, args: list[c_ast.Node], exact: bool = False, library: bool = False
    ) -> list[str]:
        """The arguments converted to the parameters' types; ``exact``: so that no C++ overload can be taken."""
        named = len(function.params)
        texts = [self._argument(a, p, exact) for a, p in zip(args, function.params, strict=False)]
        if function.variadic and not library:
            return [*texts, self._packed(args[named:])]
        return [*texts, *(self._argument(a, None, exact) for a in args[named:])]

    def _packed(self, args: list[c_ast.Node]) -> str:
        """The address of arguments that no parameters name, each as its type is after the default promotions."""
        if not args:
            return "nullptr"
        types = [self._passed_type(a) for a in args]
        values = ", ".join(self._convert(a, t).at(ct.ASSIGN) for a, t in zip(args, types, strict=True))
        return f"rex_pack<{', '.join(map(self.declaration, types))}>({values}).bytes"

    def _variable_arguments(self, form: str, args: list[c_ast.Node]) -> Text:
        """``<stdarg.h>``; a ``va_list`` leads to the next argument of those packed."""
        lists = args if form == "va_copy" else args[:1]
        at = [Text(f"{self._emit(a).at(ct.POSTFIX)}->next", ct.POSTFIX) for a in lists]
        if form == "va_start":
            return ct.assignment(at[0], "=", ct.name(MORE_ARGUMENTS))
        if form == "va_copy":
            return ct.assignment(at[0], "=", at[1])
        if form == "va_end":
            return ct.cast("void", ct.name("0"))
        t = self.declaration(strip(self.sema.resolve_type(args[1])))
        return Text(f"rex_next_argument<{t}>({at[0].text})", ct.POSTFIX)

    def _argument(self, node: c_ast.Node, param: CType | None, exact: bool) -> str:
        if param is None:
            if is_string(node):
                return self._bare(node).text
            if self._is_null(node) and isinstance(self._value_type(node), Pointer):
                return "(void *)0"
            return self._widened(node).at(ct.ASSIGN)
        if param == LONG_DOUBLE and (exact_text := _exact_double(node)):  # nexttoward's
            return exact_text
        t = strip(param)
        if is_empty(t):
            return self._nothing(node)
        if isinstance(t, Record) and t.info.kind == "union" and not compatible(t, self._value_type(node)):
            return self._union_of(node, t).at(ct.ASSIGN)
        text = self._convert(node, param)
        if exact and is_arithmetic(param):
            wanted = self.declaration(strip(param))
            if self._cpp_type(node) != wanted and not text.text.startswith(f"({wanted})"):
                text = ct.cast(wanted, text)
        return text.at(ct.ASSIGN)

    def _nothing(self, node: c_ast.Node) -> str:
        """A value without a size, as arguments and results have it."""
        return "rex_nothing()" if is_plain(node) else f"({self._discarded(node).text}, rex_nothing())"

    def _union_of(self, node: c_ast.Node, t: Record) -> Text:
        """A value as the member of a union that takes it: in a cast to it, or as an argument for a transparent one."""
        for position, member in enumerate(members(t)):
            if member.name is not None and member.bit_width is None and self._is_taken(node, strip(member.type)):
                designator = f".{local_name(member.name)} = " if position else ""
                value = self._convert(node, member.type).at(ct.ASSIGN)
                return Text(f"({self.declaration(t)}){{{designator}{value}}}", ct.POSTFIX)
        raise self.error(node, f"no member of '{t}' has the type '{self._value_type(node)}'")

    def _is_taken(self, node: c_ast.Node, member: CType) -> bool:
        source = self._value_type(node)
        if compatible(member, source) or not isinstance(member, Pointer):
            return compatible(member, source)
        if not isinstance(source, Pointer):
            return self._is_null(node)
        to, of = strip(member.to), strip(source.to)
        return isinstance(to, Void) or isinstance(of, Void) or compatible(to, of)

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
        if form.endswith("f16"):  # by the function of float
            texts = [self._bare(a) if is_string(a) else self._convert(a, FLOAT) for a in args]
            call = f"{library_name(f'__builtin_{form[:-2]}')}({', '.join(t.at(ct.ASSIGN) for t in texts)})"
            return ct.cast(self.declaration(HALF), Text(call, ct.POSTFIX))
        if form == "isa":
            return Text(f"rex_isa({self.sema.value(args[0])})", ct.POSTFIX)
        if form == "shuffle":
            return self._shuffle(node, args)
        if form == "convertvector":
            made = self.declaration(self._type(node))
            return Text(f"rex_convert_vector<{made}>({self._vectors(args[:1])})", ct.POSTFIX)
        if form == "complex":
            real = self._part_type(self._type(node))
            return Text(f"rex_complex<{real}>({', '.join(self._emit(a).at(ct.ASSIGN) for a in args)})", ct.POSTFIX)
        if form.startswith("va_"):
            return self._variable_arguments(form, args)
        if form == "trap":
            return Text("rex_c_abort()", ct.POSTFIX)
        if form == "assume":  # its argument is not evaluated
            return ct.name("(void)0")
        if form == "unpredictable":
            return self._convert(args[0], LONG)
        if form.startswith("nontemporal"):
            place = ct.prefix("*", self._emit(args[-1]))
            return place if form.endswith("load") else ct.assignment(place, "=", self._emit(args[0]))
        if form == "prefetch":  # its arguments are evaluated
            return ct.cast("void", self._emit(args[0]))
        if form == "assume_aligned":
            return ct.cast("void *", self._emit(args[0]))
        if form == "object_size":  # not known
            return ct.name("0ul" if (self.sema.value(args[1]) or 0) & 2 else "~0ul")
        if form == "expect":
            likely = ", ".join(self._emit(a).at(ct.ASSIGN) for a in args[:2])
            return Text(f"__builtin_expect({likely})", ct.POSTFIX)
        if form.endswith("_overflow_p"):
            return self._would_overflow(form, args)
        if form.endswith("_overflow"):
            return Text(f"{form}({', '.join(self._emit(a).at(ct.ASSIGN) for a in args)})", ct.POSTFIX)
        value = self._emit(args[0])
        if form.startswith("bswap"):
            if is_plain(args[0]):
                return self._byte_swap(form, value)
            name = self._temporary_name()
            declared = self.declaration(Scalar("unsigned long"), name)
            swapped = self._byte_swap(form, ct.name(name)).text
            return ct.name(f"({{ const {declared} = {value.at(ct.ASSIGN)}; {swapped}; }})")
        signed = form in ("ffs", "ctz")
        wide = node.name.name.endswith("l")
        t = ("" if signed else "unsigned ") + ("long long" if wide else "int")
        call = {"ctz": "ffs", "parity": "popcount"}.get(form, form)
        result = Text(f"__builtin_{call}{'ll' if wide else ''}({ct.cast(t, value).text})", ct.POSTFIX)
        if form == "ctz":
            return ct.binary("-", result, ct.name("1"))
        return ct.binary("&", result, ct.name("1")) if form == "parity" else result

    def _shuffle(self, node: c_ast.FuncCall, args: list[c_ast.Node]) -> Text:
        """Elements of one vector or of two, chosen by constants or by another vector."""
        if node.name.name == "__builtin_shuffle":
            return Text(f"rex_shuffle({self._vectors([args[0], args[-2], args[-1]])})", ct.POSTFIX)
        chosen = [self.sema.value(a) for a in args[2:]]
        if None in chosen:
            raise self.error(node, f"'{node.name.name}' with an index that is not constant is not supported")
        return Text(f"rex_shuffle<{', '.join(map(str, chosen))}>({self._vectors(args[:2])})", ct.POSTFIX)

    def _vectors(self, args: list[c_ast.Node]) -> str:
        return ", ".join(self._convert(a, self._type(a)).at(ct.ASSIGN) for a in args)

    def _would_overflow(self, form: str, args: list[c_ast.Node]) -> Text:
        """Whether the third argument's type cannot hold the result. In C++ that of a comparison is another."""
        kind = args[2]
        if isinstance(kind, c_ast.StructRef) and self.sema.member(kind)[-1].bit_width is not None:
            raise self.error(kind, f"'__builtin_{form}' with a bit-field is not supported")
        texts = [self._emit(a).at(ct.ASSIGN) for a in args[:2]]
        texts.append(ct.cast(self.declaration(self._value_type(kind)), self._emit(kind)).text)
        return Text(f"rex_c_{form}({', '.join(texts)})", ct.POSTFIX)

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

    def _constant_builtin(self, node: c_ast.FuncCall, form: str, args: list[c_ast.Node]) -> Text:
        if form == "constant_p":
            return ct.name("0" if self.sema.value(args[0]) is None else "1")
        if form == "choose_expr":
            return self._emit(self.sema.generic_branch(node))
        value = self.sema.value(node)
        if value is None:
            raise self.error(node, f"this use of '{node.name.name}' is not supported")
        return ct.name(f"{value}ul" if form == "offsetof" else str(value))
