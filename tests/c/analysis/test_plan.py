"""Facts of plans: literals, kernel kinds, launch shapes."""

from __future__ import annotations

import dataclasses
from functools import cache

import pytest
from analysis_support import capture, lowered, plan, region

from rex_build.base.diagnostics import InternalError
from rex_build.plan.host_expression import ONE
from rex_build.plan.launch import LaunchShape
from rex_build.plan.rows import DataMapping, Map, Role, Transport
from rex_build.plan.unit import KernelKind, TranslationUnitPlan, check_plan

pytestmark = pytest.mark.compile


_LOOP = "#pragma omp target teams distribute parallel for"
_FOR = "for (int i = 0; i < n; i++) a[i] = 1;"

# Literals: a scalar travels by value only where that cannot be told from mapping it.

_USE = "#pragma omp target {clause}\n    {{ a[0] = n; }}\n"


def function(before: str, clause: str, file_scope: str = "", parameters: str = "int n, int *a") -> str:
    return f"{file_scope}\nvoid f({parameters})\n{{\n    {before}\n{_USE.format(clause=clause)}}}\n"


@pytest.mark.parametrize(
    "text",
    [
        function("", ""),
        function("", "firstprivate(n)"),
        function("int *p = &n; (void)p;", ""),  # implicitly firstprivate, whatever else is done with it
        function("int *p = &n; (void)p;", "firstprivate(n)"),
        function("", "", "int n;", "int *a"),
        function("", "defaultmap(firstprivate: scalar)"),
        function("double n = 1;", "", "", "int *a"),
        function("enum { A, B } n = B;", "", "", "int *a"),
    ],
)
def test_literal(text: str) -> None:
    found = capture(text, "n")
    assert found.transport is Transport.LITERAL
    mapping = region(text).mapping
    (parameter,) = (p for p in mapping.parameters if p.role is Role.VARIABLE and p.name == "n")
    assert mapping.rows[parameter.row].flags & Map.LITERAL


@pytest.mark.parametrize(
    "text",
    [
        function("", "map(tofrom: n)"),
        function("", "map(from: n)"),
        function("", "map(alloc: n)"),
        function("int *p = &n; (void)p;", "map(to: n)"),
        function("g(&n);", "map(to: n)", "void g(int *);"),
        function("", "map(to: n)", "int n;", "int *a"),
        function("", "map(to: n)", "static int n;", "int *a"),
        function("static int n;", "map(to: n)", "", "int *a"),
        function("", "map(always, to: n)"),
        function("\n#pragma omp target enter data map(to: n)\n", "map(to: n)"),
        function("\n#pragma omp target data map(to: n)\n{\n#pragma omp target\na[1] = 1;\n}\n", "map(to: n)"),
        function("", "defaultmap(tofrom: scalar)"),
        function("", "defaultmap(to: scalar)").replace("    \n#", "    int *p = &n; (void)p;\n#"),
    ],
)
def test_no_literal(text: str) -> None:
    found = next(c for c in plan(text).regions[-1].captures if c.symbol.name == "n")
    assert found.transport is Transport.ADDRESS


def test_mapped_in_a_construct_that_follows() -> None:
    """Loops and calls make what stands later run earlier: the variable may be present all the same."""
    text = """
void f(int n, int *a)
{
    for (int k = 0; k < 2; k++) {
#pragma omp target map(to: n)
        { a[0] = n; }
#pragma omp target enter data map(to: n)
    }
}
"""
    assert capture(text, "n").transport is Transport.ADDRESS


@pytest.mark.parametrize("statement", ["n = 1;", "n++;", "a[0] = n;"])
def test_map_tofrom_keeps_storage_whatever_is_done(statement: str) -> None:
    text = f"void f(int n, int *a)\n{{\n#pragma omp target map(tofrom: n, a[0:1])\n    {{ {statement} }}\n}}\n"
    assert capture(text, "n").transport is Transport.ADDRESS


# Kernel kinds


