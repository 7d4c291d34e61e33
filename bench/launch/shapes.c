/* Regions whose data is all present, each as rex-build launches it and as a hand-written call of the runtime with the same
 * arguments, and the program's very first launch beside its tenth. run.py lowers this file and compiles the host file with
 * BY_HAND and, for every region, ID_<function>, the identity of its kernel; callgrind counts the instructions. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };
static double lone_x[2 * N], lone_y[2 * N]; /* half of them mapped: as from malloc, other memory lies between */
static double a[N], b[N], c[N], d[N], e[N], f[N], g[N], h[N], p[N], q[N], r[N], s[N], sum;

static void literals(int n, double *device, double factor)
{
#pragma omp target teams distribute parallel for is_device_ptr(device)
    for (int i = 0; i < n; ++i)
        device[i] = factor;
}

static void one(int n, double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] += 1;
}

/* x and y are compared, so that the kernel that takes them for different memory can run. */
static void no_alias(int n, double factor, const double *x, double *y)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
    for (int i = 0; i < n; ++i) {
        y[i] = factor * x[i];
        y[i] += x[n - 1 - i]; /* a load after a store: something is gained */
    }
}

/* The same without sections: the runtime says where the pointers lead. */
static void mapped_elsewhere(int n, double factor, const double *x, double *y)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) {
        y[i] = factor * x[i];
        y[i] += x[n - 1 - i];
    }
}

static void four(int n, double *x, const double *y, const double *z, const double *u)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n]) map(to: y[0:n], z[0:n], u[0:n])
    for (int i = 0; i < n; ++i)
        x[i] = y[i] + z[i] + u[i];
}

static void twelve(void)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        a[i] = b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i] + p[i] + q[i] + r[i] + s[i];
}

static void reduction(int n, const double *x)
{
#pragma omp target teams distribute parallel for reduction(+: sum) map(to: x[0:n])
    for (int i = 0; i < n; ++i)
        sum += x[i];
}

static void tiles(int rows, int columns, double *x, const double *y)
{
#pragma omp target teams distribute parallel for collapse(2) map(from: x[0:rows * columns]) map(to: y[0:rows * columns])
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            x[i * columns + j] = 2 * y[i * columns + j];
}

static void clauses(int n, int teams, int threads, double *x)
{
#pragma omp target teams distribute parallel for num_teams(teams) thread_limit(threads) map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] += 1;
}

static void untouched(int n, double factor)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        if (factor + i < 0)
            puts("never");
}

#ifdef BY_HAND
#include <valgrind/callgrind.h>

static void *bits(double value)
{
    void *carrier;
    __builtin_memcpy(&carrier, &value, sizeof carrier);
    return carrier;
}

