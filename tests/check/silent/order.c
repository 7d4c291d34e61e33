/* Regions that threads of the host launch, each time with another order between those that use the same data. */
#include <omp.h>
#include <stdlib.h>

enum { N = 64, THREADS = 4, TIMES = 2 };

static void add(int *a, int first, int end)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:N])
    for (int i = first; i < end; ++i)
        a[i] += 1;
}

static void barriers(int *a)
{
    const int me = omp_get_thread_num(), next = (me + 1) % THREADS;
    for (int k = 0; k < THREADS; ++k) {
        add(a, me * (N / THREADS), (me + 1) * (N / THREADS));
#pragma omp barrier
        add(a, next * (N / THREADS), (next + 1) * (N / THREADS));
#pragma omp for schedule(static, 1) nowait
        for (int i = 0; i < THREADS; ++i)
            ;
#pragma omp for schedule(static, 1)
        for (int i = 0; i < THREADS; ++i)
            if (k < 0)
                add(a, 0, N);
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < THREADS; ++i)
            add(a, i * (N / THREADS), (i + 1) * (N / THREADS));
#pragma omp single
        add(a, 0, N);
#pragma omp masked
        add(a, 0, N);
#pragma omp barrier
#pragma omp sections
        {
#pragma omp section
            add(a, 0, N / 2);
#pragma omp section
            add(a, N / 2, N);
        }
        add(a, me, me + 1);
#pragma omp barrier
    }
}

static omp_lock_t lock;
static omp_nest_lock_t nested_lock;

static void locks(int *a)
{
#pragma omp critical
    add(a, 0, N);
#pragma omp barrier
#pragma omp critical(other)
    add(a, 0, N);
#pragma omp barrier
    omp_set_lock(&lock);
    add(a, 0, N);
    omp_unset_lock(&lock);
#pragma omp barrier
    while (!omp_test_lock(&lock))
        ;
    add(a, 0, N);
    omp_unset_lock(&lock);
#pragma omp barrier
    omp_set_nest_lock(&nested_lock);
    add(a, 0, N);
    omp_set_nest_lock(&nested_lock);
    add(a, 0, N);
    omp_unset_nest_lock(&nested_lock);
    omp_unset_nest_lock(&nested_lock);
#pragma omp barrier
#pragma omp for ordered
    for (int i = 0; i < THREADS; ++i) {
#pragma omp ordered
        add(a, 0, N);
    }
}

/* A thread waits for another one's sign. */
static int turn, fenced_turn;
static volatile int seen_turn;

static void signs(int *a)
{
    const int me = omp_get_thread_num();
    int now;
    do {
#pragma omp atomic read acquire
        now = turn;
    } while (now != me);
    add(a, 0, N);
#pragma omp atomic write release
    turn = (me + 1) % THREADS;
#pragma omp barrier
    do {
#pragma omp atomic read
        now = fenced_turn;
#pragma omp flush
    } while (now != me);
    add(a, 0, N);
#pragma omp flush
#pragma omp atomic update
    fenced_turn += 1;
#pragma omp barrier
    while (seen_turn != me) {
#pragma omp flush
    }
    add(a, 0, N);
#pragma omp flush
    seen_turn = me + 1;
#pragma omp barrier
#pragma omp single
    turn = fenced_turn = seen_turn = 0;
    int own;
#pragma omp single copyprivate(own)
    {
        add(a, 0, N);
        own = 1;
    }
    add(a, me, me + own);
#pragma omp barrier
}

static void tasks(int *a)
{
#pragma omp single
    {
        for (int k = 0; k < THREADS; ++k) {
#pragma omp task depend(inout: a[0])
            add(a, 0, N);
        }
#pragma omp taskwait
#pragma omp taskgroup
        {
#pragma omp target nowait map(tofrom: a[0:N])
            a[3] += 1;
        }
#pragma omp target nowait map(tofrom: a[0:N]) depend(out: a[0])
        a[3] += 1;
#pragma omp target nowait map(tofrom: a[0:N]) depend(in: a[0])
        a[3] += 1;
    }
#pragma omp taskloop
    for (int k = 0; k < THREADS; ++k) {
#pragma omp critical
        add(a, 0, N);
    }
#pragma omp barrier
}

/* Memory comes to other threads: allocated, on the stack of a thread that ends, of a pool under a lock. */
static int *pool;

static void memory(void)
{
    int *one = calloc(N, sizeof(int));
    add(one, 0, N);
    free(one);
    one = calloc(N, sizeof(int));
    add(one, 0, N);
    free(one);
#pragma omp critical(pool)
    {
        one = pool;
        pool = NULL;
    }
    if (!one)
        one = calloc(N, sizeof(int));
    add(one, 0, N);
#pragma omp critical(pool)
    {
        if (!pool) {
            pool = one;
            one = NULL;
        }
    }
    free(one);
#pragma omp parallel num_threads(2)
    {
        int here[N] = {0};
        add(here, 0, N);
    }
#pragma omp parallel num_threads(2)
    {
        int before[3] = {0}, here[N] = {0};
        add(here, 0, N);
        add(here, before[0], N);
    }
}

/* What is used at the same time, and may be. */
static void together(int *a, int *sums)
{
    const int me = omp_get_thread_num();
    int sum = 0;
#pragma omp target teams distribute parallel for map(to: a[0:N]) reduction(+: sum)
    for (int i = 0; i < N; ++i)
        sum += a[i];
#pragma omp target teams distribute parallel for map(tofrom: sums[0:1])
    for (int i = 0; i < N; ++i) {
#pragma omp atomic
        sums[0] += 1;
    }
#pragma omp target map(from: sums[me + 1 : 1])
    sums[me + 1] = sum;
#pragma omp barrier
}

static void all(int *a, int *sums)
{
#pragma omp parallel num_threads(THREADS)
    for (int k = 0; k < TIMES; ++k) {
        barriers(a);
        locks(a);
        signs(a);
        tasks(a);
        memory();
        together(a, sums);
    }
#pragma omp parallel for num_threads(THREADS) schedule(dynamic)
    for (int k = 0; k < N; ++k)
        add(a, k, k + 1);
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        add(a, 0, N / 2);
#pragma omp section
        add(a, N / 2, N);
    }
}

int main(void)
{
    int a[N] = {0}, sums[THREADS + 1] = {0};
    omp_set_max_active_levels(2);
    omp_init_lock(&lock);
    omp_init_nest_lock(&nested_lock);
    all(a, sums);
#pragma omp target data map(tofrom: a)
    all(a, sums);
    free(pool);
    return a[5] == 0 || sums[0] != 2 * TIMES * THREADS * N;
}
