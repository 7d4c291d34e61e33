"""SEPARABLE_DEVICE_LINK, with declare target names that several units of a target share."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import cmake_project
import pytest
from build_tool import Tool

pytestmark = [pytest.mark.cmake, pytest.mark.compile]

HAVE_NVCC = shutil.which("nvcc") is not None

LIB_C = """\
#pragma omp begin declare target
int counter = 5;
double template[3] = {1, 2, 4}; /* a word of C++ */
static int hidden(int x) { return x + 1; }
int twice(int x) { return 2 * hidden(x) + counter; }
int linked[2] = {1, 100};
#pragma omp declare target link(linked)
int sum(void) { return linked[0] + linked[1]; }
#pragma omp end declare target
"""

MAIN_C = """\
#include <stdio.h>
#pragma omp begin declare target
extern int counter;
extern double template[3];
int twice(int x), sum(void);
#pragma omp end declare target
extern int linked[2];
#pragma omp declare target link(linked)
int second(int);
int main(void)
{
    int x = 0;
#pragma omp target map(from: x) map(to: linked)
    { counter += 1; template[1] = 8; linked[0]--; x = twice(10) + sum(); }
    printf("%d %d ", x, second(1));
#pragma omp target update from(counter, template)
    printf("%d %g\\n", counter, template[1]);
    return 0;
}
"""

SECOND_C = """\
#include <omp.h>
static int hidden(int x) { return x - 1; }
int twice(int); /* declared target by the call */
#pragma omp declare target
extern int counter;
#pragma omp end declare target
int second(int n)
{
    int r[4];
#pragma omp target teams distribute parallel for map(from: r)
    for (int i = 0; i < 4; i++)
        r[i] = twice(hidden(i + 1)) * 100 + counter;
    return r[3];
}
"""

LISTS = """\
cmake_minimum_required(VERSION 3.20)
project(p C)
find_package(RexBuild REQUIRED)
add_executable(app main.c lib.c second.c)
rex_add_offload_sources(app SOURCES main.c lib.c DEVICES {devices} SEPARABLE_DEVICE_LINK)
rex_add_offload_sources(app SOURCES second.c)
"""

CXX_MAIN = """\
#include <cstdio>
#include "shared.hpp"
namespace app {
#pragma omp begin declare target
int level = 3;
double curve(double x, Kind k) { return k == Kind::linear ? x * level : x * x; }
#pragma omp end declare target
}
int main()
{
    double r = 0;
    int c[8];
    Calls::made = 40;
#pragma omp target update to(Calls::made)
    const double *address = nullptr;
#pragma omp target map(tofrom : r) private(address)
    {
        address = &app::half;
        r = *address * app::steps[Calls::made++ - 38] * Calls::weights[1]; // 0.5 * 100 * 4
    }
#pragma omp target teams distribute parallel for reduction(+ : r)
    for (int i = 0; i < 16; i++)
        r += app::curve(i, Kind::linear) + c_twice(i) + Poly{1, 2}.at(i) + Poly{1, 2}.twice(i);
    app::level = 10;
#pragma omp target update to(app::level)
    c_fill(c, 8);
    std::printf("%g %g %d\\n", r, other(2), c[7]);
}
"""

CXX_HEADER = """\
enum class Kind { linear, square };
struct Poly {
    double a, b;
    double at(double x) const { return a + b * x; }
    double twice(double x) const; // another unit defines it
};
#pragma omp begin declare target
struct Calls {
    static int made; // another unit defines it
    static double weights[2];
};
namespace app {
const double half = 0.5; // each unit has its own
const int steps[3] = {1, 10, 100};
}
#pragma omp end declare target
namespace app {
double curve(double x, Kind k);
extern int level;
#pragma omp declare target(level)
}
double other(int n);
extern "C" {
int c_twice(int x);
int cxx_square(int x);
void c_fill(int *p, int n);
}
"""

CXX_OTHER = """\
#include "shared.hpp"
#pragma omp declare target
extern "C" int cxx_square(int x) { return x * x; }
double Poly::twice(double x) const { return 2 * at(x); }
int Calls::made = 7;
double Calls::weights[2] = {2, 4};
#pragma omp end declare target
double other(int n)
{
    double r = 0;
#pragma omp target map(from : r)
    r = app::curve(n, Kind::square) + app::curve(n, Kind::linear) + app::level + Poly{1, 2}.at(n) +
        *&app::half * app::steps[1] * (Calls::made - 41); // 0
#pragma omp target update from(Calls::made)
    return Calls::made == 41 ? r : -1;
}
"""

C_OF_CXX = """\
int cxx_square(int x);
#pragma omp declare target
int c_twice(int x) { return 2 * x; }
#pragma omp end declare target
void c_fill(int *p, int n)
{
#pragma omp target teams distribute parallel for map(from : p[0 : n])
    for (int i = 0; i < n; i++)
        p[i] = c_twice(i) + cxx_square(i);
}
"""


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    folder = tmp_path / "shared names"
    folder.mkdir()
    for name, text in (("lib.c", LIB_C), ("main.c", MAIN_C), ("second.c", SECOND_C)):
        (folder / name).write_text(text)
    return folder


def configure(tool: Tool, source: Path, build: Path, *options: str) -> None:
    done = cmake_project.configure(tool, source, build, *options)
    assert done.returncode == 0, done.stdout + done.stderr


def build_linked(tool: Tool, source: Path, build: Path, sources: str, languages: str = "C") -> None:
    """Configure and build ``app`` from sources whose device code is linked for every device there is a compiler for."""
    (source / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.20)\nproject(p {languages})\nfind_package(RexBuild REQUIRED)\n"
        f"add_executable(app {sources})\n"
        f"rex_add_offload_sources(app SOURCES {sources} DEVICES {'cpu cuda' if HAVE_NVCC else 'cpu'} "
        "SEPARABLE_DEVICE_LINK)\n"
    )
    configure(tool, source, build)
    tool.run("cmake", "--build", build)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
def test_one_image_with_the_union_of_the_entries(tool: Tool, shared: Path, tmp_path: Path, generator: str) -> None:
    devices = "cpu cuda" if HAVE_NVCC and generator == "Ninja" else "cpu"
    (shared / "CMakeLists.txt").write_text(LISTS.format(devices=devices))
    build = tmp_path / "b"
    configure(tool, shared, build, "-G", generator)
    tool.run("cmake", "--build", build)
    assert tool.run(build / "app") == "128 1406 6 8\n"
    text = (build / "rex" / "app" / "register_cubin.cpp").read_text()
    assert text.count('.incbin \\"') == len(devices.split())
    hosts = "".join(path.read_text() for path in (build / "rex" / "app").glob("*/rose_*.c"))
    count = sum(map(int, re.findall(r"^/\* rex-build .*; entries (\d+); separable \*/$", hosts, re.MULTILINE)))
    assert count >= 4  # two kernels, two variables
    assert f"rex_entries[{count + 1}]" in text  # and the kernel of rex_offload_init()
    assert not re.search("Building|Linking", tool.run("cmake", "--build", build))
    # A changed source causes its object and the link to be made again, but no other object.
    (shared / "lib.c").write_text(LIB_C.replace("x + 1", "x + 2"))
    output = tool.run("cmake", "--build", build)
    assert "lib.c.o" in output
    assert "main.c.o" not in output
    assert tool.run(build / "app") == "130 1606 6 8\n"


LIBRARIES = """\
cmake_minimum_required(VERSION 3.20)
project(p C)
find_package(RexBuild REQUIRED)
add_subdirectory(libraries)
add_executable(app main.c)
rex_add_offload_sources(app SOURCES main.c DEVICES {devices} SEPARABLE_DEVICE_LINK)
target_link_libraries(app PRIVATE using)
add_executable(without_regions plain.c)
target_link_libraries(without_regions PRIVATE using)
"""
IN_LIBRARIES = """\
add_library(defining STATIC ../lib.c)
add_library(using STATIC ../second.c)
rex_add_offload_sources(defining SOURCES ../lib.c DEVICES {devices} SEPARABLE_DEVICE_LINK)
rex_add_offload_sources(using SOURCES ../second.c DEVICES {devices} SEPARABLE_DEVICE_LINK)
target_link_libraries(using PUBLIC defining)
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
def test_static_libraries(tool: Tool, shared: Path, tmp_path: Path, generator: str) -> None:
    """One library uses what another one defines for the device. Programs link the device code of both, those without
    regions of their own, too. The project has a launcher of its own for links."""
    launcher = tmp_path / "own launcher"
    launcher.write_text(f'#!/bin/sh\necho "$*" >> "{tmp_path}/links"\nexec "$@"\n')
    launcher.chmod(0o755)
    devices = "cpu cuda" if HAVE_NVCC and generator == "Ninja" else "cpu"
    (shared / "libraries").mkdir()
    (shared / "CMakeLists.txt").write_text(LIBRARIES.format(devices=devices))
    (shared / "libraries" / "CMakeLists.txt").write_text(IN_LIBRARIES.format(devices=devices))
    (shared / "plain.c").write_text(
        '#include <stdio.h>\nint second(int);\nint main(void) { printf("%d\\n", second(1)); }\n'
    )
    build = tmp_path / "b"
    configure(tool, shared, build, "-G", generator, f"-DCMAKE_C_LINKER_LAUNCHER={launcher}")
    tool.run("cmake", "--build", build)
    assert "-o without_regions" in (tmp_path / "links").read_text()
    assert tool.run(build / "app") == "128 1406 6 8\n"
    assert tool.run(build / "without_regions") == "1305\n"
    # What one library defines is changed: its object is made again, and all that links it.
    (shared / "lib.c").write_text(LIB_C.replace("x + 1", "x + 2"))
    output = tool.run("cmake", "--build", build)
    assert len(re.findall(r"Building C object", output)) == 1
    assert tool.run(build / "app") == "130 1606 6 8\n"
    assert tool.run(build / "without_regions") == "1505\n"
    assert not re.search("Building|Linking", tool.run("cmake", "--build", build))


