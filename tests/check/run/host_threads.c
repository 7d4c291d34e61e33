/* Regions that threads of the host launch, and that nothing orders. Each function has one fault. */
#include <omp.h>
#include <stdlib.h>

enum { N = 64 };
#pragma omp declare target
static int table[N];
#pragma omp end declare target

/* All threads change what they map together. */
static void mapped_around(int *a)
{
#pragma omp target data map(tofrom: a[0:N])
#pragma omp parallel num_threads(4)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        a[i] += i; // rex-expect: race
}

/* Each maps it again, also when another one has unmapped it. */
static void mapped_by_each(int *a)
{
#pragma omp parallel num_threads(4)
    {
#pragma omp target teams distribute parallel for map(tofrom: a[0:N])
        for (int i = 0; i < N; ++i)
            a[i] += i; // rex-expect: race
    }
}

/* One section writes what the other one reads. */
static void sections(int *a, int *sum)
{
#pragma omp target data map(tofrom: a[0:N])
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
#pragma omp target
        for (int i = 0; i < N; ++i)
            a[i] = i;
#pragma omp section
#pragma omp target map(tofrom: sum[0:1])
        for (int i = 0; i < N; ++i)
            sum[0] += a[i]; // rex-expect: race
    }
}

/* The parts of two threads have one element in common. */
static void shifted(int *a)
{
#pragma omp target data map(tofrom: a[0:N])
#pragma omp parallel num_threads(2)
    {
        const int first = omp_get_thread_num() * N / 2, end = first + N / 2 + (first == 0);
#pragma omp target teams distribute parallel for
        for (int i = first; i < end; ++i)
            a[i] = i; // rex-expect: race
    }
}

/* A barrier is missing between what all write and what all read. */
static void no_barrier(int *a, int *b)
{
#pragma omp target data map(tofrom: a[0:N], b[0:N])
#pragma omp parallel num_threads(4)
    {
        const int me = omp_get_thread_num(), next = (me + 1) % 4 * (N / 4);
#pragma omp target teams distribute parallel for
        for (int i = me * (N / 4); i < (me + 1) * (N / 4); ++i)
            a[i] = i;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N / 4; ++i)
            b[me * (N / 4) + i] = a[next + i]; // rex-expect: race
    }
}

/* Two names of critical regions keep nothing apart. */
static void two_names(int *a)
{
#pragma omp target data map(tofrom: a[0:N])
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
#pragma omp critical(one)
        {
#pragma omp target
            a[0] = 1;
        }
#pragma omp section
#pragma omp critical(two)
        {
#pragma omp target
            a[0] = 2; // rex-expect: race
        }
    }
}

/* So do two locks, wherever they are. */
static omp_lock_t locks[2];
static void two_locks(int *a)
{
    omp_init_lock(&locks[0]);
    omp_init_lock(&locks[1]);
#pragma omp parallel num_threads(2)
    {
        omp_lock_t *const mine = &locks[omp_get_thread_num()];
        omp_set_lock(mine);
#pragma omp target map(tofrom: a[0:N])
        a[3] += 1; // rex-expect: race
        omp_unset_lock(mine);
    }
}

/* Tasks of one thread, without `depend`. */
static void tasks(int *a)
{
#pragma omp target data map(tofrom: a[0:N])
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int k = 0; k < 2; ++k) {
#pragma omp task firstprivate(k)
        {
#pragma omp target
            a[k / 2] += 2; // rex-expect: race
        }
    }
}

/* An atomic update here, a plain one there. */
static void one_is_atomic(int *a)
{
#pragma omp target data map(tofrom: a[0:N])
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
#pragma omp target
        {
#pragma omp atomic
            a[0] += 1;
        }
#pragma omp section
#pragma omp target
        a[0] += 1; // rex-expect: race
    }
}

/* What is done in a critical region does not order what is done after it. */
static void behind_critical(int *a)
{
    int counted = 0;
#pragma omp target data map(tofrom: a[0:N])
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        counted += 1;
#pragma omp target
        a[5] += 1; // rex-expect: race
    }
}

/* `nowait` lets a thread go on before the others have written. */
static void loop_without_barrier(int *a, int *b)
{
#pragma omp target data map(tofrom: a[0:N], b[0:N])
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(static, 1) nowait
        for (int k = 0; k < 2; ++k) {
#pragma omp target teams distribute parallel for
            for (int i = k * N / 2; i < (k + 1) * N / 2; ++i)
                a[i] = i;
        }
#pragma omp for schedule(static, 1)
        for (int k = 0; k < 2; ++k) {
#pragma omp target teams distribute parallel for
            for (int i = k * N / 2; i < (k + 1) * N / 2; ++i)
                b[i] = a[N - 1 - i]; // rex-expect: race
        }
    }
}

/* A variable of the device that all threads use. */
static void of_the_device(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp target
        table[5] += 1; // rex-expect: race
    }
}

/* Memory that is only the device's. */
static void device_memory(void)
{
    int *memory = omp_target_alloc(N * sizeof(int), omp_get_default_device());
#pragma omp parallel for num_threads(4) schedule(static, 1)
    for (int k = 0; k < 4; ++k) {
#pragma omp target is_device_ptr(memory)
        memory[k / 2] = k; // rex-expect: race
    }
    omp_target_free(memory, omp_get_default_device());
}

/* Threads of threads. */
static void nested(int *a)
{
#pragma omp target data map(tofrom: a[0:N])
#pragma omp parallel num_threads(2)
    {
        const int k = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        {
#pragma omp target
            a[k] += 1; // rex-expect: race
        }
    }
}

/* A deferred region, which a thread does not wait for before the other one goes on. */
static void deferred(int *a)
{
#pragma omp target data map(tofrom: a[0:N])
#pragma omp parallel num_threads(2)
    {
#pragma omp single nowait
        {
#pragma omp target nowait
            a[1] = 1;
        }
#pragma omp target
        a[1] += 1; // rex-expect: race
    }
}

int main(void)
{
    int a[N] = {0}, b[N] = {0}, sum = 0;
    omp_set_max_active_levels(2);
    mapped_around(a);
    mapped_by_each(a);
    sections(a, &sum);
    shifted(a);
    no_barrier(a, b);
    two_names(a);
    two_locks(a);
    tasks(a);
    one_is_atomic(a);
    behind_critical(a);
    loop_without_barrier(a, b);
    of_the_device();
    device_memory();
    nested(a);
    deferred(a);
    return 0;
}
