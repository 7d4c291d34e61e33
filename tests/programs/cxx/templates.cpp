// Regions in function and class templates, which other templates and explicit instantiations instantiate.
#include "check.hpp"

namespace app {
struct Scale {
    double factor;
    double operator()(double x) const { return x * factor; }
};

template <class F, class T>
void apply(F f, T *x, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] = f(x[i]);
}

template <class T>
void twice(T *x, int n)
{
    apply(Scale{2}, x, n);
    apply(Scale{1}, x, n);
}

template <class T, int Width>
class Table {
    T cells[Width];
    T offset;

public:
    explicit Table(T value) : offset(value)
    {
        for (T &cell : cells)
            cell = value;
    }
    T sum() const
    {
        T total = 0;
#pragma omp target teams distribute parallel for reduction(+ : total)
        for (int i = 0; i < Width; ++i)
            total += cells[i] + offset;
        return total;
    }
    void set(T value);
    T at(int i) const { return cells[i]; }
};

template <class T, int Width>
void Table<T, Width>::set(T value)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < Width; ++i)
        cells[i] = value + static_cast<T>(i);
}
} // namespace app

template <typename T>
T total_of(const T *x, long n)
{
    T total{};
#pragma omp target teams distribute parallel for map(to: x[0:n]) reduction(+ : total)
    for (long i = 0; i < n; ++i)
        total += x[i];
    return total;
}

template class app::Table<long, 3>;

int main()
{
    double d[50];
    float f[50];
    for (int i = 0; i < 50; ++i)
        d[i] = f[i] = i;
    app::twice(d, 50);
    app::twice(f, 50);
    check("a functor", d[10] + f[20], 60.0);
    check("two instantiations", total_of(d, 50), 2450.0);
    check("of other types", total_of(f, 50), 2450.0f);
    app::Table<double, 8> table(1.5);
    check("a class template", table.sum(), 24.0);
    table.set(3);
    check("a method outside of its class", table.at(7), 10.0);
    app::Table<int, 4> small(2);
    check("other arguments", small.sum(), 16);
    app::Table<long, 3> explicitly(5);
    explicitly.set(1);
    check("an explicit instantiation", explicitly.at(2), 3L);
    return report();
}
