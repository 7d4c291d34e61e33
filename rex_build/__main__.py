"""Runs rex-build as ``python -m rex_build``, or as ``python <folder>/rex_build``, as a checkout's CMake files do.

Python compiles this file in every run, so the rest is in a module, which it keeps compiled.
"""

import sys

if not __package__:
    # When Python runs a folder by its path, it puts that folder on the search path. The package's parent belongs there.
    place = __file__
    if not place.startswith("/") or "/." in place:
        import os  # which a cache hit does without (base/light_os.py)

        place = os.path.abspath(place)
    sys.path[0] = place.rsplit("/", 2)[0]

from rex_build.start import main

if __name__ == "__main__":
    sys.exit(main())
