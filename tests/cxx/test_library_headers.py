"""Headers of libraries that have regions, where they count as headers of the system."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from execution import rex_build, run

INNER = """#pragma once
namespace lib { template <class T> inline T triple(T x) { return x * T(3); } }
"""
OUTER = """#pragma once
#include <cstddef>
#include <lib/detail/math.hpp>
namespace lib {
struct part { double *at; int n; };
#pragma omp declare mapper(part p) map(p, p.at[0:p.n])
template <class T, class F> void each(T *data, std::size_t n, F f)
{
#pragma omp target teams distribute parallel for map(data[0:n])
    for (std::size_t i = 0; i < n; ++i)
        data[i] = f(triple(data[i]));
}
}
"""
MAIN = """#include <lib/all.hpp>
#include <cstdio>
#include <omp.h>
int main()
{
    double a[100];
    for (int i = 0; i < 100; ++i)
        a[i] = i;
    lib::each(a, 100, [](double x) { return x + 1000 * omp_is_initial_device(); });
    lib::part p = {a, 100};
#pragma omp target map(p)
    p.at[0] = 5;
    std::printf("%g %g\\n", a[0], a[99]);
}
"""


@pytest.mark.parametrize("option", ["-I", "-isystem"])
@pytest.mark.parametrize("first", ["", "#pragma GCC system_header\n"], ids=["plain", "marked"])
def test_regions_of_library_headers_are_lowered(option: str, first: str, tmp_path: Path) -> None:
    (tmp_path / "lib" / "detail").mkdir(parents=True)
    (tmp_path / "lib" / "detail" / "math.hpp").write_text(INNER)
    (tmp_path / "lib" / "view.hpp").write_text(OUTER)
    (tmp_path / "lib" / "all.hpp").write_text(first + '#include "view.hpp"\n')
    source, binary = tmp_path / "main.cpp", tmp_path / "app"
    source.write_text(MAIN)

    built = rex_build("cc", "--device", "cpu", "-o", binary, source, "--", "-std=c++17", option, tmp_path)

    assert built.status == 0, built.stderr
    result = run([binary], 60, env={**os.environ, "OMP_TARGET_OFFLOAD": "MANDATORY"})
    assert result.stdout == "5 297\n", result.stderr


ONCE = """#pragma once
inline int count(const int *p, int n)
{
    int c = 0;
#pragma omp target map(to: p[0:n]) map(tofrom: c)
    for (int i = 0; i < n; ++i)
        c += p[i] > 2;
    return c;
}
"""


def test_a_header_is_read_once_by_whatever_path_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The names are relative, as where make runs. The header's text is in the host file, which names it no more."""
    (tmp_path / "here" / "inner").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    Path("count.hpp").write_text(ONCE)
    Path("user.hpp").write_text('#pragma once\n#include "count.hpp"\n')
    Path("inner/link.hpp").symlink_to("../count.hpp")
    Path("main.cpp").write_text(
        '#include "count.hpp"\n#include "user.hpp"\n#include "../here/user.hpp"\n#include "../here/count.hpp"\n'
        '#include "inner/link.hpp"\n#define HEADER "count.hpp"\n#include HEADER\n'
        "int main() { const int a[] = {1, 3, 5}; return count(a, 3) != 2; }\n"
    )
    built = rex_build("cc", "--device", "cpu", "-o", "app", "main.cpp")
    assert built.status == 0, built.stderr
    assert run([tmp_path / "here" / "app"], 60).status == 0
