/* Loops whose iterations depend on order: ordered, doacross, scan, lastprivate(conditional:). */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"

#define N 64

int main(void)
{
    int order[N], at = 0, in[N], incl[N], excl[N], x = 0, cond = -1, chain[N] = {1};
    double y = 0.5, sums[N];

    for (int i = 0; i < N; ++i)
        in[i] = i * i % 7;

#pragma omp target parallel for ordered map(from: order) map(tofrom: at)
    for (int i = 0; i < N; ++i) {
        int value = 2 * i;
#pragma omp ordered
        {
            order[at] = value;
            ++at;
        }
    }
    CHECK(at == N);
    for (int i = 0; i < N; ++i)
        CHECK(order[i] == 2 * i);

    at = 0;
#pragma omp target map(from: order) map(tofrom: at)
#pragma omp parallel num_threads(4)
    {
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < N; ++i) {
#pragma omp ordered threads
            order[at++] = i + 1;
        }
        if (at != N)
            order[0] = -1; // rex-ignore: race: no thread does it, as the loop has counted all
    }
    for (int i = 0; i < N; ++i)
        CHECK(order[i] == i + 1);

#pragma omp target parallel for ordered(1) map(tofrom: chain)
    for (int i = 1; i < N; ++i) {
#pragma omp ordered depend(sink: i - 1)
        chain[i] = (chain[i - 1] * 3 + 1) % 1000;
#pragma omp ordered depend(source)
    }
    for (int i = 1; i < N; ++i)
        CHECK(chain[i] == (chain[i - 1] * 3 + 1) % 1000);

#pragma omp target map(tofrom: chain, at)
    {
        at = 0;
#pragma omp parallel for ordered(1)
        for (int i = 1; i < N; ++i) {
#ifdef REFERENCE /* gcc knows the older spelling only */
#pragma omp ordered depend(sink: i - 1)
            chain[i] += chain[i - 1];
#pragma omp ordered depend(source)
#else
#pragma omp ordered doacross(sink: i - 1)
            chain[i] += chain[i - 1];
#pragma omp ordered doacross(source:)
#endif
        }
#pragma omp simd
        for (int i = 0; i < N; ++i) {
#pragma omp ordered simd
            at = at * 3 % 1000 + i;
        }
    }
    int sum = 0, chained = 0, expect_at = 0;
    for (int i = 0, plain = 1; i < N; ++i) {
        sum += plain;
        chained += chain[i] == sum;
        plain = (plain * 3 + 1) % 1000;
        expect_at = expect_at * 3 % 1000 + i;
    }
    CHECK(chained == N && at == expect_at);

#pragma omp target map(tofrom: x) map(to: in) map(from: incl)
#pragma omp parallel for reduction(inscan, +: x)
    for (int i = 0; i < N; ++i) {
        x += in[i];
#pragma omp scan inclusive(x)
        incl[i] = x;
    }
    int expected = 0;
    for (int i = 0; i < N; ++i) {
        expected += in[i];
        CHECK(incl[i] == expected);
    }
    CHECK(x == expected);

    x = 0;
#pragma omp target map(tofrom: x, y) map(to: in) map(from: excl, sums)
#pragma omp parallel
    {
#pragma omp for reduction(inscan, +: x)
        for (int i = 0; i < N; ++i) {
            excl[i] = x;
#pragma omp scan exclusive(x)
            x += in[i];
        }
#pragma omp for simd reduction(inscan, +: y)
        for (int i = 0; i < N; ++i) {
            y += in[i];
#pragma omp scan inclusive(y)
            sums[i] = y;
        }
    }
    expected = 0;
    for (int i = 0; i < N; ++i) {
        CHECK(excl[i] == expected);
        expected += in[i];
        CHECK(sums[i] == expected + 0.5);
    }
    CHECK(x == expected);

#pragma omp target parallel for lastprivate(conditional: cond) map(to: in)
    for (int i = 0; i < N; ++i)
        if (in[i] == 4)
            cond = i;
    int which = 0, other = 0, added = 0, on_host = 0;
#pragma omp target parallel map(tofrom: which, other, added) num_threads(3)
#pragma omp sections lastprivate(conditional: which) lastprivate(other) reduction(+: added) firstprivate(which)
    {
#pragma omp section
        {
            which = 1;
            added += in[4];
        }
#pragma omp section
        if (in[4] > -1000)
            which = 2;
#pragma omp section
        {
            if (in[4] > 1000)
                which = 3;
            other = 3;
            added += 1;
        }
    }
    CHECK(which == 2 && other == 3 && added == in[4] + 1);
#pragma omp parallel sections lastprivate(conditional: on_host) num_threads(3)
    {
#pragma omp section
        on_host = 5;
#pragma omp section
        if (added < 0)
            on_host = 6;
    }
    CHECK(on_host == 5);

    /* The loops' variables stay private on the host. */
    int i = 5, j = 6;
#pragma omp parallel for lastprivate(conditional: on_host) collapse(2) num_threads(3)
    for (i = 0; i < 9; ++i)
        for (j = 0; j < 4; ++j)
            if (i + j == 7)
                on_host = 10 * i + j;
    CHECK(on_host == 70 && i == 5 && j == 6);
    on_host = 0;
#pragma omp parallel for reduction(inscan, +: on_host) num_threads(3)
    for (i = 0; i < 9; ++i) {
        on_host += i;
#pragma omp scan inclusive(on_host)
        incl[i] = on_host;
    }
    CHECK(on_host == 36 && incl[8] == 36 && i == 5);
    int found = -1;
    for (int i = 0; i < N; ++i)
        if (in[i] == 4)
            found = i;
    CHECK(cond == found);
    return CHECK_RESULT();
}
