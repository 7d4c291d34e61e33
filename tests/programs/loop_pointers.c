/* Loops over pointers, forwards, backwards and with strides; of structures too. */
// reference: -Wno-unknown-pragmas
#include "check.h"

#include <stdlib.h>

#define N 77

struct item {
    int key;
    double value;
    char padding[5];
};

int main(void)
{
    int a[N];
    double *p = (double *)malloc(N * sizeof *p);
    struct item items[N];
    int n = N;

#pragma omp target teams distribute parallel for map(from: a)
    for (int *q = a; q < a + N; ++q)
        *q = (int)(q - a);
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == i);

    for (int i = 0; i < N; ++i) {
        p[i] = i;
        items[i] = (struct item){.key = i, .value = 0};
    }
#pragma omp target parallel for map(tofrom: p[0:n])
    for (double *q = p + n - 1; q >= p; q -= 2)
        *q = -*q;
    for (int i = 0; i < N; ++i)
        CHECK(p[i] == (i % 2 == 0 ? -i : i));

    double sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: items) reduction(+: sum)
    for (struct item *item = &items[3]; item != &items[N]; item++) {
        item->value = item->key * 0.5;
        sum += item->value;
    }
    CHECK(items[2].value == 0 && items[3].value == 1.5 && items[N - 1].value == 38.0);
    printf("%.2f\n", sum);

    /* Inside a region. */
    int count = 0;
#pragma omp target map(to: a) map(tofrom: count)
    {
        const int *const end = a + N;
#pragma omp parallel for reduction(+: count)
        for (const int *q = a; q < end; q += 3)
            count += *q;
    }
    printf("%d\n", count);
    free(p);
    return CHECK_RESULT();
}
