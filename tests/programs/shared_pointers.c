/* Pointers from outside that the threads of a region share and change, or reach by their addresses. */
#include <omp.h>
#include "check.h"

#define N 64
#define T 8

struct pair {
    int key;
    int *at;
};

static int twice(int x)
{
    return 2 * x;
}

static int thrice(int x)
{
    return 3 * x;
}
#pragma omp declare target to(twice, thrice)

static void advance(int **p)
{
    ++*p;
}

/* One team: what a thread does to a pointer the others see after a barrier. */
static void in_a_team(int *a, int *listed, int *restrict alone, int *volatile often, const int *read, int n)
{
    int wrong = 0, counted = 0;
#pragma omp target data map(tofrom: a[0:N])
#pragma omp target parallel num_threads(T) map(to: listed[0:N], alone[0:N], often[0:N], read[0:n]) reduction(+: wrong) \
    map(tofrom: counted)
    {
#pragma omp single
        {
            a = a + 5;
            listed += 7;
            alone += 9;
            often = listed + 4;
            read++;
        }
        wrong += *a != 5 || *listed != 7 || *alone != 9 || *often != 11 || *read != 1;
#pragma omp barrier
#pragma omp masked
        advance(&a);
#pragma omp barrier
        wrong += *a != 6;
#pragma omp atomic
        counted += a[1];
    }
    CHECK(wrong == 0);
    CHECK(counted >= 7 && counted % 7 == 0);
    CHECK(*a == 0 && *listed == 0 && *alone == 0 && *often == 0 && *read == 0);
}

static void of_other_types(int n, double (*rows)[n], struct pair *pairs, void *any, int (*how)(int))
{
    int wrong = 0;
#pragma omp target parallel num_threads(T) map(to: rows[0:n], pairs[0:n]) map(tofrom: wrong) firstprivate(any)
    {
#pragma omp single
        {
            rows++;
            pairs += 2;
            how = &thrice;
        }
        any = pairs;
#pragma omp critical
        wrong += rows[0][1] != 11 || pairs->key != 2 || ((struct pair *)any)[1].key != 3 || how(4) != 12;
    }
    CHECK(wrong == 0);
    CHECK(rows[0][1] == 1 && pairs->key == 0 && any == 0 && how(4) == 8);
}

/* All threads of a grid: each takes the next element. */
static void over_a_grid(int *p, struct pair *pairs)
{
    int sum = 0, keys = 0;
#pragma omp target teams distribute parallel for map(to: p[0:N]) map(tofrom: sum)
    for (int i = 0; i < N; ++i) {
        int *mine;
#pragma omp atomic capture
        mine = p++;
#pragma omp atomic
        sum += *mine;
    }
    CHECK(sum == N * (N - 1) / 2 && *p == 0);
#pragma omp target parallel for nowait map(to: pairs[0:N]) map(tofrom: keys)
    for (int i = 0; i < N; ++i) {
#pragma omp critical
        keys += pairs++->key;
    }
#pragma omp taskwait
    CHECK(keys == N * (N - 1) / 2);

    /* Its address is the same for all. */
    int **where[2], same = 0;
#pragma omp target parallel num_threads(T) map(alloc: where) map(to: p[0:N]) map(tofrom: same)
    {
#pragma omp single
        where[0] = &p;
#pragma omp atomic
        same += where[0] == &p && **where[0] == 0;
    }
    CHECK(same >= 1);
}

/* A pointer that leads nowhere, and one into the middle of what is mapped. */
static void elsewhere(int *a)
{
    int *none = 0, *middle = a + 10, wrong = 0;
#pragma omp target data map(tofrom: a[0:N])
#pragma omp target parallel num_threads(T) map(tofrom: wrong)
    {
        if (omp_get_thread_num() == 0 && (none || *middle != 10))
            wrong = 1;
#pragma omp barrier
#pragma omp single
        none = middle++;
#pragma omp critical
        wrong += *none != 10 || *middle != 11;
    }
    CHECK(wrong == 0 && none == 0 && *middle == 10);

    int *device = omp_target_alloc(sizeof *device, omp_get_default_device()), seen = 0;
#pragma omp target is_device_ptr(device)
    *device = 4;
#pragma omp target parallel num_threads(T) is_device_ptr(device) map(tofrom: seen)
    {
#pragma omp single
        device--;
#pragma omp critical
        seen = device[1];
    }
    CHECK(seen == 4);
    omp_target_free(device, omp_get_default_device());
}

/* Restrict pointers in atomic constructs, and arrays of them in clauses. */
static void restricted(int *a)
{
    int *restrict next = a, *restrict several[2] = {a + 1, a + 2}, sum = 0, wrong = 0;
#pragma omp target teams distribute parallel for map(to: a[0:N]) map(tofrom: next) reduction(+: sum)
    for (int i = 0; i < N; ++i) {
        int *restrict before, *restrict after;
#pragma omp atomic capture
        before = next++;
#pragma omp atomic read
        after = next;
        sum += after - before >= 1;
    }
    CHECK(next == a + N && sum == N);
#pragma omp target parallel num_threads(T) firstprivate(several) map(tofrom: wrong)
    {
        several[0]++;
#pragma omp atomic
        wrong += several[1] != several[0];
    }
    CHECK(wrong == 0);
}

int main(void)
{
    int a[N];
    double rows[4][4];
    struct pair pairs[N];
    for (int i = 0; i < N; ++i) {
        a[i] = i;
        pairs[i].key = i;
        rows[i / 4 % 4][i % 4] = 10 * (i / 4 % 4) + i % 4;
    }
    in_a_team(a, a, a, a, a, N);
    of_other_types(4, rows, pairs, 0, twice);
    over_a_grid(a, pairs);
    elsewhere(a);
    restricted(a);
    return CHECK_RESULT();
}
