"""Lowers random edits of the programs of ``tests/programs``, and asks the compilers what they think of the results.

``python tests/fuzz/fuzz.py SEED COUNT [--jobs N] [--keep DIR] [--nvcc EVERY]`` lowers COUNT programs. It prints what is
wrong, with the number of the program, and how often gcc and rex-build took a program or refused it. Wrong is

- an internal error, a lowering that does not end, or a refusal without a place,
- a host file or a device file that does not compile although gcc accepts the program.

With ``--only NUMBER`` one program of the seed is lowered, and kept.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from execution import PROGRAMS, find_programs
from mutate import Directives, mutant, split

from rex_build.base.diagnostics import InputError, InternalError, RexError
from rex_build.base.paths import include_dir
from rex_build.pipeline import lower_text
from rex_build.request import Lowered as Result
from rex_build.request import LowerRequest

SECONDS = 30  # of processor time, for one lowering or compilation
_WAIT = 10 * SECONDS  # for one of them to end, on a machine that does other things
_BATCH = 25
# What C does not allow either, but gcc before 14 takes with a warning.
_CONSTRAINTS = ("-Werror=incompatible-pointer-types", "-Werror=int-conversion")
_DIALECTS = ((), (), (), (), ("-std=gnu2x",), ("-std=c11",), ("-std=gnu99",), ("-O2",))
_DEVICE = ("-std=c++17", "-DREX_DEVICE_CPU", "-fopenmp", "-fPIC", "-fno-strict-aliasing", "-w")


# Notes a fault: its kind, and the message.
Fault = Callable[[str, str], None]


@dataclass
class Found:
    """What is wrong with one program: its number, the kind of fault, the message, and the text."""

    number: int
    kind: str
    message: str
    text: str

    @property
    def signature(self) -> str:
        """Equal for two programs with, most likely, the same fault."""
        return f"{self.kind}: {plain(self.message)}"


@dataclass
class Tally:
    """Counts of what became of programs."""

    counts: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)  # of programs that gcc accepts, by message
    examples: dict[str, int] = field(default_factory=dict)  # a program for each of these messages
    found: list[Found] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.counts += other.counts
        self.refusals += other.refusals
        self.examples = {**other.examples, **self.examples}
        self.found += other.found


class TooSlow(BaseException):
    """The time for one lowering is over."""


def plain(message: str) -> str:
    """A message without the names and numbers of one program."""
    return re.sub(r"\d+", "N", re.sub(r"'[^'\n]*'|‘[^’\n]*’|\"[^\"\n]*\"", "'…'", message.strip().split("\n")[0]))[:160]


@cache
def corpus() -> tuple[list[tuple[list[str], tuple[str, ...]]], Directives]:
    """The parts and flags of each program, and the edits of directives."""
    sources = [
        (path.read_text(errors="surrogateescape"), (*program.cflags, f"-iquote{path.parent}"))
        for program in find_programs()
        for path in program.sources
    ]
    return [(split(text), flags) for text, flags in sources], Directives([text for text, _ in sources])


def program_of(seed: int, number: int) -> tuple[str, tuple[str, ...]]:
    """A random program and its flags."""
    choose = Random(f"{seed}:{number}")
    programs, directives = corpus()
    parts, flags = choose.choice(programs)
    text = mutant(parts, directives, choose)
    dialect = choose.choice(_DIALECTS)
    return text, (*flags, *dialect, f"-iquote{PROGRAMS}", "-w")


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def compiles(command: Sequence[str], folder: Path) -> str | None:
    """What a compiler says against a file, None if it accepts it."""
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        done = subprocess.run(
            command, capture_output=True, cwd=folder, timeout=_WAIT, preexec_fn=_limited, env=environment
        )
    except subprocess.TimeoutExpired:
        return "no end"
    return (done.stderr.decode("utf-8", "replace") or "failed without a word") if done.returncode else None


@contextmanager
def _time_limit() -> Iterator[None]:
    def late(*_: object) -> None:
        raise TooSlow

    limits = ((signal.SIGPROF, signal.ITIMER_PROF, SECONDS), (signal.SIGALRM, signal.ITIMER_REAL, _WAIT))
    before = [(number, signal.signal(number, late)) for number, _, _ in limits]
    for _, timer, seconds in limits:
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for _, timer, _ in limits:
            signal.setitimer(timer, 0)
        for number, handler in before:
            signal.signal(number, handler)


def errors_of(messages: str) -> str:
    """The first error among a compiler's messages."""
    for pattern in (r"^.*(?:error|sorry|undefined).*$", r"^.+$"):
        if match := re.search(pattern, messages, re.MULTILINE):
            return re.sub(r"^\S+?:[\d:]*\s*|^.*?\(\d+\): ", "", match[0])
    return messages


