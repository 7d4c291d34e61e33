"""The tables agree with themselves and with what the project promises."""

from __future__ import annotations

import re

import pytest

from rex_build.directives.clauses import CLAUSES, DIRECTIVES, REFUSED_PAIRS, REFUSED_WITH_ARGUMENTS, Status

SUPPORTED_CLAUSES = """map private firstprivate lastprivate shared default defaultmap reduction collapse num_teams
    thread_limit num_threads schedule dist_schedule if device is_device_ptr use_device_ptr use_device_addr nowait depend
    to from read write update capture relaxed"""
SUPPORTED_DIRECTIVES = """target, target data, target enter data, target exit data, target update, declare target,
    end declare target, teams, distribute, parallel, for, simd, barrier, single, master, masked, critical, atomic"""


@pytest.mark.parametrize("rule", CLAUSES.values(), ids=lambda rule: rule.name)
def test_clause_rows(rule):
    assert re.fullmatch(r"\d+(\.\d+){0,2}", rule.section)
    assert rule.allowed
    assert set(rule.allowed) <= set(DIRECTIVES)
    assert set(rule.refused_on) < set(rule.allowed)
    for support in [rule.support, *(s for words in rule.words.values() for s in words.values())]:
        assert bool(support.reason) == (support.status is Status.IGNORED)


@pytest.mark.parametrize("rule", DIRECTIVES.values(), ids=lambda rule: rule.name)
def test_directive_rows(rule):
    assert re.fullmatch(r"\d+(\.\d+){0,2}", rule.section)
    assert rule.association in {"none", "block", "loop", "declaration", "delimited", "separating"}
    assert rule.arguments in {"", "list", "text"}
    assert set(rule.before) <= set(DIRECTIVES)
    assert set(rule.needs) <= set(CLAUSES)
    assert bool(rule.support.reason) == (rule.support.status is Status.IGNORED)


def test_what_is_supported():
    supported = {name for name, row in CLAUSES.items() if row.support.status is Status.SUPPORTED}
    assert supported == set(re.findall(r"\S+", SUPPORTED_CLAUSES))
    supported = {name for name, row in DIRECTIVES.items() if row.support.status is Status.SUPPORTED}
    assert supported == set(re.split(r",\s+", SUPPORTED_DIRECTIVES))
    assert set(REFUSED_WITH_ARGUMENTS) <= set(DIRECTIVES)
    assert all(inner in DIRECTIVES[outer].before for outer, inner in REFUSED_PAIRS)
