"""Spells C types in CUDA C++."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from pycparser import c_ast

from ..analysis.device_names import DeviceNames, local_name
from ..sema.ctype import Array, CType, EnumType, Field, Function, Pointer, Record, RecordInfo, Scalar, VectorInfo, Void
from ..sema.type_questions import (
    asked_alignment,
    innermost,
    is_complex,
    is_of_variable_size,
    is_sizeless,
    is_variably_modified,
    refused_type,
)

# Typedef names that every device unit has, with the types that they mean on x86-64 Linux.
_COMMON_ALIASES = {
    "size_t": "unsigned long", "ssize_t": "long", "ptrdiff_t": "long", "intptr_t": "long", "uintptr_t": "unsigned long",
    "int8_t": "signed char", "int16_t": "short", "int32_t": "int", "int64_t": "long",
    "uint8_t": "unsigned char", "uint16_t": "unsigned short", "uint32_t": "unsigned int", "uint64_t": "unsigned long",
}  # fmt: skip
_SPELT = {
    "_Bool": "bool", "float _Complex": "rex_float_complex", "double _Complex": "rex_double_complex",
    "_Float16 _Complex": "rex_half_complex", "_Float16": "rex_half", "__bf16": "rex_bfloat",
}  # fmt: skip
_QUALS = (("const", "const"), ("volatile", "volatile"), ("restrict", "__restrict__"))

Refuse = Callable[[str], Exception]  # it makes the error for something that device code cannot have


def is_flattened(t: CType) -> bool:
    """Whether ``t`` is a variable-length array or a pointer to one, which is printed as a pointer to its elements."""
    return is_of_variable_size(t.to if isinstance(t, Pointer) else t)


def flattened(t: CType) -> CType:
    """The printed form of ``t``, in which pointers to variable-length arrays point to the innermost element."""
    if not is_variably_modified(t):
        return t
    match t:
        case Pointer(to=Array() as array) if is_of_variable_size(array):
            return Pointer(flattened(innermost(array)), quals=t.quals)
        case Pointer(to=to):
            return Pointer(flattened(to), quals=t.quals)
        case Array(of=of, length_expr=None):
            return Array(flattened(of), t.length)
        case Array():
            return Pointer(flattened(innermost(t)))
        case Function():
            params = tuple(flattened(p) for p in t.params)
            return Function(flattened(t.result), params, t.variadic, t.prototyped, quals=t.quals)
    return t


def dimensions(t: CType) -> tuple[int | c_ast.Node | None, ...]:
    """The extents of an array type, outermost first, as numbers or as expressions if they are variable."""
    out: list[int | c_ast.Node | None] = []
    while isinstance(t, Array):
        out.append(t.length_expr if t.length is None else t.length)
        t = t.of
    return tuple(out)


def alignas(t: CType) -> str:
    """The ``alignas`` for a variable whose alignment comes from its C type and is lost in the C++ type."""
    alignment = asked_alignment(t)
    return f"alignas({alignment}) " if alignment else ""


def without_const(t: CType) -> CType:
    """``t`` with top-level const removed, down to the elements of arrays."""
    if isinstance(t, Array):
        return Array(without_const(t.of), t.length, t.length_expr)
    if "const" not in t.quals:
        return t
    match t:
        case Scalar():
            return Scalar(t.name, quals=t.quals - {"const"}, alias=t.alias)
        case Pointer():
            return Pointer(t.to, quals=t.quals - {"const"}, alias=t.alias)
        case Record():
            return Record(t.info, quals=t.quals - {"const"}, alias=t.alias)
        case EnumType():
            return EnumType(t.info, quals=t.quals - {"const"}, alias=t.alias)
    return t


def is_empty(t: CType) -> bool:
    """Whether ``t`` is a structure or union without a size.

    CUDA allows such members, but no such variables, parameters or results. These have the type ``rex_nothing`` instead.
    """
    return isinstance(t, Record) and is_sizeless(t)


def is_empty_array(t: CType) -> bool:
    """Whether ``t`` is an array of constant extents without a size.

    CUDA allows such members, but no such variables. These have one element instead.
    """
    return isinstance(t, Array) and is_sizeless(t)


def is_absent(member: Field) -> bool:
    """Whether C++ cannot have a member, because it has neither contents nor a name."""
    return member.is_anonymous_record and isinstance(member.type, Record) and not member.type.info.fields


def member_name(member: Field) -> str | None:
    """The name of a member in C++.

    An unnamed structure that contains classes gets a name, because g++ refuses it without one.
    """
    if member.name is not None:
        return local_name(member.name)
    is_structure = isinstance(member.type, Record) and member.type.info.kind == "struct"
    return f"__rex_in_{first_name(member)}" if is_structure and holds_halves(member.type) else None


def first_name(member: Field) -> str | None:
    """The name of a member, or the first name in an unnamed record, or None if there is no name in it."""
    while member.name is None and isinstance(member.type, Record):
        inner = next((f for f in member.type.info.fields if f.name is not None or f.is_anonymous_record), None)
        if inner is None:
            return None
        member = inner
    return member.name


def member_type(t: CType) -> CType:
    """The C++ type for a member of type ``t``.

    A class with const members would have no default constructor, and a class with volatile members of class type no
    copy constructor.
    """
    t = without_const(t)
    return without_volatile(t) if is_volatile_record(t) else t


def stored_type(t: CType) -> CType:
    """The CUDA type for a variable of type ``t``.

    nvcc replaces complex constants by their values, and then does not know these in device code.
    """
    return without_const(t) if is_complex(innermost(t)) else t


def holds_halves(t: CType) -> bool:
    """Whether ``t`` is or contains a 16-bit floating type, which is a class with constructors in C++."""
    t = innermost(t)
    if isinstance(t, Record):
        return t.info.is_complete and _has_halves(t.info)
    return isinstance(t, Scalar) and t.name.removesuffix(" _Complex") in ("_Float16", "__bf16")


@cache
def _has_halves(info: RecordInfo) -> bool:
    """:func:`holds_halves` of a structure or union, which each of the structures around it asks."""
    return any(holds_halves(f.type) for f in info.fields)


def is_volatile_record(t: CType) -> bool:
    """Whether ``t`` is a volatile structure or union, or an array of them."""
    element = innermost(t)
    return isinstance(element, Record) and "volatile" in element.quals


def without_volatile(t: CType) -> CType:
    """``t`` with volatile removed from a structure or union, down to the elements of arrays."""
    if isinstance(t, Array):
        return Array(without_volatile(t.of), t.length, t.length_expr)
    return Record(t.info, quals=t.quals - {"volatile"}, alias=t.alias) if isinstance(t, Record) else t


def is_const(t: CType) -> bool:
    """Whether an object of this type cannot be assigned, because it is const or an array of const elements."""
    return "const" in innermost(t).quals


def _spelt(name: str) -> str:
    return f"rex_complex_t<{name.removesuffix(' _Complex')}>" if name.endswith(" _Complex") else name


class TypePrinter:
    """Prints types with the unit's device names."""

    def __init__(self, names: DeviceNames, refuse: Refuse) -> None:
        self.names = names
        self.refuse = refuse

    def specifier(self, t: CType) -> str:
        """A type that is not derived, such as ``const struct point``, or ``unsigned int`` for an enumeration."""
        reason = refused_type(t)
        if reason:
            raise self.refuse(reason)
        match t:
            case Void():
                text = "void"
            case Scalar(name=name):
                common = t.alias is not None and _COMMON_ALIASES.get(t.alias) == name
                text = str(t.alias) if common else _SPELT.get(name) or _spelt(name)
            case EnumType(info=info):
                library = info in self.names.library_enums
                text = str(info.tag or info.typedef_name) if library else info.underlying.name
            case Record(info=VectorInfo() as info):
                text = f"rex_vector<{self.specifier(info.element)}, {info.length}>"
            case Record(info=info):
                text = self.names.record(info)
            case _:
                raise TypeError(f"no specifier for {t!r}")
        return " ".join([*self._quals(t), text])

    def _quals(self, t: CType) -> list[str]:
        return [spelling for qual, spelling in _QUALS if qual in t.quals]

    def declaration(self, t: CType, name: str = "") -> str:
        """The C++ text that declares ``name`` with type ``t``; an abstract type when ``name`` is empty."""
        t = flattened(t)
        text = name
        while True:
            match t:
                case Pointer(to=to):
                    quals = " ".join(self._quals(t))
                    text = f"*{quals} {text}" if quals and text else f"*{quals}{text}"
                    if isinstance(to, Array | Function):
                        text = f"({text})"
                    t = to
                case Array(of=of, length=length):
                    text += f"[{'' if length is None else length}]"
                    t = of
                case Function(result=result):
                    text += f"({self.parameters(t)})"
                    if is_empty(result):
                        return f"rex_nothing {text}"
                    t = result
                case _:
                    base = self.specifier(t)
                    return f"{base} {text}" if text else base

    def variable(self, t: CType, name: str = "") -> str:
        """The text that declares a variable, a parameter, or a function."""
        if is_empty_array(t):
            return self.variable(without_const(innermost(t)), f"{name}[1]")
        return f"rex_nothing {name}".rstrip() if is_empty(t) else self.declaration(t, name)

    def parameters(self, t: Function) -> str:
        """The parameter types of a function type. The arguments for ``...`` are passed by address."""
        texts = [self.variable(p) for p in t.params]
        return ", ".join(texts + ["void *"] * t.variadic)

    def pointer_to(self, t: CType) -> str:
        """``T *`` for an object of type ``t``."""
        return self.declaration(Pointer(t))
