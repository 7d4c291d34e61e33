"""Runs rex-build as ``python -m rex_build``, or as ``python <folder>/rex_build``, as a checkout's CMake files do."""

from __future__ import annotations

import gc
import sys

if not __package__:
    # When Python runs a folder by its path, it puts that folder on the search path. The package's parent belongs there.
    place = __file__
    if not place.startswith("/") or "/." in place:
        import os  # which a cache hit does without (base/light_os.py)

        place = os.path.abspath(place)
    sys.path[0] = place.rsplit("/", 2)[0]


def main() -> int:
    """Run the command ``rex-build``. A cache hit ends the process before the rest of rex-build is imported."""
    # A process lives for one command and makes little garbage. A hit ends before the first search for it, and to search
    # often would cost lowering a twentieth of its time.
    gc.set_threshold(100_000, 20, 20)
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _open_streams()

    from rex_build.cache import quick

    quick.main()
    if "site" not in sys.modules:  # python -S, as builds call it
        import site

        site.main()
    from rex_build.cli import main as cli

    return _end(cli.main())


def _end(status: int) -> int:
    """End the process without cleaning up, which would take a twentieth of what lowering a small unit takes.

    Returns the status if messages cannot be written. The interpreter says so when it ends.
    """
    import os

    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        return status
    os._exit(status)


def _open_streams() -> None:
    """Open the streams that the caller has closed. Messages would get into the next file that is opened otherwise."""
    import os

    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, "w" if number else "r"))


if __name__ == "__main__":
    sys.exit(main())
