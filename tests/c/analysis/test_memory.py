"""Where variables of threads and teams live: passed by value, in the team's memory, on the stack or on the heap."""

from __future__ import annotations

import pytest
from analysis_support import capture, plan, region
from escapes import FUNCTION, HELPERS, IN_BOTH, IN_C, OF_C

from rex_build.base.diagnostics import InputError
from rex_build.plan.rows import Transport
from rex_build.plan.unit import KernelKind

pytestmark = pytest.mark.compile


@pytest.mark.parametrize("statement", ["n = 1;", "n++;"])
def test_a_variable_mapped_to_and_changed_keeps_storage(statement: str) -> None:
    """Its teams share it."""
    text = f"void f(int n, int *a)\n{{\n#pragma omp target teams map(to: n)\n    {{ {statement} a[0] = n; }}\n}}\n"
    assert capture(text, "n").transport is Transport.ADDRESS


_TEMPORARY = """void g(int n, int *a, int **b) {{
    {qualifier} int t = 0; int *p = a; int i, j;
    #pragma omp {directive}
    for (i = 0; i < n; i++) {{ {body} }}
}}
"""


@pytest.mark.parametrize(
    ("directive", "body"),
    [
        ("target teams distribute parallel for", "t = a[i]; a[i] = t * t;"),
        ("target parallel for simd", "t += i; a[i] = t;"),
        ("target\n#pragma omp teams distribute parallel for", "p = b[i]; t = p[0]; p[0] = t + 1;"),
        ("target teams distribute", "t = 0;\n#pragma omp parallel for reduction(+: t)\nfor (j = 0; j < i; j++) t++;"),
        ("target teams distribute", "t = a[i]; a[i] = t + 1;"),
        ("target teams distribute parallel for", "t = a[i];\n#pragma omp atomic\na[t] += 1;"),
    ],
)
def test_what_no_thread_could_read_of_another_is_each_thread_s_own(directive: str, body: str) -> None:
    """To read it would be a data race: nothing orders the threads of a loop, or those of different teams."""
    assert capture(_TEMPORARY.format(qualifier="", directive=directive, body=body), "t").transport is Transport.LITERAL


@pytest.mark.parametrize(
    ("qualifier", "body"),
    [
        ("", "\n#pragma omp atomic\nt += 1;"),
        ("", "a[0] = t;\n#pragma omp atomic capture\n{ a[1] = t; t += 1; }"),
        ("", "t = i;\n#pragma omp atomic seq_cst\na[0] += 1;"),
        ("", "\n#pragma omp critical\na[0] += t++;"),
        ("", "\n#pragma omp atomic write release\na[0] = 1;\nt = i;"),
        ("", "t = i; __atomic_store_n(a, 1, 3);"),
        ("", "t = 1; b[0] = &t;"),
        ("volatile", "t = i; a[i] = t;"),
    ],
)
def test_what_threads_may_pass_on_is_in_memory(qualifier: str, body: str) -> None:
    text = _TEMPORARY.format(qualifier=qualifier, directive="target teams distribute parallel for", body=body)
    assert capture(text, "t").transport is Transport.ADDRESS


@pytest.mark.parametrize("clause", ["", " map(p[0:n])", " is_device_ptr(p)"])
def test_a_pointer_that_threads_could_pass_on_is_in_memory(clause: str) -> None:
    body = "p = b[i];\n#pragma omp critical\n*p = 1;"
    directive = f"target teams distribute parallel for{clause}"
    found = capture(_TEMPORARY.format(qualifier="", directive=directive, body=body), "p")
    assert found.transport is Transport.ADDRESS
    assert found.start is not None
    assert found.start.transport is Transport.POINTER


