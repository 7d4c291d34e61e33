#include <math.h>

double norm(const double *x, int n)
{
    double sum = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += x[i] * x[i];
    return sqrt(sum / n);
}
