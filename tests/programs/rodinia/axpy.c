/* Three kernels of vector arithmetic; one of the functions is called twice. */
#include "../check.h"

#define N 1000

static void scale(double *x, int n, double factor)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = factor * x[i];
}

static void axpy(const double *x, double *y, int n, double a)
{
#pragma omp target parallel for map(to: x[0:n]) map(tofrom: y[0:n])
    for (int i = 0; i < n; i++)
        y[i] += a * x[i];
}

static void add_bias(double *y, int n, double bias)
{
#pragma omp target
#pragma omp teams distribute parallel for
    for (int i = 0; i < n; i++)
        y[i] += bias;
}

int main(void)
{
    static double x[N], y[N];

    for (int i = 0; i < N; ++i) {
        x[i] = i;
        y[i] = 1;
    }
    scale(x, N, 2);
    axpy(x, y, N, 3);
    axpy(x, y, N, -1);
#pragma omp target data map(tofrom: y)
    add_bias(y, N, 10);
    for (int i = 0; i < N; ++i)
        CHECK(y[i] == 4.0 * i + 11);
    printf("%.1f %.1f\n", y[1], y[N - 1]);
    return CHECK_RESULT();
}
