/* molecular dynamics: Lennard-Jones forces over lists of neighbours with a cut-off, positions as structures, forces and energies */
#include "bench.h"
#define ATOMS (1 << 18)
#define NEIGHBOURS 64
static const double bytes = 0;
typedef struct {
    float x, y, z;
} Vector;
static Vector *position, *force;
static float *energy;
static int *count, *list; /* the neighbours of all atoms, one of each after the other */

static void setup(void)
{
    position = NEW(Vector, ATOMS), force = NEW(Vector, ATOMS), energy = NEW(float, ATOMS);
    count = NEW(int, ATOMS), list = NEW(int, ATOMS * NEIGHBOURS);
    for (int i = 0; i < ATOMS; ++i) {
        position[i] = (Vector){(float)(i % 64) + (float)(next_random() % 100) / 500, (float)(i / 64 % 64) + (float)(next_random() % 100) / 500,
                               (float)(i / 4096) + (float)(next_random() % 100) / 500};
        count[i] = NEIGHBOURS - next_random() % 16;
        for (int k = 0; k < NEIGHBOURS; ++k) {
            const int offset = k % 5 - 2 + (k / 5 % 4 - 1) * 64 + (k / 20 - 1) * 4096, j = i + (offset ? offset : 3);
            list[k * ATOMS + i] = j < 0 ? j + ATOMS : j >= ATOMS ? j - ATOMS : j;
        }
    }
}
#define ATOM(i)                                                                                                        \
    const Vector here = position[i];                                                                                   \
    float fx = 0, fy = 0, fz = 0, potential = 0;                                                                       \
    for (int k = 0; k < count[i]; ++k) {                                                                               \
        const Vector there = position[list[k * atoms + i]];                                                            \
        const float dx = here.x - there.x, dy = here.y - there.y, dz = here.z - there.z;                               \
        const float square = dx * dx + dy * dy + dz * dz;                                                              \
        if (square < cutoff) {                                                                                         \
            const float over = 1 / square, six = over * over * over, strength = six * (six - 0.5f) * over;             \
            fx += dx * strength, fy += dy * strength, fz += dz * strength;                                             \
            potential += six * (six - 1);                                                                              \
        }                                                                                                              \
    }
#ifndef __CUDACC__
static void forces(int atoms, float cutoff, const Vector *position, const int *count, const int *list, Vector *force, float *energy)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < atoms; ++i) {
        ATOM(i)
        force[i].x = 48 * fx, force[i].y = 48 * fy, force[i].z = 48 * fz;
        energy[i] = 4 * potential;
    }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: position[0:ATOMS], count[0:ATOMS], list[0:ATOMS * NEIGHBOURS]) map(alloc: force[0:ATOMS], energy[0:ATOMS])
}
static void step(void) { forces(ATOMS, 6.25f, position, count, list, force, energy); }
static void end(void)
{
#pragma omp target exit data map(from: force[0:ATOMS], energy[0:ATOMS])
}
#else
static Vector *d_position, *d_force;
static float *d_energy;
static int *d_count, *d_list;
__global__ void forces(int atoms, float cutoff, const Vector *__restrict__ position, const int *__restrict__ count, const int *__restrict__ list,
                       Vector *__restrict__ force, float *__restrict__ energy)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < atoms) {
        ATOM(i)
        force[i] = Vector{48 * fx, 48 * fy, 48 * fz};
        energy[i] = 4 * potential;
    }
}
static void begin(void)
{
    d_position = device_copy(position, ATOMS), d_count = device_copy(count, ATOMS), d_list = device_copy(list, ATOMS * NEIGHBOURS);
    d_force = device_new<Vector>(ATOMS), d_energy = device_new<float>(ATOMS);
}
static void step(void)
{
    forces<<<blocks_for(ATOMS, 256), 256>>>(ATOMS, 6.25f, d_position, d_count, d_list, d_force, d_energy);
    device_wait();
}
static void end(void) { from_device(force, d_force, ATOMS), from_device(energy, d_energy, ATOMS); }
#endif
static int check(void)
{
    const int atoms = ATOMS;
    const float cutoff = 6.25f;
    for (int i = 0; i < atoms; i += 13) {
        ATOM(i)
        const float size = 1 + fabsf(fx) + fabsf(fy) + fabsf(fz) + fabsf(potential);
        if (fabsf(force[i].x - 48 * fx) > 5e-2f * size || fabsf(force[i].z - 48 * fz) > 5e-2f * size || fabsf(energy[i] - 4 * potential) > 5e-2f * size)
            return 0;
    }
    return 1;
}
#include "driver.h"
