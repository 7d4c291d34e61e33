/* counting the triangles of a graph: sorted lists of greater neighbours, merged for every edge of a vertex; the sum is a 64-bit reduction */
#include "bench.h"
#define N (1 << 18)
#define EACH 24
static const double bytes = 0;
static int *first, *list;
static long long count;

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void setup(void)
{
    first = NEW(int, N + 1), list = NEW(int, N * EACH);
    for (int v = 0, end = 0; v < N; ++v) {
        int own[EACH], degree = next_random() % EACH;
        for (int k = 0; k < degree; ++k)
            own[k] = v + 1 + next_random() % (k % 2 ? 64 : 4096);
        qsort(own, (size_t)degree, sizeof *own, ascending);
        first[v] = end;
        for (int k = 0; k < degree; ++k)
            if (own[k] < N && (k == 0 || own[k] != own[k - 1]))
                list[end++] = own[k];
        first[v + 1] = end;
    }
}
#define COMMON(v)                                                                                                      \
    for (int e = first[v]; e < first[v + 1]; ++e) {                                                                    \
        int one = first[v], other = first[list[e]];                                                                    \
        const int one_end = first[v + 1], other_end = first[list[e] + 1];                                              \
        while (one < one_end && other < other_end) {                                                                   \
            const int a = list[one], b = list[other];                                                                  \
            found += a == b;                                                                                           \
            one += a <= b;                                                                                             \
            other += b <= a;                                                                                           \
        }                                                                                                              \
    }
#ifndef __CUDACC__
static long long triangles(int n, const int *first, const int *list)
{
    long long found = 0;
#pragma omp target teams distribute parallel for reduction(+: found)
    for (int v = 0; v < n; ++v) {
        COMMON(v)
    }
    return found;
}
static void begin(void)
{
#pragma omp target enter data map(to: first[0:N + 1], list[0:first[N]])
}
static void step(void) { count = triangles(N, first, list); }
static void end(void)
{
#pragma omp target exit data map(release: first[0:N + 1], list[0:first[N]])
}
#else
static int *d_first, *d_list;
static long long *d_count;
struct plus {
    __device__ long long operator()(long long a, long long b) const { return a + b; }
};
__global__ void triangles(int n, const int *__restrict__ first, const int *__restrict__ list, long long *count)
{
    __shared__ long long shared[32];
    long long found = 0;
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        COMMON(v)
    }
    found = block_reduce(found, plus(), shared);
    if (threadIdx.x == 0)
        atomicAdd((unsigned long long *)count, (unsigned long long)found);
}
static void begin(void) { d_first = device_copy(first, N + 1), d_list = device_copy(list, first[N]), d_count = device_new<long long>(1); }
static void step(void)
{
    cuda_check(cudaMemset(d_count, 0, sizeof *d_count));
    triangles<<<blocks_for(N, 256), 256>>>(N, d_first, d_list, d_count);
    from_device(&count, d_count, 1);
}
static void end(void) {}
#endif
static int check(void)
{
    long long found = 0;
    for (int v = 0; v < N; ++v) {
        COMMON(v)
    }
    return found > 1000 && count == found;
}
#include "driver.h"
