/* streamcluster's gain of opening a centre: distance per point, what each open centre would save, a total cost */
#include "bench.h"
#define N (1 << 20)
#define DIMENSIONS 32
#define CENTRES 1024
static const double bytes = 4.0 * N * DIMENSIONS;
typedef struct {
    float weight, cost;
    int assigned;
} Point;
static Point *points;
static float *coordinates, *lower;
static char *moves;
static double gain;

static void setup(void)
{
    points = NEW(Point, N), coordinates = NEW(float, N * DIMENSIONS), lower = NEW(float, CENTRES), moves = NEW(char, N);
    for (int i = 0; i < N; ++i)
        points[i].weight = 1 + (float)(i % 2), points[i].cost = (float)(i % 1000), points[i].assigned = next_random() % CENTRES;
    for (int i = 0; i < N * DIMENSIONS; ++i)
        coordinates[i] = (float)(next_random() % 16);
}
#ifndef __CUDACC__
static double pgain(int n, int dimensions, int x, const Point *points, const float *coordinates, float *lower, char *moves)
{
    double total = 0;
#pragma omp target teams distribute parallel for map(tofrom: lower[0:CENTRES])
    for (int i = 0; i < CENTRES; ++i)
        lower[i] = 0;
#pragma omp target teams distribute parallel for map(to: points[0:n], coordinates[0:n * dimensions]) \
    map(tofrom: lower[0:CENTRES], moves[0:n], total) reduction(+: total)
    for (int i = 0; i < n; ++i) {
        float distance = 0;
        for (int d = 0; d < dimensions; ++d)
            distance += (coordinates[d * n + i] - coordinates[d * n + x]) * (coordinates[d * n + i] - coordinates[d * n + x]);
        const float cost = distance * points[i].weight, current = points[i].cost;
        moves[i] = 0;
        if (cost < current) {
            moves[i] = 1;
            total += cost - current;
        } else {
#pragma omp atomic update
            lower[points[i].assigned] += current - cost;
        }
    }
    return total;
}
static void begin(void)
{
#pragma omp target enter data map(to: points[0:N], coordinates[0:N * DIMENSIONS]) map(alloc: lower[0:CENTRES], moves[0:N])
}
static void step(void) { gain = pgain(N, DIMENSIONS, 77, points, coordinates, lower, moves); }
static void end(void)
{
#pragma omp target exit data map(from: lower[0:CENTRES], moves[0:N]) map(delete: points[0:N], coordinates[0:N * DIMENSIONS])
}
#else
static Point *dpoints;
static float *dcoordinates, *dlower;
static char *dmoves;
static double *dtotal;
__global__ void clear(int n, float *lower)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        lower[i] = 0;
}
__global__ void pgain(int n, int dimensions, int x, const Point *__restrict__ points, const float *__restrict__ coordinates,
                      float *__restrict__ lower, char *__restrict__ moves, double *total)
{
    __shared__ double shared[32];
    double mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float distance = 0;
        for (int d = 0; d < dimensions; ++d) {
            const float delta = coordinates[d * n + i] - coordinates[d * n + x];
            distance += delta * delta;
        }
        const Point p = points[i];
        const float cost = distance * p.weight;
        moves[i] = cost < p.cost;
        if (cost < p.cost)
            mine += cost - p.cost;
        else
            atomicAdd(&lower[p.assigned], p.cost - cost);
    }
    mine = block_reduce(mine, [](double a, double b) { return a + b; }, shared);
    if (threadIdx.x == 0)
        atomicAdd(total, mine);
}
static void begin(void)
{
    dpoints = device_copy(points, N), dcoordinates = device_copy(coordinates, N * DIMENSIONS);
    dlower = device_new<float>(CENTRES), dmoves = device_new<char>(N), dtotal = device_new<double>(1);
}
static void step(void)
{
    gain = 0;
    to_device(dtotal, &gain, 1);
    clear<<<blocks_for(CENTRES, 256), 256>>>(CENTRES, dlower);
    pgain<<<resident_blocks(256), 256>>>(N, DIMENSIONS, 77, dpoints, dcoordinates, dlower, dmoves, dtotal);
    from_device(&gain, dtotal, 1);
}
static void end(void) { from_device(lower, dlower, CENTRES), from_device(moves, dmoves, N); }
#endif
static int check(void)
{
    double total = 0, saved = 0, have = 0;
    for (int i = 0; i < N; ++i) {
        float distance = 0;
        for (int d = 0; d < DIMENSIONS; ++d)
            distance += (coordinates[d * N + i] - coordinates[d * N + 77]) * (coordinates[d * N + i] - coordinates[d * N + 77]);
        const float cost = distance * points[i].weight;
        if ((cost < points[i].cost) != moves[i])
            return 0;
        if (cost < points[i].cost)
            total += cost - points[i].cost;
        else
            saved += points[i].cost - cost;
    }
    for (int i = 0; i < CENTRES; ++i)
        have += lower[i];
    return is_close(gain, total, 1e-6) && is_close(have, saved, 1e-3);
}
#include "driver.h"
