/* escape times of a fractal: a while loop of different length in every pixel, no input at all */
#include "bench.h"
#define WIDTH 4096
#define HEIGHT 3072
#define MOST 512
static const double bytes = 0;
static unsigned short *image;

static void setup(void) { image = NEW(unsigned short, WIDTH * HEIGHT); }
#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif
BOTH static int escape(double cx, double cy, int most)
{
    double x = 0, y = 0;
    int n = 0;
    while (x * x + y * y <= 4 && n < most) {
        const double next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        ++n;
    }
    return n;
}
#ifndef __CUDACC__
static void draw(unsigned short *image, int width, int height, int most, double left, double top, double pixel)
{
#pragma omp target teams distribute parallel for collapse(2) map(from: image[0:width * height])
    for (int j = 0; j < height; ++j)
        for (int i = 0; i < width; ++i)
            image[j * width + i] = (unsigned short)escape(left + i * pixel, top + j * pixel, most);
}
static void begin(void)
{
#pragma omp target enter data map(alloc: image[0:WIDTH * HEIGHT])
}
static void step(void) { draw(image, WIDTH, HEIGHT, MOST, -2.2, -1.2, 3.2 / WIDTH); }
static void end(void)
{
#pragma omp target exit data map(from: image[0:WIDTH * HEIGHT])
}
#else
static unsigned short *d_image;
__global__ void draw(unsigned short *__restrict__ image, int width, int height, int most, double left, double top, double pixel)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < width && j < height)
        image[j * width + i] = (unsigned short)escape(left + i * pixel, top + j * pixel, most);
}
static void begin(void) { d_image = device_new<unsigned short>(WIDTH * HEIGHT); }
static void step(void)
{
    draw<<<dim3(WIDTH / 32, HEIGHT / 8), dim3(32, 8)>>>(d_image, WIDTH, HEIGHT, MOST, -2.2, -1.2, 3.2 / WIDTH);
    device_wait();
}
static void end(void) { from_device(image, d_image, WIDTH * HEIGHT); }
#endif
static int check(void)
{
    int wrong = 0; /* fused operations round differently */
    for (int j = 0; j < HEIGHT; j += 61)
        for (int i = 0; i < WIDTH; i += 7)
            wrong += abs(image[j * WIDTH + i] - escape(-2.2 + i * (3.2 / WIDTH), -1.2 + j * (3.2 / WIDTH), MOST)) > 2;
    return wrong < WIDTH * HEIGHT / 61 / 7 / 50;
}
#include "driver.h"
