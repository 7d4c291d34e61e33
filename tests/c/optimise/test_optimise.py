"""Transformations of kernels: what is applied where, and what keeps one from being applied."""

# ruff: noqa: E501 - C loops on one line each

from __future__ import annotations

import re
from pathlib import Path

import pytest
from explained import transformations
from optimise_support import one_line

from rex_build.pipeline import lower_text
from rex_build.request import TRANSFORMATIONS as NAMES
from rex_build.request import LowerRequest

HEAD = "double sqrt(double);\ndouble other(const double *);\nstruct P { double x, y; };\n"


def region(tmp_path: Path, parameters: str, directive: str, loop: str, before: str = "") -> LowerRequest:
    source = tmp_path / "unit.c"
    source.write_text(
        f"{HEAD}{before}\nvoid f(int n, {parameters})\n{{\n#pragma omp target teams distribute parallel for {directive}\n{loop}\n}}\n"
    )
    return LowerRequest(source=source, out_dir=tmp_path)


def without(request: LowerRequest, *names: str) -> LowerRequest:
    return LowerRequest(source=request.source, out_dir=request.out_dir, no_opt=names)


MATVEC = (
    "double *a, double *x, double *y",
    "map(to: a[0:n * n], x[0:n]) map(from: y[0:n])",
    "for (int i = 0; i < n; ++i) {\n    y[i] = 0;\n    for (int j = 0; j < n; ++j)\n        y[i] += a[i * n + j] * x[j];\n}",
)


def test_every_transformation_is_reported_once(tmp_path: Path) -> None:
    assert sorted(transformations(region(tmp_path, *MATVEC))) == sorted(NAMES)


def test_no_alias_body(tmp_path: Path) -> None:
    lowered = lower_text(region(tmp_path, *MATVEC))
    _, kernel, body, staged = lowered.device.split("__global__")
    assert "__staged__(" in staged
    assert "__direct__(" in body
    assert "const double *__restrict__ a" in body
    assert "const double *__restrict__ x" in body
    assert re.search(r"(?<!const )double \*__restrict__ y", body)
    assert "y[i] = y__rex_element;" in body
    assert len(re.findall(r"\by\[i\]", body)) == 1
    assert "__restrict__" not in kernel
    assert "y[i] +=" in kernel
    # The one written range against each of the others, and those not against each other.
    assert lowered.host.count("rex_apart(") == 2
    assert re.findall(r"rex_separate\(&__rex_range_0, \(void \*\)(\w+), __device_id\)", lowered.host) == ["a", "x"]
    assert "struct rex_range __rex_range_0 = {(void *)y, " in lowered.host
    assert "__rex_range_1" not in lowered.host, "what is beside the written range is asked once for both"


_SUMS = "for (int i = 0; i < 8; ++i)\n    for (int j = 0; j < 8; ++j)\n        sums[i] += table[i][j];"


@pytest.mark.parametrize("maps", ["map(sums, table)", "map(sums, table[0:4])"])
def test_two_arrays_are_different_memory(tmp_path: Path, maps: str) -> None:
    host = lower_text(region(tmp_path, "int m", maps, _SUMS, "static double sums[8], table[8][8];")).host
    assert "rex_apart(" in host
    assert "rex_separate(" not in host


def test_what_a_pointer_points_to_may_be_an_array_beside_it(tmp_path: Path) -> None:
    host = lower_text(
        region(tmp_path, "double (*table)[8]", "map(sums, table[0:8])", _SUMS, "static double sums[8];")
    ).host
    assert "rex_separate(&__rex_range_0, " in host


def test_pointers_without_sections_are_looked_up_once(tmp_path: Path) -> None:
    unknown = region(tmp_path, "double *a, double *x, double *y", "", MATVEC[2])
    assert not transformations(unknown)["noalias"].startswith("no")
    host = lower_text(unknown).host
    assert re.findall(r"rex_shift\(__device_id, \(rex_uint64\)\(void \*\)(\w+)\)", host) == ["y", "a", "x"]
    assert re.findall(r"rex_elsewhere\(\(void \*\)(\w), 0, \w+, \(void \*\)(\w), 0, \w+, __device_id\)", host) == [
        ("y", "a"),
        ("y", "x"),
    ]
    known = lower_text(region(tmp_path, "double *a, double *x, double *y", "map(y[0:n])", MATVEC[2])).host
    assert known.count("rex_shift(") == 3
    assert one_line(known).count("sizeof(y[0])), __rex_shift_0, ") == 2


