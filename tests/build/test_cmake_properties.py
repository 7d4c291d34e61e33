"""Every property and variable of CMake's own documentation that changes a compile line changes it for host and device.

CMake says itself which properties and variables it has. Each is either set by a probe below, or sorted out by a rule or a list that
says why it changes no compile line of C or C++ (``cmake_names.txt``). A name that a new CMake brings is neither, until
somebody decides.
"""

# ruff: noqa: E501 (a probe is one line)

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from build_tool import Tool, builds, cmakes
from cmake_project import built

pytestmark = [pytest.mark.cmake, pytest.mark.compile]

# What a unit says of its compile line, on the host and on the device, and what it says when nothing is set.
SEEN = ("VALUE", "FOLDER", "FIRST", "STANDARD", "STRICT", "OPTIMIZED", "PIC", "DEBUG", "CONFIG", "EXPORTS")
UNIT = """\
#include <folder.h>
#ifndef VALUE
#define VALUE 1
#endif
#ifndef FIRST
#define FIRST 1
#endif
#ifdef __cplusplus
#define STANDARD (__cplusplus / 100)
#define NAME(x) extern "C" void x##_cxx
NAME(values)(long *host, long *device);
#else
#define STANDARD (__STDC_VERSION__ / 100)
#define NAME(x) void x##_c
#endif
#ifdef __STRICT_ANSI__
#define STRICT 1
#else
#define STRICT 0
#endif
#ifdef __OPTIMIZE__
#define OPTIMIZED 1
#else
#define OPTIMIZED 0
#endif
#ifdef __pic__
#define PIC __pic__
#else
#define PIC 0
#endif
#ifdef NDEBUG
#define DEBUG 0
#else
#define DEBUG 1
#endif
#ifndef CONFIG
#define CONFIG 0
#endif
#ifdef own_EXPORTS
#define EXPORTS 1
#else
#define EXPORTS 0
#endif
NAME(values)(long *host, long *device)
{
    const long on_host[] = {SEEN};
    for (int i = 0; i < COUNT; i++)
        host[i] = on_host[i];
#pragma omp target map(from: device[0:COUNT])
    {
        const long on_device[] = {SEEN};
        for (int i = 0; i < COUNT; i++)
            device[i] = on_device[i];
    }
}
""".replace("SEEN}", ", ".join(SEEN) + "}").replace("COUNT", str(len(SEEN)))  # fmt: skip
MAIN = """\
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        void *library = dlopen(argv[i], RTLD_NOW);
        for (int cxx = 0; cxx < 2; cxx++) {
            void *found = library ? dlsym(library, cxx ? "values_cxx" : "values_c") : 0;
            long host[COUNT], device[COUNT];
            if (!found)
                return puts(dlerror()), 2;
            ((void (*)(long *, long *))found)(host, device);
            printf("%d %d", i - 1, cxx);
            for (int k = 0; k < COUNT; k++)
                printf(" %ld/%ld", host[k], device[k]);
            puts("");
        }
    }
}
""".replace("COUNT", str(len(SEEN)))

