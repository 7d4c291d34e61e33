"""``python -m rex_build``, and ``python <folder>/rex_build``, which is how a source checkout's CMake files call it."""

from __future__ import annotations

import os
import sys

if not __package__:
    # Run by path: the folder that has the package, not the package's own, belongs on the search path.
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main() -> int:
    """The command ``rex-build``: a hit in the cache is answered before the rest of rex-build is imported."""
    try:
        from rex_build.cache import quick

        quick.main()
    except Exception:
        # Whatever is wrong, the full command line says it, or does without the cache.
        if os.environ.get("REX_BUILD_TRACEBACK"):
            raise
    if "site" not in sys.modules:  # python -S, as builds call it
        import site

        site.main()
    from rex_build.cli import main as cli

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
