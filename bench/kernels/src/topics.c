/* a topic model: a team for each text, which shares out the topics; of each word it adds up the topics' weights, then divides by the sum */
#include "bench.h"
#define TOPICS 128
#define WORDS 8192
#define TEXTS 4096
#define LENGTH 48
#define ROUNDS 3
static const double bytes = 0;
static int *words; /* of all texts, one text after the other */
static float *counts, *beta, *gamma_of;

static void setup(void)
{
    words = NEW(int, TEXTS * LENGTH), counts = NEW(float, TEXTS * LENGTH), beta = NEW(float, WORDS * TOPICS), gamma_of = NEW(float, TEXTS * TOPICS);
    for (int i = 0; i < TEXTS * LENGTH; ++i)
        words[i] = next_random() / 1024 % WORDS, counts[i] = (float)(1 + i % 4);
    for (int i = 0; i < WORDS * TOPICS; ++i)
        beta[i] = (float)(1 + next_random() / 1024 % 1000) / 1000;
}
#ifdef __CUDACC__
__host__ __device__
#endif
/* exp of the logarithmic derivative of the gamma function */
static inline float exp_digamma(float x)
{
    float shifted = 0;
    for (; x < 6; x += 1)
        shifted -= 1 / x;
    const float over = 1 / (x * x);
    return expf(shifted + logf(x) - 0.5f / x - over * (1.0f / 12 - over * (1.0f / 120 - over / 252)));
}
#ifndef __CUDACC__
#pragma omp declare target(exp_digamma)
static void topics(int texts, int length, int count, float alpha, const int *words, const float *counts, const float *beta, float *gamma_of)
{
#pragma omp target teams distribute thread_limit(TOPICS) map(to: words[0:texts * length], counts[0:texts * length], beta[0:count * TOPICS]) map(from: gamma_of[0:texts * TOPICS])
    for (int t = 0; t < texts; ++t) {
        float weight[TOPICS], next[TOPICS];
#pragma omp parallel for
        for (int k = 0; k < TOPICS; ++k)
            weight[k] = 1;
        for (int round = 0; round < ROUNDS; ++round) {
#pragma omp parallel for
            for (int k = 0; k < TOPICS; ++k)
                next[k] = alpha;
            for (int w = t * length; w < (t + 1) * length; ++w) {
                const int word = words[w];
                float sum = 0;
#pragma omp parallel for reduction(+ : sum)
                for (int k = 0; k < TOPICS; ++k)
                    sum += weight[k] * beta[word * TOPICS + k];
                const float scale = counts[w] / sum;
#pragma omp parallel for
                for (int k = 0; k < TOPICS; ++k)
                    next[k] += scale * weight[k] * beta[word * TOPICS + k];
            }
#pragma omp parallel for
            for (int k = 0; k < TOPICS; ++k)
                weight[k] = exp_digamma(next[k]);
        }
#pragma omp parallel for
        for (int k = 0; k < TOPICS; ++k)
            gamma_of[t * TOPICS + k] = next[k];
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: words[0:TEXTS * LENGTH], counts[0:TEXTS * LENGTH], beta[0:WORDS * TOPICS]) map(alloc: gamma_of[0:TEXTS * TOPICS])
}
static void step(void) { topics(TEXTS, LENGTH, WORDS, 0.1f, words, counts, beta, gamma_of); }
static void end(void)
{
#pragma omp target exit data map(from: gamma_of[0:TEXTS * TOPICS]) map(delete: words[0:TEXTS * LENGTH], counts[0:TEXTS * LENGTH], beta[0:WORDS * TOPICS])
}
#else
static int *d_words;
static float *d_counts, *d_beta, *d_gamma;
__global__ void topics(int length, float alpha, const int *__restrict__ words, const float *__restrict__ counts, const float *__restrict__ beta, float *__restrict__ gamma_of)
{
    __shared__ float parts[2][TOPICS / 32];
    float weight = 1, next = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        next = alpha;
        for (int w = 0; w < length; ++w) {
            const int at = blockIdx.x * length + w;
            const float mine = weight * beta[words[at] * TOPICS + threadIdx.x];
            float sum = mine;
            for (int d = 16; d > 0; d /= 2)
                sum += __shfl_down_sync(~0u, sum, d);
            if (threadIdx.x % 32 == 0)
                parts[w % 2][threadIdx.x / 32] = sum;
            __syncthreads();
            sum = 0;
            for (int p = 0; p < TOPICS / 32; ++p)
                sum += parts[w % 2][p];
            next += counts[at] / sum * mine;
        }
        __syncthreads();
        weight = exp_digamma(next);
    }
    gamma_of[blockIdx.x * TOPICS + threadIdx.x] = next;
}
static void begin(void)
{
    d_words = device_copy(words, TEXTS * LENGTH), d_counts = device_copy(counts, TEXTS * LENGTH);
    d_beta = device_copy(beta, WORDS * TOPICS), d_gamma = device_new<float>(TEXTS * TOPICS);
}
static void step(void)
{
    topics<<<TEXTS, TOPICS>>>(LENGTH, 0.1f, d_words, d_counts, d_beta, d_gamma);
    device_wait();
}
static void end(void) { from_device(gamma_of, d_gamma, TEXTS * TOPICS); }
#endif
static int check(void)
{
    for (int t = 0; t < TEXTS; t += 53) {
        double weight[TOPICS], next[TOPICS];
        for (int k = 0; k < TOPICS; ++k)
            weight[k] = 1, next[k] = 0;
        for (int round = 0; round < ROUNDS; ++round) {
            for (int k = 0; k < TOPICS; ++k)
                next[k] = 0.1;
            for (int w = t * LENGTH; w < (t + 1) * LENGTH; ++w) {
                double sum = 0;
                for (int k = 0; k < TOPICS; ++k)
                    sum += weight[k] * beta[words[w] * TOPICS + k];
                for (int k = 0; k < TOPICS; ++k)
                    next[k] += counts[w] / sum * weight[k] * beta[words[w] * TOPICS + k];
            }
            for (int k = 0; k < TOPICS; ++k)
                weight[k] = exp_digamma((float)next[k]);
        }
        for (int k = 0; k < TOPICS; ++k)
            if (!is_close(gamma_of[t * TOPICS + k], next[k], 1e-3))
                return 0;
    }
    return 1;
}
#include "driver.h"
