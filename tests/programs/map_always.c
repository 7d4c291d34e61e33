/* always: transfers also when the data is present already. */
#include "check.h"
#include "headers/device.h"

#define N 32

int main(void)
{
    const int host = regions_on_host();
    int a[N], b[N], x = 1;

    for (int i = 0; i < N; ++i)
        a[i] = b[i] = i;

#pragma omp target data map(to: a, x) map(tofrom: b)
    {
        for (int i = 0; i < N; ++i)
            a[i] = 100 + i; // rex-ignore: stale: the device keeps what it has

        /* Present: without always the device keeps what it has. */
#pragma omp target map(to: a) map(from: b)
        for (int i = 0; i < N; ++i)
            b[i] = a[i];
#pragma omp target update from(b)
        for (int i = 0; i < N; ++i)
            CHECK(b[i] == (host ? 100 + i : i));

#pragma omp target map(always, to: a) map(always, from: b)
        for (int i = 0; i < N; ++i)
            b[i] = a[i] + 1;
        for (int i = 0; i < N; ++i)
            CHECK(b[i] == 101 + i);

        x = 5;
#pragma omp target map(always, tofrom: x)
        x *= 3;
        CHECK(x == 15);
    }
    printf("%d %d\n", b[N - 1], x);
    return CHECK_RESULT();
}
