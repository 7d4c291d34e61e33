/* printf from a region: one thread at a time, so that the order of the lines is known. */
#include "check.h"

static void show(const char *name, int value)
{
    printf("%s is %d\n", name, value);
}

int main(void)
{
    int n = 3;
    double x = 2.5;
    const char *host_only = "host";

    printf("before, on the %s\n", host_only);
    fflush(stdout);
#pragma omp target
    {
        printf("plain text\n");
        printf("%d %u %x %c %5.2f %e %s %%\n", n, 7u, 255, 'c', x, x, "literal");
        printf("%ld %lld %5d|%-5d|%05d\n", 123456789L, 1LL << 40, 42, 42, 42);
        for (int i = 0; i < n; ++i)
            show("i", i);
    }
    fflush(stdout);
    printf("between\n");
    fflush(stdout);
#pragma omp target
    {
        fprintf(stdout, "to %s %d\n", "stdout", n);
        fputs("as it stands %d\n", stdout);
        if (n < 0)
            fprintf(stderr, "never\n");
    }
    fflush(stdout);

#pragma omp target parallel num_threads(4)
    {
#pragma omp single
        printf("from one thread\n");
    }
    fflush(stdout);

#pragma omp target map(tofrom: n)
    n = printf("ten chars\n") < 0 ? -1 : n;
    fflush(stdout);
    CHECK(n == 3);
    printf("after\n");
    return CHECK_RESULT();
}
