/* Loops of host code that gcc has the OpenMP runtime deal out: counting down in unsigned and pointer types, negative
   bounds, no iterations; as worksharing loops of every schedule, with ordered(n), and as tasks of every size. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include <limits.h>
#include <omp.h>
#include "check.h"
#include "headers/device.h"

#define N 23

static int seen[2 * N + 1];
static long order, cell[N + 1], grid[7][7];
static int assigned;

static void see(long i)
{
#pragma omp atomic
    seen[i + N]++;
}

/* Whether exactly the numbers from first to last, every step-th, were seen once. */
static int saw(int first, int last, int step)
{
    int right = 1;
    for (int i = -N; i <= N; ++i) {
        right &= seen[i + N] == (i >= first && i <= last && (i - first) % step == 0);
        seen[i + N] = 0;
    }
    return right;
}

#define SCHEDULES(run)                                                                                             \
    run(schedule(static, 2)) run(schedule(dynamic)) run(schedule(dynamic, 3)) run(schedule(guided))                \
        run(schedule(runtime)) run(schedule(monotonic: runtime)) run(schedule(auto))
#define NONMONOTONIC(run)                                                                                          \
    run(schedule(nonmonotonic: dynamic, 2)) run(schedule(nonmonotonic: guided, 2)) run(schedule(nonmonotonic: runtime))

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define DOWN(...)                                                                                                  \
    PRAGMA(omp parallel for num_threads(4) __VA_ARGS__)                                                            \
    for (unsigned long i = 20 + none; i > 3; i -= 2)                                                               \
        see((long)i);                                                                                              \
    CHECK(saw(4, 20, 2));                                                                                          \
    PRAGMA(omp parallel for num_threads(4) __VA_ARGS__)                                                            \
    for (long *p = cell + 20 + none; p >= cell + 3; p--)                                                           \
        see(p - cell);                                                                                             \
    CHECK(saw(3, 20, 1));                                                                                          \
    PRAGMA(omp parallel for num_threads(4) collapse(2) __VA_ARGS__)                                                \
    for (unsigned long i = 2 + none; i > 0; i--)                                                                   \
        for (int j = -3; j < 4 + none; j += 2)                                                                     \
            see(10 * (long)i - 10 + j);                                                                            \
    CHECK(seen[N - 3] == 1 && seen[N + 3] == 1 && seen[N + 13] == 1 && seen[N + 7] == 1 && seen[N + 4] == 0);      \
    for (int i = 0; i <= 2 * N; i++)                                                                               \
        seen[i] = 0;                                                                                               \
    PRAGMA(omp parallel for num_threads(4) __VA_ARGS__)                                                            \
    for (unsigned long i = 3 + none; i > 3; i--)                                                                   \
        see((long)i);                                                                                              \
    CHECK(saw(0, -1, 1));

#define ORDERED(...)                                                                                               \
    order = 0;                                                                                                     \
    PRAGMA(omp parallel for num_threads(4) ordered __VA_ARGS__)                                                    \
    for (unsigned long i = 9 + none; i > 2; i -= 2) {                                                              \
        PRAGMA(omp ordered)                                                                                        \
        order = order * 10 + (long)i;                                                                              \
    }                                                                                                              \
    CHECK(order == 9753);

#define TASKS(...)                                                                                                 \
    PRAGMA(omp parallel num_threads(4))                                                                            \
    PRAGMA(omp single)                                                                                             \
    {                                                                                                              \
        PRAGMA(omp taskloop __VA_ARGS__)                                                                           \
        for (int i = -5 + none; i < 8; i++)                                                                        \
            see(i);                                                                                                \
        PRAGMA(omp taskwait)                                                                                       \
        CHECK(saw(-5, 7, 1));                                                                                      \
        PRAGMA(omp taskloop __VA_ARGS__)                                                                           \
        for (short i = 7; i >= -9 + none; i -= 4)                                                                  \
            see(i);                                                                                                \
        PRAGMA(omp taskwait)                                                                                       \
        CHECK(saw(-9, 7, 4));                                                                                      \
        PRAGMA(omp taskloop __VA_ARGS__)                                                                           \
        for (long *p = cell + 9 + none; p > cell; --p)                                                             \
            see(p - cell);                                                                                         \
        PRAGMA(omp taskwait)                                                                                       \
        CHECK(saw(1, 9, 1));                                                                                       \
        PRAGMA(omp taskloop __VA_ARGS__)                                                                           \
        for (unsigned long i = ULONG_MAX - 6; i < ULONG_MAX - (unsigned long)none; i += 3)                         \
            see((long)(ULONG_MAX - i));                                                                            \
        PRAGMA(omp taskwait)                                                                                       \
        CHECK(saw(3, 6, 3));                                                                                       \
        PRAGMA(omp taskloop __VA_ARGS__)                                                                           \
        for (long i = 4; i < 4 + none; i++)                                                                        \
            see(i);                                                                                                \
        PRAGMA(omp taskloop __VA_ARGS__)                                                                           \
        for (unsigned long i = 4 + none; i > 4; i--)                                                               \
            see((long)i);                                                                                          \
        PRAGMA(omp taskwait)                                                                                       \
        CHECK(saw(0, -1, 1));                                                                                      \
    }

