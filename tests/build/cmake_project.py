"""Projects of CMake in tests: their lists, and how they are configured and built."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from build_tool import Tool

LISTS = """\
cmake_minimum_required(VERSION 3.20)
project(p C)
find_package(RexBuild REQUIRED)
add_executable(app main.c scale.c)
"""
ADD = "rex_add_offload_sources(app SOURCES main.c scale.c DEVICES cpu {more})\n"


def configure(
    tool: Tool, source: Path, build: Path, *options: object, cmake: str = "cmake"
) -> subprocess.CompletedProcess[str]:
    command = [cmake, "-S", source, "-B", build, f"-DRexBuild_DIR={tool.root / 'cmake'}"]
    command += [f"-DRexBuild_PYTHON_EXECUTABLE={sys.executable}", *options]
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
