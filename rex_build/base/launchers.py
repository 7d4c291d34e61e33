"""Programs that run a compiler, under their own name or a compiler's. That compiler can change while they do not."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LAUNCHERS = ("ccache", "sccache", "distcc", "icecc", "buildcache", "colorgcc")


def compiler_at(command: Sequence[str]) -> int | None:
    """The position in a command of the compiler itself, after its launchers, or None if there is none."""
    return next((at for at, word in enumerate(command) if os.path.basename(word) not in LAUNCHERS), None)
