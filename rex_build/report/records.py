"""What became of each directive, as generated host files keep it in the program (see render/host.py)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..base.elf import ElfError, read_section
from ..base.records import dataclass
from ..plan.listing import LEFT_OUT, NOT_APPLIED, Remark
from ..render.host import SECTION


@dataclass(frozen=True)
class Explained:
    """A directive of the user's, and what became of it. ``file`` is the name that profiles show, too."""

    file: str
    line: int
    column: int
    function: str
    directive: str
    lines: tuple[str, ...]

    def after(self, label: str) -> list[str]:
        """The rests of the lines that begin with ``label:``."""
        return [line.removeprefix(f"{label}: ") for line in self.lines if line.startswith(f"{label}: ")]

    def why_not(self, optimisation: str) -> str | None:
        """Why a transformation was not applied, or None if it was, or if that is not known."""
        for text in (*self.after(LEFT_OUT), *self.after(NOT_APPLIED)):
            names, _, reason = text.partition(": ")
            if optimisation in names.split(", "):
                return reason
        return None


def explained_by(objects: Iterable[str]) -> tuple[Explained, ...]:
    """The records in programs and libraries, each once. Files that cannot be read have none."""
    found: dict[Explained, None] = {}
    for name in objects:
        try:
            text = read_section(Path(name), SECTION).decode("utf-8", "replace")
        except (OSError, ElfError):
            continue
        found.update(dict.fromkeys(_records(text)))
    return tuple(found)


def explained_from(remarks: Iterable[Remark]) -> tuple[Explained, ...]:
    """The same of a plan."""
    return tuple(Explained(r.span.file, r.span.line, r.span.column, r.function, r.directive, r.lines) for r in remarks)


def _records(text: str) -> Iterable[Explained]:
    for part in f"\n{text}".split("\n@")[1:]:
        head, *lines = part.rstrip("\n").split("\n")
        file, line, column, function, directive = (head.split(";") + [""] * 5)[:5]
        if line.isdigit() and column.isdigit():
            yield Explained(file, int(line), int(column), function, directive, tuple(lines))
