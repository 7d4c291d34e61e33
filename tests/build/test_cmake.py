"""rex_add_offload_sources(): what it builds, and what it does not build again."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from build_tool import ROOT, Tool, cmakes, needed, nvcc_in
from cmake_project import LISTS, built, configure, write

pytestmark = [pytest.mark.cmake, pytest.mark.compile]

GENERATORS = ["Ninja", "Unix Makefiles"]
HAVE_NVCC = shutil.which("nvcc") is not None


def steps(output: str) -> list[str]:
    """What a build did, without progress counts: compiling and linking."""
    return sorted(re.findall(r"(?:Building|Linking) .*", output))


def compiled(output: str) -> set[str]:
    """The sources that a build compiled."""
    return set(re.findall(r"Building \w+ object CMakeFiles/\w+\.dir/(.*)\.o\b", output))


def tick() -> None:
    """Wait a moment, because Make compares times and clocks may be coarse."""
    time.sleep(0.05)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("listed", ["main.c scale.c", "main.c"], ids=["listed", "not listed"])
def test_sources_in_the_target_or_not(tool: Tool, project: Path, tmp_path: Path, generator: str, listed: str) -> None:
    text = LISTS.replace("main.c scale.c", listed) + "rex_add_offload_sources(app SOURCES scale.c main.c DEVICES cpu)\n"
    (project / "CMakeLists.txt").write_text(text)
    output = built(tool, project, tmp_path / "b", "-G", generator)
    assert compiled(output) == {"main.c", "scale.c"}
    assert (tmp_path / "b/rex/app/scale.c/rose_scale.c").exists()
    assert tool.run(tmp_path / "b" / "app") == "2\n"
    libraries = needed(tmp_path / "b" / "app")
    assert "libomptarget" in libraries
    assert "libomp.so" in libraries
    assert "libgomp" not in libraries


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("generator", "cmake"), list(zip(GENERATORS, 2 * cmakes(), strict=False)))
def test_rebuilds_only_what_changed(tool: Tool, project: Path, tmp_path: Path, generator: str, cmake: str) -> None:
    (project / "own.h").write_text("/* only scale.c reads this */\n")
    (project / "scale.c").write_text('#include "own.h"\n' + (project / "scale.c").read_text())
    (project / "CMakeLists.txt").write_text(LISTS + "rex_add_offload_sources(app SOURCES scale.c main.c DEVICES cpu)\n")
    build = tmp_path / "b"
    built(tool, project, build, "-G", generator, cmake=cmake)

    def again() -> set[str]:
        output = tool.run(cmake, "--build", build)
        assert bool(compiled(output)) == bool(steps(output))
        return compiled(output)

    assert again() == set()
    tick()
    (project / "own.h").write_text("#define FACTOR 5\n")
    assert again() == {"scale.c"}
    assert tool.run(build / "app") == "5\n"
    assert again() == set()
    # Configuring again changes nothing. A new definition of the target reaches the lowering, and so do new options.
    tool.run(cmake, build)
    assert again() == set()
    lists = project / "CMakeLists.txt"
    lists.write_text(lists.read_text() + "target_compile_definitions(app PRIVATE UNUSED=1)\n")
    assert again() == {"main.c", "scale.c"}
    assert again() == set()
    tick()
    lists.write_text(lists.read_text().replace("DEVICES cpu", "DEVICES cpu LOWER_OPTIONS --no-opt tile"))
    assert again() == {"main.c", "scale.c"}
    assert again() == set()
    # What is listed no longer is the compiler's own again.
    lists.write_text(lists.read_text().replace("scale.c main.c", "scale.c"))
    assert "main.c" in again()
    assert again() == set()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("generator", GENERATORS)
def test_a_touched_source_is_compiled_again(tool: Tool, project: Path, tmp_path: Path, generator: str) -> None:
    """As with a source that is not lowered: no depfile has the header that has appeared, but a touch is enough.

    Its text stays the same in the host file, and the image is made with a header that only the device options name.
    """
    for name in ("early", "late"):
        (project / name).mkdir()
    (project / "late/value.h").write_text("#define VALUE 3\n")
    (project / "late/device.h").write_text("#define DEVICE_VALUE 2\n")
    scale = (project / "scale.c").read_text()
    (project / "scale.c").write_text(f'#include "value.h"\nint value(void) {{ return VALUE; }}\n{scale}')
    main = (project / "main.c").read_text()
    main = main.replace("sum / 4950", "sum / 4950 * value()").replace("int main", "int value(void);\nint main")
    (project / "main.c").write_text(main)
    (project / "CMakeLists.txt").write_text(
        LISTS + "target_include_directories(app PRIVATE early late)\n"
        "rex_add_offload_sources(app SOURCES scale.c main.c DEVICES cpu HOST_DEVICE_OPTIONS\n"
        "  -I${CMAKE_SOURCE_DIR}/early -I${CMAKE_SOURCE_DIR}/late -include device.h)\n"
    )
    build = tmp_path / "b"
    built(tool, project, build, "-G", generator)
    assert tool.run(build / "app") == "6\n"
    image = build / "rex/app/scale.c/rex_lib_scale.cpu.so"
    before = image.read_bytes()
    tick()
    (project / "early/value.h").write_text("#define VALUE 4\n")
    (project / "early/device.h").write_text('#define DEVICE_VALUE 5\nextern "C" int rex_new(void) { return 1; }\n')
    assert steps(tool.run("cmake", "--build", build)) == []
    tick()
    (project / "scale.c").touch()
    tool.run("cmake", "--build", build)
    assert tool.run(build / "app") == "8\n"
    assert image.read_bytes() != before
    assert steps(tool.run("cmake", "--build", build)) == []


LIBRARIES = """\
cmake_minimum_required(VERSION 3.10)
project(big C CXX)
set(CMAKE_C_FLAGS "${CMAKE_C_FLAGS} -DFROM_FLAGS='(1 + 1)'")
find_package(RexBuild 0.2 REQUIRED)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/gen/gen.h VERBATIM
  COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/gen.in ${CMAKE_BINARY_DIR}/gen/gen.h)
