// 'declare reduction' in function templates, methods, classes and class templates, and of the same name in blocks.
#include "check.hpp"

#include <algorithm>
#include <cstdlib>

template <class T> struct Range {
    T low, high;
    Range() : low(1000), high(-1000) {}
    void add(T x)
    {
        low = std::min(low, x);
        high = std::max(high, x);
    }
    void merge(const Range &other)
    {
        low = std::min(low, other.low);
        high = std::max(high, other.high);
    }
};

template <class T, int N> Range<T> range_of(const T (&p)[N])
{
#pragma omp declare reduction(joined : Range<T> : omp_out.merge(omp_in)) initializer(omp_priv = Range<T>())
    Range<T> found;
#pragma omp target teams distribute parallel for reduction(joined : found) map(to : p)
    for (int i = 0; i < N; ++i) {
        found.add(p[i]);
    }
    return found;
}

class Mean {
    struct Sum {
        double value;
        long count;
    };
#pragma omp declare reduction(added : Sum : omp_out.value += omp_in.value, omp_out.count += omp_in.count) \
    initializer(omp_priv = Sum{0, 0})

public:
    double of(const int *p, int n);
    double in_a_method(const int *p, int n)
    {
#pragma omp declare reduction(more : Sum : omp_out.value += omp_in.value, omp_out.count += omp_in.count) \
    initializer(omp_priv = Sum{0, 0})
        Sum sum = {0, 0};
#pragma omp target teams distribute parallel for reduction(more : sum) map(to : p[0:n])
        for (int i = 0; i < n; ++i) {
            sum.value += p[i];
            ++sum.count;
        }
        return sum.value / sum.count;
    }
};

double Mean::of(const int *p, int n)
{
    Sum sum = {0, 0};
#pragma omp target teams distribute parallel for reduction(added : sum) map(to : p[0:n])
    for (int i = 0; i < n; ++i) {
        sum.value += p[i];
        ++sum.count;
    }
    return sum.value / sum.count;
}

template <class T> struct Peak {
    T found;
#pragma omp declare reduction(higher : T : omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = omp_orig)
    void look(const T *p, int n)
    {
        T most = p[0];
#pragma omp target teams distribute parallel for reduction(higher : most) map(to : p[0:n])
        for (int i = 0; i < n; ++i) {
            most = p[i] > most ? p[i] : most;
        }
        found = most;
    }
};

template <class T> struct Farthest {
    const T *p;
    int n;
    T found();
    template <class U> U scaled(U factor);
};

int farther(int a, int b) { return std::abs(a - 50) > std::abs(b - 50) ? a : b; } // the class does not know it

template <class T> T Farthest<T>::found()
{
    const T *p = this->p;
    const int n = this->n;
    T most = 50;
#pragma omp declare reduction(far : T : omp_out = farther(omp_out, omp_in)) initializer(omp_priv = 50)
#pragma omp target teams distribute parallel for reduction(far : most) map(to : p[0:n])
    for (int i = 0; i < n; ++i) {
        most = farther(most, p[i]);
    }
    return most;
}

template <class T> template <class U> U Farthest<T>::scaled(U factor)
{
    const T *p = this->p;
    const int n = this->n;
    U most = 50;
#pragma omp declare reduction(far : U : omp_out = farther(omp_out, omp_in)) initializer(omp_priv = 50)
#pragma omp target teams distribute parallel for reduction(far : most) map(to : p[0:n])
    for (int i = 0; i < n; ++i) {
        most = farther(most, p[i] * factor);
    }
    return most;
}

namespace a {
#pragma omp declare reduction(joined : int : omp_out += omp_in) initializer(omp_priv = 0)
int total(const int *p, int n)
{
    int sum = 0;
#pragma omp target teams distribute parallel for reduction(joined : sum) map(to : p[0:n])
    for (int i = 0; i < n; ++i) {
        sum += p[i];
    }
    return sum;
}
}

namespace b {
#pragma omp declare reduction(joined : int : omp_out = omp_in < omp_out ? omp_in : omp_out) initializer(omp_priv = 9999)
int total(const int *p, int n)
{
    int least = 9999;
    {
#pragma omp declare reduction(joined : int : omp_out += 3 * omp_in) initializer(omp_priv = 0)
        int unused = 0;
        (void)unused;
    }
#pragma omp target teams distribute parallel for reduction(joined : least) map(to : p[0:n])
    for (int i = 0; i < n; ++i) {
        least = p[i] < least ? p[i] : least;
    }
    return least;
}
}

int main()
{
    int a[100];
    double x[100];
    for (int i = 0; i < 100; ++i) {
        a[i] = (i * 41) % 103 + 1;
        x[i] = (i * 37) % 101;
    }
    const Range<int> of_ints = range_of(a);
    const Range<double> of_doubles = range_of(x);
    int least = 9999, most = 0, sum = 0;
    for (int i = 0; i < 100; ++i) {
        least = std::min(least, a[i]);
        most = std::max(most, a[i]);
        sum += a[i];
    }
    check("a reduction of a function template", of_ints.low == least && of_ints.high == most, true);
    check("another instantiation", of_doubles.low == 0 && of_doubles.high == 100, true);
    Mean mean;
    check("a reduction of a class", mean.of(a, 100), sum / 100.0);
    check("a reduction of a method", mean.in_a_method(a, 100), sum / 100.0);
    Peak<int> peak;
    peak.look(a, 100);
    Peak<double> peak_of_doubles;
    peak_of_doubles.look(x, 100);
    check("a reduction of a class template", peak.found, most);
    check("its other instantiation", peak_of_doubles.found, 100.0);
    Farthest<int> farthest = {a, 100};
    check("a function declared behind the class", farthest.found(), most);
    check("in a member template", farthest.scaled(2L), 2L * most);
    check("a reduction of a namespace", ::a::total(a, 100), sum);
    check("one of the same name in another", b::total(a, 100), least);
    return report();
}
