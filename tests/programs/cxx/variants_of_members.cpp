// Variants of methods, static methods, function templates, and methods of class templates.
// reference: -fno-openmp
#include "check.hpp"

template <class T> T doubled_there(T x) { return x * 2 + 1; }
#pragma omp declare variant(doubled_there) match(device = {kind(nohost)})
template <class T> T doubled(T x) { return x * 2; }

struct Line {
    int slope;
    int there(int x) const { return slope * x + 100; }
#pragma omp declare variant(there) match(construct = {target})
    int at(int x) const { return slope * x; }
    static int zero_there(int x) { return x + 7; }
#pragma omp declare variant(zero_there) match(construct = {target})
    static int zero(int x) { return x; }
    int both(int x) const { return at(x) + zero(x) + this->at(1); }
};

template <class T> struct Scale {
    T by;
    template <class U> U many_there(U x) const { return x * by + 5; }
#pragma omp declare variant(many_there) match(construct = {target})
    template <class U> U many(U x) const { return x * by; }
    T of_there(T x) const;
#pragma omp declare variant(of_there) match(construct = {target})
    T of(T x) const { return x * by; }
};
template <class T> T Scale<T>::of_there(T x) const { return x * by + 9; }

// The object's type is the template's, so that only its instantiations know what is called.
template <class L, class T> T through(const L &line, T x) { return line.of(x) + line.many(x) + doubled(x); }

int main()
{
    const Line line = {3};
    const Scale<int> scale = {2};
    const Scale<double> halves = {0.5};
    int a[8];
    double b = 0;
#pragma omp target map(from : a) map(tofrom : b)
    {
        a[0] = doubled(5);
        a[1] = line.at(2);
        a[2] = Line::zero(1);
        a[3] = line.both(2);
        a[4] = scale.of(4);
        a[5] = through(scale, 4);
        a[6] = doubled<int>(6);
        a[7] = (&line)->at(1);
        b = through(halves, 8.0);
    }
#ifdef _OPENMP
    const int expected[8] = {11, 106, 8, 218, 17, 17 + 13 + 9, 13, 103};
    const double ninths = 13 + 9 + 17;
#else
    const int expected[8] = {10, 6, 1, 11, 8, 8 + 8 + 8, 12, 3};
    const double ninths = 4 + 4 + 16;
#endif
    for (int i = 0; i < 8; ++i) {
        check("a call on the device", a[i], expected[i]);
    }
    check("a call through a template", b, ninths);
    check("a function template on the host", doubled(5), 10);
    check("methods on the host", line.both(2) + Line::zero(1), 12);
    check("methods of a template on the host", through(scale, 4), 24);
    return report();
}
