// atomic compare: minima, maxima and compare-and-swap, as statements and as expressions.
#include "check.hpp"

template <class T>
struct Extremes {
    T low, high;
    void find(const T *a, int n)
    {
        T lo = a[0], hi = a[0];
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: lo, hi)
        for (int i = 0; i < n; ++i) {
#pragma omp atomic compare
            if (a[i] < lo) { lo = a[i]; }
#pragma omp atomic compare
            hi = a[i] > hi ? a[i] : hi;
        }
        low = lo;
        high = hi;
    }
};

int main()
{
    int a[200];
    for (int i = 0; i < 200; ++i)
        a[i] = (i * 73) % 199;
    Extremes<int> e{};
    e.find(a, 200);
    check("low", e.low, 0);
    check("high", e.high, 198);
    int owner = -1, wins = 0;
#pragma omp target teams distribute parallel for map(tofrom: owner, wins)
    for (int i = 0; i < 64; ++i) {
        int before;
#pragma omp atomic compare capture
        {
            before = owner;
            if (owner == -1) { owner = i; }
        }
        if (before == -1) {
#pragma omp atomic
            ++wins;
        }
    }
    check("one winner", wins, 1);
    check("owner", owner >= 0, true);
    return report();
}
