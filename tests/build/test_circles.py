"""Commands that lead back to themselves: compilers that are rex-build again, and response files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from build_tool import Tool, failing

pytestmark = pytest.mark.compile


@pytest.mark.parametrize("way", ["script", "link", "rex-cc", "rex-cc rex-cc", "lower"])
def test_it_never_calls_itself(cc: Tool, project: Path, tmp_path: Path, way: str) -> None:
    """A compiler that leads back to rex-build is an error on the second level, which shows the chain."""
    folder = tmp_path / "circle"
    folder.mkdir()
    script = folder / ("gcc" if way in ("link", "rex-cc") else "mycc")
    script.write_text('#!/bin/sh\nexec rex-build cc -- "$@"\n')
    script.chmod(0o755)
    env = {"PATH": f"{folder}:{cc.env['PATH']}"}
    if way == "rex-cc":
        status, said = failing(cc, project, "rex-cc", "gcc", "-c", "main.c", **env)
    elif way == "rex-cc rex-cc":
        status, said = failing(cc, project, "rex-cc", "rex-cc", "gcc", "-c", "scale.c")
    elif way == "lower":
        status, said = failing(cc, project, "rex-build", "lower", "scale.c", "--out-dir", "o", CC=str(script), **env)
    else:
        status, said = failing(cc, project, str(script), "-c", "main.c", CC="mycc" if way == "script" else "gcc", **env)
    assert status in (1, 3)
    assert "is rex-build again" in said
    assert "calls" in said
    assert "REX_CC" in said


@pytest.mark.parametrize("words", ["-c scale.c", "-c main.c", "-E main.c", "--version"])
def test_it_never_calls_itself_in_another_environment(own: Tool, project: Path, words: str) -> None:
    """A script may call it with variables of its own, which say nothing of the caller."""
    script = project / "mycc"
    script.write_text(f'#!/bin/sh\nexec env -i PATH="$PATH" HOME="$HOME" CC={script} rex-gcc "$@"\n')
    script.chmod(0o755)
    for _ in range(2):  # the launcher may know the compiler's folders the second time
        status, said = failing(own, project, "rex-gcc", *words.split(), CC=str(script))
        assert status in (1, 3), said
        assert "is rex-build again" in said
        assert "calls a script" in said


@pytest.mark.parametrize("start", ["-S -X utf8 '{}/rex_build/__main__.py'", "-W ignore '{}/rex_build'"])
def test_it_never_calls_itself_where_the_package_is_started(own: Tool, project: Path, start: str) -> None:
    """As CMake's files do."""
    python = f"'{sys.executable}' {start.format(own.root)}"
    script = project / "mycc"
    script.write_text(f'#!/bin/sh\nexec env -i PATH="$PATH" CC={script} {python} rex-gcc "$@"\n')
    script.chmod(0o755)
    status, said = failing(own, project, "rex-gcc", "-c", "scale.c", CC=str(script))
    assert (status in (1, 3), "is rex-build again" in said) == (True, True)


def test_a_response_file_that_names_itself(cc: Tool, project: Path) -> None:
    (project / "loop").write_text("@loop")
    status, said = failing(cc, project, "rex-gcc", "@loop")
    assert (status, "one of them names itself" in said) == (2, True)
