"""What the command ``rex-build`` does first and last: a cache hit ends it before the rest of rex-build is imported."""

from __future__ import annotations

import gc
import sys


def main() -> int:
    """Run the command ``rex-build``. A cache hit ends the process before the rest of rex-build is imported."""
    # A process lives for one command and makes little garbage. A hit ends before the first search for it, and to search
    # often would cost lowering a twentieth of its time.
    gc.set_threshold(100_000, 20, 20)
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _open_streams()

    from .cache import quick

    quick.main()
    if "site" not in sys.modules:  # python -S, as builds call it
        import site

        site.main()
    from .cli import main as cli

    return _end(cli.main())


def _open_streams() -> None:
    """Open the streams that the caller has closed. Messages would get into the next file that is opened otherwise."""
    import os

    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, "w" if number else "r"))


def _end(status: int) -> int:
    """End the process without cleaning up, which would take a twentieth of what lowering a small unit takes.

    Returns the status if messages cannot be written. The interpreter says so when it ends.
    """
    import os
    from contextlib import suppress

    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status
