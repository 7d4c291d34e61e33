"""Imports pycparser without the patterns of its lexer and without ``dataclasses``, an eighth of lowering a short file.

While pycparser is imported, other modules stand in for ``re`` and ``dataclasses``. With the first, patterns are
compiled when they are first used. Most units need none of them, because our lexer reads the usual tokens with a pattern
of its own (``lexer.py``). With the second, pycparser's records are made as ours are. The pipeline imports this module
before those that import pycparser. Where another was first, this changes nothing.
"""

from __future__ import annotations

import re
import subprocess  # noqa: F401 - what pycparser imports, too, gets the usual modules
import typing  # noqa: F401
from functools import partial
from typing import Any

from ...base.patterns import regex
from ...base.records import dataclass
from ...base.standing_in import standing_in


def _record(cls: Any = None, *, frozen: bool = False, slots: bool = False) -> Any:  # noqa: ARG001
    """``dataclasses.dataclass``, without slots: they only save memory."""
    return partial(_record, frozen=frozen) if cls is None else dataclass(frozen=frozen)(cls)


def _import_pycparser() -> None:
    try:
        with standing_in(re=vars(re) | {"compile": regex}, dataclasses={"dataclass": _record}):
            import pycparser
    except (ImportError, TypeError):  # another release, which uses more of them
        import pycparser  # noqa: F401


_import_pycparser()
