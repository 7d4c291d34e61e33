"""``python -m rex_build``, and ``python <folder>/rex_build``, which is how a source checkout's CMake files call it."""

from __future__ import annotations

import sys
from pathlib import Path

if not __package__:
    # Run by path: the folder that has the package, not the package's own, belongs on the search path.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from rex_build.cli import main

if __name__ == "__main__":
    sys.exit(main())
