"""``rex-build profile`` with real programs on the cpu device."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import forked
import pytest

import rex_build.profile
from rex_build.tools.runtimes import find_nvcc, find_runtimes, toolkit_folder

pytestmark = pytest.mark.compile

RUNTIMES = find_runtimes()
RECORDER = Path(rex_build.profile.__file__).with_name("recorder.c")
SOLVER = """\
#include <stdio.h>
#include <stdlib.h>
#define N 2000000
int omp_get_initial_device(void); void *omp_target_alloc(size_t, int);
int omp_target_memcpy(void *, const void *, size_t, size_t, size_t, int, int);
static void relax(int n, const double *x, double *y)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
    for (int i = 0; i < n; i++)
        y[i] += 0.5 * x[i];
}
static double norm(int n, const double *y)
{
    double sum = 0;
#pragma omp target teams distribute parallel for num_teams(7) thread_limit(32) reduction(+: sum) map(to: y[0:n])
    for (int i = 0; i < n; i++)
        sum += y[i];
    return sum;
}
int main(int count, char **arguments)
{
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), s = 0;
    for (int i = 0; i < N; i++)
        x[i] = 1, y[i] = 0;
    for (int k = 0; k < 4; k++)
        relax(N, x, y);
#pragma omp target data map(to: y[0:N])
    for (int k = 0; k < 3; k++) {
        s += norm(N, y);
#pragma omp target update to(y[0:100])
    }
#pragma omp target if(0)
    s++;
