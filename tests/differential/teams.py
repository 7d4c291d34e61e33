# ruff: noqa: E501 -- lines of the generated C stand whole
"""Teams with parallel regions inside, drawn at random, and their kernels' text run by real threads.

On the cpu device one thread runs a team's sequential part, so a missing barrier does not show there. Here each thread of
a team is a thread of the program, and gcc's thread sanitizer reports two accesses that nothing keeps apart. Results are
compared with the same functions compiled for the host.
``python tests/differential/teams.py SEED COUNT [cpp]`` runs COUNT units of 24 functions, as C or as C++, and prints those
that fail.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from nests import Draws

from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

SIZE = 8  # of the team's arrays, and of a team's part of x and y
TEAMS = 3
FUNCTIONS = 24
_HEADER = Path(__file__).resolve().parents[2] / "rex_build" / "include" / "cuda" / "rex_teams.h"
_LOOPS = _HEADER.with_name("rex_loops.h")

COMMON = f"""
#pragma omp begin declare target
struct pair {{ unsigned u, v; }};
static unsigned next(unsigned *seed) {{ *seed = *seed * 1664525u + 1013904223u; return *seed >> 16; }}
static unsigned peek(const unsigned *p, int k) {{ return p[k] + p[(k + 3) % {SIZE}]; }}
static void fill(unsigned *p, unsigned v) {{ for (int k = 0; k < {SIZE}; ++k) p[k] = p[k] * 3u + v + (unsigned)k; }}
static void swap(unsigned *p, unsigned *q) {{ unsigned t = *p; *p = *q; *q = t; }}
static unsigned half(unsigned v) {{ return v / 2u + 1u; }}
#pragma omp end declare target
"""


class Teams(Draws):
    """Builds one unit with functions ``f0``, ``f1``, ... of ``(int n, unsigned *x, unsigned *y)``."""

    def text(self) -> str:
        return COMMON + "".join(self.function(number) for number in range(self.count))

    def function(self, number: int) -> str:
        self.depth = 0
        self.own_names = 0
        limit = self.one_of("", " thread_limit(16)", " thread_limit(8)")
        body = "".join(self.statement() for _ in range(self.number(3, 7)))
        start = f"unsigned a[{SIZE}], b[{SIZE}], c[{SIZE}]; unsigned r = (unsigned)t, s = 1, seed = (unsigned)t + {self.number(0, 9)}u;\n"
        start += "struct pair w = {1, (unsigned)t}; struct pair d[8]; unsigned last = 5;\n"
        start += self.region(f"{{ a[i] = x[t * {SIZE} + i]; b[i] = y[t * {SIZE} + i]; c[i] = (unsigned)i; d[i].u = 1; d[i].v = (unsigned)i; }}")
        end = self.region(f"x[t * {SIZE} + i] += a[i] ^ b[i] ^ c[i] ^ d[i].u ^ d[i].v ^ r ^ s ^ seed ^ w.u ^ w.v ^ last;")
        loop = f"for (int t = 0; t < n; ++t) {{\n{start}{body}{end}}}\n"
        arrays = f"map(tofrom: x[0:n * {SIZE}], y[0:n * {SIZE}])"
        if self.chance(25):
            construct = f"#pragma omp target teams{limit} {arrays}\n{{\n#pragma omp distribute\n{loop}}}\n"
        else:
            construct = f"#pragma omp target teams distribute{limit} {arrays}\n{loop}"
        return f"void f{number}(int n, unsigned *x, unsigned *y)\n{{\n{construct}}}\n"

    def region(self, body: str, clauses: str = "", first: int = 0) -> str:
        if self.chance(20):
            clauses += self.one_of(" num_threads(4)", " num_threads(seed % 3u + 1u)", " if(parallel: t & 1)", " if(seed & 1)")
        if self.chance(10) and not body.startswith("x["):  # the chunk may not change in the loop
            chunk = self.one_of("2", f"x[t * {SIZE} + {self.number(0, SIZE - 1)}] % 3u + 1u")
            clauses += f" schedule(static, {chunk})"
        return f"#pragma omp parallel for{clauses}\nfor (int i = {first}; i < {SIZE}; ++i) {body}\n"

    # -- expressions ----------------------------------------------------------------------------------------------

    def scalar(self) -> str:
        return self.one_of("r", "s", "seed", "w.u", "w.v", "last", "(unsigned)t", f"{self.number(1, 9)}u", "half(s)")

    def element(self, but: str = "") -> str:
        """An element that any thread may read at any time, but of another array than ``but``."""
        array = self.one_of(*(a for a in ("a", "b", "c") if a != but))
        index = self.one_of("i", f"(i + {self.number(1, 7)}) % {SIZE}", f"{SIZE - 1} - i", str(self.number(0, SIZE - 1)))
        return self.one_of(f"{array}[{index}]", f"x[t * {SIZE} + {index}]" if but != "x" else f"{array}[{index}]")

    def fixed(self) -> str:
        """An element in the sequential part."""
        k = self.number(0, SIZE - 1)
        return self.one_of(f"a[{k}]", f"b[{k}]", f"c[{k}]", f"x[t * {SIZE} + {k}]", f"y[t * {SIZE} + {k}]", f"d[{k}].u", f"d[{k}].v")

    # -- statements -----------------------------------------------------------------------------------------------

    def statement(self) -> str:
        kinds = (self.parallel, self.parallel, self.parallel, self.reduction, self.reduction, self.store, self.store, self.own, self.own, self.call, self.pointer, self.record, self.whole)
        if self.depth < 2:
            kinds += (self.control, self.control)
        return self.random.choice(kinds)()

    def parallel(self) -> str:
        target = self.one_of("a", "b", "c")
        first = self.number(0, 2) if self.chance(30) else 0
        kind = self.number(0, 7)
        if kind == 0:
            return self.region(f"y[t * {SIZE} + i] {self.one_of('=', '+=')} {self.element('x')} + {self.scalar()};", first=first)
        if kind == 1:
            return self.region(f"last = {self.element()};", " lastprivate(last)")
        if kind == 2:
            return self.region(f"d[i].{self.one_of('u', 'v')} += {self.element()};", first=first)
        if kind == 3:
            return self.region(f"{{ unsigned m = {self.element(target)}; swap(&m, &{target}[i]); {target}[i] ^= m; }}")
        if kind == 4:
            return self.region(f"{{ unsigned m = seed + (unsigned)i; {target}[i] += next(&m); }}", first=first)
        if kind == 5:
            return self.region(f"{target}[i] = {target}[i] * 5u + {self.scalar()};", first=first)
        return self.region(f"{target}[i] {self.one_of('=', '+=', '^=')} {self.element(target)} + {self.scalar()};", first=first)

    def whole(self) -> str:
        """A region that is more than a loop, with barriers of its own."""
        each = f"for (int i = 0; i < {SIZE}; ++i)"
        one, other = self.one_of("a", "b", "c"), self.one_of("a", "b", "c")
        between = self.one_of(
            "", "#pragma omp barrier\n", f"#pragma omp single\n{{ {one}[{self.number(0, 7)}] ^= 3u; }}\n",
            f"#pragma omp master\n{{ {one}[{self.number(0, 7)}] += {one}[1]; q = 7; }}\n#pragma omp barrier\n",
        )  # fmt: skip
        first = f"#pragma omp for\n{each} {one}[i] += {self.element(one)};\n"
        last = f"#pragma omp for reduction(^: q)\n{each} q ^= {other}[i] * (unsigned)(i + 1);\n"
        inside = f"#pragma omp parallel\n{{\n{first}{between}{last}}}\n"
        return f"{{ unsigned q = {self.scalar()};\n{inside}r += q; }}\n"

    def reduction(self) -> str:
        kind = self.number(0, 4)
        if kind == 4:
            more = self.one_of("", " reduction(+: r)")
            inner = self.region(f"{{ h[{self.element()} % 4u] += (unsigned)i + 1u; {'r += 3u;' if more else ''} }}", f" reduction(+: h){more}")
            filled = self.one_of("", "unsigned *p = h; ++p[1]; ")
            return f"{{ unsigned h[4] = {{1, 2}}; {filled}\n{inner}{self.one_of('s += h[2]', 'h[1] += s')};\n{self.region('c[i] ^= h[i % 4];')}}}\n"
        if kind == 0:
            return self.region(f"r ^= {self.element()} * 7u;", " reduction(^: r)")
        if kind == 1:
            return self.region(f"{{ unsigned m = {self.element()}; s = s > m ? s : m; }}", " reduction(max: s)")
        if kind == 2:
            return self.region(f"{{ r += {self.element()}; s ^= {self.element()}; }}", " reduction(+: r) reduction(^: s)")
        return self.region(f"r += {self.element()} + (unsigned)i;", " reduction(+: r)", first=self.number(0, 3))

    def store(self) -> str:
        if self.chance(25):
            more = self.one_of("", f" + {self.fixed()}")
            return f"{self.fixed()} {self.one_of('=', '+=', '^=')} next(&{self.one_of('seed', 'r')}) * 5u{more};\n"
        return f"{self.fixed()} {self.one_of('=', '+=')} {self.one_of(self.fixed(), self.scalar())} + {self.scalar()};\n"

    def own(self) -> str:
        return f"{self.one_of('r', 's', 'seed')} {self.one_of('=', '+=', '^=')} {self.one_of(self.fixed(), self.scalar())} * 3u;\n"

    def call(self) -> str:
        array = self.one_of("a", "b", "c")
        return self.one_of(
            "r += next(&seed);\n", "swap(&r, &s);\n", f"fill({array}, {self.scalar()});\n", f"s += peek({array}, {self.number(0, 5)});\n",
            f"swap(&{array}[2], &{array}[5]);\n", f"r = half({self.fixed()});\n", f"{{ unsigned v[{SIZE}] = {{1, 2}}; fill(v, r); s ^= peek(v, 1); }}\n",
        )  # fmt: skip

    def pointer(self) -> str:
        array = self.one_of("a", "b", "c")
        self.own_names += 1
        name = f"p{self.own_names}"
        return f"{{ unsigned *{name} = {array}; {name}[{self.number(0, 7)}] = {self.scalar()};\n{self.region(f'{name}[i] += {self.scalar()};')}}}\n"

    def record(self) -> str:
        return self.one_of(f"w.u += {self.fixed()};\n", f"w.v ^= {self.scalar()};\n", f"w = d[{self.number(0, 7)}];\n", f"d[{self.number(0, 7)}] = w;\n")

    def control(self) -> str:
        self.depth += 1
        inner = [self.statement() + self.statement() for _ in range(2)]
        self.depth -= 1
        self.own_names += 1
        k = f"k{self.own_names}"
        condition = f"({self.one_of(self.fixed(), self.scalar())}) % 2u"
        return self.one_of(
            f"if ({condition}) {{\n{inner[0]}}} else {{\n{inner[1]}}}\n",
            f"for (int {k} = 0; {k} < {self.number(1, 3)}; ++{k}) {{\n{inner[0]}}}\n",
            f"switch ({self.scalar()} % 3u) {{ case 0:\n{inner[0]}break;\ncase 1:\n{inner[1]}default: s += 2u; }}\n",
            f"for (unsigned {k} = 0; {k} < {self.fixed()} % 3u; ++{k}) {{\n{inner[0]}}}\n",
        )


# What the kernels' text needs of CUDA and of the device library, for a team whose threads are this program's.
PRELUDE = r"""
#include <pthread.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define REX_FN [[maybe_unused]] static
#define __global__
#define __device__
#define __host__
#define __restrict__
#define __launch_bounds__(...)
#define __builtin_assume(condition) ((condition) ? (void)0 : abort())
#define REX_CPU_TEAMS(...)
#define REX_TEAM_SHARED static
#define REX_ONE_ITERATION
#define REX_READY_KERNEL(name)
#define REX_STRIDED_LOOP(iv, first, step, trip) long long iv = (first); iv < static_cast<long long>(trip); iv += (step)
struct rex_static_schedule { long long next, trip, chunk, step; };
static void XOMP_static_sched_init(rex_static_schedule *s, long long trip, long long chunk, long long count, long long index)
{
    *s = {index * chunk, trip, chunk, count * chunk};
}
static bool XOMP_static_sched_next(rex_static_schedule *s, long long *lower, long long *upper)
{
    *lower = s->next, *upper = s->next + s->chunk < s->trip ? s->next + s->chunk - 1 : s->trip - 1;
    s->next += s->step;
    return *lower < s->trip;
}
template <class V> static long long rex_steps_to(V low, V bound, int step) { return low < bound ? (bound - low - 1) / step + 1 : 0; }
template <class T, class S> static void rex_assign(T &to, const S &from) { memcpy(&to, &from, sizeof to); }
template <class T> static T *rex_indexed_from(T *array, long long first) { return array - first; }
struct dim { unsigned x; };
static thread_local dim threadIdx, blockIdx;
static dim blockDim, gridDim;
static pthread_barrier_t barrier;
static void __syncthreads() { pthread_barrier_wait(&barrier); }
struct rex_add { static unsigned identity() { return 0; } static unsigned apply(unsigned a, unsigned b) { return a + b; } };
struct rex_bxor { static unsigned identity() { return 0; } static unsigned apply(unsigned a, unsigned b) { return a ^ b; } };
struct rex_max { static unsigned identity() { return 0; } static unsigned apply(unsigned a, unsigned b) { return a > b ? a : b; } };
template <class Op, class T> static T rex_identity() { return Op::identity(); }
template <class Op> struct part { using operation = Op; unsigned *original, value; };
template <class Op> static part<Op> rex_part(unsigned *original, unsigned value) { return {original, value}; }
template <class... Part> static void rex_reduce_all(unsigned &turn, Part... p)
{
    static unsigned values[2][sizeof...(Part)][32];
    const unsigned place = turn++ % 2;
    unsigned number = 0;
    ((values[place][number++][threadIdx.x] = p.value), ...);
    __syncthreads();
    number = 0;
    auto combine = [&](auto one) {
        for (unsigned thread = 0; thread < blockDim.x; ++thread)
            *one.original = decltype(one)::operation::apply(*one.original, values[place][number][thread]);
        ++number;
    };
    (combine(p), ...);
}
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
template <class Op> static void rex_reduce_region(unsigned *original, unsigned partial)
{
    pthread_mutex_lock(&lock);
    *original = Op::apply(*original, partial);
    pthread_mutex_unlock(&lock);
}
template <class Op> static void rex_reduce_team_array(unsigned *original, const unsigned *partials, long count)
{
    pthread_mutex_lock(&lock);
    for (long i = 0; i < count; ++i)
        original[i] = Op::apply(original[i], partials[i]);
    pthread_mutex_unlock(&lock);
}
"""
RUNNER = r"""
static void (*current)(int, unsigned *, unsigned *);
static unsigned x[SIZE * TEAMS], y[SIZE * TEAMS], host_x[SIZE * TEAMS], host_y[SIZE * TEAMS];
struct place { unsigned thread, team; };
static void *run_thread(void *given)
{
    threadIdx.x = static_cast<place *>(given)->thread, blockIdx.x = static_cast<place *>(given)->team;
    current(TEAMS, x, y);
    return nullptr;
}
static int run(const char *name, void (*kernel)(int, unsigned *, unsigned *), void (*host)(int, unsigned *, unsigned *), unsigned threads, unsigned teams)
{
    for (unsigned i = 0; i < SIZE * TEAMS; ++i)
        x[i] = host_x[i] = i * 2654435761u >> 7, y[i] = host_y[i] = i * 40503u >> 3;
    host(TEAMS, host_x, host_y);
    current = kernel, blockDim.x = threads, gridDim.x = teams;
    for (unsigned team = 0; team < teams; ++team) {
        pthread_t own[32];
        place places[32];
        pthread_barrier_init(&barrier, nullptr, threads);
        for (unsigned thread = 0; thread < threads; ++thread) {
            places[thread] = {thread, team};
            pthread_create(own + thread, nullptr, run_thread, places + thread);
        }
        for (unsigned thread = 0; thread < threads; ++thread)
            pthread_join(own[thread], nullptr);
        pthread_barrier_destroy(&barrier);
    }
    if (!memcmp(x, host_x, sizeof x) && !memcmp(y, host_y, sizeof y))
        return 0;
    printf("%s: another result\n", name);
    return 1;
}
"""


def _library() -> str:
    """The device library's loops of teams, as they are for GPUs."""
    loops = _LOOPS.read_text()
    counted = loops[loops.index("#define REX_BATCHED_LOOP") : loops.index("/* The loops of kernels whose grid has a thread")]
    text = _HEADER.read_text()
    start = text.rindex("#define REX_TEAM_TOGETHER(most)")
    of_teams = text[start : text.index("REX_FN void rex_team_together()", start)].replace("rex_team_together()", "(void)0")
    return counted + of_teams


