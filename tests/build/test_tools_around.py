"""Tools that look at programs and builds: sanitizers, coverage, language servers and linters."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from build_tool import Tool, builds
from cmake_project import built
from counted import check_counts, write_counted

pytestmark = [pytest.mark.cmake, pytest.mark.compile]

# ---- AddressSanitizer


def test_leaks_are_the_users_own(cc: Tool, project: Path) -> None:
    """What the runtime never frees is not reported, and what the program never frees is."""
    text = (project / "main.c").read_text().replace("int main(void)\n{", "int main(int argc, char **argv)\n{")
    leaks = "    if (argc > 1)\n        *(volatile char *)malloc(77) = **argv;\n    scale(100"
    (project / "main.c").write_text("#include <stdlib.h>\n" + text.replace("    scale(100", leaks))
    cc.run("rex-gcc", "-g", "-fsanitize=address", "-o", "app", "main.c", "scale.c", cwd=project)
    done = subprocess.run([project / "app"], env=cc.env, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "2\n", "")
    done = subprocess.run([project / "app", "leak"], env=cc.env, capture_output=True, text=True)
    assert done.returncode != 0
    assert done.stderr.count(" leak of ") == done.stderr.count("Direct leak of 77 byte(s)") == 1, done.stderr


@pytest.mark.parametrize("ours", [(), ("--host-device-option=-O0",), ("--device=check",)])
def test_no_image_has_thread_variables_16_bytes_behind_a_page(cc: Tool, project: Path, ours: tuple[str, ...]) -> None:
    """gcc's LeakSanitizer takes those for another C library's, and dies. Where they are is chance, if not aligned."""
    words = ("--keep-in=kept", f"--keep-from={project}", *ours, "--", "gcc", "-g", "-c", "scale.c")
    cc.run("rex-cc", *words, cwd=project)
    (image,) = (project / "kept").rglob("*.so")
    (row,) = [line for line in cc.run("readelf", "-lW", image).splitlines() if line.split()[:1] == ["TLS"]]
    assert int(row.split()[-1], 16) >= 32


# ---- Linters, and what reads how CMake compiles

LINTED = {
    "CMakeLists.txt": """\
cmake_minimum_required(VERSION 3.23)
project(p C CXX)
find_package(RexBuild REQUIRED)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_library(given INTERFACE IMPORTED)
target_include_directories(given INTERFACE ${CMAKE_SOURCE_DIR}/given)
target_compile_definitions(given INTERFACE OWN=3)
add_executable(app main.c scale.c more.cpp)
target_compile_options(app PRIVATE -fopenmp)
target_link_libraries(app PRIVATE given)
CALL
""",
    "given/given.h": "int given(int x);\n",
    "scale.c": """\
#include "scale.h"
#include <given.h>
void scale(int n, float *x)
{
    int zero = 0;
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = x[i] * OWN;
    if (zero = 1)
        x[0] = n == 1000 ? 1 / (n - n) : 0;
}
""",
    "more.cpp": """\
#include <vector>
int *more(std::vector<float> &x);
int *more(std::vector<float> &x)
{
    float *data = x.data();
#pragma omp target map(tofrom: data[0:OWN])
    data[0] = OWN;
    return 0;
}
""",
}
# What each of these says of the files above.
LINTERS = {
    "C_CLANG_TIDY": ("clang-tidy-19;-checks=-*,bugprone-assignment-in-if-condition", "scale.c:9:14: warning: an assi"),
    "CXX_CLANG_TIDY": ("clang-tidy-19;-checks=-*,modernize-use-nullptr", "more.cpp:8:12: warning: use nullptr"),
    "C_CPPCHECK": ("cppcheck;--enable=warning;--quiet", "scale.c:10:30: error: Division by zero. [zerodiv]"),
    "C_INCLUDE_WHAT_YOU_USE": ("iwyu", "scale.c should remove these lines:\n- #include <given.h>"),
}  # fmt: skip
CALLS = {
    "sources": "rex_add_offload_sources(app SOURCES scale.c more.cpp DEVICES cpu)",
    "launcher": "rex_target_offload(app DEVICES cpu)",
}


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("cmake", "generator", "call"), builds())
def test_linters_see_the_users_files(
    tool: Tool, project: Path, tmp_path: Path, cmake: str, generator: str, call: str
) -> None:
    """CMake's linters, its file API and compile_commands.json have each file once, with its own flags."""
    (project / "given").mkdir()
    for name, text in LINTED.items():
        (project / name).write_text(text.replace("CALL", CALLS[call]))
    build = tmp_path / "b"
    query = build / ".cmake" / "api" / "v1" / "query" / "codemodel-v2"
    query.parent.mkdir(parents=True)
    query.touch()
    linters = {name: linter for name, linter in LINTERS.items() if shutil.which(linter[0].partition(";")[0])}
    options = [f"-DCMAKE_{name}={command}" for name, (command, _) in linters.items()]
    output = built(tool, project, build, "-G", generator, *options, cmake=cmake)
    for _, said in linters.values():
        assert output.count(said) == 1, output
    assert "rose_" not in output
    assert tool.run(build / "app") == "3\n"
    names = sorted(str(project / name) for name in ("main.c", "scale.c", "more.cpp"))
    commands = json.loads((build / "compile_commands.json").read_text())
    assert sorted(entry["file"] for entry in commands) == names
    for entry in commands:
        assert f"-isystem {project}/given" in entry["command"]
        tool.run("sh", "-c", f"{entry['command']} -fsyntax-only", cwd=build)
    replies = [json.loads(path.read_text()) for path in query.parents[1].glob("reply/target-*.json")]
    replies = [reply for reply in replies if reply.get("sources")]
    assert [reply["name"] for reply in replies] == ["app"]
    assert sorted(str(project / source["path"]) for source in replies[0]["sources"]) == names
    for group in replies[0]["compileGroups"]:
        assert any(
            include == {**include, "path": f"{project}/given", "isSystem": True} for include in group["includes"]
        )
        assert any("-fopenmp" in part["fragment"].split() for part in group["compileCommandFragments"])
    if shutil.which("clangd-19"):
        for name in names:
            assert "0 errors" in tool.run("clangd-19", f"--compile-commands-dir={build}", f"--check={name}")


# ---- Coverage


@pytest.mark.parametrize(("separable", "flags"), [("", "-O0 -g"), ("SEPARABLE_DEVICE_LINK", "-O2")])
def test_region_bodies_are_counted(tool: Tool, tmp_path: Path, separable: str, flags: str) -> None:
    """gcov has the user's files alone, and the lines of regions as often as the cpu device ran them."""
    source, build = tmp_path / "source", tmp_path / "b"
    source.mkdir()
    write_counted(source)
    (source / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.23)\nproject(p C CXX)\nfind_package(RexBuild REQUIRED)\n"
        "add_executable(app main.c one.c two.cpp)\n"
        f"rex_add_offload_sources(app SOURCES one.c two.cpp DEVICES cpu {separable})\n"
    )
    options = [f"-DCMAKE_{language}_FLAGS=--coverage {flags}" for language in ("C", "CXX")]
    built(tool, source, build, "-G", "Ninja", *options)
    check_counts(tool, source, build)