# What is set, and what it has to change: the target is T, its folder's own sources are SOURCES, and L is C and then CXX.
# "first" and "second" are folders with other headers than the target's own. "" in front of add_library() is done before.
Expected = dict[str, int]
LIBRARY = "add_library(i INTERFACE)\ntarget_link_libraries(T PRIVATE i)\n"
PROBES: dict[str, tuple[str, str, Expected]] = {
    # names: (before the target is made, behind the call, what changes)
    "nothing": ("", "", {}),
    "COMPILE_DEFINITIONS": ("", "set_property(TARGET T PROPERTY COMPILE_DEFINITIONS VALUE=2)", {"VALUE": 2}),
    "COMPILE_DEFINITIONS of a source": ("", "set_property(SOURCE SOURCES PROPERTY COMPILE_DEFINITIONS VALUE=2)", {"VALUE": 2}),
    "COMPILE_DEFINITIONS of a directory": ("set_property(DIRECTORY PROPERTY COMPILE_DEFINITIONS VALUE=2)", "", {"VALUE": 2}),
    "COMPILE_DEFINITIONS_<CONFIG>": ("", "set_property(SOURCE SOURCES PROPERTY COMPILE_DEFINITIONS_RELEASE VALUE=2)", {"VALUE": 2}),
    "DEFINITIONS": ("add_definitions(-DVALUE=2 -include ${CMAKE_SOURCE_DIR}/first/pre.h)", "", {"VALUE": 2, "FIRST": 2}),
    "COMPILE_OPTIONS": ("", 'set_property(TARGET T PROPERTY COMPILE_OPTIONS -DVALUE=2 "SHELL:-U VALUE -D VALUE=3")', {"VALUE": 3}),
    "COMPILE_OPTIONS of a source": ("", "set_property(SOURCE SOURCES PROPERTY COMPILE_OPTIONS -DVALUE=$<IF:$<CONFIG:Release>,2,3>)", {"VALUE": 2}),
    "COMPILE_OPTIONS of a directory": ("set_property(DIRECTORY PROPERTY COMPILE_OPTIONS -DVALUE=2)", "", {"VALUE": 2}),
    "COMPILE_FLAGS": ("", 'set_property(TARGET T PROPERTY COMPILE_FLAGS "-DVALUE=2 -O0")', {"VALUE": 2, "OPTIMIZED": 0}),
    "COMPILE_FLAGS of a source": ("", 'target_compile_options(T PRIVATE -DVALUE=2)\nset_property(SOURCE SOURCES PROPERTY COMPILE_FLAGS "-UVALUE -DVALUE=3")', {"VALUE": 3}),
    "COMPILE_FEATURES": ("", "set_property(TARGET T PROPERTY COMPILE_FEATURES c_std_23 cxx_std_20)", {"STANDARD": 2020}),
    "COMPILE_WARNING_AS_ERROR CMAKE_COMPILE_WARNING_AS_ERROR": ("", "set_property(TARGET T PROPERTY COMPILE_WARNING_AS_ERROR ON)", {}),
    "INCLUDE_DIRECTORIES": ("", "target_include_directories(T BEFORE PRIVATE ${CMAKE_SOURCE_DIR}/first)", {"FOLDER": 2}),
    "INCLUDE_DIRECTORIES of a source": ("", "set_property(SOURCE SOURCES PROPERTY INCLUDE_DIRECTORIES ${CMAKE_SOURCE_DIR}/first)", {"FOLDER": 2}),
    "INCLUDE_DIRECTORIES of a directory": ("include_directories(${CMAKE_SOURCE_DIR}/first)", "", {"FOLDER": 2}),
    "CMAKE_INCLUDE_DIRECTORIES_BEFORE": ("set(CMAKE_INCLUDE_DIRECTORIES_BEFORE ON)\ninclude_directories(${CMAKE_SOURCE_DIR}/first)\ninclude_directories(${CMAKE_SOURCE_DIR}/second)", "", {"FOLDER": 3}),
    "CMAKE_INCLUDE_DIRECTORIES_PROJECT_BEFORE": ("set(CMAKE_INCLUDE_DIRECTORIES_PROJECT_BEFORE ON)\ninclude_directories(/opt ${CMAKE_SOURCE_DIR}/first)", "", {"FOLDER": 2}),
    "CMAKE_INCLUDE_CURRENT_DIR": ('set(CMAKE_INCLUDE_CURRENT_DIR ON)\nfile(WRITE ${CMAKE_CURRENT_BINARY_DIR}/folder.h "#define FOLDER 5\\n")', "", {"FOLDER": 5}),
    "CMAKE_INCLUDE_CURRENT_DIR_IN_INTERFACE INTERFACE_INCLUDE_DIRECTORIES": ('set(CMAKE_INCLUDE_CURRENT_DIR_IN_INTERFACE ON)\nfile(WRITE ${CMAKE_CURRENT_BINARY_DIR}/folder.h "#define FOLDER 5\\n")\nadd_library(T_i INTERFACE)\nset_property(TARGET T_i PROPERTY INTERFACE_INCLUDE_DIRECTORIES ${CMAKE_CURRENT_BINARY_DIR})', "set_property(TARGET T PROPERTY INCLUDE_DIRECTORIES)\ntarget_link_libraries(T PRIVATE T_i)", {"FOLDER": 5}),
    "SYSTEM of an include folder, which comes last": ("", "set_property(TARGET T PROPERTY INCLUDE_DIRECTORIES)\ntarget_include_directories(T SYSTEM PRIVATE ${CMAKE_SOURCE_DIR}/first)\ntarget_include_directories(T PRIVATE ${CMAKE_SOURCE_DIR}/second)", {"FOLDER": 3}),
    "INTERFACE_SYSTEM_INCLUDE_DIRECTORIES SYSTEM IMPORTED_NO_SYSTEM NO_SYSTEM_FROM_IMPORTED CMAKE_NO_SYSTEM_FROM_IMPORTED EXPORT_NO_SYSTEM": ("add_library(T_i INTERFACE IMPORTED)\ntarget_include_directories(T_i SYSTEM INTERFACE ${CMAKE_SOURCE_DIR}/first)", "target_link_libraries(T PRIVATE T_i)", {}),
    "NO_SYSTEM_FROM_IMPORTED": ("add_library(T_i INTERFACE IMPORTED)\ntarget_include_directories(T_i INTERFACE ${CMAKE_SOURCE_DIR}/first)", "set_property(TARGET T PROPERTY INCLUDE_DIRECTORIES)\ntarget_include_directories(T SYSTEM PRIVATE ${CMAKE_SOURCE_DIR}/second)\nset_property(TARGET T PROPERTY NO_SYSTEM_FROM_IMPORTED ON)\ntarget_link_libraries(T PRIVATE T_i)", {"FOLDER": 2}),
    "INTERFACE_COMPILE_DEFINITIONS": ("add_library(T_i INTERFACE)\ntarget_compile_definitions(T_i INTERFACE VALUE=2)", "target_link_libraries(T PRIVATE T_i)", {"VALUE": 2}),
    "INTERFACE_COMPILE_OPTIONS": ("add_library(T_i INTERFACE)\ntarget_compile_options(T_i INTERFACE -DVALUE=2)", "target_link_libraries(T PRIVATE T_i)", {"VALUE": 2}),
    "INTERFACE_COMPILE_FEATURES": ("add_library(T_i INTERFACE)\ntarget_compile_features(T_i INTERFACE cxx_std_20)", "target_link_libraries(T PRIVATE T_i)", {"STANDARD": 2020}),
    "INTERFACE_PRECOMPILE_HEADERS": ("add_library(T_i INTERFACE)\ntarget_precompile_headers(T_i INTERFACE ${CMAKE_SOURCE_DIR}/first/pre.h)", "target_link_libraries(T PRIVATE T_i)", {"FIRST": 2}),
    "INTERFACE_POSITION_INDEPENDENT_CODE COMPATIBLE_INTERFACE_BOOL COMPATIBLE_INTERFACE_STRING COMPATIBLE_INTERFACE_NUMBER_MAX COMPATIBLE_INTERFACE_NUMBER_MIN TRANSITIVE_COMPILE_PROPERTIES": ("add_library(T_i INTERFACE)\nset_target_properties(T_i PROPERTIES INTERFACE_POSITION_INDEPENDENT_CODE ON INTERFACE_X 4 COMPATIBLE_INTERFACE_STRING X)", "target_link_libraries(T PRIVATE T_i)\ntarget_compile_definitions(T PRIVATE VALUE=$<TARGET_PROPERTY:X>)", {"VALUE": 4}),
    "PRECOMPILE_HEADERS PCH_WARN_INVALID CMAKE_PCH_WARN_INVALID PCH_INSTANTIATE_TEMPLATES CMAKE_PCH_INSTANTIATE_TEMPLATES": ("", "target_precompile_headers(T PRIVATE ${CMAKE_SOURCE_DIR}/first/pre.h)", {"FIRST": 2}),
    "PRECOMPILE_HEADERS_REUSE_FROM": ("add_library(T_o OBJECT ../one.c ../one.cpp)\nset_property(TARGET T_o PROPERTY POSITION_INDEPENDENT_CODE ON)\ntarget_precompile_headers(T_o PRIVATE ${CMAKE_SOURCE_DIR}/first/pre.h)", "target_precompile_headers(T REUSE_FROM T_o)", {"FIRST": 2}),
    "SKIP_PRECOMPILE_HEADERS": ("", "target_precompile_headers(T PRIVATE ${CMAKE_SOURCE_DIR}/first/pre.h)\nset_property(SOURCE SOURCES PROPERTY SKIP_PRECOMPILE_HEADERS ON)", {}),
    "DISABLE_PRECOMPILE_HEADERS CMAKE_DISABLE_PRECOMPILE_HEADERS": ("set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)", "target_precompile_headers(T PRIVATE ${CMAKE_SOURCE_DIR}/first/pre.h)", {}),
    "<LANG>_STANDARD C_STANDARD CXX_STANDARD CMAKE_<LANG>_STANDARD": ("", "set_target_properties(T PROPERTIES C_STANDARD 11 CXX_STANDARD 20)", {"STANDARD": 2020}),
    "<LANG>_STANDARD_REQUIRED C_STANDARD_REQUIRED CXX_STANDARD_REQUIRED CMAKE_<LANG>_STANDARD_REQUIRED CMAKE_C_STANDARD CMAKE_CXX_STANDARD CMAKE_C_STANDARD_REQUIRED CMAKE_CXX_STANDARD_REQUIRED": ("set(CMAKE_C_STANDARD 11)\nset(CMAKE_CXX_STANDARD 20)\nset(CMAKE_CXX_STANDARD_REQUIRED ON)", "", {"STANDARD": 2020}),
    "<LANG>_EXTENSIONS C_EXTENSIONS CXX_EXTENSIONS CMAKE_<LANG>_EXTENSIONS CMAKE_<LANG>_EXTENSIONS_DEFAULT": ("", "set_target_properties(T PROPERTIES C_EXTENSIONS OFF CXX_EXTENSIONS OFF C_STANDARD 17 CXX_STANDARD 17)", {"STRICT": 1}),
    "CMAKE_C_EXTENSIONS CMAKE_CXX_EXTENSIONS": ("set(CMAKE_C_EXTENSIONS OFF)\nset(CMAKE_CXX_EXTENSIONS OFF)\nset(CMAKE_C_STANDARD 17)\nset(CMAKE_CXX_STANDARD 17)", "", {"STRICT": 1}),
    "POSITION_INDEPENDENT_CODE CMAKE_POSITION_INDEPENDENT_CODE": ("", "set_property(TARGET T PROPERTY POSITION_INDEPENDENT_CODE OFF)\ntarget_compile_options(T PRIVATE -fpic)", {"PIC": 1}),
    "<LANG>_VISIBILITY_PRESET CMAKE_<LANG>_VISIBILITY_PRESET VISIBILITY_INLINES_HIDDEN CMAKE_VISIBILITY_INLINES_HIDDEN": ("set(CMAKE_C_VISIBILITY_PRESET default)\nset(CMAKE_CXX_VISIBILITY_PRESET protected)\nset(CMAKE_VISIBILITY_INLINES_HIDDEN ON)", "", {}),
    "INTERPROCEDURAL_OPTIMIZATION INTERPROCEDURAL_OPTIMIZATION_<CONFIG> CMAKE_INTERPROCEDURAL_OPTIMIZATION CMAKE_INTERPROCEDURAL_OPTIMIZATION_<CONFIG>": ("cmake_policy(SET CMP0069 NEW)\nset(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)", "", {}),
    "DEFINE_SYMBOL": ("", "set_property(TARGET T PROPERTY DEFINE_SYMBOL own_EXPORTS)", {"EXPORTS": 1}),
    "LANGUAGE CMAKE_<LANG>_SOURCE_FILE_EXTENSIONS LINKER_LANGUAGE": ("", "set_property(SOURCE ${CMAKE_SOURCE_DIR}/unit.c PROPERTY LANGUAGE C)", {}),
    "UNITY_BUILD UNITY_BUILD_MODE UNITY_BUILD_BATCH_SIZE UNITY_BUILD_CODE_BEFORE_INCLUDE UNITY_BUILD_CODE_AFTER_INCLUDE UNITY_BUILD_UNIQUE_ID UNITY_BUILD_RELOCATABLE UNITY_BUILD_FILENAME_PREFIX UNITY_GROUP SKIP_UNITY_BUILD_INCLUSION CMAKE_UNITY_BUILD CMAKE_UNITY_BUILD_BATCH_SIZE CMAKE_UNITY_BUILD_UNIQUE_ID CMAKE_UNITY_BUILD_RELOCATABLE": ("set(CMAKE_UNITY_BUILD ON)", 'target_sources(T PRIVATE ../one.c ../two.c)\nset_property(TARGET T PROPERTY UNITY_BUILD_CODE_BEFORE_INCLUDE "#define VALUE 7")', {}),
    "<LANG>_COMPILER_LAUNCHER CMAKE_<LANG>_COMPILER_LAUNCHER": ("", "set_target_properties(T PROPERTIES C_COMPILER_LAUNCHER env CXX_COMPILER_LAUNCHER env)", {}),
    "RULE_LAUNCH_COMPILE RULE_LAUNCH_CUSTOM RULE_LAUNCH_LINK": ("", "set_property(TARGET T PROPERTY RULE_LAUNCH_COMPILE env)", {}),
    "<LANG>_CLANG_TIDY <LANG>_CPPCHECK <LANG>_CPPLINT <LANG>_ICSTAT <LANG>_INCLUDE_WHAT_YOU_USE <LANG>_PVS_STUDIO <LANG>_CLANG_TIDY_EXPORT_FIXES_DIR SKIP_LINTING CMAKE_<LANG>_CLANG_TIDY CMAKE_<LANG>_CPPCHECK CMAKE_<LANG>_CPPLINT CMAKE_<LANG>_ICSTAT CMAKE_<LANG>_INCLUDE_WHAT_YOU_USE CMAKE_<LANG>_PVS_STUDIO CMAKE_<LANG>_CLANG_TIDY_EXPORT_FIXES_DIR": ("", "set_target_properties(T PROPERTIES C_CLANG_TIDY true CXX_CLANG_TIDY true C_CPPCHECK true)", {}),
    "JOB_POOL_COMPILE CMAKE_JOB_POOL_COMPILE JOB_POOL_PRECOMPILE_HEADER CMAKE_JOB_POOL_PRECOMPILE_HEADER CMAKE_JOB_POOLS JOB_POOLS": ("set_property(GLOBAL APPEND PROPERTY JOB_POOLS T=1)", "set_property(TARGET T PROPERTY JOB_POOL_COMPILE T)", {}),
    "OBJECT_DEPENDS OBJECT_OUTPUTS GENERATED HEADER_FILE_ONLY EXTERNAL_OBJECT": ("add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/made/folder.h COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/first/folder.h ${CMAKE_CURRENT_BINARY_DIR}/made/folder.h)", "set_property(SOURCE SOURCES PROPERTY OBJECT_DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/made/folder.h)\ntarget_include_directories(T BEFORE PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/made)", {"FOLDER": 2}),
    "EXPORT_COMPILE_COMMANDS CMAKE_EXPORT_COMPILE_COMMANDS": ("set(CMAKE_EXPORT_COMPILE_COMMANDS ON)", "", {}),
    "CMAKE_<LANG>_FLAGS CMAKE_<LANG>_FLAGS_INIT": ("string(APPEND CMAKE_L_FLAGS \" -DVALUE='(1 + 1)'\")", "", {"VALUE": 2}),
    "CMAKE_<LANG>_FLAGS_<CONFIG> CMAKE_<LANG>_FLAGS_RELEASE CMAKE_<LANG>_FLAGS_<CONFIG>_INIT CMAKE_<LANG>_FLAGS_RELEASE_INIT CMAKE_<LANG>_FLAGS_DEBUG CMAKE_<LANG>_FLAGS_DEBUG_INIT CMAKE_<LANG>_FLAGS_MINSIZEREL CMAKE_<LANG>_FLAGS_MINSIZEREL_INIT CMAKE_<LANG>_FLAGS_RELWITHDEBINFO CMAKE_<LANG>_FLAGS_RELWITHDEBINFO_INIT CMAKE_BUILD_TYPE CMAKE_CONFIGURATION_TYPES": ('set(CMAKE_L_FLAGS_RELEASE "-DCONFIG=2 -O0")', "", {"CONFIG": 2, "OPTIMIZED": 0, "DEBUG": 1}),
    "CMAKE_NOT_USING_CONFIG_FLAGS": ("set(CMAKE_NOT_USING_CONFIG_FLAGS ON)", "", {}),
    "CMAKE_<LANG>_STANDARD_INCLUDE_DIRECTORIES": ("set(CMAKE_L_STANDARD_INCLUDE_DIRECTORIES ${CMAKE_SOURCE_DIR}/first)", "set_property(TARGET T PROPERTY INCLUDE_DIRECTORIES)", {"FOLDER": 2}),
    "CMAKE_<LANG>_IMPLICIT_INCLUDE_DIRECTORIES": ("set(CMAKE_L_IMPLICIT_INCLUDE_DIRECTORIES ${CMAKE_SOURCE_DIR}/first)", "target_include_directories(T BEFORE PRIVATE ${CMAKE_SOURCE_DIR}/first)", {}),
    "CMAKE_<LANG>_COMPILE_OBJECT": ('string(REPLACE "<FLAGS>" "<FLAGS> -DVALUE=2" CMAKE_L_COMPILE_OBJECT "${CMAKE_L_COMPILE_OBJECT}")', "", {"VALUE": 2}),
    "CMAKE_SYSROOT_COMPILE CMAKE_SYSROOT CMAKE_SYSROOT_LINK": ("set(CMAKE_SYSROOT_COMPILE /)", "", {}),
    "CMAKE_COLOR_DIAGNOSTICS": ("set(CMAKE_COLOR_DIAGNOSTICS ON)", "", {}),
    "CXX_SCAN_FOR_MODULES CMAKE_CXX_SCAN_FOR_MODULES": ("set(CMAKE_CXX_SCAN_FOR_MODULES OFF)", "", {}),
    "CMAKE_OBJECT_PATH_MAX CMAKE_INTERMEDIATE_DIR_STRATEGY INSTALL_OBJECT_NAME_STRATEGY": ("set(CMAKE_INTERMEDIATE_DIR_STRATEGY SHORT)", "", {}),
}  # fmt: skip


