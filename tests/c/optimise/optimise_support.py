"""What the tests of optimisations share."""

from __future__ import annotations

import re


def one_line(text: str) -> str:
    """The text with calls that are broken over lines on one line each."""
    return re.sub(r"\n\s*", " ", text).replace("( ", "(")
