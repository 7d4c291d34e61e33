/* accelerations of n bodies, all pairs, kept in arrays of structures */
#include "bench.h"
#define N 32768
static const double bytes = 0;
typedef struct {
    float x, y, z, mass;
} Body;
typedef struct {
    float x, y, z;
} Force;
static Body *bodies;
static Force *forces;

static void setup(void)
{
    bodies = NEW(Body, N), forces = NEW(Force, N);
    for (int i = 0; i < N; ++i) {
        bodies[i].x = (float)(next_random() % 1000), bodies[i].y = (float)(next_random() % 1000);
        bodies[i].z = (float)(next_random() % 1000), bodies[i].mass = 1 + (float)(i % 3);
    }
}
#ifndef __CUDACC__
static void nbody(int n, const Body *bodies, Force *forces)
{
#pragma omp target teams distribute parallel for map(to: bodies[0:n]) map(from: forces[0:n])
    for (int i = 0; i < n; ++i) {
        forces[i].x = forces[i].y = forces[i].z = 0;
        for (int j = 0; j < n; ++j) {
            const float dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y, dz = bodies[j].z - bodies[i].z;
            const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            const float scale = bodies[j].mass * inverse * inverse * inverse;
            forces[i].x += dx * scale;
            forces[i].y += dy * scale;
            forces[i].z += dz * scale;
        }
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: bodies[0:N]) map(alloc: forces[0:N])
}
static void step(void) { nbody(N, bodies, forces); }
static void end(void)
{
#pragma omp target exit data map(from: forces[0:N]) map(delete: bodies[0:N])
}
#else
static Body *dbodies;
static Force *dforces;
__global__ void nbody(int n, const Body *__restrict__ bodies, Force *__restrict__ forces)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const Body me = bodies[i];
    Force f = {0, 0, 0};
    for (int j = 0; j < n; ++j) {
        const float dx = bodies[j].x - me.x, dy = bodies[j].y - me.y, dz = bodies[j].z - me.z;
        const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
        const float scale = bodies[j].mass * inverse * inverse * inverse;
        f.x += dx * scale, f.y += dy * scale, f.z += dz * scale;
    }
    forces[i] = f;
}
static void begin(void) { dbodies = device_copy(bodies, N), dforces = device_new<Force>(N); }
static void step(void)
{
    nbody<<<blocks_for(N, 128), 128>>>(N, dbodies, dforces);
    device_wait();
}
static void end(void) { from_device(forces, dforces, N); }
#endif
static int check(void)
{
    for (int i = 0; i < N; i += 1021) {
        double x = 0;
        for (int j = 0; j < N; ++j) {
            const double dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y, dz = bodies[j].z - bodies[i].z;
            const double inverse = 1 / sqrt(dx * dx + dy * dy + dz * dz + 0.01);
            x += dx * bodies[j].mass * inverse * inverse * inverse;
        }
        if (!is_close(forces[i].x, x, 1e-2))
            return 0;
    }
    return 1;
}
#include "driver.h"
