"""A second level behind the local store."""

from __future__ import annotations

from .settings import Settings
from .store import Store


def connect(_store: Store, _settings: Settings) -> None:
    """Not built yet."""


def disconnect() -> None:
    """Not built yet."""


def fetch(_store: Store, _kind: str, _key: str) -> bool:
    return False


def offer(_store: Store, _kind: str, _key: str) -> None:
    """Not built yet."""
