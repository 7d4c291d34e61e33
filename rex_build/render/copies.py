"""Makes private copies of variables, and blocks in which the user's code refers to them by the user's names.

Before and after such a block, generated code names the originals. In the block, the user's names mean the copies::

    double sum__rex_partial = 0;
    {
        auto &sum = sum__rex_partial;
        sum += x[i];
    }
    rex_reduce_team<rex_add>(&sum, sum__rex_partial);

If the original has another name in generated code, as at the start of a kernel, the copy has the user's name from its
declaration on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from ..base.diagnostics import InternalError
from ..base.names import identifiers, indent
from ..base.records import dataclass, field
from ..plan.constructs import Atomic, Code, Entity, Escaping, LoopNest, Reduction, Sharing, Type, TypeFacts
from ..plan.printer import Printer, on_heap
from .lines import string_literal


@dataclass(frozen=True)
class Copies:
    """The private copies that one construct makes.

    ``declarations`` are lines for the place where the user's names still mean the originals. ``bindings`` are the names
    to bind at the start of the block with the user's code, and their meanings. ``places`` has the names of copies
    outside of that block. ``unset`` are those of the bound copies that have no value there. ``printer`` prints the
    user's code.
    """

    printer: Printer
    declarations: str = ""
    bindings: Mapping[Entity, str] = field(default_factory=dict)
    places: Mapping[Entity, str] = field(default_factory=dict)
    unset: Collection[Entity] = ()

    def place(self, symbol: Entity) -> str:
        """The name, outside of the block, of a variable's copy, or of the variable if it has none."""
        return self.places.get(symbol) or self.printer.symbol_text(symbol)

    def outside(self) -> Printer:
        """A printer for code outside of the block that uses the copies."""
        return self.printer.with_names(self.places)


def address(text: str) -> str:
    """``&x``, simplified to ``p`` if the text is ``(*p)``."""
    if text.startswith("(*") and text.endswith(")") and text[2:-1].isidentifier():
        return text[2:-1]
    return f"&{text}"


def unqualified(pointer: str, kind: TypeFacts) -> str:
    """A pointer to an object of this kind for functions of the device library."""
    return f"rex_unqualified({pointer})" if kind.is_special else pointer


def plain_object(text: str, kind: TypeFacts) -> str:
    """An object of this kind in a form that C++ can copy. It cannot copy volatile structures."""
    return f"*{unqualified(address(text), kind)}" if kind.is_volatile_record and not kind.is_array else text


def copied(symbol: Entity, outer: Printer, place: str) -> str:
    """The statement that gives the original the value of a private copy."""
    original, kind = outer.symbol_text(symbol), outer.facts(symbol.type)
    if kind.is_array:
        return f"memcpy({unqualified(original, kind)}, {place}, sizeof({place}));\n"
    return f"{plain_object(original, kind)} = {place};\n"


# -- blocks -----------------------------------------------------------------------------------------------------------


def user_block(copies: Copies, body: Code, depth: int, before: str = "", after: str = "", braces: bool = False) -> str:
    """The lines ``before``, the user's statement with its names bound, and the lines ``after``.

    The other lines do not see what the statement declares, and their declarations do not conflict with it. With
    ``braces``, a compound statement always has braces of its own.
    """
    pad, bindings = indent(depth), copies.bindings
    bound = {copies.printer.name_of(symbol) for symbol in bindings}
    if bindings and (after or braces or not bound.isdisjoint(identifiers(before))):
        return f"{before}{pad}{{\n{user_block(copies, body, depth + 1)}{pad}}}\n{after}"
    printer, bindings = copies.printer, {s: _valued(copies, s, place) for s, place in bindings.items()}
    lines = f"{before}{_bound(bindings, printer, pad)}{after}"
    braces = braces or not printer.declared_names(body).isdisjoint(identifiers(lines))
    text, printed = recorded(
        printer, lambda: printer.statement(body, depth) if braces else printer.statements(body, depth), bindings
    )
    used = {symbol: place for symbol, place in bindings.items() if symbol in printed}
    return f"{before}{_bound(used, printer, pad)}{text}{after}"


