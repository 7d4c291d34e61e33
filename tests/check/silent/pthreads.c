/* Threads of POSIX run regions at the same time. Nothing is said of their order, which is not seen. */
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

enum { N = 64, THREADS = 4, TIMES = 30 };
static int failures, total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void must(int holds)
{
    if (!holds) {
#pragma omp atomic
        failures += 1;
    }
}
#define MUST(condition) must(condition)

/* Memory that only one thread knows comes and goes on both sides. */
static void own_memory(int me)
{
    int *a = malloc(N * sizeof(*a)), sum = 0;
    for (int i = 0; i < N; ++i)
        a[i] = me;
#pragma omp target enter data map(to: a[0:N])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        a[i] += i;
#pragma omp target update from(a[0:N / 2])
    MUST(a[3] == me + 3);
    a[5] = 1000;
#pragma omp target update to(a[5:1])
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < N; ++i)
        sum += a[i];
#pragma omp target exit data map(delete: a[0:N])
    MUST(sum == N * me + N * (N - 1) / 2 + 995 - me);
    free(a);
}

/* Memory of the device only. */
static void device_memory(int me)
{
    const int device = omp_get_default_device();
    int *memory = omp_target_alloc(N * sizeof(int), device), back[N];
#pragma omp target teams distribute parallel for is_device_ptr(memory)
    for (int i = 0; i < N; ++i)
        memory[i] = me * i;
    omp_target_memcpy(back, memory, sizeof(back), 0, 0, omp_get_initial_device(), device);
    omp_target_free(memory, device);
    MUST(back[N - 1] == me * (N - 1));
}

static void *all(void *number)
{
    own_memory((int)(size_t)number);
    device_memory((int)(size_t)number);
    pthread_mutex_lock(&lock);
#pragma omp target map(tofrom: total)
    total += 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    for (int k = 0; k < TIMES; ++k) {
        pthread_t threads[THREADS];
        for (size_t t = 0; t < THREADS; ++t)
            pthread_create(&threads[t], NULL, all, (void *)t);
        for (int t = 0; t < THREADS; ++t)
            pthread_join(threads[t], NULL);
    }
#pragma omp parallel num_threads(THREADS)
    all((void *)(size_t)omp_get_thread_num());
    MUST(total == (TIMES + 1) * THREADS);
    return failures != 0;
}
