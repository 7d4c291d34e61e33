"""find_package(RexBuild) remembers between projects what it found, and asks again when something has changed."""

from __future__ import annotations

import json
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
    own.env = dict(tool.env, XDG_CACHE_HOME=str(cache))

    def configure(number: int) -> int:
        options = [f"-DRexBuild_DIR={tool.root / 'cmake'}", f"-DRexBuild_PYTHON_EXECUTABLE={sys.executable}"]
        own.run("cmake", "-S", tmp_path, "-B", tmp_path / str(number), *options)
        return len(list((cache / "rex-build/configure").glob("*.json")))

    assert configure(1) == 1
    assert configure(1) == 1  # the second run in a folder knows the answers of the first
    assert configure(2) == 1
    (tmp_path / "bin").mkdir()
    own.env["PATH"] = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    assert configure(3) == 2


def test_only_the_user_s_own_answers_are_believed(tool: Tool, tmp_path: Path) -> None:
    """An answer names the Python that builds run. Nobody else may be able to have written it."""
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.23)\nproject(p C)\nfind_package(RexBuild REQUIRED)\n"
        'get_property(command GLOBAL PROPERTY _REX_COMMAND)\nmessage(STATUS "runs ${command}")\n'
    )
    memory, shared = tmp_path / "cache/rex-build/configure", tmp_path / "shared"
    own = Tool(tool.root)
    own.env = dict(tool.env, XDG_CACHE_HOME=str(tmp_path / "cache"), REX_BUILD_CACHE_DIR=str(shared))

    def configure() -> str:
        options = [f"-DRexBuild_DIR={tool.root / 'cmake'}", f"-DRexBuild_PYTHON_EXECUTABLE={sys.executable}"]
        return own.run("cmake", "-S", tmp_path, "-B", tmp_path / "b", *options)

    configure()
    (answer,) = memory.glob("*.json")
    assert not shared.exists()
    text = answer.read_text()
    answer.write_text(text.replace(json.dumps(sys.executable), '"/another/python"'))
    assert "/another/python" in answer.read_text()
    assert "runs /another/python" in configure()  # it is the user's own
    for path, mode in ((answer, 0o666), (answer, 0o620), (memory, 0o1777), (memory, 0o775)):
        before = path.stat().st_mode
        path.chmod(mode)
        assert f"runs {sys.executable}" in configure()
        answer.write_text(text.replace(json.dumps(sys.executable), '"/another/python"'))
        path.chmod(before)
    answer.rename(tmp_path / "elsewhere.json")
    answer.symlink_to(tmp_path / "elsewhere.json")
    assert f"runs {sys.executable}" in configure()
