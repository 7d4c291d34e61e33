// What only classes lead to: friends that calls find by arguments, virtual methods of bases that are templates, bounds
// behind an operator ->, and regions that fold expressions run.
#include "check.hpp"
#include <cmath>
#include <memory>
#include <vector>

template <class T> struct Dual {
    T v, d;
    constexpr Dual(T v = 0, T d = 0) : v(v), d(d) {}
    friend constexpr Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
    friend constexpr Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.v * b.d + a.d * b.v}; }
    friend Dual sin(Dual a) { return {std::sin(a.v), std::cos(a.v) * a.d}; }
    friend constexpr Dual max(Dual a, Dual b) { return a.v < b.v ? b : a; }
};
template <class F> double derivative(F f, double x)
{
    double r = 0;
#pragma omp target map(tofrom: r)
    r = f(Dual<double>(x, 1)).d;
    return r;
}

struct Shape {
    virtual ~Shape() = default;
    virtual double total(const double *r, int n) const = 0;
};
template <class D> struct OnDevice : Shape {
    double k = 1;
    double total(const double *r, int n) const override
    {
        const double own = k;
        double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to: r[0:n])
        for (int i = 0; i < n; ++i)
            s += D::area(r[i], own);
        return s;
    }
};
struct Circle final : OnDevice<Circle> {
    static double area(double r, double k) { return 3 * r * r * k; }
};
struct Square final : OnDevice<Square> {
    static double area(double r, double k) { return r * r + k; }
};

class Engine {
    struct Part {
        int n;
        std::vector<double> x;
    };
    std::unique_ptr<Part> part;

  public:
    explicit Engine(int n) : part(new Part{n, std::vector<double>(n, 2)}) {}
    double sum()
    {
        const double *p = part->x.data();
        double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to: p[0:part->n])
        for (int i = 0; i < part->n; ++i)
            s += p[i];
        return s;
    }
};

template <class T> void zero(T *p, int n)
{
#pragma omp target teams distribute parallel for map(from: p[0:n])
    for (int i = 0; i < n; ++i)
        p[i] = T(i);
}
template <class... T> void zero_all(int n, T *...p) { ((zero(p, n)), ...); }

int main()
{
    check("friend", derivative([](auto x) { return x * x + sin(x) * Dual<double>(2); }, 0.0), 2.0);
    check("friend of another name", derivative([](auto x) { return max(x, x * x); }, 3.0), 6.0);
    const double r[] = {1, 2, 3};
    std::vector<std::unique_ptr<Shape>> shapes;
    shapes.emplace_back(new Circle);
    shapes.push_back(std::make_unique<Square>());
    check("virtual methods", shapes[0]->total(r, 3) + shapes[1]->total(r, 3), 59.0);
    check("bound", Engine(10).sum(), 20.0);
    double a[4];
    int b[4];
    zero_all(4, a, b);
    check("fold", a[3] + b[2], 5.0);
    return report();
}
