// Loops in all forms that C++ programs write, with the types of their variables.
#include "check.hpp"
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

int main()
{
    const int n = 97;
    std::vector<int> storage(n);
    int *a = storage.data();
#pragma omp target teams distribute parallel for map(from: a[0:n])
    for (int i = 0; i < n; ++i)
        a[i] = i;
    check("upward", a[96], 96);
    const std::size_t length = storage.size();
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (std::size_t i = 0; i < length; i += 3)
        a[i] = -1;
    check("a step", a[3] + a[4], 3);
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = n - 1; i >= 0; i--)
        a[i] = n - i;
    check("downward", a[0], n);
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int *p = a; p != a + n; ++p)
        *p += 1;
    check("a pointer", a[0], n + 1);
    std::int64_t low = 5, step = 7;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (std::int64_t i = low; i <= 90; i = i + step)
        a[i] = 1000;
    check("closed", a[5] + a[89] + a[90], 2000 + n - 90 + 1);
    std::array<int, 4> few{1, 1, 1, 1};
#pragma omp target teams distribute parallel for map(tofrom: few)
    for (std::size_t i = 0; i < few.size(); ++i)
        few[i] += 1;
    check("a constexpr method", few[0] + few[3], 4);
    int sum = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : sum)
    for (int i = 0; i < 10; ++i)
        for (unsigned j = 2; j < 12u; ++j)
            sum += i * static_cast<int>(j);
    check("collapse", sum, 45 * 65);
    int i;
    long last = -1;
#pragma omp target teams distribute parallel for lastprivate(last)
    for (i = 0; 50 > i; i += 4)
        last = i;
    check("the last value", last, 48L);
    return report();
}
