/* Regions and clauses that come from macros: _Pragma, whole regions, bounds, bodies, names. */
#include "check.h"

#define N 50
#define STR(x) #x
#define OMP(directive) _Pragma(STR(omp directive))
#define OFFLOAD_LOOP _Pragma("omp target teams distribute parallel for")
#define FOR(i, n) for (int i = 0; i < (n); ++i)
#define MAPPED a[0:N]
#define SIZE (N / 2)
#define TEAMS 4
#define ADD_ALL(array, value)                                                \
    do {                                                                     \
        _Pragma("omp target teams distribute parallel for map(tofrom: a)")   \
        for (int i = 0; i < N; ++i)                                          \
            array[i] += value;                                               \
    } while (0)
#define DEFINE_SCALE(name, type)                                             \
    static void name(type *p, int n, type factor)                            \
    {                                                                        \
        OMP(target teams distribute parallel for map(tofrom: p[0:n]))        \
        FOR(i, n)                                                            \
            p[i] *= factor;                                                  \
    }

DEFINE_SCALE(scale_int, int)
DEFINE_SCALE(scale_double, double)

#ifdef _OPENMP
#define HAVE_OPENMP 1
#else
#define HAVE_OPENMP 0
#endif

int main(void)
{
    int a[N];
    double d[N];

    OFFLOAD_LOOP
    FOR(i, N)
        a[i] = i;
    for (int i = 0; i < N; ++i)
        d[i] = a[i];

#pragma omp target map(tofrom: MAPPED) firstprivate(d)
    {
        FOR(k, SIZE) {
            a[k] += (int)d[k];
        }
    }
    CHECK(a[SIZE - 1] == 2 * (SIZE - 1) && a[SIZE] == SIZE);

#pragma omp target teams distribute parallel for num_teams(TEAMS) map(tofrom: a[SIZE:N - SIZE])
    for (int i = SIZE; i < N; ++i)
        a[i] *= 2;

    OMP(target parallel for map(tofrom: a))
    for (int i = 0; i < N; ++i)
        a[i] += 1;
    ADD_ALL(a, 10);
    ADD_ALL(a, a[i] % 2);
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == 2 * i + 12);

    scale_int(a, N, -1);
    scale_double(d + 1, 3, 0.5);
    CHECK(a[4] == -20 && d[0] == 0 && d[1] == 0.5 && d[3] == 1.5 && d[4] == 4);

    int sum = 0;
    OMP(target map(tofrom: sum))
    {
        OMP(parallel for reduction(+: sum))
        FOR(i, N)
            sum += a[i];
    }
    printf("%d %d\n", sum, HAVE_OPENMP);
    return CHECK_RESULT();
}
