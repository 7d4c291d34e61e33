// if constexpr, fold expressions, variable templates, default arguments, non-type parameters, methods that are templates.
#include "check.hpp"
#include <type_traits>

template <class T>
constexpr T unit = T(1);

template <class... Ts>
double sum_of(Ts... values) { return (0.0 + ... + values); }

template <bool Doubled, class T = int>
void fill(T *x, int n)
{
#pragma omp target teams distribute parallel for map(from: x[0:n])
    for (int i = 0; i < n; ++i) {
        if constexpr (Doubled)
            x[i] = 2 * static_cast<T>(i) + unit<T>;
        else
            x[i] = static_cast<T>(i);
    }
}

template <class T>
struct Solver {
    T factor;
    template <class U>
    U run(const U *x, int n)
    {
        U result = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: result) reduction(+ : result)
        for (int i = 0; i < n; ++i)
            result += static_cast<U>(x[i] * factor);
        return result;
    }
    static T constant(T a)
    {
        T out = 0;
#pragma omp target map(from: out)
        out = a + static_cast<T>(sum_of(1, 2.5, 3.5f));
        return out;
    }
};

template <class T, class = std::enable_if_t<std::is_floating_point<T>::value>, int = 2>
T without_names(T x)
{
    T result = 0;
#pragma omp target map(tofrom: result)
    result = x / 2;
    return result;
}

template <class T, int N, std::enable_if_t<(N >= 2 && N != 7), int> = 0>
T compared(T x)
{
    T result = 0;
#pragma omp target map(tofrom: result)
    result = x * N;
    return result;
}

template <class, class T, typename...> struct Holder {
    T value;
    T doubled() const
    {
        T result = 0;
#pragma omp target map(tofrom: result)
        result = 2 * value;
        return result;
    }
};

int main()
{
    int x[10];
    double y[10];
    check("parameters without names", without_names(5.0), 2.5);
    check("a default with comparisons", compared<int, 3>(5), 15);
    check("a class with such parameters", Holder<void, int, long>{4}.doubled(), 8);
    fill<true>(x, 10);
    fill<false, double>(y, 10);
    check("if constexpr", x[9], 19);
    check("the other branch", y[9], 9.0);
    Solver<double> solver{0.5};
    check("a template in a class template", solver.run(x, 10), 45);
    check("of another type", solver.run(y, 10), 22.5);
    check("a static method and a fold expression", Solver<double>::constant(1), 8.0);
    return report();
}
