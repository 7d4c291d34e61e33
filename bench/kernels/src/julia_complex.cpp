/* a Julia set with std::complex, one thread a point */
#include "bench.h"
#include <complex>
#define W 4096
#define H 4096
#define MOST 200
static const double bytes = 0;
static unsigned short *image;

#ifdef __CUDACC__
static unsigned short *d_image;
__global__ void julia(int width, int height, float re, float im, unsigned short *__restrict__ image)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        float a = 3.0f * x / width - 1.5f, b = 3.0f * y / height - 1.5f;
        int n = 0;
        while (n < MOST && a * a + b * b < 4) {
            const float t = a * a - b * b + re;
            b = 2 * a * b + im, a = t, ++n;
        }
        image[y * width + x] = (unsigned short)n;
    }
}
#else
static void julia(int width, int height, std::complex<float> c, unsigned short *image)
{
#pragma omp target teams distribute parallel for collapse(2) map(from: image[0:width * height])
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            std::complex<float> z(3.0f * x / width - 1.5f, 3.0f * y / height - 1.5f);
            int n = 0;
            while (n < MOST && std::norm(z) < 4) {
                z = std::complex<float>(z.real() * z.real() - z.imag() * z.imag(), 2 * z.real() * z.imag()) + c;
                ++n;
            }
            image[y * width + x] = (unsigned short)n;
        }
}
#endif

static void setup(void) { image = NEW(unsigned short, W * H); }
static void begin(void)
{
#ifdef __CUDACC__
    d_image = device_new<unsigned short>(W * H);
#else
#pragma omp target enter data map(alloc: image[0:W * H])
#endif
}
static void step(void)
{
#ifdef __CUDACC__
    julia<<<dim3(W / 32, H / 8), dim3(32, 8)>>>(W, H, -0.8f, 0.156f, d_image);
    device_wait();
#else
    julia(W, H, std::complex<float>(-0.8f, 0.156f), image);
#endif
}
static void end(void)
{
#ifdef __CUDACC__
    from_device(image, d_image, W * H);
#else
#pragma omp target exit data map(from: image[0:W * H])
#endif
}
static int check(void)
{
    int differ = 0, seen = 0;
    for (int y = 0; y < H; y += 37)
        for (int x = 0; x < W; x += 3) {
            float a = 3.0f * x / W - 1.5f, b = 3.0f * y / H - 1.5f;
            int n = 0;
            while (n < MOST && a * a + b * b < 4) {
                const float t = a * a - b * b - 0.8f;
                b = 2 * a * b + 0.156f, a = t, ++n;
            }
            differ += abs(image[y * W + x] - n) > 1, ++seen;
        }
    return differ * 20 < seen; /* the last bits decide chaotic points */
}
#include "driver.h"
