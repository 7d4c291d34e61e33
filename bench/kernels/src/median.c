/* image processing: the median of 3 by 3 bytes by sorting them in a local array, borders clamped */
#include "bench.h"
#define W 8192
#define H 4096
static const double bytes = 2.0 * W * H;
static unsigned char *image, *result;

static void setup(void)
{
    image = NEW(unsigned char, W * H), result = NEW(unsigned char, W * H);
    for (int i = 0; i < W * H; ++i)
        image[i] = (unsigned char)(next_random() >> 9);
}
#define CLAMP(x, n) ((x) < 0 ? 0 : (x) > (n)-1 ? (n)-1 : (x))
#define PIXEL(x, y)                                                                                                    \
    unsigned char v[9];                                                                                                \
    int n = 0;                                                                                                         \
    for (int dy = -1; dy <= 1; ++dy)                                                                                   \
        for (int dx = -1; dx <= 1; ++dx)                                                                               \
            v[n++] = in[CLAMP(y + dy, height) * width + CLAMP(x + dx, width)];                                         \
    for (int a = 0; a < 5; ++a)                                                                                        \
        for (int b = a + 1; b < 9; ++b)                                                                                \
            if (v[b] < v[a]) {                                                                                         \
                const unsigned char t = v[a];                                                                          \
                v[a] = v[b], v[b] = t;                                                                                 \
            }
#ifndef __CUDACC__
static void median(int width, int height, const unsigned char *in, unsigned char *out)
{
#pragma omp target teams distribute parallel for collapse(2) map(to: in[0:width * height]) map(from: out[0:width * height])
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            PIXEL(x, y)
            out[y * width + x] = v[4];
        }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: image[0:W * H]) map(alloc: result[0:W * H])
}
static void step(void) { median(W, H, image, result); }
static void end(void)
{
#pragma omp target exit data map(from: result[0:W * H])
}
#else
static unsigned char *d_image, *d_result;
__global__ void median(int width, int height, const unsigned char *__restrict__ in, unsigned char *__restrict__ out)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        PIXEL(x, y)
        out[y * width + x] = v[4];
    }
}
static void begin(void) { d_image = device_copy(image, W * H), d_result = device_new<unsigned char>(W * H); }
static void step(void)
{
    median<<<dim3(W / 32, H / 8), dim3(32, 8)>>>(W, H, d_image, d_result);
    device_wait();
}
static void end(void) { from_device(result, d_result, W * H); }
#endif
static int check(void)
{
    const int width = W, height = H;
    const unsigned char *in = image;
    for (int y = 0; y < H; y += y < 2 || y > H - 4 ? 1 : 63)
        for (int x = 0; x < W; ++x) {
            PIXEL(x, y)
            if (result[y * W + x] != v[4])
                return 0;
        }
    return 1;
}
#include "driver.h"
