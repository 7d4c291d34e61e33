// Regions in friends, in and outside of the class, and in nested classes, that use private members and types.
#include <cstdio>
class Cells {
    double *data; int n;
    static const int ghost = 1;
    struct Face { double left, right; };
    double at(int i) const { return data[i]; }
public:
    Cells(double *d, int m) : data(d), n(m) {}
    friend double sum(const Cells &c);
    friend class Solver;
    template <class T> friend T scaled(const Cells &c, T f);
};
double sum(const Cells &c) {
    double s = 0; const double *p = c.data;
    Cells::Face face{1, 2};
#pragma omp target teams distribute parallel for map(to: p[0:c.n]) reduction(+: s)
    for (int i = Cells::ghost; i < c.n; ++i) { Cells::Face f = face; s += p[i] + f.right; }
    return s;
}
template <class T> T scaled(const Cells &c, T f) {
    T s = 0; double *p = c.data; int n = c.n;
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+: s)
    for (int i = 0; i < n; ++i) { Cells::Face g{p[i], 1}; s += g.left * f; }
    return s;
}
class Solver { public:
    static double run(Cells &c) {
        double s = 0; double *p = c.data; int n = c.n;
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+: s)
        for (int i = 0; i < n; ++i) { Cells::Face g{p[i], 1}; s += g.left + n; }
        return s;
    }
};
class Vec {
    double v[3]; int hidden = 2;
    friend Vec operator+(const Vec &a, const Vec &b) { Vec r(0); for (int i = 0; i < 3; ++i) r.v[i] = a.v[i] + b.v[i]; return r; }
    friend double norm(const Vec *a, int n) {
        double s = 0;
#pragma omp target teams distribute parallel for map(to: a[0:n]) reduction(+: s)
        for (int i = 0; i < n; ++i) s += a[i].v[0] * a[i].hidden;
        return s;
    }
public:
    explicit Vec(double x) : v{x, x, x} {}
    double operator[](int i) const { return v[i]; }
    class Inner {
        double w = 5;
    public:
        void fill(double *x, int n) {
#pragma omp target teams distribute parallel for map(from: x[0:n])
            for (int i = 0; i < n; ++i) x[i] = w + i;
        }
    };
};
// Friends that a class template defines are no templates, but have its parameters.
template <class T, int N = 3> class Fixed {
    T values[N];
    static T more(int i) { return T(i); }
public:
    explicit Fixed(T x = T()) { for (int i = 0; i < N; ++i) values[i] = x; }
    friend Fixed operator+(const Fixed &a, const Fixed &b) {
        Fixed r;
        const int n = N;
#pragma omp target teams distribute parallel for map(to: a, b) map(from: r)
        for (int i = 0; i < n; ++i) r.values[i] = a.values[i] + b.values[i] + more(i);
        return r;
    }
    friend T dot(const Fixed &a, const Fixed &b, T first = T(1)) {
        T s = first;
#pragma omp target teams distribute parallel for map(to: a, b) reduction(+: s)
        for (int i = 0; i < N; ++i) { using Item = T; s += Item(a.values[i] * b.values[i]); }
        return s;
    }
};
int main() {
    Fixed<double> two(2), three(3);
    Fixed<int, 5> four(4), five(5);
    printf("%g %g %d\n", dot(two, three), dot(two + three, two), dot(four + five, four));
    double a[6] = {1, 2, 3, 4, 5, 6}; Cells c(a, 6);
    printf("%g %g %g\n", sum(c), scaled(c, 2.f), Solver::run(c));
    Vec vs[3] = {Vec(1), Vec(2), Vec(3)}; Vec s(0);
#pragma omp target map(to: vs) map(tofrom: s)
    for (int i = 0; i < 3; ++i) s = s + vs[i];
    double x[4]; Vec::Inner().fill(x, 4);
    printf("%g %g %g\n", norm(vs, 3), s[1], x[3]);
}
