/* NULL pointers, zero-length sections, a variable mapped twice, pointers into the middle, pointers that regions change, shadowing, nested regions. */
// reference: -Wno-unknown-pragmas
#include "data.h"

#include <stdlib.h>

#define N 20

struct maybe {
    int n;
    int *p;
};

static int total(const int *v, int n)
{
    int sum = 0;
#pragma omp target map(tofrom : sum) map(to : v[0:n])
    for (int i = 0; i < n; ++i)
        sum += v[i];
    return sum;
}

/* A pointer mapped beside what it leads to: regions change the device's pointer, which stays attached, not the host's. */
static void attached(void)
{
    int x[N], *p = x, seen[3] = {0};
    for (int i = 0; i < N; ++i)
        x[i] = i + 1;
#pragma omp target map(tofrom : p, p[0:N]) map(tofrom : seen)
    {
        p += 2;
        seen[0] = *p;
        *p = 50;
    }
    CHECK(seen[0] == 3 && x[2] == 50);
    CHECK(!SEPARATE || p == x);
    ABSENT(&p);
    ABSENT(x);
    p = x;
#pragma omp target enter data map(to : p, p[0:N])
#pragma omp target map(to : p[0:1], p) map(tofrom : seen)
    seen[0] = *++p;
#pragma omp target map(tofrom : p) map(tofrom : seen)
    {
        int **own = &p;
        seen[1] = *++*own;
    }
#pragma omp target teams distribute parallel for map(to : p, p[0:N]) map(tofrom : seen)
    for (int i = 0; i < N; ++i) {
        int *const *own = &p;
        if (i == 1)
            seen[2] = **own;
    }
    CHECK(seen[0] == 2 && seen[1] == 50 && seen[2] == 50);
    CHECK(!SEPARATE || p == x);
    PRESENT(&p);
#pragma omp target exit data map(delete : p, p[0:N])
    ABSENT(&p);
    ABSENT(x);
}

int main(void)
{
    attached();
    int *p = (int *)malloc(N * sizeof *p), a[N], none = 0, flag = -1;
    for (int i = 0; i < N; ++i)
        p[i] = a[i] = i;

    int *null = NULL;
#pragma omp target map(from : flag)
    flag = null == NULL;
    CHECK(flag == 1);
#pragma omp target map(from : flag) map(tofrom : null[0:none])
    flag = null == NULL;
    CHECK(flag == 1);
    struct maybe m = {0, NULL};
#pragma omp target map(to : m, m.p[0:m.n]) map(from : flag)
    flag = m.p == NULL ? m.n : 7;
    CHECK(flag == 0);
    ABSENT(&m);

    /* Zero-length sections find what is mapped, and map nothing themselves. */
#pragma omp target data map(tofrom : p[0:N])
    {
#pragma omp target map(p[0:0])
        p[1] = 11;
#pragma omp target map(alloc : p[3:none])
        p[3] = 13;
#pragma omp target
        p[5] = 15;
    }
    CHECK(p[1] == 11 && p[3] == 13 && p[5] == 15);
    ABSENT(p);
#pragma omp target map(p[0:0]) map(from : flag)
    flag = 3;
    CHECK(flag == 3);
    ABSENT(p);

    /* Mapped twice: by one construct in two clauses, and by two constructs. */
#pragma omp target map(to : a) map(from : a)
    a[2] += 100;
    CHECK(a[2] == 102);
#pragma omp target data map(to : a)
    {
#pragma omp target data map(tofrom : a)
        {
#pragma omp target
            a[3] = 33;
            PRESENT(a);
        }
        PRESENT(a);
        CHECK(!SEPARATE || a[3] == 3); // rex-ignore: stale: nothing comes back yet
#pragma omp target data map(always, from : a)
        ;
        CHECK(a[3] == 33);
    }
    ABSENT(a);

    /* Two parts of one array in one construct. */
#pragma omp target map(tofrom : p[0:2], p[10:4])
    {
        p[1] = -1;
        p[13] = -13;
    }
    CHECK(p[1] == -1 && p[13] == -13 && p[5] == 15);
    ABSENT(p);
    ABSENT(p + 10);

    /* Into the middle. */
    int *mid = p + 8, *behind = p + N - 1;
#pragma omp target data map(tofrom : p[0:N])
    {
#pragma omp target
        {
            mid[-1] = 70;
            mid[1] = behind[0];
        }
#pragma omp target map(alloc : mid[0:2])
        mid[0] = 80;
#pragma omp target update from(mid[-1:3])
        CHECK(p[7] == 70 && p[8] == 80 && p[9] == 19);
        CHECK(total(mid, 2) == (SEPARATE ? 99 : 99));
    }
    ABSENT(mid);
#pragma omp target data map(tofrom : mid[0:4])
    {
#pragma omp target
        mid[3] = 111;
        PRESENT(p + 11);
        ABSENT(p);
        ABSENT(p + 12);
    }
    CHECK(p[11] == 111);

    /* A name declared again in an inner block. */
    {
        int a[2] = {5, 6};
#pragma omp target map(tofrom : a)
        a[0] += a[1];
        CHECK(a[0] == 11);
    }

    /* Reference counts over constructs in sequence. */
#pragma omp target enter data map(to : a)
#pragma omp target enter data map(to : a)
#pragma omp target exit data map(release : a)
    PRESENT(a);
#pragma omp target exit data map(release : a)
    ABSENT(a);
#pragma omp target enter data map(to : a)
#pragma omp target enter data map(to : a)
#pragma omp target exit data map(delete : a)
    ABSENT(a);
#pragma omp target exit data map(delete : a) // rex-ignore: double-release: nothing is mapped any more
#pragma omp target exit data map(from : a) // rex-ignore: double-release: nothing is mapped any more
    ABSENT(a);

    CHECK(total(p + 10, 2) == 121 && total(p, 0) == 0);
    free(p);
    return CHECK_RESULT();
}
