/* Programs of teams with arrays and parallel regions inside, as public programs have them: compression of floating point
 * numbers, options by a binomial tree, normalisation of groups, a search in a tree. */
#include "check.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#define BLOCK 64

static void fill(float *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = (float)((i * 7 + i / 13) % 101) / 4.0f - 9.0f;
}

/* Each block of values becomes their exponent, and integers of few bits. */
static long compressed(int blocks, const float *x, short *packed, int *exponents, int parallel)
{
#pragma omp target teams num_teams(blocks) thread_limit(BLOCK) map(to : x[0 : blocks * BLOCK]) map(from : packed[0 : blocks * BLOCK], exponents[0 : blocks])
    {
        float row[BLOCK];
        int bits[BLOCK], most = 0;
#pragma omp parallel num_threads(BLOCK)
        {
            const int i = omp_get_thread_num(), at = omp_get_team_num() * BLOCK;
            for (int k = i; k < BLOCK; k += omp_get_num_threads()) {
                int e;
                row[k] = x[at + k];
                for (e = 0; ldexpf(1, e) <= fabsf(row[k]); e++)
                    ;
                bits[k] = e;
            }
#pragma omp barrier
#pragma omp for reduction(max : most)
            for (int k = 0; k < BLOCK; k++)
                most = bits[k] > most ? bits[k] : most;
        }
        const float scale = ldexpf(1, 12 - most);
#pragma omp parallel for if(parallel: parallel)
        for (int k = 0; k < BLOCK; k++)
            packed[omp_get_team_num() * BLOCK + k] = (short)(row[k] * scale);
        exponents[omp_get_team_num()] = most;
    }
    long sum = 0;
    for (int i = 0; i < blocks * BLOCK; i++)
        sum += packed[i] * (i % 17 + 1) + exponents[i / BLOCK];
    return sum;
}

/* The values at the leaves of a tree go down to its root, level by level. */
static double options(int count, const float *x, float *price)
{
#pragma omp target teams distribute thread_limit(BLOCK) map(to : x[0 : count]) map(from : price[0 : count])
    for (int o = 0; o < count; o++) {
        double value[2 * BLOCK + 1];
        const double up = 0.5 + x[o] / 100;
#pragma omp parallel for
        for (int i = 0; i <= 2 * BLOCK; i++)
            value[i] = i > BLOCK ? i - BLOCK + x[o] : 0;
        for (int level = 2 * BLOCK; level > 0; level--) {
            double next[2 * BLOCK];
#pragma omp parallel for
            for (int i = 0; i < level; i++)
                next[i] = up * value[i + 1] + (1 - up) * value[i];
#pragma omp parallel for
            for (int i = 0; i < level; i++)
                value[i] = next[i];
        }
        price[o] = (float)value[0];
    }
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += price[i] * (i + 1);
    return sum;
}

/* Mean and deviation of each group, in one region with two sums. */
static double normalised(int groups, int length, float *x, int threads)
{
#pragma omp target teams distribute map(tofrom : x[0 : groups * length])
    for (int g = 0; g < groups; g++) {
        long sum = 0, squares = 0;
        float *row = x + g * length;
#pragma omp parallel for num_threads(threads) reduction(+ : sum, squares)
        for (int i = 0; i < length; i++) {
            const int q = (int)(row[i] * 4);
            sum += q;
            squares += (long)q * q;
        }
        const float mean = (float)sum / (float)length, square = (float)squares / (float)length;
        const float scale = 1 / sqrtf(square - mean * mean + 1e-5f);
#pragma omp parallel for
        for (int i = 0; i < length; i++)
            row[i] = (row[i] * 4 - mean) * scale;
    }
    double all = 0;
    for (int i = 0; i < groups * length; i++)
        all += x[i] * (i % 5);
    return all;
}

struct knot {
    int keys[BLOCK + 1], next[BLOCK];
    int is_leaf;
};

/* The threads of a team compare one key each, and one of them says where to go on. */
static long searched(int knots, int queries, const struct knot *tree, int *found)
{
#pragma omp target teams num_teams(queries) thread_limit(BLOCK) map(to : tree[0 : knots]) map(from : found[0 : queries])
    {
        int current, last;
#pragma omp parallel
        {
            const int thread = omp_get_thread_num(), query = omp_get_team_num(), wanted = query * 31 % 640;
#pragma omp single
            {
                current = query % knots;
                last = -1;
            }
            for (int level = 0; level < 5; level++) {
                const int here = current;
#pragma omp barrier
                for (int k = thread; k < BLOCK; k += omp_get_num_threads())
                    if (tree[here].keys[k] <= wanted && wanted < tree[here].keys[k + 1])
                        current = tree[here].next[k];
#pragma omp master
                if (tree[here].is_leaf)
                    last = here;
#pragma omp barrier
            }
            if (thread == 0)
                found[query] = current * 100 + last;
        }
    }
    long sum = 0;
    for (int i = 0; i < queries; i++)
        sum += found[i] * (long)(i + 1);
    return sum;
}

/* With one thread, iterations run in order, and each needs the one before. */
static long in_order(int n, long *x, int parallel, int threads)
{
#pragma omp target teams distribute map(tofrom : x[0 : 4 * n])
    for (int t = 0; t < 4; t++) {
        long last = 0;
#pragma omp parallel for if(parallel) reduction(+ : last)
        for (int i = 1; i < n; i++) {
            x[t * n + i] += parallel ? 1 : x[t * n + i - 1];
            last += x[t * n + i];
        }
        x[t * n] = last;
#pragma omp parallel for num_threads(threads)
        for (int i = 1; i < n; i++)
            x[t * n + i] += threads > 1 ? 2 : x[t * n + i - 1];
    }
    long sum = 0;
    for (int i = 0; i < 4 * n; i++)
        sum += x[i] * (i % 3 + 1);
    return sum;
}

int main(void)
{
    enum { BLOCKS = 6, KNOTS = 7, QUERIES = 20, N = 50 };
    static float x[BLOCKS * BLOCK], price[BLOCKS * BLOCK];
    static short packed[BLOCKS * BLOCK];
    static int exponents[BLOCKS], found[QUERIES];
    static struct knot tree[KNOTS];
    static long y[4 * N];
    fill(x, BLOCKS * BLOCK);
    for (int parallel = 0; parallel < 2; parallel++)
        printf("compressed: %ld\n", compressed(BLOCKS, x, packed, exponents, parallel));
    printf("options: %.3f\n", options(9, x, price));
    printf("normalised: %.2f %.2f\n", normalised(BLOCKS, BLOCK, x, 1), normalised(3, 2 * BLOCK, x, 16));
    for (int k = 0; k < KNOTS; k++) {
        for (int i = 0; i <= BLOCK; i++)
            tree[k].keys[i] = i * 10 + (i > 0 ? k % 3 : 0);
        for (int i = 0; i < BLOCK; i++)
            tree[k].next[i] = (k * 3 + i) % KNOTS;
        tree[k].is_leaf = k % 2;
    }
    printf("searched: %ld\n", searched(KNOTS, QUERIES, tree, found));
    for (int i = 0; i < 4 * N; i++)
        y[i] = i % 3;
    printf("in order: %ld %ld\n", in_order(N / 5, y, 0, 1), in_order(N / 5, y, 1, 4));
    CHECK(1);
    return CHECK_RESULT();
}