#pragma omp target enter data map(to: x[0:10])
#pragma omp target exit data map(delete: x[0:10])
    omp_target_memcpy(omp_target_alloc(8000, 0), x, 8000, 0, 0, 0, omp_get_initial_device());
    printf("%g %s\\n", s, count > 1 ? arguments[count - 1] : "");
    if (count > 1 && arguments[1][0] == 'a')
        abort();
    return 3;
}
"""


def rex_build(folder: Path, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {key: value for key, value in os.environ.items() if not key.startswith(("OMP_", "LIBOMPTARGET_"))}
    words = [str(word) for word in arguments]
    status, out, errors = forked.call(words, 300, variables | environment, folder)
    assert status is not None, words
    return subprocess.CompletedProcess(words, status, out.decode(), errors.decode())


def built(folder: Path, text: str, root: Path | None = None, name: str = "solver") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.c").write_text(text)
    of = ("--llvm-root", root) if root else ()
    done = rex_build(folder, "cc", "--device", "cpu", *of, "-o", name, f"{name}.c", "--", "-O2")
    assert done.returncode == 0, done.stderr
    return folder / name


@pytest.fixture(scope="module", params=RUNTIMES, ids=[runtime.name for runtime in RUNTIMES])
def solver(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("a program"), SOLVER, request.param.omptarget.parents[1])


def measured(program: Path, *arguments: str, **environment: str) -> tuple[dict[str, Any], dict[int, dict[str, Any]]]:
    """The profile as JSON, and its lines of the program by their numbers."""
    done = rex_build(program.parent, "profile", "--json", "p.json", f"./{program.name}", *arguments, **environment)
    assert done.returncode == 3, done.stderr
    profile = json.loads((program.parent / "p.json").read_text())
    return profile, {line["line"]: line for line in profile["lines"] if line["file"] == f"{program.name}.c"}


def test_every_directive_has_its_calls_bytes_and_shape(solver: Path) -> None:
    profile, lines = measured(solver)
    size = 2_000_000 * 8
    assert profile["has_operations"]
    assert {number: (line["what"], line["calls"], line["function"]) for number, line in lines.items()} == {
        8: ("target", 4, "relax"),
        15: ("target", 3, "norm"),
        27: ("target data", 1, "main"),
        30: ("target update", 3, "main"),
        34: ("target enter data", 1, "main"),
        35: ("target exit data", 1, "main"),
    }

    def moved(number: int) -> dict[str, tuple[int, int]]:
        return {name: (total["count"], total["bytes"]) for name, total in lines[number]["operations"].items()}

    assert moved(8) == {
        "allocate": (8, 8 * size),
        "to_device": (8, 8 * size),
        "launch": (4, 0),
        "from_device": (4, 4 * size),
        "release": (8, 0),
    }
    assert moved(27) == {"allocate": (1, size), "to_device": (1, size), "release": (1, 0)}
    assert moved(30) == {"to_device": (3, 2400)}
    assert moved(35) == {"release": (1, 0)}
    assert lines[15]["teams"] == [7, 7]
    assert lines[15]["threads"] == [32, 32]
    assert {name: of["to_device"]["bytes"] for name, of in lines[8]["variables"].items()} == {
        "x[0:n]": 4 * size,
        "y[0:n]": 4 * size,
    }
    assert lines[8]["variables"]["y[0:n]"]["from_device"]["bytes"] == 4 * size
    assert {number: lines[number]["mapped_bytes"] for number in (8, 15)} == {8: 4 * 2 * size, 15: 3 * (size + 8)}
    for line in lines.values():
        parts = sum(total["time_ns"] for total in line["operations"].values())
        assert 0 < parts <= line["time_ns"] <= profile["time_ns"]
    calls = [line["operations"] for line in profile["lines"] if line["what"] == "API call"]
    assert [of["to_device"]["bytes"] for of in calls if "to_device" in of] == [8000]


def test_times_agree_with_the_runtimes_own_profile(solver: Path, tmp_path: Path) -> None:
    """Both look at the same run. A pause between the two clocks is possible, so the best of a few runs counts."""
    names = {"Runtime: target exe": "time_ns", "HostToDev": "to_device", "DevToHost": "from_device"}
    off: dict[str, float] = {}
    for _ in range(5):
        theirs: dict[str, int] = dict.fromkeys(names, 0)
        file = tmp_path / "theirs.json"
        _, lines = measured(solver, LIBOMPTARGET_PROFILE=str(file), LIBOMPTARGET_PROFILE_GRANULARITY="0")
        for event in json.loads(file.read_text())["traceEvents"]:
            if event["name"] in names and ";relax;8;" in event.get("args", {}).get("detail", ""):
                theirs[event["name"]] += 1000 * event["dur"]
        for name, ours in names.items():
            total = lines[8][ours] if ours == "time_ns" else lines[8]["operations"][ours]["time_ns"]
            assert theirs[name], name
            off[name] = min(off.get(name, 1), abs(total / theirs[name] - 1))
        if max(off.values()) <= 0.02:
            return
    pytest.fail(f"differences {off}")


def test_the_table_shows_the_most_expensive_lines(solver: Path) -> None:
    done = rex_build(solver.parent, "profile", f"./{solver.name}", "one", "--", "-x", "--json")
    assert done.stdout == "30000003 --json\n".replace("30000003", done.stdout.split()[0]), (
        "the program has its arguments"
    )
    assert done.returncode == 3, "the status is the program's"
    rows = done.stderr.splitlines()
    assert re.match(rf".*/{solver.name}: .* of which .* in offloading \(.*%; start-up .*\)$", rows[0])
    assert rows[2].split()[:3] == ["time", "share", "calls"]
    (relax,) = (row for row in rows if row.endswith("solver.c:8: target, in relax"))
    assert re.search(r"128 MB in .* 64 MB in .* \d+ x \d+ ", relax)
    (norm,) = (row for row in rows if row.endswith("solver.c:15: target, in norm"))
    assert " 7 x 32 " in norm
    assert any(row.endswith("(start of the device)") for row in rows)
    assert "solver.c:32" not in done.stderr, "a region whose condition is false costs nothing"


def test_the_timeline_nests(solver: Path) -> None:
    done = rex_build(solver.parent, "profile", "--trace", "t.json", f"./{solver.name}")
    assert done.returncode == 3, done.stderr
    events = [e for e in json.loads((solver.parent / "t.json").read_text())["traceEvents"] if e["ph"] == "X"]
    events.sort(key=lambda event: (event["ts"], -event["dur"]))
    calls = [event for event in events if event["cat"] == "directive"]
    assert calls[0]["name"] == "start of the runtime"
    names = [event["name"] for event in calls if event["name"].startswith("solver.c:")]
    begin, end = "solver.c:27 data begin", "solver.c:27 data end"
    round_ = ["solver.c:15 target", "solver.c:30 update"]
    assert names[:11] + names[11:12] == [*4 * ["solver.c:8 target"], begin, *3 * round_, end]
    for event in events:
        if event["cat"] == "operation" and event["args"]["line"].startswith("solver.c:"):
            assert any(
                call["args"]["line"] == event["args"]["line"]
                and call["ts"] <= event["ts"]
                and event["ts"] + event["dur"] <= call["ts"] + call["dur"] + 0.01
                for call in calls
            ), event


ENDS = """\
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int deep(int n) { volatile char room[4096]; room[n % 4096] = 1; return deep(n + 1) + room[n % 4096]; }
static void twice(int n)
{
#pragma omp target map(tofrom: n)
    n *= 2;
}
static void for_ever(int go)
{
#pragma omp target map(tofrom: go)
    for (volatile int *p = &go; *p;)
        ;
}
int main(int count, char **arguments)
{
    const char *how = count > 1 ? arguments[1] : "";
    for (int i = 0; i < 5; i++)
        twice(i);
    if (vfork() == 0)
        _exit(0);
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "fault"))
        *(volatile int *)1 = 1;
    if (!strcmp(how, "overflow"))
        deep(0);
    if (!strcmp(how, "interrupt"))
        raise(SIGINT);
    if (!strcmp(how, "hang")) {
        if (fork() == 0) {
            sleep(1);
            kill(getppid(), SIGTERM);
            _exit(0);
        }
        for_ever(1);
    }
    if (!strcmp(how, "_exit"))
        _exit(7);
    if (!strcmp(how, "_Exit"))
        _Exit(7);
    if (!strcmp(how, "quick_exit"))
        quick_exit(7);
    if (!strcmp(how, "ignored")) {
        signal(SIGTERM, SIG_IGN);
        raise(SIGTERM);
    }
    clearenv();
    return 7;
}
"""


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("ends"), ENDS, name="ends")


@pytest.mark.parametrize(
    ("how", "status", "ended"),
    [
        ("abort", 128 + 6, "was ended by SIGABRT"),
        ("fault", 128 + 11, "was ended by SIGSEGV"),
        ("overflow", 128 + 11, "was ended by SIGSEGV"),
        ("interrupt", 128 + 2, "was ended by SIGINT"),
        ("hang", 128 + 15, "was ended by SIGTERM"),
        ("_exit", 7, ""),
        ("_Exit", 7, ""),
        ("quick_exit", 7, ""),
        ("ignored", 7, ""),
        ("", 7, ""),
    ],
)
def test_however_a_program_ends_it_has_a_profile(ends: Path, how: str, status: int, ended: str) -> None:
    """What it did before is counted, also the directive in which it was ended."""
    done = rex_build(ends.parent, "profile", "--json", f"{how}.json", "./ends", how)
    assert done.returncode == status, done.stderr
    assert ended in done.stderr
    assert ended or "was ended by" not in done.stderr
    lines = json.loads((ends.parent / f"{how}.json").read_text())["lines"]
    assert {line["line"]: line["calls"] for line in lines if line["file"] == "ends.c"} == (
        {8: 5, 13: 1} if how == "hang" else {8: 5}
    )
    if how == "hang":
        assert lines[0]["line"] == 13, "what hangs has taken most of the time"


def test_regions_of_host_threads_and_of_child_processes(tmp_path: Path) -> None:
    """Threads and processes add up, and each has a track of its own on the timeline."""
    text = """\
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static void twice(int *x)
{
#pragma omp target map(tofrom: x[0:1])
    x[0] *= 2;
}
int main(int count, char **arguments)
{
    int x[4] = {1, 2, 3, 4};
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 4; i++)
        twice(x + i);
    if (count == 1 && fork() == 0)
        return execl(arguments[0], arguments[0], "again", (char *)0);
    wait(0);
    printf("%d\\n", x[0] + x[1] + x[2] + x[3]);
    return 3;
}
"""
    program = built(tmp_path / "threads", text, name="threads")
    profile, lines = measured(program)
    assert profile["processes"] == 2
    assert lines[6]["calls"] == 8
    assert lines[6]["operations"]["to_device"]["bytes"] == 8 * 4
    rex_build(program.parent, "profile", "--trace", "t.json", "./threads")
    events = json.loads((program.parent / "t.json").read_text())["traceEvents"]
    tracks = {(e["pid"], e["tid"]) for e in events if e["ph"] == "X" and e["name"] == "threads.c:6 target"}
    assert len({process for process, _ in tracks}) == 2


def test_sums_of_threads_that_end_and_of_a_child_without_exec(tmp_path: Path) -> None:
    """Threads keep notes of their own, more than they have room for. A child begins with nothing of its parent's."""
    text = """\
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void *twice(void *own)
{
    char *x = own;
    for (int k = 0; k < 300; k++) {
#pragma omp target update to(x[0:8])
    }
    return x;
}
int main(void)
{
    static char x[8][8];
    pthread_t threads[4];
#pragma omp target enter data map(to: x)
    if (fork() == 0)
        exit(0);
    wait(0);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 4; i++)
            pthread_create(threads + i, 0, twice, x[i]);
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], 0);
    }
    twice(x[0]);
    return 3;
}
"""
    program = built(tmp_path / "ends", text, name="ends")
    profile, lines = measured(program)
    assert (lines[10]["calls"], lines[10]["operations"]["to_device"]["bytes"]) == (13 * 300, 13 * 300 * 8)
    assert lines[18]["operations"]["to_device"]["bytes"] == 64
    assert profile["processes"] == 1, "the child has done nothing itself"


