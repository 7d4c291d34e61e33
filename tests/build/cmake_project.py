"""Projects of CMake in tests: their lists, and how they are configured and built."""

from __future__ import annotations

import atexit
import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import forked
from build_tool import Tool

LISTS = """\
cmake_minimum_required(VERSION 3.20)
project(p C)
find_package(RexBuild REQUIRED)
add_executable(app main.c scale.c)
"""
ADD = "rex_add_offload_sources(app SOURCES main.c scale.c DEVICES cpu {more})\n"


@cache
def compilers(cmake: str) -> Path:
    """What a CMake has found out about the compilers, most of what configuring takes. Further folders start from it."""
    folder = Path(tempfile.mkdtemp(prefix="rex-cmake-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    write(folder, "cmake_minimum_required(VERSION 3.20)\nproject(p C CXX)\n")
    subprocess.run([cmake, "-S", folder, "-B", folder / "b"], check=True, capture_output=True)
    (found,) = (folder / "b" / "CMakeFiles").glob("[0-9]*")
    return found


def configure(
    tool: Tool, source: Path, build: Path, *options: object, cmake: str = "cmake"
) -> subprocess.CompletedProcess[str]:
    command = [cmake, "-S", source, "-B", build, f"-DRexBuild_DIR={tool.root / 'cmake'}"]
    command += [f"-DRexBuild_PYTHON_EXECUTABLE={forked.python(tool.root)}", *options]
    words = " ".join(map(str, options))
    if not build.exists() and not re.search(r"COMPILER=|TOOLCHAIN|--preset", words) and not {"CC", "CXX"} & {*tool.env}:
        known = compilers(cmake)
        shutil.copytree(known, build / "CMakeFiles" / known.name)
        command += ["-DCMAKE_PLATFORM_INFO_INITIALIZED=1", "-DCMAKE_EXECUTABLE_FORMAT=ELF"]
    return subprocess.run(list(map(str, command)), env=tool.env, capture_output=True, text=True)


def built(tool: Tool, source: Path, build: Path, *options: object, cmake: str = "cmake") -> str:
    done = configure(tool, source, build, *options, cmake=cmake)
    assert done.returncode == 0, done.stdout + done.stderr
    return tool.run(cmake, "--build", build, "-j4")


def said(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode != 0, done.stdout
    return " ".join(done.stderr.split())


def write(folder: Path, lists: str) -> None:
    (folder / "CMakeLists.txt").write_text(lists)