def test_a_pointer_that_threads_only_read_or_have_copies_of_is_passed_by_value() -> None:
    for clause, body in (("", "a[i] = p[i];"), (" firstprivate(p)", "p = b[i];\n#pragma omp critical\n*p = 1;")):
        directive = f"target teams distribute parallel for{clause}"
        found = capture(_TEMPORARY.format(qualifier="", directive=directive, body=body), "p")
        assert found.transport is Transport.POINTER
        assert found.start is None


@pytest.mark.parametrize("clause", ["reduction(+: s)", "firstprivate(s)", "private(s)"])
def test_copies_of_a_team_that_its_parallel_regions_change_are_shared(clause: str) -> None:
    found = region(
        f"""void f(int n, double s) {{
        #pragma omp target teams {clause}
        #pragma omp distribute dist_schedule(static, 4)
        for (int j = 0; j < n; j++)
        #pragma omp parallel for reduction(+: s)
        for (int i = 0; i < n; i++) s += i; }}"""
    )
    assert {"s"} == {symbol.name for symbol in found.team_memory.shared}


def test_what_a_thread_declares_is_its_own_though_a_region_inside_shares_it() -> None:
    found = region(
        """void f(int n, double *a) {
        #pragma omp target teams distribute
        for (int j = 0; j < n; j++) {
            int of_team[2] = {0, 0};
            #pragma omp parallel for
            for (int i = 0; i < n; i++) {
                double of_thread = 0, list[2] = {0, 0};
                #pragma omp parallel for reduction(+: of_thread)
                for (int k = 0; k < n; k++) { of_thread += k; list[0] = of_team[1]; }
                a[i] = of_thread + list[0];
            }
        } }"""
    )
    assert {"of_team"} == {symbol.name for symbol in found.team_memory.shared}


def test_a_team_s_variables_whose_addresses_are_taken_are_in_memory_of_the_team() -> None:
    memory = region(
        """struct pair { int *a, *b; };
        void g(int *p); void f(int n, int *given, double *out) {
        #pragma omp target map(out[0:n])
        {
            int one = 1, two = 2, by_name[2] = {3, 4}, decays[2] = {5, 6}, *literal = (int[]){7};
            struct pair pair = {&one, decays};
            int **to_given = &given, small = by_name[1], *to_n = &n;
            #pragma omp parallel for
            for (int i = 0; i < 8; i++) {
                int own = i, *to_own = &own;
                out[i] = *pair.a + pair.b[i % 2] + **to_given + *to_own + *to_n + literal[0] + small;
            }
        } }"""
    ).team_memory
    assert {"one", "decays", "pair", "given", "n"} == {symbol.name for symbol in memory.shared}
    assert len(memory.literals) == 1
    assert not memory.heap


def test_a_team_s_largest_variables_are_on_the_heap_so_that_the_others_fit() -> None:
    memory = region(
        """void f(double *out) {
        #pragma omp target map(out[0:8])
        {
            double large[4000], middle[2000], small[100];
            #pragma omp parallel for
            for (int i = 0; i < 8; i++) out[i] = large[i] + middle[i] + small[i];
        } }"""
    ).team_memory
    assert {"large"} == {symbol.name for symbol in memory.heap}
    assert {"large", "middle", "small"} == {symbol.name for symbol in memory.shared}


@pytest.mark.parametrize("clause", ["firstprivate(s)", "private(s)"])
def test_a_copy_that_target_makes_for_teams_is_one_variable(clause: str) -> None:
    text = f"""void f(double s) {{
        #pragma omp target {clause}
        #pragma omp teams num_teams(4)
        {{
        #pragma omp atomic
        s += 1; }} }}"""
    found = region(text)
    assert capture(text, "s").transport is Transport.ADDRESS
    assert not found.sharing.private
    assert not found.sharing.firstprivate


_UNIT = HELPERS + OF_C + FUNCTION


@pytest.mark.parametrize(("statement", "expected"), IN_BOTH + IN_C)
def test_variables_of_threads_whose_addresses_reach_memory_of_all_are_on_the_heap(
    statement: str, expected: set[str]
) -> None:
    escaping = plan(_UNIT % statement).escaping
    assert expected == {s.name for s in escaping.declared | escaping.copies}


