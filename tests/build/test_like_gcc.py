"""What ``rex-gcc`` writes beside objects and programs: the same files as gcc, with the same text."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from build_tool import Tool

pytestmark = pytest.mark.compile


def folders(project: Path) -> list[tuple[str, Path]]:
    """A copy of the project for each of the two compilers."""
    copies = [(compiler, project.parent / compiler / "project") for compiler in ("gcc", "rex-gcc")]
    for _, folder in copies:
        shutil.copytree(project, folder)
        (folder / "lib").mkdir()
    return copies


DEPENDENCIES = (
    *(
        "-MD -c scale.c",
        "-MMD -MP -c scale.c -o x.y.o",
        "-MD scale.c -lm",
        "-MMD scale.c -o app",
        "-MD -MF own -c scale.c",
    ),
    *("-MMD -MT a\\ b -MQ '$x' -c scale.c", "-Wp,-MMD,own.d,-MT,t -c scale.c -o lib/s.o", "-MMD -MF - -c ./scale.c"),
    *("-Wp,-MD,own.d,-DFACTOR=3,-MP -c scale.c", "-Xpreprocessor -MMD -Xpreprocessor own.d -c scale.c"),
    *("-MMD -dumpbase own.c -c scale.c", "-MMD -dumpdir lib/d- -dumpbase own.c -dumpbase-ext .c -c scale.c"),
    *("-MMD -c scale.c plain.c", "-MMD -include scale.h -I lib -c lib/../scale.c", "-MMD scale.c plain.c"),
)
VARIABLES = ("DEPENDENCIES_OUTPUT=own.d", "DEPENDENCIES_OUTPUT='own.d t.o'", "SUNPRO_DEPENDENCIES='own.d t.o'")


def test_dependency_files_are_gcc_s(
    cc: Tool, project: Path, sample: Callable[[Sequence[str], int], list[str]]
) -> None:
    """Each has the names by which the compiler finds headers. Makefiles have rules for generated ones under these."""
    (project / "scale.c").write_text((project / "scale.c").read_text() + "int main(void) { return 0; }\n")
    (project / "plain.c").write_text('#include "scale.h"\n')
    lines = [f"{{cc}} {words}" for words in DEPENDENCIES] + [f"{name} {{cc}} -c scale.c plain.c" for name in VARIABLES]
    lines.append("DEPENDENCIES_OUTPUT=own.d {cc} -fopenmp scale.c plain.c -o app")
    for line in sample(lines, 2):
        found = []
        for compiler, folder in folders(project):
            text = cc.run("sh", "-c", line.format(cc=compiler), cwd=folder)
            made = {path: path.read_bytes() for path in folder.rglob("*") if path.suffix == ".d" or path.name == "own"}
            files = {str(path.relative_to(folder)): sorted(data.split(b"\n")) for path, data in made.items()}
            found.append((text, files, sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))))
            shutil.rmtree(folder.parent)
        assert found[1] == found[0], line
        assert "scale.h" in found[0][0] or all(b"scale.h" in b"".join(data) for data in found[0][1].values())


def test_a_generated_header_is_made_again(cc: Tool, project: Path) -> None:
    """Make knows the rule for the header under the name that the source includes."""
    (project / "Makefile").write_text(
        "app: main.o scale.o\n\t$(CC) -o $@ main.o scale.o\nscale.h: three\n\tsed s/2/3/ two >$@\n"
        "%.o: %.c\n\t$(CC) -MMD -c $<\n-include scale.d\n"
    )
    shutil.copy(project / "scale.h", project / "two")
    (project / "three").touch()
    cc.run("rex-gcc", "-MMD", "-c", "scale.c", "main.c", cwd=project)
    (project / "three").touch()
    cc.run("make", "CC=rex-gcc", cwd=project)
    assert cc.run(project / "app") == "3\n"


@pytest.mark.parametrize(
    "words",
    ["-c scale.c -o", "-c scale.c -o -", "-c scale.c -MF", "-MF x -c scale.c", "-MT x -c scale.c", "-MD -MG -c s.c"],
)
def test_what_gcc_refuses_is_gcc_s_error(cc: Tool, project: Path, words: str) -> None:
    said = []
    for compiler, folder in folders(project):
        done = subprocess.run([compiler, *words.split()], cwd=folder, env=cc.env, capture_output=True, text=True)
        files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))
        said.append((done.returncode, done.stderr, files))
    assert said[0] == said[1]


def test_a_dependency_file_that_cannot_be_written_leaves_no_object(cc: Tool, project: Path) -> None:
    """Make would take the object for up to date, and never see that a header changes."""
    done = subprocess.run(
        ["rex-gcc", "-MMD", "-MF", "none/x.d", "-c", "scale.c"], cwd=project, env=cc.env, capture_output=True
    )
    assert done.returncode == 1
    assert not (project / "scale.o").exists()


def test_an_object_takes_the_place_that_is_there(cc: Tool, project: Path) -> None:
    """Links to it stay, those that lead nowhere too, and so does its mode."""
    (project / "link.o").symlink_to("real.o")
    (project / "one.o").touch()
    (project / "two.o").hardlink_to(project / "one.o")
    (project / "one.o").chmod(0o600)
    for output in ("link.o", "one.o"):
        cc.run("rex-gcc", "-c", "scale.c", "-o", output, cwd=project)
    assert (project / "link.o").is_symlink()
    assert (project / "real.o").read_bytes().startswith(b"\x7fELF")
    assert (project / "two.o").read_bytes().startswith(b"\x7fELF")
    assert (project / "one.o").stat().st_mode & 0o777 == 0o600


AUXILIARY = {
    "one by one": "{cc} {flags} -c -o lib/s.o scale.c; {cc} {flags} -c main.c; {cc} {flags} main.o lib/s.o -o app",
    "at once": "{cc} {flags} main.c scale.c -o app",
    "a.out": "{cc} {flags} main.c scale.c; mv a.out app",
    "under a name of the user's": "{cc} {flags} -dumpdir lib/own- main.c scale.c -o app",
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("command", AUXILIARY.values(), ids=AUXILIARY)
@pytest.mark.parametrize("flags", ["--coverage", "-g -gsplit-dwarf -fstack-usage", "-fprofile-generate"])
def test_auxiliary_files_are_where_gcc_has_them(cc: Tool, project: Path, command: str, flags: str) -> None:
    """Profiles, notes for coverage and debug information: some when compiling, some when the program runs. Regions have
    notes and counts of their own, beside those of the host file."""
    found = []
    for compiler, folder in folders(project):
        text = command.format(cc=compiler, flags=f"-fopenmp {flags}")
        cc.run("sh", "-c", f"{text} && OMP_TARGET_OFFLOAD=DEFAULT ./app; rm -rf nothing", cwd=folder)
        found.append(sorted(str(path.relative_to(folder)) for path in folder.rglob("*")))
    of_regions = [name for name in found[1] if "-device.gc" in name]
    assert found[0] == [name for name in found[1] if name not in of_regions]
    assert {name.replace("-device", "") for name in of_regions} <= set(found[0])
    assert len(of_regions) == (2 if flags == "--coverage" else 0)


def test_texts_in_between_are_saved_where_gcc_saves_them(cc: Tool, project: Path) -> None:
    found = []
    for compiler, folder in folders(project):
        for words in (
            "-save-temps -c scale.c",
            "-save-temps -c scale.c -o lib/s.o",
            "-save-temps=obj -c scale.c -o lib/t.o",
        ):
            cc.run(compiler, "-fopenmp", *words.split(), cwd=folder)
        found.append(sorted(str(path.relative_to(folder)) for path in folder.rglob("*")))
    assert found[0] == found[1]


# Flags with which gcc -E prints something else than what gcc compiles, or with which gcc hides what nothing calls.
ALL_BUT_OBJECTS = "-C -CC -P -dM -dD -dN -dI -dU -fdirectives-only -fpch-preprocess -fdebug-cpp -fwhole-program"


def test_flags_for_other_uses_of_the_compiler(
    cc: Tool, project: Path, sample: Callable[[Sequence[str], int], list[str]]
) -> None:
    """All at once, in the program's only source, whose region is behind a macro and a comment."""
    source = (project / "scale.c").read_text() + (project / "main.c").read_text()
    (project / "all.c").write_text(f"#define OFFLOAD target /* */\n{source.replace('omp target', 'omp OFFLOAD')}")
    cc.run("rex-gcc", "-fopenmp", *ALL_BUT_OBJECTS.split(), "all.c", "-o", "app", cwd=project)
    assert cc.run(project / "app") == "2\n"
    for flag in sample(ALL_BUT_OBJECTS.split(), 3):
        cc.run("rex-gcc", "-fopenmp", flag, "-c", "all.c", cwd=project)
        assert "__tgt_target_kernel" in cc.run("nm", "all.o", cwd=project), flag


