/* five-point stencil, collapse(2) over the inside */
#include "bench.h"
#define N 8192
static const double bytes = 8.0 * N * N;
static float *in, *out;

static void setup(void)
{
    in = NEW(float, N * N), out = NEW(float, N * N);
    for (int i = 0; i < N * N; ++i)
        in[i] = (float)(i % 13), out[i] = 0;
}
#ifndef __CUDACC__
static void stencil(int n, const float *in, float *out)
{
#pragma omp target teams distribute parallel for collapse(2) map(to: in[0:n * n]) map(tofrom: out[0:n * n])
    for (int i = 1; i < n - 1; ++i)
        for (int j = 1; j < n - 1; ++j)
            out[i * n + j] = 0.5f * in[i * n + j] + 0.125f * (in[(i - 1) * n + j] + in[(i + 1) * n + j] + in[i * n + j - 1] + in[i * n + j + 1]);
}
static void begin(void)
{
#pragma omp target enter data map(to: in[0:N * N], out[0:N * N])
}
static void step(void) { stencil(N, in, out); }
static void end(void)
{
#pragma omp target exit data map(from: out[0:N * N]) map(delete: in[0:N * N])
}
#else
static float *din, *dout;
__global__ void stencil(int n, const float *__restrict__ in, float *__restrict__ out)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i < n - 1 && j < n - 1)
        out[i * n + j] = 0.5f * in[i * n + j] + 0.125f * (in[(i - 1) * n + j] + in[(i + 1) * n + j] + in[i * n + j - 1] + in[i * n + j + 1]);
}
static void begin(void) { din = device_copy(in, N * N), dout = device_copy(out, N * N); }
static void step(void)
{
    stencil<<<dim3(N / 64, N / 4), dim3(64, 4)>>>(N, din, dout);
    device_wait();
}
static void end(void) { from_device(out, dout, N * N); }
#endif
static int check(void)
{
    for (int i = 1; i < N - 1; i += 37)
        for (int j = 1; j < N - 1; ++j) {
            const float want = 0.5f * in[i * N + j] + 0.125f * (in[(i - 1) * N + j] + in[(i + 1) * N + j] + in[i * N + j - 1] + in[i * N + j + 1]);
            if (!is_close(out[i * N + j], want, 1e-6))
                return 0;
        }
    return 1;
}
#include "driver.h"
