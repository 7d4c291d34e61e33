"""What is wrong in a C++ program although it can be lowered: what the analyses of C find in its functions as C."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from ..base.diagnostics import InputError
from ..base.findings import Finding
from ..base.records import replace
from ..base.spans import SourceSpan
from ..c.analysis.unit import plan_unit
from ..c.check import races_of, whole_unit
from ..c.front_end import read_unit
from ..c.source.preprocess import Inclusion, Origin
from ..check import findings_in, in_order
from ..check.concerned import Stretch, concerned
from ..check.language import Language
from ..check.whole_unit import Unit as Checked
from ..check.whole_unit import WholeUnit
from ..tree import symbols
from ..tree.calls import Calls
from ..tree.types import RecordInfo
from .as_c.names import Names
from .as_c.reading import HostReader as ReaderForC
from .as_c.text import WrittenInC
from .as_c.unit import written
from .code import Variable
from .front_end import Planned
from .functions import Function
from .mappers import mapper_for
from .optimise import span_of
from .reading.host import HostReader
from .reading.reader import computes
from .requirements import SHARED_MEMORY
from .unit import Unit

_MOST_ATTEMPTS = 4
_LIBRARY = "/usr/include/rex_library.h"


def findings_of(planned: Planned) -> tuple[Finding, ...]:
    """The findings about a unit, certain and likely ones, in the order of the source."""
    unit = planned.unit
    reader = HostReader(unit)
    is_program = any(function.name == "main" for function in unit.functions)
    language = Language(reader.body, partial(span_of, unit), partial(_text_of, unit), unit.text, is_program)
    whole = WholeUnit(
        Checked(
            language,
            Calls(reader.body, computes),
            planned.plan,
            tuple(_functions(unit, reader)),
            {decided.chain[0]: decided.region for decided in planned.decided},
            [construct.directive for construct in unit.constructs],
            frozenset(variable for variable in unit.on_device if not _is_of_template(variable)),
            partial(_is_mapped, reader) if unit.mappers else None,
            reader.is_of_system,
        )
    )
    return in_order([*findings_in(whole), *_races_in_c(unit)])


def _functions(unit: Unit, reader: HostReader) -> Iterator[symbols.Function]:
    """The functions that the warnings follow; of templates the instantiations."""
    starts = [c.start for c in unit.constructs if c.directive.is_target or c.directive.name.startswith("target ")]
    stretches = [Stretch(frozenset(_names(function)), function.body, function.end) for function in unit.functions]
    for number in concerned(unit.text, stretches, starts):
        yield from map(reader.function, reader.definitions(unit.functions[number]))


def _is_of_template(variable: Variable) -> bool:
    """Whether a variable is a member of a class template, so that each instantiation has one."""
    parent = variable.cursor.semantic_parent
    if parent is None:
        return False
    return bool(parent.kind.name.startswith("CLASS_TEMPLATE") or parent.get_num_template_arguments() > 0)


def _is_mapped(reader: HostReader, info: RecordInfo) -> bool:
    unit = reader.unit
    kind = reader.types.cursor(info).type.get_canonical()
    return any(mapper_for(unit, kind, name, len(unit.text)) is not None for _, name in unit.mappers)


def _text_of(unit: Unit, code: Any) -> str:
    """What the user wrote, in one line."""
    low, high = unit.extent(code)
    return " ".join(unit.text[low:high].split())


def _races_in_c(unit: Unit) -> tuple[Finding, ...]:
    if not SHARED_MEMORY.isdisjoint(unit.requirements):
        return ()
    concerned = _concerned(unit)
    without: set[int] = set()
    reader = ReaderForC(unit)
    for _ in range(_MOST_ATTEMPTS):
        names = Names(reader, without)
        try:
            read = read_unit(_in_c(names, concerned))
            planned = plan_unit(read, "", (), separable=True, only_checked=True)
            found = races_of(planned, read, whole_unit(planned, read))
            return tuple(_as_written(names, finding) for finding in found)
        except InputError as error:  # what C, or its analyses, do not have
            faulty = _around(unit, [one.span for one in error.diagnostics if one.span is not None]) - without
        if not faulty:
            break
        without |= faulty
    return ()


def _in_c(names: Names, concerned: Sequence[Function]) -> WrittenInC:
    """The unit as C without some functions."""
    library, text = written(names, concerned)
    lines, pieces = library.count("\n"), text.pieces()
    pre = names.unit.pre
    origins = (Origin(1, _LIBRARY, 1, True, 1), Origin(lines + 1, pre.main_file, 1, False, 0))
    inclusions = (Inclusion(pre.main_file, -1, 0, False), Inclusion(_LIBRARY, 0, 1, True))
    return WrittenInC(
        library + "".join(piece for piece, _ in pieces), pre.main_file, origins[lines == 0 :], pre.includes, inclusions,
        source=pre, pieces=tuple(pieces),
    )  # fmt: skip


def _concerned(unit: Unit) -> list[Function]:
    """The functions with directives for devices, and those that name one of these, in the order of the text."""
    starts = [c.start for c in unit.constructs if c.directive.is_target or c.directive.name.startswith("target ")]
    functions = {id(f): f for start in starts if (f := unit.function_at(start)) is not None}
    names = {name for f in functions.values() for name in _names(f)}
    grown = bool(names)
    while grown:
        grown = False
        pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
        for function in unit.functions:
            if id(function) not in functions and pattern.search(unit.text, function.body, function.end):
                functions[id(function)] = function
                grown = grown or not names.issuperset(_names(function))
                names.update(_names(function))
    return sorted(functions.values(), key=lambda function: function.start)


def _names(function: Function) -> set[str]:
    """The names by which other functions may mention a function: also its class, for operators and constructors."""
    parent = function.cursor.semantic_parent if function.is_member else None
    return {function.name} | ({parent.spelling} if parent is not None else set())


def _around(unit: Unit, spans: Sequence[SourceSpan]) -> set[int]:
    """The starts of the functions that some of the places are in."""
    lines: dict[str, list[int]] = {}
    for span in sorted(spans, key=lambda span: span.line):
        lines.setdefault(span.file, []).append(span.line)
    found = set()
    for function in unit.functions:
        first, last = unit.span(function.start), unit.span(function.end - 1)
        within = lines.get(first.file, []) if first.file == last.file else []
        if bisect_left(within, first.line) < bisect_right(within, last.line):
            found.add(function.start)
    return found


def _as_written(names: Names, finding: Finding) -> Finding:
    words = names.as_written
    notes = tuple(replace(note, message=words(note.message)) for note in finding.notes)
    return replace(finding, message=words(finding.message), advice=words(finding.advice), notes=notes)
