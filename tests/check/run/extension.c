/* A map of more than what is mapped already, which the runtime library answers by ending the program. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

int main(void)
{
    int *a = calloc(N, sizeof(int));
#pragma omp target enter data map(to: a[0:N])
#pragma omp target map(tofrom: a[0:N / 2])
    a[3] = 1;
#pragma omp target map(tofrom: a[N / 2:N / 2])
    a[N - 1] = 1;
#pragma omp target exit data map(from: a[0:N])
#pragma omp target data map(tofrom: a[0:N / 2])
    {
#pragma omp target map(tofrom: a[0:N]) // rex-expect: section-too-long
        a[N - 1] = 1;
    }
    printf("%d\n", a[3]);
    free(a);
    return 0;
}
