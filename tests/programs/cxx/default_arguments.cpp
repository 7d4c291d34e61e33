// Default arguments of functions, templates and members, in functions with regions and in those that regions call.
#include "check.hpp"

template <class T = double, int Width = 4>
struct Vec {
    T data[Width];
    T dot(const Vec &other, T scale = T(1)) const
    {
        T s = 0;
        for (int i = 0; i < Width; ++i)
            s += data[i] * other.data[i];
        return s * scale;
    }
};

static int add(int a, int b = 10, int c = 100) { return a + b + c; }

template <class T = int>
T region(int n, T start = T())
{
    T sum = start;
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += T(add(i));
    return sum;
}

int main()
{
    check("default type", region(2), 221);
    check("deduced type", region(1, 0.5), 110.5);
    Vec<> v{{1, 2, 3, 4}};
    double a = 0, b = 0;
#pragma omp target map(tofrom: a, b)
    {
        a = v.dot(v);
        b = v.dot(v, 2);
        b += add(1, 1) + add(1, 1, 1);
    }
    check("default", a, 30.0);
    check("given", b, 60.0 + 102 + 3);
    return report();
}
