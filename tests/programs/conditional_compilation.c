/* #if, #ifdef, #else, #define and #include inside regions. */
#include "check.h"

#define N 20
#define VARIANT 2

int main(void)
{
    int a[N], b = 0, c = 0;

#pragma omp target teams distribute parallel for map(from: a)
    for (int i = 0; i < N; ++i) {
#if VARIANT == 1
        a[i] = i;
#elif VARIANT == 2
        a[i] = 2 * i;
#else
#error no such variant
#endif
#ifdef NOT_DEFINED
        a[i] = -1;
    }
    {
#else
        a[i] += 1;
#endif
    }
    CHECK(a[5] == 11);

#pragma omp target map(from: b)
    {
#define LOCAL_FACTOR 6
        b = LOCAL_FACTOR * 7;
#undef LOCAL_FACTOR
#define LOCAL_FACTOR 2
        b += LOCAL_FACTOR;
    }
    CHECK(b == 44);

#if VARIANT == 2
#pragma omp target map(from: c)
#else
#pragma omp parallel
#endif
    {
        c =
#include "headers/value.inc"
            + 1;
#if 0
        this is not C at all
#endif
    }
    CHECK(c == 41);

#ifdef _OPENMP
#pragma omp target map(tofrom: c)
#endif
    c += 1;
    printf("%d %d %d\n", a[N - 1], b, c);
    return CHECK_RESULT();
}
