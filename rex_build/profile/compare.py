"""Two profiles of a program beside each other, as ``rex-build profile --json`` has written them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..base.diagnostics import InputError
from .measured import STARTS
from .table import share, time

_HEAD = ("before", "after", "change", "line")
_MOST_LINES = 20


def compared(before: Path, after: Path) -> str:
    """A table of the lines, of which the one that changed most comes first. Raises InputError."""
    old, new = _read(before), _read(after)
    were, are = _times(old), _times(new)
    places = sorted(were | are, key=lambda place: (-abs(are.get(place, 0) - were.get(place, 0)), place))
    rows = [_row("the whole run", old["time_ns"], new["time_ns"])]
    rows += [_row(place, were.get(place, 0), are.get(place, 0)) for place in places[:_MOST_LINES]]
    widths = [max(len(row[column]) for row in (_HEAD, *rows)) for column in range(3)]
    lines = ["  ".join([*(c.rjust(w) for c, w in zip(row, widths, strict=False)), row[3]]) for row in (_HEAD, *rows)]
    left = len(places) - _MOST_LINES
    return "\n".join([*lines, *([f"{left} more lines changed less"] if left > 0 else [])])


def _row(place: str, old: int, new: int) -> tuple[str, ...]:
    sign = "+" if new >= old else "−"
    change = f"{sign}{share(abs(new - old), old)}" if old else "new"
    return (time(old) if old else "", time(new) if new else "", change if new else "gone", place)


def _times(profile: dict[str, Any]) -> dict[str, int]:
    """The times of lines, by file, function and directive: another version of a program has other line numbers."""
    found: dict[str, int] = {}
    for line in profile["lines"]:
        place = f"{line['file']}: {line['what']}" + (f", in {line['function']}" if line["function"] else "")
        place = f"({line['what']})" if line["what"] in STARTS else place
        found[place] = found.get(place, 0) + line["time_ns"]
    return found


def _read(file: Path) -> dict[str, Any]:
    try:
        read: dict[str, Any] = json.loads(file.read_text("utf-8"))
        if read["version"] == 1 and read["lines"] is not None and read["time_ns"] is not None:
            return read
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError):
        pass
    raise InputError(f"{file} is no profile: write one by rex-build profile --json {file} PROGRAM")
