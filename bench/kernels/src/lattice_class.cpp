/* a fluid on a lattice with nine directions: a class with two copies of the populations, methods on it, rows and columns collapsed */
#include "bench.h"
#define N 2048
static const double bytes = 72.0 * N * N;

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

struct Directions {
    BOTH static int x(int d) { return d == 1 || d == 5 || d == 8 ? 1 : d == 3 || d == 6 || d == 7 ? -1 : 0; }
    BOTH static int y(int d) { return d == 2 || d == 5 || d == 6 ? 1 : d == 4 || d == 7 || d == 8 ? -1 : 0; }
    BOTH static float weight(int d) { return d == 0 ? 4.0f / 9 : d < 5 ? 1.0f / 9 : 1.0f / 36; }
};
template <class D> BOTH void collide(int n, int y, int x, const float *from, float *to)
{
    float f[9], density = 0, u = 0, v = 0;
    for (int d = 0; d < 9; ++d) {
        f[d] = from[(d * n + (y - D::y(d) + n) % n) * n + (x - D::x(d) + n) % n];
        density += f[d], u += f[d] * D::x(d), v += f[d] * D::y(d);
    }
    u /= density, v /= density;
    for (int d = 0; d < 9; ++d) {
        const float along = D::x(d) * u + D::y(d) * v;
        const float rest = D::weight(d) * density * (1 + 3 * along + 4.5f * along * along - 1.5f * (u * u + v * v));
        to[(d * n + y) * n + x] = f[d] + 0.6f * (rest - f[d]);
    }
}
#ifdef __CUDACC__
template <class D> __global__ void advance_kernel(int n, const float *__restrict__ from, float *__restrict__ to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        collide<D>(n, y, x, from, to);
}
#endif

class Fluid {
  public:
    explicit Fluid(int n) : n(n), size(9L * n * n), from(NEW(float, size)), to(NEW(float, size))
    {
        for (long i = 0; i < size; ++i)
            from[i] = Directions::weight((int)(i / n / n)) * (1 + 0.01f * (float)(i % 7)), to[i] = 0;
        old = NEW(float, size);
        memcpy(old, from, sizeof(float) * (size_t)size);
#ifdef __CUDACC__
        d_from = device_copy(from, (size_t)size), d_to = device_copy(to, (size_t)size);
#else
#pragma omp target enter data map(to: from[0:size], to[0:size])
#endif
    }
    void advance()
    {
#ifdef __CUDACC__
        advance_kernel<Directions><<<dim3(n / 32, n / 8), dim3(32, 8)>>>(n, d_from, d_to);
        device_wait();
#else
        const float *in = from;
        float *out = to;
        const int width = n;
#pragma omp target teams distribute parallel for collapse(2)
        for (int y = 0; y < width; ++y)
            for (int x = 0; x < width; ++x)
                collide<Directions>(width, y, x, in, out);
#endif
    }
    void fetch()
    {
#ifdef __CUDACC__
        from_device(to, d_to, (size_t)size);
#else
#pragma omp target exit data map(from: to[0:size]) map(delete: from[0:size])
#endif
    }
    bool check() const
    {
        float *wanted = NEW(float, size);
        bool good = true;
        for (int y = 0; y < n; y += 19)
            for (int x = 0; x < n; ++x) {
                collide<Directions>(n, y, x, old, wanted);
                for (int d = 0; d < 9; ++d)
                    good &= is_close(to[((long)d * n + y) * n + x], wanted[((long)d * n + y) * n + x], 1e-4) != 0;
            }
        return good;
    }

  private:
    int n;
    long size;
    float *from, *to, *old;
#ifdef __CUDACC__
    float *d_from, *d_to;
#endif
};

static Fluid *fluid;
static void setup(void) {}
static void begin(void) { fluid = new Fluid(N); }
static void step(void) { fluid->advance(); }
static void end(void) { fluid->fetch(); }
static int check(void) { return fluid->check(); }
#include "driver.h"