# In place of the programs' own check.h, whose <stdio.h> all compilers would have to read for each program.
_CHECK = """\
#ifndef CHECK_H
#define CHECK_H
int printf(const char *, ...);
int puts(const char *);
static int check_failures;
#define CHECK(condition) do { if (!(condition)) { printf("%s", #condition); ++check_failures; } } while (0)
#define CHECK_RESULT() (puts("ok"), check_failures != 0)
#endif
"""


def prepare(folder: Path) -> None:
    """Make what all programs share: their check.h, and the compiled header that device files begin with."""
    (folder / "below").mkdir()
    (folder / "check.h").write_text(_CHECK)
    (folder / "cpu").mkdir()
    name = "cpu/rex_device.h"
    command = ["g++", *_DEVICE, "-x", "c++-header", str(include_dir() / name), "-o", f"{name}.gch"]
    problem = compiles(command, folder)
    assert problem is None, problem


class Lowered:
    """A folder in which programs are lowered and compiled. ``headers`` is the folder that is prepared."""

    def __init__(self, folder: Path, headers: Path) -> None:
        self.folder = folder
        self.headers = headers

    def judge(self, number: int, text: str, flags: tuple[str, ...], tally: Tally, nvcc: bool = False) -> None:
        """Lower one program and note what becomes of it."""
        flags = (f"-iquote{self.headers}", f"-iquote{self.headers}/below", *flags)
        source = self.folder / f"p{number}.c"  # another name for each: lines of sources are read once in a process
        source.write_text(text, encoding="utf-8", errors="surrogateescape", newline="")
        openmp = (*flags, "-fopenmp", "-foffload=disable")
        plain_c = [flag for flag in flags if flag != "-w"]
        strict = ("gcc", *plain_c, *_CONSTRAINTS, "-fsyntax-only", source.name)
        rejected = compiles([*strict, "-fopenmp", "-foffload=disable"], self.folder)
        if rejected is not None and "internal compiler error" in rejected:
            tally.counts["gcc itself fails"] += 1
            return
        # gcc may not know a directive that rex-build does: then the C around it is what counts.
        as_c = None if rejected is None else compiles([*strict, "-D_OPENMP=201511"], self.folder)
        accepted = rejected is None or as_c is None
        verdict = "gcc rejects" if not accepted else "gcc accepts" if rejected is None else "gcc accepts the C alone"
        tally.counts[verdict] += 1

        def fault(kind: str, message: str) -> None:
            tally.found.append(Found(number, kind, message, text))

        lowered = self._lowered(source, flags, accepted, number, tally, fault)
        if lowered is None or not accepted:
            return
        tally.counts["lowered"] += 1
        self._compile(lowered, source, flags, openmp if rejected is None else None, number, nvcc, tally, fault)

    def _lowered(
        self, source: Path, flags: tuple[str, ...], accepted: bool, number: int, tally: Tally, fault: Fault
    ) -> Result | None:
        """What a program is lowered to, or None if it is refused."""
        request = LowerRequest(source, self.folder, (*flags, "-fopenmp"), cc="gcc")
        try:
            with _time_limit():
                return lower_text(request)
        except InputError as error:
            message = error.diagnostics[0].message
            if error.diagnostics[0].span is None and accepted:
                fault("no place", message)
            if accepted:
                tally.counts["refused"] += 1
                tally.refusals[plain(message)] += 1
                tally.examples.setdefault(plain(message), number)
        except InternalError as error:
            fault("internal error", str(error.diagnostics[0].message))
        except RexError as error:
            fault("other error", str(error.diagnostics[0].message))
        except TooSlow:
            fault("no end", "lowering takes too long")
        except Exception as error:  # noqa: BLE001 - what must not happen is what is looked for
            trace = error.__traceback__
            while trace and trace.tb_next:
                trace = trace.tb_next
            where = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else ""
            fault("internal error", f"{type(error).__name__}: {error} at {where}")
        return None

    def _compile(
        self,
        lowered: Result,
        source: Path,
        flags: tuple[str, ...],
        openmp: tuple[str, ...] | None,
        number: int,
        nvcc: bool,
        tally: Tally,
        fault: Fault,
    ) -> None:
        """Compile the device file and, if gcc accepts the program with the flags ``openmp``, the host file."""
        host = self.folder / f"rose_{source.name}"
        host.write_text(lowered.host, encoding="utf-8", errors="surrogateescape", newline="")
        device = self.folder / f"rex_lib_{source.stem}.cu"
        device.write_text(lowered.device, encoding="utf-8", errors="surrogateescape", newline="")
        # Some errors only come with code generation, which takes longer.
        ends = ("-S", "-o", "/dev/null") if number % 8 == 0 else ("-fsyntax-only",)
        own = [f"-I{include_dir()}", f"-iquote{self.folder}", *ends]
        problem = compiles(["gcc", *flags, "-fopenmp", *own, host.name], self.folder) if openmp else None
        if problem and openmp and compiles(["gcc", *openmp, "-S", "-o", "/dev/null", source.name], self.folder) is None:
            fault("host file", errors_of(problem))
        if not lowered.entries:
            return
        tally.counts["lowered, with device code"] += 1
        problem = compiles(
            [
                *("g++", *_DEVICE, f"-I{self.headers}", f"-I{include_dir()}", "-include", "cpu/rex_device.h"),
                *("-x", "c++", "-fsyntax-only", device.name),
            ],
            self.folder,
        )
        if problem:
            fault("device file", errors_of(problem))
        elif nvcc:
            tally.counts["compiled by nvcc"] += 1
            command = ["nvcc", "-std=c++17", "-arch=sm_90", "-w", f"-I{include_dir()}", "-ptx", "-o", "/dev/null"]
            if problem := compiles([*command, device.name], self.folder):
                fault("nvcc", errors_of(problem))


