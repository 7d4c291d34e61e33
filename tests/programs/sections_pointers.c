/* Array sections of pointers: runtime lower bounds, offsets, elements, const pointees, pointer expressions. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"
#include "headers/device.h"

#include <stdlib.h>

static double *shared_buffer;

static void add(double *p, int from, int count, double value)
{
#pragma omp target teams distribute parallel for map(tofrom: p[from:count])
    for (int i = from; i < from + count; ++i)
        p[i] += value;
}

static double last_of(const double *const restrict p, unsigned n)
{
    double last = 0;
#pragma omp target map(to: p[0:n]) map(from: last)
    last = p[n - 1];
    return last;
}

int main(void)
{
    const int host = regions_on_host();
    const int n = 100;
    double *p = malloc(n * sizeof *p);
    shared_buffer = malloc(n * sizeof *shared_buffer);

    for (int i = 0; i < n; ++i)
        p[i] = shared_buffer[i] = i;

    add(p, 10, 5, 100);
    add(p + 20, 0, 3, 200);
    add(&p[30], 2, 2, 300);
    for (int i = 0; i < n; ++i)
        CHECK(p[i] == i + (i >= 10 && i < 15 ? 100 : i >= 20 && i < 23 ? 200 : i >= 32 && i < 34 ? 300 : 0));
    CHECK(last_of(p, 4) == 3.0);

#pragma omp target map(tofrom: p[3])
    p[3] = -3;
    CHECK(p[3] == -3);

    double *one = &p[50];
#pragma omp target map(tofrom: one[0])
    *one = -50;
    CHECK(p[50] == -50 && p[49] == 49 && p[51] == 51);

#pragma omp target parallel for map(tofrom: shared_buffer[n / 2:n / 4])
    for (int i = 50; i < 75; ++i)
        shared_buffer[i] = -1;
    CHECK(shared_buffer[49] == 49 && shared_buffer[50] == -1 && shared_buffer[74] == -1 && shared_buffer[75] == 75);

    /* A section inside mapped data, reached through another pointer. */
    double *inner = p + 60;
#pragma omp target data map(tofrom: p[40:40])
    {
#pragma omp target
        inner[0] = 1000;
#pragma omp target map(tofrom: inner[1:2])
        inner[1] = inner[2] = 2000;
        CHECK(p[61] == (host ? 2000 : 61)); // rex-ignore: stale: only a part comes back
    }
    CHECK(p[60] == 1000 && p[61] == 2000 && p[62] == 2000 && p[63] == 63);

    /* A pointer that is not mapped keeps its value, a null pointer stays null. */
    double *nothing = NULL;
    int null = 0;
#pragma omp target map(from: null)
    null = nothing == NULL;
    CHECK(null == 1);

#ifndef REFERENCE /* gcc takes names only */
    double **at = &p, table[4][5];
#pragma omp target map(tofrom: *(p + 70))
    p[70] = -70;
#pragma omp target map(tofrom: (p + n / 2 + 21)[1:2]) map(from: *(table + 2))
    for (int i = 0; i < 5; ++i)
        p[72] = p[73] = -70, table[2][i] = i;
#pragma omp target map(tofrom: (p + n / 2)[25])
    p[75] = -75;
#pragma omp target map(tofrom: *(*(at + 0) + (n - 20)))
    (*at)[80] = -80;
    CHECK(p[69] == 69 && p[70] == -70 && p[71] == 71 && p[72] == -70 && p[73] == -70 && p[74] == 74);
    CHECK(p[75] == -75 && p[76] == 76 && p[79] == 79 && p[80] == -80 && p[81] == 81 && table[2][4] == 4);
#endif

    free(p);
    free(shared_buffer);
    return CHECK_RESULT();
}
