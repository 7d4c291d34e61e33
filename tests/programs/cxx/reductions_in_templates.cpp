// Every operator of reductions, on several types, arrays, sections and references.
#include "check.hpp"

template <class T>
T product(const T *a, int n, T start)
{
    T p = start;
#pragma omp target teams distribute parallel for map(to: a[0:n]) reduction(*: p)
    for (int i = 0; i < n; ++i)
        p *= a[i];
    return p;
}

int main()
{
    int a[60];
    for (int i = 0; i < 60; ++i)
        a[i] = (i * 7) % 61;
    int sum = 5, diff = 0, bits = ~0, any = 0, odd = 0, low = 1000, high = -1;
    bool all = true, some = false;
#pragma omp target teams distribute parallel for map(to: a) reduction(+: sum) reduction(-: diff) reduction(&: bits) \
    reduction(|: any) reduction(^: odd) reduction(min: low) reduction(max: high) reduction(&&: all) reduction(||: some)
    for (int i = 0; i < 60; ++i) {
        sum += a[i];
        diff -= 1;
        bits &= a[i] | 64;
        any |= a[i];
        odd ^= a[i];
        low = a[i] < low ? a[i] : low;
        high = a[i] > high ? a[i] : high;
        all = all && a[i] < 61;
        some = some || a[i] == 60;
    }
    int s2 = 5, o2 = 0, any2 = 0, low2 = 1000, high2 = -1;
    bool some2 = false;
    for (int v : a) {
        s2 += v;
        o2 ^= v;
        any2 |= v;
        low2 = v < low2 ? v : low2;
        high2 = v > high2 ? v : high2;
        some2 = some2 || v == 60;
    }
    check("+", sum, s2);
    check("-", diff, -60);
    check("&", bits, 64);
    check("|", any, any2);
    check("^", odd, o2);
    check("min", low, low2);
    check("max", high, high2);
    check("&&", all, true);
    check("||", some, some2);
    double d[5] = {1, 2, 3, 4, 0.5};
    check("*", product(d, 5, 2.0), 24.0);
    int hist[8] = {}, *h = hist;
#pragma omp target teams distribute parallel for map(to: a) reduction(+: hist)
    for (int i = 0; i < 60; ++i)
        hist[a[i] % 8] += 1;
    int counted = 0;
    for (int v : hist)
        counted += v;
    check("array", counted, 60);
#pragma omp target teams distribute parallel for map(to: a) reduction(+: h[0:8])
    for (int i = 0; i < 60; ++i)
        h[a[i] % 8] += 1;
    check("section", hist[0] % 2, 0);
    int &ref = sum;
    ref = 0;
#pragma omp target teams distribute parallel for map(to: a) reduction(+: ref)
    for (int i = 0; i < 60; ++i)
        ref += a[i];
    check("reference", sum, s2 - 5);
    return report();
}
