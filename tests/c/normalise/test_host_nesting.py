"""Constructs that become several lines on the host, in random nests: the host file is C that gcc takes."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest
from execution import rex_build

from rex_build.base.paths import include_dir

pytestmark = pytest.mark.compile

_HEAD = """\
#include <omp.h>
struct s { int m[4]; };
void call(int *p, int k);
void on_dispatch(int *p, int k);
#pragma omp declare variant(on_dispatch) match(construct = {dispatch}) adjust_args(need_device_ptr : p)
void dispatched(int *p, int k);
int *same(int *p);
int *counted(int *p);
#pragma omp declare variant(counted) match(implementation = {vendor(gnu)})
int *pointer(int *p);
#define EVENT _Pragma("omp task detach(f)")
#define EVENTS _Pragma("omp task detach(e)") _Pragma("omp task detach(f)")
"""

# What may stand in front of any statement. gcc looks at the syntax only, so that what binds to what plays no part.
_BLOCKS = (
    "task detach(e)",
    "task detach(f) depend(inoutset : q->m[0:2]) if(n)",
    "task depend(inout : omp_all_memory)",
    "task depend(inoutset : x[0])",
    "scope firstprivate(a)",
    "scope firstprivate(a, v) nowait",
    "scope reduction(task, + : a)",
    "scope firstprivate(a) allocate(a)",
    "parallel num_threads(2) firstprivate(a)",
    "taskgroup",
    "critical",
    "assume holds(n > 0)",
    "target data map(tofrom : x[0:n])",
    "target data map(tofrom : v) use_device_addr(v)",
    "metadirective when(user = {condition(1)} : task detach(e)) otherwise(parallel)",
    "metadirective when(user = {condition(n > 2)} : task detach(e)) otherwise(scope firstprivate(a))",
    "metadirective when(device = {kind(host)} : scope firstprivate(a))",
    "metadirective when(device = {kind(host)} : target data map(tofrom : x[0:n])) otherwise(nothing)",
)
_LOOPS = (
    "parallel for lastprivate(conditional : a)",
    "parallel for linear(val(v) : 1)",
    "for reduction(task, + : a) ordered",
    "tile sizes(2)",
    "unroll partial(2)",
    "parallel loop",
)
_IN_REGIONS = (
    "scope firstprivate(a)",
    "critical",
    "assume holds(n > 0)",
    "metadirective when(device = {kind(host)} : scope firstprivate(a)) otherwise(critical)",
    "metadirective when(device = {kind(host)} : task depend(inout : omp_all_memory)) otherwise(critical)",
)
_LEAVES = (
    "call(x, a);",
    "#pragma omp dispatch\ndispatched(x, 1);",
    "#pragma omp dispatch depend(inout : x[0]) device(n)\ndispatched(pointer(same(pointer(x))), a);",
    "EVENT EVENTS call(pointer(x), v);",
    "EVENTS { EVENT call(x, v); EVENT ; }",
    "#pragma omp target enter data map(to : x[0:n])",
    "#pragma omp target update from(x[0:n]) nowait",
    "#pragma omp taskwait depend(inoutset : x[0])",
    "#pragma omp error at(execution) severity(warning)",
    "#pragma omp interop init(targetsync : object) depend(inout : x[0])",
)


class Writer:
    """Writes one function; every statement may be followed by anything."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.labels = 0

    def function(self, number: int) -> str:
        body = self.block(4)
        declarations = "omp_event_handle_t e, f; omp_interop_t object; (void)e; (void)f; (void)object;"
        return f"void nest_{number}(int n, int *x, int a, int v, struct s *q)\n{{\n{declarations}\n{body}\n}}\n"

    def block(self, depth: int) -> str:
        return "{\n" + "\n".join(self.item(depth) for _ in range(self.random.randint(1, 3))) + "\n}"

    def item(self, depth: int) -> str:
        """A statement, or a directive that is none."""
        leaf = self.random.choice(_LEAVES)
        return leaf if self.random.random() < 0.2 else self.statement(depth)

    def statement(self, depth: int) -> str:
        if depth == 0:
            return self.random.choice([leaf for leaf in _LEAVES if leaf.endswith(";")])
        kind = self.random.randrange(10)
        if kind < 5:
            return f"#pragma omp {self.random.choice(_BLOCKS)}\n{self.statement(depth - 1)}"
        if kind == 5:
            loop = f"for (int i{depth} = 0; i{depth} < n; ++i{depth})\n"
            directive = f"#pragma omp {self.random.choice(_LOOPS)}\n" if self.random.random() < 0.7 else ""
            return directive + loop + self.statement(depth - 1)
        if kind == 6:
            return f"if (n > {depth})\n{self.statement(depth - 1)}\nelse\n{self.statement(depth - 1)}"
        if kind == 7:
            cases = f"case 1:\n{self.statement(depth - 1)}\nbreak;\ndefault:\n{self.statement(depth - 1)}"
            return f"switch (n) {{ {cases} }}"
        return self.region(depth) if kind == 8 else self.block(depth - 1)

    def region(self, depth: int) -> str:
        """A target region, in which less is possible: what follows is one statement, too."""
        chosen = [self.random.choice(_IN_REGIONS), "assume holds(n > 0)"][: self.random.randrange(3)]
        inside = "".join(f"#pragma omp {one}\n" for one in chosen)  # of two others, one may not be in the other
        head = self.random.choice(("target", "target parallel num_threads(2)", "target nowait depend(in : x[0])"))
        statement = self.random.choice(
            ("x[0] = a;", "{ x[0] += a; x[1] = v; }", "for (int i = 0; i < n; ++i) x[i] = a;")
        )
        return f"#pragma omp {head} map(tofrom : x[0:n])\n{inside}{statement}"


@pytest.mark.parametrize("seed", range(4))
def test_gcc_takes_random_nests(tmp_path: Path, seed: int) -> None:
    writer = Writer(seed)
    functions = "".join(writer.function(number) for number in range(24))
    (tmp_path / "unit.c").write_text(_HEAD + functions)
    lowered = rex_build("lower", "unit.c", "--out-dir", "out", "--", "-O0", cwd=tmp_path)
    assert lowered.status == 0, lowered.stderr
    check = ["gcc", "-fopenmp", "-fsyntax-only", "-w", f"-I{include_dir()}", "out/rose_unit.c"]
    compiled = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True)
    assert compiled.returncode == 0, compiled.stderr
