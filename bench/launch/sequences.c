/* What the sequences of time-stepping programs take, in microseconds on the host's clock; on a GPU after
 *
 *   rex-build cc --device cuda -o sequences bench/launch/sequences.c -- -O2 -fopenmp
 *   nvcc -O2 -x cu -Xcompiler -fopenmp -o sequences.cuda bench/launch/sequences.c [-DGRAPH] [-DWAITING]
 *
 * dependent: ten kernels of 1000 iterations, one after the other. pingpong: ten that exchange their arrays. reduction: ten
 * times two kernels and a sum that the host needs. threads: ten dependent kernels in each of four host threads. In CUDA each
 * has a stream, and one wait at the end, GRAPH launches dependent and pingpong as one graph, and WAITING waits for every
 * kernel.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 1000, STEPS = 10, ROUNDS = 301, THREADS = 4 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

#ifdef __CUDACC__
__global__ static void add(int n, double by, double *x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += by;
}
__global__ static void smooth(int n, const double *from, double *to)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = i > 0 && i < n - 1 ? (from[i - 1] + from[i] + from[i + 1]) / 3 : from[i];
}
__global__ static void total(int n, const double *x, double *sum)
{
    __shared__ double part[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    double value = i < n ? x[i] : 0;
    for (int delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(~0u, value, delta);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < blockDim.x / 32; ++warp)
            part[0] += part[warp];
        atomicAdd(sum, part[0]);
    }
}
#define GRID (N + 63) / 64, 64, 0, stream
#ifdef WAITING
#define DONE cudaStreamSynchronize(stream)
#else
#define DONE (void)0
#endif
static thread_local cudaStream_t stream;
static thread_local double *device_sum;

static void dependent(int n, double by, double *x)
{
    for (int step = 0; step < STEPS; ++step) {
        add<<<GRID>>>(n, by, x);
        DONE;
    }
}
static void pingpong(int n, double *from, double *to)
{
    for (int step = 0; step < STEPS; ++step) {
        smooth<<<GRID>>>(n, from, to);
        DONE;
        double *other = from;
        from = to, to = other;
    }
}
static double reduction(int n, double *from, double *to)
{
    double last = 0;
    for (int step = 0; step < STEPS; ++step) {
        double sum = 0;
        smooth<<<GRID>>>(n, from, to);
        DONE;
        smooth<<<GRID>>>(n, to, from);
        DONE;
        cudaMemcpyAsync(device_sum, &sum, sizeof sum, cudaMemcpyHostToDevice, stream);
        total<<<GRID>>>(n, from, device_sum);
        cudaMemcpyAsync(&sum, device_sum, sizeof sum, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        last = sum;
    }
    return last;
}
#else
static void dependent(int n, double by, double *x)
{
    for (int step = 0; step < STEPS; ++step) {
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
        for (int i = 0; i < n; ++i)
            x[i] += by;
    }
}
static void pingpong(int n, double *from, double *to)
{
    for (int step = 0; step < STEPS; ++step) {
#pragma omp target teams distribute parallel for map(to: from[0:n]) map(from: to[0:n])
        for (int i = 0; i < n; ++i)
            to[i] = i > 0 && i < n - 1 ? (from[i - 1] + from[i] + from[i + 1]) / 3 : from[i];
        double *other = from;
        from = to, to = other;
    }
}
static double reduction(int n, double *from, double *to)
{
    double last = 0;
    for (int step = 0; step < STEPS; ++step) {
        double sum = 0;
#pragma omp target teams distribute parallel for map(to: from[0:n]) map(from: to[0:n])
        for (int i = 0; i < n; ++i)
            to[i] = i > 0 && i < n - 1 ? (from[i - 1] + from[i] + from[i + 1]) / 3 : from[i];
#pragma omp target teams distribute parallel for map(to: to[0:n]) map(from: from[0:n])
        for (int i = 0; i < n; ++i)
            from[i] = i > 0 && i < n - 1 ? (to[i - 1] + to[i] + to[i + 1]) / 3 : to[i];
#pragma omp target teams distribute parallel for map(to: from[0:n]) reduction(+: sum)
        for (int i = 0; i < n; ++i)
            sum += from[i];
        last = sum;
    }
    return last;
}
#endif

static int by_time(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double median(double *times)
{
    qsort(times, ROUNDS, sizeof *times, by_time);
    return times[ROUNDS / 2];
}
#define TIMES(times, call)                                                                                              \
    for (int round = 0; round < ROUNDS; ++round) {                                                                     \
        const double from_ = now();                                                                                    \
        call;                                                                                                          \
        times[round] = now() - from_;                                                                                  \
    }

#ifdef __CUDACC__
#define CALL(call) (call, cudaStreamSynchronize(stream))
#else
#define CALL(call) call
#endif

int main(void)
{
    static double x[N], y[N], each[THREADS][N], times[ROUNDS], sum, results[4];
    for (int i = 0; i < N; ++i)
        x[i] = i % 10, y[i] = 0;
#ifdef __CUDACC__
    double *a, *b, *own[THREADS];
    cudaStreamCreate(&stream);
    cudaMalloc(&a, sizeof x);
    cudaMalloc(&b, sizeof y);
    cudaMalloc(&device_sum, sizeof sum);
    cudaMemcpy(a, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemset(b, 0, sizeof y);
    for (int t = 0; t < THREADS; ++t) {
        cudaMalloc(&own[t], sizeof x);
        cudaMemset(own[t], 0, sizeof x);
    }
#else
    double *const a = x, *const b = y;
#pragma omp target enter data map(to: x, y, each)
#endif
#ifdef GRAPH
    cudaGraph_t graph;
    cudaGraphExec_t one, two;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    dependent(N, 1e-3, a);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&one, graph, 0);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    pingpong(N, a, b);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&two, graph, 0);
    TIMES(times, CALL(cudaGraphLaunch(one, stream)))
    results[0] = median(times);
    TIMES(times, CALL(cudaGraphLaunch(two, stream)))
    results[1] = median(times);
#else
    TIMES(times, CALL(dependent(N, 1e-3, a)))
    results[0] = median(times);
    TIMES(times, CALL(pingpong(N, a, b)))
    results[1] = median(times);
#endif
    TIMES(times, sum = reduction(N, a, b))
    results[2] = median(times);
#pragma omp parallel num_threads(THREADS)
    {
        static double taken[THREADS][ROUNDS];
        const int me = omp_get_thread_num();
#ifdef __CUDACC__
        double *const mine = own[me];
        cudaStreamCreate(&stream);
#else
        double *const mine = each[me];
#endif
        TIMES(taken[me], CALL(dependent(N, 1e-3, mine)))
        if (me == 0)
            results[3] = median(taken[me]);
    }
#ifdef __CUDACC__
    cudaMemcpy(x, a, sizeof x, cudaMemcpyDeviceToHost);
    for (int t = 0; t < THREADS; ++t)
        cudaMemcpy(each[t], own[t], sizeof x, cudaMemcpyDeviceToHost);
#else
#pragma omp target exit data map(from: x, each) map(release: y)
#endif
    printf("dependent %.1f pingpong %.1f reduction %.1f threads %.1f (%.6g %.6g %.6g)\n", results[0], results[1], results[2],
           results[3], x[N / 2], sum, each[THREADS - 1][0]);
    return 0;
}
