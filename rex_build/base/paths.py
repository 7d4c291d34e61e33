"""Where the files that ship with rex-build lie: in a wheel, an editable install, or a source checkout."""

from __future__ import annotations

import os
import re
from pathlib import Path

PACKAGE_DIR = Path(__file__).resolve().parents[1]
INTEROP_HEADER = "rex_interop.h"
INITIAL_DEVICE_HEADER = "rex_initial_device.h"
HOST_HEADERS = ("rex_kmp.h", "rex_gomp.h", INTEROP_HEADER, INITIAL_DEVICE_HEADER)  # of host files and registrations


def include_dir() -> Path:
    """The folder with the headers of host files, ``rex_cpu.h`` and ``xomp_cuda_lib_inlined.cu``."""
    return PACKAGE_DIR / "include"


def cmake_dir() -> Path:
    """The folder with ``RexBuildConfig.cmake``.

    An editable install imports the package from the checkout but installs what CMake puts in place, these files among
    them, into site-packages; the package's search path has both. A bare checkout has only its own ``cmake/``.
    """
    import rex_build

    for folder in map(Path, rex_build.__path__):
        installed = folder / "share" / "cmake" / "RexBuild"
        if (installed / "RexBuildConfig.cmake").is_file():
            return installed
    return PACKAGE_DIR.parent / "cmake"


def meson_dir() -> Path:
    """The folder with ``rex-build.wrap`` and the folder that it names."""
    import rex_build

    for folder in map(Path, rex_build.__path__):
        installed = folder / "share" / "meson"
        if (installed / "rex-build.wrap").is_file():
            return installed
    return PACKAGE_DIR.parent / "meson"


def pkgconfig_dir() -> Path:
    """A folder with a ``rex-build.pc`` for this machine, written when asked for: it names the libraries found here.

    Raises ToolError without an offload runtime, or when the folder cannot be written.
    """
    from .. import __version__
    from ..build.meson import compile_arguments, link_arguments
    from .outputs import place

    def quoted(words: tuple[str, ...]) -> str:
        return " ".join(re.sub(r"([^\w@%+=:,./-])", r"\\\1", word) for word in words)

    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "rex-build" / "pkgconfig"
    lines = [
        "Name: rex-build",
        "Description: what programs lowered by rex-build are compiled and linked with",
        f"Version: {__version__}",
        f"Cflags: {quoted(compile_arguments())}",
        f"Libs: {quoted(link_arguments())}",
    ]
    place([(folder / "rex-build.pc", "\n".join(lines) + "\n")])
    return folder
