/* speckle reducing diffusion: statistics, coefficients, update. Version 1 looks neighbours up in index arrays, version 2
 * (-DVERSION=2) computes them in a two-dimensional loop. */
#include "bench.h"
#ifndef VERSION
#define VERSION 1
#endif
#define N 2048
static const double bytes = 0;
static float *image, *result, *dn, *ds, *dw, *de, *coef;
static int *up, *down, *left, *right;

static void setup(void)
{
    image = NEW(float, N * N), result = NEW(float, N * N), coef = NEW(float, N * N);
    dn = NEW(float, N * N), ds = NEW(float, N * N), dw = NEW(float, N * N), de = NEW(float, N * N);
    up = NEW(int, N), down = NEW(int, N), left = NEW(int, N), right = NEW(int, N);
    for (int i = 0; i < N * N; ++i)
        image[i] = expf((float)(i * 37 % 255) / 255), result[i] = 0;
    for (int i = 0; i < N; ++i) {
        up[i] = left[i] = i > 0 ? i - 1 : 0;
        down[i] = right[i] = i < N - 1 ? i + 1 : N - 1;
    }
}
#define GRADIENT(img, north, south, west, east, k)                                                                     \
    const float center = img[k], dN = img[north] - center, dS = img[south] - center, dW = img[west] - center, dE = img[east] - center; \
    const float g2 = (dN * dN + dS * dS + dW * dW + dE * dE) / (center * center), l = (dN + dS + dW + dE) / center;    \
    const float num = 0.5f * g2 - 0.0625f * (l * l), den = 1 + 0.25f * l, q = num / (den * den);                       \
    float c = 1.0f / (1.0f + (q - q0) / (q0 * (1 + q0)));                                                              \
    c = c < 0 ? 0 : c > 1 ? 1 : c;
