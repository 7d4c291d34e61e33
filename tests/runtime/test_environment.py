"""OpenMP's environment variables, with every libomptarget found here, in regions on the cpu device."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest
from execution import Outcome, rex_build, run

from rex_build.tools.runtimes import find_runtimes

HERE = Path(__file__).resolve().parent
RUNTIMES = {f"llvm-{r.version[0]}": r for r in find_runtimes()}
VARIABLES = (
    "OMP_NUM_TEAMS", "OMP_TEAMS_THREAD_LIMIT", "OMP_THREAD_LIMIT", "OMP_DEFAULT_DEVICE", "OMP_TARGET_OFFLOAD"
)  # fmt: skip

pytestmark = [
    pytest.mark.compile,
    pytest.mark.parametrize("runtime", RUNTIMES or [pytest.param("", marks=pytest.mark.skip("no libomptarget"))]),
]


@cache
def program(name: str, runtime: str, folder: Path) -> Path:
    root = str(RUNTIMES[runtime].omptarget.parent.parent)
    built = rex_build(
        "cc", "--device", "cpu", "-o", folder / f"{name}-{runtime}", HERE / f"{name}.c", "--", "-O1",
        env={"REX_LLVM_ROOT": root},
    )  # fmt: skip
    assert built.status == 0, built.stderr
    return folder / f"{name}-{runtime}"


@pytest.fixture
def start(runtime: str, tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.getbasetemp()

    def run_with(name: str, **variables: str) -> Outcome:
        clean = {key: value for key, value in os.environ.items() if key not in VARIABLES}
        return run([program(name, runtime, folder)], 60, {**clean, "OMP_NUM_THREADS": "4", **variables}, folder)

    return run_with


def facts(outcome: Outcome) -> dict[str, int]:
    assert outcome.status == 0, outcome.stderr
    return {name: int(value) for name, _, value in (word.partition("=") for word in outcome.stdout.split())}


def test_number_of_teams(start):
    assert facts(start("environment", OMP_NUM_TEAMS="3"))["teams"] == 3
    limited, free = facts(start("environment", OMP_NUM_TEAMS="2")), facts(start("environment"))
    assert limited["loop"] <= 2 < free["loop"]
    assert limited["clause"] == free["clause"] == 5  # a clause is stronger


def test_threads_of_teams(start):
    assert facts(start("environment", OMP_TEAMS_THREAD_LIMIT="1"))["threads"] == 1
    # The limit of the host's own contention group.
    limited, free = facts(start("environment", OMP_THREAD_LIMIT="3")), facts(start("environment"))
    assert (limited["teams"], limited["clause"], limited["on_host"]) == (free["teams"], 5, 0)


def test_default_device(start):
    found = facts(start("environment"))
    assert (found["device"], found["on_host"]) == (0, 0)
    last = found["devices"] - 1  # the host plugin has several
    assert last > 0
    assert facts(start("environment", OMP_DEFAULT_DEVICE=str(last)))["device"] == last
    beyond = start("environment", OMP_DEFAULT_DEVICE=str(last + 50))
    assert beyond.status != 0
    assert "out of range" in beyond.stderr


@pytest.mark.parametrize("policy", ["MANDATORY", "DEFAULT"])
def test_offloading(start, policy):
    assert facts(start("environment", OMP_TARGET_OFFLOAD=policy))["on_host"] == 0


def test_offloading_disabled(start, runtime):
    found = facts(start("environment", OMP_TARGET_OFFLOAD="DISABLED"))
    assert (found["on_host"], found["teams"]) == (1, 1)
    # LLVM 19 still counts the devices that it does not use.
    assert (found["devices"] == 0) == (RUNTIMES[runtime].version[0] > 19)


def test_program_without_kernels(start, runtime):
    found = facts(start("api_only"))
    assert (found["back"], found["initial"]) == (42, 1)
    # Only newer runtimes look for devices where no image asks for one.
    assert (found["devices"] > 0) == (RUNTIMES[runtime].version[0] > 19)
    assert facts(start("api_only", OMP_TARGET_OFFLOAD="DISABLED"))["back"] == 42
