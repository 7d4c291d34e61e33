// Loop variables whose type the compiler finds, and pointers as loop variables.
#include "check.hpp"
#include <cstddef>

template <class T>
T total(const T *x, std::size_t n)
{
    T sum = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) reduction(+: sum)
    for (auto i = std::size_t(0); i < n; ++i)
        sum += x[i];
    return sum;
}

template <class T>
void split(const T *in, T *out, int n)
{
#pragma omp target teams distribute parallel for map(to: in[0:n]) map(from: out[0:2*n])
    for (auto i = 0; i < n; ++i) {
        auto *row = out + 2 * i;  // of another type in each instantiation
        const auto &own = in[i];
        row[0] = own;
        row[1] = -own;
    }
}

struct Divisor
{
    int by;
};
inline int operator/(int n, Divisor d) { return n / d.by; }

template <class D>
void divide(int n, D d, int *out)
{
#pragma omp target teams distribute parallel for map(to: d) map(from: out[0:n])
    for (int i = 0; i < n; ++i) {
        D own = d;  // a scalar or a class
        out[i] = i / own;
    }
}

int main()
{
    double x[100];
    const auto n = 100;
#pragma omp target teams distribute parallel for map(from: x)
    for (auto i = 0; i < n; ++i)
        x[i] = i;
    check("int", x[99], 99.0);
    check("size_t", total(x, 100), 4950.0);
    double *p = x;
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (auto q = p; q < p + n; ++q)
        *q += 1;
    check("a pointer", x[50], 51.0);
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (double *q = p + n - 1; q >= p; q -= 2)
        *q = 0;
    check("backwards", x[99] + x[98] + x[1], 99.0);
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (auto *q = p; q != p + n; q++)
        *q += 2;
    check("until", x[99], 2.0);
#pragma omp target teams distribute parallel for map(tofrom: x)
    for (auto i = 10L; i > 0L; i--)
        x[i] = -1;
    check("long", x[10] + x[1] + x[0], 1.0);
    for (auto c = 'a'; c < 'b'; ++c)
        check("char", int(c), 97);
    int letters[26];
#pragma omp target teams distribute parallel for map(from: letters)
    for (char c = 'a'; c <= 'z'; ++c)
        letters[c - 'a'] = c;
    check("letters", letters[25], int('z'));
    const double halves[2] = {0.5, 1.5};
    const int whole[2] = {3, 4};
    double of_halves[4];
    int of_whole[4];
    split(halves, of_halves, 2);
    split(whole, of_whole, 2);
    check("auto inside", of_halves[3] + of_whole[2], 2.5);
    int quotients[2][9];
    divide(9, 4, quotients[0]);
    divide(9, Divisor{3}, quotients[1]);
    check("a scalar or a class", quotients[0][8] * 10 + quotients[1][7], 22);
    return report();
}
