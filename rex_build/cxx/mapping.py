"""Rows of map arrays for the list items of a construct."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..base.precedence import COMMA
from ..base.records import dataclass, replace
from ..base.spans import SourceSpan
from ..directives.model import Expr, Index, Locator, Member, Section
from ..openmp.kernel_rows import KernelRows
from ..openmp.mapped_objects import MappedObject, Place, adjusted, hull, used_loops
from ..plan.captures import Temporary
from ..plan.host_expression import (
    AddressOf,
    Binary,
    Cast,
    HostExpression,
    SizeOf,
    Written,
)
from ..plan.host_expression import (
    Variable as HostVariable,
)
from ..plan.rows import (
    MAP_IMPLICIT,
    MAP_TARGET_PARAM,
    Adjustment,
    MapRow,
    Role,
    RowLoop,
    RowNote,
)
from .code import Variable
from .functions import Function
from .reading.reader import reader_of
from .text_constructs import identifiers_in
from .unit import Unit

ELEMENT = "__rex_element_"  # the variables of loops over elements
# What a section's expression may do that must not be done twice, and operands that are not evaluated.
_EFFECT = regex(r"\w\s*\(|\+\+|--|(?<![=!<>])=(?!=)")
_OPERAND = regex(r"\b(?:sizeof|alignof|decltype|noexcept)\s*\(|\b(?:static_cast|const_cast)\s*<[^<>]*>\s*\(")


def written(text: str) -> HostExpression:
    """An expression as the user wrote it."""
    text = text.strip()
    if text.isdigit():
        return Written((text,), frozenset(), 16, int(text))
    names = frozenset(name for _, name in identifiers_in(text))
    return HostVariable(text) if text.isidentifier() else Written((text,), names, COMMA)


def address(text: str) -> HostExpression:
    return Cast("void *", AddressOf(written(text) if text.isidentifier() else Written((text,), frozenset(), 15)))


@dataclass(frozen=False)
class Item:
    """A list item. ``root`` is the variable that it begins with, and ``through`` says that it leads through the root,
    a pointer, to other memory. ``carrier`` is the pointer to which a section is attached, as an lvalue, and ``links``
    are the pointers between it and the root. ``begin`` is the first object of the storage, as an lvalue, and ``size``
    its bytes."""

    root: Variable
    through: bool
    carrier: str
    begin: str
    size: HostExpression
    whole: bool
    flags: int
    note: RowNote
    constant: bool
    kind: Any = None  # the type of the storage, if it is known before templates are instantiated
    sections: tuple[tuple[str, str], ...] = ()  # (the first element, how many), outermost first
    loops: tuple[RowLoop, ...] = ()  # over the elements of which it is a part
    links: tuple[str, ...] = ()
    sectioned: str = ""  # what the section is taken of
    holds_pointers: bool = False
    offset: tuple[int, int] | None = None  # where its storage begins and ends in the root's object, if that is known

    @property
    def pointers(self) -> tuple[str, ...]:
        """The pointers that lead from the root's storage to that of the item."""
        return (*self.links, self.carrier) if self.carrier else ()


