"""The command line: exit statuses, messages, and how little it imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import execution
import pytest

from rex_build import __version__
from rex_build.cli import main as cli
from rex_build.tools import runtimes

ROOT = Path(__file__).resolve().parents[2]


def rex_build(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    done = execution.rex_build(*map(str, arguments), cwd=cwd)
    return subprocess.CompletedProcess(arguments, done.status, done.stdout, done.stderr)


def test_version_and_paths(tmp_path: Path) -> None:
    assert rex_build("--version", cwd=tmp_path).stdout == f"{__version__}\n"
    assert (Path(rex_build("--cmakedir", cwd=tmp_path).stdout.strip()) / "RexBuildConfig.cmake").is_file()
    assert (Path(rex_build("--includedir", cwd=tmp_path).stdout.strip()) / "rex_kmp.h").is_file()


def test_version_loads_nothing_heavy() -> None:
    code = (
        "import sys; before = set(sys.modules); from rex_build.cli.main import main\n"
        "try: main(['--version'])\n"
        "except SystemExit: pass\n"
        "heavy = {'pycparser', 'jinja2', 'filelock', 'subprocess'} & (set(sys.modules) - before)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


USAGE = {
    "nothing": ([], "COMMAND"),
    "unknown command": (["melt"], "invalid choice: 'melt'"),
    "unknown option": (["lower", "x.c", "--out-dir", "o", "--speed"], "unrecognized arguments: --speed"),
    "options of the compiler": (
        ["cc", "x.c", "-o", "x", "-fopenmp", "-g"],
        "unrecognized arguments: -fopenmp -g; the compiler's options stand behind '--', as in: -- -fopenmp -g",
    ),
    "abbreviated option": (["lower", "x.c", "--out", "o"], "unrecognized arguments"),
    "no output": (["lower", "x.c"], "lower needs --out-dir"),
    "bad choice": (["lower", "x.c", "--out-dir", "o", "--on-unsupported", "ignore"], "invalid choice: 'ignore'"),
    "bad architecture": (["device", "x.cu", "-o", "x", "--arch", "fast"], "architecture 'fast'"),
    "PTX": (["cc", "x.c", "-o", "x", "--device", "cuda", "--arch", "90-virtual"], "machine code alone: write 90\n"),
    "no architecture": (["device", "x.cu", "-o", "x"], "--arch"),
    "nearly a command": (["expain", "x.c"], "did you mean 'explain'?"),
    "nearly an option": (["cc", "x.c", "--devise", "cpu"], "did you mean '--device'?"),
    "another command's option": (["lower", "x.c", "--device", "cpu"], "--device is an option of 'rex-build cc'"),
    "nearly an error": (["lower", "x.c", "--out-dir", "o", "--", "-Werror=rex-rase"], "did you mean 'rex-race'?"),
    "nothing like an option": (["doctor", "--foo"], "unrecognized arguments: --foo (see rex-build --help)\n"),
    "no file to explain": (["explain"], "required: SRC (see"),
    "nearly a device": (["cc", "x.c", "--device", "gpu"], "did you mean 'cuda'?"),
    "an architecture as a device": (["cc", "x.c", "--device", "sm_90"], "an architecture is given to --arch"),
    "nearly a warning": (["lower", "x.c", "--out-dir", "o", "--", "-Wrex-reductoin"], "did you mean 'rex-reduction'?"),
    "nearly a transformation": (["explain", "x.c", "--no-opt", "colapse"], "did you mean 'collapse'?"),
    "two devices": (["cc", "x.c", "--check", "--device", "cpu"], "--check is short for --device check"),
    "cc's option for the compiler": (
        ["rex-gcc", "-O2", "--device", "cpu", "x.c"],
        "write REX_DEVICES=cpu rex-gcc -O2 x.c\n      note: or rex-build cc --device cpu -- -O2 x.c\n",
    ),
    "check for the compiler": (["rex-g++", "x.c", "--check"], "write REX_DEVICES=check rex-g++ x.c\n"),
    "stage": (["lower", "x.c", "--dump", "soup"], "there is no stage 'soup'"),
}


@pytest.mark.parametrize(("arguments", "message"), USAGE.values(), ids=USAGE)
def test_wrong_usage_is_exit_code_2(tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "x.c").write_text("int x;\n")
    done = rex_build(*arguments, cwd=tmp_path)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    assert done.stderr.startswith("rex-build: error: ")
    assert {path.name for path in tmp_path.iterdir()} == {"x.c"}


def test_a_source_that_is_not_there_is_an_error_of_the_input(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text("int x;\n")
    done = rex_build("explain", "x.cc", cwd=tmp_path)
    assert done.returncode == 1
    assert "x.cc: no such file" in done.stderr
    assert "did you mean 'x.c'?" in done.stderr
    assert f"did you mean '{tmp_path}/x.c'?" in rex_build("cc", tmp_path / "xx.c", cwd=tmp_path).stderr


def test_explain_takes_several_files(tmp_path: Path) -> None:
    for name in ("x.c", "y.c"):
        (tmp_path / name).write_text("void f(int n) {\n#pragma omp target\nn++;\n}\n")
    listing = rex_build("explain", "x.c", "y.c", cwd=tmp_path).stdout
    assert [listing.count(place) for place in ("x.c:2: ", "y.c:2: ", "ONE THREAD")] == [1, 1, 2]
    facts = json.loads(rex_build("explain", "x.c", "y.c", "--json", cwd=tmp_path).stdout)
    assert [(one["version"], one["regions"][0]["file"], one["regions"][0]["line"]) for one in facts] == [
        (2, "x.c", 2),
        (2, "y.c", 2),
    ]


@pytest.mark.parametrize(
    ("flags", "what"),
    [
        (["-funsigned-char"], "char"),
        (["-fsigned-char", "-fno-signed-char"], "char"),
        (["-fpack-struct=2"], "structures"),
        (["-fshort-enums"], "enumerations"),
        (["-fplan9-extensions"], "pointers to structures"),
        (["-m32"], "pointers"),
        (["-mms-bitfields"], "bit-fields"),
        (["-fsso-struct=big-endian"], "structures"),
        (["-mlong-double-64"], "long double"),
        (["-fsingle-precision-constant"], "floating-point constants"),
        (["-fexec-charset=latin1"], "strings"),
        (["-fwrapv", "-ftrapv"], "signed overflow"),
        (["-Wp,-funsigned-char"], "char"),
        (["-Xpreprocessor", "-fshort-enums"], "enumerations"),
        (["@words"], "wchar_t"),
        (["-ftrapv", "-fwrapv"], None),
        (["-fexec-charset=UTF-8"], None),
        (["-funsigned-char", "-fsigned-char"], None),
        (["-m32", "-m64"], None),
        (["-fpack-struct", "-fno-pack-struct"], None),
    ],
)
def test_flags_that_change_what_programs_mean(tmp_path: Path, flags: list[str], what: str | None) -> None:
    (tmp_path / "x.c").write_text("void f(int n) {\n#pragma omp target\nn++;\n}\n")
    (tmp_path / "words").write_text("-fshort-wchar")
    done = rex_build("lower", "x.c", "--out-dir", "o", "--", *flags, cwd=tmp_path)
    assert done.returncode == (2 if what else 0), done.stderr
    if what:
        last = flags[-1].removeprefix("-Wp,").replace("@words", "-fshort-wchar")
        assert f"'{last}' makes {what} other than on devices" in done.stderr
        # Host code may have them if there is nothing to lower.
        (tmp_path / "x.c").write_text("int x;\n")
        assert rex_build("lower", "x.c", "--out-dir", "o", "--", *flags, cwd=tmp_path).returncode == 0


_WRAPPED = "(int)((unsigned int)n + 1)"
_ROUNDED = "rex_product<double>(d, d)"


@pytest.mark.parametrize(
    ("flags", "text"),
    [
        (["-fwrapv"], _WRAPPED),
        (["-fno-strict-overflow"], _WRAPPED),
        (["-fno-wrapv", "-fno-strict-overflow"], _WRAPPED),
        (["-fwrapv", "-O2", "-fno-wrapv"], None),
        (["-fno-strict-overflow", "-fstrict-overflow"], None),
        (["-ffp-contract=off"], _ROUNDED),
        (["-ffp-contract=fast", "-ffp-contract=on"], _ROUNDED),
        (["-ffp-contract=off", "-ffp-contract=fast"], None),
        ([], None),
    ],
)
def test_the_last_flag_about_arithmetic_counts(tmp_path: Path, flags: list[str], text: str | None) -> None:
    code = "void f(int n, double d, double *x) {\n#pragma omp target map(from: x[0:1])\nx[0] = n + 1 + d * d;\n}\n"
    (tmp_path / "x.c").write_text(code)
    done = rex_build("lower", "x.c", "--out-dir", "o", "--", *flags, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    device = (tmp_path / "o/rex_lib_x.cu").read_text()
    assert [t for t in (_WRAPPED, _ROUNDED) if t in device] == ([] if text is None else [text])


def test_tool_failure_is_exit_code_3(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text("void f(void) {\n#pragma omp target\n{}\n}\n")
    done = rex_build("lower", "x.c", "--out-dir", "o", "--cc", "no-such-cc", cwd=tmp_path)
    assert done.returncode == 3
    assert "no-such-cc" in done.stderr


@pytest.mark.parametrize(
    "command", ["explain x.c --json", "doctor", "lower x.c --dump=plan", "cc --device cpu -o . x.c"]
)
def test_what_cannot_be_written_is_exit_code_3(tmp_path: Path, command: str) -> None:
    """The disk under the standard output is full, or the output is a folder."""
    (tmp_path / "x.c").write_text("int main(void) { return 0; }\n")
    tool = [sys.executable, "-m", "rex_build", *command.split()]
    with open("/dev/full", "w") as full:
        done = subprocess.run(tool, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True)
    is_folder = command.startswith("cc")
    message = "cannot write .: is a directory" if is_folder else "the system refuses: No space left on device"
    assert (done.returncode, done.stderr) == (3, f"rex-build: error: {message}\n")


def test_our_own_bug_is_exit_code_4(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(_: object) -> int:
        raise KeyError("oops")

    monkeypatch.setattr(cli, "_doctor", broken)
    assert cli.main(["doctor"]) == 4
    said = capsys.readouterr().err
    assert "KeyError" in said
    assert "bug in rex-build" in said
    assert "Traceback" not in said


def test_flags_after_the_dashes_reach_the_preprocessor(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text("void f(int n, float *x) {\n#pragma omp target map(tofrom: x[0:N])\nx[0] = N;\n}\n")
    done = rex_build("lower", "x.c", "--out-dir", "o", "--", "-DN=77", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "77" in (tmp_path / "o" / "rex_lib_x.cu").read_text()


def test_output_names_and_depfile(tmp_path: Path) -> None:
    (tmp_path / "x.h").write_text("#define N 4\n")
    (tmp_path / "x.c").write_text('#include "x.h"\nvoid f(int *x) {\n#pragma omp target map(x[0:N])\nx[0] = N;\n}\n')
    options = ["--host-output", "a b/h.c", "--cu-output", "b/k.cu", "--depfile", "d"]
    done = rex_build("lower", "x.c", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a b" / "h.c").is_file()
    assert (tmp_path / "b" / "k.cu").is_file()
    rule = (tmp_path / "d").read_text()
    assert rule.startswith("a\\ b/h.c:")
    assert "x.h" in rule


def test_explain_speaks_json_and_text(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text("void f(int *x) {\n#pragma omp target map(x[0:4])\nx[0] = 1;\n}\n")
    done = rex_build("explain", "x.c", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["regions"]) == 1
    assert "regions:" in rex_build("explain", "x.c", "--details", cwd=tmp_path).stdout
    assert "x.c:2: #pragma omp target map(x[0:4])\n    becomes" in rex_build("explain", "x.c", cwd=tmp_path).stdout
    (tmp_path / "y.c").write_text("void f(void) {}\n")
    assert rex_build("explain", "y.c", cwd=tmp_path).stdout == "y.c: no target directives\n"
    rex_build("explain", "x.c", "--html", "-o", "page.html", cwd=tmp_path)
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")


def test_doctor_agrees_with_itself() -> None:
    done = rex_build("doctor", "--json")
    facts = json.loads(done.stdout)
    assert done.returncode == (0 if facts["ok"] else 1)
    assert facts["version"] == __version__
    for device in facts["devices"].values():
        assert device["runs"] <= device["builds"]
        assert device["runs"] or device["problems"], "what does not work comes with a reason"
        assert all(problem["message"] and problem["remedy"] for problem in device["problems"])
    text = rex_build("doctor").stdout
    assert "device cpu: " in text
    assert "device cuda: " in text


def test_doctor_without_a_runtime(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(runtimes, "_library_dirs", lambda: iter(()))
    assert cli.main(["doctor", "--llvm-root", "/nowhere"]) == 1
    said = capsys.readouterr().out
    assert "libomptarget  not found" in said
    assert "apt-get install" in said


def test_units_have_their_own_variables_without_a_size(tmp_path: Path) -> None:
    """Entries of size 0 mean kernels, and CUDA has no variables without a size that units could share."""
    text = """
