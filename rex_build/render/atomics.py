"""Prints atomic constructs as calls of the device library."""

from __future__ import annotations

from ..base.indent import indent
from ..plan.constructs import Atomic
from ..plan.printer import Printer
from .copies import address, unqualified


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