def text_of(number: int, probe: str, call: str) -> str:
    """The CMakeLists.txt of one probe."""
    before, behind, _ = PROBES[probe]
    name = f"probe{number}"
    parts = {}
    for key, text in (("before", before), ("behind", behind)):
        named = re.sub(r"\bT(?=\b|_)", name, text).replace("SOURCES PROPERTY", "../unit.c ../unit.cpp PROPERTY")
        lines = named.split("\n")
        parts[key] = "\n".join(line.replace("_L_", f"_{one}_") for line in lines for one in languages(line))
    return (
        f"{parts['before']}\nadd_library({name} MODULE ../unit.c ../unit.cpp)\n"
        f"target_include_directories({name} PRIVATE ${{CMAKE_SOURCE_DIR}}/own)\n{call.replace('T', name)}\n"
        f"{parts['behind']}\n"
    )


def languages(line: str) -> tuple[str, ...]:
    return ("C", "CXX") if "_L_" in line else ("C",)


CALLS = {
    "sources": "rex_add_offload_sources(T SOURCES ../unit.c ../unit.cpp DEVICES cpu)",
    "launcher": "rex_target_offload(T DEVICES cpu)",
}


def write_probes(folder: Path, call: str, probes: Sequence[str]) -> None:
    """One project with a library for each probe, in a folder of its own, and a program that asks all of them."""
    texts = {"unit.c": UNIT, "unit.cpp": UNIT, "main.c": MAIN, "first/pre.h": "#undef FIRST\n#define FIRST 2\n"}
    texts |= {f"{name}.{suffix}": f"int {name}_{suffix};\n" for name in ("one", "two") for suffix in ("c", "cpp")}
    texts |= {f"{name}/folder.h": f"#define FOLDER {k}\n" for k, name in enumerate(("own", "first", "second"), 1)}
    lists = "cmake_minimum_required(VERSION 3.23)\nproject(probes C CXX)\nfind_package(RexBuild REQUIRED)\n"
    lists += "add_executable(app main.c)\ntarget_link_libraries(app PRIVATE ${CMAKE_DL_LIBS} RexBuild::runtime)\n"
    for number, probe in enumerate(probes):
        texts[f"probe{number}/CMakeLists.txt"] = text_of(number, probe, call)
        lists += f"add_subdirectory(probe{number})\n"
    for name, text in {**texts, "CMakeLists.txt": lists}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("cmake", "generator", "call"), builds())
