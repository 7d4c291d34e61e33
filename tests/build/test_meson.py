"""Meson: the generator, with and without the wrap, in old and new releases."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from build_tool import MAIN_C, ROOT, Tool, forked_program, mesons, needed, python_program
from counted import check_counts, write_counted

pytestmark = [pytest.mark.meson, pytest.mark.compile, pytest.mark.sampled(4)]

INLINE = """\
project('demo', 'c')
offload = generator(find_program('rex-build'), output: ['rose_@BASENAME@.c', '@BASENAME@.rex.o'],
  depfile: '@BASENAME@.d', arguments: ['meson', meson.global_build_root(), '@BUILD_DIR@', '@INPUT@',
    '@OUTPUT0@', '@OUTPUT1@', '@DEPFILE@', '@EXTRA_ARGS@'])
"""
WRAP = """\
project('demo', 'c')
offload = subproject('rex-build').get_variable('offload')
"""
HERE = "preserve_path_from: meson.current_source_dir(), extra_args: ['--device=cpu']"


MESONS = mesons() or {"none": []}


class Meson:
    """One Meson, with rex-build on its PATH under its usual name."""

    def __init__(self, command: list[str], tool: Tool, bin_dir: Path) -> None:
        bin_dir.mkdir(exist_ok=True)
        forked_program(bin_dir / "rex-build", tool.root)
        forked_program(bin_dir / "rex-cc", tool.root, "rex-cc")
        if Path(command[0]).is_dir():  # pip --target has filled this folder; Meson calls itself by its script's name
            script = bin_dir / "old-meson.py"
            python_program(
                script,
                f"import sys\nsys.path.insert(0, {command[0]!r})\n"
                "from mesonbuild.mesonmain import main\nsys.exit(main())\n",
            )
            command = [str(script)]
        self.command = command
        self.tool = Tool(tool.root)
        self.tool.env = dict(tool.env, PATH=f"{bin_dir}:{os.environ['PATH']}")
        folder = self.tool("--pkgconfigdir").stdout.strip()
        self.tool.env["PKG_CONFIG_PATH"] = folder
        self.tool.env.pop("CC", None)

    def __call__(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        command = list(map(str, [*self.command, *arguments]))
        return subprocess.run(command, env=self.tool.env, capture_output=True, text=True)

    def build(self, source: Path, build: Path, *options: str) -> str:
        done = self("setup", build, source, *options)
        assert done.returncode == 0, done.stdout + done.stderr
        return self.tool.run("ninja", "-C", build)


@pytest.fixture(params=MESONS)
def meson(request: pytest.FixtureRequest, tool: Tool, tmp_path: Path) -> Meson:
    command = MESONS[request.param]
    if not command:
        pytest.skip("meson is not here")
    return Meson(command, tool, tmp_path / "bin")


def write(folder: Path, text: str) -> None:
    (folder / "meson.build").write_text(text)


LIBRARIES = """
rex = dependency('rex-build')
subdir('lib')
executable('app', 'main.c', offload.process('scale.c', {here}), c_args: ['-DFACTOR=3', '-DTEXT="a b"'],
  dependencies: rex, link_with: [st, sh])
