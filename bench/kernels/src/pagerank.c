/* ranks of a graph in compressed rows: every vertex gathers from its neighbours, then the change is added up; the graph is a structure by value */
#include "bench.h"
#define VERTICES (1 << 20)
#define DEGREE 16
static const double bytes = 0;
typedef struct {
    int vertices;
    const int *first, *neighbour;
    const double *share;
} Graph;
static int *first, *neighbour;
static double *share, *rank, *next, change;

static void setup(void)
{
    first = NEW(int, VERTICES + 1), neighbour = NEW(int, VERTICES * DEGREE);
    share = NEW(double, VERTICES), rank = NEW(double, VERTICES), next = NEW(double, VERTICES);
    first[0] = 0;
    for (int v = 0; v < VERTICES; ++v) {
        const int degree = next_random() % (2 * DEGREE - 1);
        first[v + 1] = first[v] + degree < VERTICES * DEGREE ? first[v] + degree : VERTICES * DEGREE;
        for (int e = first[v]; e < first[v + 1]; ++e)
            neighbour[e] = next_random() / 3 % VERTICES;
        share[v] = 1.0 / (1 + degree), rank[v] = 1.0 / VERTICES, next[v] = 0;
    }
}
#ifndef __CUDACC__
static double iterate(Graph g, const double *rank, double *next)
{
    double change = 0;
#pragma omp target teams distribute parallel for reduction(+: change) map(to: g.vertices, g.first[0:g.vertices + 1], g.share[0:g.vertices], g.neighbour[0:DEGREE * g.vertices])
    for (int v = 0; v < g.vertices; ++v) {
        double sum = 0;
        for (int e = g.first[v]; e < g.first[v + 1]; ++e)
            sum += rank[g.neighbour[e]] * g.share[g.neighbour[e]];
        next[v] = 0.15 / g.vertices + 0.85 * sum;
        change += fabs(next[v] - rank[v]);
    }
    return change;
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: first[0:VERTICES + 1], neighbour[0:VERTICES * DEGREE], share[0:VERTICES], rank[0:VERTICES]) map(alloc: next[0:VERTICES])
}
static void step(void)
{
    const Graph g = {VERTICES, first, neighbour, share};
    change = iterate(g, rank, next);
}
static void end(void)
{
#pragma omp target exit data map(from: next[0:VERTICES])
}
#else
static int *d_first, *d_neighbour;
static double *d_share, *d_rank, *d_next, *d_change;
struct plus {
    __device__ double operator()(double a, double b) const { return a + b; }
};
__global__ void iterate(int vertices, const int *__restrict__ first, const int *__restrict__ neighbour, const double *__restrict__ share,
                        const double *__restrict__ rank, double *__restrict__ next, double *change)
{
    __shared__ double shared[32];
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    double moved = 0;
    if (v < vertices) {
        double sum = 0;
        for (int e = first[v], end = first[v + 1]; e < end; ++e)
            sum += rank[neighbour[e]] * share[neighbour[e]];
        const double value = 0.15 / vertices + 0.85 * sum;
        next[v] = value;
        moved = fabs(value - rank[v]);
    }
    moved = block_reduce(moved, plus(), shared);
    if (threadIdx.x == 0)
        atomicAdd(change, moved);
}
static void begin(void)
{
    d_first = device_copy(first, VERTICES + 1), d_neighbour = device_copy(neighbour, VERTICES * DEGREE);
    d_share = device_copy(share, VERTICES), d_rank = device_copy(rank, VERTICES), d_next = device_new<double>(VERTICES), d_change = device_new<double>(1);
}
static void step(void)
{
    cuda_check(cudaMemset(d_change, 0, sizeof(double)));
    iterate<<<blocks_for(VERTICES, 256), 256>>>(VERTICES, d_first, d_neighbour, d_share, d_rank, d_next, d_change);
    from_device(&change, d_change, 1);
}
static void end(void) { from_device(next, d_next, VERTICES); }
#endif
static int check(void)
{
    double wanted = 0;
    for (int v = 0; v < VERTICES; ++v) {
        double sum = 0;
        for (int e = first[v]; e < first[v + 1]; ++e)
            sum += rank[neighbour[e]] * share[neighbour[e]];
        const double value = 0.15 / VERTICES + 0.85 * sum;
        if (!is_close(next[v], value, 1e-12))
            return 0;
        wanted += fabs(value - rank[v]);
    }
    return is_close(change, wanted, 1e-9);
}
#include "driver.h"
