/* declare reduction in parallel regions inside teams: all threads of a team go on with what they have combined. */
#include "check.h"

#include <stdlib.h>

#define TEAMS 37
#define N 300

struct moments {
    double x, xx;
    int count;
};
struct ends {
    short low, high;
    unsigned char any;
};
static const struct ends none = {32767, -32768, 0};

static void join(struct ends *to, const struct ends *from)
{
    if (from->low < to->low)
        to->low = from->low;
    if (from->high > to->high)
        to->high = from->high;
    to->any = (unsigned char)(to->any | from->any);
}
static void begin(struct ends *mine, const struct ends *original)
{
    *mine = none;
    mine->any = original->any;
}
static long bigger(long a, long b) { return a > b ? a : b; }

#pragma omp declare reduction(+ : struct moments : omp_out.x += omp_in.x, omp_out.xx += omp_in.xx, omp_out.count += omp_in.count) \
    initializer(omp_priv = {0, 0, 0})
#pragma omp declare reduction(join : struct ends : join(&omp_out, &omp_in)) initializer(begin(&omp_priv, &omp_orig))
#pragma omp declare reduction(big : long : omp_out = bigger(omp_out, omp_in)) initializer(omp_priv = -1)

/* Several reductions of one region, one of which begins with the original; an array; and what follows in each thread. */
static void in_turns(const int *x, long *found, int threads)
{
#pragma omp target teams distribute thread_limit(threads) map(to: x[0:TEAMS * N]) map(from: found[0:TEAMS * 7])
    for (int t = 0; t < TEAMS; ++t) {
        struct moments m = {(double)t, 0, 1};
        struct ends e = none;
        long most = t, ones = 0, hits[3] = {0, 0, 0};
        e.any = t % 2;
        for (int round = 0; round < 3; ++round) {
#pragma omp parallel for reduction(+ : m, ones, hits) reduction(join : e) reduction(big : most)
            for (int i = 0; i < N; ++i) {
                const int v = x[t * N + i];
                m.x += v, m.xx += (double)v * v, m.count += 1;
                const struct ends one = {(short)v, (short)v, 0};
                join(&e, &one);
                most = bigger(most, v);
                ones += 1;
                hits[i % 3] += round;
            }
            most += 1;
        }
        found[t * 7] = (long)m.x, found[t * 7 + 1] = (long)m.xx, found[t * 7 + 2] = m.count;
        found[t * 7 + 3] = e.low * 10 + e.any, found[t * 7 + 4] = e.high;
        found[t * 7 + 5] = most, found[t * 7 + 6] = ones + hits[1] * 10000;
    }
}

/* What a region reads, another has computed from the result. */
static void passed_on(const int *x, double *y)
{
#pragma omp target teams distribute map(to: x[0:TEAMS * N]) map(from: y[0:TEAMS * N])
    for (int t = 0; t < TEAMS; ++t) {
        struct moments m = {0, 0, 0};
#pragma omp parallel for reduction(+ : m)
        for (int i = 0; i < N; ++i)
            m.x += x[t * N + i], m.count += 1;
        const double mean = m.x / m.count;
        if (m.count == N) {
#pragma omp parallel for
            for (int i = 0; i < N; ++i)
                y[t * N + i] = x[t * N + i] - mean;
        }
    }
}

int main(void)
{
    int *x = (int *)malloc(TEAMS * N * sizeof *x);
    double *y = (double *)malloc(TEAMS * N * sizeof *y);
    long found[TEAMS * 7];
    for (int i = 0; i < TEAMS * N; ++i)
        x[i] = (i * 37) % 1001 - 500;
    static const int sizes[] = {64, 33, 100, 1};
    for (int s = 0; s < 4; ++s) {
        in_turns(x, found, sizes[s]);
        for (int t = 0; t < TEAMS; ++t) {
            long sum = t, squares = 0, low = 32767, high = -32768;
            for (int i = 0; i < N; ++i) {
                const int v = x[t * N + i];
                sum += 3 * v, squares += 3L * v * v;
                low = v < low ? v : low, high = v > high ? v : high;
            }
            const long *f = found + t * 7;
            CHECK(f[0] == sum && f[1] == squares && f[2] == 1 + 3 * N);
            CHECK(f[3] == low * 10 + t % 2 && f[4] == high);
            CHECK(f[5] == (t > high ? t : high) + 3 && f[6] == 3 * N + 10000L * N);
        }
    }
    passed_on(x, y);
    for (int t = 0; t < TEAMS; ++t) {
        double sum = 0;
        for (int i = 0; i < N; ++i)
            sum += x[t * N + i];
        for (int i = 0; i < N; ++i)
            CHECK(y[t * N + i] == x[t * N + i] - sum / N);
    }
    free(x);
    free(y);
    return CHECK_RESULT();
}