def test_regions_in_a_library_that_a_program_opens(tmp_path: Path) -> None:
    """A program that does not use libomptarget itself opens a plug-in, which has it for itself alone."""
    (tmp_path / "plugin.c").write_text(
        "int run(int x)\n{\n#pragma omp target map(tofrom: x)\n    x++;\n    return x;\n}\n"
    )
    (tmp_path / "opens.c").write_text(
        '#include <dlfcn.h>\nint main(void) { void *p = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);\n'
        '    int (*run)(int) = (int (*)(int))dlsym(p, "run"); return run(2); }\n'
    )
    done = rex_build(tmp_path, "cc", "--device", "cpu", "-o", "plugin.so", "plugin.c", "--", "-shared", "-fPIC")
    assert done.returncode == 0, done.stderr
    subprocess.run(["gcc", "-o", "opens", "opens.c", "-ldl"], cwd=tmp_path, check=True)
    done = rex_build(tmp_path, "profile", "--json", "p.json", "./opens")
    assert done.returncode == 3, done.stderr
    (line,) = (x for x in json.loads((tmp_path / "p.json").read_text())["lines"] if x["file"] == "plugin.c")
    assert (line["calls"], line["operations"]["to_device"]["bytes"]) == (1, 4)


LLVM_19 = next((runtime for runtime in RUNTIMES if runtime.version[0] == 19), None)


