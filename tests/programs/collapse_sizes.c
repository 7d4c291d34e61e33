/* Collapsed loops of many shapes, with steps, negative bounds and early ends of iterations: every iteration runs once. */
#include <stdio.h>
#include <stdlib.h>

static unsigned long long check(const int *a, int n)
{
    unsigned long long sum = 0;
    for (int i = 0; i < n; ++i)
        sum = sum * 31 + (unsigned)a[i];
    return sum;
}

static void two(int rows, int columns, int *a)
{
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:rows * columns])
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            if ((i + j) % 5 == 0)
                continue;
            a[i * columns + j] += i * 7 + j + 1;
        }
}

static void three(int planes, int rows, int columns, int *a)
{
#pragma omp target teams distribute parallel for collapse(3) map(tofrom: a[0:planes * rows * columns])
    for (int k = planes - 1; k >= 0; --k)
        for (int i = -3; i < rows * 2 - 3; i += 2)
            for (unsigned j = 0; j < (unsigned)columns; ++j)
                a[(k * rows + (i + 3) / 2) * columns + (int)j] += k + i + (int)j;
}

static void one(long long first, long long last, int *a)
{
    const long long n = last - first;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (long long i = first; i < last; i += 3)
        a[i - first] += (int)(i % 1000) + 1;
}

int main(void)
{
    static const int sizes[] = {0, 1, 2, 3, 31, 33, 70, 257};
    enum { N = sizeof sizes / sizeof *sizes };
    int *a = (int *)calloc(300 * 300 * 4, sizeof *a);
    for (int x = 0; x < N; ++x)
        for (int y = 0; y < N; ++y) {
            two(sizes[x], sizes[y], a);
            three(x % 4, sizes[x], sizes[y], a);
        }
    one(-5, 100000, a);
    one(5000000000, 5000100001, a);
    one(7, 7, a);
    printf("%llu\n", check(a, 300 * 300 * 4));
    free(a);
    return 0;
}
