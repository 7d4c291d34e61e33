"""``rex-gcc`` and ``rex-g++``: one word that stands where the compiler's name stands."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from build_tool import Tool, failing, needed

pytestmark = pytest.mark.compile


def test_one_word_for_whatever_gcc_is_asked(cc: Tool, project: Path) -> None:
    assert cc.run("rex-gcc", "--version", cwd=project) == cc.run("gcc", "--version", cwd=project)
    assert cc.run("rex-gcc", "-dumpmachine", cwd=project) == cc.run("gcc", "-dumpmachine", cwd=project)
    assert cc.run("rex-gcc", "-print-prog-name=ld", cwd=project) == cc.run("gcc", "-print-prog-name=ld", cwd=project)
    assert failing(cc, project, "rex-gcc") == failing(cc, project, "gcc")
    assert failing(cc, project, "rex-g++", "-###", "x.cc")[0] == failing(cc, project, "g++", "-###", "x.cc")[0]
    (project / "scale.txt").write_text((project / "scale.c").read_text())
    cc.run("rex-gcc", "-x", "c", "scale.txt", "-x", "none", "main.c", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"


def test_one_word_under_the_compiler_s_own_name(cc: Tool, project: Path, tmp_path: Path) -> None:
    """As ccache can be installed: a link named gcc in front of PATH; the real gcc is the next one there."""
    folder = tmp_path / "masquerade"
    folder.mkdir()
    for name in ("gcc", "cc", "x86_64-linux-gnu-gcc", "g++", "c++"):
        (folder / name).symlink_to(tmp_path / "bin" / ("rex-g++" if "++" in name else "rex-gcc"))
    cc.env["PATH"] = f"{folder}:{cc.env['PATH']}"
    for name, given in (("gcc", None), ("cc", "cc"), ("x86_64-linux-gnu-gcc", "x86_64-linux-gnu-gcc")):
        cc.env |= {"CC": given} if given else {}
        cc.run(name, "-c", "main.c", cwd=project)
        cc.run(name, "main.o", "scale.c", "-o", "app", cwd=project)
        assert cc.run(project / "app") == "2\n"
        assert "libgomp" not in needed(project / "app")


def test_a_copy_of_the_program_for_the_one_word(cc: Tool, project: Path, tmp_path: Path) -> None:
    """It finds rex-build on PATH, where the launcher calls it, too."""
    own = project / "mycc"
    shutil.copy(tmp_path / "bin" / "rex-gcc", own)
    cc.run(own, "-c", "main.c", cwd=project)
    cc.run(own, "-fopenmp", "main.o", "scale.c", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"


def test_lowering_for_the_one_word(cc: Tool, project: Path) -> None:
    """Build systems whose compiler is rex-gcc pass it on to rex-build, which means the compiler behind it."""
    key = cc.run("rex-build", "lower", "scale.c", "--cc", "rex-gcc", "--explain-key", cwd=project)
    assert key == cc.run("rex-build", "lower", "scale.c", "--cc", "gcc", "--explain-key", cwd=project)
    cc.env["CC"] = "rex-gcc"
    assert key == cc.run("rex-build", "lower", "scale.c", "--explain-key", cwd=project)


def test_one_word_as_cmake_s_compiler(cc: Tool, project: Path) -> None:
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.23)\nproject(app C)\nadd_executable(app main.c scale.c)\n"
    )
    cc.run("cmake", "-S", ".", "-B", "build", "-DCMAKE_C_COMPILER=rex-gcc", cwd=project)
    cc.run("cmake", "--build", "build", cwd=project)
    assert cc.run(project / "build" / "app") == "2\n"


def test_cmake_finds_the_c_compiler_beside_the_c_plus_plus_compiler(cc: Tool, project: Path) -> None:
    """CMake takes the prefix rex- of rex-g++ for the C compiler, too, and calls rex-cc with a compiler's arguments."""
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.23)\nproject(app CXX C)\nadd_executable(app main.c scale.c)\n"
    )
    cc.run("cmake", "-S", ".", "-B", "build", "-DCMAKE_CXX_COMPILER=rex-g++", cwd=project)
    assert "bin/rex-cc" in (project / "build" / "CMakeCache.txt").read_text()
    cc.run("cmake", "--build", "build", cwd=project)
    assert cc.run(project / "build" / "app") == "2\n"
    assert cc.run("rex-cc", "--version", cwd=project) == cc.run("gcc", "--version", cwd=project)
    assert "[options] [--] CC" in cc.run("rex-cc", "-h", cwd=project)
