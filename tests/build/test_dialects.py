"""Units in old dialects of C++, and with a standard of C: what g++ compiles, ``rex-g++`` compiles."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from build_tool import Tool

pytestmark = pytest.mark.compile

# Loops whose bounds are enumerators without a type's name, and a template for a number and for an object.
OLD = """\
#include <cstdio>
#include <iterator>
enum { FIRST = 2, LAST = 9, STEP = 2 };
struct Pair {
    int a, b;
    Pair(int x) : a(x), b(2 * x) {}
    operator int() const { return a + b; }
};
template <class T> int sum(T value, int *found)
{
    int s = 0;
#pragma omp target map(tofrom: s)
    s += value;
#pragma omp target teams distribute parallel for reduction(+: s) map(to: found[0:LAST])
    for (int i = FIRST; i < LAST; i += STEP)
        s += found[i] + value;
    return s;
}
int main()
{
    int a[LAST] = {0}, s = 0;
#pragma omp target teams distribute parallel for map(a)
    for (unsigned char i = FIRST; i <= LAST - 1; i++)
        a[i] = i;
#pragma omp target teams distribute parallel for map(a)
    for (int i = LAST - 1; i > FIRST; i -= STEP)
        a[i] += 10;
#pragma omp target teams distribute parallel for map(a)
    for (long i = LAST - 1; i >= FIRST; i--)
        a[i] += 100;
#pragma omp target teams distribute parallel for map(a) reduction(+: s)
    for (int *p = a; p != a + LAST; p++)
        s += *p;
    std::reverse_iterator<int *> first(a + LAST), last(a);
#pragma omp target teams distribute parallel for map(a) reduction(+: s)
    for (std::reverse_iterator<int *> p = first; p < last; p++)
        s += *p;
    std::printf("%d %d %d\\n", s, sum(1, a), sum(Pair(1), a));
    return 0;
}
"""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("standard", ["-ansi", "-std=gnu++98", "-std=c++03", "-std=c++11", "-std=c99", "-std=gnu17"])
def test_c_plus_plus(cc: Tool, project: Path, standard: str) -> None:
    (project / "old.cpp").write_text(OLD)
    words = [standard, "-Wall", "-Wextra", "-Wno-unknown-pragmas", "old.cpp", "-o", "old"]
    said = cc.run("g++", *words, cwd=project)
    expected = cc.run("./old", cwd=project)
    assert cc.run("rex-g++", "-fopenmp", *words, cwd=project) == said
    assert cc.run("./old", cwd=project) == expected


# Where a unit has templates, or is written for C, these are about each template or function.
ABOUT_ALL = {"-Wtemplates", "-Wtraditional", "-Wsystem-headers", "-Wfatal-errors"}


@pytest.mark.parametrize("compiler", ["gcc", "g++"])
def test_no_warning_is_about_text_of_our_own(cc: Tool, project: Path, compiler: str) -> None:
    """Whatever warnings a project asks for, the host compiler has no more of them than for the project's own text."""
    (project / "old.cpp").write_text(OLD)
    source, language = ("scale.c", "c") if compiler == "gcc" else ("old.cpp", "c++")
    listed = re.findall(r"^\s*(-W[^\s=<]+)\s", cc.run(compiler, "-Q", f"--help=warnings,{language}", cwd=project), re.M)
    words = [*sorted({*listed} - ABOUT_ALL - {"-Werror", "-Wunknown-pragmas"}), "-O2", "-c", source]
    ours, alone = (
        sorted(re.findall(r".*\[-W.*\]", cc.run(*command, *words, cwd=project)))
        for command in ((f"rex-{compiler}", "-fopenmp"), (compiler, "-Wno-unknown-pragmas"))
    )
    assert len(words) > 100
    assert ours == alone