@pytest.mark.parametrize(
    ("directive", "body", "kind"),
    [
        ("target", "{ a[0] = 1; }", KernelKind.SERIAL),
        ("target teams", "{ a[0] = 1; }", KernelKind.SERIAL),
        ("target parallel", "{ a[0] = 1; }", KernelKind.PARALLEL),
        ("target teams", "{\n#pragma omp parallel\n a[0] = 1; }", KernelKind.TEAMS),
        ("target", "{\n#pragma omp parallel for\n for (int i = 0; i < n; i++) a[i] = 1;\n a[0]++; }", KernelKind.TEAMS),
        ("target parallel for", _FOR, KernelKind.WORKSHARING),
        ("target parallel for simd", _FOR, KernelKind.WORKSHARING),
        ("target teams distribute", _FOR, KernelKind.WORKSHARING),
        ("target teams distribute parallel for", _FOR, KernelKind.WORKSHARING),
        ("target teams distribute parallel for simd", _FOR, KernelKind.WORKSHARING),
        ("target\n#pragma omp parallel for", _FOR, KernelKind.WORKSHARING),
        ("target\n#pragma omp teams distribute parallel for", _FOR, KernelKind.WORKSHARING),
        ("target teams\n#pragma omp distribute parallel for", _FOR, KernelKind.WORKSHARING),
        ("target\n#pragma omp loop", _FOR, KernelKind.WORKSHARING),
        ("target", "{\n#pragma omp loop\n" + _FOR + " }", KernelKind.WORKSHARING),
        ("target\n#pragma omp loop bind(thread)", _FOR, KernelKind.SERIAL),
        ("target", "{\n#pragma omp loop\n" + _FOR + " a[0]++; }", KernelKind.SERIAL),
    ],
)
def test_kernel_kind(directive: str, body: str, kind: KernelKind) -> None:
    found = region(f"void f(int n, int *a)\n{{\n#pragma omp {directive}\n    {body}\n}}\n")
    assert found.kind is kind
    assert found.reason


# Launch shapes


def shape_text(clauses: str, nested: int = 0) -> tuple[str, str]:
    """(threads, teams) as the host block sets them; all that may follow is the program's own thread limit."""
    body = "a[i] = 1;"
    for depth in range(nested):
        body = f"for (int j{depth} = 0; j{depth} < n; j{depth}++) {body}"
    text = f"void f(int n, int t, int *a)\n{{\n{_LOOP} {clauses}\n    for (int i = 0; i < n; i++) {body}\n}}\n"
    host = lowered(text).host
    block = host[host.index("_threads_per_block_ =") : host.index("__host_ptr")]
    threads = [line.partition("=")[2].strip(" ;()") for line in block.splitlines() if "_threads_per_block_ =" in line]
    teams = [line.partition("=")[2].strip(" ;()") for line in block.splitlines() if "_num_blocks_ =" in line]
    return "|".join(t for t in threads if not t.startswith("rex_limited(")), "|".join(teams)


def test_explicit_numbers_are_not_touched() -> None:
    assert shape_text("num_teams(7) thread_limit(96)") == ("96", "7")
    assert shape_text("num_teams(7) num_threads(33)") == ("33", "7")
    assert shape_text("num_threads(64)")[0] == "64"
    assert shape_text("num_teams(3)")[1] == "3"
    assert shape_text("num_teams(7) thread_limit(512)", nested=3) == ("512", "7")


def test_expressions_are_kept() -> None:
    threads, teams = shape_text("num_teams(t + 1) thread_limit(2 * t)")
    assert "t + 1" in teams
    assert "2 * t" in threads


def test_the_smaller_of_two_limits() -> None:
    assert shape_text("num_teams(1) thread_limit(64) num_threads(128)")[0] == "64"
    assert shape_text("num_teams(1) thread_limit(128) num_threads(64)")[0] == "64"


@pytest.mark.parametrize(("nested", "cap"), [(0, None), (1, 256), (2, 128), (3, 128)])
def test_nested_loops_cap_the_threads_without_a_clause(nested: int, cap: int | None) -> None:
    text = "a[i] = 1;"
    for depth in range(nested):
        text = f"for (int j{depth} = 0; j{depth} < n; j{depth}++) {text}"
    found = region(f"void f(int n, int *a)\n{{\n{_LOOP}\n    for (int i = 0; i < n; i++) {text}\n}}\n")
    assert (found.launch.thread_cap or None) == cap
    assert found.launch.threads is None


