"""rex_add_offload_sources() and rex_target_offload(): keywords, defaults, other CMake features, odd names."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from build_tool import Tool, cmakes, needed, nvcc_in
from cmake_project import ADD, LISTS, built, configure, write

from rex_build.build.objects import debug_options

pytestmark = [pytest.mark.cmake, pytest.mark.compile]

# ---- CMake's versions and generators


@pytest.mark.sampled(6)
@pytest.mark.parametrize("cmake", cmakes())
@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles", "Ninja Multi-Config"])
def test_versions_and_generators(tool: Tool, project: Path, tmp_path: Path, cmake: str, generator: str) -> None:
    write(project, LISTS + ADD.format(more=""))
    build = tmp_path / "b"
    built(tool, project, build, "-G", generator, cmake=cmake)
    program = next(path for path in build.rglob("app") if path.is_file())
    assert tool.run(program) == "2\n"
    again = tool.run(cmake, "--build", build, "--parallel", "2")
    assert not re.search("Building|Linking C", again), again
    assert [p for p in build.rglob("*") if p.name.startswith(("rose_", "rex_lib_"))]
    tool.run(cmake, "--build", build, "--target", "clean")
    assert not [p for p in build.rglob("*") if p.name.startswith(("rose_", "rex_lib_"))]


# ---- keywords and their defaults


@pytest.fixture
def device_calls(tool: Tool, tmp_path: Path) -> tuple[Path, Path]:
    """A g++ that writes its arguments to a file, and that file."""
    log = tmp_path / "calls"
    fake = tmp_path / "g++ (logging)"
    fake.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >>"{log}"\nexec g++ "$@"\n')
    fake.chmod(0o755)
    return fake, log


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("build_type", "wanted", "unwanted"),
    [
        ("Debug", {"-O0", "-g"}, {"-O3"}),
        ("Release", {"-O3"}, {"-g"}),
        ("RelWithDebInfo", {"-O3", "-g"}, {"-O0"}),
        ("", {"-O3"}, {"-g"}),
    ],
)
def test_build_type_reaches_the_device_compiler(
    tool: Tool, project: Path, tmp_path: Path, device_calls: tuple[Path, Path], build_type: str, wanted: set[str],
    unwanted: set[str],
) -> None:  # fmt: skip
    fake, log = device_calls
    write(project, LISTS.replace("(p C)", "(p C CXX)") + ADD.format(more="HOST_DEVICE_OPTIONS -DOPTION=7"))
    built(tool, project, tmp_path / "b", f"-DCMAKE_BUILD_TYPE={build_type}", f"-DCMAKE_CXX_COMPILER={fake}")
    words = set(log.read_text().split("\n"))
    assert wanted | {"-DOPTION=7"} <= words
    assert not unwanted & words
    assert tool.run(tmp_path / "b" / "app") == "2\n"


@pytest.mark.parametrize(
    ("flags", "on_gpu", "on_cpu"),
    [
        ("-g", "-g -G", "-g -O0"),
        ("-O0 -ggdb3", "-g -G", "-g -O0"),
        ("-Og -g", "-g -G", "-g -O0"),
        ("-O2 -g -DNDEBUG", "-lineinfo", "-g"),
        ("-g -O3 -O0", "-g -G", "-g -O0"),
        ("-O -gdwarf-4", "-lineinfo", "-g"),
        ("-O3 -DNDEBUG", "", ""),
        ("-g -g0", "", ""),
        ("-gpubnames", "", ""),
        ("", "", ""),
    ],
)
def test_flags_that_ask_for_debugging(flags: str, on_gpu: str, on_cpu: str) -> None:
    assert debug_options(flags.split(), on_cpu=False) == tuple(on_gpu.split())
    assert debug_options(flags.split(), on_cpu=True) == tuple(on_cpu.split())


def test_options_from_variables_targets_and_sources(
    tool: Tool, project: Path, tmp_path: Path, device_calls: tuple[Path, Path]
) -> None:
    fake, log = device_calls
    write(
        project,
        LISTS.replace("(p C)", "(p C CXX)")
        + """
        set_property(TARGET app PROPERTY REX_LOWER_OPTIONS --on-unsupported host)
        set_property(SOURCE scale.c PROPERTY REX_HOST_DEVICE_OPTIONS -DFROM_SOURCE)
        rex_add_offload_sources(app SOURCES main.c scale.c)
        """,
    )
    options = ["-DREX_DEVICES=cpu", "-DREX_HOST_DEVICE_OPTIONS=-DFROM_VARIABLE", "-DREX_INIT=lazy"]
    built(tool, project, tmp_path / "b", *options, f"-DCMAKE_CXX_COMPILER={fake}", "-G", "Unix Makefiles")
    assert {"-DFROM_VARIABLE", "-DFROM_SOURCE"} <= set(log.read_text().split("\n"))
    gen = tmp_path / "b" / "rex" / "app"
    assert "rex_offload_init" not in (gen / "main.c" / "rose_main.c").read_text()
    # Make does not compare command lines, but changed options must be noticed all the same.
    assert configure(tool, project, tmp_path / "b", "-DREX_INIT=main").returncode == 0
    output = tool.run("cmake", "--build", tmp_path / "b")
    assert "main.c.o" in output
    assert "rex_offload_init" in (gen / "main.c" / "rose_main.c").read_text()


def test_a_region_that_cannot_be_lowered(tool: Tool, project: Path, tmp_path: Path) -> None:
    text = (project / "scale.c").read_text()
    (project / "scale.c").write_text(text.replace("x[i] = x[i] * FACTOR;", 'x[i] = x[i] * FACTOR, __asm__("nop");'))
    write(project, LISTS + "rex_add_offload_sources(app SOURCES scale.c main.c DEVICES cpu)\n")
    configure(tool, project, tmp_path / "b")
    done = subprocess.run(["cmake", "--build", tmp_path / "b"], env=tool.env, capture_output=True, text=True)
    assert done.returncode != 0
    assert re.search(r"scale\.c:\d+:\d+: error:", done.stdout + done.stderr)


def test_architectures(tool: Tool, project: Path, tmp_path: Path) -> None:
    lines = """
    foreach(archs IN ITEMS all-major all "90;90-real;sm_90" 90a)
      string(MAKE_C_IDENTIFIER "t${archs}" name)
      add_library(${name} STATIC scale.c)
      rex_add_offload_sources(${name} SOURCES scale.c DEVICES cuda CUDA_ARCHITECTURES ${archs})
      get_target_property(images ${name} REX_IMAGE_TARGETS)
      message(STATUS "${archs}: ${images}.")
    endforeach()
    foreach(from IN ITEMS variable property)
      add_library(${from} STATIC scale.c)
      if(from STREQUAL property)
        set_target_properties(property PROPERTIES REX_CUDA_ARCHITECTURES 75)
      endif()
      rex_add_offload_sources(${from} SOURCES scale.c DEVICES cuda)
      get_target_property(images ${from} REX_IMAGE_TARGETS)
      message(STATUS "${from}: ${images}.")
    endforeach()
    add_library(cpu STATIC scale.c)
    rex_add_offload_sources(cpu SOURCES scale.c DEVICES cpu)
    """
    write(project, LISTS + lines)
    nvcc = nvcc_in(tmp_path / "bin")
    options = (f"-DRexBuild_NVCC_EXECUTABLE={nvcc}", "-DREX_CUDA_ARCHITECTURES=80;90", "-DCMAKE_CUDA_ARCHITECTURES=86")
    output = configure(tool, project, tmp_path / "b", *options).stdout
    known = sorted(tool.run(nvcc, "--list-gpu-code").split(), key=lambda sm: int(sm[3:]))
    majors = dict.fromkeys(int(sm[3:]) // 10 for sm in known)
    assert f"all: {';'.join(known)}." in output
    assert f"all-major: {';'.join(next(sm for sm in known if int(sm[3:]) // 10 == m) for m in majors)}." in output
    assert "90;90-real;sm_90: sm_90." in output
    assert "90a: sm_90a." in output
    assert "variable: sm_80;sm_90." in output
    assert "property: sm_75." in output
    assert "-- Found RexBuild, devices: cuda (CUDA architectures: 80, 90)\n" in output
    done = configure(tool, project, tmp_path / "b", *options, "-DREX_DEVICES=cuda;cpu", "-DREX_CUDA_ARCHITECTURES=")
    assert "-- Found RexBuild, devices: cuda, cpu (CUDA architectures: 86)\n" in done.stdout


# ---- rex_target_offload


@pytest.mark.sampled(2)
@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
def test_target_offload(tool: Tool, project: Path, tmp_path: Path, generator: str) -> None:
    write(
        project,
        LISTS
        + """
        add_library(lib STATIC scale.c)
        target_compile_definitions(app PRIVATE "TEXT=\\"a b\\"" FACTOR=3)
        rex_target_offload(app DEVICES cpu)
        rex_target_offload(lib DEVICES cpu HOST_DEVICE_OPTIONS "-DSPACE=a b" [[-DVARIABLE='$HOME']])
        add_executable(second main.c)
        target_link_libraries(second lib)
        """,
    )
    build = tmp_path / "with space"
    built(tool, project, build, "-G", generator, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    assert tool.run(build / "app") == "3\n"
    assert tool.run(build / "second") == "2\n"
    assert "libgomp" not in needed(build / "app")
    commands = json.loads((build / "compile_commands.json").read_text())
    assert {Path(entry["file"]).name for entry in commands} == {"main.c", "scale.c"}
    assert not re.search("Building|Linking", tool.run("cmake", "--build", build))
    header = project / "scale.h"
    header.write_text(header.read_text().replace("FACTOR 2", "FACTOR 7"))
    tool.run("cmake", "--build", build)
    assert tool.run(build / "second") == "7\n"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
def test_target_offload_with_other_options(tool: Tool, project: Path, tmp_path: Path, generator: str) -> None:
    """Units that are lowered depend on the options."""
    write(project, LISTS + "rex_target_offload(app)\n")
    for option in ("-DREX_DEVICES=cpu", "-DREX_HOST_DEVICE_OPTIONS=-O1", "-DREX_DEVICES=check"):
        output = built(tool, project, tmp_path / "b", "-G", generator, option)
        assert "CMakeFiles/app.dir/scale.c.o" in output, (option, output)
    done = subprocess.run([tmp_path / "b" / "app"], env=tool.env, capture_output=True, text=True, check=True)
    assert done.stdout == "2\n"
    assert "rex-build check: 0 findings" in done.stderr
    assert not re.search("Building|Linking C", tool.run("cmake", "--build", tmp_path / "b"))


def test_target_offload_in_another_checkout(tool: Tool, project: Path, tmp_path: Path) -> None:
    """The objects of two checkouts have the same flags, so that caches share them."""
    write(project, LISTS + "rex_target_offload(app DEVICES cpu)\n")
    shutil.copytree(project, tmp_path / "other")
    flags = []
    for source, build in ((project, tmp_path / "b"), (tmp_path / "other", tmp_path / "c")):
        tool.run("cmake", "-S", source, "-B", build, "-G", "Unix Makefiles")
        flags.append(re.findall(r"REX_OPTIONS=\S+", (build / "CMakeFiles/app.dir/flags.make").read_text()))
    assert flags[0] == flags[1] != []


# ---- other features of CMake


@pytest.mark.sampled(2)
@pytest.mark.parametrize("call", ["rex_add_offload_sources(app SOURCES main.c scale.c ", "rex_target_offload(app "])
def test_precompiled_headers_and_unity_builds(tool: Tool, project: Path, tmp_path: Path, call: str) -> None:
    for name in ("one", "two", "three"):
        (project / f"{name}.c").write_text(f"int {name}(void) {{ return 1; }}\n")
    (project / "pre.h").write_text("#define FROM_PRECOMPILED 4\n")
    (project / "scale.c").write_text((project / "scale.c").read_text().replace("* FACTOR", "* FROM_PRECOMPILED"))
    write(
        project,
        LISTS
        + call
        + """DEVICES cpu)
        target_sources(app PRIVATE one.c two.c three.c)
        target_compile_options(app PRIVATE -Wall -Werror)
        target_precompile_headers(app PRIVATE pre.h <stdio.h>)
        set_target_properties(app PROPERTIES UNITY_BUILD ON)
        """,
    )
    output = built(tool, project, tmp_path / "b")
    assert ("unity_0_c.c" in output) == ("add" in call)
    assert "unity_1" not in output
    assert tool.run(tmp_path / "b" / "app") == "4\n"


GENEXES = [
    "$<$<CONFIG:Nope>:nope.c>",
    "$<$<BOOL:1>:${CMAKE_CURRENT_SOURCE_DIR}/more.c>",
    "$<$<BOOL:0>:${CMAKE_CURRENT_SOURCE_DIR}/more.c>",
    "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/scale.h>",
    "$<$<BOOL:1>:more.c;hidden.c>",
    "${CMAKE_CURRENT_SOURCE_DIR}/$<IF:$<CONFIG:Debug>,hidden.c,more.c>",
    "$<TARGET_OBJECTS:objects>",
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("cmake", cmakes())
def test_generator_expressions_among_the_sources(tool: Tool, project: Path, tmp_path: Path, cmake: str) -> None:
    """The target's own sources may be expressions, and so may what names a source that is lowered: the file is
    compiled where the expression has it. A listed header is nobody's object. Who takes objects with regions gets the
    runtime, too."""
    (project / "more.c").write_text("int more;\n")
    (project / "hidden.c").write_text((project / "scale.c").read_text().replace("scale(", "hidden("))
    (project / "only.c").write_text("#error a header\n")
    lists = LISTS.replace("add_executable(app main.c scale.c)", "add_library(objects OBJECT more.c)")
    lists += """
    add_library(regions OBJECT scale.c)
    rex_add_offload_sources(regions SOURCES scale.c DEVICES cpu)
    add_library(my::regions ALIAS regions)
    find_package(OpenMP REQUIRED)
    foreach(kind STATIC SHARED INTERFACE)
      add_library(of_${kind} ${kind})
      target_link_libraries(of_${kind} INTERFACE OpenMP::OpenMP_C)
      add_executable(of_objects_${kind} main.c)
      target_link_libraries(of_objects_${kind} PRIVATE of_${kind})
    endforeach()
    target_sources(of_STATIC PRIVATE $<TARGET_OBJECTS:regions>)
    target_sources(of_SHARED PRIVATE $<TARGET_OBJECTS:my::regions>)
    target_sources(of_INTERFACE INTERFACE $<TARGET_OBJECTS:regions>)
    set_target_properties(of_STATIC of_SHARED PROPERTIES LINKER_LANGUAGE C)
    set_target_properties(regions PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_options(of_SHARED PRIVATE -Wl,--no-undefined)
    """
    lists += "set_source_files_properties(only.c PROPERTIES HEADER_FILE_ONLY ON)\n"
    for number, source in enumerate(GENEXES):
        lists += (
            f"add_executable(app{number} main.c scale.c)\ntarget_sources(app{number} PRIVATE [==[{source}]==])\n"
            f"rex_add_offload_sources(app{number} SOURCES scale.c hidden.c only.c DEVICES cpu)\n"
        ).replace("[==[", '"').replace("]==]", '"')
    write(project, lists)
    built(tool, project, tmp_path / "b", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", cmake=cmake)
    for kind in ("STATIC", "SHARED", "INTERFACE"):
        program = tmp_path / "b" / f"of_objects_{kind}"
        assert tool.run(program) == "2\n"
        assert "libgomp" not in tool.run("ldd", program)
    for number, source in enumerate(GENEXES):
        assert tool.run(tmp_path / "b" / f"app{number}") == "2\n"
        named = "hidden.c" in source
        objects = {path.name for path in (tmp_path / "b" / f"CMakeFiles/app{number}.dir").glob("hidden.c.o")}
        assert bool(objects) == (not named or "BOOL:1" in source), source


def test_names_that_are_alike(tool: Tool, project: Path, tmp_path: Path) -> None:
    """Sources of both languages with one stem, and sources of one name in several folders."""
    kernel = "int NAME(void)\n{\n    int r = 0;\n#pragma omp target map(from: r)\n    r = VALUE;\n    return r;\n}\n"
    names = ["k.c", "k.cpp", "k.cc", "one/k.c", "two/k.c", "two/k.cpp"]
    for value, name in enumerate(names):
        (project / name).parent.mkdir(exist_ok=True)
        text = kernel.replace("NAME", f"f{value}").replace("VALUE", f"1 << {value}")
        (project / name).write_text(text if name.endswith(".c") else f'extern "C" {text}')
    calls = " + ".join(f"f{value}()" for value in range(len(names)))
    declared = "".join(f"int f{value}(void);" for value in range(len(names)))
    (project / "main.c").write_text(f"{declared}\nint main(void) {{ return {calls} != {2 ** len(names) - 1}; }}\n")
    lists = LISTS.replace("(p C)", "(p C CXX)").replace(" scale.c", "")
    write(project, lists + f"rex_add_offload_sources(app SOURCES {' '.join(names)} DEVICES cpu)\n")
    built(tool, project, tmp_path / "b")
    tool.run(tmp_path / "b" / "app")


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "call", ["rex_target_offload(app DEVICES cpu)", "rex_add_offload_sources(app SOURCES scale.c DEVICES cpu)"]
)
@pytest.mark.parametrize("flags", ["-fopenmp;-fopenmp-targets=nvptx64", "-fiopenmp", "-mp=gpu;-fnew-alignment=8"])
def test_options_for_other_compilers(tool: Tool, project: Path, tmp_path: Path, call: str, flags: str) -> None:
    """Projects with regions give them to all commands of a target, to units without regions and its link, too."""
    options = f"target_compile_options(app PRIVATE {flags})\ntarget_link_options(app PRIVATE {flags})\n"
    write(project, LISTS + options + call)
    built(tool, project, tmp_path / "b")
    tool.run(tmp_path / "b" / "app")


def test_one_unit_that_fails_stops_only_itself(tool: Tool, project: Path, tmp_path: Path) -> None:
    text = (project / "scale.c").read_text()
    (project / "wrong.c").write_text(text.replace("x[i] * FACTOR;", 'x[i], __asm__("nop");'))
    (project / "wrong_on_host.c").write_text("int wrong = ;\n")
    write(project, LISTS + "rex_add_offload_sources(app SOURCES wrong.c wrong_on_host.c scale.c main.c DEVICES cpu)\n")
    assert configure(tool, project, tmp_path / "b", "-G", "Ninja").returncode == 0
    done = subprocess.run(["ninja", "-k0"], cwd=tmp_path / "b", env=tool.env, capture_output=True, text=True)
    assert done.returncode != 0
    assert {path.name for path in (tmp_path / "b/CMakeFiles/app.dir").glob("*.o")} == {"main.c.o", "scale.c.o"}
    assert not list((tmp_path / "b").rglob("rose_wrong.c"))


# ---- properties of sources


@pytest.mark.sampled(3)
@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles", "Ninja Multi-Config"])
def test_source_properties(tool: Tool, project: Path, tmp_path: Path, generator: str) -> None:
    """Properties may be set before the call or after it.

    Generated headers are made in time: one that only the source names, and one that the target names.
    """
    text = (project / "scale.c").read_text().replace("* FACTOR", "* FACTOR + MADE + LATE - LATE")
    (project / "scale.c").write_text('#include "made.h"\n#include "listed.h"\n' + text)
    lists = """
    add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/made/made.h
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/made
      COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/made.in ${CMAKE_BINARY_DIR}/made/made.h)
    set_source_files_properties(scale.c PROPERTIES OBJECT_DEPENDS ${CMAKE_BINARY_DIR}/made/made.h)
    add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/listed.h
      COMMAND sleep 1 COMMAND ${CMAKE_COMMAND} -E touch ${CMAKE_BINARY_DIR}/listed.h)
    rex_add_offload_sources(app SOURCES scale.c main.c DEVICES cpu)
    target_sources(app PRIVATE ${CMAKE_BINARY_DIR}/listed.h)
    target_include_directories(app PRIVATE ${CMAKE_BINARY_DIR})
    set_source_files_properties(scale.c PROPERTIES COMPILE_DEFINITIONS "FACTOR=9;LATE=$<$<CONFIG:Debug>:1>3"
      INCLUDE_DIRECTORIES ${CMAKE_BINARY_DIR}/made)
    """
    (project / "made.in").write_text("#define MADE 0\n")
    write(project, LISTS + lists)
    built(tool, project, tmp_path / "b", "-G", generator, *([] if "Multi" in generator else ["-DCMAKE_BUILD_TYPE="]))
    program = next(path for path in (tmp_path / "b").rglob("app") if path.is_file())
    assert tool.run(program) == "9\n"


# ---- unusual flags

STRICT = """\
-Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wsign-conversion -Wcast-qual -Wcast-align -Wundef -Wvla
-Wmissing-prototypes -Wmissing-declarations -Wstrict-prototypes -Wold-style-definition -Wredundant-decls
-Wnested-externs -Wwrite-strings -Wpointer-arith -Wdouble-promotion -Wnull-dereference -Wswitch-default -Wformat=2
"""

STRICT_C = """\
int work(int n, float *x);
int work(int n, float *x)
{
    float sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: x[0:n], sum) reduction(+: sum)
    for (int i = 0; i < n; i++) {
        x[i] = x[i] * G(2);
        sum += x[i];
    }
    if (n > 1)
