/* Jacobi's smoother on a grid as a class: its constructor maps everything, methods name members, and only rows are shared out */
#include "bench.h"
#define N 4096
static const double bytes = 48.0 * N * N;

#ifdef __CUDACC__
__global__ void sweep_kernel(int n, const double *__restrict__ from, const double *__restrict__ right, double *__restrict__ to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x < n - 1 && y < n - 1)
        to[y * n + x] = 0.25 * (from[y * n + x - 1] + from[y * n + x + 1] + from[(y - 1) * n + x] + from[(y + 1) * n + x] + right[y * n + x]);
}
#endif

template <class T> class Smoother {
  public:
    explicit Smoother(int n) : n(n), size((long)n * n), now(NEW(T, size)), next(NEW(T, size)), right(NEW(T, size))
    {
        for (long i = 0; i < size; ++i)
            now[i] = next[i] = i % 17, right[i] = i % 5 - 2;
#ifdef __CUDACC__
        d_now = device_copy(now, (size_t)size), d_next = device_copy(next, (size_t)size), d_right = device_copy(right, (size_t)size);
#else
#pragma omp target enter data map(to: this[0:1])
#pragma omp target enter data map(to: now[0:size], next[0:size], right[0:size])
#endif
    }
    void smooth()
    {
#ifdef __CUDACC__
        const dim3 grid((unsigned)(n + 31) / 32, (unsigned)(n + 7) / 8), block(32, 8);
        sweep_kernel<<<grid, block>>>(n, d_now, d_right, d_next);
        sweep_kernel<<<grid, block>>>(n, d_next, d_right, d_now);
        device_wait();
#else
#pragma omp target teams distribute parallel for
        for (int y = 1; y < n - 1; ++y)
            for (int x = 1; x < n - 1; ++x)
                next[y * n + x] = 0.25 * (now[y * n + x - 1] + now[y * n + x + 1] + now[(y - 1) * n + x] + now[(y + 1) * n + x] + right[y * n + x]);
#pragma omp target teams distribute parallel for
        for (int y = 1; y < n - 1; ++y)
            for (int x = 1; x < n - 1; ++x)
                now[y * n + x] = 0.25 * (next[y * n + x - 1] + next[y * n + x + 1] + next[(y - 1) * n + x] + next[(y + 1) * n + x] + right[y * n + x]);
#endif
    }
    void fetch()
    {
#ifdef __CUDACC__
        from_device(now, d_now, (size_t)size);
#else
#pragma omp target exit data map(from: now[0:size]) map(delete: next[0:size], right[0:size])
#pragma omp target exit data map(delete: this[0:1])
#endif
    }
    bool is_smoothed(int times) const
    {
        T *a = NEW(T, size), *b = NEW(T, size);
        for (long i = 0; i < size; ++i)
            a[i] = b[i] = i % 17;
        for (int sweep = 0; sweep < 2 * times; ++sweep) {
            for (int y = 1; y < n - 1; ++y)
                for (int x = 1; x < n - 1; ++x)
                    b[y * n + x] = 0.25 * (a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x] + right[y * n + x]);
            T *const other = a;
            a = b, b = other;
        }
        bool good = true;
        for (long i = 0; i < size; ++i)
            good &= fabs(a[i] - now[i]) <= 1e-9 * (1 + fabs(a[i]));
        return good;
    }

  private:
    int n;
    long size;
    T *now, *next, *right;
#ifdef __CUDACC__
    T *d_now, *d_next, *d_right;
#endif
};

static Smoother<double> *smoother;
static void setup(void) {}
static void begin(void) { smoother = new Smoother<double>(N); }
static void step(void) { smoother->smooth(); }
static void end(void) { smoother->fetch(); }
static int check(void) { return smoother->is_smoothed(steps); }
#include "driver.h"
