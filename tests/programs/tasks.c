/* Tasks inside a region: their copies of variables, dependences, task loops, reductions over tasks, whether they are
 * final. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"

#include <omp.h>
#include <string.h>

#define N 100

static int fib(int n)
{
    int x, y;
    if (n < 2)
        return n;
#pragma omp task shared(x) if(n > 5)
    x = fib(n - 1);
#pragma omp task shared(y)
    y = fib(n - 2);
#pragma omp taskwait
    return x + y;
}
#pragma omp declare target(fib)

/* A task directly in a region has copies of what it uses, mapped or not, as it would without the region. */
static void copies_in_a_region(void)
{
    double values[2] = {0, 0}, all[4] = {1, 1, 1, 1};
    int scalar = 3, changed = 0, in_team = 0, last = 0;
#pragma omp target map(tofrom: values, scalar, changed, in_team)
    {
#pragma omp task
        {
            values[0] = scalar;
            changed = 5;
            all[2] = 7;
        }
#pragma omp taskloop num_tasks(2)
        for (int i = 0; i < 4; ++i) {
            changed = i;
            all[i] += 1;
        }
#pragma omp task shared(last) firstprivate(scalar)
        last = scalar;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
        {
            in_team = 7;
            values[1] = 4;
        }
        scalar += last;
    }
    CHECK(values[0] == 0 && values[1] == 4 && changed == 0 && in_team == 7 && scalar == 6);
    CHECK(all[0] == 1 && all[2] == 1);
}

#ifndef REFERENCE /* gcc 12 has no omp_in_explicit_task */
static int kind_of_task(void)
{
    return omp_in_explicit_task() + 2 * omp_in_final();
}

static int in_a_region(void)
{
    int kind = 0;
#pragma omp parallel num_threads(2) reduction(max: kind)
    kind = kind_of_task();
    return kind;
}

static int deeper(int levels)
{
    int kind = 0;
    if (levels == 0)
        return kind_of_task();
#pragma omp task shared(kind) final(levels == 1)
    kind = deeper(levels - 1);
#pragma omp taskwait
    return kind;
}

/* Functions know what task their caller is in. */
static void asked_in_functions(void)
{
    int kinds[12];
    memset(kinds, -1, sizeof kinds);
#pragma omp target map(tofrom: kinds)
    {
        kinds[0] = kind_of_task();
#pragma omp task shared(kinds)
        {
            kinds[1] = kind_of_task();
            kinds[2] = in_a_region();
            kinds[3] = kind_of_task();
        }
        kinds[4] = deeper(0);
        kinds[5] = deeper(1);
        kinds[6] = deeper(2);
#pragma omp parallel num_threads(4)
        {
#pragma omp single
            {
#pragma omp taskloop shared(kinds) final(1) num_tasks(2)
                for (int i = 7; i < 9; ++i)
                    kinds[i] = kind_of_task();
                kinds[9] = kind_of_task();
            }
#pragma omp master
#pragma omp task shared(kinds)
            kinds[10] = kind_of_task();
        }
        kinds[11] = in_a_region();
    }
    CHECK(kinds[0] == 0 && kinds[1] == 1 && kinds[2] == 0 && kinds[3] == 1 && kinds[4] == 0);
    CHECK(kinds[5] == 3 && kinds[6] == 3);
    CHECK(kinds[7] == 3 && kinds[8] == 3 && kinds[9] == 0 && kinds[10] == 1 && kinds[11] == 0);
    int wrong = 0;
#pragma omp target teams distribute parallel for reduction(+: wrong)
    for (int i = 0; i < 100; ++i) {
        int kind = 0;
        wrong += kind_of_task() != 0;
#pragma omp task shared(kind) final(i % 2)
        kind = kind_of_task();
#pragma omp taskwait
        wrong += kind != (i % 2 ? 3 : 1);
    }
    CHECK(wrong == 0);
}
#endif

