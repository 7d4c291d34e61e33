"""The tool and the project that build tests share."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from build_tool import MAIN_C, ROOT, SCALE_C, SCALE_H, Tool, install_programs


@pytest.fixture(scope="session")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Tool:
    root = tmp_path_factory.mktemp("rex-build checkout")
    for name in ("rex_build", "cmake", "meson"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "scripts").mkdir()
    for name in ("CMakeLists.txt", "pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, root / name)
    (root / "README.md").write_text("# rex-build\n")
    return Tool(root)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with main.c, scale.c and scale.h: prints FACTOR, exits 0 when a device did the work."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "main.c").write_text(MAIN_C)
    (folder / "scale.c").write_text(SCALE_C)
    (folder / "scale.h").write_text(SCALE_H)
    return folder


@pytest.fixture
def cc(tool: Tool, tmp_path: Path) -> Tool:
    """The tool for the cpu device, as the programs rex-build and rex-cc on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    install_programs(tool.root, folder)
    found = Tool(tool.root)
    found.env = dict(tool.env, REX_DEVICES="cpu", PATH=f"{folder}:{os.environ['PATH']}")
    found.env.pop("CC", None)
    return found


@pytest.fixture
def own(cc: Tool, tool: Tool) -> Tool:
    """The tool as ``cc``, whose commands have what is open where they are started, and who has started them."""
    install_programs(tool.root, Path(cc.env["PATH"].partition(":")[0]), own=True)
    return cc
