/* direct Coulomb sums: the potential of many charges in the points of a slice, eight points of a row for each thread */
#include "bench.h"
#define WIDTH 1024
#define HEIGHT 512
#define ATOMS 4000
#define EACH 8
static const double bytes = 0;
typedef struct {
    float x, y, z, charge;
} Charge;
static Charge *atoms;
static float *potential;

static void setup(void)
{
    atoms = NEW(Charge, ATOMS), potential = NEW(float, WIDTH * HEIGHT);
    for (int i = 0; i < ATOMS; ++i)
        atoms[i] = (Charge){(float)(next_random() / 256 % 10240) / 100, (float)(next_random() / 256 % 5120) / 100, 1 + (float)(next_random() / 256 % 1000) / 100, (float)(i % 5 - 2)};
}
#ifndef __CUDACC__
static void coulomb(int width, int height, int count, float spacing, const Charge *atoms, float *potential)
{
    const int columns = width / EACH;
#pragma omp target teams distribute parallel for collapse(2) map(to: atoms[0:count]) map(from: potential[0:width * height])
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < columns; ++x) {
            float sum[EACH];
            for (int k = 0; k < EACH; ++k)
                sum[k] = 0;
            for (int a = 0; a < count; ++a) {
                const float dy = spacing * (float)y - atoms[a].y, others = dy * dy + atoms[a].z * atoms[a].z;
                for (int k = 0; k < EACH; ++k) {
                    const float dx = spacing * (float)(x + k * columns) - atoms[a].x;
                    sum[k] += atoms[a].charge / sqrtf(dx * dx + others);
                }
            }
            for (int k = 0; k < EACH; ++k)
                potential[y * width + x + k * columns] = sum[k];
        }
}
static void begin(void)
{
#pragma omp target enter data map(to: atoms[0:ATOMS]) map(alloc: potential[0:WIDTH * HEIGHT])
}
static void step(void) { coulomb(WIDTH, HEIGHT, ATOMS, 0.1f, atoms, potential); }
static void end(void)
{
#pragma omp target exit data map(from: potential[0:WIDTH * HEIGHT]) map(delete: atoms[0:ATOMS])
}
#else
static float *d_potential;
__constant__ Charge of_slice[ATOMS];
__global__ void coulomb(int width, int height, int count, float spacing, float *__restrict__ potential)
{
    const int columns = width / EACH, x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns || y >= height)
        return;
    float sum[EACH] = {};
    for (int a = 0; a < count; ++a) {
        const Charge atom = of_slice[a];
        const float dy = spacing * (float)y - atom.y, others = dy * dy + atom.z * atom.z;
#pragma unroll
        for (int k = 0; k < EACH; ++k) {
            const float dx = spacing * (float)(x + k * columns) - atom.x;
            sum[k] += atom.charge / sqrtf(dx * dx + others);
        }
    }
#pragma unroll
    for (int k = 0; k < EACH; ++k)
        potential[y * width + x + k * columns] = sum[k];
}
static void begin(void)
{
    cuda_check(cudaMemcpyToSymbol(of_slice, atoms, sizeof(Charge) * ATOMS));
    d_potential = device_new<float>(WIDTH * HEIGHT);
}
static void step(void)
{
    coulomb<<<dim3(blocks_for(WIDTH / EACH, 32), blocks_for(HEIGHT, 4)), dim3(32, 4)>>>(WIDTH, HEIGHT, ATOMS, 0.1f, d_potential);
    device_wait();
}
static void end(void) { from_device(potential, d_potential, WIDTH * HEIGHT); }
#endif
static int check(void)
{
    for (int i = 0; i < WIDTH * HEIGHT; i += 1009) {
        double sum = 0, size = 0;
        for (int a = 0; a < ATOMS; ++a) {
            const double dx = 0.1 * (i % WIDTH) - atoms[a].x, dy = 0.1 * (i / WIDTH) - atoms[a].y;
            const double one = atoms[a].charge / sqrt(dx * dx + dy * dy + (double)atoms[a].z * atoms[a].z);
            sum += one, size += fabs(one);
        }
        if (fabs(potential[i] - sum) > 1e-5 * (1 + size))
            return 0;
    }
    return 1;
}
#include "driver.h"
