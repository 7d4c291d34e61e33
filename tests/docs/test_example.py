"""docs/example.md shows what rex-build writes."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]


@pytest.mark.compile
def test_excerpts() -> None:
    spec = importlib.util.spec_from_file_location("example", _ROOT / "scripts" / "example.py")
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    page = (_ROOT / "docs" / "example.md").read_text(encoding="utf-8")
    assert page.count("<!-- excerpt") >= 8
    assert page == example.updated(page), "docs/example.md is out of date: run scripts/example.py and read it again"
