"""What a construct says is read once, however many questions are asked about it."""

from __future__ import annotations

from collections import Counter

import pytest
from analysis_support import plan

from rex_build.c.analysis import construct_facts
from rex_build.c.analysis.construct_facts import Constructs
from rex_build.c.syntax.nodes import OmpConstruct
from rex_build.plan.constructs import Sharing

UNIT = """
void work(int n, double a[n], double b[n], double *sum)
{
    double s = 0, t = 0;
    #pragma omp target teams map(tofrom: s, t) map(to: a[0:n], b[0:n])
    #pragma omp distribute
    for (int i = 0; i < n; i++) {
        double own = a[i];
        #pragma omp parallel for reduction(+: s) firstprivate(own)
        for (int j = 0; j < n; j++)
            s += own * b[j];
        #pragma omp parallel firstprivate(t)
        {
            #pragma omp single
            t += own;
            #pragma omp task firstprivate(own)
            own += t;
        }
    }
    *sum = s + t;
}
"""


def test_the_clauses_of_a_construct_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Counter[tuple[int, bool]] = Counter()
    original = construct_facts.sharing_of

    def counted(lists: Constructs, construct: OmpConstruct, *, typed: bool = True) -> Sharing:
        asked[construct.start, typed] += 1
        return original(lists, construct, typed=typed)

    monkeypatch.setattr(construct_facts, "sharing_of", counted)
    plan(UNIT)
    assert len({start for start, _ in asked}) == 6
    assert set(asked.values()) == {1}
