"""A missing map fails on the cpu device too: the guard under which the programs run finds device code that uses host
memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from execution import TESTS, Outcome, Program, build_offloaded, guard_library, is_guarded, run

pytestmark = pytest.mark.compile

PROGRAM = Program("missing_map", (TESTS / "guard" / "missing_map.c",), ("-std=c11",), ())


@pytest.fixture(scope="module")
def binary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not is_guarded(PROGRAM, "cpu"):
        pytest.skip("the guard cannot be built here")
    output = tmp_path_factory.mktemp("guard") / "program"
    built = build_offloaded(PROGRAM, output, "cpu")
    assert built.status == 0, built.stderr
    return output


def run_guarded(binary: Path, argument: str) -> Outcome:
    env = {"OMP_TARGET_OFFLOAD": "MANDATORY", "LD_PRELOAD": str(guard_library()), "TMPDIR": str(binary.parent)}
    return run(["env", *(f"{name}={value}" for name, value in env.items()), binary, argument], 60)


def test_mapped_data_passes(binary):
    outcome = run_guarded(binary, "mapped")
    assert (outcome.status, outcome.stderr) == (0, "")


@pytest.mark.parametrize(
    ("argument", "kind"),
    [("heap", "the host's heap"), ("stack", "a host function's variable"), ("static", "the host's static data")],
)
def test_missing_map_fails(binary, argument, kind):
    outcome = run_guarded(binary, argument)
    assert outcome.status != 0
    assert f"reads {kind}" in outcome.stderr


def test_host_function_by_its_address(tmp_path):
    source = TESTS / "guard" / "host_function.c"
    program = Program("host_function", (source,), ("-std=c11",), (), guarded=False)
    built = build_offloaded(program, tmp_path / "program", "cpu")
    assert built.status == 0, built.stderr
    outcome = run(["env", f"TMPDIR={tmp_path}", tmp_path / "program"], 60)
    assert outcome.status != 0
    assert "calls a host function by its address" in outcome.stderr
    assert outcome.stdout == ""
