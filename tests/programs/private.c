/* private: copies without a value, for target, for threads and for iterations; the original stays as it was. */
#include "check.h"

#include <omp.h>
#include <stdint.h>

#define N 300

int main(void)
{
    int t = 41, scratch[8] = {1, 2, 3}, a[N], sum = 0;
    double x = 1.5;
    struct point { int x, y; } p = {5, 6};

#pragma omp target private(t) map(from: sum)
    {
        t = 7;
        sum = t + 1;
    }
    CHECK(t == 41 && sum == 8);

#pragma omp target private(scratch, p) map(from: sum)
    {
        for (int i = 0; i < 8; ++i)
            scratch[i] = i;
        p.x = 10;
        p.y = 20;
        sum = scratch[7] + p.x + p.y;
    }
    CHECK(sum == 37 && scratch[2] == 3 && p.x == 5 && p.y == 6);

#pragma omp target parallel for private(x, scratch) map(from: a)
    for (int i = 0; i < N; ++i) {
        x = i * 0.5;
        for (int k = 0; k < 8; ++k)
            scratch[k] = (int)(x * k);
        a[i] = scratch[2] + scratch[4];
    }
    CHECK(x == 1.5 && scratch[0] == 1);
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == 3 * i);

#pragma omp target teams distribute parallel for private(t, p) map(tofrom: a)
    for (int i = 0; i < N; ++i) {
        p.x = a[i];
        p.y = i;
        t = p.x - p.y;
        a[i] = t;
    }
    CHECK(t == 41 && p.x == 5);
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == 2 * i);

    sum = 0;
#pragma omp target teams distribute private(t) reduction(+: sum)
    for (int i = 0; i < N; ++i) {
        t = a[i];
        sum += t;
    }
    CHECK(sum == N * (N - 1));

    int wrong = 0;
#pragma omp target parallel private(t) reduction(+: wrong)
    {
        t = omp_get_thread_num();
#pragma omp barrier
        wrong += t != omp_get_thread_num();
    }
    CHECK(wrong == 0 && t == 41);

    /* Copies are aligned as the variable is. */
    struct letters { char c[3]; };
    __attribute__((aligned(64))) struct letters l;
    struct letters m __attribute__((aligned(32))) = {{1, 2, 3}};
    double __attribute__((aligned(128))) d = 2;
    int off = 0;
    l.c[0] = 1;
#pragma omp target teams distribute parallel for private(l, d) firstprivate(m) reduction(+: off)
    for (int k = 0; k < N; ++k) {
        l.c[1] = m.c[1];
        d = k;
        off += (uintptr_t)&l % 64 != 0 || (uintptr_t)&m % 32 != 0 || (uintptr_t)&d % 128 != 0 || l.c[1] + d != 2 + k;
    }
    CHECK(off == 0);
#pragma omp target map(tofrom: off)
#pragma omp parallel num_threads(4) firstprivate(l, m) private(d) reduction(+: off)
    {
        d = m.c[2];
        off += (uintptr_t)&l % 64 != 0 || (uintptr_t)&m % 32 != 0 || (uintptr_t)&d % 128 != 0 || l.c[0] + d != 4;
    }
    CHECK(off == 0);

    /* An outer loop variable of the function, private because it is the iteration variable. */
    int i = -5;
#pragma omp target teams distribute parallel for map(from: a)
    for (i = 0; i < N; ++i)
        a[i] = -i;
    CHECK(a[N - 1] == 1 - N);
    printf("%d\n", sum);
    return CHECK_RESULT();
}
