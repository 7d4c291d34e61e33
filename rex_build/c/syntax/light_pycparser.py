"""Imports pycparser without the patterns of its lexer and without ``dataclasses``, an eighth of lowering a short file.

While pycparser is imported, other modules stand in for ``re`` and ``dataclasses``. With the first, patterns are
compiled when they are first used. Most units need none of them, because our lexer reads the usual tokens with a pattern
of its own (``lexer.py``). With the second, pycparser's records are made as ours are. The pipeline imports this module
before those that import pycparser. Where another was first, this changes nothing.
"""

from __future__ import annotations

import re
import subprocess  # noqa: F401 - what pycparser imports, too, gets the usual modules
import sys
import typing  # noqa: F401
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import Any

from ...base.patterns import regex
from ...base.records import dataclass


def _record(cls: Any = None, *, frozen: bool = False, slots: bool = False) -> Any:  # noqa: ARG001
    """``dataclasses.dataclass``, without slots: they only save memory."""
    return partial(_record, frozen=frozen) if cls is None else dataclass(frozen=frozen)(cls)


@contextmanager
def _standing_in(**modules: dict[str, Any]) -> Iterator[None]:
    """Have ``import`` find modules with these contents under these names."""
    usual = {name: sys.modules.pop(name) for name in modules if name in sys.modules}
    for name, contents in modules.items():
        sys.modules[name] = ModuleType(name)
        vars(sys.modules[name]).update(contents)
    try:
        yield
    finally:
        for name in modules:
            del sys.modules[name]
        sys.modules.update(usual)


def _import_pycparser() -> None:
    try:
        with _standing_in(re=vars(re) | {"compile": regex}, dataclasses={"dataclass": _record}):
            import pycparser
    except (ImportError, TypeError):  # another release, which uses more of them
        import pycparser  # noqa: F401


_import_pycparser()
