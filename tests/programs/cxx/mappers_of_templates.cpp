// declare mapper in class templates, and in templates for types that depend on their parameters.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

template <class T> struct Vec {
    T *p;
    int n;
#pragma omp declare mapper(Vec<T> v) map(v, v.p[0:v.n])
};

template <class T, int N> class Ring {
    T *p;
    int n = N;
#pragma omp declare mapper(Ring r) map(to: r.n) map(tofrom: r.p[0:N])

  public:
    Ring() : p(new T[N]()) {}
    ~Ring() { delete[] p; }
    Ring(const Ring &) = delete;
    Ring &operator=(const Ring &) = delete;
    T &operator[](int i) { return p[i]; }
    void fill(T v)
    {
        Ring &self = *this;
#pragma omp target teams distribute parallel for map(self)
        for (int i = 0; i < N; ++i)
            self.p[i] = v + i;
    }
};

namespace lin {
template <class T> struct Mat {
    int r, c;
    T *a;
#pragma omp declare mapper(deep : lin::Mat<T> m) map(m.r, m.c) map(m.a[0:m.r * m.c])
    struct Part {
        T *q;
        int n;
#pragma omp declare mapper(Part s) map(s, s.q[0:s.n])
    };
};
template <class T> struct Pair {
    Mat<T> x, y;
#pragma omp declare mapper(Pair<T> q) map(mapper(deep), tofrom: q.x) map(mapper(deep), tofrom: q.y)
};
template <class T> T trace(Mat<T> &m)
{
    T t = 0;
#pragma omp target map(mapper(deep), to: m) map(tofrom: t)
    for (int i = 0; i < m.r; ++i)
        t += m.a[i * m.c + i];
    return t;
}
}

struct Plain {
    int *p;
    int n;
};
#pragma omp declare mapper(Plain v) map(v, v.p[0:v.n])
template <class T> struct Base {
    T *d;
    int n;
};
template <class T> struct Scaled : Base<T> {
    T f;
#pragma omp declare mapper(Scaled<T> q) map(q.n, q.f) map(q.d[0:q.n])
};

template <class T> void count(T &x)
{
#pragma omp target map(tofrom: x)
    for (int i = 0; i < x.n; ++i)
        x.p[i] += 1;
}
template <class T> struct Holder {
    T item;
    void add()
    {
        T *const it = &item;
#pragma omp target enter data map(to: it[0:1])
#pragma omp target map(it[0:1])
        for (int i = 0; i < it->n; ++i)
            it->p[i] += 2;
#pragma omp target exit data map(from: it[0:1])
    }
};

int main()
{
    double x[4] = {1, 2, 3, 4};
    int y[3] = {5, 6, 7};
    Vec<double> v{x, 4};
    Vec<int> w{y, 3};
#pragma omp target map(tofrom: v, w)
    {
        for (int i = 0; i < v.n; ++i)
            v.p[i] *= 2;
        for (int i = 0; i < w.n; ++i)
            w.p[i] += 1;
    }
    check("outside", x[3] + y[2], 16.0);
#pragma omp target
    v.p[0] += w.p[0];
    check("implicit", x[0], 8.0);
    Ring<float, 8> r;
    r.fill(2);
    check("in its class", r[7], 9.0F);
    int a[4] = {1, 2, 3, 4};
    lin::Mat<int> m{2, 2, a};
    check("named", lin::trace(m), 5);
    double b[1] = {5}, c[1] = {6};
    lin::Pair<double> pair{{1, 1, b}, {1, 1, c}};
#pragma omp target map(tofrom: pair)
    {
        pair.x.a[0] += 1;
        pair.y.a[0] += pair.x.a[0];
    }
    check("nested", b[0] + c[0], 18.0);
    lin::Mat<int>::Part part{a, 4};
#pragma omp target map(part)
    part.q[3] = 9;
    check("class of a template", a[3], 9);
    Plain plain{a, 4};
    count(plain);
    check("type of a parameter", a[3] + a[0], 12);
    Holder<Plain> holder{plain};
    holder.add();
    check("member of such a type", a[0], 4);
    Scaled<double> scaled;
    scaled.d = x;
    scaled.n = 2;
    scaled.f = 3;
#pragma omp target map(scaled)
    for (int i = 0; i < scaled.n; ++i)
        scaled.d[i] *= scaled.f;
    check("base", x[1], 12.0);
    return report();
}
