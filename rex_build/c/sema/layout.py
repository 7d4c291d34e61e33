"""Applies GNU attributes and pragmas to the layout of types."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pycparser import c_ast
from pycparser.c_parser import ParseError

from ...base.diagnostics import InputError, error_at
from ...base.records import replace
from ..source.gnu_text import AttributeList, normalise_gnu
from ..syntax.attributes import Place, Placed, declared_place, place_of, type_name_place
from ..syntax.nodes import ParsedUnit
from ..syntax.parser import Cleanup, ExpressionParser
from . import Sema, walk
from .ctype import C, Pointer, RecordInfo, sizeof
from .literals import integer_constant
from .type_questions import NO_ATTRIBUTES, DeclaredAttributes, Layout

_OF_CLANG = ("ext_vector_type", "matrix_type", "address_space")
_OF_VARIABLES = ("aligned", "cleanup", "vector_size", "mode", *_OF_CLANG)
_REFUSED = ("scalar_storage_order", "ms_struct")
_MAX_ALIGN = 16  # the alignment of ``aligned`` without a value on x86-64


def sema_of(unit: ParsedUnit) -> Sema:
    """A unit's symbols and types, with the layout that its attributes ask for."""
    return Sema(unit.every_function, unit.span_of, lambda sema: _UnitLayout(unit, sema), unit.reductions)


def add_cleanups(unit: ParsedUnit) -> None:
    """Put the calls of ``cleanup`` attributes into the tree, each after the declaration of its variable."""
    if not any(attributes.names("cleanup") for attributes in unit.unseen.attributes):
        return
    sema = sema_of(unit)
    for function in unit.ast.ext:
        for node in walk(function) if isinstance(function, c_ast.FuncDef) else ():
            if isinstance(node, c_ast.Compound) and node.block_items:
                node.block_items = _with_cleanups(sema, node.block_items)
            elif isinstance(node, c_ast.DeclList):  # it belongs to a for loop
                node.decls = _with_cleanups(sema, node.decls)
            elif isinstance(node, c_ast.Case | c_ast.Default) and node.stmts:
                node.stmts = _with_cleanups(sema, node.stmts)


def _with_cleanups(sema: Sema, items: list[c_ast.Node]) -> list[c_ast.Node]:
    out: list[c_ast.Node] = []
    for item in items:
        out.append(item)
        declaration = item
        while isinstance(declaration, c_ast.Label):
            declaration = declaration.stmt
        if isinstance(declaration, c_ast.Decl) and not {"static", "extern"}.intersection(declaration.storage):
            name, coord = sema.layout.of_declaration(declaration).cleanup, declaration.coord
            if name:
                address = c_ast.UnaryOp("&", c_ast.ID(declaration.name, coord), coord)
                call = c_ast.FuncCall(c_ast.ID(name, coord), c_ast.ExprList([address], coord), coord)
                out.append(Cleanup(call, coord))
    return out


