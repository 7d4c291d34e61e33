/* Clauses and keywords that no other program has: what they say must not change what comes out. */
// reference: -Wno-unknown-pragmas
#include "data/data.h"

#ifndef _OPENMP
#define omp_get_thread_num() 0
#define omp_get_num_threads() 1
typedef int omp_depend_t;
#endif

#define N 48

#pragma omp assumes absent(task) contains(target, parallel) no_openmp_constructs

#pragma omp declare simd inbranch
static int half(int x) { return x / 2; }

#pragma omp declare simd linear(x: val, step(1)) notinbranch
static int next(int x) { return x + 1; }

struct pair {
    int n, *data;
};
#pragma omp declare mapper(whole: struct pair p) map(p, p.data[0:p.n])

static void hints(int *a)
{
    int threads = 0, old = 7, swapped = 0, x = 5;

#pragma omp target parallel for proc_bind(close) schedule(nonmonotonic: dynamic, 2) map(tofrom: a[0:N])
    for (int i = 0; i < N; ++i)
        a[i] += half(i);
#pragma omp target parallel for order(unconstrained: concurrent) map(tofrom: a[0:N])
    for (int i = 0; i < N; ++i)
        a[i] += 1;
#pragma omp target parallel for proc_bind(spread) schedule(simd: static, 4) order(reproducible: concurrent) map(tofrom: a[0:N])
    for (int i = 0; i < N; ++i)
        a[i] += 1;
#pragma omp target parallel proc_bind(primary) num_threads(2) map(tofrom: threads)
    {
#pragma omp atomic
        threads += 1;
    }
#pragma omp target parallel proc_bind(master) num_threads(2) reduction(default, +: threads)
    threads += 1;
#pragma omp target parallel for schedule(runtime) map(tofrom: a[0:N]) default(firstprivate) firstprivate(x)
    for (int i = 0; i < N; ++i)
        a[i] += x;
#pragma omp target parallel for map(tofrom: a[0:N]) default(private) shared(a)
    for (int i = 0; i < N; ++i) {
        x = i;
        a[i] += x;
    }
    CHECK(!SEPARATE || x == 5);
    x = 5;
#pragma omp target map(tofrom: x, old, swapped)
    {
#pragma omp atomic compare capture weak fail(seq_cst)
        {
            swapped = x == 5;
            if (swapped) {
                x = 6;
            }
        }
#pragma omp atomic compare seq_cst fail(relaxed)
        if (old == 7) {
            old = 8;
        }
#pragma omp taskyield
    }
    CHECK(threads >= 2 && swapped && x == 6 && old == 8);
}

static void updates(void)
{
    int data[N];
    struct pair p = {N, data}, s = {3, 0};

    for (int i = 0; i < N; ++i)
        data[i] = i;
#pragma omp target enter data map(mapper(whole), to: p)
#pragma omp target map(present, alloc: p)
    for (int i = 0; i < N; ++i)
        p.data[i] = -i;
#pragma omp target update from(mapper(whole): p)
    CHECK(data[5] == -5);
    data[5] = 7;
#pragma omp target update to(mapper(whole): p)
#pragma omp target map(present, alloc: p) map(tofrom: s)
    s.n += p.data[5];
#pragma omp target exit data map(mapper(whole), release: p)
#pragma omp target defaultmap(tofrom: all)
    s.n += 1;
    CHECK(s.n == 11);
}

static void tasks(int *a)
{
    int minus = 100, and_ = 7, or_ = 1, xor_ = 5, all = 1, any = 0, low = 50, high = -50;

#pragma omp target map(tofrom: minus, and_, or_, xor_, all, any, low, high, a[0:N])
    {
#pragma omp taskgroup task_reduction(-: minus) task_reduction(&: and_) task_reduction(|: or_) \
    task_reduction(^: xor_) task_reduction(&&: all) task_reduction(||: any) task_reduction(min: low) \
    task_reduction(max: high)
        {
            for (int i = 1; i < 4; ++i) {
#pragma omp task in_reduction(-: minus) in_reduction(&: and_) in_reduction(|: or_) in_reduction(^: xor_) \
    in_reduction(&&: all) in_reduction(||: any) in_reduction(min: low) in_reduction(max: high) firstprivate(i)
                {
                    minus -= i;
                    and_ &= 6 | i;
                    or_ |= 2 * i;
                    xor_ ^= i;
                    all = all && i < 3;
                    any = any || i == 2;
                    low = i < low ? i : low;
                    high = i > high ? i : high;
                }
            }
        }
#pragma omp taskloop num_tasks(strict: 4) shared(a)
        for (int i = 0; i < N; ++i)
            a[i] = i;
#pragma omp task affinity(iterator(int k = 0 : 4) : a[k]) shared(a)
        a[0] += 1;
    }
    CHECK(minus == 94 && and_ == 6 && or_ == 7 && xor_ == 5 && !all && any && low == 1 && high == 3 && a[0] == 1);
    printf("%d %d %d %d\n", minus, and_, or_, xor_);
}

static void objects(void)
{
    int value = 1;
#pragma omp target map(tofrom: value)
    {
        omp_depend_t object;
#pragma omp depobj(object) depend(in: value)
#pragma omp depobj(object) update(out)
#pragma omp depobj(object) update(mutexinoutset)
#pragma omp depobj(object) update(inoutset)
#pragma omp depobj(object) update(inout)
#pragma omp task depend(depobj: object) shared(value)
        value = 2;
#pragma omp depobj(object) destroy
    }
#pragma omp target nowait depend(inoutset: value) map(tofrom: value)
    value += 1;
#pragma omp target depend(out: omp_all_memory) map(tofrom: value)
    value += 1;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out: value) shared(value)
        value = next(value);
#pragma omp taskwait depend(in: value) nowait
#pragma omp taskwait
    }
    CHECK(value == 5);
}

int main(void)
{
    int a[N] = {0};

    hints(a);
    CHECK(a[10] == 5 + 1 + 1 + 5 + 10);
    updates();
    tasks(a);
    objects();
#pragma omp target map(tofrom: a)
    {
        if (a[1] > 1000) {
#pragma omp error at(execution) severity(warning) message("never")
        }
    }
    return CHECK_RESULT();
}
