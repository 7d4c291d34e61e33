/* Host and device have one memory: nothing is mapped, and races are found all the same. */
#include <stdlib.h>

#pragma omp requires unified_shared_memory

enum { N = 64 };
static int fixed[N];

int main(void)
{
    int *a = malloc(N * sizeof(int)), local[N], sum = 0;
    for (int i = 0; i < N; ++i)
        a[i] = local[i] = i;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i) {
        a[i] += local[i];
        fixed[i] = a[i];
    }
    a[3] = 5;
#pragma omp target teams distribute parallel for
    for (int i = 1; i < N; ++i)
        a[i] += a[i - 1]; // rex-expect: race
    for (int i = 0; i < N; ++i)
        sum += a[i] + fixed[i];
    free(a);
    return sum == 1;
}
