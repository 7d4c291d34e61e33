/* number-theoretic transforms: numbers modulo a prime are a class template, a team has 1024 of them in an array, level by level */
#include "bench.h"
#include <cstdint>
#define TRANSFORMS 16384
#define LEVELS 10
#define LENGTH 1024
#define THREADS 256
#define PRIME 998244353u
#define GENERATOR 3u
static const double bytes = 8.0 * TRANSFORMS * LENGTH;

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

template <std::uint32_t Prime> class Field {
  public:
    Field() = default;
    BOTH Field(std::uint32_t value) : value_(value) {}
    BOTH std::uint32_t value() const { return value_; }
    BOTH friend Field operator+(Field a, Field b)
    {
        const std::uint32_t sum = a.value_ + b.value_;
        return sum >= Prime ? sum - Prime : sum;
    }
    BOTH friend Field operator-(Field a, Field b) { return a.value_ >= b.value_ ? a.value_ - b.value_ : a.value_ + Prime - b.value_; }
    BOTH friend Field operator*(Field a, Field b) { return (std::uint32_t)((std::uint64_t)a.value_ * b.value_ % Prime); }

  private:
    std::uint32_t value_;
};
using Number = Field<PRIME>;

static Number power(Number base, std::uint32_t exponent)
{
    Number result = 1;
    for (; exponent; exponent /= 2, base = base * base)
        if (exponent % 2)
            result = result * base;
    return result;
}
BOTH inline int reversed(int i)
{
    int to = 0;
    for (int bit = 0; bit < LEVELS; ++bit)
        to |= (i >> bit & 1) << (LEVELS - 1 - bit);
    return to;
}
static Number *in, *out, *roots;

static void setup(void)
{
    in = NEW(Number, TRANSFORMS * LENGTH), out = NEW(Number, TRANSFORMS * LENGTH), roots = NEW(Number, LENGTH);
    for (int i = 0; i < TRANSFORMS * LENGTH; ++i)
        in[i] = (std::uint32_t)next_random() % PRIME;
    const Number root = power(GENERATOR, (PRIME - 1) / LENGTH);
    roots[0] = 1;
    for (int i = 1; i < LENGTH; ++i)
        roots[i] = roots[i - 1] * root;
}
#ifndef __CUDACC__
template <class T, int Levels> void transform(int count, const T *in, T *out, const T *roots)
{
    constexpr int length = 1 << Levels;
#pragma omp target teams distribute thread_limit(THREADS) map(to: in[0:count * length], roots[0:length]) map(from: out[0:count * length])
    for (int t = 0; t < count; ++t) {
        T values[length];
#pragma omp parallel for
        for (int i = 0; i < length; ++i)
            values[reversed(i)] = in[t * length + i];
        for (int level = 0; level < Levels; ++level) {
            const int half = 1 << level;
#pragma omp parallel for
            for (int b = 0; b < length / 2; ++b) {
                const int place = b % half, low = (b / half) * 2 * half + place;
                const T even = values[low], odd = values[low + half] * roots[place << (Levels - 1 - level)];
                values[low] = even + odd;
                values[low + half] = even - odd;
            }
        }
#pragma omp parallel for
        for (int i = 0; i < length; ++i)
            out[t * length + i] = values[i];
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: in[0:TRANSFORMS * LENGTH], roots[0:LENGTH]) map(alloc: out[0:TRANSFORMS * LENGTH])
}
static void step(void) { transform<Number, LEVELS>(TRANSFORMS, in, out, roots); }
static void end(void)
{
#pragma omp target exit data map(from: out[0:TRANSFORMS * LENGTH]) map(delete: in[0:TRANSFORMS * LENGTH], roots[0:LENGTH])
}
#else
static Number *d_in, *d_out, *d_roots;
template <class T, int Levels> __global__ void transform(const T *__restrict__ in, T *__restrict__ out, const T *__restrict__ roots)
{
    constexpr int length = 1 << Levels;
    __shared__ std::uint32_t values[length];
    const long row = (long)blockIdx.x * length;
    for (int i = threadIdx.x; i < length; i += THREADS)
        values[__brev(i) >> (32 - Levels)] = in[row + i].value();
    __syncthreads();
#pragma unroll
    for (int level = 0; level < Levels; ++level) {
        const int half = 1 << level;
        for (int b = threadIdx.x; b < length / 2; b += THREADS) {
            const int place = b & (half - 1), low = (b >> level) * 2 * half + place;
            const T even = values[low], odd = T(values[low + half]) * roots[place << (Levels - 1 - level)];
            values[low] = (even + odd).value();
            values[low + half] = (even - odd).value();
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < length; i += THREADS)
        out[row + i] = values[i];
}
static void begin(void)
{
    d_in = device_copy(in, TRANSFORMS * LENGTH), d_roots = device_copy(roots, LENGTH), d_out = device_new<Number>(TRANSFORMS * LENGTH);
}
static void step(void)
{
    transform<Number, LEVELS><<<TRANSFORMS, THREADS>>>(d_in, d_out, d_roots);
    device_wait();
}
static void end(void) { from_device(out, d_out, TRANSFORMS * LENGTH); }
#endif
static int check(void)
{
    for (int t = 0; t < TRANSFORMS; t += 211)
        for (int k = 0; k < LENGTH; k += 37) { /* the polynomial's value at a root */
            Number sum = 0;
            for (int i = LENGTH - 1; i >= 0; --i)
                sum = sum * roots[k] + in[t * LENGTH + i];
            if (sum.value() != out[t * LENGTH + k].value())
                return 0;
        }
    return 1;
}
#include "driver.h"