def judged(job: tuple[int, Sequence[int], int, Path]) -> Tally:
    """What becomes of programs of a seed."""
    seed, numbers, nvcc, headers = job
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="rex-fuzz-") as name:
        lowered = Lowered(Path(name), headers)
        for number in numbers:
            text, flags = program_of(seed, number)
            lowered.judge(number, text, flags, tally, bool(nvcc) and number % nvcc == 0)
            if tally.found and tally.found[-1].kind == "no end":
                tally.counts["left out"] += len(numbers) - 1 - numbers.index(number)
                break  # that lowering still runs
    return tally


def _keep(found: Sequence[Found], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for fault in found:
        path = folder / f"{fault.number}.c"
        path.write_text(fault.text, encoding="utf-8", errors="surrogateescape", newline="")


def main() -> int:
    parser = argparse.ArgumentParser(description="Lower random edits of the test programs.")
    parser.add_argument("seed", type=int, metavar="SEED")
    parser.add_argument("count", type=int, metavar="COUNT")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write programs with faults there")
    parser.add_argument("--nvcc", type=int, default=0, metavar="EVERY", help="nvcc compiles one device file of so many")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="lower this program of the seed")
    options = parser.parse_args()
    os.environ["REX_BUILD_CACHE"] = "off"
    if options.only is not None:
        text, flags = program_of(options.seed, options.only)
        print(*flags)
        _keep([Found(options.only, "", "", text)], options.keep or Path())
    numbers = range(options.count) if options.only is None else [options.only]
    total = Tally()
    known: Counter[str] = Counter()
    with (
        tempfile.TemporaryDirectory(prefix="rex-fuzz-") as name,
        multiprocessing.Pool(options.jobs, maxtasksperchild=4) as pool,
    ):
        prepare(Path(name))
        batches = (numbers[at : at + _BATCH] for at in range(0, len(numbers), _BATCH))
        jobs = [(options.seed, batch, options.nvcc, Path(name)) for batch in batches]
        for done, tally in enumerate(pool.imap_unordered(judged, jobs), 1):
            total.add(tally)
            for fault in tally.found:
                known[fault.signature] += 1
                if known[fault.signature] <= 3:
                    print(f"{fault.number}: {fault.kind}: {fault.message[:300]}", flush=True)
            if options.keep:
                _keep(tally.found, options.keep)
            if done % 20 == 0:
                print(f"-- {done * _BATCH} programs, {len(total.found)} with faults", flush=True)
    print("\nrefused although gcc accepts them:")
    for message, times in total.refusals.most_common():
        print(f"{times:6}  {message}   ({total.examples[message]})")
    print("\nfaults:")
    for signature, times in known.most_common():
        print(f"{times:6}  {signature}")
    print("\n" + ", ".join(f"{what}: {times}" for what, times in sorted(total.counts.items())))
    return 1 if total.found else 0


if __name__ == "__main__":
    sys.exit(main())
