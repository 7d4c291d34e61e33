"""Prints the rows of map arrays, and the statements that build and change rows whose number only the run knows."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.comments import in_comment
from ..base.records import dataclass
from ..plan.host_expression import AddressOf, Binary, Cast, HostExpression, Number, Variable
from ..plan.rows import (
    MAP_ALWAYS,
    MAP_CLOSE,
    MAP_DELETE,
    MAP_FROM,
    MAP_IMPLICIT,
    MAP_LITERAL,
    MAP_OMPX_HOLD,
    MAP_PRESENT,
    MAP_PRIVATE,
    MAP_PTR_AND_OBJ,
    MAP_RETURN_PARAM,
    MAP_TARGET_PARAM,
    MAP_TO,
    MEMBER_OF_SHIFT,
    Adjustment,
    DataMapping,
    MapRow,
    RowLoop,
)
from .block_names import BlockNames, growing
from .locations import Location


@dataclass(frozen=True)
class RowText:
    """The texts of a row, as the arrays have them."""

    base: str
    pointer: str
    size: str
    flags: str
    note: str
    name: str


@dataclass(frozen=True)
class LiteralText:
    """The address of what a literal row carries, and its size in bytes."""

    address: str
    size: str


def rows_as_text(
    location: Location, names: BlockNames, rows: Sequence[MapRow]
) -> tuple[list[RowText], list[LiteralText]]:
    """(the rows as text, what the literal rows carry in order)"""
    texts: list[RowText] = []
    literals: list[LiteralText] = []
    for row in rows:
        base, pointer = str(row.base), str(row.pointer)
        if row.literal:
            base = pointer = names.literal(len(literals))
            literals.append(LiteralText(str(AddressOf(row.base)), str(row.size)))
        note, name = in_comment(str(row.note)), location.name(row.note.name)
        texts.append(RowText(base, pointer, size_text(row.size), _flags(row.flags), note, name))
    return texts, literals


def row_statements(
    names: BlockNames, mapping: DataMapping, rows: Sequence[RowText], change: int, guard: str = ""
) -> list[str]:
    """The statements that build the arrays row by row, or none if the arrays can be written down as they are.

    For ``change`` and ``guard`` see :func:`_adjustments`, which does what can be done after the loops.
    """
    if not mapping.is_dynamic:
        return []
    parents = {row.flags >> MEMBER_OF_SHIFT for row in mapping.rows}
    lines: list[str] = []
    open_loops: list[RowLoop] = []

    def enter(loops: Sequence[RowLoop]) -> None:
        same = 0
        while same < min(len(loops), len(open_loops)) and loops[same] == open_loops[same]:
            same += 1
        while len(open_loops) > same:
            open_loops.pop()
            lines.append("    " * len(open_loops) + "}")
        for loop in loops[same:]:
            lines.append("    " * len(open_loops) + _for(loop) + " {")
            open_loops.append(loop)

    for number, (row, text) in enumerate(zip(mapping.rows, rows, strict=True), 1):
        enter(row.loops)
        pad = "    " * len(row.loops)
        base, pointer, size = text.base, text.pointer, text.size
        if row.covers:
            extent = names.extent(number)
            lines.append(f"{pad}struct rex_extent {extent} = {{(char *){base}, 0}};")
            for cover in row.covers:
                heads = [f"{pad}{'    ' * depth}{_for(loop)}" for depth, loop in enumerate(cover.loops)]
                lines += heads
                call = f"rex_cover(&{extent}, {cover.pointer}, {size_text(cover.size)});"
                lines.append(f"{pad}{'    ' * len(cover.loops)}{call}")
            pointer, size = f"{extent}.rex_low", f"{extent}.rex_high ? {extent}.rex_high - {extent}.rex_low : 0"
        parent = row.flags >> MEMBER_OF_SHIFT
        flags = _flags(row.flags & ~(parent << MEMBER_OF_SHIFT))
        if parent:
            flags = f"rex_member_of({names.row(parent)}) | {flags}"
        call = f"rex_row(&{names.rows}, {base}, {pointer}, {size}, {flags}, {text.name}); /* {text.note} */"
        adjust = _adjust(names, mapping, number, names.row(number), change, growing(names.rows))
        keep = number in parents or row.flags & MAP_RETURN_PARAM or adjust
        lines.append(f"{pad}const rex_int64 {names.row(number)} = {call}" if keep else f"{pad}{call}")
        lines += [f"{pad}{guard}{statement}" for statement in adjust if row.loops]
    enter(())
    return lines


def adjusting_statements(
    names: BlockNames, mapping: DataMapping, change: int, arrays: Sequence[str], guard: str = ""
) -> list[str]:
    """The statements that change rows by what the device holds.

    ``change`` is what the construct adds to reference counts. ``arrays`` are the names of the arrays of bases,
    addresses, sizes and types. ``guard`` is the condition under which the construct does anything.
    """
    return [
        guard + statement
        for number, row in enumerate(mapping.rows, 1)
        if not row.loops
        for statement in _adjust(names, mapping, number, _row_number(names, mapping, number), change, arrays)
    ]


def _adjust(
    names: BlockNames, mapping: DataMapping, row_number: int, number: str, change: int, arrays: Sequence[str]
) -> list[str]:
    """The statements that change one row. ``number`` is the text of its number."""
    row = mapping.rows[row_number - 1]
    base, *others = arrays
    rest = ", ".join(others)
    device, at = names.device_id, f"&{names.location}"
    wanted, begins = row.adjustments, change >= 0
    lines = [f"rex_carry({at}, {device}, {change}, {number}, {rest});"] if Adjustment.CARRY in wanted else []
    if Adjustment.ATTACH in wanted and begins:
        lines.append(f"rex_attach({device}, {row.attach}, {number}, {base}, {rest});")
    if Adjustment.REFRESH in wanted and begins:
        lines.append(f"rex_refresh({at}, {device}, {number}, {rest});")
    if Adjustment.EXTEND in wanted and begins:
        lines.append(f"rex_extend({at}, {device}, {number}, {', '.join(arrays[1:3])});")
    if Adjustment.STAND_IN in wanted:
        copy = names.stand_in(row_number)
        count = f"{names.rows}.rex_count" if mapping.is_dynamic else len(mapping.rows)
        lines.append(f"char *{copy} = rex_stand_in({device}, {number}, {count}, {', '.join(arrays)});")
    return lines


def _for(loop: RowLoop) -> str:
    name, step = Variable(loop.name), loop.step.value
    upward, downward = Binary("<", name, loop.end), Binary(">", name, loop.end)
    more = str(upward if step is None or step > 0 else downward)
    if step is None:
        more = f"{Binary('>', loop.step, Number(0))} ? {upward} : {downward}"
    return f"for ({loop.type} {loop.name} = {loop.begin}; {more}; {loop.name} += {loop.step})"


def size_text(size: HostExpression) -> str:
    return str(size if isinstance(size, Number) else Cast("rex_int64", size))


_FLAG_NAMES = {
    MAP_TO | MAP_FROM: "TOFROM",
    MAP_TO: "TO",
    MAP_FROM: "FROM",
    MAP_ALWAYS: "ALWAYS",
    MAP_DELETE: "DELETE",
    MAP_PTR_AND_OBJ: "PTR_AND_OBJ",
    MAP_TARGET_PARAM: "TARGET_PARAM",
    MAP_RETURN_PARAM: "RETURN_PARAM",
    MAP_PRIVATE: "PRIVATE",
    MAP_LITERAL: "LITERAL",
    MAP_IMPLICIT: "IMPLICIT",
    MAP_CLOSE: "CLOSE",
    MAP_PRESENT: "PRESENT",
    MAP_OMPX_HOLD: "OMPX_HOLD",
}


def _flags(flags: int) -> str:
    """A row's flags, by their names in rex_kmp.h."""
    parent = flags >> MEMBER_OF_SHIFT
    left = flags & ~(parent << MEMBER_OF_SHIFT)
    words = [f"MEMBER_OF({parent})"] if parent else []
    for bits, name in _FLAG_NAMES.items():
        if left & bits == bits:
            words.append(name)
            left &= ~bits
    assert not left, f"map flags {left:#x} have no name"
    return " | ".join(f"REX_MAP_{word}" for word in words or ["ALLOC"])


def index_of_row(names: BlockNames, mapping: DataMapping, row: int) -> str:
    """The index of a row in the arrays."""
    return f"{names.row(row + 1)} - 1" if mapping.is_dynamic else str(row)


def _row_number(names: BlockNames, mapping: DataMapping, number: int) -> str:
    return names.row(number) if mapping.is_dynamic else str(number)
