"""The structures in device code that stand for the closures of the user's lambda expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..base.diagnostics import error_at
from ..base.indent import PAD
from ..base.line_directives import OWN_LINES
from ..c.source.tokens import statement_end
from .closures import Closure
from .code import Variable, declare
from .printer import CxxPrinter, TextEdit, user_lines
from .templates import Surroundings
from .unit import Unit


def closure_texts(unit: Unit, closure: Closure, printer: CxxPrinter) -> Iterator[tuple[int, str]]:
    """The structure, with the offset in front of which it stands. In a class, it is declared there."""
    function = closure.function
    if not function.is_member:
        yield function.start, _structure(unit, closure, printer, closure.name)
        return
    around = Surroundings(unit, function)
    if around.is_in_class:
        yield around.class_end, f"public:\n{_structure(unit, closure, printer, closure.name)}"
        return
    yield around.class_end, f"public:\nstruct {closure.name};\n"
    yield function.start, _structure(unit, closure, printer, f"{around.qualifier}{closure.name}")


def closure_names(unit: Unit, closure: Closure) -> list[str]:
    """What gives a structure in a namespace or a class its name everywhere."""
    around = Surroundings(unit, closure.function)
    scope = f"{around.class_name}::" if closure.function.is_member else around.scope
    return [f"using {closure.name} = {scope}{closure.name};\n"] if scope != "::" else []


def _structure(unit: Unit, closure: Closure, printer: CxxPrinter, name: str) -> str:
    """For example ``struct rex_closure_12_8 { double *x; auto operator()(int i) const { ... } };``."""
    line = unit.span(closure.start).line
    text = f"// {unit.span(closure.start).file.rpartition('/')[2]}:{line}: a closure\nstruct {name} {{\n"
    text += "".join(f"{PAD}{declare(kind, member)};\n" for member, kind in closure.members)
    text += f"{PAD}{closure.template}__host__ __device__ auto operator(){closure.parameters}\n{PAD}{{\n"
    text += "".join(user_lines(unit, start, statement_end(unit.text, start)) for start in _constants(unit, closure))
    text += user_lines(unit, closure.body + 1, closure.end - 1, list(_constructs(unit, closure, printer)))
    text += f"{OWN_LINES}{PAD}}}\n"
    if closure.pointers:
        text += f"{PAD}typedef void rex_is_closure;\n"
        text += f"{PAD}__device__ void rex_point(void *const *rex_pointers)\n{PAD}{{\n"
        for number, (path, kind, _) in enumerate(closure.pointers):
            text += f"{PAD}{PAD}{path} = ({kind})rex_pointers[{number}];\n"
        text += f"{PAD}}}\n"
    return f"{text}}};\n"


def _constants(unit: Unit, closure: Closure) -> list[int]:
    """Where the constants and types of the function begin that a closure's body names, and that they need."""
    function = closure.function
    ranges = [(closure.list_end, closure.end)]
    found: list[int] = []
    while ranges:
        low, high = ranges.pop()
        words = unit.text[low:high]
        named: list[Variable] = [r.variable for r in function.references if low <= r.start < high]
        named = [v for v in named if v.is_local and v.constant]
        named += [v for at, v in function.local_types if at < closure.start and _is_word(v.name, words)]
        for variable in named:
            if not closure.start <= variable.start < closure.end and variable.start not in found:
                found.append(variable.start)
                ranges.append((variable.start, variable.end))
    return sorted(found)


def _is_word(name: str, text: str) -> bool:
    return bool(name) and re.search(rf"\b{re.escape(name)}\b", text) is not None


def _constructs(unit: Unit, closure: Closure, printer: CxxPrinter) -> Iterator[TextEdit]:
    done = closure.body
    for place, what in closure.function.odd:
        if closure.body <= place < closure.end:
            raise error_at(unit.span(place), f"device code {what}, which is not supported")
    for construct in unit.constructs:
        if done <= construct.start < closure.end:
            yield TextEdit(construct.start, construct.end, printer.around.construct(construct, printer, 1), True)
            done = construct.end
