# ruff: noqa: E501 -- lines of C stand whole
"""What transformations rely on is verified by the check device: proofs that are made to accept too much are found out.

Each wrong program is one that a proof refuses. The proof is replaced by one that accepts it, so the claim is false.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest
from execution import UNCACHED, lot
from sweep import Checked, checked, checked_programs, claims_in
from test_run import run

from rex_build.cli.main import main
from rex_build.optimise import accesses, block, carried, claims, collapse, dependence, loads, noalias, wide
from rex_build.render import launches
from rex_build.tree.nodes import Constant, Store, Update
from rex_build.tree.types import Integer
from rex_build.tree.updates import Combining

N = 40


def program(*functions: str, call: str) -> str:
    return f"""#include <stdio.h>
#include <stdlib.h>
enum {{ N = {N} }};
static int bump(int *value) {{ return ++*value; }}
{"".join(functions)}
int main(void)
{{
    static double a[N * N + 1], b[N * N + 1];
    static int first[N + 1], seen[N * N];
    for (int i = 0; i < N * N; ++i)
        a[i] = i * 0.37, b[i] = i, seen[i] = i;
    for (int i = 0; i <= N; ++i)
        first[i] = 20 + i % 3;
    {call}
    printf("%g %g %d %d %d\\n", a[7], b[7], first[1], seen[4], bump(&first[2]));
    return 0;
}}
"""


LOOP = "#pragma omp target teams distribute parallel for"
ATOMIC = "#pragma omp atomic"
DATA = "map(tofrom: a[0:n * n]) map(tofrom: b[0:n * n])"


def kernel(body: str, clauses: str = DATA, parameters: str = "double *a, double *b, int *first, int *seen") -> str:
    return f"""static void kernel(int n, {parameters})
{{
{LOOP} {clauses}
    for (int i = 0; i < n; ++i) {{
{body}
    }}
}}
"""


CALL = "kernel(N, a, b, first, seen);"


def anything(value: Any) -> Callable[..., Any]:
    return lambda *_args, **_more: value


class AllUpdates(Combining):
    """Every assignment to the variable combines it."""

    def mentions(self, statement: Any) -> tuple[Any, ...]:
        made = getattr(statement, "expression", None)
        is_own = isinstance(made, Store | Update) and getattr(made.place, "variable", None) is self.variable
        return (made,) if is_own else ()


def same_subscript(_access: Any, _root: Any, _moving: Collection[Any], _members: Any) -> Constant:
    return Constant(Integer(32, True, 4), 0)


Patch = tuple[Any, str, Any]

# What is claimed, the kernel's program, and the proofs that are replaced.
WRONG: dict[str, tuple[str, str, tuple[Patch, ...]]] = {
    "iterations write one element": (
        "iterations over 'j' touch no element in conflict",
        program(kernel("        for (int j = 0; j < n; ++j)\n            b[i] = b[i] * 0.5 + a[i * n + j];"), call=CALL),
        ((collapse, "independent", anything(())),),
    ),
    "updates by two operations": (
        "iterations over 'j' touch no element in conflict",
        program(
            kernel(f"""        for (int j = 0; j < n; ++j) {{
            if (j & 1) {{
{ATOMIC}
                first[i] += j;
            }} else {{
{ATOMIC}
                first[i] *= 3;
            }}
        }}""", "map(tofrom: first[0:n])"),
            call=CALL,
        ),
        ((dependence, "commute", anything(True)),),
    ),
    "a copy of the region's own that the iteration before has written": (
        "iterations over 'i' touch no element in conflict",
        program("""static void kernel(int n, double *a, double *b)
{
    int own = 1;
#pragma omp target map(tofrom: b[0:n]) map(to: a[0:n])
    for (int i = 0; i < n; ++i) {
        if (i & 1)
            own = i;
        b[i] = own + a[i];
    }
}
""", call="kernel(1000, a, b);"),
        ((block, "is_written_first", anything(True)), (collapse, "check_scalars", anything(None))),
    ),
    "updates that another iteration reads": (
        "iterations over 'j' touch no element in conflict",
        program(
            kernel(f"""        for (int j = 0; j < n; ++j) {{
{ATOMIC}
            first[i] += j;
            seen[i * n + j] = first[i];
        }}""", "map(tofrom: first[0:n], seen[0:n * n])"),
            call=CALL,
        ),
        ((collapse, "independent", anything(())),),
    ),
    "iterations read what another one writes": (
        "iterations over 'j' touch no element in conflict",
        program(kernel("        for (int j = 1; j < n; ++j)\n            b[i * n + j] = b[i * n + j - 1] + a[i];"), call=CALL),
        ((collapse, "independent", anything(())),),
    ),
    "names of overlapping memory": (
        "what the kernel writes it reaches through one name alone: 'a', 'b'",
        program(
            kernel("        double t = 0;\n        for (int j = 0; j < 4; ++j) { a[i * 4 + j] = t; t += b[i]; }",
                   "map(tofrom: a[0:n * 4]) map(to: b[0:n])"),
            call="""
