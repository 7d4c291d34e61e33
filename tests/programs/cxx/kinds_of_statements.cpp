// Statements of every kind in regions: switch, goto, loops, conditions with declarations.
#include "check.hpp"
#include <initializer_list>

static int collatz(long n)
{
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        ++steps;
    }
    return steps;
}

static int fact(int n)
{
    return n < 2 ? 1 : n * fact(n - 1);
}

int main()
{
    int a[30];
#pragma omp target teams distribute parallel for map(from: a)
    for (int i = 0; i < 30; ++i) {
        int r = 0;
        switch (i % 4) {
        case 0: r = 1; break;
        case 1: r = 2; [[fallthrough]];
        case 2: r += 10; break;
        default: r = collatz(i);
        }
        if (int half = i / 2; half > 10)
            r += half;
        do {
            r += 1;
        } while (r < 5);
        for (int j : {1, 2, 3})
            r += j;
        if (i == 29)
            goto end;
        if (i % 7 == 0)
            continue;
        r += fact(i % 5);
    end:
        a[i] = r;
    }
    int expected[30] = {};
    for (int i = 0; i < 30; ++i) {
        int r = i % 4 == 0 ? 1 : i % 4 == 1 ? 12 : i % 4 == 2 ? 10 : collatz(i);
        if (i / 2 > 10)
            r += i / 2;
        r = r + 1 < 5 ? 5 : r + 1;
        r += 6;
        expected[i] = i == 29 ? r : r + fact(i % 5);
    }
    for (int i = 0; i < 30; ++i)
        if (i % 7 || i == 29)
            check("a", a[i], expected[i]);
    return report();
}
