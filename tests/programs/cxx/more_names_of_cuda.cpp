// Types that have the names of CUDA's functions, constants of several kinds, and declarations behind labels.
// flags: -std=c++17
// reference: -O1
#include "check.hpp"

struct norm {
    double lo, hi;
    void join(const norm &o)
    {
        if (o.lo < lo)
            lo = o.lo;
        if (o.hi > hi)
            hi = o.hi;
    }
    double all() const { return hi - lo; }
};
enum any { none = 3, some };
static int warpSize = 5;
static double dadd(double a, double b) { return a - b; }
static int ballot(int v) { return v + 2; }

struct tag {
    int v;
    constexpr int get() const { return v; }
};
inline constexpr tag seven{7};
template <class T> inline constexpr T pi_v = T(3.5);
template <class T> constexpr inline T half_v = T(0.5);
template <class T> constexpr T e_v = T(2.5);

static int three_times()
{
    int t = 0;
again:
    int z = t;
#pragma omp target map(tofrom : z)
    z++;
    t = z;
    if (t < 3)
        goto again;
    switch (t) {
    case 3:
        int y = 10;
#pragma omp target map(tofrom : y)
        y += 1;
        return t + y;
    }
    return 0;
}

int main()
{
    norm q{1, 2};
    double r = 0, s = 0;
    any chosen = none;
#pragma omp target map(tofrom : q, r, s, chosen)
    {
        norm t{0, 5};
        struct norm other = t;
        q.join(other);
        r = q.all() + dadd(3, 1) + ballot(warpSize);
        chosen = any(chosen + 1);
        s = seven.get() + pi_v<double> + e_v<float> + half_v<float>;
    }
    check("joined", q.hi - q.lo, 5.0);
    check("functions", r, 14.0);
    check("an enumeration", chosen == some, true);
    check("constants", s, 13.5);
    check("labels", three_times(), 14);
    return report();
}
