/* Critical regions and locks keep the threads of one team apart, and no others: each wrong one in front of its right form. */
#include <omp.h>
#include <stdio.h>

enum { N = 64 };
static int seen;

static void loop_over_teams(void)
{
    int s = 0, t = 0, u = 0;
#pragma omp target teams distribute parallel for map(tofrom: s)
    for (int i = 0; i < N; ++i)
#pragma omp critical
        s += i; // rex-expect: race
#pragma omp target parallel for map(tofrom: t)
    for (int i = 0; i < N; ++i)
#pragma omp critical
        t += i;
#pragma omp target teams distribute parallel for num_teams(1) map(tofrom: u)
    for (int i = 0; i < N; ++i)
#pragma omp critical
        u += i;
    seen += s + t + u;
}

static void two_teams(void)
{
    int s = 0, t = 0;
#pragma omp target teams num_teams(2) map(tofrom: s)
    {
#pragma omp critical(one)
        s += 1; // rex-expect: race
    }
#pragma omp target teams num_teams(1) map(tofrom: t)
    {
#pragma omp parallel num_threads(2)
#pragma omp critical(one)
        t += 1;
    }
    seen += s + t;
}

static void parallel_in_teams(void)
{
    int s = 0, t[4] = {0};
#pragma omp target teams num_teams(4) map(tofrom: s)
#pragma omp parallel for
    for (int i = 0; i < N; ++i)
#pragma omp critical
        s += i; // rex-expect: race
#pragma omp target teams num_teams(4) map(tofrom: t)
#pragma omp parallel for
    for (int i = 0; i < N; ++i)
#pragma omp critical
        t[omp_get_team_num()] += i;
    seen += s + t[0];
}

static void locked(void)
{
    int s = 0, t = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp target teams distribute parallel for map(tofrom: s, lock)
    for (int i = 0; i < N; ++i) {
        omp_set_lock(&lock);
        s += i; // rex-expect: race
        omp_unset_lock(&lock);
    }
#pragma omp target parallel for map(tofrom: t, lock)
    for (int i = 0; i < N; ++i) {
        omp_set_lock(&lock);
        t += i;
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    seen += s + t;
}

static void rows(int a[8][N])
{
#pragma omp target teams distribute map(tofrom: a[0:8])
    for (int i = 0; i < 8; ++i) {
#pragma omp parallel for
        for (int k = 0; k < N; ++k)
#pragma omp critical
            a[0][0] += k; // rex-expect: race
    }
#pragma omp target teams distribute map(tofrom: a[0:8])
    for (int i = 0; i < 8; ++i) {
#pragma omp parallel for
        for (int k = 0; k < N; ++k)
#pragma omp critical
            a[i][0] += k;
    }
}

static void two_loops(void)
{
    int s = 0, t = 0;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: s)
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 8; ++k)
#pragma omp critical
            s += i * k; // rex-expect: race
#pragma omp target teams distribute parallel for collapse(2) reduction(+: t)
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 8; ++k)
            t += i * k;
    seen += s + t;
}

/* Threads that have run a part of a grid before are of one team now. */
static void after_a_grid(void)
{
    int s = 0, t[N] = {0};
#pragma omp target teams distribute parallel for map(tofrom: t)
    for (int i = 0; i < N; ++i)
        t[i] += 1;
#pragma omp target map(tofrom: s)
#pragma omp parallel num_threads(6)
    {
#pragma omp single
        s = 0;
#pragma omp for
        for (int i = 0; i < N; ++i)
#pragma omp critical
            s += i;
    }
    seen += s + t[1];
}

int main(void)
{
    static int a[8][N];
    loop_over_teams();
    two_teams();
    parallel_in_teams();
    locked();
    rows(a);
    two_loops();
    after_a_grid();
    printf("%d\n", seen + a[0][0]);
    return 0;
}
