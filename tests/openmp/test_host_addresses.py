"""Pointer members that surely hold host addresses in a region: the same in C and C++."""

from __future__ import annotations

from pathlib import Path

import pytest
from execution import rex_build

pytestmark = pytest.mark.compile
UNIT = """#include <stdlib.h>
REQUIRES
struct view { int n; double *x; };
void use(struct view *v);
void f(int n, double *out)
{
    double a[10];
    struct view v = {10, a};
    FIRST
#pragma omp target map(tofrom: v) map(out[0:n])
    { BODY }
}
"""
READS = "out[0] = v.x[1];"
SURE = (("", READS), ("v.x = (double *)malloc(80);", READS), ("v.x = a;", "*v.x = n;"))
# The address of the structure is known elsewhere, somebody gave the pointer, or the region stores one of its own.
NOT_SURE = (
    ("use(&v);", READS), ("v.x = out;", READS), ("", "double own[2] = {1, 2}; v.x = own; " + READS),
    ("struct view w = v; w.x = out; v = w;", READS),
)  # fmt: skip


@pytest.mark.parametrize("name", ["unit.c", "unit.cpp"])
@pytest.mark.parametrize(
    ("first", "body", "requires", "status"),
    [
        *((*one, "", 1) for one in SURE), *((*one, "", 0) for one in NOT_SURE),
        (*SURE[0], "#pragma omp requires unified_shared_memory", 0),
    ],
)  # fmt: skip
def test_host_addresses_in_members(
    tmp_path: Path, name: str, first: str, body: str, requires: str, status: int
) -> None:  # fmt: skip
    source = tmp_path / name
    source.write_text(UNIT.replace("REQUIRES", requires).replace("FIRST", first).replace("BODY", body))
    outcome = rex_build("lower", source, "--dump=plan", "--", "-Wno-rex-all")
    assert outcome.status == status, outcome.stderr
    assert ("'v.x' points to host memory that no clause maps" in outcome.stderr) == bool(status)
