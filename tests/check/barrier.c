/* Wrong: only some threads of a team come to a barrier. Behind each stands its right form. */
#include <omp.h>

void first_only(int *a, int limit)
{
#pragma omp target parallel num_threads(4) map(tofrom: a[0:64])
    {
        a[omp_get_thread_num()] = 1;
        if (omp_get_thread_num() == 0) {
#pragma omp barrier // rex-expect: barrier
        }
        if (limit > 3) {
#pragma omp barrier
        }
    }
}
void others(int *a)
{
#pragma omp target parallel num_threads(4) map(tofrom: a[0:64])
    {
        const int me = omp_get_thread_num();
        if (me != 2) {
#pragma omp for // rex-expect: barrier
            for (int i = 0; i < 64; ++i)
                a[i] = i;
        }
        if (me != 2) {
#pragma omp for nowait
            for (int i = 0; i < 64; ++i)
                a[i] = i;
        }
#pragma omp for
        for (int i = 0; i < 64; ++i)
            a[i] = me == 2 ? i : 1;
    }
}
void odd_ones(int *a)
{
#pragma omp target parallel num_threads(4) map(tofrom: a[0:64])
    if (omp_get_thread_num() % 2) {
#pragma omp single // rex-expect: barrier
        a[0] = 1;
    }
#pragma omp target parallel num_threads(4) map(tofrom: a[0:64])
    if (omp_get_num_threads() % 2) {
#pragma omp single
        a[0] = 1;
    }
}
void not_the_first(int *a)
{
#pragma omp target parallel num_threads(4) map(tofrom: a[0:64])
    if (!omp_get_thread_num()) {
#pragma omp sections // rex-expect: barrier
        {
            a[0] = 1;
#pragma omp section
            a[1] = 1;
        }
    }
}
void two_ways(int *a)
{
#pragma omp target parallel num_threads(4) map(tofrom: a[0:64])
    switch (omp_get_thread_num()) {
    case 0:
#pragma omp barrier // rex-expect: barrier
        break;
    default:
        a[1] = 2; // rex-ignore: race
    }
}
void some(int *a)
{
#pragma omp target parallel num_threads(4) map(tofrom: a[0:64])
    {
        if (omp_get_thread_num() < 2) {
#pragma omp barrier // rex-expect: barrier (likely)
        }
        for (int i = 0; i < omp_get_thread_num(); ++i) {
#pragma omp barrier // rex-expect: barrier (likely)
        }
        for (int i = 0; i < omp_get_num_threads(); ++i) {
#pragma omp barrier
        }
    }
}
void nested(int *a)
{
#pragma omp target teams num_teams(2) map(tofrom: a[0:64])
    if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2)
        {
#pragma omp barrier
            a[omp_get_thread_num()] = omp_get_team_num(); // rex-ignore: race
        }
    }
}
static void waiting(int *a, int me)
{
    if (me == 1) {
#pragma omp barrier // rex-expect: barrier
    }
    a[me] = me;
}
static void counting(int *a, int me, int turns)
{
    for (int i = 0; i < turns; ++i) {
#pragma omp barrier
    }
    a[me] = me;
}
void in_a_function(int *a)
{
#pragma omp target parallel num_threads(4) map(tofrom: a[0:64])
    {
        waiting(a, omp_get_thread_num()); // rex-ignore: race
        const int me = omp_get_thread_num();
        counting(a, me, 3);
    }
}
