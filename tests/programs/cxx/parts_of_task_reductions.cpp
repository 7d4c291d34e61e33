// A region that takes part in a task reduction.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

int main()
{
    int s = 1;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(+: s)
    {
#pragma omp target in_reduction(+: s) map(tofrom: s)
        s += 5;
    }
    check("sum", s, 6);
    return report();
}
