/* target parallel for and target parallel for simd. */
#include "check.h"

#define N 1000

int main(void)
{
    static int a[N];
    float x[N], y[N];
    int n = N, sum = 0;

    for (int i = 0; i < N; ++i) {
        x[i] = (float)i;
        y[i] = 1.0f;
    }

#pragma omp target parallel for map(from: a)
    for (int i = 0; i < n; ++i)
        a[i] = 3 * i;
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == 3 * i);

#pragma omp target parallel for simd map(to: x) map(tofrom: y)
    for (int i = 0; i < n; ++i)
        y[i] = 2.0f * x[i] + y[i];
    for (int i = 0; i < N; ++i)
        CHECK(y[i] == 2.0f * (float)i + 1.0f);

#pragma omp target parallel for reduction(+: sum) num_threads(64)
    for (int i = 0; i < n; i++)
        sum += a[i] % 7;
    printf("%d %.1f\n", sum, (double)y[N - 1]);

#pragma omp target parallel for simd reduction(+: sum) if (n > 10)
    for (int i = 0; i < n; i++)
        sum += 1;
    printf("%d\n", sum);
    return CHECK_RESULT();
}