#pragma omp target data map(tofrom: x[0:n])
    {
        if (n > 2)
#pragma omp target parallel for firstprivate(sum)
            for (int i = 0; i < n; i++)
                x[i] += sum;
#pragma omp target update from(x[0:n])
#pragma omp target data use_device_addr(x[0:n])
        (void)x;
    }
    return (int)sum;
}
int main(void)
{
    float x[4] = {1, 1, 1, 1};
    return work(4, x) != 8 || x[0] < 10 || x[0] > 10;
}
"""


def test_warnings_are_about_the_users_text(tool: Tool, project: Path, tmp_path: Path) -> None:
    """Generated text passes a strict project's -Werror. The user's text inside of it is still checked."""
    (project / "main.c").write_text(STRICT_C)
    flags = f"target_compile_options(app PRIVATE [[-DG(x)=(x)]] {STRICT})\n"
    lists = LISTS.replace(" scale.c", "") + "set_target_properties(app PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF)\n"
    write(project, lists + flags + "rex_add_offload_sources(app SOURCES main.c DEVICES cpu)\n")
    built(tool, project, tmp_path / "b", "-G", "Ninja")
    tool.run(tmp_path / "b" / "app")
    (project / "main.c").write_text(STRICT_C.replace("(void)x;", "{ int n = 1; (void)n; }"))
    done = subprocess.run(["cmake", "--build", tmp_path / "b"], env=tool.env, capture_output=True, text=True)
    assert re.search(r"main\.c:19:15: error: declaration of .n. shadows a parameter", done.stdout), done.stdout


# ---- odd names and values

ODD = [
    "space here",
    "quo'te",
    "`touch pwned`",
    "ha#sh",
    "per%cent",
    "-dash",
    "ünïcode",
    "am&per",
    "a,b",
    "(p)",
    "~t",
    "ha!t",
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("more", ["", "SEPARABLE_DEVICE_LINK"])
@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
def test_odd_names_of_folders(
    tool: Tool,
    project: Path,
    tmp_path: Path,
    generator: str,
    more: str,
    sample: Callable[[Sequence[str], int], list[str]],
) -> None:
    """Folders that CMake itself can handle work, and nothing in a name is taken for code."""
    names = sample(ODD, 4)
    build = tmp_path / "b, c"
    lines = []
    for number, name in enumerate(names):
        (project / name).mkdir()
        text = (project / "scale.c").read_text().replace("void scale", f"void scale_{number}")
        (project / name / "scale.c").write_text(text.replace('"scale.h"', '"../scale.h"'))
        unit = f"SOURCES [==[{name}/scale.c]==] DEVICES cpu HOST_DEVICE_OPTIONS -O0 {more}"
        lines.append(f"rex_add_offload_sources(app {unit})\n")
    calls = " ".join(f"scale_{number}(2, x);" for number in range(len(names)))
    declared = " ".join(f"void scale_{number}(int, float *);" for number in range(len(names)))
    text = (
        f'#include <stdio.h>\n{declared}\nint main(void) {{ float x[2] = {{1, 1}}; {calls} printf("%g\\n", x[1]); }}\n'
    )
    (project / "main.c").write_text(text)
    write(project, LISTS + "".join(lines))
    built(tool, project, build, "-G", generator)
    assert tool.run(build / "app") == f"{2 ** len(names)}\n"
    assert not list(tmp_path.rglob("pwned"))


DEFINITIONS = {
    "SPACE": ("a b", "a b"),
    "QUOTE": ('a"b', 'a"b'),
    "APOSTROPHE": ("a'b", "a'b"),
    "DOLLAR": ("$(touch pwned)`touch pwned`", "$(touch pwned)`touch pwned`"),
    "SEMICOLON": ("a\\;b", "a;b"),
    "BACKSLASH": ("a\\b", "a\\b"),
    "BRACKET": ("[x]", "[x]"),
    "LESS": ("a<b>c,d", "a<b>c,d"),
    "UNICODE": ("grüße", "grüße"),
    "LONG": ("x" * 5000, "x" * 5000),
}


@pytest.mark.parametrize("scope", ["target", "source"])
def test_odd_definitions(tool: Tool, project: Path, tmp_path: Path, scope: str) -> None:
    """The lowering sees the same values of definitions as the compiler."""
    listed = "\n".join(f"[==[{name}={value}]==]" for name, (value, _) in DEFINITIONS.items())
    command = (
        "target_compile_definitions(app PRIVATE"
        if scope == "target"
        else ("set_property(SOURCE scale.c PROPERTY COMPILE_DEFINITIONS")
    )
    text = (project / "scale.c").read_text() + "#define S(...) S_(__VA_ARGS__)\n#define S_(...) #__VA_ARGS__\n"
    values = {name: value for name, (_, value) in DEFINITIONS.items() if name not in ("QUOTE", "APOSTROPHE")}
    for name, value in values.items():  # those have half a literal, which C leaves undefined
        text += (
            f"int on_host_{name}(void) {{ return sizeof S({name}); }}\n"
            f"int on_device_{name}(void)\n{{\n    int r = 0;\n#pragma omp target map(from: r)\n"
            f"    r = sizeof S({name}) + S({name})[0] - {ord(value[0])};\n    return r;\n}}\n"
        )
    calls = "".join(
        f"    if (on_host_{name}() < 3 || on_device_{name}() != on_host_{name}()) return {number};\n"
        for number, name in enumerate(values, 3)
    )
    declared = "".join(f"int on_host_{name}(void), on_device_{name}(void);\n" for name in values)
    (project / "scale.c").write_text(text)
    (project / "main.c").write_text(f"{declared}int main(void)\n{{\n{calls}    return 0;\n}}\n")
    write(project, LISTS + f"{command}\n{listed})\nrex_add_offload_sources(app SOURCES scale.c DEVICES cpu)\n")
    built(tool, project, tmp_path / "b", "-G", "Ninja")
    tool.run(tmp_path / "b" / "app")
    assert not list(tmp_path.rglob("pwned"))


def test_definitions_that_our_own_texts_use_as_names(tool: Tool, project: Path, tmp_path: Path) -> None:
    """They are the command line's of the registration, too, in whose text nothing is the user's."""
    write(
        project,
        "add_definitions(-Dsize=3)\n" + LISTS + "target_compile_definitions(app PRIVATE count=7 images T=float)\n"
        "target_compile_options(app PRIVATE -Dtable=2 -Wp,-Darguments=4 SHELL:-D\\ name=5)\n"
        "rex_add_offload_sources(app SOURCES scale.c DEVICES cpu)\n",
    )
    done = configure(tool, project, tmp_path / "b", "-G", "Ninja", "-DCMAKE_C_FLAGS=-Drows=6")
    assert done.returncode == 0, done.stderr
    tool.run("cmake", "--build", tmp_path / "b")
    assert tool.run(tmp_path / "b" / "app") == "2\n"


def test_very_long_command_lines(tool: Tool, project: Path, tmp_path: Path) -> None:
    """There may be more flags than a command line can hold."""
    lines = """
    foreach(i RANGE 800)
      target_compile_definitions(app PRIVATE SOME_RATHER_LONG_NAME_OF_A_DEFINITION_${i}=a_long_value_too_${i})
    endforeach()
    rex_add_offload_sources(app SOURCES scale.c DEVICES cpu)
    """
    write(project, LISTS + lines)
    built(tool, project, tmp_path / "b", "-G", "Ninja")
    assert tool.run(tmp_path / "b" / "app") == "2\n"


def test_environment_is_left_alone(tool: Tool, project: Path, tmp_path: Path) -> None:
    """Variables of the module do not leak into the project."""
    write(
        project,
        """
        cmake_minimum_required(VERSION 3.20)
        project(p C)
        get_cmake_property(before VARIABLES)
        find_package(RexBuild REQUIRED)
        get_cmake_property(after VARIABLES)
        list(REMOVE_ITEM after before RexBuild_DIR RexBuild_FOUND RexBuild_CONFIG RexBuild_VERSION ${before})
        list(FILTER after EXCLUDE REGEX "^(RexBuild_|PACKAGE_|CMAKE_|FIND_PACKAGE_|before$)")
        message(STATUS "leaked: ${after}.")
        """,
    )
    assert "leaked: ." in configure(tool, project, tmp_path / "b").stdout
    assert "REX" not in " ".join(os.listdir(tmp_path / "b"))
