"""``rex-cc`` and ``rex-build cc --``: in place of the compiler, for Makefiles, configure scripts and one-liners."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from build_tool import Tool, failing, needed

from rex_build.base.command_words import response_file, split_response

pytestmark = pytest.mark.compile

MAKEFILE = """\
CFLAGS = -O2 -DFACTOR=3 -MMD -MP
app: main.o libk.a
\t$(CC) $(CFLAGS) -o $@ main.o -L. -lk
libk.a: scale.o
\t$(AR) rcs $@ $^
-include *.d
"""


@pytest.mark.parametrize("compiler", ["rex-build cc --", "rex-cc gcc", "rex-gcc"])
def test_makefile(cc: Tool, project: Path, compiler: str) -> None:
    """Objects, an archive and dependency files are made, and the second build does nothing. Commands see CC too."""
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


@pytest.mark.parametrize("options", [(), ("-I.",)], ids=" ".join)
def test_headers_of_the_same_names_beside_a_source(cc: Tool, project: Path, options: tuple[str, ...]) -> None:
    """Such as another release, or REX itself, has left there."""
    for name in ("rex_kmp.h", "rex_host_api.h", "xomp_cuda_lib_inlined.cu"):
        (project / name).write_text("#error another one\n")
    cc.run("rex-gcc", *options, "-O2", "-fopenmp", "main.c", "scale.c", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"


@pytest.mark.parametrize("output", ["scale.c", "./scale.c", "link.o", "hard.o"])
def test_a_source_is_never_the_output(cc: Tool, project: Path, output: str) -> None:
    """As gcc does, rex-gcc and rex-build lower refuse to write over the file that they read, whatever its name."""
    (project / "link.o").symlink_to("scale.c")
    os.link(project / "scale.c", project / "hard.o")
    before = (project / "scale.c").read_bytes()
    lower = ["rex-build", "lower", "scale.c", "--cu-output", "x.cu", "--host-output", output]
    for command in (["rex-gcc", "-fopenmp", "-c", "scale.c", "-o", output], lower):
        done = subprocess.run(command, cwd=project, env=cc.env, capture_output=True, text=True)
        assert done.returncode == 2, done.stderr
        assert "is the source" in done.stderr
        assert (project / "scale.c").read_bytes() == before


def test_compiling_and_linking_at_once(cc: Tool, project: Path) -> None:
    """Files that are not lowered keep their OpenMP, for which configure scripts test, and their dependency files."""
    (project / "main.c").write_text("#ifndef _OPENMP\n#error\n#endif\n" + (project / "main.c").read_text())
    cc.run("rex-cc", "gcc", "-c", "scale.c", cwd=project)
    cc.run("rex-cc", "gcc", "-MMD", "-fopenmp", "main.c", "scale.o", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"
    assert "libgomp" not in needed(project / "app")
    assert (project / "app.d").read_text().startswith("app: ")


@pytest.mark.parametrize("compiler", [("rex-cc", "gcc"), ("rex-build", "cc", "--")])
def test_gcc_s_runtime_by_its_path_is_left_out(cc: Tool, project: Path, compiler: tuple[str, ...]) -> None:
    """CMake's OpenMP::OpenMP_C names libgomp by its path, makefiles for clang name LLVM's. Programs have one."""
    libgomp = cc.run("gcc", "-print-file-name=libgomp.so", cwd=project).strip()
    cc.run(*compiler, "-fopenmp", "-c", "scale.c", cwd=project)
    cc.run(*compiler, "-fopenmp", "main.c", "scale.o", libgomp, "-lomptarget", "-liomp5", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"
    assert "libgomp" not in needed(project / "app")


def test_a_library_may_have_the_name_of_a_runtime(cc: Tool, project: Path) -> None:
    for name in ("libomp.so", "libgomp.so.1"):
        cc.run("rex-gcc", "-shared", "-fPIC", "scale.c", "-o", name, cwd=project)
        assert (project / name).exists()


def test_shared_library(cc: Tool, project: Path) -> None:
    """It may take the place of one that gcc has made alone, whose name the link has twice."""
    words = ["gcc", "-fopenmp", "-shared", "-fPIC", "scale.c", "-Wl,-soname,libscale.so", "-o", "libscale.so"]
    cc.run(*words, cwd=project)
    cc.run("rex-cc", *words, cwd=project)
    cc.run("rex-cc", "gcc", "main.c", "-L.", "-lscale", "-Wl,-rpath,$ORIGIN", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"


@pytest.mark.parametrize("flag", ["-flto", "-g", "-fvisibility=hidden", "-std=c99", "-m64", "-Werror -Wall -Wextra"])
def test_flags(cc: Tool, project: Path, flag: str) -> None:
    cc.run("rex-cc", "gcc", *flag.split(), "-c", "scale.c", "-o", "scale.o", cwd=project)
    cc.run("rex-cc", "gcc", *flag.split(), "main.c", "scale.o", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"


MACROS = """\
#include <stdio.h>
#undef gone
static int (twice)(int v) { return 2 * v; }
#define thrice(v) thrice((v) + 1)
static int (thrice)(int v) { return 3 * v; }
int main(void)
{
    int gone = 5, sums[4] = {0};
    T factor = x;
#pragma omp target map(sums) map(to: factor)
    for (int k = 0; k < 4; k++)
        sums[k] = gone + size + data + (int)factor + twice(k) + thrice(k);
    for (int k = 0; k < 4; k++)
        printf("%d ", sums[k]);
}
"""


@pytest.mark.parametrize("source", ["macros.c", "macros.cpp"])
def test_macros_of_the_command_line(cc: Tool, project: Path, source: str) -> None:
    """They may have any name that our own headers use, and what they made is not replaced once more."""
    (project / source).write_text(MACROS)
    (project / "config.h").write_text("#define data 30\n#define name unused\n")
    words = ["-DT=float", "-D", "x=1.5f", "-Wp,-Dsize=200,-DV=1", "-Wp,-D,gone=9", "--define-macro=count=7", "-DX"]
    words += ["--define-macro", "N=3", *("-Xpreprocessor", "-D", "-Xpreprocessor", "A=B")]
    words += ["-Dtwice(v)=twice((v)+1)", "-include", "config.h", "-fopenmp", source, "-o", "app"]
    compiler = "g++" if source.endswith("pp") else "gcc"
    cc.run(compiler, *words, cwd=project)
    expected = cc.run(project / "app")
    cc.run(f"rex-{compiler}", *words, cwd=project)
    for offload in ("MANDATORY", "DISABLED"):
        cc.env["OMP_TARGET_OFFLOAD"] = offload
        assert cc.run(project / "app") == expected


WITH_LITERALS = """\
#include <cstdio>
#include <limit.hpp>
template <class T> concept Number = requires(T a) { a + a; };
template <Number T> T twice(T x) { return x + x; }
int main()
{
    int sum = 0;
#pragma omp target map(sum)
    sum = twice(BASE) + library::limit<int>() + __cplusplus / 202002L;
    std::printf("%d\\n", sum);
}
"""


def test_other_options_beside_macros(cc: Tool, project: Path) -> None:
    """Those that say how C++ and the headers of the system are read hold in a unit with literals, too."""
    (project / "unit.cpp").write_text(WITH_LITERALS)
    (project / "the library").mkdir()
    (project / "the library" / "limit.hpp").write_text(
        "namespace library { template <class T> concept Any = true; template <Any T> T limit() { return 300; } }\n"
    )
    words = ("-DBASE=40", "-std=c++20", "-isystem", "the library", "-fopenmp", "unit.cpp", "-o", "app")
    cc.run("rex-g++", *words, cwd=project)
    assert cc.run(project / "app") == "381\n"


def test_same_name_and_regions_twice(cc: Tool, project: Path) -> None:
    """The symbol that ties an object's halves together is local, so two files with the same name link together."""
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
    """The probes of configure scripts get no runtime, and other modes of the compiler work unchanged."""
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
    assert "cannot run" in said
    assert "no-such-compiler" in said
    status, said = fails("rex-cc", "--device", "gpu", "gcc", "-c", "scale.c")
    assert status in (1, 2)


