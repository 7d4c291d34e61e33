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

#include "own_data.h"

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
