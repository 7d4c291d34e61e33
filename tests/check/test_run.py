"""The check device: wrong programs are found at the right lines, right ones run in silence.

In the programs of ``run/``, a comment ``// rex-expect: NAME`` stands on each line that is to be reported. A race is
reported at the later one of two lines.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import advice_pairs
import cxx_pairs
import forked
import pytest
from execution import quick_linker, rex_build

_FOLDER = Path(__file__).parent / "run"
_EXPECTED = re.compile(r"// rex-expect: ([\w-]+)")


def build(sources: list[Path], program: Path, *flags: str) -> None:
    done = rex_build("cc", "--device", "check", "-o", program, *sources, "--", *flags, "-lm", env=quick_linker())
    assert done.status == 0, done.describe("the build")


def run(program: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OMP_NUM_THREADS": "4", **variables}
    return subprocess.run([program], capture_output=True, text=True, env=environment, timeout=120)


@pytest.mark.compile
@pytest.mark.sampled(6)
@pytest.mark.parametrize("file", sorted(_FOLDER.glob("*.c*")), ids=lambda file: file.stem)
def test_findings(file: Path, tmp_path: Path) -> None:
    _check(file, tmp_path)


@pytest.mark.compile
@pytest.mark.sampled(4)
@pytest.mark.parametrize("turn", range(0, len(cxx_pairs.PLACES), 4))
def test_pairs(turn: int, tmp_path: Path) -> None:
    """Each mistake in C++ is found wherever it stands, and its right twin behind it is not reported."""
    file = tmp_path / "pairs.cpp"
    file.write_text(cxx_pairs.program(cxx_pairs.dealt(turn)))
    _check(file, tmp_path)


def _check(file: Path, tmp_path: Path) -> None:
    """What is reported is what the program expects."""
    lines = list(enumerate(file.read_text().splitlines(), 1))
    expected = {(n, m[1]) for n, line in lines for m in _EXPECTED.finditer(line)}
    build([file], tmp_path / "app", "-std=gnu11" if file.suffix == ".c" else "-std=c++17", "-g")
    done = run(tmp_path / "app", REX_CHECK_OUTPUT=f"json:{tmp_path / 'found.json'}")
    findings = json.loads((tmp_path / "found.json").read_text())["findings"]
    found = {(finding["line"], finding["name"]) for finding in findings if finding["level"] == "error"}
    assert found == expected, done.stderr
    assert done.returncode == 66


@pytest.mark.compile
@pytest.mark.sampled(3)
@pytest.mark.parametrize("file", sorted((_FOLDER.parent / "silent").glob("*.c")), ids=lambda file: file.stem)
def test_threads_at_once(file: Path, tmp_path: Path) -> None:
    """Host threads that keep their data apart, or order what uses it, are right and not reported, however their regions
    meet. One run of many regions has failed in nine of ten cases when data operations were not one step for others."""
    build([file], tmp_path / "app", "-std=gnu11", "-g")
    for _ in range(2):
        done = run(tmp_path / "app")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "0 findings" in done.stderr


@pytest.mark.compile
def test_advice(tmp_path: Path) -> None:
    """Transfers that the program could do without are advice and no error. SARIF has them, too."""
    file = Path(__file__).parent / "advice" / "transfers.c"
    lines = list(enumerate(file.read_text().splitlines(), 1))
    expected = {(n, name) for n, line in lines for name in line.partition("// rex-advice: ")[2].split()}
    build([file], tmp_path / "app", "-std=gnu11", "-g")
    done = run(tmp_path / "app", REX_CHECK_OUTPUT=f"json:{tmp_path / 'found.json'}")
    findings = json.loads((tmp_path / "found.json").read_text())["findings"]
    assert {(finding["line"], finding["name"]) for finding in findings} == expected, done.stderr
    assert {finding["level"] for finding in findings} == {"note"}
    assert done.returncode == 0
    assert (
        "advice: 'a[0:N]' is copied 10 times, and 9 of these change nothing (36.0 KB) [needless-transfer]"
        in done.stderr
    )
    assert "'target data map(to: a[0:N])' around line 10 saves 36.0 KB" in done.stderr
    turns, *_ = (n for n, line in lines if "from: b[0:N]) // rex-advice: needless" in line)
    for name in ("a", "b"):  # each comes back where the other one went, so both must come back at the end
        assert f"'target data map(tofrom: {name}[0:N])' around line {turns} saves 36.0 KB" in done.stderr
    assert done.stderr.count("help: write map(release: a)") == 1
    filled, used = [n for n, line in lines if "map(" in line and "rex-advice" in line][-3:-1]
    both = f"'target data map(tofrom: a[0:N])' around the lines {filled} and {used} saves 4.0 KB"
    assert done.stderr.count(both) == 2
    run(tmp_path / "app", REX_CHECK_OUTPUT=f"sarif:{tmp_path / 'found.sarif'}")
    (only,) = json.loads((tmp_path / "found.sarif").read_text())["runs"]
    assert {result["level"] for result in only["results"]} == {"note"}
    rules = [rule["id"] for rule in only["tool"]["driver"]["rules"]]
    assert sorted({result["ruleId"] for result in only["results"]}) == sorted(rules)


@pytest.mark.compile
@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", advice_pairs.KINDS)
def test_advice_pairs(kind: str, tmp_path: Path) -> None:
    """Each kind of needless transfer is found for variables of all kinds, and not behind its mended form."""
    text = advice_pairs.program(kind)
    (tmp_path / "pairs.c").write_text(text)
    lines = enumerate(text.splitlines(), 1)
    expected = {(n, name) for n, line in lines for name in line.partition("// rex-advice: ")[2].split()}
    assert len(expected) >= 15
    build([tmp_path / "pairs.c"], tmp_path / "app", "-std=gnu11", "-g", "-w")
    done = run(tmp_path / "app", REX_CHECK_OUTPUT=f"json:{tmp_path / 'found.json'}")
    findings = json.loads((tmp_path / "found.json").read_text())["findings"]
    assert {(finding["line"], finding["name"]) for finding in findings} == expected, done.stderr
    assert done.returncode == 0


_RACE = """
int main(void)
{
    int s = 0;
#pragma omp target teams distribute parallel for map(tofrom: s)
    for (int i = 0; i < 100; ++i)
        s += i;%s
    return s == 1;
}
"""


_STRUCTURE = """
struct vector { int n, *x; };
int main(void)
{
    static int x[8];
    struct vector v = {4, x}, *p = &v;
#pragma omp target enter data map(to: p[0:1], p->x[0:8])
    v.n = 8;
#pragma omp target
    p->x[0] = p->n;
#pragma omp target exit data map(delete: p[0:1], p->x[0:8])
    return 0;
}
"""


_MAPS = """\
void add(int n, int *x);
int main(void)
{
    int x[8] = {0};
#pragma omp target data map(tofrom: x)
    add(8, x);
}
"""
_RACES = """\
void add(int n, int *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 1; i < n; ++i)
        x[i] = x[i - 1] + 1;
}
"""


@pytest.mark.compile
def test_names_of_several_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file is named as its compilation did, also where another one has mapped the data, and its comments count.

    From another folder the file is found where it was compiled.
    """
    monkeypatch.chdir(tmp_path)
    Path("maps.c").write_text(_MAPS)
    Path("src").mkdir()
    for line in ("", " // rex-ignore: race"):
        Path("src/races.c").write_text(_RACES.replace("+ 1;", "+ 1;" + line))
        build([Path("maps.c"), Path("src/races.c")], Path("app"), "-w")
        done = run(Path("./app").absolute(), REX_CHECK_OUTPUT="sarif:found.sarif")
        results = json.loads(Path("found.sarif").read_text())["runs"][0]["results"]
        names = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results}
        assert (names, done.returncode) == ((set(), 0) if line else ({"src/races.c"}, 66)), done.stderr
        assert ("1 suppressed" in done.stderr) == bool(line)
        Path("other/bin").mkdir(parents=True, exist_ok=True)
        Path("app").rename("other/bin/app")
        with monkeypatch.context() as there:
            there.chdir("other")
            done = run(Path("bin/app").absolute(), REX_CHECK_OUTPUT="sarif:found.sarif")
            found = re.findall(r'"uri": "(?:file://)?([^"]*)"', Path("found.sarif").read_text())
            assert ("1 suppressed" in done.stderr) == bool(line)
            assert line or [name for name in found if name.endswith("races.c")] == [str(tmp_path / "src/races.c")] * 2


