"""Build and run the programs of ``tests/programs``: offloaded through rex-build, and as they are, for reference.

Only the standard library and rex-build are used, so that this also serves machines without pytest:

    python3 tests/execution.py --device cuda --jobs 16 --out DIR [NAME...]

builds and runs every program (or those whose name contains one of the NAMEs) and prints what differs at the end.
"""

from __future__ import annotations

import argparse
import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Protocol

import forked

from rex_build.base.paths import include_dir
from rex_build.base.processes import Progress

TESTS = Path(__file__).resolve().parent
PROGRAMS = TESTS / "programs"

# In a program's first lines: what its compilation needs, how the reference is built where gcc's -fopenmp fails, and
# (guard: off) that its device code uses host memory on purpose, (device: cpu) that it is for that device only.
_OPTION = re.compile(r"^// (cflags|reference|guard|device): (.*)$", re.MULTILINE)

# Makes every load and store of a cpu image a call, which tests/guard/guard.c answers, and ends the program where what a
# kernel tells the compiler to assume does not hold. Not optimised, which takes half of the time and keeps more loads
# and stores. Images without the guard are made with -O3, as users get them.
_CHECKED = (
    "-O0 -fsanitize=kernel-address --param asan-instrumentation-with-call-threshold=0 "
    "--param asan-stack=0 --param asan-globals=0 -DREX_CHECK_ASSUMED"
)
# The options of cpu images, which a precompiled header has to have. g++ reads the header itself for units with others.
_IMAGE = "-std=c++17 -DREX_DEVICE_CPU -fopenmp -fPIC -fno-strict-aliasing -Wno-psabi -O3"

# Programs of which only a person can see that they are right, and what every warning says that may be wrong with them.
LIKELY = {
    "cxx/kinds_of_statements": {"unset"},  # nothing reads the elements that 'continue' leaves out
    "team_declared": {"unset"},  # the condition holds for each team
    "team_function_regions": {"race"},  # all threads write one value
    "team_regions": {"race", "dependence"},  # one key is the wanted one, and one thread runs what depends on others
    "thread_memory": {"race"},  # critical regions keep teams apart here
}

# In which orders the cpu device can run iterations that share a grid, so that dependences show, and what images need.
ORDERS = ("last", "interleaved", "first")
IN_ANY_ORDER = "-DREX_CPU_BACKWARDS -DREX_CHECK_ASSUMED"

# For what is built once: a fifth of a build would be to find out what its entries in the cache depend on.
UNCACHED = {"REX_BUILD_CACHE": "off"}

BUILD_SECONDS = 300
RUN_SECONDS = 60


class Named(Protocol):
    """A program of some kind."""

    @property
    def name(self) -> str: ...


@dataclass(frozen=True)
class Program:
    """One program: a ``.c`` or ``.cpp`` file, or a folder of them. ``cflags`` serve both builds, ``reference`` one."""

    name: str
    sources: tuple[Path, ...]
    cflags: tuple[str, ...]
    reference: tuple[str, ...]
    guarded: bool = True
    device: str | None = None

    @property
    def is_cxx(self) -> bool:
        """Whether a part of it is C++."""
        return any(source.suffix == ".cpp" for source in self.sources)


@dataclass(frozen=True)
class Outcome:
    """What a process left: its exit status (negative: the signal that ended it, None: out of time) and its output."""

    status: int | None
    stdout: str
    stderr: str

    def describe(self, what: str) -> str:
        ended = "ran out of time" if self.status is None else f"ended with status {self.status}"
        return f"{what} {ended}\n{self.stdout}{self.stderr}".rstrip()


def lot(program: Named) -> int:
    """A number for drawing some of the programs. Only the name decides it: a new program does not change which others
    are drawn."""
    return zlib.crc32(program.name.encode())


def find_cxx_programs() -> list[Program]:
    """Every program of ``tests/programs/cxx``. A folder there is one program, of C++ and perhaps C units."""
    found = [_program(path, (path,)) for path in (PROGRAMS / "cxx").glob("*.cpp")]
    for folder in (path for path in (PROGRAMS / "cxx").iterdir() if path.is_dir()):
        found.append(_program(folder, tuple(sorted([*folder.glob("*.cpp"), *folder.glob("*.c")]))))
    return sorted(found, key=lambda program: program.name)


