// C++23 in functions of the host around regions, and in a header of its library. Device code is compiled as C++20.
// cflags: -std=c++23
#include <cstdio>
#include <expected>
#include <string>
#include <utility>
#include <vector>

enum class Fault { none, empty };

std::expected<int, std::string> sum_of(const int *values, int n)
{
    if (n <= 0)
        return std::unexpected(std::to_string(std::to_underlying(Fault::empty)) + " nothing");
    int sum = 0;
#pragma omp target teams distribute parallel for map(to : values[0 : n]) reduction(+ : sum)
    for (int i = 0; i < n; ++i)
        sum += values[i] + i;
    if consteval {
        return 0;
    } else {
        return sum;
    }
}

int main()
{
    std::vector<int> values(12);
    for (auto i = 0uz; i < values.size(); ++i)
        values[i] = int(i * 10);
    std::printf("%d %s\n", *sum_of(values.data(), 12), sum_of(nullptr, 0).error().c_str());
}
