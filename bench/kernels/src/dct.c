/* image compression: the cosine transform and quantisation of blocks of 8 by 8, a team for each block, with two shared arrays and inner parallel loops */
#include "bench.h"
#define W 4096
#define H 2048
static const double bytes = 0;
static float *image, *table, *result;

static void setup(void)
{
    image = NEW(float, W * H), table = NEW(float, 64), result = NEW(float, W * H);
    for (int i = 0; i < W * H; ++i)
        image[i] = (float)(next_random() & 255) - 128;
    for (int u = 0; u < 8; ++u)
        for (int x = 0; x < 8; ++x)
            table[u * 8 + x] = (float)(cos((2 * x + 1) * u * 3.14159265358979 / 16) * (u ? 0.5 : 0.35355339059327));
}
#ifndef __CUDACC__
static void transform(int width, int height, const float *image, const float *table, float *result)
{
#pragma omp target teams distribute collapse(2) thread_limit(64)
    for (int by = 0; by < height / 8; ++by)
        for (int bx = 0; bx < width / 8; ++bx) {
            float pixel[8][8], half[8][8];
#pragma omp parallel for collapse(2)
            for (int y = 0; y < 8; ++y)
                for (int x = 0; x < 8; ++x)
                    pixel[y][x] = image[(by * 8 + y) * width + bx * 8 + x];
#pragma omp parallel for collapse(2)
            for (int y = 0; y < 8; ++y)
                for (int u = 0; u < 8; ++u) {
                    float sum = 0;
                    for (int x = 0; x < 8; ++x)
                        sum += pixel[y][x] * table[u * 8 + x];
                    half[y][u] = sum;
                }
#pragma omp parallel for collapse(2)
            for (int v = 0; v < 8; ++v)
                for (int u = 0; u < 8; ++u) {
                    float sum = 0;
                    for (int y = 0; y < 8; ++y)
                        sum += half[y][u] * table[v * 8 + y];
                    result[(by * 8 + v) * width + bx * 8 + u] = rintf(sum / (float)(8 + u + v));
                }
        }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: image[0:W * H], table[0:64]) map(alloc: result[0:W * H])
}
static void step(void) { transform(W, H, image, table, result); }
static void end(void)
{
#pragma omp target exit data map(from: result[0:W * H])
}
#else
static float *d_image, *d_table, *d_result;
__global__ void transform(int width, const float *__restrict__ image, const float *__restrict__ table, float *__restrict__ result)
{
    __shared__ float pixel[8][8], half[8][8];
    const int u = threadIdx.x, y = threadIdx.y, at = (blockIdx.y * 8 + y) * width + blockIdx.x * 8 + u;
    pixel[y][u] = image[at];
    __syncthreads();
    float sum = 0;
    for (int x = 0; x < 8; ++x)
        sum += pixel[y][x] * table[u * 8 + x];
    half[y][u] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < 8; ++k)
        sum += half[k][u] * table[y * 8 + k];
    result[at] = rintf(sum / (float)(8 + u + y));
}
static void begin(void) { d_image = device_copy(image, W * H), d_table = device_copy(table, 64), d_result = device_new<float>(W * H); }
static void step(void)
{
    transform<<<dim3(W / 8, H / 8), dim3(8, 8)>>>(W, d_image, d_table, d_result);
    device_wait();
}
static void end(void) { from_device(result, d_result, W * H); }
#endif
static int check(void)
{
    for (int by = 0; by < H / 8; by += 17)
        for (int bx = 0; bx < W / 8; ++bx)
            for (int v = 0; v < 8; ++v)
                for (int u = 0; u < 8; ++u) {
                    double sum = 0;
                    for (int y = 0; y < 8; ++y)
                        for (int x = 0; x < 8; ++x)
                            sum += (double)image[(by * 8 + y) * W + bx * 8 + x] * table[u * 8 + x] * table[v * 8 + y];
                    if (fabs(result[(by * 8 + v) * W + bx * 8 + u] - sum / (8 + u + v)) > 0.501)
                        return 0;
                }
    return 1;
}
#include "driver.h"