def test_one_team_where_the_construct_has_one() -> None:
    assert region("void f(int *a)\n{\n#pragma omp target parallel\n    a[0] = 1;\n}\n").launch.default_teams == 1
    assert region("void f(int *a)\n{\n#pragma omp target\n    a[0] = 1;\n}\n").launch.default_teams == 1


@pytest.mark.parametrize("directive", ["teams distribute num_teams(1)", "teams distribute simd num_teams(2 - 1)"])
def test_iterations_of_the_only_team_are_one_thread_s(directive: str) -> None:
    text = f"void f(int n, int *a)\n{{\n#pragma omp target {directive}\n    {_FOR}\n}}\n"
    assert region(text).launch.exact_threads is None
    assert region(text).launch.threads == ONE
    assert region(text.replace("distribute", "distribute parallel for")).launch.threads is None


def test_one_team_that_only_the_run_knows_of_has_one_thread() -> None:
    text = f"void f(int n, int *a)\n{{\n#pragma omp target teams distribute num_teams(n)\n    {_FOR}\n}}\n"
    assert "if (_num_blocks_ == 1) _threads_per_block_ = 1;" in lowered(text).host


@pytest.mark.parametrize(
    ("clause", "may_be_one"),
    [
        ("thread_limit(1)", True),
        ("thread_limit(n)", True),
        ("thread_limit(2)", False),
        ("thread_limit(2) if(parallel: n)", True),
    ],
)
def test_a_loop_that_one_thread_runs_is_not_spread_over_blocks(clause: str, may_be_one: bool) -> None:
    text = f"void f(int n, int *a)\n{{\n#pragma omp target parallel for {clause}\n    {_FOR}\n}}\n"
    assert ("if (_threads_per_block_ == 1) _num_blocks_ = 1;" in lowered(text).host) is may_be_one


@pytest.mark.parametrize(
    ("clauses", "body", "plain"),
    [
        ("schedule(static, 1)", "a[i] = 1;", True),
        ("schedule(static, 2 - 1)", "a[i] = 1;", True),
        ("schedule(static, 2)", "a[i] = 1;", False),
        ("schedule(static, n)", "a[i] = 1;", False),
        ("schedule(static, 1) num_threads(8)", "a[i] = i < 8 ? i : a[i - 8];", False),
        ("schedule(static, 1)", "a[i] = omp_get_thread_num();", False),
        ("schedule(dynamic)", "a[i] = 1;", True),
        ("schedule(dynamic, 1) num_threads(8)", "a[i] = 1;", True),
        ("schedule(guided, 4)", "a[i] = 1;", True),
        ("schedule(dynamic, 4)", "a[i] = 1;", True),
        ("num_teams(n) schedule(dynamic, 4)", "a[i] = i % 4 ? a[i - 1] + 1 : i;", False),
        ("dist_schedule(static, 8) schedule(dynamic, 4)", "a[i] = i % 4 ? a[i - 1] + 1 : i;", False),
        ("dist_schedule(static, 1)", "a[i] = 1;", False),
    ],
)
def test_chunks_of_one_iteration_are_the_plain_loop_over_the_grid(clauses: str, body: str, plain: bool) -> None:
    loop = f"{_LOOP} {clauses}\n    for (int i = 0; i < n; i++) {body}"
    text = f"int omp_get_thread_num(void);\nvoid f(int n, int *a)\n{{\n{loop}\n}}\n"
    assert ("XOMP_static" in lowered(text).device) is not plain


# Settings of tasks


@pytest.mark.parametrize(
    ("call", "own"),
    [
        ("a[i] = omp_get_max_threads();", False),
        ("asks(a);", False),
        ("omp_set_num_threads(i);", True),
        ("makes(i);", True),
    ],
)
def test_kernels_with_settings_of_tasks_have_the_state_for_them(call: str, own: bool) -> None:
    text = f"""
        int omp_get_max_threads(void);
        void omp_set_num_threads(int);
        void asks(int *a) {{ a[0] = omp_get_max_threads(); }}
        void makes(int n) {{ omp_set_num_threads(n); }}
        void f(int n, int *a) {{
        {_LOOP}
        for (int i = 0; i < n; i++) {{ {call} }} }}"""
    device = lowered(text).device
    assert "rex_kernel_state(1);" in device
    assert ("REX_OWN_SETTINGS" in device) is own


