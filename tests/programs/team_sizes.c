/* Teams of every size, whole warps or not: reductions of teams and of parallel regions in them, variables they share. */
#include "check.h"

#define N 128

static double b[N], c[N], expected;

static void nested(int limit, int chunked)
{
    double s = 0;
    int count = 0;
    if (chunked) {
#pragma omp target teams num_teams(4) thread_limit(limit) reduction(+ : s) map(tofrom : s, count) map(to : b, c)
#pragma omp distribute dist_schedule(static, 4)
        for (int j = 0; j < N; j += 4)
#pragma omp parallel for reduction(+ : s)
            for (int i = j; i < j + 4; i++) {
#pragma omp atomic
                count++;
                s += b[i] * c[i];
            }
    } else {
#pragma omp target teams num_teams(4) thread_limit(limit) reduction(+ : s) map(tofrom : s, count) map(to : b, c)
#pragma omp distribute
        for (int j = 0; j < N; j += 32) {
#pragma omp parallel for reduction(+ : s)
            for (int i = j; i < j + 32; i++) {
#pragma omp atomic
                count++;
                s += b[i] * c[i];
            }
        }
    }
    CHECK(s == expected && count == N);
}

static void flat(int limit)
{
    double s = 0, t = 0, u = 0;
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(limit) reduction(+ : s) map(to : b, c)
    for (int i = 0; i < N; i++)
        s += b[i] * c[i];
#pragma omp target thread_limit(limit) map(tofrom : t) map(to : b, c)
    {
        double inside = 0;
#pragma omp parallel reduction(+ : inside)
        {
#pragma omp for
            for (int i = 0; i < N; i++)
                inside += b[i] * c[i];
        }
        t = inside;
    }
#pragma omp target parallel num_threads(limit) reduction(+ : u) map(to : b, c)
    {
#pragma omp for
        for (int i = 0; i < N; i++)
            u += b[i] * c[i];
#pragma omp barrier
    }
    CHECK(s == expected && t == expected && u == expected);
}

static void shared(int limit)
{
    int once = 3, array[2] = {1, 2}, most = 9, seen[4] = {0};
#pragma omp target teams num_teams(1) thread_limit(limit) firstprivate(once, array) private(most) map(tofrom : seen)
    {
        most = 0;
#pragma omp parallel num_threads(1)
        {
            once += 1;
            array[1] += 10;
        }
#pragma omp parallel
        {
#pragma omp atomic
            most += 1;
        }
        seen[0] = once;
        seen[1] = array[1];
        seen[2] = most;
    }
    CHECK(seen[0] == 4 && seen[1] == 12 && seen[2] >= 1);
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        b[i] = i & 31;
        c[i] = (i & 63) - 30;
        expected += b[i] * c[i];
    }
    for (int limit = 1; limit <= 40; limit += limit < 4 ? 1 : 7) {
        nested(limit, 0);
        nested(limit, 1);
        flat(limit);
        shared(limit);
    }
    return CHECK_RESULT();
}
