"""``rex-build cc``: sources to a program in one command."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from build_tool import SCALE_C, Tool, needed

pytestmark = pytest.mark.compile

HAVE_NVCC = shutil.which("nvcc") is not None


def test_program_runs_on_the_cpu_device(tool: Tool, project: Path) -> None:
    done = tool("cc", "--device", "cpu", "-o", "app", "main.c", "scale.c", "--", "-O2", "-DFACTOR=3", cwd=project)
    assert done.returncode == 0, done.stderr
    assert tool.run(project / "app") == "3\n"
    assert "libgomp" not in needed(project / "app")
    assert {path.name for path in project.iterdir()} == {"app", "main.c", "scale.c", "scale.h"}


def test_options_count_where_the_files_stand_behind_the_flags(
    tool: Tool, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``cc -- ANY-GCC-COMMAND-LINE`` takes the same options as ``cc SRC...``, or refuses them by name."""
    monkeypatch.setitem(tool.env, "REX_DEVICES", "cpu")
    words = ("--keep-dir", "kept", "--no-opt", "once", "--", "main.c", "scale.c", "-o", "app")
    done = tool("cc", *words, cwd=project)
    assert done.returncode == 0, done.stderr
    kept = {path.name for path in (project / "kept").rglob("*")}
    assert {"rose_scale.c", "rex_lib_scale.cu", "rex_lib_scale.cpu.so"} <= kept  # main.c has no regions
    assert tool.run(project / "app") == "2\n"
    refused = tool("cc", "-o", "app", "--", "main.c", "scale.c", cwd=project)
    assert (refused.returncode, "-o app has to stand behind --" in refused.stderr) == (2, True)


def test_the_environment_chooses_devices(tool: Tool, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tool.env, "REX_DEVICES", "cpu")
    monkeypatch.setitem(tool.env, "REX_CUDA_ARCHITECTURES", "90")  # says nothing about the cpu device
    done = tool("cc", "--keep-dir", "kept", "main.c", "scale.c", cwd=project)
    assert done.returncode == 0, done.stderr
    images = {path.name for path in (project / "kept").rglob("*") if path.suffix in (".so", ".cubin")}
    assert images == {"rex_lib_scale.cpu.so"}  # main.c has no regions
    monkeypatch.setitem(tool.env, "REX_DEVICES", "gpu")
    assert "unknown device 'gpu'" in tool("cc", "main.c", "scale.c", cwd=project).stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--device cpu --arch 90", "--arch is about the cuda device"),
        ("--device cuda --arch sm_1", "unknown architecture 'sm_1'"),
        ("--device cuda --arch 90-virtual", "asks for PTX"),
        ("--device cpu --claims", "--claims is for the check device"),
        ("--device cpu,check", "the check device is used alone"),
    ],
)
def test_devices_that_do_not_go_together_leave_nothing(tool: Tool, project: Path, words: str, message: str) -> None:
    for command in (["main.c", "scale.c"], ["--", "-c", "scale.c"]):
        refused = tool("cc", *words.split(), "--keep-dir", "kept", *command, cwd=project)
        assert (refused.returncode, message in refused.stderr) == (2, True), refused.stderr
        assert not (project / "kept").exists()
        assert not [*project.glob("*.o")]


@pytest.mark.skipif(not HAVE_NVCC, reason="nvcc is not here")
def test_both_devices_in_one_program(tool: Tool, project: Path) -> None:
    command = ["cc", "--device", "cuda,cpu", "--arch", "sm_80,90", "--keep-dir", "kept", "main.c", "scale.c"]
    done = tool(*command, cwd=project)
    assert done.returncode == 0, done.stderr
    assert tool.run(project / "a.out") == "2\n"
    kept = {path.name for path in (project / "kept" / "scale.c").iterdir()}
    assert {"rose_scale.c", "rex_lib_scale.cu", "rex_lib_scale.sm_80.cubin", "rex_lib_scale.sm_90.cubin"} <= kept
    assert {"rex_lib_scale.cpu.so", "register_cubin.cpp"} <= kept