@pytest.mark.parametrize(("call", "own"), [("omp_set_num_threads(2);", True), ("a[0] = omp_get_thread_num();", False)])
def test_settings_that_a_region_makes_end_with_it(call: str, own: bool) -> None:
    """All threads of a team at once would keep them from one region to the next."""
    text = f"""
        int omp_get_thread_num(void);
        void omp_set_num_threads(int);
        void f(int n, int *a) {{
        #pragma omp target teams distribute
        for (int i = 0; i < n; i++) {{
        #pragma omp parallel
        {{ {call} }} }} }}"""
    assert (region(text).steps is None) is own


# Names


def test_names_do_not_depend_on_place_but_on_the_unit() -> None:
    text = "void f(int *a)\n{\n#pragma omp target\n    a[0] = 1;\n}\n"
    assert plan(text).entries == plan(text).entries
    assert region(text).kernel.startswith("OUT__1__")
    assert region(text).kernel.endswith("__f__3__kernel__")


def test_entries_are_unique() -> None:
    text = "".join(f"void f{i}(int *a)\n{{\n#pragma omp target\n    a[0] = {i};\n}}\n" for i in range(5))
    entries = plan(text).entries
    assert len(set(entries)) == len(entries) == 5


# check_plan


@cache
def good() -> TranslationUnitPlan:
    return plan("void f(int n, double x, double *a)\n{\n#pragma omp target map(tofrom: a[0:n])\n    a[0] = n + x;\n}\n")


def broken(**changes: object) -> None:
    (only,) = good().regions
    check_plan(good())
    check_plan(dataclasses.replace(good(), regions=(dataclasses.replace(only, **changes),)))


def rows_without(flag: int) -> DataMapping:
    mapping = good().regions[0].mapping
    rows = tuple(dataclasses.replace(row, flags=row.flags & ~flag) for row in mapping.rows)
    return dataclasses.replace(mapping, rows=rows)


def test_good_plan_passes() -> None:
    broken()


def test_parameters_must_match_rows() -> None:
    with pytest.raises(InternalError, match="do not match"):
        broken(mapping=dataclasses.replace(rows_without(0), parameters=()))
    with pytest.raises(InternalError, match="do not match"):
        broken(mapping=rows_without(Map.TARGET_PARAM))
    with pytest.raises(InternalError, match="do not match"):
        broken(mapping=dataclasses.replace(rows_without(0), parameters=rows_without(0).parameters[::-1]))


def test_literals_need_literal_rows() -> None:
    with pytest.raises(InternalError, match="literal"):
        broken(mapping=rows_without(Map.LITERAL))


def test_entries_must_differ() -> None:
    good = plan("void f(int *a)\n{\n#pragma omp target\n    a[0] = 1;\n}\n")
    with pytest.raises(InternalError, match="one name"):
        check_plan(dataclasses.replace(good, regions=good.regions * 2))


def test_data_constructs_have_no_parameters() -> None:
    good = plan("void f(int *a)\n{\n#pragma omp target update to(a[0:4])\n}\n")
    (data,) = good.data
    rows = tuple(dataclasses.replace(row, flags=row.flags | Map.TARGET_PARAM) for row in data.mapping.rows)
    wrong = dataclasses.replace(data, mapping=dataclasses.replace(data.mapping, rows=rows))
    with pytest.raises(InternalError, match="kernel parameter"):
        check_plan(dataclasses.replace(good, data=(wrong,)))


