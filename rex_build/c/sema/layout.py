"""Applies GNU attributes and pragmas to the layout of types. The parser does not see them, as both are blanked."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import replace
from functools import cached_property

from pycparser import c_ast
from pycparser.c_parser import ParseError

from ...base.diagnostics import InputError, error_at
from ..source.gnu_text import THREAD_LOCAL, LayoutAttribute, normalise_gnu
from ..source.tokens import Declarations, arguments_at, closing, closing_paren, flat, marks_outside
from ..syntax.nodes import ParsedUnit
from ..syntax.parser import Cleanup, GnuParser
from . import Sema, declarations, walk
from .ctype import RecordInfo, alignof, sizeof
from .declared import NO_ATTRIBUTES, DeclaredAttributes, Layout
from .literals import integer_constant

_PACKED = re.compile(r"__packed__|\bpacked\b")
_ALIGNED = re.compile(r"\b(?:__)?aligned(?:__)?\b\s*(?=(\()?)")
_CLEANUP = re.compile(r"\b(?:__)?cleanup(?:__)?\s*\(\s*(\w+)\s*\)")
_ALIAS = re.compile(r'\b(?:__)?alias(?:__)?\s*\(\s*"(\w+)"\s*\)')
_WEAK = re.compile(r"\b(?:__)?weak(?:__)?\b")
_VECTOR = re.compile(r"\b(?:__)?vector_size(?:__)?\s*(?=\()")
_MODE = re.compile(r"\b(?:__)?mode(?:__)?\s*\(\s*(\w+?)\s*\)")
_OF_CLANG = re.compile(r"\b(?:__)?(ext_vector_type|matrix_type|address_space)(?:__)?\b")
_OF_TYPE = re.compile(r"vector_size|mode|ext_vector_type|matrix_type|address_space")
_REFUSED = re.compile(r"\b(?:__)?(scalar_storage_order|ms_struct)(?:__)?\b")
_TRANSPARENT = re.compile(r"(?:\b_*gnu_*\s*::\s*)?\b_*transparent_union_*\b")  # changes no layout; C++ lacks it
_MAX_ALIGN = 16  # the alignment of ``aligned`` without a value on x86-64
_ATTRIBUTE_OR_SPACE = re.compile(r"\s+|__attribute(?:__)?\b|(?=\[\s*\[)")
_MEANINGLESS = re.compile(r"\[\s*\[.*?\]\s*\]|__attribute(?:__)?\s*\(\(.*?\)\s*\)|__extension__", re.DOTALL)
_AFTER_RECORD = re.compile(r"\s+|(?:const|volatile|__extension__)\b|__attribute(?:__)?\b")


def thread_local_names(unit: ParsedUnit) -> frozenset[str]:
    """The names of the thread-local variables, whose specifier the parser does not see."""
    words = [a for a in unit.layout_attributes if a.text in THREAD_LOCAL]
    if not words:
        return frozenset()
    texts = Declarations(unit.pre.text)
    extents = [texts.around(word.offset) for word in words]
    declared = [d for item in unit.ast.ext for d in declarations(item) if d.coord is not None]
    places = [(d.name, unit.offset_of(d)) for d in declared]
    return frozenset(name for name, at in places if any(low <= at < high for low, high in extents))


def sema_of(unit: ParsedUnit) -> Sema:
    """A unit's symbols and types, with the layout that its attributes ask for."""
    return Sema(unit.every_function, unit.span_of, lambda sema: _UnitLayout(unit, sema), unit.reductions)


