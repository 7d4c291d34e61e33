/* combustion: each cell integrates its own stiff reactions with explicit steps; rates in a structure by value with arrays, local arrays of species */
#include "bench.h"
#define CELLS (1 << 20)
#define SPECIES 6
#define REACTIONS 8
#define STEPS 8
static const double bytes = 0;
typedef struct {
    double factor[REACTIONS], energy[REACTIONS];
    double heat, dt;
    int cells, steps;
} Mechanism;
static Mechanism mechanism;
static double *fraction, *temperature, *start, *hot;

static void setup(void)
{
    fraction = NEW(double, SPECIES * CELLS), temperature = NEW(double, CELLS), start = NEW(double, SPECIES * CELLS), hot = NEW(double, CELLS);
    for (int r = 0; r < REACTIONS; ++r)
        mechanism.factor[r] = 1.0 + 0.3 * r, mechanism.energy[r] = 500 + 100 * r;
    mechanism.heat = 0.2, mechanism.dt = 1e-3, mechanism.cells = CELLS, mechanism.steps = STEPS;
    for (int i = 0; i < SPECIES * CELLS; ++i)
        fraction[i] = start[i] = 0.05 + (double)(i % 19) / 100;
    for (int i = 0; i < CELLS; ++i)
        temperature[i] = hot[i] = 800 + i % 401;
}
#define CELL(m, y, t)                                                                                                  \
    for (int s = 0; s < (m).steps; ++s) {                                                                              \
        double change[SPECIES] = {0};                                                                                  \
        for (int r = 0; r < REACTIONS; ++r) {                                                                          \
            const double rate = (m).factor[r] * exp(-(m).energy[r] / t) * y[r % SPECIES] * y[(r + 1) % SPECIES];       \
            change[r % SPECIES] -= rate, change[(r + 1) % SPECIES] -= rate, change[(r + 3) % SPECIES] += 2 * rate;     \
        }                                                                                                              \
        for (int k = 0; k < SPECIES; ++k)                                                                              \
            y[k] += (m).dt * change[k], t -= (m).heat * change[k];                                                     \
        t += (m).heat;                                                                                                 \
    }
#ifndef __CUDACC__
static void react(Mechanism m, double *fraction, double *temperature)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < m.cells; ++i) {
        double y[SPECIES], t = temperature[i];
        for (int k = 0; k < SPECIES; ++k)
            y[k] = fraction[k * m.cells + i];
        CELL(m, y, t)
        for (int k = 0; k < SPECIES; ++k)
            fraction[k * m.cells + i] = y[k];
        temperature[i] = t;
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: fraction[0:SPECIES * CELLS], temperature[0:CELLS])
}
static void step(void) { react(mechanism, fraction, temperature); }
static void end(void)
{
#pragma omp target exit data map(from: fraction[0:SPECIES * CELLS], temperature[0:CELLS])
}
#else
static double *d_fraction, *d_temperature;
__global__ void react(const Mechanism m, double *__restrict__ fraction, double *__restrict__ temperature)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m.cells) {
        double y[SPECIES], t = temperature[i];
        for (int k = 0; k < SPECIES; ++k)
            y[k] = fraction[k * m.cells + i];
        CELL(m, y, t)
        for (int k = 0; k < SPECIES; ++k)
            fraction[k * m.cells + i] = y[k];
        temperature[i] = t;
    }
}
static void begin(void) { d_fraction = device_copy(fraction, SPECIES * CELLS), d_temperature = device_copy(temperature, CELLS); }
static void step(void)
{
    react<<<blocks_for(CELLS, 256), 256>>>(mechanism, d_fraction, d_temperature);
    device_wait();
}
static void end(void) { from_device(fraction, d_fraction, SPECIES * CELLS), from_device(temperature, d_temperature, CELLS); }
#endif
static int check(void)
{
    for (int i = 0; i < CELLS; i += 331) {
        double y[SPECIES], t = hot[i];
        for (int k = 0; k < SPECIES; ++k)
            y[k] = start[k * CELLS + i];
        for (int n = 0; n < steps; ++n)
            CELL(mechanism, y, t)
        for (int k = 0; k < SPECIES; ++k)
            if (!is_close(fraction[k * CELLS + i], y[k], 1e-9) || !is_close(temperature[i], t, 1e-9))
                return 0;
    }
    return 1;
}
#include "driver.h"
