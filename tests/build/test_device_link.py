"""``rex-gcc`` links device code that several units share, as the link of the program does with host code."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from build_tool import Tool, failing

from rex_build.base.elf import section_sizes
from rex_build.tools.runtimes import find_nvcc

pytestmark = pytest.mark.compile

CURVE_H = """\
#ifndef CURVE_H
#define CURVE_H
#ifdef __cplusplus
extern "C" {
#endif
#pragma omp declare target
extern double slope;
double curve(double x);
#pragma omp end declare target
double area(const double *x, int n);
#ifdef __cplusplus
}
#endif
#endif
"""

CURVE_C = """\
#include "curve.h"
double slope = 2;
static int calls; /* the host's */
double curve(double x) { return slope * x + 1; }
double area(const double *x, int n)
{
    double sum = 0;
    ++calls;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += curve(x[i]);
    return sum;
}
"""

MAIN_C = """\
#include <stdio.h>
#include "curve.h"
int main(void)
{
    double x[10], low = 0;
#pragma omp target teams distribute parallel for map(from: x)
    for (int i = 0; i < 10; i++)
        x[i] = curve(i); /* 1, 3, ..., 19 */
    slope = 10;
#pragma omp target update to(slope)
#pragma omp target map(from: low)
    low = slope;
    printf("%g %g\\n", area(x, 10), low);
    return 0;
}
"""
RESULT = "1010 10\n"


@pytest.fixture
def curve(tmp_path: Path) -> Path:
    folder = tmp_path / "shared code"
    folder.mkdir()
    for name, text in (("curve.h", CURVE_H), ("curve.c", CURVE_C), ("main.c", MAIN_C)):
        (folder / name).write_text(text)
    return folder


def test_objects_of_several_commands(cc: Tool, curve: Path) -> None:
    """Functions and variables mean the same in all files, also when the cache has the lowered files."""
    for _ in range(2):
        cc.run("rex-gcc", "-O2", "-fopenmp", "-c", "curve.c", cwd=curve)
        cc.run("rex-gcc", "-O2", "-fopenmp", "-c", "main.c", cwd=curve)
        cc.run("rex-gcc", "-fopenmp", "main.o", "curve.o", "-o", "app", cwd=curve)
        assert cc.run(curve / "app") == RESULT
    assert ".rex_device_code" in section_sizes(curve / "main.o")
    assert ".rex_device_code" not in section_sizes(curve / "app")
    assert sorted(path.name for path in curve.iterdir()) == ["app", "curve.c", "curve.h", "curve.o", "main.c", "main.o"]


def test_nothing_makes_the_runtime_start_devices_without_an_image(tool: Tool, cc: Tool, curve: Path) -> None:
    """A GPU without an image for it would be the first device otherwise."""
    done = tool("cc", "--device", "cpu", "-o", "one", "main.c", "curve.c", cwd=curve)
    assert done.returncode == 0, done.stderr
    cc.run("rex-gcc", "-fopenmp", "-o", "two", "main.c", "curve.c", cwd=curve)
    for program in ("one", "two"):
        used = subprocess.run(["nm", "-u", program], cwd=curve, capture_output=True, text=True, check=True).stdout
        assert "__tgt_register_lib" in used
        assert "__tgt_init_all_rtls" not in used


@pytest.mark.parametrize("kind", ["rcs", "rcsT"])
def test_archive(cc: Tool, curve: Path, kind: str) -> None:
    """What the linker takes of an archive is linked, and nothing else: the second member would define a name again."""
    (curve / "other.c").write_text(CURVE_C.replace("slope * x + 1", "0"))
    for name in ("curve", "other", "main"):
        cc.run("rex-gcc", "-O2", "-flto", "-ffunction-sections", "-fopenmp", "-c", f"{name}.c", cwd=curve)
    cc.run("ar", kind, "libcurve.a", "curve.o", "other.o", cwd=curve)
    options = ["-flto", "-Wl,--gc-sections", "-s"]
    cc.run("rex-gcc", "-fopenmp", *options, "main.o", "-L.", "-lcurve", "-o", "app", cwd=curve)
    assert cc.run(curve / "app") == RESULT


def test_joined_objects_and_shared_libraries(cc: Tool, curve: Path) -> None:
    """Each shared library has device code of its own, and programs that use it may have theirs."""
    (curve / "program.c").write_text("int run(void);\nint main(void) { return run(); }\n")
    cc.run("rex-gcc", "-fPIC", "-fopenmp", "-c", "curve.c", cwd=curve)
    cc.run("rex-gcc", "-fPIC", "-fopenmp", "-Dmain=run", "-c", "main.c", cwd=curve)
    cc.run("ld", "-r", "curve.o", "main.o", "-o", "both.o", cwd=curve)
    cc.run("rex-gcc", "-fopenmp", "-shared", "both.o", "-o", "libcurve.so", cwd=curve)
    cc.run("rex-gcc", "program.c", "-L.", "-lcurve", "-Wl,-rpath,.", "-o", "app", cwd=curve)
    assert cc.run("./app", cwd=curve) == RESULT
    cc.run("rex-gcc", "-fopenmp", "main.c", "curve.c", "-L.", "-lcurve", "-Wl,-rpath,.", "-o", "app", cwd=curve)
    assert cc.run("./app", cwd=curve) == RESULT


def test_units_of_c_and_cxx(cc: Tool, curve: Path) -> None:
    """Methods, functions of namespaces and C's functions are called across files, in one command and in several."""
    (curve / "line.hpp").write_text(
        "namespace app {\n#pragma omp declare target\nextern int level;\nstruct Line {\n    double a;\n"
        "    double at(double x) const;\n};\ndouble twice(double x);\n#pragma omp end declare target\n}\n"
    )
    (curve / "line.cpp").write_text(
        '#include "line.hpp"\n#include "curve.h"\nint app::level = 3;\n'
        "double app::Line::at(double x) const { return a + x; }\n"
        "double app::twice(double x) { return 2 * curve(x) + level; }\n"
    )
    (curve / "use.cpp").write_text(
        '#include <cstdio>\n#include "line.hpp"\nint main()\n{\n    double sum = 0;\n    app::Line line{1};\n'
        "#pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum) firstprivate(line)\n"
        "    for (int i = 0; i < 10; i++)\n        sum += app::twice(i) + line.at(i);\n"
        '    std::printf("%g\\n", sum);\n}\n'
    )
    cc.run("rex-g++", "-fopenmp", "-c", "line.cpp", cwd=curve)
    cc.run("rex-gcc", "-fopenmp", "-c", "curve.c", cwd=curve)
    cc.run("rex-g++", "-fopenmp", "use.cpp", "line.o", "curve.o", "-o", "app", cwd=curve)
    assert cc.run(curve / "app") == "285\n"
    cc.run("rex-build", "cc", "--device", "cpu", "-o", "app", "use.cpp", "line.cpp", "curve.o", "--", "-O1", cwd=curve)
    assert cc.run(curve / "app") == "285\n"


