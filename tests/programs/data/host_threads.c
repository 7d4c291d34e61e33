/* Regions launched from several host threads at once, and from functions that call themselves. */
#include "data.h"

#include <pthread.h>
#include <stdlib.h>

#define N 500
#define THREADS 4

static int shared_table[N];

static long work(int seed, int n)
{
    int *v = malloc((size_t)n * sizeof *v);
    long sum = 0;
#pragma omp target teams distribute parallel for map(from : v[0:n])
    for (int i = 0; i < n; ++i)
        v[i] = seed + i + shared_table[i];
#pragma omp target data map(to : v[0:n])
    {
#pragma omp target teams distribute parallel for reduction(+ : sum)
        for (int i = 0; i < n; ++i)
            sum += v[i];
    }
    ABSENT(v);
    free(v);
    return sum;
}

static void *thread(void *argument)
{
    long *slot = argument;
    for (int round = 0; round < 5; ++round)
        *slot = work((int)*slot, N);
    return NULL;
}

static long descend(int depth, long carry)
{
    int levels[4] = {depth, depth, depth, depth};
    long result = 0;
#pragma omp target data map(tofrom : levels)
    {
        if (depth > 0)
            result = descend(depth - 1, carry + depth);
#pragma omp target map(tofrom : result)
        result += levels[3] + carry;
    }
    ABSENT(levels);
    return result;
}

int main(void)
{
    long slots[THREADS], expected = 7, sums[THREADS] = {0};
    pthread_t threads[THREADS];
    for (int round = 0; round < 5; ++round)
        expected = (long)(int)expected * N + N * (N - 1) / 2;

#pragma omp target enter data map(to : shared_table)
    for (int i = 0; i < THREADS; ++i) {
        slots[i] = 7;
        pthread_create(&threads[i], NULL, thread, &slots[i]);
    }
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], NULL);
        CHECK(slots[i] == expected);
    }
#pragma omp parallel for num_threads(THREADS)
    for (int i = 0; i < THREADS; ++i)
        sums[i] = work(i, N);
    for (int i = 0; i < THREADS; ++i)
        CHECK(sums[i] == (long)i * N + N * (N - 1) / 2);
#pragma omp target exit data map(delete : shared_table)
    ABSENT(shared_table);
    CHECK(descend(4, 0) == 10 + (0 + 4 + 7 + 9 + 10));
    return CHECK_RESULT();
}