# A compiler that goes on only when another one, which has the other name, runs too.
MEETS = """\
#!/bin/sh
case "$*" in *"{when}"*)
    touch "{folder}/{own}"
    for i in $(seq 100); do [ -e "{folder}/{other}" ] && break; sleep 0.1; done
    [ -e "{folder}/{other}" ] || exit 9 ;;
esac
exec {compiler} "$@"
"""


def test_the_compilers_of_a_unit_run_side_by_side(cc: Tool, project: Path) -> None:
    for own, other, when, compiler in (("gcc", "g++", "host.o", "gcc"), ("g++", "gcc", "-c -o", "g++")):
        script = project / f"bin-{own}" / own
        script.parent.mkdir()
        script.write_text(MEETS.format(when=when, folder=project, own=own, other=other, compiler=compiler))
        script.chmod(0o755)
    gcc, gxx = project / "bin-gcc" / "gcc", project / "bin-g++" / "g++"
    cc.run("rex-cc", "--cpu-compiler", gxx, gcc, "-c", "scale.c", cwd=project)
    assert (project / "gcc").exists()
    assert (project / "g++").exists()


def test_the_user_s_compiler_has_the_first_word(cc: Tool, project: Path) -> None:
    """If neither half compiles, its errors are shown. If only the image does not, no object is left."""
    wrong = "--host-device-option=-no-such-option"
    status, said = failing(cc, project, "rex-cc", wrong, "gcc", "-c", "scale.c", "-Wl,--help", "-no-such-flag")
    assert status == 1
    assert "-no-such-flag" in said
    assert "-no-such-option" not in said
    status, said = failing(cc, project, "rex-cc", wrong, "gcc", "-c", "scale.c")
    assert status == 3
    assert "-no-such-option" in said
    assert not (project / "scale.o").exists()


