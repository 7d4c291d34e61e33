/* dist_schedule: chunks go to the teams in turn, and within a chunk schedule distributes over the threads. */
#include "check.h"

#include <omp.h>

#define N 203

static int team[N], teams[N], thread[N], threads[N];

static void reset(void)
{
    for (int i = 0; i < N; ++i)
        team[i] = teams[i] = thread[i] = threads[i] = -1;
}

static int teams_in_turn(int chunk)
{
    for (int i = 0; i < N; ++i)
        if (teams[i] != teams[0] || team[i] != i / chunk % teams[0])
            return 0;
    return 1;
}

int main(void)
{
    int chunk = 10;

    reset();
#pragma omp target teams distribute dist_schedule(static, 4) num_teams(5)
    for (int i = 0; i < N; ++i) {
        team[i] = omp_get_team_num();
        teams[i] = omp_get_num_teams();
    }
    CHECK(teams_in_turn(4) && teams[0] >= 1 && teams[0] <= 5);

    reset();
#pragma omp target teams distribute parallel for dist_schedule(static, chunk) num_teams(4) num_threads(8)
    for (int i = 0; i < N; ++i) {
        team[i] = omp_get_team_num();
        teams[i] = omp_get_num_teams();
    }
    CHECK(teams_in_turn(10));

    reset();
#pragma omp target teams distribute parallel for dist_schedule(static, 16) schedule(static, 2) num_teams(3) num_threads(4)
    for (int i = 0; i < N; ++i) {
        team[i] = omp_get_team_num();
        teams[i] = omp_get_num_teams();
        thread[i] = omp_get_thread_num();
        threads[i] = omp_get_num_threads();
    }
    CHECK(teams_in_turn(16));
    for (int i = 0; i < N; ++i)
        CHECK(thread[i] == i % 16 / 2 % threads[i] && threads[i] <= 4);

    reset();
#pragma omp target teams distribute parallel for dist_schedule(static) num_teams(4)
    for (int i = 0; i < N; ++i)
        team[i] = omp_get_team_num();
    /* Without a chunk size each team has one block of iterations, in the order of the teams. */
    for (int i = 1; i < N; ++i)
        CHECK(team[i] >= team[i - 1]);

    reset();
#pragma omp target teams distribute dist_schedule(static) num_teams(3)
    for (int i = 0; i < N; ++i)
        team[i] = omp_get_team_num();
    for (int i = 1; i < N; ++i)
        CHECK(team[i] >= team[i - 1]);

    reset();
#pragma omp target teams num_teams(3)
#pragma omp distribute dist_schedule(static)
    for (int i = 0; i < N; ++i)
        team[i] = omp_get_team_num();
    for (int i = 1; i < N; ++i)
        CHECK(team[i] >= team[i - 1]);

    reset();
#pragma omp target teams distribute collapse(2) dist_schedule(static, 7) num_teams(4)
    for (int i = 0; i < 29; ++i)
        for (int j = 0; j < 7; ++j) {
            team[i * 7 + j] = omp_get_team_num();
            teams[i * 7 + j] = omp_get_num_teams();
        }
    CHECK(teams_in_turn(7));
    return CHECK_RESULT();
}