int main(void)
{
    int a[N] = {0}, result = 0, kept = 0, chain = 1, total = 0;

#pragma omp target map(from: result)
#pragma omp parallel
#pragma omp single
    result = fib(12);
    CHECK(result == 144);

    /* A local variable of the region's one thread is firstprivate in a task, a global one shared. */
#pragma omp target map(tofrom: kept, a)
    {
        int local = 5;
#pragma omp task shared(a)
        {
            local += 1;
            a[0] = local;
        }
#pragma omp task shared(local)
        local += 10;
#pragma omp taskwait
        kept = local;
    }
    CHECK(kept == 15 && a[0] == 6);

#pragma omp target parallel map(tofrom: a, total) num_threads(4)
    {
        int mine = 1;
#pragma omp single
        {
            for (int i = 1; i < N; ++i) {
#pragma omp task untied mergeable priority(1) final(i > 50) affinity(a)
                a[i] = 3 * i;
            }
        }
#pragma omp task firstprivate(mine)
        {
            mine += 1;
#pragma omp atomic
            total += mine;
        }
#pragma omp atomic
        total += mine - 1;
    }
    for (int i = 1; i < N; ++i)
        CHECK(a[i] == 3 * i);
    CHECK(total >= 2 && total % 2 == 0);

#pragma omp target map(tofrom: chain)
    {
#pragma omp taskgroup
        {
#pragma omp task depend(out: chain) shared(chain)
            chain += 1;
#pragma omp task depend(inout: chain) shared(chain)
            chain *= 10;
#pragma omp task depend(in: chain) shared(chain)
            chain += 3;
        }
        chain *= 2;
    }
    CHECK(chain == 46);

    total = 1000;
#pragma omp target map(tofrom: a, total)
#pragma omp parallel
#pragma omp single
    {
        int offset = 1;
#pragma omp taskloop grainsize(strict: 4) firstprivate(offset) nogroup
        for (int i = 0; i < N; ++i) {
            offset += 0;
            a[i] = i + offset;
        }
#pragma omp taskloop simd collapse(2) num_tasks(3) reduction(+: total)
        for (int i = 0; i < 10; ++i)
            for (int j = 0; j < 10; ++j)
                total += i * j;
    }
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == i + 1);
    CHECK(total == 1000 + 45 * 45);

    total = 0;
    int last = 0;
#pragma omp target map(tofrom: total, last)
#pragma omp parallel num_threads(4)
    {
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+: total)
            {
                for (int i = 1; i <= 10; ++i) {
#pragma omp task in_reduction(+: total)
                    total += i;
                }
            }
        }
#pragma omp barrier
#pragma omp taskgroup task_reduction(+: total)
        {
#pragma omp masked taskloop lastprivate(last) in_reduction(+: total)
            for (int i = 0; i < 5; ++i) {
                total += 100;
                last = i;
            }
        }
    }
    CHECK(total == 55 + 500 && last == 4);

    total = 0;
#pragma omp target parallel reduction(task, +: total) map(tofrom: total) num_threads(3)
    {
#pragma omp single
        for (int i = 0; i < 4; ++i) {
#pragma omp task in_reduction(+: total)
            total += 5;
        }
    }
    CHECK(total == 20);

    int final[7] = {0}, most = 5;
#pragma omp target map(tofrom: final)
    {
        final[0] = omp_in_final();
#pragma omp parallel num_threads(2)
#pragma omp single
        {
            final[1] = omp_in_final();
#pragma omp task shared(final) firstprivate(most) final(most > 9)
            final[2] = omp_in_final();
#pragma omp task shared(final) firstprivate(most) final(most < 9)
            {
                most = 0; /* a copy */
                final[3] = omp_in_final();
#pragma omp task shared(final) final(most)
                final[4] = omp_in_final();
            }
#pragma omp taskloop shared(final) final(1) num_tasks(1)
            for (int i = 5; i < 6; ++i)
                final[i] = omp_in_final();
        }
        final[6] = omp_in_final();
    }
    CHECK(!final[0] && !final[1] && !final[2] && final[3] && final[4] && final[5] && !final[6]);
    copies_in_a_region();
#ifndef REFERENCE
    asked_in_functions();
#endif
    return CHECK_RESULT();
}