@pytest.mark.skipif(find_nvcc() is None, reason="nvcc is not installed")
def test_gpus(cc: Tool, curve: Path) -> None:
    """One image for each device is registered, and what is missing is named for GPUs, too."""
    cc.env["REX_DEVICES"] = "cuda,cpu"
    cc.run("rex-gcc", "-fopenmp", "main.c", "curve.c", "-o", "app", cwd=curve)
    assert cc.run(curve / "app") == RESULT
    (curve / "plain.c").write_text(CURVE_C.replace('#include "curve.h"\n', ""))
    _, said = failing(cc, curve, "rex-gcc", "-fopenmp", "main.c", "plain.c", "-o", "app")
    assert "main.c:8:16: error: 'curve' is used in device code, but no file of this link defines it" in said


@pytest.mark.parametrize("command", ["rex-gcc -fopenmp", "rex-build cc --device cpu", "rex-build cc --check"])
def test_what_no_file_defines(cc: Tool, curve: Path, command: str) -> None:
    """The error has the place of the first use. There is no program."""
    (curve / "plain.c").write_text(CURVE_C.replace('#include "curve.h"\n', ""))
    done = subprocess.run(
        [*command.split(), "main.c", "plain.c", "-o", "app"], cwd=curve, env=cc.env, capture_output=True, text=True
    )
    assert done.returncode == 1
    for place in ("main.c:8:16: error: 'curve'", "main.c:12:11: error: 'slope'"):
        assert f"{place} is used in device code, but no file of this link defines it for the device" in done.stderr
    assert "x[i] = curve(i);" in done.stderr
    assert not (curve / "app").exists()


