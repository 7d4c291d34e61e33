/* What the first ten launches of a program take, in microseconds on the host's clock; on a GPU after
 *
 *   rex-build cc --device cuda -o times bench/launch/times.c -- -O2 [-DMANY] [-DMAPPED] [-DREDUCE]
 *   nvcc -O2 -x cu -o times.cuda bench/launch/times.c [-DMANY]
 *
 * MANY: forty kernels, and the mean of their first launches, second ones, and so on. MAPPED: the data is not present.
 * REDUCE: four sums of two types, mapped by every launch. "start" is what rex_offload_init() takes; in CUDA, three launches
 * of an empty kernel after the context is there.
 */
#include <stdio.h>
#include <time.h>

enum { N = 1000, ROUNDS = 10 };
static double a[N], started;
#ifdef __CUDACC__
static double *device;
#endif

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

__attribute__((constructor)) static void before_main(void) { started = now(); }

#ifdef __CUDACC__
__global__ void nothing(void) {}
#define KERNEL(n)                                                                                                      \
    __global__ void body##n(double *x, int count, double by)                                                           \
    {                                                                                                                  \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                           \
        if (i < count)                                                                                                 \
            x[i] += by * n;                                                                                            \
    }                                                                                                                  \
    static void kernel##n(int count, double by)                                                                        \
    {                                                                                                                  \
        body##n<<<(count + 63) / 64, 64>>>(device, count, by);                                                         \
        cudaStreamSynchronize(0);                                                                                      \
    }
#elif defined REDUCE
static double sums[2];
static int counts[2];
#define KERNEL(n)                                                                                                      \
    static void kernel##n(int count, double by)                                                                        \
    {                                                                                                                  \
        double s = 0, t = 0;                                                                                           \
        int c = 0, d = 0;                                                                                              \
        _Pragma("omp target teams distribute parallel for reduction(+: s, t, c, d) map(to: a[0:count])")               \
        for (int i = 0; i < count; ++i)                                                                                \
            s += a[i], t += by, c += i % 2, d += n;                                                                    \
        sums[0] += s, sums[1] += t, counts[0] += c, counts[1] += d;                                                    \
    }
#else
#define KERNEL(n)                                                                                                      \
    static void kernel##n(int count, double by)                                                                        \
    {                                                                                                                  \
        _Pragma("omp target teams distribute parallel for map(tofrom: a[0:count])")                                    \
        for (int i = 0; i < count; ++i)                                                                                \
            a[i] += by * n;                                                                                            \
    }
#endif
#define TEN(of, n) of(n##0) of(n##1) of(n##2) of(n##3) of(n##4) of(n##5) of(n##6) of(n##7) of(n##8) of(n##9)
#define NAME(n) kernel##n,
#ifdef MANY
TEN(KERNEL, 1) TEN(KERNEL, 2) TEN(KERNEL, 3) TEN(KERNEL, 4)
static void (*const kernels[])(int, double) = {TEN(NAME, 1) TEN(NAME, 2) TEN(NAME, 3) TEN(NAME, 4)};
#else
KERNEL(1)
static void (*const kernels[])(int, double) = {kernel1};
#endif
enum { COUNT = sizeof kernels / sizeof kernels[0] };

int main(void)
{
#ifdef __CUDACC__
    cudaFree(0);
    started = now();
    for (int i = 0; i < 3; ++i) {
        nothing<<<1, 32>>>();
        cudaStreamSynchronize(0);
    }
#endif
    const double begun = now();
    double taken[ROUNDS] = {0};
#ifdef __CUDACC__
    cudaMalloc(&device, sizeof a);
    cudaMemcpy(device, a, sizeof a, cudaMemcpyHostToDevice);
#elif !defined MAPPED
#pragma omp target enter data map(to: a)
#endif
    for (int round = 0; round < ROUNDS; ++round)
        for (int k = 0; k < COUNT; ++k) {
            const double from = now();
            kernels[k](N, 1.0);
            taken[round] += now() - from;
        }
#ifdef __CUDACC__
    cudaMemcpy(a, device, sizeof a, cudaMemcpyDeviceToHost);
#elif !defined MAPPED
#pragma omp target exit data map(from: a)
#endif
    printf("start %.0f; launches", begun - started);
    for (int round = 0; round < ROUNDS; ++round)
        printf(" %.1f", taken[round] / COUNT);
    printf("\n");
    return a[0] <= 0;
}
