"""Imports pycparser without the patterns of its lexer, whose compilation takes a twentieth of lowering a short file.

They are compiled when they are first used. Most units need none of them, because our lexer reads the usual tokens with
a pattern of its own (``lexer.py``). The pipeline imports this module before those that import pycparser. Where another
was first, the patterns are compiled then.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from ...base.patterns import regex


def _import_pycparser() -> None:
    compiled = re.compile

    def later(pattern: Any, flags: int = 0) -> re.Pattern[Any]:
        importing = sys._getframe(1).f_globals.get("__name__", "")
        return (regex if importing.startswith("pycparser.") else compiled)(pattern, flags)

    re.compile = later
    try:
        import pycparser  # noqa: F401
    finally:
        re.compile = compiled


_import_pycparser()
