/* defaultmap: other implicit rules for scalars, aggregates and pointers. */
#include "check.h"
#include "headers/device.h"

#define N 20

int main(void)
{
    const int host = regions_on_host();
    int x = 1, a[N], *p = a;
    double sum = 0;
    struct { int first, second; } s = {1, 2};

    for (int i = 0; i < N; ++i)
        a[i] = i;

#pragma omp target defaultmap(tofrom: scalar)
    {
        x += 1;
        sum = x * 2.5;
    }
    CHECK(x == 2 && sum == 5.0);

#pragma omp target defaultmap(firstprivate: aggregate) map(from: sum)
    {
        sum = a[3] + s.second;
        a[3] = 0;
        s.second = 0;
    }
    CHECK(sum == 5.0 && a[3] == 3 && s.second == 2);

#pragma omp target defaultmap(to: aggregate) defaultmap(from: scalar)
    {
        x = a[7] + s.first;
        a[7] = -1;
    }
    CHECK(x == 8 && a[7] == (host ? -1 : 7)); // rex-ignore: lost-result: only the device changes
    a[7] = 7;

#pragma omp target defaultmap(none) map(to: a) map(tofrom: x) firstprivate(s)
    x += a[1] + s.first;
    CHECK(x == 10);

#pragma omp target teams distribute parallel for defaultmap(tofrom: aggregate) defaultmap(default: pointer)
    for (int i = 0; i < N; ++i)
        a[i] *= 2;
    CHECK(a[19] == 38);

    int seen = 0;
#pragma omp target defaultmap(firstprivate: pointer) map(from: seen)
    seen = p != 0;
    CHECK(seen == 1);

#pragma omp target defaultmap(tofrom)
    x = a[2] + s.second;
    CHECK(x == 6);
    return CHECK_RESULT();
}
