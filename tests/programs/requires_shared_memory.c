/* requires unified_shared_memory: pointers that nobody maps, changes seen on both sides. For the cpu device only. */
// guard: off
// device: cpu
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"

#include <omp.h>
#include <stdlib.h>

#ifndef REFERENCE /* gcc refuses it */
#pragma omp requires unified_shared_memory self_maps
#endif

#define N 100

struct node {
    int value;
    struct node *next;
};

static int table[N];

int main(void)
{
    int *data = (int *)malloc(N * sizeof *data), sum = 0;
    struct node second = {20, NULL}, first = {10, &second};

    for (int i = 0; i < N; ++i)
        data[i] = i;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        data[i] *= 2;
    for (int i = 0; i < N; ++i)
        CHECK(data[i] == 2 * i);

#ifndef REFERENCE
    CHECK(omp_target_is_accessible(data, N * sizeof *data, omp_get_default_device()));
    CHECK(!omp_target_is_accessible(NULL, 0, omp_get_default_device()));
#endif
    struct node *list = &first;
#pragma omp target map(from: sum)
    {
        sum = 0;
        for (struct node *n = list; n; n = n->next)
            sum += n->value++;
    }
    CHECK(sum == 30 && first.value == 11 && second.value == 21);

#pragma omp target data map(tofrom: table)
    {
        table[3] = 7;
#pragma omp target
        table[4] = table[3] + 1;
        CHECK(table[4] == 8);
    }
    free(data);
    return CHECK_RESULT();
}
