// Lambda expressions in regions: captures of every kind, generic ones, and ones that are called at once.
// reference: -O1
#include "check.hpp"

template <class F>
double integrate(F f, double a, double b, int steps)
{
    const double h = (b - a) / steps;
    double sum = 0;
    for (int i = 0; i < steps; ++i)
        sum += f(a + (i + 0.5) * h);
    return sum * h;
}

// What only the operators of generic closures call.
struct Circle {
    double r;
    double area() const { return 3 * r * r; }
};
struct Square {
    double side;
    double area() const { return side * side; }
    Square operator+(Square other) const { return {side + other.side}; }
};
struct Squares {
    int first, last;
    struct At {
        int n;
        int operator*() const { return n * n; }
        At &operator++() { return ++n, *this; }
        bool operator!=(At other) const { return n != other.n; }
    };
    At begin() const { return {first}; }
    At end() const { return {last}; }
};
double twice(const Circle &c) { return 2 * c.r; }
double twice(const Square &s) { return 2 * s.side; }
template <class F, class T> double given(F f, const T &shape) { return f(shape); }
double ends(Circle c, Square s)
{
    auto both = [](const auto &shape) { return shape.area() + twice(shape); };
    return both(c) + both(s);
}
template <class T> double area_of(T shape)
{
    double area = 0;
#pragma omp target map(from: area)
    area = given([](const auto &one) { return one.area(); }, shape);
    return area;
}

// Closures that are constants, and what they use.
static double scaled(double x) { return 10 * x; }
namespace named {
constexpr double steps[] = {0.5, 0.25};
constexpr auto add = [](auto a, auto b) { return a + b; };
constexpr auto thrice = [](auto a) { return add(a, add(a, a)); };
inline constexpr auto step = [](int i) { return scaled(steps[i]); };
}
template <class F, class T> T doubled(F f, T x)
{
    T y{};
#pragma omp target map(from: y)
    y = f(x, x);
    return y;
}

int main()
{
    const int n = 16;
    double out[n];
    double factor = 2;
#pragma omp target teams distribute parallel for map(from: out)
    for (int i = 0; i < n; ++i) {
        auto linear = [=](double x) { return factor * x + i; };
        double s = integrate(linear, 0, 1, 4);
        auto add = [&s](double v) { s += v; };
        add(1);
        auto generic = [](auto a, auto b) { return a < b ? b : a; };
        s += generic(1, 2) + generic(0.5, 0.25);
        s += [i]() -> int { return i * 2; }();
        int count = 0;
        auto counter = [count]() mutable { return ++count; };
        counter();
        s += counter() + count;
        out[i] = s;
    }
    Circle circle{1};
    Square square{2};
    double shapes = 0;
#pragma omp target map(tofrom: shapes)
    {
        auto sum = [](auto a, auto b) { return a + b; };
        shapes = sum(square, square).side + given([](const auto &s) { return s.area(); }, circle) + ends(circle, square);
    }
    check("shapes", shapes, 4 + 3 + 5 + 8.0);
    double constant = 0;
#pragma omp target map(tofrom: constant)
    constant = named::thrice(square).side + named::step(1);
    check("constants", constant, 6 + 2.5);
    check("constants as arguments", doubled(named::add, square).side + doubled(named::add, 5), 4 + 10.0);
    int total = 0;
#pragma omp target map(tofrom: total)
    given([&total](const auto &range) {
        for (auto v : range)
            total += v;
        return 0.0;
    }, Squares{1, 4});
    check("a range", total, 14);
    check("areas", area_of(circle) + area_of(square), 7.0);
    check("out", out[3], 1 + 3 + 1 + 2 + 0.5 + 6 + 2.0);
    return report();
}
