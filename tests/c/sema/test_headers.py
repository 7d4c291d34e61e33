"""Every declaration of the system headers that programs use, compared with what gcc makes of it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from sema_support import gcc_errors

from rex_build.c.front_end import parse_unit
from rex_build.c.sema import Sema, locals_of
from rex_build.c.sema.ctype import Array, Function, LayoutError, Pointer, Record, alignof, declare, sizeof
from rex_build.c.sema.type_questions import field
from rex_build.c.source.preprocess import preprocess

HEADERS = """assert complex ctype errno fenv float inttypes limits locale math pthread setjmp signal stdarg stdatomic
stdbool stddef stdint stdio stdlib string strings time unistd wchar wctype fcntl getopt sched semaphore
sys/mman sys/resource sys/socket sys/stat sys/time sys/types sys/wait netinet/in arpa/inet omp dirent
poll sys/ioctl dlfcn search regex malloc"""
INCLUDES = "".join(f"#include <{name}.h>\n" for name in HEADERS.split())
# Types the parser reads as double; the tag behind va_list, which cannot be written.
NOT_COMPARED = ("128", "_Float", "f64", "f32", "__va_list_tag")
# Types laid out by attributes, which the parser does not see.
ATTRIBUTES = ("__pthread_unwind_buf_t", "register_t", "omp_lock_t", "omp_nest_lock_t", "omp_depend_t")


def _sema(text: str, directory: Path) -> Sema:
    source = directory / "unit.c"
    source.write_text(text)
    unit = parse_unit(preprocess(source, ["-D_GNU_SOURCE"], "gcc"))
    return Sema(unit.ast, unit.span_of)


@pytest.mark.compile
def test_declarations_of_system_headers(tmp_path: Path):
    sema = _sema(INCLUDES, tmp_path)
    checks: list[str] = []

    def check(condition: str, what: str) -> None:
        if what not in ATTRIBUTES and not any(word in condition for word in NOT_COMPARED):
            checks.append(f'_Static_assert({condition}, "{what}");')

    for name in sema._file_nodes:
        symbol = sema.file_symbol(name)
        assert symbol is not None
        if symbol.is_typedef:
            try:
                check(f"sizeof({name}) == {sizeof(symbol.type)}", name)
                check(f"_Alignof({name}) == {alignof(symbol.type)}", name)
            except LayoutError:
                continue
        elif symbol.is_function:
            assert isinstance(symbol.type, Function)
            check(f"__builtin_types_compatible_p(__typeof__({name}) *, {declare(Pointer(symbol.type))})", name)
        elif not (isinstance(symbol.type, Array) and symbol.type.length is None):
            check(f"__builtin_types_compatible_p(__typeof__({name}) *, {declare(Pointer(symbol.type))})", name)
    for name in sema._file_enumerators:
        symbol = sema.file_symbol(name)
        assert symbol is not None
        check(f"{name} == {symbol.value}", name)
    for tag, node in sema._file_tags.items():
        t = sema.resolve_type(node)
        if isinstance(t, Record) and t.info.is_complete:
            check(f"sizeof({t}) == {sizeof(t)}", tag)
            for f in t.info.fields:
                if f.name and f.bit_width is None:
                    check(f"__builtin_offsetof({t}, {f.name}) == {f.offset}", f"{tag}.{f.name}")
    text = "#define _GNU_SOURCE\n" + INCLUDES + "\n".join(checks)
    wrong = gcc_errors(text)
    assert len(checks) > 2000
    assert wrong == {}


PROGRAM = r"""
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })

struct item { int key; struct item *next; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int counter = ATOMIC_VAR_INIT(0);

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static double total(int n, ...)
{
    va_list ap, again;
    double sum = 0;
    va_start(ap, n);
    va_copy(again, ap);
    for (int i = 0; i < n; i++)
        sum += va_arg(ap, double) + (double)va_arg(again, int);
    va_end(ap);
    return isnan(sum) || isinf(sum) || !isfinite(sum) || signbit(sum) ? NAN : sum + INFINITY * 0 + HUGE_VAL;
}

int main(int argc, char **argv)
{
    struct timeval tv = {0};
    struct timespec ts = {.tv_nsec = 1};
    struct stat st;
    struct sigaction action = {.sa_handler = SIG_IGN};
    fd_set fds;
    int *v = malloc(sizeof *v * 10), error = errno;
    if (v == NULL || argc < 2 || stat(argv[1], &st) || !S_ISDIR(st.st_mode))
        fprintf(stderr, "%s\n", strerror(errno));
    FD_ZERO(&fds); FD_SET(0, &fds);
    qsort(v, 10, sizeof v[0], compare);
    gettimeofday(&tv, NULL);
    clock_gettime(CLOCK_MONOTONIC, &ts);
    pthread_mutex_lock(&lock);
    int seen = atomic_fetch_add(&counter, MAX(1, 2));
    sigaction(SIGINT, &action, NULL);
    struct item item = {1, NULL}, *p = &item;
    assert(p == &item && isalpha(*argv[0]) && toupper('a') == 'A');
    switch (error) { case EINTR: case EAGAIN: break; default: goto out; }
out:
    omp_lock_t l; omp_init_lock(&l);
    omp_sched_t kind = omp_sched_dynamic; int chunk; omp_get_schedule(&kind, &chunk);
    printf("%f %zu %s\n", total(2, 1.0, 2.0), sizeof(struct item), __func__);
    return fpclassify(fabs(-1.0)) == FP_NAN ? EXIT_FAILURE : EXIT_SUCCESS;
}
"""


@pytest.mark.compile
def test_a_program_that_uses_header_macros(tmp_path: Path):
    subprocess.run(["gcc", "-x", "c", "-fopenmp", "-fsyntax-only", "-w", "-"], input=PROGRAM, text=True, check=True)
    sema = _sema(PROGRAM, tmp_path)
    for function in sema.functions.values():
        sema.analyse(function)
    seen = next(s for s in locals_of(sema, sema.functions["main"].body) if s.name == "seen")
    assert declare(seen.type) == "int"
    assert field(sema.resolve_type(sema._file_tags["item"]), "next") is not None


@pytest.mark.compile
def test_type_generic_mathematics(tmp_path: Path):
    text = "#include <tgmath.h>\nvoid f(float x, double y, int i, long double z, float _Complex c) {"
    calls = [
        "sin(x)",
        "sin(y)",
        "sin(i)",
        "sqrt(z)",
        "pow(x, x)",
        "pow(x, y)",
        "pow(x, i)",
        "fabs(c)",
        "exp(c)",
        "fma(x, x, x)",
    ]
    sema = _sema(text + ";".join(calls) + "; }", tmp_path)
    function = sema.functions["f"]
    sema.analyse(function)
    found = [declare(sema.type(n)) for n in function.body.block_items]
    lines = [
        text,
        *(
            f'_Static_assert(__builtin_types_compatible_p(__typeof__({c}), {t}), "");'
            for c, t in zip(calls, found, strict=True)
        ),
    ]
    assert gcc_errors("\n".join([*lines, "}"])) == {}
