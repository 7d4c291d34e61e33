/* safelen, simdlen, aligned-free simd loops: combined with target and inside regions. */
#include "check.h"

#define N 256

int main(void)
{
    float a[N], b[N];
    int sum = 0;

    for (int i = 0; i < N; ++i)
        a[i] = b[i] = (float)i;

#pragma omp target teams distribute parallel for simd safelen(8) simdlen(4) map(tofrom: a)
    for (int i = 0; i < N; ++i)
        a[i] = a[i] * 2.0f;

#pragma omp target parallel for simd simdlen(8) map(to: a) map(tofrom: b)
    for (int i = 0; i < N; ++i)
        b[i] += a[i];

    /* A distance of 16 between dependent iterations. */
#pragma omp target map(tofrom: a)
    {
#pragma omp simd safelen(16)
        for (int i = 16; i < N; ++i)
            a[i] = a[i - 16] + 1.0f;
    }
    for (int i = 0; i < N; ++i) {
        CHECK(b[i] == 3.0f * (float)i);
        CHECK(a[i] == 2.0f * (float)(i % 16) + (float)(i / 16));
    }

#pragma omp target map(tofrom: sum, b)
    {
        int last = 0;
#pragma omp simd reduction(+: sum) simdlen(4) lastprivate(last)
        for (int i = 0; i < N; ++i) {
            last = i;
            sum += i;
        }
        sum += last;
#pragma omp parallel for simd
        for (int i = 0; i < N; ++i)
            b[i] -= 1.0f;
#pragma omp parallel
        {
#pragma omp for simd collapse(2)
            for (int i = 0; i < 16; ++i)
                for (int j = 0; j < 16; ++j)
                    b[16 * i + j] += 0.5f;
        }
    }
    CHECK(sum == 32640 + 255 && b[255] == 764.5f && b[0] == -0.5f);
    printf("%d\n", sum);
    return CHECK_RESULT();
}