#ifndef REFERENCE /* gcc 12 with its own runtime runs no iteration of these */
static void narrow(int none)
{
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp taskloop
        for (unsigned i = 20 + (unsigned)none; i > 3; --i)
            see(i);
        CHECK(saw(4, 20, 1));
#pragma omp taskloop num_tasks(3)
        for (unsigned short i = 20 + (unsigned short)none; i > 3; i -= 2)
            see(i);
        CHECK(saw(4, 20, 2));
#pragma omp taskloop grainsize(2)
        for (unsigned char i = 20 + (unsigned char)none; i > 3; i -= 4)
            see(i);
        CHECK(saw(4, 20, 4));
    }
}
#endif

static void with_data(int none)
{
    int last = 0, firsts[3] = {1, 2, 3}, sum = 0, total = 0, i;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp taskloop lastprivate(last, i) firstprivate(firsts) reduction(+: sum) num_tasks(5)
        for (i = -7; i <= 5 + none; i++) {
            last = i * firsts[1];
            sum += firsts[2] * i;
            firsts[1] = 2;
        }
#pragma omp taskgroup task_reduction(+: total)
        {
#pragma omp taskloop in_reduction(+: total) nogroup grainsize(2)
            for (int k = 9; k > 3 + none; k--)
                total += k;
        }
#pragma omp taskloop reduction(+: sum) if (none)
        for (int k = none; k > none; k--)
            sum += 1000;
#pragma omp taskloop reduction(+: sum) if (none) firstprivate(firsts)
        for (int k = none; k > none - 3; k--)
            sum += firsts[0];
    }
    CHECK(last == 10 && i == 6 && sum == -3 * 13 + 3 && total == 39);
}

/* Loops with ordered(n), the first ones without iterations, or with none in the inner loops. */
#define NOTHING(type, ...)                                                                                         \
    PRAGMA(omp for ordered(1) __VA_ARGS__)                                                                         \
    for (type i = 5; i < 5 + none; ++i) {                                                                          \
        PRAGMA(omp ordered depend(sink : i - 1))                                                                   \
        see((long)i);                                                                                              \
        PRAGMA(omp ordered depend(source))                                                                         \
    }                                                                                                              \
    PRAGMA(omp for collapse(1) ordered(2) lastprivate(last) __VA_ARGS__)                                           \
    for (last = 2; last < 7; ++last)                                                                               \
        for (type j = 3; j < 3 + none; ++j) {                                                                      \
            PRAGMA(omp ordered depend(sink : last - 1, j))                                                         \
            see((long)j);                                                                                          \
            PRAGMA(omp ordered depend(source))                                                                     \
        }
#define CHAIN(type, ...)                                                                                           \
    last = 0;                                                                                                      \
    PRAGMA(omp parallel num_threads(4))                                                                            \
    {                                                                                                              \
        NOTHING(type, __VA_ARGS__)                                                                                 \
        PRAGMA(omp for ordered(1) __VA_ARGS__)                                                                     \
        for (type i = 1; i <= N; ++i) {                                                                            \
            PRAGMA(omp ordered depend(sink : i - 1))                                                               \
            cell[i] = cell[i - 1] + 1;                                                                             \
            PRAGMA(omp ordered depend(source))                                                                     \
        }                                                                                                          \
        PRAGMA(omp for ordered(2) nowait __VA_ARGS__)                                                              \
        for (type i = 1; i < 6; ++i)                                                                               \
            for (int j = 1; j < 6; ++j) {                                                                          \
                PRAGMA(omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1))                                \
                grid[i][j] = grid[i - 1][j] + grid[i][j - 1] + 1;                                                  \
                PRAGMA(omp ordered depend(source))                                                                 \
            }                                                                                                      \
    }                                                                                                              \
    CHECK(cell[N] == N && last == 7 && saw(0, -1, 1));                                                                 printf("%ld %ld\n", grid[1][1], grid[5][1]);

static void chains(int none)
{
    int last = 0;
    for (int repeated = 0; repeated < 2; ++repeated) {
        CHAIN(int, schedule(static, 1))
        CHAIN(int, schedule(dynamic, 2))
        CHAIN(unsigned long, schedule(static))
        CHAIN(unsigned long, schedule(dynamic))
        CHAIN(unsigned long, schedule(guided, 2))
        CHAIN(long, schedule(guided))
        CHAIN(unsigned long, schedule(runtime))
        CHAIN(long, schedule(runtime))
    }
}

/* The last iteration to assign, in a loop that threads come to by themselves. */
static void conditional(int bound)
{
#pragma omp for lastprivate(conditional : assigned) schedule(dynamic) ordered
    for (int i = 0; i < bound; ++i) {
        if (i % 7 == 3)
            assigned = i;
#pragma omp ordered
        order += assigned;
    }
}

int main(void)
{
    const int none = regions_on_host() & 2;

    omp_set_schedule(omp_sched_dynamic, 2);
    SCHEDULES(DOWN)
    NONMONOTONIC(DOWN)
    SCHEDULES(ORDERED)
    TASKS()
    TASKS(grainsize(3))
    TASKS(grainsize(100))
    TASKS(num_tasks(1))
    TASKS(num_tasks(4))
    TASKS(num_tasks(1000))
    TASKS(nogroup)
    TASKS(untied if (none))
    TASKS(final(1) mergeable priority(2))
    with_data(none);
    chains(none);
#pragma omp parallel num_threads(4)
    conditional(40 + none);
    CHECK(assigned == 38);
#ifndef REFERENCE
    narrow(none);
#endif
    return CHECK_RESULT();
}