def test_unified_shared_memory_has_no_bounds(tmp_path: Path) -> None:
    before = "#pragma omp requires unified_shared_memory"
    assert transformations(region(tmp_path, *MATVEC, before))["noalias"].startswith("no, unified shared memory")


@pytest.mark.parametrize(("table", "known"), [("static const int", True), ("static int", False)])
def test_constant_tables_of_a_body(tmp_path: Path, table: str, known: bool) -> None:
    """Nothing changes them, so they prevent nothing. Others outlive an iteration."""
    loops = f"for (int i = 0; i < n; ++i) {{ {table} w[2] = {{1, 2}}; for (int j = 0; j < n; ++j) y[i * n + j] = w[j % 2]; }}"
    found = transformations(region(tmp_path, "double *y", "map(from: y[0:n * n])", loops))
    assert found["collapse"].startswith("a kernel that spreads" if known else "no, 'w' is a variable of the device")


@pytest.mark.parametrize("name", NAMES)
def test_switched_off(tmp_path: Path, name: str) -> None:
    request = without(region(tmp_path, *MATVEC), name)
    assert transformations(request)[name].startswith("no, ")
    text = lower_text(request).device
    marks = {
        "byvalue": "__rex_word",
        "noalias": "double *__restrict__ y",
        "readonly": "const double *__restrict__",
        "scalarise": "__rex_element",
        "hoist": "__rex_bound",
        "once": "REX_COVERED_LOOP",
        "index32": "int __rex_tripcount",
        "tile": "REX_TILE_ROWS",
        "collapse": "__collapsed__",
        "stage": "__staged__",
        "broadcast": "rex_same_rows_loop",
        "share": "REX_TEAM_ARRAY",
        "batch": "REX_SIDE_BY_SIDE",
        "wide": "rex_group",
        "walk": "__walking__",
        "align": "REX_IS_ALIGNED",
        "block": "rex_block_",
        "spmd": "REX_TEAM_REGION",
        "unroll": "REX_UNROLL",
        "banks": "REX_OWN_ARRAY",
        "inorder": "rex_launched_in_order",
    }
    assert marks[name] not in text


_SCALED = "struct scaled { int n, pitch; float by; double *x; const double *from; };"
_SCALE = "for (int i = 0; i < s.n; ++i) { s.x[i] = 0; s.x[i] += s.by * s.from[i]; }"


def test_structures_go_by_value_with_their_pointers_as_parameters(tmp_path: Path) -> None:
    maps = "map(to: s.n, s.by, s.from[0:s.n]) map(from: s.x[0:s.n])"
    request = region(tmp_path, "struct scaled s", maps, _SCALE, _SCALED)
    assert transformations(request)["byvalue"].endswith("memory: s")
    lowered = lower_text(request)
    assert "unsigned long long s__rex_word_0, unsigned long long s__rex_word_8, " in lowered.device
    assert "double *__restrict__ s__rex_x, const double *__restrict__ s__rex_from" in lowered.device
    assert "rex_covers(" in lowered.host, "the device has the host's value of s.n"
    assert "REX_MAP_PTR_AND_OBJ" not in lowered.host
    assert "rex_apart((void *)s.x, " in one_line(lowered.host)


def test_elements_behind_members_stay_in_variables(tmp_path: Path) -> None:
    maps = "map(to: s.n, s.by, s.from[0:s.n]) map(from: s.x[0:s.n])"
    loop = _SCALE.replace("s.x[i] +=", "for (int k = 0; k < 3; ++k) s.x[i] +=")
    text = lower_text(region(tmp_path, "struct scaled s", maps, loop, _SCALED)).device
    assert "s.x[i] = s_x__rex_element;" in text
    other = loop.replace("s.from[i]", "s.x[k]")
    assert "__rex_element" not in lower_text(region(tmp_path, "struct scaled s", maps, other, _SCALED)).device


