/* a matrix transposed through two views that differ in their layout, a policy class */
#include "bench.h"
#define N 8192
static const double bytes = 8.0 * N * N;

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

struct RowMajor {
    BOTH static size_t at(int i, int j, int n) { return (size_t)i * n + j; }
};
struct ColumnMajor {
    BOTH static size_t at(int i, int j, int n) { return (size_t)j * n + i; }
};
template <class T, class Layout> struct View {
    T *data;
    int n;
    BOTH T &operator()(int i, int j) const { return data[Layout::at(i, j, n)]; }
};

static float *from, *to;
#ifdef __CUDACC__
static float *d_from, *d_to;
template <class In, class Out> __global__ void copy_kernel(int n, In in, Out out)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        out(i, j) = in(i, j);
}
#else
template <class T, class L, class M> void copy(int n, View<const T, L> in, View<T, M> out)
{
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            out(i, j) = in(i, j);
}
#endif

static void setup(void)
{
    from = NEW(float, N * N), to = NEW(float, N * N);
    for (int i = 0; i < N * N; ++i)
        from[i] = (float)(i % 1000003), to[i] = 0;
}
static void begin(void)
{
#ifdef __CUDACC__
    d_from = device_copy(from, (size_t)N * N), d_to = device_copy(to, (size_t)N * N);
#else
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: from[0:N * N], to[0:N * N])
#endif
}
static void step(void)
{
#ifdef __CUDACC__
    copy_kernel<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(N, View<const float, RowMajor>{d_from, N}, View<float, ColumnMajor>{d_to, N});
    device_wait();
#else
    float *in = from, *out = to;
#pragma omp target data use_device_ptr(in, out)
    copy(N, View<const float, RowMajor>{in, N}, View<float, ColumnMajor>{out, N});
#endif
}
static void end(void)
{
#ifdef __CUDACC__
    from_device(to, d_to, (size_t)N * N);
#else
#pragma omp target exit data map(from: to[0:N * N])
#endif
}
static int check(void)
{
    for (int i = 0; i < N; i += 3)
        for (int j = 0; j < N; ++j)
            if (to[(size_t)j * N + i] != from[(size_t)i * N + j])
                return 0;
    return 1;
}
#include "driver.h"