def _valued(copies: Copies, symbol: Entity, place: str) -> str:
    """The place of a copy, of which the check device is told that it has no value."""
    return f"REX_UNSET({place}, {string_literal(symbol.name)})" if symbol in copies.unset else place


def closure_block(printer: Printer, body: Code, depth: int, render: Callable[[Printer, int], str]) -> str:
    """The text that ``render`` prints for a depth, as the inside of a closure.

    A closure copies the objects of references from outside. So it binds the references that it uses again.
    """
    pad, bindings = indent(depth), printer.around.places
    braces = not printer.declared_names(body).isdisjoint(printer.name_of(s) for s in bindings)
    text, printed = recorded(printer, lambda: render(printer, depth + braces), bindings)
    text = f"{pad}{{\n{text}{pad}}}\n" if braces else text
    return _bound({s: place for s, place in bindings.items() if s in printed}, printer, pad) + text


def recorded(printer: Printer, render: Callable[[], str], bound: Mapping[Entity, str]) -> tuple[str, set[Entity]]:
    """(the text, the symbols printed in it). Outside of it, symbols that are ``bound`` in front of it do not count."""
    found = printer.printed
    outside = set(found)
    found.clear()
    text = render()
    inside = set(found)
    found.clear()
    found.update(outside, inside.difference(bound))
    return text, inside


def _bound(bindings: Mapping[Entity, str], printer: Printer, pad: str) -> str:
    return "".join(pad + reference(printer.name_of(symbol), place) for symbol, place in bindings.items())


def reference(name: str, place: str) -> str:
    """The line that binds a name to an object."""
    return f"auto &{name} = {place[1:-1] if place.startswith('(*') else place};\n"


# -- copies -----------------------------------------------------------------------------------------------------------


