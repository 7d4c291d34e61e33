"""Prints loops that every thread runs by itself over rows that its warp moves together (see include/rex_rows.h)."""

from __future__ import annotations

from ..base.indent import indent
from ..plan.code import Code
from ..plan.optimised import StagedLoop
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


def _indented(lines: str, pad: str) -> str:
    return "".join(f"{pad}{line}\n" for line in lines.split("\n"))
