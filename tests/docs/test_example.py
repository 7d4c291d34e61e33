"""docs/example.md shows what rex-build writes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_EXAMPLE = (_ROOT / "docs" / "example.md").read_text(encoding="utf-8")
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(section: str) -> list[tuple[str, str]]:
    """(language, text) of each code block in the part of the page under a heading that begins so."""
    part = re.split(r"^#+ ", _EXAMPLE, flags=re.MULTILINE)
    text = next(p for p in part if p.startswith(section))
    return [(m[1], m[2]) for m in _FENCE.finditer(text)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("example")
    (folder / "scale.c").write_text(blocks("An example")[0][1])
    subprocess.run([*REX_BUILD, "lower", "scale.c", "--out-dir", "out"], cwd=folder, check=True)
    return folder


REX_BUILD = (sys.executable, "-m", "rex_build")


def assert_excerpt(excerpt: str, text: str) -> None:
    """Every line of the excerpt is in the text, one after the other; … stands for any number of lines."""
    at = 0
    for part in excerpt.split("…\n"):
        found = text.find(part, at)
        assert found >= 0, f"docs/example.md is out of date: this is not (or no longer there) in the output:\n{part}"
        at = found + len(part)


def test_host_file(folder: Path) -> None:
    text = (folder / "out" / "rose_scale.c").read_text()
    excerpts = [excerpt for _, excerpt in blocks("The host file")]
    assert len(excerpts) >= 5
    assert_excerpt("…\n".join(excerpts), text)


def test_device_file(folder: Path) -> None:
    ((_, excerpt),) = blocks("The device file")
    assert_excerpt(excerpt, (folder / "out" / "rex_lib_scale.cu").read_text())


def test_explain(folder: Path) -> None:
    said = subprocess.run(
        [*REX_BUILD, "explain", "scale.c"], cwd=folder, check=True, capture_output=True, text=True
    ).stdout
    ((_, excerpt),) = blocks("What was decided")
    assert_excerpt(excerpt, said)
