"""The README says of directives and clauses what the tables say, and its links lead somewhere."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

_ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def status() -> ModuleType:
    spec = importlib.util.spec_from_file_location("status", _ROOT / "scripts" / "status.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_status_section(status: ModuleType) -> None:
    readme = (_ROOT / "README.md").read_text(encoding="utf-8")
    assert readme == status.updated(readme), "README.md is out of date: run scripts/status.py"


def test_tables_name_what_matters(status: ModuleType) -> None:
    tables = status.status_tables()
    supported = next(line for line in tables.splitlines() if line.startswith("| supported | `target`"))
    for name in ("target teams distribute parallel for", "target data", "declare target"):
        assert f"`{name}`" in supported
    assert re.search(r"\| supported \| `map` \(alloc to from tofrom release delete always", tables)


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "docs/example.md", "sample_project/README.md"])
def test_links(page: str) -> None:
    file = _ROOT / page
    for target in re.findall(r"\]\(([^)#]+)\)", file.read_text(encoding="utf-8")):
        assert target.startswith("http") or (file.parent / target).exists(), target