def add_cleanups(unit: ParsedUnit) -> None:
    """Put the calls of ``cleanup`` attributes into the tree, each after the declaration of its variable."""
    if not any(_CLEANUP.search(a.text) for a in unit.layout_attributes):
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
        self.text = unit.pre.text
        self.attributes = [a for a in unit.layout_attributes if a.text.startswith(("__attribute", "["))]
        self.offsets = [a.offset for a in self.attributes]
        self.concern_types = any(_OF_TYPE.search(a.text) for a in self.attributes)
        self._ranges: list[tuple[int, int, int, LayoutAttribute]] | None = None

    @property
    def enumerators_agree(self) -> bool:
        return self.unit.pre.enumerators_agree

    @cached_property
    def declarations(self) -> Declarations:
        """The extents of the unit's declarations."""
        return Declarations(self.text)

    def between(self, start: int, end: int) -> list[LayoutAttribute]:
        """The attributes in a part of the text."""
        return self.attributes[bisect_left(self.offsets, start) : bisect_left(self.offsets, end)]

    # ---- records and enumerations ----

    def braces(self, node: c_ast.Node, keyword: str) -> tuple[int, int, int, int]:
        """The offsets of a definition's keyword and of its braces, and the end of the attributes that may follow it."""
        opening = self.text.find("{", self.unit.offset_of(node))
        end = closing(self.text, opening)
        brace = end - 1
        low = max(self.declarations.start_around(opening), self.declarations.opening_paren(opening) + 1)
        before = flat(self.text[low:opening])  # attributes, in front of the tag, may hold the keyword as well
        start = low + max((m.start() for m in re.finditer(rf"\b{keyword}\b", before)), default=0)
        while match := _AFTER_RECORD.match(self.text, end):
            end = closing_paren(self.text, match.end()) if "attribute" in match[0] else match.end()
        return start, opening, brace, end

    def record_attributes(self, info: RecordInfo) -> list[LayoutAttribute]:
        """The attributes of a record itself."""
        if not self.attributes or getattr(info.node, "coord", None) is None:
            return []
        assert info.node is not None
        start, opening, brace, end = self.braces(info.node, info.kind)
        found = [*self.between(start, opening), *self.between(brace, end)]
        if info.tag is None and info.typedef_name is not None:  # all such records have the typedef's alignment
            stop = self.declarations.around(end)[1]
            after = self.between(end, stop)
            found += [a for a in after if _ALIGNED.search(a.text) and not a.text.startswith("[")]
        return found

    def of_record(self, info: RecordInfo) -> tuple[int, int]:
        """(greatest alignment of members, least alignment of the record) in bytes, each 0 if nothing sets it."""
        if info.node is None or getattr(info.node, "coord", None) is None:
            return 0, 0
        attributes = self.record_attributes(info)
        is_packed = any(_PACKED.search(a.text) for a in attributes)
        pack = 1 if is_packed else pragma_pack(self.unit, info)
        alignments = [value for a in attributes if (value := self.alignment(a))]
        return pack, alignments[-1] if alignments else 0  # the last of several attributes holds

    def is_packed_enum(self, node: c_ast.Enum) -> bool:
        """Whether an attribute makes an enumeration as small as its values allow."""
        if not self.attributes:
            return False
        start, opening, closing, end = self.braces(node, "enum")
        return any(_PACKED.search(a.text) for a in (*self.between(start, opening), *self.between(closing, end)))

    # ---- declarations ----

    @property
    def ranges(self) -> list[tuple[int, int, int, LayoutAttribute]]:
        """The declarations with attributes, in source order.

        Each item has the declaration's begin and end, the largest end so far, and one attribute.
        """
        if self._ranges is None:
            self._ranges, furthest = [], 0
            for low, high, attribute in sorted(
                ((*self.declarations.around(a.offset), a) for a in self.attributes), key=lambda r: r[0]
            ):
                furthest = max(furthest, high)
                self._ranges.append((low, high, furthest, attribute))
        return self._ranges

    def of_declaration(self, node: c_ast.Node) -> DeclaredAttributes:
        """What attributes say about the declaration of a variable, a member, a typedef or a function."""
        if not self.attributes:
            return NO_ATTRIBUTES
        is_function = isinstance(getattr(node, "type", None), c_ast.FuncDecl)
        declarator = node
        while not isinstance(declarator, c_ast.TypeDecl):
            declarator = getattr(declarator, "type", None)
            if declarator is None:
                return DeclaredAttributes()
        if declarator.coord is None:
            return DeclaredAttributes()
        at = self.unit.offset_of(declarator)
        found = DeclaredAttributes()
        last = bisect_right(self.ranges, at, key=lambda r: r[0])
        own: tuple[int, int] | None = None
        for low, high, furthest, attribute in reversed(self.ranges[:last]):
            if furthest <= at:
                break
            if high <= at or not self._is_part(attribute, declarator):
                continue
            keyword, end = own = own or self._definition(declarator, at)
            between = self.text[attribute.offset : keyword]
            is_own = attribute.offset >= end or (between and between.count("{") == between.count("}"))
            # Other attributes belong to a record around the declaration, or to one that is defined in it.
            if is_own and attribute.text.startswith("["):
                is_behind = keyword < end <= attribute.offset  # a definition stands before it, to which it might belong
                applies = self._applies_in_brackets(attribute, low, at, is_behind)
                if applies is None:
                    what = f"'{getattr(node, 'name', None)}' with '{attribute.text}' here is not supported"
                    return replace(found, why_not=f"{what}, but before the declaration, or right after the name")
            else:
                applies = bool(is_own) and self._applies(attribute, at)
            if applies and is_function:
                alias = _ALIAS.search(attribute.text)
                found = self._of_type(attribute, found)
                if alias and not _WEAK.search(self.text[low:high]):  # another unit may define a weak alias differently
                    found = replace(found, alias=alias[1])
            elif applies:
                found = self._effect(node, attribute, found)
        return found

    def _is_part(self, attribute: LayoutAttribute, declarator: c_ast.TypeDecl) -> bool:
        """Whether an attribute stands in the same declaration as the name.

        A parameter's attribute is not the function's.
        """
        if declarator.type.coord is None:
            return True
        low, high = self.declarations.around(self.unit.offset_of(declarator.type))
        return low <= attribute.offset < high

    def of_type_name(self, node: c_ast.Typename) -> DeclaredAttributes:
        """What attributes say about the name of a type in parentheses, as in a cast."""
        if not self.concern_types:
            return NO_ATTRIBUTES
        inner = node.type
        while not isinstance(inner, c_ast.TypeDecl):
            inner = inner.type
        found = DeclaredAttributes()
        coord = inner.type.coord
        opening = (
            self.declarations.opening_paren(self.unit.offset_of(inner.type)) if coord is not None and coord.file else -1
        )
        for attribute in self.between(opening, closing_paren(self.text, opening)) if opening >= 0 else ():
            if self.text.count("{", opening, attribute.offset) == self.text.count("}", opening, attribute.offset):
                if attribute.text.startswith("["):
                    return replace(found, why_not=f"'{attribute.text}' in the name of a type is not supported")
                found = self._of_type(attribute, found)
        return found

    def _of_type(self, attribute: LayoutAttribute, found: DeclaredAttributes) -> DeclaredAttributes:
        """``found`` with the effect that one more attribute has on the type itself."""
        if vector := _VECTOR.search(attribute.text):
            size = self._value(attribute.text[vector.end() : closing_paren(attribute.text, vector.end())])
            return replace(found, vector=-1 if size is None else size)
        if of_clang := _OF_CLANG.search(attribute.text):
            return replace(found, why_not=f"the attribute '{of_clang[1]}' is not supported")
        mode = _MODE.search(attribute.text)
        return replace(found, mode=mode[1].strip("_")) if mode else found

    def _applies(self, attribute: LayoutAttribute, at: int) -> bool:
        """Whether an attribute of a declaration belongs to the declarator of the name at ``at``.

        It does if it stands after that declarator, right in front of it, or in front of all declarators.
        """
        start = self.declarations.start_around(attribute.offset)
        before = self.text[start : attribute.offset].rstrip()[-1:]
        after = attribute.offset + len(attribute.text)
        while match := _ATTRIBUTE_OR_SPACE.match(self.text, after):
            if match[0].isspace():
                after = match.end()
            else:
                after = closing_paren(self.text, after) if match[0] else arguments_at(self.text, after)[-1][1] + 1
        if self.text[after : after + 1] in (",", ";", "=", ":"):
            return at < attribute.offset and not _has_comma(self.text[at : attribute.offset])
        return attribute.offset < at and not (before == "," and _has_comma(self.text[attribute.offset : at]))

    def _applies_in_brackets(self, attribute: LayoutAttribute, low: int, at: int, is_behind: bool) -> bool | None:
        """Whether an attribute in brackets belongs to the whole declaration at ``low`` or to the name at ``at``.

        None for other places, such as after the definition of a structure. Compilers differ about these.
        """
        before = _MEANINGLESS.sub(lambda m: " " * len(m[0]), self.text[low : attribute.offset]).rstrip()
        if not before and not is_behind:
            return True
        if _has_comma(self.text[min(at, attribute.offset) : max(at, attribute.offset)]):
            return False
        name = re.search(r"[A-Za-z_]\w*$", before)
        return True if name and low + name.start() == at else None

    def _definition(self, declarator: c_ast.TypeDecl, at: int) -> tuple[int, int]:
        """The begin and end of the record or enumeration that a declaration defines, or ``at`` twice if it has none."""
        kind = declarator.type
        is_definition = getattr(kind, "decls", None) is not None or getattr(kind, "values", None) is not None
        if not is_definition or kind.coord is None:
            return at, at
        keyword, _, _, end = self.braces(kind, type(kind).__name__.lower())
        return keyword, end

    def _effect(self, node: c_ast.Node, attribute: LayoutAttribute, found: DeclaredAttributes) -> DeclaredAttributes:
        """``found`` with the effect of one more attribute."""
        name = getattr(node, "name", None)
        found = self._of_type(attribute, found)
        try:
            align = max(found.align, self.alignment(attribute))
        except InputError as error:
            return replace(found, why_not=error.diagnostics[0].message)
        cleanups = [*filter(None, [found.cleanup]), *_CLEANUP.findall(attribute.text)]
        if len(cleanups) > 1:  # gcc calls the last of them and clang the first
            return replace(found, why_not=f"'{name}' with several 'cleanup' attributes is not supported")
        packed = _PACKED.search(attribute.text) is not None
        return replace(found, align=align, packed=found.packed or packed, cleanup="".join(cleanups))

    def alignment(self, attribute: LayoutAttribute) -> int:
        """The alignment that an attribute sets, or 0 if it sets none.

        Raises InputError if its value is not known here.
        """
        strictest = 0
        for match in _ALIGNED.finditer(attribute.text):
            value: int | None = _MAX_ALIGN
            if match[1]:
                text = attribute.text[match.end() + 1 : closing_paren(attribute.text, match.end()) - 1].strip()
                written = integer_constant(text)
                value = written[0] if written else self._value(text)
            if value is None:
                span = self.unit.pre.span_at(self.unit.pre.line_at(attribute.offset), 1)
                raise error_at(span, "an alignment that is not a number is not supported")
            strictest = max(strictest, value)
        return strictest

    def _value(self, text: str) -> int | None:
        """The value of a constant expression at file scope, or None for any other text."""
        symbols = {name: self.sema.file_symbol(name) for name in re.findall(r"[A-Za-z_]\w*", text)}
        types = frozenset(n for n, symbol in symbols.items() if symbol is not None and symbol.kind == "typedef")
        try:
            expression = GnuParser(self.unit.pre.c23).parse_expression(normalise_gnu(text)[0], types)
            self.sema.analyse(expression)
            return self.sema.value(expression)
        except (ParseError, InputError):
            return None