"""
LIBRARIES_LIB = """
st = static_library('st', offload.process('scale.c', {here}), dependencies: rex, include_directories: 'inc')
sh = shared_library('sh', offload.process('other.c', {here}), dependencies: rex)
"""


@pytest.mark.parametrize("form", ["inline", "wrap"])
def test_kinds_of_targets(meson: Meson, project: Path, tmp_path: Path, form: str) -> None:
    """Static and shared libraries, equal names in different folders, several targets."""
    for name, factor in (("st", 5), ("sh", 7)):
        text = (
            (project / "scale.c").read_text().replace("void scale", f"void scale_{name}").replace("FACTOR", str(factor))
        )
        path = project / "lib" / ("scale.c" if name == "st" else "other.c")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.replace('"scale.h"', '"own.h"'))
    (project / "lib" / "own.h").write_text("")
    (project / "lib" / "inc").mkdir()
    text = MAIN_C.replace("scale(100, x);", "scale(100, x); scale_st(100, x); scale_sh(100, x);")
    (project / "main.c").write_text("void scale_st(int, float *); void scale_sh(int, float *);\n" + text)
    write(project, (INLINE if form == "inline" else WRAP) + LIBRARIES.format(here=HERE))
    (project / "lib" / "meson.build").write_text(LIBRARIES_LIB.format(here=HERE))
    if form == "wrap":
        assert meson.tool("meson-wrap", project).returncode == 0
        meson.tool.env.pop("PKG_CONFIG_PATH")
    build = tmp_path / "build here"
    output = meson.build(project, build, "--wrap-mode=nodownload")
    assert "warning" not in output
    assert meson.tool.run(build / "app") == f"{3 * 5 * 7}\n"
    assert "libgomp" not in needed(build / "app")
    assert "no work to do" in meson.tool.run("ninja", "-C", build)


MIXED = f"""\
project('mixed', 'c', 'cpp', default_options: ['cpp_std=c++20'])
rex = subproject('rex-build')
executable('app', 'main.cpp',
  rex.get_variable('offload').process('scale.c', {HERE}),
  rex.get_variable('offload_cpp').process('the grid/fill.cpp', 'the grid/more.cc', {HERE}),
  include_directories: 'the grid', c_args: '-DFACTOR=3', cpp_args: '-DOF_CXX=7', dependencies: dependency('rex-build'))
"""
MIXED_GRID = """\
#include "grid.hpp"
#if __cplusplus <= 201703L || defined FACTOR
#error the flags are not those of the C++ sources
#endif
template <class T> void Grid<T>::NAME(T value)
{
#pragma omp target teams distribute parallel for map(tofrom: this->cells[0:100])
    for (int i = 0; i < 100; ++i)
        cells[i] = value * OF_CXX;
}
template struct Grid<TYPE>;
"""


REMEMBERED = """\
project('demo', 'c', 'cpp')
rex = subproject('rex-build')
executable('app', 'main.c', rex.get_variable('offload').process('k.c', 'k.cpp', 'k.cc', 'one/k.c', 'two/k.cpp',
  preserve_path_from: meson.current_source_dir()), dependencies: dependency('rex-build'))
"""
ALIKE = """\
extern "C" int NAME(void);
static int own(int x) { return x; }
int NAME(void)
{
    int r = own(0);
#pragma omp target map(tofrom: r)
    r = VALUE;
    return r;
}
"""


def write_alike(meson: Meson, project: Path) -> None:
    """Units with one stem, of both languages and in several folders, and a program that asks them all."""
    names = ["k.c", "k.cpp", "k.cc", "one/k.c", "two/k.cpp"]
    for number, name in enumerate(names):
        text = ALIKE.replace("NAME", f"f{number}").replace("VALUE", f"1 << {number}").replace("own", f"own{number}")
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text if name[-2:] != ".c" else text.partition("\n")[2])
    declared = "".join(f"int f{number}(void); " for number in range(len(names)))
    calls = " + ".join(f"f{number}()" for number in range(len(names)))
    (project / "main.c").write_text(f"{declared}\nint main(void) {{ return {calls} != {2 ** len(names) - 1}; }}\n")
    write(project, REMEMBERED)
    assert meson.tool("meson-wrap", project).returncode == 0


def test_devices_are_those_of_the_setup(meson: Meson, project: Path, tmp_path: Path) -> None:
    """They are options of the wrap. Without any, the environment of the setup decides for all later builds."""
    write_alike(meson, project)
    build = tmp_path / "b"
    meson.tool.env["REX_DEVICES"] = "cpu"
    meson.build(project, build)
    meson.tool.run(build / "app")
    meson.tool.env["REX_DEVICES"] = "check"
    (project / "k.c").write_text((project / "k.c").read_text().replace("r = 1 ", "r = 1 + 0 "))
    assert "k.cpp" not in meson.tool.run("ninja", "-C", build)
    (project / "meson.build").touch()  # Meson itself runs again
    meson.tool.run("ninja", "-C", build)
    done = subprocess.run([build / "app"], env=meson.tool.env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    meson.tool.run(*meson.command, "configure", build, "-Drex-build:devices=check")
    output = meson.tool.run("ninja", "-C", build)
    assert all(f"rose_{name}" in output for name in ("k.c", "k.cpp", "k.cc"))
    done = subprocess.run([build / "app"], env=meson.tool.env, capture_output=True, text=True)
    assert "rex-build check: 0 findings" in done.stderr
    assert done.returncode == 0


def test_unity(meson: Meson, project: Path, tmp_path: Path) -> None:
    """Meson's unity files take the host files of a target in. Each has its own registration all the same."""
    write_alike(meson, project)
    build = tmp_path / "b"
    output = meson.build(project, build, "--unity=on", "-Drex-build:devices=cpu")
    assert "-unity0.c.o" in output
    assert "-unity0.cpp.o" in output
    meson.tool.run(build / "app")
    (project / "k.cpp").write_text((project / "k.cpp").read_text().replace("return r;", "return r + 1;"))
    assert "-unity0.cpp.o" in meson.tool.run("ninja", "-C", build)  # at once, not with the next change
    assert "no work to do" in meson.tool.run("ninja", "-C", build)
    assert subprocess.run([build / "app"], env=meson.tool.env, check=False).returncode == 1


