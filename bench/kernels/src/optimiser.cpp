/* an optimiser's step whose moments have four bits: a team for each block of weights unpacks them by tables, and packs them by the block's maximum */
#include "bench.h"
#include <array>
#include <cstdint>
#define BLOCKS 65536
#define LENGTH 256
#define THREADS 128
static const double bytes = (12.0 + 2) * BLOCKS * LENGTH + 16.0 * BLOCKS;

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

using Table = std::array<float, 16>; /* in ascending order */
/* The entry next to a value. */
template <class Entries> BOTH inline unsigned closest(const Entries &table, float value)
{
    unsigned low = 0;
    for (unsigned half = 8; half > 0; half /= 2)
        if (table[low + half] <= value)
            low += half;
    return low < 15 && table[low + 1] - value < value - table[low] ? low + 1 : low;
}
struct Rates {
    float rate, first, second, epsilon;
    BOTH float move(float &m, float &v, float gradient) const
    {
        m = first * m + (1 - first) * gradient;
        v = second * v + (1 - second) * gradient * gradient;
        return rate * m / (sqrtf(v) + epsilon);
    }
};
static float *weights, *gradients, *scales, *start;
static std::uint8_t *firsts, *seconds; /* two in a byte */
static Table signs, squares;
static const Rates rates{1e-3f, 0.9f, 0.99f, 1e-6f};

