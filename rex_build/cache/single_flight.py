"""When several processes miss the same key, one does the work and the others wait for it, for a limited time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .locks import held
from .store import Store

# This is far longer than lowering a unit or making an image takes. After it a process does the work itself.
_PATIENCE_S = 120.0


@contextmanager
def only_one(store: Store, key: str, patience_s: float = _PATIENCE_S) -> Iterator[bool]:
    """Hold the lock of a key. Yields whether another process held it in the meantime.

    Keys share 4,096 lock files, so that none has to be removed. If the lock cannot be had, because of permissions or
    after waiting too long, the work is done without it.
    """
    if not store.writable:
        yield False
        return
    with held(store, f"{store.root}/locks/{key[:3]}", patience_s, 0.02) as (_, waited):
        yield waited
