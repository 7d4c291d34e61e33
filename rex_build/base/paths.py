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


def argument(file: Path) -> str:
    """A file in a command line, where a name that begins with ``-`` would be an option."""
    name = str(file)
    return f"./{name}" if name.startswith("-") else name


def portable_name(file: Path, base_dir: Path | None) -> str:
    """The name of a source file, which does not depend on where it is built.

    It is the path below the base directory if there is one. Otherwise it is the file as given if that is relative, and
    the file's name alone if it is absolute or outside of the base directory.
    """
    if base_dir is not None:
        try:
            return file.resolve().relative_to(base_dir.resolve()).as_posix()
        except ValueError:
            return file.name
    return file.name if file.is_absolute() else file.as_posix()


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
