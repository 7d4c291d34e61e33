"""What is nested too deeply for the passes, which walk trees by recursion, is refused with its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...base.diagnostics import error_at
from ...base.spans import SourceSpan
from ..source.preprocess import Preprocessed

TOO_DEEP = "this is nested too deeply"
LEVELS_NOTE = "the limits are about 25,000 operators in one expression of a region, and 5,000 brackets or statements"
MOST_CONSTRUCTS = 200  # inside one another: each is analysed together with all that it contains


@contextmanager
def depth_is_refused(pre: Preprocessed) -> Iterator[None]:
    """Around the passes over a unit: an InputError in place of a RecursionError."""
    try:
        yield
    except RecursionError as error:
        raise error_at(_reached(error, pre), TOO_DEEP, LEVELS_NOTE) from None


def _reached(error: RecursionError, pre: Preprocessed) -> SourceSpan:
    """The place of the innermost node that a pass had reached."""
    from pycparser import c_ast

    trace, found = error.__traceback__, None
    frames = []
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    for frame in reversed(frames):
        for value in frame.f_locals.values():
            if isinstance(value, c_ast.Node) and (found := getattr(value, "coord", None)) is not None:
                return pre.span_at(found.line, found.column or 1)
    return SourceSpan(pre.main_file, 1)
