/* distribute on a line of its own, inside target teams and inside target with teams. */
#include "check.h"

#define N 300

int main(void)
{
    int a[N], b[N], c[N];
    int n = N;

#pragma omp target teams num_teams(6) map(from: a)
#pragma omp distribute
    for (int i = 0; i < n; ++i)
        a[i] = i + 1;

#pragma omp target teams map(from: b) map(to: a)
#pragma omp distribute parallel for
    for (int i = 0; i < n; ++i)
        b[i] = 2 * a[i];

#pragma omp target map(from: c) map(to: a, b)
#pragma omp teams
    {
#pragma omp distribute parallel for simd
        for (int i = 0; i < n; ++i)
            c[i] = a[i] + b[i];
    }

#pragma omp target map(tofrom: c)
#pragma omp teams num_teams(2)
#pragma omp distribute
    for (int i = 0; i < n; ++i) {
        int scale = 1 + i % 2;
#pragma omp parallel for
        for (int k = 0; k < 1; ++k)
            c[i] *= scale;
    }

    for (int i = 0; i < N; ++i)
        CHECK(a[i] == i + 1 && b[i] == 2 * (i + 1) && c[i] == 3 * (i + 1) * (1 + i % 2));
    return CHECK_RESULT();
}
