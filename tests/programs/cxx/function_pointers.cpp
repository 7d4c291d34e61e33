// Pointers to functions that device code sets itself, functions as templates' arguments, and virtual bases of objects
// that device code makes.
// flags: -std=c++17
// reference: -O1
#include "check.hpp"

static int twist(int v) { return v * 3 + 1; }
static int other(int v) { return v * 2; }
template <int (*F)(int)> int go(int v) { return F(v); }

struct Operation {
    int (*f)(int);
    int call(int v) const { return f(v); }
};

template <class T> T apply(T v, T (*f)(T)) { return f(v); }

struct Base {
    int n = 5;
};
struct Left : virtual Base {
    int own = 1;
};
struct Both : Left, virtual Base {
    int sum() const { return own + n; }
};

struct Plain : virtual Base {
    int own = 7;
    int run()
    {
        int s = 0;
#pragma omp target map(tofrom: s)
        s = own;
        return s;
    }
};

int main()
{
    int r = 0, k = 1, s = 0;
#pragma omp target map(tofrom: r) firstprivate(k)
    {
        int (*f)(int) = k ? twist : other;
        r = f(2) + go<other>(3);
        int (*table[2])(int) = {twist, other};
        r += table[k](4);
        Operation operation{twist};
        r += operation.call(1);
        r += apply(1, other);
    }
    check("functions", r, 27);
#pragma omp target map(tofrom: s)
    {
        Both both;
        both.n += 2;
        s = both.sum();
    }
    check("virtual bases", s, 8);
    check("the object's own members", Plain().run(), 7);
    return report();
}
