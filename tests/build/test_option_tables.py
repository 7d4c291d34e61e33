"""What stands in more than one place, because the launcher is written in C: the tables agree.
``command_line.py``, ``foreign_flags.py`` and ``scan.py`` are where they are changed."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from rex_build.base import command_words
from rex_build.build import command_line, foreign_flags, launcher
from rex_build.c.source import scan

_TEXT = Path(launcher.__file__).with_name("launcher.c").read_text()


@cache
def table(name: str) -> tuple[str, ...]:
    """The words of an array of texts in launcher.c."""
    found = re.search(rf"\b{name}\[\] = \{{(.*?), NULL\}};", _TEXT, re.DOTALL)
    assert found, name
    return tuple(re.findall(r'"([^"]*)"', found[1]))


def is_known(word: str) -> bool:
    """Whether the launcher lets the compiler have a word, as ``is_common`` decides."""
    if word in (*table("modes"), *table("harmless")):
        return True
    begins = (*table("with_value"), *table("harmless_beginnings"))
    return word.startswith(begins) and not word.startswith(table("foreign"))


def test_the_launcher_looks_for_the_words_that_the_scan_looks_for() -> None:
    assert set(table("device_words")) == scan._WORDS
    assert set(table("host_words")) == scan._HOST_WORDS
    assert set(table("host_directives")) == scan._HOST_DIRECTIVES


def test_the_launcher_reads_command_lines_as_rex_build_does() -> None:
    suffixes = {suffix for suffix, language in command_line._SUFFIXES.items() if language is command_line.Language.CXX}
    assert set(table("cxx")) == suffixes
    assert set(table("variables")) == set(launcher._MORE_FOLDERS)
    assert set(table("with_value")) <= command_line._WITH_VALUE
    assert set(table("modes")) <= command_line._OTHER_MODES
    assert not set(table("harmless")) & (command_line._WITH_VALUE | command_line._OTHER_MODES)
    assert not [word for word in command_words._OURS if is_known(f"{word}x")]


def test_the_launcher_knows_no_option_that_rex_build_translates() -> None:
    assert not [word for word in (*foreign_flags._TRANSLATED, *foreign_flags._WITH_WORD) if is_known(word)]
    assert not [f"-K{word}" for word in foreign_flags._IN_K if is_known(f"-K{word}")]


_PATTERNS = ("_FOREIGN", "_FOR_DEVICES", "_WITH_DEVICE_VALUE", "_OPENMP_WITH_A_DEVICE", "_CRAY")
_FORMS = [re.compile(getattr(foreign_flags, name).pattern, re.ASCII) for name in _PATTERNS]


@settings(max_examples=300, deadline=None)
@given(st.one_of([st.from_regex(form, fullmatch=True) for form in _FORMS]))
def test_the_launcher_knows_no_foreign_option(word: str) -> None:
    assert not is_known(word.partition(" ")[0])
