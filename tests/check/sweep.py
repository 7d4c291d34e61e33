"""Runs correct programs on the check device, which must be silent: ``sweep.py [--claims] [NAME...]``.

These are the programs of tests/programs, C and C++, the kernel benchmarks with small sizes, the sample project and an
example.
What a program does on purpose is silenced in its text. Each program has a folder of its own, in which it is built.

With ``--claims`` what transformations rely on is verified, too, and at the end stands how many claims that were.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from execution import UNCACHED, find_cxx_programs, find_programs, rex_build, run  # noqa: E402

# Sizes of benchmarks, which checked runs want to be small.
_POWER = re.compile(r"^(#define [A-Z]+) \(1L? << \d\d\)$", re.MULTILINE)
_FIXED = frozenset(("btree", "molecules", "pgain"))  # sizes in them depend on each other
_LARGE = re.compile(r"^(#define [A-Z]+) ([3-9]\d\d|\d{4,5})$", re.MULTILINE)


@dataclass(frozen=True)
class Checked:
    """A program: its sources, flags of the compiler, and arguments."""

    name: str
    sources: tuple[Path, ...]
    flags: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    is_benchmark: bool = False


def checked_programs() -> Iterator[Checked]:
    for program in (*find_programs(), *find_cxx_programs()):
        yield Checked(program.name, program.sources, program.cflags)
    for source in sorted((ROOT / "bench" / "kernels" / "src").glob("*.c")):
        if source.stem not in _FIXED:
            yield Checked(f"bench/{source.stem}", (source,), is_benchmark=True)
    sample = ROOT / "sample_project"
    yield Checked("sample_project", tuple(sorted(sample.glob("src/*.c"))), (f"-I{sample / 'include'}",))
    example = ROOT / "examples" / "cmake"
    yield Checked("example", tuple(sorted(example.glob("*.c"))))


def complaint(program: Checked, folder: Path, options: Sequence[str] = ()) -> str | None:
    """Builds, with ``options``, and runs a program in a folder. Returns what is wrong, or None."""
    return checked(program, folder, options)[0]


def checked(program: Checked, folder: Path, options: Sequence[str]) -> tuple[str | None, Counter[str]]:
    """(what is wrong, how many claims of each kind were verified)"""
    sources = program.sources
    if program.is_benchmark:
        sources = (smaller(sources[0], folder),)
    binary = folder / "app"
    flags = ("-g", "-O1", *program.flags, "-lm", "-pthread")
    command = ("cc", "--device", "check", *options, "--jobs", "1", "-o", binary, *sources, "--", *flags)
    built = rex_build(*command, env=UNCACHED, cwd=folder)  # so that files have the names that they have where it runs
    if built.status != 0:
        return built.describe("the build"), Counter()
    (folder / "known").write_text("never-released" if program.is_benchmark else "")  # they end without
    settings = {
        "OMP_NUM_THREADS": "4",
        "KMP_BLOCKTIME": "0",
        "BENCH_STEPS": "2",
        "REX_CHECK_SUPPRESSIONS": str(folder / "known"),
    }
    here = sources[0].parent  # directives are known by these names of their files, whose comments count
    seconds = 600 if options else 120
    done = run([binary, *program.arguments], seconds, {**os.environ, **settings, "TMPDIR": str(folder)}, here)
    # Benchmarks of random numbers miss their results if they take few.
    silent = (done.status == 0 or program.is_benchmark) and "rex-build check: 0 findings; " in done.stderr
    return None if silent else done.describe(program.name), claims_in(done.stderr)


def claims_in(said: str) -> Counter[str]:
    """How many claims of each kind a program says that it has verified, and how often all of them."""
    found: Counter[str] = Counter()
    for line in re.findall(r"^rex-build check: claims that were verified: (.*)$", said, re.MULTILINE):
        for kind, count, times in re.findall(r"([a-z ]+): (\d+) \((\d+) times\)", line):
            found[kind.strip()] += int(count)
            found["times"] += int(times)
    return found


def smaller(source: Path, folder: Path) -> Path:
    """A benchmark with small sizes, beside the headers that it includes."""
    for header in source.parent.glob("*.h"):
        (folder / header.name).write_text(header.read_text())
    made = folder / source.name
    text = _LARGE.sub(r"\1 64", _POWER.sub(r"\1 1024", source.read_text()))
    made.write_text(text.replace("#define QUEENS 14", "#define QUEENS 7"))
    return made


def main(words: list[str]) -> int:
    options = [word for word in words if word == "--claims"]
    names = [word for word in words if word not in options]
    chosen = [p for p in checked_programs() if not names or any(name in p.name for name in names)]
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:

        def one(program: Checked) -> tuple[str | None, Counter[str]]:
            folder = Path(scratch) / program.name
            folder.mkdir(parents=True)
            return checked(program, folder, options)

        results = list(pool.map(one, chosen))
    problems = [problem for problem, _ in results if problem]
    print("\n\n".join(problems), file=sys.stderr)
    print(f"{len(chosen) - len(problems)} of {len(chosen)} programs ran in silence")
    if claims := sum((found for _, found in results), Counter[str]()):
        print("claims that were verified: " + ", ".join(f"{kind} {claims[kind]}" for kind in sorted(claims)))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
