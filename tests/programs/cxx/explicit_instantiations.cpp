// Templates with regions that are instantiated explicitly, and declared so in front.
#include "check.hpp"

template <class T, int N>
struct Block {
    T cells[N];
    void set(T v)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            cells[i] = v + i;
    }
    T last() const { return cells[N - 1]; }
};
template struct Block<int, 5>;
extern template struct Block<double, 3>;

template <class T>
T twice(T x)
{
    T r = 0;
#pragma omp target map(tofrom: r)
    r = 2 * x;
    return r;
}
template long twice<long>(long);

template struct Block<double, 3>;

int main()
{
    Block<int, 5> a;
    Block<double, 3> b;
    a.set(2);
    b.set(0.5);
    check("int", a.last(), 6);
    check("double", b.last(), 2.5);
    check("a function", twice(21L), 42L);
    check("another one", twice(1.5), 3.0);
    return report();
}
