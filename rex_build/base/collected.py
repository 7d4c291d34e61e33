"""Reports several errors of one unit together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from .diagnostics import Diagnostic, InputError


@contextmanager
def collect_errors(errors: list[Diagnostic]) -> Iterator[None]:
    """Collect the errors of a step, so that the errors of the next steps are reported too."""
    try:
        yield
    except InputError as error:
        errors.extend(d for d in error.diagnostics if d not in errors)


def in_source_order(errors: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The errors, sorted by their places if all are in one file. Otherwise they stay in the order of their finding."""
    if len({error.span.file for error in errors if error.span is not None}) != 1:
        return list(errors)
    return sorted(errors, key=lambda e: (e.span.line, e.span.column) if e.span is not None else (0, 0))
