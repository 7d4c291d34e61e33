"""Modules stand in for others only while something is imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import rex_build

PROGRAM = """
import sys
from rex_build.base.standing_in import import_pathlib
{before}
import_pathlib()
print(*sorted({{"ipaddress", "urllib.parse"}} & set(sys.modules)))
from pathlib import Path
from urllib.parse import quote, quote_from_bytes
print(Path("/a b").as_uri(), quote("a b"), quote_from_bytes(b"a/b c", safe=""))
"""


def printed(before: str) -> list[str]:
    command = [sys.executable, "-S", "-c", PROGRAM.format(before=before)]
    return subprocess.run(
        command, cwd=Path(rex_build.__file__).parents[1], capture_output=True, text=True, check=True
    ).stdout.splitlines()


def test_pathlib_without_addresses_of_the_internet() -> None:
    works = "file:///a%20b a%20b a%2Fb%20c"
    assert printed("") == ["", works]
    assert printed("import urllib.parse") == ["ipaddress urllib.parse", works]
    assert printed("import pathlib") == ["ipaddress urllib.parse", works]
