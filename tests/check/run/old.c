/* Values that the other side has changed since, and results that get lost. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 32 };
static int a[N], b[N], c[N], seen, flag;
static double d[N];
static int grid[4][N];

struct pair {
    int first;
    double second;
};

/* ---- the device reads what the host has changed since ---- */

static void host_writes(struct pair *p, int *heap)
{
#pragma omp target data map(to: a, b, c, d, grid, flag, p[0:N], heap[0:N])
    {
        for (int i = 0; i < N; ++i)
            a[i] = -i;
#pragma omp target teams distribute parallel for reduction(+: seen)
        for (int i = 0; i < N; ++i)
            seen += a[i]; // rex-expect: stale-read-on-device
#pragma omp target update to(a)
#pragma omp target teams distribute parallel for reduction(+: seen)
        for (int i = 0; i < N; ++i)
            seen += a[i];

        memset(b, 1, sizeof(b));
#pragma omp target map(tofrom: seen)
        seen += b[5]; // rex-expect: stale-read-on-device
#pragma omp target update to(b[0:8])
#pragma omp target map(tofrom: seen)
        seen += b[5];
#pragma omp target map(tofrom: seen)
        seen += b[8]; // rex-expect: stale-read-on-device

        d[1] += 1;
#pragma omp target map(tofrom: seen)
        seen += d[1] > 0; // rex-expect: stale-read-on-device
#pragma omp target update to(d[1:1])
#pragma omp target map(tofrom: seen)
        seen += d[1] > 0;

        grid[2][3] = 1;
#pragma omp target teams distribute parallel for collapse(2) reduction(+: seen)
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < N; ++j)
                seen += grid[i][j]; // rex-expect: stale-read-on-device
#pragma omp target update to(grid[2:1])
#pragma omp target teams distribute parallel for collapse(2) reduction(+: seen)
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < N; ++j)
                seen += grid[i][j];

        flag = 1;
#pragma omp target map(tofrom: seen) map(to: flag)
        if (flag) // rex-expect: stale-read-on-device
            seen += 1;
#pragma omp target update to(flag)
#pragma omp target map(tofrom: seen) map(to: flag)
        if (flag)
            seen += 1;

        p[3].second = 2;
#pragma omp target map(tofrom: seen)
        seen += p[3].second > 0; // rex-expect: stale-read-on-device
#pragma omp target map(tofrom: seen)
        seen += p[3].first;

        heap[6] = 6;
#pragma omp target map(to: heap[0:N]) map(tofrom: seen) /* it is mapped already, so nothing is copied */
        seen += heap[6]; // rex-expect: stale-read-on-device
#pragma omp target map(always, to: heap[0:N]) map(tofrom: seen)
        seen += heap[6];

#pragma omp parallel for
        for (int i = 0; i < N; ++i)
            c[i] = i;
#pragma omp target teams distribute parallel for reduction(+: seen)
        for (int i = 0; i < N; ++i)
            seen += c[i]; // rex-expect: stale-read-on-device
    }
}

static void set(int *p)
{
    *p = 7;
}

static int input(int *p)
{
    return sscanf("12", "%d", p);
}

static void in_other_functions(void)
{
#pragma omp target enter data map(to: a, b)
    set(&a[3]);
#pragma omp target map(tofrom: seen)
    seen += a[3]; // rex-expect: stale-read-on-device
    set(&a[4]);
#pragma omp target
    a[4] += 1; // rex-expect: stale-read-on-device
    set(&a[5]);
#pragma omp target
    a[5] = 1; /* it is written first */
    for (int k = 0; k < 2; ++k) {
        b[k] = k;
#pragma omp target map(tofrom: seen)
        seen += b[0]; // rex-expect: stale-read-on-device
    }
    set(&a[6]);
#pragma omp target
    {
#pragma omp atomic // rex-expect: stale-read-on-device
        a[6] += 1;
    }
    memcpy(&a[8], &c[8], 4 * sizeof(int));
#pragma omp target map(from: seen)
    seen = a[9]; // rex-expect: stale-read-on-device
    memmove(&a[12], &c[12], 4 * sizeof(int));
#pragma omp target parallel num_threads(2) map(from: seen)
#pragma omp single
    seen = a[13]; // rex-expect: stale-read-on-device
    seen += input(&c[0]);
#pragma omp target exit data map(release: a, b)
}

/* A region's own copy of a scalar, although the scalar is mapped around the region. */
static int own_copy(void)
{
    int found = 0, other = 0;
#pragma omp target data map(tofrom: found, other)
    {
#pragma omp target
        found = 1;
        seen += found; // rex-expect: dropped-result
#pragma omp target map(tofrom: other)
        other = 1;
    }
    return other;
}

