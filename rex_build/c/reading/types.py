"""C's types, variables and functions as those of the tree."""

from __future__ import annotations

from functools import partial

from pycparser import c_ast

from ...tree import types as tree
from ...tree.symbols import Function, Storage, Variable
from ...tree.types import SIZE
from ..sema import Sema, Symbol
from ..sema.ctype import (
    Array,
    CType,
    EnumType,
    Field,
    Pointer,
    Record,
    RecordInfo,
    Scalar,
    Unsupported,
    VectorInfo,
    Void,
    sizeof,
)
from ..sema.ctype import Function as CFunction
from ..sema.symbols import StorageClass
from ..sema.type_questions import INTEGER_RANKS, is_misaligned, is_unsigned

_DIGITS = {"_Float16": 11, "__bf16": 8, "float": 24, "double": 53, "long double": 64}
_QUALIFIERS = {"const": "const", "volatile": "volatile", "_Atomic": "atomic", "restrict": "restrict"}


class TypeReader:
    """The types and symbols of one unit. Each is made once."""

    def __init__(self, sema: Sema) -> None:
        self._sema = sema
        self._types: dict[CType, tree.Type] = {}
        self._records: dict[RecordInfo, tree.RecordInfo] = {}
        self._members: dict[Field, tree.Member] = {}
        self._symbols: dict[Symbol, Variable | Function] = {}
        self._lengths: dict[c_ast.Node, Variable] = {}

    def type(self, t: CType) -> tree.Type:
        found = self._types.get(t)
        if found is None:
            found = self._types[t] = self._read(t)
        return found

    def _read(self, t: CType) -> tree.Type:
        quals = {_QUALIFIERS[name]: True for name in t.quals if name in _QUALIFIERS}
        if len(quals) < len(t.quals):
            return tree.Unknown("an address space")
        match t:
            case Void():
                return tree.Void(**quals)
            case Scalar(name=name):
                return _scalar(name, quals)
            case EnumType(info=info):
                return _scalar(info.underlying.name, quals)
            case Pointer(to=to):
                return tree.Pointer(self.type(to), **quals)
            case Array(of=of):
                return tree.Array(self.type(of), self._length(t))
            case Record(info=VectorInfo() as vector):
                element = self.type(vector.element)
                assert isinstance(element, tree.Integer | tree.Floating)
                return tree.Vector(element, vector.length, **quals)
            case Record(info=record):
                return tree.Record(self._record(record), **quals)
            case CFunction(result=result, params=params):
                known = tuple(map(self.type, params)) if t.prototyped else None
                return tree.Function(self.type(result), known, t.variadic)
            case Unsupported(reason=reason):
                return tree.Unknown(reason)
        return tree.Unknown(type(t).__name__)

    def _length(self, t: Array) -> int | Variable | None:
        if t.length_expr is None:
            return t.length
        if isinstance(t.length_expr, c_ast.ID) and t.length_expr.name == "*":
            return None
        return self.length(t.length_expr)

    def length(self, dim: c_ast.Node) -> Variable:
        """The variable that holds the length of an array, which the program computes where ``dim`` is evaluated."""
        if dim not in self._lengths:
            self._lengths[dim] = Variable("length", SIZE, Storage.LOCAL, None)
        return self._lengths[dim]

    def written_length(self, t: tree.Array) -> c_ast.Node | None:
        """The expression of which a variable holds the value."""
        return next((dim for dim, variable in self._lengths.items() if variable is t.length), None)

    def declaration(self, t: tree.Record) -> RecordInfo | None:
        """C's structure or union that a type of the tree is."""
        return next((info for info, found in self._records.items() if found is t.info), None)

    def _record(self, info: RecordInfo) -> tree.RecordInfo:
        if info not in self._records:
            name = info.tag or info.typedef_name or ""
            self._records[info] = tree.RecordInfo(name, info.kind == "union", partial(self._load, info))
        return self._records[info]

    def _load(self, info: RecordInfo) -> tuple[int | None, int, tuple[tree.Member, ...]]:
        known = info.is_complete
        return (info.size if known else None), (info.align if known else 1), tuple(map(self.member, info.fields))

    def member(self, field: Field) -> tree.Member:
        if field not in self._members:
            self._members[field] = tree.Member(
                field.name or "", self.member_type(field), field.offset, field.bit_width, field.bit_offset,
                packed=field.packed or is_misaligned(field.type),
            )  # fmt: skip
        return self._members[field]

    def member_type(self, field: Field, t: CType | None = None) -> tree.Type:
        """The type of a member, which has the qualifiers of ``t``. A bit-field's has its own width, as in gcc."""
        found = self.type(field.type if t is None else t)
        if field.bit_width is not None and isinstance(found, tree.Integer) and not found.boolean:
            return tree.Integer(
                field.bit_width, found.signed, found.size, const=found.const, volatile=found.volatile,
                atomic=found.atomic,
            )  # fmt: skip
        return found

    def symbol(self, symbol: Symbol) -> Variable | Function:
        found = self._symbols.get(symbol)
        if found is None:
            if symbol.is_function:
                external = symbol.storage is not StorageClass.STATIC
                defined = symbol.name in self._sema.functions
                found = Function(symbol.name, self.type(symbol.type), external, defined, symbol)
            else:
                found = Variable(symbol.name, self.type(symbol.type), _storage(symbol), symbol)
            self._symbols[symbol] = found
        return found

    def variable(self, symbol: Symbol) -> Variable:
        found = self.symbol(symbol)
        assert isinstance(found, Variable)
        return found


def _scalar(name: str, quals: dict[str, bool]) -> tree.Type:
    real = name.removesuffix(" _Complex")
    found: tree.Integer | tree.Floating
    if real in INTEGER_RANKS:
        size = sizeof(Scalar(real))
        boolean = real == "_Bool"
        own = {} if real != name else quals
        found = tree.Integer(1 if boolean else 8 * size, not is_unsigned(Scalar(real)), size, boolean, **own)
    elif real in _DIGITS:
        found = tree.Floating(_DIGITS[real], sizeof(Scalar(real)), **({} if real != name else quals))
    else:
        return tree.Unknown(name)
    return found if real == name else tree.Complex(found, **quals)


def _storage(symbol: Symbol) -> Storage:
    if "_Thread_local" in (getattr(symbol.node, "storage", None) or ()):
        return Storage.THREAD
    if symbol.storage is StorageClass.EXTERN:
        return Storage.GLOBAL
    if symbol.storage is StorageClass.STATIC:
        return Storage.STATIC
    return Storage.LOCAL if symbol.is_object else Storage.PARAMETER