def test_compound_literals_whose_addresses_reach_memory_of_all_are_on_the_heap() -> None:
    escaping = plan(_UNIT % "list[i] = &(int){4}; out[i] = first((int[]){5, 6});").escaping
    assert len(escaping.literals) == 1


def test_what_has_to_stay_on_the_stack_may_not_be_given_to_other_threads() -> None:
    with pytest.raises(InputError, match="may reach other threads"):
        plan(_UNIT % "list[0] = __builtin_alloca(8);")


_FUNCTIONS = """
static int *kept;
#pragma omp declare target to(kept)
static int sum(int n, const int *a) {
    int s = 0;
    #pragma omp parallel for reduction(+: s)
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}
static int middle(int n, int *a) { int own[4]; a[0] = sum(4, own); return sum(n, a); }
static int recursive(int n, int *a) { return n ? recursive(n - 1, a) : sum(n, a); }
static int remembers(int n, int *a) { static int calls; return ++calls + sum(n, a); }
static int pointed(int n, int *a) { return sum(n, a); }
static int plain(int n, int *a) { return a[n - 1]; }
struct large { int values[600]; };
static int by_value(struct large given, int n) {
    int s = 0;
    #pragma omp parallel for reduction(+: s)
    for (int i = 0; i < n; i++) s += given.values[i];
    return s;
}
static int too_large(int n) {
    int large[4096];
    #pragma omp parallel for
    for (int i = 0; i < n; i++) large[i] = i;
    return large[n - 1];
}
void f(int n, int *a) {
    int (*how)(int, int *);
    %s
}
"""


def test_functions_with_regions_that_teams_call_have_their_shared_variables_in_the_team_s_memory() -> None:
    found = plan(
        _FUNCTIONS % """
        #pragma omp target map(a[0:n]) private(how)
        {
            int x[4];
            struct large large;
            how = pointed;
            a[0] = middle(n, x) + recursive(n, a) + remembers(n, a) + how(n, a) + plain(n, a) + by_value(large, n);
            a[1] = too_large(n);
        }"""
    )
    memories = {symbol.name: memory for symbol, memory in found.team_functions.items()}
    assert set(memories) == {"sum", "middle", "by_value", "too_large"}
    assert {"s"} == {s.name for s in memories["sum"].shared}
    assert {"own"} == {s.name for s in memories["middle"].shared}
    assert {"s", "given"} == {s.name for s in memories["by_value"].shared}
    assert {"large"} == {s.name for s in memories["too_large"].heap}
    (region,) = found.regions
    assert {"x"} <= {s.name for s in region.team_memory.shared}


@pytest.mark.parametrize(
    ("directive", "kind"),
    [
        ("target map(a[0:n])\n    a[0] = sum(n, a);", KernelKind.TEAMS),
        ("target teams distribute map(a[0:n])\n    for (int i = 0; i < n; i++) a[i] = sum(n, a);", KernelKind.TEAMS),
        ("target teams distribute parallel for map(a[0:n])\n    for (int i = 0; i < n; i++) a[i] = sum(n, a);",
         KernelKind.WORKSHARING),
        ("target teams loop map(a[0:n])\n    for (int i = 0; i < n; i++) a[i] = sum(n, a);", KernelKind.WORKSHARING),
        ("target parallel map(a[0:n])\n    sum(n, a);", KernelKind.PARALLEL),
        ("target map(a[0:n])\n    a[0] = plain(n, a);", KernelKind.SERIAL),
    ],
)  # fmt: skip
def test_functions_with_regions_have_the_team_s_threads_where_it_has_one(directive: str, kind: KernelKind) -> None:
    (region,) = plan(_FUNCTIONS % f"(void)how;\n    #pragma omp {directive}").regions
    assert region.kind is kind