def _call(kernel: str, parameters: str) -> str:
    """A function that calls a kernel with its parameters, which are named as the functions' are."""
    given = []
    for parameter in parameters.split(","):
        name = parameter.split()[-1].lstrip("*")
        given.append(name if name in ("x", "y") else "static_cast<unsigned>(n)" if name == "n__rex_literal" else "0")
    return f"[](int n, unsigned *x, unsigned *y) {{ {kernel}({', '.join(given)}); }}"


def program(device: str, language: str) -> tuple[str, int]:
    """The C++ program that runs all kernels of a unit, and the number of functions whose kernels teams run together."""
    calls, numbers = [], set()
    kept = []
    own = device.partition('#include "xomp_cuda_lib_inlined.cu"')[2].replace('#include "rex_cxx.h"', "")
    for text in re.split(r'(?=extern "C" __global__)', own):
        if not text.startswith("extern"):
            kept.append(text)  # functions and types
            continue
        found = re.match(r'extern "C" __global__ void .*?\n(\w+__f(\d+)__\d+__(\w+?)__)\(\n?(.*?)\)\n\{', text, re.DOTALL)
        if found is None or "REX_TEAM_TOGETHER" not in text:
            continue
        kernel, number, kind, parameters = found.groups()
        kept.append(text)
        numbers.add(number)
        exact = re.search(r"REX_TEAM_EXACTLY\((\d+)\)", text)
        threads = int(exact[1]) if exact else 5
        for teams in (TEAMS,) if kind == "direct" else (1, 2):
            calls.append(f'run("f{number} {kind}", {_call(kernel, parameters)}, f{number}, {threads}, {teams})')
    linkage = 'extern "C" ' if language == "c" else ""
    hosts = "".join(f"{linkage}void f{n}(int, unsigned *, unsigned *);\n" for n in sorted(numbers, key=int))
    text = f"{PRELUDE}{_library()}\n" + "".join(kept).replace("#line", "//")
    text += f"#define SIZE {SIZE}\n#define TEAMS {TEAMS}\n{hosts}{RUNNER}"
    total = "".join(f"    failed += {call};\n" for call in calls)
    return f"{text}int main()\n{{\n    int failed = 0;\n{total}    return failed != 0;\n}}\n", len(numbers)


