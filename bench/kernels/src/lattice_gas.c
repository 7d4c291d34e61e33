/* lattice Boltzmann in two dimensions with nine directions: collision and streaming in one pass, parameters in a structure by value */
#include "bench.h"
#define NX 4096
#define NY 2048
#define CELLS (NX * NY)
static const double bytes = 8.0 * 18 * CELLS;
typedef struct {
    int nx, ny;
    double omega, push;
} Parameters;
static double *from, *to;
static char *wall;

static void setup(void)
{
    from = NEW(double, 9 * CELLS), to = NEW(double, 9 * CELLS), wall = NEW(char, CELLS);
    for (int i = 0; i < 9 * CELLS; ++i)
        from[i] = 0.1 + 0.001 * (i % 17), to[i] = 0;
    for (int i = 0; i < CELLS; ++i)
        wall[i] = i % 1009 == 0;
}
static const Parameters chosen = {NX, NY, 1.7, 0.0001};
#define CELL(p, f, g, blocked, x, y)                                                                                   \
    const int w = x > 0 ? x - 1 : (p).nx - 1, e = x < (p).nx - 1 ? x + 1 : 0, s = y > 0 ? y - 1 : (p).ny - 1,         \
              n = y < (p).ny - 1 ? y + 1 : 0, at = y * (p).nx + x, all = (p).nx * (p).ny;                              \
    const double f0 = f[at], f1 = f[all + y * (p).nx + w], f2 = f[2 * all + s * (p).nx + x],                           \
                 f3 = f[3 * all + y * (p).nx + e], f4 = f[4 * all + n * (p).nx + x], f5 = f[5 * all + s * (p).nx + w], \
                 f6 = f[6 * all + s * (p).nx + e], f7 = f[7 * all + n * (p).nx + e], f8 = f[8 * all + n * (p).nx + w]; \
    if (blocked[at]) {                                                                                                 \
        g[at] = f0, g[all + at] = f3, g[2 * all + at] = f4, g[3 * all + at] = f1, g[4 * all + at] = f2;                \
        g[5 * all + at] = f7, g[6 * all + at] = f8, g[7 * all + at] = f5, g[8 * all + at] = f6;                        \
    } else {                                                                                                           \
        const double rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8, over = 1 / rho;                                 \
        const double u = (f1 + f5 + f8 - f3 - f6 - f7) * over + (p).push, v = (f2 + f5 + f6 - f4 - f7 - f8) * over;    \
        const double common = 1 - 1.5 * (u * u + v * v), a = 4.0 / 9 * rho, b = rho / 9, c = rho / 36;                 \
        g[at] = f0 + (p).omega * (a * common - f0);                                                                    \
        g[all + at] = f1 + (p).omega * (b * (common + 3 * u + 4.5 * u * u) - f1);                                      \
        g[2 * all + at] = f2 + (p).omega * (b * (common + 3 * v + 4.5 * v * v) - f2);                                  \
        g[3 * all + at] = f3 + (p).omega * (b * (common - 3 * u + 4.5 * u * u) - f3);                                  \
        g[4 * all + at] = f4 + (p).omega * (b * (common - 3 * v + 4.5 * v * v) - f4);                                  \
        g[5 * all + at] = f5 + (p).omega * (c * (common + 3 * (u + v) + 4.5 * (u + v) * (u + v)) - f5);                \
        g[6 * all + at] = f6 + (p).omega * (c * (common + 3 * (v - u) + 4.5 * (v - u) * (v - u)) - f6);                \
        g[7 * all + at] = f7 + (p).omega * (c * (common - 3 * (u + v) + 4.5 * (u + v) * (u + v)) - f7);                \
        g[8 * all + at] = f8 + (p).omega * (c * (common + 3 * (u - v) + 4.5 * (u - v) * (u - v)) - f8);                \
    }
#ifndef __CUDACC__
static void advance(Parameters p, const double *f, double *g, const char *blocked)
{
#pragma omp target teams distribute parallel for
    for (int y = 0; y < p.ny; ++y)
        for (int x = 0; x < p.nx; ++x) {
            CELL(p, f, g, blocked, x, y)
        }
}
static void begin(void)
{
#pragma omp target enter data map(to: from[0:9 * CELLS], wall[0:CELLS]) map(alloc: to[0:9 * CELLS])
}
static void step(void) { advance(chosen, from, to, wall); }
static void end(void)
{
#pragma omp target exit data map(from: to[0:9 * CELLS]) map(delete: from[0:9 * CELLS], wall[0:CELLS])
}
#else
static double *d_from, *d_to;
static char *d_wall;
__global__ void advance(Parameters p, const double *__restrict__ f, double *__restrict__ g, const char *__restrict__ blocked)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < p.nx) {
        CELL(p, f, g, blocked, x, y)
    }
}
static void begin(void) { d_from = device_copy(from, 9 * CELLS), d_to = device_new<double>(9 * CELLS), d_wall = device_copy(wall, CELLS); }
static void step(void)
{
    advance<<<dim3(NX / 128, NY), 128>>>(chosen, d_from, d_to, d_wall);
    device_wait();
}
static void end(void) { from_device(to, d_to, 9 * CELLS); }
#endif
static int check(void)
{
    double *wanted = NEW(double, 9 * CELLS);
    for (int y = 0; y < NY; y += 37)
        for (int x = 0; x < NX; ++x) {
            CELL(chosen, from, wanted, wall, x, y)
            for (int k = 0; k < 9; ++k)
                if (!is_close(to[k * CELLS + at], wanted[k * CELLS + at], 1e-10))
                    return 0;
        }
    return 1;
}
#include "driver.h"
