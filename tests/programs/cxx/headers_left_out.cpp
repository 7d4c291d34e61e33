// Device files have neither the functions that device code does not name nor the headers that only those need. What is
// left means the same: overloads, functions of C in two headers, and what the language takes from headers silently.
#include "check.hpp"
#include <iostream>
#include <map>
#include <string>
#include <vector>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>

int later(const std::vector<int> &v);
extern "C" int in_c(const std::string &text) { return static_cast<int>(text.size()); }
static int weight(int x) { return 2 * x; }
static int weight(const std::string &text) { return static_cast<int>(text.size()); }
template <class T> std::string shown(const std::map<T, T> &) { return "map"; }
template <> std::string shown(const std::map<int, int> &) { return "map of numbers"; }
std::ostream &operator<<(std::ostream &out, const std::vector<int> &v) { return out << v.size() << '\n'; }

struct Part {
    std::size_t size;
    explicit Part(std::size_t n) : size(n) {}
};

int main()
{
    double size = 0;
    int sum = 0, small = 0;
    std::ptrdiff_t apart = 0;
#pragma omp target map(tofrom: size, sum, small, apart)
    {
        alignas(Part) char storage[sizeof(Part)];
        Part *part = new (storage) Part(3);
        size = std::abs(-2.5) + std::sqrt(4.0) + abs(-1) + part->size;
        for (int i : {1, 2, 3})
            sum += weight(i);
        auto list = {7, 5, 6};
        small = std::min(*list.begin(), 6);
        apart = list.end() - list.begin();
    }
    check("size", size, 8.5);
    check("sum", sum, 12);
    check("small", small, 6);
    check("apart", apart, std::ptrdiff_t(3));
    check("host", later({1, 2}) + in_c("abc") + weight("abcd") + (shown(std::map<int, int>()) == "map of numbers"), 10);
    std::cout << std::vector<int>(2);
    return report();
}

int later(const std::vector<int> &v) { return static_cast<int>(v.size()); }
