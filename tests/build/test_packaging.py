"""Uses the wheel, the sdist and the editable installation, each from an empty folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest
from build_tool import ROOT, Tool

pytest.importorskip("scikit_build_core")

pytestmark = [pytest.mark.slow, pytest.mark.cmake]

CMAKE_FILES = {path.name for path in (ROOT / "cmake").glob("*.cmake")}
INCLUDE = ROOT / "rex_build" / "include"
HEADERS = {path.relative_to(INCLUDE) for path in INCLUDE.rglob("*")}


@pytest.fixture
def venv(tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A virtual environment that sees this one's packages, so that nothing has to be downloaded."""
    monkeypatch.delitem(tool.env, "PYTHONPATH", raising=False)
    folder = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    site = next((folder / "lib").glob("python3*")) / "site-packages"
    (site / "outer.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


def pip_install(venv: Path, *arguments: object) -> None:
    """Install where no compiler is found. Nothing of rex-build is compiled before it is used."""
    tools = venv / "tools"
    if not tools.exists():
        tools.mkdir()
        for name in ("cmake", "ninja", "make"):
            if found := shutil.which(name):
                (tools / name).symlink_to(found)
    env = {name: value for name, value in os.environ.items() if name not in ("CC", "CXX")} | {"PATH": str(tools)}
    command = [sys.executable, "-m", "pip", "--python", venv / "bin" / "python", "install", "--quiet"]
    command += ["--no-deps", "--no-build-isolation", "--ignore-installed", *arguments]
    subprocess.run(list(map(str, command)), check=True, capture_output=True, env=env)


def check_install(tool: Tool, venv: Path, empty: Path) -> None:
    """Check that the command works and finds its files, and that CMake finds them in the activated environment."""
    empty.mkdir()
    rex_build = venv / "bin" / "rex-build"
    assert tool.run(rex_build, "--version", cwd=empty) == "0.2.0\n"
    cmake_dir = Path(tool.run(rex_build, "--cmakedir", cwd=empty).strip())
    assert {path.name for path in cmake_dir.iterdir()} == CMAKE_FILES
    assert str(cmake_dir).startswith(str(venv))
    meson_dir = Path(tool.run(rex_build, "--mesondir", cwd=empty).strip())
    assert {path.name for path in meson_dir.iterdir()} == {"rex-build.wrap", "rex-build"}
    assert str(meson_dir).startswith(str(venv))
    assert (venv / "bin" / "rex-cc").is_file()
    include = Path(tool.run(rex_build, "--includedir", cwd=empty).strip())
    assert {path.relative_to(include) for path in include.rglob("*")} == HEADERS
    assert tool.run(venv / "bin" / "python", "-m", "rex_build", "--cmakedir", cwd=empty).strip() == str(cmake_dir)
    (empty / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.23)\nproject(x C)\nfind_package(RexBuild REQUIRED)\n"
    )
    activated = ["env", f"PATH={venv / 'bin'}:/usr/bin:/bin", "cmake", "-S", empty, "-B", empty / "by-path"]
    tool.run(*activated)
    for name, found in (("DIR", cmake_dir), ("ROOT", cmake_dir.parents[2])):
        tool.run("cmake", "-S", empty, "-B", empty / "by-name", "-U", "RexBuild_*", f"-DRexBuild_{name}={found}")


def test_editable_install(tool: Tool, venv: Path, tmp_path: Path) -> None:
    pip_install(venv, "--editable", tool.root)
    check_install(tool, venv, tmp_path / "empty")


def test_wheel_and_sdist(tool: Tool, venv: Path, tmp_path: Path) -> None:
    pytest.importorskip("build")
    (tmp_path / "elsewhere").mkdir()
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path / "dist", tool.root]
    tool.run(*command, cwd=tmp_path / "elsewhere")
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    (sdist,) = (tmp_path / "dist").glob("*.tar.gz")
    assert wheel.name == "rex_build-0.2.0-py3-none-any.whl"
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"rex_build/share/cmake/RexBuild/{name}" for name in CMAKE_FILES} <= names
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests")]
    with tarfile.open(sdist) as archive:
        assert "rex_build-0.2.0/cmake/RexBuild.cmake" in archive.getnames()
    pip_install(venv, wheel)  # which was built from the sdist; test_python_extension installs from a folder
    check_install(tool, venv, tmp_path / "from wheel")
