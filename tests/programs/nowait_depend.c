/* nowait and depend: chains of deferred regions and data directives, among them host tasks. */
#include "check.h"

#include <stdlib.h>

#define N 600

int main(void)
{
    int *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), *c = malloc(N * sizeof *c);
    int x = 1, y = 2, n = N;

    for (int i = 0; i < N; ++i) {
        a[i] = i;
        b[i] = 1;
        c[i] = 0;
    }

    /* Two independent regions and one that needs both. */
#pragma omp target teams distribute parallel for nowait depend(out: a[0]) map(tofrom: a[0:n])
    for (int i = 0; i < n; ++i)
        a[i] += 10;
#pragma omp target teams distribute parallel for nowait depend(out: b[0]) map(tofrom: b[0:n])
    for (int i = 0; i < n; ++i)
        b[i] += i;
#pragma omp target parallel for nowait depend(in: a[0], b[0]) depend(out: c[0]) map(to: a[0:n], b[0:n]) map(from: c[0:n])
    for (int i = 0; i < n; ++i)
        c[i] = a[i] + b[i];
#pragma omp taskwait
    for (int i = 0; i < N; ++i)
        CHECK(c[i] == 2 * i + 11);

    /* Unstructured data and a host task in one chain. */
#pragma omp target enter data map(to: a[0:n]) nowait depend(out: a[0:n])
#pragma omp target teams distribute parallel for nowait depend(inout: a[0:n])
    for (int i = 0; i < n; ++i)
        a[i] *= 2;
#pragma omp target update from(a[0:n]) nowait depend(inout: a[0:n])
#pragma omp task depend(inout: a[0:n]) firstprivate(n)
    for (int i = 0; i < n; ++i)
        a[i] += 1;
#pragma omp target update to(a[0:n]) nowait depend(inout: a[0:n])
#pragma omp target nowait depend(inout: a[0:n])
    for (int i = 0; i < n; ++i)
        a[i] = -a[i];
#pragma omp target exit data map(from: a[0:n]) nowait depend(inout: a[0:n])
#pragma omp taskwait
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == -(2 * (i + 10) + 1));

    /* depend without nowait: the encountering task waits. */
#pragma omp task depend(out: x) shared(x)
    x = 5;
#pragma omp target map(tofrom: x, y) depend(inout: x)
    {
        x += 1;
        y = x * 10;
    }
    CHECK(x == 6 && y == 60);

    /* Values are taken when the construct is met, not when it runs. */
    int factor = 3;
#pragma omp target nowait map(tofrom: y) firstprivate(factor) depend(inout: y)
    y *= factor;
    factor = 1000;
#pragma omp target nowait map(tofrom: y) depend(inout: y)
    y += 1;
#pragma omp taskwait
    CHECK(y == 181);

    /* From within a parallel region of the host. */
    int parts[4] = {0};
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int k = 0; k < 4; ++k) {
#pragma omp target nowait map(tofrom: parts[k:1])
        parts[k] = k + 1;
    }
    printf("%d %d %d %d %d\n", parts[0], parts[1], parts[2], parts[3], factor);
    free(a);
    free(b);
    free(c);
    return CHECK_RESULT();
}
