// Reductions over types that depend on a template's parameters: in each instantiation the declared one of its type, or
// else the operator.
#include <complex>

#include "check.hpp"

struct Vec {
    double x, y;
    Vec(double x = 0, double y = 0) : x(x), y(y) {}
    Vec &operator+=(const Vec &other)
    {
        x += other.x;
        y += other.y;
        return *this;
    }
    Vec operator*(double scale) const { return {x * scale, y * scale}; }
};

namespace app {

struct Most {
    double value;
    int at;
};
#pragma omp declare reduction(+: std::complex<double>, std::complex<float>: omp_out += omp_in) initializer(omp_priv = {0, 0})
#pragma omp declare reduction(+: ::Vec: omp_out += omp_in)
#pragma omp declare reduction(most: Most: omp_out = omp_in.value > omp_out.value ? omp_in : omp_out) \
    initializer(omp_priv = {-1e30, -1})
#pragma omp declare reduction(most: double: omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = -1e30)

template <class T>
class Field {
    T *data;
    int size;

public:
    explicit Field(int n) : data(new T[n]), size(n)
    {
        for (int i = 0; i < n; i++)
            data[i] = T(i + 1);
    }
    Field(const Field &) = delete;
    ~Field() { delete[] data; }

    T sum() const
    {
        T total = T();
#pragma omp target teams distribute parallel for map(to: data[0:size]) map(tofrom: total) reduction(+: total)
        for (int i = 0; i < size; i++)
            total += data[i];
        return total;
    }
    // Of an array of a parameter of the method.
    template <class S>
    S weighted(S weight) const
    {
        S parts[2] = {S(), S()};
#pragma omp target teams distribute parallel for map(to: data[0:size]) map(tofrom: parts) reduction(+: parts[0:2])
        for (int i = 0; i < size; i++)
            parts[i % 2] += data[i] * weight;
        parts[0] += parts[1];
        return parts[0];
    }
};

template <class M>
M best(const M *p, int n)
{
    M found = p[0];
#pragma omp target map(to: p[0:n]) map(tofrom: found)
#pragma omp parallel for reduction(most: found)
    for (int i = 0; i < n; i++)
        found = p[i];
    return found;
}

} // namespace app

template <class T>
T dot(const T *a, const T *b, int n)
{
    T sum = T(0);
#pragma omp target teams distribute parallel for map(to: a[0:n], b[0:n]) map(tofrom: sum) reduction(app::most: sum)
    for (int i = 0; i < n; i++)
        sum = a[i] * b[i] > sum ? a[i] * b[i] : sum;
    return sum;
}

int main()
{
    app::Field<double> numbers(10);
    app::Field<int> whole(9);
    app::Field<std::complex<double>> complex(8);
    app::Field<std::complex<float>> narrow(5);
    app::Field<Vec> vectors(7);
    check("double", numbers.sum(), 55.0);
    check("int", whole.sum(), 45);
    check("complex", complex.sum(), std::complex<double>(36));
    check("complex float", narrow.sum(), std::complex<float>(15));
    check("a class", vectors.sum().x, 28.0);
    check("an array of double", numbers.weighted(2.0), 110.0);
    check("an array of float", numbers.weighted(3.0f), 165.0f);
    check("an array of complex", complex.weighted(std::complex<double>(0, 1)), std::complex<double>(0, 36));
    app::Most most[1] = {{5, 1}};
    double value[1] = {4};
    check("a named one of a class", app::best(most, 1).at, 1);
    check("a named one of double", app::best(value, 1), 4.0);
    double a[] = {1, 7, 3}, b[] = {2, 3, 4};
    check("one of a namespace", dot(a, b, 3), 21.0);
    return report();
}
