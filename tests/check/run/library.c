/* What functions of the C library read and write, on the device and on the host. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct inner {
    int a, b[40];
};
static int seen;

static void blocks_on_device(void)
{
    struct inner a[4] = {0}, b[4] = {0}, c[4] = {0}, d[4] = {0};
#pragma omp target map(tofrom: a)
    memset(&a[0], 1, sizeof a[0]);
    seen += a[0].b[3];
#pragma omp target map(to: a)
    memset(&a[1], 1, sizeof a[1]);
    seen += a[1].b[3]; // rex-expect: dropped-result
#pragma omp target map(to: a) map(to: b)
    memcpy(&b[1], &a[2], sizeof a[1]);
    seen += b[1].b[3]; // rex-expect: dropped-result
#pragma omp target map(to: a) map(alloc: c)
    {
        memset(&c[1], 0, sizeof c[1]);
        memmove(&a[2], &c[1], sizeof a[1]);
        memmove(&a[2], &c[2], sizeof a[1]); // rex-expect: uninitialised-read
    }
#pragma omp target map(tofrom: d[0:2])
    {
        memset(&d[0], 0, 2 * sizeof d[0]);
        memset(&d[0], 0, 3 * sizeof d[0]); // rex-expect: outside-section
    }
#pragma omp target teams distribute parallel for map(tofrom: d)
    for (int i = 0; i < 4; ++i)
        memset(&d[i], i, sizeof d[i]);
#pragma omp target teams distribute parallel for map(tofrom: d)
    for (int i = 0; i < 4; ++i)
        memset(&d[0], i, sizeof d[0]); // rex-expect: race
}

static void memory_of_threads(int n)
{
    int e[4] = {0};
#pragma omp target map(tofrom: e)
    {
        int *p = (int *)malloc(n * sizeof *p);
        memset(p, 0, n * sizeof *p);
        memcpy(e, p, sizeof e);
        free(p);
    }
#pragma omp target parallel num_threads(4) map(tofrom: e)
    {
        char own[8];
        memset(own, 1, sizeof own);
#pragma omp for
        for (int i = 0; i < 4; ++i)
            e[i] = own[i];
    }
    seen += e[3];
}

static void strings_on_device(void)
{
    char s[64] = "abc", t[64] = "", u[64] = "";
    int n = 0;
#pragma omp target map(to: s) map(tofrom: t[0:4], n)
    {
        strcpy(t, s);
        n = strcmp(s, t) + (int)strlen(t);
    }
    seen += n + strlen(t);
#pragma omp target map(to: s) map(tofrom: t[0:3])
    strcpy(t, s); // rex-expect: outside-section
#pragma omp target map(to: s) map(alloc: u) map(from: n)
    n = strcmp(s, u); // rex-expect: uninitialised-read
#pragma omp target map(to: s)
    strncpy(s, "xyz", 4);
    puts(s); // rex-expect: dropped-result
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void on_host(void)
{
    int a[64], b[64], c[64], d[64];
    char s[64], t[64] = "abc";
    for (int i = 0; i < 64; ++i)
        a[i] = b[i] = c[i] = d[i] = 64 - i;
#pragma omp target data map(tofrom: a, b, c, d) map(to: t)
    {
#pragma omp target
        a[3] = b[3] = 1;
#pragma omp target update from(b)
        seen += memcmp(b, c, sizeof c);
        seen += memcmp(a, c, sizeof c); // rex-expect: stale-read-on-host
        qsort(c, 64, sizeof *c, compare);
#pragma omp target
        b[4] = c[0]; // rex-expect: stale-read-on-device
        memset(d, 0, sizeof d);
#pragma omp target update to(d)
#pragma omp target
        b[5] = d[0];
        strcpy(t, "other");
#pragma omp target
        b[6] = t[0]; // rex-expect: stale-read-on-device
        snprintf(t, sizeof t, "%d", 17);
#pragma omp target update to(t)
#pragma omp target
        b[6] = t[0];
    }
    memcpy(s, t, sizeof s);
    seen += s[0] + b[5];
}

int main(void)
{
    blocks_on_device();
    memory_of_threads(64);
    strings_on_device();
    on_host();
    printf("%d\n", seen);
    return 0;
}
