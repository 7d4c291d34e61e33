"""A C++ unit as C: its functions that concern devices, and what they call."""

from __future__ import annotations

from collections.abc import Iterable

from ..functions import Function
from .names import Names
from .statements import Body
from .text import CannotWriteError, Text

_MOST_FUNCTIONS = 200  # of a unit that are looked at


def written(names: Names, roots: Iterable[Function]) -> tuple[str, Text]:
    """(declarations of the system's functions, the rest)."""
    unit, reader = names.unit, names.reader
    for root in roots:
        if not root.is_template:
            names.queue.append(reader.function(root.cursor))
    bodies: dict[str, tuple[str, Text]] = {}
    seen: set[object] = set()
    while names.queue and len(bodies) < _MOST_FUNCTIONS:
        key = names.queue.pop(0)
        if key in seen:
            continue
        seen.add(key)
        function, record = key if isinstance(key, tuple) else (key, None)
        body = names.body(function, record)
        if body is None:
            continue
        start = unit.extent(reader.symbols.cursors[function].get_definition())[0]
        try:
            name = names.name_of(function, record)
            text = Body(names, body, record).function()
            bodies[name] = names.foreign[name], Text(text, place=start)
        except CannotWriteError:
            continue
    heads = [f"{head};\n" for head in names.foreign.values()]
    whole = Text(
        *names.types.definitions, *names.types.mappers(), *(declaration for declaration, _ in names.globals.values()),
        *heads, *(text for _, text in bodies.values()),
    )  # fmt: skip
    return "".join(f"extern {head};\n" for head in names.library.values()), whole

