/* linear regression: a line through the points of each group, whose moments a team adds up by a declared reduction, then its error */
#include "bench.h"
#define GROUPS 8192
#define LENGTH 1024
#define THREADS 256
static const double bytes = 8.0 * GROUPS * LENGTH + 12.0 * GROUPS;

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

struct Moments {
    float x = 0, y = 0, xx = 0, xy = 0;
    BOTH void add(float a, float b) { x += a, y += b, xx += a * a, xy += a * b; }
    BOTH Moments &operator+=(const Moments &o)
    {
        x += o.x, y += o.y, xx += o.xx, xy += o.xy;
        return *this;
    }
};
struct Line {
    float slope, intercept, error;
    BOTH static Line through(const Moments &m, int n)
    {
        const float slope = ((float)n * m.xy - m.x * m.y) / ((float)n * m.xx - m.x * m.x);
        return {slope, (m.y - slope * m.x) / (float)n, 0};
    }
    BOTH float off(float x, float y) const { return y - (slope * x + intercept); }
};
static float *xs, *ys;
static Line *lines;

static void setup(void)
{
    xs = NEW(float, GROUPS * LENGTH), ys = NEW(float, GROUPS * LENGTH), lines = NEW(Line, GROUPS);
    for (int g = 0; g < GROUPS; ++g)
        for (int i = 0; i < LENGTH; ++i) {
            const float x = (float)(i * 37 % LENGTH) / LENGTH - 0.5f;
            xs[g * LENGTH + i] = x;
            ys[g * LENGTH + i] = (float)(g % 17 - 8) / 4 * x + (float)(g % 13) / 8 + (float)(i % 7 - 3) / 32;
        }
}
#ifndef __CUDACC__
class Regression {
  public:
    Regression(int groups, int length) : groups_(groups), length_(length) {}
    void operator()(const float *xs, const float *ys, Line *lines) const
    {
        const int length = length_;
#pragma omp declare reduction(+ : Moments : omp_out += omp_in) initializer(omp_priv = Moments())
#pragma omp target teams distribute thread_limit(THREADS) map(to: xs[0:groups_ * length], ys[0:groups_ * length]) map(from: lines[0:groups_])
        for (int g = 0; g < groups_; ++g) {
            const float *x = xs + g * length, *y = ys + g * length;
            Moments moments;
#pragma omp parallel for reduction(+ : moments)
            for (int i = 0; i < length; ++i)
                moments.add(x[i], y[i]);
            Line line = Line::through(moments, length);
            float error = 0;
#pragma omp parallel for reduction(+ : error)
            for (int i = 0; i < length; ++i)
                error += line.off(x[i], y[i]) * line.off(x[i], y[i]);
            line.error = error / (float)length;
            lines[g] = line;
        }
    }

  private:
    int groups_, length_;
};
static void begin(void)
{
#pragma omp target enter data map(to: xs[0:GROUPS * LENGTH], ys[0:GROUPS * LENGTH]) map(alloc: lines[0:GROUPS])
}
static void step(void) { Regression(GROUPS, LENGTH)(xs, ys, lines); }
static void end(void)
{
#pragma omp target exit data map(from: lines[0:GROUPS]) map(delete: xs[0:GROUPS * LENGTH], ys[0:GROUPS * LENGTH])
}
#else
static float *d_xs, *d_ys;
static Line *d_lines;
/* The sum of a block's values, on all of its threads. */
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
__global__ void regression(int length, const float *__restrict__ xs, const float *__restrict__ ys, Line *__restrict__ lines)
{
    __shared__ Moments parts[THREADS / 32];
    __shared__ float errors[THREADS / 32];
    const float *x = xs + (long)blockIdx.x * length, *y = ys + (long)blockIdx.x * length;
    Moments moments;
    for (int i = threadIdx.x; i < length; i += THREADS)
        moments.add(x[i], y[i]);
    for (int d = 16; d > 0; d /= 2) {
        moments.x += __shfl_down_sync(~0u, moments.x, d), moments.y += __shfl_down_sync(~0u, moments.y, d);
        moments.xx += __shfl_down_sync(~0u, moments.xx, d), moments.xy += __shfl_down_sync(~0u, moments.xy, d);
    }
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = moments;
    __syncthreads();
    moments = Moments();
    for (int w = 0; w < THREADS / 32; ++w)
        moments += parts[w];
    Line line = Line::through(moments, length);
    float error = 0;
    for (int i = threadIdx.x; i < length; i += THREADS)
        error += line.off(x[i], y[i]) * line.off(x[i], y[i]);
    line.error = over_block(error, errors) / (float)length;
    if (threadIdx.x == 0)
        lines[blockIdx.x] = line;
}
static void begin(void) { d_xs = device_copy(xs, GROUPS * LENGTH), d_ys = device_copy(ys, GROUPS * LENGTH), d_lines = device_new<Line>(GROUPS); }
static void step(void)
{
    regression<<<GROUPS, THREADS>>>(LENGTH, d_xs, d_ys, d_lines);
    device_wait();
}
static void end(void) { from_device(lines, d_lines, GROUPS); }
#endif
static int check(void)
{
    for (int g = 0; g < GROUPS; g += 61) {
        double x = 0, y = 0, xx = 0, xy = 0, error = 0;
        for (int i = g * LENGTH; i < (g + 1) * LENGTH; ++i)
            x += xs[i], y += ys[i], xx += (double)xs[i] * xs[i], xy += (double)xs[i] * ys[i];
        const double slope = (LENGTH * xy - x * y) / (LENGTH * xx - x * x), intercept = (y - slope * x) / LENGTH;
        for (int i = g * LENGTH; i < (g + 1) * LENGTH; ++i)
            error += (ys[i] - slope * xs[i] - intercept) * (ys[i] - slope * xs[i] - intercept) / LENGTH;
        if (!is_close(lines[g].slope, slope, 1e-3) || !is_close(lines[g].intercept, intercept, 1e-3) || !is_close(lines[g].error, error, 1e-4))
            return 0;
    }
    return 1;
}
#include "driver.h"
