/* a five-point stencil through a view: a trivially copyable class template with operator() for two subscripts */
#include "bench.h"
#define N 8192
static const double bytes = 8.0 * N * N;
static float *from, *to;

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

template <class T> class View {
  public:
    BOTH View(T *data, int width) : data(data), width(width) {}
    BOTH T &operator()(int y, int x) const { return data[(size_t)y * width + x]; }

  private:
    T *data;
    int width;
};

#ifdef __CUDACC__
__global__ void smooth_kernel(int n, const float *__restrict__ in, float *__restrict__ out)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x < n - 1 && y < n - 1) {
        const View<const float> v(in, n);
        View<float>(out, n)(y, x) = 0.5f * v(y, x) + 0.125f * (v(y - 1, x) + v(y + 1, x) + v(y, x - 1) + v(y, x + 1));
    }
}
static float *d_from, *d_to;
#else
static void smooth(int n, View<const float> v, View<float> w)
{
#pragma omp target teams distribute parallel for collapse(2)
    for (int y = 1; y < n - 1; ++y)
        for (int x = 1; x < n - 1; ++x)
            w(y, x) = 0.5f * v(y, x) + 0.125f * (v(y - 1, x) + v(y + 1, x) + v(y, x - 1) + v(y, x + 1));
}
#endif

static void setup(void)
{
    from = NEW(float, N * N), to = NEW(float, N * N);
    for (int i = 0; i < N * N; ++i)
        from[i] = (float)(next_random() & 1023), to[i] = 0;
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
    smooth_kernel<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(N, d_from, d_to);
    device_wait();
#else
    float *in = from, *out = to;
#pragma omp target data use_device_ptr(in, out)
    smooth(N, View<const float>(in, N), View<float>(out, N));
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
    const View<const float> v(from, N), w(to, N);
    for (int y = 1; y < N - 1; y += 13)
        for (int x = 1; x < N - 1; ++x)
            if (!is_close(w(y, x), 0.5f * v(y, x) + 0.125f * (v(y - 1, x) + v(y + 1, x) + v(y, x - 1) + v(y, x + 1)), 1e-5))
                return 0;
    return 1;
}
#include "driver.h"