HOST_ONLY = """\
#include <stdio.h>
#include <stdlib.h>
#pragma omp declare target
double twice(double x) { return 2 * x; }
void run(int n, double *x)
{
    if (n < 0) {
        fprintf(stderr, "no elements\\n");
        exit(2);
    }
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = twice(x[i]) + 1;
}
void again(int n, double *x) { run(n, x); }
void resident(int n, double *x)
{
#pragma omp target data map(tofrom: x[0:n])
    again(n, x);
}
#pragma omp end declare target
int main(void)
{
    double x[10] = {1};
    resident(10, x);
    printf("%g\\n", x[0]);
    return 0;
}
"""
CALLS_IT = """\
#pragma omp declare target
void again(int n, double *x);
#pragma omp end declare target
void call(double *x)
{
#pragma omp target map(tofrom: x[0:10])
    again(10, x);
}
"""


@pytest.mark.parametrize(("suffix", "compiler"), [("c", "rex-gcc"), ("cpp", "rex-g++")])
def test_declared_functions_that_only_the_host_can_call(cc: Tool, tmp_path: Path, suffix: str, compiler: str) -> None:
    """Functions that begin regions, or call such functions, have device code only for who calls them there."""
    (tmp_path / f"run.{suffix}").write_text(HOST_ONLY)
    cc.run(compiler, "-fopenmp", f"run.{suffix}", "-o", "app", cwd=tmp_path)
    assert cc.run(tmp_path / "app") == "3\n"
    (tmp_path / f"call.{suffix}").write_text(CALLS_IT)
    _, said = failing(cc, tmp_path, compiler, "-fopenmp", f"run.{suffix}", f"call.{suffix}", "-o", "app")
    assert "again" in said
    assert "is used in device code, but no file of this link defines it for the device" in said
    assert "functions that begin target regions are the host's" in said
    (tmp_path / f"both.{suffix}").write_text(HOST_ONLY.replace("exit(2)", "n = 0") + CALLS_IT)
    _, said = failing(cc, tmp_path, compiler, "-fopenmp", f"both.{suffix}", "-o", "app")
    assert f"both.{suffix}:11:13: error: 'target teams distribute parallel for' inside a target region" in said


def test_devices_have_to_be_the_same(cc: Tool, curve: Path) -> None:
    cc.run("rex-gcc", "-fopenmp", "-c", "curve.c", cwd=curve)
    cc.env["REX_DEVICES"] = "check"
    _, said = failing(cc, curve, "rex-gcc", "-fopenmp", "main.c", "curve.o", "-o", "app")
    assert "curve.c has device code for cpu, and main.c for check" in said


def test_what_is_the_units_own_is_registered_with_it(cc: Tool, curve: Path) -> None:
    """Functions that no header declares need no link: another program may link the object, which is as it was."""
    text = CURVE_C.replace('#include "curve.h"\n', "#pragma omp declare target\n", 1)
    text = text.replace("double area", "#pragma omp end declare target\ndouble area")
    (curve / "own.c").write_text(text)
    cc.run("rex-gcc", "-fopenmp", "-c", "own.c", cwd=curve)
    assert ".rex_device_code" not in section_sizes(curve / "own.o")


OWN = """\
#include <stdio.h>
#pragma omp declare target
double sum(double a, double b);
extern int calls;
#pragma omp end declare target
"""


