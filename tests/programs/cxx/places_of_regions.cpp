// Regions in every kind of function: operators, conversions, destructors, virtual methods, static methods, functors, lambdas.
#include "check.hpp"
#include <memory>
#include <vector>

struct Vec
{
    explicit Vec(int n, double v = 0) : d(n, v) {}
    std::vector<double> d;
    Vec &operator+=(const Vec &o)
    {
        double *a = d.data();
        const double *b = o.d.data();
        const int n = static_cast<int>(d.size());
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n]) map(to : b[0 : n])
        for (int i = 0; i < n; i++)
            a[i] += b[i];
        return *this;
    }
    explicit operator double() const
    {
        double s = 0;
        const double *a = d.data();
#pragma omp target teams distribute parallel for map(to : a[0 : d.size()]) reduction(+ : s)
        for (std::size_t i = 0; i < d.size(); i++)
            s += a[i];
        return s;
    }
    double operator()(double k) const noexcept
    {
        double s = 0;
        const double *a = d.data();
        auto n = d.size();
#pragma omp target map(to : a[0 : n]) map(tofrom : s)
        for (decltype(n) i = 0; i < n; i++)
            s += k * a[i];
        return s;
    }
    static Vec ones(int n)
    {
        Vec v(n);
        double *p = v.d.data();
#pragma omp target map(from : p[0 : n])
        for (int i = 0; i < n; i++)
            p[i] = 1;
        return v;
    }
};

struct Shape
{
    virtual ~Shape() = default;
    virtual double area(int n) const = 0;
};
struct Square : Shape
{
    double side = 2;
    double area(int n) const override
    {
        double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += side * side;
        return s;
    }
};
struct Logger
{
    int *out;
    explicit Logger(int *o) : out(o)
    {
        int v = 0;
#pragma omp target map(tofrom : v)
        v = 5;
        *out = v;
    }
    ~Logger()
    {
        int v = *out;
#pragma omp target map(tofrom : v)
        v += 10;
        *out = v;
    }
};
extern "C" int plain_c(int n)
{
    int r = 0;
#pragma omp target map(tofrom : r)
    r = n * 2;
    return r;
}
auto deduced(int n) -> decltype(n * 1.0)
{
    double r = 0;
#pragma omp target map(tofrom : r)
    r = n * 0.5;
    return r;
}
static auto automatic(int n)
{
    long r = 0;
#pragma omp target map(tofrom : r)
    r = n * 3;
    return r;
}
int recursive(int n)
{
    if (n == 0)
        return 0;
    int r = recursive(n - 1);
#pragma omp target map(tofrom : r)
    r += n;
    return r;
}

int main()
{
    Vec a(10, 2.0);
    a += Vec::ones(10);
    check("sum", static_cast<double>(a), 30.0);
    check("call", a(2), 60.0);
    std::unique_ptr<Shape> s = std::make_unique<Square>();
    check("area", s->area(5), 20.0);
    int log = 0;
    {
        Logger l(&log);
        check("constructed", log, 5);
    }
    check("destroyed", log, 15);
    check("C", plain_c(4), 8);
    check("trailing", deduced(4), 2.0);
    check("auto", automatic(4), 12L);
    check("recursive", recursive(4), 10);
    int k = 7;
    auto in_lambda = [k](int n) {
        int r = 0;
#pragma omp target map(tofrom : r)
        r = n + k;
        return r;
    };
    check("lambda", in_lambda(3), 10);
    int total = 0;
    for (int n : {1, 2, 3}) {
        switch (n) {
        case 2:
#pragma omp target map(tofrom : total)
            total += n;
            break;
        default:
            try {
#pragma omp target map(tofrom : total)
                total += 10 * n;
            } catch (...) {
            }
        }
    }
    check("total", total, 42);
    return report();
}
