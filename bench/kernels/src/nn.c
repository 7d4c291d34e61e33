/* distance of every record to a place (nearest neighbours) */
#include "bench.h"
#define N (1 << 25)
static const double bytes = 12.0 * N;
typedef struct {
    float latitude, longitude;
} Place;
static Place *places;
static float *distances;

static void setup(void)
{
    places = NEW(Place, N), distances = NEW(float, N);
    for (int i = 0; i < N; ++i)
        places[i].latitude = (float)(i % 180), places[i].longitude = (float)(i % 359);
}
#ifndef __CUDACC__
static void nn(int n, const Place *places, float *distances, float latitude, float longitude)
{
#ifdef PARALLEL_FOR
#pragma omp target parallel for map(to: places[0:n]) map(from: distances[0:n])
#else
#pragma omp target teams distribute parallel for map(to: places[0:n]) map(from: distances[0:n])
#endif
    for (int i = 0; i < n; ++i)
        distances[i] = sqrtf((latitude - places[i].latitude) * (latitude - places[i].latitude) + (longitude - places[i].longitude) * (longitude - places[i].longitude));
}
static void begin(void)
{
#pragma omp target enter data map(to: places[0:N]) map(alloc: distances[0:N])
}
static void step(void) { nn(N, places, distances, 30, 90); }
static void end(void)
{
#pragma omp target exit data map(from: distances[0:N]) map(delete: places[0:N])
}
#else
static Place *dplaces;
static float *ddistances;
__global__ void nn(int n, const Place *__restrict__ places, float *__restrict__ distances, float latitude, float longitude)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const Place p = places[i];
        distances[i] = sqrtf((latitude - p.latitude) * (latitude - p.latitude) + (longitude - p.longitude) * (longitude - p.longitude));
    }
}
static void begin(void) { dplaces = device_copy(places, N), ddistances = device_new<float>(N); }
static void step(void)
{
    nn<<<blocks_for(N, 256), 256>>>(N, dplaces, ddistances, 30, 90);
    device_wait();
}
static void end(void) { from_device(distances, ddistances, N); }
#endif
static int check(void)
{
    for (int i = 0; i < N; ++i) {
        const double a = 30 - (i % 180), b = 90 - (i % 359);
        if (!is_close(distances[i], sqrt(a * a + b * b), 1e-5))
            return 0;
    }
    return 1;
}
#include "driver.h"