@pytest.mark.parametrize("build_type", ["debug", "debugoptimized"])
def test_region_bodies_are_counted(meson: Meson, tmp_path: Path, build_type: str) -> None:
    """With b_coverage, gcov has the user's files alone, and lines of regions as often as the cpu device ran them."""
    source, build = tmp_path / "source", tmp_path / "b"
    source.mkdir()
    write_counted(source)
    write(
        source,
        "project('p', 'c', 'cpp')\noffload = subproject('rex-build').get_variable('offload')\n"
        "executable('app', 'main.c', offload.process('one.c', 'two.cpp'), dependencies: dependency('rex-build'))\n",
    )
    assert meson.tool("meson-wrap", source).returncode == 0
    options = ("-Drex-build:devices=cpu", "-Db_coverage=true", f"-Dbuildtype={build_type}")
    meson.build(source, build, *options)
    check_counts(meson.tool, source, build)


def test_counts_of_equal_names(meson: Meson, project: Path, tmp_path: Path) -> None:
    write_alike(meson, project)
    meson.build(project, tmp_path / "b", "-Drex-build:devices=cpu", "-Db_coverage=true")
    assert meson.tool.run(tmp_path / "b" / "app") == ""
    assert len([*(tmp_path / "b").rglob("*-device.gcda")]) == 5


def test_cxx_and_c(meson: Meson, project: Path, tmp_path: Path) -> None:
    """One target with sources of both languages, whose flags differ. A generator keeps the suffix, or is for one."""
    grid = project / "the grid"
    grid.mkdir()
    (grid / "grid.hpp").write_text(
        "template <class T> struct Grid { T *cells; void fill(T value); void more(T value); };\n"
    )
    for name, kind in (("fill.cpp", "float"), ("more.cc", "double")):
        (grid / name).write_text(MIXED_GRID.replace("NAME", name.partition(".")[0]).replace("TYPE", kind))
    (project / "main.cpp").write_text(
        '#include "grid.hpp"\n#include <cstdio>\nextern "C" void scale(int n, float *x);\n'
        "int main() { float x[100]; double y[100]; Grid<float> g{x}; Grid<double> h{y};\n"
        '    g.fill(1); scale(100, x); h.more(2); std::printf("%g %g\\n", x[99], y[99]); }\n'
    )
    write(project, MIXED)
    assert meson.tool("meson-wrap", project).returncode == 0
    build = tmp_path / "build here"
    assert "warning" not in meson.build(project, build)
    assert meson.tool.run(build / "app") == "21 14\n"
    (grid / "grid.hpp").touch()
    again = meson.tool.run("ninja", "-C", build)
    assert again.count("Generating from") == 2
    assert "rose_" not in again, "host files with the same text are not compiled again"
    write(project, MIXED.replace("'offload_cpp'", "'offload'"))
    meson.tool.run("ninja", "-C", build)
    assert meson.tool.run(build / "app") == "21 14\n"
    write(project, INLINE + "executable('app', offload.process('the grid/fill.cpp'))\n")
    done = meson.tool.run("sh", "-c", f"ninja -C '{build}' 2>&1 || true")
    assert "fill.cpp is C++, but the generator's first output, rose_fill.c, is not" in done
    assert "a generator with the output 'rose_@PLAINNAME@'" in done


