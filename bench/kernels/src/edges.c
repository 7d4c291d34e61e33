/* fluxes through the edges of an unstructured mesh: each edge reads two states and adds to two sums */
#include "bench.h"
#define SIDE 1024
#define POINTS (SIDE * SIDE)
#define EDGES (3 * (SIDE - 1) * (SIDE - 1))
static const double bytes = 0;
typedef struct {
    float density, along, across, energy;
} State;
typedef struct {
    int from, to;
    float x, y;
} Edge;
static State *states, *sums, *first;
static Edge *edges;

static void setup(void)
{
    int at = 0;
    states = NEW(State, POINTS), sums = NEW(State, POINTS), first = NEW(State, POINTS), edges = NEW(Edge, EDGES);
    for (int y = 0; y < SIDE - 1; ++y)
        for (int x = 0; x < SIDE - 1; ++x)
            for (int side = 0; side < 3; ++side) {
                Edge *edge = &edges[at++];
                edge->from = y * SIDE + x, edge->to = edge->from + (side == 0 ? 1 : side == 1 ? SIDE : SIDE + 1);
                edge->x = side != 1, edge->y = side != 0;
            }
    for (int i = 0; i < POINTS; ++i) {
        first[i].density = 1 + (float)(i % 7) * 0.01f, first[i].along = (float)(i % 5) * 0.02f;
        first[i].across = (float)(i % 3) * 0.02f, first[i].energy = 2.5f;
    }
    memcpy(states, first, POINTS * sizeof *states);
    memset(sums, 0, POINTS * sizeof *sums);
}
#define PRESSURE(s) (0.4f * ((s).energy - 0.5f * ((s).along * (s).along + (s).across * (s).across) / (s).density))
#define FLUX(edge, a, b)                                                                                               \
    const float p = PRESSURE(a), q = PRESSURE(b);                                                                      \
    const float m = ((a).along * (edge).x + (a).across * (edge).y) / (a).density;                                      \
    const float n = ((b).along * (edge).x + (b).across * (edge).y) / (b).density;                                      \
    const float speed = 1.2f;                                                                                          \
    const float f = 0.5f * ((a).density * m + (b).density * n) - speed * ((b).density - (a).density);                  \
    const float g = 0.5f * ((a).along * m + (b).along * n + (p + q) * (edge).x) - speed * ((b).along - (a).along);     \
    const float h = 0.5f * ((a).across * m + (b).across * n + (p + q) * (edge).y) - speed * ((b).across - (a).across); \
    const float e = 0.5f * (((a).energy + p) * m + ((b).energy + q) * n) - speed * ((b).energy - (a).energy);
#ifndef __CUDACC__
static void advance(int n, int count, const Edge *edges, State *states, State *sums, float dt)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < count; ++i) {
        const int from = edges[i].from, to = edges[i].to;
        FLUX(edges[i], states[from], states[to])
#pragma omp atomic
        sums[from].density -= f;
#pragma omp atomic
        sums[from].along -= g;
#pragma omp atomic
        sums[from].across -= h;
#pragma omp atomic
        sums[from].energy -= e;
#pragma omp atomic
        sums[to].density += f;
#pragma omp atomic
        sums[to].along += g;
#pragma omp atomic
        sums[to].across += h;
#pragma omp atomic
        sums[to].energy += e;
    }
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) {
        states[i].density += dt * sums[i].density;
        states[i].along += dt * sums[i].along;
        states[i].across += dt * sums[i].across;
        states[i].energy += dt * sums[i].energy;
        sums[i].density = sums[i].along = sums[i].across = sums[i].energy = 0;
    }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: edges[0:EDGES], states[0:POINTS], sums[0:POINTS])
}
static void step(void) { advance(POINTS, EDGES, edges, states, sums, 0.001f); }
static void end(void)
{
#pragma omp target exit data map(from: states[0:POINTS])
}
#else
static Edge *dedges;
static State *dstates, *dsums;
__device__ State state(const State *from)
{
    const float4 f = *(const float4 *)from;
    return {f.x, f.y, f.z, f.w};
}
__global__ void flux(int count, const int4 *__restrict__ edges, const State *__restrict__ states, State *sums)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const int4 read = edges[i];
    const Edge edge = {read.x, read.y, __int_as_float(read.z), __int_as_float(read.w)};
    const State a = state(&states[edge.from]), b = state(&states[edge.to]);
    FLUX(edge, a, b)
    State *from = &sums[edge.from], *to = &sums[edge.to];
    atomicAdd(&from->density, -f), atomicAdd(&from->along, -g), atomicAdd(&from->across, -h), atomicAdd(&from->energy, -e);
    atomicAdd(&to->density, f), atomicAdd(&to->along, g), atomicAdd(&to->across, h), atomicAdd(&to->energy, e);
}
__global__ void update(int n, float4 *__restrict__ states, float4 *__restrict__ sums, float dt)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float4 s = states[i], d = sums[i];
    states[i] = make_float4(s.x + dt * d.x, s.y + dt * d.y, s.z + dt * d.z, s.w + dt * d.w);
    sums[i] = make_float4(0, 0, 0, 0);
}
static void begin(void)
{
    dedges = device_copy(edges, EDGES), dstates = device_copy(states, POINTS), dsums = device_copy(sums, POINTS);
}
static void step(void)
{
    flux<<<blocks_for(EDGES, 256), 256>>>(EDGES, (int4 *)dedges, dstates, dsums);
    update<<<blocks_for(POINTS, 256), 256>>>(POINTS, (float4 *)dstates, (float4 *)dsums, 0.001f);
    device_wait();
}
static void end(void) { from_device(states, dstates, POINTS); }
#endif
static int check(void)
{
    for (int s = 0; s < steps; ++s) {
        memset(sums, 0, POINTS * sizeof *sums);
        for (int i = 0; i < EDGES; ++i) {
            State *from = &sums[edges[i].from], *to = &sums[edges[i].to];
            FLUX(edges[i], first[edges[i].from], first[edges[i].to])
            from->density -= f, from->along -= g, from->across -= h, from->energy -= e;
            to->density += f, to->along += g, to->across += h, to->energy += e;
        }
        for (int i = 0; i < POINTS; ++i) {
            first[i].density += 0.001f * sums[i].density, first[i].along += 0.001f * sums[i].along;
            first[i].across += 0.001f * sums[i].across, first[i].energy += 0.001f * sums[i].energy;
        }
    }
    for (int i = 0; i < POINTS; ++i)
        if (!is_close(states[i].density, first[i].density, 1e-3) || !is_close(states[i].along, first[i].along, 1e-3) ||
            !is_close(states[i].across, first[i].across, 1e-3) || !is_close(states[i].energy, first[i].energy, 1e-3))
            return 0;
    return 1;
}
#include "driver.h"