def test_units_of_c_and_cxx(tool: Tool, tmp_path: Path) -> None:
    """Functions, in both directions, variables of namespaces and static members are shared among them."""
    folder = tmp_path / "mixed units"
    folder.mkdir()
    texts = {"main.cpp": CXX_MAIN, "shared.hpp": CXX_HEADER, "other.cpp": CXX_OTHER, "twice.c": C_OF_CXX}
    for name, text in texts.items():
        (folder / name).write_text(text)
    build_linked(tool, folder, tmp_path / "b", "main.cpp other.cpp twice.c", "C CXX")
    assert tool.run(tmp_path / "b" / "app") == "1568 39 63\n"


def test_library(tool: Tool, shared: Path, tmp_path: Path) -> None:
    """The device code of a shared library is linked once for it."""
    text = LISTS.format(devices="cpu").replace("add_executable(app", "add_library(app SHARED")
    (shared / "main.c").write_text(MAIN_C.replace("int main", "int run"))
    (shared / "program.c").write_text("int run(void);\nint main(void) { return run(); }\n")
    (shared / "CMakeLists.txt").write_text(
        text + "add_executable(program program.c)\ntarget_link_libraries(program app)\n"
    )
    configure(tool, shared, tmp_path / "b")
    tool.run("cmake", "--build", tmp_path / "b")
    assert tool.run(tmp_path / "b" / "program") == "128 1406 6 8\n"


