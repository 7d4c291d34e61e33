/* entropy of an image: each pixel counts the grey values around it in a short private array */
#include "bench.h"
#define WIDTH 2048
#define HEIGHT 2048
#define RADIUS 2
#define BINS 16
#define AROUND ((2 * RADIUS + 1) * (2 * RADIUS + 1))
static const double bytes = 0;
static unsigned char *image;
static float *entropy, logs[AROUND + 1]; /* of each count */

static void setup(void)
{
    image = NEW(unsigned char, WIDTH * HEIGHT), entropy = NEW(float, WIDTH * HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        image[i] = (unsigned char)(((i % WIDTH / 7 ^ i / WIDTH / 5) + next_random() / 4096 % 5) % BINS);
    for (int n = 1; n <= AROUND; ++n)
        logs[n] = -(float)n / AROUND * log2f((float)n / AROUND);
}
#ifndef __CUDACC__
static void entropies(int width, int height, const unsigned char *image, const float *logs, float *entropy)
{
#pragma omp target teams distribute parallel for collapse(2) map(to: image[0:width * height], logs[0:AROUND + 1]) map(from: entropy[0:width * height])
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            unsigned char count[BINS];
            float sum = 0;
            for (int b = 0; b < BINS; ++b)
                count[b] = 0;
            for (int dy = -RADIUS; dy <= RADIUS; ++dy)
                for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
                    const int row = y + dy < 0 ? 0 : y + dy >= height ? height - 1 : y + dy, column = x + dx < 0 ? 0 : x + dx >= width ? width - 1 : x + dx;
                    count[image[row * width + column]]++;
                }
            for (int b = 0; b < BINS; ++b)
                sum += logs[count[b]];
            entropy[y * width + x] = sum;
        }
}
static void begin(void)
{
#pragma omp target enter data map(to: image[0:WIDTH * HEIGHT], logs) map(alloc: entropy[0:WIDTH * HEIGHT])
}
static void step(void) { entropies(WIDTH, HEIGHT, image, logs, entropy); }
static void end(void)
{
#pragma omp target exit data map(from: entropy[0:WIDTH * HEIGHT]) map(delete: image[0:WIDTH * HEIGHT], logs)
}
#else
static unsigned char *d_image;
static float *d_logs, *d_entropy;
__global__ void entropies(int width, int height, const unsigned char *__restrict__ image, const float *__restrict__ logs, float *__restrict__ entropy)
{
    __shared__ unsigned char count[BINS][256];
    __shared__ float log_of[AROUND + 1];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, thread = threadIdx.y * 32 + threadIdx.x;
    if (thread <= AROUND)
        log_of[thread] = logs[thread];
    for (int b = 0; b < BINS; ++b)
        count[b][thread] = 0;
    __syncthreads();
    if (x >= width || y >= height)
        return;
    for (int dy = -RADIUS; dy <= RADIUS; ++dy)
        for (int dx = -RADIUS; dx <= RADIUS; ++dx)
            count[image[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)]][thread]++;
    float sum = 0;
    for (int b = 0; b < BINS; ++b)
        sum += log_of[count[b][thread]];
    entropy[y * width + x] = sum;
}
static void begin(void)
{
    d_image = device_copy(image, WIDTH * HEIGHT), d_logs = device_copy(logs, AROUND + 1), d_entropy = device_new<float>(WIDTH * HEIGHT);
}
static void step(void)
{
    entropies<<<dim3(blocks_for(WIDTH, 32), blocks_for(HEIGHT, 8)), dim3(32, 8)>>>(WIDTH, HEIGHT, d_image, d_logs, d_entropy);
    device_wait();
}
static void end(void) { from_device(entropy, d_entropy, WIDTH * HEIGHT); }
#endif
static int check(void)
{
    for (int y = 0; y < HEIGHT; y += 3)
        for (int x = 0; x < WIDTH; x += 7) {
            int count[BINS] = {0};
            double sum = 0;
            for (int dy = -RADIUS; dy <= RADIUS; ++dy)
                for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
                    const int row = y + dy < 0 ? 0 : y + dy >= HEIGHT ? HEIGHT - 1 : y + dy, column = x + dx < 0 ? 0 : x + dx >= WIDTH ? WIDTH - 1 : x + dx;
                    count[image[row * WIDTH + column]]++;
                }
            for (int b = 0; b < BINS; ++b)
                sum += logs[count[b]];
            if (fabs(entropy[y * WIDTH + x] - sum) > 1e-4)
                return 0;
        }
    return 1;
}
#include "driver.h"
