// linear variables of loops have the value of their iteration, and the last one afterwards.
#include "check.hpp"

struct Table {
    int *a;
    int n;
    int fill()
    {
        int *p = a, k = n, j = 3;
#pragma omp target parallel for map(tofrom: p[0:k]) map(tofrom: j) linear(j: 2)
        for (int i = 0; i < k; ++i) {
            p[i] = j;
            j += 2;
        }
        return j;
    }
};

int main()
{
    int a[30];
    Table t{a, 30};
    check("after", t.fill(), 63);
    for (int i = 0; i < 30; ++i)
        check("a", a[i], 3 + 2 * i);
    int b[16], k = 0;
#pragma omp target map(from: b) map(tofrom: k)
#pragma omp simd linear(k)
    for (int i = 0; i < 16; ++i) {
        b[i] = k;
        ++k;
    }
    check("b", b[15], 15);
    check("k", k, 16);
    int m = 5;
#pragma omp target parallel for map(from: b) linear(m: 3)
    for (int i = 0; i < 16; ++i) {
        b[i] = m;
        m += 3;
    }
    check("without a map clause", m, 53);
    return report();
}
