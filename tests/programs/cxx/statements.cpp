// Statements with initialisers, switch, goto-free loops, ranges of cases, and early exits in regions.
#include "check.hpp"

static int collatz(int n)
{
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        if (++steps > 1000)
            break;
    }
    return steps;
}

int main()
{
    const int n = 32;
    int out[n];
#pragma omp target teams distribute parallel for map(from: out)
    for (int i = 0; i < n; ++i) {
        if (const int r = i % 5; r == 0) {
            out[i] = -1;
            continue;
        } else if (r == 1) {
            out[i] = r;
            continue;
        }
        switch (int k = i % 3; k) {
        case 0:
            out[i] = 100;
            [[fallthrough]];
        case 1:
            out[i] = 200 + k;
            break;
        default: {
            int s = 0;
            do {
                s += k;
            } while (s < i);
            out[i] = s;
        }
        }
        out[i] += collatz(i);
    }
    check("continue", out[10], -1);
    check("if", out[11], 1);
    check("fall through", out[12], 200 + 9);
    check("case", out[7], 201 + 16);
    check("default", out[8], 8 + 3);
    return report();
}
