"""No generated local name of the host file survives a user's macro of that name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from render_support import compile_host, lower

pytestmark = pytest.mark.compile

# A construct for every kind of generated variable: literals, extents, rows in loops, tiles, overlap tests, facts of the
# device, private copies, leagues, target tasks, renamed variables, mappers.
_UNIT = """\
#include <omp.h>
struct vector { int n; double *v; };
#pragma omp declare mapper(struct vector x) map(x, x.v[0:x.n])
static int next(void);
void f(int n, double (*a)[n], double *b, double *c, struct vector *s, struct vector one)
{
    double sum = 0, last = 1;
    int k = 3, x = n;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] += k;
#pragma omp target teams distribute parallel for map(tofrom: b[0:n]) map(to: c[0:n]) if(n > 1) device(0) nowait
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i] += c[j];
#pragma omp target teams num_teams(n) thread_limit(4) reduction(+: sum) firstprivate(x) private(last)
    {
        x += omp_get_team_num() + omp_get_num_devices();
        last = x;
        sum += last;
    }
#pragma omp target map(iterator(i = 0:n), tofrom: s[i].v[0:s[i].n])
    s[0].v[0] = 1;
#pragma omp target data map(tofrom: one, k) use_device_addr(k) use_device_ptr(b) if(n)
    {
#pragma omp target has_device_addr(k) is_device_ptr(b)
        k = b[0];
    }
#pragma omp target data map(iterator(i = 0:n), present, to: s[i])
    {
#pragma omp target update from(a[0:n][0:2:n])
    }
#pragma omp target enter data map(to: s->v[0:next()])
}
"""
_LOCAL = re.compile(
    r"\b(?:__rex_(?!offload_entries_)\w+|__device_id|__host_ptr|__kernel_args|__args?_\w+|__args|_num_blocks_"
    r"|_threads_per_block_|\w+__rex_\w+)\b"
)


def local_names(host: Path) -> set[str]:
    """The generated names of a host file, what the user's lines define left out."""
    lines = [line for line in host.read_text().splitlines() if not line.startswith("#")]
    return set(_LOCAL.findall("\n".join(lines)))


def test_every_generated_name_gives_way(tmp_path: Path) -> None:
    names = local_names(lower(tmp_path / "plain", _UNIT) / "rose_unit.c")
    assert len(names) > 30
    macros = "".join(f"#define {name} {name} is the user's\n" for name in sorted(names))
    out = lower(tmp_path / "taken", macros + _UNIT)
    assert local_names(out / "rose_unit.c").isdisjoint(names)
    done = compile_host(out / "rose_unit.c", "-w")
    assert (done.returncode, done.stderr) == (0, "")
