/* Read once for each unit, however often it is included. */
#pragma once

static inline int once_thrice(int x)
{
    return 3 * x;
}

static inline int once_run(int k)
{
    int r = 0;
#pragma omp target map(tofrom: r)
    r = once_thrice(k);
    return r;
}
