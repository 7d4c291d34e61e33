"""The library that a profiled program loads: where it is built, and what it needs to know."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from ..tools.built_library import build_library, built_library
from ..tools.cuda import find_nvcc, toolkit_folder
from ..tools.toolchain import asked

_SOURCE = Path(__file__).with_name("recorder.c")
_OPTIONS = ("-O2", "-w")
_LIBRARIES = ("-ldl", "-lpthread")
_EVENTS = 1_000_000


def recorder(folder: Path) -> Path:
    """The library, built once for each user. If it cannot be kept, it is built in ``folder``. Raises ToolError."""
    kept = built_library(_SOURCE, _OPTIONS, _LIBRARIES, "profile")
    if kept is None or set(str(kept)) & set(" :"):  # which the name of a preloaded library may not have
        return build_library(_SOURCE, _OPTIONS, _LIBRARIES, folder / "recorder.so")
    return kept


def environment(folder: Path, library: Path, with_events: bool) -> dict[str, str]:
    """The variables with which a program loads the library and writes its profile below ``folder``."""
    libraries = folder / "libraries"
    libraries.mkdir()
    variables = {
        "LD_PRELOAD": " ".join(filter(None, (str(library), os.environ.get("LD_PRELOAD", "")))),
        "LD_LIBRARY_PATH": ":".join(filter(None, (str(libraries), os.environ.get("LD_LIBRARY_PATH", "")))),
        "REX_PROFILE_DIR": str(folder),
        "REX_PROFILE_LIBRARIES": str(libraries),
        "REX_PROFILE_EVENTS": str(_EVENTS if with_events else 0),
        "OMP_TOOL": "enabled",
    }
    if "REX_PROFILE_CUPTI" not in os.environ and (cupti := _find_cupti()) is not None:
        variables["REX_PROFILE_CUPTI"] = str(cupti)
    return {**os.environ, **variables}


def _find_cupti() -> Path | None:
    """CUPTI of nvcc's toolkit. The recorder itself looks where libraries usually are."""
    nvcc, _ = asked(find_nvcc)
    root = toolkit_folder(nvcc) if nvcc is not None else None
    if root is None:
        return None
    folders = (
        root / part for part in ("extras/CUPTI/lib64", "lib64", "lib", f"targets/{platform.machine()}-linux/lib")
    )
    return next((library for folder in folders for library in sorted(folder.glob("libcupti.so*"))), None)
