// if constexpr chooses code in regions of templates.
#include "check.hpp"
#include <type_traits>

template <class T>
double scaled(T *x, int n)
{
    double sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: x[0:n]) reduction(+: sum)
    for (int i = 0; i < n; ++i) {
        if constexpr (std::is_integral<T>::value) {
            x[i] = x[i] * 2;
            sum += x[i] % 7;
        } else if constexpr (sizeof(T) == sizeof(float)) {
            x[i] = x[i] * 3;
            sum += 1;
        } else {
            x[i] = x[i] / 2;
            sum += x[i];
        }
    }
    return sum;
}

template <int Dimension>
int volume(int edge)
{
    int result = 0;
#pragma omp target map(tofrom: result)
    {
        if constexpr (Dimension == 1)
            result = edge;
        else if constexpr (Dimension == 2)
            result = edge * edge;
        else
            result = edge * edge * edge;
    }
    return result;
}

int main()
{
    int a[4] = {1, 2, 3, 4};
    float b[4] = {1, 2, 3, 4};
    double c[4] = {1, 2, 3, 4};
    check("int", scaled(a, 4), 2 + 4 + 6 + 8 % 7 + 0.0);
    check("float", scaled(b, 4), 4.0);
    check("double", scaled(c, 4), 5.0);
    check("b", b[3], 12.0f);
    check("1", volume<1>(3), 3);
    check("2", volume<2>(3), 9);
    check("3", volume<3>(3), 27);
    return report();
}
