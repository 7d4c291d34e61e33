// std::array iterators and vector-like iterators as loop variables of worksharing loops.
#include "check.hpp"
#include <array>

template <class T> struct Span
{
    using iterator = T *;
    T *b;
    T *e;
    iterator begin() const { return b; }
    iterator end() const { return e; }
};

int main()
{
    std::array<int, 50> a{};
    int *raw = a.data();
    Span<int> s{raw, raw + 50};
#pragma omp target teams distribute parallel for map(tofrom : raw[0 : 50])
    for (auto it = s.begin(); it < s.end(); ++it)
        *it = static_cast<int>(it - raw) * 2;
    check("span", a[49], 98);
#pragma omp target teams distribute parallel for map(tofrom : a)
    for (auto it = a.begin(); it < a.end(); ++it)
        *it += 1;
    check("array", a[49], 99);
    return report();
}