class CopyMaker:
    """Makes the private copies of one construct.

    With ``in_team``, variables that the threads of a team share are declared shared, which is not needed inside of
    parallel regions. ``hidden`` are variables without a name that is valid in the whole block.
    """

    def __init__(
        self,
        sharing: Sharing,
        printer: Printer,
        escaping: Escaping,
        depth: int,
        in_team: bool,
        hidden: frozenset[Entity] = frozenset(),
    ) -> None:
        self._sharing = sharing
        self._printer = printer
        self._escaping = escaping
        self._pad = indent(depth)
        self._in_team = in_team
        self._hidden = hidden
        self._alignments = dict(sharing.alignments)
        self._lines: list[str] = []
        self._names: dict[Entity, str] = {}
        self._bindings: dict[Entity, str] = {}
        self._places: dict[Entity, str] = {}
        self._referred: dict[Entity, str] = {}  # the bindings that closures have to make again
        self._unset: dict[Entity, None] = {}

    def copies(self, nest: LoopNest | None = None) -> Copies:
        """The copies. ``nest``'s loop variables are among them only if other threads may reach them."""
        sharing, printer = self._sharing, self._printer
        loop_variables = {lv.symbol for lv in nest.levels} if nest is not None else set()
        for level in nest.levels if nest is not None else ():
            if level.symbol in self._escaping.copies:
                self._declare(level.symbol, "private", kind=level.type)
        for symbol in sharing.private:
            if symbol not in loop_variables:
                self._declare(symbol, "private")
                own = printer.facts(symbol.type)
                if symbol in self._bindings and symbol not in self._referred and not (own.is_flat or own.is_sizeless):
                    self._unset[symbol] = None
        for symbol in sharing.firstprivate:
            if symbol not in loop_variables:
                self._first_private(symbol)
        for symbol in sharing.lastprivate:
            if symbol not in loop_variables and symbol not in sharing.firstprivate:
                self._declare(symbol, "private")
        for reduction in sharing.reductions:
            self._partial(reduction)
        around = {s: place for s, place in printer.around.places.items() if s not in self._places}
        inner = printer.with_names(self._names, places={**around, **self._referred})
        return Copies(inner, "".join(self._lines), self._bindings, self._places, self._unset)

    def _line(self, text: str) -> None:
        self._lines.append(f"{self._pad}{text};\n")

    def _named(self, symbol: Entity, suffix: str) -> tuple[str, bool]:
        """(the name with which to declare a copy, whether the user's code has another name for it)"""
        printer = self._printer
        own, is_hidden = printer.own_name(symbol), self._is_hidden(symbol)
        if printer.name_of(symbol) != own and not is_hidden:
            return own, False
        return f"{own}__rex_{suffix}", not is_hidden

    def _is_hidden(self, symbol: Entity) -> bool:
        return symbol in self._hidden or self._printer.name_of(symbol).startswith("::")

    def _set(self, symbol: Entity, place: str, is_bound: bool, is_referred: bool = False) -> None:
        """Note the name of a copy outside of the block. With ``is_referred``, closures refer to it and copy nothing."""
        self._places[symbol] = place
        self._names[symbol] = self._printer.own_name(symbol) if is_bound else place
        if is_bound:
            self._bindings[symbol] = place
            if is_referred:
                self._referred[symbol] = place

    def _declare(self, symbol: Entity, suffix: str, init: str = "", kind: Type | None = None) -> str:
        """Declare a copy, by default of the variable's own type. Returns its name outside of the block."""
        printer = self._printer
        name, is_bound = self._named(symbol, suffix)
        own = printer.facts(symbol.type)
        if kind is None and own.is_array and own.is_flat:
            self._declare_array(symbol, name)
            self._set(symbol, name, is_bound)
            return name
        kind = kind if kind is not None else printer.assignable(symbol.type)
        in_team = self._in_team and symbol in printer.around.team_memory.shared
        escapes = not in_team and symbol in self._escaping.copies
        if escapes or (in_team and symbol in printer.around.team_memory.heap):
            name = f"{printer.own_name(symbol)}__rex_{suffix}"
            alignment = self._alignments.get(symbol) or printer.facts(kind).alignment
            for line in printer.heap_object(kind, name, alignment):
                self._line(line)
            self._set(symbol, on_heap(name), not self._is_hidden(symbol), is_referred=True)
            if init:
                self._line(f"{on_heap(name)} = {init}")
            return on_heap(name)
        text = printer.copy(kind, name)
        if symbol in self._alignments:
            text = f"alignas({self._alignments[symbol]}) {text}"
        init = "" if own.is_sizeless else init
        if in_team:
            self._line(f"REX_TEAM_SHARED {text}")
            if init:
                self._line(f"{name} = {init}")
        else:
            self._line(f"{text} = {init}" if init else text)
        self._set(symbol, name, is_bound, in_team)
        return name

    def _declare_array(self, symbol: Entity, name: str) -> None:
        """Declare the storage for the private copy of a variable-length array."""
        printer = self._printer
        self._declare_storage(name, printer.element(symbol.type), _size(symbol, printer), symbol)

    def _declare_storage(self, name: str, kind: str, count: str, symbol: Entity | None = None) -> None:
        alignment = self._alignments.get(symbol) if symbol is not None else None
        self._line(f"rex_local_array<{kind}> {name}__rex_storage({count}{f', {alignment}' if alignment else ''})")
        self._line(f"{kind} *{name} = {name}__rex_storage.elements")

    def _value(self, symbol: Entity) -> str:
        kind = self._printer.facts(symbol.type)
        text = plain_object(self._printer.symbol_text(symbol), kind)
        return f"rex_copied({text})" if kind.is_ragged else text

    def _first_private(self, symbol: Entity) -> None:
        kind = self._printer.facts(symbol.type)
        if not kind.is_array:
            self._declare(symbol, "private", self._value(symbol))
            return
        original = self._printer.symbol_text(symbol)
        name = self._declare(symbol, "private")
        if kind.is_sizeless:
            return
        size = f"{name}__rex_storage.size" if kind.is_flat else f"sizeof({name})"
        self._line(f"memcpy({name}, {unqualified(original, kind)}, {size})")

    def _partial(self, reduction: Reduction) -> None:
        """Declare a reduction's private copy with its first value."""
        printer, symbol = self._printer, reduction.symbol
        kind = printer.declaration(reduction.type)
        if not reduction.count and reduction.functions is None:
            self._declare(symbol, "partial", f"rex_identity<{reduction.operator}, {kind}>()")
            return
        if symbol in printer.around.team_arrays:
            self._team_array(reduction, printer.around.team_arrays[symbol])
            return
        original = printer.symbol_text(symbol)
        count = str(reduction.count)
        if reduction.is_variable:
            name, is_bound = self._named(symbol, "partial")
            count = count_name(symbol, printer)
            self._line(f"const long {count} = {_element_count(reduction, printer)}")
            self._declare_storage(name, kind, count)
            self._set(symbol, name, is_bound)
        else:
            is_part = reduction.section is not None or reduction.is_section
            whole = printer.array(reduction.type, reduction.count) if is_part else None
            name = self._declare(symbol, "partial", kind=whole)
        one, loop = name, ""
        if reduction.count:
            start = unqualified(name, printer.facts(symbol.type))
            one = f"reinterpret_cast<{printer.pointer(reduction.type)}>({start})[__rex_i]"
            loop = f"for (long __rex_i = 0; __rex_i < {count}; ++__rex_i)\n{self._pad}    "
        if reduction.functions is not None:
            first, own = f"&{one}", printer.facts(symbol.type)
            other = first if reduction.count else unqualified(address(original), own)
            if reduction.count and reduction.reads_original:
                start = printer.argument(reduction.section) if reduction.section is not None else "0"
                rows = f" * {reduction.row_length}L" if reduction.row_length > 1 else ""
                all_ = f"reinterpret_cast<{printer.pointer(reduction.type)}>({unqualified(original, own)})"
                other = f"&{all_}[({start}){rows} + __rex_i]"
            combine, initialise = map(printer.symbol_text, reduction.functions)
            call = f"REX_FROM_ORIGINAL({initialise}, {combine}, " if reduction.reads_original else f"{initialise}("
            self._line(f"{loop}{call}{first}, {other})")
        else:
            self._line(f"{loop}{one} = rex_identity<{reduction.operator}, {kind}>()")
        is_part = reduction.is_section or reduction.is_variable
        if reduction.section is not None or (reduction.row != reduction.type and is_part):
            first = printer.argument(reduction.section) if reduction.section is not None else "0"
            self._index_from(first, reduction, name)

    def _team_array(self, reduction: Reduction, room: int) -> None:
        """Declare the copy of a reduced array that the threads of a team share, with its first values."""
        printer, symbol = self._printer, reduction.symbol
        name, _ = self._named(symbol, "partial")
        kind, count = printer.declaration(reduction.type), str(reduction.count)
        macro = "REX_TEAM_ARRAY"
        if reduction.is_variable:
            macro, count = f"{macro}_OF_RUN", count_name(symbol, printer)
            self._line(f"const long {count} = {_element_count(reduction, printer)}")
        pointer = printer.pointer(reduction.type)
        whole = unqualified(printer.symbol_text(symbol), printer.facts(symbol.type))
        original = f"reinterpret_cast<{pointer}>({whole})"
        first = printer.argument(reduction.section) if reduction.section is not None else "0"
        if reduction.section is not None:
            original += f" + ({first})" + (f" * {reduction.row_length}L" if reduction.row_length > 1 else "")
        self._line(f"{macro}({kind}, {name}, {count}, {room}, {original})")
        self._line(f"rex_begin_team_array<{reduction.operator}>({name}, {count}, {room})")
        self._index_from(first, reduction, name)

    def _index_from(self, first: str, reduction: Reduction, name: str) -> None:
        """Give the first element of a reduced section the index that it has in the original."""
        printer, row = self._printer, reduction.row
        cast = f"reinterpret_cast<{printer.pointer(row)}>({name})"
        start = name if row == reduction.type else cast
        indexed = f"{printer.own_name(reduction.symbol)}__rex_section"
        self._line(f"{printer.pointer(row, indexed)} = rex_indexed_from({start}, {first})")
        self._set(reduction.symbol, indexed, not self._is_hidden(reduction.symbol))


