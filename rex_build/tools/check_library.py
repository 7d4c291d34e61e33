"""The library that programs of the check device are linked with: where it is built, and how it is linked."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..base.diagnostics import ToolError
from ..base.paths import include_dir
from .backends import CHECK, Backend
from .built_library import built_library

_SOURCE = include_dir() / "check" / "runtime.c"
# It defines functions of the C library, which must not call themselves.
_OPTIONS = ("-std=gnu11", "-O2", "-g", "-fno-builtin", "-fno-tree-loop-distribute-patterns", "-ftls-model=initial-exec")


def check_library() -> Path:
    """The library, built once for each user. Raises ToolError."""
    library = built_library(_SOURCE, _OPTIONS, ("-ldl", "-lpthread"), "check")
    if library is None:
        message = "there is no folder for the library of the check device: let XDG_CACHE_HOME name one of your own"
        raise ToolError(message)
    return library


def check_link_flags(backends: Iterable[Backend]) -> list[str]:
    """What programs for these devices link in front of all other libraries, whose functions this one wraps."""
    return ["-Wl,--no-as-needed", str(check_library())] if CHECK in backends else []
