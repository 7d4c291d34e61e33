"""The page of transformations has each of them, with the meaning that explain's help gives."""

from __future__ import annotations

import re
from pathlib import Path

from rex_build.request import TRANSFORMATIONS

_DOCS = Path(__file__).parents[2] / "docs"


def test_each_is_there() -> None:
    page = (_DOCS / "transformations.md").read_text(encoding="utf-8")
    assert dict(re.findall(r"^\| \[`(\w+)`\]\(#\1\) \| (.*) \|$", page, re.MULTILINE)) == TRANSFORMATIONS
    assert {*re.findall(r"^### (\w+)$", page, re.MULTILINE)} == {*TRANSFORMATIONS}
    proofs = (_DOCS / "transformation-proofs.md").read_text(encoding="utf-8")
    assert {*re.findall(r"^## (\w+)$", proofs, re.MULTILINE)} == {*TRANSFORMATIONS}
