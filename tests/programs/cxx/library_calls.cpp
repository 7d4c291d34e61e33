// Operators, constructors and destructors of the user's that only functions of the library call in device code.
#include "check.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

struct Key {
    int value;
    constexpr bool operator==(const Key &o) const { return value == o.value; }
};
bool operator<(const Key &a, const Key &b) { return a.value > b.value; }
Key operator+(const Key &a, const Key &b) { return {a.value + b.value}; }

namespace detail {
inline bool ascending(const Key &a, const Key &b) { return a.value < b.value; }
}
struct Ascending {
    bool operator()(const Key &a, const Key &b) const { return detail::ascending(a, b); }
};

template <class T, int N> struct Row {
    class Iterator {
        T *at;

    public:
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = T *;
        using reference = T &;
        using iterator_category = std::forward_iterator_tag;
        constexpr explicit Iterator(T *p) : at(p) {}
        constexpr T &operator*() const { return *at; }
        constexpr Iterator &operator++()
        {
            ++at;
            return *this;
        }
        constexpr bool operator!=(const Iterator &o) const { return at != o.at; }
        constexpr bool operator==(const Iterator &o) const { return at == o.at; }
    };
    T data[N];
    Iterator begin() { return Iterator(data); }
    Iterator end() { return Iterator(data + N); }
};

// No literal type, so that functions of the library with such parameters are not constexpr.
template <class T> class Every {
    T *at;
    std::ptrdiff_t step;

public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = T *;
    using reference = T &;
    using iterator_category = std::random_access_iterator_tag;
    Every(T *p, std::ptrdiff_t s) : at(p), step(s) {}
    T &operator*() const { return *at; }
    Every &operator++() { return *this += 1; }
    Every &operator--() { return *this += -1; }
    Every &operator+=(std::ptrdiff_t n)
    {
        at += n * step;
        return *this;
    }
    Every operator++(int)
    {
        Every old = *this;
        *this += 1;
        return old;
    }
    friend Every operator+(Every a, std::ptrdiff_t n) { return a += n; }
    friend Every operator-(Every a, std::ptrdiff_t n) { return a += -n; }
    friend std::ptrdiff_t operator-(const Every &a, const Every &b) { return (a.at - b.at) / a.step; }
    bool operator==(const Every &o) const { return at == o.at; }
    bool operator!=(const Every &o) const { return at != o.at; }
    bool operator<(const Every &o) const { return at < o.at; }
};
class By {
    const int *rank;

public:
    explicit By(const int *r) : rank(r) {}
    bool operator()(int a, int b) const { return rank[a] < rank[b]; }
};

int main()
{
    int first = 0, last = 0, sum = 0, found = 0, local = 0, every = 0, by = 0;
#pragma omp target map(tofrom : first, last, sum, found, local, every, by)
    {
        int numbers[9] = {5, 0, 0, 9, 0, 0, 7, 0, 0}, ranks[3] = {2, 0, 1}, places[3] = {0, 1, 2};
        const Every<int> begin(numbers, 3), end(numbers + 9, 3);
        std::sort(begin, end);
        std::reverse(begin, end);
        every = std::accumulate(begin, end, 0) * 1000 + numbers[0] * 100 + numbers[6];
        std::sort(places, places + 3, By(ranks));
        by = places[0] * 100 + places[1] * 10 + places[2];
        by += 1000 * static_cast<int>(std::lower_bound(places, places + 3, 2, By(ranks)) - places);
        Key keys[4] = {{1}, {3}, {2}, {5}};
        std::sort(keys, keys + 4);
        first = keys[0].value;
        std::sort(keys, keys + 4, Ascending());
        last = keys[3].value * 10 + keys[0].value;
        std::pair<Key, Key> two(keys[0], keys[1]), same = two;
        std::swap(two.first, two.second);
        Row<int, 3> row = {{1, 2, 3}};
        for (auto i = row.begin(); i != row.end(); ++i)
            sum += *i;
        found = *std::max_element(keys, keys + 4) == keys[0] && std::equal(row.begin(), row.end(), row.begin());
        found += two < same ? 10 : 20;
        struct Counter {
            int n;
            explicit Counter(int start) : n(start) {}
            int next() { return ++n; }
        } counter(4);
        local = counter.next() + counter.next();
    }
    check("sorted by an operator", first, 5);
    check("sorted by an object", last, 51);
    check("iterators of a nested class", sum, 6);
    check("comparisons of the library", found, 11);
    check("a local class with methods", local, 11);
    check("sorted by an iterator without constexpr constructors", every, 21905);
    check("sorted by an object without constexpr constructors", by, 1120);
    return report();
}
