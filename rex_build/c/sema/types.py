"""Builds C types from the declarators and specifiers in the tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from pycparser import c_ast

from ...base.diagnostics import InputError
from .ctype import (
    LONG_FLOATS,
    Array,
    C,
    CType,
    EnumInfo,
    EnumType,
    Function,
    LayoutError,
    MemberDecl,
    Pointer,
    Quals,
    Record,
    RecordInfo,
    Scalar,
    Unsupported,
    Void,
    aligned,
    alignof,
    qualified,
    sizeof,
    strip,
    vector_of,
)
from .symbols import Locate, Scope, StorageClass, Symbol, SymbolKind, SymbolTable
from .type_questions import (
    NO_ATTRIBUTES,
    DeclaredAttributes,
    Layout,
    as_vector,
    decay,
    innermost,
    integer_range,
    is_complex,
    is_integer,
    is_unsigned,
)

VA_LIST_TAG = "__va_list_tag"  # a va_list is an array with one element of this structure
_VA_LIST_INFO = RecordInfo("struct", VA_LIST_TAG)
_VA_LIST_INFO.node = c_ast.Struct(VA_LIST_TAG, None)
_VA_LIST_INFO.loader = lambda _: [
    MemberDecl(name, t, None, 0, c_ast.Decl(name, [], [], [], [], None, None, None))
    for name, t in (
        ("gp_offset", C.UNSIGNED_INT),
        ("fp_offset", C.UNSIGNED_INT),
        ("overflow_arg_area", Pointer(C.VOID)),
        ("reg_save_area", Pointer(C.VOID)),
    )
]
_VA_LIST = Array(Record(_VA_LIST_INFO), 1, alias="__builtin_va_list")

_BUILTIN_TYPES: dict[str, CType] = {
    "__builtin_va_list": _VA_LIST,
    "__int128_t": C.INT128,
    "__uint128_t": C.UNSIGNED_INT128,
}

_QUALIFIERS = {
    "__const": "const",
    "__const__": "const",
    "__volatile": "volatile",
    "__volatile__": "volatile",
    "__restrict": "restrict",
    "__restrict__": "restrict",
}
_INTEGERS: dict[tuple[str, int, bool], Scalar] = {
    ("char", 0, False): C.SIGNED_CHAR,
    ("char", 0, True): C.UNSIGNED_CHAR,
    ("short", 0, False): C.SHORT,
    ("short", 0, True): C.UNSIGNED_SHORT,
    ("int", 0, False): C.INT,
    ("int", 0, True): C.UNSIGNED_INT,
    ("int", 1, False): C.LONG,
    ("int", 1, True): C.UNSIGNED_LONG,
    ("int", 2, False): C.LONG_LONG,
    ("int", 2, True): C.UNSIGNED_LONG_LONG,
    ("__int128", 0, False): C.INT128,
    ("__int128", 0, True): C.UNSIGNED_INT128,
}
_FLOATING: dict[str, Scalar] = {
    "_Float16": C.HALF,
    "__bf16": C.BFLOAT,
    "_Float32": C.FLOAT,
    "_Float32x": C.DOUBLE,
    "_Float64": C.DOUBLE,
} | {name: Scalar("long double", alias=name) for name in LONG_FLOATS}
_KNOWN_TO_GCC = frozenset(("_Complex", "__fp16", "_Decimal32", "_Decimal64", "_Decimal128"))
_MOST_DERIVED = 200  # levels of one type; C asks for 12 (C11 5.2.4.1)
_MAX_ALIGN = 16  # in bytes, of C's own types
_KEYWORDS = frozenset(
    "void char short int long signed unsigned float double _Bool _Complex __int128 __signed__ __complex__".split()  # noqa: SIM905
).union(_FLOATING, _KNOWN_TO_GCC)


def basic_type(names: Sequence[str]) -> CType | None:
    """The type that a multiset of type-specifier keywords names (6.7.2p2), or None if they name none."""
    words = {"__signed__": "signed", "__complex__": "_Complex"}
    counts: dict[str, int] = dict(Counter(words.get(name, name) for name in names))
    if counts == {"void": 1}:
        return C.VOID
    if counts == {"char": 1}:
        return C.CHAR
    if counts == {"_Bool": 1}:
        return Scalar("_Bool")
    if len(counts) == 1 and (name := next(iter(counts))) in _FLOATING:
        return _FLOATING[name]
    if counts.pop("_Complex", 0):
        real = basic_type([name for name in names if words.get(name, name) != "_Complex"]) if counts else C.DOUBLE
        if not isinstance(real, Scalar) or real.name in ("_Bool", "__bf16"):
            return None
        return Scalar(f"{real.name} _Complex", alias=f"_Complex {real.alias}" if real.alias else None)
    if "float" in counts or "double" in counts:
        floats = {("float",): C.FLOAT, ("double",): C.DOUBLE, ("double", "long"): C.LONG_DOUBLE}
        return floats.get(tuple(sorted(counts)))
    signed, unsigned, longs = counts.pop("signed", 0), counts.pop("unsigned", 0), counts.pop("long", 0)
    if len(counts) > 1:
        counts.pop("int", None)
    if len(counts) > 1 or (signed and unsigned):
        return None
    base = next(iter(counts), "int" if signed or unsigned or longs else "")
    return _INTEGERS.get((base, longs, bool(unsigned)))


class TypeBuilder(SymbolTable):
    """Builds types in the current scope. The subclass types the expressions in array bounds."""

    _expr: Callable[[c_ast.Node], CType]
    undefined_in: Callable[[c_ast.Node], str]

    def __init__(self, ast: c_ast.FileAST, locate: Locate | None, layout: Layout) -> None:
        self._node_types: dict[c_ast.Node, CType] = {}  # of Typename, Decl, Typedef, Struct, Union and Enum nodes
        self._prototype_scopes: dict[c_ast.FuncDecl, Scope] = {}
        self._basic: dict[tuple[str, ...], CType] = {}
        self._on_host = False  # no device runs this code, and the host compiler reports its errors
        super().__init__(ast, locate, layout)

    def _declared_type(self, node: c_ast.Node) -> CType:
        """The type of a declarator chain or specifier."""
        match node:
            case c_ast.TypeDecl():
                t = self._specifier(node.type)
                return qualified(t, _quals(node.quals)) if node.quals else t
            case c_ast.PtrDecl():
                return self._derived(node, Pointer(self._declared_type(node.type), quals=_quals(node.quals)))
            case c_ast.ArrayDecl():
                return self._derived(node, self._array(node))
            case c_ast.FuncDecl():
                return self._derived(node, self._function_type(node))
            case c_ast.Typename():
                return self._typename(node)
            case c_ast.Decl() | c_ast.Typedef():
                return self._declared_type(node.type)
        return self._specifier(node)

    def _derived(self, node: c_ast.Node, t: CType) -> CType:
        """``t``, which is refused if it is a pointer to a pointer to a pointer and so on without an end in sight."""
        inner, depth = t, 0
        while isinstance(inner, Pointer | Array | Function):
            inner = inner.to if isinstance(inner, Pointer) else inner.of if isinstance(inner, Array) else inner.result
            depth += 1
        if depth > _MOST_DERIVED:
            what = f"a type of more than {_MOST_DERIVED} pointers, arrays and functions"
            raise self.error(node, f"{what} is not supported")
        return t

    def _type_or_reason(self, node: c_ast.Node) -> CType:
        """The type of a declarator chain or specifier. If it has an error, only a use of the type reports that."""
        try:
            return self._declared_type(node)
        except InputError as error:
            return self._unsupported(error)

    @staticmethod
    def _unsupported(error: InputError) -> Unsupported:
        first = error.diagnostics[0]
        return Unsupported(first.message, f"{first.span}" if first.span is not None else "")

    def _typename(self, node: c_ast.Typename) -> CType:
        t = self._node_types.get(node)
        if t is None:
            t = self._declared_type(node.type)
            attributes = self.layout.of_type_name(node)
            if attributes is not NO_ATTRIBUTES:
                t = Unsupported(attributes.why_not) if attributes.why_not else self._of_mode(t, attributes)
                if isinstance(t, Unsupported) and not self._on_host:
                    raise self.error(node, t.reason)
            self._node_types[node] = t
        return t

    def _attributed(self, node: c_ast.Node, t: CType) -> CType:
        """The type ``t`` of a declaration after its attributes are applied."""
        attributes = self.layout.of_declaration(node)
        if attributes.why_not is not None:
            return Unsupported(attributes.why_not)
        t = self._of_mode(t, attributes)
        if not (isinstance(node, c_ast.Typedef) and attributes.align) or isinstance(t, Unsupported):
            return t
        # Records are laid out only when needed, and few of them need more alignment than C's own types.
        natural = _MAX_ALIGN if isinstance(t, Record) and as_vector(t) is None else alignof(t)
        if isinstance(t, Array) and attributes.align < natural:
            return Array(_elements_aligned(t.of, attributes.align), t.length, t.length_expr)
        return aligned(t, attributes.align) if attributes.align != natural or isinstance(t, Record) else t

    def _of_mode(self, t: CType, attributes: DeclaredAttributes) -> CType:
        """``t`` with another machine mode, or with vectors in place of numbers."""
        if not (attributes.vector or attributes.mode) or isinstance(t, Unsupported):
            return t
        if isinstance(t, Pointer | Array | Function) and not attributes.mode:
            part = t.to if isinstance(t, Pointer) else t.of if isinstance(t, Array) else t.result
            inner = self._of_mode(part, attributes)
            if isinstance(inner, Unsupported):
                return inner
            if isinstance(t, Pointer):
                return Pointer(inner, quals=t.quals)
            if isinstance(t, Array):
                return Array(inner, t.length, t.length_expr)
            return Function(inner, t.params, t.variadic, t.prototyped, quals=t.quals)
        found = _with_mode(t, attributes.mode) if attributes.mode else t
        if found is not None and attributes.vector:
            found = _with_vectors(found, attributes.vector)
        if found is not None:
            return qualified(found, t.quals)
        what = f"a vector of {attributes.vector} bytes" if attributes.vector > 0 else f"the mode '{attributes.mode}'"
        return Unsupported(f"{what if attributes.vector >= 0 else 'a vector'} of '{strip(t)}' is not supported")

    def _specifier(self, node: c_ast.Node) -> CType:
        match node:
            case c_ast.IdentifierType(names=names):
                return self._named_type(node, names)
            case c_ast.Struct() | c_ast.Union():
                return self._record(node)
            case c_ast.Enum():
                return self._enum(node)
            case c_ast.Typename() | c_ast.TypeDecl():
                return self._declared_type(node)
        match type(node).__name__:
            case "TypeOf":
                operand = node.expr
                t = self._typename(operand) if isinstance(operand, c_ast.Typename) else self._expr(operand)
                return strip(t) if node.op.strip("_") == "typeof_unqual" else t
            case "AttributedType":
                return self._declared_type(node.type)
        raise self.error(node, "this type is not supported")

    def _named_type(self, node: c_ast.Node, names: list[str]) -> CType:
        if len(names) == 1 and names[0] not in _KEYWORDS:
            name = names[0]
            symbol = self._find(name)
            if symbol is not None and symbol.is_typedef:
                if isinstance(symbol.type, Unsupported) and not self._on_host:
                    raise self.error(node, symbol.type.reason, symbol.type.note)
                return symbol.type
            if name in _BUILTIN_TYPES:
                return _BUILTIN_TYPES[name]
            raise self.error(node, f"unknown type name '{name}'")
        key = tuple(names)
        t = self._basic.get(key)
        if t is None:
            t = basic_type(names)
            if t is None:
                if not _KNOWN_TO_GCC.intersection(names):
                    raise self.error(node, f"'{' '.join(names)}' is not a type")
                t = Unsupported(f"the type '{' '.join(names)}' is not supported")
            self._basic[key] = t
        return t

    def _array(self, node: c_ast.ArrayDecl) -> Array:
        of = self._declared_type(node.type)
        if node.dim is None:
            return Array(of, None)
        if isinstance(node.dim, c_ast.ID) and node.dim.name == "*":
            return Array(of, None, node.dim)
        length = self._constant(node.dim)
        if length is None:
            return Array(of, None, node.dim)
        if length < 0:
            raise self.error(node.dim, "the size of an array is negative")
        return Array(of, length)

    # ---- functions ----

    def _function_type(self, node: c_ast.FuncDecl) -> Function:
        result = self._type_or_reason(node.type)
        params = node.args.params if node.args is not None else []
        if not params:
            return Function(result, (), prototyped=False)
        types: list[CType] = []
        prototyped, variadic = True, False
        with self._block() as scope:
            self._prototype_scopes[node] = scope
            for p in params:
                if isinstance(p, c_ast.EllipsisParam):
                    variadic = True
                elif isinstance(p, c_ast.ID):
                    prototyped = False
                else:
                    types.append(self._parameter(p))
        if len(types) == 1 and isinstance(types[0], Void) and getattr(params[0], "name", None) is None:
            types.clear()
        return Function(result, tuple(types), variadic, prototyped)

    def _parameter(self, node: c_ast.Decl | c_ast.Typename) -> CType:
        """The adjusted type of a parameter (6.7.6.3p7). Defines its symbol if it has a name."""
        t = decay(self._attributed(node, self._type_or_reason(node.type)))
        if isinstance(node.type, c_ast.ArrayDecl) and node.type.dim_quals:
            t = qualified(t, _quals([q for q in node.type.dim_quals if q != "static"]))
        if isinstance(node, c_ast.Decl) and node.name is not None:
            storage = StorageClass.REGISTER if "register" in node.storage else StorageClass.AUTO
            symbol = Symbol(node.name, SymbolKind.PARAMETER, t, node, storage, function=self._function)
            self._decl_symbols[node] = symbol
            self._fix_lengths(symbol)
            self._define(symbol)
        return t

    # ---- records and enumerations ----

    def _record(self, node: c_ast.Struct | c_ast.Union) -> Record:
        known = self._node_types.get(node)
        if isinstance(known, Record):
            return known
        kind = "struct" if isinstance(node, c_ast.Struct) else "union"
        info: RecordInfo | EnumInfo | None = None
        if node.name:
            if node.decls is None:
                info = self._find_tag_of(node)
            else:
                info = (self._tag_infos if self._scope is None else self._scope.tags).get(node.name)
        if not isinstance(info, RecordInfo):
            info = RecordInfo(kind, node.name, self._scope is None)
            self._declare_tag(node.name, info)
        record = self._node_types[node] = Record(info)
        assert isinstance(record, Record)
        if node.decls is not None and info.node is None:
            info.node = node
            if self._scope is None:
                info.loader = self._members_at_file_scope
            else:
                try:
                    members = self._members(node)
                except InputError as error:
                    if not self._on_host:
                        raise
                    info.loader = partial(_fail, error)
                    return record
                info.pack, info.least_align = self.layout.of_record(info)
                info.loader = lambda _: members
        return record

    def _find_tag_of(self, node: c_ast.Struct | c_ast.Union | c_ast.Enum) -> RecordInfo | EnumInfo | None:
        if self._scope is not None:
            return self._find_tag(node.name)
        # At file scope, a reference before or after a definition means the same type.
        definition = self._file_tags.get(node.name)
        if definition is None or definition is node or node.name in self._tag_infos:
            return self._tag_infos.get(node.name)
        t = self._specifier(definition)
        return t.info if isinstance(t, Record | EnumType) else None

    def _members_at_file_scope(self, info: RecordInfo) -> list[MemberDecl]:
        assert isinstance(info.node, c_ast.Struct | c_ast.Union)
        info.pack, info.least_align = self.layout.of_record(info)
        with self._at_file_scope():
            return self._members(info.node)

    def _members(self, node: c_ast.Struct | c_ast.Union) -> list[MemberDecl]:
        members: list[MemberDecl] = []
        for decl in node.decls:
            if not isinstance(decl, c_ast.Decl):
                continue
            attributes = self.layout.of_declaration(decl)
            t = self._attributed(decl, self._declared_type(decl.type))
            self._node_types[decl] = t
            if decl.name is None and isinstance(t, Record) and decl.bitsize is None:
                is_named = isinstance(decl.type, c_ast.IdentifierType) or decl.type.name is not None
                if is_named and not self.layout.unnamed_members:
                    continue  # it declares a tag at most
            elif isinstance(decl.type, c_ast.Enum):
                continue  # it declares a tag, not a member
            width = self._constant(decl.bitsize) if decl.bitsize is not None else None
            if decl.bitsize is not None and (width is None or width < 0 or not is_integer(t)):
                what = f"the width of bit-field '{decl.name}' is not valid"
                raise self.error(decl.bitsize, what, self.undefined_in(decl.bitsize))
            element = innermost(t)
            if isinstance(element, Unsupported):
                raise self.error(decl, element.reason, element.note)
            if decl.bitsize is not None and t.align:
                raise self.error(decl, f"a bit-field of type '{t}', which an attribute aligns, is not supported")
            if isinstance(element, Record) and (not element.info.is_complete or element.info.contains_itself):
                raise self.error(decl, f"member '{decl.name}' has the incomplete type '{t}'")
            align = max(self._alignment(decl.align), attributes.align)
            members.append(MemberDecl(decl.name, t, width, align, decl, attributes.packed))
        return members

    def _alignment(self, specifiers: Sequence[c_ast.Node] | None) -> int:
        """The strictest of a declaration's ``_Alignas`` values, or 0 if there is none."""
        strictest = 0
        for spec in specifiers or ():
            operand = spec.alignment
            if isinstance(operand, c_ast.Typename):
                try:
                    value: int | None = alignof(self._typename(operand))
                except LayoutError as reason:
                    raise self.error(operand, str(reason)) from None
            else:
                value = self._constant(operand)
            if value is None:
                what = "the alignment is not an integer constant expression"
                raise self.error(operand, what, self.undefined_in(operand))
            strictest = max(strictest, value)
        return strictest

    def _enum(self, node: c_ast.Enum) -> EnumType:
        known = self._node_types.get(node)
        if isinstance(known, EnumType):
            return known
        fixed = getattr(node, "underlying_type", None)  # C23
        info = None
        if node.name and (node.values is not None or fixed is not None):
            info = (self._tag_infos if self._scope is None else self._scope.tags).get(node.name)
        elif node.name:
            info = self._find_tag_of(node)
        if not isinstance(info, EnumInfo):
            info = EnumInfo(node.name, self._scope is None)
            self._declare_tag(node.name, info)
        t = EnumType(info)
        self._node_types[node] = t
        if fixed is not None:
            named = strip(self._typename(fixed))
            if not isinstance(named, Scalar) or not is_integer(named):
                raise self.error(node, "the type of an enumeration is an integer type")
            info.underlying = named
        if node.values is not None and info.node is None:
            info.node = node
            self._enumerators(t, node)
        return t

    def _enumerators(self, t: EnumType, node: c_ast.Enum) -> None:
        value = -1
        symbols: list[Symbol] = []
        for e in node.values.enumerators:
            if not isinstance(e, c_ast.Enumerator):
                continue
            if e.value is None:
                value += 1
            else:
                known = self._constant(e.value)
                if known is None:
                    what = f"the value of enumerator '{e.name}' is not an integer constant"
                    raise self.error(e.value, what, self.undefined_in(e.value))
                value = known
            symbol = Symbol(
                e.name,
                SymbolKind.ENUMERATOR,
                C.INT,
                e,
                is_global=self._scope is None,
                function=self._function,
                definition=e,
                value=value,
            )
            t.info.values[e.name] = value
            self._decl_symbols[e] = symbol
            self._define(symbol)
            symbols.append(symbol)
        if getattr(node, "underlying_type", None) is not None:
            for symbol in symbols:
                symbol.type = t.info.underlying
            return
        low, high = min(t.info.values.values(), default=0), max(t.info.values.values(), default=0)
        candidates: tuple[Scalar, ...] = (C.INT, C.LONG) if low < 0 else (C.UNSIGNED_INT, C.UNSIGNED_LONG)
        if self.layout.is_packed_enum(node):
            candidates = (*((C.SIGNED_CHAR, C.SHORT) if low < 0 else (C.UNSIGNED_CHAR, C.UNSIGNED_SHORT)), *candidates)
        t.info.underlying = next((c for c in candidates if _fits(low, c) and _fits(high, c)), candidates[-1])
        wide = [s for s in symbols if s.value is not None and not _fits(s.value, C.INT)]
        for symbol in symbols if wide and self.layout.enumerators_agree else wide:
            symbol.type = t.info.underlying


