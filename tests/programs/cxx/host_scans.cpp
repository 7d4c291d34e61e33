// Scans and conditional lastprivate outside of target regions, which LLVM's runtime does not support for gcc's code.
// reference: -O1
#include "check.hpp"

template <class T> struct Series {
    T *in, *out;
    int n;
    T largest()
    {
        T most = -1;
        int i;
#pragma omp parallel for reduction(inscan, max : most)
        for (i = 0; i < n; ++i) {
            most = most > in[i] ? most : in[i];
#pragma omp scan inclusive(most)
            out[i] = most;
        }
        return most;
    }
};

static int sums(int *out, int n)
{
    int sum = 0;
#pragma omp parallel
#pragma omp for reduction(inscan, + : sum)
    for (int i = 0; i < n; ++i) {
        out[i] = sum;
#pragma omp scan exclusive(sum)
        sum += i;
    }
    return sum;
}

static int last_even(const int *a, int n)
{
    int found = -1;
#pragma omp parallel for lastprivate(conditional : found)
    for (int i = 0; i < n; ++i)
        if (a[i] % 2 == 0)
            found = a[i];
    return found;
}

int main()
{
    double in[100], out[100];
    for (int i = 0; i < 100; ++i)
        in[i] = (i * 37) % 101;
    Series<double> series{in, out, 100};
    check("the largest", series.largest(), 100.0);
    check("the largest so far", out[10], 94.0);
    int a[50];
    check("sum", sums(a, 50), 1225);
    check("sum so far", a[49], 1176);
    for (int i = 0; i < 50; ++i)
        a[i] = i < 40 ? i : 2 * i + 1;
    check("the last even number", last_even(a, 50), 38);
    return report();
}
