"""libclang's types and records as those of the tree."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...tree import types as tree
from ...tree.types import BOOL, VOID
from .. import libclang

_SIGNED = frozenset(
    (13, 14, 15, 16, 17, 18, 19, 20)
)  # char, signed char, wchar_t, short, int, long, long long, __int128
_DIGITS = {21: 24, 22: 53, 23: 64, 30: 113, 31: 11, 32: 11, 39: 8}  # CXType_Float and so on
(_VOID, _BOOL, _FIRST_INTEGER, _LAST_INTEGER, _NULLPTR, _COMPLEX, _POINTER, _LVALUE, _RVALUE, _RECORD, _ENUM) = (
    2, 3, 4, 20, 24, 100, 101, 103, 104, 105, 106,
)  # fmt: skip
_NO_DATA = tree.Unknown("an empty base class")
ARRAYS = frozenset((112, 114, 115, 116))
_FUNCTIONS, _VECTORS, _OPEN_ARRAYS = (110, 111), (113, 176), (114, 115)
RECORD, CONSTANT_ARRAY, NOT_KNOWN = _RECORD, 112, frozenset((1, 26))  # unexposed and dependent


class TypeReader:
    """The types of one unit. Each record is read when somebody asks for its members."""

    def __init__(self) -> None:
        self._types: dict[tuple[int, int], tree.Type] = {}  # by libclang's kinds and addresses
        self._records: dict[int, tuple[tree.RecordInfo, Any]] = {}  # by hash of the definition
        self._packed: dict[int, bool] = {}
        self._members: dict[int, tree.Member] = {}  # by hash of a field
        self._cursors: dict[tree.RecordInfo, Any] = {}
        self._bases: dict[tuple[tree.RecordInfo, tree.RecordInfo], tuple[tree.Member, ...]] = {}

    def type(self, kind: Any) -> tree.Type:
        """The type, with its qualifiers."""
        key = kind._kind_id, kind.data[0]
        if key not in self._types:
            self._types[key] = self._read(kind.get_canonical())
        return self._types[key]

    def _read(self, kind: Any) -> tree.Type:
        number = kind._kind_id
        if number in (_LVALUE, _RVALUE):
            return tree.Pointer(self.type(kind.get_pointee()), reference=True)
        if number == CONSTANT_ARRAY:
            return tree.Array(self._element(kind), kind.element_count)
        if number in _OPEN_ARRAYS:
            return tree.Array(self._element(kind), None)
        if number in _FUNCTIONS:
            parameters = tuple(map(self.parameter, kind.argument_types())) if number == _FUNCTIONS[1] else None
            variadic = number == _FUNCTIONS[1] and bool(kind.is_function_variadic())
            return tree.Function(self.type(kind.get_result()), parameters, variadic)
        return _qualified(self._scalar_or_record(kind, number), kind)

    def _element(self, kind: Any) -> tree.Type:
        """The type of an array's elements. libclang has their qualifiers at the array."""
        return _qualified(self.type(kind.element_type), kind)

    def parameter(self, kind: Any) -> tree.Type:
        """The type of a parameter, which is a pointer where it is written as an array."""
        found = self.type(kind)
        return tree.Pointer(found.of) if isinstance(found, tree.Array) else found

    def _scalar_or_record(self, kind: Any, number: int) -> tree.Type:
        if number == _POINTER:
            return tree.Pointer(self.type(kind.get_pointee()))
        if number == _RECORD:
            return tree.Record(self.record(kind.get_declaration()))
        if number == _ENUM:
            return self.type(kind.get_declaration().enum_type)
        if number == _VOID:
            return VOID
        if number == _BOOL:
            return BOOL
        if _FIRST_INTEGER <= number <= _LAST_INTEGER:
            size = kind.get_size()
            return tree.Integer(8 * size, number in _SIGNED, size)
        if number in _DIGITS:
            return tree.Floating(_DIGITS[number], kind.get_size())
        if number == _NULLPTR:
            return tree.Pointer(VOID)
        if number == _COMPLEX or number in _VECTORS:
            of = self.type(kind.element_type)
            if isinstance(of, tree.Floating | tree.Integer):
                return tree.Complex(of) if number == _COMPLEX else tree.Vector(of, kind.element_count)
        return tree.Unknown(f"'{kind.spelling}'")

    # -- records ----------------------------------------------------------------------------------------------------

    def record(self, declaration: Any) -> tree.RecordInfo:
        definition = declaration.get_definition() or declaration.canonical
        key = definition.hash
        if key not in self._records:
            union = definition.kind.name == "UNION_DECL"
            info = tree.RecordInfo(definition.spelling, union, partial(self._load, definition))
            self._records[key] = info, definition
            self._cursors[info] = definition
        return self._records[key][0]

    def cursor(self, info: tree.RecordInfo) -> Any:
        """libclang's declaration of a record."""
        return self._cursors[info]

    def _load(self, definition: Any) -> tuple[int | None, int, tuple[tree.Member, ...]]:
        size = definition.type.get_size()
        if size < 0 or not definition.is_definition():
            return None, 1, ()
        bases = [tree.Member("", kind, at, base=True) for kind, at in self.bases(definition)]
        bases = [one for one in bases if one.type != _NO_DATA]
        return size, definition.type.get_align(), (*bases, *map(self.member, definition.type.get_fields()))

    def member(self, field: Any) -> tree.Member:
        """The member that a field is. A bit-field's type has its own width."""
        key = field.hash
        if key not in self._members:
            kind, at = self.type(field.type), libclang_offset(field)
            bits = field.get_bitfield_width() if field.is_bitfield() else None
            if bits is not None and isinstance(kind, tree.Integer) and not kind.boolean:
                kind = type(kind)(**{**vars(kind), "bits": min(bits, kind.bits)})
            name = "" if "(" in field.spelling else field.spelling  # "(anonymous struct …)"
            packed = self._is_packed(field) or self._is_packed(field.semantic_parent)
            bit_offset = at % 8 if bits is not None else 0
            self._members[key] = tree.Member(name, kind, at // 8, bits, bit_offset, packed=packed)
        return self._members[key]

    def _is_packed(self, declaration: Any) -> bool:
        key = declaration.hash
        if key not in self._packed:
            attribute = libclang.load().CursorKind.PACKED_ATTR
            self._packed[key] = any(child.kind == attribute for child in declaration.get_children())
        return self._packed[key]

    def bases(self, definition: Any) -> list[tuple[tree.Type, int]]:
        """The base classes of a class with their offsets. libclang does not say offsets; the rules are Itanium's."""
        found: list[tuple[tree.Type, int]] = []
        end = 0
        specifiers = self._specifiers(definition)
        if not specifiers:
            return found
        fields = list(definition.type.get_fields())
        first = min((libclang_offset(f) // 8 for f in fields), default=None)
        for number, specifier in enumerate(specifiers):
            kind = self.type(specifier.type)
            general = _template(specifier)
            if not isinstance(kind, tree.Record) and general is not None and _is_plain_and_empty(general):
                found.append((_NO_DATA, 0))
                continue
            if not isinstance(kind, tree.Record) or libclang.load().conf.lib.clang_isVirtualBase(specifier):
                found.append((tree.Unknown("a base class that is virtual, or depends on a template's parameters"), 0))
                continue
            base = specifier.type.get_canonical().get_declaration().get_definition()
            if base is None or self.is_empty(base):
                found.append((kind, 0))
                continue
            align = max(1, base.type.get_align())
            if number == 0 and self._has_table(definition, own=True) and not self._has_table(base):
                end = 8
            at = -(-end // align) * align
            end = at + self._data_size(base)
            alone = len(specifiers) == 1 and first is not None and first <= at
            found.append((tree.Unknown("a base class whose place is not known") if alone and first else kind, at))
        return found

    def _specifiers(self, definition: Any) -> list[Any]:
        return [c for c in libclang.children(written(definition)) if c.kind.name == "CXX_BASE_SPECIFIER"]

    def _with_bases(self, definition: Any) -> list[Any]:
        """A class, its bases and theirs: once, as a template may be its own base, with other arguments."""
        found = [definition]
        for one in found:
            bases = (s.type.get_canonical().get_declaration().get_definition() for s in self._specifiers(one))
            found += [base for base in bases if base is not None and base not in found]
        return found

    def _has_table(self, definition: Any, *, own: bool = False) -> bool:
        """Whether objects of a class begin with a pointer to a table of virtual functions."""
        classes = [definition] if own else self._with_bases(definition)
        children = (child for one in classes for child in libclang.children(written(one)))
        return any(c.kind.name in ("CXX_METHOD", "DESTRUCTOR") and c.is_virtual_method() for c in children)

    def is_empty(self, definition: Any) -> bool:
        """Whether a class has no data."""
        fields = (field for one in self._with_bases(definition) for field in one.type.get_fields())
        return next(fields, None) is None and not self._has_table(definition)

    def _data_size(self, definition: Any) -> int:
        """Where the data of a base class end: what is derived from it may use its padding, if it is no C structure."""
        if definition.type.is_pod():
            return int(definition.type.get_size())
        end = 8 if self._has_table(definition) else 0
        for field in definition.type.get_fields():
            bits = field.get_bitfield_width() if field.is_bitfield() else 8 * max(0, field.type.get_size())
            end = max(end, -(-(libclang_offset(field) + bits) // 8))
        for kind, at in self.bases(definition):
            if isinstance(kind, tree.Record):
                end = max(end, at + self._data_size(self.cursor(kind.info)))
        return end

    def _dependent(self, info: tree.RecordInfo, base: tree.RecordInfo) -> tree.Member | None:
        """The part of an instantiation that a base class is, if it is the only one and the template names it."""
        derived, general = self._cursors[info], libclang.template_of(self._cursors[base])
        specifiers = self._specifiers(derived)
        if general is None or len(specifiers) != 1 or self._has_table(derived):
            return None
        named = _template(specifiers[0])
        if named is None or named.canonical != general.canonical:
            return None
        return tree.Member("", tree.Record(base), 0, base=True)

    def base_path(self, derived: tree.RecordInfo, base: tree.RecordInfo) -> tuple[tree.Member, ...] | None:
        """The parts that lead from an object of a class to that of a base class; None if they are not known."""
        queue: list[tuple[tree.RecordInfo, tuple[tree.Member, ...]]] = [(derived, ())]
        found: list[tuple[tree.Member, ...]] = []
        unknown = False
        while queue:
            info, path = queue.pop(0)
            for member in info.members:
                if not member.base:
                    continue
                if not isinstance(member.type, tree.Record):
                    if (resolved := self._dependent(info, base)) is not None:
                        found.append((*path, resolved))
                    else:
                        unknown = True
                elif member.type.info is base:
                    found.append((*path, member))
                else:
                    queue.append((member.type.info, (*path, member)))
        return found[0] if len(found) == 1 and not unknown else None


def written(definition: Any) -> Any:
    """What a class's text is: of an instantiation, its template's, as libclang shows nothing inside of the other."""
    if next(iter(libclang.children(definition)), None) is not None and definition.get_num_template_arguments() <= 0:
        return definition
    general = libclang.template_of(definition)
    return definition if general is None else general.get_definition() or general


def _template(specifier: Any) -> Any:
    """The class template that a base class is made of, or None."""
    named = (c.referenced for c in libclang.children(specifier) if c.kind.name == "TEMPLATE_REF")
    return next((one.get_definition() or one for one in named if one is not None), None)


def _is_plain_and_empty(general: Any) -> bool:
    """Whether a class template has nothing that makes or ends its objects, and no data."""
    kinds = ("FIELD_DECL", "CXX_BASE_SPECIFIER", "CONSTRUCTOR", "DESTRUCTOR")
    for child in libclang.children(general):
        if child.kind.name in kinds and not (child.kind.name.endswith("STRUCTOR") and child.is_default_method()):
            return False
        if child.kind.name == "CXX_METHOD" and child.is_virtual_method():
            return False
    return True


def libclang_offset(field: Any) -> int:
    """The offset of a field in bits."""
    return int(libclang.load().conf.lib.clang_Cursor_getOffsetOfField(field))


def _qualified(found: tree.Type, kind: Any) -> tree.Type:
    """A type with the qualifiers that libclang has for it. Those of an array are its elements'."""
    if isinstance(found, tree.Array):
        return tree.Array(_qualified(found.of, kind), found.length)
    qualifiers = {}
    if kind.is_const_qualified():
        qualifiers["const"] = True
    if kind.is_volatile_qualified():
        qualifiers["volatile"] = True
    if isinstance(found, tree.Pointer) and kind.is_restrict_qualified():
        qualifiers["restrict"] = True
    return type(found)(**{**vars(found), **qualifiers}) if qualifiers else found
