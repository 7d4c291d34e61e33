"""``rex-cc`` and ``rex-build cc --``: in place of the compiler, for Makefiles, configure scripts and one-liners."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from build_tool import Tool, needed

pytestmark = pytest.mark.compile

MAKEFILE = """\
CFLAGS = -O2 -DFACTOR=3 -MMD -MP
app: main.o libk.a
\t$(CC) $(CFLAGS) -o $@ main.o -L. -lk
libk.a: scale.o
\t$(AR) rcs $@ $^
-include *.d
"""


@pytest.fixture
def cc(tool: Tool, tmp_path: Path) -> Tool:
    """The tool for the cpu device, as the programs rex-build and rex-cc on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, words in (("rex-build", ""), ("rex-cc", "rex-cc ")):
        script = f'#!/bin/sh\nexec "{sys.executable}" "{tool.root}/rex_build/__main__.py" {words}"$@"\n'
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    found = Tool(tool.root)
    found.env = dict(tool.env, REX_DEVICES="cpu", PATH=f"{folder}:{os.environ['PATH']}")
    found.env.pop("CC", None)
    return found


@pytest.mark.parametrize("compiler", ["rex-build cc --", "rex-cc gcc"])
def test_makefile(cc: Tool, project: Path, compiler: str) -> None:
    """Objects, an archive, dependency files, and nothing to do the second time; CC reaches the environment too."""
    (project / "Makefile").write_text(MAKEFILE)
    cc.run("make", f"CC={compiler}", cwd=project)
    assert cc.run(project / "app") == "3\n"
    assert "libgomp" not in needed(project / "app")
    assert "up to date" in cc.run("make", f"CC={compiler}", cwd=project)
    assert "scale.h:" in (project / "scale.d").read_text()
    (project / "scale.h").write_text((project / "scale.h").read_text() + "\n")
    assert "-c -o scale.o" in cc.run("make", f"CC={compiler}", cwd=project)
    assert not [path.name for path in project.iterdir() if path.name.startswith(".rex")]


