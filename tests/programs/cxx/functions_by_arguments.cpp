// Functions of the user's that have the names of mathematical ones, and that templates find by the classes of arguments.
#include "check.hpp"
#include <cmath>

template <class T> struct Dual {
    T v, d;
};
template <class T> Dual<T> sin(Dual<T> a) { return {std::sin(a.v), std::cos(a.v) * a.d}; }
template <class T> struct Own {
    T v;
    friend T floor(Own a) { return a.v - 1; }
};
struct Weight {
    double w;
};
double exp(Weight x) { return x.w * 2; }
Weight max(Weight a, Weight b) { return a.w > b.w ? a : b; }

template <class T> T sine(T x)
{
    using std::sin;
    return sin(x);
}
template <class T> auto lower(T x)
{
    using std::floor;
    return floor(x);
}
template <class T> double twice(T x) { return exp(x) + exp(max(x, x)); }

int main()
{
    double r[4];
#pragma omp target teams distribute parallel for map(from : r)
    for (int i = 0; i < 4; i++) {
        Dual<double> x{0.0, 3.0};
        r[i] = sine(x).d + sine(0.0) + lower(Own<int>{i}) + lower(1.5) + twice(Weight{1.0 * i}) + exp(Weight{3});
    }
    check("the first", r[0], 9.0);
    check("the last", r[3], 24.0);
    return report();
}
