/* shared and default: explicit sharing, default(none) with everything listed, default(shared). */
#include "check.h"

#include <omp.h>

#define N 90

static int global_scale = 3;

/* default(firstprivate) and default(private): every thread or team has copies, of what is mapped, too. */
static void copies(void)
{
    int x = 8, orig[3] = {1, 2, 3}, fine[4] = {0}, out[8] = {0}, threads = 0;
    double d = 0.5;

#pragma omp target map(from: threads) map(tofrom: out)
    {
        int k = 5, local[2] = {7, 8}, count = 0;
#pragma omp parallel num_threads(8) default(firstprivate) shared(out, count)
        {
            int me = omp_get_thread_num();
            k += me;
            local[1] += me;
            x += me;
            orig[2] += me;
            out[me] = k + local[1] + x + orig[2] - 4 * me;
            if (me == 0)
                count = omp_get_num_threads();
        }
        threads = k == 5 && local[1] == 8 && x == 8 && orig[2] == 3 ? count : -1;
    }
    CHECK(threads > 0);
    for (int i = 0; i < threads; ++i)
        CHECK(out[i] == 24);
#pragma omp target teams num_teams(4) map(tofrom: fine, orig) default(firstprivate) shared(fine)
    {
        int team = omp_get_team_num();
        for (int i = 0; i < 3; ++i)
            orig[i] += team;
        x += team;
        d *= 2;
        fine[team] = x == 8 + team && orig[2] == 3 + team && d == 1 ? 1 : -1;
    }
    CHECK(fine[0] == 1 && fine[1] >= 0 && fine[2] >= 0 && fine[3] >= 0);
#pragma omp target map(tofrom: x, orig, out)
#pragma omp teams num_teams(1) firstprivate(x, orig) private(d)
    {
        orig[1] += ++x;
        d = x;
        out[0] = orig[1] + (int)d;
    }
    CHECK(out[0] == 20);
#pragma omp target parallel num_threads(2) default(private) shared(out) map(from: out)
    {
        x = omp_get_thread_num();
        orig[0] = x * 2;
#pragma omp barrier
        out[omp_get_thread_num()] = orig[0] == 2 * x;
    }
    CHECK(out[0] == 1);
    CHECK(x == 8 && orig[0] == 1 && orig[1] == 2 && orig[2] == 3 && d == 0.5);
}

int main(void)
{
    int a[N], count = 0, limit = N, hits[64] = {0};

#pragma omp target teams distribute parallel for default(none) shared(a) firstprivate(limit, global_scale)
    for (int i = 0; i < limit; ++i)
        a[i] = i * global_scale;
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == 3 * i);

#pragma omp target parallel default(none) shared(hits) num_threads(64)
    {
        int mine = omp_get_thread_num();
        hits[mine] = mine + 1;
    }
    CHECK(hits[0] == 1);

    /* What constructs inside have copies of is not meant. */
    int outer = 7, inner = 8, temporary = 9, between = 10;
#pragma omp target parallel default(none) shared(a) num_threads(8)
    {
        const int two = 2;
#pragma omp for collapse(2) private(temporary)
        for (outer = 0; outer < N / 3; ++outer)
            for (inner = 0; inner < 3; ++inner) {
                temporary = 3 * outer + inner;
                a[temporary] = temporary * two;
            }
#pragma omp single private(between)
        {
            between = a[1];
            a[0] = between;
        }
    }
    CHECK(a[0] == 2 && a[N - 1] == 2 * (N - 1) && outer == 7 && inner == 8 && temporary == 9 && between == 10);
    for (int i = 0; i < N; ++i)
        a[i] = 3 * i;

#pragma omp target parallel for default(shared) map(tofrom: count, a)
    for (int i = 0; i < limit; ++i) {
        a[i] += 1;
#pragma omp atomic
        count += a[i] % 2;
    }
    printf("%d\n", count);

    /* Sharing inside a region: the threads see one variable of the target region. */
    int result = 0;
#pragma omp target map(from: result)
    {
        int sum = 0, weight = 2;
#pragma omp parallel default(none) shared(sum) firstprivate(weight) num_threads(8)
        {
#pragma omp atomic
            sum += weight;
            weight = 0;
#pragma omp barrier
#pragma omp single
            sum += 1000;
        }
        result = sum * 10 + weight;
    }
    CHECK(result % 20 == 2 && result >= 10022 && result <= 10162);

    int shared_by_teams = 0;
#pragma omp target teams distribute parallel for shared(shared_by_teams) map(tofrom: shared_by_teams)
    for (int i = 0; i < limit; ++i) {
#pragma omp atomic
        shared_by_teams += i;
    }
    printf("%d\n", shared_by_teams);
    copies();
    return CHECK_RESULT();
}
