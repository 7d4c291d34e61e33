/* loop: each iteration runs once for the teams or threads that it binds to, with and without bind. */
#include "../check.h"

int main()
{
    int teams[100] = {}, bound_teams[100] = {}, threads[100] = {}, bound_threads[100] = {}, after[100] = {}, one[100] = {};
#pragma omp target teams num_teams(4) map(tofrom: teams, bound_teams)
    {
#pragma omp loop
        for (int i = 0; i < 100; ++i)
            teams[i] += 1;
#pragma omp loop bind(teams)
        for (int i = 0; i < 100; ++i)
            bound_teams[i] += 1;
    }
#pragma omp target parallel num_threads(4) map(tofrom: threads, bound_threads, after, one)
    {
#pragma omp loop
        for (int i = 0; i < 100; ++i)
            threads[i] += 1;
#pragma omp loop bind(parallel)
        for (int i = 0; i < 100; ++i)
            bound_threads[i] += threads[99 - i];
#pragma omp loop
        for (int i = 0; i < 100; ++i)
            after[i] += bound_threads[99 - i];
#pragma omp single
        {
#pragma omp loop bind(thread)
            for (int i = 0; i < 100; ++i)
                one[i] += 1;
        }
    }
    for (int i = 0; i < 100; ++i) {
        CHECK(teams[i] == 1);
        CHECK(bound_teams[i] == 1);
        CHECK(threads[i] == 1);
        CHECK(bound_threads[i] == 1);
        CHECK(after[i] == 1);
        CHECK(one[i] == 1);
    }
    return CHECK_RESULT();
}
