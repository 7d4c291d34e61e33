/* Mappings that end too often, or never. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

static void twice(int *a)
{
#pragma omp target enter data map(to: a[0:N])
#pragma omp target exit data map(delete: a[0:N])
#pragma omp target exit data map(delete: a[0:N]) // rex-expect: double-release
#pragma omp target enter data map(to: a[0:N])
#pragma omp target exit data map(delete: a[0:N])
}

static void never(int *a)
{
#pragma omp target enter data map(to: a[0:N]) // rex-expect: never-released
}

static void once_too_seldom(int *a)
{
#pragma omp target enter data map(to: a[0:N]) // rex-expect: never-released
#pragma omp target enter data map(to: a[0:N])
#pragma omp target exit data map(release: a[0:N])
}

static void as_often(int *a)
{
#pragma omp target enter data map(to: a[0:N])
#pragma omp target enter data map(to: a[0:N])
#pragma omp target exit data map(release: a[0:N])
#pragma omp target exit data map(release: a[0:N])
}

int main(void)
{
    static int a[N], b[N], c[N], d[N];
    twice(a);
    never(b);
    once_too_seldom(c);
    as_often(d);
    printf("done\n");
    return 0;
}
