#pragma once
#include <utility>

template <int N> void fill(int *a, int n);

namespace app {
namespace inner {
template <class T, int N = 3> std::pair<T, int> pairs(T *a, const std::pair<T, int> &by);
template <class T> void each(T *a);
} // namespace inner
} // namespace app

template <class T> struct Adder {
    void add(T *a) const;
    static void put(T *a);
};
