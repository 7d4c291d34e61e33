#include "mesh.h"

#ifndef PREFIX
#error "the header that the flags name was not included"
#endif

void weigh(int n, double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = SCALE * WEIGHT;
}
