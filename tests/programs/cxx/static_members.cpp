// Static members: constants of a class, also of a template, and static methods.
#include "check.hpp"

struct Grid {
    static const int width = 8;
    static constexpr int height = 4;
    static constexpr double spacing = 0.25;
    static int index(int x, int y) { return y * width + x; }
    enum { ghost = 2 };
};

template <class T>
struct Limits {
    static constexpr T most = T(100);
    static constexpr int digits = sizeof(T) * 2;
};

template <class T>
int below(const T *x, int n)
{
    int count = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) reduction(+: count)
    for (int i = 0; i < n; ++i)
        count += x[i] < Limits<T>::most ? Limits<T>::digits : 0;
    return count;
}

int main()
{
    double a[Grid::width * Grid::height];
#pragma omp target teams distribute parallel for collapse(2) map(from: a)
    for (int y = 0; y < Grid::height; ++y)
        for (int x = 0; x < Grid::width; ++x)
            a[Grid::index(x, y)] = x * Grid::spacing + y + Grid::ghost;
    check("grid", a[Grid::index(3, 2)], 4.75);
    double v[3] = {1, 99, 101};
    short s[3] = {1, 2, 3};
    check("double", below(v, 3), 32);
    check("short", below(s, 3), 12);
    return report();
}
