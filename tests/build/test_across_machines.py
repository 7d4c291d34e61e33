"""Builds on several machines, as examples/across-machines shows them with two workers on this one."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest
from build_tool import ROOT, Tool, install_programs

pytestmark = [pytest.mark.slow, pytest.mark.compile]


def free_ports() -> list[str]:
    with socket.socket() as one, socket.socket() as other:
        for found in (one, other):
            found.bind(("127.0.0.1", 0))
        return [str(found.getsockname()[1]) for found in (one, other)]


def said(script: str, units: int, tool: Tool, tmp_path: Path) -> str:
    """What a script prints, run with no tool of ours in its environment but the commands. It builds ``units``, not 40,
    which take a minute and show the same."""
    install_programs(tool.root, tmp_path)
    ports = free_ports()
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PORT": ports[0], "PORTS": " ".join(ports)}
    env["UNITS"] = str(units)
    done = subprocess.run(
        [ROOT / "examples/across-machines" / script], env=env, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("distccd") is None, reason="no distcc here")
def test_distcc(tool: Tool, tmp_path: Path) -> None:
    """Both workers compile host files and images, each once."""
    units = 10  # of fewer, one worker may have all
    output = said("distcc.sh", units, tool, tmp_path)
    shares = [
        tuple(map(int, share)) for share in re.findall(r"^worker \d+: (\d+) host files, (\d+) images$", output, re.M)
    ]
    assert f"y[8] = {units * (units + 1) // 2}\n" in output
    assert len(shares) == 2
    assert all(map(all, shares))
    assert [sum(column) for column in zip(*shares, strict=True)] == [units, units]


@pytest.mark.skipif(shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") is None, reason="no nginx here")
def test_shared_store(tool: Tool, tmp_path: Path) -> None:
    """Each worker makes the text and the image of one half of the units, and gets those of the other half."""
    pytest.importorskip("urllib3")
    units = 4
    output = said("store.sh", units, tool, tmp_path)
    assert output.count(f"y[8] = {units * (units + 1) // 2}\n") == 2
    assert re.findall(r"^worker (\d): hits (\d+) of (\d+)", output, re.MULTILINE) == [
        (worker, str(units), str(2 * units)) for worker in "12"
    ]
