// default(firstprivate) and default(private) on parallel regions and teams.
#include "check.hpp"

int main()
{
    int a[32] = {}, k = 5, t = 7;
#pragma omp target map(tofrom: a) firstprivate(k, t)
    {
#pragma omp parallel for default(firstprivate) shared(a)
        for (int i = 0; i < 32; ++i) {
            k += 1;
            a[i] = k > 5 && k <= 37 ? 1 : 0;
        }
#pragma omp parallel for default(private) shared(a)
        for (int i = 0; i < 32; ++i) {
            t = i;
            a[i] += t;
        }
        a[0] = k + t;
    }
    check("firstprivate, private", a[0], 12);
    check("a", a[31], 32);
    int n = 3, s = 0;
#pragma omp target teams distribute parallel for default(firstprivate) reduction(+: s)
    for (int i = 0; i < 10; ++i) {
        n = i;
        s += n;
    }
    check("n", n, 3);
    check("s", s, 45);
    return report();
}
