"""Prints atomic constructs as calls of the device library."""

from __future__ import annotations

from ..plan.constructs import Atomic
from ..plan.printer import Printer
from .copies import PAD, address, unqualified


def atomic_lines(atomic: Atomic, printer: Printer, depth: int) -> str:
    pad = PAD * depth
    fence = f"{pad}rex_fence();\n" if atomic.ordered else ""
    if atomic.operation != "compare":
        return f"{fence}{pad}{_atomic(atomic, printer)};\n{fence}"
    assert atomic.operand is not None
    assert atomic.desired is not None
    operands = ", ".join(printer.expression(n) for n in (atomic.operand, atomic.desired))
    call = f"rex_atomic_compare({_location(atomic, printer)}, {operands})"
    if atomic.captured is None and atomic.outcome is None:
        return f"{fence}{pad}{call};\n{fence}"
    text = f"{pad}{{\n{pad}    const auto __rex_seen = {call};\n"
    if atomic.outcome is not None:
        text += f"{pad}    {printer.assigned(atomic.outcome, '__rex_seen.equal')};\n"
    if atomic.captured is not None:
        test = "if (!__rex_seen.equal) " if atomic.on_failure else ""
        value = "after" if atomic.captures_new else "before"
        text += f"{pad}    {test}{printer.assigned(atomic.captured, f'__rex_seen.{value}')};\n"
    return f"{fence}{text}{pad}}}\n{fence}"


def _location(atomic: Atomic, printer: Printer) -> str:
    text = printer.expression(atomic.location)
    x = address(text)
    return unqualified(x if x.isidentifier() else f"&({text})", printer.facts(printer.type(atomic.location)))


def _atomic(atomic: Atomic, printer: Printer) -> str:
    x = _location(atomic, printer)
    value = printer.expression(atomic.operand) if atomic.operand is not None else "1"
    if atomic.operation == "read":
        call = f"rex_atomic_read({x})"
    elif atomic.operation == "write":
        call = f"rex_atomic_write({x}, {value})"
    elif atomic.operation == "exchange":
        call = f"rex_atomic_exchange({x}, {value})"
    else:
        name = "rex_atomic_update" + ("_reversed" if atomic.reversed else "") + ("_new" if atomic.captures_new else "")
        call = f"{name}<{atomic.operator}>({x}, {value})"
    return printer.assigned(atomic.captured, call) if atomic.captured is not None else call
