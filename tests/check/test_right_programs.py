"""The programs of the tests are right, so the warnings have nothing to say about them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from execution import UNCACHED, Program, find_cxx_programs, find_programs, rex_build

PROGRAMS = (*find_programs(), *find_cxx_programs())
# What is not certain, and right for a reason that nobody can see in the text.
_LIKELY = {
    "team_function_regions": {"race"},  # all threads write one value
    "team_regions": {"race", "dependence"},  # one key is the wanted one, and one thread runs what depends on others
    "thread_memory": {"race"},  # critical regions keep teams apart here
}


@pytest.mark.compile
@pytest.mark.sampled(8)
@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_nothing_is_said(program: Program, tmp_path: Path) -> None:
    options = ("--separable",) if len(program.sources) > 1 else ()
    likely = _LIKELY.get(program.name, set())
    for source in program.sources:
        words = ("lower", source, "--out-dir", tmp_path, *options, "-Wrex-all", "--", *program.cflags)
        done = rex_build(*words, env=UNCACHED)
        assert done.status == 0
        assert {*re.findall(r"\[-Wrex-([a-z-]+)\]", done.stderr)} <= likely, done.stderr
        assert likely or not done.stderr
