/* Monte Carlo transport: lookups of macroscopic cross sections, all tables members of a structure by value, mapped member by member */
#include "bench.h"
#define NUCLIDES 64
#define POINTS 4096
#define MATERIALS 12
#define LOOKUPS (1 << 21)
static const double bytes = 0;
typedef struct {
    double energy, total, elastic, absorption, fission, nu_fission;
} Point;
typedef struct {
    long lookups;
    int nuclides, points, materials, most;
    double scale;
} Inputs;
typedef struct {
    int *counts;      /* of nuclides in a material */
    int *nuclides;    /* those of each material, `most` places for each */
    double *amounts;  /* likewise */
    double *grid;     /* all energies */
    int *index;       /* of each energy, its place in the table of each nuclide */
    Point *points;
    unsigned char *result;
    int most, length;
} Data;
static Inputs in;
static Data data;

static void setup(void)
{
    in.lookups = LOOKUPS, in.nuclides = NUCLIDES, in.points = POINTS, in.materials = MATERIALS, in.most = 40, in.scale = 1.5;
    data.most = in.most, data.length = NUCLIDES * POINTS / 8;
    data.counts = NEW(int, MATERIALS), data.nuclides = NEW(int, MATERIALS * 40), data.amounts = NEW(double, MATERIALS * 40);
    data.grid = NEW(double, data.length), data.index = NEW(int, (size_t)data.length * NUCLIDES);
    data.points = NEW(Point, NUCLIDES * POINTS), data.result = NEW(unsigned char, LOOKUPS);
    for (int m = 0; m < MATERIALS; ++m) {
        data.counts[m] = m == 0 ? 40 : 4 + m;
        for (int k = 0; k < 40; ++k)
            data.nuclides[m * 40 + k] = (m * 7 + k * 5) % NUCLIDES, data.amounts[m * 40 + k] = 1.0 / (1 + k + m);
    }
    for (int i = 0; i < data.length; ++i) {
        data.grid[i] = (double)i / data.length;
        for (int n = 0; n < NUCLIDES; ++n) {
            const int at = (int)(data.grid[i] * POINTS);
            data.index[(size_t)i * NUCLIDES + n] = at < POINTS - 1 ? at : POINTS - 2;
        }
    }
    for (int i = 0; i < NUCLIDES * POINTS; ++i) {
        Point *p = &data.points[i];
        p->energy = (double)(i % POINTS) / POINTS, p->total = next_random() % 1000, p->elastic = next_random() % 1000;
        p->absorption = next_random() % 1000, p->fission = next_random() % 1000, p->nu_fission = next_random() % 1000;
    }
    memset(data.result, 0, LOOKUPS);
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
BOTH static int pick_material(unsigned long long *seed, int materials)
{
    const double share[12] = {0.140, 0.052, 0.275, 0.134, 0.154, 0.064, 0.066, 0.055, 0.008, 0.015, 0.025, 0.013};
    const double roll = next_number(seed);
    double sum = 0;
    for (int i = 1; i < materials; ++i) {
        sum += share[i];
        if (roll < sum)
            return i;
    }
    return 0;
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
BOTH static void add_nuclide(double energy, const Point *low, double amount, double *sums)
{
    const Point *high = low + 1;
    const double f = (high->energy - energy) / (high->energy - low->energy);
    sums[0] += amount * (high->total - f * (high->total - low->total));
    sums[1] += amount * (high->elastic - f * (high->elastic - low->elastic));
    sums[2] += amount * (high->absorption - f * (high->absorption - low->absorption));
    sums[3] += amount * (high->fission - f * (high->fission - low->fission));
    sums[4] += amount * (high->nu_fission - f * (high->nu_fission - low->nu_fission));
}
#define LOOKUP(in, data, i)                                                                                            \
    unsigned long long seed = 88172645463325252ull + 977ull * (unsigned long long)(i);                                 \
    const double energy = next_number(&seed);                                                                          \
    const int material = pick_material(&seed, (in).materials);                                                         \
    const int at = find((data).length, energy, (data).grid);                                                           \
    double sums[5] = {0, 0, 0, 0, 0};                                                                                  \
    for (int k = 0; k < (data).counts[material]; ++k) {                                                                \
        const int nuclide = (data).nuclides[material * (data).most + k];                                               \
        const int place = (data).index[(long)at * (in).nuclides + nuclide];                                            \
        add_nuclide(energy, &(data).points[(long)nuclide * (in).points + place],                                       \
                    (in).scale * (data).amounts[material * (data).most + k], sums);                                    \
    }                                                                                                                  \
    int best = 0;                                                                                                      \
    for (int k = 1; k < 5; ++k)                                                                                        \
        if (sums[k] > sums[best])                                                                                      \
            best = k;
#ifndef __CUDACC__
static void simulate(Inputs in, Data data)
{
#pragma omp target teams distribute parallel for map(to: data.most, data.length, data.counts[0:in.materials], data.nuclides[0:in.materials * in.most], \
    data.amounts[0:in.materials * in.most], data.grid[0:data.length], data.index[0:data.length * in.nuclides],      \
    data.points[0:in.nuclides * in.points]) map(from: data.result[0:in.lookups])
    for (long i = 0; i < in.lookups; ++i) {
        LOOKUP(in, data, i)
        data.result[i] = (unsigned char)(best + 1);
    }
}
static void begin(void)
{
    int *counts = data.counts, *nuclides = data.nuclides, *index = data.index;
    double *amounts = data.amounts, *grid = data.grid;
    Point *points = data.points;
    unsigned char *result = data.result;
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: counts[0:MATERIALS], nuclides[0:MATERIALS * 40], amounts[0:MATERIALS * 40])
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: grid[0:NUCLIDES * POINTS / 8], index[0:NUCLIDES * NUCLIDES * POINTS / 8])
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: points[0:NUCLIDES * POINTS], result[0:LOOKUPS])
}
static void step(void) { simulate(in, data); }
static void end(void)
{
    unsigned char *result = data.result;
#pragma omp target exit data map(from: result[0:LOOKUPS])
}
#else
static Data on_device;
__global__ void simulate(const Inputs in, const Data data, const double *__restrict__ grid, unsigned char *__restrict__ result)
{
    const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < in.lookups) {
        LOOKUP(in, data, i)
        result[i] = (unsigned char)(best + 1);
    }
}
static void begin(void)
{
    on_device = data;
    on_device.counts = device_copy(data.counts, MATERIALS), on_device.nuclides = device_copy(data.nuclides, MATERIALS * 40);
    on_device.amounts = device_copy(data.amounts, MATERIALS * 40), on_device.grid = device_copy(data.grid, data.length);
    on_device.index = device_copy(data.index, (size_t)data.length * NUCLIDES);
    on_device.points = device_copy(data.points, NUCLIDES * POINTS), on_device.result = device_copy(data.result, LOOKUPS);
}
static void step(void)
{
    simulate<<<blocks_for(LOOKUPS, 256), 256>>>(in, on_device, on_device.grid, on_device.result);
    device_wait();
}
static void end(void) { from_device(data.result, on_device.result, LOOKUPS); }
#endif
static int check(void)
{
    int wrong = 0; /* sums that are near each other */
    for (long i = 0; i < LOOKUPS; i += 61) {
        LOOKUP(in, data, i)
        wrong += data.result[i] != best + 1;
    }
    return wrong * 10000L < LOOKUPS / 61;
}
#include "driver.h"