def _has_comma(text: str) -> bool:
    """Whether the text has a comma outside of brackets."""
    return any(match[0] == "," for match in marks_outside(text))


def layout_attributes(unit: ParsedUnit, sema: Sema, info: RecordInfo) -> str:
    """The GNU attributes of a record that change its layout, as they are written.

    Raises InputError for attributes that device code cannot have.
    """
    layout = _UnitLayout(unit, sema)
    if getattr(info.node, "coord", None) is None:
        return ""
    assert info.node is not None
    found = layout.record_attributes(info)
    _, opening, _, end = layout.braces(info.node, info.kind)
    for attribute in (*found, *_storage_orders(unit, opening)):
        if match := _REFUSED.search(attribute.text):
            raise _error(unit, attribute, f"'{match[1]}' is not supported in device code")
        if attribute.offset >= end and info.size != _size_without(info):  # in C this aligns only the typedef
            raise _error(unit, attribute, "an alignment that the type's size is no multiple of is not supported")
    texts = [" ".join(_TRANSPARENT.sub("", a.text).split()) for a in found]
    return " ".join(text for text in texts if not re.fullmatch(r"__attribute(?:__)?|", re.sub(r"[][(),\s]", "", text)))


def _size_without(info: RecordInfo) -> int:
    """The size that a record would have without an alignment of its own."""
    end = max((f.offset + (sizeof(f.type) if f.bit_width is None else (f.bit_offset + f.bit_width + 7) // 8)
               for f in info.fields), default=0)  # fmt: skip
    unit = max((alignof(f.type) for f in info.fields), default=1)
    return -(-end // unit) * unit


def _error(unit: ParsedUnit, attribute: LayoutAttribute, message: str) -> InputError:
    line = unit.pre.line_at(attribute.offset)
    return error_at(unit.pre.span_at(line, attribute.offset - unit.pre.line_starts[line - 1] + 1), message)


def _storage_orders(unit: ParsedUnit, offset: int) -> list[LayoutAttribute]:
    """The pragma that sets the order of bytes at ``offset``, if there is one."""
    pragmas = [a for a in unit.layout_attributes if a.text.startswith("#") and a.offset < offset]
    orders = [a for a in pragmas if "scalar_storage_order" in a.text]
    return [a for a in orders[-1:] if not re.search(r"default|little", a.text)]


def pragma_pack(unit: ParsedUnit, info: RecordInfo) -> int:
    """The value of ``#pragma pack`` at a record's definition, in bytes, or 0 if there is none."""
    pragmas = [a for a in unit.layout_attributes if a.text.startswith("#") and "pack" in a.text]
    if not pragmas or getattr(info.node, "coord", None) is None:
        return 0
    assert info.node is not None
    start = unit.offset_of(info.node)
    value, saved = 0, [0]
    for pragma in pragmas:
        if pragma.offset > start:
            break
        arguments = re.findall(r"\w+", pragma.text.split("(", 1)[-1])
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
