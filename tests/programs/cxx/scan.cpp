// scan makes inclusive and exclusive prefix sums.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

template <class T>
void prefix(const T *in, T *out, int n)
{
    T s = 0;
#pragma omp target parallel for map(to: in[0:n]) map(from: out[0:n]) reduction(inscan, +: s)
    for (int i = 0; i < n; ++i) {
        s += in[i];
#pragma omp scan inclusive(s)
        out[i] = s;
    }
}

int main()
{
    int in[50], out[50];
    for (int i = 0; i < 50; ++i)
        in[i] = i;
    prefix(in, out, 50);
    for (int i = 0; i < 50; ++i)
        check("inclusive", out[i], i * (i + 1) / 2);
    int s = 0;
#pragma omp target parallel for map(to: in) map(from: out) reduction(inscan, +: s)
    for (int i = 0; i < 50; ++i) {
        out[i] = s;
#pragma omp scan exclusive(s)
        s += in[i];
    }
    check("exclusive", out[49], 48 * 49 / 2);
    return report();
}
