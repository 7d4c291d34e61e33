/* quasi-random numbers by a table: a thread combines the directions of its number's bits for eight dimensions, as normally distributed numbers */
#include "bench.h"
#include <array>
#include <cstdint>
#define COUNT (1 << 21)
#define DIMENSIONS 8
#define BITS 32
static const double bytes = 4.0 * COUNT * DIMENSIONS;

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

/* The quantile of the logistic distribution, which is close to that of the normal one. */
BOTH inline float quantile(std::uint32_t x)
{
    const float u = ((float)(x >> 8) + 0.5f) * (1.0f / (1 << 24));
    return logf(u / (1 - u)) * 0.5513f;
}
static std::uint32_t table[DIMENSIONS * BITS];
static float *numbers;

static void setup(void)
{
    numbers = NEW(float, COUNT * DIMENSIONS);
    for (int d = 0; d < DIMENSIONS; ++d)
        for (int bit = 0; bit < BITS; ++bit) /* a one, and random bits below it */
            table[d * BITS + bit] = 1u << (31 - bit) | (d > 0 && bit > 0 ? ((std::uint32_t)next_random() * 2654435761u) << (32 - bit) & ~(1u << (31 - bit)) : 0);
}
#ifndef __CUDACC__
template <int Dimensions> class Sequence {
  public:
    explicit Sequence(const std::uint32_t *table)
    {
        for (int d = 0; d < Dimensions; ++d)
            for (int bit = 0; bit < BITS; ++bit)
                directions[d][bit] = table[d * BITS + bit];
    }
    void fill(int count, float *numbers) const
    {
        const auto table = directions;
#pragma omp target teams distribute parallel for map(to: table) map(from: numbers[0:Dimensions * count])
        for (int i = 0; i < count; ++i) {
            const std::uint32_t gray = (std::uint32_t)i ^ (std::uint32_t)i >> 1;
            for (int d = 0; d < Dimensions; ++d) {
                std::uint32_t x = 0;
                for (int bit = 0; bit < BITS; ++bit)
                    if (gray >> bit & 1)
                        x ^= table[d][bit];
                numbers[d * count + i] = quantile(x);
            }
        }
    }

  private:
    std::array<std::array<std::uint32_t, BITS>, Dimensions> directions;
};
static void begin(void)
{
#pragma omp target enter data map(alloc: numbers[0:COUNT * DIMENSIONS])
}
static void step(void) { Sequence<DIMENSIONS>(table).fill(COUNT, numbers); }
static void end(void)
{
#pragma omp target exit data map(from: numbers[0:COUNT * DIMENSIONS])
}
#else
static float *d_numbers;
__constant__ std::uint32_t directions[DIMENSIONS][BITS];
__global__ void fill(int count, float *__restrict__ numbers)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const std::uint32_t gray = (std::uint32_t)i ^ (std::uint32_t)i >> 1;
    for (int d = 0; d < DIMENSIONS; ++d) {
        std::uint32_t x = 0;
#pragma unroll
        for (int bit = 0; bit < BITS; ++bit)
            if (gray >> bit & 1)
                x ^= directions[d][bit];
        numbers[d * count + i] = quantile(x);
    }
}
static void begin(void)
{
    cuda_check(cudaMemcpyToSymbol(directions, table, sizeof table));
    d_numbers = device_new<float>(COUNT * DIMENSIONS);
}
static void step(void)
{
    fill<<<blocks_for(COUNT, 256), 256>>>(COUNT, d_numbers);
    device_wait();
}
static void end(void) { from_device(numbers, d_numbers, COUNT * DIMENSIONS); }
#endif
static int check(void)
{
    for (int i = 0; i < COUNT; i += 97)
        for (int d = 0; d < DIMENSIONS; ++d) {
            const std::uint32_t gray = (std::uint32_t)i ^ (std::uint32_t)i >> 1;
            std::uint32_t x = 0;
            for (int bit = 0; bit < BITS; ++bit)
                x ^= gray >> bit & 1 ? table[d * BITS + bit] : 0;
            if (!is_close(numbers[d * COUNT + i], quantile(x), 1e-4))
                return 0;
        }
    return 1;
}
#include "driver.h"
