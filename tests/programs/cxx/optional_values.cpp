// std::optional: values of the standard library with a state. What would throw is never reached.
#include "check.hpp"
#include <optional>

static constexpr std::optional<int> root(int square)
{
    for (int i = 0; i < 20; ++i)
        if (i * i == square)
            return i;
    return std::nullopt;
}

int main()
{
    int found = 0, missing = 0;
#pragma omp target teams distribute parallel for reduction(+: found, missing)
    for (int i = 0; i < 50; ++i) {
        const std::optional<int> r = root(i);
        if (r)
            found += *r;
        else
            ++missing;
    }
    check("found", found, 28);
    check("missing", missing, 42);
    std::optional<double> value = 2.5, none;
    double sum = 0;
#pragma omp target map(tofrom: sum) firstprivate(value, none)
    sum = value.value_or(0) + none.value_or(10) + value.has_value();
    check("captured", sum, 13.5);
#pragma omp target map(from: sum)
    sum = value.value() + none.value_or(1);
    check("value", sum, 3.5);
    return report();
}
