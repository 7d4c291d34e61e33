/* deep loop nest like leukocyte's: over pixels, circles and points of a circle, mean and variance, the largest score */
#include "bench.h"
#define ROWS 512
#define COLUMNS 1024
#define CIRCLES 7
#define SAMPLES 32
#define EDGE 24
static const double bytes = 0;
static float *gx, *gy, *cosines, *sines, *score;
static int *tx, *ty;

static void setup(void)
{
    gx = NEW(float, ROWS * COLUMNS), gy = NEW(float, ROWS * COLUMNS), score = NEW(float, ROWS * COLUMNS);
    cosines = NEW(float, SAMPLES), sines = NEW(float, SAMPLES), tx = NEW(int, CIRCLES * SAMPLES), ty = NEW(int, CIRCLES * SAMPLES);
    for (int i = 0; i < ROWS * COLUMNS; ++i)
        gx[i] = (float)(i * 31 % 17) / 17, gy[i] = (float)(i * 13 % 11) / 11, score[i] = 0;
    for (int n = 0; n < SAMPLES; ++n)
        cosines[n] = (float)cos(n * 6.2831853 / SAMPLES), sines[n] = (float)sin(n * 6.2831853 / SAMPLES);
    for (int k = 0; k < CIRCLES; ++k)
        for (int n = 0; n < SAMPLES; ++n) {
            tx[k * SAMPLES + n] = (int)(cosines[n] * (float)(k + 2) * 2);
            ty[k * SAMPLES + n] = (int)(sines[n] * (float)(k + 2) * 2);
        }
}
#define SCORE(i, j)                                                                                                    \
    float best = 0;                                                                                                    \
    for (int k = 0; k < CIRCLES; ++k) {                                                                                \
        float gradient[SAMPLES], sum = 0, variance = 0, before = 0;                                                    \
        for (int n = 0; n < SAMPLES; ++n) {                                                                            \
            const int y = j + ty[k * SAMPLES + n], x = i + tx[k * SAMPLES + n];                                        \
            gradient[n] = gx[x * COLUMNS + y] * cosines[n] + gy[x * COLUMNS + y] * sines[n];                           \
            sum += gradient[n];                                                                                        \
        }                                                                                                              \
        const float mean = sum / SAMPLES;                                                                              \
        for (int n = 0; n < SAMPLES; ++n) {                                                                            \
            before = gradient[n] - mean;                                                                               \
            variance += before * before;                                                                               \
        }                                                                                                              \
        variance = variance / (SAMPLES - 1);                                                                           \
        if (mean * mean / variance > best)                                                                             \
            best = mean * mean / variance;                                                                             \
    }
#ifndef __CUDACC__
static void gicov(const float *gx, const float *gy, const float *cosines, const float *sines, const int *tx, const int *ty, float *score)
{
#pragma omp target teams distribute parallel for collapse(2) map(to: gx[0:ROWS * COLUMNS], gy[0:ROWS * COLUMNS], cosines[0:SAMPLES], \
    sines[0:SAMPLES], tx[0:CIRCLES * SAMPLES], ty[0:CIRCLES * SAMPLES]) map(tofrom: score[0:ROWS * COLUMNS])
    for (int i = EDGE; i < ROWS - EDGE; ++i)
        for (int j = EDGE; j < COLUMNS - EDGE; ++j) {
            SCORE(i, j)
            score[i * COLUMNS + j] = best;
        }
}
static void begin(void)
{
#pragma omp target enter data map(to: gx[0:ROWS * COLUMNS], gy[0:ROWS * COLUMNS], cosines[0:SAMPLES], sines[0:SAMPLES], tx[0:CIRCLES * SAMPLES], ty[0:CIRCLES * SAMPLES], score[0:ROWS * COLUMNS])
}
static void step(void) { gicov(gx, gy, cosines, sines, tx, ty, score); }
static void end(void)
{
#pragma omp target exit data map(from: score[0:ROWS * COLUMNS]) map(delete: gx[0:ROWS * COLUMNS], gy[0:ROWS * COLUMNS], cosines[0:SAMPLES], sines[0:SAMPLES], tx[0:CIRCLES * SAMPLES], ty[0:CIRCLES * SAMPLES])
}
#else
static float *dgx, *dgy, *dcosines, *dsines, *dscore;
static int *dtx, *dty;
__global__ void gicov(const float *__restrict__ gx, const float *__restrict__ gy, const float *__restrict__ cosines,
                      const float *__restrict__ sines, const int *__restrict__ tx, const int *__restrict__ ty, float *__restrict__ score)
{
    const int j = EDGE + blockIdx.x * blockDim.x + threadIdx.x, i = EDGE + blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= ROWS - EDGE || j >= COLUMNS - EDGE)
        return;
    SCORE(i, j)
    score[i * COLUMNS + j] = best;
}
static void begin(void)
{
    dgx = device_copy(gx, ROWS * COLUMNS), dgy = device_copy(gy, ROWS * COLUMNS), dscore = device_copy(score, ROWS * COLUMNS);
    dcosines = device_copy(cosines, SAMPLES), dsines = device_copy(sines, SAMPLES);
    dtx = device_copy(tx, CIRCLES * SAMPLES), dty = device_copy(ty, CIRCLES * SAMPLES);
}
static void step(void)
{
    gicov<<<dim3(blocks_for(COLUMNS - 2 * EDGE, 32), blocks_for(ROWS - 2 * EDGE, 4)), dim3(32, 4)>>>(dgx, dgy, dcosines, dsines, dtx, dty, dscore);
    device_wait();
}
static void end(void) { from_device(score, dscore, ROWS * COLUMNS); }
#endif
static int check(void)
{
    for (int i = EDGE; i < ROWS - EDGE; i += 7)
        for (int j = EDGE; j < COLUMNS - EDGE; j += 11) {
            SCORE(i, j)
            if (!is_close(score[i * COLUMNS + j], best, 1e-2))
                return 0;
        }
    return 1;
}
#include "driver.h"