def failure(text: str, folder: Path, no_opt: Sequence[str] = (), language: str = "c") -> tuple[str | None, int]:
    """(what is wrong with the kernels of a unit, or None; how many of its functions teams run together)"""
    source = folder / f"unit.{language}"
    source.write_text(text)
    device = lower_text(LowerRequest(source=source, out_dir=folder, no_opt=tuple(no_opt))).device
    assert device is not None
    runner, together = program(device, language)
    (folder / "runner.cpp").write_text(runner)
    options = ["-w", "-g", "-O0", "-fsanitize=thread"]  # an optimiser may read ahead in other threads than the first one
    compiler = "gcc" if language == "c" else "g++"
    subprocess.run([compiler, "-w", "-O1", "-c", "-o", "host.o", source.name], cwd=folder, check=True)
    subprocess.run(["g++", "-std=c++17", *options, "-o", "runner", "runner.cpp", "host.o"], cwd=folder, check=True)
    try:
        done = subprocess.run(["./runner"], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return "threads wait for others that do not come", together
    return (done.stdout + done.stderr[:4000] if done.returncode else None), together


def main() -> int:
    import tempfile

    seed, count, language = sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "c"
    failures = together = 0
    for number in range(count):
        text = Teams(f"{seed} {number}", FUNCTIONS).text()
        with tempfile.TemporaryDirectory() as folder:
            found, ran = failure(text, Path(folder), language=language)
        together += ran
        if found is not None:
            failures += 1
            Path(f"failed-{seed}-{number}.{language}").write_text(text)
            print(f"==== {number}\n{found}", flush=True)
    print(f"{count * FUNCTIONS} functions, {together} run by whole teams, {failures} units fail")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