static int own_copy_until_the_end(void)
{
    int count = 0, other = 0;
#pragma omp target data map(tofrom: count, other)
#pragma omp target teams distribute parallel for map(tofrom: other)
    for (int i = 0; i < N; ++i) {
#pragma omp atomic
        count += 1;
#pragma omp atomic
        other += 1;
    }
    return other + count; // rex-expect: dropped-result
}

static int own_copy_and_written(void)
{
    double last = 1;
#pragma omp target enter data map(to: last)
#pragma omp target
    last = 2;
    last = 3; /* that is another value */
#pragma omp target map(tofrom: seen)
    seen += last > 0;
#pragma omp target exit data map(release: last)
    return last > 0;
}

static int only_to(int *heap)
{
#pragma omp target data map(to: heap[0:N])
    {
#pragma omp target
        heap[1] = heap[2] = 11;
#pragma omp target update from(heap[2:1])
    }
    return heap[2] + heap[1]; // rex-expect: dropped-result
}

static double released(void)
{
    double x[N] = {0}, y[N] = {0};
#pragma omp target enter data map(to: x, y)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        x[i] = y[i] = i;
#pragma omp target exit data map(release: x) map(from: y)
    return y[1] + x[1]; // rex-expect: dropped-result
}

/* ---- the host reads what the device has changed since ---- */

static int value(const int *p)
{
    return *p; // rex-expect: stale-read-on-host
}

static void device_writes(struct pair *p, int *heap)
{
    int own[N];
#pragma omp target enter data map(to: a, b, c, d, grid, flag, p[0:N], heap[0:N])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i) {
        a[i] = b[i] = c[i] = i;
        d[i] = heap[i] = i;
        p[i].first = 3;
    }
#pragma omp target map(tofrom: flag)
    {
        grid[1][1] = 1;
        flag = 3;
    }
    for (int i = 0; i < N; ++i)
        seen += a[i]; // rex-expect: stale-read-on-host
#pragma omp target update from(a)
    for (int i = 0; i < N; ++i)
        seen += a[i];
    seen += value(&b[2]);
    memcpy(own, c, sizeof(own)); // rex-expect: stale-read-on-host
    seen += d[4] > 0; // rex-expect: stale-read-on-host
    seen += grid[1][1]; // rex-expect: stale-read-on-host
    seen += grid[1][2];
    if (flag == 3) // rex-expect: stale-read-on-host
        seen += 1;
    seen += p[4].second > 0;
    seen += p[4].first; // rex-expect: stale-read-on-host
    b[7] += 1; // rex-expect: stale-read-on-host
    heap[7] = 1; /* it is written only */
#pragma omp parallel for reduction(+: seen)
    for (int i = 8; i < N; ++i)
        seen += heap[i]; // rex-expect: stale-read-on-host
#pragma omp target update from(heap[8:N - 8])
#pragma omp parallel for reduction(+: seen)
    for (int i = 8; i < N; ++i)
        seen += heap[i];
#pragma omp target update from(d[0:8])
    seen += d[7] > 0;
    seen += d[8] > 0; // rex-expect: stale-read-on-host
#pragma omp target exit data map(from: a, b, c, d, grid, flag, p[0:N]) map(release: heap[0:N])
    seen += b[3] + c[3] + (d[9] > 0) + grid[1][1] + flag + p[5].first;
}

static int wait_for_it(void)
{
    int done = 0;
#pragma omp target data map(tofrom: done)
    {
        for (int k = 0; k < 3 && !done; ++k) { // rex-expect: stale-read-on-host
#pragma omp target map(tofrom: done)
            done = 1;
        }
    }
    done = 0;
#pragma omp target data map(tofrom: done)
    for (int k = 0; k < 3 && !done; ++k) {
#pragma omp target map(tofrom: done)
        done = 1;
#pragma omp target update from(done)
    }
    return done;
}

static void by_other_means(void)
{
    const int host = omp_get_initial_device(), device = omp_get_default_device();
    int *p;
#pragma omp target data map(tofrom: a, b)
    {
#pragma omp target data use_device_ptr(a)
        p = a;
#pragma omp target is_device_ptr(p)
        p[5] = 50;
        seen += a[5]; // rex-expect: stale-read-on-host
#pragma omp target is_device_ptr(p)
        p[6] = 60;
        omp_target_memcpy(&a[6], &p[6], sizeof(int), 0, 0, host, device);
        seen += a[6];
#pragma omp target
#pragma omp atomic
        b[1] += 1;
        printf("%d\n", b[1] >= 0); // rex-expect: stale-read-on-host
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            b[i] = i;
        qsort(b, 1, sizeof(int), NULL); // rex-expect: stale-read-on-host
        seen += b[2] > b[3]; // rex-expect: stale-read-on-host
    }
}

