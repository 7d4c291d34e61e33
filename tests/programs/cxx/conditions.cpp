// The if and device clauses decide where a region runs.
#include "check.hpp"
#include <omp.h>

struct Runner {
    bool offload;
    int device;
    bool is_host(int n)
    {
        int host = -1;
#pragma omp target if (target: offload && n > 10) device(device) map(from: host)
        host = omp_is_initial_device();
        return host;
    }
};

int main()
{
    Runner r{true, omp_get_default_device()};
    check("small", r.is_host(3), true);
    bool there = r.is_host(20);
    check("large", there, omp_get_num_devices() == 0);
    Runner h{true, omp_get_initial_device()};
    check("initial device", h.is_host(20), true);
    int a[32] = {}, threads = 0;
    bool wide = false;
#pragma omp target teams distribute parallel for if (parallel: wide) map(tofrom: a)
    for (int i = 0; i < 32; ++i)
        a[i] = i;
    check("parallel", a[31], 31);
#pragma omp target parallel if (target: true) if (parallel: wide) map(tofrom: threads)
    {
#pragma omp atomic
        ++threads;
    }
    check("one thread", threads, 1);
#pragma omp target data if (false) map(tofrom: a)
    {
        a[0] = 5;
    }
    check("data", a[0], 5);
    return report();
}
