// Regions in overloaded operators, conversion functions, static methods and friends.
#include "check.hpp"

class Vector {
    double *p_;
    int n_;

public:
    Vector(double *p, int n) : p_(p), n_(n) {}
    Vector &operator+=(const Vector &o)
    {
        double *a = p_;
        const double *b = o.p_;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n_]) map(to: b[0:n_])
        for (int i = 0; i < n_; ++i)
            a[i] += b[i];
        return *this;
    }
    double operator()(double x) const
    {
        double s = 0;
#pragma omp target teams distribute parallel for map(to: p_[0:n_]) reduction(+: s)
        for (int i = 0; i < n_; ++i)
            s += p_[i] * x;
        return s;
    }
    explicit operator double() const { return (*this)(1); }
    static double dot(const Vector &a, const Vector &b)
    {
        const int n = a.n_;
        double s = 0;
#pragma omp target teams distribute parallel for map(to: a.p_[0:a.n_], b.p_[0:b.n_]) reduction(+: s)
        for (int i = 0; i < n; ++i)
            s += a.p_[i] * b.p_[i];
        return s;
    }
    friend double largest(const Vector &v);
};

    double largest(const Vector &v)
    {
        const double *p = v.p_;
    const int n = v.n_;
    double m = p[0];
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(max: m)
        for (int i = 0; i < n; ++i)
            m = p[i] > m ? p[i] : m;
        return m;
    }

int main()
{
    double a[30], b[30];
    for (int i = 0; i < 30; ++i)
        a[i] = i, b[i] = 2;
    Vector x(a, 30), y(b, 30);
    x += y;
    check("+=", a[29], 31.0);
    check("()", y(3), 180.0);
    check("conversion", double(y), 60.0);
    check("dot", Vector::dot(x, y), 2 * (435.0 + 60));
    check("friend", largest(x), 31.0);
    return report();
}
