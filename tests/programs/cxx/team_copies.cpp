// Copies and variables of a team that all its threads reach, by name or through pointers.
#include "check.hpp"
#include <omp.h>

struct Pair {
    int first, second;
};

int main()
{
    int teams = 0, counted[4] = {}, expected[4] = {}, threads = 0, list[4] = {1, 2, 3, 4}, wrong[4] = {};
    long sum = 0;
#pragma omp target map(tofrom: sum)
#pragma omp teams num_teams(8) reduction(+: sum)
    {
        sum = 0;
#pragma omp parallel num_threads(32)
        {
#pragma omp atomic
            sum += omp_get_thread_num();
        }
    }
    long of_team = 0;
#pragma omp target map(from: of_team, teams)
#pragma omp teams num_teams(8)
    if (omp_get_team_num() == 0) {
        teams = omp_get_num_teams();
        int threads = 0;
#pragma omp parallel num_threads(32)
        {
#pragma omp single
            threads = omp_get_num_threads();
        }
        of_team = threads * (threads - 1L) / 2;
    }
    check("a reduction of teams", sum, teams * of_team);
    int mine = 5, own;
#pragma omp target teams num_teams(4) firstprivate(mine, list) private(own) map(tofrom: counted, expected, wrong)
    {
        own = 0;
#pragma omp parallel num_threads(16)
        {
#pragma omp atomic
            own += 1;
#pragma omp single
            {
                mine += 1;
                list[2] = 9;
            }
        }
        const int team = omp_get_team_num();
#pragma omp parallel num_threads(16)
        {
#pragma omp single
            expected[team] = omp_get_num_threads();
        }
        wrong[team] = mine != 6 || list[2] != 9;
        counted[team] = own;
    }
    for (int i = 0; i < 4; ++i) {
        check("private and firstprivate of teams", counted[i], expected[i]);
        check("changed by one thread", wrong[i], 0);
    }
    check("the originals", mine == 5 && list[2] == 3, true);
    int through = 0, members = 0, elements = 0;
#pragma omp target map(tofrom: through, members, elements) map(from: threads)
    {
        int place = 0;
        int row[3];
        for (int i = 0; i < 3; ++i)
            row[i] = 4 + i;
        Pair pair;
        pair.first = 1;
        pair.second = 2;
        int *p = &place, *q = row;
        Pair *s = &pair;
#pragma omp parallel num_threads(16)
        {
#pragma omp atomic
            *p += 1;
#pragma omp atomic
            s->second += q[1];
#pragma omp single
            threads = omp_get_num_threads();
        }
        through = place;
        members = pair.second;
        elements = row[0] + row[2];
    }
    check("through a pointer", through, threads);
    check("members through a pointer", members, 2 + 5 * threads);
    check("elements", elements, 10);
    return report();
}
