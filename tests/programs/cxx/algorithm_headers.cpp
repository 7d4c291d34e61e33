// The functions of <algorithm>, <numeric>, <tuple>, <array>, <optional> and <utility>, with numbers and with a class whose
// copies are functions: what a device makes of them equals what the host makes.
#include "check.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

struct Key {
    int value;
    constexpr Key(int v = 1) : value(v) {}
    constexpr Key(const Key &other) : value(other.value) {}
    constexpr Key &operator=(const Key &other)
    {
        value = other.value;
        return *this;
    }
    friend constexpr bool operator<(const Key &a, const Key &b) { return a.value < b.value; }
    friend constexpr bool operator==(const Key &a, const Key &b) { return a.value == b.value; }
};

struct Falling {
    template <class T> constexpr bool operator()(const T &a, const T &b) const { return b < a; }
};

template <class T> bool low(T x) { return x < T(4); }
template <class T> T next(T x) { return x == T(5) ? T(7) : T(5); }
template <class T> T five() { return T(5); }

/* Changes the twelve values at `a` and at `b`, and notes in `found` where values are. */
template <class T> void order(T *a, T *b, int *found)
{
    T *end = a + 12;
    std::copy(a, end, b);
    std::copy(a + 2, a + 8, a);
    std::copy_n(a, 3, b + 2);
    std::copy_backward(a, a + 6, a + 8);
    std::move(b, b + 4, b + 5);
    std::move_backward(b, b + 6, b + 9);
    std::fill(a + 10, end, T(6));
    std::fill_n(b, 2, T(9));
    std::swap(a[0], a[7]);
    std::iter_swap(a + 1, b + 1);
    std::swap_ranges(a, a + 3, b + 5);
    std::rotate(a, a + 5, end);
    std::reverse(b, b + 12);
    std::replace(b, b + 12, T(3), T(2));
    found[0] = static_cast<int>(std::min_element(a, end) - a);
    found[1] = static_cast<int>(std::max_element(a, end, Falling()) - a);
    found[2] = static_cast<int>(std::minmax_element(b, b + 12).second - b);
    found[3] = static_cast<int>(std::find(a, end, T(6)) - a);
    found[4] = static_cast<int>(std::adjacent_find(a, end) - a);
    found[5] = static_cast<int>(std::search(a, end, a + 4, a + 6) - a);
    found[6] = static_cast<int>(std::count(a, end, a[3]));
    found[7] = std::equal(a, end, b) + 2 * std::lexicographical_compare(a, end, b, b + 12) + 4 * std::equal(a, end, a);
    found[8] = static_cast<int>(std::mismatch(a, end, b).first - a);
    std::sort(a, end);
    std::sort(b, b + 12, Falling());
    found[9] = static_cast<int>(std::lower_bound(a, end, T(6)) - a);
    found[10] = static_cast<int>(std::upper_bound(a, end, T(6)) - a);
    found[11] = std::binary_search(a, end, T(5)) + 2 * std::is_sorted(a, end) + 4 * std::includes(a, end, a + 2, a + 5);
    std::merge(a, a + 3, a + 3, a + 6, b);
    std::set_union(a, a + 3, a + 6, a + 9, b + 6);
    found[12] = static_cast<int>(std::unique(a, end) - a);
    found[13] = static_cast<int>(std::remove(b, b + 12, T(9)) - b);
    std::nth_element(b, b + 3, b + 9);
    std::partial_sort(b, b + 4, b + 9, Falling());
    std::make_heap(a, a + 6);
    std::pop_heap(a, a + 6);
    std::push_heap(a, a + 6);
    std::sort_heap(a, a + 6);
    found[14] = std::next_permutation(b, b + 4);
    b[7] = std::exchange(a[11], T(2));
    b[8] = std::min(a[0], a[1]);
    b[9] = std::max(a[0], a[1], Falling());
}

