// Members of base classes in methods of derived ones; several bases; a base that is a template.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

struct Named {
    int id = 4;
};
template <class T>
struct Storage {
    T *items;
    int count;
    Storage(T *p, int n) : items(p), count(n) {}
    T at(int i) const { return items[i]; }
};
class Matrix : public Named, protected Storage<double> {
    double scale = 2;

public:
    Matrix(double *p, int n) : Storage<double>(p, n) {}
    void apply()
    {
        double *p = items;
        int n = count;
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
        for (int i = 0; i < n; ++i)
            p[i] = p[i] * scale + id;
    }
    void shift()
    {
#pragma omp target teams distribute parallel for map(tofrom: items[0:count])
        for (int i = 0; i < count; ++i)
            items[i] += id;
    }
    double sum()
    {
        double s = 0;
#pragma omp target map(to: items[0:count]) map(tofrom: s)
        for (int i = 0; i < count; ++i)
            s += at(i);
        return s;
    }
};
struct Derived : Matrix {
    using Matrix::Matrix;
    int extra = 1;
    int more()
    {
        int r = 0;
#pragma omp target map(from: r)
        r = extra + id;
        return r;
    }
};

int main()
{
    double a[10];
    for (int i = 0; i < 10; ++i)
        a[i] = i;
    Derived m(a, 10);
    m.apply();
    check("apply", a[9], 22.0);
    m.shift();
    check("shift", a[9], 26.0);
    check("sum", m.sum(), 90.0 + 80);
    check("more", m.more(), 5);
    return report();
}