def count_name(symbol: Entity, printer: Printer) -> str:
    """The variable with the number of elements of a reduction's private copy."""
    return f"{printer.own_name(symbol)}__rex_count"


def _element_count(reduction: Reduction, printer: Printer) -> str:
    """The number of reduced elements of an array whose length only the run knows."""
    if reduction.length is None:
        return _size(reduction.symbol, printer)
    length = printer.argument(reduction.length)
    return length if reduction.count == 1 else f"({length}) * {reduction.count}L"


def _size(symbol: Entity, printer: Printer) -> str:
    """The number of elements of a variable-length array."""
    count = printer.flat_length(symbol)
    if count is None:
        raise InternalError(f"the size of '{symbol.name}' is not known")
    return count


# Prints atomic constructs as calls of the device library.

def atomic_lines(atomic: Atomic, printer: Printer, depth: int) -> str:
    pad = indent(depth)
    if atomic.operation != "compare":
        return f"{pad}{_atomic(atomic, printer)};\n"
    assert atomic.desired is not None
    kind = printer.type(atomic.location)
    operands = f"{_operand(atomic, printer)}, {printer.converted(atomic.desired, kind)}"
    call = f"rex_atomic_compare({_place(atomic, printer)}, {operands})"
    if atomic.captured is None and atomic.outcome is None:
        return f"{pad}{call};\n"
    text = f"{pad}{{\n{pad}    const auto __rex_seen = {call};\n"
    if atomic.outcome is not None:
        text += f"{pad}    {printer.assigned(atomic.outcome, '__rex_seen.equal', None)};\n"
    if atomic.captured is not None:
        test = "if (!__rex_seen.equal) " if atomic.on_failure else ""
        value = "after" if atomic.captures_new else "before"
        text += f"{pad}    {test}{printer.assigned(atomic.captured, f'__rex_seen.{value}', kind)};\n"
    return f"{text}{pad}}}\n"


