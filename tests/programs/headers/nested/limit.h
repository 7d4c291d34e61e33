#ifndef LIMIT_H
#define LIMIT_H

#define UPPER_LIMIT 30

/* Called from regions, and holds one itself below. */
static inline int limit(int x)
{
    return x > UPPER_LIMIT ? UPPER_LIMIT : x;
}

static inline void limit_all(int *values, int n)
{
#pragma omp target parallel for map(tofrom: values[0:n])
    for (int i = 0; i < n; ++i)
        values[i] = limit(values[i]);
}

#endif
