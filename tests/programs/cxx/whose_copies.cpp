// Whose copies: of tasks that no clause speaks of, of threads in inner parallel regions, of pointers that are mapped.
#include "check.hpp"
#include <omp.h>

namespace app {
int *front, *behind;
long steps;
}

template <class T> struct Counter {
    T total = 0;
    T hits(T first)
    {
        T seen[2] = {0, 0};
#pragma omp target parallel num_threads(1) map(tofrom : seen)
        {
            T own = first;
#pragma omp task
            {
                own += 5; // the task's own
                seen[0] = own;
            }
#pragma omp taskwait
            seen[1] = own;
        }
        return seen[0] * 100 + seen[1];
    }
    static T first(T *p) { return *p + 1; }
};

static int moved(int *q)
{
    int *p = q, seen = 0;
#pragma omp target map(tofrom : p, p[0:6]) map(tofrom : seen)
    {
        p += 5;
        seen = *p;
        *p = Counter<int>::first(p);
    }
    return seen;
}

// What a thread of the outer region declares is its own, also arrays and objects.
template <int N> long nested(int teams)
{
    struct Pair {
        long low, high;
    };
    long sum = 0;
#pragma omp target teams distribute num_teams(teams) map(tofrom : sum)
    for (int team = 0; team < N; ++team) {
#pragma omp parallel for
        for (int i = 0; i < 20; ++i) {
            long part = team, list[3] = {i, 0, 1};
            Pair pair = {i, team};
#pragma omp parallel for reduction(+ : part) num_threads(2)
            for (int j = 0; j < 4; ++j) {
                part += j * list[0];
                if (j == 3) {
                    list[1] = 1;
                    pair.high += 1;
                }
            }
#pragma omp atomic
            sum += part + list[1] + pair.high - pair.low;
        }
    }
    return sum;
}

static void deferred()
{
    int a[40], b[40];
    for (int i = 0; i < 40; ++i)
        a[i] = i, b[i] = 0;
    app::front = a, app::behind = b;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : a[0]) depend(out : b[0])
        for (volatile int k = 0; k < 1000000; ++k)
            ;
        for (app::steps = 40; app::steps > 20; app::steps -= 10) {
#pragma omp target nowait depend(in : app::front[0]) depend(out : app::behind[0]) \
    map(to : app::front[0 : app::steps]) map(tofrom : app::behind[0 : app::steps])
            for (int i = 0; i < 20; ++i)
                app::behind[i] = app::front[i] + 1;
            int *before = app::front;
            app::front = app::behind;
            app::behind = before;
        }
    }
    check("pointers of a deferred region", a[5] * 100 + b[5], 706);
}

int main()
{
    Counter<int> counter;
    check("a task's copy", counter.hits(7), 1207);
    check("a task's copy of a double", Counter<double>().hits(0.5), 550.5);
    int values[6] = {1, 2, 3, 4, 5, 6};
    check("a pointer with what is behind it", moved(values), 6);
    check("through the pointer", values[5], 7);
    long expected = 0;
    for (int team = 0; team < 30; ++team)
        for (int i = 0; i < 20; ++i)
            expected += team + 6 * i + 1 + team + 1 - i;
    check("nested regions", nested<30>(4), expected);
    deferred();
    int limit = 0, teams = 0;
#pragma omp target teams num_teams(3) map(from : teams) map(tofrom : limit)
    {
#pragma omp parallel num_threads(1)
        {
#pragma omp atomic
            limit += 1;
        }
        if (omp_get_team_num() == 0)
            teams = omp_get_num_teams();
    }
    check("teams", limit, teams);
    return report();
}
