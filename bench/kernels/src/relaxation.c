/* a step of Jacobi's relaxation and its largest change; with -DTURNED the first loop is over the columns */
#include "bench.h"
#define N 4096
static const double bytes = 8.0 * N * N;
static float *in, *out, change;

static void setup(void)
{
    in = NEW(float, N * N), out = NEW(float, N * N);
    for (int i = 0; i < N * N; ++i)
        in[i] = (float)(next_random() % 1000), out[i] = 0;
}
#ifdef TURNED
#define LOOPS for (int j = 1; j < n - 1; ++j) for (int i = 1; i < n - 1; ++i)
#else
#define LOOPS for (int i = 1; i < n - 1; ++i) for (int j = 1; j < n - 1; ++j)
#endif
#ifndef __CUDACC__
static float relax(int n, const float *in, float *out)
{
    float most = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(max: most) map(to: in[0:n * n]) map(tofrom: out[0:n * n])
    LOOPS {
        out[i * n + j] = 0.25f * (in[(i - 1) * n + j] + in[(i + 1) * n + j] + in[i * n + j - 1] + in[i * n + j + 1]);
        most = fmaxf(most, fabsf(out[i * n + j] - in[i * n + j]));
    }
    return most;
}
static void begin(void)
{
#pragma omp target enter data map(to: in[0:N * N], out[0:N * N])
}
static void step(void) { change = relax(N, in, out); }
static void end(void)
{
#pragma omp target exit data map(from: out[0:N * N]) map(delete: in[0:N * N])
}
#else
static float *din, *dout;
static int *dmost;
__global__ void relax(int n, const float *__restrict__ in, float *__restrict__ out, int *most)
{
    __shared__ float found[8];
    const int j = blockIdx.x * blockDim.x + threadIdx.x + 1, thread = threadIdx.y * blockDim.x + threadIdx.x;
    float mine = 0;
    if (j < n - 1)
        for (int i = blockIdx.y * blockDim.y + threadIdx.y + 1; i < n - 1; i += gridDim.y * blockDim.y) {
            const float next = 0.25f * (in[(i - 1) * n + j] + in[(i + 1) * n + j] + in[i * n + j - 1] + in[i * n + j + 1]);
            out[i * n + j] = next;
            mine = fmaxf(mine, fabsf(next - in[i * n + j]));
        }
    for (int lanes = 16; lanes > 0; lanes /= 2)
        mine = fmaxf(mine, __shfl_down_sync(~0u, mine, lanes));
    if (thread % 32 == 0)
        found[thread / 32] = mine;
    __syncthreads();
    if (thread < 8) {
        mine = found[thread];
        for (int lanes = 4; lanes > 0; lanes /= 2)
            mine = fmaxf(mine, __shfl_down_sync(0xff, mine, lanes));
        if (thread == 0)
            atomicMax(most, __float_as_int(mine)); /* not negative */
    }
}
static void begin(void) { din = device_copy(in, N * N), dout = device_copy(out, N * N), dmost = device_new<int>(1); }
static void step(void)
{
    cuda_check(cudaMemsetAsync(dmost, 0, sizeof(int)));
    relax<<<dim3(N / 64, 16), dim3(64, 4)>>>(N, din, dout, dmost);
    cuda_check(cudaMemcpy(&change, dmost, sizeof(float), cudaMemcpyDeviceToHost));
}
static void end(void) { from_device(out, dout, N * N); }
#endif
static int check(void)
{
    float most = 0;
    for (int i = 1; i < N - 1; ++i)
        for (int j = 1; j < N - 1; ++j) {
            const float want = 0.25f * (in[(i - 1) * N + j] + in[(i + 1) * N + j] + in[i * N + j - 1] + in[i * N + j + 1]);
            most = fmaxf(most, fabsf(want - in[i * N + j]));
            if (!is_close(out[i * N + j], want, 1e-6))
                return 0;
        }
    return is_close(change, most, 1e-6);
}
#include "driver.h"