def team_update_line(atomic: Atomic, printer: Printer, depth: int) -> str:
    """The statement that updates an element of a reduced array of which the threads of a team share a copy."""
    operands = f"{_location(atomic, printer)}, {_operand(atomic, printer)}"
    return f"{indent(depth)}rex_team_update<{atomic.operator}>({operands});\n"


def _location(atomic: Atomic, printer: Printer) -> str:
    text = printer.expression(atomic.location)
    x = address(text)
    return unqualified(x if x.isidentifier() else f"&({text})", printer.facts(printer.type(atomic.location)))


def _place(atomic: Atomic, printer: Printer) -> str:
    """The address of the location. With an order other than relaxed, fences around the access come with it."""
    x = _location(atomic, printer)
    if not atomic.ordered:
        return x
    access = atomic.operation if atomic.operation in ("read", "write") else "update"
    return f"rex_ordered_{access}({x}).place"


def _operand(atomic: Atomic, printer: Printer) -> str:
    """The operand. One that is stored, or compared with a pointer, is converted to the location's type.

    Others are not, because ``x *= 1.5`` multiplies in double also if x is an int.
    """
    if atomic.operand is None:
        return "1"
    kind = printer.type(atomic.location)
    compares = atomic.operation == "compare" or atomic.operator in ("rex_min", "rex_max")
    if atomic.operation in ("write", "exchange") or (compares and printer.facts(kind).is_pointer):
        return printer.converted(atomic.operand, kind)
    return printer.argument(atomic.operand)


def _atomic(atomic: Atomic, printer: Printer) -> str:
    x = _place(atomic, printer)
    if atomic.operation == "read":
        call = f"rex_atomic_read({x})"
    elif atomic.operation in ("write", "exchange"):
        call = f"rex_atomic_{atomic.operation}({x}, {_operand(atomic, printer)})"
    else:
        name = "rex_atomic_update" + ("_reversed" if atomic.reversed else "") + ("_new" if atomic.captures_new else "")
        call = f"{name}<{atomic.operator}>({x}, {_operand(atomic, printer)})"
    return call if atomic.captured is None else printer.assigned(atomic.captured, call, printer.type(atomic.location))