add_custom_target(gen DEPENDS ${CMAKE_BINARY_DIR}/gen/gen.h)
add_library(genlib INTERFACE)
target_include_directories(genlib INTERFACE ${CMAKE_BINARY_DIR}/gen)
add_dependencies(genlib gen)
add_executable(app main.cpp a/k.c)
target_link_libraries(app genlib st sh ob ${CMAKE_DL_LIBS})
target_compile_definitions(app PRIVATE $<$<COMPILE_LANGUAGE:CXX>:MD="$<TARGET_FILE:md>">)
target_compile_definitions(app PRIVATE $<$<COMPILE_LANGUAGE:C>:ONLY_C=1>)
rex_add_offload_sources(app SOURCES a/k.c b/k.c DEVICES cpu)
add_subdirectory(lib)
add_subdirectory(sub)
"""

LIBRARIES_LIB = r"""
find_package(RexBuild REQUIRED)
foreach(pair IN ITEMS st.STATIC sh.SHARED md.MODULE ob.OBJECT)
  string(REPLACE "." ";" pair ${pair})
  list(GET pair 0 name)
  list(GET pair 1 type)
  add_library(${name} ${type} ${name}.c)
  target_compile_definitions(${name} PRIVATE ADD=$<IF:$<BOOL:${name}>,1000,no> "TEXT=\"a b\\;c\"" "F(a,b)=(a+b)" EMPTY=)
  rex_add_offload_sources(${name} SOURCES ${name}.c DEVICES cpu)
endforeach()
set_target_properties(st PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF)
target_compile_options(st PRIVATE "SHELL:-include stdint.h" "SHELL:-include stddef.h" -Wall)
"""

LIBRARIES_SUB = """\
set_source_files_properties(../lib/xd.c TARGET_DIRECTORY app PROPERTIES COMPILE_DEFINITIONS ADD=20000)
rex_add_offload_sources(app SOURCES ../lib/xd.c)
add_library(plain STATIC ../lib/xd.c)
target_compile_definitions(plain PRIVATE ADD=1)
"""

LIBRARIES_MAIN = r"""
#include <cstdio>
#include <dlfcn.h>
extern "C" { void ka(int, float *); void kb(int, float *); void kst(int, float *); void ksh(int, float *);
             void kob(int, float *); void kxd(int, float *); }
