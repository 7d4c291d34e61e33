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
from ..c.check import findings_of_nodes
from ..c.front_end import read_unit
from ..c.source.preprocess import Inclusion, Origin
from ..check import findings_in, in_order
from ..check.language import Language
from ..directives.model import Locator
from .as_c.names import Names
from .as_c.reading import HostReader
from .as_c.text import WrittenInC
from .as_c.unit import written
from .code import Construct
from .front_end import Planned
from .functions import Function
from .optimise import span_of
from .reading.reader import reader_of
from .requirements import SHARED_MEMORY
from .unit import Unit

_MOST_ATTEMPTS = 4
_LIBRARY = "/usr/include/rex_library.h"


def findings_of(planned: Planned) -> tuple[Finding, ...]:
    """The findings about a unit, certain and likely ones, in the order of the source."""
    unit = planned.unit
    reader = reader_of(unit)
    regions = (tree for decided in planned.decided for tree in reader.region(decided.chain[0]))
    is_program = any(function.name == "main" for function in unit.functions)
    language = Language(reader.body, partial(span_of, unit), partial(_text_of, unit), unit.text, is_program)
    found = findings_in(regions, language)
    return in_order([*found, *_found_in_c(unit)])


def _text_of(unit: Unit, code: Any) -> str:
    """What the user wrote, in one line."""
    low, high = unit.extent(code)
    return " ".join(unit.text[low:high].split())


def _found_in_c(unit: Unit) -> tuple[Finding, ...]:
    if not SHARED_MEMORY.isdisjoint(unit.requirements):
        return ()
    concerned = _concerned(unit)
    without: set[int] = set()
    reader = HostReader(unit)
    for _ in range(_MOST_ATTEMPTS):
        names = Names(reader, without)
        try:
            read = read_unit(_in_c(names, concerned))
            found = findings_of_nodes(plan_unit(read, "", (), separable=True, only_checked=True), read)
            return tuple(_reported(names, found))
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


def _reported(names: Names, found: Sequence[Finding]) -> Iterator[Finding]:
    """The findings in words of C++."""
    exits = (c for c in names.unit.constructs if c.directive.name == "target exit data")
    removed = {_last_name(item.text) for construct in exits for item in _items(construct)}
    for finding in found:
        if not _is_removed(finding, removed):
            yield _as_written(names, finding)


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


def _items(construct: Construct) -> Iterator[Locator]:
    for clause in construct.directive.clauses:
        yield from getattr(clause, "items", ())


def _last_name(text: str) -> str:
    """The name under which an item is known in other functions as well."""
    return text.partition("[")[0].replace("->", ".").rpartition(".")[2].strip()


def _is_removed(finding: Finding, removed: set[str]) -> bool:
    """Whether a directive of a function that is not written in C removes what seems to stay on the device."""
    item = re.match(r"'([^']+)' stays on the device: no", finding.message) if finding.name == "leak" else None
    return item is not None and _last_name(item[1]) in removed


def _as_written(names: Names, finding: Finding) -> Finding:
    words = names.as_written
    notes = tuple(replace(note, message=words(note.message)) for note in finding.notes)
    return replace(finding, message=words(finding.message), advice=words(finding.advice), notes=notes)
