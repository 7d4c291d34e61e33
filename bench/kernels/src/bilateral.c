/* image processing: a bilateral filter of 9 by 9, whose weights depend on distance and on difference; borders are left out */
#include "bench.h"
#define W 2048
#define H 2048
#define R 4
static const double bytes = 0;
static float *image, *result;
typedef struct {
    float space, range;
} Widths;
static const Widths widths = {0.08f, 12.0f};

static void setup(void)
{
    image = NEW(float, W * H), result = NEW(float, W * H);
    for (int i = 0; i < W * H; ++i)
        image[i] = (float)(next_random() & 1023) / 1024, result[i] = 0;
}
#define PIXEL(x, y)                                                                                                    \
    const float own = in[(y)*width + (x)];                                                                             \
    float total = 0, weights = 0;                                                                                      \
    for (int dy = -R; dy <= R; ++dy)                                                                                   \
        for (int dx = -R; dx <= R; ++dx) {                                                                             \
            const float other = in[((y) + dy) * width + (x) + dx], apart = other - own;                                \
            const float weight = expf(-(float)(dx * dx + dy * dy) * by.space - apart * apart * by.range);              \
            total += weight * other, weights += weight;                                                                \
        }
#ifndef __CUDACC__
static void smooth(int width, int height, Widths by, const float *in, float *out)
{
#pragma omp target teams loop collapse(2)
    for (int y = R; y < height - R; ++y)
        for (int x = R; x < width - R; ++x) {
            PIXEL(x, y)
            out[y * width + x] = total / weights;
        }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: image[0:W * H], result[0:W * H])
}
static void step(void) { smooth(W, H, widths, image, result); }
static void end(void)
{
#pragma omp target exit data map(from: result[0:W * H])
}
#else
static float *d_image, *d_result;
__global__ void smooth(int width, int height, Widths by, const float *__restrict__ in, float *__restrict__ out)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x + R, y = blockIdx.y * blockDim.y + threadIdx.y + R;
    if (x < width - R && y < height - R) {
        PIXEL(x, y)
        out[y * width + x] = total / weights;
    }
}
static void begin(void) { d_image = device_copy(image, W * H), d_result = device_copy(result, W * H); }
static void step(void)
{
    smooth<<<dim3(W / 32, H / 8), dim3(32, 8)>>>(W, H, widths, d_image, d_result);
    device_wait();
}
static void end(void) { from_device(result, d_result, W * H); }
#endif
static int check(void)
{
    const int width = W;
    const float *in = image;
    const Widths by = widths;
    for (int y = R; y < H - R; y += 101)
        for (int x = R; x < W - R; ++x) {
            PIXEL(x, y)
            if (!is_close(result[y * W + x], total / weights, 1e-4))
                return 0;
        }
    return result[0] == 0 && result[W * H - 1] == 0;
}
#include "driver.h"
