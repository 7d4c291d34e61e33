"""Names of constants in clauses are as good as their values: the kernel is compiled for as many threads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from execution import rex_build

_HEAD = """
constexpr int lanes = 32;
namespace tuned { const unsigned warps = 256 / lanes; namespace deep { constexpr short one = 1; } }
struct Shape { static constexpr int threads = lanes * 2; enum { block = 96 }; };
template <int N> struct Sized { static const int threads = N * 4; };
int from_outside();
const int late = from_outside();
"""


def bound(tmp_path: Path, value: str, around: str = "", parameters: str = "int n") -> int:
    """The most threads of a team, for which the kernel is compiled."""
    source = tmp_path / "unit.cpp"
    directive = f"#pragma omp target teams distribute parallel for num_teams(8) thread_limit({value})"
    loop = "for (int i = 0; i < 100; i++) a[i] = 1;"
    source.write_text(f"{_HEAD}void fill(int *a, {parameters})\n{{\n{around}\n{directive}\n{loop}\n}}\n")
    outcome = rex_build("lower", source, "--dump=device", "--", "-std=c++17")
    assert outcome.status == 0, outcome.stderr
    (found,) = {int(number) for number in re.findall(r"__launch_bounds__\((\d+)\)", outcome.stdout)}
    return found


@pytest.mark.parametrize(
    ("value", "around", "threads"),
    [
        ("lanes * 4", "", 128),
        ("tuned::warps * lanes", "", 256),
        ("::tuned::deep::one * 64u", "", 64),
        ("Shape::threads", "", 64),
        ("half * 2", "const int whole = 64, half = whole / 2;", 64),
        ("lanes", "const int lanes = 192;", 192),
        ("lanes > 16 ? 128 : 512", "", 128),
        ("(unsigned char)(lanes + 256)", "", 32),
        ("0100", "", 64),
        ("0x40u", "", 64),
        ("1'28", "", 128),
    ],
)
def test_constants(tmp_path: Path, value: str, around: str, threads: int) -> None:
    assert bound(tmp_path, value, around) == threads


@pytest.mark.parametrize("number", ["D", "(D + 2) - 2", "pair"])
def test_loops_of_a_template_are_counted(tmp_path: Path, number: str) -> None:
    """Where gcc takes no constant but a number."""
    source = tmp_path / "unit.cpp"
    loops = "for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) a[i * 3 + j] = i;"
    source.write_text(
        f"constexpr int pair = 2;\ntemplate <int D> void fill(int *a)\n{{\n"
        f"#pragma omp target teams distribute parallel for collapse({number}) map(from: a[0:6])\n{loops}\n}}\n"
        "void all(int *a) { fill<2>(a); }\n"
    )
    outcome = rex_build("lower", source, "--dump=host")
    assert outcome.status == 0, outcome.stderr
    assert "parallel for collapse(2)" in outcome.stdout


@pytest.mark.parametrize("value", ["n", "n + lanes", "late", "variable", "live"])
def test_what_may_have_any_value(tmp_path: Path, value: str) -> None:
    assert bound(tmp_path, value, "int variable = 64; const volatile int live = 64;") == 1024


def test_a_thread_may_ask_which_one_it_is(tmp_path: Path) -> None:
    """Queries of OpenMP write nothing: pointers still overlap nothing."""
    source = tmp_path / "unit.cpp"
    source.write_text("""#include <omp.h>
void copy(float *a, const float *b) {
#pragma omp target teams num_teams(64) thread_limit(64) map(from: a[0:4096]) map(to: b[0:4096])
#pragma omp parallel
    { int i = omp_get_team_num() * 64 + omp_get_thread_num(); a[i] = 2 * b[i]; }
}
""")
    outcome = rex_build("explain", source)
    assert outcome.status == 0, outcome.stderr
    assert "left out" not in outcome.stdout


@pytest.mark.parametrize(
    ("first", "second", "most"),
    [
        ("num_threads(256)", "num_threads(256)", 256),
        ("num_threads(lanes)", "num_threads(2 * lanes)", 64),
        ("num_threads(64)", "", 128),
        ("num_threads(N)", "num_threads(N)", 512),
        ("num_threads(n)", "num_threads(64)", 1024),
        ("num_threads(a[2])", "num_threads(64)", 128),
    ],
)
def test_teams_have_as_many_threads_as_their_regions_ask_for(
    tmp_path: Path, first: str, second: str, most: int
) -> None:  # fmt: skip
    source = tmp_path / "unit.cpp"
    source.write_text(f"""{_HEAD}
template <int N> void fill(int *a, int n) {{
#pragma omp target teams map(tofrom: a[0:n])
    {{
#pragma omp parallel {first}
        a[0] = n;
#pragma omp parallel {second}
        a[1] = n;
    }}
}}
template void fill<64>(int *, int);
template void fill<512>(int *, int);
""")
    outcome = rex_build("lower", source, "--dump=device", "--", "-std=c++17")
    assert outcome.status == 0, outcome.stderr
    assert {int(number) for number in re.findall(r"__launch_bounds__\((\d+)\)", outcome.stdout)} == {most}


_CONSTANTS = "enum { on = 1 };\nint changing = 1;\nint call(int x) { return x; }\n"


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
@pytest.mark.parametrize(
    ("directive", "says"),
    [
        ("requires dynamic_allocators({})", "'dynamic_allocators' takes a constant"),
        ("declare target enter(call) indirect({})", "'indirect' takes a constant"),
    ],
)
def test_constants_outside_of_functions(suffix: str, directive: str, says: str, tmp_path: Path) -> None:
    source = tmp_path / f"unit{suffix}"
    region = "void run(int n)\n{\n#pragma omp target\n    n = 1;\n}\n"
    for value, status in (("on - 0", 0), ("changing", 1)):
        source.write_text(f"{_CONSTANTS}#pragma omp {directive.format(value)}\n{region}")
        outcome = rex_build("lower", source, "--out-dir", tmp_path)
        assert outcome.status == status, outcome.stderr
        assert (says in outcome.stderr) == bool(status)


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
@pytest.mark.parametrize("clause", ["num_teams(half)", "if(nobody)"])
def test_expressions_are_typed_in_both_languages(suffix: str, clause: str, tmp_path: Path) -> None:
    source = tmp_path / f"unit{suffix}"
    source.write_text(f"void run(int n, double half)\n{{\n#pragma omp target teams {clause}\n    n = 1;\n}}\n")
    outcome = rex_build("lower", source, "--out-dir", tmp_path)
    assert outcome.status == 1
    assert re.search("'num_teams' must be an integer|'nobody'", outcome.stderr), outcome.stderr
