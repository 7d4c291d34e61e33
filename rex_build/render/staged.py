"""Prints loops that threads run together: those over rows that a warp moves (see include/cuda/rex_rows.h), and those
that a block shares out (see include/rex_block.h)."""

from __future__ import annotations

from ..base.indent import indent
from ..plan.code import Code
from ..plan.optimised import BlockLoop, StagedLoop
from ..plan.printer import Printer
from .lines import listed

ROWS = "__rex_rows"  # the warp's iterations and their stages


def staged_loop(loop: StagedLoop, printer: Printer, depth: int) -> str:
    """The call that runs a staged loop: the body is a closure, and the elements of rows are its parameters."""
    head, pad = loop.head, indent(depth + 1)
    name = printer.own_name(head.symbol)
    inner = printer.with_names({head.symbol: name})
    variable = printer.declaration(head.type, name)
    text = f"{pad}const long long __rex_trips = {printer.trip_count(head)};\n"
    text += f"{pad}{variable} = {printer.iteration_value(head, '0')};\n"
    parameters, rows, replaced = ["const long long __rex_k"], [], {}
    for number, row in enumerate(loop.rows, 1):
        element = f"{row.symbol.name.replace('.', '_')}__rex_row_{number}"
        kind = printer.declaration(row.type)
        const, way = ("", "written") if row.written else ("const ", "read")
        parameters.append(f"{const}{kind} &{element}")
        rows.append(f"rex_{way}_row<{kind}>{{__rex_trips > 0 ? &{inner.expression(row.element)} : nullptr}}")
        replaced.update(dict.fromkeys(row.uses, element))
    everything: dict[Code, str] = {**printer.around.replaced, **replaced}
    body = inner.with_names({}, replaced=everything).statement(loop.body, depth + 2)
    function = "rex_apart_rows_loop" if loop.apart else "rex_rows_loop"
    text += _indented(listed(f"{function}({ROWS}, __rex_trips, [&](", parameters, ") {"), pad)
    text += f"{indent(depth + 2)}{variable} = {printer.iteration_value(head, '__rex_k')};\n{body}"
    return f"{indent(depth)}{{\n{text}{_indented(listed('}, ', rows, ');'), pad)}{indent(depth)}}}\n"


def block_loop(loop: BlockLoop, printer: Printer, depth: int) -> str:
    """The call that shares a loop out: an iteration is a closure, and the variables that it combines with values are
    its parameters. Another closure computes these values first, if iterations read such variables."""
    head, pad, inside = loop.head, indent(depth + 1), indent(depth + 2)
    name = printer.own_name(head.symbol)
    variable = printer.declaration(head.type, name)

    def closure(body: Code, suffix: str) -> tuple[list[str], str]:
        names = {one.symbol: f"{one.symbol.name}__rex_{suffix}" for one in loop.carried}
        inner = printer.with_names({head.symbol: name, **names})
        parameters = ["const long long __rex_k", *(f"auto &{one}" for one in names.values())]
        first = f"{inside}{variable} = {printer.iteration_value(head, '__rex_k')};\n"
        return parameters, first + inner.statement(body, depth + 2)

    text = f"{pad}const long long __rex_trips = {printer.trip_count(head)};\n"
    carried, last = [], ""
    for one in loop.carried:
        place = printer.symbol_text(one.symbol)
        if one.shared:  # every thread has a copy, and the first one leaves the value behind
            copy = f"{one.symbol.name}__rex_copy"
            text += f"{pad}{printer.declaration(one.type, copy)} = {place};\n"
            last += f"{pad}    {place} = {copy};\n"
            place = copy
        carried.append(f"rex_carried<{one.operator}, {printer.declaration(one.type)}>{{{place}}}")
    parameters, body = closure(loop.body, "part" if loop.ahead is None else "own")
    if loop.ahead is not None:
        more, ahead = closure(loop.ahead, "part")
        text += _indented(listed("rex_block_scan(__rex_trips, [&](", more, ") {"), pad) + ahead
        text += _indented(listed("}, [&](", parameters, ") {"), pad) + body
    else:
        text += _indented(listed("rex_block_loop(__rex_trips, [&](", parameters, ") {"), pad) + body
    text += _indented(listed("}, ", carried, ");") if carried else "});", pad)
    text += f"{pad}if (rex_team_first()) {{\n{last}{pad}}}\n" if last else ""
    if not head.declared:
        text += f"{pad}{printer.symbol_text(head.symbol)} = {printer.iteration_value(head, '__rex_trips')};\n"
    return f"{indent(depth)}{{\n{text}{indent(depth)}}}\n"


def _indented(lines: str, pad: str) -> str:
    return "".join(f"{pad}{line}\n" for line in lines.split("\n"))
