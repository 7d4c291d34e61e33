"""Locks between processes, for which filelock waits, and a fallback for file systems that cannot lock files."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from .store import Store, warn

TYPE_CHECKING = False

if TYPE_CHECKING:
    from filelock import FileLock


# The errors that ``flock`` gives when another process holds the lock.
TAKEN = (errno.EAGAIN, errno.EACCES)


@contextmanager
def held(store: Store, path: str, patience_s: float, poll_s: float) -> Iterator[tuple[bool, bool]]:
    """Hold the lock file ``path`` of a store. Yields (whether it is held, whether another process held it meanwhile).

    The kernel releases the lock of a process that crashes. Over NFS, ``flock`` works between machines too. Where it
    does not work at all, this warns and holds nothing. (Older releases of filelock mistake that for a lock that another
    process holds.)
    """
    handle = lock = None
    waited = False
    try:
        store.make_folder(os.path.dirname(path))
        handle = _lock_now(path, store.file_mode() is not None)
        if handle is None:
            waited = True
            lock = _wait_for(path, patience_s, poll_s)
    except (OSError, NotImplementedError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        warn(f"cannot lock files in {os.path.dirname(path)}, so work may be done twice: {why}")
    try:
        yield handle is not None or lock is not None, waited
    finally:
        with suppress(OSError):
            if handle is not None:
                os.close(handle)
            elif lock is not None:
                lock.release()


def _lock_now(path: str, shared: bool) -> int | None:
    """Create the lock file and lock it. Returns None if another process holds the lock. To close it releases it.

    Raises OSError where locking does not work at all.
    """
    import fcntl

    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    try:
        if shared:
            with suppress(OSError):  # another user owns the file and has set its mode
                os.fchmod(handle, 0o666)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        if error.errno not in TAKEN:
            raise
        return None
    return handle


def _wait_for(path: str, patience_s: float, poll_s: float) -> FileLock | None:
    """The lock, once another process has released it, or None after the patience has run out."""
    from filelock import FileLock, Timeout  # most runs wait for nobody, and do not import it

    lock = FileLock(path, thread_local=False)
    try:
        lock.acquire(timeout=patience_s, poll_interval=poll_s)
    except Timeout:
        return None
    return lock


# When several processes miss the same key, one does the work and the others wait for it, for a limited time.

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
