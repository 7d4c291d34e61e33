/* explicit 2-D gas dynamics on a staggered grid: pressure, velocities, fluxes and densities, each a loop over rows with a loop over columns inside */
#include "bench.h"
#define N 4096
#define PITCH (N + 2)
#define SIZE ((size_t)PITCH * PITCH)
static const double bytes = 8.0 * 22 * N * N;
static double *density, *energy, *pressure, *sound, *u, *v, *flux_x, *flux_y;

static void setup(void)
{
    double **all[] = {&density, &energy, &pressure, &sound, &u, &v, &flux_x, &flux_y};
    for (int k = 0; k < 8; ++k)
        *all[k] = NEW(double, SIZE);
    for (size_t k = 0; k < SIZE; ++k) {
        density[k] = 1 + 0.1 * (double)(k % 7), energy[k] = 2 + 0.01 * (double)(k % 11);
        pressure[k] = sound[k] = u[k] = v[k] = flux_x[k] = flux_y[k] = 0;
    }
}
#ifndef __CUDACC__
static void gas_law(int n, int pitch, const double *density, const double *energy, double *pressure, double *sound)
{
#pragma omp target teams distribute parallel for
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= n; ++j) {
            const double volume = 1.0 / density[i * pitch + j];
            pressure[i * pitch + j] = 0.4 * density[i * pitch + j] * energy[i * pitch + j];
            const double by_energy = 0.4 * density[i * pitch + j];
            const double by_volume = -density[i * pitch + j] * pressure[i * pitch + j];
            sound[i * pitch + j] = sqrt(volume * volume * (pressure[i * pitch + j] * by_energy - by_volume));
        }
}
static double time_step(int n, int pitch, const double *sound, const double *u, const double *v)
{
    double dt = 1e-3;
#pragma omp target teams distribute parallel for reduction(min: dt)
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= n; ++j) {
            const double speed = sound[i * pitch + j] + fabs(u[i * pitch + j]) + fabs(v[i * pitch + j]);
            const double here = 1e-4 / (speed + 1e-12);
            if (here < dt)
                dt = here;
        }
    return dt;
}
static void accelerate(int n, int pitch, double dt, const double *density, const double *pressure, double *u, double *v)
{
#pragma omp target teams distribute parallel for
    for (int i = 1; i <= n; ++i) {
        const double *p = pressure + i * pitch;
        const double *up = pressure + (i - 1) * pitch;
        for (int j = 1; j <= n; ++j) {
            const double mass = 0.25 * (density[i * pitch + j] + density[i * pitch + j - 1] + density[(i - 1) * pitch + j] + density[(i - 1) * pitch + j - 1]);
            u[i * pitch + j] -= dt / mass * (p[j] - p[j - 1] + up[j] - up[j - 1]);
            v[i * pitch + j] -= dt / mass * (p[j] - up[j] + p[j - 1] - up[j - 1]);
        }
    }
}
static void fluxes(int n, int pitch, double dt, const double *u, const double *v, double *flux_x, double *flux_y)
{
#pragma omp target teams distribute parallel for
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= n; ++j) {
            flux_x[i * pitch + j] = 0.25 * dt * (u[i * pitch + j] + u[(i + 1) * pitch + j] + u[i * pitch + j] + u[(i + 1) * pitch + j]);
            flux_y[i * pitch + j] = 0.25 * dt * (v[i * pitch + j] + v[i * pitch + j + 1] + v[i * pitch + j] + v[i * pitch + j + 1]);
        }
}
static void advance(int n, int pitch, const double *flux_x, const double *flux_y, const double *pressure, double *density, double *energy)
{
#pragma omp target teams distribute parallel for
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= n; ++j) {
            const int here = i * pitch + j;
            const double change = flux_x[here + 1] - flux_x[here] + flux_y[here + pitch] - flux_y[here];
            energy[here] -= pressure[here] / density[here] * change;
            density[here] *= 1 - change;
        }
}
static void begin(void)
{
#pragma omp target enter data map(to: density[0:SIZE], energy[0:SIZE], pressure[0:SIZE], sound[0:SIZE]) \
    map(to: u[0:SIZE], v[0:SIZE], flux_x[0:SIZE], flux_y[0:SIZE])
}
static void step(void)
{
    gas_law(N, PITCH, density, energy, pressure, sound);
    const double dt = time_step(N, PITCH, sound, u, v);
    accelerate(N, PITCH, dt, density, pressure, u, v);
    fluxes(N, PITCH, dt, u, v, flux_x, flux_y);
    advance(N, PITCH, flux_x, flux_y, pressure, density, energy);
}
static void end(void)
{
#pragma omp target exit data map(from: density[0:SIZE], energy[0:SIZE]) map(delete: pressure[0:SIZE], sound[0:SIZE]) \
    map(delete: u[0:SIZE], v[0:SIZE], flux_x[0:SIZE], flux_y[0:SIZE])
}
#else
static double *d_density, *d_energy, *d_pressure, *d_sound, *d_u, *d_v, *d_flux_x, *d_flux_y, *d_partial;
#define CELL                                                                                                  \
    const int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;    \
    if (i > n || j > n)                                                                                       \
        return;                                                                                               \
    const int here = i * pitch + j