class _UnitLayout(Layout):
    """The attributes of one unit, by the types and declarations to which they belong."""

    def __init__(self, unit: ParsedUnit, sema: Sema) -> None:
        super().__init__(unit.pre.unnamed_members)
        self.unit = unit
        self.sema = sema
        self.attributes = unit.attributes

    @property
    def enumerators_agree(self) -> bool:
        return self.unit.pre.enumerators_agree

    # ---- records and enumerations ----

    def of_record(self, info: RecordInfo) -> tuple[int, int]:
        """(greatest alignment of members, least alignment of the record) in bytes, each 0 if nothing sets it."""
        if info.node is None or info.node.coord is None:
            return 0, 0
        place = place_of(info.node)
        attributes = self.attributes.definitions.get(place, ()) if place is not None else ()
        pack = 1 if any(a.names("packed") for a in attributes) else pragma_pack(self.unit, info)
        alignments = [value for a in attributes for value in self.alignments(a)]
        return pack, alignments[-1] if alignments else 0  # the last of several attributes holds

    def is_packed_enum(self, node: c_ast.Enum) -> bool:
        """Whether an attribute makes an enumeration as small as its values allow."""
        place = place_of(node)
        found = self.attributes.definitions.get(place, ()) if place is not None else ()
        names = [a.name for attributes in found for a in attributes.attributes]
        # After 'aligned', 'packed' changes nothing with gcc.
        return "packed" in names and "aligned" not in names[: names.index("packed")]

    # ---- declarations ----

    def of_declaration(self, node: c_ast.Node) -> DeclaredAttributes:
        """What attributes say about the declaration of a variable, a member, a typedef or a function."""
        if not self.attributes.declarators or (name := declared_place(node)) is None:
            return NO_ATTRIBUTES
        placed = self.attributes.declarators.get(name, ())
        if (why_not := self._why_not(node, placed)) is not None:
            return replace(NO_ATTRIBUTES, why_not=why_not)
        is_weak = any(p.attributes.names("weak") for p in placed)  # another unit may define it differently
        found = NO_ATTRIBUTES
        for attributes, place in ((p.attributes, p.place) for p in placed):
            if isinstance(getattr(node, "type", None), c_ast.FuncDecl):
                alias = next((_string(a.argument) for a in attributes.attributes if a.name == "alias"), "")
                found = self._of_type(attributes, found)
                found = replace(found, alias=alias) if alias and not is_weak else found
            else:
                found = self._effect(node, attributes, place, found)
        return found

    def _why_not(self, node: c_ast.Node, placed: Sequence[Placed]) -> str | None:
        """The reason if attributes stand where compilers differ about them, or where they mean something else."""
        for attributes, place in ((p.attributes, p.place) for p in placed):
            if attributes.is_standard and place not in (Place.FRONT, Place.NAME):
                what = f"'{getattr(node, 'name', None)}' with '{attributes.text}' here is not supported"
                return f"{what}, but before the declaration, or right after the name"
            if place is Place.INSIDE and any(attributes.names(name) for name in _OF_VARIABLES):
                return f"'{attributes.text}' inside of a declarator is not supported"
        alignments = [p.place for p in placed for a in p.attributes.attributes if a.name == "aligned"]
        packed = [p for p in placed if p.attributes.names("packed")]
        if len(alignments) > 1 and isinstance(node, c_ast.Typedef):
            return f"'{node.name}' with several 'aligned' attributes is not supported"
        if Place.POINTER in alignments and len(alignments) + len(packed) > 1:
            what = f"'aligned' behind an asterisk, beside another attribute of '{getattr(node, 'name', None)}',"
            return f"{what} is not supported"
        return None

    def of_type_name(self, node: c_ast.Typename) -> DeclaredAttributes:
        """What attributes say about the name of a type in parentheses, as in a cast."""
        if not self.attributes.type_names or (place := type_name_place(node)) is None:
            return NO_ATTRIBUTES
        found = NO_ATTRIBUTES
        for attributes in self.attributes.type_names.get(place, ()):
            if attributes.is_standard:
                return replace(found, why_not=f"'{attributes.text}' in the name of a type is not supported")
            found = self._of_type(attributes, found)
        return found

    def _of_type(self, attributes: AttributeList, found: DeclaredAttributes) -> DeclaredAttributes:
        """``found`` with the effect that one more list of attributes has on the type itself."""
        for attribute in attributes.attributes:
            if attribute.name == "vector_size":
                size = self._value(attribute.argument or "")
                found = replace(found, vector=-1 if size is None else size)
            elif attribute.name in _OF_CLANG:
                return replace(found, why_not=f"the attribute '{attribute.name}' is not supported")
            elif attribute.name == "mode":
                found = replace(found, mode=(attribute.argument or "").strip().strip("_"))
        return found

    def _effect(
        self, node: c_ast.Node, attributes: AttributeList, place: Place, found: DeclaredAttributes
    ) -> DeclaredAttributes:
        """``found`` with the effect of one more list of attributes."""
        name = getattr(node, "name", None)
        found = self._of_type(attributes, found)
        try:
            align = max(found.align, *self.alignments(attributes), 0)
            if place is Place.POINTER and 0 < align < sizeof(Pointer(C.VOID)):  # it makes another type of pointer
                return replace(found, why_not=f"'{attributes.text}' inside of a declarator is not supported")
        except InputError as error:
            return replace(found, why_not=error.diagnostics[0].message)
        cleanups = [a.argument.strip() for a in attributes.attributes if a.name == "cleanup" and a.argument]
        cleanups = [*filter(None, [found.cleanup]), *cleanups]
        if len(cleanups) > 1:  # gcc calls the last of them and clang the first
            return replace(found, why_not=f"'{name}' with several 'cleanup' attributes is not supported")
        # Behind an asterisk it would pack the type of the pointer, which means nothing.
        packed = attributes.names("packed") and place not in (Place.POINTER, Place.INSIDE)
        return replace(found, align=align, packed=found.packed or packed, cleanup="".join(cleanups))

    def alignments(self, attributes: AttributeList) -> list[int]:
        """The alignments that a list of attributes sets. Raises InputError if a value is not known here."""
        found = []
        for attribute in attributes.attributes:
            if attribute.name != "aligned":
                continue
            value: int | None = _MAX_ALIGN
            if attribute.argument is not None:
                written = integer_constant(attribute.argument.strip())
                value = written[0] if written else self._value(attribute.argument)
            if value is None:
                raise _error(self.unit, attributes.offset, "an alignment that is not a number is not supported")
            found.append(value)
        return found

    def _value(self, text: str) -> int | None:
        """The value of a constant expression at file scope, or None for any other text."""
        symbols = {name: self.sema.file_symbol(name) for name in re.findall(r"[A-Za-z_]\w*", text)}
        types = frozenset(n for n, symbol in symbols.items() if symbol is not None and symbol.is_typedef)
        try:
            expression = ExpressionParser(self.unit.pre.c23).parse_expression(normalise_gnu(text)[0], types)
            self.sema.analyse(expression)
            return self.sema.value(expression)
        except (ParseError, InputError):
            return None


