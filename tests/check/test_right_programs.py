"""What every warning says about programs that are right for a reason that is not in their text. The tests that run all
others show that nothing is said about these.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from execution import LIKELY, UNCACHED, Program, find_cxx_programs, find_programs, rex_build

PROGRAMS = [program for program in (*find_programs(), *find_cxx_programs()) if program.name in LIKELY]


@pytest.mark.compile
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_what_is_likely(program: Program, tmp_path: Path) -> None:
    (source,) = program.sources
    done = rex_build("lower", source, "--out-dir", tmp_path, "-Wrex-all", "--", *program.cflags, env=UNCACHED)
    assert done.status == 0
    assert {*re.findall(r"\[-Wrex-([a-z-]+)\]", done.stderr)} <= LIKELY[program.name], done.stderr