int main()
{
    float x[8] = {0};
    ka(8, x), kb(8, x), kst(8, x), ksh(8, x), kob(8, x), kxd(8, x);
    void *library = dlopen(MD, RTLD_NOW);
    if (!library)
        return puts(dlerror()), 2;
    reinterpret_cast<void (*)(int, float *)>(dlsym(library, "kmd"))(8, x);
    std::printf("%g\n", x[7]);
}
"""

KERNEL = """\
{head}
void k{name}(int n, float *x)
{{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = x[i] + {term};
}}
"""


def library_project(folder: Path) -> None:
    """Every kind of target, equal base names, a generated header, calls from other directories, C++ in the project."""
    for name in ("a", "b", "lib", "sub"):
        (folder / name).mkdir(parents=True)
    (folder / "CMakeLists.txt").write_text(LIBRARIES)
    (folder / "lib" / "CMakeLists.txt").write_text(LIBRARIES_LIB)
    (folder / "sub" / "CMakeLists.txt").write_text(LIBRARIES_SUB)
    (folder / "main.cpp").write_text(LIBRARIES_MAIN)
    (folder / "gen.in").write_text("#define GEN 100\n")
    for name, value in (("a", 1), ("b", 10)):
        (folder / name / "local.h").write_text(f"#define LOCAL {value}\n")
        includes = '#include "local.h"\n#include "gen.h"\n#ifndef ONLY_C\n#error guarded definition is lost\n#endif'
        (folder / name / "k.c").write_text(KERNEL.format(head=includes, name=name, term="LOCAL + GEN"))
    checks = {"st": "#if __STRICT_ANSI__ != 1 || __STDC_VERSION__ != 201112L || !defined INT32_MAX\n#error\n#endif\n"}
    checks["sh"] = "#ifndef sh_EXPORTS\n#error\n#endif\n"
    for name in ("st", "sh", "md", "ob", "xd"):
        text = f"const char *text_{name}(void) {{ return TEXT; }}" if name != "xd" else ""
        text = KERNEL.format(head=checks.get(name, "") + text, name=name, term="ADD + FROM_FLAGS")
        (folder / "lib" / f"{name}.c").write_text(text)


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("generator", ["Unix Makefiles", "Ninja Multi-Config"])
def test_every_kind_of_target(tool: Tool, tmp_path: Path, generator: str) -> None:
    source, build = tmp_path / "with space", tmp_path / "build here"
    library_project(source)
    output = built(tool, source, build, "-G", generator)
    assert "warning" not in output
    program = next(path for path in build.rglob("app") if path.is_file())
    assert tool.run(program) == f"{1 + 10 + 2 * 100 + 4 * 1000 + 20000 + 5 * 2}\n"
    assert steps(tool.run("cmake", "--build", build)) == []


MIXED = """\
cmake_minimum_required(VERSION 3.23)
project(mixed LANGUAGES @LANGUAGES@)
find_package(RexBuild REQUIRED)
add_executable(app main.cpp grid.cc @SCALE@)
target_compile_features(app PRIVATE cxx_std_20)
target_compile_definitions(app PRIVATE $<$<COMPILE_LANGUAGE:CXX>:OF_CXX=2> FACTOR=3)
@CALL@
"""
MIXED_CALLS = {
    "sources": "rex_add_offload_sources(app SOURCES grid.cc scale.c DEVICES cpu)",
    "one device link": "rex_add_offload_sources(app SOURCES grid.cc scale.c DEVICES cpu SEPARABLE_DEVICE_LINK)",
    "in front of the compilers": "rex_target_offload(app DEVICES cpu)",
}
MIXED_GRID = """\
#include "grid.hpp"
#include <omp.h>
#if __cplusplus <= 201703L
#error the standard of the target is lost
#endif
template <class T> void Grid<T>::fill(T value)
{
#pragma omp target teams distribute parallel for map(from: this->cells[0:8])
    for (int i = 0; i < 8; ++i)
        cells[i] = omp_is_initial_device() ? -1 : value * OF_CXX;
}
void fill(Grid<double> &grid) { grid.fill(FACTOR); }
"""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("call", MIXED_CALLS.values(), ids=MIXED_CALLS)
def test_cxx_and_c(tool: Tool, tmp_path: Path, call: str) -> None:
    """One target with sources of both languages, whose flags differ."""
    source, build = tmp_path / "the source", tmp_path / "the build"
    source.mkdir()
    lists = MIXED.replace("@CALL@", call).replace("@LANGUAGES@", "C CXX").replace("@SCALE@", "scale.c")
    (source / "CMakeLists.txt").write_text(lists)
    (source / "grid.hpp").write_text("template <class T> struct Grid { T cells[8]; void fill(T value); };\n")
    (source / "grid.cc").write_text(MIXED_GRID)
    (source / "scale.c").write_text(
        "#ifdef OF_CXX\n#error\n#endif\n#include <omp.h>\nvoid scale(double *x, int n)\n{\n"
        "#pragma omp target teams distribute parallel for map(tofrom: x[0:n])\n"
        "    for (int i = 0; i < n; i++) x[i] *= omp_is_initial_device() ? -1 : FACTOR;\n}\n"
    )
    (source / "main.cpp").write_text(
        '#include "grid.hpp"\n#include <cstdio>\nextern "C" void scale(double *x, int n);\n'
        "void fill(Grid<double> &grid);\nint main() { Grid<double> g; fill(g); scale(g.cells, 8);\n"
        '    std::printf("%g\\n", g.cells[7]); }\n'
    )
    output = built(tool, source, build)
    assert "warning" not in output
    assert tool.run(build / "app") == "18\n"
    assert steps(tool.run("cmake", "--build", build)) == []


@pytest.mark.sampled(4)
@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("call", ["rex_add_offload_sources(app SOURCES grid.cc)", "rex_target_offload(app)"])
def test_cxx_without_c(tool: Tool, tmp_path: Path, call: str, generator: str) -> None:
    """A project that has enabled C only in a part. Its build type says how device code is compiled, and tools see its
    standard."""
    source, build = tmp_path / "the source", tmp_path / "the build"
    (source / "part").mkdir(parents=True)
    (source / "part" / "CMakeLists.txt").write_text("project(part C)\n")
    lists = MIXED.replace("@CALL@", call).replace("@LANGUAGES@", "CXX").replace("@SCALE@", "")
    lists += "set_target_properties(app PROPERTIES CXX_STANDARD 20)\nadd_subdirectory(part)\n"
    (source / "CMakeLists.txt").write_text(lists)
    (source / "grid.hpp").write_text("template <class T> struct Grid { T cells[8]; void fill(T value); };\n")
    (source / "grid.cc").write_text(MIXED_GRID)
    (source / "main.cpp").write_text(
        '#include "grid.hpp"\n#include <cstdio>\nvoid fill(Grid<double> &grid);\n'
        'int main() { Grid<double> g; fill(g); std::printf("%g\\n", g.cells[7]); }\n'
    )
    options = ["-G", generator, "-DCMAKE_BUILD_TYPE=Debug", "-DREX_DEVICES=cpu", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
    assert "warning" not in built(tool, source, build, *options)
    assert tool.run(build / "app") == "6\n"
    commands = json.loads((build / "compile_commands.json").read_text())
    of_user = next(one["command"] for one in commands if one["file"].endswith("/grid.cc"))
    assert "-std=gnu++20" in of_user
    assert (build / "rex/app/grid.cc/rose_grid.cc").exists()
    assert steps(tool.run("cmake", "--build", build)) == []


@pytest.mark.skipif(not HAVE_NVCC, reason="nvcc is not here")
def test_cuda_images_for_several_architectures(tool: Tool, project: Path, tmp_path: Path) -> None:
    line = "rex_add_offload_sources(app SOURCES scale.c main.c DEVICES cpu cuda)\n"
    (project / "CMakeLists.txt").write_text(LISTS + line)
    build = tmp_path / "b"
    built(tool, project, build, "-DCMAKE_CUDA_ARCHITECTURES=80;90-real")
    images = {path.name for path in (build / "rex/app/scale.c").iterdir() if path.suffix in (".cubin", ".so")}
    assert {f"rex_lib_scale.{kind}" for kind in ("sm_80.cubin", "sm_90.cubin", "cpu.so")} <= images
    assert tool.run(build / "app") == "2\n"


def test_impossible_pair_is_refused_when_configuring(tool: Tool, project: Path, tmp_path: Path) -> None:
    nvcc = nvcc_in(tmp_path / "bin")
    if not Path("/usr/lib/llvm-19/lib/libomptarget.so.19.1").exists():
        pytest.skip("needs libomptarget 19")
    if "release 13" not in tool.run(nvcc, "--version"):
        pytest.skip("needs CUDA 13, where there is another nvcc")
    (project / "CMakeLists.txt").write_text(LISTS + "rex_add_offload_sources(app SOURCES scale.c DEVICES cuda)\n")
    options = ["-DRexBuild_LLVM_ROOT=/usr/lib/llvm-19", f"-DRexBuild_NVCC_EXECUTABLE={nvcc}"]
    done = configure(tool, project, tmp_path / "b", *options)
    said = " ".join(done.stderr.split())
    assert done.returncode != 0
    assert "cannot load images made by CUDA 13.0, only by CUDA 12 or older. Next step: install LLVM 22's" in said
    assert "apt-get install liboffload-22-dev" in said


@pytest.mark.parametrize("version", [19, 22])
def test_either_runtime_runs_the_cpu_device(tool: Tool, project: Path, tmp_path: Path, version: int) -> None:
    root = Path(f"/usr/lib/llvm-{version}")
    if not list(root.glob("lib/libomptarget.so.*")):
        pytest.skip(f"libomptarget {version} is not here")
    (project / "CMakeLists.txt").write_text(LISTS + "rex_add_offload_sources(app SOURCES scale.c main.c DEVICES cpu)\n")
    built(tool, project, tmp_path / "b", f"-DRexBuild_LLVM_ROOT={root}")
    assert f"libomptarget.so.{version}" in needed(tmp_path / "b" / "app")
    assert tool.run(tmp_path / "b" / "app") == "2\n"


@pytest.mark.parametrize(
    "line",
    [
        "find_package(OpenMP REQUIRED)\ntarget_link_libraries(app OpenMP::OpenMP_C)",
        "string(APPEND CMAKE_C_FLAGS ' -fopenmp')",
    ],
)
def test_libgomp_stays_out(tool: Tool, project: Path, tmp_path: Path, line: str) -> None:
    (project / "other.c").write_text("#ifndef _OPENMP\n#error the flag is lost\n#endif\n")
    text = LISTS + "target_sources(app PRIVATE other.c)\n" + line.replace("'", '"') + "\n"
    (project / "CMakeLists.txt").write_text(text + "rex_add_offload_sources(app SOURCES scale.c main.c DEVICES cpu)\n")
    built(tool, project, tmp_path / "b")
    assert "[libgomp" not in needed(tmp_path / "b" / "app")
    assert tool.run(tmp_path / "b" / "app") == "2\n"


# How libgomp gets into a program by another target's way: what the lists say, and which target is lowered.
BY_OTHERS = {
    "an interface library": ("add_library(w INTERFACE)\ntarget_link_libraries(w INTERFACE {omp})\n{app} w)", "app"),
    "a static library": ("{w}\n{app} w)", "app"),
    "a program with a lowered library": ("add_library(k scale.c)\n{app} k {omp})", "k"),
    "a library of the program's": ("add_library(k OBJECT scale.c)\n{w}\n{app} w k)", "k"),
    "device code that is linked": ("set(REX_SEPARABLE_DEVICE_LINK ON)\nadd_library(k scale.c)\n{app} k {omp})", "k"),
    "an option for other compilers": ("{w}\ntarget_link_options(app PRIVATE -fopenmp-targets=x)\n{app} w)", "app"),
}  # fmt: skip


@pytest.mark.parametrize(("way", "generator"), list(zip(BY_OTHERS, 3 * GENERATORS, strict=True)))
def test_libgomp_stays_out_by_whatever_way(tool: Tool, project: Path, tmp_path: Path, way: str, generator: str) -> None:
    """Else omp_get_num_devices() and the like are libgomp's, which has no device. Other programs keep it."""
    text = "int other(void)\n{\n    int n;\n#pragma omp parallel\n    n = 1;\n    return n;\n}\n"
    (project / "other.c").write_text(text)
    (project / "alone.c").write_text("int other(void);\nint main(void)\n{\n    return other() - 1;\n}\n")
    text, target = BY_OTHERS[way]
    lists = LISTS.replace("scale.c)", "scale.c)" if target == "app" else ")") + "find_package(OpenMP REQUIRED)\n"
    w = "add_library(w other.c)\ntarget_link_libraries(w PUBLIC OpenMP::OpenMP_C)"
    lists += text.format(omp="OpenMP::OpenMP_C", app="target_link_libraries(app PRIVATE", w=w)
    lists += f"\nrex_add_offload_sources({target} SOURCES scale.c DEVICES cpu)\n"
    lists += "add_executable(alone alone.c other.c)\ntarget_link_libraries(alone PRIVATE OpenMP::OpenMP_C)\n"
    (project / "CMakeLists.txt").write_text(lists)
    built(tool, project, tmp_path / "b", "-G", generator)
    assert "[libgomp" not in needed(tmp_path / "b" / "app")
    assert tool.run(tmp_path / "b" / "app") == "2\n"
    assert "[libgomp" in needed(tmp_path / "b" / "alone")
    tool.run(tmp_path / "b" / "alone")


