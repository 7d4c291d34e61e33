/* chains of matches between sequences: a team for each read, whose threads offer an anchor's score to the 64 anchors behind it */
#include "bench.h"
#define READS 4096
#define ANCHORS 1024
#define BEHIND 64
static const double bytes = 0;
typedef struct {
    int x, y; /* places in the two sequences */
} Anchor;
static Anchor *anchors;
static int *scores, *before;

static void setup(void)
{
    anchors = NEW(Anchor, READS * ANCHORS), scores = NEW(int, READS * ANCHORS), before = NEW(int, READS * ANCHORS);
    for (int r = 0; r < READS; ++r) {
        int x = next_random() / 1024 % 100;
        for (int i = 0; i < ANCHORS; ++i) {
            x += 1 + next_random() / 1024 % 20;
            anchors[r * ANCHORS + i] = (Anchor){x, x + (i % 3 ? next_random() / 1024 % 40 - 20 : next_random() / 1024 % 4000)};
        }
    }
}
#ifdef __CUDACC__
__host__ __device__
#endif
/* What a match gains behind another one, or a large negative number. */
static inline int gain(Anchor a, Anchor b)
{
    const int dx = b.x - a.x, dy = b.y - a.y, apart = dx > dy ? dx - dy : dy - dx, least = dx < dy ? dx : dy;
    if (dy <= 0 || dx <= 0 || dy > 5000 || apart > 500)
        return -1000000;
    int cost = 0;
    for (int rest = apart; rest > 0; rest /= 2)
        ++cost;
    return (least < 15 ? least : 15) - apart / 8 - cost / 2;
}
#ifndef __CUDACC__
#pragma omp declare target(gain)
static void chain(int reads, int length, const Anchor *anchors, int *scores, int *before)
{
#pragma omp target teams distribute thread_limit(BEHIND) map(to: anchors[0:reads * length]) map(from: scores[0:reads * length], before[0:reads * length])
    for (int r = 0; r < reads; ++r) {
        int best[2 * BEHIND], from[2 * BEHIND]; /* a ring of the next anchors' */
#pragma omp parallel for
        for (int k = 0; k < 2 * BEHIND; ++k)
            best[k] = 15, from[k] = -1;
        for (int i = 0; i < length; ++i) {
            const int score = best[i % (2 * BEHIND)];
            const Anchor anchor = anchors[r * length + i];
#pragma omp parallel for
            for (int k = 1; k <= BEHIND; ++k) {
                const int j = i + k, place = j % (2 * BEHIND);
                if (j < length) {
                    const int offer = score + gain(anchor, anchors[r * length + j]);
                    if (offer > best[place])
                        best[place] = offer, from[place] = i;
                }
                if (k == BEHIND) {
                    const int own = i % (2 * BEHIND);
                    scores[r * length + i] = score, before[r * length + i] = from[own];
                    best[own] = 15, from[own] = -1;
                }
            }
        }
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: anchors[0:READS * ANCHORS]) map(alloc: scores[0:READS * ANCHORS], before[0:READS * ANCHORS])
}
static void step(void) { chain(READS, ANCHORS, anchors, scores, before); }
static void end(void)
{
#pragma omp target exit data map(from: scores[0:READS * ANCHORS], before[0:READS * ANCHORS]) map(delete: anchors[0:READS * ANCHORS])
}
#else
static Anchor *d_anchors;
static int *d_scores, *d_before;
__global__ void __launch_bounds__(BEHIND) chain(int length, const Anchor *__restrict__ anchors, int *__restrict__ scores, int *__restrict__ before)
{
    __shared__ int best[2 * BEHIND], from[2 * BEHIND];
    const long row = (long)blockIdx.x * length;
    for (int k = threadIdx.x; k < 2 * BEHIND; k += BEHIND)
        best[k] = 15, from[k] = -1;
    __syncthreads();
    for (int i = 0; i < length; ++i) {
        const int own = i % (2 * BEHIND), score = best[own], j = i + threadIdx.x + 1, place = j % (2 * BEHIND);
        if (j < length) {
            const int offer = score + gain(anchors[row + i], anchors[row + j]);
            if (offer > best[place])
                best[place] = offer, from[place] = i;
        }
        __syncthreads();
        if (threadIdx.x == BEHIND - 1) {
            scores[row + i] = score, before[row + i] = from[own];
            best[own] = 15, from[own] = -1;
        }
    }
}
static void begin(void)
{
    d_anchors = device_copy(anchors, READS * ANCHORS), d_scores = device_new<int>(READS * ANCHORS), d_before = device_new<int>(READS * ANCHORS);
}
static void step(void)
{
    chain<<<READS, BEHIND>>>(ANCHORS, d_anchors, d_scores, d_before);
    device_wait();
}
static void end(void) { from_device(scores, d_scores, READS * ANCHORS), from_device(before, d_before, READS * ANCHORS); }
#endif
static int check(void)
{
    static int best[ANCHORS], from[ANCHORS];
    for (int r = 0; r < READS; r += 97) {
        for (int i = 0; i < ANCHORS; ++i)
            best[i] = 15, from[i] = -1;
        for (int i = 0; i < ANCHORS; ++i) {
            for (int j = i + 1; j < ANCHORS && j <= i + BEHIND; ++j) {
                const int offer = best[i] + gain(anchors[r * ANCHORS + i], anchors[r * ANCHORS + j]);
                if (offer > best[j])
                    best[j] = offer, from[j] = i;
            }
            if (scores[r * ANCHORS + i] != best[i] || before[r * ANCHORS + i] != from[i])
                return 0;
        }
    }
    return 1;
}
#include "driver.h"
