"""rex_add_offload_sources() in projects that are installed and exported."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from build_tool import MAIN_C, Tool, cmakes, dynamic_section, needed
from cmake_project import built, write

pytestmark = [pytest.mark.cmake, pytest.mark.compile]

INSTALLED = """\
cmake_minimum_required(VERSION 3.20)
project(kernels C)
find_package(RexBuild REQUIRED)
add_library(scale STATIC scale.c)
add_library(plugin MODULE scale.c)
add_library(shared SHARED scale.c)
target_include_directories(scale PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
foreach(name IN ITEMS scale plugin shared)
  rex_add_offload_sources(${name} SOURCES scale.c DEVICES cpu)
endforeach()
install(TARGETS scale plugin shared EXPORT kernels DESTINATION lib INCLUDES DESTINATION include)
install(FILES scale.h DESTINATION include)
install(EXPORT kernels NAMESPACE k:: FILE kernelsTargets.cmake DESTINATION lib/cmake/kernels)
file(WRITE "${CMAKE_BINARY_DIR}/kernelsConfig.cmake" [[
include(CMakeFindDependencyMacro)
find_dependency(RexBuild)
include("${CMAKE_CURRENT_LIST_DIR}/kernelsTargets.cmake")
]])
install(FILES "${CMAKE_BINARY_DIR}/kernelsConfig.cmake" DESTINATION lib/cmake/kernels)
"""

CONSUMER = """\
cmake_minimum_required(VERSION 3.20)
project(consumer C)
find_package(kernels REQUIRED)
add_executable(static main.c)
target_link_libraries(static k::scale)
add_executable(opened opened.c)
target_link_libraries(opened ${CMAKE_DL_LIBS})
install(TARGETS static opened)
"""

OPENED_C = """\
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    float x[2] = {1, 21};
    void *library = dlopen(argv[1], RTLD_NOW);
    if (!library)
        return puts(dlerror()), 2;
    void (*scale)(int, float *) = (void (*)(int, float *))dlsym(library, "scale");
    scale(2, x);
    printf("%g\\n", x[1]);
    return argc != 2;
}
"""


def test_install_and_export(tool: Tool, project: Path, tmp_path: Path) -> None:
    """A static library in another project's program, and libraries that are dlopened, offload after an installation."""
    write(project, INSTALLED)
    prefix = tmp_path / "prefix"
    built(tool, project, tmp_path / "b", f"-DCMAKE_INSTALL_PREFIX={prefix}")
    tool.run("cmake", "--install", tmp_path / "b")
    for file in (prefix / "lib" / "cmake" / "kernels").glob("*.cmake"):
        assert str(tmp_path / "b") not in file.read_text()
        assert str(project) not in file.read_text()
    consumer = tmp_path / "consumer"
    consumer.mkdir()
    write(consumer, CONSUMER)
    (consumer / "main.c").write_text(MAIN_C)
    (consumer / "opened.c").write_text(OPENED_C)
    for folder in ("b", "project"):  # nothing that is installed may need these folders
        shutil.rmtree(tmp_path / folder)
    options = [f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_INSTALL_PREFIX={prefix}"]
    built(tool, consumer, tmp_path / "c", *options)
    tool.run("cmake", "--install", tmp_path / "c")
    shutil.rmtree(tmp_path / "c")
    assert tool.run(prefix / "bin" / "static") == "2\n"
    for name in ("libplugin.so", "libshared.so"):
        assert tool.run(prefix / "bin" / "opened", prefix / "lib" / name) == "42\n"


RUN_PATHS = """\
cmake_minimum_required(VERSION 3.20)
project(p C)
find_package(RexBuild REQUIRED)
add_library(scale STATIC scale.c)
rex_add_offload_sources(scale SOURCES scale.c DEVICES cpu)
add_executable(direct main.c scale.c)
rex_add_offload_sources(direct SOURCES scale.c main.c DEVICES cpu)
add_executable(through main.c)
target_link_libraries(through scale)
add_library(shared SHARED scale.c)
rex_add_offload_sources(shared SOURCES scale.c DEVICES cpu)
add_executable(second plain.c)
target_link_libraries(second shared)
set_target_properties(second PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
install(TARGETS direct through second shared)
"""


@pytest.mark.parametrize("cmake", cmakes())
def test_installed_programs_find_an_llvm_of_its_own(tool: Tool, project: Path, tmp_path: Path, cmake: str) -> None:
    """The loader does not know the LLVM's folder, whose name has a space. Installed files name no build folder."""
    system = Path("/usr/lib/llvm-19/lib")
    if not (system / "libomptarget.so.19.1").exists():
        pytest.skip("libomptarget 19 is not here")
    llvm = tmp_path / "my llvm"
    (llvm / "lib").mkdir(parents=True)
    for library in system.glob("libomp*.so*"):
        shutil.copy(library, llvm / "lib" / library.name)
    for library in Path("/usr/lib/llvm-19/lib").glob("libLLVM*.so*"):
        (llvm / "lib" / library.name).symlink_to(library.resolve())
    plain = MAIN_C.replace("return omp_get_num_devices() == 0", "return 0")
    (project / "plain.c").write_text(plain)
    write(project, RUN_PATHS)
    prefix = tmp_path / "prefix"
    options = [f"-DRexBuild_LLVM_ROOT={llvm}", f"-DCMAKE_INSTALL_PREFIX={prefix}", "-G", "Ninja"]
    built(tool, project, tmp_path / "b", *options, cmake=cmake)
    tool.run(cmake, "--install", tmp_path / "b")
    for folder in (tmp_path / "b", prefix / "bin"):
        for name in ("direct", "through", "second"):
            assert tool.run(folder / name) == "2\n"
    for name in ("bin/direct", "bin/through", "bin/second", "lib/libshared.so"):
        path = re.search(r"runpath: \[(.*)\]", dynamic_section(prefix / name))
        assert path, name
        assert set(path[1].split(":")) <= {f"{llvm}/lib/.", "$ORIGIN/../lib"}
    assert "libomptarget.so.19" in needed(prefix / "bin" / "direct")