def test_one_line(cc: Tool, project: Path) -> None:
    cc.run("rex-build", "cc", "--", "-O2", "-fopenmp", "main.c", "scale.c", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"
    assert "libgomp" not in needed(project / "app")


def test_compiling_and_linking_at_once(cc: Tool, project: Path) -> None:
    """What is not lowered keeps its OpenMP, as configure scripts ask, and its dependency file."""
    (project / "main.c").write_text("#ifndef _OPENMP\n#error\n#endif\n" + (project / "main.c").read_text())
    cc.run("rex-cc", "gcc", "-c", "scale.c", cwd=project)
    cc.run("rex-cc", "gcc", "-MMD", "-fopenmp", "main.c", "scale.o", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"
    assert "libgomp" not in needed(project / "app")
    assert (project / "app-main.d").read_text().startswith("app: ")


@pytest.mark.parametrize("compiler", [("rex-cc", "gcc"), ("rex-build", "cc", "--")])
def test_gcc_s_runtime_by_its_path_is_left_out(cc: Tool, project: Path, compiler: tuple[str, ...]) -> None:
    """As CMake's OpenMP::OpenMP_C writes it, where rex-cc is the launcher of compilers and links."""
    libgomp = cc.run("gcc", "-print-file-name=libgomp.so", cwd=project).strip()
    cc.run(*compiler, "-fopenmp", "-c", "scale.c", cwd=project)
    cc.run(*compiler, "-fopenmp", "main.c", "scale.o", libgomp, "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"
    assert "libgomp" not in needed(project / "app")


def test_shared_library(cc: Tool, project: Path) -> None:
    cc.run("rex-cc", "gcc", "-shared", "-fPIC", "scale.c", "-o", "libscale.so", cwd=project)
    cc.run("rex-cc", "gcc", "main.c", "-L.", "-lscale", "-Wl,-rpath,$ORIGIN", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"


@pytest.mark.parametrize("flag", ["-flto", "-g", "-fvisibility=hidden", "-std=c99", "-m64", "-Werror -Wall -Wextra"])
def test_flags(cc: Tool, project: Path, flag: str) -> None:
    cc.run("rex-cc", "gcc", *flag.split(), "-c", "scale.c", "-o", "scale.o", cwd=project)
    cc.run("rex-cc", "gcc", *flag.split(), "main.c", "scale.o", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"


def test_same_name_and_regions_twice(cc: Tool, project: Path) -> None:
    """What ties an object's halves together is its own: two files that look alike do not meet at the link."""
    for name, factor in (("a", 3), ("b", 5)):
        (project / name).mkdir()
        (project / name / "k.c").write_text(
            f"#define FACTOR {factor}\nstatic void work(int n, float *x)\n{{\n"
            "#pragma omp target teams distribute parallel for map(tofrom: x[0:n])\n"
            "    for (int i = 0; i < n; i++)\n        x[i] = x[i] * FACTOR;\n}\n"
            f"void k{name}(int n, float *x) {{ work(n, x); }}\n"
        )
        cc.run("rex-cc", "gcc", "-c", "k.c", cwd=project / name)
    (project / "main.c").write_text(
        "#include <stdio.h>\nvoid ka(int, float *); void kb(int, float *);\n"
        'int main(void) { float x = 1; ka(1, &x); kb(1, &x); printf("%g\\n", x); }\n'
    )
    cc.run("rex-cc", "gcc", "main.c", "a/k.o", "b/k.o", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "15\n"


def test_what_does_not_offload_stays_as_it_is(cc: Tool, project: Path) -> None:
    """As configure scripts do: probes get no runtime, other modes go through."""
    (project / "probe.c").write_text("int main(void) { return 0; }\n")
    cc.run("rex-build", "cc", "--", "probe.c", "-o", "probe", cwd=project)
    assert "libomptarget" not in needed(project / "probe")
    cc.run(project / "probe")
    assert "gcc" in cc.run("rex-cc", "gcc", "--version", cwd=project)
    assert "__GNUC__" in cc.run("rex-cc", "gcc", "-dM", "-E", "-x", "c", "/dev/null", cwd=project)
    assert "scale.h" in cc.run("rex-cc", "gcc", "-MM", "scale.c", cwd=project)
    cc.run("rex-cc", "g++", "-x", "c++", "-c", "probe.c", "-o", "p.o", cwd=project)


def test_program_that_only_asks_the_runtime(cc: Tool, project: Path) -> None:
    (project / "ask.c").write_text("#include <omp.h>\nint main(void) { return omp_get_num_devices() != 0; }\n")
    cc.run("rex-build", "cc", "--", "-fopenmp", "ask.c", "-o", "ask", cwd=project)
    cc.run(project / "ask")


@pytest.mark.parametrize("name", ["a b.c", "it's.c", "$(touch pwned).c", "ü;#.c", "[x].c"])
def test_odd_names(cc: Tool, project: Path, name: str) -> None:
    (project / "scale.c").rename(project / name)
    command = ["rex-cc", "gcc", "-MD", "-MF", "deps", "-DTEXT=\"a 'b' $(touch pwned)\"", "-c", name, "-o", "odd name.o"]
    cc.run(*command, cwd=project)
    cc.run("rex-cc", "gcc", "main.c", "odd name.o", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"
    assert (project / "deps").read_text().startswith("odd\\ name.o:")
    assert not (project / "pwned").exists()


def test_response_file(cc: Tool, project: Path) -> None:
    (project / "words").write_text("-DFACTOR=8 -c 'scale.c' -o scale.o\n")
    cc.run("rex-cc", "gcc", "@words", cwd=project)
    cc.run("rex-cc", "gcc", "main.c", "scale.o", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "8\n"


def test_failures_are_the_compilers(cc: Tool, project: Path) -> None:
    def fails(*command: str) -> tuple[int, str]:
        done = subprocess.run(command, cwd=project, env=cc.env, capture_output=True, text=True)
        return done.returncode, done.stderr

    status, said = fails("rex-cc", "gcc", "-c", "nowhere.c")
    assert status == 1
    assert "nowhere.c: No such file" in said
    status, said = fails("rex-cc", "gcc", "main.c", "-o", "app")
    assert status == 1
    assert "undefined reference to `scale'" in said
    (project / "scale.c").write_text((project / "scale.c").read_text().replace("tofrom", "tofrm"))
    status, said = fails("rex-cc", "gcc", "-c", "scale.c")
    assert status == 1
    assert "scale.c:4:" in said
    assert not (project / "scale.o").exists()
    status, said = fails("rex-cc")
    assert status == 2
    assert "rex-cc needs a compiler to run" in said
    status, said = fails("rex-cc", "no-such-compiler", "-c", "main.c")
    assert status == 3
    assert "cannot run no-such-compiler" in said
    status, said = fails("rex-cc", "--device", "gpu", "gcc", "-c", "scale.c")
    assert status in (1, 2)