#pragma omp target data map(tofrom: a)
    kernel(N, a, a + 50, first, seen);""",
        ),
        ((noalias, "islice", anything([])),),
    ),
    "memory that the kernel writes": (
        "nobody writes this memory while the kernel runs",
        program(kernel("        b[i] = a[i] + 1;"), call=CALL),
        ((accesses.Accesses, "written", frozenset()),),
    ),
    "a front that counts": (
        "what stands in front of the loop over 'j' gives the same each time",
        program(
            kernel("        own += 3;\n        for (int j = 0; j < n; ++j)\n            b[i * n + j] = a[i * n + j] + own;",
                   f"{DATA} firstprivate(own)", "double *a, double *b, int *first, int *seen, int own"),
            call="kernel(N, a, b, first, seen, 1);",
        ),
        ((collapse, "check_scalars", anything(None)),),
    ),
    "a front that calls": (
        "what stands in front of the loop over 'j' gives the same each time",
        program(
            kernel("        int q = bump(&own);\n        for (int j = 0; j < n; ++j)\n            b[i * n + j] = a[i * n + j] + q;",
                   f"{DATA} firstprivate(own)", "double *a, double *b, int *first, int *seen, int own"),
            call="kernel(N, a, b, first, seen, 1);",
        ),
        ((collapse, "check_scalars", anything(None)), (collapse, "_check_front", anything(None))),
    ),
    "a sum that drops fractions": (
        "parts of what 's' combines may be combined first",
        program(
            """static int total(int n, double *a)
{
    int s = 0;
"""
            + LOOP
            + """ map(to: a[0:n * n]) reduction(+: s)
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            s += a[i * n + j] - 100.7;
    return s;
}
""",
            call="first[1] = total(N, a);",
        ),
        ((carried, "_check_reduction", anything(None)), (claims, "Combining", AllUpdates)),
    ),
    "more iterations than 32 bits count": (
        "all iterations over 'i', 'j' together fit 32 bits",
        program(
            kernel("        for (long j = 0; j < n * 100000000L; ++j)\n            if (j < n) b[i * n + j] = a[i * n + j];"),
            call="kernel(N, a, b, first, seen);",
        ),
        ((launches, "_collapsed_shape", anything("1")),),
    ),
    "a bound that the loop writes": (
        "a bound that 'first' holds stays the same while its loop runs",
        program(
            kernel("        for (int k = 0; k < first[i]; ++k)\n            if (k == 3) first[i] = 5;",
                   "map(tofrom: first[0:n])"),
            call=CALL,
        ),
        ((loads, "_is_fixed", anything(True)),),
    ),
    "narrow elements that lie apart": (
        "elements of 'bytes' that iterations read one after the other are neighbours",
        program(
            """static int total(int n, unsigned char *bytes)
{
    int s = 0;
"""
            + LOOP
            + """ map(to: bytes[0:n * 2]) reduction(+: s)
    for (int i = 0; i < n; ++i)
        s += bytes[2 * i];
    return s;
}
""",
            call="first[1] = total(N, (unsigned char *)seen);",
        ),
        ((wide, "_moves_by_one", anything(True)),),
    ),
    "two elements of one array": (
        "an iteration uses one element of 'b'",
        program(
            kernel("        b[i] = 0;\n        for (int j = 0; j < 4; ++j)\n            b[i + n * (j > 2)] += a[i * n + j];"),
            call=CALL,
        ),
        ((loads, "_subscript", same_subscript),),
    ),
}  # fmt: skip


OVERLAPPING = "what the kernel writes it reaches through one name alone: 'a', 'b'"
HALVES = """
#pragma omp target data map(tofrom: a)
    kernel(N, a, a + 50, first, seen);"""
OVERLAP = ((noalias, "islice", anything([])),)
WRITTEN = ((accesses.Accesses, "written", frozenset()),)
CXX = """
static double at(const double *p, int i) { return p[i]; }
struct View { double *p; double operator()(int i) const { return p[i]; } double &operator[](int i) const { return p[i]; } };
template <class F> static double called(F f, int i) { return f(i); }
"""
MOVED = "        {} = i;\n        {} += {};"

# The same in C++, and of memory that functions reach.
WRONG_IN_CXX = {
    f"{where}, {what}": (about, program(CXX, kernel(body, clauses), call=call), patches)
    for what, about, clauses, call, patches in (
        ("overlap", OVERLAPPING, "map(tofrom: a[0:n + 50]) map(tofrom: b[0:n])", HALVES, OVERLAP),
    )
    for where, body in {
        "elements": MOVED.format("a[i + 50]", "a[i + 50]", "b[i]"),
        "a called function": MOVED.format("a[i + 50]", "a[i + 50]", "at(b, i)"),
        "methods": "        const View v{a}, w{b};\n" + MOVED.format("v[i + 50]", "v[i + 50]", "w(i)"),
        "a lambda": "        const auto f = [](double *p, double *q, int k) { p[k + 50] = k; p[k + 50] += q[k]; };\n        f(a, b, i);",
        "a lambda that is passed": MOVED.format("a[i + 50]", "a[i + 50]", "called([&](int k) { return b[k]; }, i)"),
    }.items()
} | {
    f"{what}, in C++": WRONG[what]
    for what in (
        "iterations read what another one writes", "updates by two operations", "a bound that the loop writes",
        "two elements of one array", "a front that counts", "a front that calls",
        "a sum that drops fractions", "narrow elements that lie apart",
    )
} | {
    "elements, written": (
        "nobody writes this memory while the kernel runs",
        program(CXX, kernel("        b[i] = at(a, i) + 1;"), call=CALL),
        WRITTEN,
    ),
    "a method, written": (
        "nobody writes this memory while the kernel runs",
        program(CXX, kernel("        const View v{b};\n        v[i] = a[i] + 1;"), call=CALL),
        WRITTEN,
    ),
}


@pytest.mark.compile
@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [*WRONG, *WRONG_IN_CXX])
def test_false_claims_are_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    about, text, patches = {**WRONG, **WRONG_IN_CXX}[name]
    source = tmp_path / f"wrong.{'c' if name in WRONG else 'cpp'}"
    source.write_text(text)
    for variable, value in UNCACHED.items():
        monkeypatch.setenv(variable, value)
    with monkeypatch.context() as patched:
        for module, attribute, value in patches:
            patched.setattr(module, attribute, value, raising=False)
        command = ["cc", "--check", "--claims", "-o", str(tmp_path / "app"), str(source), "--", "-g"]
        assert main(command) == 0
    done = run(tmp_path / "app")
    assert done.returncode == 66, done.stdout + done.stderr
    (said,) = re.findall(r"^.*\[false-claim\]$", done.stderr, re.MULTILINE)
    assert about in said
    assert re.match(r".*wrong\.c(pp)?:\d+:\d+: error: '\w+' relies on this, which is false: ", said)
    assert "note: " in done.stderr


def _with_claims() -> list[Checked]:
    programs = sorted(checked_programs(), key=lot)
    return [p for suffix in (".c", ".cpp") for p in [p for p in programs if p.sources[0].suffix == suffix][:6]]


@pytest.mark.compile
@pytest.mark.sampled(4)
@pytest.mark.parametrize("program", _with_claims(), ids=lambda program: program.name)
def test_right_programs_have_true_claims(program: Checked, tmp_path: Path) -> None:
    """``python tests/check/sweep.py --claims`` runs all."""
    problem, _ = checked(program, tmp_path, ["--claims"])
    assert problem is None


OWN = """#include <stdio.h>
int main()
{
    static int b[1000], sum = 0;
    int j, own;
#pragma omp target map(tofrom: b)
    for (j = 3; j < 1000; j += 2) {
        own = j * 3;
        b[j] = own;
    }
#pragma omp target map(tofrom: sum)
    for (j = 0; j < 1000; ++j)
        sum += j;
    printf("%d %d\\n", b[5], sum);
}
"""
PACKED = """#include <stdio.h>
struct loose { int x, y; };
struct members { char c; int i __attribute__((packed)); struct loose in __attribute__((packed)); } __attribute__((aligned(8)));
struct __attribute__((packed, aligned(4))) whole { int i; struct loose in; short s[2]; };
#pragma pack(push, 1)
struct pushed { char c; long l; };
#pragma pack(pop)
static struct members m[64];
static struct whole w[64];
static struct pushed p[64];
int main()
{
#pragma omp target teams distribute parallel for map(tofrom: m, w, p)
    for (int i = 0; i < 64; ++i) {
        m[i].i = i;
        struct loose in = m[i].in;
        m[i].in.y = in.x + i;
        w[i].i += m[i].i;
        w[i].in = m[i].in;
        w[i].s[i & 1] = i;
        p[i].l = w[i].in.y;
    }
    printf("%d %d %ld\\n", m[5].in.y, w[7].i, p[9].l);
}
"""


# Arrays of which a team shares one copy. What draws numbers is not run twice.
SHARED = """
#include <stdio.h>
static unsigned next(unsigned *state) { return *state = *state * 1103515245u + 12345; }
int main(void)
{
    unsigned sums[64] = {0}, drawn[64] = {0};
    double most[64] = {0};
#pragma omp target teams distribute parallel for reduction(+: sums, drawn) reduction(max: most)
    for (int i = 0; i < 1000; ++i) {
        unsigned state = i;
        sums[i % 64] += i;
        sums[i * 3 % 64]--;
        if (i * 0.5 > most[i * 7 % 64]) most[i * 7 % 64] = i * 0.5;
        drawn[i % 64] += next(&state) % 3;
    }
    printf("%u %g %d\\n", sums[5], most[7], drawn[0] < 48);
}
"""

# A loop's pragma stands in front of a loop alone, and not of what watches it. What the first of two loops changes has
# another value behind it, which nobody needs.
PRAGMA = """
#include <stdio.h>
int main(void)
{
    int n = 20, a[400], b[400] = {0};
    for (int i = 0; i < 400; ++i) a[i] = i;
#pragma omp target teams distribute parallel for map(to: a) map(tofrom: b)
    for (int i = 0; i < n; ++i) {
        int last = i;
#pragma GCC unroll 4

        for (int j = 0; j < n; ++j) {
            last = 1;
            b[i * n + j] += last * a[i * n + j];
        }
        int next = i + 1;
        for (int j = 0; j < n; ++j)
            b[i * n + j] += next - i;
    }
    printf("%d\\n", b[399]);
}
"""


@pytest.mark.compile
@pytest.mark.parametrize("suffix", ["c", "cpp"])
@pytest.mark.parametrize(
    ("text", "printed"),
    [(OWN, "15 499500\n"), (PACKED, "5 7 9\n"), (SHARED, "7744 480.5 1\n"), (PRAGMA, "400\n")],
    ids=["own", "packed", "shared", "pragma"],
)
def test_true_claims(text: str, printed: str, suffix: str, tmp_path: Path) -> None:
    source = tmp_path / f"right.{suffix}"
    source.write_text(text)
    assert main(["cc", "--check", "--claims", "-o", str(tmp_path / "app"), str(source), "--", "-g"]) == 0
    done = run(tmp_path / "app")
    assert (done.returncode, done.stdout) == (0, printed), done.stderr
    assert claims_in(done.stderr) or suffix == "cpp"  # blocks of threads share out loops of C alone
    assert text is not SHARED or claims_in(done.stderr)["exact update"] == 2, done.stderr


@pytest.mark.compile
def test_claims_are_counted(tmp_path: Path) -> None:
    (tmp_path / "right.c").write_text(
        program(kernel("        for (int j = 0; j < n; ++j) b[i * n + j] += a[i];"), call=CALL)
    )
    assert main(["cc", "--check", "--claims", "-o", str(tmp_path / "app"), str(tmp_path / "right.c"), "--", "-g"]) == 0
    done = run(tmp_path / "app")
    found = claims_in(done.stderr)
    assert done.returncode == 0, done.stderr
    assert {"independent iterations", "memory apart", "unwritten memory", "same value", "fits"} <= {*found}
    assert found["times"] > N * N