def test_both_halves_see_the_same(
    tool: Tool,
    tmp_path: Path,
    cmake: str,
    generator: str,
    call: str,
    sample: Callable[[Sequence[str], int], list[str]],
) -> None:
    """The first probe has the usual values. Of the others, each draws some."""
    usual, *others = PROBES
    probes = [usual, *sample(others, 12)]
    source, build = tmp_path / "source", tmp_path / "build"
    write_probes(source, CALLS[call], probes)
    built(tool, source, build, "-G", generator, "-DCMAKE_BUILD_TYPE=Release", cmake=cmake)
    libraries = [build / f"probe{number}" / f"libprobe{number}.so" for number in range(len(probes))]
    values: dict[tuple[int, int], Expected] = {}
    for line in tool.run(build / "app", *libraries).splitlines():
        number, cxx, *pairs = line.split()
        host, device = zip(*(pair.split("/") for pair in pairs), strict=True)
        assert host == device, probes[int(number)]
        values[int(number), int(cxx)] = dict(zip(SEEN, map(int, host), strict=True))
    assert len(values) == 2 * len(probes)
    for (number, cxx), found in values.items():
        probe = probes[number]
        expected = PROBES[probe][2] if cxx or "STANDARD" not in PROBES[probe][2] else {"STANDARD": found["STANDARD"]}
        assert found == {**values[0, cxx], **expected}, (probe, cxx)


