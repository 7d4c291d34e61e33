/* Scalars that are on the device have one place there for several host threads, so no thread's sum is lost; those of one
 * thread come back before the host reads them, wherever the other data of the region is. */
#include "check.h"

#define N 100
#define STEPS 50

static void behind_pointer(int n, const int *x, int *s)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: s[0:1])
    for (int i = 0; i < n; ++i)
        if (x[i]) {
#pragma omp atomic
            s[0] += x[i];
        }
}

static int own(int n, const int *x)
{
    int found = 0, odd = 0;
    double half = 0.5;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: found) map(to: half) reduction(+: odd)
    for (int i = 0; i < n; ++i) {
        if (x[i] > 0 && half < 1)
            found = 1; // rex-ignore: race: all write the same
        odd += x[i];
    }
    return found ? odd : -1;
}

/* Each level is over when a step has changed nothing. */
static int levels(int n, int *x)
{
    int again, count = 0;
    do {
        again = 0;
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
        for (int i = 0; i < n; ++i)
            x[i] = x[i] > 0 ? x[i] - 1 : 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: again)
        for (int i = 0; i < n; ++i)
            if (x[i])
                again = 1; // rex-ignore: race: all write the same
        ++count;
    } while (again);
    return count;
}

int main(void)
{
    int x[N], y[N], s = 0, t = 0, sums = 0;
    for (int i = 0; i < N; ++i)
        x[i] = i % 2, y[i] = i % 7;
    CHECK(own(N, x) == N / 2 && levels(N, y) == 6); /* nothing is on the device */
    for (int i = 0; i < N; ++i)
        y[i] = i % 5;
#pragma omp target data map(to: x) map(tofrom: y, s, t)
    {
#pragma omp parallel num_threads(4) reduction(+: sums)
        for (int k = 0; k < STEPS; ++k) {
            behind_pointer(N, x, &s);
#pragma omp target teams distribute parallel for map(to: x) map(tofrom: t)
            for (int i = 0; i < N; ++i)
                if (x[i]) {
#pragma omp atomic
                    t += x[i];
                }
            sums += own(N, x);
        }
        CHECK(levels(N, y) == 4);
    }
    CHECK(s == 4 * STEPS * (N / 2) && t == s && sums == s);
    return CHECK_RESULT();
}
