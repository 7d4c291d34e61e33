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
    """The folder with ``RexBuildConfig.cmake``."""
    return _folder_with("RexBuildConfig.cmake", "cmake", "share/cmake/RexBuild")


def meson_dir() -> Path:
    """The folder with ``rex-build.wrap`` and with the subproject that it names."""
    return _folder_with("rex-build.wrap", "meson", "share/meson")


def _folder_with(file: str, name: str, installed: str) -> Path:
    """The ``installed`` folder with a file, or the one that a bare checkout has by this name.

    An editable installation imports the package from the checkout, but installs these files into site-packages. The
    package's search path has both places.
    """
    import rex_build

    folders = (Path(root, installed) for root in rex_build.__path__)
    return next((folder for folder in folders if (folder / file).is_file()), PACKAGE_DIR.parent / name)
