// Iterators of classes as loop variables: of std::vector, counting ones, rows of a matrix, a facade with a derived class. Arrays
// that only the first values of iterators and pointers name are mapped.
// reference: -O1
#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <numeric>
#include <vector>
// A facade whose derived class counts, and iterators over rows of a matrix.
template <class D> struct Facade {
    friend D operator+(D a, long n) { a += n; return a; }
    friend bool operator!=(const D &a, const D &b) { return a - b != 0; }
    friend bool operator<(const D &a, const D &b) { return a - b < 0; }
};
struct Counting : Facade<Counting> {
    long at;
    explicit Counting(long n = 0) : at(n) {}
    Counting &operator++() { ++at; return *this; }
    Counting &operator+=(long n) { at += n; return *this; }
    Counting &operator-=(long n) { at -= n; return *this; }
    long operator-(const Counting &o) const { return at - o.at; }
    long operator*() const { return at; }
};
template <class T> class Rows {
public:
    class iterator {
        T *row; int width;
    public:
        iterator(T *r, int w) : row(r), width(w) {}
        iterator &operator++() { row += width; return *this; }
        iterator &operator+=(std::ptrdiff_t n) { row += n * width; return *this; }
        std::ptrdiff_t operator-(const iterator &o) const { return (row - o.row) / width; }
        bool operator!=(const iterator &o) const { return row != o.row; }
        T *operator*() const { return row; }
    };
    Rows(T *d, int h, int w) : data(d), height(h), width(w) {}
    iterator begin() const { return iterator(data, width); }
    iterator end() const { return iterator(data + height * width, width); }
private:
    T *data; int height, width;
};
template <class It, class F> void for_each(It first, It last, F f) {
#pragma omp target teams distribute parallel for
    for (It it = first; it != last; ++it) f(*it);
}
template <class C> double sum(C &c, int n) {
    double s = 0;
    auto *p = &*c.begin();
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+: s)
    for (auto it = c.begin(); it < c.end(); it++) s += *it;
    return s;
}
int main() {
    double m[6][4] = {};
    Rows<double> rows(&m[0][0], 6, 4);
    double *all = &m[0][0];
#pragma omp target data map(tofrom: all[0:24])
    {
#pragma omp target teams distribute parallel for
    for (auto r = rows.begin(); r != rows.end(); ++r)
        for (int i = 0; i < 4; ++i) (*r)[i] += i + 1;
    for_each(all, all + 24, [](double &d) { d *= 2; });
    }
    long out[20] = {};
#pragma omp target teams distribute parallel for
    for (Counting c = Counting(3); c < Counting(17); c += 2) out[*c] = *c;
#pragma omp target map(tofrom: out)
    {
#pragma omp parallel for
        for (Counting c = Counting(0); c != Counting(3); ++c) out[*c] = 100;
    }
    std::vector<float> v(33); std::iota(v.begin(), v.end(), 1.f);
    std::vector<int> w(9, 3);
    int down[10] = {};
    std::vector<int> rev(10); std::iota(rev.begin(), rev.end(), 0);
    int *rp = rev.data();
#pragma omp target data map(to: rp[0:10])
#pragma omp target teams distribute parallel for map(from: down)
    for (auto it = rev.cend() - 1; it >= rev.cbegin(); --it) down[*it] = 10 - *it;
    for (auto &r : m) for (double d : r) printf("%g ", d);
    for (long l : out) printf("%ld ", l);
    for (int l : down) printf("%d ", l);
    printf("%g %g\n", sum(v, 33), sum(w, 9));
    int t[4] = {1, 2, 3, 4};
    std::array<int, 3> a{5, 6, 7};
#pragma omp target teams distribute parallel for
    for (int *p = t; p < t + 4; ++p) *p += 10;
#pragma omp target teams distribute parallel for
    for (auto p = a.begin(); p < a.end(); ++p) *p += 100;
    std::printf("%d %d %d %d\n", t[0], t[3], a[0], a[2]);
}
