"""Programs of csmith, a generator of random C programs, with everything they compute inside a target region.

``python tests/differential/csmith.py FIRST COUNT [--jobs N] [--keep DIR]`` runs programs of the seeds from FIRST on and
prints those that differ; ``--compile-only ARCH`` lets nvcc compile them instead.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from execution import BUILD_SECONDS, Outcome, Program, build_offloaded, rex_build, run, run_offloaded

HEADERS = Path("/usr/include/csmith")

# What a program is made of changes with its seed: the generator's options, and macros for its headers.
VARIANTS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    ((), ()),
    (("--builtins", "--inline-function"), ("-D__builtin_ia32_crc32qi(a,b)=((a)^(b))",)),
    (("--float",), ()),
    ((), ("-DUSE_MATH_MACROS",)),
    (("--no-volatiles", "--max-array-dim", "4", "--unary-plus-operator"), ()),
)
SMALL = ("--max-funcs", "4", "--max-block-depth", "3", "--max-expr-complexity", "6")

_GENERATED = re.compile(r"^int main \(void\)\n\{\n(.*?)    platform_main_end\(.*?\);\n    return 0;\n\}\n", re.M | re.S)
_COUNTS = re.compile(r"(__builtin_(?:clz|ctz)(?:l|ll)?)\(")

# Undefined results of one program in a few hundred (a float converted to an integer it does not fit) depend on this.
_LEVELS = ("-O0", "-O2")
REFERENCE_SECONDS = 5


def is_installed() -> bool:
    return shutil.which("csmith") is not None and (HEADERS / "csmith.h").exists()


def offloaded(text: str) -> str:
    """A program of csmith's with its functions and globals on the device, the work of ``main`` in a target region."""
    head, *rest = text.split('#include "csmith.h"\n', 1)
    main = _GENERATED.search(rest[0])
    assert main is not None, "csmith's main looks different"
    body = rest[0][: main.start()]
    body = _COUNTS.sub(r"\1(16 | ", body)  # of zero they are undefined
    work = main[1].replace("    platform_main_begin();\n", "").replace("\n    ", "\n        ").strip()
    return f"""{head}#include "csmith.h"
#pragma omp declare target to(crc32_tab, crc32_context)
#pragma omp begin declare target
{body}
#pragma omp end declare target
int main(void)
{{
    uint32_t checksum;
#pragma omp target map(from: checksum)
    {{
        {work}
        checksum = crc32_context ^ 0xFFFFFFFFUL;
    }}
    printf("%08X\\n", checksum);
    return 0;
}}
"""


def generate(seed: int, folder: Path, more: tuple[str, ...] = ()) -> tuple[Program, str] | None:
    """The program of a seed and what it prints without offloading; None where it does not end, or is not defined."""
    options, macros = VARIANTS[seed % len(VARIANTS)]
    command = ["csmith", "--seed", str(seed), "--concise", "--no-argc", *options, *more]
    made = run(command, REFERENCE_SECONDS * 4, cwd=folder)  # it leaves a file there
    if made.status != 0:
        return None
    source = folder / "program.c"
    source.write_text(offloaded(made.stdout))
    flags = ("-std=gnu11", f"-I{HEADERS}", "-w", "-Wno-incompatible-pointer-types", *macros)  # gcc 14 refuses them
    printed = set()
    for level in _LEVELS:
        reference = folder / f"reference{level}"
        built = run(["gcc", *flags, level, "-fwrapv", "-o", reference, source, "-lm"], BUILD_SECONDS)
        assert built.status == 0, built.describe("the reference's compilation")
        ended = run([reference], REFERENCE_SECONDS)
        printed.add(ended.stdout if ended.status == 0 else None)
    (expected, *others) = printed
    if others or expected is None:
        return None
    return Program(f"csmith{seed}", (source,), flags, (), guarded=False), expected


def difference(program: Program, expected: str, folder: Path, keep: Path | None = None) -> str | None:
    """What a program does differently on the cpu device, None when nothing."""
    built = build_offloaded(program, folder / "offloaded", "cpu", keep=keep)
    if built.status != 0:
        return built.describe("rex-build cc")
    actual = run_offloaded(folder / "offloaded", folder)
    if (actual.status, actual.stdout) != (0, expected):
        return f"{actual.describe('the lowered program')}\n--- expected: {expected}"
    return built.stderr.strip() or None  # -w is for the host compiler: device code compiles without a word


def compiled(program: Program, folder: Path, arch: str) -> str | None:
    """What nvcc says about a program's device code, None when nothing."""
    steps = (
        ("lower", program.sources[0], "--out-dir", folder, "--", *program.cflags),
        ("device", folder / "rex_lib_program.cu", "--arch", arch, "-o", folder / "program.cubin"),
    )
    for step in steps:
        done: Outcome = rex_build(*step)
        if done.status != 0 or done.stdout or done.stderr:
            return done.describe(step[0])
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description="Run csmith's programs on the cpu device.")
    parser.add_argument("first", type=int, metavar="FIRST")
    parser.add_argument("count", type=int, metavar="COUNT")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="programs as small as those of the test")
    parser.add_argument("--compile-only", metavar="ARCH", help="compile the device code with nvcc instead")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="programs that differ are copied there")
    options = parser.parse_args()

    def one(seed: int) -> tuple[int, bool, str | None]:
        with tempfile.TemporaryDirectory(prefix="rex-csmith-") as name:
            folder = Path(name)
            found = generate(seed, folder, SMALL if options.small else ())
            if found is None:
                return seed, False, None
            if options.compile_only:
                problem = compiled(found[0], folder, options.compile_only)
            else:
                problem = difference(*found, folder)
            if problem and options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                shutil.copy(folder / "program.c", options.keep / f"csmith{seed}.c")
            return seed, True, problem

    start = time.monotonic()
    ran = differ = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for seed, is_defined, problem in pool.map(one, range(options.first, options.first + options.count)):
            ran += is_defined
            if seed % 50 == 0:
                print(f"{ran} programs up to seed {seed}, {differ} differ so far", flush=True)
            if problem:
                differ += 1
                print(f"==== {seed}\n{problem[:2000]}", flush=True)
    print(f"{ran} programs of {options.count} seeds, {differ} differ, {time.monotonic() - start:.0f} s")
    return 1 if differ or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
