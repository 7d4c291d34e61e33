"""The fuzzer: a few of its programs, and that it finds what it looks for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import fuzz
from execution import find_programs
from mutate import clauses_of, split

from rex_build.request import Lowered, LowerRequest

PROGRAM = "int f(int x)\n{\n#pragma omp target map(tofrom: x)\n    x += 1;\n    return x;\n}\n"

pytestmark = pytest.mark.compile


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> fuzz.Lowered:
    headers = tmp_path_factory.mktemp("headers")
    fuzz.prepare(headers)
    return fuzz.Lowered(tmp_path_factory.mktemp("fuzz"), headers)


def test_programs_of_one_seed_have_no_fault(
    folder: fuzz.Lowered, sample: Callable[[Sequence[int], int], list[int]]
) -> None:
    tally = fuzz.Tally()
    for number in sample(range(int(os.environ.get("REX_FUZZ", "60"))), 6):
        folder.judge(number, *fuzz.program_of(101, number), tally)
    assert not tally.found, [(fault.number, fault.signature) for fault in tally.found]
    assert tally.counts["lowered, with device code"] > 1


@pytest.mark.parametrize(
    ("lowered", "kind"),
    [
        (Lowered("int broken(", "int whole;", (), 1), "host file"),
        (Lowered("int whole;", "int broken(", (), 1), "device file"),
        (KeyError("x"), "internal error"),
    ],
    ids=["host", "device", "internal"],
)
def test_faults_are_found(
    folder: fuzz.Lowered, monkeypatch: pytest.MonkeyPatch, lowered: Lowered | Exception, kind: str
) -> None:
    def lower_text(_request: LowerRequest) -> Lowered:
        if isinstance(lowered, Exception):
            raise lowered
        return lowered

    monkeypatch.setattr(fuzz, "lower_text", lower_text)
    tally = fuzz.Tally()
    folder.judge(1, PROGRAM, (), tally)
    assert [fault.kind for fault in tally.found] == [kind]


def test_refusals_count_only_where_the_compiler_accepts(folder: fuzz.Lowered) -> None:
    tally = fuzz.Tally()
    folder.judge(1, PROGRAM.replace("x += 1", "x += (long double)x"), (), tally)
    folder.judge(2, PROGRAM.replace("x += 1", "x += y"), (), tally)
    assert tally.counts == {"gcc accepts": 1, "gcc rejects": 1, "refused": 1}
    assert not tally.found


def test_programs_are_cut_without_a_loss() -> None:
    for program in find_programs():
        for path in program.sources:
            text = path.read_text(errors="surrogateescape")
            assert "".join(split(text)) == text


def test_clauses_of_a_directive() -> None:
    words = "target teams map(to: a[0:n], b) nowait, if(f(1, 2))"
    assert clauses_of(words) == ("target teams", ["map(to: a[0:n], b)", "nowait", "if(f(1, 2))"])
