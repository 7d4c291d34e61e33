/* simd as a target construct and below distribute; linear variables; loops that carry dependences within safelen. */
#include "check.h"
#include "headers/device.h"

#define N 200

int main(void)
{
    int a[N], b[N], i, j = 3, k = 10, total = 0;

    for (i = 0; i < N; ++i)
        a[i] = i;
#pragma omp target simd safelen(4)
    for (i = 4; i < N; ++i)
        a[i] = a[i - 4] + 1;
    for (i = 0; i < N; ++i)
        CHECK(a[i] == i % 4 + i / 4);

#pragma omp target simd reduction(+: total) simdlen(8) aligned(a) nontemporal(b) map(tofrom: a, b)
    for (int m = 0; m < N; ++m) {
        b[m] = 2 * m;
        total += m;
    }
    CHECK(total == N * (N - 1) / 2 && b[N - 1] == 2 * N - 2);

#pragma omp target teams distribute simd num_teams(3) map(from: b)
    for (int m = 0; m < N; ++m)
        b[m] = 3 * m;
    for (i = 0; i < N; ++i)
        CHECK(b[i] == 3 * i);

    total = 0;
#pragma omp target teams
#pragma omp distribute simd collapse(2)
    for (int m = 0; m < 20; ++m)
        for (int n = 0; n < 10; ++n)
            b[10 * m + n] = m - n;
    for (i = 0; i < N; ++i)
        CHECK(b[i] == i / 10 - i % 10);

    /* Linear variables. */
#pragma omp target simd linear(j: 2) map(from: b)
    for (int m = 0; m < N; ++m)
        b[m] = j, j += 2;
    for (i = 0; i < N; ++i)
        CHECK(b[i] == 3 + 2 * i);

#pragma omp target parallel for linear(k) map(from: b)
    for (int m = 0; m < N; ++m)
        b[m] = k++;
    for (i = 0; i < N; ++i)
        CHECK(b[i] == 10 + i);

    {
        /* The loop need not change them itself; on the host gcc 12 wants it to. */
        const int host = regions_on_host();
        int step = 4, first = 2;
        short small = 7;
#pragma omp target parallel for simd linear(first: step) linear(small) map(from: b)
        for (int m = N - 1; m >= 0; m--)
            b[m] = first;
        for (i = 0; i < N; ++i)
            CHECK(host || b[i] == 2 + 4 * (N - 1 - i));
        CHECK(host || (first == 2 + 4 * N && small == 7 + N));
    }

#pragma omp target map(from: b)
    {
        int q = 0;
#pragma omp simd linear(q: 3)
        for (int m = 0; m < N; ++m)
            b[m] = q, q += 3;
        b[0] = q;
    }
    CHECK(b[0] == 3 * N && b[1] == 3 && b[N - 1] == 3 * (N - 1));

    /* Loop variables keep their last values beside linear ones, whose iterations one thread runs in order. */
    {
        const int host = regions_on_host();
        int last, after, outer, inner, held = 0, at = 1;
#pragma omp target map(from: last, b) map(tofrom: at)
#pragma omp parallel for lastprivate(last) linear(at: 2)
        for (last = 0; last < N; last += 2)
            b[last] = at;
        CHECK(last >= N && last < N + 2 && b[0] == 1);
#pragma omp target simd map(from: after) map(tofrom: held) linear(at: 3) lastprivate(held)
        for (after = N; after > 0; after -= 5)
            held = after + 0 * at;
        CHECK(after <= 0 && after > -5 && held == after + 5);
#pragma omp target parallel for simd collapse(2) lastprivate(outer, inner) map(from: outer, inner) linear(at: 3)
        for (outer = 0; outer < 5; outer++)
            for (inner = 9; inner > 2; inner -= 3)
                b[3 * outer + inner / 3 - 1] = at;
        CHECK(host || (outer == 5 && inner == 0));
    }

    /* The iteration variables of simd keep their last values, where anybody can see them. */
    long d = -1, e = -1;
#pragma omp target map(from: d, b)
#pragma omp teams distribute parallel for simd
    for (d = 0; d < N; d++)
        b[d] = 1;
    CHECK(d == N);
#pragma omp target map(tofrom: d, e, b)
#pragma omp parallel for simd collapse(2)
    for (d = 0; d < 10; d++)
        for (e = 5; e > 0; e -= 2)
            b[3 * d + (e - 1) / 2] = 2;
    CHECK(d == 10 && e == -1);
#pragma omp target map(from: b)
    {
        int q;
#pragma omp simd
        for (q = 0; q < N; q += 7)
            b[q] = 7;
        b[0] = q;
    }
    CHECK(b[0] >= N && b[0] < N + 7);
    return CHECK_RESULT();
}
