/* several reductions in one pass: sum, sum of squares, minimum, maximum, count */
#include "bench.h"
#define N (1 << 26)
static const double bytes = 4.0 * N;
static float *x;
static double total, squares;
static float low, high;
static int count;

static void setup(void)
{
    x = NEW(float, N);
    for (int i = 0; i < N; ++i)
        x[i] = (float)(i % 1013) - 100;
}
static void clear(void) { total = 0, squares = 0, low = 1e30f, high = -1e30f, count = 0; }
#ifndef __CUDACC__
static void reduce(int n, const float *x)
{
    double t = 0, s = 0;
    float l = 1e30f, h = -1e30f;
    int c = 0;
#pragma omp target teams distribute parallel for reduction(+: t, s, c) reduction(min: l) reduction(max: h) \
    map(to: x[0:n]) map(tofrom: t, s, c, l, h)
    for (int i = 0; i < n; ++i) {
        t += x[i];
        s += (double)x[i] * x[i];
        if (x[i] < l)
            l = x[i];
        if (x[i] > h)
            h = x[i];
        c += x[i] > 0;
    }
    total = t, squares = s, low = l, high = h, count = c;
}
static void begin(void)
{
#pragma omp target enter data map(to: x[0:N])
}
static void step(void) { reduce(N, x); }
static void end(void)
{
#pragma omp target exit data map(delete: x[0:N])
}
#else
struct Result {
    double t, s;
    int l, h, c; /* l and h: bits ordered like integers, see order() */
};
static float *dx;
static Result *dresult;
__device__ static int order(float v)
{
    const int bits = __float_as_int(v);
    return bits >= 0 ? bits : bits ^ 0x7fffffff;
}
static float unorder(int bits)
{
    float v;
    bits = bits >= 0 ? bits : bits ^ 0x7fffffff;
    memcpy(&v, &bits, sizeof v);
    return v;
}
__global__ void reduce(int n, const float *__restrict__ x, Result *r)
{
    __shared__ double shared_t[32], shared_s[32];
    __shared__ float shared_l[32], shared_h[32];
    __shared__ int shared_c[32];
    double t = 0, s = 0;
    float l = 1e30f, h = -1e30f;
    int c = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float v = x[i];
        t += v, s += (double)v * v, l = fminf(l, v), h = fmaxf(h, v), c += v > 0;
    }
    t = block_reduce(t, [](double a, double b) { return a + b; }, shared_t);
    s = block_reduce(s, [](double a, double b) { return a + b; }, shared_s);
    l = block_reduce(l, [](float a, float b) { return fminf(a, b); }, shared_l);
    h = block_reduce(h, [](float a, float b) { return fmaxf(a, b); }, shared_h);
    c = block_reduce(c, [](int a, int b) { return a + b; }, shared_c);
    if (threadIdx.x == 0) {
        atomicAdd(&r->t, t), atomicAdd(&r->s, s), atomicAdd(&r->c, c);
        atomicMin(&r->l, order(l)), atomicMax(&r->h, order(h));
    }
}
static void begin(void) { dx = device_copy(x, N), dresult = device_new<Result>(1); }
static void step(void)
{
    Result r = {0, 0, 0x7f000000, -0x7f000000, 0};
    to_device(dresult, &r, 1);
    reduce<<<resident_blocks(256), 256>>>(N, dx, dresult);
    from_device(&r, dresult, 1);
    total = r.t, squares = r.s, low = unorder(r.l), high = unorder(r.h), count = r.c;
}
static void end(void) {}
#endif
static int check(void)
{
    const double t = total, s = squares;
    const float l = low, h = high;
    const int c = count;
    clear();
    for (int i = 0; i < N; ++i) {
        total += x[i], squares += (double)x[i] * x[i], count += x[i] > 0;
        low = x[i] < low ? x[i] : low, high = x[i] > high ? x[i] : high;
    }
    return is_close(t, total, 1e-9) && is_close(s, squares, 1e-9) && l == low && h == high && c == count;
}
#include "driver.h"
