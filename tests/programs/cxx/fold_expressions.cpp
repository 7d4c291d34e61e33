// Fold expressions over the values of a template in regions, and over parameters in functions that regions call.
#include "check.hpp"

template <int... Factors>
int weighted(int n)
{
    int sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += ((i * Factors) + ...);
    return sum;
}

template <class... T>
bool all_positive(T... values)
{
    return (... && (values > 0));
}

template <class... T>
constexpr auto total(T... values)
{
    return (values + ... + 0);
}

template <class First, class... Rest>
struct Sizes {
    static constexpr unsigned long bytes = sizeof(First) + (sizeof(Rest) + ... + 0);
    static unsigned long of(int n)
    {
        unsigned long sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
        for (int i = 0; i < n; ++i)
            sum += bytes;
        return sum;
    }
};

int main()
{
    check("factors", weighted<1, 2>(4), 18);
    check("one factor", weighted<5>(3), 15);
    int positive = 0;
    double sum = 0;
#pragma omp target teams distribute parallel for reduction(+: positive, sum)
    for (int i = -2; i < 3; ++i) {
        positive += all_positive(i, i + 1, 1.5);
        sum += total(i, 0.5, 1.0f);
    }
    check("a fold in a function", positive, 2);
    check("a fold of different types", sum, 7.5);
    check("a list of types", Sizes<int, double, char>::of(2), 26UL);
    check("a list of one type", Sizes<int>::of(2), 8UL);
    return report();
}
