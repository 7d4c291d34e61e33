// Functors as arguments of templates with regions: with state, with templates of their own, and composed of others.
#include "check.hpp"

struct Axpy {
    double a;
    double operator()(double x, double y) const { return a * x + y; }
};

template <class T>
struct Clamp {
    T low, high;
    T operator()(T x) const { return x < low ? low : x > high ? high : x; }
};

template <class F, class G>
struct Composed {
    F f;
    G g;
    template <class T>
    T operator()(T x) const
    {
        return f(g(x));
    }
};

struct Half {
    double operator()(double x) const { return x / 2; }
};

template <class F>
void transform(double *x, int n, F f)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] = f(x[i]);
}

template <class F>
double reduce(const double *x, const double *y, int n, const F &f)
{
    double sum = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n], y[0:n]) reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += f(x[i], y[i]);
    return sum;
}

struct Counter {
    int *counts;
    void operator()(int i) const { counts[i % 2] += i; }
};

int main()
{
    double x[10], y[10];
    for (int i = 0; i < 10; ++i) {
        x[i] = i;
        y[i] = 1;
    }
    check("axpy", reduce(x, y, 10, Axpy{2}), 100.0);
    transform(x, 10, Clamp<double>{2, 6});
    check("clamp", x[0] + x[9], 8.0);
    transform(x, 10, Composed<Half, Clamp<double>>{{}, {3, 4}});
    check("composed", x[0] + x[9], 1.5 + 2);
    return report();
}
