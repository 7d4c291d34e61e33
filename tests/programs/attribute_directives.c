/* Directives written as attributes (OpenMP 6.0, section 5.1), which compilers that do not know them pass over. */
// cflags: -std=gnu2x -Wno-attributes
#include "check.h"

#define N 64
#define PARALLEL(...) [[omp::directive(parallel for __VA_ARGS__)]]

[[omp::directive(declare target)]];
static int offset = 3;
static int moved(int x)
{
    [[omp::directive(nothing)]];
    return x + offset;
}
[[omp::directive(end declare target)]];

[[omp::assume("omp_no_openmp")]] static int plain(int x); /* clang's; others know neither */
static int plain(int x)
{
    return x;
}

static int summed(int n)
{
    int sum = 0;
    if (n > 0) [[omp::directive(target map(tofrom: sum))]] sum += n; else sum = -1;
    [[omp::sequence(directive(target teams map(tofrom: sum), num_teams(1)),
                    omp::directive(parallel for reduction(+: sum)))]]
    for (int i = 0; i < n; ++i)
        sum += plain(i); /* "[[omp::directive(none)]]" */
    return sum;
}

int main(void)
{
    int a[N], n = N, t = 0;
    [[omp::directive(target teams distribute parallel for, map(from: a))]]
    for (int i = 0; i < n; ++i)
        a[i] = moved(i);
    CHECK(a[0] == 3 && a[N - 1] == N + 2);
    [[
        omp::directive(target map(tofrom: a)
    )]] a[0] = 4;
    [[omp::directive(parallel num_threads(1)
      )
    ]]
    { a[0]--; }
    CHECK(a[0] == 3);
    CHECK(summed(10) == 55 && summed(0) == -1);

    [[omp::sequence(omp::directive(target data map(tofrom: a)), directive(target map(tofrom: t)))]]
    {
        PARALLEL(num_threads(4)) for (int i = 0; i < N; ++i) { [[omp::directive(atomic)]] t += a[i]; }
        [[omp::directive(single nowait)]] t++;
    } [[omp::directive(target enter data map(to: a))]];
    [[ omp :: directive ( target update
                          to(a) ) ]];
    [[omp::directive(target exit data map(release: a))]];
#pragma omp target map(tofrom: t)
    [[omp::directive(parallel reduction(+: t))]] t += 0;
    CHECK(t == N * (N - 1) / 2 + 3 * N + 1);

    int host = 0;
    [[omp::directive(parallel num_threads(3))]]
    {
        [[omp::directive(critical)]] { host++; }
        [[omp::directive(barrier)]];
    }
    CHECK(host == 1 || host == 3);
    printf("%s %d\n", "[[omp::directive(barrier)]]", t);
    return CHECK_RESULT();
}
