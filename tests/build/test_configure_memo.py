"""find_package(RexBuild) remembers between projects what it found, and asks again when something has changed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from build_tool import Tool

pytestmark = pytest.mark.cmake


def test_answers_are_kept_until_something_changes(tool: Tool, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.23)\nproject(p C)\nfind_package(RexBuild REQUIRED)\n"
    )
    cache = tmp_path / "cache"
    own = Tool(tool.root)
    own.env = dict(tool.env, REX_BUILD_CACHE_DIR=str(cache))

    def configure(number: int) -> int:
        options = [f"-DRexBuild_DIR={tool.root / 'cmake'}", f"-DRexBuild_PYTHON_EXECUTABLE={sys.executable}"]
        own.run("cmake", "-S", tmp_path, "-B", tmp_path / str(number), *options)
        return len(list((cache / "configure").glob("*.json")))

    assert configure(1) == 1
    assert configure(1) == 1  # the second run in a folder knows the answers of the first
    assert configure(2) == 1
    (tmp_path / "bin").mkdir()
    own.env["PATH"] = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    assert configure(3) == 2
