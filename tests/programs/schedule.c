/* schedule, dist_schedule: every kind covers every iteration once; static chunks go to the threads in turn; iterations
   of a chunk, and all those of a team that is the only one, run in order. */
#include "check.h"

#include <omp.h>

#define N 137

static int owner[N], size[N], visits[N], chain[N];

static void reset(void)
{
    for (int i = 0; i < N; ++i) {
        owner[i] = size[i] = -1;
        visits[i] = 0;
    }
}

/* Whether chunk k (of `chunk` iterations) was run by thread k modulo the number of threads, everything once. */
static int in_turn(int chunk)
{
    for (int i = 0; i < N; ++i)
        if (visits[i] != 1 || size[i] != size[0] || owner[i] != i / chunk % size[0])
            return 0;
    return 1;
}

static int complete(void)
{
    for (int i = 0; i < N; ++i)
        if (visits[i] != 1 || owner[i] < 0 || owner[i] >= size[i])
            return 0;
    return 1;
}

/* Whether each iteration found what those before it in its chunk had left. */
static int linked(void)
{
    int right = 1;
    for (int i = 0; i < N; ++i) {
        right &= chain[i] == i;
        chain[i] = -1;
    }
    return right;
}

#define LINK(i, distance, first) (chain[i] = (first) ? (i) : chain[(i) - (distance)] + (distance))

#define RECORD(i)                         \
    do {                                  \
        owner[i] = omp_get_thread_num();  \
        size[i] = omp_get_num_threads();  \
        visits[i]++;                      \
    } while (0)

int main(void)
{
    int chunk = 5;

    reset();
#pragma omp target parallel for schedule(static, 1) num_threads(8)
    for (int i = 0; i < N; ++i)
        RECORD(i);
    CHECK(in_turn(1));

    reset();
#pragma omp target parallel for schedule(static, chunk) num_threads(4)
    for (int i = 0; i < N; ++i)
        RECORD(i);
    CHECK(in_turn(5));

    reset();
#pragma omp target parallel for simd schedule(static, chunk * 4) num_threads(4)
    for (int i = 0; i < N; ++i)
        visits[i]++;
    for (int i = 0; i < N; ++i)
        CHECK(visits[i] == 1);

    /* The chunks count iterations, whatever the loop's step and direction. */
    reset();
#pragma omp target parallel for schedule(static, 3) num_threads(4)
    for (int k = 3 * (N - 1); k >= 0; k -= 3)
        RECORD(N - 1 - k / 3);
    CHECK(in_turn(3));

    reset();
#pragma omp target parallel for schedule(static) num_threads(6)
    for (int i = 0; i < N; ++i)
        RECORD(i);
    CHECK(complete());

    reset();
#pragma omp target parallel for schedule(dynamic) num_threads(6)
    for (int i = 0; i < N; ++i)
        RECORD(i);
    CHECK(complete());

    reset();
#pragma omp target teams distribute parallel for schedule(dynamic, 4)
    for (int i = 0; i < N; ++i)
        RECORD(i);
    CHECK(complete());

    reset();
#pragma omp target teams distribute parallel for schedule(guided)
    for (int i = 0; i < N; ++i)
        RECORD(i);
    CHECK(complete());

    reset();
#pragma omp target parallel for schedule(auto)
    for (int i = 0; i < N; ++i)
        RECORD(i);
    CHECK(complete());

    reset();
#pragma omp target parallel for schedule(monotonic: static, 2) num_threads(5)
    for (int i = 0; i < N; ++i)
        RECORD(i);
    CHECK(in_turn(2));

    /* Inside a region: the same distribution. */
    reset();
#pragma omp target
    {
#pragma omp parallel num_threads(4)
        {
#pragma omp for schedule(static, 6)
            for (int i = 0; i < N; ++i)
                RECORD(i);
        }
    }
    CHECK(in_turn(6));

    reset();
#pragma omp target
    {
#pragma omp parallel for schedule(static, 7) num_threads(4)
        for (int i = 0; i < N; ++i)
            RECORD(i);
    }
    CHECK(in_turn(7));

    reset();
#pragma omp target
#pragma omp parallel for schedule(dynamic, 3)
    for (int i = 0; i < N; ++i)
        RECORD(i);
    CHECK(complete());

    int teams = 1;
    linked();
#pragma omp target teams distribute num_teams(1)
    for (int i = 0; i < N; ++i)
        LINK(i, 1, i == 0);
    CHECK(linked());
#pragma omp target teams distribute num_teams(teams) thread_limit(64)
    for (int i = 0; i < N; ++i)
        LINK(i, 1, i == 0);
    CHECK(linked());
#pragma omp target teams num_teams(1)
#pragma omp distribute simd safelen(3)
    for (int i = 0; i < N; ++i)
        LINK(i, 3, i < 3);
    CHECK(linked());
#pragma omp target teams distribute dist_schedule(static, chunk * 2)
    for (int i = 0; i < N; ++i)
        LINK(i, 1, i % 10 == 0);
    CHECK(linked());
#pragma omp target teams distribute num_teams(chunk) if(chunk)
    for (int i = 0; i < N; ++i)
        chain[i] = i;
    CHECK(linked());
#pragma omp target parallel for schedule(static, 1) num_threads(8)
    for (int i = 0; i < N; ++i)
        LINK(i, 8, i < 8); // rex-ignore: dependence: the schedule gives both iterations to one thread
    CHECK(linked());
#pragma omp target parallel for thread_limit(teams)
    for (int i = 0; i < N; ++i)
        LINK(i, 1, i == 0);
    CHECK(linked());
#pragma omp target parallel for if(parallel: teams > 1)
    for (int i = 0; i < N; ++i)
        LINK(i, 1, i == 0);
    CHECK(linked());
#pragma omp target parallel for collapse(2) num_threads(1)
    for (int i = 0; i < N / 8; ++i)
        for (int j = 0; j < 8; ++j)
            LINK(i * 8 + j, 1, i == 0 && j == 0);
    for (int i = N / 8 * 8; i < N; ++i)
        chain[i] = i;
    CHECK(linked());
    /* One thread runs the iterations of a chunk, in order, whichever thread that is. */
#pragma omp target parallel for schedule(dynamic, 4)
    for (int i = 0; i < N; ++i)
        LINK(i, 1, i % 4 == 0);
    CHECK(linked());
#pragma omp target teams distribute parallel for num_teams(1) schedule(dynamic, 4)
    for (int i = 0; i < N; ++i)
        LINK(i, 1, i % 4 == 0);
    CHECK(linked());
#pragma omp target
#pragma omp parallel for schedule(dynamic, chunk)
    for (int i = 0; i < N; ++i)
        LINK(i, 1, i % 5 == 0);
    CHECK(linked());
    return CHECK_RESULT();
}
