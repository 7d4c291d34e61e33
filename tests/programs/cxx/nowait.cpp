// Regions with nowait and depend run in the order of their dependences, and taskwait waits for all.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

struct Pipeline {
    int n;
    int *a, *b;

    void run()
    {
#pragma omp target enter data map(to: this[0:1], a[0:n], b[0:n])
#pragma omp target teams distribute parallel for nowait depend(out: a[0])
        for (int i = 0; i < n; ++i)
            a[i] += i;
#pragma omp target teams distribute parallel for nowait depend(in: a[0]) depend(out: b[0])
        for (int i = 0; i < n; ++i)
            b[i] = 2 * a[i];
#pragma omp target update from(b[0:n]) nowait depend(in: b[0])
#pragma omp taskwait
#pragma omp target exit data map(release: a[0:n], b[0:n], this[0:1])
    }
};

int main()
{
    int a[40], b[40] = {};
    for (int i = 0; i < 40; ++i)
        a[i] = 1;
    Pipeline p{40, a, b};
    p.run();
    for (int i = 0; i < 40; ++i)
        check("b", b[i], 2 * (1 + i));
    int x = 0;
#pragma omp target nowait map(tofrom: x) depend(inout: x)
    x += 5;
#pragma omp target map(tofrom: x) depend(inout: x)
    x *= 2;
#pragma omp taskwait
    check("x", x, 10);
    return report();
}
