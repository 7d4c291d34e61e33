// Vectors and strings in regions, where host and device share all memory: elements, sizes, iterators and nested vectors.
// guard: off
// device: cpu
// reference: -Wno-unknown-pragmas
#include "check.hpp"
#include <string>
#include <vector>
#pragma omp requires unified_shared_memory

struct Field {
    std::vector<double> values;
    std::string name;
    explicit Field(int n) : values(n, 1.5), name("field") {}
    double at(int i) const { return values[i] * static_cast<double>(values.size()); }
    double &operator()(int i) { return values[i]; }
    double sum()
    {
        double s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
        for (int i = 0; i < 4; ++i)
            s += values[i] + at(i);
        return s;
    }
};

template <class T>
T largest(const std::vector<T> &x)
{
    T best = x.front();
#pragma omp target teams distribute parallel for reduction(max: best)
    for (std::size_t i = 0; i < x.size(); ++i)
        best = best < x[i] ? x[i] : best;
    return best;
}

int main()
{
    std::vector<int> numbers = {3, 1, 4, 1, 5};
    std::vector<std::vector<int>> rows(3, std::vector<int>(4, 2));
    std::vector<bool> bits(8, true);
    std::string text = "hello";
    Field field(4);
    double r[6] = {};
#pragma omp target
    {
        numbers[1] += 10;
        r[0] = numbers.at(1) + numbers.back() + *numbers.begin() + numbers.data()[2];
        r[1] = rows[2][3] + rows.size() + rows[0].empty();
        r[2] = bits[3] + bits.size();
        r[3] = text[1] == 'e' && text.length() == 5;
        field(2) = 3;
        int count = 0;
        for (int number : numbers)
            count += number;
        r[4] = count;
        r[5] = field.name.size();
    }
    check("elements", r[0], 11 + 5 + 3 + 4);
    check("rows", r[1], 5);
    check("bits", r[2], 9);
    check("string", r[3], 1);
    check("range", r[4], 24);
    check("member", r[5], 5);
    check("sum", field.sum(), 7.5 + 4 * 7.5);
    check("largest", largest(numbers), 11);
    return report();
}
