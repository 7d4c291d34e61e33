/* search in a time series: how far each of its windows is from a pattern, both normalised; a thread for each window */
#include "bench.h"
#define LENGTH (1 << 20)
#define WINDOW 128
#define PLACES (LENGTH - WINDOW + 1)
static const double bytes = 0;
static float *series, *pattern, *distances;

static void setup(void)
{
    series = NEW(float, LENGTH), pattern = NEW(float, WINDOW), distances = NEW(float, PLACES);
    for (int i = 0; i < LENGTH; ++i)
        series[i] = sinf(0.02f * (float)i) + 0.3f * sinf(0.17f * (float)i) + (float)(next_random() / 1024 % 1000) / 2000;
    for (int i = 0; i < WINDOW; ++i)
        pattern[i] = sinf(0.02f * (float)i) + 0.3f * sinf(0.17f * (float)i);
}
#ifndef __CUDACC__
template <class T> class Series {
  public:
    Series(const T *values, int length) : values_(values), length_(length) {}
    int places(int window) const { return length_ - window + 1; }
    void compare(const Series &pattern, T *distances) const
    {
        const T *values = values_, *wanted = pattern.values_;
        const int window = pattern.length_, count = places(window), length = length_;
#pragma omp target teams distribute parallel for map(to: values[0:length], wanted[0:window]) map(from: distances[0:count])
        for (int at = 0; at < count; ++at) {
            T sum = 0, squares = 0, both = 0, sum_of = 0, squares_of = 0;
            for (int i = 0; i < window; ++i) {
                const T a = values[at + i], b = wanted[i];
                sum += a, squares += a * a, both += a * b, sum_of += b, squares_of += b * b;
            }
            const T n = (T)window, spread = (n * squares - sum * sum) * (n * squares_of - sum_of * sum_of);
            distances[at] = 1 - (n * both - sum * sum_of) / sqrtf(spread);
        }
    }

  private:
    const T *values_;
    int length_;
};
static void begin(void)
{
#pragma omp target enter data map(to: series[0:LENGTH], pattern[0:WINDOW]) map(alloc: distances[0:PLACES])
}
static void step(void) { Series<float>(series, LENGTH).compare(Series<float>(pattern, WINDOW), distances); }
static void end(void)
{
#pragma omp target exit data map(from: distances[0:PLACES]) map(delete: series[0:LENGTH], pattern[0:WINDOW])
}
#else
#define THREADS 256
static float *d_series, *d_distances;
__constant__ float wanted[WINDOW];
__global__ void compare(int count, int length, const float *__restrict__ values, float *__restrict__ distances)
{
    __shared__ float here[THREADS + WINDOW];
    const int first = blockIdx.x * THREADS, at = first + threadIdx.x;
    for (int i = threadIdx.x; i < THREADS + WINDOW; i += THREADS)
        here[i] = first + i < length ? values[first + i] : 0;
    __syncthreads();
    if (at >= count)
        return;
    float sum = 0, squares = 0, both = 0, sum_of = 0, squares_of = 0;
#pragma unroll 16
    for (int i = 0; i < WINDOW; ++i) {
        const float a = here[threadIdx.x + i], b = wanted[i];
        sum += a, squares += a * a, both += a * b, sum_of += b, squares_of += b * b;
    }
    const float n = WINDOW, spread = (n * squares - sum * sum) * (n * squares_of - sum_of * sum_of);
    distances[at] = 1 - (n * both - sum * sum_of) / sqrtf(spread);
}
static void begin(void)
{
    cuda_check(cudaMemcpyToSymbol(wanted, pattern, sizeof(float) * WINDOW));
    d_series = device_copy(series, LENGTH), d_distances = device_new<float>(PLACES);
}
static void step(void)
{
    compare<<<blocks_for(PLACES, THREADS), THREADS>>>(PLACES, LENGTH, d_series, d_distances);
    device_wait();
}
static void end(void) { from_device(distances, d_distances, PLACES); }
#endif
static int check(void)
{
    for (int at = 0; at < PLACES; at += 1013) {
        double sum = 0, squares = 0, both = 0, sum_of = 0, squares_of = 0;
        for (int i = 0; i < WINDOW; ++i) {
            const double a = series[at + i], b = pattern[i];
            sum += a, squares += a * a, both += a * b, sum_of += b, squares_of += b * b;
        }
        const double spread = (WINDOW * squares - sum * sum) * (WINDOW * squares_of - sum_of * sum_of);
        if (fabs(distances[at] - (1 - (WINDOW * both - sum * sum_of) / sqrt(spread))) > 1e-3)
            return 0;
    }
    return 1;
}
#include "driver.h"
