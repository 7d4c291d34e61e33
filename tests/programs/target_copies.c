/* Copies that target makes for a construct nested in it: one variable, shared by all that run there. */
#include "check.h"

int main(void)
{
    int first = 5, none = 6, array[3] = {1, 2, 3}, both = 7, teams = 0, most = 0, sum = 0, right = 0;
#pragma omp target firstprivate(first, array, both) private(none) map(tofrom : teams, most, sum, right)
#pragma omp teams num_teams(4) firstprivate(both)
#pragma omp parallel num_threads(1)
    {
        int mine;
        both += 1;
#pragma omp atomic write
        none = 9;
#pragma omp atomic
        array[1] += 2;
#pragma omp atomic capture
        mine = ++first; // rex-ignore: lost-result: copies are tested
        if (mine == 9) { /* the last of four */
#pragma omp atomic read
            sum = array[1];
#pragma omp atomic read
            most = none;
        }
#pragma omp atomic
        right += both == 8;
#pragma omp atomic
        teams += 1;
    }
    CHECK(right == teams);
    CHECK(teams < 4 || (most == 9 && sum == 10));
    CHECK(first == 5 && none == 6 && array[1] == 2 && both == 7);

    int shared = 3, result = 0;
#pragma omp target firstprivate(shared) map(tofrom : result)
#pragma omp parallel num_threads(8)
    {
#pragma omp atomic
        shared += 1;
#pragma omp barrier
#pragma omp master
        result = shared;
    }
    CHECK(result > 3 && shared == 3);
    return CHECK_RESULT();
}
