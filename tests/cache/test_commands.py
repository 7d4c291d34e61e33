"""``rex-build cache ...`` and ``lower --explain-key``."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from cache_project import Project, events

from rex_build.cli.main import main


def _run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["cache", *words]) == 0
    return capsys.readouterr().out


def test_stats(project: Project, capsys: pytest.CaptureFixture[str], own_store: Path) -> None:
    project.lower()
    project.lower()
    facts = json.loads(_run(capsys, "stats", "--json"))
    assert facts["hits"] == {"direct hit": 1}
    assert facts["misses"] == {"miss: not seen before": 1}
    assert facts["entries"] == {"manifests": 1, "lowered units": 1, "images": 0, "objects": 0}
    assert facts["bytes"] == sum(path.stat().st_size for path in own_store.glob("[mr]/*/*"))
    assert facts["time_saved_ms"] > 0
    text = _run(capsys, "stats", "--zero")
    assert "hits         1 of 2 (50.0 %)" in text
    assert json.loads(_run(capsys, "stats", "--json"))["hits"] == {}


def test_stats_without_a_store(capsys: pytest.CaptureFixture[str], own_store: Path) -> None:
    assert "none asked for" in _run(capsys, "stats")
    assert not own_store.exists()


def test_clear(project: Project, capsys: pytest.CaptureFixture[str], own_store: Path) -> None:
    project.lower()
    (own_store / "mine").write_text("not the cache's")
    _run(capsys, "clear")
    assert [path.name for path in own_store.iterdir()] == ["mine"]
    assert project.lower() == "miss: not seen before"


def test_trim(project: Project, capsys: pytest.CaptureFixture[str], own_store: Path) -> None:
    for number in range(3):
        project.lower(f"-DN={number}")
    _run(capsys, "trim")
    assert len(list(own_store.glob("[mr]/*/*"))) == 6
    assert "removed 6 entries" in _run(capsys, "trim", "--size", "0")
    assert main(["cache", "trim", "--size", "much"]) == 2


def test_verify(project: Project, capsys: pytest.CaptureFixture[str], own_store: Path) -> None:
    project.lower()
    assert "0 damaged" in _run(capsys, "verify")
    (entry,) = own_store.glob("r/*/*")
    entry.write_bytes(entry.read_bytes()[:-1] + b"?")
    assert main(["cache", "verify"]) == 1
    assert f"{entry}: altered" in capsys.readouterr().out
    _run(capsys, "verify", "--remove")
    assert not entry.exists()


def test_logs_that_have_grown_still_count(project: Project, own_store: Path) -> None:
    project.lower()
    log = own_store / "stats/log"
    log.write_text("direct hit\t5\n" * 30_000)
    project.lower()
    project.lower()
    assert events()["direct hit"] == 30_002
    assert log.stat().st_size < 1000


def _explained(project: Project, capsys: pytest.CaptureFixture[str], *flags: str) -> list[str]:
    line = ["lower", str(project.root / "src/unit.c"), "--base-dir", str(project.root), "--cc", "gcc", "--explain-key"]
    assert main([*line, "--out-dir", str(project.out), "--", f"-I{project.root}/include", *flags]) == 0
    return capsys.readouterr().out.splitlines()


def test_explained_keys_can_be_compared(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = _explained(project, capsys), _explained(project, capsys, "-DX")
    assert set(two) - set(one) - {line for line in two if line.startswith("key: ")} == {"flag: -DX"}
    assert "flag: -IB/include" in one
    assert one[-1] == "outcome: miss, not seen before"


def test_explained_keys_name_the_files(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.lower(depfile=None)
    before = _explained(project, capsys)
    assert before[-1] == "outcome: hit"
    project.write("include/scale.h", "#define FACTOR 3\n")
    after = _explained(project, capsys)
    changed = [line.partition(":")[0] for line in set(after) - set(before)]
    assert sorted(changed) == ["file B/include/scale.h", "outcome"]


def test_the_store_is_where_the_variable_says(project: Project, tmp_path: Path) -> None:
    project.lower()
    shutil.rmtree(os.environ["REX_BUILD_CACHE_DIR"])
    assert project.lower() == "miss: not seen before"
