/* Members of structures in map clauses: single members, several, arrays, nested ones, elements of an array. */
#include "check.h"
#include "headers/device.h"

struct inner {
    int a, b;
    double weights[6];
};

struct outer {
    int before;
    int count;
    double total;
    float values[10];
    struct inner in;
    int after;
};

int main(void)
{
    const int host = regions_on_host();
    struct outer s = {.before = 1, .count = 10, .total = 0.5, .in = {.a = 3, .b = 4}, .after = 99};
    struct outer array[5];

    for (int i = 0; i < 10; ++i)
        s.values[i] = (float)i;
    for (int i = 0; i < 6; ++i)
        s.in.weights[i] = i;

#pragma omp target map(tofrom: s.count)
    s.count += 5;
    CHECK(s.count == 15 && s.before == 1);

#pragma omp target map(to: s.count) map(from: s.total)
    s.total = s.count * 2.0;
    CHECK(s.total == 30.0 && s.count == 15);

#pragma omp target map(tofrom: s.values[2:4])
    for (int i = 2; i < 6; ++i)
        s.values[i] += 100.0f;
    CHECK(s.values[1] == 1.0f && s.values[2] == 102.0f && s.values[5] == 105.0f && s.values[6] == 6.0f);

#pragma omp target map(tofrom: s.in.a) map(to: s.in.weights[0:6]) map(to: s.count)
    for (int i = 0; i < 6; ++i)
        s.in.a += (int)s.in.weights[i] * s.count;
    CHECK(s.in.a == 3 + 15 * 15);

#pragma omp target map(to: s.in) map(tofrom: s.after)
    s.after = s.in.b + (int)s.in.weights[5];
    CHECK(s.after == 9);

    for (int i = 0; i < 5; ++i)
        array[i] = s;
#pragma omp target map(tofrom: array[2].total)
    array[2].total = -1;
    CHECK(array[2].total == -1 && array[1].total == 30.0 && array[3].total == 30.0);

#pragma omp target map(tofrom: array[1:3])
    for (int i = 1; i < 4; ++i)
        array[i].count = i;
    CHECK(array[0].count == 15 && array[1].count == 1 && array[3].count == 3 && array[4].count == 15);

    /* In data constructs. */
    s.count = 1;
    s.total = 2;
#pragma omp target data map(to: s.count, s.total) // rex-ignore: stale: what an update leaves out is tested
    {
        s.count = 50;
        s.total = 60;
#pragma omp target update to(s.count)
#pragma omp target map(tofrom: s.count, s.total)
        s.total += s.count;
#pragma omp target update from(s.total)
        CHECK(s.total == (host ? 110 : 52));
        CHECK(s.count == 50);
    }
    return CHECK_RESULT();
}