_MODES: dict[str, tuple[Scalar, ...]] = {  # each with its unsigned type
    "QI": (C.SIGNED_CHAR, C.UNSIGNED_CHAR),
    "byte": (C.SIGNED_CHAR, C.UNSIGNED_CHAR),
    "HI": (C.SHORT, C.UNSIGNED_SHORT),
    "SI": (C.INT, C.UNSIGNED_INT),
    "DI": (C.LONG, C.UNSIGNED_LONG),
    "word": (C.LONG, C.UNSIGNED_LONG),
    "pointer": (C.LONG, C.UNSIGNED_LONG),
    "TI": (C.INT128, C.UNSIGNED_INT128),
    "SF": (C.FLOAT,),
    "DF": (C.DOUBLE,),
}


def _with_mode(t: CType, mode: str) -> CType | None:
    """The type that the attribute ``mode`` makes of another, or None if the result is not known here."""
    if isinstance(t, EnumType):
        t = t.info.underlying
    if isinstance(t, Pointer):
        return t if mode in ("DI", "word", "pointer") else None
    types = _MODES.get(mode, ())
    if not isinstance(t, Scalar) or is_complex(t) or strip(t) == C.BOOL or is_integer(t) != (len(types) == 2):
        return None
    return types[is_unsigned(t)] if is_integer(t) else types[0] if types else None


def _with_vectors(t: CType, size: int) -> CType | None:
    """The vector type of ``size`` bytes with elements of type ``t``, or None if there is none."""
    fits = strip(t) in (C.HALF, C.FLOAT, C.DOUBLE) or (is_integer(t) and strip(t) != C.BOOL)
    if not isinstance(t, Scalar) or not fits:
        return None
    length = size // sizeof(t)
    return vector_of(t, length) if length > 0 and length & (length - 1) == 0 and size % sizeof(t) == 0 else None


def _fail(error: InputError, _info: RecordInfo) -> list[MemberDecl]:
    raise error


def _elements_aligned(t: CType, align: int) -> CType:
    """``t`` with another alignment, or an array ``t`` whose elements have it."""
    if isinstance(t, Array):
        return Array(_elements_aligned(t.of, align), t.length, t.length_expr)
    return aligned(t, align)


def _fits(value: int, t: CType) -> bool:
    low, high = integer_range(t)
    return low <= value <= high


def _quals(names: Sequence[str] | None) -> Quals:
    return frozenset(_QUALIFIERS.get(n, n) for n in names) if names else frozenset()
