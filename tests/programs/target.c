/* target: a block, a single statement, a nested block, an empty region, and several regions in one function. */
#include "check.h"

int main(void)
{
    enum { N = 100 };
    int a[N], sum = -1, copy = 5;
    double half = 0.5, result = 0.0;

    for (int i = 0; i < N; ++i)
        a[i] = -1;

#pragma omp target map(tofrom: sum)
    {
        sum = 0;
        for (int i = 0; i < N; ++i) {
            a[i] = i * i;
            sum += a[i];
        }
    }
    CHECK(sum == 328350);
    CHECK(a[0] == 0 && a[N - 1] == 9801);

#pragma omp target
    a[3] = 7 + copy;
    CHECK(a[3] == 12);

#pragma omp target map(from: result)
    {
        {
            double square = half * half;
            {
                int i = 3;
                square *= i;
                result = square + copy;
            }
        }
    }
    CHECK(result == 5.75);

#pragma omp target
    {
    }

#pragma omp target
    ;

#pragma omp target
    for (int i = 0; i < N; i += 10)
        a[i] = -i;
    CHECK(a[50] == -50 && a[51] == 2601);

#pragma omp target map(tofrom: sum)
    if (sum > 10)
        sum = a[90];
    else
        sum = 1;
    CHECK(sum == -90);

    printf("%d %d %.2f\n", sum, a[99], result);
    return CHECK_RESULT();
}
