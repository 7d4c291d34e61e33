/* lastprivate: the value of the sequentially last iteration comes back. */
#include "check.h"

#define N 333

int main(void)
{
    int last = -1, i, a[N];
    double square = 0;
    struct { int index; float half; } record = {0, 0};
    int n = N;

    for (i = 0; i < N; ++i)
        a[i] = 2 * i;

#pragma omp target teams distribute parallel for lastprivate(last, square) map(tofrom: last, square)
    for (int k = 0; k < n; ++k) {
        last = a[k];
        square = (double)k * k;
    }
    CHECK(last == 664 && square == 332.0 * 332.0);

#pragma omp target parallel for lastprivate(record) map(tofrom: record) schedule(static, 7)
    for (int k = n - 1; k >= 3; --k) {
        record.index = k;
        record.half = (float)k / 2;
    }
    CHECK(record.index == 3 && record.half == 1.5f);

#pragma omp target teams distribute lastprivate(last) map(tofrom: last)
    for (int k = 0; k < n; k += 10)
        last = k;
    CHECK(last == 330);

#pragma omp target teams distribute parallel for collapse(2) lastprivate(last) map(tofrom: last)
    for (int j = 0; j < 5; ++j)
        for (int k = 0; k < 9; ++k)
            last = 100 * j + k;
    CHECK(last == 408);

    /* Together with firstprivate. */
    int carried = 17;
#pragma omp target parallel for firstprivate(carried) lastprivate(carried) map(tofrom: carried)
    for (int k = 0; k < 50; ++k)
        if (k == 49)
            carried = k + 1;
    CHECK(carried == 50);

    /* In a loop inside a region. */
    int inner = 0, outer = 0;
#pragma omp target map(tofrom: inner, outer)
    {
#pragma omp parallel for lastprivate(inner)
        for (int k = 0; k < 20; ++k)
            inner = 3 * k;
#pragma omp parallel num_threads(4)
        {
#pragma omp for lastprivate(outer)
            for (int k = 0; k < 30; ++k)
                outer = k + inner;
        }
    }
    CHECK(inner == 57 && outer == 86);
    printf("%d %.0f %d\n", last, square, inner);
    return CHECK_RESULT();
}
