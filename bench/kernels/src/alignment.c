/* dynamic programming: global alignment of two sequences (Needleman and Wunsch), one launch for each diagonal */
#include "bench.h"
#define N 2048
#define PITCH (N + 1)
static const double bytes = 0;
static signed char *one, *other;
static int *score;
typedef struct {
    int same, differ, gap;
} Costs;
static const Costs costs = {3, -2, -4};

static void setup(void)
{
    one = NEW(signed char, N), other = NEW(signed char, N), score = NEW(int, PITCH * PITCH);
    for (int i = 0; i < N; ++i)
        one[i] = next_random() >> 7 & 3, other[i] = i % 5 ? one[i] : next_random() >> 7 & 3;
    for (int i = 0; i <= N; ++i)
        score[i] = score[i * PITCH] = i * costs.gap;
}
#define CELL(i, j)                                                                                                     \
    const int at = (i)*pitch + (j), diagonal = score[at - pitch - 1] + (one[(i)-1] == other[(j)-1] ? by.same : by.differ); \
    const int up = score[at - pitch] + by.gap, left = score[at - 1] + by.gap, most = up > left ? up : left;            \
    score[at] = diagonal > most ? diagonal : most;
#ifndef __CUDACC__
static void align(int n, int pitch, const Costs by, const signed char *one, const signed char *other, int *score)
{
    for (int d = 2; d <= 2 * n; ++d) {
        const int from = d > n ? d - n : 1, to = d > n ? n : d - 1;
#pragma omp target teams distribute parallel for map(to: one[0:n], other[0:n]) map(tofrom: score[0:pitch * pitch])
        for (int i = from; i <= to; ++i) {
            CELL(i, d - i)
        }
    }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: one[0:N], other[0:N], score[0:PITCH * PITCH])
}
static void step(void) { align(N, PITCH, costs, one, other, score); }
static void end(void)
{
#pragma omp target exit data map(from: score[0:PITCH * PITCH])
}
#else
static signed char *d_one, *d_other;
static int *d_score;
__global__ void align(int from, int to, int d, int pitch, Costs by, const signed char *__restrict__ one, const signed char *__restrict__ other, int *score)
{
    const int i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= to) {
        CELL(i, d - i)
    }
}
static void begin(void) { d_one = device_copy(one, N), d_other = device_copy(other, N), d_score = device_copy(score, PITCH * PITCH); }
static void step(void)
{
    for (int d = 2; d <= 2 * N; ++d) {
        const int from = d > N ? d - N : 1, to = d > N ? N : d - 1;
        align<<<blocks_for(to - from + 1, 64), 64>>>(from, to, d, PITCH, costs, d_one, d_other, d_score);
    }
    device_wait();
}
static void end(void) { from_device(score, d_score, PITCH * PITCH); }
#endif
static int check(void)
{
    const int pitch = PITCH, total = score[PITCH * PITCH - 1], middle = score[N / 2 * PITCH + N / 3];
    const Costs by = costs;
    for (int i = 1; i <= N; ++i)
        for (int j = 1; j <= N; ++j) {
            CELL(i, j)
        }
    return total == score[PITCH * PITCH - 1] && middle == score[N / 2 * PITCH + N / 3];
}
#include "driver.h"
