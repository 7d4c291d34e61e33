"""Prints lines that tell the check device of tasks in device code. On other devices, where tasks run at once, they do
nothing.
"""

from __future__ import annotations

from ..plan.constructs import Dependence, DeviceConstruct
from ..plan.printer import Printer

GROUP = "REX_TASKGROUP();\n"


def task_line(construct: DeviceConstruct, printer: Printer) -> str:
    """The line that makes the rest of a block a task."""
    deferred = printer.argument(construct.condition) if construct.condition is not None else "true"
    return f"REX_TASK({', '.join([deferred, *_dependences(construct, printer)])});\n"


def wait_line(construct: DeviceConstruct, printer: Printer) -> str:
    """The line that waits for the tasks that a task has made."""
    return f"REX_TASKWAIT({', '.join(_dependences(construct, printer))});\n"


def _dependences(construct: DeviceConstruct, printer: Printer) -> list[str]:
    return [_dependence(item, printer) for item in construct.depends]


def _dependence(item: Dependence, printer: Printer) -> str:
    if item.kind == "on_all":
        return "REX_DEPENDS_ON_ALL"
    indices = [printer.expression(step) for step in item.steps if not isinstance(step, str)]
    if item.variable is None:  # all that is asked is whether two of them are the same
        name = f'"{item.name}"'
        return f"REX_NAME_{item.kind.upper()}({', '.join([name, *indices])})"
    text = printer.symbol_text(item.variable)
    for step in item.steps:
        if not isinstance(step, str):
            text += f"[{printer.expression(step)}]"
        elif step.startswith("["):
            text += step
        else:
            operator = "->" if step.startswith("->") else "."
            text += operator + printer.member_name(step.removeprefix(operator))
    return f"REX_DEPENDS_{item.kind.upper()}({text})"