class ListReader:
    """Finds what list items of a directive mean. With ``references``, items may be members that are references: these
    are storage of its own, to which no pointer of the object leads."""

    def __init__(self, unit: Unit, function: Function, place: int, *, references: bool = False) -> None:
        self.unit = unit
        self.function = function
        self.place = place
        self.temporaries: dict[tuple[SourceSpan, str], Temporary] = {}
        self.references = references
        self.referred: dict[str, Variable] = {}

    def _once(self, expr: Expr) -> str:
        """The text of an expression in a section. One with a call, or one that changes something, is computed once."""
        if _EFFECT.search(_OPERAND.sub("", expr.text)) is None or ELEMENT in expr.text:
            return expr.text
        key = (expr.span, expr.text)
        value = Written((expr.text,), frozenset(name for _, name in identifiers_in(expr.text)), COMMA)
        new = Temporary("long long", f"__rex_section_{len(self.temporaries)}", value)
        return self.temporaries.setdefault(key, new).name

    def named(self, item: Locator) -> Variable:
        """The variable that a list item names. Raises InputError."""
        found = self.unit.lookup(self.function, item.name, self.place)
        if found is None and item.name in self.unit.fields(self.function):
            what = f"'{item.name}' is a member, of which there are no private copies: use a variable of the function"
            raise error_at(item.span, f"{what} and assign its value")
        if found is None:
            raise error_at(item.span, f"'{item.name}' is not a variable here")
        return found

    def member(self, item: Locator) -> Variable | None:
        """The member of the method's object that a list item names, as a variable of its name, or None."""
        if item.steps or self.unit.lookup(self.function, item.name, self.place) is not None:
            return None
        name = self._member_named(item.name)
        field = self.unit.fields(self.function).get(name)
        if field is None:
            return None
        kind = field.type
        is_reference = kind.kind in (self.unit.types.LVALUEREFERENCE, self.unit.types.RVALUEREFERENCE)
        return Variable(name, self.unit.type_of(kind.get_pointee() if is_reference else kind), field, -1, -1)

    def _member_named(self, name: str) -> str:
        """The member of the method's class that a name means, with or without the class, or an empty text."""
        record, _, member = (part.strip() for part in name.rpartition("::"))
        field = self.unit.fields(self.function).get(member)
        if field is None or (record and field.semantic_parent.spelling != record.rpartition("::")[2].strip()):
            return ""
        return str(member)

    def type_of(self, variable: Variable) -> Any:
        """The type of a variable, or of what it refers to."""
        kind = variable.cursor.type
        return (kind.get_pointee() if variable.is_reference else kind).get_canonical()

    def item(self, locator: Locator, flags: int, how: str) -> Item:
        if locator.shape:
            raise error_at(locator.span, f"an array shaping operator, as in '{locator.text}', is not supported in C++")
        name, steps = locator.name, list(locator.steps)
        root = self.unit.lookup(self.function, name, self.place) if name != "this" else None
        member = self._member_named(name) if root is None else ""
        if root is None and (name == "this" or member):
            if not self.function.is_member:
                raise error_at(locator.span, "'this' outside of a member function")
            root = self.unit.this_of(self.function)
            if name != "this":
                steps.insert(0, Member(member, True))
            if self.references and steps and isinstance(steps[0], Member):
                field = self.unit.fields(self.function).get(steps[0].name)
                if field is not None and field.type.kind == self.unit.types.LVALUEREFERENCE:
                    return self._referred(locator, field, steps[1:], flags, how)
            return self._walk(locator, root, "this", None, steps, flags, how, through=True, pointer=True)
        if root is None:
            raise error_at(locator.span, f"'{locator.text}' is not a variable here")
        kind, t = root.cursor.type, self.unit.types
        if root.is_reference:
            kind = kind.get_pointee()
        pointer = root.type.kind == "pointer" and kind.get_canonical().kind != self.unit.types.POINTER
        if pointer and steps:  # a parameter that is written as an array, or an 'auto' of a template
            written_so = kind.get_canonical()
            element = None if written_so.kind in (t.AUTO, t.UNEXPOSED) else written_so.element_type
            return self._walk(locator, root, name, element, steps, flags, how, through=True, pointer=True)
        return self._walk(locator, root, name, kind, steps, flags, how, through=False, pointer=False)

    def _referred(self, locator: Locator, field: Any, steps: Sequence[Any], flags: int, how: str) -> Item:
        """A list item that begins with a member that is a reference."""
        text, kind = f"this->{field.spelling}", field.type.get_pointee()
        made = Variable(text, self.unit.type_of(kind), field, -1, -1)
        root = self.referred.setdefault(text, made)
        return self._walk(locator, root, text, kind, steps, flags, how, through=False, pointer=False)

    def _walk(
        self, locator: Locator, root: Variable, text: str, kind: Any, steps: Sequence[Any], flags: int, how: str, *,
        through: bool, pointer: bool,
    ) -> Item:  # fmt: skip
        """Follow the steps of a list item. ``kind`` is the type of what ``text`` is or, if ``pointer``, leads to."""
        t = self.unit.types
        arrays = (t.CONSTANTARRAY, t.INCOMPLETEARRAY, t.VARIABLEARRAY, t.DEPENDENTSIZEDARRAY)
        begin, inner, sectioned = text, False, ""
        carriers: list[str] = []
        sections: list[tuple[str, str]] = []
        asked: list[str] = []  # what only the C++ compiler knows to be a pointer, an array, its length or a reference
        current = kind.get_canonical() if kind is not None else None
        leads = pointer  # whether the text is a pointer whose target has the type ``current``
        has_member = False
        if text == "this" and steps and isinstance(steps[0], Member):
            field = self.unit.fields(self.function).get(steps[0].name)
            current = self._known(field.type.get_canonical()) if field is not None else None
            if current is not None and current.kind in (t.LVALUEREFERENCE, t.RVALUEREFERENCE):
                raise error_at(locator.span, f"'{locator.text}' is a reference member, which cannot be mapped")
            begin, leads, has_member, steps = f"this->{steps[0].name}", False, True, steps[1:]
        for step in steps:
            if isinstance(step, Member):
                if sections:
                    raise error_at(locator.span, f"'{locator.text}': a member of an array section is not supported")
                if step.arrow and not leads and current is not None and current.kind == t.RECORD:
                    raise error_at(locator.span, f"'{locator.text}' calls an operator, and is no storage to map")
                if step.arrow and not leads and (current is None or current.kind == t.POINTER):
                    if has_member or inner:
                        carriers.append(begin)
                    else:
                        through = True
                    current = current.get_pointee().get_canonical() if current is not None else None
                begin = f"{begin}->{step.name}" if step.arrow else f"{begin}.{step.name}"
                if not self.references and self._is_reference(current, step.name):
                    raise error_at(locator.span, f"'{locator.text}' uses a reference member, which cannot be mapped")
                current = self._member(current, step.name)
                if not self.references and current is None:
                    asked.append(f"member<__decltype({begin})>")
                leads, has_member = False, True
                continue
            if not leads and current is not None and current.kind == t.RECORD:
                message = f"'{begin.removeprefix('this->')}' in '{locator.text}' is an object"
                remedy = "OpenMP 5.2, section 3.2.5: map a pointer to its elements instead"
                raise error_at(locator.span, f"{message}, neither a pointer nor an array", remedy)
            is_pointer = leads or (current is not None and current.kind == t.POINTER)
            if is_pointer and not leads and current is not None:
                target = current.get_pointee().get_canonical()
            elif leads:
                target = current
            elif current is not None and current.kind in arrays:
                target = current.element_type.get_canonical()
            else:
                target = None
            if is_pointer and not leads:
                if sections:
                    raise error_at(locator.span, f"'{locator.text}' is no contiguous array section")
                if has_member or inner:
                    carriers.append(begin)
                else:
                    through = True
            elif not is_pointer and current is None and has_member and not carriers:
                carriers.append(begin)  # of a dependent type: it is taken for a pointer
                asked.append(f"pointer<__decltype({begin})>")
            elif not is_pointer and (current is None or current.kind not in arrays):
                asked.append(f"base<__decltype({begin})>")
            if isinstance(step, Index):
                if sections:
                    raise error_at(locator.span, f"'{locator.text}' is no contiguous array section")
                begin = f"{begin}[{self._once(step.expr)}]"
                inner = True
            else:
                if sections and current is not None and current.kind == t.DEPENDENTSIZEDARRAY:
                    length = self._whole(locator, step, begin)
                    asked.append(f"whole<sizeof({begin}) == ({length}) * sizeof(*{begin})>")
                    sections.append(("0", length))
                else:
                    sections.append(self._section(locator, step, current, inner=bool(sections), leads=leads))
                sectioned = sectioned or begin
                begin = f"{begin}[{sections[-1][0]}]"
            current, leads = target, False
        whole = begin == text
        size: HostExpression = SizeOf(written(begin) if begin.isidentifier() else Written((begin,), frozenset(), COMMA))
        if text == "this" and whole:
            size = SizeOf("*this")
        for _, length in sections:
            size = Binary("*", Cast("rex_int64", written(length)), size)
        for needed in asked:
            size = Cast(f"typename rex_section_{needed}::size", size)
        note = RowNote(how, locator.text)
        *links, carrier = carriers or [""]
        return Item(
            root, through, carrier, begin, size, whole, flags, note, not sections, current,
            sections=tuple(sections), links=tuple(links), sectioned=sectioned,
            holds_pointers=current is not None and current.kind in (t.POINTER, t.RECORD),
        )  # fmt: skip

    def _section(self, locator: Locator, step: Section, current: Any, *, inner: bool, leads: bool) -> tuple[str, str]:
        """(the first element of a section, how many it has)"""
        t = self.unit.types
        count = current.element_count if current is not None and current.kind == t.CONSTANTARRAY else None
        if step.stride is not None and step.stride.text != "1":
            raise error_at(locator.span, f"'{locator.text}': a stride is not supported in C++")
        low = self._once(step.lower) if step.lower is not None else "0"
        if step.length is not None:
            length = self._once(step.length)
        elif count is not None and not leads:
            length = str(count) if low == "0" else f"{count} - ({low})"
        else:
            raise error_at(locator.span, f"'{locator.text}': the length of the section is missing")
        if inner and (low != "0" or count is None or reader_of(self.unit).constant(length, self.place) != count):
            what = f"'{locator.text}': an inner dimension must be whole, with constants or as [:]"
            raise error_at(locator.span, what)
        return low, length

    def _whole(self, locator: Locator, step: Section, array: str) -> str:
        """The length of a whole array whose type depends on a template's parameters. The C++ compiler compares them."""
        length = step.length.text if step.length is not None else f"sizeof({array}) / sizeof(*{array})"
        names = [name for _, name in identifiers_in(length)] if step.length is not None else []
        found = [self.unit.lookup(self.function, name, self.place) for name in names]
        varies = any(v is not None and not v.constant for v in found) or "(" in (length if step.length else "")
        if varies or (step.lower is not None and self._once(step.lower) != "0"):
            what = f"'{locator.text}': an inner dimension must be whole, with constants or as [:]"
            raise error_at(locator.span, what)
        return length

    def _known(self, kind: Any) -> Any:
        """A canonical type, or None if it is not known before templates are instantiated what kind it is."""
        t = self.unit.types
        certain = (t.POINTER, t.CONSTANTARRAY, t.INCOMPLETEARRAY, t.DEPENDENTSIZEDARRAY)
        return kind if kind.kind in certain or "type-parameter" not in kind.spelling else None

    def _member(self, record: Any, name: str) -> Any:
        """The type of a member of a record, or None if it is not known before templates are instantiated what it is."""
        kind = self._declared(record, name)
        if kind is not None and kind.kind in (self.unit.types.LVALUEREFERENCE, self.unit.types.RVALUEREFERENCE):
            kind = kind.get_pointee().get_canonical()
        return self._known(kind) if kind is not None else None

    def _is_reference(self, record: Any, name: str) -> bool:
        kind = self._declared(record, name)
        return kind is not None and kind.kind in (self.unit.types.LVALUEREFERENCE, self.unit.types.RVALUEREFERENCE)

    def _declared(self, record: Any, name: str) -> Any:
        """The canonical type with which a record, or one of its bases, declares a member, or None."""
        queue = [record.get_declaration()] if record is not None else []
        while queue:
            members, bases = self.unit.members_of(queue.pop(0))
            for child in members:
                if child.spelling == name:
                    return child.type.get_canonical()
            queue += bases
        return None