def test_constructs_that_bind_to_a_team_give_the_host_version_one() -> None:
    assert region("void f(int *a) {\n#pragma omp target\n{\n#pragma omp single\na[0] = 1; } }").host.team
    assert not region(
        "void f(int *a) {\n#pragma omp target\n{\n#pragma omp parallel\n{\n#pragma omp single\na[0] = 1; } } }"
    ).host.team


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("a[0] = omp_get_thread_num();", True),
        ("a[0] = asks();", True),
        ("binds(a);", True),
        ("through(a);", True),
        ("a[0] = omp_get_thread_num() + omp_get_level();", False),  # it would be one level more
        ("omp_get_level(); binds(a);", True),
        ("a[0] = 1;", False),
        ("\n#pragma omp parallel\n{ binds(a); a[0] = asks(); }", False),
        ("\n#pragma omp parallel\nbinds(a);\nbinds(a);", True),
        ("\n#pragma omp task\na[0] = 1;", True),
    ],
)
def test_functions_that_bind_to_a_team_or_ask_for_its_threads_give_the_host_version_one(inside, expected) -> None:
    text = f"""
        int omp_get_thread_num(void), omp_get_level(void);
        int asks(void) {{ return omp_get_thread_num(); }}
        void binds(int *a) {{
        #pragma omp single
        a[0] = 1; }}
        void through(int *a) {{ binds(a); }}
        void f(int *a) {{
        #pragma omp target
        {{ {inside} }} }}"""
    assert region(text).host.team is expected


def test_addresses_in_arrays_of_arrays_are_constants_for_nvcc() -> None:
    text = lowered(
        """#pragma omp begin declare target
        int grid[2][3][4];
        int *into = &grid[1][2][3];
        #pragma omp end declare target
        void f(int *a) {
        #pragma omp target
        a[0] = *into; }"""
    )
    assert "[0][0][0] + 23" in text.device


_STACKS = """
static int leaf(int n) {{ return n + 1; }}
static int calls(int (*f)(int), int n) {{ return f(n); }}
static int self(int n) {{ return n ? self(n - 1) + leaf(n) : 0; }}
static int odd(int n);
static int even(int n) {{ return n == 0 || odd(n - 1); }}
static int odd(int n) {{ return n != 0 && even(n - 1); }}
static int through(int n) {{ return n ? calls(through, n - 1) : 0; }}
static int by_name(int n) {{ return calls(leaf, n); }}
void f(int *a)
{{
    self(a[1]); /* on the host */
#pragma omp target map(tofrom : a[0:2])
    a[0] = {call};
}}
"""


@pytest.mark.parametrize(
    ("call", "recursive"),
    [
        ("leaf(1)", False),
        ("by_name(1)", False),
        ("calls(leaf, 1) + by_name(2)", False),
        ("self(1)", True),
        ("even(1)", True),
        ("through(1)", True),
        ("calls(through, 1)", True),
    ],
)
def test_functions_that_may_call_themselves(call: str, recursive: bool) -> None:
    text = _STACKS.format(call=call)
    assert plan(text).recursive == recursive
    assert lowered(text).host.splitlines()[0].endswith("; recursive */" if recursive else "; entries 1 */")


@pytest.mark.parametrize(("calls", "found"), [(2, set()), (8, {"f2", "f4"})])
def test_functions_stay_calls_where_kernels_would_be_too_large(calls: int, found: set[str]) -> None:
    """Inlining everything makes a kernel of ``calls`` to the power of six copies of the smallest function."""
    functions = ["static int f0(int x) { return x * x + 3 * x - (x >> 2); }"]
    functions += [f"static int f{i}(int x) {{ return {f'f{i - 1}(x) + ' * calls}1; }}" for i in range(1, 6)]
    region = f"void g(int *x)\n{{\n#pragma omp target map(x[:1])\n    x[0] = {'f5(x[0]) + ' * calls}1;\n}}\n"
    assert plan("\n".join([*functions, region])).kept_as_calls == found


# Trip counts that the host can know, exactly or as a hint.

_TYPES = "struct in { int n, dims[3]; double x; }; static int half(int n) { return n / 2; }\n"


def launch_of(parameters: str, bound: str, before: str = "", clauses: str = "", file_scope: str = "") -> LaunchShape:
    head = f"{_TYPES}{file_scope}\nvoid g(void *);\nvoid f(int *a, int m, {parameters})\n{{\n    {before}\n"
    return plan(f"{head}{_LOOP} {clauses}\n    for (int i = 0; i < {bound}; i++) a[i] = 1;\n}}\n").regions[-1].launch


