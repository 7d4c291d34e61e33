/* Functions that parallel regions of teams call, with barriers, shared loops, and questions who runs them. */
#include "check.h"
#include <omp.h>
#include <stdlib.h>

#define BLOCK 64

/* The sum of what the threads before this one have. */
static int before(int value, int *row)
{
    const int me = omp_get_thread_num();
    row[me] = value;
#pragma omp barrier
    int sum = 0;
    for (int i = 0; i < me; i++)
        sum += row[i];
#pragma omp barrier
    return sum;
}

/* Moves the elements with a set bit behind those without. */
static void split(int *keys, int *row, int *zeros, int bit)
{
    const int me = omp_get_thread_num(), last = omp_get_num_threads() - 1;
    const int key = keys[me], one = key >> bit & 1;
    const int ahead = before(!one, row);
    if (me == last)
        *zeros = ahead + !one;
#pragma omp barrier
    keys[one ? *zeros + me - ahead : ahead] = key;
#pragma omp barrier
}

static void doubled(int *keys, int count, int *sum)
{
#pragma omp for reduction(+ : sum[0])
    for (int i = 0; i < count; i++) {
        keys[i] *= 2;
        sum[0] += keys[i];
    }
#pragma omp single
    sum[0] += omp_get_num_threads() > 1;
#pragma omp masked
    sum[0] += 1;
#pragma omp barrier
}

static void halved(int *keys, int count)
{
#pragma omp for schedule(static, 3)
    for (int i = 0; i < count; i++)
        keys[i] /= 2;
}

static int ask(void) { return omp_get_thread_num() + 100 * omp_get_level(); }

/* Only in parallel regions: this is what all threads of the block run. */
static long sorted(int *keys, int blocks)
{
#pragma omp target teams num_teams(blocks) thread_limit(BLOCK) map(tofrom : keys[0 : blocks * BLOCK])
    {
        int row[BLOCK], zeros[1], mine[BLOCK];
        const int first = omp_get_team_num() * BLOCK;
#pragma omp parallel num_threads(BLOCK)
        {
            for (int i = omp_get_thread_num(); i < BLOCK; i += omp_get_num_threads())
                mine[i] = keys[first + i];
#pragma omp barrier
            if (omp_get_num_threads() == BLOCK)
                for (int bit = 0; bit < 6; bit++)
                    split(mine, row, zeros, bit);
            for (int i = omp_get_thread_num(); i < BLOCK; i += omp_get_num_threads())
                keys[first + i] = mine[i];
        }
    }
    long sum = 0;
    for (int i = 0; i < blocks * BLOCK; i++)
        sum += (long)keys[i] * (i % 29 + 1);
    return sum;
}

static int summed(int *keys, int count)
{
    int sum[1] = {0};
#pragma omp target teams num_teams(1) map(tofrom : keys[0 : count], sum)
#pragma omp parallel
    {
        doubled(keys, count, sum);
        halved(keys, count);
    }
    return sum[0];
}

/* The initial thread asks, too. */
static int both(int *levels)
{
    int all = 1;
#pragma omp target teams num_teams(1) thread_limit(BLOCK) map(tofrom : all) map(from : levels[0 : 1])
    {
        levels[0] = ask();
#pragma omp parallel reduction(&& : all)
        all = all && ask() % 100 == omp_get_thread_num() && ask() / 100 == 1;
    }
    return all;
}

int main(void)
{
    const int blocks = 5;
    int *keys = (int *)malloc(blocks * BLOCK * sizeof *keys), levels[1] = {-1}, whole = 0;
    for (int i = 0; i < blocks * BLOCK; i++)
        keys[i] = (i * 37 + i / 7) % 64;
#pragma omp target teams num_teams(1) thread_limit(BLOCK) map(from : whole)
    {
        int threads[1];
#pragma omp parallel num_threads(BLOCK)
        threads[0] = omp_get_num_threads(); // rex-ignore: race: all threads write one value
        whole = threads[0] == BLOCK;
    }
    const long sum = sorted(keys, blocks);
    int right = 1;
    for (int i = 0; whole && i < blocks * BLOCK; i++)
        right = right && (i % BLOCK == 0 || keys[i - 1] <= keys[i]);
    CHECK(right);
    CHECK(sum > 0);
    int expected = 1;
    for (int i = 0; i < blocks * BLOCK; i++)
        expected += 2 * keys[i];
    const int first = keys[0];
    const int got = summed(keys, blocks * BLOCK);
    CHECK(got == expected || got == expected + 1);
    CHECK(keys[0] == first);
    CHECK(both(levels));
    CHECK(levels[0] == 0);
    free(keys);
    return CHECK_RESULT();
}
