"""Locks between processes, made with filelock, and a fallback for file systems that cannot lock files."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from .settings import warn
from .store import Store

# The errors that ``flock`` gives when another process holds the lock.
TAKEN = (errno.EAGAIN, errno.EACCES)


@contextmanager
def held(store: Store, path: str, patience_s: float, poll_s: float) -> Iterator[tuple[bool, bool]]:
    """Hold the lock file ``path`` of a store. Yields (whether it is held, whether another process held it meanwhile).

    The kernel releases the lock of a process that crashes. Over NFS, ``flock`` works between machines too. Where it
    does not work at all, this warns and holds nothing. (Older releases of filelock mistake that for a lock that another
    process holds.)
    """
    from filelock import FileLock, Timeout

    lock = None
    waited = False
    try:
        store.make_folder(os.path.dirname(path))
        _try_to_lock(path, store.file_mode() is not None)
        lock = FileLock(path, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            waited = True
            lock.acquire(timeout=patience_s, poll_interval=poll_s)
    except Timeout:
        lock = None
    except (OSError, NotImplementedError, RuntimeError) as error:
        lock = None
        why = error.strerror if isinstance(error, OSError) else error
        warn(f"cannot lock files in {os.path.dirname(path)}, so work may be done twice: {why}")
    try:
        yield lock is not None, waited
    finally:
        if lock is not None:
            with suppress(OSError):
                lock.release()


def _try_to_lock(path: str, shared: bool) -> None:
    """Create the lock file and try it. Raises OSError where locking does not work at all."""
    import fcntl

    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    try:
        if shared:
            with suppress(OSError):  # another user owns the file and has set its mode
                os.fchmod(handle, 0o666)
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in TAKEN:
            raise
    finally:
        os.close(handle)