@pytest.mark.parametrize(
    ("parameters", "bound", "before", "clauses"),
    [
        ("struct in in", "in.n", "", ""),
        ("struct in in", "in.n", "", "map(to: in)"),
        ("struct in in", "in.n", "g(&in);", "firstprivate(in)"),
        ("struct in in", "in.dims[m] + in.n % m", "", ""),
        ("int k", "dims[1] * half(k)", "int dims[2] = {k, k};", ""),
        ("double x", "(int)(x * 2)", "", ""),
    ],
)
def test_exact_trip_counts(parameters: str, bound: str, before: str, clauses: str) -> None:
    assert launch_of(parameters, bound, before, clauses).is_exact


_PART = "struct part { int n, *x; };"
_NESTED = "#pragma omp target data map(to: in)\n"


@pytest.mark.parametrize(
    ("parameters", "bound", "before", "clauses", "file_scope"),
    [
        ("struct in in", "in.n", "g(&in);", "", ""),
        ("struct in in", "in.n", _NESTED, "", ""),
        ("struct in in", "in.n", "#pragma omp parallel\n", "", ""),
        ("struct in in", "in.n", "#pragma omp target nowait\n in.n = 1;\n", "map(to: in)", ""),
        ("struct in in", "in.n", "", "nowait", ""),
        ("int k", "in.n", "", "", "struct in in;"),
        ("int k", "in.n", "static struct in in;", "", ""),
        ("struct in *in", "in->n", "", "", ""),
        ("struct in *in", "in[0].dims[m]", "", "map(to: in[0:1])", ""),
        ("struct part *p", "p->n", "", "map(to: p[0:1]) map(to: p->x[0:p->n])", _PART),
        ("struct part *p", "p->n", "", "map(alloc: p[0:1]) map(to: p->x[0:p->n])", _PART),
        ("struct part *p, int k", "p->n", "", "map(to: p->n, p->x[k:m])", _PART),
        ("int *b", "*b + b[m]", "", "", ""),
        ("int k", "k + t", "", "", "#pragma omp declare target\nint t;\n#pragma omp end declare target"),
        ("double x", "(int)(x * x + x)", "", "", ""),
    ],
)
def test_trip_counts_that_are_hints(parameters: str, bound: str, before: str, clauses: str, file_scope: str) -> None:
    text = launch_of(parameters, bound, before, clauses, file_scope)
    assert text.trip_counts
    assert text.hint
    assert text.most_teams


@pytest.mark.parametrize(
    ("parameters", "bound", "clauses"),
    [
        ("struct in *in", "in->n", "is_device_ptr(in)"),
        ("struct in *in", "in->n", "firstprivate(in)"),
        ("struct in *in", "in->n", "map(from: in[0:1])"),
        ("struct in *in", "m / in->n", "map(to: in[0:1])"),  # which could be zero on the host
        ("struct in *in", "half(in->n)", "map(to: in[0:1])"),
        ("struct in *in, int *b", "b[in->n]", "map(to: in[0:1], b[0:m])"),  # which could be beyond the host's array
        ("struct in **in", "in[0]->n", "map(to: in[0:1])"),
        ("volatile struct in in", "in.n", ""),
        ("struct in in", "in.n", "map(from: in)"),
        ("struct in *in", "in->n", "map(alloc: in->dims)"),
    ],
)
def test_trip_counts_that_the_host_must_not_read(parameters: str, bound: str, clauses: str) -> None:
    assert not launch_of(parameters, bound, "", clauses).trip_counts


def test_pointers_in_hints_are_followed_only_to_mapped_memory() -> None:
    text = f"{_TYPES}void f(int *a, struct in *in)\n{{\n{_LOOP}\n    for (int i = 0; i < in->n; i++) a[i] = 1;\n}}\n"
    assert "= rex_on_device(__device_id, in) ? " in lowered(text).host
    assert "rex_on_device" not in lowered(text.replace(_LOOP, f"{_LOOP} map(to: in[0:1])")).host