def find_programs() -> list[Program]:
    """Every C program, by name. A folder with a ``main.c`` is one program, other folders are groups."""
    found = [_program(path, (path,)) for path in PROGRAMS.glob("*.c")]
    for folder in (path for path in PROGRAMS.iterdir() if path.is_dir()):
        files = tuple(sorted(folder.glob("*.c")))
        if (folder / "main.c").exists():
            found.append(_program(folder, files))
        else:
            found += [_program(path, (path,)) for path in files]
    return sorted(found, key=lambda program: program.name)


@cache
def _program(path: Path, sources: tuple[Path, ...]) -> Program:
    """The program of a file or folder. A dozen files of tests ask for all programs when they are imported."""
    standard = "-std=c++17" if any(source.suffix == ".cpp" for source in sources) else "-std=c11"
    options = {"cflags": standard, "reference": "-fopenmp -foffload=disable"}
    for source in sources:
        options.update(_OPTION.findall(source.read_text()))
    return Program(
        name=path.relative_to(PROGRAMS).with_suffix("").as_posix(),
        sources=sources,
        cflags=tuple(options["cflags"].split()),
        reference=tuple(options["reference"].split()),
        guarded=options.get("guard") != "off",
        device=options.get("device"),
    )


def run(
    command: Sequence[str | Path], seconds: float, env: dict[str, str] | None = None, cwd: Path | None = None
) -> Outcome:
    """Run a command. Output that is no UTF-8 is kept readable."""
    try:
        done = subprocess.run(
            [str(word) for word in command], capture_output=True, timeout=seconds, env=env, cwd=cwd, check=False
        )
    except subprocess.TimeoutExpired as late:
        return Outcome(None, _text(late.stdout), _text(late.stderr))
    return Outcome(done.returncode, _text(done.stdout), _text(done.stderr))


def _text(output: bytes | None) -> str:
    return (output or b"").decode("utf-8", "backslashreplace")


def rex_build(
    *arguments: str | Path, seconds: float = BUILD_SECONDS, cwd: Path | None = None, env: dict[str, str] | None = None
) -> Outcome:
    """Run this checkout's rex-build with this interpreter. ``env`` is added to the environment."""
    status, out, errors = forked.call([str(word) for word in arguments], seconds, {**os.environ, **(env or {})}, cwd)
    return Outcome(status, _text(out), _text(errors))


