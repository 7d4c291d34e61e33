"""Many processes that miss on one key: one does the work, the others wait for it, but not for ever."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .locks import held
from .store import Store

# Far longer than lowering a unit or making an image takes; what is given up then is the saving, not the result.
_PATIENCE_S = 120.0


@contextmanager
def only_one(store: Store, key: str, patience_s: float = _PATIENCE_S) -> Iterator[bool]:
    """Hold the lock of a key. Gives whether somebody else had it in the meantime.

    Keys share 4,096 lock files, so that none has to be removed. Without a lock, for want of permission or after waiting
    in vain, the work is done all the same.
    """
    if not store.writable:
        yield False
        return
    with held(store, f"{store.root}/locks/{key[:3]}", patience_s, 0.02) as (_, waited):
        yield waited
