/* Host tasks around target regions: threads of a parallel region, single and taskgroup, dependences of every kind between
 * host tasks and target tasks, dependence objects, events, undeferred tasks with arrays of their own, loops of tasks that
 * count down. */
// reference: -fopenmp -foffload=disable -DINOUTSET=inout -DALL_MEMORY=z,all,all2 -DOBJECT=writes
#include "check.h"

#include <omp.h>
#include <stdlib.h>

#define N 200

#ifndef INOUTSET /* gcc 12 knows none of these */
#define INOUTSET inoutset
#define OBJECT some[2 - 1]
#define ALL_MEMORY omp_all_memory
#endif

static int x, y, z, all, all2;
static int *p;

static void several_threads(void)
{
    int sums[4] = {0}, from_single = 0;

#pragma omp parallel num_threads(4) shared(sums)
    {
        int mine = omp_get_thread_num(), sum = 0;
#pragma omp target map(tofrom: sum) firstprivate(mine)
        for (int i = 0; i <= N; ++i)
            sum += i * mine;
        sums[mine] = sum;
#pragma omp barrier
#pragma omp single
        {
#pragma omp target teams distribute parallel for reduction(+: from_single)
            for (int i = 0; i < 4; ++i)
                from_single += sums[i];
        }
    }
    CHECK(from_single == 6 * (N * (N + 1) / 2));
    printf("%d\n", from_single);
}

static void kinds(void)
{
    p = (int *)malloc(N * sizeof *p);
    for (int i = 0; i < N; ++i)
        p[i] = i;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out: p[0:N])
        for (int i = 0; i < N; ++i)
            p[i] += 1;
        for (int part = 0; part < 2; ++part) {
#pragma omp target nowait depend(INOUTSET: p[0:N]) map(tofrom: p[part * N / 2 : N / 2]) firstprivate(part)
            for (int i = part * N / 2; i < (part + 1) * N / 2; ++i)
                p[i] *= 2;
        }
#pragma omp target nowait depend(mutexinoutset: x) depend(in: p[0:N]) map(to: p[0:N]) map(tofrom: x)
        x += p[0];
#pragma omp task depend(mutexinoutset: x) depend(in: p[0:N])
        x += p[N - 1];
#pragma omp target depend(in: x) map(to: x) map(from: y)
        y = x;
#pragma omp task shared(z) depend(out: z)
        z = 7;
#pragma omp task depend(out: all)
        all = 30;
#pragma omp target nowait depend(out: ALL_MEMORY) map(tofrom: z, all)
        {
            z += all;
        }
#pragma omp task depend(in: z)
        all2 = z;
#pragma omp taskgroup
        {
#pragma omp target update to(p[0:1]) nowait depend(inout: p[0:N])
#pragma omp target nowait depend(in: p[0:N]) map(p[0:N])
            p[0] = -p[0];
        }
        CHECK(p[0] == -2);
    }
    CHECK(x == 2 + 2 * N && y == x && z == 37 && all2 == 37);
    printf("%d %d %d\n", x, y, z);
    free(p);
}

static void objects(void)
{
    omp_depend_t writes, reads, *some = (omp_depend_t *)malloc(2 * sizeof *some);
    int value = 1, seen = 0;

#pragma omp depobj(some[1]) depend(out: value)
#pragma omp depobj(writes) depend(inout: value)
#pragma omp depobj(reads) depend(in: value)
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(depobj: OBJECT) shared(value)
        value = 2;
#pragma omp target nowait depend(depobj: writes) map(tofrom: value)
        value = 10 * value + 1;
#pragma omp target depend(depobj: reads) map(to: value) map(from: seen)
        seen = value;
    }
#pragma omp depobj(writes) destroy
#pragma omp depobj(reads) destroy
#pragma omp depobj(some[1]) destroy
    free(some);
    CHECK(seen == 21);
    printf("%d\n", seen);
}

static void events(void)
{
    omp_event_handle_t event;
    int value = 0, after = 0;

#pragma omp parallel
#pragma omp single
    {
#pragma omp task detach(event) depend(out: value) shared(value)
        value = 1;
#pragma omp target nowait depend(in: value) map(to: value) map(from: after)
        after = value + 1;
#pragma omp task firstprivate(event) shared(value)
        {
            value = 40;
            omp_fulfill_event(event);
        }
    }
    CHECK(after == 2 || after == 41);
    printf("%d\n", after > 0);
}

static void undeferred(int n)
{
    int array[100], seen[4] = {0}, lengths[n];
    for (int i = 0; i < 100; ++i)
        array[i] = i;
    for (int i = 0; i < n; ++i)
        lengths[i] = i;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 4; ++i) {
#pragma omp task if(i % 2) firstprivate(array, lengths) shared(seen) depend(out: seen[i])
        {
            array[99] += i;
            lengths[n - 1] *= 2;
            seen[i] = array[99] + lengths[n - 1];
        }
    }
    CHECK(seen[0] == 111 && seen[1] == 112 && seen[2] == 113 && seen[3] == 114);
    CHECK(array[99] == 99 && lengths[n - 1] == 6);
}

/* Loops that count down. */
static void descending(void)
{
    int down[N], sum = 0, last = -1, i;
    long k;

#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(7) reduction(+: sum)
        for (i = N - 1; i >= 0; i--) {
            down[i] = i;
            sum += i;
        }
#pragma omp taskloop simd lastprivate(last) num_tasks(3)
        for (k = N - 1; -1 < k; k -= 2)
            down[k] = last = (int)k + 1;
#pragma omp taskloop collapse(2)
        for (int a = 1; a >= 0; a--)
            for (int b = N / 2 - 1; b != -1; --b)
                down[a * (N / 2) + b]++;
    }
    CHECK(sum == N * (N - 1) / 2 && last == 2 && down[0] == 1 && down[1] == 3 && down[N - 1] == N + 1);
    printf("%d %d\n", sum, last);
}

int main(void)
{
    descending();
    several_threads();
    undeferred(7);
    kinds();
    objects();
    events();
    return CHECK_RESULT();
}
