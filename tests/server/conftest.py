"""Places with servers of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from served import Place


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A place that the tests of a module share."""
    made = Place(tmp_path_factory.mktemp("server"))
    yield made
    made.end()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Place]:
    """A place for one test."""
    made = Place(tmp_path)
    yield made
    made.end()
