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
    """The text of a depfile. Dependencies become absolute, as build systems resolve relative ones differently."""
    absolute = [escape(os.path.abspath(d)) for d in dict.fromkeys(dependencies)]
    return f"{escape(target)}:" + "".join(f" \\\n  {d}" for d in absolute) + "\n"
