/* parallel inside target and target teams: sharing, private copies, several regions in turn, nested and serialised ones. */
#include "check.h"

#include <omp.h>

#define MAX 64

int main(void)
{
    int hits[MAX] = {0}, threads = 0, total = 0, levels = 0;

#pragma omp target map(tofrom: hits, threads, total)
    {
        int shared_by_all = 0, copied = 5, untouched = 9;
#pragma omp parallel num_threads(MAX) firstprivate(copied) private(untouched)
        {
            int me = omp_get_thread_num();
            untouched = me;
            copied += me;
            hits[me] = copied + untouched;
#pragma omp atomic
            shared_by_all += 1;
            if (me == 0)
                threads = omp_get_num_threads();
        }
        total = shared_by_all * 100 + copied * 10 + untouched;
    }
    CHECK(threads >= 1 && threads <= MAX);
    CHECK(total == threads * 100 + 59);
    for (int t = 0; t < MAX; ++t)
        CHECK(hits[t] == (t < threads ? 5 + 2 * t : 0));

    /* Different sizes in one region; the smaller one leaves the rest of the team out. */
    int first = 0, second = 0, third = 0;
#pragma omp target map(tofrom: first, second, third)
    {
#pragma omp parallel num_threads(8)
        {
#pragma omp atomic
            first += 1;
        }
#pragma omp parallel num_threads(2)
        {
#pragma omp atomic
            second += 1;
        }
#pragma omp parallel
        {
#pragma omp atomic
            third += 1;
        }
    }
    CHECK(first >= 1 && first <= 8 && second >= 1 && second <= 2 && third >= 1);

    /* A parallel region inside a parallel region: at least the levels are right. */
    int outer = 0, inner = 0;
#pragma omp target parallel num_threads(4) map(tofrom: outer, inner) map(from: levels)
    {
#pragma omp atomic
        outer += 1;
#pragma omp parallel num_threads(1)
        {
#pragma omp atomic
            inner += 1;
            if (omp_get_ancestor_thread_num(1) == 0)
                levels = omp_get_level();
        }
    }
    CHECK(outer == inner && outer >= 1 && levels == 2);

    /* What a thread of the outer region declares is shared by the inner region only. */
    long sum = 0, expected = 0;
#pragma omp target teams distribute num_teams(32) thread_limit(64) map(tofrom: sum)
    for (int team = 0; team < 1000; ++team) {
        int own = team;
#pragma omp parallel for firstprivate(own)
        for (int i = 0; i < 50; ++i) {
            int part = own, list[2] = {i, 0};
            own = 0;
#pragma omp parallel for reduction(+: part) num_threads(2)
            for (int j = 0; j < 4; ++j) {
                part += j * list[0];
                if (j == 3)
                    list[1] = 1;
            }
#pragma omp atomic
            sum += part + list[1];
            own = team;
        }
    }
    for (int team = 0; team < 1000; ++team)
        for (int i = 0; i < 50; ++i)
            expected += team + 6 * i + 1;
    CHECK(sum == expected);

    /* In teams: each team has its own variables. */
    int sums[8] = {0}, teams = 0;
#pragma omp target teams num_teams(8) thread_limit(16) map(tofrom: sums) map(from: teams)
    {
        int team = omp_get_team_num(), sum = 0;
#pragma omp parallel
        {
#pragma omp atomic
            sum += team + 1;
#pragma omp barrier
#pragma omp single
            sum = sum == (team + 1) * omp_get_num_threads();
        }
        sums[team] = sum;
        if (team == 0)
            teams = omp_get_num_teams();
    }
    for (int t = 0; t < 8; ++t)
        CHECK(sums[t] == (t < teams));
    return CHECK_RESULT();
}
