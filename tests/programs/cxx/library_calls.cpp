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

int main()
{
    int first = 0, last = 0, sum = 0, found = 0, local = 0;
#pragma omp target map(tofrom : first, last, sum, found, local)
    {
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
    return report();
}
