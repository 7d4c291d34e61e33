"""What the launcher and rex-build both know of command lines is said once, in Python."""

from __future__ import annotations

import re
import sys

from build_tool import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

from rex_build.build import command_line, foreign_flags

sys.path.insert(0, str(ROOT / "scripts"))
import launcher_tables

_TEXT = launcher_tables.SOURCE.read_text()
_NAMES = re.findall(r"^static const char \*const (\w+)\[\]", _TEXT, re.MULTILINE)
_TABLES = {name: launcher_tables.array(_TEXT, name) for name in _NAMES}


def is_known(word: str) -> bool:
    """Whether the launcher lets the compiler have a word, as ``is_common`` decides."""
    if word in (*_TABLES["modes"], *_TABLES["harmless"]):
        return True
    begins = (*_TABLES["with_value"], *_TABLES["harmless_beginnings"])
    return word.startswith(begins) and not word.startswith(_TABLES["foreign"])


def test_the_launchers_tables_are_up_to_date() -> None:
    assert launcher_tables.written(_TEXT) == _TEXT, "scripts/launcher_tables.py"


def test_the_launcher_reads_command_lines_as_rex_build_does() -> None:
    assert set(_TABLES["with_value"]) <= command_line._WITH_VALUE
    assert not set(_TABLES["harmless"]) & (command_line._WITH_VALUE | command_line._OTHER_MODES)
    assert not [f"-K{word}" for word in foreign_flags._IN_K if is_known(f"-K{word}")]


_FORMS = [re.compile(getattr(foreign_flags, name).pattern, re.ASCII) for name in launcher_tables.FOREIGN]


@settings(max_examples=300, deadline=None)
@given(st.one_of([st.from_regex(form, fullmatch=True) for form in _FORMS]))
def test_the_launcher_knows_no_foreign_option(word: str) -> None:
    assert not is_known(word.partition(" ")[0])