/* ---- what the host has written, an older value of the device replaces ---- */

static void overwritten(struct pair *p, int *heap)
{
#pragma omp target data map(tofrom: a, b, d, p[0:N], heap[0:N])
    {
#pragma omp target
        {
            a[0] = b[0] = heap[0] = 1;
            d[0] = p[0].first = 1;
        }
        for (int i = 1; i < N; ++i)
            a[i] = 2 * i + 1;
        memset(&b[4], 7, 4 * sizeof(int));
        d[3] += 3;
        p[2].second = 4;
        p[3].first += 1;
        set(&heap[4]);
        heap[5] = 5;
#pragma omp target update to(heap[5:1])
    }
    for (int i = 0; i < N; ++i)
        seen += a[i]; // rex-expect: lost-host-write
    seen += b[5]; // rex-expect: lost-host-write
    seen += d[3] > 0; // rex-expect: lost-host-write
    seen += p[2].second > 0; // rex-expect: lost-host-write
    seen += p[3].first; // rex-expect: lost-host-write
    seen += heap[4]; // rex-expect: lost-host-write
    seen += heap[5] + a[0];
}

static void replaced_by_update(void)
{
#pragma omp target enter data map(to: a, b, c, flag, grid, d)
#pragma omp target
    a[0] = b[0] = c[0] = grid[0][0] = 1;
    a[9] = 91;
#pragma omp target update from(a)
    seen += a[9]; // rex-expect: lost-host-write
    b[9] = 91;
#pragma omp target update from(b[9:1])
    seen += b[9]; // rex-expect: lost-host-write
    b[10] = 91;
#pragma omp target update from(b[0:10])
    seen += b[10];
    flag = 77;
#pragma omp target update from(flag)
    if (flag) // rex-expect: lost-host-write
        seen += 1;
    grid[3][1] = 78;
#pragma omp target update from(grid[2:2])
    seen += grid[3][1]; // rex-expect: lost-host-write
    for (int k = 0; k < 2; ++k) {
        c[k + 3] = 100 + k;
#pragma omp target update from(c[k + 3:1])
        seen += c[k + 3]; // rex-expect: lost-host-write
    }
    d[20] = 0.25;
#pragma omp target exit data map(from: d, c)
    seen += d[20] > 0; // rex-expect: lost-host-write
    memcpy(c, a, sizeof(c));
#pragma omp target exit data map(release: a, b, flag, grid)
    seen += c[1];
}

static void always(void)
{
#pragma omp target enter data map(to: a, b)
    a[11] = 110;
#pragma omp target map(always, from: a)
    a[0] = 3;
    seen += a[11]; // rex-expect: lost-host-write
    b[11] = 110;
#pragma omp target map(from: b) /* it stays mapped, so nothing is copied back */
    b[0] = 3;
    seen += b[11];
#pragma omp target exit data map(delete: a, b)
}

/* Copies in the wrong direction: the host's old values take the place of the device's new ones. */
static void updated_the_wrong_way(void)
{
#pragma omp target data map(tofrom: a, b)
    {
#pragma omp target
        a[3] = b[3] = 33;
#pragma omp target update to(a)
#pragma omp target update from(b)
        seen += a[3]; // rex-expect: stale-read-on-host
        seen += b[3];
#pragma omp target
        b[5] = 55;
#pragma omp target update to(b)
#pragma omp target
        b[6] = b[5];
    }
}

static void by_a_thread(void)
{
#pragma omp target data map(tofrom: a, b)
    {
#pragma omp target
        a[0] = b[0] = 9;
#pragma omp parallel for
        for (int i = 1; i < N; ++i)
            a[i] = 3 * i + 1;
        b[4] = 44;
#pragma omp target
        b[4] = 45; /* the later one is the device's */
    }
    seen += a[N - 1]; // rex-expect: lost-host-write
    seen += b[4];
}

int main(void)
{
    int *heap = calloc(N, sizeof(int));
    struct pair *p = calloc(N, sizeof(*p));
    host_writes(p, heap);
    in_other_functions();
    seen += only_to(heap) + (released() > 0) + own_copy() + own_copy_until_the_end() + own_copy_and_written();
    device_writes(p, heap);
    seen += wait_for_it();
    by_other_means();
    overwritten(p, heap);
    replaced_by_update();
    always();
    updated_the_wrong_way();
    by_a_thread();
    printf("%d\n", seen != 0);
    free(heap);
    free(p);
    return 0;
}
