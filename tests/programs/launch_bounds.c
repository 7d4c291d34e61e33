/* Trip counts that the host reads in structures, arrays and behind pointers, also where the device has other values. */
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define N 4000

struct inputs {
    long lookups;
    int grid[2];
    double scale;
};

static int results[N];

static void clear(void)
{
    memset(results, 0, sizeof results);
}

/* How many of the first elements are set; -1 if any other is. */
static int set(void)
{
    int i = 0, j;
    while (i < N && results[i])
        ++i;
    for (j = i; j < N; ++j)
        if (results[j])
            return -1;
    return i;
}

static int third(int n)
{
    int k = 0;
    while (3 * (k + 1) <= n)
        ++k;
    return k;
}

static void by_value(struct inputs in)
{
    clear();
#pragma omp target teams distribute parallel for map(tofrom: results)
    for (long i = 0; i < in.lookups; ++i)
        results[i] = 1;
    CHECK(set() == in.lookups);
    clear();
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: results) map(to: in)
    for (int i = 0; i < in.grid[0]; ++i)
        for (int j = 0; j < in.grid[1]; ++j)
            results[i * in.grid[1] + j] = 1;
    CHECK(set() == in.grid[0] * in.grid[1]);
    clear();
#pragma omp target teams distribute parallel for map(tofrom: results) firstprivate(in)
    for (int i = third(in.grid[0]); i < third(3 * (int)in.lookups); ++i)
        results[i - third(in.grid[0])] = 1;
    CHECK(set() == in.lookups - third(in.grid[0]));
}

/* The host changes its copy. The device counts as far as its own says. */
static void changed_on_the_host(struct inputs in)
{
    const long before = in.lookups;
    int device = 0;
    clear();
#pragma omp target data map(to: in)
    {
        in.lookups = 7; // rex-ignore: stale: the device keeps what it has
#pragma omp target teams distribute parallel for map(tofrom: results)
        for (long i = 0; i < in.lookups; ++i)
            results[i] = 1;
#pragma omp target map(from: device)
        device = !omp_is_initial_device();
    }
    CHECK(set() == (device ? before : 7));
}

/* A function maps it through its address. */
static void enter(struct inputs *in)
{
#pragma omp target enter data map(to: in[0:1])
}

static void leave(struct inputs *in)
{
#pragma omp target exit data map(delete: in[0:1])
}

static void mapped_by_another_function(long before, long after)
{
    struct inputs in = {before, {1, 1}, 1};
    int device = 0;
    clear();
    enter(&in);
    in.lookups = after; // rex-ignore: stale: the device keeps what it has
#pragma omp target teams distribute parallel for map(tofrom: results)
    for (long i = 0; i < in.lookups; ++i)
        results[i] = 1;
#pragma omp target map(from: device)
    device = !omp_is_initial_device();
    leave(&in);
    CHECK(set() == (device ? before : after));
}

static void behind_a_pointer(struct inputs *in, long after, int k)
{
    const int before = in->grid[k];
    int device = 0;
    clear();
#pragma omp target enter data map(to: in[0:1])
    in->grid[k] = (int)after; // rex-ignore: stale: the device keeps what it has
#pragma omp target teams distribute parallel for map(tofrom: results)
    for (int i = 0; i < in->grid[k]; ++i)
        results[i] = 1;
#pragma omp target map(from: device)
    device = !omp_is_initial_device();
    CHECK(set() == (device ? before : after));
    clear();
#pragma omp target teams distribute parallel for map(tofrom: results) map(to: in[0:1])
    for (int i = 0; i < 3 * in->grid[k] / 3; ++i)
        results[i] = 1;
    CHECK(set() == (device ? before : after));
#pragma omp target exit data map(delete: in[0:1])
}

/* A structure that is mapped with what its pointer leads to. */
static void with_a_member(int before, int after)
{
    struct list {
        int length, *items;
    } list = {before, results}, *l = &list;
    int device = 0;
    clear();
#pragma omp target enter data map(to: l[0:1]) map(to: l->items[0:N])
#pragma omp target map(from: device) map(l[0:1])
    {
        l->length = after;
        device = !omp_is_initial_device();
    }
#pragma omp target teams distribute parallel for map(to: l[0:1]) map(tofrom: l->items[0:N])
    for (int i = 0; i < l->length; ++i)
        l->items[i] = 1;
#pragma omp target exit data map(from: l->items[0:N]) map(release: l[0:1])
    CHECK(set() == after && l->length == (device ? before : after)); // rex-ignore: dropped-result: as is asked
}

/* Memory of the device only, which the host must not read. */
static void behind_a_device_pointer(int count)
{
    int *n = (int *)omp_target_alloc(sizeof *n, omp_get_default_device());
    clear();
#pragma omp target is_device_ptr(n)
    *n = count;
#pragma omp target teams distribute parallel for map(tofrom: results) is_device_ptr(n)
    for (int i = 0; i < *n; ++i)
        results[i] = 1;
    CHECK(set() == count);
    clear();
#pragma omp target teams distribute parallel for map(tofrom: results) firstprivate(n)
    for (int i = 0; i < n[0]; ++i)
        results[i] = 1;
    CHECK(set() == count);
    omp_target_free(n, omp_get_default_device());
}

#pragma omp declare target
static int bound = 5;
#pragma omp end declare target
static int bounds[2] = {11, 13};

static void global(int count)
{
    int device = 0;
    clear();
#pragma omp target map(from: device)
    {
        bound = count;
        device = !omp_is_initial_device();
    }
    if (device)
        bound = 3;
#pragma omp target teams distribute parallel for map(tofrom: results) // rex-ignore: stale: the host's bound counts
    for (int i = 0; i < bound; ++i)
        results[i] = 1;
    CHECK(set() == count);
    clear();
#pragma omp target teams distribute parallel for map(tofrom: results)
    for (int i = bounds[0]; i < bounds[0] * bounds[1]; ++i)
        results[i - bounds[0]] = 1;
    CHECK(set() == 11 * 13 - 11);
}

/* The region changes the bound, and reads it again later. */
static void changed_by_the_region(void)
{
    struct inputs in = {20, {0, 0}, 0};
    clear();
#pragma omp target map(tofrom: results, in)
    in.lookups = 30;
    CHECK(in.lookups == 30);
#pragma omp target teams distribute parallel for map(tofrom: results, in)
    for (long i = 0; i < in.lookups; ++i) {
        results[i] = 1;
        in.grid[0] = 1; // rex-ignore: race: all write the same
    }
    CHECK(set() == 30 && in.grid[0] == 1);
}

int main(void)
{
    struct inputs in = {1000, {20, 30}, 0.5};
    by_value(in);
    changed_on_the_host(in);
    mapped_by_another_function(100, 1);
    mapped_by_another_function(1, 100);
    mapped_by_another_function(3000, 0);
    behind_a_pointer(&in, 1000, 0);
    behind_a_pointer(&in, 2, 1);
    with_a_member(10, 2000);
    with_a_member(2000, 10);
    in.grid[0] = 17;
    behind_a_pointer(&in, 0, 0);
    behind_a_device_pointer(1234);
    global(77);
    changed_by_the_region();
    return CHECK_RESULT();
}
