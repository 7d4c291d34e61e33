#ifndef COUNTING_H
#define COUNTING_H

#include "nested/limit.h"

static inline int count_multiples(const int *values, int n, int factor)
{
    int count = 0;
#pragma omp target teams distribute parallel for map(to: values[0:n]) reduction(+: count)
    for (int i = 0; i < n; ++i)
        count += limit(values[i]) % factor == 0;
    return count;
}

#endif
