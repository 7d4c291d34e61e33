"""What is wrong in a C++ program although it can be lowered: what the analyses of C find in its functions as C."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from ..base.diagnostics import InputError
from ..base.findings import Finding
from ..base.records import dataclass, replace
from ..base.spans import SourceSpan, source_lines
from ..c.analysis.unit import plan_unit
from ..c.check import findings_of as findings_of_c
from ..c.front_end import read_unit
from ..c.source.pragma_places import PragmaPlaces, joined_lines, pragma_places
from ..c.source.preprocess import Inclusion, Origin, Preprocessed
from ..directives.model import Locator
from .c_functions import Functions
from .c_text import Text
from .code import Construct
from .front_end import Planned
from .functions import Function
from .in_c import written
from .requirements import SHARED_MEMORY
from .unit import Unit

_MOST_ATTEMPTS = 4
_LIBRARY = "/usr/include/rex_library.h"


@dataclass(frozen=True)
class WrittenInC(Preprocessed):
    """The text, with the places of its parts in the user's files: those in ``source``, by ``written``. Its lines follow
    declarations of the system's functions, of which those that nothing reaches are taken out."""

    source: Preprocessed | None = None
    written: Text | None = None

    @cached_property
    def _starts(self) -> list[int]:
        """Where the lines of ``written`` begin."""
        return [0, *(found.end() for found in re.finditer("\n", str(self.written)))]

    def _place(self, line: int, column: int) -> int:
        assert self.written is not None
        _, number = self.origin_of(line)
        return self.written.place(self._starts[min(number, len(self._starts)) - 1] + column - 1)

    def span_at(self, line: int, column: int) -> SourceSpan:
        assert self.source is not None
        return self.source.span_at(*self.source.place_at(self._place(line, column)))

    def pragma_places(self, line: int, text: str) -> PragmaPlaces:
        assert self.source is not None
        origin, number = self.source.origin_of(self.source.line_at(self._place(line, 1)))
        return pragma_places(origin.file, joined_lines(source_lines(origin.file), number), text)


def findings_of(planned: Planned) -> tuple[Finding, ...]:
    """The findings about a unit, certain and likely ones, in the order of the source."""
    unit = planned.unit
    if unit.mappers or not SHARED_MEMORY.isdisjoint(unit.requirements):
        return ()
    concerned = _concerned(unit)
    without: set[int] = set()
    for _ in range(_MOST_ATTEMPTS):
        names = Functions(unit)
        try:
            found = _in_c(unit, *written(names, concerned, without))
        except InputError as error:  # C, or its analysis, has no such thing
            spans = [one.span for one in error.diagnostics if one.span is not None]
            faulty = _around(unit, spans) - without
            if not faulty:
                return ()
            without |= faulty
            continue
        exits = (construct for construct in unit.constructs if construct.directive.name == "target exit data")
        removed = {_last_name(item.text) for construct in exits for item in _items(construct)}
        return tuple(_as_written(names, finding) for finding in found if not _is_removed(finding, removed))
    return ()


def _in_c(unit: Unit, library: str, lines: int, text: Text) -> tuple[Finding, ...]:
    main = unit.pre.main_file
    origins = (Origin(1, _LIBRARY, 1, True, 1), Origin(lines + 1, main, 1, False, 0))
    inclusions = (Inclusion(main, -1, 0, False), Inclusion(_LIBRARY, 0, 1, True))
    pre = WrittenInC(
        library + str(text), main, origins[lines == 0 :], unit.pre.includes, inclusions,
        source=unit.pre, written=text,
    )  # fmt: skip
    read = read_unit(pre)
    return findings_of_c(plan_unit(read, "", (), separable=True), read)


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


def _as_written(names: Functions, finding: Finding) -> Finding:
    words = names.as_written
    notes = tuple(replace(note, message=words(note.message)) for note in finding.notes)
    return replace(finding, message=words(finding.message), advice=words(finding.advice), notes=notes)
