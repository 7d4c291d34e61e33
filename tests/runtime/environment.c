/* What regions see of the environment variables that OpenMP defines; test_environment.py sets them. */
#include <omp.h>
#include <stdio.h>

enum { N = 100000 };
static int a[N];

int main(void)
{
    int teams = 0, clause = 0, threads = 0, loop = 0, on_host = -1, device = -1;

#pragma omp target teams map(from: teams, on_host, device)
    if (omp_get_team_num() == 0) {
        teams = omp_get_num_teams();
        on_host = omp_is_initial_device();
        device = omp_get_device_num();
    }
#pragma omp target teams num_teams(5) map(from: clause)
    if (omp_get_team_num() == 0)
        clause = omp_get_num_teams();
#pragma omp target teams num_teams(1) map(tofrom: threads)
#pragma omp parallel
    {
#pragma omp atomic
        ++threads;
    }
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        a[i] = omp_get_team_num() + 1;
    for (int i = 0; i < N; ++i)
        if (a[i] > loop)
            loop = a[i];
    printf("on_host=%d teams=%d clause=%d threads=%d loop=%d device=%d devices=%d\n", on_host, teams, clause, threads,
           loop, device, omp_get_num_devices());
    return 0;
}
