// What omp_ functions answer in device code.
#include "check.hpp"
#include <omp.h>

int main()
{
    int teams = 0, threads = 0, level = -1, in = -1, host = -1, id = -1, number = -2;
#pragma omp target teams num_teams(2) thread_limit(8) map(from: teams, threads, level, in, host, id, number)
    {
#pragma omp parallel num_threads(4)
        {
            if (omp_get_team_num() == 0 && omp_get_thread_num() == 0) {
                teams = omp_get_num_teams();
                threads = omp_get_num_threads();
                level = omp_get_level();
                in = omp_in_parallel();
                host = omp_is_initial_device();
                id = omp_get_ancestor_thread_num(0);
                number = omp_get_num_devices() >= 0;
            }
        }
    }
    check("teams", teams >= 1 && teams <= 2, true);
    check("threads", threads >= 1 && threads <= 4, true);
    check("level", level, 1);
    check("in parallel", in, threads > 1);
    check("ancestor", id, 0);
    check("devices", number, 1);
    check("host", host, omp_get_num_devices() == 0);
    return report();
}