@pytest.mark.parametrize(
    ("parameters", "maps", "first", "inside"),
    [
        ("struct scaled s", "", "", "s.pitch = 1;"),  # the region changes it
        ("struct scaled s", "", "", "use(&s);"),  # it is reached by its address
        ("struct scaled s", "", "keep = &s;", ""),  # others may map it
        ("struct scaled s", "nowait", "", ""),  # it may change before the region runs
        ("struct scaled s", "map(from: s)", "", ""),
        ("struct scaled s", "map(always, to: s)", "", ""),
        ("struct scaled s", "map(present, to: s)", "", ""),
        ("struct scaled s", "map(mapper(own), tofrom: s)", "", ""),
        ("struct arrays s", "", "", ""),
        ("struct fixed s", "", "", ""),
        ("struct bits s", "", "", ""),
        ("union either s", "", "", ""),
        ("int m", "", "static struct scaled s;", ""),
    ],
)
def test_structures_that_are_mapped(tmp_path: Path, parameters: str, maps: str, first: str, inside: str) -> None:
    before = (
        f"{_SCALED}\nstruct arrays {{ int n, a[4]; }};\nstruct fixed {{ const int n; int m; }};\n"
        "struct bits { int n, few : 3; };\nunion either { int n; float f; };\nstatic struct scaled *keep;\n"
        "static void use(const struct scaled *s) { }\n"
        + ("#pragma omp declare mapper(own: struct scaled v) map(v.n)\n" if "mapper" in maps else "")
    )
    source = tmp_path / "unit.c"
    source.write_text(
        f"{before}void f(double *y, {parameters})\n{{\n{first}\n"
        f"#pragma omp target teams distribute parallel for {maps}\n"
        f"for (int i = 0; i < 100; ++i) {{ {inside} y[i] = s.n; }}\n}}\n"
    )
    request = LowerRequest(source=source, out_dir=tmp_path)
    assert transformations(request)["byvalue"].startswith("no, ")
    assert "__rex_word" not in lower_text(request).device


def test_pointers_in_objects_are_followed_into_functions(tmp_path: Path) -> None:
    before = (
        "struct link { double *to; };\nstatic double through(struct link *l) { return *l->to; }\n"
        "static double inner(double *p) { struct link l = {p}; return through(&l); }"
    )
    loop = "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += inner(x) + x[i]; }"
    said = transformations(region(tmp_path, "double *x, double *y", "map(x[0:n], y[0:n])", loop, before))
    assert said["noalias"].startswith("a kernel for arrays that do not overlap")


