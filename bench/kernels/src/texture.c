/* a texture filter: an image is turned, and each of its pixels mixed of sixteen bilinear samples, of four colours each */
#include "bench.h"
#define WIDTH 1024
#define HEIGHT 1024
#define SIZE 512
#define SAMPLES 4
static const double bytes = 0;
typedef struct {
    float red, green, blue, alpha;
} Pixel;
static Pixel *texture, *image;

static void setup(void)
{
    texture = NEW(Pixel, SIZE * SIZE), image = NEW(Pixel, WIDTH * HEIGHT);
    for (int i = 0; i < SIZE * SIZE; ++i)
        texture[i] = (Pixel){(float)(i % SIZE) / SIZE, (float)(i / SIZE) / SIZE, (float)(i % 97) / 97, 1};
}
#ifdef __CUDACC__
__host__ __device__
#endif
/* The colour of a place between four pixels; the texture begins again at its ends. */
static inline Pixel sample(const Pixel *texture, int size, float u, float v)
{
    const float x = floorf(u), y = floorf(v), right = u - x, down = v - y;
    const int x0 = (int)x & (size - 1), y0 = (int)y & (size - 1), x1 = (x0 + 1) & (size - 1), y1 = (y0 + 1) & (size - 1);
    const Pixel a = texture[y0 * size + x0], b = texture[y0 * size + x1], c = texture[y1 * size + x0], d = texture[y1 * size + x1];
    const float of_a = (1 - right) * (1 - down), of_b = right * (1 - down), of_c = (1 - right) * down, of_d = right * down;
    Pixel mixed;
    mixed.red = of_a * a.red + of_b * b.red + of_c * c.red + of_d * d.red;
    mixed.green = of_a * a.green + of_b * b.green + of_c * c.green + of_d * d.green;
    mixed.blue = of_a * a.blue + of_b * b.blue + of_c * c.blue + of_d * d.blue;
    mixed.alpha = of_a * a.alpha + of_b * b.alpha + of_c * c.alpha + of_d * d.alpha;
    return mixed;
}
#ifndef __CUDACC__
#pragma omp declare target(sample)
static void filter(int width, int height, int size, float cosine, float sine, const Pixel *texture, Pixel *image)
{
#pragma omp target teams distribute parallel for collapse(2) map(to: texture[0:size * size]) map(from: image[0:width * height])
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            Pixel sum = {0, 0, 0, 0};
            for (int j = 0; j < SAMPLES; ++j)
                for (int i = 0; i < SAMPLES; ++i) {
                    const float px = (float)x + (float)i / SAMPLES, py = (float)y + (float)j / SAMPLES;
                    const Pixel one = sample(texture, size, cosine * px - sine * py, sine * px + cosine * py);
                    sum.red += one.red, sum.green += one.green, sum.blue += one.blue, sum.alpha += one.alpha;
                }
            const float part = 1.0f / (SAMPLES * SAMPLES);
            sum.red *= part, sum.green *= part, sum.blue *= part, sum.alpha *= part;
            image[y * width + x] = sum;
        }
}
static void begin(void)
{
#pragma omp target enter data map(to: texture[0:SIZE * SIZE]) map(alloc: image[0:WIDTH * HEIGHT])
}
static void step(void) { filter(WIDTH, HEIGHT, SIZE, 0.6f, 0.8f, texture, image); }
static void end(void)
{
#pragma omp target exit data map(from: image[0:WIDTH * HEIGHT]) map(delete: texture[0:SIZE * SIZE])
}
#else
static float4 *d_texture, *d_image;
__global__ void filter(int width, int height, int size, float cosine, float sine, const float4 *__restrict__ texture, float4 *__restrict__ image)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll
    for (int j = 0; j < SAMPLES; ++j)
#pragma unroll
        for (int i = 0; i < SAMPLES; ++i) {
            const float px = (float)x + (float)i / SAMPLES, py = (float)y + (float)j / SAMPLES;
            const float u = cosine * px - sine * py, v = sine * px + cosine * py, left = floorf(u), top = floorf(v), right = u - left, down = v - top;
            const int x0 = (int)left & (size - 1), y0 = (int)top & (size - 1), x1 = (x0 + 1) & (size - 1), y1 = (y0 + 1) & (size - 1);
            const float4 a = texture[y0 * size + x0], b = texture[y0 * size + x1], c = texture[y1 * size + x0], d = texture[y1 * size + x1];
            const float of_a = (1 - right) * (1 - down), of_b = right * (1 - down), of_c = (1 - right) * down, of_d = right * down;
            sum.x += of_a * a.x + of_b * b.x + of_c * c.x + of_d * d.x;
            sum.y += of_a * a.y + of_b * b.y + of_c * c.y + of_d * d.y;
            sum.z += of_a * a.z + of_b * b.z + of_c * c.z + of_d * d.z;
            sum.w += of_a * a.w + of_b * b.w + of_c * c.w + of_d * d.w;
        }
    const float part = 1.0f / (SAMPLES * SAMPLES);
    image[y * width + x] = make_float4(part * sum.x, part * sum.y, part * sum.z, part * sum.w);
}
static void begin(void) { d_texture = device_copy((const float4 *)texture, SIZE * SIZE), d_image = device_new<float4>(WIDTH * HEIGHT); }
static void step(void)
{
    filter<<<dim3(blocks_for(WIDTH, 32), blocks_for(HEIGHT, 8)), dim3(32, 8)>>>(WIDTH, HEIGHT, SIZE, 0.6f, 0.8f, d_texture, d_image);
    device_wait();
}
static void end(void) { from_device((float4 *)image, d_image, WIDTH * HEIGHT); }
#endif
static int check(void)
{
    for (int i = 0; i < WIDTH * HEIGHT; i += 101) {
        double red = 0, blue = 0, alpha = 0;
        for (int s = 0; s < SAMPLES * SAMPLES; ++s) {
            const float px = (float)(i % WIDTH) + (float)(s % SAMPLES) / SAMPLES, py = (float)(i / WIDTH) + (float)(s / SAMPLES) / SAMPLES;
            const Pixel one = sample(texture, SIZE, 0.6f * px - 0.8f * py, 0.8f * px + 0.6f * py);
            red += one.red / (SAMPLES * SAMPLES), blue += one.blue / (SAMPLES * SAMPLES), alpha += one.alpha / (SAMPLES * SAMPLES);
        }
        if (fabs(image[i].red - red) > 2e-3 || fabs(image[i].blue - blue) > 2e-3 || fabs(image[i].alpha - alpha) > 1e-4)
            return 0;
    }
    return 1;
}
#include "driver.h"
