"""``rex-build --pkgconfigdir`` gives a folder in which pkg-config finds rex-build."""

from __future__ import annotations

import os
import re
from pathlib import Path

from .. import __version__
from ..base.outputs import place
from .meson import compile_arguments, link_arguments


def pkgconfig_dir() -> Path:
    """A folder with a ``rex-build.pc`` for this machine. It is written now, as it names the libraries found here.

    Raises ToolError without an offload runtime, or when the folder cannot be written.
    """

    def quoted(words: tuple[str, ...]) -> str:
        return " ".join(re.sub(r"([^\w@%+=:,./-])", r"\\\1", word) for word in words)

    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "rex-build" / "pkgconfig"
    lines = [
        "Name: rex-build",
        "Description: what programs lowered by rex-build are compiled and linked with",
        f"Version: {__version__}",
        f"Cflags: {quoted(compile_arguments())}",
        f"Libs: {quoted(link_arguments(folder=folder))}",
    ]
    place([(folder / "rex-build.pc", "\n".join(lines) + "\n")])
    return folder