@pytest.mark.compile
def test_a_structure_and_what_it_leads_to(tmp_path: Path) -> None:
    """The structure is said to be mapped as its own list item says, and files are named as for the compiler."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.c").write_text(_STRUCTURE)
    command = ["cc", "--check", "-o", "app", "src/main.c", "-w", "--", "-g"]
    rex_build(*command, cwd=tmp_path)
    done = run(tmp_path / "app")
    assert "src/main.c:10: error: the device reads an old value of p" in done.stderr
    assert "src/main.c:7:13: 'p' is mapped here (to, 16 bytes)" in done.stderr


@pytest.mark.compile
def test_what_was_checked(tmp_path: Path) -> None:
    """The last line counts what the program does, and not what makes the device ready."""
    source = tmp_path / "one.c"
    source.write_text(
        "int main(void)\n{\n    int x = 1;\n#pragma omp target map(tofrom : x)\n    x = 2;\n    return x - 2;\n}\n"
    )
    build([source], tmp_path / "one")
    said = run(tmp_path / "one").stderr
    counted = re.search(r"1 target region, (\d+) accesses on the device, 4 bytes copied to it and 4 back were", said)
    assert counted is not None, said
    assert 1 <= int(counted[1]) < 20


_VECTOR = """
#include <vector>
static void enter(std::vector<double> &v)
{
    double *p = v.data();
    int n = v.size();
#pragma omp target enter data map(to: p[0:n])
}
int main()
{
    std::vector<double> v(10, 1.0);
    enter(v);
}
"""


@pytest.mark.compile
def test_a_destructor_at_the_end_of_main(tmp_path: Path) -> None:
    """It runs at the user's last brace, not in generated code."""
    source = tmp_path / "vector.cpp"
    source.write_text(_VECTOR)
    build([source], tmp_path / "vector", "-g")
    done = run(tmp_path / "vector")
    assert done.returncode == 66
    assert "vector.cpp:13: error: the host frees the memory of 'p[0:n]', which is still mapped" in done.stderr


