/* normalisation of groups: a method of a class template, a team for each group, sums of the team and a second pass */
#include "bench.h"
#define GROUPS 8192
#define LENGTH 1024
#define THREADS 256
static const double bytes = 8.0 * GROUPS * LENGTH;
static float *x, *y;

static void setup(void)
{
    x = NEW(float, GROUPS * LENGTH), y = NEW(float, GROUPS * LENGTH);
    for (int i = 0; i < GROUPS * LENGTH; ++i)
        x[i] = (float)(i % 1023) / 64 - 3;
}
#ifndef __CUDACC__
template <class T>
class Norm {
  public:
    Norm(int groups, int length, T epsilon) : groups_(groups), length_(length), epsilon_(epsilon) {}
    void operator()(const T *in, T *out) const
    {
        const int groups = groups_, length = length_;
        const T epsilon = epsilon_;
#pragma omp target teams distribute thread_limit(THREADS) map(to: in[0:groups * length]) map(from: out[0:groups * length])
        for (int g = 0; g < groups; ++g) {
            T sum = 0, squares = 0;
#pragma omp parallel for reduction(+: sum, squares)
            for (int i = 0; i < length; ++i) {
                const T v = in[g * length + i];
                sum += v, squares += v * v;
            }
            const T mean = sum / length, scale = 1 / sqrtf(squares / length - mean * mean + epsilon);
#pragma omp parallel for
            for (int i = 0; i < length; ++i)
                out[g * length + i] = (in[g * length + i] - mean) * scale;
        }
    }

  private:
    int groups_, length_;
    T epsilon_;
};
static void begin(void)
{
#pragma omp target enter data map(to: x[0:GROUPS * LENGTH]) map(alloc: y[0:GROUPS * LENGTH])
}
static void step(void) { Norm<float>(GROUPS, LENGTH, 1e-5f)(x, y); }
static void end(void)
{
#pragma omp target exit data map(from: y[0:GROUPS * LENGTH]) map(delete: x[0:GROUPS * LENGTH])
}
#else
static float *d_x, *d_y;
__device__ float over_block(float v, float *parts)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = v;
    __syncthreads();
    v = 0;
    for (int w = 0; w < THREADS / 32; ++w)
        v += parts[w];
    return v;
}
__global__ void norm(const float *__restrict__ in, float *__restrict__ out, int length, float epsilon)
{
    __shared__ float parts[2][THREADS / 32];
    const float *row = in + (long)blockIdx.x * length;
    float sum = 0, squares = 0;
    for (int i = threadIdx.x; i < length; i += THREADS)
        sum += row[i], squares += row[i] * row[i];
    sum = over_block(sum, parts[0]), squares = over_block(squares, parts[1]);
    const float mean = sum / length, scale = 1 / sqrtf(squares / length - mean * mean + epsilon);
    for (int i = threadIdx.x; i < length; i += THREADS)
        out[(long)blockIdx.x * length + i] = (row[i] - mean) * scale;
}
static void begin(void) { d_x = device_copy(x, GROUPS * LENGTH), d_y = device_new<float>(GROUPS * LENGTH); }
static void step(void)
{
    norm<<<GROUPS, THREADS>>>(d_x, d_y, LENGTH, 1e-5f);
    device_wait();
}
static void end(void) { from_device(y, d_y, GROUPS * LENGTH); }
#endif
static int check(void)
{
    for (int g = 0; g < GROUPS; g += 61) {
        double sum = 0, squares = 0;
        for (int i = 0; i < LENGTH; ++i)
            sum += x[g * LENGTH + i], squares += (double)x[g * LENGTH + i] * x[g * LENGTH + i];
        const double mean = sum / LENGTH, scale = 1 / sqrt(squares / LENGTH - mean * mean + 1e-5);
        for (int i = 0; i < LENGTH; i += 7)
            if (fabs(y[g * LENGTH + i] - (x[g * LENGTH + i] - mean) * scale) > 1e-3)
                return 0;
    }
    return 1;
}
#include "driver.h"