# ---- All names


def names_of(cmake: str) -> set[str]:
    """The properties and variables that a CMake documents."""
    lists = ("--help-property-list", "--help-variable-list")
    said = [subprocess.run([cmake, one], check=True, capture_output=True, text=True).stdout for one in lists]
    return {line for text in said for line in text.splitlines() if line}


def sorted_out() -> tuple[list[re.Pattern[str]], set[str]]:
    """The rules and the names of ``cmake_names.txt``: lines behind ``#`` say why, and rules stand between slashes."""
    lines = Path(__file__).with_name("cmake_names.txt").read_text().splitlines()
    words = [word for line in lines if not line.startswith("#") for word in line.split()]
    return [re.compile(word[1:-1]) for word in words if word[0] == "/"], {word for word in words if word[0] != "/"}


@pytest.mark.parametrize("cmake", cmakes())
def test_every_name_is_set_or_sorted_out(cmake: str) -> None:
    rules, others = sorted_out()
    probed = {word for probe in PROBES for word in probe.split() if re.fullmatch(r"[A-Z<>_a-z]*[A-Z>][A-Z_<>]*", word)}
    unknown = {n for n in names_of(cmake) - probed - others if not any(rule.fullmatch(n) for rule in rules)}
    assert not unknown, "set these in a probe, or say in cmake_names.txt why they change no compile line of C and C++"
