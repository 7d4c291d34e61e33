/* a team for each sample: two dense layers with the values between them in an array of the team's, and inner parallel loops */
#include "bench.h"
#define SAMPLES 4096
#define IN 256
#define HIDDEN 128
#define OUT 32
static const double bytes = 0;
static float *input, *first, *second, *output;

static void setup(void)
{
    input = NEW(float, SAMPLES * IN), first = NEW(float, IN * HIDDEN), second = NEW(float, HIDDEN * OUT), output = NEW(float, SAMPLES * OUT);
    for (int i = 0; i < SAMPLES * IN; ++i)
        input[i] = (float)(i % 101) / 101;
    for (int i = 0; i < IN * HIDDEN; ++i)
        first[i] = (float)(i % 17 - 8) / 100;
    for (int i = 0; i < HIDDEN * OUT; ++i)
        second[i] = (float)(i % 13 - 6) / 100;
}
#ifndef __CUDACC__
static void infer(int samples, const float *input, const float *first, const float *second, float *output)
{
#pragma omp target teams distribute thread_limit(128)
    for (int s = 0; s < samples; ++s) {
        float hidden[HIDDEN];
        float largest = 0;
#pragma omp parallel for
        for (int h = 0; h < HIDDEN; ++h) {
            float sum = 0;
            for (int i = 0; i < IN; ++i)
                sum += input[s * IN + i] * first[i * HIDDEN + h];
            hidden[h] = sum > 0 ? sum : 0;
        }
#pragma omp parallel for reduction(max: largest)
        for (int h = 0; h < HIDDEN; ++h)
            largest = hidden[h] > largest ? hidden[h] : largest;
        const float scale = 1 / (1 + largest);
#pragma omp parallel for
        for (int o = 0; o < OUT; ++o) {
            float sum = 0;
            for (int h = 0; h < HIDDEN; ++h)
                sum += hidden[h] * second[h * OUT + o];
            output[s * OUT + o] = sum * scale;
        }
    }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: input[0:SAMPLES * IN], first[0:IN * HIDDEN], second[0:HIDDEN * OUT]) map(alloc: output[0:SAMPLES * OUT])
}
static void step(void) { infer(SAMPLES, input, first, second, output); }
static void end(void)
{
#pragma omp target exit data map(from: output[0:SAMPLES * OUT])
}
#else
static float *d_input, *d_first, *d_second, *d_output;
__global__ void infer(const float *__restrict__ input, const float *__restrict__ first, const float *__restrict__ second, float *__restrict__ output)
{
    __shared__ float hidden[HIDDEN], shared[32], scale;
    const int s = blockIdx.x, t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < IN; ++i)
        sum += input[s * IN + i] * first[i * HIDDEN + t];
    hidden[t] = sum = sum > 0 ? sum : 0;
    const float largest = block_reduce(sum, [](float a, float b) { return fmaxf(a, b); }, shared);
    if (t == 0)
        scale = 1 / (1 + largest);
    __syncthreads();
    if (t < OUT) {
        float value = 0;
        for (int h = 0; h < HIDDEN; ++h)
            value += hidden[h] * second[h * OUT + t];
        output[s * OUT + t] = value * scale;
    }
}
static void begin(void)
{
    d_input = device_copy(input, SAMPLES * IN), d_first = device_copy(first, IN * HIDDEN), d_second = device_copy(second, HIDDEN * OUT);
    d_output = device_new<float>(SAMPLES * OUT);
}
static void step(void)
{
    infer<<<SAMPLES, HIDDEN>>>(d_input, d_first, d_second, d_output);
    device_wait();
}
static void end(void) { from_device(output, d_output, SAMPLES * OUT); }
#endif
static int check(void)
{
    for (int s = 0; s < SAMPLES; s += 37) {
        double hidden[HIDDEN], largest = 0;
        for (int h = 0; h < HIDDEN; ++h) {
            hidden[h] = 0;
            for (int i = 0; i < IN; ++i)
                hidden[h] += (double)input[s * IN + i] * first[i * HIDDEN + h];
            hidden[h] = hidden[h] > 0 ? hidden[h] : 0;
            largest = hidden[h] > largest ? hidden[h] : largest;
        }
        for (int o = 0; o < OUT; ++o) {
            double sum = 0;
            for (int h = 0; h < HIDDEN; ++h)
                sum += hidden[h] * second[h * OUT + o];
            if (!is_close(output[s * OUT + o], sum / (1 + largest), 1e-4))
                return 0;
        }
    }
    return 1;
}
#include "driver.h"