class Mapper(KernelRows):
    """Collects the rows of one construct. Those of a ``region`` supply the kernel's parameters."""

    def __init__(self, *, region: bool) -> None:
        super().__init__(str, may_carry=True)
        self.region = region

    def root(self, symbol: Variable, items: Sequence[Item], *, on_device: bool = False, attached: bool = False) -> None:
        """The rows of all items that begin with one variable. The first of them is for the kernel's parameter, which a
        variable that is ``on_device`` anyway has not. A pointer may be ``attached`` there to the storage behind it."""
        through = any(item.through for item in items)
        whole = Cast("void *", HostVariable(symbol.host)) if through else address(symbol.host)
        root, itself = MappedObject(), MappedObject()
        for item in items:
            is_pointer = through and not item.through
            _add_places(item, itself if is_pointer else root, address(symbol.host) if is_pointer else whole)
        first = len(self.rows)
        if attached and through:
            pointer = Place(address(symbol.host), SizeOf("void *"), True, 0, 8, 0, items[0].note)
            self.add_target(pointer, root, 0)
        else:
            parameter = MAP_TARGET_PARAM if self.region and not on_device else 0
            if itself.places:  # the region has the pointer, which leads to the storage behind it
                cell = Place(address(symbol.host), SizeOf("void *"), True, 0, 8, 0, items[0].note)
                own = [replace(place, offset=0, bytes=8) for place in itself.places]
                root = MappedObject(own, {(HostVariable(symbol.host), ()): (cell, root)})
                whole, itself = address(symbol.host), MappedObject()
            implied = {place.flags for place in root.places if place.flags & MAP_IMPLICIT}
            if len(implied) == 1 < len(root.places) and not root.cells and all(p.flags in implied for p in root.places):
                note = RowNote("implicit map", f"parts of {symbol.name}")
                row = hull(whole, root, implied.pop() | parameter, note, ())
                self.rows.append(adjusted(row, Adjustment.STAND_IN))
            else:
                self.add_object(whole, root, symbol.name, parameter, carries=not self.region)
            if parameter:
                self.supply(Role.VARIABLE, symbol=symbol, row=first)
        if itself.places:
            self.add_object(address(symbol.host), itself, symbol.name, 0)


