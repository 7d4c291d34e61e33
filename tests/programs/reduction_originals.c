/* declare reduction: initialisers that read omp_orig see its value from before the construct, whoever is done already. */
// reference: -Wno-unknown-pragmas
/* gcc's own teams and threads read originals that others have changed. */
#include "check.h"

#include <stdlib.h>

#define N 600

/* A sum that knows whether something has been combined with it, and whether a copy was made from such a sum. */
struct sum {
    long value, touched, wrong;
};

static void start(struct sum *mine, const struct sum *original)
{
    mine->value = 0;
    mine->touched = 0;
    mine->wrong = original->touched;
}

static void add(struct sum *to, const struct sum *from)
{
    to->value += from->value;
    to->wrong += from->wrong;
    to->touched = 1;
}

#pragma omp declare reduction(sum : struct sum : add(&omp_out, &omp_in)) initializer(start(&omp_priv, &omp_orig))
#pragma omp declare reduction(most : int, long : omp_out = omp_in > omp_out ? omp_in : omp_out) \
    initializer(omp_priv = omp_orig)

static const struct sum seven = {7, 0, 0};
static const long all = (long)N * (N - 1) / 2;

static int slowly(int i)
{
    int steps = 0;
    for (int k = i; k > 0; k -= 1 + k % 3)
        ++steps;
    return steps > 0;
}

static void whole_regions(void)
{
    struct sum s = seven;
#pragma omp target teams distribute parallel for reduction(sum: s)
    for (int i = 0; i < N; ++i)
        s.value += i * (i == 0 || slowly(i));
    CHECK(s.value == 7 + all && s.wrong == 0);

    s = seven;
#pragma omp target teams distribute parallel for reduction(sum: s) num_teams(16) thread_limit(32)
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < 2; ++j)
            s.value += i;
    CHECK(s.value == 7 + 2 * all && s.wrong == 0);

    s = seven;
    int most = -1;
    long far = -2;
#pragma omp target parallel for reduction(sum: s) reduction(most: most, far)
    for (int i = 0; i < N; ++i) {
        s.value += i;
        most = most > i ? most : i;
        far = far > 2 * i ? far : 2 * i;
    }
    CHECK(s.value == 7 + all && s.wrong == 0 && most == N - 1 && far == 2 * (N - 1));

    s = seven;
#pragma omp target parallel reduction(sum: s) num_threads(16)
    {
#pragma omp for
        for (int i = 0; i < N; ++i)
            s.value += i;
    }
    CHECK(s.value == 7 + all && s.wrong == 0);
}

static void teams_in_turn(void)
{
    struct sum s = seven;
#pragma omp target teams reduction(sum: s) num_teams(24) map(tofrom: s)
    s.value += 1;
    CHECK(s.value > 7 && s.value <= 7 + 24 && s.wrong == 0);

    s = seven;
    struct sum inner = seven;
#pragma omp target teams distribute reduction(sum: s) num_teams(12) map(tofrom: s) firstprivate(inner)
    for (int i = 0; i < 48; ++i) {
        struct sum of_team = inner;
#pragma omp parallel for reduction(sum: of_team)
        for (int k = 0; k < 10; ++k)
            of_team.value += k;
        s.value += of_team.value - 7;
        s.wrong += of_team.wrong;
    }
    CHECK(s.value == 7 + 48 * 45 && s.wrong == 0);
}

static void inside(void)
{
    struct sum s = seven, again = seven;
#pragma omp target map(tofrom: s, again)
    {
#pragma omp parallel reduction(sum: s)
        {
#pragma omp for nowait
            for (int i = 0; i < N; ++i)
                s.value += i;
        }
#pragma omp parallel
        {
#pragma omp for reduction(sum: again) nowait
            for (int i = 0; i < N; ++i)
                again.value += i;
        }
    }
    CHECK(s.value == 7 + all && s.wrong == 0);
    CHECK(again.value == 7 + all && again.wrong == 0);
}

static void arrays(void)
{
    struct sum three[3] = {{7, 0, 0}, {7, 0, 0}, {7, 0, 0}}, *most = (struct sum *)malloc(8 * sizeof *most);
#pragma omp target teams distribute parallel for reduction(sum: three) num_teams(8)
    for (int i = 0; i < N; ++i)
        three[i % 3].value += 1;
    for (int k = 0; k < 3; ++k)
        CHECK(three[k].value == 7 + N / 3 && three[k].wrong == 0);

    for (int k = 0; k < 8; ++k)
        most[k] = seven;
    most[0].value = most[7].value = 1;
#pragma omp target teams distribute parallel for reduction(sum: most[2:4]) map(tofrom: most[0:8])
    for (int i = 0; i < N; ++i)
        most[2 + i % 4].value += 1;
    for (int k = 0; k < 8; ++k)
        CHECK(k < 2 || k > 5 ? most[k].wrong == 0 : most[k].value == 7 + N / 4 && most[k].wrong == 0);
    free(most);
}

static void present(void)
{
    struct sum s = {1, 1, 1};
#pragma omp target data map(tofrom: s)
    {
#pragma omp target map(tofrom: s)
        s = (struct sum){7, 0, 0};
        for (int round = 0; round < 3; ++round) {
#pragma omp target teams distribute parallel for reduction(sum: s) num_teams(8) nowait
            for (int i = 0; i < N; ++i)
                s.value += i;
#pragma omp taskwait
#pragma omp target map(tofrom: s)
            s.touched = 0;
        }
    }
    CHECK(s.value == 7 + 3 * all && s.wrong == 0);
}

int main(void)
{
    whole_regions();
    teams_in_turn();
    inside();
    arrays();
    present();
    return CHECK_RESULT();
}
