"""Links between the pages lead to files and headings that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_FOLDERS = (".", "docs", "docs/questions", "examples", "sample_project", "bench/lowering")
_PAGES = [path.relative_to(_ROOT).as_posix() for folder in _FOLDERS for path in sorted((_ROOT / folder).glob("*.md"))]


@pytest.mark.parametrize("page", _PAGES)
def test_links(page: str) -> None:
    file = _ROOT / page
    text = re.sub(r"^```.*?^```", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target, heading in re.findall(r"\]\(([^)#]*)(#[^)]*)?\)", text):
        if target.startswith("http"):
            continue
        linked = file.parent / target if target else file
        assert linked.exists(), target
        if heading:
            assert heading[1:] in _anchors(linked.read_text(encoding="utf-8")), target + heading


def _anchors(text: str) -> set[str]:
    """The names under which GitHub makes a page's headings reachable."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