THREADS = """\
int main(void)
{
    int n = 0;
#pragma omp parallel num_threads(3) reduction(+: n)
    n += 1;
    __builtin_printf("%d\\n", n);
}
"""


@pytest.mark.parametrize("compiler", [("rex-g++",), ("rex-cc", "g++"), ("rex-build", "cc", "--"), ("rex-gcc",)])
@pytest.mark.parametrize("name", ["threads.cpp", "threads.C", "threads.c", "threads.i"])
def test_host_code_keeps_its_flags(cc: Tool, project: Path, compiler: tuple[str, ...], name: str) -> None:
    """Compiled and linked by one command, whatever the language: the runtime's flags are the link's alone."""
    (project / name).write_text(THREADS)
    cc.run(*compiler, "-fopenmp", name, "-o", "threads", cwd=project)
    assert cc.run(project / "threads") == "3\n"


REGION = "int main(){ int s = 0;\n#pragma omp target map(tofrom: s)\n s = 1;\n return !s; }\n"
FOREIGN = {
    "Fortran": (
        "region.f90",
        "program p\n  !$OMP Target\n  !$omp end target\nend program\n",
        ("-c", "region.f90"),
        "region.f90:2:9: error: a target construct in Fortran",
    ),
    "Fortran that goes on": (
        "region.f90",
        "program p\n!$omp parallel &\n!$omp & private(x)\n!$omp end parallel\n!$omp &\n!$omp & target\nend program\n",
        ("-c", "region.f90"),
        "region.f90:6:9: error: a target construct in Fortran",
    ),
    "fixed Fortran": (
        "region.f",
        "      program p\nc$omp parallel\nc$omp end parallel\nc$omp\nc$omp+ tar\nc$omp+get data\n      end\n",
        ("-c", "region.f"),
        "region.f:6:",
    ),
    "a metadirective of Fortran": (
        "region.F90",
        "program p\n!$omp metadirective when(device={kind(host)}: target) default(nothing)\nend program\n",
        ("-c", "region.F90"),
        "region.F90:2:47: error: a target construct in Fortran",
    ),
    "preprocessed C": ("region.i", REGION, ("-c", "region.i"), "region.i:2:13: error: a target construct in"),
}


@pytest.mark.parametrize(("name", "text", "command", "message"), FOREIGN.values(), ids=FOREIGN)
def test_regions_in_other_languages_are_errors(
    cc: Tool, project: Path, name: str, text: str, command: tuple[str, ...], message: str
) -> None:
    (project / name).write_text(text)
    (project / "region.h").write_text(REGION)
    status, said = failing(cc, project, "rex-gcc", "-fopenmp", *command)
    assert (status, message in said) == (1, True), said
    assert not list(project.glob("*.o"))


