"""The user's code reads in kernels as it was written, and what a construct adds to it stands outside of its scope."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rex_build.base.line_directives import comment_above
from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

_BODY = """c += n * t[1];
s += c;
x[i] = s;
"""
_CONSTRUCTS = (
    "target teams distribute parallel for map(tofrom: c) reduction(+: s)",
    "target parallel for firstprivate(c, n) lastprivate(s)",
    "target teams distribute firstprivate(t) private(c) reduction(+: s)",
    "target simd map(tofrom: c)",
    "target parallel for schedule(static, 4) map(tofrom: c, s)",
    "target map(tofrom: c)\n#pragma omp parallel for reduction(+: s) firstprivate(n)",
    "target\n#pragma omp teams private(s)\n#pragma omp distribute parallel for lastprivate(c)",
    "target map(tofrom: s)\n#pragma omp parallel\n#pragma omp for lastprivate(c)",
)


def _device(tmp_path: Path, function: str) -> str:
    source = tmp_path / "unit.c"
    source.write_text(function)
    return lower_text(LowerRequest(source=source, out_dir=tmp_path)).device


def _without_marks(text: str) -> str:
    return re.sub(r"^(?:#line.*\n| +)", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("construct", _CONSTRUCTS)
def test_a_body_has_the_users_names(construct: str, tmp_path: Path) -> None:
    parameters = "int n, double c, double s, double *x"
    loop = f"for (int i = 0; i < 9; ++i) {{\n{_BODY}}}"
    device = _device(tmp_path, f"void f({parameters})\n{{ double t[2] = {{1, 2}};\n#pragma omp {construct}\n{loop}\n}}")
    kernels = device.count("__global__")
    assert _without_marks(device).count(_BODY) == kernels > 0, device


@pytest.mark.parametrize(
    ("construct", "after"),
    [
        ("reduction(+: s)", r"rex_reduce_region<rex_add>\(&s, s__rex_partial\);"),
        ("firstprivate(s) reduction(+: c)", r"rex_reduce_region<rex_add>\(&c, c__rex_partial\);"),
    ],
)
def test_what_follows_a_body_is_outside_of_its_block(construct: str, after: str, tmp_path: Path) -> None:
    function = f"""void f(int s, int c) {{
#pragma omp target map(tofrom: s, c)
#pragma omp parallel
#pragma omp scope {construct}
{{ s += c; int *s = 0, *c = s; }}
}}"""
    lines = _device(tmp_path, function).splitlines()
    declared = next(i for i, line in enumerate(lines) if "int *s = nullptr;" in line or "int *s = 0;" in line)
    follows = next(i for i, line in enumerate(lines) if re.search(after, line))
    between = lines[declared + 1 : follows]
    assert follows > declared
    assert any(line.strip() == "}" for line in between), lines


def test_a_closure_binds_anew_what_it_refers_to(tmp_path: Path) -> None:
    function = """
void f(int n, double c, double d) {
#pragma omp target map(tofrom: c, d)
{
  if (n) d = d - 1;
#pragma omp parallel if(n > 3) num_threads(n)
  {
    #pragma omp single
    c = n;
    double d = 1;
    c += d;
  }
}
}"""
    text = _without_marks(_device(tmp_path, function))
    closure = text[text.index("REX_REGION {") :]
    assert "auto &c = *c__rex_address;" in closure
    assert "auto &d" not in closure, "which the region has one of its own of"
    assert text.count("auto &c") == 1, "nothing else has the name"
    assert text.count("const int n = n__rex_value;") == 1, "a closure has a copy of the value"


_COMMENTED = """// What a half is.
static double half(double x) {
  return x / 2;
}
void f(int n, double *x) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) {
    // Scale first.
    // Then add.
    x[i] *= 2; x[i] += 1;

    /* Of
     * two */
    x[i] = half(x[i]); /* beside code */
    x[i]++;
    int odd; /* begins here
    and ends */
    odd = i % 2; // odd \\
    */
    x[i] -= odd;
  }
}
"""


def test_comments_above_statements_stay(tmp_path: Path) -> None:
    source = _COMMENTED.replace(" // odd \\\n    */\n", "\n")
    device = _device(tmp_path, source)
    kernels = device.count("__global__")
    assert device.count("// What a half is.\nstatic __device__ double half") == 1
    text = _without_marks(device)
    assert text.count("// Scale first.\n// Then add.\nx[i] *= 2; x[i] += 1;\n") == kernels > 0
    assert text.count("/* Of\n* two */\nx[i] = half(x[i]);\nx[i]++;\n") == kernels
    assert "beside" not in device, "only comments that stand by themselves are copied"
    assert "ends" not in device
    assert "odd = i % 2;" in device


@pytest.mark.parametrize(
    ("lines", "comment"),
    [
        (["a;", "// one", "b;"], ["// one"]),
        (["/* one */", "// two", "b;"], ["/* one */", "// two"]),
        (["  /* one", "   * two", "three */", "b;"], ["/* one", " * two", "three */"]),
        (["a; // one", "b;"], []),
        (["a; /* one", "two */", "b;"], []),
        (["/* one */ a; /* two */", "b;"], []),
        (["// one \\", "b;"], []),
        (["// \udce4", "b;"], []),
        (["// one", "", "b;"], []),
        (["*/", "b;"], []),
        (["b;"], []),
    ],
)
def test_which_comments_stand_above_a_line(lines: list[str], comment: list[str]) -> None:
    assert comment_above(lines, len(lines)) == comment


@pytest.mark.parametrize(
    "construct", ["target teams distribute parallel for", "target parallel for", "target\n#pragma omp teams distribute"]
)
def test_kernels_of_many_variables_have_short_lines(construct: str, tmp_path: Path) -> None:
    names = [f"a_variable_with_a_long_name_{number}" for number in range(12)]
    used = "".join(f"{name}[i] = i;\n" for name in names)
    function = f"void f(int n, {', '.join(f'double *{name}' for name in names)})\n{{\n#pragma omp {construct}\n"
    device = _device(tmp_path, f"{function}for (int i = 0; i < n; i++) {{\n{used}}}\n}}\n")
    found = re.search(r"__kernel__(\(.*?\))\n\{\n( +REX_CPU_\w+\(.*?\)\);)\n", device, re.DOTALL)
    assert found is not None
    assert all(len(re.findall(rf"\b{name}\b", text)) == 1 for text in found.groups() for name in names)
    assert max(map(len, device.splitlines())) <= 125
