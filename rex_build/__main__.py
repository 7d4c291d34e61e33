"""Runs rex-build as ``python -m rex_build``, or as ``python <folder>/rex_build``, as a checkout's CMake files do.

Python compiles this file in every run, so it is short.
"""

import gc
import os
import sys

if not __package__:
    # When Python runs a folder by its path, it puts that folder on the search path. The package's parent belongs there.
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


_STORED = ("lower", "device")  # the commands that cache/quick.py answers


def main() -> int:
    """Run the command ``rex-build``. A cache hit ends the process before the rest of rex-build is imported."""
    from rex_build.base.ending import EndedError, clean_up_first, raise_if_ended

    try:
        clean_up_first()
        try:
            return _run()
        finally:
            raise_if_ended()
    except EndedError as ended:
        ended.die()
        raise


def _run() -> int:
    # A process lives for one command and makes little garbage. A hit ends before the first search for it, and to search
    # often would cost lowering a twentieth of its time.
    gc.set_threshold(100_000, 20, 20)
    if None in (sys.stdin, sys.stdout, sys.stderr):
        from rex_build.cli.main import open_streams

        open_streams()
    if "".join(sys.argv[1:2]) in _STORED:
        from rex_build.cache import quick

        quick.main()
    from rex_build.cli.main import run

    return run()


if __name__ == "__main__":
    sys.exit(main())
