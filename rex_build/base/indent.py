"""The white space in front of generated lines."""

from __future__ import annotations

PAD = "    "
_DEEPEST = 40  # levels that are indented: else a thousand levels would be megabytes of blanks


def indent(depth: int) -> str:
    """The white space in front of a line at a depth of nesting."""
    return PAD * min(depth, _DEEPEST)
