"""docs/check.md has a section for each name: a wrong program, what is said about it, and the mended program."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from rex_build.base.diagnostics import source_lines
from rex_build.base.findings import NAMES, reported
from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

_PAGE = Path(__file__).parents[2] / "docs" / "check.md"
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def sections() -> dict[str, list[tuple[str, str]]]:
    """The blocks of each section, with their languages."""
    parts = re.split(r"^## rex-([\w-]+)$", _PAGE.read_text(), flags=re.MULTILINE)
    return {name: _BLOCK.findall(text) for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def test_every_name_has_a_section() -> None:
    assert set(sections()) == set(NAMES)


@pytest.mark.compile
@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", NAMES)
def test_section(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (_, wrong), (_, message), (_, right) = sections()[name]
    assert said_about(wrong, tmp_path / "wrong", monkeypatch) == message
    assert said_about(right, tmp_path / "right", monkeypatch) == ""


def said_about(program: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    Path("example.c").write_text(program)
    source_lines.cache_clear()  # every program is called example.c
    lowered = lower_text(LowerRequest(Path("example.c"), folder, cc="gcc"))
    return "".join(f"{diagnostic.format()}\n" for diagnostic in reported(lowered.findings, ("-Wrex-all",)))


def rewrite() -> None:
    """Write what is said about the wrong programs into the page: ``python tests/check/test_page.py``."""
    import tempfile

    text = _PAGE.read_text()
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        for name, blocks in sections().items():
            said = said_about(blocks[0][1], Path(folder) / name, patch)
            head, found, rest = text.partition(f"## rex-{name}\n")
            text = head + found + rest.replace(f"```\n\n```\n{blocks[1][1]}```\n", f"```\n\n```\n{said}```\n", 1)
    _PAGE.write_text(text)


if __name__ == "__main__":
    sys.exit(rewrite())
