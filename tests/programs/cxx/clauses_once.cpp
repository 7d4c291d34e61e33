// Functions in clauses run once, whatever the clause is used for.
// reference: -O1
#include "check.hpp"
#include <algorithm>
static int calls;
static int once(int value)
{
    ++calls;
    return value;
}
// Compilers without OpenMP run none of them.
static int expected(int number)
{
#ifdef _OPENMP
    return number;
#else
    return 0 * number;
#endif
}
struct Holder { double *p; int n; };
int main()
{
    double d[100] = {};
    double *p = d;
    int k = 0;
#pragma omp target enter data map(to: p[once(0):once(100)]) device(once(0)) if(once(1))
    check("enter data", calls, expected(4));
#pragma omp target teams distribute parallel for map(tofrom: p[once(0):once(10)]) num_teams(once(4)) thread_limit(once(32))
    for (int i = 0; i < 10; ++i)
        p[i] = i;
    check("a region", calls, expected(8));
#pragma omp target update from(p[once(0):once(10)])
    check("update", calls, expected(10));
#pragma omp target update from(p[k++:std::max(k, 5)])
    check("an increment", k, expected(1));
#pragma omp target exit data map(from: p[once(0):once(100)])
    check("exit data", calls, expected(12));
    Holder h{p, 100};
    int s = 0;
#pragma omp target data map(tofrom: h.p[once(0):once(100)]) if(once(1))
    {
#pragma omp target parallel for num_threads(once(8)) reduction(+: s) map(to: p[once(0):2])
        for (int i = 0; i < 10; ++i)
            s += i;
    }
    check("data", calls, expected(17));
    check("a sum", s, 45);
    check("values", p[9], 9.0);
    return report();
}