/* The packet of a launch of one block of N threads. The runtime reads the location in every launch. */
#define LAUNCH(id, rows)                                                                                                \
    static const struct rex_location location = REX_LOCATION("shapes.c", #id, 10, 9);                                   \
    struct __tgt_kernel_arguments packet = {REX_KERNEL_ARGS_VERSION, rows, base, base, sizes, types, 0, 0, N,           \
                                            REX_KERNEL_FLAG_STRICT, {1, 0, 0}, {N, 0, 0}, 0};                           \
    if (__tgt_target_kernel(&location, -1, 1, N, &id, &packet))                                                        \
        abort()
#define LITERAL 0x320
#define ARRAY 8 * N

static void hand_literals(long n, double *device, double factor)
{
    void *base[] = {(void *)n, device, bits(factor)};
    static const rex_int64 sizes[] = {4, 8, 8}, types[] = {LITERAL, 0x120, LITERAL};
    LAUNCH(ID_literals, 3);
}

static void hand_one(long n, double *x)
{
    void *base[] = {(void *)n, x};
    static const rex_int64 sizes[] = {4, ARRAY}, types[] = {LITERAL, 0x23};
    LAUNCH(ID_one, 2);
}

static void hand_no_alias(long n, double factor, double *x, double *y)
{
    void *base[] = {(void *)n, y, bits(factor), x};
    static const rex_int64 sizes[] = {4, ARRAY, 8, ARRAY}, types[] = {LITERAL, 0x23, LITERAL, 0x21};
    LAUNCH(ID_no_alias, 4);
}

static void hand_mapped_elsewhere(long n, double factor, double *x, double *y)
{
    void *base[] = {(void *)n, y, bits(factor), x};
    static const rex_int64 sizes[] = {4, 0, 8, 0}, types[] = {LITERAL, 0x220, LITERAL, 0x220};
    LAUNCH(ID_mapped_elsewhere, 4);
}

static void hand_four(long n, double *x, double *y, double *z, double *u)
{
    void *base[] = {(void *)n, x, y, z, u};
    static const rex_int64 sizes[] = {4, ARRAY, ARRAY, ARRAY, ARRAY}, types[] = {LITERAL, 0x23, 0x21, 0x21, 0x21};
    LAUNCH(ID_four, 5);
}

static void hand_twelve(void)
{
    void *base[] = {a, b, c, d, e, f, g, h, p, q, r, s};
    static const rex_int64 sizes[] = {ARRAY, ARRAY, ARRAY, ARRAY, ARRAY, ARRAY,
                                      ARRAY, ARRAY, ARRAY, ARRAY, ARRAY, ARRAY};
    static const rex_int64 types[] = {0x223, 0x223, 0x223, 0x223, 0x223, 0x223,
                                      0x223, 0x223, 0x223, 0x223, 0x223, 0x223};
    LAUNCH(ID_twelve, 12);
}

static void hand_reduction(long n, double *x)
{
    void *base[] = {(void *)n, &sum, x};
    static const rex_int64 sizes[] = {4, 8, ARRAY}, types[] = {LITERAL, 0x223, 0x21};
    LAUNCH(ID_reduction, 3);
}

static void hand_tiles(long rows, long columns, double *x, double *y, rex_uint64 shape)
{
    void *base[] = {(void *)rows, (void *)columns, x, y, (void *)shape};
    static const rex_int64 sizes[] = {4, 4, ARRAY, ARRAY, 8}, types[] = {LITERAL, LITERAL, 0x22, 0x21, LITERAL};
    LAUNCH(ID_tiles, 5);
}

static void hand_clauses(long n, double *x)
{
    void *base[] = {(void *)n, x, (void *)(1L << 32 | N)}; /* the kernel is told its grid */
    static const rex_int64 sizes[] = {4, ARRAY, 8}, types[] = {LITERAL, 0x23, LITERAL};
    LAUNCH(ID_clauses, 3);
}

/* The instructions of a call become a dump of their own. */
#define COUNT_ONE(name, call)                                                                                           \
    do {                                                                                                               \
        CALLGRIND_ZERO_STATS;                                                                                          \
        call;                                                                                                          \
        CALLGRIND_DUMP_STATS_AT(name);                                                                                 \
    } while (0)
#define COUNT(name, call)                                                                                               \
    do {                                                                                                               \
        call; /* once before, so that all symbols are bound */                                                         \
        COUNT_ONE(name, call);                                                                                         \
    } while (0)
#define COUNT_FIRST_AND_TENTH(name, call)                                                                               \
    do {                                                                                                               \
        COUNT_ONE("first_" name, call);                                                                                \
        for (int i = 2; i < 10; ++i)                                                                                   \
            call;                                                                                                      \
        COUNT_ONE("tenth_" name, call);                                                                                \
    } while (0)

/* On an unused device. */
static void count_first(void)
{
    CALLGRIND_START_INSTRUMENTATION;
    COUNT_FIRST_AND_TENTH("untouched", untouched(N, 2));
    COUNT_FIRST_AND_TENTH("one", one(N, a));
    CALLGRIND_STOP_INSTRUMENTATION;
}

/* With the data present. */
static void count(double *device)
{
    int blocks, threads = N;
    struct rex_second_dimension second;
    rex_uint64 shape;
    rex_tile(N / 8, 8, 0, &blocks, &threads, &second, &shape);
    CALLGRIND_START_INSTRUMENTATION;
    COUNT("literals", literals(N, device, 2));
    COUNT("hand_literals", hand_literals(N, device, 2));
    COUNT("one", one(N, a));
    COUNT("hand_one", hand_one(N, a));
    COUNT("no_alias", no_alias(N, 3, lone_x, lone_y));
    COUNT("hand_no_alias", hand_no_alias(N, 3, lone_x, lone_y));
    COUNT("mapped_elsewhere", mapped_elsewhere(N, 3, a, b));
    COUNT("hand_mapped_elsewhere", hand_mapped_elsewhere(N, 3, a, b));
    COUNT("four", four(N, a, b, c, d));
    COUNT("hand_four", hand_four(N, a, b, c, d));
    COUNT("twelve", twelve());
    COUNT("hand_twelve", hand_twelve());
    COUNT("reduction", reduction(N, a));
    COUNT("hand_reduction", hand_reduction(N, a));
    COUNT("tiles", tiles(N / 8, 8, a, b));
    COUNT("hand_tiles", hand_tiles(N / 8, 8, a, b, shape));
    COUNT("clauses", clauses(N, 1, N, a));
    COUNT("hand_clauses", hand_clauses(N, a));
    CALLGRIND_STOP_INSTRUMENTATION;
}
#else
static void count_first(void) { untouched(N, 2); }
static void count(double *device)
{
    literals(N, device, 2);
    one(N, a);
    no_alias(N, 3, lone_x, lone_y);
    mapped_elsewhere(N, 3, a, b);
    four(N, a, b, c, d);
    twelve();
    reduction(N, a);
    tiles(N / 8, 8, a, b);
    clauses(N, 1, N, a);
}
#endif

int main(void)
{
    double *device = a;
    count_first();
#pragma omp target enter data map(to: a, b, c, d, e, f, g, h, p, q, r, s, sum, lone_x[0:N], lone_y[0:N])
#pragma omp target data use_device_ptr(device)
    count(device);
#pragma omp target exit data map(from: a, sum) map(release: b, c, d, e, f, g, h, p, q, r, s) \
    map(release: lone_x[0:N], lone_y[0:N])
    printf("%g %g\n", a[0], sum);
    return 0;
}
