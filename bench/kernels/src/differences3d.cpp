/* finite differences in three dimensions: a team for each column of tiles, a plane of which lies in an array; threads keep what is above and below */
#include "bench.h"
#ifndef __CUDACC__
#include <omp.h>
#endif
#define RADIUS 4
#define WIDTH 32
#define HEIGHT 8
#define NX 384
#define NY 256
#define NZ 192
#define PITCH (NX + 2 * RADIUS)
#define PLANE (PITCH * (NY + 2 * RADIUS))
#define SIZE ((size_t)PLANE * (NZ + 2 * RADIUS))
static const double bytes = 8.0 * NX * NY * NZ;
static float *in, *out;
static const float weights[RADIUS + 1] = {0.5f, 0.11f, -0.04f, 0.02f, -0.01f};

static void setup(void)
{
    in = NEW(float, SIZE), out = NEW(float, SIZE);
    for (size_t i = 0; i < SIZE; ++i)
        in[i] = (float)(i % 1013) / 256, out[i] = 0;
}
#ifndef __CUDACC__
template <class T, int Radius> struct Stencil {
    T weight[Radius + 1];
    void apply(int nx, int ny, int nz, const T *in, T *out) const
    {
        constexpr int threads = WIDTH * HEIGHT;
        const int pitch = nx + 2 * Radius, plane = pitch * (ny + 2 * Radius);
        const Stencil s = *this;
#pragma omp target teams distribute collapse(2) thread_limit(threads) firstprivate(s) map(to: in[0:(size_t)plane * (nz + 2 * Radius)]) map(tofrom: out[0:(size_t)plane * (nz + 2 * Radius)])
        for (int top = 0; top < ny; top += HEIGHT)
            for (int left = 0; left < nx; left += WIDTH) {
                T tile[HEIGHT + 2 * Radius][WIDTH + 2 * Radius];
#pragma omp parallel num_threads(threads)
                {
                    const int x = omp_get_thread_num() % WIDTH, y = omp_get_thread_num() / WIDTH;
                    const T *at = in + (top + y + Radius) * pitch + left + x + Radius;
                    T *to = out + (top + y + Radius) * pitch + left + x + Radius;
                    T behind[Radius], ahead[Radius + 1];
                    for (int r = 0; r < Radius; ++r)
                        behind[r] = at[(Radius - 1 - r) * plane], ahead[r] = at[(Radius + r) * plane];
                    for (int z = 0; z < nz; ++z) {
                        ahead[Radius] = at[(z + 2 * Radius) * plane];
#pragma omp barrier
                        tile[y + Radius][x + Radius] = ahead[0];
                        if (y < Radius) {
                            tile[y][x + Radius] = at[(z + Radius) * plane - Radius * pitch];
                            tile[y + HEIGHT + Radius][x + Radius] = at[(z + Radius) * plane + HEIGHT * pitch];
                        }
                        if (x < Radius) {
                            tile[y + Radius][x] = at[(z + Radius) * plane - Radius];
                            tile[y + Radius][x + WIDTH + Radius] = at[(z + Radius) * plane + WIDTH];
                        }
#pragma omp barrier
                        T sum = s.weight[0] * ahead[0];
                        for (int r = 1; r <= Radius; ++r)
                            sum += s.weight[r] * (behind[r - 1] + ahead[r] + tile[y + Radius - r][x + Radius] + tile[y + Radius + r][x + Radius] + tile[y + Radius][x + Radius - r] + tile[y + Radius][x + Radius + r]);
                        to[(z + Radius) * plane] = sum;
                        for (int r = Radius - 1; r > 0; --r)
                            behind[r] = behind[r - 1];
                        behind[0] = ahead[0];
                        for (int r = 0; r < Radius; ++r)
                            ahead[r] = ahead[r + 1];
                    }
                }
            }
    }
};
static Stencil<float, RADIUS> stencil;
static void begin(void)
{
    for (int r = 0; r <= RADIUS; ++r)
        stencil.weight[r] = weights[r];
#pragma omp target enter data map(to: in[0:SIZE], out[0:SIZE])
}
static void step(void) { stencil.apply(NX, NY, NZ, in, out); }
static void end(void)
{
#pragma omp target exit data map(from: out[0:SIZE]) map(delete: in[0:SIZE])
}
#else
static float *d_in, *d_out;
__constant__ float weight[RADIUS + 1];
__global__ void __launch_bounds__(WIDTH *HEIGHT) differences(int pitch, int plane, int nz, const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[HEIGHT + 2 * RADIUS][WIDTH + 2 * RADIUS];
    const int x = threadIdx.x, y = threadIdx.y;
    const int first = (blockIdx.y * HEIGHT + y + RADIUS) * pitch + blockIdx.x * WIDTH + x + RADIUS;
    const float *at = in + first;
    float *to = out + first, behind[RADIUS], ahead[RADIUS + 1];
#pragma unroll
    for (int r = 0; r < RADIUS; ++r)
        behind[r] = at[(RADIUS - 1 - r) * plane], ahead[r] = at[(RADIUS + r) * plane];
    for (int z = 0; z < nz; ++z) {
        ahead[RADIUS] = at[(z + 2 * RADIUS) * plane];
        __syncthreads();
        tile[y + RADIUS][x + RADIUS] = ahead[0];
        if (y < RADIUS) {
            tile[y][x + RADIUS] = at[(z + RADIUS) * plane - RADIUS * pitch];
            tile[y + HEIGHT + RADIUS][x + RADIUS] = at[(z + RADIUS) * plane + HEIGHT * pitch];
        }
        if (x < RADIUS) {
            tile[y + RADIUS][x] = at[(z + RADIUS) * plane - RADIUS];
            tile[y + RADIUS][x + WIDTH + RADIUS] = at[(z + RADIUS) * plane + WIDTH];
        }
        __syncthreads();
        float sum = weight[0] * ahead[0];
#pragma unroll
        for (int r = 1; r <= RADIUS; ++r)
            sum += weight[r] * (behind[r - 1] + ahead[r] + tile[y + RADIUS - r][x + RADIUS] + tile[y + RADIUS + r][x + RADIUS] + tile[y + RADIUS][x + RADIUS - r] + tile[y + RADIUS][x + RADIUS + r]);
        to[(z + RADIUS) * plane] = sum;
#pragma unroll
        for (int r = RADIUS - 1; r > 0; --r)
            behind[r] = behind[r - 1];
        behind[0] = ahead[0];
#pragma unroll
        for (int r = 0; r < RADIUS; ++r)
            ahead[r] = ahead[r + 1];
    }
}
static void begin(void)
{
    cuda_check(cudaMemcpyToSymbol(weight, weights, sizeof weights));
    d_in = device_copy(in, SIZE), d_out = device_copy(out, SIZE);
}
static void step(void)
{
    differences<<<dim3(NX / WIDTH, NY / HEIGHT), dim3(WIDTH, HEIGHT)>>>(PITCH, PLANE, NZ, d_in, d_out);
    device_wait();
}
static void end(void) { from_device(out, d_out, SIZE); }
#endif
static int check(void)
{
    for (int z = 0; z < NZ; z += 5)
        for (int y = 0; y < NY; ++y)
            for (int x = 0; x < NX; x += 3) {
                const size_t at = (size_t)(z + RADIUS) * PLANE + (y + RADIUS) * PITCH + x + RADIUS;
                double sum = weights[0] * in[at];
                for (int r = 1; r <= RADIUS; ++r)
                    sum += (double)weights[r] * ((double)in[at - r] + in[at + r] + in[at - r * PITCH] + in[at + r * PITCH] + in[at - (size_t)r * PLANE] + in[at + (size_t)r * PLANE]);
                if (fabs(out[at] - sum) > 1e-4)
                    return 0;
            }
    return 1;
}
#include "driver.h"
