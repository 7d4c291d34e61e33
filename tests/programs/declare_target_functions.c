/* declare target around functions: definitions, prototypes, functions that call each other, several blocks. */
#include "check.h"

#include <math.h>

#define N 72

#pragma omp declare target
static double square(double x)
{
    return x * x;
}

double length(double x, double y);

enum { LIMIT = 9 };
typedef struct {
    int low, high;
} range;
#pragma omp end declare target

static int outside_of_the_block(int x)
{
    return 3 * x;
}

#pragma omp declare target
double length(double x, double y)
{
    return sqrt(square(x) + square(y));
}

static int inside(range r, int x)
{
    return x >= r.low && x < r.high;
}
#pragma omp end declare target

/* Marked in a block, and used only by the host. */
#pragma omp declare target
int unused_by_regions(int x)
{
    return x + 1;
}
#pragma omp end declare target

int main(void)
{
    double d[N];
    int in[N];
    range r = {10, 10 + LIMIT};

#pragma omp target teams distribute parallel for map(from: d, in)
    for (int i = 0; i < N; ++i) {
        d[i] = length(3.0 * i, 4.0 * i);
        in[i] = inside(r, outside_of_the_block(i));
    }
    for (int i = 0; i < N; ++i) {
        CHECK(d[i] == 5.0 * i);
        CHECK(in[i] == (3 * i >= 10 && 3 * i < 19));
    }
    printf("%.1f %d\n", length(5, 12), unused_by_regions(1));
    return CHECK_RESULT();
}
