"""Every name of the headers that host files include, used for something else: refused with its place, or harmless.

``REX_EXAMPLES`` sets how many are tried (ten times as many; 80 where it is not set);
``python tests/hygiene/test_header_names.py`` tries all.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import rename

from rex_build.base.diagnostics import InputError, source_lines
from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

pytestmark = pytest.mark.compile

# What stands before the function, in it, and in the loop.
USES = {
    "a macro": ("#define NAME + wrong +", "", ""),
    "a macro with parameters": ("#define NAME(x, y) x wrong y", "", ""),
    "a global variable": ("static double NAME;", "NAME = 1.5;", "total += (int)NAME;"),
    "a local variable": ("", "int NAME = n;", "total += NAME;"),
    "a parameter": ("static int with(int NAME) { REGION return NAME; }", "with(1);", ""),
    "a variable in the body": ("", "", "short NAME = 1; total += NAME;"),
    "a function": ("static int NAME(int x) { return x + 1; }", "n += NAME(1);", "total += NAME(1);"),
    "a type": ("typedef short NAME;", "NAME one = 1; n += one;", "NAME two = 2; total += two;"),
    "a structure": ("struct NAME { int x; };", "struct NAME s = {1}; n += s.x;", "struct NAME t = {2}; total += t.x;"),
    "an enumeration constant": ("enum { NAME = 3 };", "n += NAME;", "total += NAME;"),
    "a member": ("struct with { int NAME; };", "struct with s = {1}; n += s.NAME;", ""),
    "a label": ("", "goto NAME; NAME:;", ""),
}
REGION = "\n#pragma omp target map(tofrom: NAME)\n    NAME += 1;\n"
# What gcc 12's omp.h lacks. rex-build adds these headers to programs that use what they have.
MISSING_FROM_GCC = "#if __GNUC__ < 13\nenum { omp_initial_device = -1 };\n#endif"
PROGRAM = """\
#include <omp.h>
MISSING
int devices(void *p) { return OBJECTS omp_target_is_present(p, omp_initial_device); }
BEFORE
int work(double *a, int n)
{
    int total = 0;
    OUTSIDE
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) reduction(+: total)
    for (int i = 0; i < n; ++i) {
        a[i] *= n;
        INSIDE
    }
    return total;
}
"""


def examples(count: int | None) -> list[tuple[str, str]]:
    everything = [(name, use) for name in sorted(rename.host_header_names()) for use in USES]
    return everything if count is None else random.Random(18).sample(everything, count)


def problem(folder: Path, name: str, use: str) -> str | None:
    """What a program with a name for something does wrong: it does not compile, as it does by itself."""
    text = PROGRAM
    for place, part in zip(("BEFORE", "OUTSIDE", "INSIDE"), USES[use], strict=True):
        text = text.replace(place, part.replace("REGION", REGION).replace("NAME", name))
    source = folder / "unit.c"
    source.write_text(text.replace("MISSING", MISSING_FROM_GCC).replace("OBJECTS", ""))
    compiles = ["gcc", "-fopenmp", "-foffload=disable", "-w", "-fsyntax-only", f"-I{rename.INCLUDE}"]
    if subprocess.run([*compiles, source], capture_output=True).returncode:
        return None  # no program: the name of a type of gcc's own, say
    source.write_text(text.replace("MISSING", "").replace("OBJECTS", "omp_interop_none != (omp_interop_t)p ||"))
    source_lines.cache_clear()  # as in another process
    try:
        host = lower_text(LowerRequest(source=source, out_dir=folder, cflags=())).host
    except InputError as error:
        refused = any(f"'{name}'" in each.message and each.span for each in error.diagnostics)
        return None if refused else f"refused otherwise: {error}"
    (folder / "rose_unit.c").write_text(host)
    done = subprocess.run([*compiles, folder / "rose_unit.c"], capture_output=True, text=True)
    return done.stderr if done.returncode else None


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("name", "use"), examples(10 * int(os.environ.get("REX_EXAMPLES", "8"))))
def test_a_name_of_the_header(name: str, use: str, tmp_path: Path) -> None:
    found = problem(tmp_path, name, use)
    assert found is None, f"{name} is {use}\n{found}"


def main() -> int:
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="rex-hygiene-") as folder:
        for name, use in examples(None):
            if found := problem(Path(folder), name, use):
                wrong += 1
                print(f"==== {name} is {use}\n{found}", flush=True)
    print(f"{len(examples(None))} names and uses, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
