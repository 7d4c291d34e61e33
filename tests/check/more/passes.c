/* Loops of the host around regions, of which conditions leave out some passes; and what constructs inside of a region bring back. */
#include <stdio.h>

double filled_in_the_first_pass(void)
{
    double x[100], s = 0;
#pragma omp target data map(alloc: x)
    for (int step = 0; step < 5; ++step) {
        if (step != 0) {
#pragma omp target map(tofrom: s)
            for (int i = 0; i < 100; ++i)
                s += x[i]; // rex-expect: unset (likely)
        }
#pragma omp target
        for (int i = 0; i < 100; ++i)
            x[i] = step;
    }
    return s;
}

double filled_once(void)
{
    double x[100], s = 0;
    int ready = 0;
#pragma omp target enter data map(alloc: x)
    for (int step = 0; step < 5; ++step) {
        switch (ready) {
        case 0:
            ready = 1;
#pragma omp target
            for (int i = 0; i < 100; ++i)
                x[i] = i;
            break;
        default:
#pragma omp target map(tofrom: s)
            for (int i = 0; i < 100; ++i)
                s += x[i]; // rex-expect: unset (likely)
        }
    }
#pragma omp target exit data map(release: x)
    return s;
}

double left_out_by_continue(void)
{
    double x[100], s = 0;
#pragma omp target data map(alloc: x)
    for (int step = 0; step < 5; ++step) {
        if (step == 0)
            continue;
#pragma omp target map(tofrom: s)
        s += x[1]; // rex-expect: unset (likely)
#pragma omp target
        x[step] = 1;
    }
    return s;
}

double wrong_in_every_pass(int wanted)
{
    double x[100], s = 0;
#pragma omp target data map(alloc: x)
    for (int step = 0; step < 5; ++step)
        if (wanted) {
#pragma omp target map(tofrom: s)
            for (int i = 0; i < 100; ++i)
                s += x[i]; // rex-expect: unset
        }
    return s;
}

void inner_reduction_without_map(int n, const double *x)
{
    double s = 0;
#pragma omp target map(to: x[0:n])
#pragma omp teams distribute parallel for reduction(+: s)
    for (int i = 0; i < n; ++i)
        s += x[i]; // rex-expect: lost-result
    printf("%g\n", s);
}

void inner_reduction_mapped_to(int n, const double *x)
{
    double s = 0;
#pragma omp target map(to: x[0:n], s)
    {
#pragma omp parallel for reduction(+: s)
        for (int i = 0; i < n; ++i)
            s += x[i]; // rex-expect: lost-result
    }
    printf("%g\n", s);
}

void inner_lastprivate(int n, const double *x)
{
    double s = 0;
#pragma omp target map(to: x[0:n])
#pragma omp parallel for lastprivate(s)
    for (int i = 0; i < n; ++i)
        s = x[i]; // rex-expect: lost-result
    printf("%g\n", s);
}

void inner_results_that_come_back(int n, const double *x)
{
    double s = 0, last = 0;
#pragma omp target map(to: x[0:n]) map(tofrom: s, last)
#pragma omp teams distribute parallel for reduction(+: s) lastprivate(last)
    for (int i = 0; i < n; ++i) {
        double own = x[i];
        s += own;
        last = own;
    }
#pragma omp target map(to: x[0:n]) map(tofrom: s)
    {
        double own = 0;
#pragma omp parallel for reduction(+: own)
        for (int i = 0; i < n; ++i)
            own += x[i];
        s += own;
    }
    printf("%g %g\n", s, last);
}

/* Three buffers that change their roles in each pass: the one that is read has been written two passes before. */
static int drawn(void) { return 3; }

static void newest_two(size_t n, const unsigned char *now, const unsigned char *before, unsigned char *same)
{
#pragma omp target teams distribute parallel for
    for (size_t i = 0; i < n; i++)
        same[i] |= now[i] == before[i]; // rex-expect: unset (likely)
}

void rotated(int passes, size_t n, unsigned char *same, unsigned char *a, unsigned char *b, unsigned char *c)
{
#pragma omp target data map(tofrom: same[0:n]) map(alloc: a[0:n], b[0:n], c[0:n])
    for (int pass = 0; pass < passes; pass++) {
        for (size_t i = 0; i < n; i++)
            a[i] = drawn();
#pragma omp target update to(a[0:n])
        unsigned char *oldest = c;
        c = b;
        b = a;
        a = oldest;
        if (pass >= 2)
            newest_two(n, a, b, same);
    }
}