@pytest.mark.compile
def test_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a report says, the exit status, suppressions, comments that silence, and SARIF."""
    (tmp_path / "of mine").symlink_to(os.environ["XDG_CACHE_HOME"])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "of mine"))  # where the library is
    source, program = tmp_path / "sum.c", tmp_path / "sum"
    source.write_text(_RACE % "")
    build([source], program)
    done = run(program)
    assert done.returncode == 66
    ways = ("reads s while another one writes", "writes s while another one reads")  # as the threads happened to come
    assert any(f"sum.c:7: error: one iteration {way} it, and" in done.stderr for way in ways)
    assert "[race]" in done.stderr
    assert "        s += i;" in done.stderr
    assert "sum.c:5:13: 's' is mapped here (tofrom, 4 bytes)" in done.stderr
    assert "reduction(+: s)" in done.stderr
    assert "rex-build check: 1 finding; 1 target region, " in done.stderr
    assert run(program, REX_CHECK="continue").returncode == 0
    off = run(program, REX_CHECK="0")
    assert (off.returncode, off.stderr) == (0, "")
    for pattern in ("sum.c:*", "main", "s"):  # the place, the function that the region is in, the variable
        (tmp_path / "known").write_text(f"# on purpose\nrace:{pattern}\n")
        silent = run(program, REX_CHECK_SUPPRESSIONS=str(tmp_path / "known"))
        assert silent.returncode == 0, pattern
        assert "1 suppressed" in silent.stderr
    run(program, REX_CHECK_OUTPUT=f"sarif:{tmp_path / 'found.sarif'}")
    sarif = json.loads((tmp_path / "found.sarif").read_text())["runs"][0]
    (result,) = sarif["results"]
    assert result["ruleId"] == "race"
    (rule,) = sarif["tool"]["driver"]["rules"]
    assert (rule["id"], rule["shortDescription"]["text"][:14]) == ("race", "Two iterations")
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 7
    related = [place["physicalLocation"]["region"]["startLine"] for place in result["relatedLocations"]]
    assert related == [7, 5]  # the other access, and the directive
    assert "reduction(+: s)" in result["message"]["text"]
    source.write_text(_RACE % " // rex-ignore: race")
    build([source], program)
    assert run(program).returncode == 0


_PAGE = Path(__file__).parents[2] / "docs" / "check-device.md"
_SECTION = re.compile(
    r"^## ([\w-]+)\n.*?^```c\n(.*?)^```\n\n```\n(.*?)^```\n\n```c\n(.*?)^```\n", re.MULTILINE | re.DOTALL
)
_SOME = """#include <stdlib.h>
static int *some(void)
{
    int *a = malloc(64 * sizeof(int));
    for (int i = 0; i < 64; ++i)
        a[i] = i;
    return a;
}
"""


def one_program(functions: dict[str, str], folder: Path) -> tuple[subprocess.CompletedProcess[str], dict[str, int]]:
    """Runs examples as one program. Returns the run, and in which line of it each example begins."""
    text, first, calls = _SOME, {"main": 0}, ""
    for name, code in functions.items():
        first[name] = text.count("\n")
        function = name.replace("-", "_")
        calls += f"    {function}({'some()' if f'{function}(int *a)' in code else ''});\n"
        text += code
    folder.mkdir()
    (folder / "all.c").write_text(f"{text}int main(void)\n{{\n{calls}}}\n")
    build([folder / "all.c"], folder / "all")
    return run(folder / "all"), first


def in_one_program(message: str, first: dict[str, int]) -> str:
    return re.sub(r"\b([\w-]+)\.c:(\d+)", lambda m: f"all.c:{first[m[1]] + int(m[2])}", message)


@pytest.mark.compile
def test_page(tmp_path: Path) -> None:
    """Every example of the page is run, and gives the message that the page shows. They are one program, except the one
    that does not come to its end. No mended example gives a message."""
    sections = _SECTION.findall(_PAGE.read_text())
    assert [name for name, *_ in sections] == re.findall(r"^## ([\w-]+)$", _PAGE.read_text(), re.MULTILINE)
    for ends in (True, False):
        some = [section for section in sections if (section[0] != "device-crash") == ends]
        folder = tmp_path / ("wrong" if ends else "crash")
        done, first = one_program({name: wrong for name, wrong, *_ in some}, folder)
        # Which iterations a race is reported for depends on which thread came first.
        element = re.compile(r"\[\d+\](?=.*\[race\]$)", re.MULTILINE)
        lines = element.sub("[i]", done.stderr.replace(f"{folder}/", "")).splitlines()
        for _, _, message, _ in some:
            shown = in_one_program(message.strip(), first)
            assert element.sub("[i]", shown) in lines, done.stderr
    done, _ = one_program({name: mended for name, *_, mended in sections}, tmp_path / "mended")
    assert done.returncode == 0, done.stderr
    assert re.fullmatch("rex-build check: 0 findings; .*\n", done.stderr), done.stderr


def test_every_name_has_a_section() -> None:
    """What the library reports and advises, the page explains."""
    library = Path(__file__).parents[2] / "rex_build" / "include" / "check"
    text = "".join(header.read_text() for header in library.glob("*.h"))
    calls = "".join(re.findall(r"\b(?:new_finding|report_outside|advise)\([^;]*;", text))
    names = set(re.findall(r'"([a-z]+(?:-[a-z]+)+|race|barrier|nowait)"', calls))
    names.remove("false-claim")  # a mistake of rex-build: no program of a user shows it
    assert names == {name for name, *_ in _SECTION.findall(_PAGE.read_text())}


_CMAKE = """cmake_minimum_required(VERSION 3.22)
project(check C)
find_package(RexBuild REQUIRED)
foreach(kind STATIC SHARED)
  add_library(${kind} ${kind} kernels.c)
  rex_add_offload_sources(${kind} SOURCES kernels.c DEVICES check)
  add_executable(with_${kind} main.c)
  rex_add_offload_sources(with_${kind} SOURCES main.c DEVICES check)
  add_executable(only_${kind} main.c) # itself not checked
  target_link_libraries(with_${kind} ${kind})
  target_link_libraries(only_${kind} ${kind})
