// defaultmap(present) is new for gcc, so the reference ignores directives.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

int main()
{
    int arr[4] = {1, 2, 3, 4}, r = 0;
    int *q = arr;
#pragma omp target data map(tofrom: q, q[0:4])
#pragma omp target defaultmap(present: pointer) map(from: r)
    r = q[3];
    check("present", r, 4);
    return report();
}
