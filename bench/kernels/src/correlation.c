/* statistics: the correlations of many series, a triangle of pairs: rows distributed, an inner loop that begins after the row's number */
#include "bench.h"
#define SERIES 1024
#define SAMPLES 512
static const double bytes = 0;
static float *data, *related;

static void setup(void)
{
    data = NEW(float, SAMPLES * SERIES), related = NEW(float, SERIES * SERIES);
    for (int i = 0; i < SAMPLES * SERIES; ++i)
        data[i] = (float)(next_random() & 4095) / 4096 - 0.5f;
    for (int i = 0; i < SERIES * SERIES; ++i)
        related[i] = 1;
}
#ifndef __CUDACC__
static void correlate(int series, int samples, const float *data, float *related)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < series; ++i)
        for (int j = i + 1; j < series; ++j) {
            float sum = 0;
            for (int k = 0; k < samples; ++k)
                sum += data[k * series + i] * data[k * series + j];
            related[i * series + j] = sum / (float)samples;
        }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: data[0:SAMPLES * SERIES], related[0:SERIES * SERIES])
}
static void step(void) { correlate(SERIES, SAMPLES, data, related); }
static void end(void)
{
#pragma omp target exit data map(from: related[0:SERIES * SERIES])
}
#else
static float *d_data, *d_related;
__global__ void correlate(int series, int samples, const float *__restrict__ data, float *__restrict__ related)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (j > i && j < series) {
        float sum = 0;
        for (int k = 0; k < samples; ++k)
            sum += data[k * series + i] * data[k * series + j];
        related[i * series + j] = sum / (float)samples;
    }
}
static void begin(void) { d_data = device_copy(data, SAMPLES * SERIES), d_related = device_copy(related, SERIES * SERIES); }
static void step(void)
{
    correlate<<<dim3(SERIES / 32, SERIES / 8), dim3(32, 8)>>>(SERIES, SAMPLES, d_data, d_related);
    device_wait();
}
static void end(void) { from_device(related, d_related, SERIES * SERIES); }
#endif
static int check(void)
{
    for (int i = 0; i < SERIES; i += 53)
        for (int j = 0; j < SERIES; j += 3) {
            double sum = 0;
            for (int k = 0; k < SAMPLES; ++k)
                sum += (double)data[k * SERIES + i] * data[k * SERIES + j];
            if (!is_close(related[i * SERIES + j], j > i ? sum / SAMPLES : 1, 1e-4))
                return 0;
        }
    return 1;
}
#include "driver.h"
