// metadirective as programs use it to choose between host and device, by constants, at run time, and inside of regions.
// reference: -Wno-unknown-pragmas -Wl,--no-as-needed -lgomp
#include "check.hpp"
#include <omp.h>

template <int N> struct Kern
{
    static void run(int *v)
    {
#pragma omp metadirective when(user = {condition(N > 4)} : target teams distribute parallel for map(tofrom : v[0 : N])) default(parallel for)
        for (int i = 0; i < N; i++)
            v[i] += omp_is_initial_device() ? 100 : N;
    }
};

class Sum
{
  public:
    explicit Sum(bool offload) : offload_(offload) {}
    long of(const int *v, int n)
    {
        long s = 0;
#pragma omp metadirective when(user = {condition(offload_)} : target teams distribute parallel for map(to : v[0 : n]) reduction(+ : s)) otherwise(parallel for reduction(+ : s))
        for (int i = 0; i < n; i++)
            s += v[i];
        return s;
    }

  private:
    bool offload_;
};

static int where(int x)
{
    int r = x;
#pragma omp metadirective when(device = {kind(nohost)} : simd reduction(+ : r)) default(nothing)
    for (int i = 0; i < 10; i++)
        r += i;
    return r;
}

int main()
{
    int v[32] = {};
#pragma omp metadirective when(implementation = {vendor(gnu)} : target teams distribute parallel for map(tofrom : v)) otherwise(target teams distribute parallel for map(tofrom : v))
    for (int i = 0; i < 32; i++)
        v[i] = i;
    check("v", v[31], 31);
    int w[8] = {};
    Kern<8>::run(w);
    check("device", w[7] == 8 || omp_get_num_devices() == 0, true);
    Kern<3>::run(w);
    check("host", w[0] - w[7], 100);
    check("sum on the device", Sum(true).of(v, 32), 496L);
    check("sum on the host", Sum(false).of(v, 32), 496L);
    int kinds[4] = {};
#pragma omp target map(tofrom : kinds)
    {
        int s = 0;
#pragma omp metadirective when(device = {kind(gpu)} : parallel for reduction(+ : s)) default(parallel for reduction(+ : s) num_threads(2))
        for (int i = 0; i < 100; i++)
            s += i;
        kinds[0] = s;
        kinds[1] = where(5);
#pragma omp begin metadirective when(construct = {target} : parallel num_threads(3)) default(parallel num_threads(1))
        {
#pragma omp atomic
            kinds[2]++;
        }
#pragma omp end metadirective
    }
    check("loop", kinds[0], 4950);
    check("called", kinds[1], 50);
    check("called on the host", where(6), 51);
    check("construct", kinds[2] >= 1 && kinds[2] <= 3, true);
    return report();
}