endforeach()
add_executable(plain main.c)
rex_add_offload_sources(plain SOURCES main.c kernels.c DEVICES cpu)
"""
_KERNELS = """
void add(int *s)
{
#pragma omp target teams distribute parallel for map(tofrom: s[0:1])
    for (int i = 0; i < 100; ++i)
        s[0] += i;
}
void keep(int *s)
{
#pragma omp target map(to: s[0:1])
    s[0] = 7;
}
"""
_MAIN = """
void add(int *), keep(int *);
int main(void)
{
    int s = 1, t = 2;
    add(&s);
    keep(&t);
    return s + t == 1;
}
"""


def _write_library(folder: Path) -> None:
    folder.mkdir()
    (folder / "kernels.c").write_text(_KERNELS)
    (folder / "main.c").write_text(_MAIN)


@pytest.mark.cmake
@pytest.mark.sampled(2)
@pytest.mark.parametrize("generator", ["Unix Makefiles", "Ninja"])
def test_cmake(generator: str, tmp_path: Path) -> None:
    """Libraries of both kinds are checked, and what a program does with their results if it is checked, too. The same
    sources may be built for other devices beside."""
    project = tmp_path / "a project"
    _write_library(project)
    (project / "CMakeLists.txt").write_text(_CMAKE)
    cmake = Path(__file__).parents[2] / "cmake"
    python = f"-DRexBuild_PYTHON_EXECUTABLE={forked.python(cmake.parent)}"
    for words in (("-G", generator, "-S", ".", "-B", "build", f"-DRexBuild_DIR={cmake}", python), ("--build", "build")):
        done = subprocess.run(["cmake", *words], cwd=project, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    for kind in ("STATIC", "SHARED"):
        done = run(project / "build" / f"with_{kind}")
        assert done.returncode == 66, done.stderr
        assert "kernels.c:6: error:" in done.stderr
        assert "main.c:8: error: the host reads s[0]" in done.stderr
        done = run(project / "build" / f"only_{kind}")
        assert done.returncode == 66, done.stderr
        assert "kernels.c:6: error:" in done.stderr
        assert "1 finding;" in done.stderr
    assert run(project / "build" / "plain").returncode == 0


@pytest.mark.meson
@pytest.mark.compile
def test_meson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """REX_DEVICES says so. A program that only links a checked library must load the check device's library first."""
    pytest.importorskip("mesonbuild")
    monkeypatch.setenv("REX_DEVICES", "check")
    monkeypatch.setenv("CC", "gcc")  # not through a compiler launcher that Meson finds
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    project = tmp_path / "a project"
    _write_library(project)
    (project / "meson.build").write_text(
        "project('check', 'c')\nrex = subproject('rex-build')\noffload = rex.get_variable('offload')\n"
        "rex_build = dependency('rex-build')\n"
        "kernels = shared_library('kernels', offload.process('kernels.c'), dependencies: rex_build)\n"
        "executable('app', offload.process('main.c'), link_with: kernels, dependencies: rex_build)\n"
        "executable('only', 'main.c', link_with: kernels)\n"
    )
    assert rex_build("meson-wrap", cwd=project).status == 0
    for words in (("setup", "the build"), ("compile", "-C", "the build")):
        done = subprocess.run(["meson", *words], cwd=project, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    done = run(project / "the build" / "app")
    assert done.returncode == 66, done.stderr
    assert "2 findings;" in done.stderr
    done = run(project / "the build" / "only")
    assert done.returncode == 1
    library = done.stderr.strip().rpartition("LD_PRELOAD=")[2]
    done = run(project / "the build" / "only", LD_PRELOAD=library)
    assert done.returncode == 66, done.stderr
    assert "1 finding;" in done.stderr


@pytest.mark.compile
def test_all_names_of_a_compiler_have_one_library(tmp_path: Path) -> None:
    (tmp_path / "mine").symlink_to(os.path.realpath(str(shutil.which("gcc"))))
    libraries = {rex_build("--checklib", env={"CC": cc}).stdout for cc in ("gcc", str(tmp_path / "mine"))}
    assert len(libraries) == 1


@pytest.mark.compile
def test_in_place_of_gcc(tmp_path: Path) -> None:
    (tmp_path / "sum.c").write_text(_RACE % "")
    words = ("cc", "--check", "--", "-O1", "-fopenmp", "sum.c", "-o", "sum")
    done = rex_build(*words, cwd=tmp_path)
    assert done.status == 0, done.describe("the build")
    assert run(tmp_path / "sum").returncode == 66


_NEW = """\
int main()
{
    int *p = new int[8]();
    #pragma omp target
    p[3] = 1;
    delete[] p;
}
"""


@pytest.mark.compile
def test_libraries_that_the_user_names_stand_behind(tmp_path: Path) -> None:
    """Memory of ``new`` is known whatever the link's line names, as gcc's for C++ names C++'s library."""
    (tmp_path / "app.cpp").write_text(_NEW)
    words = ("cc", "--check", "--", "-w", "-fopenmp", "app.cpp", "-o", "app", "-lstdc++", "-lm")
    done = rex_build(*words, cwd=tmp_path)
    assert done.status == 0, done.describe("the build")
    assert "[unmapped-access]" in run(tmp_path / "app").stderr
