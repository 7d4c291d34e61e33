/* declare target with a list, and with the to clause. */
#include "check.h"

static int scale = 3;
static int twice(int x);
static int thrice(int x)
{
    return x * scale;
}
float factors[4] = {1, 2, 3, 4};

#pragma omp declare target(scale, twice)
#pragma omp declare target to(thrice, factors)

static int twice(int x)
{
    return 2 * x;
}

int main(void)
{
    int a[20];
    float f[20];

#pragma omp target teams distribute parallel for map(from: a, f)
    for (int i = 0; i < 20; ++i) {
        a[i] = twice(i) + thrice(i) + scale;
        f[i] = factors[i % 4];
    }
    for (int i = 0; i < 20; ++i)
        CHECK(a[i] == 5 * i + 3 && f[i] == (float)(i % 4 + 1));
    return CHECK_RESULT();
}