def _string(argument: str | None) -> str:
    """The name in a string literal, or nothing for other arguments."""
    name = (argument or "").strip()[1:-1]
    return name if name.isidentifier() else ""


def record_attributes(unit: ParsedUnit, sema: Sema, info: RecordInfo) -> list[AttributeList]:
    """The GNU attributes of a record, its pack pragma aside, for the record's definition in device code.

    Raises InputError for attributes that device code cannot have.
    """
    layout = sema.layout
    assert isinstance(layout, _UnitLayout)
    place = place_of(info.node) if info.node is not None else None
    if info.node is None or place is None:
        return []
    start = unit.offset_of(info.node)
    found = [*unit.attributes.definitions.get(place, ())]
    if info.tag is None and info.typedef_name is not None:  # all objects of the type have the alignment of its name
        named = unit.attributes.typedefs.get(place, ())
        found += [a for a in named if a.names("aligned") and not a.is_standard]
    if order := _storage_order(unit, start):
        raise _error(unit, order, "'scalar_storage_order' is not supported in device code")
    for attributes in found:
        if refused := next((a.name for a in attributes.attributes if a.name in _REFUSED), None):
            raise _error(unit, attributes.offset, f"'{refused}' is not supported in device code")
        of_name = attributes not in unit.attributes.definitions.get(place, ())
        if of_name and info.size % layout.alignments(attributes)[-1] != 0:  # in C this aligns only the typedef
            what = "an alignment that the type's size is no multiple of"
            raise _error(unit, attributes.offset, f"{what} is not supported")
    return found


def _error(unit: ParsedUnit, offset: int, message: str) -> InputError:
    return error_at(unit.pre.span_at(*unit.pre.place_at(offset)), message)


def _storage_order(unit: ParsedUnit, offset: int) -> int | None:
    """The offset of the pragma that sets another order of bytes than the host's at ``offset``, if there is one."""
    orders = [p for p in unit.unseen.pragmas if p[0] < offset and "scalar_storage_order" in p[1]]
    return orders[-1][0] if orders and not re.search(r"default|little", orders[-1][1]) else None


def pragma_pack(unit: ParsedUnit, info: RecordInfo) -> int:
    """The value of ``#pragma pack`` at a record's definition, in bytes, or 0 if there is none."""
    pragmas = [pragma for pragma in unit.unseen.pragmas if "pack" in pragma[1]]
    if not pragmas or info.node is None or info.node.coord is None:
        return 0
    start = unit.offset_of(info.node)
    value, saved = 0, [0]
    for offset, text in pragmas:
        if offset > start:
            break
        arguments = re.findall(r"\w+", text.split("(", 1)[-1])
        if "push" in arguments:
            saved.append(value)
        numbers = [number for argument in arguments if (number := integer_constant(argument))]
        if numbers:
            value = numbers[-1][0]
        elif "pop" in arguments:
            value = saved.pop() if saved else 0
        elif "push" not in arguments:
            value = 0
    return value