# Each prints what a macro about the source itself is there. Headers that options include are the host compiler's.
SOURCE = """\
#include <stdio.h>
#define SCALE 5
static void say(void)
{
    printf("%s %s %s %d\\n", __BASE_FILE__, __FILE__, __TIMESTAMP__, SCALE);
}
int main(void)
{
    int s = 0;
#pragma omp target map(tofrom: s)
    s = plus(1) + plain(three);
    say();
    printf("%d\\n", s);
    return 0;
}
"""
BY_OPTION = """\
#ifndef BY_OPTION
#define BY_OPTION
#pragma omp declare target
static int plus(int a) { return a + 1; }
#pragma omp end declare target
#endif
"""
NOT_GUARDED = "enum { three = 3 };\ntypedef struct { int a; } pair;\nstatic int plain(int a) { return a + 1; }\n"


@pytest.mark.parametrize("suffix", ["c", "cc"])
def test_the_source_is_what_the_compiler_says_it_is(cc: Tool, project: Path, suffix: str) -> None:
    """Macros about the source, and what ``-include`` brings, whose text is not the first line's."""
    (project / f"say.{suffix}").write_text(SOURCE)
    (project / f"first.{suffix}").write_text(
        re.sub(r".*\n", "", SOURCE.replace("SCALE", "4").replace("\n{", "{"), count=2)
    )
    (project / "option.h").write_text(BY_OPTION)
    (project / "plain.h").write_text(NOT_GUARDED)
    found = []
    for compiler, folder in folders(project):
        word = compiler.replace("gcc", "g++") if suffix == "cc" else compiler
        for name, more in (("say", ()), ("first", ("-include", "stdio.h"))):
            words = ["-include", "option.h", "-includeplain.h", *more, f"{name}.{suffix}", "-o", name]
            cc.run(word, "-fopenmp", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *words, cwd=folder)
            found.append(cc.run("sh", "-c", f"OMP_TARGET_OFFLOAD=DEFAULT ./{name}", cwd=folder))
    assert found[:2] == found[2:]
    assert found[0].endswith(" 5\n6\n")