#ifndef __CUDACC__
static void srad(int n, const float *image, float *out, float *dn, float *ds, float *dw, float *de, float *coef, const int *up,
                 const int *down, const int *left, const int *right)
{
    float sum = 0, squares = 0;
#pragma omp target teams distribute parallel for reduction(+: sum, squares) map(to: image[0:n * n]) map(tofrom: sum, squares)
    for (int i = 0; i < n * n; ++i) {
        sum += image[i];
        squares += image[i] * image[i];
    }
    const float mean = sum / (float)(n * n), variance = squares / (float)(n * n) - mean * mean, q0 = variance / (mean * mean);
#if VERSION == 1
#pragma omp target teams distribute parallel for map(to: image[0:n * n], up[0:n], down[0:n], left[0:n], right[0:n]) \
    map(tofrom: dn[0:n * n], ds[0:n * n], dw[0:n * n], de[0:n * n], coef[0:n * n])
    for (int j = 0; j < n * n; ++j) {
        const int row = j / n, col = j % n;
        GRADIENT(image, up[row] * n + col, down[row] * n + col, row * n + left[col], row * n + right[col], j)
        dn[j] = dN;
        ds[j] = dS;
        dw[j] = dW;
        de[j] = dE;
        coef[j] = c;
    }
#pragma omp target teams distribute parallel for map(to: image[0:n * n], down[0:n], right[0:n], dn[0:n * n], ds[0:n * n], dw[0:n * n], de[0:n * n], coef[0:n * n]) map(from: out[0:n * n])
    for (int j = 0; j < n * n; ++j) {
        const int row = j / n, col = j % n;
        const float cN = coef[j], cS = coef[down[row] * n + col], cE = coef[row * n + right[col]];
        out[j] = image[j] + 0.125f * (cN * dn[j] + cS * ds[j] + cN * dw[j] + cE * de[j]);
    }
#else
#pragma omp target teams distribute parallel for collapse(2) map(to: image[0:n * n]) \
    map(tofrom: dn[0:n * n], ds[0:n * n], dw[0:n * n], de[0:n * n], coef[0:n * n])
    for (int row = 0; row < n; ++row)
        for (int col = 0; col < n; ++col) {
            const int k = row * n + col;
            GRADIENT(image, (row > 0 ? row - 1 : 0) * n + col, (row < n - 1 ? row + 1 : row) * n + col, row * n + (col > 0 ? col - 1 : 0), row * n + (col < n - 1 ? col + 1 : col), k)
            dn[k] = dN;
            ds[k] = dS;
            dw[k] = dW;
            de[k] = dE;
            coef[k] = c;
        }
#pragma omp target teams distribute parallel for collapse(2) map(to: image[0:n * n], dn[0:n * n], ds[0:n * n], dw[0:n * n], de[0:n * n], coef[0:n * n]) map(from: out[0:n * n])
    for (int row = 0; row < n; ++row)
        for (int col = 0; col < n; ++col) {
            const int k = row * n + col;
            const float cN = coef[k], cS = coef[(row < n - 1 ? row + 1 : row) * n + col], cE = coef[row * n + (col < n - 1 ? col + 1 : col)];
            out[k] = image[k] + 0.125f * (cN * dn[k] + cS * ds[k] + cN * dw[k] + cE * de[k]);
        }
#endif
}
static void begin(void)
{
#pragma omp target enter data map(to: image[0:N * N], up[0:N], down[0:N], left[0:N], right[0:N]) \
    map(alloc: result[0:N * N], dn[0:N * N], ds[0:N * N], dw[0:N * N], de[0:N * N], coef[0:N * N])
}
static void step(void) { srad(N, image, result, dn, ds, dw, de, coef, up, down, left, right); }
static void end(void)
{
#pragma omp target exit data map(from: result[0:N * N]) map(delete: image[0:N * N], up[0:N], down[0:N], left[0:N], right[0:N], dn[0:N * N], ds[0:N * N], dw[0:N * N], de[0:N * N], coef[0:N * N])
}
#else
static float *gimage, *gout, *gdn, *gds, *gdw, *gde, *gcoef, *gsums;
static int *gup, *gdown, *gleft, *gright;
__global__ void statistics(int n, const float *__restrict__ image, float *sums)
{
    __shared__ float a[32], b[32];
    float sum = 0, squares = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float v = image[i];
        sum += v, squares += v * v;
    }
    sum = block_reduce(sum, [](float x, float y) { return x + y; }, a);
    squares = block_reduce(squares, [](float x, float y) { return x + y; }, b);
    if (threadIdx.x == 0)
        atomicAdd(&sums[0], sum), atomicAdd(&sums[1], squares);
}
#if VERSION == 1
__global__ void coefficients(int n, float q0, const float *__restrict__ image, float *__restrict__ dn, float *__restrict__ ds,
                             float *__restrict__ dw, float *__restrict__ de, float *__restrict__ coef, const int *__restrict__ up,
                             const int *__restrict__ down, const int *__restrict__ left, const int *__restrict__ right)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n * n)
        return;
    const int row = j / n, col = j % n;
    GRADIENT(image, up[row] * n + col, down[row] * n + col, row * n + left[col], row * n + right[col], j)
    dn[j] = dN, ds[j] = dS, dw[j] = dW, de[j] = dE, coef[j] = c;
}
__global__ void diffuse(int n, const float *__restrict__ image, const float *__restrict__ dn, const float *__restrict__ ds,
                        const float *__restrict__ dw, const float *__restrict__ de, const float *__restrict__ coef,
                        const int *__restrict__ down, const int *__restrict__ right, float *__restrict__ out)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n * n)
        return;
    const int row = j / n, col = j % n;
    const float cN = coef[j], cS = coef[down[row] * n + col], cE = coef[row * n + right[col]];
    out[j] = image[j] + 0.125f * (cN * dn[j] + cS * ds[j] + cN * dw[j] + cE * de[j]);
}
#else
__global__ void coefficients(int n, float q0, const float *__restrict__ image, float *__restrict__ dn, float *__restrict__ ds,
                             float *__restrict__ dw, float *__restrict__ de, float *__restrict__ coef)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y, k = row * n + col;
    if (row >= n || col >= n)
        return;
    GRADIENT(image, (row > 0 ? row - 1 : 0) * n + col, (row < n - 1 ? row + 1 : row) * n + col, row * n + (col > 0 ? col - 1 : 0), row * n + (col < n - 1 ? col + 1 : col), k)
    dn[k] = dN, ds[k] = dS, dw[k] = dW, de[k] = dE, coef[k] = c;
}
__global__ void diffuse(int n, const float *__restrict__ image, const float *__restrict__ dn, const float *__restrict__ ds,
                        const float *__restrict__ dw, const float *__restrict__ de, const float *__restrict__ coef, float *__restrict__ out)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y, k = row * n + col;
    if (row >= n || col >= n)
        return;
    const float cN = coef[k], cS = coef[(row < n - 1 ? row + 1 : row) * n + col], cE = coef[row * n + (col < n - 1 ? col + 1 : col)];
    out[k] = image[k] + 0.125f * (cN * dn[k] + cS * ds[k] + cN * dw[k] + cE * de[k]);
}
#endif
static void begin(void)
{
    gimage = device_copy(image, N * N), gout = device_new<float>(N * N), gcoef = device_new<float>(N * N), gsums = device_new<float>(2);
    gdn = device_new<float>(N * N), gds = device_new<float>(N * N), gdw = device_new<float>(N * N), gde = device_new<float>(N * N);
    gup = device_copy(up, N), gdown = device_copy(down, N), gleft = device_copy(left, N), gright = device_copy(right, N);
}
static void step(void)
{
    float sums[2] = {0, 0};
    to_device(gsums, sums, 2);
    statistics<<<resident_blocks(256), 256>>>(N * N, gimage, gsums);
    from_device(sums, gsums, 2);
    const float mean = sums[0] / (float)(N * N), variance = sums[1] / (float)(N * N) - mean * mean, q0 = variance / (mean * mean);
#if VERSION == 1
    coefficients<<<blocks_for(N * N, 256), 256>>>(N, q0, gimage, gdn, gds, gdw, gde, gcoef, gup, gdown, gleft, gright);
    diffuse<<<blocks_for(N * N, 256), 256>>>(N, gimage, gdn, gds, gdw, gde, gcoef, gdown, gright, gout);
#else
    coefficients<<<dim3(N / 64, N / 4), dim3(64, 4)>>>(N, q0, gimage, gdn, gds, gdw, gde, gcoef);
    diffuse<<<dim3(N / 64, N / 4), dim3(64, 4)>>>(N, gimage, gdn, gds, gdw, gde, gcoef, gout);
#endif
    device_wait();
}
static void end(void) { from_device(result, gout, N * N); }
#endif
static int check(void)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < N * N; ++i)
        sum += image[i], squares += (double)image[i] * image[i];
    const double mean = sum / (N * N), variance = squares / (N * N) - mean * mean;
    const float q0 = (float)(variance / (mean * mean));
    for (int row = 0; row < N; ++row)
        for (int col = 0; col < N; ++col) {
            const int k = row * N + col;
            GRADIENT(image, up[row] * N + col, down[row] * N + col, row * N + left[col], row * N + right[col], k)
            dn[k] = dN, ds[k] = dS, dw[k] = dW, de[k] = dE, coef[k] = c;
        }
    for (int k = 0; k < N * N; ++k) {
        const float cS = coef[down[k / N] * N + k % N], cE = coef[k / N * N + right[k % N]];
        if (!is_close(result[k], image[k] + 0.125f * (coef[k] * dn[k] + cS * ds[k] + coef[k] * dw[k] + cE * de[k]), 2e-2))
            return 0;
    }
    return 1;
}
#include "driver.h"
