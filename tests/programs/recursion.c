/* Recursive and mutually recursive functions on the device. */
#include "check.h"

#define N 40
#define DEEP 64

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static unsigned gcd(unsigned a, unsigned b)
{
    if (b == 0)
        return a;
    return gcd(b, a % b);
}

static int is_odd(int n);

static int is_even(int n)
{
    return n == 0 ? 1 : is_odd(n - 1);
}

static int is_odd(int n)
{
    return n == 0 ? 0 : is_even(n - 1);
}

static int depth_of(const int *left, const int *right, int node)
{
    if (node < 0)
        return 0;
    const int l = depth_of(left, right, left[node]), r = depth_of(left, right, right[node]);
    return 1 + (l > r ? l : r);
}

int main(void)
{
    int f[15], even[15], left[N], right[N], depth = 0, next[DEEP], none[DEEP], depths[DEEP];
    unsigned g[N];

#pragma omp target teams distribute parallel for map(from: f, even)
    for (int i = 0; i < 15; ++i) {
        f[i] = fibonacci(i);
        even[i] = is_even(i);
    }
    CHECK(f[14] == 377 && f[1] == 1);
    for (int i = 0; i < 15; ++i)
        CHECK(even[i] == (i % 2 == 0));

#pragma omp target parallel for map(from: g)
    for (unsigned i = 0; i < N; ++i)
        g[i] = gcd(i * 6, 84);
    for (int i = 0; i < N; ++i)
        printf("%u ", g[i]);
    printf("\n");

    for (int i = 0; i < N; ++i) {
        left[i] = 2 * i + 1 < N ? 2 * i + 1 : -1;
        right[i] = 2 * i + 2 < N ? 2 * i + 2 : -1;
    }
#pragma omp target map(to: left, right) map(from: depth)
    depth = depth_of(left, right, 0);
    CHECK(depth == 6);

    /* Deeper than CUDA's stack of 1 KiB. */
    for (int i = 0; i < DEEP; ++i) {
        next[i] = i + 1 < DEEP ? i + 1 : -1;
        none[i] = -1;
    }
#pragma omp target teams distribute parallel for map(to: next, none) map(from: depths)
    for (int i = 0; i < DEEP; ++i)
        depths[i] = depth_of(i % 2 ? next : none, i % 2 ? none : next, i);
    for (int i = 0; i < DEEP; ++i)
        CHECK(depths[i] == DEEP - i);
    return CHECK_RESULT();
}