@pytest.mark.parametrize(
    "device", ["cpu", pytest.param("cuda", marks=pytest.mark.skipif(not HAVE_NVCC, reason="no nvcc"))]
)
def test_what_no_unit_defines(tool: Tool, shared: Path, tmp_path: Path, device: str) -> None:
    (shared / "CMakeLists.txt").write_text(LISTS.format(devices=device).replace(" lib.c DEV", " DEV"))
    (shared / "main.c").write_text(
        "#pragma omp begin declare target\nint twice(int x);\n#pragma omp end declare target\n"
        "int second(int n) { return n; }\nint main(void)\n{\n    int x = 1;\n#pragma omp target map(tofrom: x)\n"
        "    x = twice(x);\n    return x != 2;\n}\n"
    )
    (shared / "second.c").write_text("")
    configure(tool, shared, tmp_path / "b")
    done = subprocess.run(["cmake", "--build", tmp_path / "b"], env=tool.env, capture_output=True, text=True)
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert "twice" in said
    assert "'twice' is used in device code, but no file of this link defines it for the device" in said


def test_without_it_the_function_is_missing(tool: Tool, shared: Path) -> None:
    done = tool("lower", "second.c", "--out-dir", "out", cwd=shared)
    assert done.returncode == 1
    assert "'twice' is used in device code but has no definition in this unit" in done.stderr
    assert "SEPARABLE_DEVICE_LINK" in done.stderr


