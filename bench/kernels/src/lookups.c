/* Monte Carlo: random energies, a binary search in a table, and interpolation in those of a material; the inputs come in a structure by value */
#include "bench.h"
#define POINTS (1 << 16)
#define KINDS 12
#define LOOKUPS (1 << 22)
static const double bytes = 0;
typedef struct {
    double energy, total, elastic, absorption;
} Point;
typedef struct {
    long lookups;
    int points, kinds;
} Inputs;
typedef struct {
    Point *points;   /* KINDS tables */
    double *grid;    /* the energies of all tables */
    int *result;
} Data;
static Inputs in;
static Data data;

static void setup(void)
{
    in.lookups = LOOKUPS, in.points = POINTS, in.kinds = KINDS;
    data.points = NEW(Point, POINTS * KINDS), data.grid = NEW(double, POINTS), data.result = NEW(int, LOOKUPS);
    for (int i = 0; i < POINTS; ++i)
        data.grid[i] = (double)i / POINTS;
    for (int i = 0; i < POINTS * KINDS; ++i) {
        Point *p = &data.points[i];
        p->energy = (double)(i % POINTS) / POINTS;
        p->total = (double)(next_random() % 1000), p->elastic = (double)(next_random() % 1000), p->absorption = (double)(next_random() % 1000);
    }
    memset(data.result, 0, LOOKUPS * sizeof(int));
}
#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif
BOTH static double next_number(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*seed >> 11) * (1.0 / 9007199254740992.0);
}
BOTH static int find(int n, double value, const double *grid)
{
    int low = 0, high = n - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (grid[middle] > value)
            high = middle;
        else
            low = middle;
    }
    return low;
}
BOTH static int lookup(Inputs in, long i, const Point *points, const double *grid)
{
    unsigned long long seed = 88172645463325252ull + 977ull * (unsigned long long)i;
    const double energy = next_number(&seed);
    const int kinds = 1 + (int)(next_number(&seed) * in.kinds);
    const int at = find(in.points, energy, grid);
    double sums[3] = {0, 0, 0};
    for (int kind = 0; kind < kinds && kind < in.kinds; ++kind) {
        const Point *low = &points[(long)kind * in.points + at], *high = low + 1;
        const double f = (high->energy - energy) / (high->energy - low->energy);
        sums[0] += high->total - f * (high->total - low->total);
        sums[1] += high->elastic - f * (high->elastic - low->elastic);
        sums[2] += high->absorption - f * (high->absorption - low->absorption);
    }
    int most = 0;
    for (int k = 1; k < 3; ++k)
        if (sums[k] > sums[most])
            most = k;
    return most + 1 + 4 * (int)sums[most];
}
#ifndef __CUDACC__
static void simulate(Inputs in, const Point *points, const double *grid, int *result)
{
#pragma omp target teams distribute parallel for
    for (long i = 0; i < in.lookups; ++i) {
        unsigned long long seed = 88172645463325252ull + 977ull * (unsigned long long)i;
        const double energy = next_number(&seed);
        const int kinds = 1 + (int)(next_number(&seed) * in.kinds);
        const int at = find(in.points, energy, grid);
        double sums[3] = {0, 0, 0};
        for (int kind = 0; kind < kinds && kind < in.kinds; ++kind) {
            const Point *low = &points[(long)kind * in.points + at], *high = low + 1;
            const double f = (high->energy - energy) / (high->energy - low->energy);
            sums[0] += high->total - f * (high->total - low->total);
            sums[1] += high->elastic - f * (high->elastic - low->elastic);
            sums[2] += high->absorption - f * (high->absorption - low->absorption);
        }
        int most = 0;
        for (int k = 1; k < 3; ++k)
            if (sums[k] > sums[most])
                most = k;
        result[i] = most + 1 + 4 * (int)sums[most];
    }
}
static void begin(void)
{
    Point *points = data.points;
    double *grid = data.grid;
    int *result = data.result;
#pragma omp target enter data map(to: points[0:POINTS * KINDS], grid[0:POINTS], result[0:LOOKUPS])
}
static void step(void) { simulate(in, data.points, data.grid, data.result); }
static void end(void)
{
    Point *points = data.points;
    double *grid = data.grid;
    int *result = data.result;
#pragma omp target exit data map(from: result[0:LOOKUPS]) map(delete: points[0:POINTS * KINDS], grid[0:POINTS])
}
#else
static Point *d_points;
static double *d_grid;
static int *d_result;
__global__ void simulate(Inputs in, const Point *__restrict__ points, const double *__restrict__ grid, int *__restrict__ result)
{
    const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < in.lookups)
        result[i] = lookup(in, i, points, grid);
}
static void begin(void) { d_points = device_copy(data.points, POINTS * KINDS), d_grid = device_copy(data.grid, POINTS), d_result = device_copy(data.result, LOOKUPS); }
static void step(void)
{
    simulate<<<blocks_for(LOOKUPS, 256), 256>>>(in, d_points, d_grid, d_result);
    device_wait();
}
static void end(void) { from_device(data.result, d_result, LOOKUPS); }
#endif
static int check(void)
{
    int wrong = 0; /* sums that are near an integer, or near another sum */
    for (long i = 0; i < LOOKUPS; i += 61)
        wrong += abs(lookup(in, i, data.points, data.grid) - data.result[i]) > 8;
    return wrong * 100000L < LOOKUPS / 61;
}
#include "driver.h"
