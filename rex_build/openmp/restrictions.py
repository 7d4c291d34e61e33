"""What device code may not do, in whatever language it is written."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..base.diagnostics import error_at
from ..base.spans import SourceSpan
from ..plan.code import Entity

ASSEMBLY = "inline assembly is not supported"


def check_threadprivate(variables: Collection[Entity], uses: Iterable[tuple[Entity, str, SourceSpan]]) -> None:
    """Raise InputError if device code uses a threadprivate variable. ``uses`` are its variables with their names."""
    for variable, name, span in uses if variables else ():
        if variable in variables:
            what = f"'{name}' is threadprivate: device threads have no copies of it"
            raise error_at(span, what, "OpenMP 5.2, section 5.2 (threadprivate directive)")