@pytest.mark.parametrize(
    "line",
    [
        "add_subdirectory({root} rex)",
        """include(FetchContent)
        FetchContent_Declare(RexBuild SOURCE_DIR {root} OVERRIDE_FIND_PACKAGE)
        find_package(RexBuild REQUIRED)""",
    ],
    ids=["add_subdirectory", "FetchContent"],
)
def test_from_a_checkout(tool: Tool, project: Path, tmp_path: Path, line: str) -> None:
    line = line.format(root=f'"{tool.root}"')
    text = LISTS.replace("find_package(RexBuild REQUIRED)", line)
    (project / "CMakeLists.txt").write_text(text + "rex_add_offload_sources(app SOURCES scale.c main.c DEVICES cpu)\n")
    built(tool, project, tmp_path / "b")
    assert tool.run(tmp_path / "b" / "app") == "2\n"


def test_same_files_in_any_build_folder(tool: Tool, project: Path, tmp_path: Path) -> None:
    (project / "CMakeLists.txt").write_text(LISTS + "rex_add_offload_sources(app SOURCES scale.c main.c DEVICES cpu)\n")
    texts = []
    for name in ("one", "two/deeper"):
        built(tool, project, tmp_path / name)
        made = sorted((tmp_path / name / "rex" / "app").glob("*/*"))
        texts.append({path.name: path.read_bytes() for path in made if path.name.startswith(("rose_", "rex_lib_"))})
    assert texts[0] == texts[1]


