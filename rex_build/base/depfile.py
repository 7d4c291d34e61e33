"""Dependency files in the form that Make and Ninja read."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def escape(path: str) -> str:
    """A path as gcc's -MQ writes it: blanks, ``#`` and ``$`` would otherwise be read as syntax."""
    out = path.replace("\\ ", "\\\\ ").replace("$", "$$").replace("#", "\\#")
    return out.replace(" ", "\\ ")


def write_depfile(target: str, dependencies: Iterable[str]) -> str:
    """The text of a depfile. Dependencies become absolute, because build systems resolve relative paths differently."""
    names = list(dict.fromkeys(dependencies))
    text = "".join([f" \\\n  {name}" for name in names])
    # Most names are absolute paths without special characters, and are written as they are. To escape hundreds of
    # system headers one by one would take as long as the rest of a cache hit.
    plain = text.count(" \\\n  /") == len(names) == text.count("\\") and text.count(" ") == 3 * len(names)
    if not plain or any(part in text for part in ("//", "/.", "$", "#")):
        text = "".join([f" \\\n  {escape(os.path.abspath(name))}" for name in names])
    return f"{escape(target)}:{text}\n"
