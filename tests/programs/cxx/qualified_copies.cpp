// Regions that change their copies of variables which they name by their namespaces or classes.
#include "check.hpp"

namespace cfg {
int count = 1;
double sum = 1;
int table[3] = {1, 2, 3};
}
namespace other = cfg;
using namespace cfg;
int total = 2;

struct Stat {
    static int hits;
    static long of(long n)
    {
        long r = 0;
#pragma omp target map(from: r)
        {
            Stat::hits += 2;
            hits += n; // rex-ignore: lost-result: only its copy changes
            r = Stat::hits;
        }
        return r;
    }
};
int Stat::hits = 5;

template <class T> T scaled(T x)
{
    T r = 0;
#pragma omp target map(from: r) firstprivate(cfg::sum)
    {
        cfg::sum += x;
        r = sum;
        other::count = 3;
        r += cfg::count;
    }
    return r;
}

int main()
{
    int r = 0, q = 0;
    check("static member", Stat::of(3), 10L);
    check("its original", Stat::hits, 5);
#pragma omp target map(from: r)
    {
        cfg::count += 4;
        count++; // rex-ignore: lost-result: only its copy changes
        r = ::cfg::count + ::total;
        ::total = 7; // rex-ignore: lost-result: only its copy changes
    }
    check("copy", r, 8);
    check("originals", cfg::count + total, 3);
#pragma omp target teams distribute parallel for firstprivate(cfg::table) reduction(+ : q)
    for (int i = 0; i < 4; ++i) {
        cfg::table[1] = i;
        q += cfg::table[1] - table[0];
    }
    check("array", q, 2);
    check("its original", cfg::table[1], 2);
    check("template", scaled(2.0) + scaled(1), 11.0);
#pragma omp target defaultmap(tofrom : scalar)
    cfg::sum += ::total;
    check("mapped", cfg::sum, 3.0);
    return report();
}
