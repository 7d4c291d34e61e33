// num_teams, thread_limit and num_threads with values that only the run knows.
#include "check.hpp"
#include <omp.h>

struct Shape {
    int teams, threads;
};

int main()
{
    Shape s{3, 16};
    int t = 0, most = 0;
#pragma omp target teams num_teams(s.teams) thread_limit(s.threads) map(from: t) map(tofrom: most)
    {
        if (omp_get_team_num() == 0)
            t = omp_get_num_teams();
#pragma omp parallel reduction(max: most)
        most = omp_get_num_threads();
    }
    check("teams", t >= 1 && t <= 3, true);
    check("threads", most >= 1 && most <= 16, true);
    int a[100] = {};
#pragma omp target teams distribute parallel for num_teams(2) num_threads(s.threads / 2) map(tofrom: a)
    for (int i = 0; i < 100; ++i)
        a[i] += i;
    for (int i = 0; i < 100; ++i)
        check("a", a[i], i);
    return report();
}
