/* lattice Boltzmann with cells as structures of nine numbers; only the loop over rows is distributed */
#include "bench.h"
#define NX 2048
#define NY 2048
static const double bytes = 72.0 * NX * NY;
typedef struct {
    float f[9];
} Cell;
static Cell *now, *next;

static void setup(void)
{
    now = NEW(Cell, NX *NY), next = NEW(Cell, NX *NY);
    for (int i = 0; i < NX * NY; ++i)
        for (int k = 0; k < 9; ++k)
            now[i].f[k] = 0.1f + 0.001f * (float)((i + 3 * k) % 17), next[i].f[k] = 0;
}
/* Streams to the cell, and lets it relax. */
#define RELAX(from, to, nx, ny, x, y)                                                                                  \
    static const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};                   \
    static const float weight[9] = {4 / 9.f,  1 / 9.f,  1 / 9.f,  1 / 9.f, 1 / 9.f,                                    \
                                    1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};                                           \
    float f[9], density = 0, u = 0, v = 0;                                                                             \
    for (int k = 0; k < 9; ++k) {                                                                                      \
        const int column = (x - dx[k] + nx) % nx, row = (y - dy[k] + ny) % ny;                                         \
        f[k] = from[row * nx + column].f[k];                                                                           \
        density += f[k], u += f[k] * (float)dx[k], v += f[k] * (float)dy[k];                                           \
    }                                                                                                                  \
    u /= density, v /= density;                                                                                        \
    for (int k = 0; k < 9; ++k) {                                                                                      \
        const float along = u * (float)dx[k] + v * (float)dy[k];                                                       \
        const float wanted = weight[k] * density * (1 + 3 * along + 4.5f * along * along - 1.5f * (u * u + v * v));    \
        to[y * nx + x].f[k] = f[k] + 0.6f * (wanted - f[k]);                                                           \
    }
#ifndef __CUDACC__
static void advance(int nx, int ny, const Cell *from, Cell *to)
{
#pragma omp target teams distribute parallel for
    for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) {
            RELAX(from, to, nx, ny, x, y)
        }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: now[0:NX * NY]) map(alloc: next[0:NX * NY])
}
static void step(void) { advance(NX, NY, now, next); }
static void end(void)
{
#pragma omp target exit data map(from: next[0:NX * NY])
}
#else
static Cell *dnow, *dnext;
__global__ void advance(int nx, int ny, const Cell *__restrict__ from, Cell *__restrict__ to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;
    RELAX(from, to, nx, ny, x, y)
}
static void begin(void) { dnow = device_copy(now, NX * NY), dnext = device_new<Cell>(NX * NY); }
static void step(void)
{
    advance<<<dim3(blocks_for(NX, 64), blocks_for(NY, 4)), dim3(64, 4)>>>(NX, NY, dnow, dnext);
    device_wait();
}
static void end(void) { from_device(next, dnext, NX * NY); }
#endif
static int check(void)
{
    Cell *right = NEW(Cell, NX *NY);
    for (int y = 0; y < NY; ++y)
        for (int x = 0; x < NX; ++x) {
            RELAX(now, right, NX, NY, x, y)
            for (int k = 0; k < 9; ++k)
                if (!is_close(next[y * NX + x].f[k], right[y * NX + x].f[k], 1e-5))
                    return 0;
        }
    return 1;
}
#include "driver.h"