def test_rebuilds_only_what_changed(meson: Meson, project: Path, tmp_path: Path) -> None:
    text = f"rex = dependency('rex-build')\nexecutable('app', offload.process('main.c', 'scale.c', {HERE}), "
    text += "dependencies: rex"
    write(project, INLINE + text + ")\n")
    build = tmp_path / "b"
    meson.build(project, build)
    assert meson.tool.run(build / "app") == "2\n"
    time.sleep(0.05)
    (project / "scale.h").write_text((project / "scale.h").read_text().replace("FACTOR 2", "FACTOR 9"))
    meson.tool.run("ninja", "-C", build)
    assert meson.tool.run(build / "app") == "9\n"
    assert "no work to do" in meson.tool.run("ninja", "-C", build)
    # A new definition of the target reaches the lowering.
    time.sleep(0.05)
    write(project, INLINE + text + ", c_args: '-DFACTOR=4')\n")
    meson.tool.run("ninja", "-C", build)
    assert meson.tool.run(build / "app") == "4\n"
    assert "no work to do" in meson.tool.run("ninja", "-C", build)


def test_a_touched_source_is_compiled_again(meson: Meson, project: Path, tmp_path: Path) -> None:
    """No depfile has a header that has appeared, and the lowered text is the same with it. A touch is enough."""
    for name, value in (("early", 4), ("late", 3)):
        (project / name).mkdir()
        (project / name / "value.h").write_text(f"#define VALUE {value}\n")
    early = (project / "early/value.h").rename(project / "value.h.later")
    scale = (project / "scale.c").read_text()
    (project / "scale.c").write_text(f'#include "value.h"\nint value(void) {{ return VALUE; }}\n{scale}')
    main = (project / "main.c").read_text()
    main = main.replace("sum / 4950", "sum / 4950 * value()").replace("int main", "int value(void);\nint main")
    (project / "main.c").write_text(main)
    text = f"executable('app', 'main.c', offload.process('scale.c', {HERE}), dependencies: dependency('rex-build'), "
    write(project, INLINE + text + "include_directories: include_directories('early', 'late'))\n")
    build = tmp_path / "b"
    meson.build(project, build)
    assert meson.tool.run(build / "app") == "6\n"
    time.sleep(0.05)
    early.rename(project / "early/value.h")
    (project / "scale.c").touch()
    meson.tool.run("ninja", "-C", build)
    assert meson.tool.run(build / "app") == "8\n"
    assert "no work to do" in meson.tool.run("ninja", "-C", build)


def test_generated_headers(meson: Meson, project: Path, tmp_path: Path) -> None:
    """A generator with `depends` runs after the headers are made."""
    (project / "scale.h").rename(project / "scale.h.in")
    text = """\
project('demo', 'c')
header = custom_target('header', input: 'scale.h.in', output: 'scale.h', command: ['cp', '@INPUT@', '@OUTPUT@'])
offload = generator(find_program('rex-build'), output: ['rose_@BASENAME@.c', '@BASENAME@.rex.o'],
  depfile: '@BASENAME@.d', arguments: ['meson', meson.global_build_root(), '@BUILD_DIR@', '@INPUT@',
    '@OUTPUT0@', '@OUTPUT1@', '@DEPFILE@', '@EXTRA_ARGS@'],
  depends: header)
rex = dependency('rex-build')
executable('app', offload.process('main.c', 'scale.c', extra_args: ['--device=cpu']), header, dependencies: rex)
"""
    write(project, text)
    meson.build(project, tmp_path / "b")
    assert meson.tool.run(tmp_path / "b" / "app") == "2\n"


def test_compiler_in_a_native_file(meson: Meson, project: Path, tmp_path: Path) -> None:
    """With rex-cc in front of the compiler, meson.build does not mention rex-build."""
    write(project, "project('demo', 'c')\nexecutable('app', 'main.c', 'scale.c', c_args: '-DFACTOR=6')\n")
    native = tmp_path / "native.ini"
    native.write_text("[binaries]\nc = ['rex-cc', 'gcc']\n")
    meson.tool.env["REX_DEVICES"] = "cpu"
    meson.build(project, tmp_path / "b", f"--native-file={native}")
    assert meson.tool.run(tmp_path / "b" / "app") == "6\n"
    assert "no work to do" in meson.tool.run("ninja", "-C", tmp_path / "b")