def test_the_runtime_is_not_searched_for_regions(
    tool: Tool, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LLVM's libraries define functions of gcc's runtime. To read them is most of what a link takes. The first link
    asks once which functions libomptarget has."""
    assert tool("cc", "--device", "cpu", "-o", "app", "main.c", "scale.c", cwd=project).returncode == 0
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/nm").write_text(f"#!/bin/sh\necho $* >>'{tmp_path}/calls'\n")
    (tmp_path / "bin/nm").chmod(0o755)
    monkeypatch.setitem(tool.env, "PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    done = tool("cc", "--device", "cpu", "-o", "app", "main.c", "scale.c", cwd=project)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "calls").exists()


def test_equal_names_in_different_folders(tool: Tool, project: Path) -> None:
    for name in ("one", "two"):
        (project / name).mkdir()
        text = (project / "scale.c").read_text().replace("void scale", f"void scale_{name}")
        (project / name / "scale.c").write_text(text.replace('"scale.h"', '"../scale.h"'))
    (project / "main.c").write_text(
        """
        #include <stdio.h>
        void scale_one(int, float *); void scale_two(int, float *);
        int main(void) { float x[2] = {1, 1}; scale_one(2, x); scale_two(2, x); printf("%g\\n", x[1]); }
        """
    )
    sources = ("main.c", "one/scale.c", "two/scale.c")
    done = tool("cc", "--device", "cpu", "--keep-dir", "kept", "-o", "app", *sources, cwd=project)
    assert done.returncode == 0, done.stderr
    assert tool.run(project / "app") == "4\n"
    assert (project / "kept" / "one" / "scale.c" / "rose_scale.c").is_file()
    assert (project / "kept" / "two" / "scale.c" / "rose_scale.c").is_file()


def test_both_languages_under_one_name(tool: Tool, project: Path) -> None:
    """C stays C beside C++, and neither takes the other's files. Messages of all units stand in their order."""
    text = (project / "scale.c").read_text()
    (project / "scale.c").write_text(f"int in_c(void) {{ return sizeof 'x' == sizeof(int); }}\n{text}")
    (project / "scale.cpp").write_text(
        '#include <cstdio>\nextern "C" {\n#include "scale.h"\nint in_c(void);\n}\n'
        "int main()\n{\n    int unused;\n    float x = in_c(), y = 0;\n    scale(1, &x);\n"
        '#pragma omp target map(from: y)\n    y = 3;\n    std::printf("%g\\n", x + y);\n}\n'
    )
    (project / "other.c").write_text("int other(void) { int unused; return 0; }\n")
    command = ("cc", "--device", "cpu", "-j", "3", "-o", "app", "scale.c", "scale.cpp", "other.c")
    done = tool(*command, "--", "-Wall", cwd=project)
    assert done.returncode == 0, done.stderr
    assert tool.run(project / "app") == "5\n"
    assert re.findall(r"^(\S+?):.*unused variable", done.stderr, re.MULTILINE) == ["scale.cpp", "other.c"]


def test_objects_and_libraries_pass_through_to_the_link(tool: Tool, project: Path) -> None:
    (project / "root.c").write_text("#include <math.h>\ndouble root(double x) { return sqrt(x); }\n")
    tool.run("gcc", "-c", "-O0", "root.c", cwd=project)
    main = (project / "main.c").read_text().replace("sum / 4950", "root(sum / 4950 * 2)")
    (project / "main.c").write_text("double root(double);\n" + main)
    command = ["cc", "--device", "cpu", "-o", "app", "main.c", "scale.c", "root.o", "--", "-lm", "-fopenmp", "-lgomp"]
    done = tool(*command, cwd=project)
    assert done.returncode == 0, done.stderr
    assert tool.run(project / "app") == "2\n"
    assert "libgomp" not in needed(project / "app")


def test_files_without_regions(tool: Tool, project: Path) -> None:
    """Most files of an application have no regions."""
    for name in ("one", "two", "three"):
        (project / f"{name}.c").write_text(f"int {name}(void) {{ return 0; }}\n")
    sources = ["main.c", "one.c", "scale.c", "two.c", "three.c"]
    done = tool("cc", "--device", "cpu", "-o", "app", *sources, cwd=project)
    assert done.returncode == 0, done.stderr
    assert tool.run(project / "app") == "2\n"


def test_regions_in_a_header_of_another_folder(tool: Tool, project: Path) -> None:
    """The host file contains the header's text, and still finds what the header includes from its own folder."""
    (project / "sub" / "more").mkdir(parents=True)
    (project / "sub" / "detail.h").write_text("#define FACTOR 3\n")
    (project / "sub" / "more" / "k.h").write_text('#include "../detail.h"\n#include "scale.h"\n' + SCALE_C)
    (project / "scale.c").write_text('#include "sub/more/k.h"\n')
    done = tool("cc", "--device", "cpu", "-o", "app", "main.c", "scale.c", "--", "-I.", cwd=project)
    assert done.returncode == 0, done.stderr
    assert tool.run(project / "app") == "3\n"


def test_program_that_only_asks_the_runtime(tool: Tool, project: Path) -> None:
    """A program without kernels has a registration too, because libomptarget would crash without one."""
    (project / "ask.c").write_text("#include <omp.h>\nint main(void) { return omp_get_num_devices() < 0; }\n")
    done = tool("cc", "--device", "cpu", "-o", "app", "ask.c", cwd=project)
    assert done.returncode == 0, done.stderr
    tool.run(project / "app")


WRONG = {
    "missing source": (["nowhere.c"], 1, "nowhere.c: no such file"),
    "not a source": (["scale.h"], 2, "scale.h is neither a C or C++ source"),
    "only objects": (["x.o"], 2, "no C or C++ source was given"),
    "twice": (["main.c", "./main.c"], 2, "given more than once"),
    "device": (["main.c", "--device", "gpu"], 2, "unknown device 'gpu'"),
    "device before sources": (["nowhere.c", "--device", "cppu"], 2, "did you mean 'cpu'?"),
    "arch": (["main.c", "--device", "cpu", "--arch", "90"], 2, "--arch is about the cuda device"),
    "arch spelling": (["main.c", "--arch", "hopper"], 2, "unknown architecture 'hopper'"),
    "output behind": (["main.c", "--", "-o", "app"], 2, "-o cannot stand after --"),
    "no program": (["main.c", "--", "-c"], 2, "-c cannot stand after --"),
    "undefined": (["main.c", "--device", "cpu"], 1, "undefined reference to `scale'"),
    "llvm": (["main.c", "--device", "cpu", "--llvm-root", "/nowhere"], 3, "not found below /nowhere"),
    "output folder": (["main.c", "scale.c", "--device", "cpu", "-o", "no/such/app"], 3, "cannot write no/such/app"),
}


@pytest.mark.parametrize(("arguments", "status", "message"), WRONG.values(), ids=WRONG)
def test_what_goes_wrong(tool: Tool, project: Path, arguments: list[str], status: int, message: str) -> None:
    done = tool("cc", *arguments, cwd=project)
    assert (done.returncode, message in done.stderr) == (status, True), done.stderr
    assert "Traceback" not in done.stderr
    assert not list(project.glob("a.out*"))


def test_all_units_that_are_wrong_are_reported(tool: Tool, project: Path) -> None:
    """One of them does not hide the others, whoever finds what is wrong. The worst of the reasons is the status."""
    (project / "asm.c").write_text('void f(void)\n{\n#pragma omp target\n    __asm__ volatile("nop");\n}\n')
    (project / "wrong.c").write_text("int g(void) { return undeclared; }\n")
    for jobs in ("1", "2"):
        sources = ("main.c", "asm.c", "wrong.c", "scale.c")
        done = tool("cc", "--device", "cpu", "--jobs", jobs, *sources, cwd=project)
        assert (done.returncode, "asm.c:4:" in done.stderr, "wrong.c:1:" in done.stderr) == (1, True, True), done.stderr
        assert not list(project.glob("a.out*"))


def test_error_in_the_users_code(tool: Tool, project: Path) -> None:
    text = (project / "main.c").read_text()
    (project / "main.c").write_text(text.replace("return omp", "undeclared(1, 2)->x = 1;\n    return omp"))
    done = tool("cc", "--device", "cpu", "main.c", "scale.c", cwd=project)
    assert done.returncode == 1
    assert "main.c:12:" in done.stderr
    assert not (project / "a.out").exists()