static void setup(void)
{
    weights = NEW(float, BLOCKS * LENGTH), gradients = NEW(float, BLOCKS * LENGTH), start = NEW(float, BLOCKS * LENGTH), scales = NEW(float, 2 * BLOCKS);
    firsts = NEW(std::uint8_t, BLOCKS * LENGTH / 2), seconds = NEW(std::uint8_t, BLOCKS * LENGTH / 2);
    for (int i = 0; i < 16; ++i)
        signs[i] = (float)(i - 8) / 8 * (float)abs(i - 8) / 8 + (i == 15 ? 0.234375f : 0), squares[i] = (float)((i + 1) * (i + 1)) / 256;
    for (int i = 0; i < BLOCKS * LENGTH; ++i)
        start[i] = weights[i] = (float)(i % 1009) / 512 - 1, gradients[i] = (float)(i % 509) / 128 - 2;
    for (int i = 0; i < BLOCKS * LENGTH / 2; ++i)
        firsts[i] = 0x88, seconds[i] = 0;
    for (int b = 0; b < 2 * BLOCKS; ++b)
        scales[b] = 0;
}
#ifndef __CUDACC__
template <int Length> class Optimiser {
  public:
    Optimiser(const Rates &rates, const Table &signs, const Table &squares) : rates_(rates), signs_(signs), squares_(squares) {}
    void step(int blocks, float *weights, const float *gradients, std::uint8_t *firsts, std::uint8_t *seconds, float *scales) const
    {
        const Rates rates = rates_;
        const Table signs = signs_, squares = squares_;
#pragma omp target teams distribute thread_limit(THREADS)
        for (int b = 0; b < blocks; ++b) {
            std::array<float, Length> m, v;
            float most_m = 0, most_v = 0;
#pragma omp parallel for reduction(max: most_m, most_v)
            for (int i = 0; i < Length / 2; ++i) {
                const unsigned pair_m = firsts[b * Length / 2 + i], pair_v = seconds[b * Length / 2 + i];
                for (int k = 0; k < 2; ++k) {
                    const int at = 2 * i + k;
                    m[at] = signs[pair_m >> 4 * k & 15] * scales[2 * b], v[at] = squares[pair_v >> 4 * k & 15] * scales[2 * b + 1];
                    weights[b * Length + at] -= rates.move(m[at], v[at], gradients[b * Length + at]);
                    most_m = fmaxf(most_m, fabsf(m[at])), most_v = fmaxf(most_v, v[at]);
                }
            }
            scales[2 * b] = most_m, scales[2 * b + 1] = most_v;
#pragma omp parallel for
            for (int i = 0; i < Length / 2; ++i) {
                unsigned pair_m = 0, pair_v = 0;
                for (int k = 0; k < 2; ++k) {
                    pair_m |= closest(signs, most_m > 0 ? m[2 * i + k] / most_m : 0) << 4 * k;
                    pair_v |= closest(squares, most_v > 0 ? v[2 * i + k] / most_v : 0) << 4 * k;
                }
                firsts[b * Length / 2 + i] = (std::uint8_t)pair_m, seconds[b * Length / 2 + i] = (std::uint8_t)pair_v;
            }
        }
    }

  private:
    Rates rates_;
    Table signs_, squares_;
};
static void begin(void)
{
#pragma omp target enter data map(to: weights[0:BLOCKS * LENGTH], gradients[0:BLOCKS * LENGTH], firsts[0:BLOCKS * LENGTH / 2], seconds[0:BLOCKS * LENGTH / 2], scales[0:2 * BLOCKS])
}
static void step(void) { Optimiser<LENGTH>(rates, signs, squares).step(BLOCKS, weights, gradients, firsts, seconds, scales); }
static void end(void)
{
#pragma omp target exit data map(from: weights[0:BLOCKS * LENGTH], firsts[0:BLOCKS * LENGTH / 2], seconds[0:BLOCKS * LENGTH / 2], scales[0:2 * BLOCKS]) map(delete: gradients[0:BLOCKS * LENGTH])
}
#else
static float *d_weights, *d_gradients, *d_scales;
static std::uint8_t *d_firsts, *d_seconds;
struct Tables {
    float signs[16], squares[16];
};
static Tables tables;
__device__ float over_block(float value, float *parts)
{
    for (int d = 16; d > 0; d /= 2)
        value = fmaxf(value, __shfl_xor_sync(~0u, value, d));
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = value;
    __syncthreads();
    for (int w = 0; w < THREADS / 32; ++w)
        value = fmaxf(value, parts[w]);
    return value;
}
__global__ void optimise(Rates rates, Tables tables, float2 *__restrict__ weights, const float2 *__restrict__ gradients, std::uint8_t *__restrict__ firsts, std::uint8_t *__restrict__ seconds, float2 *__restrict__ scales)
{
    __shared__ float signs[16], squares[16], parts[2][THREADS / 32];
    if (threadIdx.x < 16)
        signs[threadIdx.x] = tables.signs[threadIdx.x], squares[threadIdx.x] = tables.squares[threadIdx.x];
    __syncthreads();
    const int at = blockIdx.x * (LENGTH / 2) + threadIdx.x;
    const float2 scale = scales[blockIdx.x], gradient = gradients[at];
    const unsigned pair_m = firsts[at], pair_v = seconds[at];
    float m0 = signs[pair_m & 15] * scale.x, m1 = signs[pair_m >> 4] * scale.x;
    float v0 = squares[pair_v & 15] * scale.y, v1 = squares[pair_v >> 4] * scale.y;
    float2 weight = weights[at];
    weight.x -= rates.move(m0, v0, gradient.x), weight.y -= rates.move(m1, v1, gradient.y);
    weights[at] = weight;
    const float most_m = over_block(fmaxf(fabsf(m0), fabsf(m1)), parts[0]), most_v = over_block(fmaxf(v0, v1), parts[1]);
    if (threadIdx.x == 0)
        scales[blockIdx.x] = make_float2(most_m, most_v);
    firsts[at] = (std::uint8_t)(closest(signs, most_m > 0 ? m0 / most_m : 0) | closest(signs, most_m > 0 ? m1 / most_m : 0) << 4);
    seconds[at] = (std::uint8_t)(closest(squares, most_v > 0 ? v0 / most_v : 0) | closest(squares, most_v > 0 ? v1 / most_v : 0) << 4);
}
static void begin(void)
{
    d_weights = device_copy(weights, BLOCKS * LENGTH), d_gradients = device_copy(gradients, BLOCKS * LENGTH), d_scales = device_copy(scales, 2 * BLOCKS);
    d_firsts = device_copy(firsts, BLOCKS * LENGTH / 2), d_seconds = device_copy(seconds, BLOCKS * LENGTH / 2);
    for (int i = 0; i < 16; ++i)
        tables.signs[i] = signs[i], tables.squares[i] = squares[i];
}
static void step(void)
{
    optimise<<<BLOCKS, THREADS>>>(rates, tables, (float2 *)d_weights, (const float2 *)d_gradients, d_firsts, d_seconds, (float2 *)d_scales);
    device_wait();
}
static void end(void)
{
    from_device(weights, d_weights, BLOCKS * LENGTH), from_device(scales, d_scales, 2 * BLOCKS);
    from_device(firsts, d_firsts, BLOCKS * LENGTH / 2), from_device(seconds, d_seconds, BLOCKS * LENGTH / 2);
}
#endif
static int check(void)
{
    int differ = 0, seen = 0; /* values between two entries may go to either */
    for (int b = 0; b < BLOCKS; b += 499) {
        unsigned m[LENGTH], v[LENGTH];
        float weight[LENGTH], m_now[LENGTH], v_now[LENGTH], scale_m = 0, scale_v = 0;
        for (int i = 0; i < LENGTH; ++i)
            m[i] = 8, v[i] = 0, weight[i] = start[b * LENGTH + i];
        for (int s = 0; s < steps; ++s) {
            float most_m = 0, most_v = 0;
            for (int i = 0; i < LENGTH; ++i) {
                m_now[i] = signs[m[i]] * scale_m, v_now[i] = squares[v[i]] * scale_v;
                weight[i] -= rates.move(m_now[i], v_now[i], gradients[b * LENGTH + i]);
                most_m = fmaxf(most_m, fabsf(m_now[i])), most_v = fmaxf(most_v, v_now[i]);
            }
            for (int i = 0; i < LENGTH; ++i)
                m[i] = closest(signs, m_now[i] / most_m), v[i] = closest(squares, v_now[i] / most_v);
            scale_m = most_m, scale_v = most_v;
        }
        for (int i = 0; i < LENGTH; ++i, ++seen) {
            const unsigned in_m = firsts[(b * LENGTH + i) / 2] >> i % 2 * 4 & 15, in_v = seconds[(b * LENGTH + i) / 2] >> i % 2 * 4 & 15;
            differ += in_m != m[i] || in_v != v[i] || fabsf(weights[b * LENGTH + i] - weight[i]) > 1e-5f * (float)steps;
        }
        if (!is_close(scales[2 * b], scale_m, 1e-3) || !is_close(scales[2 * b + 1], scale_v, 1e-3))
            return 0;
    }
    return differ < seen / 50;
}
#include "driver.h"
