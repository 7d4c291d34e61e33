/* a class template with three arrays: its constructor maps them, and a method has the loop, with members through `this` */
#include "bench.h"
#define N (1L << 25)
static const double bytes = 24.0 * N;

#ifdef __CUDACC__
template <class T> __global__ void triad_kernel(long n, T s, T *__restrict__ a, const T *__restrict__ b, const T *__restrict__ c)
{
    const long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = b[i] + s * c[i];
}
#endif

template <class T> class Stream {
  public:
    explicit Stream(long count) : n(count), a(NEW(T, count)), b(NEW(T, count)), c(NEW(T, count))
    {
        for (long i = 0; i < n; ++i)
            a[i] = 0, b[i] = T(i % 17), c[i] = T(i % 5);
#ifdef __CUDACC__
        d_a = device_copy(a, n), d_b = device_copy(b, n), d_c = device_copy(c, n);
#else
#pragma omp target enter data map(to: this[0:1], a[0:n], b[0:n], c[0:n])
#endif
    }
    ~Stream()
    {
#ifndef __CUDACC__
#pragma omp target exit data map(delete: a[0:n], b[0:n], c[0:n], this[0:1])
#endif
        free(a), free(b), free(c);
    }
    void triad(T s)
    {
#ifdef __CUDACC__
        triad_kernel<<<blocks_for(n, 256), 256>>>(n, s, d_a, d_b, d_c);
        device_wait();
#else
#pragma omp target teams distribute parallel for map(from: a[0:n]) map(to: b[0:n], c[0:n])
        for (long i = 0; i < n; ++i)
            a[i] = b[i] + s * c[i];
#endif
    }
    void fetch()
    {
#ifdef __CUDACC__
        from_device(a, d_a, n);
#else
#pragma omp target update from(a[0:n])
#endif
    }
    bool check(T s) const
    {
        for (long i = 0; i < n; ++i)
            if (a[i] != T(i % 17) + s * T(i % 5))
                return false;
        return true;
    }

  private:
    long n;
    T *a, *b, *c;
#ifdef __CUDACC__
    T *d_a, *d_b, *d_c;
#endif
};

static Stream<double> *stream;
static void setup(void) {}
static void begin(void) { stream = new Stream<double>(N); }
static void step(void) { stream->triad(3); }
static void end(void) { stream->fetch(); }
static int check(void)
{
    const bool good = stream->check(3);
    delete stream;
    return good;
}
#include "driver.h"