template <class T> void values(T *a, int *found)
{
    std::tuple<T, int> t(a[0], 1), u(a[1], 2);
    t = u;
    std::get<1>(u) = 5;
    std::swap(t, u);
    std::tie(a[2], found[15]) = t;
    std::array<T, 4> r{}, s{};
    r.fill(a[1]);
    r[2] = a[3];
    r.swap(s);
    std::sort(s.begin(), s.end());
    std::reverse(s.rbegin(), s.rend());
    for (auto &element : r)
        element = s.back();
    a[4] = r[1];
    std::optional<int> o, p(4);
    o = 3;
    std::swap(o, p);
    found[16] = o.value_or(8);
    o.reset();
    o = p;
    o.emplace(*o + 2);
    p = std::nullopt;
    found[17] = *o + (o < p) + 100 * p.has_value();
}

template <class T> void numbers(T *a, double *c, int *found)
{
    T *end = a + 12;
    std::copy(a, end, c);
    found[18] = static_cast<int>(std::copy_if(a, end, c, low<T>) - c);
    std::transform(a, end, a, next<T>);
    std::transform(a, end, c, c, std::plus<>());
    std::generate(a, a + 2, five<T>);
    std::iota(a + 2, a + 5, T(3));
    c[12] = std::accumulate(a, end, 0.0) + std::accumulate(a, end, 1.0, std::plus<double>());
    c[13] = std::inner_product(a, end, c, 0.0);
    std::partial_sum(c, c + 6, c + 14);
    std::adjacent_difference(a, a + 4, c + 20);
    found[19] = std::all_of(a, end, low<T>) + 2 * std::any_of(a, end, low<T>) + 4 * std::none_of(a, end, low<T>);
    found[20] = static_cast<int>(std::count_if(a, end, low<T>) + 20 * (std::find_if(a, end, low<T>) - a));
    found[21] = static_cast<int>(std::partition(a, end, low<T>) - a);
    std::replace_if(a, end, low<T>, T(8));
    found[22] = static_cast<int>(std::remove_if(a, end, low<T>) - a + std::distance(a, end));
    found[23] = std::gcd(12 + found[18], 18) + std::lcm(3, 4 + found[18]);
    T *second = a;
    std::advance(second, 1);
    found[24] = static_cast<int>(*std::next(second)) + static_cast<int>(std::abs(*second));
    const double tiny = c[0] * 1e-310;
    found[25] = std::isnormal(c[0]) + 2 * std::isnormal(tiny) + 4 * std::isunordered(c[0], c[1]) + 8 * std::signbit(tiny);
    found[26] = 2 * (std::fpclassify(tiny) == FP_SUBNORMAL) + std::isgreater(c[1], c[0]) + 4 * std::islessgreater(c[2], c[3]);
}

static void compare_found(const char *name, const int *found, const int *expected, int first, int last)
{
    for (int i = first; i < last; ++i)
        if (found[i] != expected[i])
            std::printf("%d: %d in place of %d\n", i, found[i], expected[i]);
    check(name, std::equal(found + first, found + last, expected + first), true);
}

static const int start[12] = {3, 8, 5, 6, 2, 9, 4, 7, 1, 6, 3, 5};

template <class T> void compare(const char *name)
{
    T a[12], b[12], x[12], y[12];
    int found[27] = {}, expected[27] = {};
    std::copy(start, start + 12, a);
    std::copy(start, start + 12, x);
#pragma omp target map(tofrom: a, found) map(from: b)
    {
        order(a, b, found);
        values(a, found);
    }
    order(x, y, expected);
    values(x, expected);
    check(name, std::equal(a, a + 12, x) && std::equal(b, b + 10, y), true);
    compare_found(name, found, expected, 0, 18);
}

template <class T> void compare_numbers(const char *name)
{
    T a[12], x[12];
    double c[24] = {}, z[24] = {};
    int found[27] = {}, expected[27] = {};
    std::copy(start, start + 12, a);
    std::copy(start, start + 12, x);
#pragma omp target map(tofrom: a, c, found)
    numbers(a, c, found);
    numbers(x, z, expected);
    check(name, std::equal(a, a + 12, x) && std::equal(c, c + 24, z), true);
    compare_found(name, found, expected, 18, 27);
}

int main()
{
    compare<int>("int");
    compare<float>("float");
    compare<unsigned char>("unsigned char");
    compare<Key>("Key");
    compare_numbers<int>("int");
    compare_numbers<float>("float");
    compare_numbers<short>("short");
    compare_numbers<long long>("long long");
    return report();
}