CXX = {
    "by its name": ("region.cpp", REGION, ("-c", "region.cpp")),
    "by -x": ("region.txt", REGION, ("-x", "c++", "-c", "region.txt")),
    "a .c file": ("region.c", REGION, ("-c", "region.c")),
    "by an included file": ("region.cc", '#include "region.h"\n', ("-c", "region.cc")),
}


@pytest.mark.parametrize(("name", "text", "command"), CXX.values(), ids=CXX)
def test_cxx_is_lowered(cc: Tool, project: Path, name: str, text: str, command: tuple[str, ...]) -> None:
    (project / name).write_text(text)
    (project / "region.h").write_text(REGION)
    assert failing(cc, project, "rex-g++", "-fopenmp", *command)[0] == 0
    assert failing(cc, project, "rex-g++", "-fopenmp", "region.o", "-o", "app")[0] == 0
    assert failing(cc, project, "./app", OMP_TARGET_OFFLOAD="MANDATORY") == (0, "")


@pytest.mark.parametrize("words", ["rex-cc g++", "env rex-g++", "rex-build rex-cc -- g++"])
def test_compiler_variables_of_make(cc: Tool, project: Path, words: str) -> None:
    """``make CXX=...`` passes the variable on. Images are made with the compiler behind rex-build's programs."""
    (project / "region.cpp").write_text(REGION)
    command = (*words.split(), "-fopenmp", "region.cpp", "-o", "app")
    assert failing(cc, project, *command, CXX=words) == (0, "")
    assert failing(cc, project, "./app", OMP_TARGET_OFFLOAD="MANDATORY") == (0, "")


def test_other_languages_without_regions_are_compiled(cc: Tool, project: Path) -> None:
    """Directives of other kinds, and regions that conditional compilation leaves out."""
    (project / "plain.cpp").write_text(
        "#pragma omp declare target\nint f() { return 1; }\n#pragma omp end declare target\n"
        f"#ifdef ON\n{REGION}\n#endif\n// #pragma omp target\n"
        "int g(int target) {\n#pragma omp parallel shared(target)\n#pragma omp single\n    target++;\n"
        "#pragma omp parallel for reduction(+: target)\n"
        "    for (int i = 0; i < 4; i++) target += i;\n    return target; }\n"
    )
    cc.run("rex-g++", "-fopenmp", "-c", "plain.cpp", cwd=project)


NOT_SILENT = {
    "from the standard input": ("rex-gcc -x c -c - -o region.o", 1, "<stdin>:2:13: error: a target construct in C"),
    "as assembly": ("rex-gcc -S region.c", 0, "region.c:2:13: warning: with -S, a target construct is not lowered"),
    "C++ as assembly": ("rex-g++ -S region.cpp", 0, "region.cpp:2:13: warning: with -S, a target construct"),
    "preprocessed": ("rex-gcc -E region.c -o region.i", 0, ""),
    "an attribute": ("rex-g++ -std=c++20 -c region.ii", 1, "region.ii:2:18: error: a target construct in preprocessed"),
    "_Pragma": ("rex-gcc -c region.i", 1, "region.i:2:13: error: a target construct in preprocessed C"),
    "a precompiled header": ("rex-gcc -fopenmp -include-pch region.pch -c region.c", 2, "-include-pch hides"),
}


@pytest.mark.parametrize(("command", "status", "message"), NOT_SILENT.values(), ids=NOT_SILENT)
def test_regions_that_cannot_be_lowered_are_not_silent(
    cc: Tool, project: Path, command: str, status: int, message: str
) -> None:
    for name in ("region.c", "region.cpp"):
        (project / name).write_text(REGION)
    (project / "region.i").write_text(REGION.replace("#pragma omp target map(tofrom: s)", '_Pragma("omp target")'))
    attribute = "[[omp::directive(target map(tofrom: s))]]"
    (project / "region.ii").write_text(REGION.replace("#pragma omp target map(tofrom: s)", attribute))
    with (project / "region.c").open() as text:
        done = subprocess.run(command.split(), cwd=project, env=cc.env, capture_output=True, text=True, stdin=text)
    assert (done.returncode, message in done.stderr) == (status, True), done.stderr
    assert bool(done.stderr) is bool(message)
    assert not (project / "region.o").exists()


