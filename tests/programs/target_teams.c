/* target teams: every team runs the region once, with its own private data. */
#include "check.h"

#include <omp.h>

int main(void)
{
    enum { MAX_TEAMS = 8 };
    int size[MAX_TEAMS] = {0}, value[MAX_TEAMS] = {0}, base = 100, total = 0;

#pragma omp target teams num_teams(MAX_TEAMS) map(tofrom: size, value) reduction(+: total)
    {
        int team = omp_get_team_num();
        int local[4];
        for (int i = 0; i < 4; ++i)
            local[i] = team + i;
        size[team] = omp_get_num_teams();
        value[team] = base + local[0] + local[3];
        total += 1;
    }

    int teams = size[0];
    CHECK(teams >= 1 && teams <= MAX_TEAMS);
    CHECK(total == teams);
    for (int t = 0; t < MAX_TEAMS; ++t) {
        CHECK(size[t] == (t < teams ? teams : 0));
        CHECK(value[t] == (t < teams ? 103 + 2 * t : 0));
    }

    /* The teams of a league are numbered from zero. */
    int wrong = 0, last = 0;
#pragma omp target teams reduction(+: wrong) reduction(max: last)
    {
        if (omp_get_team_num() < 0 || omp_get_team_num() >= omp_get_num_teams())
            ++wrong;
        last = omp_get_num_teams() - 1;
    }
    CHECK(last >= 0);
    CHECK(wrong == 0);
    return CHECK_RESULT();
}
