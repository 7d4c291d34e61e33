// Reductions of every operator over scalars and arrays.
#include "check.hpp"
#include <algorithm>

enum { N = 500 };

int main()
{
    int sum = 1, bits = 0, least = 1000, most = -1;
    double product = 1;
    bool all = true, any = false;
    unsigned flips = 0;
    long counts[4] = {0, 0, 0, 0};
#pragma omp target teams distribute parallel for reduction(+ : sum, counts) reduction(| : bits) \
    reduction(min : least) reduction(max : most) reduction(* : product) reduction(&& : all) reduction(|| : any) \
    reduction(^ : flips)
    for (int i = 0; i < N; ++i) {
        sum += i;
        bits |= 1 << i % 7;
        least = std::min(least, i - 3);
        most = std::max(most, i * 2);
        product *= i == 10 ? 2.5 : 1.0;
        all = all && i >= 0;
        any = any || i == 77;
        flips ^= static_cast<unsigned>(i);
        counts[i % 4] += 1;
    }
    unsigned expected = 0;
    for (unsigned i = 0; i < N; ++i)
        expected ^= i;
    check("+", sum, 1 + N * (N - 1) / 2);
    check("|", bits, 127);
    check("min", least, -3);
    check("max", most, 2 * (N - 1));
    check("*", product, 2.5);
    check("&&", all, true);
    check("||", any, true);
    check("^", flips, expected);
    check("an array", counts[0] + 1000 * counts[3], 125L + 125000L);
    double *part = new double[8]();
#pragma omp target teams distribute parallel for reduction(+ : part[2:4])
    for (int i = 0; i < N; ++i)
        part[2 + i % 4] += 0.5;
    check("a section", part[1] + part[2] * 10 + part[6], 625.0);
    part[3] = 0;
#pragma omp target teams distribute parallel for reduction(+ : part[3])
    for (int i = 0; i < N; ++i)
        part[3] += 2;
    check("an element", part[3], 1000.0);
    delete[] part;
    return report();
}
