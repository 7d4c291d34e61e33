// Functions that regions call become device functions: overloads, operators, methods, defaults, recursion, templates.
#include "check.hpp"
#include <cmath>
#include <omp.h>

namespace geometry {
struct Point {
    double x, y;
    Point(double a, double b) : x(a), y(b) {}
    Point operator+(const Point &other) const { return Point(x + other.x, y + other.y); }
    Point &operator*=(double factor)
    {
        x *= factor;
        y *= factor;
        return *this;
    }
    double norm() const;
    static double unit() { return 1.0; }
};

double Point::norm() const { return std::sqrt(x * x + y * y); }

inline double area(double side) { return side * side; }
inline double area(double a, double b) { return a * b; }
} // namespace geometry

const float golden = 1.5f;
const double weights[] = {1, 2, 4};
static double weighted(int i) { return weights[i] * golden; }

static int threads_here() { return omp_get_num_threads(); }

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

template <class T>
T clamp_to(T value, T low, T high)
{
    return value < low ? low : value > high ? high : value;
}

constexpr int cube(int x) { return x * x * x; }

double scaled(double x, double factor = 10);

int main()
{
    double norm = 0, areas = 0, clamped = 0, more = 0;
    int numbers = 0, cubes = 0;
#pragma omp target map(tofrom: norm, areas, clamped, more, numbers, cubes)
    {
        geometry::Point p(3, 4);
        p *= 2;
        norm = (p + geometry::Point(0, 0)).norm() + geometry::Point::unit();
        areas = geometry::area(3) + geometry::area(2, 5);
        numbers = fibonacci(10);
        clamped = clamp_to(7.5, 0.0, 5.0) + clamp_to(-1, 0, 3);
        cubes = cube(3);
        more = scaled(1.5) + std::fabs(-2.0) + std::pow(2.0, 3.0) + weighted(2);
    }
    check("methods and operators", norm, 11.0);
    check("overloads", areas, 19.0);
    check("recursion", numbers, 55);
    check("a template", clamped, 5.0);
    check("constexpr", cubes, 27);
    check("a default argument, constants and <cmath>", more, 31.0);
    int threads = -1;
#pragma omp target teams distribute parallel for num_teams(1) num_threads(2) map(from: threads)
    for (int i = 0; i < 4; ++i)
        if (i == 0)
            threads = threads_here();
    check("a function that asks for threads", threads == 1 || threads == 2, true);
    return report();
}

double scaled(double x, double factor) { return x * factor; }
