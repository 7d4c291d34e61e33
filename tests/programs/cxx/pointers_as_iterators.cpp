// Iterators that are pointers, of arrays and of std::array, as loop variables of constructs.
// reference: -O1
#include "check.hpp"
#include <array>
#include <iterator>
#include <vector>

int main()
{
    int values[20];
    std::array<double, 10> numbers{};
    int *const first = std::begin(values), *const last = std::end(values);
#pragma omp target teams distribute parallel for map(from: first[0:20])
    for (int *it = first; it != last; ++it)
        *it = 3;
    check("of an array", values[19], 3);
    double *begin = numbers.data(), *end = begin + numbers.size();
#pragma omp target teams distribute parallel for map(tofrom: begin[0:10])
    for (auto it = begin; it < end; it += 3)
        *it = it - begin;
    check("of std::array", numbers[9], 9.0);
    check("not reached", numbers[8], 0.0);
    long distance = 0;
#pragma omp target teams distribute parallel for map(to: first[0:20]) reduction(+: distance)
    for (const int *it = first; it < last; it++)
        distance += it - first;
    check("distance", distance, 190L);
    std::vector<int> storage(7, 1);
    int *const data = storage.data();
#pragma omp target data map(tofrom: data[0:7])
#pragma omp target teams distribute parallel for
    for (int *it = storage.data(); it != storage.data() + storage.size(); ++it)
        *it += 5;
    check("of a vector", storage[6], 6);
#pragma omp target map(tofrom: data[0:7])
#pragma omp teams distribute parallel for
    for (int *it = data + 6; it >= data; --it)
        *it += 1;
    check("backwards", storage[0] + storage[6], 14);
    return report();
}