def test_indirect_functions_of_another_unit(tool: Tool, tmp_path: Path) -> None:
    """The host's address of a function that another unit defines means that unit's device function."""
    folder = tmp_path / "indirect"
    folder.mkdir()
    declared = "#pragma omp begin declare target indirect\nint {0}(int x){1}\n#pragma omp end declare target\n"
    (folder / "lib.c").write_text(
        "#pragma omp begin declare target\nint calls;\n#pragma omp end declare target\n"
        + declared.format("thrice", " { ++calls; return 3 * x; }")
        + "int on_device(void)\n{\n#pragma omp target update from(calls)\n    return calls;\n}\n"
    )
    (folder / "main.c").write_text(
        "#include <stdio.h>\n"
        + declared.format("thrice", ";")
        + declared.format("less", " { return x - 1; }")
        + "int on_device(void), apply(int (*)(int), int);\nint main(void)\n{\n"
        "    int (*table[])(int) = {thrice, less, thrice}, r[5];\n"
        "#pragma omp target map(to: table) map(from: r)\n    {\n        for (int i = 0; i < 3; i++)\n"
        "            r[i] = table[i](i + 5);\n"
        "        r[3] = apply(table[0], 1);\n        r[4] = apply(less, 1);\n    }\n"
        '    printf("%d %d %d %d %d %d\\n", r[0], r[1], r[2], r[3], r[4], on_device());\n    return 0;\n}\n'
    )
    (folder / "apply.c").write_text(  # this unit knows no indirect functions
        "#pragma omp begin declare target\nint apply(int (*f)(int), int x) { return f(x); }\n"
        "#pragma omp end declare target\n"
    )
    build_linked(tool, folder, tmp_path / "b", "main.c lib.c apply.c")
    assert tool.run(tmp_path / "b" / "app") == "15 5 21 3 0 3\n"


def test_functions_of_another_unit_ask_where_they_run(tool: Tool, tmp_path: Path) -> None:
    """Such functions ask about threads, teams, limits, settings and tasks, which the kernel's unit keeps.

    They may also call functions of that unit, so the stack that they need is unknown.
    """
    folder = tmp_path / "queries"
    folder.mkdir()
    (folder / "lib.c").write_text(
        "#include <omp.h>\n#pragma omp begin declare target\n"
        "int place(void) { return omp_get_thread_num() + 100 * omp_get_team_num() + 1000 * omp_get_num_threads(); }\n"
        "int task(void) { return omp_in_final(); }\n"
        "int most(int n) { omp_set_num_threads(n); return omp_get_max_threads(); }\n"
        "int final(void)\n{\n    int result = 0;\n#pragma omp task final(1) shared(result)\n"
        "    result = omp_in_final();\n    return result;\n}\n"
        "void start(int *own) { *own = omp_get_level() != 1; }\n"
        "int even(int);\nint odd(int n) { return n == 0 ? 0 : even(n - 1); }\n"
        "#pragma omp end declare target\n"
    )
    (folder / "main.c").write_text(
        "#include <stdio.h>\n#include <omp.h>\nint place(void), task(void), most(int), final(void), odd(int);\n"
        "#pragma omp begin declare target\nint even(int n) { return n == 0 ? 1 : odd(n - 1); }\n"
        "void start(int *);\n#pragma omp end declare target\n"
        "#pragma omp declare reduction(errors: int: omp_out += omp_in) initializer(start(&omp_priv))\n"
        "int main(void)\n{\n"
        "    int places[8], own[8], limit = 0, in_task = 0, threads = 0, wrong = 0;\n"
        "#pragma omp target parallel for map(tofrom: wrong) reduction(errors: wrong)\n"
        "    for (int i = 1; i < 200; i++)\n        wrong += i < 0;\n"
        "#pragma omp target teams distribute parallel for num_teams(2) thread_limit(2) map(from: places, own)\n"
        "    for (int i = 0; i < 8; i++) {\n        places[i] = place();\n"
        "        own[i] = omp_get_thread_num() + 100 * omp_get_team_num() + 1000 * omp_get_num_threads();\n    }\n"
        "    for (int i = 0; i < 8; i++)\n        wrong += places[i] != own[i] || own[i] / 100 % 10 != i / 4;\n"
        "#pragma omp target map(from: limit, in_task, threads)\n    {\n        limit = most(2);\n"
        "#pragma omp task final(1) shared(in_task)\n        in_task = task();\n"
        "#pragma omp parallel\n        if (omp_get_thread_num() == 0)\n"
        "            threads = omp_get_num_threads();\n    }\n"
        "#pragma omp target parallel for map(tofrom: wrong) reduction(+: wrong)\n    for (int i = 1; i < 200; i++)\n"
        "        wrong += most(i) != i || !final() || task() || even(i) == i % 2;\n"
        '    printf("%d %d %d %d\\n", wrong, limit, in_task, threads <= 2);\n    return 0;\n}\n'
    )
    build_linked(tool, folder, tmp_path / "b", "main.c lib.c")
    assert tool.run(tmp_path / "b" / "app") == "0 2 1 1\n"
    hosts = (tmp_path / "b" / "rex" / "app").glob("*/rose_*.c")
    assert all("; recursive */" in path.read_text() for path in hosts)
