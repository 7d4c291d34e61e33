// reference: -fopenmp -foffload=disable -DREFERENCE
/* Copies that begin with the original's value, and of which the last iteration's, or section's, comes back: no copy begins
   with that. */
#include "check.h"

#define N 700

struct pair {
    int index;
    double half;
};

static int wrong, number = 5, row[3] = {5, 5, 5};
static struct pair both = {5, 2.5};

static void of_a_region(int n)
{
    int few = 0, is_last = 0; // whether a thread runs the last iteration, whose values others never see
#pragma omp target parallel for firstprivate(number, both, row, is_last) lastprivate(number, both, row) \
    map(tofrom: number, both, row) reduction(+: wrong)
    for (int i = 0; i < n; i++) {
        wrong += !is_last && (number == n || both.index == n || row[2] == n);
        is_last |= i == n - 1;
        number = both.index = row[2] = i + 1;
        both.half = i / 2.0;
    }
    CHECK(number == n && both.index == n && both.half == (n - 1) / 2.0 && row[1] == 5 && row[2] == n);
#pragma omp target parallel for simd collapse(2) num_threads(6) schedule(static, 3) firstprivate(few) lastprivate(few)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++)
            few = few < 0 ? -1 : i * 4 + j;
#ifndef REFERENCE // there gcc 12 may write the last value before all threads have the first one
    CHECK(few == 4 * n - 1);
#endif
#pragma omp target parallel for firstprivate(few) lastprivate(few) if(parallel: n < 0)
    for (int i = n; i > 3; i--)
        if (i < 6)
            few = 4 * n + 5 - i;
    CHECK(few == 4 * n + 1);
#pragma omp target parallel for firstprivate(few) lastprivate(conditional: few) map(tofrom: few)
    for (int i = 0; i < n; i++)
        if (i == n / 2)
            few = i;
    CHECK(few == n / 2);
}

/* The value to begin with is the device's, where the variable is mapped before. */
static void of_the_device(int n)
{
    int x = 5;
#pragma omp target data map(tofrom: x)
    {
#pragma omp target map(tofrom: x)
        x = 40;
#pragma omp target parallel for firstprivate(x) lastprivate(x) reduction(+: wrong)
        for (int i = 0; i < n; i++) {
            wrong += x < 40;
            x = 40 + i;
        }
    }
    CHECK(x == 40 + n - 1);
}

#pragma omp declare target
static int of_all = 5;

static int shared_by_the_callers(int n)
{
    int early = 0;
#pragma omp for firstprivate(of_all) lastprivate(of_all)
    for (int i = 0; i < n; i++) {
        early += of_all < 5;
        of_all = i + 5;
    }
    return early + (of_all != n + 4);
}
#pragma omp end declare target

static void inside_of_regions(int n)
{
    int x = 5, y = 5, w = 5;
    double z[2] = {5, 5};
#pragma omp target map(tofrom: x, y, z, w, wrong)
    {
#pragma omp parallel for firstprivate(x, z) lastprivate(x, z) reduction(+: wrong)
        for (int i = 0; i < n; i++) {
            wrong += x < 5 || z[1] < 5;
            x = i + 5;
            z[1] = i + 5;
        }
#pragma omp parallel for firstprivate(w) lastprivate(conditional: w)
        for (int i = 0; i < n; i++)
            if (i % 300 == 0)
                w = i;
#pragma omp parallel num_threads(4)
        {
#pragma omp for firstprivate(y) lastprivate(y) reduction(+: wrong)
            for (int i = 0; i < n; i++) {
                wrong += y < 5;
                y = i + 5;
            }
#pragma omp sections firstprivate(y) lastprivate(y)
            {
#pragma omp section
                {
#pragma omp atomic
                    wrong += y != n + 4;
                }
#pragma omp section
                y += 2;
            }
#pragma omp atomic
            wrong += shared_by_the_callers(n);
        }
    }
    CHECK(x == n + 4 && z[0] == 5 && z[1] == n + 4 && y == n + 6 && w == 600);
}

/* What the outer construct begins with and what the inner one brings back are two copies. */
static void of_different_constructs(int n, int *a)
{
    int x = 3;
#pragma omp target firstprivate(x) map(from: a[0:n])
#pragma omp parallel for lastprivate(x)
    for (int i = 0; i < n; i++)
        a[i] = x = i + 1; // rex-ignore: lost-result: the copy is what is asked for
    CHECK(x == 3 && a[n - 1] == n);
}

int main(void)
{
    int a[N];
    of_a_region(N);
    of_the_device(N);
    inside_of_regions(N);
    of_different_constructs(N, a);
    CHECK(wrong == 0);
    return CHECK_RESULT();
}
