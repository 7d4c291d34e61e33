"""Each applied transformation leaves the claims that it relies on in the plan."""

from __future__ import annotations

from pathlib import Path

import pytest
from execution import Program, find_programs, lot

from rex_build.c.front_end import read_unit
from rex_build.pipeline import explain, make_plan, preprocessed
from rex_build.plan.claims import CHECKS, Claim, ClaimKind
from rex_build.plan.unit import TargetRegion, TranslationUnitPlan
from rex_build.request import TRANSFORMATIONS, LowerRequest

# These change who runs an iteration and when, or test at run time what they need. Some rely on what 'noalias' claims.
NOTHING = {"tile", "walk", "batch", "align", "index32"}
UNITS = [p for p in find_programs() if len(p.sources) == 1 and not p.device and lot(p) % 12 == 0]

KERNELS = """
void spread(int n, int m, const double *a, double *b, long *sum)
{
    long total = 0;
#pragma omp target teams distribute parallel for map(to: a[0:n * m]) map(tofrom: b[0:n * m])
    for (int i = 0; i < n; ++i) {
        double f = a[i] * 2;
        for (int j = 0; j < m; ++j)
            b[i * m + j] += f * a[i * m + j];
    }
#pragma omp target teams distribute parallel for map(to: a[0:n * m]) reduction(+: total)
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            total += (int)a[i * m + j];
    *sum = total;
}
"""


def planned(source: Path, cflags: tuple[str, ...] = ()) -> TranslationUnitPlan:
    request = LowerRequest(source, source.parent, cflags, claims=True)
    return make_plan(request, read_unit(preprocessed(request))).plan


def applied(region: TargetRegion) -> set[str]:
    return {fact.name for fact in region.optimised.facts if fact.applied}


@pytest.mark.parametrize("program", UNITS, ids=lambda program: program.name)
def test_every_applied_transformation_has_claims(program: Program) -> None:
    for region in planned(program.sources[0], program.cflags).regions:
        claimed = {claim.supports for claim in region.claims}
        assert claimed <= {*TRANSFORMATIONS}
        # Rows that warps move together are memory that nobody writes, as for noalias, unless loops are shared out, too.
        missing = applied(region) - claimed - NOTHING - ({"stage"} if "noalias" in claimed else set())
        assert not missing, f"{region.span}: {missing}"
        for claim in region.claims:
            assert claim.span.line > 0
            assert (claim.watched is not None) + bool(claim.unchecked) <= 1
            assert claim.watched is not None or claim.unchecked or claim.kind is ClaimKind.MAPPED


def test_what_is_claimed(tmp_path: Path) -> None:
    source = tmp_path / "spread.c"
    source.write_text(KERNELS)
    spread, total = planned(source).regions

    def claimed(region: TargetRegion, transformation: str) -> dict[ClaimKind, Claim]:
        return {claim.kind: claim for claim in region.claims if claim.supports == transformation}

    wanted = {ClaimKind.INDEPENDENT, ClaimKind.REPEATABLE, ClaimKind.SAME, ClaimKind.FITS}
    assert {*claimed(spread, "collapse")} == wanted
    assert {*claimed(total, "collapse")} == wanted - {ClaimKind.REPEATABLE} | {ClaimKind.EXACT}
    assert claimed(spread, "collapse")[ClaimKind.INDEPENDENT].span.line == 8
    assert "'a', 'b'" in claimed(spread, "noalias")[ClaimKind.APART].about
    assert "'a'" in claimed(spread, "readonly")[ClaimKind.UNWRITTEN].about


def test_they_are_in_what_explain_says(tmp_path: Path) -> None:
    source = tmp_path / "spread.c"
    source.write_text(KERNELS)
    claims = explain(LowerRequest(source, tmp_path))["regions"][0]["claims"]
    assert {"kind", "for", "about", "place", "check"} == {*claims[0]}
    (one,) = (claim for claim in claims if claim["kind"] == ClaimKind.INDEPENDENT.value)
    assert one["place"] == {"file": str(source), "line": 8, "column": 9, "length": 3}
    assert one["check"] == CHECKS[ClaimKind.INDEPENDENT]
