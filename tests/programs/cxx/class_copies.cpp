// private and firstprivate objects of classes: their constructors run, and regions change their own copies.
#include "check.hpp"

class Generator {
    unsigned state_ = 17;

public:
    Generator() = default;
    explicit Generator(unsigned s) : state_(s) {}
    unsigned next() { return state_ = state_ * 1664525u + 1013904223u; }
    unsigned state() const { return state_; }
};

int main()
{
    Generator g(5), fresh(99);
    unsigned first[8] = {}, made[8] = {};
#pragma omp target parallel for firstprivate(g) map(tofrom: first)
    for (int i = 0; i < 8; ++i) {
        Generator mine = g;
        first[i] = mine.next();
    }
    Generator expected(5);
    unsigned want = expected.next();
    for (unsigned v : first)
        check("firstprivate", v, want);
    check("untouched", g.state(), 5u);
#pragma omp target teams distribute parallel for private(fresh) map(tofrom: made)
    for (int i = 0; i < 8; ++i) {
        fresh = Generator(unsigned(i));
        made[i] = fresh.state();
    }
    check("private", made[7], 7u);
    check("outside", fresh.state(), 99u);
    unsigned r = 0;
#pragma omp target firstprivate(g) map(from: r)
    {
        g.next();
        r = g.state();
    }
    check("changed there", r, want);
    check("not here", g.state(), 5u);
    return report();
}
