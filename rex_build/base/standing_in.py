"""Modules that stand in for others while something is imported that needs less of them, or nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any


@contextmanager
def standing_in(**modules: dict[str, Any]) -> Iterator[None]:
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


def import_pathlib() -> None:
    """Import ``pathlib`` without ``urllib.parse``, which imports ``ipaddress``: a hundredth of lowering a short file.

    ``pathlib`` has one function of it, which ``Path.as_uri`` calls.
    """

    def quote_from_bytes(*arguments: Any) -> str:
        from urllib.parse import quote_from_bytes as quote

        return quote(*arguments)

    if "pathlib" in sys.modules:
        return
    try:
        with standing_in(**{"urllib.parse": {"quote_from_bytes": quote_from_bytes}}):
            import pathlib
    except ImportError:  # another release of Python, which uses more of it
        import pathlib  # noqa: F401
