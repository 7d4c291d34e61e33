"""Finds the files that ship with rex-build, in a wheel, an editable installation or a source checkout."""

from __future__ import annotations

from pathlib import Path

PACKAGE_DIR = Path(__file__).resolve().parents[1]
INTEROP_HEADER = "rex_interop.h"
INITIAL_DEVICE_HEADER = "rex_initial_device.h"
HOST_HEADERS = ("rex_kmp.h", "rex_gomp.h", INTEROP_HEADER, INITIAL_DEVICE_HEADER)  # of host files and registrations


def include_dir() -> Path:
    """The folder with the headers for host files and with the device headers."""
    return PACKAGE_DIR / "include"


def cmake_dir() -> Path:
    """The folder with ``RexBuildConfig.cmake``.

    An editable installation imports the package from the checkout, but installs the CMake files into site-packages. The
    package's search path has both places. A bare checkout has only its own ``cmake/``.
    """
    import rex_build

    for folder in map(Path, rex_build.__path__):
        installed = folder / "share" / "cmake" / "RexBuild"
        if (installed / "RexBuildConfig.cmake").is_file():
            return installed
    return PACKAGE_DIR.parent / "cmake"


def meson_dir() -> Path:
    """The folder with ``rex-build.wrap`` and with the subproject that it names."""
    import rex_build

    for folder in map(Path, rex_build.__path__):
        installed = folder / "share" / "meson"
        if (installed / "rex-build.wrap").is_file():
            return installed
    return PACKAGE_DIR.parent / "meson"