def grouped(items: Sequence[Item]) -> dict[Variable, list[Item]]:
    """The items by the variable that they begin with, in order."""
    found: dict[Variable, list[Item]] = {}
    for item in items:
        found.setdefault(item.root, []).append(item)
    return found


def _size_of(text: str) -> HostExpression:
    return SizeOf(Written((text,), frozenset(), COMMA))


def _add_places(item: Item, obj: MappedObject, whole: HostExpression) -> None:
    """Add the storage of an item, and the pointers on the way to it, to the object with which the way begins, whose
    address is ``whole``."""
    for text in item.pointers:
        loops = _loops_of(item, text)
        cell = Place(address(text), _size_of(text), True, None, None, 0, item.note, loops)
        obj = obj.cells.setdefault((written(text), loops), (cell, MappedObject()))[1]
    begin = whole if item.whole else address(item.begin)
    loops = _loops_of(item, item.begin, *(text for section in item.sections for text in section))
    is_all = item.whole or item.sectioned == (item.carrier or item.root.host)
    constant = item.constant and not loops
    start, end = item.offset or (None, None)
    count = end - start if start is not None and end is not None else None
    obj.add(Place(begin, item.size, constant, start, count, item.flags, item.note, loops, item.holds_pointers, is_all))


def _loops_of(item: Item, *texts: str) -> tuple[RowLoop, ...]:
    return used_loops(item.loops, *map(written, texts)) if item.loops else ()


def update_rows(mapper: Mapper, items: Sequence[Item]) -> None:
    """The rows of ``target update``: storage alone, wherever it is on the device."""
    for item in items:
        begin = Cast("void *", HostVariable("this")) if item.whole and item.root.name == "this" else address(item.begin)
        row = MapRow(begin, begin, item.size, item.flags, item.note, constant_size=item.constant, loops=item.loops)
        mapper.rows.append(row)
