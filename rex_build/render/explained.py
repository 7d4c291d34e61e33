"""Prints what became of each directive into a section of the object, where a profile of the program finds it.

A record is a line ``@file;line;column;function;directive`` and the lines of its remark. The section is not loaded when
the program runs.
"""

from __future__ import annotations

from collections.abc import Callable

from ..plan.listing import Remark, remarks
from ..plan.unit import TranslationUnitPlan
from .locations import location_of

SECTION = ".rex_explained"


def explained(plan: TranslationUnitPlan, file_name: Callable[[str], str]) -> str:
    """The records of a unit. For ``file_name`` see :class:`.locations.Location`."""
    records = [_record(remark, file_name) for remark in remarks(plan)]
    return "\n".join(["REX_GENERATED_BEGIN", *records, "REX_GENERATED_END"]) if records else ""


def _record(remark: Remark, file_name: Callable[[str], str]) -> str:
    at = location_of(remark.span, remark.function, file_name)
    place = (at.file, str(at.line), str(at.column), at.function, remark.directive)
    lines = ["@" + ";".join(part.replace(";", ",") for part in place), *remark.lines]
    return "REX_EXPLAINED(\n" + "\n".join(f'    "{_escaped(line)}\\\\n"' for line in lines) + ");"


def _escaped(line: str) -> str:
    """The content of a C string literal for an assembler's string: both have backslashes and quotation marks."""
    for _ in ("assembler", "C"):
        line = line.replace("\\", "\\\\").replace('"', '\\"')
    return " ".join(line.split()).replace("??", '?""?')  # no trigraphs
