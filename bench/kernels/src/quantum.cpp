/* Monte Carlo of a helium atom: a team for each group of walkers, whose energy its threads add up round by round to choose the width of moves */
#include "bench.h"
#include <cstdint>
#define GROUPS 2048
#define WALKERS 256
#define ROUNDS 16
#define MOVES 4
static const double bytes = 0;

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

struct Place {
    float x, y, z;
    BOTH float from_nucleus() const { return sqrtf(x * x + y * y + z * z); }
    BOTH float from(const Place &o) const { return sqrtf((x - o.x) * (x - o.x) + (y - o.y) * (y - o.y) + (z - o.z) * (z - o.z)); }
};
class Random {
  public:
    BOTH explicit Random(std::uint32_t state) : state_(state) {}
    BOTH float operator()() /* in [0, 1) */
    {
        state_ ^= state_ << 13, state_ ^= state_ >> 17, state_ ^= state_ << 5;
        return (float)(state_ >> 8) * (1.0f / (1 << 24));
    }
    BOTH std::uint32_t state() const { return state_; }

  private:
    std::uint32_t state_;
};
/* exp(-exponent * (r1 + r2)) */
struct Wave {
    float exponent;
    BOTH float logarithm(const Place &a, const Place &b) const { return -exponent * (a.from_nucleus() + b.from_nucleus()); }
    BOTH float energy(const Place &a, const Place &b) const
    {
        return -exponent * exponent + (exponent - 2) * (1 / a.from_nucleus() + 1 / b.from_nucleus()) + 1 / a.from(b);
    }
};
struct Walker {
    Place first, second;
    std::uint32_t random;
    /* Some moves by Metropolis: how many of them were accepted; their energies are added up. */
    template <class Trial> BOTH int walk(const Trial &wave, float width, int moves, float &energy)
    {
        Random next(random);
        float now = wave.logarithm(first, second);
        int accepted = 0;
        for (int m = 0; m < moves; ++m) {
            const Place a{first.x + width * (next() - 0.5f), first.y + width * (next() - 0.5f), first.z + width * (next() - 0.5f)};
            const Place b{second.x + width * (next() - 0.5f), second.y + width * (next() - 0.5f), second.z + width * (next() - 0.5f)};
            const float then = wave.logarithm(a, b);
            if (expf(2 * (then - now)) > next())
                first = a, second = b, now = then, ++accepted;
            energy += wave.energy(first, second);
        }
        random = next.state();
        return accepted;
    }
};
struct Result {
    float energy, width;
};
static Walker *walkers;
static Result *results;
static const Wave wave{1.6875f};

static void setup(void)
{
    walkers = NEW(Walker, GROUPS * WALKERS), results = NEW(Result, GROUPS);
    for (int i = 0; i < GROUPS * WALKERS; ++i) {
        walkers[i].first = {(float)(i % 7 - 3) / 8 + 0.1f, (float)(i % 5 - 2) / 8, (float)(i % 3 - 1) / 4};
        walkers[i].second = {(float)(i % 3 - 1) / 4, (float)(i % 7 - 3) / 8 + 0.1f, (float)(i % 5 - 2) / 8 - 0.1f};
        walkers[i].random = 2463534242u + 2654435769u * (std::uint32_t)i;
        walkers[i].random += walkers[i].random == 0;
    }
}
#ifndef __CUDACC__
template <class Trial> void propagate(int groups, const Trial &trial, Walker *walkers, Result *results)
{
    const Trial wave = trial;
#pragma omp target teams distribute thread_limit(WALKERS) map(tofrom: walkers[0:groups * WALKERS]) map(from: results[0:groups])
    for (int g = 0; g < groups; ++g) {
        float width = 1, sum = 0;
        for (int round = 0; round < ROUNDS; ++round) {
            float energy = 0;
            int accepted = 0;
#pragma omp parallel for reduction(+ : energy, accepted)
            for (int w = 0; w < WALKERS; ++w)
                accepted += walkers[g * WALKERS + w].walk(wave, width, MOVES, energy);
            sum += energy;
            width *= accepted > WALKERS * MOVES / 2 ? 1.1f : 0.9f;
        }
        results[g].energy = sum / (ROUNDS * MOVES * WALKERS), results[g].width = width;
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: walkers[0:GROUPS * WALKERS]) map(alloc: results[0:GROUPS])
}
static void step(void) { propagate(GROUPS, wave, walkers, results); }
static void end(void)
{
#pragma omp target exit data map(from: results[0:GROUPS]) map(delete: walkers[0:GROUPS * WALKERS])
}
#else
static Walker *d_walkers;
static Result *d_results;
template <class Trial> __global__ void __launch_bounds__(WALKERS) propagate(Trial wave, Walker *__restrict__ walkers, Result *__restrict__ results)
{
    __shared__ float energies[2][WALKERS / 32];
    __shared__ int counts[2][WALKERS / 32];
    Walker walker = walkers[blockIdx.x * WALKERS + threadIdx.x];
    float width = 1, sum = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        float energy = 0;
        int accepted = walker.walk(wave, width, MOVES, energy);
        for (int d = 16; d > 0; d /= 2)
            energy += __shfl_down_sync(~0u, energy, d);
        accepted = __reduce_add_sync(~0u, accepted);
        if (threadIdx.x % 32 == 0)
            energies[round % 2][threadIdx.x / 32] = energy, counts[round % 2][threadIdx.x / 32] = accepted;
        __syncthreads();
        energy = 0, accepted = 0;
        for (int w = 0; w < WALKERS / 32; ++w)
            energy += energies[round % 2][w], accepted += counts[round % 2][w];
        sum += energy;
        width *= accepted > WALKERS * MOVES / 2 ? 1.1f : 0.9f;
    }
    walkers[blockIdx.x * WALKERS + threadIdx.x] = walker;
    if (threadIdx.x == 0)
        results[blockIdx.x] = {sum / (ROUNDS * MOVES * WALKERS), width};
}
static void begin(void) { d_walkers = device_copy(walkers, GROUPS * WALKERS), d_results = device_new<Result>(GROUPS); }
static void step(void)
{
    propagate<<<GROUPS, WALKERS>>>(wave, d_walkers, d_results);
    device_wait();
}
static void end(void) { from_device(results, d_results, GROUPS); }
#endif
static int check(void)
{
    double energy = 0;
    for (int g = 0; g < GROUPS; ++g) {
        energy += results[g].energy / GROUPS;
        if (results[g].width < 0.2f || results[g].width > 5)
            return 0;
    }
    return fabs(energy - (1.6875 * 1.6875 - 27.0 / 8 * 1.6875)) < 0.03;
}
#include "driver.h"
