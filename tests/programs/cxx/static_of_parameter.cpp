// Static members of types that are parameters of templates (`P::all`), in clauses and in the regions of the template.
// cflags: -std=c++17
// reference: -O1
#include "check.hpp"

#include <initializer_list>

struct Host {
    static int n;
    static double all[4];
    struct Inner {
        static long deep;
    };
};
int Host::n = 4;
double Host::all[4] = {1, 2, 3, 4};
long Host::Inner::deep = 9;

#pragma omp begin declare target
struct Device {
    static int n;
    static double all[4];
};
int Device::n = 2;
double Device::all[4] = {5, 6, 7, 8};
#pragma omp end declare target

template <class P> int count()
{
    int r = 0;
#pragma omp target map(always, tofrom : P::n) map(from : r)
    {
        r = P::n++;
        r += P ::n;
    }
    return r * 100 + P::n;
}

template <class P> double sum()
{
    double s = 0;
    int n = 3;  // another one than the member
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : P::all[1:2])
    for (int i = 1; i < n; ++i)
        s += P::all[i];
#pragma omp target enter data map(to : P::all)
#pragma omp target
    for (int i = 0; i < 4; ++i)
        P::all[i] *= 2;
#pragma omp target update from(P::all[0:2])
#pragma omp target exit data map(from : P::all)
    return s + P::all[0] * 1000;
}

template <class P> struct Run {
    int n = 5;
    long go()
    {
        if (n)
#pragma omp target map(tofrom : P::Inner::deep) firstprivate(P::n)
            P::Inner::deep += P::n;
        return P::Inner::deep + n;
    }
};
template <class... P> int each()
{
    int total = 0;
    for (int one : {count<P>()...})
        total += one;
    return total;
}

int main()
{
    check("of the host", count<Host>(), 905);
    check("of the device", count<Device>(), 503);
    check("arrays of the host", sum<Host>(), 2005.0);
    check("arrays of the device", sum<Device>(), 10013.0);
    check("inner classes", Run<Host>().go(), 19);
    check("lists of types", each<Host, Device>(), 1106 + 704);
    return report();
}