__global__ void gas_law(int n, int pitch, const double *__restrict__ density, const double *__restrict__ energy, double *__restrict__ pressure, double *__restrict__ sound)
{
    CELL;
    const double d = density[here], volume = 1.0 / d, p = 0.4 * d * energy[here];
    pressure[here] = p;
    sound[here] = sqrt(volume * volume * (p * 0.4 * d + d * p));
}
__global__ void time_step(int n, int pitch, const double *__restrict__ sound, const double *__restrict__ u, const double *__restrict__ v, double *partial)
{
    __shared__ double shared[32];
    double dt = 1e-3;
    for (int i = blockIdx.x + 1; i <= n; i += gridDim.x)
        for (int j = threadIdx.x + 1; j <= n; j += blockDim.x) {
            const int here = i * pitch + j;
            dt = fmin(dt, 1e-4 / (sound[here] + fabs(u[here]) + fabs(v[here]) + 1e-12));
        }
    dt = block_reduce(dt, [](double a, double b) { return fmin(a, b); }, shared);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = dt;
}
__global__ void last_step(int blocks, double *partial)
{
    __shared__ double shared[32];
    double dt = 1e-3;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        dt = fmin(dt, partial[k]);
    dt = block_reduce(dt, [](double a, double b) { return fmin(a, b); }, shared);
    if (threadIdx.x == 0)
        partial[0] = dt;
}
__global__ void accelerate(int n, int pitch, double dt, const double *__restrict__ density, const double *__restrict__ p, double *__restrict__ u, double *__restrict__ v)
{
    CELL;
    const int up = here - pitch;
    const double mass = 0.25 * (density[here] + density[here - 1] + density[up] + density[up - 1]);
    u[here] -= dt / mass * (p[here] - p[here - 1] + p[up] - p[up - 1]);
    v[here] -= dt / mass * (p[here] - p[up] + p[here - 1] - p[up - 1]);
}
__global__ void fluxes(int n, int pitch, double dt, const double *__restrict__ u, const double *__restrict__ v, double *__restrict__ flux_x, double *__restrict__ flux_y)
{
    CELL;
    flux_x[here] = 0.25 * dt * (u[here] + u[here + pitch] + u[here] + u[here + pitch]);
    flux_y[here] = 0.25 * dt * (v[here] + v[here + 1] + v[here] + v[here + 1]);
}
__global__ void advance(int n, int pitch, const double *__restrict__ flux_x, const double *__restrict__ flux_y, const double *__restrict__ pressure, double *__restrict__ density, double *__restrict__ energy)
{
    CELL;
    const double change = flux_x[here + 1] - flux_x[here] + flux_y[here + pitch] - flux_y[here];
    const double d = density[here];
    energy[here] -= pressure[here] / d * change;
    density[here] = d * (1 - change);
}
static void begin(void)
{
    d_density = device_copy(density, SIZE), d_energy = device_copy(energy, SIZE), d_pressure = device_copy(pressure, SIZE);
    d_sound = device_copy(sound, SIZE), d_u = device_copy(u, SIZE), d_v = device_copy(v, SIZE);
    d_flux_x = device_copy(flux_x, SIZE), d_flux_y = device_copy(flux_y, SIZE), d_partial = device_new<double>(4096);
}
static void step(void)
{
    const dim3 grid(N / 64, N / 4), block(64, 4);
    const unsigned int blocks = resident_blocks(256);
    double dt;
    gas_law<<<grid, block>>>(N, PITCH, d_density, d_energy, d_pressure, d_sound);
    time_step<<<blocks, 256>>>(N, PITCH, d_sound, d_u, d_v, d_partial);
    last_step<<<1, 256>>>((int)blocks, d_partial);
    from_device(&dt, d_partial, 1);
    accelerate<<<grid, block>>>(N, PITCH, dt, d_density, d_pressure, d_u, d_v);
    fluxes<<<grid, block>>>(N, PITCH, dt, d_u, d_v, d_flux_x, d_flux_y);
    advance<<<grid, block>>>(N, PITCH, d_flux_x, d_flux_y, d_pressure, d_density, d_energy);
    device_wait();
}
static void end(void) { from_device(density, d_density, SIZE), from_device(energy, d_energy, SIZE); }
#endif
static int check(void)
{
    double mass = 0, heat = 0;
    for (size_t i = 1; i <= N; ++i)
        for (size_t j = 1; j <= N; ++j) {
            const double d = density[i * PITCH + j], e = energy[i * PITCH + j];
            if (!(d > 0.5 && d < 3 && e > 1 && e < 4))
                return 0;
            mass += d, heat += d * e;
        }
    return is_close(mass / N / N, 1.3, 0.01) && is_close(heat / mass, 2.05, 0.02);
}
#include "driver.h"
