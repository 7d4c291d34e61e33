/* Host threads run regions and move data at the same time, in every way that keeps their data apart or orders it. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, THREADS = 4, TIMES = 150 };
static int failures;

static void must(int holds, int line)
{
    if (!holds) {
#pragma omp critical(failures)
        printf("line %d: wrong\n", line), ++failures;
    }
}
#define MUST(condition) must(condition, __LINE__)

#include "own_data.h"

/* All threads map and read the same memory, which comes and goes with them; each has scalars of its own. */
static void common_input(int me, const double *x, int *total)
{
    int count = 0, seen = 0;
    double limit = me;
#pragma omp target map(to: x[0:N]) map(from: seen)
    {
        limit += 1;
        seen = (int)(x[me] + limit);
    }
    MUST(seen == 2 * me + 1);
#pragma omp target teams distribute parallel for map(to: x[0:N]) reduction(+: count)
    for (int i = 0; i < N; ++i)
        count += x[i] >= limit;
    MUST(count == N - me && x[me] == me);
#pragma omp target teams distribute parallel for map(tofrom: total[0:1])
    for (int i = 0; i < count; ++i) {
#pragma omp atomic
        *total += 1;
    }
}

struct both {
    double wide;
    int low, high;
};

/* Accesses of several sizes to one block that all threads change parts of. */
static void sizes(int me, struct both *items)
{
#pragma omp target teams distribute parallel for
    for (int i = me * N; i < (me + 1) * N; ++i) {
        items[i].wide = i;
        items[i].low += 1;
        items[i].high = items[i].low + (int)items[i].wide;
    }
#pragma omp target update from(items[me * N : N])
    MUST(items[me * N].high == items[me * N].low + me * N);
}

/* Deferred regions in several threads. */
static void deferred(int me)
{
    int a[N], b[N];
#pragma omp target enter data map(alloc: a, b) nowait depend(out: a)
#pragma omp target teams distribute parallel for nowait depend(inout: a)
    for (int i = 0; i < N; ++i)
        a[i] = me + i;
#pragma omp target teams distribute parallel for nowait depend(in: a) depend(out: b)
    for (int i = 0; i < N; ++i)
        b[i] = 2 * a[i];
#pragma omp target exit data map(from: b) map(delete: a) nowait depend(inout: a, b)
#pragma omp taskwait
    MUST(b[N - 1] == 2 * (me + N - 1));
}

int main(void)
{
    static struct both items[THREADS * N];
    static int in_turn[THREADS];
    double x[N];
    int total = 0;
    for (int i = 0; i < N; ++i)
        x[i] = i;
    memset(items, 0, sizeof(items));
#pragma omp target data map(tofrom: items)
#pragma omp parallel num_threads(THREADS)
    {
        const int me = omp_get_thread_num();
        for (int k = 0; k < TIMES; ++k) {
            own_memory(me);
            device_memory(me);
            common_input(me, x, &total);
            sizes(me, items);
            deferred(me);
#pragma omp critical
            {
#pragma omp target map(tofrom: total)
                {
#pragma omp atomic /* common_input of other threads */
                    total += 1;
                }
            }
            /* Each writes the element of the next thread after a barrier. */
#pragma omp target map(tofrom: in_turn[me:1])
            in_turn[me] += 1;
#pragma omp barrier
            const int next = (me + 1) % THREADS;
#pragma omp target map(tofrom: in_turn[next:1])
            in_turn[next] += 1;
#pragma omp barrier
        }
    }
    MUST(total == TIMES * (THREADS + THREADS * N - 6) && in_turn[0] == 2 * TIMES && items[5].low == TIMES);
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        for (int k = 0; k < TIMES; ++k)
            own_memory(1);
#pragma omp section
        {
#pragma omp parallel num_threads(2) /* inside of another parallel region */
            for (int k = 0; k < TIMES; ++k)
                own_memory(2);
        }
    }
    return failures != 0;
}
