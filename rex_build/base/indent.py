"""The white space in front of generated lines."""

from __future__ import annotations

PAD = "    "
_DEEPEST = 40  # levels that are indented: else a thousand levels would be megabytes of blanks


def indent(depth: int) -> str:
    """The white space in front of a line at a depth of nesting."""
    return PAD * min(depth, _DEEPEST)


def indent_lines(text: str, by: str = PAD) -> str:
    """A text with white space in front of all lines but blank ones, as textwrap does it, which takes long to import."""
    return "".join(f"{by}{line}" if line.strip() else line for line in text.splitlines(keepends=True))
