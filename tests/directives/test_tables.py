"""The tables agree with themselves and with what the project promises."""

from __future__ import annotations

import re
from pathlib import Path

import judge
import pytest

from rex_build.directives.clauses import CLAUSES, DIRECTIVES, Status
from rex_build.directives.page import markdown, uses

PROJECT = Path(__file__).resolve().parent.parent.parent

# Only programs that C++ units refuse for another reason show these. The list only shrinks.
_IN_NO_CXX_PROGRAM = [
    ("novariants", ""), ("nocontext", ""), ("no_openmp_routines", ""), ("init", ""), ("use", ""),
]  # fmt: skip


@pytest.mark.parametrize("rule", CLAUSES.values(), ids=lambda rule: rule.name)
def test_clause_rows(rule):
    assert re.fullmatch(r"\d+(\.\d+){0,2}", rule.section)
    assert rule.allowed
    assert set(rule.allowed) <= set(DIRECTIVES)
    for support in [rule.support, *(s for words in rule.words.values() for s in words.values())]:
        assert bool(support.reason) == (support.status is not Status.SUPPORTED)


@pytest.mark.parametrize("rule", DIRECTIVES.values(), ids=lambda rule: rule.name)
def test_directive_rows(rule):
    assert re.fullmatch(r"\d+(\.\d+){0,2}", rule.section)
    assert rule.association in {"none", "block", "loop", "declaration", "delimited", "separating"}
    assert rule.arguments in {"", "list", "text"}
    assert set(rule.before) <= set(DIRECTIVES)
    assert set(rule.needs) <= set(CLAUSES)
    assert bool(rule.support.reason) == (rule.support.status is not Status.SUPPORTED)


def test_every_row_that_is_not_refused_is_shown_by_a_program():
    shown = uses(PROJECT / "tests" / "programs")
    rows = [("clause", row) for row in CLAUSES.values()] + [("directive", row) for row in DIRECTIVES.values()]
    used = [(kind, row.name) for kind, row in rows if row.support.status is not Status.REFUSED]
    used += [
        (row.name, f"{role} {word}")
        for row in CLAUSES.values()
        for role, words in row.words.items()
        for word, support in words.items()
        if Status.REFUSED not in (row.support.status, support.status)
    ]
    elsewhere = {("at", "keyword compilation")}  # no program compiles with it: tests/bad_input
    assert [key for key in used if key not in shown and key not in elsewhere] == []


def test_what_is_not_refused_in_cxx_is_shown_by_a_program_that_is_cxx():
    """By one of C++, or by one of C that passes as C++."""
    programs = PROJECT / "tests" / "programs"
    failing = {*judge.NOT_CXX, *judge.REFUSED, *judge.KNOWN_REFUSED, *judge.KNOWN_WRONG}
    used = uses(programs)
    shown = {key for key, names in used.items() if not failing.issuperset(names)} | {*uses(programs, "*.cpp")}
    missing = [
        (rule.name, word)
        for rule in CLAUSES.values()
        for word, support, key in [
            ("", rule.support, ("clause", rule.name)),
            *((w, s, (rule.name, f"{role} {w}")) for role, words in rule.words.items() for w, s in words.items()),
        ]
        if key in used and key not in shown and rule.support.in_cxx and support.in_cxx
    ]
    assert missing == _IN_NO_CXX_PROGRAM


def test_page_is_up_to_date():
    page = PROJECT / "docs" / "openmp.md"
    assert page.read_text() == markdown(PROJECT / "tests" / "programs"), (
        "python -m rex_build.directives --markdown tests/programs > docs/openmp.md"
    )
