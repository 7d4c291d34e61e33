"""Text of users' in comments of generated files."""

from __future__ import annotations


def in_comment(text: str) -> str:
    """The text on one line, in which no comment begins or ends: names of files may hold anything."""
    return " ".join(text.splitlines()).replace("*/", "* /").replace("/*", "/ *")
