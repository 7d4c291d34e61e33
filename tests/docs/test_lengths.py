"""What people read is short: no paragraph over 80 words, no page over 2,500 besides tables, code and titles."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_PAGES = [_ROOT / "README.md", _ROOT / "ARCHITECTURE.md", *sorted((_ROOT / "docs").rglob("*.md"))]
_LINES_OF_CODE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r" *(?:[-*]|\d+\.) ")


def _paragraphs(page: str) -> list[str]:
    """The paragraphs and items of lists of PAGE."""
    lines = ["" if line.startswith(("#", "|")) else line for line in _LINES_OF_CODE.sub("", page).splitlines()]
    apart = "\n".join("\n" + line if _ITEM.match(line) else line for line in lines).splitlines()
    return [" ".join(group) for has_text, group in groupby(apart, key=lambda line: bool(line.strip())) if has_text]


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.relative_to(_ROOT).as_posix())
def test_paragraphs_and_pages_are_short(page: Path) -> None:
    paragraphs = _paragraphs(page.read_text(encoding="utf-8"))
    assert [paragraph for paragraph in paragraphs if len(paragraph.split()) > 80] == []
    assert sum(len(paragraph.split()) for paragraph in paragraphs) <= 2500


def test_a_long_paragraph_is_seen() -> None:
    page = "# a title\none two\nthree\n\n- four\n- five six\n```\ncode\n```\n| a | b |\n"
    assert _paragraphs(page) == ["one two three", "- four", "- five six"]
