/* image processing: a Gaussian of 7 by 7 in two passes over pixels of four bytes, clamped at the borders */
#include "bench.h"
#define WIDTH 3840
#define HEIGHT 2160
#define RADIUS 3
static const double bytes = 4.0 * 4 * WIDTH * HEIGHT;
typedef struct {
    unsigned char r, g, b, a;
} Pixel;
static Pixel *input, *between, *output;
static float *weights;

static void setup(void)
{
    input = NEW(Pixel, WIDTH * HEIGHT), between = NEW(Pixel, WIDTH * HEIGHT), output = NEW(Pixel, WIDTH * HEIGHT);
    weights = NEW(float, 2 * RADIUS + 1);
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        const int v = next_random();
        input[i] = (Pixel){(unsigned char)v, (unsigned char)(v >> 8), (unsigned char)(v >> 16), 255};
    }
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; ++k)
        sum += weights[k + RADIUS] = expf(-(float)(k * k) / 4);
    for (int k = 0; k <= 2 * RADIUS; ++k)
        weights[k] /= sum;
}
#define PASS(from, to, w, i, j, X, Y)                                                                                  \
    float r = 0.5f, g = 0.5f, b = 0.5f, a = 0.5f;                                                                      \
    for (int k = -RADIUS; k <= RADIUS; ++k) {                                                                          \
        int x = i + (X) * k, y = j + (Y) * k;                                                                          \
        x = x < 0 ? 0 : x >= width ? width - 1 : x;                                                                    \
        y = y < 0 ? 0 : y >= height ? height - 1 : y;                                                                  \
        const Pixel pixel = from[y * width + x];                                                                       \
        const float weight = w[k + RADIUS];                                                                            \
        r += weight * (float)pixel.r, g += weight * (float)pixel.g, b += weight * (float)pixel.b, a += weight * (float)pixel.a; \
    }                                                                                                                  \
    Pixel result;                                                                                                      \
    result.r = (unsigned char)r, result.g = (unsigned char)g, result.b = (unsigned char)b, result.a = (unsigned char)a; \
    to[j * width + i] = result;
#ifndef __CUDACC__
static void blur(int width, int height, const Pixel *from, Pixel *middle, Pixel *to, const float *w)
{
#pragma omp target teams distribute parallel for collapse(2)
    for (int j = 0; j < height; ++j)
        for (int i = 0; i < width; ++i) {
            PASS(from, middle, w, i, j, 1, 0)
        }
#pragma omp target teams distribute parallel for collapse(2)
    for (int j = 0; j < height; ++j)
        for (int i = 0; i < width; ++i) {
            PASS(middle, to, w, i, j, 0, 1)
        }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: input[0:WIDTH * HEIGHT], weights[0:2 * RADIUS + 1]) map(alloc: between[0:WIDTH * HEIGHT], output[0:WIDTH * HEIGHT])
}
static void step(void) { blur(WIDTH, HEIGHT, input, between, output, weights); }
static void end(void)
{
#pragma omp target exit data map(from: output[0:WIDTH * HEIGHT]) map(delete: input[0:WIDTH * HEIGHT], between[0:WIDTH * HEIGHT])
}
#else
static Pixel *d_input, *d_between, *d_output;
static float *d_weights;
template <int X, int Y>
__global__ void pass(int width, int height, const Pixel *__restrict__ from, Pixel *__restrict__ to, const float *__restrict__ w)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < width && j < height) {
        PASS(from, to, w, i, j, X, Y)
    }
}
static void begin(void)
{
    d_input = device_copy(input, WIDTH * HEIGHT), d_weights = device_copy(weights, 2 * RADIUS + 1);
    d_between = device_new<Pixel>(WIDTH * HEIGHT), d_output = device_new<Pixel>(WIDTH * HEIGHT);
}
static void step(void)
{
    const dim3 grid(WIDTH / 64, HEIGHT / 4), block(64, 4);
    pass<1, 0><<<grid, block>>>(WIDTH, HEIGHT, d_input, d_between, d_weights);
    pass<0, 1><<<grid, block>>>(WIDTH, HEIGHT, d_between, d_output, d_weights);
    device_wait();
}
static void end(void) { from_device(output, d_output, WIDTH * HEIGHT); }
#endif
static int check(void)
{
    const int width = WIDTH, height = HEIGHT;
    int wrong = 0;
    for (int j = 0; j < height; ++j)
        for (int i = 0; i < width; ++i) {
            PASS(input, between, weights, i, j, 1, 0)
        }
    for (int j = 0; j < height; j += 7)
        for (int i = 0; i < width; ++i) {
            const Pixel got = output[j * width + i];
            PASS(between, output, weights, i, j, 0, 1)
            wrong += abs(got.r - result.r) > 1 || abs(got.g - result.g) > 1 || abs(got.b - result.b) > 1 || got.a < 254;
        }
    return wrong == 0;
}
#include "driver.h"