def test_error_in_the_users_code(meson: Meson, project: Path, tmp_path: Path) -> None:
    (project / "scale.c").write_text((project / "scale.c").read_text().replace("tofrom", "tofrm"))
    write(project, INLINE + f"executable('app', offload.process('main.c', 'scale.c', {HERE}), "
                            "dependencies: dependency('rex-build'))\n")  # fmt: skip
    assert meson("setup", tmp_path / "b", project).returncode == 0
    done = subprocess.run(["ninja", "-C", str(tmp_path / "b")], env=meson.tool.env, capture_output=True, text=True)
    assert done.returncode != 0
    assert re.search(r"scale\.c:4:\d+: error: .*tofrm", done.stdout)


def test_paths_that_cannot_be_written_for_ninja(meson: Meson, project: Path, tmp_path: Path) -> None:
    write(project, WRAP + f"executable('app', offload.process('main.c', 'scale.c', {HERE}))\n")
    assert meson.tool("meson-wrap", project).returncode == 0
    odd = ((project, tmp_path / "b|c"), (project, tmp_path / "b\\c"), (tmp_path / "p|q", tmp_path / "b"))
    for source, build in odd:
        if not source.exists():
            shutil.copytree(project, source)
        done = meson("setup", build, source)
        assert "Meson cannot name files for Ninja in the folder " in done.stdout
        assert done.returncode != 0


def test_check_device_on_one_side(meson: Meson, project: Path, tmp_path: Path) -> None:
    """The host files' flags are chosen at setup. Images for another device would not load, so they are refused."""
    meson.tool.env.pop("PKG_CONFIG_PATH")
    for at_setup, device, wrong in (
        ("check", "cpu", "the host files of 'app' are for the check device, and the images are not"),
        ("cpu", "check", "the images of 'app' are for the check device, and the host files are not"),
    ):
        sources = f"offload.process('main.c', 'scale.c', extra_args: '--device={device}')"
        write(project, f"{WRAP}executable('app', {sources}, dependencies: dependency('rex-build'))\n")
        assert meson.tool("meson-wrap", project).returncode == 0
        meson.tool.env["REX_DEVICES"] = at_setup
        assert meson("setup", tmp_path / at_setup, project).returncode == 0
        words = ["ninja", "-C", str(tmp_path / at_setup)]
        done = subprocess.run(words, env=meson.tool.env, capture_output=True, text=True)
        assert done.returncode != 0
        assert wrong in done.stdout


@pytest.mark.slow
def test_sample_project_gives_the_same_as_with_cmake(tool: Tool, tmp_path: Path) -> None:
    if "newest" not in MESONS:
        pytest.skip("meson is not here")
    meson = Meson(MESONS["newest"], tool, tmp_path / "bin")
    source = tmp_path / "sample"
    shutil.copytree(ROOT / "sample_project", source, ignore=shutil.ignore_patterns("build", "subprojects"))
    assert meson.tool("meson-wrap", source).returncode == 0
    meson.build(source, tmp_path / "b")
    output = meson.tool.run(tmp_path / "b" / "sample_project")
    assert output.rstrip().splitlines()[-1].startswith("sample_project: PASS")


WRONG = {
    "arguments": (["meson", "."], 2, "meson takes six paths"),
    "not a build": (["meson", ".", "x.p", "main.c", "a.c", "a.o", "a.d"], 1, "has to be meson.global_build_root()"),
    "no project": (["meson-wrap", "nowhere"], 1, "run meson-wrap in the project's top folder"),
}


@pytest.mark.parametrize(("arguments", "status", "message"), WRONG.values(), ids=WRONG)
def test_what_goes_wrong(tool: Tool, project: Path, arguments: list[str], status: int, message: str) -> None:
    done = tool(*arguments, cwd=project)
    assert (done.returncode, message in done.stderr) == (status, True), done.stderr