CLANG_19 = Path(shutil.which("clang-19") or "clang-19").resolve()


@pytest.mark.skipif(
    LLVM_19 is None or not CLANG_19.with_name("clang-offload-packager").exists(),
    reason="clang-19, what it needs for offloading, or its runtime is not here",
)
@pytest.mark.parametrize(("flags", "named"), [(["-g"], True), (["-s"], False)])
def test_programs_of_clang(tmp_path: Path, flags: list[str], named: bool) -> None:
    """With debug information clang passes locations. Without it, calls are told apart by their addresses."""
    assert LLVM_19 is not None
    (tmp_path / "libomp.so").symlink_to(LLVM_19.omp)
    (tmp_path / "libomptarget.so").symlink_to(LLVM_19.omptarget)
    subprocess.run(["ar", "cr", "libomptarget.devicertl.a"], cwd=tmp_path, check=True)
    (tmp_path / "clang.c").write_text(SOLVER)
    command = ["clang-19", "-O1", "-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu", *flags, "clang.c", "-o", "clang"]
    command += [f"-L{tmp_path}", f"-Wl,-rpath,{LLVM_19.omp.parent}", f"-Wl,-rpath,{LLVM_19.omptarget.parent}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    profile, lines = measured(tmp_path / "clang")
    of_relax = [
        line["calls"]
        for line in profile["lines"]
        if line["operations"].get("to_device", {}).get("bytes") == 8 * 16_000_000
    ]
    assert of_relax == [4]
    assert (8 in lines) == named
    assert named or all(line["file"].startswith(("clang+0x", "start ")) for line in profile["lines"])


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ((), 2, "needs a program"),
        (("./nothing-here",), 2, "./nothing-here is no program that can be run"),
        (("--json", "missing/p.json", "./solver"), 3, "cannot write missing/p.json"),
        (("-o", "missing/p.html", "./solver"), 3, "cannot write missing/p.html"),
        (("--trace", ".", "./solver"), 3, "cannot write .: Is a directory"),
        (("-o", "./solver", "./solver"), 2, "-o solver would write over the program"),
        (("--json", "p", "--trace", "../{here}/p", "./solver"), 2, "would write over what --json writes"),
        (("--source", "missing", "./solver"), 2, "--source missing is no folder"),
        (("true",), 0, "nothing was recorded of true"),
        (("false",), 1, "nothing was recorded of false"),
    ],
)
def test_what_cannot_be_profiled(tmp_path: Path, arguments: tuple[str, ...], status: int, message: str) -> None:
    arguments = tuple(word.format(here=tmp_path.name) for word in arguments)
    (tmp_path / "solver").write_text("#!/bin/sh\necho it ran\n")
    (tmp_path / "solver").chmod(0o755)
    done = rex_build(tmp_path, "profile", *arguments)
    assert done.returncode == status, done.stderr
    assert message in done.stderr
    assert not done.stdout, "the program does not run if its profile cannot be written"