struct none { };
#pragma omp declare target
extern struct none elsewhere;
int empty[0];
#pragma omp end declare target
void f(int *p) {
#pragma omp target map(from: p[0:1])
    *p = &elsewhere == 0 || empty == 0;
}
"""
    (tmp_path / "x.c").write_text(text)
    done = rex_build("lower", "--separable", "x.c", "--out-dir", "o", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    device = (tmp_path / "o" / "rex_lib_x.cu").read_text()
    assert "static __device__ rex_nothing elsewhere;\nstatic __device__ int empty[1];\n" in device
    assert '"empty"' not in (tmp_path / "o" / "rose_x.c").read_text()


@pytest.mark.compile
def test_a_source_that_vanishes_is_no_bug(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, compiler = tmp_path / "unit.c", tmp_path / "cc"
    source.write_text("int main(void) { return 0; }\n")
    compiler.write_text(f'#!/bin/sh\ngcc "$@" || exit\ncase "$*" in *unit.c*) rm -f "{source}" ;; esac\n')
    compiler.chmod(0o755)
    outputs = "--host-output", str(tmp_path / "host.c"), "--cu-output", str(tmp_path / "unit.cu")
    assert cli.main(["lower", str(source), "--cc", str(compiler), *outputs]) == 3
    assert f"{source}: No such file or directory" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cc"]


def test_nothing_stays_when_a_command_ends(tmp_path: Path) -> None:
    """No process, which would have the command's environment, and no socket or other file where such things are put."""
    (tmp_path / "a.c").write_text("void f(int *x)\n{\n#pragma omp target map(x[0:1])\n    x[0]++;\n}\n")
    run = tmp_path / "run"
    run.mkdir()
    mark = f"TEST_OF_WHAT_STAYS={tmp_path}"
    env = {**os.environ, **dict([mark.split("=")]), "XDG_RUNTIME_DIR": str(run), "REX_BUILD_CACHE": "off"}
    package = str(ROOT / "rex_build")
    for command in (
        ["lower", "a.c", "--out-dir", "out"],
        ["explain", "a.c"],
        ["rex-cc", "--", "gcc", "-fopenmp", "-c", "a.c"],
        ["cc", "-o", "a.so", "a.c", "--", "-shared", "-fPIC"],
    ) * 2:  # as commands of a build that follow each other
        subprocess.run([sys.executable, package, *command], cwd=tmp_path, env=env, check=True, capture_output=True)
    left = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # another user's, or it has ended
            if mark.encode() in (process / "environ").read_bytes():
                left.append((process / "cmdline").read_text())
    assert not left
    assert not list(run.iterdir())
