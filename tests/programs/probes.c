/* Programs that verify themselves: probes and checks in macros with _Pragma, pragmas in every spelling and at every place
 * where a statement may stand, errors counted by host and device alike. */
#include "check.h"

#include <omp.h>
#include <stdlib.h>

#define N 64
#define TEAMS 4
#define PROBE                                                                                                          \
    int offloaded = 0;                                                                                                 \
    _Pragma("omp target map(from: offloaded)")                                                                         \
    {                                                                                                                  \
        offloaded = !omp_is_initial_device();                                                                          \
    }
#define REPORT(condition, ...)                                                                                         \
    {                                                                                                                  \
        if (condition)                                                                                                 \
            printf("line %d: " #condition "\n", __LINE__, ##__VA_ARGS__);                                              \
    }
#define TEST_AND_SET(errors, condition) {REPORT(condition) errors += (condition); }
#define PRAGMA(text) _Pragma(#text)
#define EACH(n) for (int i = 0; i < n; ++i)
#define ADD(a, b) a[i] += b
#define WHOLE map(tofrom : a[0 : n])
#define ON_TEAMS(clauses) PRAGMA(omp target teams distribute parallel for clauses)

_Pragma("omp declare target") static int scaled(int x)
{
    return x * TEAMS;
}
_Pragma("omp end declare target")

static void spellings(int *a, int n, int *errors)
{
#pragma omp target teams distribute /* here */ parallel for \
    map(tofrom: a[0:n]) \
    num_teams(TEAMS) // and there
    for (int i = 0; i < n; i++)
        a[i]++;
    ON_TEAMS(map(tofrom : a[0:n])) EACH(n) ADD(a, 1);
    PRAGMA(omp target map(a[0:n]))
    EACH(n) { ADD(a, 1); }
    #	pragma	omp	target	WHOLE
    EACH(n) ADD(a, 1);
#pragma omp target map(tofrom: a[0:n], errors[0:1]) if (n > 0)
    {
#ifdef N
        for (int i = 0; i < n; i++)
            a[i] += 1;
#else
        a[0] = -1;
#endif
        /* } */ TEST_AND_SET(*errors, a[0] != 5 || a[n - 1] != 5)
        // "unbalanced {
    }
}

static int offload_probe(void)
{
    PROBE;
    return offloaded;
}

int main(void)
{
    int errors = 0, *a = (int *)calloc(N, sizeof *a);

    PROBE
    TEST_AND_SET(errors, offload_probe() != offloaded);
    spellings(a, N, &errors);
    EACH(N) TEST_AND_SET(errors, (a[i] != 5));

    if (N > 0)
#pragma omp target map(tofrom: a[0:N])
        a[0] = scaled(2);
    else
        a[0] = 0;
    switch (a[0]) {
    case 8:
#pragma omp target map(tofrom: a[0:N])
    {
        a[1] = 1;
    } break;
    default:
        errors++;
    }
again:
#pragma omp target map(tofrom: a[0:N])
{
    a[2]++;
}
    if (a[2] < 8)
        goto again;
    do {
#pragma omp target teams distribute parallel for map(tofrom: a[3:10])
        for (int i = 3; i < 13; i++) {
            if (i == 5)
                continue;
            a[i] += 1;
        }
    } while (a[3] < 7);
    TEST_AND_SET(errors, a[0] != 8 || a[1] != 1 || a[2] != 8);
    TEST_AND_SET(errors, a[3] != 7 || a[5] != 5 || a[12] != 7);
    free(a);
    CHECK(errors == 0);
    return CHECK_RESULT();
}
