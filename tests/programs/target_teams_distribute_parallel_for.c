/* target teams distribute parallel for, and its simd form. */
#include "check.h"

#define N 4099

int main(void)
{
    static double x[N], y[N], z[N];
    static int visits[N];
    double factor = 0.25, sum = 0.0;
    int n = N;

    for (int i = 0; i < N; ++i) {
        x[i] = i;
        y[i] = N - i;
    }

#pragma omp target teams distribute parallel for map(to: x, y) map(from: z) map(tofrom: visits)
    for (int i = 0; i < n; ++i) {
        z[i] = factor * x[i] + y[i];
        visits[i]++;
    }
    for (int i = 0; i < N; ++i) {
        CHECK(z[i] == 0.25 * i + (N - i));
        CHECK(visits[i] == 1);
    }

#pragma omp target teams distribute parallel for simd map(tofrom: z[0:n]) map(to: x[0:n])
    for (int i = 0; i < n; ++i)
        z[i] -= factor * x[i];
    for (int i = 0; i < N; ++i)
        CHECK(z[i] == N - i);

#pragma omp target teams distribute parallel for reduction(+: sum) num_teams(3) thread_limit(32)
    for (int i = 0; i < n; ++i)
        sum += z[i];
    printf("%.1f\n", sum);

#pragma omp target teams distribute parallel for simd reduction(+: sum) simdlen(4)
    for (int i = n - 1; i >= 0; --i)
        sum -= z[i];
    printf("%.1f\n", sum);
    return CHECK_RESULT();
}
