/* deep loop nest like heartwall's: templates convolved with their surroundings, collapse(3) outside, two loops inside */
#include "bench.h"
#define POINTS 48
#define AREA 65
#define TEMPLATE 25
static const double bytes = 0;
static float *areas, *templates, *result;

static void setup(void)
{
    areas = NEW(float, POINTS * AREA * AREA), templates = NEW(float, POINTS * TEMPLATE * TEMPLATE), result = NEW(float, POINTS * AREA * AREA);
    for (int i = 0; i < POINTS * AREA * AREA; ++i)
        areas[i] = (float)(i * 31 % 17);
    for (int i = 0; i < POINTS * TEMPLATE * TEMPLATE; ++i)
        templates[i] = (float)(i * 13 % 7);
}
#define INSIDE(r, c) ((r) >= 0 && (r) < AREA && (c) >= 0 && (c) < AREA)
#ifndef __CUDACC__
static void convolve(int points, const float *areas, const float *templates, float *result)
{
#pragma omp target teams distribute parallel for collapse(3) \
    map(to: areas[0:points * AREA * AREA], templates[0:points * TEMPLATE * TEMPLATE]) map(from: result[0:points * AREA * AREA])
    for (int p = 0; p < points; ++p)
        for (int r = 0; r < AREA; ++r)
            for (int c = 0; c < AREA; ++c) {
                result[(p * AREA + r) * AREA + c] = 0;
                for (int i = 0; i < TEMPLATE; ++i)
                    for (int j = 0; j < TEMPLATE; ++j)
                        if (INSIDE(r + i - TEMPLATE / 2, c + j - TEMPLATE / 2))
                            result[(p * AREA + r) * AREA + c] += areas[(p * AREA + r + i - TEMPLATE / 2) * AREA + c + j - TEMPLATE / 2] * templates[(p * TEMPLATE + i) * TEMPLATE + j];
            }
}
static void begin(void)
{
#pragma omp target enter data map(to: areas[0:POINTS * AREA * AREA], templates[0:POINTS * TEMPLATE * TEMPLATE]) map(alloc: result[0:POINTS * AREA * AREA])
}
static void step(void) { convolve(POINTS, areas, templates, result); }
static void end(void)
{
#pragma omp target exit data map(from: result[0:POINTS * AREA * AREA]) map(delete: areas[0:POINTS * AREA * AREA], templates[0:POINTS * TEMPLATE * TEMPLATE])
}
#else
static float *dareas, *dtemplates, *dresult;
__global__ void convolve(int points, const float *__restrict__ areas, const float *__restrict__ templates, float *__restrict__ result)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= points * AREA * AREA)
        return;
    const int c = at % AREA, r = at / AREA % AREA, p = at / (AREA * AREA);
    float sum = 0;
    for (int i = 0; i < TEMPLATE; ++i)
        for (int j = 0; j < TEMPLATE; ++j)
            if (INSIDE(r + i - TEMPLATE / 2, c + j - TEMPLATE / 2))
                sum += areas[(p * AREA + r + i - TEMPLATE / 2) * AREA + c + j - TEMPLATE / 2] * templates[(p * TEMPLATE + i) * TEMPLATE + j];
    result[at] = sum;
}
static void begin(void)
{
    dareas = device_copy(areas, POINTS * AREA * AREA), dtemplates = device_copy(templates, POINTS * TEMPLATE * TEMPLATE);
    dresult = device_new<float>(POINTS * AREA * AREA);
}
static void step(void)
{
    convolve<<<blocks_for(POINTS * AREA * AREA, 128), 128>>>(POINTS, dareas, dtemplates, dresult);
    device_wait();
}
static void end(void) { from_device(result, dresult, POINTS * AREA * AREA); }
#endif
static int check(void)
{
    for (int at = 0; at < POINTS * AREA * AREA; at += 101) {
        const int c = at % AREA, r = at / AREA % AREA, p = at / (AREA * AREA);
        float sum = 0;
        for (int i = 0; i < TEMPLATE; ++i)
            for (int j = 0; j < TEMPLATE; ++j)
                if (INSIDE(r + i - TEMPLATE / 2, c + j - TEMPLATE / 2))
                    sum += areas[(p * AREA + r + i - TEMPLATE / 2) * AREA + c + j - TEMPLATE / 2] * templates[(p * TEMPLATE + i) * TEMPLATE + j];
        if (result[at] != sum)
            return 0;
    }
    return 1;
}
#include "driver.h"
