/* charged particles in a field on a grid: each takes the field of its four cells, moves, and adds its charge to them */
#include "bench.h"
#define N (1 << 22)
#define CELLS 512
static const double bytes = 0;
typedef struct {
    float x, y, u, v;
} Particle;
typedef struct {
    float x, y;
} Force;
static Particle *particles, *first;
static Force *field;
static float *charge;

static void setup(void)
{
    particles = NEW(Particle, N), field = NEW(Force, CELLS * CELLS), charge = NEW(float, CELLS * CELLS);
    first = NEW(Particle, N / 64);
    for (int i = 0; i < N; ++i) { /* ordered by cell, as such programs keep them */
        const int cell = (int)((long long)i * CELLS * CELLS / N);
        particles[i].x = (float)(cell % CELLS) + (float)(next_random() % 1000) * 0.001f;
        particles[i].y = (float)(cell / CELLS) + (float)(next_random() % 1000) * 0.001f;
        particles[i].u = (float)(next_random() % 1000) * 0.001f - 0.5f;
        particles[i].v = (float)(next_random() % 1000) * 0.001f - 0.5f;
    }
    for (int i = 0; i < N / 64; ++i)
        first[i] = particles[i * 64];
    for (int i = 0; i < CELLS * CELLS; ++i)
        field[i].x = sinf((float)(i % CELLS) * 0.01f), field[i].y = cosf((float)(i / CELLS) * 0.01f), charge[i] = 0;
}
#define WRAP(x) ((x) < 0 ? (x) + CELLS : (x) >= CELLS ? (x) - CELLS : (x))
#define MOVE(p)                                                                                                        \
    const int left = (int)(p).x, low = (int)(p).y, right = (left + 1) % CELLS, high = (low + 1) % CELLS;               \
    const float a = (p).x - (float)left, b = (p).y - (float)low;                                                       \
    const Force f = field[low * CELLS + left], g = field[low * CELLS + right], h = field[high * CELLS + left],         \
                k = field[high * CELLS + right];                                                                       \
    const float along = (1 - b) * ((1 - a) * f.x + a * g.x) + b * ((1 - a) * h.x + a * k.x);                           \
    const float across = (1 - b) * ((1 - a) * f.y + a * g.y) + b * ((1 - a) * h.y + a * k.y);                          \
    (p).u += dt * along, (p).v += dt * across;                                                                         \
    (p).x = WRAP((p).x + dt * (p).u), (p).y = WRAP((p).y + dt * (p).v);
#ifndef __CUDACC__
static void clear(float *charge)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < CELLS * CELLS; ++i)
        charge[i] = 0;
}
static void push(int n, Particle *particles, const Force *field, float *charge, float dt)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) {
        MOVE(particles[i])
        const int column = (int)particles[i].x % CELLS, row = (int)particles[i].y % CELLS;
        const int next = (column + 1) % CELLS, above = (row + 1) % CELLS;
        const float s = particles[i].x - (float)column, t = particles[i].y - (float)row;
#pragma omp atomic
        charge[row * CELLS + column] += (1 - s) * (1 - t);
#pragma omp atomic
        charge[row * CELLS + next] += s * (1 - t);
#pragma omp atomic
        charge[above * CELLS + column] += (1 - s) * t;
#pragma omp atomic
        charge[above * CELLS + next] += s * t;
    }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: particles[0:N], field[0:CELLS * CELLS], charge[0:CELLS * CELLS])
}
static void step(void)
{
    clear(charge);
    push(N, particles, field, charge, 0.01f);
}
static void end(void)
{
#pragma omp target exit data map(from: particles[0:N], charge[0:CELLS * CELLS])
}
#else
static Particle *dparticles;
static Force *dfield;
static float *dcharge;
__global__ void push(int n, float4 *__restrict__ particles, const Force *__restrict__ field, float *charge, float dt)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float4 old = particles[i];
    Particle p = {old.x, old.y, old.z, old.w};
    MOVE(p)
    particles[i] = make_float4(p.x, p.y, p.u, p.v);
    const int column = (int)p.x % CELLS, row = (int)p.y % CELLS;
    const int next = (column + 1) % CELLS, above = (row + 1) % CELLS;
    const float s = p.x - (float)column, t = p.y - (float)row;
    atomicAdd(&charge[row * CELLS + column], (1 - s) * (1 - t));
    atomicAdd(&charge[row * CELLS + next], s * (1 - t));
    atomicAdd(&charge[above * CELLS + column], (1 - s) * t);
    atomicAdd(&charge[above * CELLS + next], s * t);
}
__global__ void clear(float *charge) { charge[blockIdx.x * blockDim.x + threadIdx.x] = 0; }
static void begin(void)
{
    dparticles = device_copy(particles, N), dfield = device_copy(field, CELLS * CELLS);
    dcharge = device_copy(charge, CELLS * CELLS);
}
static void step(void)
{
    clear<<<CELLS * CELLS / 256, 256>>>(dcharge);
    push<<<blocks_for(N, 256), 256>>>(N, (float4 *)dparticles, dfield, dcharge, 0.01f);
    device_wait();
}
static void end(void) { from_device(particles, dparticles, N), from_device(charge, dcharge, CELLS * CELLS); }
#endif
static int check(void)
{
    const float dt = 0.01f;
    double all = 0;
    for (int i = 0; i < N / 64; ++i) {
        for (int s = 0; s < steps; ++s) {
            MOVE(first[i])
        }
        const double x = fabs(first[i].x - particles[i * 64].x), y = fabs(first[i].y - particles[i * 64].y);
        if ((x > 0.01 && x < CELLS - 0.01) || (y > 0.01 && y < CELLS - 0.01))
            return 0;
    }
    for (int i = 0; i < CELLS * CELLS; ++i)
        all += charge[i];
    return is_close(all, N, 1e-4);
}
#include "driver.h"
