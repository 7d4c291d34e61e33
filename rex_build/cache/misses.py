"""Many processes that miss on one key: one does the work, the others wait for it, but not for ever."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from .settings import warn
from .store import Store

# Far longer than lowering a unit or making an image takes; what is given up then is the saving, not the result.
_PATIENCE_S = 120.0


@contextmanager
def only_one(store: Store, key: str, patience_s: float = _PATIENCE_S) -> Iterator[bool]:
    """Hold the lock of a key. Gives whether somebody else had it in the meantime.

    The kernel ends a crashed holder's lock. Keys share 4,096 lock files, so that none has to be removed. Without a
    lock, for want of permission or after waiting in vain, the work is done all the same.
    """
    if not store.writable:
        yield False
        return
    from filelock import FileLock, Timeout

    path = f"{store.root}/locks/{key[:3]}"
    lock = None
    waited = False
    try:
        store.make_folder(store.root + "/locks")
        lock = FileLock(path, mode=0o666 if store.file_mode() is not None else 0o644, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            waited = True
            lock.acquire(timeout=patience_s, poll_interval=0.02)
    except Timeout:
        lock = None
    except (OSError, NotImplementedError, RuntimeError) as error:
        lock = None
        warn(f"cannot lock {os.path.relpath(path, store.root)}: {error}")
    try:
        yield waited
    finally:
        if lock is not None:
            with suppress(OSError):
                lock.release()
