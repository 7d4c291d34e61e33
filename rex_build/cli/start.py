"""How a process begins and ends that the cache does not serve."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from ..base.ending import raise_if_ended


def run() -> int:
    """Run the command line of this process, and end it."""
    if "site" not in sys.modules:  # python -S, as builds call it
        import site

        site.main()
    from .main import main

    return _end(main())


def open_streams() -> None:
    """Open the streams that the caller has closed. Messages would get into the next file that is opened otherwise."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, "w" if number else "r"))


def _end(status: int) -> int:
    """End the process without cleaning up, which would take a twentieth of what lowering a small unit takes.

    Returns the status if messages cannot be written. The interpreter says so when it ends.
    """
    raise_if_ended()
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status
