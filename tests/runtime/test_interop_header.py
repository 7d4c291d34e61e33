"""rex_interop.h: its functions ask the runtime's functions of the same names, inlined or not."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

INCLUDE = Path(__file__).parents[2] / "rex_build" / "include"

RUNTIME = """
#include <stddef.h>
ptrdiff_t omp_get_interop_int(void *object, int property, int *code) { *code = 0; return *(int *)object + property; }
void *omp_get_interop_ptr(void *object, int property, int *code) { *code = 0; return property ? object : 0; }
const char *omp_get_interop_str(void *object, int property, int *code) { *code = 0; return property ? "name" : object; }
"""
PROGRAM = """
#include "rex_interop.h"
int main(void)
{
    int made = 40, code = 7;
    if (omp_get_interop_int(&made, omp_ipr_device_num, &code) != 35 || code != omp_irc_success)
        return 1;
    if (omp_get_interop_ptr(&made, omp_ipr_targetsync, 0) != &made)
        return 2;
    return omp_get_interop_str(&made, omp_ipr_vendor_name, 0)[0] == 'n' ? 0 : 3;
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_the_runtime_answers(level: str, suffix: str, tmp_path: Path) -> None:
    (tmp_path / "runtime.c").write_text(RUNTIME)
    program = tmp_path / f"program.{suffix}"
    program.write_text(PROGRAM)
    options = [level, "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}"]
    subprocess.run(["gcc", *options, "-c", tmp_path / "runtime.c", "-o", tmp_path / "runtime.o"], check=True)
    subprocess.run(
        ["g++" if suffix == "cpp" else "gcc", *options, program, tmp_path / "runtime.o", "-o", tmp_path / "program"],
        check=True,
    )
    assert subprocess.run([tmp_path / "program"]).returncode == 0


def test_no_function_of_a_header_has_the_symbol_of_a_function_that_it_calls() -> None:
    """A function whose name is the symbol of another declaration would call itself where it is not inlined."""
    for header in INCLUDE.rglob("*.h"):
        text = header.read_text()
        symbols = re.findall(r'(\w+)\([^;{}]*\)\s*__asm__\("(\w+)"\)', text)
        own = {name for name, _ in symbols}
        defined = set(re.findall(r"^static\b[^;{}()]*?\b(\w+)\([^;{}]*\)\n\{", text, re.MULTILINE))
        assert not {symbol for _, symbol in symbols} & (defined - own), header.name
