"""What is wrong in a C++ program although it can be lowered: what the warnings ask of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ..base.findings import Finding
from ..check import findings_in, in_order
from ..check.events import Language
from ..check.whole_unit import Unit as Checked
from ..check.whole_unit import WholeUnit, concerned
from ..tree import symbols
from ..tree.types import Record, RecordInfo
from .front_end import Planned
from .functions import Function
from .naming import means_other, stretch
from .optimise import span_of
from .reading.host import HostReader
from .text_constructs import Construct, Variable
from .unit import Unit
from .user_reductions import element_text, mapper_for


def findings_of(planned: Planned) -> tuple[Finding, ...]:
    """The findings about a unit, certain and likely ones, in the order of the source."""
    unit = planned.unit
    reader = HostReader(unit)
    whole = WholeUnit(
        Checked(
            _language(unit, reader),
            reader.calls,
            planned.plan,
            tuple(_functions(unit, reader)),
            {decided.chain[0]: decided.region for decided in planned.decided},
            [construct.directive for construct in unit.constructs],
            frozenset(variable for variable in unit.on_device if not _is_of_template(variable)),
            partial(_is_mapped, reader) if unit.mappers.mappers else None,
            reader.is_of_system,
        )
    )
    return in_order(findings_in(whole))


def _language(unit: Unit, reader: HostReader) -> Language:
    pre = unit.pre

    def is_generated(origin: Any) -> bool:
        is_text = bool(pre.rewritten) and origin is not None and not isinstance(origin, Construct)
        return is_text and unit.extent(origin)[0] in pre.generated

    is_program = any(function.name == "main" for function in unit.functions)
    order = unit.requirements.get("atomic_default_mem_order", "")
    own = "".join(unit.text[start:end] for start, end in pre.own_parts)
    span, text = partial(span_of, unit), partial(_text_of, unit)

    def holds_own_memory(info: RecordInfo) -> bool:
        container, kind = reader.container(Record(info)), reader.types.cursor(info).type.get_canonical()
        arguments = (kind.get_template_argument_type(n).spelling for n in range(kind.get_num_template_arguments()))
        is_usual = kind.spelling.startswith("std::") and any(one.startswith("std::allocator<") for one in arguments)
        return container.plain if container is not None else is_usual

    return Language(reader.body, span, text, own, is_program, is_generated, order, holds_own_memory)


def _functions(unit: Unit, reader: HostReader) -> Iterator[symbols.Function]:
    """The functions that the warnings follow; of templates the instantiations."""
    starts = [c.start for c in unit.constructs if c.directive.is_target or c.directive.name.startswith("target ")]
    stretches = [stretch(function, function.body, *_classes(function)) for function in unit.functions]
    for number in concerned(unit.text, stretches, starts, means_other(unit, unit.functions)):
        yield from map(reader.function, reader.definitions(unit.functions[number]))


def _is_of_template(variable: Variable) -> bool:
    """Whether a variable is a member of a class template, so that each instantiation has one."""
    parent = variable.cursor.semantic_parent
    if parent is None:
        return False
    return bool(parent.kind.name.startswith("CLASS_TEMPLATE") or parent.get_num_template_arguments() > 0)


def _is_mapped(reader: HostReader, info: RecordInfo) -> bool:
    unit = reader.unit
    text = element_text(unit, reader.types.cursor(info).type.get_canonical())
    return any(mapper_for(unit, text, m.name, m.end - 1) is not None for m in unit.mappers.mappers)


def _text_of(unit: Unit, code: Any) -> str:
    """What the user wrote, in one line."""
    low, high = unit.extent(code)
    return " ".join(unit.text[low:high].split())


def _classes(function: Function) -> list[str]:
    """The class by whose name other functions may mention a function: an operator, a constructor."""
    return [function.cursor.semantic_parent.spelling] if function.is_member else []
