"""How a checked program ends: what was found is told, and makes the status, however the program ends."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from test_run import build, run

_FOLDER = Path(__file__).parent / "ends"


@pytest.fixture(scope="module")
def ends(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("ends") / "app"
    build([_FOLDER / "ends.c"], program, "-std=gnu11", "-g", "-w")
    return program


def _ends(program: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    script = program.parent / "script"
    script.write_text("#!/bin/sh\nexec " + " ".join([f"'{program}'", *words]) + "\n")
    script.chmod(0o755)
    return run(script, **variables)


@pytest.mark.compile
@pytest.mark.parametrize("how", ["return", "exit", "_exit", "abort", "crash", "crash-of-threads", "overlap", "child"])
def test_status(how: str, ends: Path) -> None:
    """A wrong program ends with 66, whether it returns, crashes or the runtime ends it. Right ones have their own."""
    wrong = _ends(ends, "wrong", how)
    assert wrong.returncode == 66, wrong.stderr
    assert " error: " in wrong.stderr
    assert " finding" in wrong.stderr.splitlines()[-1]
    if how not in ("crash-of-threads", "overlap"):
        right = _ends(ends, "right", how)
        assert right.returncode == {"abort": -6, "crash": -11}.get(how, 3), right.stderr
        assert " error: " not in right.stderr


@pytest.mark.compile
def test_continue(ends: Path) -> None:
    """With REX_CHECK=continue, a crash has its own status."""
    done = _ends(ends, "wrong", "crash", REX_CHECK="continue")
    assert done.returncode == -11
    assert "1 finding;" in done.stderr


@pytest.mark.compile
def test_children(ends: Path, tmp_path: Path) -> None:
    """A process that the program makes of itself has a count of its own, and says nothing if it used no device."""
    done = _ends(ends, "wrong", "child", REX_CHECK_OUTPUT=f"json:{tmp_path / 'found.json'}")
    assert done.stdout.splitlines() == ["the child has 5", "its status is 4"]
    assert done.stderr.count("rex-build check: ") == 1
    findings = json.loads((tmp_path / "found.json").read_text())["findings"]
    assert [finding["name"] for finding in findings] == ["dropped-result"]


@pytest.mark.compile
def test_signals(tmp_path: Path) -> None:
    """Handlers of signals interrupt regions, and may be left by a jump. They are unchecked."""
    build([_FOLDER / "signals.c"], tmp_path / "app", "-std=gnu11", "-g")
    for _ in range(3):
        done = run(tmp_path / "app")
        assert done.returncode == 66, done.stderr
        assert done.stdout == "200 1 1 200\n"
        assert "1 finding;" in done.stderr
        assert "[dropped-result]" in done.stderr
