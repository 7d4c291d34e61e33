// Templates whose parameters are the kinds of pointers, and types of the standard library with parameters of the template.
#include <array>
#include <vector>

#include "check.hpp"

struct Pair {
    int a;
    double b;
    Pair &operator+=(const Pair &other)
    {
        a += other.a;
        b += other.b;
        return *this;
    }
};
#pragma omp declare reduction(+: Pair: omp_out += omp_in) initializer(omp_priv = Pair{0, 0})

template <class It, class F>
void for_each_n(It first, long n, F f)
{
#pragma omp target teams distribute parallel for map(tofrom: first[0:n])
    for (long i = 0; i < n; ++i)
        f(first[i]);
}

template <class It, class Out>
void copy_n(It first, long n, Out out)
{
#pragma omp target teams distribute parallel for map(to: first[0:n]) map(from: out[0:n])
    for (long i = 0; i < n; ++i)
        out[i] = first[i];
}

template <class It>
void tally(It counts, int n)
{
#pragma omp target teams distribute parallel for reduction(+: counts[0:3])
    for (int i = 0; i < n; ++i) {
        auto one = counts[0]; // a number in one instantiation, and an object in another
        one = {};
        counts[i % 3] += one;
    }
}

template <class It> // which nothing instantiates
void never(It counts, int n)
{
#pragma omp target teams distribute parallel for reduction(+: counts[0:3])
    for (int i = 0; i < n; ++i)
        counts[i % 3] += counts[i % 3];
}

template <class It>
void twice(It first, It last)
{
    const long n = last - first;
#pragma omp target teams distribute parallel for map(tofrom: first[0:n])
    for (It p = first; p < last; ++p) {
        auto value = *p;
        value += *p;
        *p = value;
    }
}

template <class T, std::size_t N>
T total(const std::array<std::array<T, N>, N> &matrix, std::array<T, N> &rows)
{
    T sum{};
#pragma omp target teams distribute parallel for map(to: matrix) map(from: rows) map(tofrom: sum) reduction(+: sum)
    for (std::size_t i = 0; i < N; ++i) {
        rows[i] = T{};
        for (auto &x : matrix[i])
            rows[i] += x;
        sum += rows[i];
    }
    return sum;
}

int main()
{
    std::vector<double> numbers(9, 1.5);
    std::vector<int> whole(9, 2);
    std::vector<Pair> pairs(9, Pair{1, 0.5});
    for_each_n(numbers.data(), 9, [](double &x) { x *= 2; });
    for_each_n(whole.data(), 9, [](int &x) { x += 1; });
    for_each_n(pairs.data(), 9, [](Pair &x) { x += x; });
    check("a pointer to double", numbers[3], 3.0);
    check("a pointer to int", whole[2], 3);
    check("a pointer to objects", pairs[8].b, 1.0);

    std::vector<float> floats(9);
    std::vector<long> longs(9);
    std::vector<Pair> copies(9);
    const int *constant = whole.data();
    copy_n(numbers.data(), 9, floats.data());
    copy_n(constant, 9, longs.data());
    copy_n(pairs.data(), 9, copies.data());
    check("two of them", floats[0] + longs[1] + copies[2].a, 8.0f);

    tally(numbers.data(), 9);
    tally(copies.data(), 9);
    check("a reduction of numbers", numbers[0], 3.0);
    check("a reduction of objects", copies[1].a, 2);

    twice(numbers.data(), numbers.data() + 9);
    twice(whole.data(), whole.data() + 9);
    twice(copies.data(), copies.data() + 9);
    check("loops over pointers", numbers[8] + whole[7] + copies[6].a, 16.0);

    std::array<std::array<double, 3>, 3> matrix{{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}};
    std::array<double, 3> rows{};
    std::array<std::array<Pair, 2>, 2> of_pairs{};
    std::array<Pair, 2> sums{};
    of_pairs[0][1] = Pair{3, 4};
    check("arrays of arrays", total(matrix, rows), 45.0);
    check("their rows", rows[1], 15.0);
    check("arrays of objects", total(of_pairs, sums).a, 3);
    check("and their rows", sums[0].b, 4.0);
    return report();
}
