/* What every benchmark shares: allocation, timing, the driver and, for the CUDA halves, copies to and from the GPU.
 *
 * A benchmark defines `bytes` (moved by one step through device memory, 0 where memory does not bound it) and the five
 * functions below, then includes "driver.h". Its OpenMP half is ordinary C; its CUDA half stands behind __CUDACC__ and
 * is the same algorithm with the same freedom to choose the launch.
 */
#ifndef BENCH_H
#define BENCH_H

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void setup(void); /* host data */
static void begin(void); /* data to the device */
static void step(void);  /* one repetition, complete on return */
static void end(void);   /* results to the host */
static int check(void);  /* whether they are right after `steps` repetitions */

static int steps; /* taken so far */

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    if (!memory) {
        fprintf(stderr, "no memory\n");
        exit(2);
    }
    return memory;
}
#define NEW(type, n) ((type *)allocate((size_t)(n) * sizeof(type)))

/* The same numbers in [0, 2^31) everywhere. */
static unsigned int random_state = 12345;
static int next_random(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (int)(random_state >> 1);
}

static int is_close(double a, double b, double tolerance) { return fabs(a - b) <= tolerance * (1 + fabs(b)); }

#ifdef __CUDACC__
static void cuda_check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
        exit(2);
    }
}
template <class T> static T *device_new(size_t n)
{
    void *p;
    cuda_check(cudaMalloc(&p, n * sizeof(T)));
    return static_cast<T *>(p);
}
template <class T> static void to_device(T *device, const T *host, size_t n)
{
    cuda_check(cudaMemcpy(device, host, n * sizeof(T), cudaMemcpyHostToDevice));
}
template <class T> static T *device_copy(const T *host, size_t n)
{
    T *device = device_new<T>(n);
    to_device(device, host, n);
    return device;
}
template <class T> static void from_device(T *host, const T *device, size_t n)
{
    cuda_check(cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost));
}
static void device_wait(void)
{
    cuda_check(cudaGetLastError());
    cuda_check(cudaDeviceSynchronize());
}
static unsigned int blocks_for(long long n, int threads) { return (unsigned int)((n + threads - 1) / threads); }
static unsigned int resident_blocks(int threads) /* as many as the GPU runs at a time */
{
    int device, processors;
    cuda_check(cudaGetDevice(&device));
    cuda_check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    return (unsigned int)(processors * (2048 / threads));
}
/* The sum of a block's values, on its first thread. */
template <class T, class Op> __device__ static T block_reduce(T value, Op op, T *shared)
{
    for (int delta = 16; delta > 0; delta /= 2)
        value = op(value, __shfl_down_sync(~0u, value, delta));
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = shared[threadIdx.x < blockDim.x / 32 ? threadIdx.x : 0];
        for (int delta = 16; delta > 0; delta /= 2) {
            T other = __shfl_down_sync(~0u, value, delta);
            if (threadIdx.x + delta < blockDim.x / 32)
                value = op(value, other);
        }
    }
    return value;
}
#endif

#endif
