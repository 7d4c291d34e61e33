// Inheritance, nested classes, operators, constructors and value semantics of classes in device code.
#include "check.hpp"
#include <cstddef>

namespace math {
template <class T, std::size_t N>
struct Vec {
    T v[N];
    Vec() { for (std::size_t i = 0; i < N; ++i) v[i] = T(); }
    explicit Vec(T x) { for (std::size_t i = 0; i < N; ++i) v[i] = x; }
    T &operator[](std::size_t i) { return v[i]; }
    const T &operator[](std::size_t i) const { return v[i]; }
    Vec &operator+=(const Vec &o) { for (std::size_t i = 0; i < N; ++i) v[i] += o.v[i]; return *this; }
    friend Vec operator*(T s, const Vec &a) { Vec r; for (std::size_t i = 0; i < N; ++i) r.v[i] = s * a.v[i]; return r; }
};
template <class T, std::size_t N>
T dot(const Vec<T, N> &a, const Vec<T, N> &b)
{
    T s{};
    for (std::size_t i = 0; i < N; ++i)
        s += a[i] * b[i];
    return s;
}
using Vec3 = Vec<double, 3>;
} // namespace math

struct Shape {
    double size = 1;
    double scaled(double f) const { return size * f; }
};
struct Square : Shape {
    struct Side {
        int index;
    };
    Side sides[4];
    double area() const { return scaled(size); }
};

template <class Derived>
struct Base {
    int twice() const { return 2 * static_cast<const Derived *>(this)->value(); }
};
struct Crtp : Base<Crtp> {
    int number = 21;
    int value() const { return number; }
};

class Guard {
    int &counter_;

public:
    explicit Guard(int &counter) : counter_(counter) { ++counter_; }
    ~Guard() { counter_ += 10; }
};

int main()
{
    const int n = 16;
    math::Vec3 *points = new math::Vec3[n];
    math::Vec3 step(0.5);
    double total = 0;
#pragma omp target teams distribute parallel for map(tofrom: points[0:n]) reduction(+ : total)
    for (int i = 0; i < n; ++i) {
        points[i] += static_cast<double>(i) * step;
        points[i][0] = 1;
        total += dot(points[i], step);
    }
    check("operators of a class template", points[4][2], 2.0);
    check("their sum", total, 8.0 + 0.5 * (2 * 0.5 * 120));
    Square square;
    square.size = 3;
    square.sides[2].index = 5;
    Crtp crtp;
    double area = 0;
    int twice = 0, counted = 0, side = 0;
#pragma omp target map(from: area, twice, side) map(tofrom: counted)
    {
        Guard guard(counted);
        area = square.area();
        twice = crtp.twice();
        side = square.sides[2].index;
    }
    check("inheritance", area, 9.0);
    check("the curiously recurring template", twice, 42);
    check("constructors and destructors", counted, 11);
    check("a nested class", side, 5);
    delete[] points;
    return report();
}
