/* target data: one mapping around several regions, nested data regions, and host statements between. */
#include "check.h"
#include "headers/device.h"

#include <stdlib.h>

int main(void)
{
    const int host = regions_on_host(), n = 500;
    double *a = (double *)malloc(n * sizeof *a), *b = (double *)malloc(n * sizeof *b), *t = (double *)malloc(n * sizeof *t);
    int calls = 0;

    for (int i = 0; i < n; ++i) {
        a[i] = i;
        b[i] = 2 * i;
        t[i] = -1;
    }

// rex-ignore: stale, lost-result: what does not come back is tested
#pragma omp target data map(tofrom: a[0:n]) map(to: b[0:n]) map(alloc: t[0:n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            t[i] = a[i] + b[i];

        ++calls;
        a[0] = 12345;    /* not seen by the device, and overwritten at the end */

#pragma omp target data map(tofrom: b[0:n])
        {
#pragma omp target teams distribute parallel for
            for (int i = 0; i < n; ++i)
                b[i] = 0; // rex-ignore: lost-result: the outer region keeps it
        }
        /* The outer region still holds b. */
        CHECK(b[5] == (host ? 0 : 10));

#pragma omp target parallel for
        for (int i = 0; i < n; ++i)
            a[i] = t[i] + b[i] + 1;
        ++calls;
    }
    for (int i = 1; i < n; ++i)
        CHECK(a[i] == 3 * i + 1);
    CHECK(a[0] == 1);
    CHECK(t[7] == (host ? 21 : -1));
    CHECK(calls == 2);

    /* With a single statement, and with a loop. */
    int total = 0;
#pragma omp target data map(to: b[0:n])
    for (int round = 0; round < 3; ++round) {
#pragma omp target map(tofrom: total)
        total += round + 1;
    }
    printf("%.1f %d\n", a[n - 1], total);
    free(a);
    free(b);
    free(t);
    return CHECK_RESULT();
}
