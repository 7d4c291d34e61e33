"""Where directives stand, as generated calls tell libomptarget. Its messages and profiles show it."""

from __future__ import annotations

from collections.abc import Callable

from ..base.comments import in_comment
from ..base.records import dataclass
from ..base.spans import SourceSpan
from ..c.source.preprocess import presumed_place

_LAST_LINE = 2**31 - 1  # libomptarget reads the number as an int, and ends the program if it is none


@dataclass(frozen=True)
class Location:
    """The place of a directive. ``file`` is the name that does not depend on where the unit is built."""

    file: str
    function: str
    line: int
    column: int

    def __str__(self) -> str:
        """As comments say it."""
        return in_comment(f"{self.file}:{self.line}")

    @property
    def constant(self) -> str:
        """The initialiser of a ``struct rex_location``."""
        return f"REX_LOCATION({string_literal(self.file)}, {string_literal(self.function)}, {self.line}, {self.column})"

    def name(self, mapped: str) -> str:
        """What a row maps, as a value of the array of names."""
        return f"REX_NAME({string_literal(mapped)}, {string_literal(self.file)}, {self.line}, {self.column})"


def location_of(span: SourceSpan, function: str, file_name: Callable[[str], str]) -> Location:
    """The location of a directive in ``function``. ``#line`` counts. For ``file_name`` see :class:`Location`."""
    file, line = presumed_place(span.file, span.line)
    return Location(file_name(file), function, min(line, _LAST_LINE), span.column)


def string_literal(text: str) -> str:
    """A string literal. libomptarget takes locations apart at semicolons, so there are none."""
    plain = " ".join(text.splitlines()).replace(";", ",").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'.replace("??", '?""?')  # no trigraphs