@pytest.mark.parametrize(("suffix", "compiler"), [("c", "rex-gcc"), ("cpp", "rex-g++")])
def test_functions_that_only_others_use(cc: Tool, tmp_path: Path, suffix: str, compiler: str) -> None:
    """They need no header, as each file may have a declaration. So do variables of files without regions."""
    (tmp_path / f"sum.{suffix}").write_text(OWN + "int calls = 3;\ndouble sum(double a, double b) { return a + b; }\n")
    (tmp_path / f"main.{suffix}").write_text(
        OWN + "int main(void)\n{\n    double r = 0;\n#pragma omp target map(tofrom: r)\n    r = sum(1, ++calls);\n"
        '#pragma omp target update from(calls)\n    printf("%g %d\\n", r, calls);\n    return 0;\n}\n'
    )
    cc.run(compiler, "-fopenmp", f"main.{suffix}", f"sum.{suffix}", "-o", "app", cwd=tmp_path)
    assert cc.run(tmp_path / "app") == "5 4\n"


@pytest.mark.parametrize(("suffix", "compiler"), [("c", "rex-gcc"), ("cpp", "rex-g++")])
def test_definition_behind_the_directive(cc: Tool, tmp_path: Path, suffix: str, compiler: str) -> None:
    """A variable is on the device if one of its declarations is in 'declare target', wherever its definition stands."""
    (tmp_path / f"main.{suffix}").write_text(
        OWN + "int calls = 3;\nint main(void)\n{\n#pragma omp target\n    calls += 5;\n"
        '    calls = 0;\n#pragma omp target update from(calls)\n    printf("%d\\n", calls);\n    return 0;\n}\n'
    )
    cc.run(compiler, "-fopenmp", f"main.{suffix}", "-o", "app", cwd=tmp_path)
    assert cc.run(tmp_path / "app") == "8\n"


def test_inline_variables_are_one(cc: Tool, tmp_path: Path) -> None:
    """An inline variable of a header is the same one in the device code of all units."""
    (tmp_path / "hits.hpp").write_text(
        "#pragma omp declare target\ninline int hits = 1;\nstruct Of { static inline int n = 1; };\n"
        "#pragma omp end declare target\ninline void hit(int n)\n{\n#pragma omp target\n    hits += n, Of::n *= n;\n"
        "}\nint other();\n"
    )
    (tmp_path / "other.cpp").write_text(
        '#include "hits.hpp"\nint other()\n{\n    hit(4);\n    int n = 0;\n#pragma omp target map(from: n)\n'
        "    n = 10 * hits + Of::n;\n    return n;\n}\n"
    )
    (tmp_path / "main.cpp").write_text(
        '#include <cstdio>\n#include "hits.hpp"\nint main()\n{\n    hit(2);\n    std::printf("%d ", other());\n'
        '#pragma omp target update from(hits)\n    std::printf("%d\\n", hits);\n}\n'
    )
    for devices in ("cpu", *(["cuda,cpu"] if find_nvcc() is not None else [])):
        cc.env["REX_DEVICES"] = devices
        cc.run("rex-g++", "-std=c++17", "-fopenmp", "main.cpp", "other.cpp", "-o", "app", cwd=tmp_path)
        assert cc.run(tmp_path / "app") == "78 7\n"


def test_inline_variables_of_two_libraries(cc: Tool, tmp_path: Path) -> None:
    """On the host they are one, and on the device one for each library. The program says so and ends, unless each
    library has its own on the host, too."""
    (tmp_path / "hits.hpp").write_text(
        "#pragma omp begin declare target\ninline int hits = 1;\nclass Of { static inline int n = 1; public: static int"
        " add(int x) { return n += x; } };\ntemplate <class T> struct Q { static T n; };\n"
        "template <class T> T Q<T>::n;\n"
        "#pragma omp end declare target\n"
    )
    for name in "ab":
        (tmp_path / f"{name}.cpp").write_text(
            f'#include "hits.hpp"\n__attribute__((visibility("default"))) int of_{name}()\n{{\n'
            "    int n = 0;\n    NAME += 10;\n#pragma omp target update to(NAME)\n#pragma omp target map(from: n)\n"
            "    n = ++NAME + Of::add(1);\n    return n;\n}\n".replace("NAME", "VARIABLE")
        )
    (tmp_path / "main.cpp").write_text(
        '#include <cstdio>\nint of_a(), of_b();\nint main() { int a = of_a(); std::printf("%d %d\\n", a, of_b()); }\n'
    )
    cc.run("g++", "-c", "main.cpp", cwd=tmp_path)
    for flags in ((), ("-fvisibility=hidden",)):
        for name in "ab":
            options = ("-std=c++17", "-fopenmp", "-fPIC", "-shared", "-DVARIABLE=hits", *flags)
            cc.run("rex-g++", *options, f"{name}.cpp", "-o", f"lib{name}.so", cwd=tmp_path)
        cc.run("g++", "main.o", "./liba.so", "./libb.so", "-o", "app", cwd=tmp_path)
        if flags:
            assert cc.run("./app", cwd=tmp_path) == "14 14\n"
        else:
            assert "error: 'hits' is one variable on the host, and in two" in failing(cc, tmp_path, "./app")[1]


