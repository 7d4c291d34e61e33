// Members of a method's object in lists that ask for private copies: the region has the object's own members else.
// reference: -fno-openmp
#include "check.hpp"

struct Base {
    double total = 0;
};
template <class T> struct Sums : Base {
    T sum = 0;
    int count = 0;
    T parts[4] = {};
    int times = 3;
    T last = -1, first = 2;
    void add(const T *p, int n)
    {
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(+ : sum, count) reduction(+ : total)
        for (int i = 0; i < n; ++i) {
            sum += p[i] * times;
            ++count;
            total += 1;
        }
    }
    void add_parts(const T *p, int n)
    {
        if (n > 0)
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(+ : parts)
            for (int i = 0; i < n; ++i)
                parts[i % 4] += p[i];
        else
            count = -1;
    }
    void keep(const T *p, int n)
    {
        last = 0;
#pragma omp target teams distribute parallel for map(to : p[0 : n]) lastprivate(last) firstprivate(first)
        for (int i = 0; i < n; ++i)
            last = p[i] * (first > 0);
        auto largest = [this, p, n] {
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(max : last)
            for (int i = 0; i < n; ++i)
                last = last > p[i] * 10 ? last : p[i] * 10;
        };
        largest();
    }
};

class Plain {
    int hits = 0;

public:
    int counted()
    {
#pragma omp target parallel for reduction(+ : hits)
        for (int i = 0; i < 10; ++i)
            hits += 1;
        return hits;
    }
};

int main()
{
    double p[10];
    for (int i = 0; i < 10; ++i)
        p[i] = i + 0.5;
    Sums<double> s;
    s.add(p, 10);
    s.add_parts(p, 10);
    s.keep(p, 10);
    check("a sum", s.sum, 150.0);
    check("a count", s.count, 10);
    check("an array", s.parts[0] + 100 * s.parts[3], 13.5 + 1100);
    check("of a base", s.total, 10.0);
    check("the last value and a maximum", s.last, 95.0);
    Sums<double> *there = new Sums<double>;
#pragma omp target data map(tofrom : there[0 : 1])
    there->add(p, 10);
    check("an object that is on the device", there->sum + there->count, 160.0);
    delete there;
    Plain plain;
    check("a private member", plain.counted(), 10);
    return report();
}
