"""C programs are C++ programs: whoever compiles the same text as C++ gets the same results.

The lists of ``judge.py`` say which programs do not pass yet. They only shrink: a program in them that
passes fails here.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import execution
import pytest
from execution import RUN_SECONDS, Outcome, Program, find_programs, rex_build, run, verify
from judge import KNOWN_REFUSED, KNOWN_WRONG, NOT_CXX, REFUSED, alone, as_one, batches, judged, named_in, scope_of

JUDGED = judged()
REFUSALS = {**REFUSED, **KNOWN_REFUSED}
PASSING = batches(p for p in JUDGED if p.name not in REFUSALS and p.name not in KNOWN_WRONG)
TO_REFUSE = batches(p for p in JUDGED if p.name in REFUSALS)

pytestmark = pytest.mark.compile


def test_a_name_is_of_one_program() -> None:
    """A C program runs in both languages: one in C++ of the same name would be taken for it."""
    of_c, of_cxx = ({p.name.split("/")[-1] for p in found()} for found in (find_programs, execution.find_cxx_programs))
    assert of_c.isdisjoint(of_cxx)


def _name(batch: list[Program]) -> str:
    return batch[0].name if len(batch) == 1 else f"{batch[0].name}..{batch[-1].name}"


@pytest.mark.sampled(8)
@pytest.mark.parametrize("batch", PASSING, ids=_name)
def test_batch(batch: list[Program], device: str, arch: str | None, tmp_path: Path) -> None:
    problem = verify(as_one(batch, tmp_path), tmp_path, device, arch)
    if problem is None:
        return
    found = []
    for number, program in enumerate(batch):  # which of them is it?
        folder = tmp_path / str(number)
        folder.mkdir()
        if reason := verify(alone(program, folder), folder, device, arch):
            found.append(f"==== {program.name}\n{reason}")
    pytest.fail("\n".join(found) or f"together: {problem}", pytrace=False)


@pytest.mark.parametrize("batch", TO_REFUSE, ids=_name)
def test_refused(batch: list[Program], tmp_path: Path) -> None:
    """Each program of the two lists is refused with the words that stand there."""
    together = as_one(batch, tmp_path)
    said = named_in(_lowered(together, tmp_path).stderr, together)
    for program in batch:
        if REFUSALS[program.name] not in said.get(scope_of(program), ""):
            own = _lowered(alone(program, tmp_path), tmp_path)
            assert own.status == 1, f"{program.name} is not refused any more"
            assert REFUSALS[program.name] in own.stderr, own.stderr


def _lowered(program: Program, folder: Path) -> Outcome:
    return rex_build("lower", program.sources[0], "--out-dir", folder / "out", "--", *program.cflags)


@pytest.mark.parametrize("name", KNOWN_WRONG)
def test_known_wrong(name: str, device: str, arch: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if device != "cpu":
        pytest.skip("known for the cpu device")
    monkeypatch.setattr(execution, "RUN_SECONDS", 10)  # some wait for ever
    program = next(p for p in JUDGED if p.name == name)
    problem = verify(alone(program, tmp_path), tmp_path, device, arch)
    assert problem is not None, f"{name} is right: take it out of KNOWN_WRONG"
    assert KNOWN_WRONG[name] in problem


def test_what_is_no_cxx() -> None:
    """g++ refuses what stands in the list."""
    programs = {program.name: program for program in find_programs()}

    def accepted(name: str) -> bool:
        program = programs[name]
        flags = [flag for flag in program.cflags if not flag.startswith("-std=")]
        command = ["g++", "-std=c++17", *flags, *program.reference, "-x", "c++", "-fsyntax-only", "-w"]
        return run([*command, "-fmax-errors=1", program.sources[0]], RUN_SECONDS).status == 0

    with ThreadPoolExecutor(2) as pool:
        assert not [name for name, right in zip(NOT_CXX, pool.map(accepted, NOT_CXX), strict=True) if right]


def test_the_lists_name_programs() -> None:
    names = {program.name for program in JUDGED}
    assert {*REFUSED, *KNOWN_REFUSED, *KNOWN_WRONG} <= names
    assert len(names) > 120