def test_a_region_in_a_header_that_an_option_includes(cc: Tool, project: Path) -> None:
    """The host compiler would get it as well, and compile it by itself."""
    (project / "region.h").write_text(
        "static inline void f(int *a)\n{\n#pragma omp target map(a[0:1])\n    a[0]++;\n}\n"
    )
    (project / "use.c").write_text("void g(int *a) { f(a); }\n")
    command = "rex-gcc -fopenmp -include region.h -c use.c"
    done = subprocess.run(command.split(), cwd=project, env=cc.env, capture_output=True, text=True)
    assert done.returncode == 1
    assert (
        "region.h:3:1: error: a directive in a header that an option includes (-include) is not lowered" in done.stderr
    )
    assert not (project / "use.o").exists()


ESCAPES = r"""
#include <stdio.h>
int main(void) {
    char text[20] = "";
    int units = 0;
#pragma omp target map(from: text) map(tofrom: units)
    {
        char own[12] = "\%\(\d";
        const char *from = "\%\(\$ \ \#\e[\E*";
        for (int i = 0; (text[i] = from[i]) != 0; i++) {}
        units = '\%' + '\E' * 1000 + own[1] * 3 + L"\%a"[0] + L'\E' + u"\*"[0] + U'\ ' + "\x4\d"[1] + sizeof own;
    }
    printf("100\%% of \(a\) %d %s\n", units, text);
    return 0;
}
"""


def test_escapes_without_a_meaning_are_warnings(cc: Tool, project: Path) -> None:
    """The character after the backslash stands for itself, on the device too."""
    (project / "escapes.c").write_text(ESCAPES)
    found = [
        cc.run("sh", "-c", f"{compiler} -fopenmp escapes.c -o {compiler} 2>warnings && ./{compiler}", cwd=project)
        for compiler in ("gcc", "rex-gcc")
    ]
    assert found[1] == found[0]
    assert "escapes.c:13" in (project / "warnings").read_text()


SUM_C = """\
int main(void)
{
    int s = 0;
#pragma omp parallel for reduction(+: s)
    for (int i = 0; i < 4; i++)
        s += i;
    return s - 6;
}
"""


@pytest.mark.parametrize("text", ["int main(void) { return 0; }\n", SUM_C])
def test_check_device_runs_programs_without_regions(cc: Tool, tmp_path: Path, text: str) -> None:
    """As configure scripts build and run them: the linker leaves libomptarget out of such a program."""
    (tmp_path / "conftest.c").write_text(text)
    cc.env["REX_DEVICES"] = "check"
    cc.run("rex-gcc", "-fopenmp", "conftest.c", "-o", "conftest", cwd=tmp_path)
    cc.run(tmp_path / "conftest")
