// Tasks and taskgroups on the host around regions; nowait and depend; a method as task body.
#include "check.hpp"
#include <array>

struct Stage
{
    std::array<int, 64> v{};
    void launch(int k)
    {
        int *p = v.data();
#pragma omp target teams distribute parallel for map(tofrom : p[0 : 64]) firstprivate(k)
        for (int i = 0; i < 64; i++)
            p[i] += k * i;
    }
};

int main()
{
    Stage st[4];
#pragma omp parallel
#pragma omp single
    {
        for (auto &s : st)
#pragma omp task shared(s)
            s.launch(static_cast<int>(&s - st) + 1);
#pragma omp taskwait
    }
    for (int k = 0; k < 4; k++)
        check("task", st[k].v[63], 63 * (k + 1));
    int x[10] = {}, y[10] = {};
#pragma omp target map(tofrom : x) nowait depend(out : x)
    for (int &e : x)
        e = 5;
#pragma omp target map(tofrom : y) map(to : x) nowait depend(in : x) depend(out : y)
    for (int i = 0; i < 10; i++)
        y[i] = x[i] + i;
#pragma omp taskwait
    check("y", y[9], 14);
#pragma omp taskgroup
    {
#pragma omp task shared(st)
        st[0].launch(1);
    }
    check("taskgroup", st[0].v[1], 2);
    return report();
}
