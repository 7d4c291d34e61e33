/* a histogram of real numbers: a class template decides the bin, and atomic updates count */
#include "bench.h"
#define N (1 << 25)
#define BINS 1024
static const double bytes = 4.0 * N;

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

template <class T, int Bins> struct Axis {
    T low, high;
    BOTH int bin(T value) const
    {
        const int found = (int)((value - low) * (T(Bins) / (high - low)));
        return found < 0 ? 0 : found < Bins ? found : Bins - 1;
    }
};

static float *x;
static int *counts;
#ifdef __CUDACC__
static float *d_x;
static int *d_counts;
template <class A> __global__ void count(int n, A axis, const float *__restrict__ x, int *counts)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&counts[axis.bin(x[i])], 1);
}
#else
template <class T, int Bins> void count(int n, Axis<T, Bins> axis, const T *x, int *counts)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: counts[0:Bins])
    for (int i = 0; i < n; ++i) {
#pragma omp atomic update
        counts[axis.bin(x[i])]++;
    }
}
#endif

static const Axis<float, BINS> axis = {-1, 3};
static void setup(void)
{
    x = NEW(float, N), counts = NEW(int, BINS);
    for (int i = 0; i < N; ++i)
        x[i] = (float)(next_random() >> 8) / 2000000.0f - 1.1f;
    memset(counts, 0, BINS * sizeof *counts);
}
static void begin(void)
{
#ifdef __CUDACC__
    d_x = device_copy(x, N), d_counts = device_copy(counts, BINS);
#else
#pragma omp target enter data map(to: x[0:N], counts[0:BINS])
#endif
}
static void step(void)
{
#ifdef __CUDACC__
    count<<<blocks_for(N, 256), 256>>>(N, axis, d_x, d_counts);
    device_wait();
#else
    count(N, axis, x, counts);
#endif
}
static void end(void)
{
#ifdef __CUDACC__
    from_device(counts, d_counts, BINS);
#else
#pragma omp target exit data map(from: counts[0:BINS])
#endif
}
static int check(void)
{
    int *want = NEW(int, BINS), total = 0, far = 0;
    memset(want, 0, BINS * sizeof *want);
    for (int i = 0; i < N; ++i)
        ++want[axis.bin(x[i])];
    for (int i = 0; i < BINS; ++i) { /* a value on the edge of a bin may fall into the next one */
        total += counts[i] / steps;
        far += abs(counts[i] / steps - want[i]) > 2 + want[i] / 1000;
    }
    return total == N && !far;
}
#include "driver.h"