def test_the_standard_input_is_compiled(cc: Tool, project: Path) -> None:
    with (project / "main.c").open() as text:
        command = ["rex-gcc", "-iquote.", "-x", "c", "-", "-x", "none", "-c", "-o", "main.o"]
        assert not subprocess.run(command, cwd=project, env=cc.env, stdin=text).returncode
    cc.run("rex-gcc", "scale.c", "main.o", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"


def test_sources_that_can_be_read_only_once(own: Tool, project: Path) -> None:
    """A pipe of the shell, and one with a name."""
    own.run("bash", "-c", "rex-gcc -I. -x c -c <(cat scale.c) -o scale.o", cwd=project)
    own.run("sh", "-c", "mkfifo main.x.c; cat main.c >main.x.c & rex-gcc -fopenmp main.x.c scale.o -o app", cwd=project)
    assert own.run(project / "app") == "2\n"


def test_what_is_open_is_open_for_the_compiler(own: Tool, project: Path) -> None:
    """make's job server, for the optimisers of a link, and an object that a number of the shell's names."""
    (project / "Makefile").write_text("app: main.o\n\t+$(CC) -flto=jobserver -O2 main.o scale.o -o app\n")
    own.run("rex-gcc", "-flto", "-O2", "-c", "main.c", cwd=project)
    own.run("rex-gcc", "-c", "scale.c", cwd=project)
    assert "warning" not in own.run("make", "-j2", "CC=rex-gcc", cwd=project)
    assert own.run(project / "app") == "2\n"
    own.run("bash", "-c", "exec 7<scale.o && rex-gcc -O2 main.o /dev/fd/7 -o again", cwd=project)
    assert own.run(project / "again") == "2\n"


# Ways to write a command that compiles scale.c to scale.o with FACTOR 3.
SPELLINGS = {
    "long options": "--compile --define-macro=FACTOR=3 --output scale.o scale.c",
    "joined": "-DFACTOR=3 -oscale.o -c scale.c",
    "reports of the compiler": "-save-temps -fdump-tree-optimized -Q -DFACTOR=3 -c scale.c",
    "response files in one another": "@outer.rsp",
    "a macro in a header": "-c scale.c --include=three.h",
    "the preprocessor's options": "-Wp,-DFACTOR=3 -Wp,-MD,scale.d -c scale.c",
    "a language": "-DFACTOR=3 --language=c scale.c -c",
}


@pytest.mark.parametrize("words", SPELLINGS.values(), ids=SPELLINGS)
def test_spellings_of_a_command(cc: Tool, project: Path, words: str) -> None:
    (project / "three.h").write_text("#define FACTOR 3\n")
    (project / "outer.rsp").write_text("@inner.rsp\n\t-c \"sca\"'le.c'")
    (project / "inner.rsp").write_text("-DFACTOR='3' -o scale\\.o")
    cc.run("rex-gcc", *words.split(), cwd=project)
    if "scale.d" in words:
        assert (project / "scale.d").read_text().startswith("scale.o:")
    cc.run("rex-gcc", "main.c", "scale.o", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "3\n"


def test_a_language_is_not_that_of_the_runtime(cc: Tool, project: Path) -> None:
    """What rex-build adds to a link stands behind ``-x``. A region is not needed for that."""
    (project / "plain.txt").write_text("int main(void) { return 0; }\n")
    cc.run("rex-gcc", "-x", "c", "plain.txt", "-o", "plain", cwd=project)
    cc.run("rex-gcc", "-fopenmp", "-x", "c", "main.c", "scale.c", "-o", "app", cwd=project)
    cc.run(project / "plain")
    assert cc.run(project / "app") == "2\n"


def test_closed_streams(cc: Tool, project: Path) -> None:
    """Daemons start programs without any. Nothing that is opened later takes a stream's place."""
    cc.run("sh", "-c", "rex-gcc -Wall -fopenmp -c scale.c -MMD <&- >&- 2>&-", cwd=project)
    cc.run("sh", "-c", "rex-gcc -fopenmp main.c scale.o -o app 2>&-", cwd=project)
    assert cc.run(project / "app") == "2\n"
    assert (project / "scale.d").read_text().startswith("scale.o:")


@pytest.mark.parametrize(
    "words", ["", "a b", "back\\slash", "tab\there", "'single'", '"double"', "line\nbreak", "-Dx='\"y\"'"]
)
def test_response_files_have_the_words_that_gcc_reads(words: str) -> None:
    if words:
        assert split_response(response_file(["-c", words, "last"])) == ["-c", words, "last"]
    assert split_response(" a\\ b 'c d'e\"\\\"\"\n\n''") == ["a b", 'c de"', ""]


def test_an_output_that_is_no_file(cc: Tool, project: Path) -> None:
    os.mkfifo(project / "pipe")
    with subprocess.Popen(["timeout", "60", "cat", "pipe"], cwd=project, stdout=subprocess.PIPE) as reader:
        cc.run("rex-gcc", "-c", "scale.c", "-o", "pipe", cwd=project)
        assert reader.communicate()[0].startswith(b"\x7fELF")
    assert (project / "pipe").is_fifo()


def test_headers_are_precompiled_by_the_compiler_alone(cc: Tool, project: Path) -> None:
    assert failing(cc, project, "rex-gcc", "-fopenmp", "scale.h") == (0, "")
    assert (project / "scale.h.gch").exists()


@pytest.mark.parametrize("flags", ["-Wall -Wextra -Wno-unknown-pragmas", "-O2 -Werror -Wno-unknown-pragmas"])
def test_files_without_regions_are_compiled_by_the_compiler_alone(cc: Tool, project: Path, flags: str) -> None:
    """Macros and conditions decide: the object is the one that gcc makes."""
    (project / "plain.c").write_text(
        "#include <math.h>\n#include <omp.h>\n#ifdef NEVER\n#pragma omp target\n#endif\n#define P(x) _Pragma(#x)\n"
        "int f(int n)\n{\n    int s = 0;\n    P(omp parallel for reduction(+: s))\n"
        "    for (int i = 0; i < n; i++) s += i;\n    return s;\n}\n"
    )
    cc.run("rex-gcc", *flags.split(), "-fopenmp", "-c", "plain.c", "-o", "ours.o", cwd=project)
    cc.run("gcc", *flags.split(), "-fopenmp", "-c", "plain.c", "-o", "gcc.o", cwd=project)
    assert (project / "ours.o").read_bytes() == (project / "gcc.o").read_bytes()


def test_a_region_that_only_macros_show(cc: Tool, project: Path) -> None:
    """Line 4 of scale.c is the directive. With clang as the host compiler, such a region would run on the host."""
    text = (project / "scale.c").read_text().replace("#pragma omp target", "#pragma omp OFFLOAD")
    (project / "scale.c").write_text(text)
    for compiler in ("gcc", *(["clang-19"] if shutil.which("clang-19") else [])):
        cc.env["REX_CC"] = compiler
        cc.run("rex-gcc", "-fopenmp", "-DOFFLOAD=target", "-c", "scale.c", cwd=project)
        symbols = cc.run("nm", "scale.o", cwd=project)
        assert "__tgt_target_kernel" in symbols


def test_a_compiler_whose_path_has_a_blank(cc: Tool, project: Path, tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    gcc = tmp_path / "a b" / "gcc"
    gcc.symlink_to(shutil.which("gcc") or "")
    for command, variables in (
        (("rex-gcc",), {"CC": str(gcc)}),
        (("rex-gcc",), {"REX_CC": f"'{gcc}' -DFACTOR=2"}),
        (("rex-cc", str(gcc)), {}),
    ):
        assert failing(cc, project, *command, "main.c", "scale.c", "-o", "app", **variables) == (0, "")
        assert cc.run(project / "app") == "2\n"


def test_an_image_is_found_again(cc: Tool, project: Path, tmp_path: Path) -> None:
    """Each unit has a folder of its own in each run, and the device file asserts layouts and the program's facts."""
    cc.env["REX_BUILD_CACHE_DIR"] = str(tmp_path / "store")
    (project / "unit.c").write_text(
        "#include <assert.h>\nstruct pair { int first; double second; };\nvoid f(struct pair *p)\n{\n"
        "#pragma omp target map(tofrom: p[0:1])\n    { assert(p->first); p->second += p->first; }\n}\n"
    )
    for _ in range(2):
        cc.run("rex-gcc", "-c", "unit.c", cwd=project)
    counted = json.loads(cc.run("rex-build", "cache", "stats", "--json", cwd=project))
    assert counted["hits"].get("image hit") == 1
