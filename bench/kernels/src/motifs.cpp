/* search in a time series for what comes again: a team for each window, which lies in an array of the team, and its nearest one elsewhere */
#include "bench.h"
#include <array>
#define LENGTH 16384
#define WINDOW 64
#define STEP 32
#define PLACES (LENGTH - WINDOW + 1)
#define WINDOWS (PLACES / STEP)
#define THREADS 256
static const double bytes = 0;
static float *series, *least;

static void setup(void)
{
    series = NEW(float, LENGTH), least = NEW(float, WINDOWS);
    for (int i = 0; i < LENGTH; ++i)
        series[i] = sinf(0.05f * (float)i) + (float)(next_random() / 1024 % 1000) / 1000;
}
#ifndef __CUDACC__
template <class T, int Window> struct Motifs {
    using Pattern = std::array<T, Window>;
    static void find(int windows, int places, const T *series, T *least)
    {
#pragma omp target teams distribute thread_limit(THREADS) map(to: series[0:places + Window - 1]) map(from: least[0:windows])
        for (int w = 0; w < windows; ++w) {
            Pattern pattern;
            const int own = w * STEP;
#pragma omp parallel for
            for (int i = 0; i < Window; ++i)
                pattern[i] = series[own + i];
            T nearest = 1e30f;
#pragma omp parallel for reduction(min : nearest)
            for (int at = 0; at < places; ++at) {
                T sum = 0;
                for (int i = 0; i < Window; ++i)
                    sum += (series[at + i] - pattern[i]) * (series[at + i] - pattern[i]);
                if (at <= own - Window || at >= own + Window)
                    nearest = sum < nearest ? sum : nearest;
            }
            least[w] = sqrtf(nearest);
        }
    }
};
static void begin(void)
{
#pragma omp target enter data map(to: series[0:LENGTH]) map(alloc: least[0:WINDOWS])
}
static void step(void) { Motifs<float, WINDOW>::find(WINDOWS, PLACES, series, least); }
static void end(void)
{
#pragma omp target exit data map(from: least[0:WINDOWS]) map(delete: series[0:LENGTH])
}
#else
static float *d_series, *d_least;
__global__ void __launch_bounds__(THREADS) find(int places, const float *__restrict__ series, float *__restrict__ least)
{
    __shared__ float pattern[WINDOW], here[THREADS + WINDOW], parts[32];
    const int own = blockIdx.x * STEP;
    float nearest = 1e30f;
    if (threadIdx.x < WINDOW)
        pattern[threadIdx.x] = series[own + threadIdx.x];
    for (int first = 0; first < places; first += THREADS) {
        const int at = first + threadIdx.x;
        __syncthreads();
        for (int i = threadIdx.x; i < THREADS + WINDOW - 1; i += THREADS)
            here[i] = first + i < places + WINDOW - 1 ? series[first + i] : 0;
        __syncthreads();
        float sum = 0;
#pragma unroll
        for (int i = 0; i < WINDOW; ++i)
            sum += (here[threadIdx.x + i] - pattern[i]) * (here[threadIdx.x + i] - pattern[i]);
        if (at < places && (at <= own - WINDOW || at >= own + WINDOW))
            nearest = fminf(nearest, sum);
    }
    nearest = block_reduce(nearest, [](float a, float b) { return fminf(a, b); }, parts);
    if (threadIdx.x == 0)
        least[blockIdx.x] = sqrtf(nearest);
}
static void begin(void) { d_series = device_copy(series, LENGTH), d_least = device_new<float>(WINDOWS); }
static void step(void)
{
    find<<<WINDOWS, THREADS>>>(PLACES, d_series, d_least);
    device_wait();
}
static void end(void) { from_device(least, d_least, WINDOWS); }
#endif
static int check(void)
{
    for (int w = 0; w < WINDOWS; w += 13) {
        double nearest = 1e30;
        for (int at = 0; at < PLACES; ++at) {
            double sum = 0;
            for (int i = 0; i < WINDOW; ++i)
                sum += (double)(series[at + i] - series[w * STEP + i]) * (series[at + i] - series[w * STEP + i]);
            if ((at <= w * STEP - WINDOW || at >= w * STEP + WINDOW) && sum < nearest)
                nearest = sum;
        }
        if (!is_close(least[w], sqrt(nearest), 1e-4))
            return 0;
    }
    return 1;
}
#include "driver.h"
