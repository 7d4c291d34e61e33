"""What CMake's functions refuse: in the name of the function that was called, and with the next step."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from build_tool import Tool, nvcc_in
from cmake_project import LISTS, configure, said, write

pytestmark = [pytest.mark.cmake, pytest.mark.compile]

REFUSED = {
    "nobody to launch for": ("rex_target_offload(nobody)", "rex_target_offload: there is no target 'nobody'. Call this after"),  # noqa: E501
    "empty target": ('rex_add_offload_sources("" SOURCES scale.c)', "the name of the target is empty"),
    "both ways": (
        "rex_target_offload(app DEVICES cpu)\nrex_add_offload_sources(app SOURCES scale.c)",
        "already has all its sources lowered by rex_target_offload().",
    ),
    "sources of a launcher": ("rex_target_offload(app SOURCES scale.c)", "unexpected argument 'SOURCES'. The keywords are"),  # noqa: E501
    "on unsupported": (
        "rex_add_offload_sources(app SOURCES scale.c DEVICES cpu ON_UNSUPPORTED maybe)",
        "ON_UNSUPPORTED takes error or host, not 'maybe'",
    ),
    "init": ("rex_add_offload_sources(app SOURCES scale.c DEVICES cpu INIT early)", "INIT takes main or lazy, not 'early'"),  # noqa: E501
    "separable": (
        """rex_add_offload_sources(app SOURCES scale.c DEVICES cpu)
        rex_add_offload_sources(app SOURCES main.c SEPARABLE_DEVICE_LINK)""",
        "SEPARABLE_DEVICE_LINK was not given in the first call for 'app'. Give it there",
    ),
    "folder": ("file(MAKE_DIRECTORY d.c)\nrex_add_offload_sources(app SOURCES d.c DEVICES cpu)", "'d.c' is a directory"),  # noqa: E501
    "dollar": ("rex_add_offload_sources(app SOURCES [[do$(touch pwned).c]])", "the name 'do$(touch pwned).c' cannot be used"),  # noqa: E501
    "brackets": ("rex_add_offload_sources(app SOURCES a[1].c)", "the name 'a[1].c' cannot be used"),
    "expression": (
        "rex_add_offload_sources(app SOURCES $<$<CONFIG:Debug>:scale.c>)",
        "cannot stand among SOURCES. Which files are lowered has to be known when configuring",
    ),
    "line break": (
        'rex_add_offload_sources(app SOURCES scale.c DEVICES cpu HOST_DEVICE_OPTIONS "-DA=1\\nB")',
        "a line break in HOST_DEVICE_OPTIONS cannot be passed on",
    ),
    "no language": (
        None,
        "the project has to enable the language C or C++. Add C or CXX to its project() command",
    ),
    "nobody": ("rex_add_offload_sources(nobody SOURCES main.c)", "there is no target 'nobody'"),
    "no sources": ("rex_add_offload_sources(app)", "SOURCES needs a value"),
    "empty keyword": ("rex_add_offload_sources(app SOURCES main.c DEVICES)", "DEVICES needs a value"),
    "keyword in front": ("rex_add_offload_sources(app FILES main.c)", "unexpected argument 'FILES'"),
    "keyword behind": ("rex_add_offload_sources(app SOURCES main.c DEVICE cpu)", "unknown keyword 'DEVICE'"),
    "device": (
        "rex_add_offload_sources(app SOURCES main.c DEVICES gpu)",
        "DEVICES takes cuda, cpu and check, not 'gpu'",
    ),
    "another language": ("rex_add_offload_sources(app SOURCES k.f90)", "'k.f90' is not a C or C++ source."),
    "no C++": (
        "rex_add_offload_sources(app SOURCES main.cpp DEVICES cpu)",
        "'main.cpp' is a C++ source, but the project has not enabled C++",
    ),
    "no such file": ("rex_add_offload_sources(app SOURCES nope.c DEVICES cpu)", "there is no file 'nope.c'"),
    "interface": (
        "add_library(i INTERFACE)\nrex_add_offload_sources(i SOURCES main.c)",
        "'i' is not an executable or library of this build",
    ),
    "other devices": (
        """rex_add_offload_sources(app SOURCES main.c DEVICES cpu)
        set_property(TARGET app PROPERTY REX_IMAGE_TARGETS sm_90)
        rex_add_offload_sources(app SOURCES scale.c DEVICES cpu)""",
        "'app' already has images for sm_90, now cpu are asked for",
    ),
    "architectures without cuda": (
        "rex_add_offload_sources(app SOURCES main.c DEVICES cpu CUDA_ARCHITECTURES 90)",
        "CUDA_ARCHITECTURES is given, but DEVICES has no cuda",
    ),
}  # fmt: skip
REFUSED |= {
    "native": (
        "rex_add_offload_sources(app SOURCES scale.c DEVICES cuda CUDA_ARCHITECTURES native)",
        "CUDA_ARCHITECTURES is native, but no GPU is visible here. Name the architecture of the GPU",
    ),
    "architecture": (
        "rex_add_offload_sources(app SOURCES scale.c DEVICES cuda CUDA_ARCHITECTURES 12)",
        "nvcc does not compile for sm_12; it knows sm_",
        "Name one of these in CUDA_ARCHITECTURES (or CMAKE_CUDA_ARCHITECTURES), or another toolkit's nvcc",
    ),
    "PTX": (
        "rex_add_offload_sources(app SOURCES main.c DEVICES cuda CUDA_ARCHITECTURES 90-virtual)",
        "'90-virtual' asks for PTX, but LLVM's runtime loads machine code alone. Write 90 in CUDA_ARCHITECTURES",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_the_next_step(tool: Tool, project: Path, tmp_path: Path, name: str) -> None:
    lines, *messages = REFUSED[name]
    if name == "native" and shutil.which("nvidia-smi"):
        pytest.skip("there may be a GPU here")
    text = f"{LISTS}{lines}\n"
    if lines is None:
        text = LISTS.replace("(p C)", "(p NONE)").replace("add_executable(app main.c scale.c)", "")
        text += "add_library(o OBJECT IMPORTED)\nadd_executable(app main.c)\n"
        text += "rex_add_offload_sources(app SOURCES scale.c DEVICES cpu)\n"
    write(project, text)
    words = said(configure(tool, project, tmp_path / "b", f"-DRexBuild_NVCC_EXECUTABLE={nvcc_in(tmp_path / 'bin')}"))
    called = re.findall(r"rex_\w+(?=\()", text)[-1]
    assert f"{called}: " in words
    assert all(message in words for message in messages), words


def test_no_nvcc(tool: Tool, project: Path, tmp_path: Path) -> None:
    if Path("/usr/local/cuda/bin/nvcc").exists():
        pytest.skip("nvcc is where it is always found")
    write(project, LISTS + "rex_add_offload_sources(app SOURCES scale.c DEVICES cuda)\n")
    clean = Tool(tool.root)
    clean.env = dict(tool.env, PATH="/usr/bin:/bin")
    words = said(configure(clean, project, tmp_path / "b"))
    assert "nvcc was not found" in words
    assert "rex-build[cuda]" in words


def test_wrong_nvcc(tool: Tool, project: Path, tmp_path: Path) -> None:
    write(project, LISTS + "rex_add_offload_sources(app SOURCES scale.c DEVICES cuda)\n")
    words = said(configure(tool, project, tmp_path / "b", "-DRexBuild_NVCC_EXECUTABLE=/bin/true"))
    assert "rex_add_offload_sources: the cuda device cannot be built for: /bin/true does not answer as nvcc" in words
    assert "Next step: set NVCC to CUDA's nvcc" in words


def test_no_runtime(tool: Tool, project: Path, tmp_path: Path) -> None:
    write(project, LISTS + "rex_add_offload_sources(app SOURCES scale.c DEVICES cpu)\n")
    words = said(configure(tool, project, tmp_path / "b", f"-DRexBuild_LLVM_ROOT={tmp_path}"))
    assert "rex_add_offload_sources: LLVM's offload runtime (libomptarget and libomp) was not found below" in words
    assert "Next step: on Debian: apt-get install" in words
