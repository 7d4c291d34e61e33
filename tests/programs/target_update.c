/* target update: whole arrays, sections, scalars, both directions in one directive. */
#include "check.h"
#include "headers/device.h"

#define N 40

static int counter = 1;

int main(void)
{
    const int host = regions_on_host();
    int a[N], b[N], x = 1;

    for (int i = 0; i < N; ++i)
        a[i] = b[i] = i;

#pragma omp target data map(to: a, b, x, counter) // rex-ignore: stale: what an update leaves out is tested
    {
        for (int i = 0; i < N; ++i)
            a[i] = 1000 + i;
        x = 5;
        counter = 10;
#pragma omp target update to(a[10:5], x, counter)

#pragma omp target map(to: a, b, x, counter)
        for (int i = 0; i < N; ++i)
            b[i] = a[i] + x + counter;

#pragma omp target update from(b)
        for (int i = 0; i < N; ++i)
            CHECK(b[i] == (host || (i >= 10 && i < 15) ? 1000 + i : i) + 15);

#pragma omp target map(to: a, b)
        for (int i = 0; i < N; ++i)
            a[i] = b[i] = -i;

        b[39] = 77;
        int low = 3, count = 4;
#pragma omp target update from(a[low:count]) to(b[38:2])
        for (int i = 0; i < N; ++i) {
            const int updated = i >= low && i < low + count;
            CHECK(a[i] == (host || updated ? -i : 1000 + i));
        }

        int last = 0;
#pragma omp target map(to: b) map(from: last)
        last = b[39];
        CHECK(last == 77);

        /* With a false condition nothing is transferred. */
        b[0] = 31;
#pragma omp target update to(b[0:1]) if (x < 0)
#pragma omp target map(to: b) map(from: last)
        last = b[0];
        CHECK(last == (host ? 31 : 0));
    }
    return CHECK_RESULT();
}
