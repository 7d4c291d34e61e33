/* Host directives in words that are newer than gcc 12, on the host and in target regions. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"

#include <omp.h>
#include <stdint.h>

#define N 40

struct holder {
    int *p;
    int q[4];
};

#ifndef REFERENCE
/* Newer than gcc 12. */
static void explicit_tasks(void)
{
    int in_task[6] = {0}, in_loop = 0;

#pragma omp target parallel num_threads(2) map(tofrom : in_task, in_loop)
#pragma omp single
    {
        in_task[0] = omp_in_explicit_task();
#pragma omp task shared(in_task)
        {
            in_task[1] = omp_in_explicit_task();
#pragma omp parallel num_threads(2) shared(in_task)
#pragma omp master
            in_task[2] = omp_in_explicit_task();
#pragma omp parallel for
            for (int i = 0; i < 1; ++i)
                in_task[3] = omp_in_explicit_task();
        }
#pragma omp taskloop shared(in_loop)
        for (int i = 9; i >= 0; --i) {
#pragma omp atomic
            in_loop += omp_in_explicit_task();
        }
#pragma omp taskwait
        in_task[4] = omp_in_explicit_task();
    }
#pragma omp task if(0) shared(in_task)
    in_task[5] = omp_in_explicit_task();
    CHECK(!in_task[0] && in_task[1] && !in_task[2] && !in_task[3] && !in_task[4] && in_loop == 10);
    CHECK(in_task[5] && !omp_in_explicit_task());
}

#pragma omp declare simd linear(i : step(1)) uniform(a)
#endif
static int value(const int *a, int i)
{
    return a[i];
}

int main(void)
{
    int a[N], down[N], x = 3, sum = 0, threads = 0, order = 0, store[8] = {0};
    struct holder h = {store, {0}};
    omp_depend_t object;

    for (int i = 0; i < N; ++i)
        a[i] = down[i] = 1;
#ifdef REFERENCE
    for (int i = 1; i < N; ++i)
        a[i] = 2 * i + 1;
    for (int i = 0; i < N; ++i)
        down[i] = N - i;
    sum = 12;
    order = 321;
#else
#pragma omp parallel for ordered
    for (int i = 1; i < N; ++i) {
#pragma omp ordered doacross(sink : omp_cur_iteration - 1)
        a[i] = a[i - 1] + 1;
#pragma omp ordered doacross(source : omp_cur_iteration)
    }
#pragma omp parallel for ordered(1)
    for (int i = N - 2; i >= 0; i -= 1) {
#pragma omp ordered doacross(sink : omp_cur_iteration - 1)
        down[i] = down[i + 1] + 1;
#pragma omp ordered doacross(source :)
    }
#pragma omp target parallel for ordered(1) map(tofrom : a)
    for (int i = 1; i < N; ++i) {
#pragma omp ordered doacross(sink : omp_cur_iteration - 1)
        a[i] = a[i - 1] + 2;
#pragma omp ordered doacross(source : omp_cur_iteration)
    }
    int of_tasks = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp scope reduction(task, + : of_tasks)
        {
#pragma omp task in_reduction(+ : of_tasks)
            of_tasks += 2;
        }
#pragma omp scope firstprivate(x, store) reduction(+ : sum)
        {
            sum += x;
            x = 100;
#pragma omp barrier
            sum += x - 100 + store[7]++;
        }
#pragma omp single
        threads = omp_get_num_threads();
    }
    CHECK(sum == 3 * threads && of_tasks == 2 * threads && store[7] == 0);
    int misaligned = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp scope private(order) firstprivate(x) allocate(omp_default_mem_alloc : order) \
    allocate(allocator(omp_default_mem_alloc), align(128) : x) nowait
        {
            order = x - 3;
#pragma omp atomic
            misaligned += order + ((uintptr_t)&x % 128 != 0);
        }
    }
    CHECK(misaligned == 0);
    sum = sum / threads * 4;
#pragma omp depobj(object) depend(inout : h.p[1 : 2])
#pragma omp parallel
#pragma omp single
    {
#pragma omp target depend(depobj : object) map(from : order) nowait
        order = 1;
#pragma omp task depend(inoutset : h.p[1 : 2]) shared(order)
        order += 20;
#pragma omp task depend(inout : omp_all_memory) shared(order)
        order += order == 21 ? 300 : 0;
#pragma omp taskwait depend(in : h.p[1 : 2]) nowait
    }
#pragma omp depobj(object) destroy(object)
#endif
    printf("%d %d %d %d\n", value(a, N - 1), down[0], sum, order);
#ifndef REFERENCE
    explicit_tasks();
#endif
    CHECK(h.q[0] == 0 && x == 3 && threads >= 0);
    return CHECK_RESULT();
}