@pytest.mark.parametrize(
    ("parameters", "directive", "loop", "why"),
    [
        ("double *x, double *y", "map(to: x[0:n]) map(tofrom: y[0:n])", "for (int i = 0; i < n; ++i) y[i] += x[i];", "nothing is gained"),
        ("double *x, double *y", "is_device_ptr(x, y)", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += x[i]; }", "not known to the host"),
        ("volatile double *x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += x[i]; }", "volatile"),
        ("double **x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += x[i][0]; }", "loaded from memory"),
        ("double *x, double *y, int c", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { double *p = c ? x : y; p[i] = 0; y[i] += x[i]; }", "chosen at run time"),
        ("double *x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += keep(x) + x[i]; }", "side effects"),
        ("double *x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += deep(x, i) + x[i]; }", "side effects"),
        ("double *x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += once(x) + x[i]; }", "side effects"),
        ("double *x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = 0; memset(y, 0, 8); y[i] += x[i]; }", "pointer to mapped memory"),
        ("double *x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += count(i) + x[i]; }", "side effects"),
        ("double *x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = counter; y[i] += x[i]; }", "variable of the device"),
        ("double *x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) {\n#pragma omp critical\n y[0] += x[i]; }", "critical"),
        ("double *x, double *y", "map(to: x) map(y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += x[i]; }", "what 'x' points to"),
        ("long *x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = x[i]; y[i] += ((double *)x[i])[0]; }", "made from an integer"),
        ("long x, double *y", "map(tofrom: x) map(y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = x; y[i] += *(double *)(x + i); }", "made from an integer"),
        ("long *x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += at(x[i], i); }", "side effects"),
        ("double (*sqrt)(double), double *x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += sqrt(x[i]); }", "effects are not known"),
        ("double *x, double *y", "map(x[0:n], y[0:n]) dist_schedule(static, 4)", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += x[i]; }", "chunks"),
    ],
)  # fmt: skip
def test_what_keeps_the_plain_body_alone(tmp_path: Path, parameters: str, directive: str, loop: str, why: str) -> None:
    before = (
        "#pragma omp begin declare target\nint counter;\ndouble store(double *p, int i) { return p[i] = i; }\n"
        "double count(int i) { return ++counter + i; }\n"
        "double at(long p, int i) { return ((double *)p)[i]; }\ndouble *kept;\ndouble keep(double *p) { kept = p; return *p; }\n"
        "double deep(double *p, int i) { return i ? deep(p + 1, i - 1) + *p : (*p = 1); }\n"
        "double once(double *p) { static int calls; return ++calls + *p; }\n"
        "void *memset(void *, int, unsigned long);\n#pragma omp end declare target"
    )
    request = region(tmp_path, parameters, directive, loop, before)
    said = transformations(request)["noalias"]
    assert said.startswith("no, ")
    assert why in said
    assert "__restrict__" not in lower_text(request).device


def test_pure_functions_and_derived_pointers_are_seen_through(tmp_path: Path) -> None:
    before = "#pragma omp begin declare target\nstatic double twice(double v) { return sqrt(v) * 2; }\n#pragma omp end declare target"
    loop = "for (int i = 0; i < n; ++i) { const double *row = x + i; y[i] = 0; y[i] += twice(row[1]) + z[i]; }"
    request = region(
        tmp_path, "double *x, double *y, double *z", "map(to: x[0:n + 1], z[0:n]) map(from: y[0:n])", loop, before
    )
    text = lower_text(request).device
    assert "double *__restrict__ x" in text
    assert "const double *__restrict__ x" not in text, "another pointer leads to it"
    assert "const double *__restrict__ z" in text


def test_read_only_loads(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < n; ++i) { y[i] = x[i]; y[i] += z[i] * z[i]; for (int j = 0; j < 3; ++j) y[i] += w[j]; }"
    maps = "map(to: x[0:n], z[0:n], w[0:3]) map(from: y[0:n])"
    text = lower_text(region(tmp_path, "double *x, double *y, double *z, double *w", maps, loop)).device
    assert all(f"const double *__restrict__ {name}" in text for name in "xzw")


def test_memory_that_is_written_or_updated_atomically_is_not_read_only(tmp_path: Path) -> None:
    loop = (
        "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] = x[i];\n#pragma omp atomic update\n x[0] += 1;\n z[i] = y[i]; }"
    )
    text = lower_text(region(tmp_path, "double *x, double *y, double *z", "map(x[0:n], y[0:n], z[0:n])", loop)).device
    assert "const double *__restrict__ x" not in text


@pytest.mark.parametrize(
    "body",
    [
        "for (int j = 0; j < 3; ++j) y[i] += x[j];",  # the first access reads
        "if (n > 3) y[i] = 0; for (int j = 0; j < 3; ++j) y[i] += x[j];",  # not every iteration writes
        "y[i] = 0; for (int j = 0; j < 3; ++j) y[i] += x[j] + y[i + 1];",  # another element as well
        "y[i] = 0; for (int j = 0; j < 3; ++j) { y[k] += x[j]; k = j; }",  # another index
        "y[i] = 0; if (x[0] > 1) continue; for (int j = 0; j < 3; ++j) y[i] += x[j];",  # ends early
        "y[i] = 0;\nfor (int j = 0; j < 3; ++j) {\n#pragma omp atomic update\n y[i] += x[j]; }",  # atomic
    ],
)
def test_elements_that_stay_in_memory(tmp_path: Path, body: str) -> None:
    loop = f"for (int i = 0; i < n; ++i) {{ int k = i; {body} }}"
    request = region(tmp_path, "double *x, double *y", "map(to: x[0:3]) map(tofrom: y[0:n + 1])", loop)
    assert transformations(request)["scalarise"].startswith("no, ")
    assert "__rex_element" not in lower_text(request).device


def test_members_are_kept_apart(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < n; ++i) { p[i].x = p[i].y = 0; for (int j = 0; j < 3; ++j) { p[i].x += x[j]; p[i].y -= x[j]; } }"
    text = lower_text(region(tmp_path, "double *x, struct P *p", "map(to: x[0:3]) map(from: p[0:n])", loop)).device
    assert "p[i].x = p__rex_element_x;" in text
    assert "p[i].y = p__rex_element_y;" in text


def test_collapsed_counters(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) y[i * n + j] = i + j;"
    request = region(tmp_path, "double *y", "collapse(2) map(from: y[0:n * n])", loop)
    assert "rex_innermost(__rex_rest" in lower_text(request).device
    assert "__rex_rest %" in lower_text(without(request, "index32")).device


@pytest.mark.parametrize(
    ("clauses", "body", "iterations"),
    [
        ("", "y[i] = 1;", (32 << 20) // 8),
        ("", "if (y[i] > y[i + n]) y[i] = y[i + n];", 0),  # 40 bytes
        ("", "y[i] += i;", (32 << 20) // 16),
        ("", "y[i] = sqrt(y[i]);", (32 << 20) // 16),
        ("", "y[i] = all(i);", 0),
        ("", "for (int j = 0; j < 3; ++j) y[i] = j;", 0),
        ("", "y[i] = omp_get_thread_num();", 0),
        ("thread_limit(64)", "y[i] = 1;", 0),
        ("num_threads(64)", "y[i] = 1;", 0),
    ],
)
def test_blocks_of_iterations_that_move_few_bytes(tmp_path: Path, clauses: str, body: str, iterations: int) -> None:
    """A GPU takes long to start many blocks. What does not stay in its cache takes longer."""
    before = "#include <math.h>\n#include <omp.h>\nint all(int k) { while (k > 9) k /= 2; return k; }"
    loop = f"for (int i = 0; i < n; ++i) {{ {body} }}"
    lowered = lower_text(region(tmp_path, "double *y", f"map(y[0:2 * n]) {clauses}", loop, before))
    assert ("__launch_bounds__(512)" in lowered.device) == bool(iterations)
    assert ("? 512 : 256" in lowered.host) == bool(iterations)
    assert f"__rex_tripcount <= {iterations} ? 512 : 256" in lowered.host or not iterations


@pytest.mark.parametrize(("body", "threads"), [("s += x[i];", 270336), ("for (int k = x[i]; k; k /= 2) s += k;", 1081344)])
def test_long_iterations_of_reductions_have_more_blocks(tmp_path: Path, body: str, threads: int) -> None:
    loop = f"for (int i = 0; i < n; ++i) {{ {body} }}"
    lowered = lower_text(region(tmp_path, "int *x, double s", "map(to: x[0:n]) reduction(+: s) map(tofrom: s)", loop))
    assert f"rex_blocks(__rex_tripcount, _threads_per_block_, {threads} / _threads_per_block_)" in lowered.host


def test_reductions_run_on_a_resident_grid(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < n; ++i) s += x[i];"
    lowered = lower_text(
        region(tmp_path, "double *x, double s", "map(to: x[0:n]) reduction(+: s) map(tofrom: s)", loop)
    )
    assert "rex_blocks(__rex_tripcount, _threads_per_block_, 270336 / _threads_per_block_)" in lowered.host
    assert "REX_ONE_ITERATION" not in lowered.device
    assert "const double *__restrict__ x" in lowered.device, "nothing is written, so no test is needed"
    assert "rex_apart" not in lowered.host


def test_direct_kernel_for_grids_that_cover_the_trip_count(tmp_path: Path) -> None:
    loop = "for (int i = 1; i <= n; i += 3) { if (x[i] < 0) continue; y[i] = x[i]; }"
    lowered = lower_text(region(tmp_path, "double *x, double *y", "map(to: x[0:n]) map(from: y[0:n])", loop))
    general, direct = lowered.device.split("__global__")[1:]
    assert "REX_STRIDED_LOOP" in general
    assert "_dev_thread_num" in general
    assert "REX_COVERED_LOOP" in direct
    assert "_dev_thread_num" not in direct
    assert "long long __rex_tripcount" not in direct, "counted in 32 bits"
    assert "(long long)__rex_iv * 3" in direct, "the product with the step is not"
    assert "rex_covers(_num_blocks_, _threads_per_block_, __rex_tripcount)" in lowered.host
    assert lowered.host.count('(char *)"OUT__') == 2, "both kernels are in the table"


@pytest.mark.parametrize(
    ("parameters", "directive", "loop", "why"),
    [
        ("double *y", "map(y[0:n]) schedule(static, 4)", "for (int i = 0; i < n; ++i) y[i] = 0;", "chunks"),
        ("double *y, double s", "map(y[0:n]) reduction(+: s)", "for (int i = 0; i < n; ++i) s += y[i];", "reduction"),
        ("double *y, int *m", "map(y[0:n], m[0:1])", "for (int i = 0; i < m[0]; ++i) y[i] = 0;", "trip count"),
    ],
)
def test_loops_that_stay_loops(tmp_path: Path, parameters: str, directive: str, loop: str, why: str) -> None:
    request = region(tmp_path, parameters, directive, loop)
    assert why in transformations(request)["once"]
    assert "REX_COVERED_LOOP" not in lower_text(request).device


def test_tiles_of_collapsed_loops(tmp_path: Path) -> None:
    loops = "for (int i = 0; i < n; ++i) for (int j = 2; j < n; ++j) for (int k = 0; k < 7; ++k) y[i * 7 * n + j * 7 + k] = i + j;"
    lowered = lower_text(region(tmp_path, "double *y", "collapse(3) map(from: y[0:n * n * 7])", loops))
    direct = lowered.device.split("__direct__(", 1)[1]
    assert "for (REX_TILE_ROWS(__rex_row, __rex_rows, __rex_tripcount_2, __rex_tiling))" in direct
    assert "const int __rex_iv_1 = rex_innermost(__rex_rest, __rex_tripcount_1);" in direct
    assert "int k = (int)__rex_column;" in direct
    assert re.search(
        r"rex_tile\(.* \* .*, 7, rex_omp_max_teams\(\), &_num_blocks_, &_threads_per_block_", one_line(lowered.host)
    )


@pytest.mark.parametrize(
    ("directive", "body", "why"),
    [
        ("", "y[i * n + j] = omp_get_team_num();", "where it runs"),
        ("lastprivate(k)", "y[i * n + j] = k = j;", "last iteration"),
    ],
)
def test_collapsed_loops_without_tiles(tmp_path: Path, directive: str, body: str, why: str) -> None:
    loop = f"for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) {{ {body} }}"
    request = region(tmp_path, "double *y, int k", f"collapse(2) map(from: y[0:n * n]) {directive}", loop,
                     "int omp_get_team_num(void);")  # fmt: skip
    assert why in transformations(request)["tile"]
    assert "REX_TILE_ROWS" not in lower_text(request).device


BOUNDS = ("int *b, struct P *p, double *x, double *y", "map(to: b[0:n + 1], p[0:n], x[0:n]) map(tofrom: y[0:n])")


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("for (int k = b[i]; k < b[i + 1]; ++k) y[i] += x[k];", ["b[i + 1]"]),
        ("for (int k = 0; k < p[i].x + p[i].y && x[k] > 0; ++k) y[i] += x[k];", ["p[i].x", "p[i].y"]),
        ("int k = 0; while (x[b[i]] > k) { y[i] += 1; ++k; }", ["x[b[i]]"]),
    ],
)
def test_bounds_are_read_once(tmp_path: Path, loop: str, expected: list[str]) -> None:
    request = region(tmp_path, *BOUNDS, f"for (int i = 0; i < n; ++i) {{ y[i] = 0; {loop} }}")
    general, direct = lower_text(request).device.split("__global__")[1:]
    assert "__rex_bound" not in general, "there the ranges may overlap"
    found = dict(re.findall(r"const \w+ (\w+__rex_bound_\d) = (.*);", direct))
    assert list(found.values()) == expected
    condition = re.search(r"(?:for|while) \((?!REX_)(.*)\)", direct)
    assert condition is not None
    assert all(name in condition[1] for name in found)


@pytest.mark.parametrize(
    "loop",
    [
        "for (int k = 0; x[k] > 0; ++k) y[i] += x[k];",  # another element in every iteration
        "int m = i; for (int k = 0; k < b[m]; ++k) { y[i] += x[k]; m = k; }",  # the subscript changes
        "int m = i, *q = &m; for (int k = 0; k < b[m]; ++k) { y[i] += x[k]; *q = k; }",  # ... through a pointer
        "int m[1] = {0}, *q = m; for (int k = 0; k < b[m[0]]; ++k) { y[i] += x[k]; *q = k; }",
        "for (int k = 0; ({ int r = 3; if (i > 3) r = b[i + n]; k < r; }); ++k) y[i] += k;",  # not always, once more
        "switch (n) { case 0: while (y[i] < b[i]) { y[i] += 2; case 1: y[i] += 1; } }",  # not before the loop
        "int m; for (m = 1; m < b[m]; m = n) y[i] += x[m];",  # in the loop's own head
        "for (int k = 0; k < n && k < b[i]; ++k) y[i] += x[k];",  # not always evaluated
        "for (int k = 0; k < y[i + 1]; ++k) y[i] += x[k];",  # written somewhere in the body
        "for (int k = 0; k < b[i]; ++k) {\n#pragma omp atomic update\n b[0] += 1; }",  # ... atomically
        "for (int k = 0; k < b[i]; ++k) { int *q = b + 1; *q = k; }",  # ... through another pointer
        "for (int k = 0; k < b[i]; ++k) y[i] += store(b);",  # a call that writes it
        "do { y[i] += 1; } while (x[i] > 3);",  # nothing is gained
    ],
)
def test_bounds_that_are_read_again(tmp_path: Path, loop: str) -> None:
    request = region(tmp_path, *BOUNDS, f"for (int i = 0; i < n; ++i) {{ y[i] = 0; {loop} }}",
                     "static double store(int *v) { return v[0] = 1; }")  # fmt: skip
    assert transformations(request)["hoist"].startswith("no, ")
    assert "__rex_bound" not in lower_text(request).device


def test_volatile_bounds_are_read_again(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < n; ++i) for (int k = 0; k < b[i]; ++k) y[i] = k;"
    request = region(tmp_path, "volatile int *b, double *y", "map(to: b[0:n]) map(from: y[0:n])", loop)
    assert "volatile" in transformations(request)["hoist"]


_FUNCTIONS = """
static double next(unsigned long *seed) { *seed = *seed * 6364136223846793005ul + 1; return *seed >> 40; }
static int find(int n, double v, const double *g) { int k = 0; while (k < n && g[k] < v) ++k; return k; }
static double add(double *p, const double *q, int i) { if (i < 0) return 0; p[i] += q[i]; return p[i]; }
static double both(double *p, const double *q, int i) { return add(p, q, i) + add(p, q, i + 1); }
static const double table[4] = {1, 2, 4, 8};
static double weight(int i) { return table[i & 3]; }
"""


@pytest.mark.parametrize(
    ("loop", "written"),
    [
        ("unsigned long seed = i; y[i] = next(&seed); y[i] += x[i];", "y"),
        ("y[i] = 0; y[i] += find(n, i, x) + x[i];", "y"),
        ("y[i] = 0; add(y, x, i); y[i] += x[i];", "y"),
        ("both(y, x, i); y[i] += x[i];", "y"),
        ("both(z, y, i); x[i] = y[i];", "xz"),
        ("y[i] = weight(i); y[i] += x[i] * table[i & 3];", "y"),
    ],
)
def test_effects_of_functions_are_those_of_their_parameters(tmp_path: Path, loop: str, written: str) -> None:
    maps = "map(x[0:n], y[0:n], z[0:n])"
    asked = region(
        tmp_path, "double *x, double *y, double *z", maps, f"for (int i = 0; i < n; ++i) {{ {loop} }}", _FUNCTIONS
    )
    assert not transformations(asked)["noalias"].startswith("no")
    pairs = re.findall(r"rex_apart\(\(void \*\)(\w), .*?, \(void \*\)(\w), ", one_line(lower_text(asked).host))
    assert pairs
    assert all(set(pair) & set(written) for pair in pairs)
    assert set(written) <= {name for pair in pairs for name in pair}


def test_pointers_that_functions_get_keep_their_types(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < n; ++i) { y[i] = find(n, i, x); y[i] += add(z, w, i) + w[i]; }"
    parameters = "double *x, double *y, double *z, double *w"
    asked = region(tmp_path, parameters, "map(x[0:n], y[0:n], z[0:n], w[0:n])", loop, _FUNCTIONS)
    direct = lower_text(asked).device.partition("__direct__(")[2]
    assert "const double *__restrict__ x" in direct
    assert "const double *__restrict__ w" in direct
    assert re.search(r"(?<!const )double \*__restrict__ z", direct)


_RECURRENCE = "for (int i = 1; i < n; ++i) x[i] = a[i] - x[i - 1];"
_TEAM = "for (int r = 0; r < n; ++r) {\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) for (int k = 0; k < 4; ++k) x[r * n + i] += a[i] * k; }"


def plain(tmp_path: Path, directive: str, body: str) -> LowerRequest:
    source = tmp_path / "unit.c"
    maps = "map(to: a[0:n]) map(tofrom: x[0:n * n])"
    source.write_text(f"void f(int n, double *a, double *x)\n{{\n#pragma omp {directive} {maps}\n{body}\n}}\n")
    return LowerRequest(source=source, out_dir=tmp_path)


def test_one_thread_has_a_no_alias_kernel(tmp_path: Path) -> None:
    lowered = lower_text(plain(tmp_path, "target", _RECURRENCE))
    assert "double *__restrict__ x, const double *__restrict__ a" in re.sub(
        r"unsigned \w+ \w+ \w+, ", "", " ".join(lowered.device.split())
    )
    assert lowered.host.count("rex_apart(") == 1


@pytest.mark.parametrize(
    "body", ["x[0] = a[0]; x[1] = a[1];", "{\n#pragma omp task\nx[0] = a[0];\n}", "{ goto end; end: x[0] = a[0]; }"]
)
def test_one_thread_without_a_loop_has_one_kernel(tmp_path: Path, body: str) -> None:
    assert "__restrict__" not in lower_text(plain(tmp_path, "target", body)).device


def test_teams_that_wait_restrict_only_what_is_never_written(tmp_path: Path) -> None:
    text = lower_text(plain(tmp_path, "target teams distribute", _TEAM)).device
    assert "const double *__restrict__ a" in text
    assert re.search(r"double \*x[,)]", text)
    assert "__restrict__ x" not in text


@pytest.mark.parametrize(
    "inner",
    ["", "for (int k = 0; k < 4; ++k) a[i] += x[k];", "for (int k = 0; k < 4; ++k) { x[i] = a[i]; a[0] += 1; }"],
)
def test_teams_that_gain_nothing_have_one_kernel(tmp_path: Path, inner: str) -> None:
    body = f"for (int r = 0; r < n; ++r) {{\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {{ x[r] += a[i]; {inner} }} }}"
    assert "__restrict__" not in lower_text(plain(tmp_path, "target teams distribute", body)).device


@pytest.mark.parametrize(
    ("before", "tests"),
    [
        ("", 1),
        ("double *at = &s; (void)at;", 2),
        ('__asm__ volatile("nop" : : "r"(&s));', 2),
        ("static double s;", 2),  # another call may have let its address out
    ],
)
def test_no_pointer_leads_to_a_local_object_without_an_address(tmp_path: Path, before: str, tests: int) -> None:
    loop = "for (int i = 1; i < n; ++i) { x[i] = y[i]; x[i] += y[i - 1]; s += x[i]; }"
    source = tmp_path / "unit.c"
    declared = before if "static" in before else f"double s = 0; {before}"
    source.write_text(
        f"double f(int n, double *x, double *y)\n{{\n{declared}\n"
        f"#pragma omp target teams distribute parallel for reduction(+: s)\n{loop}\nreturn s;\n}}\n"
    )
    host = lower_text(LowerRequest(source=source, out_dir=tmp_path)).host
    assert host.count("rex_elsewhere(") == tests


def test_host_blocks_have_no_long_lines(tmp_path: Path) -> None:
    asked = region(tmp_path, "double *first_of_all, double *second_of_all, const double *third_of_all",
                   "", "for (int i = 1; i < n; ++i) { first_of_all[i] = third_of_all[i]; second_of_all[i] = third_of_all[i - 1]; }")  # fmt: skip
    block = lower_text(asked).host.partition("REX_GENERATED_BEGIN")[2].partition("__host_ptr")[0]
    assert "rex_elsewhere(" in block
    assert max(map(len, block.splitlines())) <= 130


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("int i = 0; i < n; ++i", ["i >= 0", "i < n"]),
        ("int i = n - 1; i >= 2; i -= 3", ["i <= (n - 1)", "i >= 2"]),
        ("unsigned i = 0; i < 9; ++i", ["i < 9"]),
        ("long i = 0; i < n; ++i", ["i >= 0"]),  # the comparison converts n
        ("int i = 0; i != n; ++i", []),
        ("int i = 0; i < w[0]; ++i", ["i >= 0"]),  # it would be loaded
    ],
)
def test_the_compiler_is_told_where_loop_variables_are(tmp_path: Path, head: str, told: list[str]) -> None:
    loop = f"for ({head}) x[i] = i;"
    text = lower_text(region(tmp_path, "int *x, const int *w", "map(from: x[0:n]) map(to: w[0:1])", loop)).device
    general, _, direct = text.partition("__direct__(")
    assert re.findall(r"REX_ASSUME\((.*)\);", direct) == told or "__direct__" not in text
    assert "REX_ASSUME" not in general
