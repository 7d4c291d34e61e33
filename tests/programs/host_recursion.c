/* Recursion through functions that contain regions: each call has its own arguments and mappings. */
#include "check.h"

#include <stdlib.h>

/* Merge sort whose leaves and merges run on the device. */
static void sort(int *a, int n)
{
    if (n <= 8) {
#pragma omp target map(tofrom: a[0:n])
        for (int i = 1; i < n; ++i) {
            const int value = a[i];
            int k = i;
            for (; k > 0 && a[k - 1] > value; --k)
                a[k] = a[k - 1];
            a[k] = value;
        }
        return;
    }
    const int half = n / 2;
    sort(a, half);
    sort(a + half, n - half);

    int *merged = (int *)malloc((size_t)n * sizeof *merged);
#pragma omp target map(to: a[0:n]) map(from: merged[0:n])
    {
        int left = 0, right = half;
        for (int i = 0; i < n; ++i)
            merged[i] = right >= n || (left < half && a[left] <= a[right]) ? a[left++] : a[right++];
    }
    for (int i = 0; i < n; ++i)
        a[i] = merged[i];
    free(merged);
}

/* The data of the outer calls stays mapped while the inner ones run. */
static int depth_sum(int depth)
{
    int local[4] = {depth, depth, depth, depth}, below = 0;
#pragma omp target data map(tofrom: local)
    {
#pragma omp target
        for (int i = 0; i < 4; ++i)
            local[i] += i;
        if (depth > 0)
            below = depth_sum(depth - 1);
#pragma omp target
        for (int i = 0; i < 4; ++i)
            local[i] *= 2;
    }
    return local[0] + local[3] + below;
}

int main(void)
{
    enum { N = 100 };
    int a[N];
    for (int i = 0; i < N; ++i)
        a[i] = (i * 71) % N;
    sort(a, N);
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == i);
    printf("%d\n", depth_sum(6));
    return CHECK_RESULT();
}
