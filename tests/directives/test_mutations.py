"""Pragmas with a word too many, a parenthesis too few, a clause twice: an error at its place, or what gcc takes too."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

import pytest
from execution import TESTS, run
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rex_build.base.diagnostics import InputError
from rex_build.base.paths import include_dir
from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

_PROGRAMS = ("collapse", "critical", "data/constructs", "host_directives", "reduction_nested", "sections", "tasks")
_PRAGMA = re.compile(r"^( *#pragma omp )(.*[^\\])$", re.MULTILINE)
_TOKEN = re.compile(r'\w+|"[^"]*"|\S')
_CLAUSE = re.compile(r"\b\w+ ?\([^()]*\)")
_WORDS = """target teams parallel for simd map private firstprivate reduction num_teams schedule collapse if nowait
    default depend tofrom always static none n 0 -1 1.5 + : , ( ) [ [0:n] {} #""".split()  # noqa: SIM905
_NUMBERS = count()


@st.composite
def _mutated(draw: st.DrawFn) -> str:
    """A program in which one pragma is another."""
    text = (TESTS / "programs" / f"{draw(st.sampled_from(_PROGRAMS))}.c").read_text()
    pragma = draw(st.sampled_from(list(_PRAGMA.finditer(text))))
    directive = pragma[2]
    tokens, clauses = list(_TOKEN.finditer(directive)), list(_CLAUSE.finditer(directive))
    at = draw(st.sampled_from(tokens))
    clause = draw(st.sampled_from(clauses)) if clauses else at
    word = draw(st.sampled_from(_WORDS))
    change = draw(st.integers(0, 6))
    if change == 0:  # a token is missing
        directive = directive[: at.start()] + directive[at.end() :]
    elif change == 1:  # another stands in its place
        directive = f"{directive[: at.start()]} {word} {directive[at.end() :]}"
    elif change == 2:  # one too many
        directive = f"{directive[: at.start()]} {word} {directive[at.start() :]}"
    elif change == 3:  # a clause twice
        directive += f" {clause[0]}"
    elif change == 4:  # with nothing in its parentheses, or without them
        directive = directive.replace(clause[0], re.sub(r"\(.*", draw(st.sampled_from(["", "()"])), clause[0]), 1)
    elif change == 5:  # with a modifier
        directive = directive.replace(clause[0], clause[0].replace("(", f"({word}: ", 1), 1)
    else:  # one too many
        directive += f" {word}({draw(st.sampled_from(_WORDS))})"
    return text[: pragma.start()] + pragma[1] + directive + text[pragma.end() :]


@pytest.mark.compile
@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
)
@given(text=_mutated())
def test_mutated_pragmas(tmp_path: Path, text: str) -> None:
    source = tmp_path / f"mutated_{next(_NUMBERS)}.c"  # lines of a file that was read are kept
    source.write_text(text)
    flags = ["-fopenmp", f"-I{TESTS / 'programs'}"]
    try:
        lowered = lower_text(LowerRequest(source, tmp_path, tuple(flags), base_dir=tmp_path))
    except InputError as error:  # anything else is a bug
        missing = [d.message for d in error.diagnostics if d.span is None]
    else:
        missing = []
        host = tmp_path / f"rose_{source.name}"
        host.write_text(lowered.host)
        check = ["gcc", "-w", "-fsyntax-only", f"-I{include_dir()}", *flags]
        said = run([*check, host], 100)
        if said.status:  # what gcc refuses stands in the user's text
            assert run([*check, source], 100).status, said.stderr
            first = re.search(r"^(.*?):\d+:\d+: error", said.stderr, re.MULTILINE)
            assert first is not None
            assert Path(first[1]).name != host.name, said.stderr
    assert not missing
