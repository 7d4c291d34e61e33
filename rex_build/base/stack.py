"""Runs work on a stack that has room for programs with deep nesting.

The passes walk trees by recursion, and a sum of ten thousand terms is a tree of that depth. There is a limit, because
text is copied at every level.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")

# What is nested too deeply all the same is refused with its place.
TOO_DEEP = "this is nested too deeply"
LEVELS_NOTE = "the limits are about 25,000 operators in one expression of a region, and 5,000 brackets or statements"

FRAMES = 100_000
_BYTES = 256 << 20  # of address space; memory is only taken where the stack is used
_ORDINARY_FRAMES = 12_000  # these fit on a stack of 8 MiB


def on_deep_stack(work: Callable[[], T]) -> T:
    """Call ``work`` where it can recurse through ``FRAMES`` calls, and hand on what it returns or raises."""
    import threading

    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - the caller gets it
            errors.append(error)

    before = threading.stack_size(_BYTES)
    try:
        thread = threading.Thread(target=run, daemon=True)
        sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))
        thread.start()
    except RuntimeError:  # there is not that much address space
        sys.setrecursionlimit(_ORDINARY_FRAMES)
        return work()
    finally:
        threading.stack_size(before)
    thread.join()
    if errors:
        raise errors[0]
    return results[0]
