"""A project and a store of its own for every test of the cache."""

from __future__ import annotations

from pathlib import Path

import pytest
from cache_project import Project


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store for one test, without any of the user's settings."""
    for name in ("REX_BUILD_CACHE", "REX_BUILD_CACHE_SIZE", "REX_BUILD_CACHE_REMOTE", "CPATH", "C_INCLUDE_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("REX_BUILD_CACHE_DIR", str(tmp_path / "store"))
    return tmp_path / "store"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "checkout")
