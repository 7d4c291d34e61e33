/* prices of options by Black and Scholes: a policy class as template argument, std::array for the parameters */
#include "bench.h"
#include <array>
#define N (1 << 24)
static const double bytes = 20.0 * N;

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

struct Normal {
    BOTH static float cumulative(float x)
    {
        const float k = 1 / (1 + 0.2316419f * fabsf(x));
        const float p = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
        const float tail = 0.39894228f * expf(-0.5f * x * x) * p;
        return x > 0 ? 1 - tail : tail;
    }
};
struct Prices {
    float call, put;
};
template <class Distribution> BOTH Prices price(float spot, float strike, float years, float rate, float volatility)
{
    const float root = sqrtf(years), d1 = (logf(spot / strike) + (rate + 0.5f * volatility * volatility) * years) / (volatility * root);
    const float d2 = d1 - volatility * root, c1 = Distribution::cumulative(d1), c2 = Distribution::cumulative(d2), later = expf(-rate * years);
    return {spot * c1 - strike * later * c2, strike * later * (1 - c2) - spot * (1 - c1)};
}

static float *spot, *strike, *years, *call, *put;
#ifdef __CUDACC__
static float *d_spot, *d_strike, *d_years, *d_call, *d_put;
__global__ void all_prices(int n, float rate, float volatility, const float *__restrict__ spot, const float *__restrict__ strike, const float *__restrict__ years, float *__restrict__ call, float *__restrict__ put)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const Prices p = price<Normal>(spot[i], strike[i], years[i], rate, volatility);
        call[i] = p.call, put[i] = p.put;
    }
}
#else
template <class Distribution>
void all_prices(int n, std::array<float, 2> market, const float *spot, const float *strike, const float *years, float *call, float *put)
{
#pragma omp target teams distribute parallel for map(to: spot[0:n], strike[0:n], years[0:n]) map(from: call[0:n], put[0:n])
    for (int i = 0; i < n; ++i) {
        const Prices p = price<Distribution>(spot[i], strike[i], years[i], market[0], market[1]);
        call[i] = p.call, put[i] = p.put;
    }
}
#endif

static void setup(void)
{
    spot = NEW(float, N), strike = NEW(float, N), years = NEW(float, N), call = NEW(float, N), put = NEW(float, N);
    for (int i = 0; i < N; ++i)
        spot[i] = 5 + (float)(i % 2501) / 100, strike[i] = 1 + (float)(i % 9901) / 100, years[i] = 0.25f + (float)(i % 39) / 4;
}
static void begin(void)
{
#ifdef __CUDACC__
    d_spot = device_copy(spot, N), d_strike = device_copy(strike, N), d_years = device_copy(years, N);
    d_call = device_new<float>(N), d_put = device_new<float>(N);
#else
#pragma omp target enter data map(to: spot[0:N], strike[0:N], years[0:N]) map(alloc: call[0:N], put[0:N])
#endif
}
static void step(void)
{
#ifdef __CUDACC__
    all_prices<<<blocks_for(N, 256), 256>>>(N, 0.02f, 0.3f, d_spot, d_strike, d_years, d_call, d_put);
    device_wait();
#else
    all_prices<Normal>(N, {0.02f, 0.3f}, spot, strike, years, call, put);
#endif
}
static void end(void)
{
#ifdef __CUDACC__
    from_device(call, d_call, N), from_device(put, d_put, N);
#else
#pragma omp target exit data map(from: call[0:N], put[0:N])
#endif
}
static int check(void)
{
    for (int i = 0; i < N; i += 97) {
        const Prices p = price<Normal>(spot[i], strike[i], years[i], 0.02f, 0.3f);
        if (!is_close(call[i], p.call, 2e-3) || !is_close(put[i], p.put, 2e-3))
            return 0;
    }
    return 1;
}
#include "driver.h"