def test_the_recorder_is_built_once_and_only_run_if_nobody_else_can_write_it(solver: Path, tmp_path: Path) -> None:
    rex_build(solver.parent, "profile", "./solver", XDG_CACHE_HOME=str(tmp_path))
    (library,) = tmp_path.rglob("*.so")
    first = library.stat().st_ino
    rex_build(solver.parent, "profile", "./solver", XDG_CACHE_HOME=str(tmp_path))
    assert library.stat().st_ino == first
    library.write_bytes(b"not a library")
    library.chmod(0o777)
    done = rex_build(solver.parent, "profile", "./solver", XDG_CACHE_HOME=str(tmp_path))
    assert "solver.c:8" in done.stderr, "it was built again"
    assert library.read_bytes() != b"not a library"


NVCC = find_nvcc()
TOOLKIT = toolkit_folder(NVCC) if NVCC else None


@pytest.mark.skipif(TOOLKIT is None or not (TOOLKIT / "include/cupti.h").exists(), reason="no headers of CUPTI here")
def test_the_recorder_knows_what_cupti_writes(tmp_path: Path) -> None:
    """The recorder is built without CUPTI's headers, so its numbers and records are compared with them here."""
    members = {
        "kernel_record": ("CUpti_ActivityKernel9", "begin:start end:end stream:streamId correlation:correlationId"),
        "copy_record": (
            "CUpti_ActivityMemcpy5",
            "direction:copyKind bytes:bytes begin:start end:end stream:streamId correlation:correlationId",
        ),
        "cupti_call": ("CUpti_CallbackData", "site:callbackSite correlation:correlationId"),
    }
    same = [
        f"offsetof(struct {ours}, {mine}) == offsetof({theirs}, {other})"
        for ours, (theirs, names) in members.items()
        for mine, other in (pair.split(":") for pair in names.split())
    ]
    same += [
        "RECORD_COPY == CUPTI_ACTIVITY_KIND_MEMCPY", "RECORD_KERNEL == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL",
        "COPY_TO == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD", "COPY_FROM == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH",
        "CUPTI_DRIVER == CUPTI_CB_DOMAIN_DRIVER_API",
    ]  # fmt: skip
    functions = (
        "cuLaunchKernel", "cuLaunchKernelEx", "cuLaunchCooperativeKernel", "cuMemcpyHtoD_v2", "cuMemcpyHtoDAsync_v2",
        "cuMemcpyDtoH_v2", "cuMemcpyDtoHAsync_v2",
    )  # fmt: skip
    numbers = re.search(r"cupti_calls\[\] = \{(.*)\}", RECORDER.read_text())
    assert numbers
    same += [
        f"{number} == CUPTI_DRIVER_TRACE_CBID_{name}"
        for name, number in zip(functions, numbers[1].split(","), strict=True)
    ]
    lines = [
        "#define _GNU_SOURCE",
        "#include <cupti.h>",
        f'#include "{RECORDER}"',
        *(f'_Static_assert({test}, "");' for test in same),
    ]
    (tmp_path / "same.c").write_text("\n".join(lines))
    done = subprocess.run(
        ["gcc", "-fsyntax-only", "-w", f"-I{TOOLKIT}/include", "same.c"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_the_page_is_written_when_nobody_reads_the_table(solver: Path, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    page = tmp_path / "page.html"
    command = (sys.executable, "-m", "rex_build", "profile", "-o", page, solver)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=writing, env=os.environ)
    os.close(writing)
    assert page.read_text().rstrip().endswith("</html>")
