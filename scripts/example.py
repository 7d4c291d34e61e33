#!/usr/bin/env python3
"""Write the excerpts in docs/example.md anew: each code block under a comment `excerpt FILE | first line | last line`.

scripts/example.py           after a change of what rex-build writes; then read the page again
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
_PAGE = _ROOT / "docs" / "example.md"
_BLOCK = re.compile(r"(<!-- excerpt (?P<spec>[^>]*?) -->\n```\w*\n)(?P<text>.*?)(^```$)", re.MULTILINE | re.DOTALL)
_SOURCE = re.compile(r"^```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def updated(page: str) -> str:
    """The page with its excerpts as rex-build writes them now."""
    source = _SOURCE.search(page)
    assert source is not None
    with tempfile.TemporaryDirectory() as folder:
        files = _generated(Path(folder), source[1])
    return _BLOCK.sub(lambda m: m[1] + _excerpt(files, m["spec"]) + m[4], page)


def _generated(folder: Path, source: str) -> dict[str, str]:
    """Generated files by name, and what explain says as ``explain``."""
    (folder / "scale.c").write_text(source)

    def rex_build(*arguments: str) -> str:
        command = [sys.executable, "-m", "rex_build", *arguments]
        path = {"PYTHONPATH": str(_ROOT), "PATH": "/usr/local/bin:/usr/bin:/bin", "REX_BUILD_CACHE": "off"}
        return subprocess.run(command, cwd=folder, env=path, check=True, capture_output=True, text=True).stdout

    rex_build("lower", "scale.c", "--out-dir", "out")
    files = {file.name: file.read_text() for file in (folder / "out").iterdir()}
    return {**files, "explain": rex_build("explain", "scale.c")}


def _excerpt(files: dict[str, str], spec: str) -> str:
    """The lines from the first that contains one text to the next that contains the other."""
    name, *ends = (part.strip() for part in spec.split("|"))
    lines = files[name].splitlines(keepends=True)
    if ends:
        first = next(i for i, line in enumerate(lines) if ends[0] in line)
        last = next(i for i, line in enumerate(lines) if i >= first and ends[1] in line)
        lines = lines[first : last + 1]
    return "".join(lines)


if __name__ == "__main__":
    _PAGE.write_text(updated(_PAGE.read_text(encoding="utf-8")), encoding="utf-8")