@cache
def guard_library() -> Path | None:
    """The library that ends a program whose device code touches host memory; None where it cannot be built.

    Beside it is the device library precompiled, as reading it is two thirds of what compiling a small image takes.
    """
    folder = Path(tempfile.mkdtemp(prefix="rex-guard-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    header = folder / "rex_library.h"
    header.write_text(f'#include "{include_dir()}/xomp_cuda_lib_inlined.cu"\n')
    options = [*_IMAGE.split(), *_CHECKED.split(), "-x", "c++-header"]
    run(["g++", *options, header, "-o", folder / "rex_library.h.gch"], BUILD_SECONDS)
    library, source = folder / "guard.so", TESTS / "guard" / "guard.c"
    options = ["-std=gnu11", "-O2", "-fPIC", "-shared"]
    done = run(["gcc", *options, "-o", library, source, "-ldl", "-pthread"], BUILD_SECONDS)
    return library if done.status == 0 else None


@cache
def quick_linker() -> dict[str, str]:
    """An environment in which programs are linked by gold, if it is here: ld takes three times as long, a fifth of all
    that building a program takes."""
    gold = shutil.which("ld.gold")
    if gold is None:
        return {}
    folder = Path(tempfile.mkdtemp(prefix="rex-linker-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "ld").symlink_to(gold)
    found = {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    program = folder / "program.cpp"
    program.write_text("#include <string>\nint main(int n, char **a) { return std::string(a[0]).size() == 0; }\n")
    command = [*os.environ.get("CXX", "g++").split(), str(program), "-o", str(folder / "program")]
    linked = subprocess.run(command, env={**os.environ, **found}, capture_output=True, check=False)
    return found if linked.returncode == 0 else {}  # gcc may have libraries that only its own linker finds


@cache
def quick_nvcc() -> tuple[str, ...]:
    """nvcc's options for device code that is compiled and not run, if it has them (CUDA 13): it spends most of its time
    on making large kernels fast."""
    known = "--Ofast-compile" in run(["nvcc", "--help"], RUN_SECONDS).stdout
    return ("-Ofc=max",) if known else ()


def is_guarded(program: Program, device: str) -> bool:
    """Whether a program runs with the guard: on the cpu device, where nothing else would notice a missing map."""
    return device == "cpu" and program.guarded and "CXX" not in os.environ and guard_library() is not None


def every_warning(program: Program) -> tuple[str, ...]:
    """The option that makes rex-build say all that may be wrong. The programs are right, so there is nothing to say."""
    return () if program.name in LIKELY else ("-Wrex-all",)


def build_offloaded(
    program: Program,
    output: Path,
    device: str,
    arch: str | None = None,
    keep: Path | None = None,
    more: Sequence[str] = (),
    image: str | None = None,
) -> Outcome:
    """``rex-build cc`` for one device kind (``cpu`` or ``cuda``), with ``more`` of its options. g++ makes cpu images
    with the options ``image``, behind its usual ones."""
    # Host files are compiled without -O, which takes less time; other tests have it.
    options: list[str | Path] = ["--device", device, "--jobs", "1", *(["--arch", arch] if arch else []), *more]
    if keep:
        options += ["--keep-dir", keep]
    # A C++ program's own units are compiled by the same compiler, so a script tells them from images.
    env = UNCACHED | quick_linker()
    if is_guarded(program, device):
        image = _CHECKED
    if image is not None and (library := guard_library()):
        env |= {
            "CXX": str(TESTS / "guard" / "g++.sh"), "REX_CHECKED": image, "REX_CHECKED_HEADERS": str(library.parent)
        }  # fmt: skip
    return rex_build("cc", *options, "-o", output, *program.sources, "--", *program.cflags, "-lm", "-pthread", env=env)


def build_reference(program: Program, output: Path) -> Outcome:
    """The unlowered program, its target regions left to the host by gcc.

    The code that gcc keeps for an offload compiler is taken out of the objects: linking it would need one.
    """
    cc = os.environ.get("CC", "gcc").split()
    cxx = ["g++"]
    objects: list[Path] = []
    for number, source in enumerate(program.sources):
        objects.append(output.with_name(f"{output.name}.{number}.o"))
        options = [*program.cflags, "-w", *program.reference]
        steps = [
            [*(cxx if source.suffix == ".cpp" else cc), *options, "-c", source, "-o", objects[-1]],
            ["objcopy", "--wildcard", "-R", ".gnu.offload_lto*", objects[-1]],
        ]
        for step in steps:
            done = run(step, BUILD_SECONDS)
            if done.status != 0:
                return done
    link = [*(cxx if program.is_cxx else cc), *program.reference, *objects, "-o", output, "-lm", "-pthread"]
    return run(link, BUILD_SECONDS, os.environ | quick_linker())


def run_offloaded(
    binary: Path, scratch: Path, policy: str = "MANDATORY", guard: Path | None = None, order: str = ""
) -> Outcome:
    """Run a lowered program; a region that does not reach a device is an error. ``scratch`` is an existing folder. An
    image that is made with REX_CPU_BACKWARDS runs iterations in an ``order``.

    With the ``policy`` ``DISABLED`` every region runs its host version.

    Four threads where there may be fewer cores: more teams and threads than one shows more mistakes.
    """
    settings = {"OMP_TARGET_OFFLOAD": policy, "OMP_NUM_THREADS": "4", "KMP_BLOCKTIME": "0", "TMPDIR": str(scratch)}
    if guard:
        settings["LD_PRELOAD"] = str(guard)
    if order:
        settings["REX_CPU_ORDER"] = order
    return run([binary], RUN_SECONDS, {**os.environ, **settings}, scratch)


def run_reference(binary: Path) -> Outcome:
    settings = {"OMP_TARGET_OFFLOAD": "DISABLED", "OMP_NUM_THREADS": "4", "OMP_WAIT_POLICY": "passive"}
    return run([binary], RUN_SECONDS, {**os.environ, **settings})


def compares_fallback(program: Program) -> bool:
    """Whether gcc's OpenMP gets the program right: where it does not, neither do host versions."""
    return "-fopenmp" in program.reference


def unlike_in_order(binary: Path, scratch: Path, expected: Outcome) -> str | None:
    """What a program does otherwise than expected in one of the orders of iterations, None when nothing."""
    for order in ORDERS:
        actual = run_offloaded(binary, scratch, order=order)
        if (actual.status, actual.stdout) != (expected.status, expected.stdout):
            what = f"the lowered program, {order} iterations before others"
            return f"{actual.describe(what)}\n--- expected:\n{expected.stdout}".rstrip()
    return None


def verify_in_any_order(program: Program, folder: Path) -> str | None:
    """``verify`` on the cpu device, where the threads' iterations run in every order, without optimised images."""
    plain = build_reference(program, folder / "reference")
    if plain.status != 0:
        return plain.describe("building the reference")
    built = build_offloaded(replace(program, guarded=False), folder / "offloaded", "cpu", image=f"{IN_ANY_ORDER} -O0")
    if built.status != 0:
        return built.describe("rex-build cc")
    return unlike_in_order(folder / "offloaded", folder, run_reference(folder / "reference"))


def verify(
    program: Program, folder: Path, device: str, arch: str | None = None, more: Sequence[str] = ()
) -> str | None:
    """Build and run both forms in the empty folder ``folder``, with ``more`` options of ``rex-build cc``. Returns what
    is wrong, or None."""
    plain = build_reference(program, folder / "reference")
    if plain.status != 0:
        return plain.describe("building the reference")
    expected = run_reference(folder / "reference")
    if expected.status != 0:
        return expected.describe("the reference")
    built = build_offloaded(program, folder / "offloaded", device, arch, folder / "generated", more)
    if built.status != 0:
        return built.describe("rex-build cc")
    guard = guard_library() if is_guarded(program, device) else None
    actual = run_offloaded(folder / "offloaded", folder, guard=guard)
    fallback = run_offloaded(folder / "offloaded", folder, "DISABLED") if compares_fallback(program) else expected
    if (fallback.status, fallback.stdout) != (expected.status, expected.stdout):
        return f"{fallback.describe('the host version')}\n--- expected:\n{expected.stdout}".rstrip()
    if (actual.status, actual.stdout) == (expected.status, expected.stdout):
        # Generated code compiles without a word.
        return f"right, but built with warnings:\n{built.stderr.rstrip()}" if built.stderr.strip() else None
    return f"{actual.describe('the lowered program')}\n--- expected:\n{expected.stdout}".rstrip()


def main() -> int:
    parser = argparse.ArgumentParser(description="Build and run the test programs on a device.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only programs whose name contains one of these")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--arch", help="sm_<NN> for cuda (default: the GPU here)")
    parser.add_argument("--in-any-order", action="store_true", help="the cpu device takes iterations in every order")
    parser.add_argument("--options", default="", help="more options of rex-build cc, in one word")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="what is built goes here")
    options = parser.parse_args()
    chosen = [p for p in (*find_programs(), *find_cxx_programs()) if p.device in (None, options.device)]
    chosen = [p for p in chosen if not options.names or any(name in p.name for name in options.names)]

    def one(program: Program) -> str | None:
        progress.begin(program.name)
        folder = options.out / program.name
        folder.mkdir(parents=True, exist_ok=True)
        if options.in_any_order:
            found = verify_in_any_order(program, folder.resolve())
        else:
            found = verify(program, folder.resolve(), options.device, options.arch, options.options.split())
        progress.end()
        return found

    start = time.monotonic()
    with Progress(len(chosen)) as progress, ThreadPoolExecutor(options.jobs) as pool:
        problems = dict(zip((p.name for p in chosen), pool.map(one, chosen), strict=True))
    failed = {name: problem for name, problem in problems.items() if problem}
    for name, problem in failed.items():
        print(f"==== {name}\n{problem}\n")
    if failed:
        print("failed: " + " ".join(failed))
    print(
        f"{len(problems) - len(failed)} of {len(problems)} programs right on the {options.device} device, "
        f"{time.monotonic() - start:.0f} s"
    )
    return 1 if failed or not problems else 0


if __name__ == "__main__":
    sys.exit(main())
