// Overloaded operators of a class in regions: arithmetic, comparison, subscript, conversion, increment, and free ones.
#include "check.hpp"

class Fixed {
    int raw;

public:
    constexpr Fixed() : raw(0) {}
    constexpr explicit Fixed(int units) : raw(units * 16) {}
    static Fixed of_raw(int r)
    {
        Fixed f;
        f.raw = r;
        return f;
    }
    Fixed operator+(Fixed o) const { return of_raw(raw + o.raw); }
    Fixed operator-() const { return of_raw(-raw); }
    Fixed &operator+=(Fixed o)
    {
        raw += o.raw;
        return *this;
    }
    Fixed &operator++()
    {
        raw += 16;
        return *this;
    }
    Fixed operator++(int)
    {
        Fixed old = *this;
        ++*this;
        return old;
    }
    bool operator==(Fixed o) const { return raw == o.raw; }
    bool operator<(Fixed o) const { return raw < o.raw; }
    explicit operator int() const { return raw / 16; }
    friend Fixed operator*(Fixed a, Fixed b) { return of_raw(a.raw * b.raw / 16); }
};

inline Fixed operator-(Fixed a, Fixed b) { return a + -b; }

struct Row {
    int cells[4];
    int &operator[](int i) { return cells[i]; }
    int operator[](int i) const { return cells[i]; }
    int operator()(int i, int j) const { return cells[i] * cells[j]; }
};

int main()
{
    Fixed values[8];
#pragma omp target teams distribute parallel for map(from: values)
    for (int i = 0; i < 8; ++i) {
        Fixed f(i);
        f += Fixed(1);
        ++f;
        f++;
        values[i] = f * Fixed(2) - Fixed(1);
    }
    check("arithmetic", int(values[3]), 11);
    int smaller = 0;
#pragma omp target teams distribute parallel for map(to: values) reduction(+: smaller)
    for (int i = 0; i < 8; ++i)
        smaller += values[i] < Fixed(10) || values[i] == Fixed(11);
    check("comparison", smaller, 4);
    Row row{{1, 2, 3, 4}};
    int product = 0;
#pragma omp target map(tofrom: row, product)
    {
        row[2] = 7;
        const Row &same = row;
        product = row(2, 3) + same[1];
    }
    check("subscript", row.cells[2], 7);
    check("call", product, 30);
    return report();
}