def test_files_of_one_name_with_templates(cc: Tool, tmp_path: Path) -> None:
    """Two files that are named alike, with the same directives, have kernels of their own, in one program and in two
    shared libraries."""
    each = (
        "template <class F> static void each(int n, int *p, F f)\n{\n"
        "#pragma omp target teams distribute parallel for map(tofrom: p[0:n])\n"
        "    for (int i = 0; i < n; i++)\n        p[i] = f(i);\n}\n"
    )
    for folder, value in (("a", "3 * i"), ("b", "i * i")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "k.cpp").write_text(
            f"{each}int of_{folder}(int n)\n{{\n    int v[10];\n"
            f"    each(n, v, [](int i) {{ return {value}; }});\n    return v[n - 1];\n}}\n"
        )
        cc.run("rex-g++", "-fopenmp", "-fPIC", "-c", "k.cpp", cwd=tmp_path / folder)
        cc.run("rex-g++", "-fopenmp", "-shared", "k.o", "-o", f"lib{folder}.so", cwd=tmp_path / folder)
    (tmp_path / "main.cpp").write_text(
        '#include <cstdio>\nint of_a(int), of_b(int);\nint main() { std::printf("%d %d\\n", of_a(10), of_b(10)); }\n'
    )
    for parts in (("a/k.o", "b/k.o"), ("a/liba.so", "b/libb.so")):
        cc.run("rex-g++", "-fopenmp", "main.cpp", *parts, "-o", "app", cwd=tmp_path)
        assert cc.run(tmp_path / "app", cwd=tmp_path) == "27 81\n"


def test_regions_may_stay_on_the_host(cc: Tool, curve: Path) -> None:
    """Where what cannot be lowered stays on the host, device code is not linked, as that link might fail."""
    cc.env.update(REX_ON_UNSUPPORTED="host", OMP_TARGET_OFFLOAD="DEFAULT")
    cc.run("rex-gcc", "-fopenmp", "main.c", "curve.c", "-o", "app", cwd=curve)
    assert cc.run(curve / "app") == RESULT


def test_explain_shows_what_rex_gcc_does(cc: Tool, curve: Path) -> None:
    assert "main.c:6" in cc.run("rex-build", "explain", "main.c", cwd=curve)


def test_shared_memory_in_cxx(cc: Tool, tmp_path: Path) -> None:
    """Host and device have one variable then, which only its unit can use on the device. A header may declare it."""
    (tmp_path / "level.hpp").write_text(
        "#pragma omp requires unified_shared_memory\n#pragma omp declare target\nextern int level, steps[3];\n"
        "int scaled(int x);\n#pragma omp end declare target\n"
    )
    (tmp_path / "level.cpp").write_text(
        '#include <cstdio>\n#include "level.hpp"\nint level = 2, steps[3] = {1, 2, 3};\n'
        "int scaled(int x) { return level * x + steps[x % 3]; }\nint main()\n{\n    int sum = 0;\n    level = 10;\n"
        "#pragma omp target teams distribute parallel for reduction(+: sum)\n"
        '    for (int i = 0; i < 6; i++)\n        sum += scaled(i);\n    std::printf("%d\\n", sum);\n}\n'
    )
    cc.run("rex-g++", "-fopenmp", "level.cpp", "-o", "app", cwd=tmp_path)
    assert cc.run(tmp_path / "app") == "162\n"
