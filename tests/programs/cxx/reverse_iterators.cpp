// Loops that begin at the end of a range: their iterators hold an address behind the mapped elements.
// cflags: -std=c++20
// reference: -O1
#include "check.hpp"
#include <iterator>
#include <vector>

template <class V> void halve(V &v)
{
#pragma omp target teams distribute parallel for
    for (auto it = v.rbegin(); it != v.rend(); ++it)
        *it /= 2;
}

int main()
{
    // Two ranges beside each other, each of them mapped by itself.
    std::vector<double> v(8, 1.0);
    double *p = v.data();
    double sum = 0, weighted = 0;
#pragma omp target data map(tofrom : p[0:4])
#pragma omp target data map(tofrom : p[4:4])
    {
#pragma omp target teams distribute parallel for
        for (auto it = std::reverse_iterator<double *>(p + 4); it < std::reverse_iterator<double *>(p); ++it)
            *it *= 2;
#pragma omp target teams distribute parallel for
        for (auto it = v.rbegin(); it < v.rend() - 4; ++it)
            *it *= 3;
    }
    for (int i = 0; i < 8; ++i)
        sum += v[i] * (i + 1);
    check("both halves", sum, 2.0 * 10 + 3.0 * 26);
#pragma omp target data map(tofrom : p[0:8])
    {
        halve(v);
#pragma omp target teams distribute parallel for
        for (double *q = p + 8; q > p; --q)
            q[-1] += 1;
#pragma omp target teams distribute parallel for reduction(+ : weighted)
        for (auto it = v.rbegin() + 2; it < v.rend(); it += 2)
            weighted += *it;
    }
    check("downwards", v[0] + v[7], 2.0 + 2.5);
    check("every second", weighted, 2.5 + 2.0 + 2.0);
    // The construct itself maps what the loop's pointer is the end of.
    std::vector<int> w(8, 1);
    int *b = w.data();
#pragma omp target teams distribute parallel for map(tofrom : b[0:8])
    for (auto it = std::make_reverse_iterator(b + 8); it < std::make_reverse_iterator(b); ++it)
        *it += 2;
#pragma omp target teams distribute parallel for map(tofrom : b[0:8])
    for (int *q = b + 8; q > b; --q)
        q[-1] *= 3;
    check("mapped by the construct", w[0] + w[7], 18);
    return report();
}
