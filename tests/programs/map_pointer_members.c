/* What a pointer member of a structure points to: s.p[0:n], with and without the structure, in data constructs. */
#include "check.h"
#include "headers/device.h"

#include <stdlib.h>

struct buffer {
    int n;
    double *p;
    int *index;
};

struct pair {
    struct buffer left, right;
    int unused;
};

static struct buffer make(int n)
{
    struct buffer b = {n, (double *)malloc(n * sizeof(double)), (int *)malloc(n * sizeof(int))};
    for (int i = 0; i < n; ++i) {
        b.p[i] = i;
        b.index[i] = n - 1 - i;
    }
    return b;
}

static void destroy(struct buffer b)
{
    free(b.p);
    free(b.index);
}

int main(void)
{
    const int host = regions_on_host(), n = 60;
    struct buffer s = make(n);
    double *original = s.p;

    /* The pointer member alone. */
#pragma omp target teams distribute parallel for map(tofrom: s.p[0:n])
    for (int i = 0; i < n; ++i)
        s.p[i] += 1;
    CHECK(s.p == original);
    for (int i = 0; i < n; ++i)
        CHECK(s.p[i] == i + 1);

    /* A member and two pointers, one of them with a lower bound. */
#pragma omp target map(to: s.n, s.index[0:n]) map(tofrom: s.p[10:20])
    for (int i = 10; i < 30; ++i)
        s.p[i] = s.index[i] + s.n;
    CHECK(s.p == original && s.p[9] == 10 && s.p[10] == 109 && s.p[29] == 90 && s.p[30] == 31);

    /* The structure as a whole and what it points to. */
#pragma omp target teams distribute parallel for map(to: s) map(tofrom: s.p[0:s.n]) map(to: s.index[0:s.n])
    for (int i = 0; i < s.n; ++i)
        s.p[i] = 2 * s.index[i];
    CHECK(s.p == original);
    for (int i = 0; i < n; ++i)
        CHECK(s.p[i] == 2 * (n - 1 - i));

    /* Nested structures. */
    struct pair two = {make(n), make(n), 7};
#pragma omp target map(to: two.left.p[0:n]) map(tofrom: two.right.p[0:n])
    for (int i = 0; i < n; ++i)
        two.right.p[i] += two.left.p[i];
    for (int i = 0; i < n; ++i)
        CHECK(two.right.p[i] == 2 * i);

    /* Around several regions. */
#pragma omp target data map(to: s.n) map(tofrom: s.p[0:n])
    {
#pragma omp target map(to: s.n) map(to: s.p[0:n])
        for (int i = 0; i < s.n; ++i)
            s.p[i] = i;
#pragma omp target update from(s.p[0:5])
        CHECK(s.p[4] == 4);
        CHECK(s.p[5] == (host ? 5 : 2 * (n - 6))); // rex-ignore: stale: only a part comes back
    }
    for (int i = 0; i < n; ++i)
        CHECK(s.p[i] == i);

#pragma omp target enter data map(to: s) map(to: s.p[0:n])
#pragma omp target map(to: s)
    for (int i = 0; i < s.n; ++i)
        s.p[i] *= 3;
#pragma omp target exit data map(from: s.p[0:n]) map(release: s)
    CHECK(s.p == original);
    for (int i = 0; i < n; ++i)
        CHECK(s.p[i] == 3 * i);

    destroy(s);
    destroy(two.left);
    destroy(two.right);
    return CHECK_RESULT();
}
