// Range-based loops as the loops of constructs: over arrays, std::array, views, vectors, in templates
// and methods.
// cflags: -std=c++20
// reference: -O1
#include "check.hpp"
#include <array>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

struct Body {
    double x, v;
};

template <class C> long total(const C &values, const typename C::value_type *p, int n)
{
    long sum = 0;
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+: sum)
    for (const auto &value : values)
        sum += value;
    return sum;
}

template <class T, int N> void doubled(T (&values)[N])
{
#pragma omp target parallel for
    for (T &value : values)
        value *= 2;
}

class Cells {
public:
    Cells(double *d, int n) : data(d), count(n)
    {
#pragma omp target enter data map(to: data[0:n])
    }
    ~Cells()
    {
#pragma omp target exit data map(delete: data[0:count])
    }
    double *begin() const { return data; }
    double *end() const { return data + count; }
    void scale(double by)
    {
#pragma omp target teams distribute parallel for
        for (double &cell : *this)
            cell *= by;
#pragma omp target update from(data[0:count])
    }

private:
    double *data;
    int count;
};

// What a loop calls without naming it: operators of iterators that a template's argument gives, that are friends, of a
// base, templates, or of a namespace, and functions that give the iterators.
template <class It> struct Between {
    It first, last;
    It begin() const { return first; }
    It end() const { return last; }
};
template <class It, class F> struct Mapped {
    It it;
    F f;
    auto operator*() const { return f(*it); }
    Mapped &operator++()
    {
        ++it;
        return *this;
    }
    friend bool operator!=(const Mapped &a, const Mapped &b) { return a.it != b.it; }
};
struct Last {
    int n;
};
template <class D> struct Stepping {
    D &operator++()
    {
        D &own = static_cast<D &>(*this);
        ++own.i;
        return own;
    }
    template <class E> bool operator!=(const E &end) const { return static_cast<const D &>(*this).i != end.n; }
};
struct Counter : Stepping<Counter> {
    int i;
    explicit Counter(int i) : i(i) {}
    int operator*() const { return i; }
};
struct Numbers {
    int n;
    Counter begin() const { return Counter(0); }
    Last end() const { return {n}; }
};
namespace odd {
struct Range {
    int n;
};
struct Place {
    int at;
};
int operator*(Place place) { return 2 * place.at + 1; }
Place &operator++(Place &place)
{
    ++place.at;
    return place;
}
bool operator!=(Place a, Place b) { return a.at != b.at; }
Place begin(const Range &) { return {0}; }
Place end(const Range &range) { return {range.n}; }
}
template <class R> int sum_of(const R &range)
{
    int sum = 0;
    for (int one : range)
        sum += one;
    return sum;
}

int main()
{
    int named[4] = {};
#pragma omp target map(tofrom: named)
    {
        auto squared = [](int i) { return i * i; };
        using Squares = Mapped<const int *, decltype(squared)>;
        const int values[] = {1, 2, 3};
        for (int one : Between<Squares>{{values, squared}, {values + 3, squared}})
            named[0] += one;
        for (int one : Numbers{5})
            named[1] += one;
        for (int one : odd::Range{4})
            named[2] += one;
        named[3] = sum_of(Numbers{4}) + sum_of(odd::Range{3});
    }
    check("operators that nothing names", named[0] * 1000000 + named[1] * 10000 + named[2] * 100 + named[3], 14101615);
    int t[40], rows[5][4] = {};
#pragma omp target teams distribute parallel for map(from: t)
    for (int &one : t)
        one = 3;
    int three = 0;
    for (int one : t) three += one == 3;
    check("array", three, 40);
#pragma omp target teams distribute parallel for
    for (auto &row : rows)
        for (int &one : row)
            one += 2;
    check("rows", rows[4][3] + rows[0][0], 4);
#pragma omp target teams distribute parallel for collapse(2) map(rows)
    for (int i = 0; i < 5; ++i)
        for (int &one : rows[2])
#pragma omp atomic
            one += i;
    check("inner", rows[2][1], 12);

    std::array<int, 6> six{{1, 2, 3, 4, 5, 6}};
#pragma omp target teams distribute parallel for
    for (auto &one : six)
        one *= one;
    check("std::array", six[5], 36);
    doubled(t);
    check("array of a template", t[39], 6);

    std::vector<Body> bodies(100, Body{1, 2});
    Body *all = bodies.data();
#pragma omp target data map(tofrom: all[0:100])
    {
#pragma omp target teams distribute parallel for
        for (auto &[x, v] : bodies)
            x += v;
        std::span<Body> front(all, 50);
#pragma omp target teams distribute parallel for
        for (Body &body : front) {
            if (body.v < 0)
                continue;
            body.v = 5;
        }
    }
    check("vector", bodies[99].x, 3.0);
    check("span", bodies[49].v + bodies[50].v, 7.0);

    std::vector<int> numbers(30);
    std::iota(numbers.begin(), numbers.end(), 1);
    check("template", total(numbers, numbers.data(), 30), 465L);
    check("span of a template", total(std::span<const int>(numbers), numbers.data(), 30), 465L);

    double d[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    Cells cells(d, 9);
    cells.scale(2);
    check("own class", d[8], 18.0);

    int inside[8] = {}, sums[8] = {};
#pragma omp target teams distribute map(tofrom: inside, sums)
    for (int k = 0; k < 2; ++k) {
#pragma omp parallel for
        for (int &one : inside)
#pragma omp atomic
            one += k + 1;
#pragma omp simd
        for (int &one : sums)
#pragma omp atomic
            one += 1;
    }
    check("inside", inside[7] + sums[7], 5);
    std::vector<std::pair<int, int>> pairs(5, {1, 2});
    int host = 0;
#pragma omp parallel for reduction(+: host)
    for (const auto &[a, b] : pairs)
        host += a * b;
    check("on the host", host, 10);
    return report();
}