VERSIONS = {
    "0.2": True,
    "0": True,
    "0.2.0": True,
    "0.2.1": False,
    "0.3": False,
    "0.1": False,
    "1.0": False,
    "0.2...0.5": True,
    "0.0...<0.2": False,
    "0.3...0.5": False,
}


@pytest.mark.parametrize(("wanted", "found"), VERSIONS.items())
def test_versions_that_stand_in_for_a_request(tool: Tool, tmp_path: Path, wanted: str, found: bool) -> None:
    script = f"cmake_minimum_required(VERSION 3.23)\nproject(v NONE)\nfind_package(RexBuild {wanted} QUIET)\n"
    (tmp_path / "CMakeLists.txt").write_text(script + 'message(STATUS "found: ${RexBuild_FOUND}")\n')
    output = configure(tool, tmp_path, tmp_path / "b").stdout
    assert f"found: {'TRUE' if found else 0}" in output.replace("found: 1", "found: TRUE"), output


def test_version_file_is_in_step() -> None:
    from rex_build import __version__

    text = (ROOT / "cmake" / "RexBuildConfigVersion.cmake").read_text()
    assert f"set(PACKAGE_VERSION {__version__})" in text


def test_says_what_is_missing_to_run_from_a_checkout(tool: Tool, project: Path, tmp_path: Path) -> None:
    (project / "CMakeLists.txt").write_text(LISTS)
    bare = tmp_path / "bin"
    bare.mkdir()
    (bare / "python3").write_text("#!/bin/sh\nexit 1\n")
    (bare / "python3").chmod(0o755)
    env = dict(tool.env, PATH=f"{bare}:{os.environ['PATH']}")
    env.pop("VIRTUAL_ENV", None)
    done = subprocess.run(
        ["cmake", "-S", project, "-B", tmp_path / "b", f"-DRexBuild_DIR={tool.root / 'cmake'}"],
        env=env,
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "pip install pycparser jinja2 filelock" in " ".join(done.stderr.split())


def test_a_source_more_is_few_commands_more(tool: Tool, tmp_path: Path) -> None:
    """What CMake runs for each source decides how long large projects take to configure."""
    commands = []
    for count in (10, 20):
        source = tmp_path / f"{count}"
        source.mkdir()
        names = [f"k{number}.c" for number in range(count)]
        for name in names:
            (source / name).write_text("\n")
        listed = " ".join(names)
        lists = "cmake_minimum_required(VERSION 3.23)\nproject(p C)\nfind_package(RexBuild REQUIRED)\n"
        lists += f"add_library(p STATIC {listed})\nrex_add_offload_sources(p SOURCES {listed} DEVICES cpu)\n"
        write(source, lists)
        done = configure(tool, source, tmp_path / f"build{count}", "--trace")
        assert done.returncode == 0, done.stderr
        commands.append(len(re.findall(r"/RexBuild\w*\.cmake\(\d+\):", done.stderr)))
    assert commands[0] > 100
    assert commands[1] - commands[0] <= 10 * 20, commands
